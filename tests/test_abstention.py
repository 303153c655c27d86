"""Abstention: outcomes, the 2 x 3 table, rates, thresholds, separation, terminal-document nDCG.

The small set, worked by hand: q1 to q4 are answerable by d1 to d4, u1 and u2 are not.

    question  returned (score)      without a threshold
    q1        d1 .9  d7 .2          right at rank 1
    q2        d7 .8  d2 .7          right at rank 2
    q3        d7 .6                 wrong
    q4        nothing               declined
    u1        d7 .7                 wrong
    u2        d7 .5                 wrong
"""

import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy.stats import mannwhitneyu

from course_utils import abstention, load_golden_set, paths, read_run
from course_utils.evaluation import evaluate, summarize
from course_utils.golden_set import GoldenSet
from course_utils.schema import CourseWarning

QUESTIONS = pd.DataFrame(
    {
        "query_id": ["q1", "q2", "q3", "q4", "u1", "u2"],
        "text": ["a?", "b?", "c?", "d?", "e?", "f?"],
        "answerable": [True] * 4 + [False] * 2,
        "unanswerable_kind": [""] * 4 + ["expired", ""],
        "split": ["dev", "dev", "dev", "test", "dev", "test"],
    }
)
DOCUMENTS = pd.DataFrame({"doc_id": [f"d{n}" for n in range(1, 9)], "text": list("abcdefgh")})
QRELS = pd.DataFrame(
    [("q1", "d1", 2), ("q2", "d2", 1), ("q3", "d3", 2), ("q4", "d4", 2), ("q1", "d7", 0)],
    columns=["query_id", "doc_id", "relevance"],
)
GOLDEN = GoldenSet(DOCUMENTS, QUESTIONS, QRELS)
RUN = {
    "q1": {"d1": 0.9, "d7": 0.2},
    "q2": {"d7": 0.8, "d2": 0.7},
    "q3": {"d7": 0.6},
    "u1": {"d7": 0.7},
    "u2": {"d7": 0.5},
}


def told(*args, **options):
    return abstention.outcomes(*args, **options).set_index("query_id")["status"].to_dict()


def with_questions(**columns):
    return GoldenSet(DOCUMENTS, QUESTIONS.assign(**columns), QRELS)


# --- outcomes --------------------------------------------------------------------------------------

PLAIN = {"q1": "right", "q2": "right", "q3": "wrong", "q4": "declined", "u1": "wrong", "u2": "wrong"}


def test_outcomes_without_a_threshold():
    assert told(RUN, GOLDEN) == PLAIN
    assert list(abstention.outcomes(RUN, GOLDEN).columns) == ["query_id", "status"]


def test_a_threshold_declines_what_lies_below_it_and_not_what_lies_on_it():
    assert told(RUN, GOLDEN, 0.7) == PLAIN | {"q3": "declined", "u2": "declined"}
    assert set(told(RUN, GOLDEN, math.inf).values()) == {"declined"}


def test_the_list_is_kept_whole_when_the_top_score_passes():
    assert told(RUN, GOLDEN, 0.75)["q2"] == "right"


def test_right_depends_on_k_and_rel():
    assert told(RUN, GOLDEN, k=1) == PLAIN | {"q2": "wrong"}
    assert told(RUN, GOLDEN, k=2) == PLAIN
    with pytest.warns(CourseWarning, match="1 answerable question has no relevant document"):
        assert told(RUN, GOLDEN, rel=2) == PLAIN | {"q2": "wrong"}
    assert told({"q1": {"d7": 1.0}}, GOLDEN, rel=0)["q1"] == "wrong", "a grade of 0 is never relevant"


def test_equal_scores_are_ordered_by_document_id_descending():
    assert told({"q1": {"d1": 0.5, "d7": 0.5}}, GOLDEN, k=1)["q1"] == "wrong"
    assert told({"q1": {"d1": 0.5, "d0": 0.5}}, GOLDEN, k=1)["q1"] == "right"


