"""Whole runs: values worked out by hand, the convention, the same as `measures`, refusals and warnings."""

from decimal import Decimal
from math import log2
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from course_utils import evaluate, evaluate_ids, measures, read_qrels, read_run, summarize
from course_utils.evaluation._ids import BLOCK, NARROW
from course_utils.evaluation._lists import SCORES
from course_utils.evaluation._scores import SMALL
from course_utils.schema import LARGEST_GRADE, CourseWarning

DATA = Path(__file__).parent / "data"
NAMES = ["Recall@3", "Precision@3", "Success@3", "RR@3", "RR", "AP@3", "AP", "nDCG@3"]
bounded = settings(max_examples=120, deadline=None, database=None, derandomize=True)
NaN = float("nan")


def refusal(call, *arguments, **options):
    with pytest.raises(ValueError) as error:
        call(*arguments, **options)
    return str(error.value)


def one(qrels, run, name, **options):
    return evaluate({"q": qrels}, {"q": run}, [name], **options).iloc[0, 0]


def test_sample_worked_out_by_hand():
    table = evaluate(read_qrels(DATA / "sample.qrels"), read_run(DATA / "sample.run"), NAMES)
    d2, d3 = 1 / log2(3), 1 / log2(4)  # discounts at ranks 2 and 3; rank 1 counts in full
    expected = {
        # ranks 2 and 3 of vacation hold grades 2 and 1; the ideal is 2, 1
        "vacation": [
            1,
            2 / 3,
            1,
            1 / 2,
            1 / 2,
            (1 / 2 + 2 / 3) / 2,
            (1 / 2 + 2 / 3) / 2,
            (2 * d2 + d3) / (2 + d2),
        ],
        # judged, but the run has no list for it
        "hotel": [0, 0, 0, 0, 0, 0, 0, 0],
        # grades 1, 0, 2 against the ideal 2, 1, 1
        "laptop": [2 / 3, 2 / 3, 1, 1, 1, (1 + 2 / 3) / 3, (1 + 2 / 3) / 3, (1 + 2 * d3) / (2 + d2 + d3)],
        # nothing relevant: undefined
        "lottery": [NaN] * 8,
    }
    expected = pd.DataFrame.from_dict(expected, orient="index", columns=NAMES, dtype=float)
    pd.testing.assert_frame_equal(
        table, expected.rename_axis("query_id").set_index(expected.index.astype("str")), check_names=False
    )
    assert table.index.name == "query_id"


@pytest.mark.parametrize(
    ("given", "column"),
    [
        ("R@10", "Recall@10"),
        ("recall@10", "Recall@10"),
        ("P@5", "Precision@5"),
        ("hit@1", "Success@1"),
        ("Hit_Rate@1", "Success@1"),
        ("MRR@10", "RR@10"),
        ("mrr", "RR"),
        ("MAP", "AP"),
        ("map@100", "AP@100"),
        ("ndcg@10", "nDCG@10"),
        ("nDCG(exp)@10", "nDCG(exp)@10"),
        ("Recall(rel=2)@10", "Recall(rel=2)@10"),
        ("R( rel = 1 )@10", "Recall@10"),
    ],
)
def test_names_and_aliases(given, column):
    assert list(evaluate({"q": {"a": 1}}, {"q": {"a": 1}}, given).columns) == [column]


def test_options_stand_in_the_names():
    table = evaluate(
        {"q": {"a": 2}}, {"q": {"a": 1}}, ["R@5", "RR", "nDCG@5", "R@5"], rel=2, gain="exponential"
    )
    assert list(table.columns) == ["Recall(rel=2)@5", "RR(rel=2)", "nDCG(exp)@5"]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (
            "F1@10",
            "unknown measure 'F1@10'; there are Recall@k, Precision@k, Success@k, RR@k, RR, AP@k, AP, nDCG@k",
        ),
        ("", "unknown measure ''"),
        (7, "unknown measure 7"),
        ("nDCG", "nDCG needs a cutoff, e.g. nDCG@10"),
        ("Recall@0", "k must be a whole number >= 1, got 0"),
        ("Recall@-1", "k must be a whole number >= 1, got -1"),
        ("Recall@2.5", "k must be a whole number >= 1, got 2.5"),
        ("Recall@ten", "k must be a whole number >= 1, got ten"),
        ("Recall(rel=0)@10", "unknown option in 'Recall(rel=0)@10'; write nDCG(exp)@10 or Recall(rel=2)@10"),
        ("nDCG(rel=2)@10", "unknown option in 'nDCG(rel=2)@10'"),
    ],
)
def test_bad_names_are_refused(name, message):
    assert refusal(evaluate, {"q": {"a": 1}}, {"q": {"a": 1}}, [name]).startswith(message)


