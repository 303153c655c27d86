"""Ranked lists of a whole run, as flat arrays: where a document stands, and where scores do not decide."""

from collections.abc import Callable, Mapping
from itertools import chain
from operator import methodcaller
from typing import Any, cast

import numpy as np
import pandas as pd

from course_utils.evaluation._names import ABSENT
from course_utils.evaluation._scores import Floats, Ints
from course_utils.schema import (
    DOC_ID,
    QUERY_ID,
    RUN_COLUMNS,
    SCORE,
    as_text,
    check_finite,
    check_once,
    clean_table,
    kind_of_types,
    numbers,
    plural,
    warn,
)

Mask = np.ndarray[Any, np.dtype[np.bool_]]


class Lists:
    """The lists of a run, one after the other, each by descending score.

    `starts[i]:starts[i + 1]` are the places of the list of `queries[i]`, and `documents(i)` its ids in the
    order in which they were given; they are asked for only where scores tie.
    """

    def __init__(
        self, queries: list[str], lengths: Ints, scores: Floats, documents: Callable[[int], Any]
    ) -> None:
        self.queries, self._documents = pd.Index(queries, dtype="str"), documents
        self.starts = np.r_[0, np.cumsum(lengths)].astype(np.int64)
        owner = np.repeat(np.arange(len(queries)), lengths)
        self._order = np.arange(len(scores))
        if np.any((scores[1:] > scores[:-1]) & (owner[1:] == owner[:-1])):
            self._order = np.lexsort((-scores, owner))
        self.scores = scores[self._order]

    def ranks(self, which: Ints, documents: Any, scores: Floats) -> tuple[Ints, Ints, Ints]:
        """Rank of each document in list `which`; also the first and last rank that its score allows.

        Equal scores are ordered by document id, descending as text. A NaN score means not retrieved.
        """
        there = np.flatnonzero(~np.isnan(scores))
        rank, last = (np.full(len(which), ABSENT, dtype=np.int64) for _ in range(2))
        rank[there] = 1 + self._count(which[there], scores[there], np.greater)
        last[there] = self._count(which[there], scores[there], np.greater_equal)
        first = rank.copy()
        for one in np.flatnonzero(last > rank):
            start = self.starts[which[one]]
            tied = self._order[start + first[one] - 1 : start + last[one]] - start
            rank[one] += np.sum(self._documents(which[one])[tied] > documents[one])
        return rank, first, last

    def all_equal(self) -> Mask:
        """Mark the lists of two or more documents that all have one score."""
        long = np.flatnonzero(np.diff(self.starts) > 1)
        flat = np.zeros(len(self.queries), dtype=bool)
        flat[long] = self.scores[self.starts[long]] == self.scores[self.starts[long + 1] - 1]
        return flat

    def _count(self, which: Ints, scores: Floats, above: Any) -> Any:
        """Count the scores of each list that lie above the given one: bisection, all lists at once."""
        low, high = self.starts[which], self.starts[which + 1]
        while np.any(low < high):
            middle = (low + high) // 2
            up = (low < high) & above(self.scores[np.minimum(middle, len(self.scores) - 1)], scores)
            low, high = np.where(up, middle + 1, low), np.where(up, high, np.minimum(middle, high))
        return low - self.starts[which]


def read_lists(run: Any, queries: Any, documents: Any) -> tuple[Lists, Floats]:
    """Return the lists of a run, and the score it gives to each (query, document) asked for (NaN: none).

    Examples
    --------
    >>> lists, scores = read_lists({"q1": {"d1": 0.5, "d2": 0.7}}, ["q1", "q1"], ["d1", "d9"])
    >>> lists.scores.tolist(), scores.tolist()
    ([0.7, 0.5], [0.5, nan])
    """
    if not len(run):
        raise ValueError("nothing to score: the run is empty")
    if isinstance(run, Mapping):
        return _from_dict(run if _is_plain(run) else _plain(run), queries, documents)
    return _from_frame(_clean(run), queries, documents)


