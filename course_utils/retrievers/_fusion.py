"""Two systems made one: a weighted sum of normalised scores, and reciprocal rank fusion."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import pandas as pd

from course_utils.retrievers._ranking import Scored, as_lists, as_run, best, check_count
from course_utils.retrievers._text import question_texts

Normaliser = Callable[[list[float]], list[float]]


class Retriever(Protocol):
    """Anything with `search(questions, k) -> run`."""

    def search(self, questions: Any, k: int = 10) -> pd.DataFrame:
        """Return the k best documents of each question: query_id, doc_id, score."""


def minmax(scores: list[float]) -> list[float]:
    """Stretch scores to 0 … 1; if all are equal, each becomes 1.

    Parameters
    ----------
    scores
        The scores of one system's candidates for one question.

    Returns
    -------
    list of float
        The best is 1 and the last 0. The last candidate thus counts as little as a missing document.

    Examples
    --------
    >>> minmax([3.0, 2.0, 1.0]), minmax([7.0, 7.0]), minmax([])
    ([1.0, 0.5, 0.0], [1.0, 1.0], [])
    """
    low, high = min(scores, default=0.0), max(scores, default=0.0)
    return [(score - low) / (high - low) if high > low else 1.0 for score in scores]


class Hybrid:
    """A weighted sum of two systems' scores, each normalised over its own candidates.

    Parameters
    ----------
    dense, bm25
        Two retrievers; the first gets `weight`, the second the rest.
    weight
        The weight of the first, from 0 to 1.
    depth
        How many candidates each gives: part of the method, as the normalisation is made over them. A document
        that is no candidate of a system gets 0 from it.
    normalise
        "minmax", or a function from scores to scores.

    Examples
    --------
    >>> documents = pd.DataFrame({"doc_id": ["d1", "d2"], "title": ["Leave", "Sick leave"],
    ...                           "text": ["25 days a year.", "Tell your lead."]})
    >>> from course_utils.retrievers import BM25
    >>> Hybrid(BM25(documents), BM25(documents, b=0)).search({"q": "sick leave"}).to_dict("list")
    {'query_id': ['q', 'q'], 'doc_id': ['d2', 'd1'], 'score': [1.0, 0.0]}
    """

    def __init__(
        self,
        dense: Retriever,
        bm25: Retriever,
        *,
        weight: float = 0.6,
        depth: int = 10,
        normalise: str | Normaliser = "minmax",
    ) -> None:
        if not 0 <= weight <= 1:
            raise ValueError(f"weight is {weight!r}; expected a number from 0 to 1")
        if normalise != "minmax" and not callable(normalise):
            raise ValueError(
                f"normalise is {normalise!r}; expected 'minmax' or a function from scores to scores"
            )
        self._parts = (dense, bm25)
        self._weights = (weight, 1 - weight)
        self._depth = check_count(depth, "depth")
        self._normalise: Normaliser = minmax if isinstance(normalise, str) else normalise

    def search(
        self, questions: pd.DataFrame | pd.Series | Mapping[Any, str] | Sequence[str], k: int = 10
    ) -> pd.DataFrame:
        """Return the k best of both systems' candidates, at most twice `depth`; see `BM25.search`."""
        return _fuse(self._parts, questions, self._depth, check_count(k, "k"), self._points)

    def _points(self, part: int, pairs: Scored) -> Scored:
        scores = self._normalise([score for _, score in pairs])
        return [(doc, self._weights[part] * new) for (doc, _), new in zip(pairs, scores, strict=True)]


class RRF:
    """Reciprocal rank fusion: a document gets 1 / (k + rank) from each list it is in.

    Parameters
    ----------
    retrievers
        Two or more retrievers. None may return documents that it did not find: BM25's zeros would be noise.
    depth
        How many candidates each gives.
    k
        How much the top of a list is flattened; 60 is usual.

    Examples
    --------
    >>> documents = pd.DataFrame({"doc_id": ["d1", "d2"], "title": ["Leave", "Sick leave"],
    ...                           "text": ["25 days a year.", "Tell your lead."]})
    >>> from course_utils.retrievers import BM25
    >>> RRF([BM25(documents), BM25(documents, b=0)]).search({"q": "sick"})
      query_id doc_id     score
    0        q     d2  0.032787
    """

    def __init__(self, retrievers: Sequence[Retriever], *, depth: int = 10, k: float = 60) -> None:
        if len(retrievers) < 2:
            raise ValueError(f"RRF has {len(retrievers)} retrievers; expected two or more")
        if not k >= 0:
            raise ValueError(f"k is {k!r}; expected a number of at least 0")
        self._parts = tuple(retrievers)
        self._depth = check_count(depth, "depth")
        self._k = k

    def search(
        self, questions: pd.DataFrame | pd.Series | Mapping[Any, str] | Sequence[str], k: int = 10
    ) -> pd.DataFrame:
        """Return the k best of all candidates, at most `depth` per retriever; see `BM25.search`."""
        return _fuse(self._parts, questions, self._depth, check_count(k, "k"), self._points)

    def _points(self, part: int, pairs: Scored) -> Scored:
        return [(doc, 1 / (self._k + rank)) for rank, (doc, _) in enumerate(pairs, start=1)]


def _fuse(
    parts: Sequence[Retriever], questions: Any, depth: int, k: int, points: Callable[[int, Scored], Scored]
) -> pd.DataFrame:
    """Add up the points of each document over the parts, question by question."""
    texts = question_texts(questions)
    candidates = [as_lists(part.search(texts, depth)) for part in parts]
    lists = {}
    for query in texts.index:
        total: dict[str, float] = {}
        for part, by_query in enumerate(candidates):
            for doc, value in points(part, by_query.get(query, [])):
                total[doc] = total.get(doc, 0.0) + value
        lists[query] = best(total, k)
    return as_run(lists)
