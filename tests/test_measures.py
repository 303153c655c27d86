"""One list at a time: hand-checked values, properties, refusals."""

from math import isnan, log2

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from course_utils import measures as m

bounded = settings(max_examples=150, deadline=None, database=None, derandomize=True)
ids = st.sampled_from([f"d{number}" for number in range(12)])
lists = st.lists(ids, max_size=15)
unique_lists = st.lists(ids, max_size=12, unique=True)
judgements = st.dictionaries(ids, st.integers(-1, 3), max_size=8)
cutoffs = st.integers(1, 20)
binary = [m.recall_at_k, m.precision_at_k, m.success_at_k, m.reciprocal_rank, m.average_precision]


@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        (m.recall_at_k, 2 / 3),
        (m.precision_at_k, 2 / 4),
        (m.success_at_k, 1.0),
        (m.reciprocal_rank, 1 / 2),
        (m.average_precision, (1 / 2 + 2 / 4) / 3),
    ],
)
def test_values_worked_out_by_hand(measure, expected):
    assert measure(["x", "a", "y", "b", "c"], {"a", "b", "c"}, 4) == pytest.approx(expected)


def test_dcg_worked_out_by_hand():
    assert m.dcg([3, 0, 1]) == 3 / log2(2) + 1 / log2(4)
    assert m.dcg([3, 0, 1], gain="exponential") == 7 / log2(2) + 1 / log2(4)
    assert m.dcg([3, 2, 1], k=1) == 3
    assert m.dcg([-2, 0, -1]) == 0


def test_ideal_is_made_of_all_judged_documents():
    assert m.ndcg_at_k(["a", "x"], {"a": 1, "b": 1, "c": 1}, 10) == pytest.approx(0.469279, abs=1e-6)


def test_ideal_is_cut_at_k():
    assert m.ndcg_at_k(["a", "b"], dict.fromkeys("abcdef", 1), 2) == 1.0


def test_without_a_cutoff_the_whole_list_is_read():
    found_late = [f"x{number}" for number in range(10)] + ["a"]
    assert m.reciprocal_rank(found_late, ["a"]) == 1 / 11
    assert m.reciprocal_rank(found_late, ["a"], 10) == 0.0


def test_a_second_copy_gains_nothing_and_keeps_its_rank():
    retrieved = ["a", "a", "b"]
    assert m.recall_at_k(retrieved, ["a"], 3) == 1.0
    assert m.precision_at_k(retrieved, ["a"], 3) == 1 / 3
    assert m.average_precision(retrieved, ["a", "b"]) == (1 + 2 / 3) / 2
    assert m.ndcg_at_k(retrieved, {"a": 1}, 3) == 1.0
    assert m.ndcg_at_k(["a", "a", "b"], {"a": 1, "b": 1}, 3) == (1 + 1 / 2) / (1 + 1 / log2(3))


def test_relevant_is_a_set():
    assert m.recall_at_k(["a"], ["a", "a"], 1) == 1.0


@pytest.mark.parametrize("measure", binary)
def test_nothing_relevant_is_undefined_not_zero(measure):
    assert isnan(measure(["a"], [], 5))
    assert isnan(measure([], [], 5))
    assert measure([], ["a"], 5) == 0.0


def test_ndcg_without_a_positive_grade_is_undefined():
    assert isnan(m.ndcg_at_k(["a"], {"a": 0, "b": -1}, 5))
    assert isnan(m.ndcg_at_k(["a"], {}, 5))


@pytest.mark.parametrize("measure", binary)
def test_any_collection_of_ids_is_read(measure):
    expected = measure(["x", "a"], ["a", "b"], 2)
    for make in (tuple, iter, np.array, lambda ids: dict.fromkeys(ids).keys()):
        assert measure(make(["x", "a"]), make(["a", "b"]), 2) == expected
    assert measure(iter([7, 3]), np.array([3, 4]), 2) == expected


@pytest.mark.parametrize("measure", binary)
@pytest.mark.parametrize("k", [0, -1, 2.5, 10.0, True, "10", np.nan])
def test_k_must_be_a_whole_number(measure, k):
    with pytest.raises(ValueError, match="^k must be a whole number >= 1, got "):
        measure(["a"], ["a"], k)


def test_k_is_refused_word_for_word():
    with pytest.raises(ValueError) as error:
        m.recall_at_k(["a"], [], 0)
    assert str(error.value) == "k must be a whole number >= 1, got 0"


