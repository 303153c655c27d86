"""How far a rate or a mean can be trusted: Wilson, bootstrap by need, Student's half-width."""

from collections.abc import Callable, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
import pandas as pd

Floats = np.ndarray[Any, np.dtype[np.float64]]
Values = Sequence[float] | pd.Series | Floats
Groups = Sequence[Any] | pd.Series | None
Method = Literal["percentile", "basic", "BCa"]


class Interval(NamedTuple):
    """The two ends of an interval.

    Examples
    --------
    >>> Interval(0.1, 0.3).low
    0.1
    """

    low: float
    high: float


def wilson(successes: int, n: int, confidence: float = 0.95) -> Interval:
    """Return Wilson's interval of a proportion, which is honest for few cases too.

    Examples
    --------
    >>> low, high = wilson(6, 6)
    >>> print(f"{low:.2f} to {high:.2f}")
    0.61 to 1.00
    """
    from statsmodels.stats.proportion import proportion_confint

    check_share(confidence, "confidence")
    if n < 1 or not 0 <= successes <= n:
        raise ValueError(f"expected 0 <= successes <= n and n >= 1, got {successes} of {n}")
    low, high = proportion_confint(successes, n, alpha=1 - confidence, method="wilson")
    return Interval(float(low), float(high))


def bootstrap_mean(
    values: Values,
    *,
    groups: Groups = None,
    confidence: float = 0.95,
    resamples: int = 9999,
    method: Method = "percentile",
    seed: int = 0,
) -> Interval:
    """Return a bootstrap interval of a mean; pass per-query *differences* for a paired comparison.

    Parameters
    ----------
    values
        One number per query, for instance nDCG@10 of one system minus that of another.
    groups
        The need behind each query. Twins are not new questions: with groups, needs are drawn, not queries.
    confidence, resamples, method, seed
        As in `scipy.stats.bootstrap`; the same seed gives the same interval.

    Returns
    -------
    Interval
        Both ends are the value itself if all values are equal.

    Raises
    ------
    ValueError
        Fewer than two values or groups, NaN among the values, or a group missing.

    Examples
    --------
    >>> low, high = bootstrap_mean([0.2, 0.0, 0.1, -0.1, 0.3, 0.0, 0.0, 0.4])
    >>> print(f"{low:.2f} to {high:.2f}")
    0.00 to 0.23
    """
    check_share(confidence, "confidence")
    numbers = np.asarray(values, dtype=np.float64)
    sums, counts = by_need(numbers, groups)
    if np.ptp(numbers) == 0:
        return Interval(float(numbers[0]), float(numbers[0]))
    low, high = _bootstrap(
        (sums, counts), _ratio, confidence_level=confidence, n_resamples=resamples, method=method, seed=seed
    )
    return Interval(low, high)


def half_width(sd: float, n: int, confidence: float = 0.95) -> float:
    """Return how far the interval of a mean reaches to each side (Student's t).

    Parameters
    ----------
    sd
        Standard deviation of the values; of the *differences* for a paired comparison.
    n
        How many values.
    confidence
        As everywhere, 0.95 unless told.

    Returns
    -------
    float
        Half the width of the interval.

    Raises
    ------
    ValueError
        Fewer than two values, or a negative standard deviation.

    Examples
    --------
    >>> round(half_width(0.3, 50), 3), round(half_width(0.3, 200), 3)
    (0.085, 0.042)
    """
    from scipy.stats import t

    check_share(confidence, "confidence")
    if n < 2 or not sd >= 0:
        raise ValueError(f"expected n >= 2 and a standard deviation >= 0, got n = {n} and sd = {sd}")
    return float(t.ppf((1 + confidence) / 2, n - 1) * sd / n**0.5)


def _bootstrap(
    data: tuple[Floats, Floats], statistic: Callable[..., Any], seed: int, **options: Any
) -> tuple[float, float]:
    from scipy.stats import bootstrap

    # Small batches: 9,999 resamples of 200 values at once would take 16 MB per array, for no gain.
    drawn = bootstrap(data, statistic, paired=True, batch=1000, rng=np.random.default_rng(seed), **options)
    return float(drawn.confidence_interval.low), float(drawn.confidence_interval.high)


def _ratio(sums: Floats, counts: Floats, axis: int = -1) -> Any:
    """Mean over queries when whole groups were drawn: groups differ in size."""
    return sums.sum(axis=axis) / counts.sum(axis=axis)


def by_need(numbers: Floats, groups: Groups) -> tuple[Floats, Floats]:
    """Sum and number of the values of each group; without groups each value is one."""
    if np.isnan(numbers).any():
        raise ValueError(
            f"values hold {int(np.isnan(numbers).sum())} NaN; leave undefined queries out, and say n"
        )
    named = pd.Series(np.arange(len(numbers)) if groups is None else list(groups))
    if len(named) != len(numbers) or named.isna().any():
        raise ValueError(f"expected a group for each of {len(numbers)} values, got {named.notna().sum()}")
    found = pd.Series(numbers).groupby(named, sort=False).agg(["sum", "size"])
    if len(found) < 2:
        raise ValueError(f"an interval needs at least two values or groups, got {len(found)}")
    return found["sum"].to_numpy(np.float64), found["size"].to_numpy(np.float64)


def check_share(value: float, name: str) -> None:
    """Refuse a confidence, a level or a power that is not between 0 and 1."""
    if not 0 < value < 1:
        raise ValueError(f"{name} must lie between 0 and 1, got {value}")