def test_bad_options_are_refused():
    both = ({"q": {"a": 1}}, {"q": {"a": 1}})
    assert refusal(evaluate, *both, []).startswith("no measure is asked for; there are Recall@k")
    assert refusal(evaluate, *both, rel=0).startswith("rel must be a whole number >= 1")
    assert refusal(evaluate, *both, rel=True).startswith("rel must be a whole number >= 1")
    assert refusal(evaluate, *both, gain="exp") == 'gain must be "linear" or "exponential", got \'exp\''
    assert "600 is too large" in refusal(evaluate, {"q": {"a": 600}}, {"q": {"a": 1}}, gain="exponential")
    assert refusal(evaluate, *both, queries="q1") == "queries is a str; expected a list of query ids"


def test_rows_are_judged_queries_in_order_then_those_named():
    qrels = {"b": {"x": 1}, "a": {"x": 1}, "empty": {}}
    table = evaluate(qrels, {"a": {"x": 1}, "u": {"x": 1}}, ["RR"], queries=["u", "a", "z"])
    assert table.index.to_list() == ["b", "a", "empty", "u", "z"]
    assert table["RR"].to_list()[:2] == [0.0, 1.0]
    assert table["RR"].isna().to_list()[2:] == [True] * 3


def test_equal_scores_are_ordered_by_id_descending_as_text():
    with pytest.warns(CourseWarning):
        assert one({"9": 1}, {"10": 1.0, "9": 1.0, "8": 1.0}, "RR") == 1.0
    with pytest.warns(CourseWarning):
        assert one({"10": 1}, {"10": 1.0, "9": 1.0, "8": 1.0}, "RR") == 1 / 3
    with pytest.warns(CourseWarning):
        assert evaluate({1: {10: 1}}, {1: {10: 1, 9: 1, 8: 1}}, ["RR"]).iloc[0, 0] == 1 / 3


@pytest.mark.parametrize("odd", [1, 2**70, np.float64(1), np.float32(1), np.int64(1)])
def test_numbers_of_any_type_count_beside_floats(odd):
    """Lists of floats alone are read in a quicker way."""
    run = {f"q{n}": {"x": 3.5, "a": 0.5, "y": 0.25} for n in range(300)}
    run["q200"]["a"] = odd
    table = evaluate({query: {"a": 1} for query in run}, run, ["RR"])
    assert table["RR"].to_list() == [1.0 if query == "q200" and odd > 9 else 0.5 for query in run]


@pytest.mark.parametrize(
    "odd", ["0.9", True, None, 1j, b"12345678", NaN, float("inf"), Decimal(1), [], np.bool_(1)]
)
def test_anything_else_is_refused_wherever_it_stands(odd):
    for place in (0, 150, 299):
        run = {f"q{n}": {"a": 0.5, "b": 0.25} for n in range(300)}
        run[f"q{place}"]["b"] = odd
        said = refusal(evaluate, {query: {"a": 1} for query in run}, run, ["RR"])
        assert said.startswith(("run: score holds", f"run: q{place}: score of b is"))


def test_the_order_within_a_dict_is_of_no_account():
    rng, count, length = (
        np.random.default_rng(5),
        SCORES // 50,
        120,
    )  # more scores than are compared in one go
    run = {f"q{n}": {f"d{d}": -d / 2 for d in range(rng.integers(1, length))} for n in range(count)}
    qrels = {query: {f"d{d}": 1 for d in rng.integers(0, length, 3)} for query in run}
    mixed = {query: dict(rng.permutation(list(row.items())).tolist()) for query, row in run.items()}
    mixed = {query: {d: float(score) for d, score in row.items()} for query, row in mixed.items()}
    expected = evaluate(qrels, run, ALL)
    assert expected["RR"].tolist() == [
        1 / (1 + min((int(d[1:]) for d in qrels[query] if d in row), default=np.inf))
        for query, row in run.items()
    ]
    pd.testing.assert_frame_equal(evaluate(qrels, mixed, ALL), expected)