@pytest.mark.parametrize(
    ("retrieved", "relevant", "message"),
    [
        ("d1", ["d1"], "retrieved must be a list of document ids, got str 'd1'; a single id goes in a list"),
        (["d1"], "d10", "relevant must be a list of document ids, got str 'd10'; a single id goes in a list"),
        (["d1"], {"d1": 0}, "relevant must be a list of document ids, got dict"),
        (["d1"], None, "relevant must be a list of document ids, got NoneType"),
        ({"d1"}, ["d1"], "retrieved is a set, which has no order"),
        ([["d1"]], ["d1"], "retrieved must hold document ids, found list"),
        ([1, 2], ["1"], "retrieved holds 1 but relevant holds '1': ids of different types never match"),
    ],
)
def test_what_is_no_list_of_ids_is_refused(retrieved, relevant, message):
    for measure in binary:
        with pytest.raises(ValueError) as error:
            measure(retrieved, relevant, 3)
        assert message in str(error.value)


@pytest.mark.parametrize(
    ("grade", "message"),
    [
        (0.5, "grade 0.5 is not a whole number (rescale, e.g. x2)"),
        (float("nan"), "grade nan is not a whole number"),
        (True, "grade True is not a number; expected a whole number such as 0, 1 or 2"),
        ("1", "grade '1' is not a number; expected a whole number such as 0, 1 or 2"),
    ],
)
def test_a_grade_must_be_whole(grade, message):
    for call in (lambda: m.dcg([grade]), lambda: m.ndcg_at_k(["x"], {"a": grade}, 3)):
        with pytest.raises(ValueError) as error:
            call()
        assert str(error.value) == message


def test_whole_floats_and_numpy_grades_are_read():
    assert m.dcg([2.0, np.int64(1), np.float32(1)]) == m.dcg([2, 1, 1])


def test_unknown_gain_and_too_large_grade_are_refused():
    with pytest.raises(ValueError, match='^gain must be "linear" or "exponential", got \'exp\'$'):
        m.dcg([1], gain="exp")
    with pytest.raises(ValueError, match='^grade 600 is too large for gain="exponential"'):
        m.dcg([600], gain="exponential")
    assert m.dcg([600]) == 600


def test_judgements_must_be_a_mapping():
    with pytest.raises(ValueError, match="^judgements must be {document id: grade}, got list$"):
        m.ndcg_at_k(["a"], ["a"], 3)


@bounded
@given(lists, judgements, cutoffs)
def test_values_lie_between_0_and_1(retrieved, graded, k):
    relevant = {document for document, grade in graded.items() if grade > 0}
    scores = [measure(retrieved, relevant, k) for measure in binary]
    scores += [m.ndcg_at_k(retrieved, graded, k, gain) for gain in ("linear", "exponential")]
    assert all(isnan(score) == (not relevant) for score in scores)
    assert all(0 <= score <= 1 + 1e-12 for score in scores if relevant)


@bounded
@given(judgements, cutoffs)
def test_the_best_order_scores_exactly_1(graded, k):
    best = sorted(graded, key=lambda document: -graded[document])
    if max(graded.values(), default=0) > 0:
        assert m.ndcg_at_k(best, graded, k) == m.ndcg_at_k(best, graded, k, "exponential") == 1.0


@bounded
@given(unique_lists, judgements, cutoffs, st.data())
def test_moving_a_better_document_up_never_hurts(retrieved, graded, k, data):
    if len(retrieved) < 2:
        return
    low = data.draw(st.integers(1, len(retrieved) - 1))
    swapped = retrieved.copy()
    swapped[low - 1], swapped[low] = swapped[low], swapped[low - 1]
    if graded.get(retrieved[low], 0) >= graded.get(retrieved[low - 1], 0):
        before, after = (m.ndcg_at_k(one, graded, k) for one in (retrieved, swapped))
        assert isnan(before) or after >= before - 1e-12


@bounded
@given(lists, judgements, cutoffs)
def test_identities_between_measures(retrieved, graded, k):
    relevant = {document for document, grade in graded.items() if grade > 0}
    if relevant:
        recall, precision = m.recall_at_k(retrieved, relevant, k), m.precision_at_k(retrieved, relevant, k)
        assert recall * len(relevant) == pytest.approx(precision * k)
        assert m.success_at_k(retrieved, relevant, k) == (recall > 0)
        assert m.reciprocal_rank(retrieved, relevant, 1) == m.precision_at_k(retrieved, relevant, 1)
        assert recall <= m.recall_at_k(retrieved, relevant, k + 1)


@bounded
@given(lists, judgements, cutoffs)
def test_inputs_are_not_changed(retrieved, graded, k):
    before = (list(retrieved), dict(graded))
    m.ndcg_at_k(retrieved, graded, k)
    m.average_precision(retrieved, graded.keys(), k)
    assert (retrieved, graded) == before
