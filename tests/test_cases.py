"""Inputs that broke the field's tools in public, each with its source and the right answer.

The data is our own and small; the fault is the one reported. A source `owner/name/issues/N` is a page of
https://github.com/. `U` is an undefined value.
"""

import pytest

from course_utils import evaluate, evaluate_ids, measures, read_qrels, read_run, summarize
from course_utils.schema import CourseWarning

FOUR = ["Recall@10", "Precision@10", "RR@10", "nDCG@10"]
U = float("nan")

# id, source, qrels, run, {query: (recall, precision, RR, nDCG) at 10}
VALUES = [
    (
        "01 a query without relevant documents does not disturb the others",
        "cvangysel/pytrec_eval/issues/49",
        {"one": {"a": 1}, "none": {}, "two": {"b": 1, "c": 1}},
        {"one": {"a": 5, "z": 4}, "none": {"y": 5, "x": 4}, "two": {"c": 5, "b": 4}},
        {"one": (1, 0.1, 1, 1), "none": (U, U, U, U), "two": (1, 0.2, 1, 1)},
    ),
    (
        "03 silence on an unanswerable query is no miss",
        "scikit-learn/scikit-learn/issues/29521",
        {"has": {"a": 1}, "hasnot": {"b": 0}},
        {"has": {"a": 1.0}, "hasnot": {}},
        {"has": (1, 0.1, 1, 1), "hasnot": (U, U, U, U)},
    ),
    (
        "04 junk on an unanswerable query leaves the ranking measures alone",
        "SweetSophia/noosphere/pull/327",
        {"has": {"a": 1}, "hasnot": {"b": 0}},
        {"has": {"a": 1.0}, "hasnot": {"y": 2.0, "b": 1.0}},
        {"has": (1, 0.1, 1, 1), "hasnot": (U, U, U, U)},
    ),
    (
        "06 only judgements of grade 0",
        "embeddings-benchmark/mteb/pull/5253",
        {"q": {"a": 0, "b": 0}},
        {"q": {"a": 0.7, "b": 0.2}},
        {"q": (U, U, U, U)},
    ),
    (
        "07 a judged query that the run lacks scores 0",
        "cvangysel/pytrec_eval/issues/30",
        {"kept": {"a": 1}, "dropped": {"x": 1}},
        {"kept": {"a": 2.0, "b": 1.0}},
        {"kept": (1, 0.1, 1, 1), "dropped": (0, 0, 0, 0)},
    ),
    (
        "11 a judged document that no index holds stays in the denominator",
        "beir-cellar/beir/issues/101",
        {"q": {"a": 1, "ghost": 1}},
        {"q": {"a": 2.0, "b": 1.0}},
        {"q": (0.5, 0.1, 1, 0.613147)},
    ),
    (
        "22 the ideal is made of all judged documents",
        "run-llama/llama_index/issues/17070",
        {"q": {"x": 1, "y": 1, "z": 1}},
        {"q": {"y": 2.0, "other": 1.0}},
        {"q": (1 / 3, 0.1, 1, 0.469279)},
    ),
    (
        "27 a list of one document",
        "scikit-learn/scikit-learn/issues/21335",
        {"q": {"only": 1}},
        {"q": {"only": 3.0}},
        {"q": (1, 0.1, 1, 1)},
    ),
    (
        "29 the first relevant document at rank 11",
        "usnistgov/trec_eval/issues/31",
        {"q": {"late": 1}},
        {"q": {**{f"n{rank}": 20.0 - rank for rank in range(10)}, "late": 1.0}},
        {"q": (0, 0, 0, 0)},
    ),
    (
        "30 precision divides by k, not by what came back",
        "RecList/reclist/pull/6",
        {"q": {"a": 1, "b": 1}},
        {"q": {"a": 2.0, "x": 1.0}},
        {"q": (0.5, 0.1, 1, 0.613147)},
    ),
    (
        "47 negative scores are scores",
        "Lightning-AI/torchmetrics/pull/3160",
        {"q": {"a": 1, "b": 0}},
        {"q": {"b": -7.5, "a": -0.5}},
        {"q": (1, 0.1, 1, 1)},
    ),
]