def test_scores_are_compared_in_64_bits():
    assert one({"a": 1}, {"a": 0.5 + 1e-9, "b": 0.5}, "RR") == 1.0


def test_relevance_level_does_not_touch_ndcg():
    table = evaluate({"q": {"a": 1, "b": 2}}, {"q": {"a": 2, "b": 1}}, ["RR", "nDCG@2"], rel=2)
    assert table.iloc[0].to_list() == [0.5, pytest.approx((1 + 2 / log2(3)) / (2 + 1 / log2(3)))]


@pytest.mark.parametrize("top", [3, SMALL, SMALL + 1, LARGEST_GRADE])
def test_a_perfect_list_is_exactly_1_whatever_the_grades(top):
    grades = {"a": top, "b": top - 1, "c": 2, "d": 1, "e": -top}
    run = {document: -place for place, document in enumerate(grades)}
    assert one(grades, run, "nDCG@3") == one(grades, run, "nDCG@5") == 1.0
    discounted = top / log2(3) + (top - 1)  # the first two change places
    assert one(grades, run | {"a": -1, "b": 0}, "nDCG@2") == discounted / (top + (top - 1) / log2(3))


def test_a_query_with_only_lower_grades_is_undefined_at_that_level():
    table = evaluate({"q": {"a": 1}}, {"q": {"a": 2}}, ["RR", "nDCG@2"], rel=2)
    assert table.isna().iloc[0].to_list() == [True, False]


def test_nothing_to_score_is_refused():
    assert refusal(evaluate, {}, {}) == "nothing to score: qrels has no judgements"
    assert refusal(evaluate, {"q": {"a": 1}}, {}) == "nothing to score: the run is empty"
    empty = pd.DataFrame({"query_id": [], "doc_id": [], "score": []})
    assert refusal(evaluate, {"q": {"a": 1}}, empty) == "nothing to score: the run is empty"
    assert refusal(evaluate, {"q": {"a": 1}}, iter([])) == "nothing to score: the run is empty"
    assert refusal(evaluate_ids, {}, [[1]]) == "nothing to score: qrels has no judgements"


def test_an_empty_run_is_all_zero_where_the_queries_asked_are_named():
    for run in ({}, pd.DataFrame(columns=["query_id", "doc_id", "score"])):
        table = evaluate({"q1": {"a": 1}, "q2": {"a": 0}}, run, ["Recall@3", "nDCG@3"], queries=["q1", "q2"])
        assert table.loc["q1"].tolist() == [0, 0] and table.loc["q2"].isna().all()
    told = refusal(evaluate, {"q": {"a": 1}}, pd.DataFrame(), queries=["q"])
    assert told.startswith("run has no column query_id, doc_id, score; found none")


def test_no_query_in_common_is_refused():
    assert refusal(evaluate, {"2024-1.1": {"a": 1}}, {"2024-1": {"a": 1.0}}) == (
        "no query in common: qrels has for instance '2024-1.1', the run '2024-1'; are the query ids written alike?"
    )


def test_unjudged_queries_are_ignored_with_a_warning():
    with pytest.warns(
        CourseWarning, match=r"^1 of 2 queries in the run has no judgements and is ignored \(for in"
    ):
        table = evaluate({"q": {"a": 1}}, {"q": {"a": 1}, "u": {"a": 1}}, ["RR"])
    assert table.index.to_list() == ["q"]


@pytest.mark.parametrize("as_frame", [True, False])
def test_ids_of_different_types_are_refused(as_frame):
    def shaped(run):
        rows = [(q, d, s) for q, row in run.items() for d, s in row.items()]
        return pd.DataFrame(rows, columns=["query_id", "doc_id", "score"]) if as_frame else run

    assert refusal(evaluate, {"1": {"7": 1}}, shaped({1: {"7": 1.0}})) == (
        "query_id is text in qrels and whole numbers in run, which never match. "
        'Make both text, e.g. run["query_id"] = run["query_id"].astype(str)'
    )
    assert refusal(evaluate, {"1": {7: 1}}, shaped({"1": {"7": 1.0}})).startswith(
        "doc_id is whole numbers in qrels"
    )
    assert "mixes text" in refusal(evaluate, {"1": {"7": 1}}, shaped({"1": {"8": 1.0, 7: 0.5}}))
    assert "mixes text" in refusal(evaluate, {"1": {"8": 1}}, shaped({"1": {"8": 1.0, 7: 1.0}}))