def test_answerability_comes_from_the_questions_alone():
    judged = pd.concat([QRELS, pd.DataFrame([("u1", "d7", 2)], columns=QRELS.columns)])
    assert told(RUN, replace(GOLDEN, qrels=judged))["u1"] == "wrong"
    holes = QRELS[QRELS["query_id"] != "q1"]
    with pytest.warns(CourseWarning, match=r"for instance q1\): whatever is returned counts as wrong"):
        assert told(RUN, replace(GOLDEN, qrels=holes)) == PLAIN | {"q1": "wrong"}


def test_failed_is_never_declined():
    failed = told(RUN, GOLDEN, math.inf, failed=["q4"])
    assert failed["q4"] == "failed"
    assert told(RUN, GOLDEN, failed=pd.Series(["q4"])) == PLAIN | {"q4": "failed"}


def test_an_empty_run_declined_everything():
    empty = pd.DataFrame({"query_id": [], "doc_id": [], "score": []})
    for run in ({}, empty, {"q1": {}}):
        assert set(told(run, GOLDEN).values()) == {"declined"}


def test_right_is_what_success_says():
    found = evaluate(QRELS, RUN, ["Success@2"], queries=PLAIN)["Success@2"].dropna()
    right = pd.Series(told(RUN, GOLDEN, k=2)).eq("right")
    assert found.astype(bool).to_dict() == right[found.index].to_dict()


def test_outcomes_of_scores_with_another_signal():
    scores = abstention.scored(RUN, GOLDEN, signal={"q1": 1, "q2": 0, "q3": 5, "u1": 0, "u2": 0, "q4": 9})
    assert scores["score"].to_list() == [1, 0, 5, -math.inf, 0, 0]
    assert told(scores, GOLDEN, 1) == PLAIN | {"q2": "declined", "u1": "declined", "u2": "declined"}
    assert told(scores, GOLDEN.subset(split="test"), 1) == {"q4": "declined", "u2": "declined"}


def test_nothing_is_changed_in_place():
    run = pd.DataFrame([("q1", "d1", 0.9)], columns=["query_id", "doc_id", "score"])
    before = run.copy()
    scores = abstention.scored(run, GOLDEN)
    kept = scores.copy()
    abstention.outcomes(scores, GOLDEN, 1.0)
    abstention.sweep(scores, GOLDEN)
    pd.testing.assert_frame_equal(run, before)
    pd.testing.assert_frame_equal(scores, kept)


def test_questions_that_the_golden_set_lacks_are_ignored_with_a_warning():
    with pytest.warns(
        CourseWarning, match=r"run: 1 question is not in the golden set and is ignored .*\(.*zz\)"
    ):
        assert told(RUN | {"zz": {"d1": 1.0}}, GOLDEN) == PLAIN
    with pytest.warns(CourseWarning, match=r"failed: 2 questions are not"):
        assert told(RUN, GOLDEN, failed=["q4", "x", "y"])["q4"] == "failed"


SCORED = abstention.scored(RUN, GOLDEN)
REFUSED = {
    "no question in common: the golden set has for instance 'q1', run 'Q1'": ({"Q1": {"d1": 1.0}}, GOLDEN),
    "scores alone do not say what was returned": ({"q1": 0.9}, GOLDEN),
    "golden_set is a DataFrame; expected a GoldenSet": (RUN, QRELS),
    "the golden set has question q1 twice": (
        RUN,
        with_questions(query_id=["q1", "q1", "q3", "q4", "u1", "u2"]),
    ),
    r"2 questions do not say whether it is answerable \(for instance q1\)": (
        RUN,
        with_questions(answerable=[None, None, True, True, False, False]),
    ),
    "scores has question q1 twice": (pd.concat([SCORED, SCORED]), GOLDEN),
    "scores lacks 5 questions of the golden set": (SCORED.head(1), GOLDEN),
    "status 'ok' is unknown; expected right, wrong, declined, failed": (SCORED.assign(status="ok"), GOLDEN),
    "scores: q1 has no score": (SCORED.assign(score=math.nan), GOLDEN),
    "score of d1 is NaN": ({"q1": {"d1": math.nan}}, GOLDEN),
}