@pytest.mark.parametrize(
    ("qrels", "run", "expected"), [case[2:] for case in VALUES], ids=[c[0] for c in VALUES]
)
def test_values(qrels, run, expected):
    table = evaluate(qrels, run, FOUR)
    for query, scores in expected.items():
        assert table.loc[query].to_list() == pytest.approx(list(scores), abs=1e-6, nan_ok=True)
    assert table.equals(evaluate(qrels, run, FOUR))


def test_01_03_the_mean_is_over_answerable_queries_and_says_so():
    _, _, qrels, run, _ = VALUES[0]
    whole = summarize(evaluate(qrels, run, FOUR)).loc["all"]
    assert whole.to_list() == pytest.approx([1, 0.15, 1, 1, 2, 1])


def test_02_nothing_to_score():
    """cvangysel/pytrec_eval/issues/13: the process died."""
    with pytest.raises(ValueError, match="^nothing to score: qrels has no judgements$"):
        evaluate({}, {})


def test_08_a_query_that_nobody_judged_is_ignored():
    """joaopalotti/trectools/issues/24: it lowered the mean."""
    with pytest.warns(CourseWarning, match="1 of 2 queries in the run has no judgements and is ignored"):
        table = evaluate({"q": {"a": 1}}, {"q": {"a": 2, "b": 1}, "other": {"a": 2, "b": 1}}, FOUR)
    assert table.mean().to_list() == [1, 0.1, 1, 1]


def test_10_no_query_in_common():
    """usnistgov/trec_eval/issues/46: a crash, where the ids differ by a suffix."""
    with pytest.raises(
        ValueError, match=r"^no query in common: qrels has for instance 'q-7\.1', the run 'q-7';"
    ):
        evaluate({"q-7.1": {"a": 1}}, {"q-7": {"a": 1.0}})


@pytest.mark.parametrize(("rival", "scores"), [("k", (1, 0.1, 1, 1)), ("t", (1, 0.1, 0.5, 0.63093))])
def test_12_a_tie_is_broken_by_document_id_descending(rival, scores):
    """usnistgov/trec_eval/issues/22, cvangysel/pytrec_eval/issues/56."""
    for run in ({"m": 1.0, rival: 1.0}, {rival: 1.0, "m": 1.0}):
        with pytest.warns(CourseWarning, match="all scores are equal in 1 query"):
            table = evaluate({"q": {"m": 1, "k": 0, "t": 0}}, {"q": run}, FOUR)
        assert table.iloc[0].to_list() == pytest.approx(scores, abs=1e-5)


def test_13_one_score_for_all_is_no_ranking():
    """embeddings-benchmark/mteb/issues/5092: MRR 1.0 from the order of the rows, nDCG 0."""
    found = ["m", "a", "b", "z"]
    for order in (found, found[::-1], sorted(found)):
        with pytest.warns(CourseWarning, match="all scores are equal"):
            table = evaluate({"q": {"m": 1, "a": 0, "b": 0}}, {"q": dict.fromkeys(order, 0.5)}, FOUR)
        assert table.iloc[0].to_list() == pytest.approx([1, 0.1, 0.5, 0.63093], abs=1e-5)


def test_17_a_document_found_twice_counts_once():
    """deepset-ai/haystack/pull/11959: nDCG 1.63 and recall 2."""
    copies = ["a", "a", "b"]
    assert measures.recall_at_k(copies, ["a"], 3) == 1.0
    assert measures.precision_at_k(copies, ["a"], 3) == 1 / 3
    assert measures.reciprocal_rank(copies, ["a"], 3) == 1.0
    assert measures.ndcg_at_k(copies, {"a": 1}, 3) == 1.0


@pytest.fixture
def files(tmp_path):
    def write(qrels, run="q1 Q0 d2 1 0.9 t\nq1 Q0 d1 2 0.8 t\nq2 Q0 d3 1 0.7 t\n"):
        for name, text in (("qrels", qrels), ("run", run)):
            (tmp_path / name).write_bytes(text.encode())
        return tmp_path / "qrels", tmp_path / "run"

    return write


TWO_QUERIES = [[1, 0.1, 0.5, pytest.approx(0.63093, abs=1e-5)], [1, 0.1, 1, 1]]