@pytest.mark.parametrize(
    ("run", "message"),
    [
        ({"q": {"a": NaN, "b": 1.0}}, "run: q: score of a is NaN; expected a finite number"),
        ({"q": {"a": float("inf")}}, "run: q: score of a is inf; expected a finite number"),
        ({"q": {"a": "0.9"}}, "run: score holds str ('0.9') in row 0; expected a number"),
        ({"q": {"a": True}}, "run: score holds bool (True) in row 0; expected a number"),
        ({"q": {"a": 1, "b": "12345678"}}, "run: score holds str ('12345678') in row 1; expected a number"),
        ({"q": {"": 1.0}}, "run: doc_id is empty in row 0"),
        ({"": {"a": 1.0}}, "run: query_id is empty in row 0"),
        ({"q": ["a", "b"]}, "run: query 'q' holds a list; expected"),
        (
            pd.DataFrame({"qid": ["q"], "docno": ["a"], "score": [1]}),
            "Rename: run.rename(columns={'qid': 'query_id'",
        ),
        (
            pd.DataFrame({"query_id": ["q", "q"], "doc_id": ["a", "a"], "score": [2, 1]}),
            "run: q returns a twice (rows 0 and 1); keep one, usually the better",
        ),
    ],
)
def test_bad_runs_are_refused(run, message):
    assert message in refusal(evaluate, {"q": {"a": 1}}, run)


def test_an_all_equal_list_is_a_warning_with_counts():
    run = {"q1": {"a": 1, "b": 1}, "q2": {"a": 2, "b": 1}}
    with pytest.warns(CourseWarning) as caught:
        evaluate({"q1": {"a": 1}, "q2": {"a": 1}}, run, ["RR@1"])
    assert [str(warning.message) for warning in caught] == [
        "all scores are equal in 1 query (for instance q1): there is no ranking, document ids decide the order"
    ]
    assert caught[0].filename == __file__


def test_a_tie_across_the_cutoff_at_a_relevant_document_is_a_warning():
    run = {"q": {"x": 3, "a": 2, "b": 2, "y": 1}}
    with pytest.warns(CourseWarning) as caught:
        evaluate({"q": {"a": 1}}, run, ["RR@2", "Recall@2", "RR@3"])
    assert [str(warning.message) for warning in caught] == [
        "scores tie across rank 2 at a relevant document in 1 query (for instance q): document ids decide the order"
    ]


def test_a_list_that_only_begins_and_ends_alike_is_not_all_equal():
    run = {"q1": {"a": 1, "b": 2, "c": 1}, "q2": {"a": 1, "b": 1, "c": 1}}
    with pytest.warns(CourseWarning, match="^all scores are equal in 1 query .for instance q2."):
        evaluate({"q1": {"b": 1}, "q2": {"b": 1}}, run, ["RR"])


def test_clean_runs_and_harmless_ties_do_not_warn():
    run = {"q": {"x": 3, "y": 3, "a": 2, "v": 1, "w": 1}, "single": {"a": 1}}
    assert (
        len(evaluate({"q": {"a": 1, "v": 0}, "single": {"a": 1}}, run, ["RR@4", "RR@3", "RR@1", "AP"])) == 2
    )


# The same as `measures`, in whatever form the data comes.
documents = st.sampled_from([f"d{number}" for number in range(14)])
query_ids = st.sampled_from(["q1", "q2", "q3", "q4"])
qrels_dicts = st.dictionaries(
    query_ids, st.dictionaries(documents, st.integers(-2, 4), max_size=8), min_size=1, max_size=4
)
tied = st.integers(-4, 4).map(lambda number: number / 4)
run_dicts = st.dictionaries(query_ids, st.dictionaries(documents, tied, max_size=14), min_size=1, max_size=4)
ALL = ["Recall@4", "Precision@4", "Success@4", "RR@4", "AP@4", "nDCG@4", "nDCG(exp)@4", "RR", "AP"]


