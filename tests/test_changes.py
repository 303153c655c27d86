"""What lesson 11 changes in a system: which documents it may find, and a reranker behind it."""

import numpy as np
import pandas as pd
import pytest

from course_utils.golden_set import load_golden_set
from course_utils.retrievers import BM25, Features, Filtered, Reranked, region_of, systems
from course_utils.retrievers._features import codes_of

COLUMNS = ["doc_id", "title", "text", "status", "region"]
RULES = pd.DataFrame(
    [
        ("leave", "Annual leave", "leave leave leave", "current", "all"),
        ("leave-2023", "Annual leave", "leave leave leave leave", "archived", "all"),
        ("leave-pt", "Annual leave in Lisbon", "leave", "current", "pt"),
        ("leave-uk", "Annual leave in Leeds", "leave leave", "current", "uk"),
        ("hotel", "Hotels", "A hotel may cost 140 euros.", "current", "all"),
    ],
    columns=COLUMNS,
)


def found(system, questions=("leave",), k=10):
    run = system.search(list(questions), k)
    return {query: set(rows["doc_id"]) for query, rows in run.groupby("query_id")}


# Filter


def test_filter_before_the_search_keeps_the_list_full_and_after_makes_it_shorter():
    plain = list(BM25(RULES).search(["leave"], k=2)["doc_id"])
    assert "leave-2023" in plain
    before, after = (Filtered(BM25, RULES, after=after).search(["leave"], k=2) for after in (False, True))
    assert list(after["doc_id"]) == [doc for doc in plain if doc != "leave-2023"]
    assert len(before) == 2 and "leave-2023" not in set(before["doc_id"])


def test_filter_before_the_search_is_a_search_in_the_smaller_collection():
    current = RULES[RULES["status"] == "current"]
    expected = BM25(current).search(["leave", "hotel"])
    pd.testing.assert_frame_equal(Filtered(BM25, RULES).search(["leave", "hotel"]), expected)


@pytest.mark.parametrize("after", [False, True])
def test_filter_gives_each_asker_the_pages_of_the_region(after):
    system = Filtered(BM25, RULES, regions={"q1": "pt", "q2": "uk", "q3": None}, after=after)
    assert found(system, ["leave"] * 4) == {
        "q1": {"leave", "leave-pt"},
        "q2": {"leave", "leave-uk"},
        "q3": {"leave", "leave-pt", "leave-uk"},
        "q4": {"leave", "leave-pt", "leave-uk"},
    }


def test_filter_takes_a_region_from_the_text_and_can_let_archived_pages_in():
    system = Filtered(BM25, RULES, status=None, regions=region_of)
    assert found(system, ["leave in Lisbon"]) == {"q1": {"leave", "leave-2023", "leave-pt"}}


def test_filter_leaves_questions_in_their_order_and_documents_alone():
    documents = RULES.copy()
    run = Filtered(BM25, documents, regions={"q1": "uk", "q3": "uk"}).search(["leave"] * 4)
    assert list(run["query_id"].unique()) == ["q1", "q2", "q3", "q4"]
    pd.testing.assert_frame_equal(documents, RULES)


def test_filter_refuses_a_region_that_would_hide_pages_silently():
    with pytest.raises(
        ValueError, match="question q1 has the region 'Lisbon'; expected None or one of in, pt, uk"
    ):
        Filtered(BM25, RULES, regions={"q1": "Lisbon"}).search(["leave"])
    with pytest.raises(ValueError, match="documents has no column status"):
        Filtered(BM25, RULES.drop(columns="status"))


@pytest.mark.parametrize(
    "text, region",
    [
        ("shuttle from PUNE office", "in"),
        ("Which of the two US health plans", "us"),
        ("which limit applies to us?", None),
        ("from Pune to Lisbon", None),
        ("Bengaluru, India", "in"),
        ("Augustine in Leedsville", None),
    ],
)
def test_region_of_a_text(text, region):
    assert region_of(text) == region


# Reranker


class Fixed:
    """A system with one list of scores per question."""

    def __init__(self, **lists):
        self.lists = lists

    def search(self, questions, k=10):
        rows = [(query, *pair) for query in questions.index for pair in [*self.lists[query].items()][:k]]
        return pd.DataFrame(rows, columns=["query_id", "doc_id", "score"])


PAGES = pd.DataFrame({"doc_id": [*"abcd"], "title": ["t"] * 4, "text": ["x"] * 4})
TEXTS = {"q1": "?", "q2": "?", "q3": "?", "q4": "?"}
# The signal is right in q4 and wrong in the others, which are twins; d is the relevant one everywhere.
SIGNAL = Fixed(**{query: {"a": 9.0, "d": 5.0} for query in ("q1", "q2", "q3")}, q4={"d": 2.0, "a": 1.0})
RELEVANT = {query: {"d": 2, "a": 0} for query in TEXTS}


def only(*queries):
    return {query: TEXTS[query] for query in queries}


def firsts(run):
    return run.groupby("query_id")["doc_id"].first().to_dict()


def reranked(signal=SIGNAL, **options):
    return Reranked(Features(PAGES, [signal], {"signal": signal}), **options)


def test_reranker_learns_whether_a_signal_is_to_be_trusted():
    assert firsts(reranked().fit(only("q4"), RELEVANT).search(only("q1"))) == {"q1": "a"}
    assert firsts(reranked().fit(only("q2", "q3"), RELEVANT).search(only("q1"))) == {"q1": "d"}