@pytest.mark.parametrize("message", REFUSED)
def test_bad_tables_are_refused(message):
    with pytest.raises(ValueError, match=message):
        abstention.outcomes(*REFUSED[message])


BAD_OPTIONS = {
    "threshold is nan; expected a number": {"threshold": math.nan},
    "threshold is '0.5'; expected a number": {"threshold": "0.5"},
    "k must be a whole number >= 1, got 0": {"k": 0},
    "grade 0.5 is not a whole number": {"rel": 0.5},
    "q1 is named in failed and has results in the run": {"failed": ["q1"]},
    r"failed is the text 'q4'; expected a list of question ids: \['q4'\]": {"failed": "q4"},
}


@pytest.mark.parametrize("message", BAD_OPTIONS)
def test_bad_options_are_refused(message):
    with pytest.raises(ValueError, match=message):
        abstention.outcomes(RUN, GOLDEN, **BAD_OPTIONS[message])


def test_options_of_scored_are_refused_where_they_come_too_late():
    with pytest.raises(ValueError, match="k, failed cannot be given with scores that are made"):
        abstention.outcomes(SCORED, GOLDEN, k=1, failed=["q4"])


def test_bare_scores_are_refused_as_a_series_too():
    with pytest.raises(ValueError, match="scores alone"):
        abstention.outcomes(pd.Series({"q1": 0.9}), GOLDEN)


BAD_SIGNALS = {
    "signal of u2 is nan; expected a number": {"q1": 1, "q2": 1, "q3": 1, "u1": 1},
    "signal of q1 is inf; expected a finite number": {"q1": math.inf, "q2": 1, "q3": 1, "u1": 1, "u2": 1},
    "signal has question q1 twice": pd.Series([1, 2], index=["q1", "q1"]),
    "signal is a list; expected a Series": [1, 2],
}


@pytest.mark.parametrize("message", BAD_SIGNALS)
def test_bad_signals_are_refused(message):
    with pytest.raises(ValueError, match=message):
        abstention.scored(RUN, GOLDEN, signal=BAD_SIGNALS[message])


# --- table and rates -------------------------------------------------------------------------------


def test_the_table_is_two_by_three_with_n():
    table = abstention.table(abstention.outcomes(RUN, GOLDEN, 0.7), GOLDEN)
    assert table.columns.to_list() == ["answered right", "answered wrong", "declined", "n"]
    assert table.loc["answerable"].to_list() == [2, 0, 2, 4]
    assert table.loc["unanswerable"].to_list() == [0, 1, 1, 2]


def test_failures_have_a_column_of_their_own_and_stay_in_n():
    found = abstention.outcomes(RUN, GOLDEN, failed=["q4"])
    assert abstention.table(found, GOLDEN).loc["answerable"].to_list() == [2, 1, 0, 1, 4]
    rates = abstention.rates(found, GOLDEN)
    assert rates.loc["over-refusal", ["rate", "n"]].to_list() == [0, 4]
    assert rates.loc["failed", ["count", "n"]].to_list() == [1, 6]


def test_a_subset_gives_its_own_table():
    found = abstention.outcomes(RUN, GOLDEN)
    assert abstention.table(found, GOLDEN.subset(split="test"))["n"].to_list() == [1, 1]


def test_rates_worked_by_hand():
    rates = abstention.rates(abstention.outcomes(RUN, GOLDEN, 0.7), GOLDEN)
    assert {name: (row["count"], row["n"]) for name, row in rates.iterrows()} == {
        "abstention rate": (1, 2),
        "over-refusal": (2, 4),
        "false answers": (1, 2),
        "answered right": (2, 4),
        "answered wrong": (0, 4),
        "right refusals": (1, 3),
        "failed": (0, 6),
    }
    assert rates["rate"].to_list() == pytest.approx([0.5, 0.5, 0.5, 0.5, 0, 1 / 3, 0])