def one_by_one(qrels, run, query):
    row = run.get(query, {})
    ranked = sorted(row, key=lambda document: (row[document], document), reverse=True)
    graded = qrels[query]
    relevant = [document for document, grade in graded.items() if grade > 0]
    binary = [
        measures.recall_at_k,
        measures.precision_at_k,
        measures.success_at_k,
        measures.reciprocal_rank,
        measures.average_precision,
    ]
    return [
        *(measure(ranked, relevant, 4) for measure in binary),
        measures.ndcg_at_k(ranked, graded, 4),
        measures.ndcg_at_k(ranked, graded, 4, "exponential"),
        measures.reciprocal_rank(ranked, relevant),
        measures.average_precision(ranked, relevant),
    ]


def quietly(call, *arguments, **options):
    with pytest.MonkeyPatch.context() as patched:
        for module in ("_lists", "_overlap", "_ids"):
            patched.setattr(f"course_utils.evaluation.{module}.warn", lambda message: None)
        return call(*arguments, **options)


@bounded
@given(qrels_dicts, run_dicts)
def test_a_whole_run_is_its_lists_one_by_one(qrels, run):
    if not qrels.keys() & run.keys():
        assert "no query in common" in refusal(evaluate, qrels, run)
        return
    table = quietly(evaluate, qrels, run, ALL)
    assert table.index.to_list() == list(qrels)
    for query, scores in table.iterrows():
        assert scores.to_list() == pytest.approx(one_by_one(qrels, run, query), nan_ok=True, abs=1e-12)


@bounded
@given(qrels_dicts, run_dicts, st.integers(0, 99))
def test_frames_in_any_row_order_give_the_same(qrels, run, seed):
    rows = [(q, d, s) for q, row in run.items() for d, s in row.items()]
    judged = [(q, d, g) for q, row in qrels.items() for d, g in row.items()]
    answered = {query for query, _, _ in rows}
    if not answered & {query for query, _, _ in judged}:
        return
    frame = pd.DataFrame(rows, columns=["query_id", "doc_id", "score"]).sample(frac=1, random_state=seed)
    truth = pd.DataFrame(judged, columns=["query_id", "doc_id", "relevance"])
    expected = quietly(evaluate, truth, {query: run[query] for query in answered}, ALL)
    for given_run in (frame, frame.astype({"query_id": "category", "doc_id": "category"})):
        pd.testing.assert_frame_equal(quietly(evaluate, truth, given_run, ALL), expected)


@bounded
@given(st.data())
def test_arrays_give_the_same_as_a_run(data):
    width = data.draw(st.integers(1, 8))
    row = st.lists(st.integers(0, 11), max_size=width, unique=True)
    lists = data.draw(st.lists(row, min_size=1, max_size=4))
    ids = np.array([found + [-1] * (width - len(found)) for found in lists])
    graded = st.dictionaries(st.integers(0, 11), st.integers(-1, 3), min_size=1, max_size=6)
    qrels = data.draw(st.dictionaries(st.integers(0, len(lists) - 1), graded, min_size=1))
    run = {query: {d: float(-rank) for rank, d in enumerate(found)} for query, found in enumerate(lists)}
    expected = quietly(evaluate, qrels, run, ALL)
    pd.testing.assert_frame_equal(quietly(evaluate_ids, qrels, ids, ALL), expected)
    named = {f"q{query}": {f"d{d}": grade for d, grade in graded.items()} for query, graded in qrels.items()}
    options = {"query_ids": [f"q{n}" for n in range(len(ids))], "doc_ids": [f"d{n}" for n in range(12)]}
    again = quietly(evaluate_ids, named, ids.astype(np.int32), ALL, **options)
    assert again.to_numpy() == pytest.approx(expected.to_numpy(), nan_ok=True)
    assert again.index.to_list() == [f"q{query}" for query in expected.index]


def test_inputs_are_not_changed():
    qrels = pd.DataFrame({"query_id": [1, 0], "doc_id": [3, 4], "relevance": [1, 0]})
    ids, scores = np.array([[4, 3], [3, -1]]), np.array([[0.9, 0.1], [0.8, -1e38]])
    before = qrels.copy(), ids.copy(), scores.copy()
    evaluate_ids(qrels, ids, scores=scores)
    pd.testing.assert_frame_equal(qrels, before[0])
    assert (ids == before[1]).all() and (scores == before[2]).all()