def test_19_the_same_judgement_twice(files):
    """joaopalotti/trectools/issues/52: nDCG 1.23."""
    qrels, run = files("q1 0 d1 1\nq1 0 d1 1\nq1 0 d2 1\n", "q1 Q0 d1 1 2 t\nq1 Q0 d2 2 1 t\n")
    with pytest.warns(CourseWarning, match="1 duplicate judgement with the same grade, kept once"):
        assert evaluate(read_qrels(qrels), read_run(run), FOUR).iloc[0].to_list() == [1, 0.2, 1, 1]


def test_20_two_grades_for_one_document(files):
    """joaopalotti/trectools/issues/52: the last, or the first, silently won."""
    with pytest.raises(ValueError, match=r"q1 d1 judged twice with grades 1 \(line 1\) and 0 \(line 3\)"):
        read_qrels(files("q1 0 d1 1\nq1 0 d2 0\nq1 0 d1 0\n")[0])


def test_21_a_document_twice_in_a_run_file(files):
    """castorini/anserini/issues/720: the last row silently won, and RR doubled."""
    _, run = files("q1 0 d1 1\n", "q1 Q0 d2 1 0.9 t\nq1 Q0 d1 2 0.8 t\nq1 Q0 d2 3 0.1 t\n")
    with pytest.raises(ValueError, match=r"q1 returns d2 twice \(lines 1 and 3\)"):
        read_run(run)


def test_24_the_gain_is_said():
    """castorini/anserini/issues/92: two gains, one name."""
    qrels, run = {"q": {"best": 3, "good": 2, "part": 1}}, {"q": {"part": 3, "good": 2, "best": 1}}
    table = evaluate(qrels, run, ["nDCG@10", "nDCG(exp)@10"])
    assert table.iloc[0].to_list() == pytest.approx([0.789998, 0.680606], abs=1e-6)


def test_25_the_relevance_level_does_not_touch_ndcg():
    """usnistgov/trec_eval/issues/35, AmenRa/ranx/issues/29."""
    table = evaluate({"q": {"a": 1, "b": 2, "c": 2}}, {"q": {"a": 9, "b": 8, "c": 7}}, FOUR, rel=2)
    assert table.iloc[0].to_list() == pytest.approx([1, 0.2, 0.5, 0.867087], abs=1e-6)


def test_28_scores_are_no_labels():
    """scikit-learn/scikit-learn/issues/27726: all four are relevant, so any order is ideal."""
    assert (
        evaluate({"q": dict.fromkeys("abcd", 1)}, {"q": {"a": 4, "b": 3, "c": 2, "d": 0}}, "nDCG@4").iloc[
            0, 0
        ]
        == 1
    )
    assert measures.ndcg_at_k(["d", "a", "b", "c"], dict.fromkeys("abcd", 1), 4) == 1


def test_29_without_a_cutoff_the_name_says_so():
    """usnistgov/trec_eval/issues/31."""
    _, _, qrels, run, _ = next(case for case in VALUES if case[0].startswith("29"))
    assert evaluate(qrels, run, "MRR").to_dict() == {"RR": {"q": 1 / 11}}


def test_31_faiss_fills_up_with_minus_one():
    """facebookresearch/faiss/issues/2657: a duplicate, or the last document of the corpus."""
    lowest = -3.4028235e38
    ids, scores = [[7, 3, -1, -1, -1], [-1] * 5], [[0.9, 0.4, *[lowest] * 3], [lowest] * 5]
    table = evaluate_ids({0: {3: 1}, 1: {3: 1}}, ids, ["Recall@5", "P@5", "RR@5", "nDCG@5"], scores=scores)
    assert table.loc["0"].to_list() == pytest.approx([1, 0.2, 0.5, 0.63093], abs=1e-5)
    assert table.loc["1"].to_list() == [0, 0, 0, 0]


def test_32_a_document_may_have_the_id_of_the_query():
    """beir-cellar/beir/issues/187: the hit was dropped, and a perfect run scored 0.9."""
    ten = {str(number): 1 for number in range(10)}
    with pytest.warns(CourseWarning, match="all scores are equal"):
        assert evaluate({"0": ten}, {"0": ten}, FOUR).iloc[0].to_list() == [1, 1, 1, 1]


def test_35_half_a_grade_is_refused_and_1_0_is_read(files):
    """cvangysel/pytrec_eval/issues/16: 0.5 became 0 without a word."""
    with pytest.raises(ValueError, match=r"line 1: grade 0\.5 is not a whole number \(rescale, e\.g\. x2\)"):
        read_qrels(files("q1 0 a 0.5\nq1 0 b 1.0\n")[0])
    assert read_qrels(files("q1 0 b 1.0\n")[0])["relevance"].to_list() == [1]


