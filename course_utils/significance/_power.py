"""How many questions a difference needs, by the normal approximation of statsmodels.

A t test asks for one or two questions more, which is nothing beside what is not known about the deviation.
"""

import math
from typing import Any

from course_utils.significance._intervals import check_share


def needed_n(difference: float, sd: float, *, power: float = 0.8, alpha: float = 0.05) -> int:
    """Return how many questions show a true difference with this probability.

    Parameters
    ----------
    difference
        The smallest true mean difference that you care about.
    sd
        Standard deviation of the per-query *differences*, for instance from dev.
    power
        How often the difference shall be found if it is there.
    alpha
        Two-sided level; divide it by the number of comparisons.

    Returns
    -------
    int
        Number of independent questions (needs, not twins).

    Raises
    ------
    ValueError
        A difference of 0, a deviation of 0, or a power or level that is not between 0 and 1.

    Examples
    --------
    >>> [needed_n(0.05, sd) for sd in (0.20, 0.25, 0.30)]
    [126, 197, 283]
    """
    found = _solve(effect_size=_effect(difference, sd), power=_share(power, "power"), alpha=alpha)
    return math.ceil(round(found, 9))


def power(difference: float, sd: float, n: int, *, alpha: float = 0.05) -> float:
    """Return how often n questions show a true difference of this size.

    Parameters
    ----------
    difference, sd, alpha
        As in `needed_n`.
    n
        Number of independent questions.

    Returns
    -------
    float
        A probability.

    Raises
    ------
    ValueError
        As in `needed_n`, or n below 1.

    Examples
    --------
    >>> round(power(0.05, 0.25, 50), 2)
    0.29
    """
    return _solve(effect_size=_effect(difference, sd), nobs1=_count(n), alpha=alpha)


def detectable(sd: float, n: int, *, power: float = 0.8, alpha: float = 0.05) -> float:
    """Return the smallest true difference that n questions show with this probability.

    Parameters
    ----------
    sd, power, alpha
        As in `needed_n`.
    n
        Number of independent questions.

    Returns
    -------
    float
        A mean difference.

    Raises
    ------
    ValueError
        n below 1, or a power or level that is not between 0 and 1.

    Examples
    --------
    >>> round(detectable(0.25, 50), 3)
    0.099
    """
    effect = _solve(nobs1=_count(n), power=_share(power, "power"), alpha=alpha)
    return sd * effect


def _solve(alpha: float, **known: Any) -> float:
    """Solve for what is missing; with the ratio 0 there is one sample, that of the differences."""
    from statsmodels.stats.power import NormalIndPower

    check_share(alpha, "alpha")
    return float(NormalIndPower(ddof=0).solve_power(alpha=alpha, ratio=0, **known))


def _effect(difference: float, sd: float) -> float:
    if not (sd > 0 and abs(difference) > 0):
        raise ValueError(f"expected a difference other than 0 and sd > 0, got {difference} and {sd}")
    return abs(difference) / sd


def _share(value: float, name: str) -> float:
    check_share(value, name)
    return value


def _count(n: int) -> int:
    if n < 1:
        raise ValueError(f"expected n >= 1, got {n}")
    return n