def test_six_of_six_is_61_to_100_percent():
    questions = pd.DataFrame({"query_id": list("abcdef"), "text": "x?", "answerable": False})
    golden = GoldenSet(DOCUMENTS, questions, QRELS.head(0))
    rate = abstention.rates(abstention.outcomes({}, golden), golden).loc["abstention rate"]
    assert rate[["rate", "n"]].to_list() == [1, 6]
    assert rate[["low", "high"]].to_list() == pytest.approx([0.6097, 1], abs=5e-5)


def test_confidence_reaches_the_interval():
    found = abstention.outcomes(RUN, GOLDEN)
    wide, narrow = (abstention.rates(found, GOLDEN, confidence=c).loc["answered right"] for c in (0.99, 0.5))
    assert wide["low"] < narrow["low"] < narrow["high"] < wide["high"]


def test_a_rate_over_nothing_is_nan_and_says_n_0():
    found = abstention.outcomes(RUN, GOLDEN)
    rates = abstention.rates(found, GOLDEN.subset(answerable=True))
    assert rates.loc["abstention rate", "n"] == 0
    assert rates.loc["abstention rate", ["rate", "low", "high"]].isna().all()
    assert rates.loc["answered right", ["rate", "n"]].to_list() == [0.5, 4]


def test_by_kind_gives_each_kind_its_interval():
    kinds = abstention.by_kind(abstention.outcomes(RUN, GOLDEN, 0.6), GOLDEN)
    assert kinds.index.to_list() == ["expired", "unspecified"]
    assert kinds["rate"].to_list() == [0, 1]
    assert kinds["n"].to_list() == [1, 1]
    assert kinds.loc["unspecified", "low"] == pytest.approx(0.2065, abs=5e-5)
    assert abstention.by_kind(abstention.outcomes(RUN, GOLDEN), GOLDEN.subset(answerable=True)).empty


def test_right_refusals_fall_with_prevalence():
    assert abstention.right_refusals_at(0.15, 0.8, 0.1) == pytest.approx(0.12 / 0.205)
    assert abstention.right_refusals_at(0.02, 0.8, 0.1) == pytest.approx(0.016 / 0.114)
    assert math.isnan(abstention.right_refusals_at(0.15, 0, 0))
    assert abstention.right_refusals_at(0, 0.8, 0.1) == 0
    with pytest.raises(ValueError, match=r"prevalence is 15; expected a share from 0 to 1 \(15% is 0.15\)"):
        abstention.right_refusals_at(15, 0.8, 0.1)


def test_right_refusals_at_the_sets_own_prevalence_are_those_of_the_table():
    rates = abstention.rates(abstention.outcomes(RUN, GOLDEN, 0.7), GOLDEN)["rate"]
    at = abstention.right_refusals_at(2 / 6, rates["abstention rate"], rates["over-refusal"])
    assert at == pytest.approx(rates["right refusals"])


# --- thresholds ------------------------------------------------------------------------------------


def test_the_sweep_tries_each_score_and_declining_everything():
    table = abstention.sweep(RUN, GOLDEN)
    assert table["threshold"].to_list() == [0.5, 0.6, 0.7, 0.8, 0.9, math.inf]
    assert table["right"].to_list() == [2, 2, 2, 2, 1, 0]
    assert table["wrong"].to_list() == [1, 1, 0, 0, 0, 0]
    assert table["over_refused"].to_list() == [1, 1, 2, 2, 3, 4]
    assert table["false_answers"].to_list() == [2, 1, 1, 0, 0, 0]
    assert table["abstained"].to_list() == [0, 1, 1, 2, 2, 2]
    assert table["over_refusal"].to_list() == [0.25, 0.25, 0.5, 0.5, 0.75, 1]
    assert table["abstention_rate"].to_list() == [0, 0.5, 0.5, 1, 1, 1]


