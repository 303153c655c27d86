"""Agreement of judges and intervals, against numbers computed by hand or published."""

import math

import numpy as np
import pytest

from course_utils import significance as sig


def judges(both, only_a, only_b, neither):
    return [1] * both + [1] * only_a + [0] * (only_b + neither), [1] * both + [0] * only_a + [1] * only_b + [
        0
    ] * neither


def test_ninety_percent_agreement_with_ten_percent_relevant_is_a_kappa_of_444():
    a, b = judges(5, 5, 5, 85)
    assert sig.raw_agreement(a, b) == 0.9
    assert sig.kappa(a, b) == pytest.approx(0.444, abs=0.0005)


def test_one_judge_at_ten_percent_allows_zero_to_615():
    """90% agreement, the first judge at 10%: the second may have called anything from 0% to 20%."""
    lowest, highest = judges(0, 10, 0, 90), judges(10, 0, 10, 80)
    assert sig.raw_agreement(*lowest) == sig.raw_agreement(*highest) == 0.9
    assert sig.kappa(*lowest) == pytest.approx(0, abs=1e-12)
    assert sig.kappa(*highest) == pytest.approx(0.615, abs=0.0005)


def test_easy_zeros_raise_kappa_and_leave_positive_agreement():
    assert sig.kappa(*judges(5, 2, 3, 10)) == pytest.approx(0.468, abs=0.0005)
    assert sig.kappa(*judges(5, 2, 3, 190)) == pytest.approx(0.654, abs=0.0005)
    for zeros in (10, 190):
        assert sig.positive_agreement(*judges(5, 2, 3, zeros)) == pytest.approx(0.667, abs=0.0005)


def test_weights_make_a_near_miss_cheaper():
    """3 x 3 table worked by hand: 4 on the diagonal, one 2/1, one 2/0."""
    a, b = [0, 0, 1, 2, 2, 2], [0, 0, 1, 2, 1, 0]
    assert sig.kappa(a, b) == pytest.approx(1 - 2 / (25 / 6))
    assert sig.kappa(a, b, weights="linear") == pytest.approx(1 - 3 / (36 / 6))
    assert sig.kappa(a, b, weights="quadratic") == pytest.approx(1 - 5 / (58 / 6))


def test_a_grade_that_nobody_gave_is_still_a_step():
    assert sig.kappa([0, 2, 0, 3], [0, 3, 0, 2], weights="linear") == pytest.approx(1 - 2 / (22 / 4))


def test_relevance_starts_where_it_is_told():
    assert sig.positive_agreement([2, 1, 0], [1, 1, 0]) == 1
    assert sig.positive_agreement([2, 2, 0], [1, 2, 0], rel=2) == pytest.approx(2 / 3)


def test_undefined_is_not_zero():
    assert math.isnan(sig.kappa([0, 0], [0, 0]))
    assert math.isnan(sig.positive_agreement([0, 0], [0, 0]))


@pytest.mark.parametrize(
    ("successes", "n", "low", "high"), [(6, 6, 0.61, 1), (15, 15, 0.80, 1), (6, 8, 0.41, 0.93)]
)
def test_wilson(successes, n, low, high):
    assert sig.wilson(successes, n) == pytest.approx((low, high), abs=0.005)


def test_wilson_of_another_confidence_is_narrower():
    assert sig.wilson(6, 8, confidence=0.5).low > sig.wilson(6, 8).low


def test_bootstrap_agrees_with_the_normal_interval_where_both_are_good():
    values = np.random.default_rng(1).normal(0.1, 0.3, 200)
    low, high = sig.bootstrap_mean(values)
    half = 1.96 * values.std(ddof=1) / math.sqrt(200)
    assert (low, high) == pytest.approx((values.mean() - half, values.mean() + half), abs=0.004)


def test_bootstrap_is_repeatable_and_depends_on_the_seed():
    values = [0.2, 0.0, 0.1, -0.1, 0.3]
    assert sig.bootstrap_mean(values) == sig.bootstrap_mean(values)
    assert sig.bootstrap_mean(values, seed=1, resamples=99) != sig.bootstrap_mean(values, resamples=99)


def test_twins_are_not_new_questions():
    """Each need asked four times: by query the interval is half as wide as it should be."""
    values = np.repeat(np.random.default_rng(2).normal(0, 0.3, 40), 4)
    wide = sig.bootstrap_mean(values, groups=list(np.repeat(np.arange(40), 4)))
    narrow = sig.bootstrap_mean(values)
    assert (wide.high - wide.low) / (narrow.high - narrow.low) == pytest.approx(2, abs=0.15)


def test_equal_values_have_an_interval_of_no_width():
    assert sig.bootstrap_mean([0.5, 0.5, 0.5]) == (0.5, 0.5)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: sig.kappa([1], [1, 0]), "graded 1 and 2 documents"),
        (lambda: sig.raw_agreement([], []), "nothing to compare"),
        (lambda: sig.kappa([0.5], [1]), "not a whole number"),
        (lambda: sig.kappa([1], [0], weights="square"), 'None, "linear" or "quadratic"'),
        (lambda: sig.wilson(7, 6), "got 7 of 6"),
        (lambda: sig.wilson(6, 6, confidence=95), "between 0 and 1, got 95"),
        (lambda: sig.bootstrap_mean([0.1, float("nan")]), "hold 1 NaN"),
        (lambda: sig.bootstrap_mean([0.1, 0.2], groups=["a"]), "each of 2 values, got 1"),
        (lambda: sig.bootstrap_mean([0.1, 0.2], groups=["a", "a"]), "at least two values or groups, got 1"),
    ],
)
def test_refusals_say_what_was_found(call, message):
    with pytest.raises(ValueError, match=message):
        call()
