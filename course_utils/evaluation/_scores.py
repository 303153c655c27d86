"""From the ranks of the relevant documents to every measure, for all queries at once."""

from collections.abc import Iterator
from functools import cached_property
from typing import Any

import numpy as np

from course_utils.evaluation._names import ABSENT, Measure
from course_utils.measures import gain_of

Ints = np.ndarray[Any, np.dtype[np.int64]]
Floats = np.ndarray[Any, np.dtype[np.float64]]


class Judged:
    """Where each positively judged document stands in its list: all that a measure needs.

    One entry per judgement, kept in the order of (query, rank), so that sums run from the top of the list
    downwards, as in `measures`, and a perfect list is exactly 1.
    """

    def __init__(self, n_queries: int, query: Ints, grade: Ints, rank: Ints) -> None:
        order = np.argsort(query * (ABSENT + 1) + rank, kind="stable")
        self.n_queries, self.query, self.grade, self.rank = n_queries, query[order], grade[order], rank[order]

    def count(self, chosen: np.ndarray[Any, Any]) -> Any:
        """Count the chosen entries of each query."""
        return np.bincount(self.query[chosen], minlength=self.n_queries)

    def add(self, chosen: Ints, values: Floats) -> Any:
        """Add up one value per chosen entry, by query."""
        return np.bincount(self.query[chosen], values, minlength=self.n_queries)

    @cached_property
    def ideal(self) -> "Judged":
        """The same judgements in the best order: grades descending from rank 1."""
        order = np.lexsort((-self.grade, self.query))
        rank = 1 + ordinal(self.query)
        return Judged(self.n_queries, self.query, self.grade[order], rank)


def ordinal(groups: Ints) -> Ints:
    """Number the members of each group from 0; equal groups must stand together.

    Examples
    --------
    >>> ordinal(np.array([4, 4, 4, 7, 9, 9])).tolist()
    [0, 1, 2, 0, 0, 1]
    """
    first = np.flatnonzero(np.r_[True, groups[1:] != groups[:-1]][: len(groups)])
    return np.arange(len(groups)) - np.repeat(first, np.diff(np.r_[first, len(groups)]))


def score(judged: Judged, measures: list[Measure]) -> Iterator[Floats]:
    """Give one column per measure: a value per query, NaN where nothing is relevant.

    Examples
    --------
    >>> found = Judged(2, np.array([0, 0]), np.array([1, 1]), np.array([2, ABSENT]))
    >>> for column in score(found, [Measure("Recall", 10, 1, "linear"), Measure("RR", 10, 1, "linear")]):
    ...     print(column)
    [0.5 nan]
    [0.5 nan]
    """
    for measure in measures:
        top, bottom = PARTS[measure.kind](judged, measure)
        with np.errstate(invalid="ignore", divide="ignore"):
            yield top / np.where(bottom > 0, bottom, np.nan)


def _recall(judged: Judged, measure: Measure) -> tuple[Any, Any]:
    relevant = judged.grade >= measure.rel
    return judged.count(relevant & (judged.rank <= measure.depth)), judged.count(relevant)


def _precision(judged: Judged, measure: Measure) -> tuple[Any, Any]:
    found, relevant = _recall(judged, measure)
    return found / measure.depth, relevant > 0


def _success(judged: Judged, measure: Measure) -> tuple[Any, Any]:
    found, relevant = _recall(judged, measure)
    return found > 0, relevant > 0


def _reciprocal_rank(judged: Judged, measure: Measure) -> tuple[Any, Any]:
    relevant = judged.grade >= measure.rel
    found = np.flatnonzero(relevant & (judged.rank <= measure.depth))
    first = found[ordinal(judged.query[found]) == 0]
    return judged.add(first, 1 / judged.rank[first]), judged.count(relevant) > 0


def _average_precision(judged: Judged, measure: Measure) -> tuple[Any, Any]:
    relevant = judged.grade >= measure.rel
    found = np.flatnonzero(relevant & (judged.rank <= measure.depth))
    precision = (1 + ordinal(judged.query[found])) / judged.rank[found]
    return judged.add(found, precision), judged.count(relevant)


def _ndcg(judged: Judged, measure: Measure) -> tuple[Any, Any]:
    return _dcg(judged, measure), _dcg(judged.ideal, measure)


def _dcg(judged: Judged, measure: Measure) -> Any:
    found = np.flatnonzero(judged.rank <= measure.depth)
    grades, which = np.unique(judged.grade[found], return_inverse=True)
    gains = np.array([gain_of(grade, measure.gain) for grade in grades.tolist()], dtype=float)
    return judged.add(found, gains[which] / np.log2(judged.rank[found] + 1))


PARTS = {
    "Recall": _recall,
    "Precision": _precision,
    "Success": _success,
    "RR": _reciprocal_rank,
    "AP": _average_precision,
    "nDCG": _ndcg,
}