@pytest.mark.parametrize("threshold", [0.1, 0.6, 0.65, math.inf])
def test_each_row_of_a_sweep_is_the_table_at_its_threshold(threshold):
    row = abstention.sweep(RUN, GOLDEN, [threshold]).iloc[0]
    table = abstention.table(abstention.outcomes(RUN, GOLDEN, threshold), GOLDEN)
    assert (
        row[["right", "wrong", "over_refused", "n_answerable"]].to_list() == table.loc["answerable"].to_list()
    )
    assert (
        row[["false_answers", "abstained", "n_unanswerable"]].to_list()
        == (table.loc["unanswerable"].to_list()[1:])
    )


def test_what_failed_is_no_outcome_of_a_threshold():
    scores = abstention.scored(RUN, GOLDEN, failed=["q4"])
    row = abstention.sweep(scores, GOLDEN).iloc[-1]
    assert row[["right", "wrong", "over_refused", "n_answerable"]].to_list() == [0, 0, 3, 4]


def test_thresholds_are_checked():
    for bad, message in (
        ([], "empty"),
        ("0.5", "expected a list"),
        ([math.nan], "threshold is nan"),
        (1, "list"),
    ):
        with pytest.raises(ValueError, match=message):
            abstention.sweep(RUN, GOLDEN, bad)


def test_costs_worked_by_hand():
    table = abstention.sweep(RUN, GOLDEN)
    assert abstention.costs(table).to_list() == pytest.approx([4 / 6, 3 / 6, 3 / 6, 2 / 6, 3 / 6, 4 / 6])
    prices = {"cost_false_answer": 3, "cost_over_refusal": 1, "cost_wrong_answer": 2}
    assert abstention.costs(table, **prices).to_list() == pytest.approx(
        [9 / 6, 1, 5 / 6, 2 / 6, 3 / 6, 4 / 6]
    )


def test_costs_at_another_prevalence():
    """At .6: (wrong 1 + over-refused 1) / 4 of the answerable, 1 of 2 of the unanswerable."""
    cost = abstention.costs(abstention.sweep(RUN, GOLDEN), prevalence=0.1).iloc[1]
    assert cost == pytest.approx(0.9 * 2 / 4 + 0.1 * 1 / 2)


def test_the_cheapest_threshold_is_chosen_and_of_equals_the_lowest():
    table = abstention.sweep(RUN, GOLDEN)
    assert abstention.choose_threshold(table) == 0.8
    assert abstention.choose_threshold(table, cost_over_refusal=10) == 0.6
    assert abstention.choose_threshold(table, cost_wrong_answer=0, cost_false_answer=0) == 0.5
    assert abstention.choose_threshold(table, cost_over_refusal=0) == 0.8
    assert abstention.choose_threshold(table, cost_false_answer=0, cost_over_refusal=0) == 0.7
    all_wrong = abstention.sweep({q: {"d8": 1.0} for q in PLAIN}, GOLDEN)
    assert abstention.choose_threshold(all_wrong, cost_wrong_answer=2) == math.inf


def test_choosing_needs_both_kinds_and_fair_prices():
    table = abstention.sweep(RUN, GOLDEN)
    with pytest.raises(ValueError, match="needs answerable and unanswerable questions"):
        abstention.choose_threshold(abstention.sweep(SCORED, GOLDEN.subset(answerable=True)))
    with pytest.raises(ValueError, match="the cost of wrong is -1; expected a number of at least 0"):
        abstention.costs(table, cost_wrong_answer=-1)
    with pytest.raises(ValueError, match="sweep has no column right"):
        abstention.choose_threshold(table.drop(columns="right"))


# --- separation ------------------------------------------------------------------------------------


