"""Measures of one ranked list, in plain Python, as you write them in lessons 03 and 04.

Every function takes document ids, best first, and what is relevant for one query. The result is a float
from 0 to 1 (`dcg` may be larger). **Undefined is not zero**: without a relevant document the result is NaN.
A second copy of a document gains nothing and still takes its rank. `evaluation` does the same for whole runs.
"""

from collections.abc import Hashable, Iterable, Mapping
from math import log2, nan
from typing import Any

from course_utils.measures._checks import check_gain, check_grade, check_k, gain_of, prepare

__all__ = [
    "average_precision",
    "check_gain",
    "check_grade",
    "check_k",
    "dcg",
    "gain_of",
    "ndcg_at_k",
    "precision_at_k",
    "recall_at_k",
    "reciprocal_rank",
    "success_at_k",
]


def recall_at_k(retrieved: Iterable[Hashable], relevant: Iterable[Hashable], k: int) -> float:
    """Share of the relevant documents that stand in the first `k` (Kent et al., 1955).

    Parameters
    ----------
    retrieved
        Document ids, best first.
    relevant
        Ids of the relevant documents; order and copies do not matter.
    k
        Cutoff, a whole number >= 1.

    Returns
    -------
    float
        Found / all relevant, 0 to 1. NaN where nothing is relevant.

    Raises
    ------
    ValueError
        `k` is not a whole number >= 1, an argument is no list of ids, or text and numbers are compared.

    Examples
    --------
    >>> recall_at_k(["d7", "d1", "d9"], {"d1", "d2"}, k=3)
    0.5
    """
    top, wanted = prepare(retrieved, relevant, k)
    if not wanted:
        return nan
    return len(wanted.intersection(top)) / len(wanted)


def precision_at_k(retrieved: Iterable[Hashable], relevant: Iterable[Hashable], k: int) -> float:
    """Share of the first `k` places that hold a relevant document; a short list is still divided by `k`.

    Parameters, errors and NaN as in `recall_at_k` (Kent et al., 1955; the division by k is TREC's).

    Examples
    --------
    >>> precision_at_k(["d7", "d1", "d9"], {"d1", "d2"}, k=10)
    0.1
    """
    top, wanted = prepare(retrieved, relevant, k)
    if not wanted:
        return nan
    return len(wanted.intersection(top)) / k


def success_at_k(retrieved: Iterable[Hashable], relevant: Iterable[Hashable], k: int) -> float:
    """1 if at least one of the first `k` documents is relevant, else 0 (also called hit rate).

    Parameters, errors and NaN as in `recall_at_k`.

    Examples
    --------
    >>> success_at_k(["d7", "d1", "d9"], {"d1", "d2"}, k=3)
    1.0
    """
    top, wanted = prepare(retrieved, relevant, k)
    if not wanted:
        return nan
    return float(not wanted.isdisjoint(top))


def reciprocal_rank(
    retrieved: Iterable[Hashable], relevant: Iterable[Hashable], k: int | None = None
) -> float:
    """1 / rank of the first relevant document; 0 if there is none (Voorhees, TREC-8 QA track, 1999).

    With `k` only the first `k` places are read: the mean over queries is then MRR@k.
    Parameters, errors and NaN as in `recall_at_k`.

    Examples
    --------
    >>> reciprocal_rank(["d7", "d1", "d9"], {"d1", "d2"})
    0.5
    """
    top, wanted = prepare(retrieved, relevant, k)
    if not wanted:
        return nan
    for rank, document in enumerate(top, start=1):
        if document in wanted:
            return 1 / rank
    return 0.0


def average_precision(
    retrieved: Iterable[Hashable], relevant: Iterable[Hashable], k: int | None = None
) -> float:
    """Mean, over **all** relevant documents, of the precision at each one's rank; 0 for those not found.

    The mean over queries is MAP (TREC, from 1993). With `k` only the first `k` places are read, and the
    sum is still divided by all relevant documents. Parameters, errors and NaN as in `recall_at_k`.

    Examples
    --------
    >>> average_precision(["d1", "d7", "d2"], {"d1", "d2"})
    0.8333333333333333
    """
    top, wanted = prepare(retrieved, relevant, k)
    if not wanted:
        return nan
    found: set[Hashable] = set()
    total = 0.0
    for rank, document in enumerate(top, start=1):
        if document in wanted and document not in found:
            found.add(document)
            total += len(found) / rank
    return total / len(wanted)


def dcg(grades: Iterable[float], k: int | None = None, gain: str = "linear") -> float:
    """Discounted cumulative gain of the grades as they stand by rank: sum of gain / log2(rank + 1).

    Järvelin and Kekäläinen (2002), with the discount that trec_eval made common.

    Parameters
    ----------
    grades
        Grade of the document at rank 1, 2, …; whole numbers. A grade <= 0 gains nothing.
    k
        Cutoff; without it, the whole list.
    gain
        "linear" (the grade) or "exponential" (2^grade - 1; Burges et al., 2005).

    Returns
    -------
    float
        At least 0, in units of gain.

    Raises
    ------
    ValueError
        A grade is not whole, or `k` or `gain` is not one of the above.

    Examples
    --------
    >>> dcg([2, 0, 1])
    2.5
    >>> dcg([2, 0, 1], gain="exponential")
    3.5
    """
    top = list(grades)[: check_k(k)]
    return sum((gain_of(grade, gain) / log2(rank + 1) for rank, grade in enumerate(top, start=1)), 0.0)


def ndcg_at_k(
    retrieved: Iterable[Hashable], judgements: Mapping[Any, float], k: int, gain: str = "linear"
) -> float:
    """DCG of the first `k`, divided by the DCG of the best possible list (Järvelin and Kekäläinen, 2002).

    Parameters
    ----------
    retrieved
        Document ids, best first.
    judgements
        {document id: grade} of the query. The ideal is the best `k` of **all** of them, also of those not
        retrieved. A document without a judgement has grade 0.
    k, gain
        As in `dcg`.

    Returns
    -------
    float
        0 to 1; NaN where no grade is above 0.

    Raises
    ------
    ValueError
        As in `dcg` and `recall_at_k`.

    Examples
    --------
    >>> round(ndcg_at_k(["d7", "d1"], {"d1": 2, "d2": 1}, k=10), 4)
    0.4796
    """
    if not isinstance(judgements, Mapping):
        raise ValueError(f"judgements must be {{document id: grade}}, got {type(judgements).__name__}")
    top, _ = prepare(retrieved, list(judgements), k)
    best = dcg(sorted(map(check_grade, judgements.values()), reverse=True), k, gain)
    left = dict(judgements)  # a grade is taken out once, so a second copy of a document gains nothing
    return dcg([left.pop(document, 0) for document in top], k, gain) / best if best else nan