def test_reranker_learns_from_the_given_questions_only():
    learnt = reranked().fit(only("q4"), {"q4": RELEVANT["q4"]})
    pd.testing.assert_series_equal(reranked().fit(only("q4"), RELEVANT).weights, learnt.weights)


def test_each_question_teaches_as_much_as_another():
    """One pair for the signal, three against it: it gets no weight."""
    signal = Fixed(q1={"d": 1.0, "a": 0.0}, q2={"a": 1.0, "b": 1.0, "c": 1.0, "d": 0.0})
    weights = reranked(signal).fit(only("q1", "q2"), {"q1": {"d": 1}, "q2": {"d": 1}}).weights
    assert weights["signal"] == pytest.approx(0, abs=1e-9)


def test_twins_are_in_one_fold():
    need = dict.fromkeys(["q1", "q2", "q3"], "same")
    apart = reranked().cross_validate(TEXTS, RELEVANT, folds=4)
    together = reranked().cross_validate(TEXTS, RELEVANT, groups=need, folds=2)
    assert firsts(apart)["q1"] == "d", "its twins gave the answer away"
    assert firsts(together) == {"q1": "a", "q2": "a", "q3": "a", "q4": "a"}


def test_each_fold_is_learnt_without_its_questions():
    run = reranked().cross_validate(TEXTS, RELEVANT, groups={"q1": "x", "q2": "x"}, folds=3)
    alone = reranked().fit(only("q3", "q4"), RELEVANT).search(only("q1", "q2"))
    pd.testing.assert_frame_equal(run[run["query_id"].isin(["q1", "q2"])], alone)


def test_reranker_finds_nothing_new():
    signal = Fixed(q1={"a": 3.0, "b": 2.0, "d": 1.0})
    short = Reranked(Features(PAGES, [signal], {"signal": signal}, depth=2), weights={"signal": -1})
    run = short.search(only("q1"))
    assert list(zip(run["doc_id"], run["score"], strict=True)) == [("b", 0.0), ("a", -1.0)]
    assert list(short.search(only("q1"), k=1)["doc_id"]) == ["b"]


def test_codes_are_letters_with_digits_in_any_spelling():
    assert codes_of("PW13 and pw-13; 2026, ERR, £600") == {"pw13"}
    documents = pd.DataFrame({"doc_id": ["x", "y"], "title": ["PW-13", "Pay"], "text": ["pay", "PW-14"]})
    table = Features(documents, [BM25(documents)], {}).of(["pay pw13 pw99 sick"])
    assert table.to_dict("list") == {
        "query_id": ["q1", "q1"],
        "doc_id": ["x", "y"],
        "title words": [0.0, 0.25],
        "codes": [0.5, 0.0],
    }


@pytest.mark.parametrize(
    "attempt, message",
    [
        (lambda: reranked().search(TEXTS), "has learnt nothing yet; use what fit"),
        (lambda: reranked().fit(only("q1"), {"q1": {"d": 0}}), "no question has two candidates of unlike"),
        (
            lambda: reranked(weights={"sgnal": 1}),
            "there is no feature 'sgnal'; expected some of signal, title",
        ),
        (lambda: reranked(strength=0), "strength is 0; expected a number above 0"),
        (lambda: reranked().cross_validate(TEXTS, RELEVANT, folds=5), "folds is 5; expected 2 to 4"),
    ],
)
def test_reranker_refuses(attempt, message):
    with pytest.raises(ValueError, match=message):
        attempt()


@pytest.fixture(scope="module")
def handbook():
    golden = load_golden_set()
    six = systems(golden.documents)
    signals = {name: six[name] for name in ("bm25", "dense", "minilm", "passages")}
    return golden, Features(golden.documents, [six["bm25"], six["dense"]], signals)


def test_every_candidate_in_the_handbook_is_judged(handbook):
    golden, features = handbook
    table = features.of(golden.texts)
    judged = set(zip(golden.qrels["query_id"], golden.qrels["doc_id"], strict=True))
    assert set(zip(table["query_id"], table["doc_id"], strict=True)) <= judged
    assert table[features.names].stack().between(0, 1).all()


def test_weights_stand_where_the_loss_is_least_to_more_digits_than_a_run_holds(handbook):
    """At the least loss each weight is the pull of the pairs: their mean by question, summed over questions."""
    golden, features = handbook
    dev = golden.subset(split="dev", lang="en", showcase=False, answerable=True)
    weights = Reranked(features).fit(dev.texts, dev.qrels).weights.to_numpy()
    pull = 0
    for query, rows in features.of(dev.texts).groupby("query_id"):
        grades, values = rows["doc_id"].map(dev.grades(query)), rows[features.names].to_numpy()
        better = [
            values[i] - values[j] for i, one in enumerate(grades) for j, two in enumerate(grades) if one > two
        ]
        pull += np.mean([pair / (1 + np.exp(weights @ pair)) for pair in better], axis=0) if better else 0
    assert weights == pytest.approx(pull, abs=1e-9)


def test_reranker_ranks_by_scores_as_a_run_file_holds_them(handbook):
    golden, features = handbook
    run = Reranked(features, weights={"bm25": 1, "minilm": 1 / 3}).search(golden.texts[:20])
    assert list(run["score"]) == [round(score, 6) for score in run["score"]]
    order = run.sort_values(["query_id", "score", "doc_id"], ascending=[True, False, False], kind="stable")
    assert list(run["doc_id"]) == list(order["doc_id"])