def test_risk_and_coverage_worked_by_hand():
    curve = abstention.risk_coverage(RUN, GOLDEN)
    assert curve["threshold"].to_list() == [0.9, 0.8, 0.7, 0.6, 0.5]
    assert curve["n_answered"].to_list() == [1, 2, 3, 4, 5]
    assert curve["coverage"].to_list() == pytest.approx([1 / 6, 2 / 6, 3 / 6, 4 / 6, 5 / 6])
    assert curve["risk"].to_list() == pytest.approx([0, 0, 1 / 3, 2 / 4, 3 / 5])
    assert abstention.risk_coverage({}, GOLDEN).empty


def test_auroc_counts_pairs_in_the_right_order():
    """Answerable .9 .8 .6 none; unanswerable .7 .5: (2 + 2 + 1 + 0) of 8 pairs."""
    area = abstention.auroc(RUN, GOLDEN)
    assert area["AUROC"] == 5 / 8
    assert area[["n_answerable", "n_unanswerable"]].to_list() == [4, 2]
    assert area["low"] < 5 / 8 < area["high"]


def test_a_tie_is_half_and_what_failed_is_left_out():
    flat = {query: {"d7": 0.5} for query in PLAIN}
    assert abstention.auroc(flat, GOLDEN)[["AUROC", "low", "high"]].to_list() == pytest.approx([0.5] * 3)
    area = abstention.auroc(abstention.scored(RUN, GOLDEN, failed=["q4"]), GOLDEN)
    assert area[["AUROC", "n_answerable"]].to_list() == pytest.approx([5 / 6, 3])


def test_auroc_of_one_kind_alone_is_nan_with_its_n():
    area = abstention.auroc(SCORED, GOLDEN.subset(answerable=True))
    assert area[["AUROC", "low", "high"]].isna().all()
    assert area["n_unanswerable"] == 0


def test_auroc_is_the_mann_whitney_statistic_and_has_a_fixed_interval():
    rng = np.random.default_rng(1)
    n, values = 60, rng.normal(size=90).round(1)
    values[:n] += 0.5
    questions = pd.DataFrame(
        {"query_id": [f"q{i}" for i in range(90)], "text": "x?", "answerable": [True] * n + [False] * 30}
    )
    golden = GoldenSet(
        DOCUMENTS,
        questions,
        pd.DataFrame({"query_id": questions["query_id"], "doc_id": "d1", "relevance": 1}),
    )
    run = {f"q{i}": {"d1": float(one)} for i, one in enumerate(values)}
    area = abstention.auroc(run, golden)
    expected = mannwhitneyu(values[:n], values[n:]).statistic / (n * 30)
    assert area["AUROC"] == pytest.approx(expected)
    pd.testing.assert_series_equal(area, abstention.auroc(run, golden))
    half = (area["high"] - area["low"]) / 2
    assert half == pytest.approx(1.96 * math.sqrt((expected * (1 - expected)) / 30), rel=0.4), (
        "of the right size"
    )
    with pytest.raises(ValueError, match="confidence must lie between 0 and 1, got 95"):
        abstention.auroc(run, golden, confidence=95)


# --- signals ---------------------------------------------------------------------------------------


def test_signals_worked_by_hand():
    assert abstention.top_score(RUN).to_dict() == {"q1": 0.9, "q2": 0.8, "q3": 0.6, "u1": 0.7, "u2": 0.5}
    assert abstention.margin(RUN).round(9).to_dict() == {
        "q1": 0.7,
        "q2": 0.1,
        "q3": 0.6,
        "u1": 0.7,
        "u2": 0.5,
    }
    assert abstention.margin({"q1": {"d1": 0.5, "d2": 0.5}}).to_dict() == {"q1": 0}
    other = {"q1": {"d1": 3.0, "d5": 9.0}, "q2": {"d2": 1.0, "d7": 2.0}, "q9": {"d1": 1.0}}
    assert abstention.overlap(RUN, other, k=2).to_dict() == {
        "q1": 0.5, "q2": 1, "q3": 0, "u1": 0, "u2": 0, "q9": 0
    }  # fmt: skip
    assert abstention.overlap(RUN, other, k=1).to_dict() == {
        "q1": 0, "q2": 1, "q3": 0, "u1": 0, "u2": 0, "q9": 0
    }  # fmt: skip