@pytest.mark.parametrize(
    ("qrels", "run"),
    [
        (
            "q1\t0\td1\t1\r\nq1\t0\td2\t0\r\nq2\t0\td3\t2\r\n",
            "q1  Q0  d2  1  0.9  t \r\nq1  Q0  d1  2  0.8  t \r\nq2  Q0  d3  1  0.7  t \r\n",
        ),
        (
            "query-id\tcorpus-id\tscore\nq1\td1\t1\nq1\td2\t0\nq2\td3\t2\n",
            "q1 Q0 d2 1 0.9 t\nq1 Q0 d1 2 0.8 t\nq2 Q0 d3 1 0.7 t\n",
        ),
    ],
    ids=["castorini/eval/pull/21", "castorini/pyserini/pull/1882"],
)
def test_37_40_white_space_line_ends_and_headers(files, qrels, run):
    qrels_file, run_file = files(qrels, run)
    assert evaluate(read_qrels(qrels_file), read_run(run_file), FOUR).to_numpy().tolist() == TWO_QUERIES


def test_42_the_rank_column_is_not_the_order(files):
    """usnistgov/trec_eval/issues/22: with distances as scores a run is upside down."""
    qrels, run = files(
        "q1 0 d1 1\nq1 0 d2 0\nq2 0 d3 2\n", "q1 Q0 d1 1 0.1 t\nq1 Q0 d2 2 0.9 t\nq2 Q0 d3 1 0.7 t\n"
    )
    with pytest.warns(
        CourseWarning, match=r"contradicts the scores in 1 of 2 queries \(for instance q1\); scores are"
    ):
        assert evaluate(read_qrels(qrels), read_run(run), FOUR).to_numpy().tolist() == TWO_QUERIES


def test_45_nan_is_no_score():
    """tira-io/tira/pull/603: the result hung on the order of the rows."""
    with pytest.raises(ValueError, match="^run: q: score of b is NaN; expected a finite number$"):
        evaluate({"q": {"a": 1}}, {"q": {"b": float("nan"), "a": 1.0, "c": 0.5}})


def test_46_a_malformed_line_is_named(files):
    """joaopalotti/trectools/issues/34: "not enough values to unpack"."""
    _, run = files("q1 0 d1 1\n", "q1 Q0 d1 1 0.9 t\nq1 Q0 d2 2 0.8\n")
    with pytest.raises(
        ValueError, match=r"run, line 2: 5 fields, expected 6 \(query_id Q0 doc_id rank score tag\)$"
    ):
        read_run(run)


@pytest.mark.parametrize("k", [0, -1])
def test_48_k_below_1(k):
    """Our own finding: k = 0 ended the whole process in one evaluator, and meant "all" in another."""
    with pytest.raises(ValueError, match=f"^k must be a whole number >= 1, got {k}$"):
        evaluate({"q": {"a": 1}}, {"q": {"x": 2.0, "a": 1.0}}, [f"RR@{k}"])
    with pytest.raises(ValueError, match=f"^k must be a whole number >= 1, got {k}$"):
        measures.recall_at_k(["x", "a"], ["a"], k)


@pytest.mark.parametrize(
    ("ranked", "linear", "exponential"),
    [
        ("A u u C u u B u u u", 0.823354, 0.821593),
        ("B A u u C u u u u u", 0.969923, 0.979019),
        ("A B C u u u u u u u", 1.0, 1.0),
    ],
    ids=["BM25", "dense", "hybrid"],
)
def test_49_the_published_numbers_of_the_api_key_example(ranked, linear, exponential):
    """The course's source page prints 0.78, 0.89 and 0.97: the hybrid list is in ideal order, so it must be 1."""
    names = [name if name in "ABC" else f"u{rank}" for rank, name in enumerate(ranked.split())]
    run = {"q": {name: 10.0 - rank for rank, name in enumerate(names)}}
    scores = evaluate({"q": {"A": 2, "B": 2, "C": 1}}, run, ["nDCG@10", "nDCG(exp)@10"]).iloc[0]
    assert scores.to_list() == pytest.approx([linear, exponential], abs=1e-6)
