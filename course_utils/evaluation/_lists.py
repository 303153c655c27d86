"""Ranked lists of a run, as flat arrays: where a document stands, and where scores do not decide."""

from collections.abc import Callable, Iterable
from itertools import chain, pairwise
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from course_utils.evaluation._names import ABSENT
from course_utils.evaluation._scores import Floats, Ints
from course_utils.evaluation._truth import Truth
from course_utils.schema import plural, warn

SCORES = 1 << 15  # scores compared in one go: they stay in the processor's cache
Mask = np.ndarray[Any, np.dtype[np.bool_]]


class Lists:
    """The lists of a run, one after the other, in whatever order they were given; nothing is sorted.

    `starts[i]:starts[i + 1]` are the places of the list of `queries[i]`, and `documents(i)` its ids; they are
    asked for only where scores tie. A rank is one more than the number of better scores.
    """

    def __init__(
        self, queries: pd.Index, lengths: Ints, scores: Floats, documents: Callable[[int], Any]
    ) -> None:
        self.queries, self._documents = queries, documents
        self.starts = np.r_[0, np.cumsum(lengths)].astype(np.int64)
        self.scores = scores
        rises = scores[1:] > scores[:-1]
        rises[self.starts[(self.starts > 0) & (self.starts < len(scores))] - 1] = False  # another list begins
        self._rises = bool(rises.any())

    def ranks(self, which: Ints, documents: Any, scores: Floats) -> tuple[Ints, Ints, Ints]:
        """Rank of each document in list `which`; also the first and last rank that its score allows.

        Equal scores are ordered by document id, descending as text. A NaN score means not retrieved.
        """
        there = np.flatnonzero(~np.isnan(scores))
        rank, last = (np.full(len(which), ABSENT, dtype=np.int64) for _ in range(2))
        rank[there] = 1 + self._count(which[there], scores[there], np.greater)
        first = rank.copy()
        last[there] = self._count(which[there], scores[there], np.greater_equal)
        for one in np.flatnonzero(last > rank):
            tied = self.scores[slice(*self.starts[which[one] : which[one] + 2])] == scores[one]
            rank[one] += np.sum(self._documents(which[one])[tied] > documents[one])
        return rank, first, last

    def all_equal(self) -> Mask:
        """Mark the lists of two or more documents that all have one score."""
        long = np.flatnonzero(np.diff(self.starts) > 1)
        start, end = self.starts[long], self.starts[long + 1]
        long = long[self.scores[start] == self.scores[end - 1]]
        if self._rises:
            same = self._compare(long, self.scores[self.starts[long]], np.equal)
            long = long[same == np.diff(self.starts)[long]]
        flat = np.zeros(len(self.queries), dtype=bool)
        flat[long] = True
        return flat

    def _count(self, which: Ints, scores: Floats, above: Any) -> Any:
        return (self._compare if self._rises else self._bisect)(which, scores, above)

    def _bisect(self, which: Ints, scores: Floats, above: Any) -> Any:
        """Count the scores of each list that lie above the given one, where all lists fall: by bisection."""
        low, high = self.starts[which], self.starts[which + 1]
        while np.any(low < high):
            middle = (low + high) // 2
            up = (low < high) & above(self.scores[np.minimum(middle, len(self.scores) - 1)], scores)
            low, high = np.where(up, middle + 1, low), np.where(up, high, np.minimum(middle, high))
        return low - self.starts[which]

    def _compare(self, which: Ints, scores: Floats, above: Any) -> Any:
        """Do the same in lists of any order: each score is looked at, which is quicker than to sort them."""
        count = np.zeros(len(which), dtype=np.int64)
        lengths = np.diff(self.starts)[which]  # none is 0, as the given score is in it
        ends = np.cumsum(lengths)
        cuts = np.searchsorted(ends, np.arange(0, lengths.sum(), SCORES))
        for low, high in pairwise(np.unique(np.r_[cuts, len(which)]).tolist()):
            some = slice(low, high)
            first = ends[some] - lengths[some] - (ends[low] - lengths[low])
            places = np.arange(lengths[some].sum()) + np.repeat(
                self.starts[which[some]] - first, lengths[some]
            )
            better = above(self.scores[places], np.repeat(scores[some], lengths[some]))
            count[some] = np.add.reduceat(better, first, dtype=np.int64)
        return count


class Part(NamedTuple):
    """Lists with what was looked up in them: judgement `entry` has this score in list `which` (NaN: not there)."""

    lists: Lists
    entry: Ints
    which: Ints
    scores: Floats


class Standing:
    """Where each judged document stands in a run, gathered part by part."""

    def __init__(self, truth: Truth, parts: Iterable[Part]) -> None:
        self.rank, self.first, self.last = (np.full(len(truth.query), ABSENT, dtype=np.int64) for _ in "123")
        self._which = np.full(len(truth.query), -1, dtype=np.int64)
        queries, flat, seen, n_before = list[pd.Index](), [np.zeros(0, dtype=bool)], set[str](), 0
        for lists, entry, which, scores in parts:
            if queries:  # a single part costs nothing here
                seen.update(queries[-1].tolist())
            if seen and not seen.isdisjoint(lists.queries.tolist()):
                raise ValueError("run: a query comes back in a later piece; give all its rows in one")
            self._which[entry] = n_before + which
            n_before += len(lists.queries)
            queries.append(lists.queries)
            ranks = lists.ranks(which, truth.documents[entry], scores)
            self.rank[entry], self.first[entry], self.last[entry] = ranks
            flat.append(lists.all_equal())
        self._flat = np.concatenate(flat)
        self.queries = queries[0] if len(queries) == 1 else pd.Index([*chain(*queries)], dtype="str")

    def warn_of_ties(self, used: Mask, cutoffs: list[int]) -> None:
        """Warn where ids, not scores, decide: a used list of one score, or a relevant document on the edge."""
        flat = self._flat & used
        if flat.any():
            told = self._told(flat)
            warn(f"all scores are equal in {told}: there is no ranking, document ids decide the order")
        for k in cutoffs:
            torn = np.zeros(len(used), dtype=bool)
            torn[self._which[(self.first <= k) & (self.last > k) & (self._which >= 0)]] = True
            if np.any(torn & ~flat):
                told = self._told(torn & ~flat)
                warn(
                    f"scores tie across rank {k} at a relevant document in {told}: document ids decide the order"
                )

    def _told(self, chosen: Mask) -> str:
        return f"{plural(int(chosen.sum()), 'query', 'queries')} (for instance {self.queries[chosen][0]})"
