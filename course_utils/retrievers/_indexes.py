"""Approximate search: HNSW and IVF beside the exact index, over the same whole-number vectors.

Vectors are those of `Store` and `distractors`: whole numbers, so every score is exact in float32. Building and
searching use one thread, and the centroids of IVF are rounded to whole numbers. So the lists that come out are the
same on every CPU, and two indexes differ by their search alone.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import numpy as np
import pandas as pd

from course_utils.retrievers._clusters import centroids_of, whole
from course_utils.retrievers._ranking import Scored, as_lists, as_run, best, check_count
from course_utils.retrievers._vectors import SCALE, Whole


class Exact:
    """Compare a question with every vector.

    Parameters
    ----------
    vectors
        int16, a row per vector.
    ids
        An id per row; by default its number.

    Examples
    --------
    >>> index = Exact(np.array([[4000, 0], [2400, 3200]], np.int16), ["east", "north-east"])
    >>> index.search(np.array([[0, 4000]], np.int16), ["q1"], k=1).values.tolist()
    [['q1', 'north-east', 0.8]]
    """

    def __init__(self, vectors: Whole, ids: Sequence[str] | None = None) -> None:
        self._take(vectors, ids)
        self._index: Any = _faiss().IndexFlatIP(vectors.shape[1])
        self._index.add(self._rows)

    def _take(self, vectors: Whole, ids: Sequence[str] | None) -> None:
        self._rows = whole(vectors)
        names = [str(number) for number in range(len(vectors))] if ids is None else [*map(str, ids)]
        if len(names) != len(vectors) or len(set(names)) != len(names):
            raise ValueError(f"there are {len(set(names))} different ids for {len(vectors)} vectors")
        self._ids = np.array(names, dtype=object)

    def search(self, vectors: Whole, query_ids: Sequence[str], k: int = 10) -> pd.DataFrame:
        """Return the k nearest of each question, ties in the order of every run of the course.

        Parameters
        ----------
        vectors
            int16, a row per question.
        query_ids
            An id per row.
        k
            How many at most.

        Returns
        -------
        pandas.DataFrame
            query_id, doc_id, score; fewer than k of a question if the index found fewer.
        """
        return self._run(vectors, query_ids, check_count(k, "k"), None)

    def compared(self, vectors: Whole) -> float:
        """Return how many vectors a search compares with a question, on average."""
        return float(len(self._rows))

    def _run(self, vectors: Whole, query_ids: Sequence[str], k: int, settings: Any) -> pd.DataFrame:
        """Search deeper until nothing below the end can tie with the k-th."""
        depth = k
        while True:
            depth = min(2 * depth, len(self._rows))
            found = self._nearest(vectors, depth, settings)
            open_end = any(len(one) == depth and one[k - 1][1] <= one[-1][1] for one in found)
            if depth == len(self._rows) or not open_end:
                return _run_of(query_ids, found, k)

    def _nearest(self, vectors: Whole, depth: int, settings: Any) -> list[Scored]:
        with _one_thread():
            scores, places = self._index.search(whole(vectors), depth, params=settings)
        # -1 stands where nothing more was found; as a position in Python it would be the last vector.
        return [
            best([(self._ids[place], score) for place, score in zip(*row, strict=True) if place >= 0], depth)
            for row in zip(places, scores.astype(np.float64) / SCALE**2, strict=True)
        ]


class HNSW(Exact):
    """Walk a graph of neighbours towards the question, and remember the best seen.

    Parameters
    ----------
    vectors, ids
        As for `Exact`.
    links
        Links per vector in the graph, FAISS's M.

    Examples
    --------
    >>> from course_utils.retrievers import distractors
    >>> vectors = distractors(np.eye(8, dtype=np.int16) * 4000, 500)
    >>> found = HNSW(vectors).search(vectors[:50], range(50), ef_search=64)
    >>> index_recall(Exact(vectors).search(vectors[:50], range(50)), found).mean().round(2)
    np.float64(1.0)
    """

    def __init__(self, vectors: Whole, ids: Sequence[str] | None = None, *, links: int = 16) -> None:
        self._take(vectors, ids)
        self._index = _faiss().IndexHNSWFlat(vectors.shape[1], links, _faiss().METRIC_INNER_PRODUCT)
        with _one_thread():  # with several threads each build makes another graph
            self._index.add(self._rows)

    def search(
        self, vectors: Whole, query_ids: Sequence[str], k: int = 10, *, ef_search: int = 16
    ) -> pd.DataFrame:
        """Return the nearest that the walk met; it remembers `ef_search` at a time, at least k."""
        # FAISS raises efSearch to the depth asked for, so ask for no more: a tie at the very end may be lost.
        depth = max(check_count(k, "k"), check_count(ef_search, "ef_search"))
        found = self._nearest(vectors, depth, self._settings(ef_search))
        return _run_of(query_ids, found, k)

    def compared(self, vectors: Whole, *, ef_search: int = 16) -> float:
        """Return how many vectors a search compares with a question, on average."""
        _faiss().cvar.hnsw_stats.reset()
        self._nearest(vectors, check_count(ef_search, "ef_search"), self._settings(ef_search))
        return float(_faiss().cvar.hnsw_stats.ndis / len(vectors))

    def _settings(self, ef_search: int) -> Any:
        return _faiss().SearchParametersHNSW(efSearch=ef_search)


class IVF(Exact):
    """Group the vectors around centroids, and look into the nearest groups only.

    Parameters
    ----------
    vectors, ids
        As for `Exact`.
    lists
        How many groups.
    seed
        Of the vectors that k-means starts from.

    Examples
    --------
    >>> from course_utils.retrievers import distractors
    >>> vectors = distractors(np.eye(8, dtype=np.int16) * 4000, 500)
    >>> index, exact = IVF(vectors, lists=20), Exact(vectors)
    >>> index.search(vectors[:50], range(50), nprobe=20).equals(exact.search(vectors[:50], range(50)))
    True
    """

    def __init__(
        self, vectors: Whole, ids: Sequence[str] | None = None, *, lists: int = 128, seed: int = 0
    ) -> None:
        self._take(vectors, ids)
        centroids = centroids_of(vectors, check_count(lists, "lists"), seed)
        self._quantiser = _faiss().IndexFlatIP(vectors.shape[1])
        self._quantiser.add(whole(centroids))
        self._index = _faiss().IndexIVFFlat(
            self._quantiser, *centroids.T.shape, _faiss().METRIC_INNER_PRODUCT
        )
        with _one_thread():
            self._index.train(self._rows)  # finds its centroids there, and leaves them
            self._index.add(self._rows)

    def search(
        self, vectors: Whole, query_ids: Sequence[str], k: int = 10, *, nprobe: int = 8
    ) -> pd.DataFrame:
        """Return the nearest in the `nprobe` nearest groups; with all groups it is the exact search."""
        return self._run(vectors, query_ids, check_count(k, "k"), self._settings(nprobe))

    def compared(self, vectors: Whole, *, nprobe: int = 8) -> float:
        """Return how many vectors a search compares with a question on average, centroids included."""
        _faiss().cvar.indexIVF_stats.reset()
        self._nearest(vectors, 1, self._settings(nprobe))
        return float(_faiss().cvar.indexIVF_stats.ndis / len(vectors) + self._index.nlist)

    def _settings(self, nprobe: int) -> Any:
        return _faiss().SearchParametersIVF(nprobe=check_count(nprobe, "nprobe"))


def index_recall(exact: pd.DataFrame, approximate: pd.DataFrame, k: int = 10) -> pd.Series:
    """Return how many of the k that are truly nearest the index found, per question: k-recall@k.

    It compares two searches with each other. Neither labels nor relevance are in it.

    Parameters
    ----------
    exact, approximate
        Runs of the same vectors and questions.
    k
        How far down both lists.

    Returns
    -------
    pandas.Series
        Index query_id, a row per question of `exact`.

    Examples
    --------
    >>> exact = as_run({"q1": [("a", 0.9), ("b", 0.8)], "q2": [("a", 0.7), ("c", 0.6)]})
    >>> index_recall(exact, exact[exact["doc_id"] != "b"], k=2).to_dict()
    {'q1': 0.5, 'q2': 1.0}
    """
    k, found = check_count(k, "k"), as_lists(approximate)
    shares = {}
    for query, truly in as_lists(exact).items():
        wanted, got = ({doc for doc, _ in pairs[:k]} for pairs in (truly, found.get(query, [])))
        shares[query] = len(wanted & got) / len(wanted)
    return pd.Series(shares, dtype="float64", name=f"{k}-recall@{k}").rename_axis("query_id")


def _run_of(query_ids: Sequence[str], found: list[Scored], k: int) -> pd.DataFrame:
    if len(query_ids) != len(found):
        raise ValueError(
            f"there are {len(query_ids)} query ids for {len(found)} vectors; expected one for each"
        )
    return as_run({str(query): one[:k] for query, one in zip(query_ids, found, strict=True)})


def _faiss() -> Any:
    """Load FAISS when it is needed; its own type hints lack half of it."""
    return import_module("faiss")


@contextmanager
def _one_thread() -> Iterator[None]:
    """Let FAISS use one thread, and give it back what it had."""
    faiss = _faiss()
    before = faiss.omp_get_max_threads()
    faiss.omp_set_num_threads(1)
    try:
        yield
    finally:
        faiss.omp_set_num_threads(before)