def test_judged_rows_that_query_ids_lack_score_0_and_ghost_documents_stay_in_the_ideal():
    qrels = {"q1": {"a": 1, "ghost": 1}, "q2": {"a": 1}}
    table = evaluate_ids(qrels, [[0, -1]], ["Recall@2"], query_ids=["q1"], doc_ids=["a", "b"])
    assert table["Recall@2"].to_dict() == {"q1": 0.5, "q2": 0.0}


@pytest.mark.parametrize(
    ("ids", "options", "message"),
    [
        ([[7, 3, 7]], {}, "ids: row 0 holds document 7 twice; keep the first"),
        ([[7, -1, 3]], {}, "ids: row 0 has a result after -1; -1 fills up the end of a row only"),
        ([[7, -2]], {}, "ids holds -2; expected positions from 0, or -1 for no result"),
        ([7, 3], {}, "ids is an array of int64 with shape (2,); expected whole numbers, one row per query"),
        ([[0.5]], {}, "ids is an array of float64 with shape (1, 1)"),
        ([[3, 2]], {"doc_ids": ["a", "b", "c"]}, "ids holds 3, but doc_ids has only 3 documents"),
        ([[3, 2]], {"scores": [[0.1, 0.4]]}, "look like distances, where small is good. Pass -D"),
        (
            [[3, 2, 1]],
            {"scores": [[0.5, 0.4, 0.9]]},
            "scores: row 0 rises at column 2; rows must be best first",
        ),
        ([[3, 2]], {"scores": [[0.5, NaN]]}, "scores: row 0, column 1 is nan; expected a finite number"),
        (
            [[3, 2]],
            {"scores": [0.5, 0.4]},
            "scores is float64 (2,); expected numbers in the shape of ids, (1, 2)",
        ),
        (
            [[3]],
            {"query_ids": ["0"]},
            "query_id is whole numbers in qrels and text in query_ids, which never match",
        ),
        ([[3]], {"query_ids": [5]}, "no query in common: qrels has for instance '0', the run '5'"),
        ([[3]], {"query_ids": [0, 1]}, "query_ids has 2 ids; expected 1 different ids"),
        ([[3], [3]], {"query_ids": [0, 0]}, "query_ids has 0 twice; expected 2 different ids"),
        ([], {}, "ids is an array of float64 with shape (0,)"),
        (np.zeros((0, 3), dtype=int), {}, "nothing to score: ids has no rows"),
    ],
)
def test_bad_arrays_are_refused(ids, options, message):
    assert message in refusal(evaluate_ids, {0: {1: 1}}, ids, ["RR@3"], **options)


def test_text_ids_without_their_lists_are_refused():
    assert refusal(evaluate_ids, {"q": {3: 1}}, [[3]]) == (
        "query_id in qrels is text, but ids are positions; pass query_ids=, the ids in the order of the rows of ids"
    )
    assert "pass doc_ids=, the ids in the order of the index" in refusal(evaluate_ids, {0: {"d3": 1}}, [[3]])
    assert "query_id 5 in qrels is no position; expected 0 to 0" in refusal(evaluate_ids, {5: {3: 1}}, [[3]])
    assert "doc_id -1 in qrels is no position" in refusal(evaluate_ids, {0: {-1: 1}}, [[3, -1]])


def test_copies_beyond_the_largest_cutoff_are_not_looked_for():
    assert evaluate_ids({0: {3: 1}}, [[3, 7, 7]], ["RR@2"]).iloc[0, 0] == 1.0
    assert "document 7 twice" in refusal(evaluate_ids, {0: {3: 1}}, [[3, 7, 7]], ["RR"])


def many_rows(width):
    """More rows than are looked at in one go, in no order; row n has one judged document, at rank 1 + n % width."""
    rng, count = np.random.default_rng(7), 2 * BLOCK + 3
    ids = 1000 * np.arange(count)[:, None] + rng.permuted(np.tile(np.arange(width), (count, 1)), axis=1)
    rows = rng.permutation(count)
    qrels = pd.DataFrame({"query_id": rows, "doc_id": ids[rows, rows % width], "relevance": 1})
    return ids, qrels


@pytest.mark.parametrize("width", [7, NARROW + 1])
def test_many_rows_in_any_order(width):
    ids, qrels = many_rows(width)
    table = evaluate_ids(qrels, ids, ["RR"])
    assert table.index.to_list() == qrels["query_id"].astype(str).to_list()
    assert table["RR"].to_list() == [1 / (1 + row % width) for row in qrels["query_id"]]


