"""Tests of a paired difference: random signs, counted wins, and the correction for several comparisons."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from course_utils.significance._intervals import Floats, Groups, Values, by_need


class SignTest(NamedTuple):
    """What the sign test counted, and its two-sided p value.

    Examples
    --------
    >>> SignTest(8, 2, 70, 0.109).wins
    8
    """

    wins: int
    losses: int
    ties: int
    p_value: float


def randomisation_test(
    differences: Values, *, groups: Groups = None, resamples: int = 99_999, seed: int = 0
) -> float:
    """Return the two-sided p value of a mean difference when each sign was a coin's work.

    Parameters
    ----------
    differences
        One number per query, one system minus the other.
    groups
        The need behind each query. With groups, all twins of a need keep or change their sign together.
    resamples
        How often all coins are thrown; every possible throw is tried if there are no more than this. Ten times
        as many as for an interval, since p is compared with a limit and multiplied by Holm. A p of .05 still
        moves by some .002 from seed to seed.
    seed
        The same seed gives the same p.

    Returns
    -------
    float
        The p value; 1 if no query differs, or a single one: its sign alone can be no surprise.

    Raises
    ------
    ValueError
        Fewer than two values or groups, NaN among the values, or a group missing.

    Examples
    --------
    >>> randomisation_test([0.1, 0.2, 0.3, 0.4, 0.5])
    0.0625
    """
    from scipy.stats import permutation_test

    sums = _by_need(differences, groups)
    moved = sums[sums != 0]  # a zero has no sign to change
    if len(moved) < 2:
        return 1.0
    # The sum in place of the mean: the number of queries is the same in every throw.
    tried = permutation_test(
        (moved,),
        _sum,
        permutation_type="samples",
        n_resamples=resamples,
        batch=1000,
        vectorized=True,
        rng=np.random.default_rng(seed),
    )
    return float(tried.pvalue)


def _by_need(differences: Values, groups: Groups) -> Floats:
    """Sum over the twins of a need; a rest of rounding is a tie, not a win."""
    return np.round(by_need(np.asarray(differences, dtype=np.float64), groups)[0], 12)


def _sum(values: Floats, axis: int = -1) -> Any:
    return values.sum(axis=axis)


def sign_test(differences: Values, *, groups: Groups = None) -> SignTest:
    """Count wins and losses, drop the ties, and return how often a fair coin is that uneven.

    Parameters
    ----------
    differences
        One number per query, one system minus the other.
    groups
        The need behind each query. With groups, a need wins or loses once, by the sum over its twins.

    Returns
    -------
    SignTest
        Wins, losses, ties and the two-sided p value; p is 1 if there are only ties.

    Raises
    ------
    ValueError
        Fewer than two values or groups, NaN among the values, or a group missing.

    Examples
    --------
    >>> sign_test([0.5, 0.1, 0.0, -0.2])
    SignTest(wins=2, losses=1, ties=1, p_value=1.0)
    """
    from scipy.stats import binomtest

    sums = _by_need(differences, groups)
    wins, losses = int((sums > 0).sum()), int((sums < 0).sum())
    p_value = float(binomtest(wins, wins + losses).pvalue) if wins + losses else 1.0
    return SignTest(wins, losses, len(sums) - wins - losses, p_value)


def holm(p_values: Sequence[float] | Mapping[Any, float] | pd.Series) -> pd.Series:
    """Return p values corrected for their number (Holm): the smallest is multiplied most.

    Parameters
    ----------
    p_values
        The p value of every comparison that was looked at, also of those that came out badly.

    Returns
    -------
    pandas.Series
        Corrected values in the order given; a mapping's keys become the index.

    Raises
    ------
    ValueError
        No value, or one that is not between 0 and 1.

    Examples
    --------
    >>> holm({"a": 0.01, "b": 0.04, "c": 0.03}).round(2).tolist()
    [0.03, 0.06, 0.06]
    """
    from statsmodels.stats.multitest import multipletests

    given = pd.Series(p_values, dtype="float64")
    if given.empty or not given.between(0, 1).all():
        raise ValueError(f"expected at least one p value, each from 0 to 1, got {given.tolist()}")
    return pd.Series(multipletests(given.to_numpy(), method="holm")[1], index=given.index)
