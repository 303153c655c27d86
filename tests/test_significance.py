"""Agreement of judges, intervals, tests and power, against numbers computed by hand, published, or a library's."""

import itertools
import math

import numpy as np
import pandas as pd
import pytest
from scipy.stats import bootstrap, wilcoxon
from statsmodels.stats.descriptivestats import sign_test as library_sign_test
from statsmodels.stats.power import TTestPower
from statsmodels.stats.weightstats import DescrStatsW

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


def test_the_paired_bootstrap_is_the_library_s_on_two_samples():
    """Drawing questions and then subtracting is the same as drawing the differences."""
    rng = np.random.default_rng(3)
    a, b = rng.random(40), rng.random(40)
    drawn = bootstrap(
        (a, b),
        lambda x, y, axis=-1: x.mean(axis=axis) - y.mean(axis=axis),
        paired=True,
        method="percentile",
        batch=1000,
        rng=np.random.default_rng(0),
    )
    assert sig.compare(a, b).interval == pytest.approx(tuple(drawn.confidence_interval))


def test_half_widths_of_a_mean():
    assert [round(sig.half_width(0.3, n), 3) for n in (50, 80, 200)] == [0.085, 0.067, 0.042]
    values = np.random.default_rng(4).normal(0.1, 0.3, 50)
    low, high = DescrStatsW(values).tconfint_mean(alpha=0.1)
    assert sig.half_width(values.std(ddof=1), 50, confidence=0.9) == pytest.approx((high - low) / 2)


@pytest.mark.parametrize(
    ("wins", "losses", "p_value"), [(8, 2, 0.109), (9, 1, 0.021), (10, 2, 0.039), (15, 5, 0.041), (0, 0, 1)]
)
def test_the_sign_test_counts_and_drops_ties(wins, losses, p_value):
    found = sig.sign_test([0.3] * wins + [-0.01] * losses + [0.0] * 70)
    assert found[:3] == (wins, losses, 70)
    assert found.p_value == pytest.approx(p_value, abs=0.0005)


def test_the_sign_test_agrees_with_statsmodels():
    values = np.random.default_rng(5).normal(0.1, 1, 30)
    assert sig.sign_test(values).p_value == pytest.approx(library_sign_test(values)[1])


def test_the_randomisation_test_tries_every_sign():
    """Five questions have 32 ways to sign them; the mean is counted in each."""
    values = np.array([0.4, 0.1, -0.2, 0.3, 0.25])
    throws = [np.dot(signs, values) for signs in itertools.product((1, -1), repeat=5)]
    by_hand = np.mean([abs(throw) >= values.sum() - 1e-12 for throw in throws])
    assert sig.randomisation_test(values) == by_hand


def test_on_ranks_the_randomisation_test_is_wilcoxon_s():
    ranks = np.array([1, -2, 3, 4, -5, 6, 7, 8, 9, 10.0])
    assert sig.randomisation_test(ranks) == pytest.approx(wilcoxon(ranks, method="exact").pvalue)


def test_questions_without_a_difference_do_not_change_the_randomisation_test():
    values = [0.4, 0.1, -0.2, 0.3, 0.25]
    assert sig.randomisation_test([*values, *[0.0] * 70]) == sig.randomisation_test(values)
    assert sig.randomisation_test([0.0, 0.0, 0.0]) == 1


def test_a_single_question_that_moved_is_no_evidence():
    assert sig.randomisation_test([0.0, 1.0, 0.0]) == 1
    assert sig.randomisation_test([0.5, 0.5, 0.0], groups=["a", "a", "b"]) == 1


def test_copied_questions_prove_nothing_when_tested_by_need():
    values = [0.4, 0.1, -0.2, 0.3, 0.25, 0.2]
    needs = list("abcdef") * 2
    assert sig.randomisation_test(values * 2, groups=needs) == sig.randomisation_test(values)
    assert sig.randomisation_test(values * 2) < sig.randomisation_test(values)
    assert sig.sign_test(values * 2, groups=needs) == sig.sign_test(values)
    assert sig.sign_test(values * 2).p_value < sig.sign_test(values).p_value


def test_a_rest_of_rounding_is_a_tie():
    assert sig.sign_test([0.1 + 0.2 - 0.3, 0.5, -0.1]).ties == 1


def test_holm_by_hand():
    """Sorted, times 3, 2, 1, and never below the one before."""
    corrected = sig.holm({"b": 0.04, "a": 0.01, "c": 0.03})
    assert corrected.to_dict() == pytest.approx({"b": 0.06, "a": 0.03, "c": 0.06})
    assert sig.holm([0.5, 0.6, 0.9]).tolist() == [1, 1, 1]


def test_a_difference_of_five_hundredths_needs_this_many_questions():
    assert [sig.needed_n(0.05, sd) for sd in (0.20, 0.25, 0.30)] == [126, 197, 283]
    assert sig.needed_n(-0.05, 0.25) == 197


def test_power_and_detectable_are_the_same_relation():
    assert sig.power(0.05, 0.25, 197) == pytest.approx(0.8, abs=0.002)
    assert sig.detectable(0.25, 197) == pytest.approx(0.05, abs=0.0002)
    assert sig.needed_n(0.05, 0.25, alpha=0.05 / 15) > 197


def test_student_s_t_asks_for_two_questions_more():
    exact = TTestPower().solve_power(effect_size=0.05 / 0.25, power=0.8, alpha=0.05)
    assert sig.needed_n(0.05, 0.25) == math.ceil(exact) - 2


def test_power_is_what_a_simulation_finds():
    draws = np.random.default_rng(6).normal(0.1, 0.25, (4000, 50))
    z = draws.mean(axis=1) / (0.25 / math.sqrt(50))
    assert sig.power(0.1, 0.25, 50) == pytest.approx(np.mean(abs(z) > 1.96), abs=0.02)


