"""From the ranks of the relevant documents to every measure, for all queries at once."""

from collections.abc import Iterator
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from course_utils.evaluation._names import ABSENT, Measure
from course_utils.measures import gain_of

Ints = np.ndarray[Any, np.dtype[np.int64]]
SMALL = 255  # grades up to here are levels as they are; all gains of theirs are floats
Floats = np.ndarray[Any, np.dtype[np.float64]]


class Ranked(NamedTuple):
    """Judgements in an order in which the ranks of each query rise.

    So sums run from the top of a list downwards, as in `measures`, and a perfect list is exactly 1.
    """

    query: Ints
    grade: Ints
    rank: Ints

    def within(self, depth: int, rel: int = 1) -> "Ranked":
        """Keep what stands in the first ranks and has the grade.

        Examples
        --------
        >>> Ranked(np.array([0, 0]), np.array([1, 2]), np.array([1, 3])).within(3, rel=2).rank.tolist()
        [3]
        """
        kept = (self.rank <= depth) & (self.grade >= rel)
        return self if kept.all() else Ranked(self.query[kept], self.grade[kept], self.rank[kept])


class Judged:
    """Where each positively judged document stands in its list: all that a measure needs."""

    def __init__(self, n_queries: int, query: Ints, grade: Ints, rank: Ints) -> None:
        self.n_queries, self.query, self.grade = n_queries, query, grade
        there = np.flatnonzero(rank < ABSENT)
        short = np.uint16 if rank[there].max(initial=0) < 1 << 16 else np.int64  # is sorted in one pass
        there = there[np.argsort(rank[there].astype(short), kind="stable")]
        self.found = Ranked(query[there], grade[there], rank[there])
        self._relevant = dict[int, Ints]()

    def relevant(self, rel: int) -> Ints:
        """Count the documents of each query that have at least this grade."""
        if rel not in self._relevant:
            self._relevant[rel] = self.add(self.query[self.grade >= rel])
        return self._relevant[rel]

    def add(self, query: Ints, values: Floats | None = None) -> Any:
        """Add up values by query, in the given order; without values, count."""
        return np.bincount(query, values, minlength=self.n_queries)

    @cached_property
    def ideal(self) -> Ranked:
        """The same judgements in the best order: grades descending from rank 1."""
        levels, level = in_levels(self.grade)
        bits, last = len(levels).bit_length(), len(levels) - 1
        # One number holds both, and the stable sort is quick where queries stand together.
        keys = self.query << bits
        keys |= last - level
        keys.sort(kind="stable")
        query = keys >> bits
        keys &= (1 << bits) - 1
        return Ranked(query, levels[last - keys], 1 + ordinal(query))


def in_levels(grades: Ints) -> tuple[Ints, Ints]:
    """Rising levels that hold every grade, and the place of each grade in them.

    Examples
    --------
    >>> [part.tolist() for part in in_levels(np.array([2, 1, 2]))]
    [[0, 1, 2], [2, 1, 2]]
    >>> [part.tolist() for part in in_levels(np.array([9000, 1]))]
    [[1, 9000], [1, 0]]
    """
    if grades.max(initial=0) <= SMALL:
        return np.arange(grades.max(initial=0) + 1), grades
    return np.unique(grades, return_inverse=True)


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
    return judged.add(_hits(judged, measure).query), judged.relevant(measure.rel)


def _precision(judged: Judged, measure: Measure) -> tuple[Any, Any]:
    found, relevant = _recall(judged, measure)
    return found / measure.depth, relevant > 0


def _success(judged: Judged, measure: Measure) -> tuple[Any, Any]:
    found, relevant = _recall(judged, measure)
    return found > 0, relevant > 0


def _reciprocal_rank(judged: Judged, measure: Measure) -> tuple[Any, Any]:
    hits, best = _hits(judged, measure), np.zeros(judged.n_queries)
    np.maximum.at(best, hits.query, 1 / hits.rank)
    return best, judged.relevant(measure.rel) > 0


def _average_precision(judged: Judged, measure: Measure) -> tuple[Any, Any]:
    hits = _hits(judged, measure)
    order = np.argsort(hits.query, kind="stable")
    query = hits.query[order]
    return judged.add(query, (1 + ordinal(query)) / hits.rank[order]), judged.relevant(measure.rel)


def _hits(judged: Judged, measure: Measure) -> Ranked:
    return judged.found.within(measure.depth, measure.rel)


def _ndcg(judged: Judged, measure: Measure) -> tuple[Any, Any]:
    return _dcg(judged, judged.found, measure), _dcg(judged, judged.ideal, measure)


def _dcg(judged: Judged, ranked: Ranked, measure: Measure) -> Any:
    """Discounted gain of each query; gains and discounts are few, so they are looked up in tables."""
    query, grade, rank = ranked.within(measure.depth)
    levels, level = in_levels(grade)
    gains = np.array([gain_of(one, measure.gain) for one in levels.tolist()], dtype=float)
    discounts = np.log2(np.arange(1, rank.max(initial=0) + 2))
    return judged.add(query, gains[level] / discounts[rank])


PARTS = {
    "Recall": _recall,
    "Precision": _precision,
    "Success": _success,
    "RR": _reciprocal_rank,
    "AP": _average_precision,
    "nDCG": _ndcg,
}
