"""How much two judges agree, and how far a rate or a mean can be trusted.

Thin calls of scikit-learn, statsmodels and scipy, which are imported late because they are slow to load. What
this module adds is the refusal of what they would answer wrongly: unequal lengths, holes, nothing to count.
An agreement that has no value (nothing relevant, one grade only) is NaN, as everywhere in the course.
"""

from collections.abc import Callable, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
import pandas as pd

from course_utils.schema import whole

Floats = np.ndarray[Any, np.dtype[np.float64]]
Grades = Sequence[int] | pd.Series | np.ndarray[Any, Any]
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


def raw_agreement(first: Grades, second: Grades) -> float:
    """Return the share of documents to which both judges gave the same grade.

    Examples
    --------
    >>> raw_agreement([2, 1, 0, 0], [2, 0, 0, 0])
    0.75
    """
    a, b = _grades(first, second)
    return float(np.mean(a == b))


def positive_agreement(first: Grades, second: Grades, rel: int = 1) -> float:
    """Return agreement on the relevant documents alone: 2 x both / (first's + second's).

    Easy zeros do not change it, which is why it stands beside kappa.

    Parameters
    ----------
    first, second
        Grades of the same documents in the same order.
    rel
        Lowest grade that counts as relevant.

    Returns
    -------
    float
        0 to 1; NaN if neither judge found anything relevant.

    Examples
    --------
    >>> positive_agreement([1, 1, 0, 0], [1, 0, 1, 0])
    0.5
    """
    from sklearn.metrics import f1_score

    a, b = _grades(first, second)
    return float(f1_score(a >= rel, b >= rel, zero_division=np.nan))


def kappa(first: Grades, second: Grades, weights: Literal["linear", "quadratic"] | None = None) -> float:
    """Return Cohen's kappa: agreement beyond what the judges' own base rates give by chance.

    Parameters
    ----------
    first, second
        Grades of the same documents in the same order.
    weights
        None: any difference counts alike. "linear": 0 against 2 counts twice as much as 0 against 1.
        "quadratic": four times as much.

    Returns
    -------
    float
        1 for full agreement, 0 for chance; NaN if both gave one and the same grade throughout.

    Examples
    --------
    >>> kappa([1, 1, 0, 0], [1, 0, 0, 0])
    0.5
    >>> round(kappa([0, 2, 0, 2], [0, 1, 2, 2], weights="linear"), 3)
    0.25
    """
    from sklearn.metrics import cohen_kappa_score

    a, b = _grades(first, second)
    if weights not in (None, "linear", "quadratic"):
        raise ValueError(f'weights must be None, "linear" or "quadratic", got {weights!r}')
    if min(a.min(), b.min()) == max(a.max(), b.max()):
        return float("nan")
    # Every grade between the lowest and the highest: a grade that nobody gave still is a step apart.
    scale = list(range(int(min(a.min(), b.min())), int(max(a.max(), b.max())) + 1))
    return float(cohen_kappa_score(a, b, labels=scale, weights=weights))


def wilson(successes: int, n: int, confidence: float = 0.95) -> Interval:
    """Return Wilson's interval of a proportion, which is honest for few cases too.

    Examples
    --------
    >>> low, high = wilson(6, 6)
    >>> print(f"{low:.2f} to {high:.2f}")
    0.61 to 1.00
    """
    from statsmodels.stats.proportion import proportion_confint

    _check_confidence(confidence)
    if n < 1 or not 0 <= successes <= n:
        raise ValueError(f"expected 0 <= successes <= n and n >= 1, got {successes} of {n}")
    low, high = proportion_confint(successes, n, alpha=1 - confidence, method="wilson")
    return Interval(float(low), float(high))


def bootstrap_mean(
    values: Sequence[float] | pd.Series | Floats,
    *,
    groups: Sequence[Any] | pd.Series | None = None,
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
    _check_confidence(confidence)
    numbers = np.asarray(values, dtype=np.float64)
    sums, counts = _sums(numbers, groups)
    if np.ptp(numbers) == 0:
        return Interval(float(numbers[0]), float(numbers[0]))
    low, high = _bootstrap(
        (sums, counts), _ratio, confidence_level=confidence, n_resamples=resamples, method=method, seed=seed
    )
    return Interval(low, high)


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


def _sums(numbers: Floats, groups: Sequence[Any] | pd.Series | None) -> tuple[Floats, Floats]:
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


def _grades(first: Grades, second: Grades) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    if len(first) != len(second):
        raise ValueError(
            f"the judges graded {len(first)} and {len(second)} documents; expected the same ones"
        )
    if not len(first):
        raise ValueError("nothing to compare: no document was graded by both")
    return whole(pd.Series(first), "first").to_numpy(), whole(pd.Series(second), "second").to_numpy()


def _check_confidence(confidence: float) -> None:
    if not 0 < confidence < 1:
        raise ValueError(f"confidence must lie between 0 and 1, got {confidence}")