def test_compare_goes_by_the_question_not_by_the_place():
    a = pd.Series({"q1": 0.9, "q2": 0.5, "q3": 0.7})
    found = sig.compare(a, pd.Series({"q3": 0.6, "q1": 0.6, "q2": 0.5}))
    assert found.mean == pytest.approx(0.4 / 3)
    assert found[:2] == (3, 3)
    assert sig.compare(a, a[::-1]).interval == (0, 0)  # the mean alone would not notice


def test_compare_takes_twins_by_the_question_too():
    a = pd.Series({"q1": 0.9, "q2": 0.5, "q1-hi": 0.7})
    needs = pd.Series({"q2": "q2", "q1-hi": "q1", "q1": "q1"})
    assert sig.compare(a, a * 0.5, groups=needs).needs == 2


def test_more_comparisons_widen_the_interval_and_raise_p():
    rng = np.random.default_rng(7)
    a, b = rng.normal(0.1, 0.3, 60), np.zeros(60)
    one, many = sig.compare(a, b), sig.compare(a, b, comparisons=15)
    assert many.interval.low < one.interval.low < one.interval.high < many.interval.high
    assert many.interval == sig.bootstrap_mean(a, confidence=1 - 0.05 / 15)
    assert many.p_value == pytest.approx(min(1, 15 * one.p_value))


def said(found, first="B", second="A"):
    return sig.claim(found, first, second, measure="nDCG@10 (linear gain)", population="staff questions")


def difference(mean, low, high, p_value, needs=50, comparisons=1):
    return sig.Difference(needs, needs, mean, sig.Interval(low, high), p_value, comparisons, 0.95)


def test_the_sentence_has_all_its_numbers():
    assert said(difference(0.12, 0.03, 0.21, 0.01)) == (
        "B has a higher mean nDCG@10 (linear gain) than A, by 0.120; "
        "the 95% interval of the paired difference is 0.030 to 0.210. "
        "Basis: 50 questions of 50 needs (staff questions), one comparison."
    )


def test_the_better_system_is_named_first():
    assert said(difference(-0.12, -0.21, -0.03, 0.01), "A", "B") == said(difference(0.12, 0.03, 0.21, 0.01))


@pytest.mark.parametrize(("low", "p_value"), [(-0.01, 0.01), (0.0, 0.01), (0.01, 0.06)])
def test_ahead_needs_both_the_interval_and_the_test(low, p_value):
    sentence = said(difference(0.05, low, 0.1, p_value))
    assert "cannot tell" in sentence
    assert "equal" not in sentence


def test_the_sentence_counts_the_comparisons_and_warns_of_few_questions():
    assert "15 comparisons, and the interval is widened" in said(
        difference(0.1, 0.02, 0.2, 0.01, comparisons=15)
    )
    assert "too narrow" in said(difference(0.1, 0.02, 0.2, 0.01, needs=12))
    assert "too narrow" not in said(difference(0.1, 0.02, 0.2, 0.01))


def test_systems_that_are_the_same_are_not_ahead():
    found = sig.compare([0.5, 0.2, 0.9], [0.5, 0.2, 0.9])
    assert (found.mean, found.interval, found.p_value) == (0, (0, 0), 1)
    assert "cannot tell" in said(found)


def test_an_interval_from_few_questions_is_too_narrow():
    """Half of the differences are 0: with 5 questions the interval holds the truth far less than 95% of the time."""
    rng = np.random.default_rng(8)
    held = dict.fromkeys((5, 34), 0)
    for n in held:
        for _ in range(400):
            drawn = rng.normal(0.1, 0.4, n) * (rng.random(n) < 0.5)
            low, high = sig.bootstrap_mean(drawn, resamples=400) if drawn.any() else (0, 0)
            held[n] += low <= 0.05 <= high
    assert held[5] / 400 < 0.82 < 0.88 < held[34] / 400


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
        (lambda: sig.half_width(0.3, 1), "n = 1"),
        (lambda: sig.half_width(-0.3, 9), "sd = -0.3"),
        (lambda: sig.sign_test([0.1, float("nan")]), "hold 1 NaN"),
        (lambda: sig.randomisation_test([0.1, 0.2], groups=["a"]), "each of 2 values, got 1"),
        (lambda: sig.holm([]), "at least one p value"),
        (lambda: sig.holm([0.1, float("nan")]), "each from 0 to 1"),
        (lambda: sig.needed_n(0, 0.25), "other than 0"),
        (lambda: sig.needed_n(0.05, 0), "sd > 0"),
        (lambda: sig.needed_n(0.05, 0.25, power=80), "power must lie between 0 and 1, got 80"),
        (lambda: sig.power(0.05, 0.25, 0), "n >= 1, got 0"),
        (lambda: sig.detectable(0.25, 50, alpha=5), "alpha must lie between 0 and 1, got 5"),
        (lambda: sig.compare([0.1], [0.1, 0.2]), "got 1 and 2"),
        (lambda: sig.compare([0.1, 0.2], [0.1, 0.2], comparisons=0), "comparisons >= 1"),
        (
            lambda: sig.compare(pd.Series({"q1": 1.0}), pd.Series({"q2": 1.0})),
            "2 questions have a score on one",
        ),
        (
            lambda: sig.compare(pd.Series([1.0, 1.0], index=["q1", "q1"]), pd.Series({"q1": 1.0})),
            "'q1' stands",
        ),
    ],
)
def test_refusals_say_what_was_found(call, message):
    with pytest.raises(ValueError, match=message):
        call()
