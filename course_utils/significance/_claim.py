"""Two systems on the same questions: the numbers of the comparison, and the one sentence that they allow."""

from typing import NamedTuple

import numpy as np
import pandas as pd

from course_utils.i18n import text
from course_utils.significance._intervals import Groups, Interval, Values, bootstrap_mean, check_share
from course_utils.significance._tests import randomisation_test

# Below this many needs the percentile bootstrap is known to be too narrow, so the sentence says so.
FEW = 30


class Difference(NamedTuple):
    """A paired comparison: how many questions and needs, the mean difference, its interval and p value.

    Examples
    --------
    >>> Difference(50, 50, 0.1, Interval(0.02, 0.18), 0.01, 1, 0.95).mean
    0.1
    """

    n: int
    needs: int
    mean: float
    interval: Interval
    p_value: float
    comparisons: int
    confidence: float


def compare(
    first: Values,
    second: Values,
    *,
    groups: Groups = None,
    comparisons: int = 1,
    confidence: float = 0.95,
    resamples: int = 9999,
    seed: int = 0,
) -> Difference:
    """Compare two systems question by question: first minus second.

    Parameters
    ----------
    first, second
        Scores of the same questions. Series are matched by their index, anything else by position.
    groups
        The need behind each question; twins are then drawn together. A series is matched by its index.
    comparisons
        How many comparisons were looked at. The interval is widened so that all of them hold at once
        (Bonferroni), and the p value is multiplied.
    confidence, resamples, seed
        As in `bootstrap_mean`; the p value has the number of throws of `randomisation_test`.

    Returns
    -------
    Difference
        The numbers of the comparison.

    Raises
    ------
    ValueError
        Other questions on one side, undefined scores, or fewer than one comparison.

    Examples
    --------
    >>> found = compare([0.9, 0.6, 1.0, 0.7], [0.5, 0.6, 0.8, 0.8])
    >>> found.n, round(found.mean, 3), found.p_value
    (4, 0.125, 0.5)
    """
    check_share(confidence, "confidence")
    if comparisons < 1:
        raise ValueError(f"expected comparisons >= 1, the one at hand included, got {comparisons}")
    deltas = _deltas(first, second)
    if isinstance(groups, pd.Series) and isinstance(first, pd.Series):
        groups = groups.reindex(deltas.index)
    widened = 1 - (1 - confidence) / comparisons
    interval = bootstrap_mean(deltas, groups=groups, confidence=widened, resamples=resamples, seed=seed)
    p_value = randomisation_test(deltas, groups=groups, seed=seed)
    needs = len(deltas) if groups is None else len(set(groups))
    return Difference(
        len(deltas),
        needs,
        float(deltas.mean()),
        interval,
        min(1.0, p_value * comparisons),
        comparisons,
        confidence,
    )


def _deltas(first: Values, second: Values) -> pd.Series:
    """Subtract by question; a question that only one side has is an error, never a hole."""
    if isinstance(first, pd.Series) and isinstance(second, pd.Series):
        for side in (first, second):
            if side.index.has_duplicates:
                raise ValueError(f"question {side.index[side.index.duplicated()][0]!r} stands there twice")
        alone = first.index.symmetric_difference(second.index)
        if len(alone):
            raise ValueError(
                f"{len(alone)} questions have a score on one side only, such as {alone[0]!r}; "
                "evaluate both systems on the same questions"
            )
        return first - second.reindex(first.index)
    if len(first) != len(second):
        raise ValueError(f"expected the same questions on both sides, got {len(first)} and {len(second)}")
    return pd.Series(np.asarray(first, dtype=np.float64) - np.asarray(second, dtype=np.float64))


def claim(found: Difference, first: str, second: str, *, measure: str, population: str) -> str:
    """Return what the numbers of a comparison allow one to say, and no more.

    "Ahead" needs both: an interval that excludes 0, and a p value below the level.

    Parameters
    ----------
    found
        What `compare` returned for first minus second.
    first, second
        The systems' names.
    measure
        With its convention, such as "nDCG@10 (linear gain)".
    population
        What the questions stand for, such as "English handbook questions, test part".

    Returns
    -------
    str
        One sentence on the difference, one on its basis, and a warning where there are few questions.

    Examples
    --------
    >>> few = Difference(50, 50, 0.02, Interval(-0.04, 0.08), 0.5, 1, 0.95)
    >>> claim(few, "B", "A", measure="MRR", population="staff questions").split(":")[0]
    'Whether B or A has the higher mean MRR, these questions cannot tell'
    """
    if found.mean < 0:  # the better one is named first
        low, high = found.interval
        turned = found._replace(mean=-found.mean, interval=Interval(-high, -low))
        return claim(turned, second, first, measure=measure, population=population)
    sure = found.interval.low > 0 and found.p_value < 1 - found.confidence
    basis = {"n": found.n, "needs": found.needs, "population": population, "comparisons": found.comparisons}
    numbers = {"difference": _signed(found.mean), "percent": f"{100 * found.confidence:g}%"}
    numbers |= {"low": _signed(found.interval.low), "high": _signed(found.interval.high)}
    sentences = [
        text("claim.ahead" if sure else "claim.open", first=first, second=second, measure=measure, **numbers),
        text("claim.basis_one" if found.comparisons == 1 else "claim.basis_many", **basis),
    ]
    if found.needs < FEW:
        sentences.append(text("claim.few"))
    return " ".join(sentences)


def _signed(value: float) -> str:
    """Three decimals, and never a minus before a zero."""
    return f"{value:.3f}".replace("-0.000", "0.000").replace("-", "−")