# --- terminal-document nDCG ------------------------------------------------------------------------


def terminal(retrieved, judgements, answerable=True, **options):
    return round(abstention.terminal_ndcg(retrieved, judgements, answerable=answerable, **options), 3)


def test_the_papers_values_where_nothing_is_relevant():
    ten = [f"d{n}" for n in range(10)]
    assert [terminal(ten[:n], {}, answerable=False) for n in (0, 3, 10)] == [1.0, 0.431, 0.279]


def test_the_papers_binary_case_worked_by_hand():
    """The ideal is cut at d + 1: after one document it is 1 + 1 / log2(3), be two or three relevant."""
    two = {"A": 1, "B": 1}
    third, fourth = 1 / math.log2(3), 0.5
    assert terminal(["A", "B"], two) == 1
    assert terminal(["A"], two) == round((1 + 0.5 * third) / (1 + third), 3)
    assert terminal(["A", "B", "x"], two) == round((1 + third + 1 / math.log2(5)) / (1 + third + fourth), 3)
    assert terminal(["x", "A"], two) == round((third + 0.5 * fourth) / (1 + third + fourth), 3)
    assert terminal(["A"], {"A": 1, "B": 1, "C": 1}) == round((1 + third / 3) / (1 + third), 3)
    assert terminal([], two) == 0


def test_stopping_after_the_last_relevant_document_is_best():
    one = {"A": 1}
    scores = [terminal(["A", *"xyz"[:junk]], one) for junk in range(4)]
    assert scores[0] == 1
    assert scores == sorted(scores, reverse=True)
    assert len(set(scores)) == 4


def test_the_graded_extension_is_ours():
    judgements = {"A": 2, "B": 2, "C": 1}
    assert terminal(["A", "B"], judgements) == 0.973
    assert terminal(["A", "B", "C", *"1234567"], judgements) == 0.964
    assert terminal(["A", "B", "C"], judgements) == 1
    third = 1 / math.log2(3)
    exponential = (3 + 3 * third + 6 / 7 / 2) / (3 + 3 * third + 1 / 2)
    assert terminal(["A", "B"], judgements, gain="exponential") == round(exponential, 3)


def test_a_second_copy_gains_nothing_and_still_takes_its_rank():
    assert terminal(["A", "A"], {"A": 1, "B": 1}) == terminal(["A", "x"], {"A": 1, "B": 1})


def test_answerability_is_stated_not_inferred():
    assert terminal(["A"], {"A": 2}, answerable=False) == round(1 / math.log2(3), 3)
    assert math.isnan(terminal(["A"], {"A": 0}))
    assert terminal([], {"A": 1}, answerable=np.bool_(False)) == 1


BAD_LISTS = {
    "answerable is 1; expected True or False": {"answerable": 1},
    "retrieved must be a list of document ids": {"retrieved": "A"},
    "judgements must be": {"judgements": ["A"]},
    "grade 0.5 is not a whole number": {"judgements": {"A": 0.5}, "answerable": False},
    'gain must be "linear" or "exponential"': {"gain": "exp", "answerable": False, "retrieved": []},
    "ids of different types": {"retrieved": [1]},
}


@pytest.mark.parametrize("message", BAD_LISTS)
def test_bad_lists_are_refused(message):
    given = {"retrieved": ["A"], "judgements": {"A": 1}, "answerable": True} | BAD_LISTS[message]
    with pytest.raises(ValueError, match=message):
        abstention.terminal_ndcg(given.pop("retrieved"), given.pop("judgements"), **given)


def test_terminal_scores_of_a_run():
    scores = abstention.terminal_scores(RUN, GOLDEN, failed=["q4"])
    third = 1 / math.log2(3)
    expected = [(1 + 0.5) / (1 + third), (third + 0.5) / (1 + third), 0, 0, third, third]
    assert scores["terminal nDCG@10"].to_list() == pytest.approx(expected)
    assert scores.index.to_list() == QUESTIONS["query_id"].to_list()
    assert summarize(scores).loc["all", "n"] == 6