def warn_of_ties(lists: Lists, used: Mask, which: Ints, first: Ints, last: Ints, cutoffs: list[int]) -> None:
    """Warn where ids, not scores, decide: a used list of one score, or a relevant document on the edge."""
    flat = lists.all_equal() & used
    if flat.any():
        warn(
            f"all scores are equal in {_told(lists, flat)}: there is no ranking, document ids decide the order"
        )
    for k in cutoffs:
        torn = np.zeros(len(used), dtype=bool)
        torn[which[(first <= k) & (last > k)]] = True
        if np.any(torn & ~flat):
            told = _told(lists, torn & ~flat)
            warn(
                f"scores tie across rank {k} at a relevant document in {told}: document ids decide the order"
            )


def _told(lists: Lists, chosen: Mask) -> str:
    return f"{plural(int(chosen.sum()), 'query', 'queries')} (for instance {lists.queries[chosen][0]})"


def _clean(run: Any) -> pd.DataFrame:
    clean = clean_table(run, RUN_COLUMNS, "run")
    clean[SCORE] = numbers(clean[SCORE], "run: score")
    check_finite(clean)
    return clean


def _is_plain(run: Mapping[Any, Mapping[Any, Any]]) -> bool:
    """Whether a dict needs no cleaning: text ids (the first of each list is looked at), Python numbers."""
    ids = [*run, *(next(iter(row)) for row in run.values() if row)]
    values = chain.from_iterable(map(methodcaller("values"), run.values()))
    empty = "" in run or any("" in row for row in run.values())
    return set(map(type, ids)) <= {str} and set(map(type, values)) <= {float, int} and not empty


def _plain(run: Mapping[Any, Mapping[Any, Any]]) -> dict[str, dict[str, float]]:
    """Refuse what is wrong, and make the rest text and numbers."""
    _clean(run)
    as_text(pd.Series(list(run), dtype=object), "run: query_id")
    return {str(query): {str(one): float(score) for one, score in row.items()} for query, row in run.items()}


def _from_dict(run: Mapping[str, Mapping[str, float]], queries: Any, documents: Any) -> tuple[Lists, Floats]:
    lengths = np.fromiter(map(len, run.values()), dtype=np.int64, count=len(run))
    values = chain.from_iterable(map(methodcaller("values"), run.values()))
    scores = np.fromiter(values, dtype=np.float64, count=int(lengths.sum()))
    if not np.isfinite(scores).all():
        _clean(run)
    none: dict[str, float] = {}
    asked = [run.get(query, none).get(one, np.nan) for query, one in zip(queries, documents, strict=True)]
    for query, one, score in zip(queries, documents, asked, strict=True):
        if score != score and one.isdecimal() and int(one) in cast(Any, run.get(query, none)):
            _clean(run)  # "7" is judged and 7 was returned: refused, with both ids named
    names = list(run)

    def ids(which: int) -> Any:
        row = run[names[which]]
        kind_of_types(set(map(type, row)), row, f"run: doc_id of {names[which]}")
        return np.fromiter(row, dtype=object, count=len(row))

    return Lists(names, lengths, scores, ids), np.array(asked, dtype=np.float64)


def _from_frame(run: pd.DataFrame, queries: Any, documents: Any) -> tuple[Lists, Floats]:
    (owner, names), (document, known) = pd.factorize(run[QUERY_ID]), pd.factorize(run[DOC_ID])
    key = owner * len(known) + document
    by_key = np.argsort(key, kind="stable")
    key, scores = key[by_key], run[SCORE].to_numpy()
    if np.any(key[1:] == key[:-1]):
        check_once(run, run.duplicated([QUERY_ID, DOC_ID]).to_numpy())
    query, document = names.get_indexer(queries), known.get_indexer(documents)
    wanted = np.where((query < 0) | (document < 0), -1, query * len(known) + document)
    place = np.minimum(np.searchsorted(key, wanted), len(key) - 1)
    asked = np.where(key[place] == wanted, scores[by_key[place]], np.nan)

    together = np.argsort(owner, kind="stable")
    lengths = np.bincount(owner, minlength=len(names))
    ends = np.cumsum(lengths)

    def ids(which: int) -> Any:
        return run[DOC_ID].array.take(together[ends[which] - lengths[which] : ends[which]]).astype(object)

    return Lists(list(names), lengths, scores[together], ids), asked
