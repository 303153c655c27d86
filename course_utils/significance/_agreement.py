"""How much two judges agree: thin calls of scikit-learn, which is imported late because it is slow to load."""

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
import pandas as pd

from course_utils.schema import whole

Grades = Sequence[int] | pd.Series | np.ndarray[Any, Any]


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


def _grades(first: Grades, second: Grades) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    if len(first) != len(second):
        raise ValueError(
            f"the judges graded {len(first)} and {len(second)} documents; expected the same ones"
        )
    if not len(first):
        raise ValueError("nothing to compare: no document was graded by both")
    return whole(pd.Series(first), "first").to_numpy(), whole(pd.Series(second), "second").to_numpy()