def test_failed_is_not_a_right_empty_list():
    run = {query: row for query, row in RUN.items() if query != "u2"}
    assert abstention.terminal_scores(run, GOLDEN).loc["u2"].item() == 1
    assert abstention.terminal_scores(run, GOLDEN, failed=["u2"]).loc["u2"].item() == 0


def test_terminal_scores_binary_by_default_graded_on_request():
    golden = replace(
        GOLDEN,
        qrels=pd.DataFrame([("q1", d, g) for d, g in (("A", 2), ("B", 2), ("C", 1))], columns=QRELS.columns),
    )
    run = {"q1": {"A": 3.0, "B": 2.0}}
    third = 1 / math.log2(3)
    binary = abstention.terminal_scores(run, golden).loc["q1"]
    assert binary.item() == pytest.approx((1 + third + 2 / 3 / 2) / (1 + third + 1 / 2))
    graded = abstention.terminal_scores(run, golden, rel=None).loc["q1"]
    assert graded["terminal nDCG(graded)@10"] == pytest.approx(0.973, abs=5e-4)
    strict = abstention.terminal_scores(run, golden, rel=2).loc["q1"]
    assert strict.item() == 1
    assert abstention.terminal_scores(run, golden).loc["q2":"q4"].isna().all(axis=None)


def test_a_full_ten_keeps_its_terminal_document():
    run = {"u1": {f"x{n:02}": float(n) for n in range(20)}}
    scores = abstention.terminal_scores(run, GOLDEN)
    assert scores.loc["u1"].item() == pytest.approx(1 / math.log2(12))
    assert abstention.terminal_scores(run, GOLDEN, k=3).loc["u1"].item() == pytest.approx(1 / math.log2(5))


# --- the shipped systems ---------------------------------------------------------------------------


def test_auroc_of_the_shipped_systems_is_what_the_outcomes_say():
    golden = load_golden_set().subset(lang="en", showcase=False)
    text = paths.assets("golden_set", "OUTCOMES.md").read_text(encoding="utf-8")
    for name, label in (("bm25", "BM25"), ("dense", "dense")):
        run = read_run(paths.assets("runs", f"{name}.run"))
        area = abstention.auroc(run[run["query_id"].isin(golden.texts.index)], golden)
        value, low, high = (
            f"{area[one]:.{digits}f}".lstrip("0") for one, digits in (("AUROC", 3), ("low", 2), ("high", 2))
        )
        said = next(line for line in text.splitlines() if f"| {label}'s top score" in line)
        assert (
            f"{value} [{low}, {high}], n = {area['n_answerable']:.0f} and {area['n_unanswerable']:.0f}"
            in said
        )


@pytest.mark.parametrize("function", ["sweep", "risk_coverage", "auroc"])
def test_no_mean_over_the_shipped_set_is_nan(function):
    golden = load_golden_set().subset(showcase=False)
    run = read_run(paths.assets("runs", "bm25.run"))
    found = getattr(abstention, function)(run[run["query_id"].isin(golden.texts.index)], golden)
    assert found.notna().all(axis=None)


def test_only_bm25_declines_and_only_out_of_inability():
    """It returns nothing where no word is shared: for 9 Devanagari twins, 7 of which have an answer."""
    golden = load_golden_set().subset(showcase=False)
    for name in ("bm25", "dense", "hybrid", "passages", "minilm", "rrf"):
        run = read_run(paths.assets("runs", f"{name}.run"))
        found = abstention.outcomes(run[run["query_id"].isin(golden.texts.index)], golden)
        declined = abstention.table(found, golden)["declined"].to_list()
        assert declined == ([7, 2] if name == "bm25" else [0, 0])
        assert abstention.table(found, golden.subset(lang="en"))["declined"].sum() == 0