@pytest.mark.parametrize("width", [7, NARROW + 1])
def test_a_copy_is_found_in_any_row_and_at_any_distance(width):
    ids, qrels = many_rows(width)
    for row, first, again in ((len(ids) - 1, 0, width - 1), (BLOCK, 2, 3)):
        with_copy = ids.copy()
        with_copy[row, again] = ids[row, first]
        assert refusal(evaluate_ids, qrels, with_copy, ["RR"]) == (
            f"ids: row {row} holds document {ids[row, first]} twice; keep the first"
        )


def test_ranks_far_down_a_list():
    table = evaluate_ids({0: {65_538: 1, 4: 1}}, np.arange(65_539)[None], ["AP", "RR", "nDCG@100000"])
    dcg, ideal = 1 / log2(6) + 1 / log2(65_540), 1 + 1 / log2(3)
    assert table.iloc[0].to_list() == pytest.approx([(1 / 5 + 2 / 65_539) / 2, 1 / 5, dcg / ideal], abs=1e-12)


def test_conflicting_judgements_of_positions_are_refused():
    qrels = pd.DataFrame({"query_id": [0, 0], "doc_id": [3, 3], "relevance": [1, 2]})
    assert "judged twice with grades 1 (row 0) and 2 (row 1)" in refusal(evaluate_ids, qrels, [[3]])
    with pytest.warns(CourseWarning, match="1 duplicate judgement"):
        assert evaluate_ids(qrels.assign(relevance=1), [[3]], ["RR@1"]).iloc[0, 0] == 1.0


def test_rows_without_judgements_and_flat_scores_are_warnings():
    with pytest.warns(
        CourseWarning, match=r"^1 of 2 rows of ids has no judgements and is ignored \(for instance 1\)$"
    ):
        evaluate_ids({0: {3: 1}}, [[3], [3]])
    with pytest.warns(
        CourseWarning, match="^all scores are equal in 1 row: there is no ranking, the row order deci"
    ):
        evaluate_ids({0: {3: 1}}, [[3, 4]], scores=[[0.5, 0.5]])


PER_QUERY = pd.DataFrame(
    {"RR": [1.0, 0.5, NaN, 0.0], "AP": [0.8, 0.2, NaN, 0.0]}, index=["q1", "q2", "q3", "q4"]
)


def test_means_are_over_defined_queries_and_show_their_n():
    whole = summarize(PER_QUERY)
    assert whole.index.to_list() == ["all"]
    assert whole.loc["all"].to_dict() == {"RR": 0.5, "AP": pytest.approx(1 / 3), "n": 3, "n_undefined": 1}
    assert whole.dtypes.astype(str).to_list() == ["float64", "float64", "int64", "int64"]


@pytest.mark.parametrize("by", [{"q4": "b", "q1": "b", "q2": "a", "q3": "c", "other": "z"}])
def test_means_by_group(by):
    for groups in (by, pd.Series(by, name="type")):
        table = summarize(PER_QUERY, groups)
        assert table.index.to_list() == ["a", "b", "c"]
        assert table["RR"].fillna(-1).to_list() == [0.5, 0.5, -1]
        assert table[["n", "n_undefined"]].to_numpy().tolist() == [[1, 0], [2, 0], [0, 1]]
    ordered = pd.Series(by).astype(pd.CategoricalDtype(["z", "c", "b", "a"]))
    assert summarize(PER_QUERY, ordered).index.to_list() == ["c", "b", "a"]


def test_what_cannot_be_averaged_is_refused():
    assert refusal(summarize, PER_QUERY.assign(AP=[1.0, NaN, NaN, 1.0])) == (
        "RR is defined for 3 queries, AP for 2, not the same ones: one n cannot stand for both. "
        "Summarize them apart: summarize(per_query[['AP']])"
    )
    assert refusal(summarize, PER_QUERY.assign(type="x")).startswith("per_query: column type holds no scores")
    assert refusal(summarize, PER_QUERY, {"q1": "a"}) == "by has no group for query q2"
    assert refusal(summarize, PER_QUERY, ["a"] * 4).startswith("by is a list; expected a Series")
    assert refusal(summarize, PER_QUERY, pd.Series("a", index=["q1", "q1"])).startswith(
        "by has query q1 twice"
    )
    assert refusal(summarize, PER_QUERY[:0]).startswith("nothing to average")
