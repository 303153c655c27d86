"""Vectors in clusters: made up around given ones, and found by k-means. All in whole numbers."""

import numpy as np
import numpy.typing as npt

from course_utils.retrievers._ranking import check_count
from course_utils.retrievers._vectors import Whole, quantise

Floats = npt.NDArray[np.float32]
ROUNDS = 8


def distractors(like: Whole, n: int = 20_000, *, clusters: int = 200, seed: int = 0) -> Whole:
    """Make vectors that stand among given ones like more of the same, in clusters. No text belongs to them.

    Each is the mean of the given vectors, plus 4/5 of the centre of its cluster, plus 3/5 of something of its own.
    A centre, and what is a vector's own, is made alike: four given vectors' deviations from the mean, each with a
    random sign, halved. So mean and spread in each direction are those of the given vectors.
    Nobody can judge what has no text: count them as what they are, in the way.

    Parameters
    ----------
    like
        int16, a row per vector.
    n
        How many to make.
    clusters
        How many centres.
    seed
        The same seed gives the same vectors, on every CPU: until the last step all is whole numbers.

    Returns
    -------
    numpy.ndarray
        int16, of the same kind as the given ones.

    Examples
    --------
    >>> distractors(np.eye(3, dtype=np.int16) * 4000, 1000).shape
    (1000, 3)
    """
    rng, rows = np.random.default_rng(seed), np.asarray(like).astype(np.int64)
    mean, count = rows.sum(axis=0), len(rows)
    deviations = count * rows - mean
    centres = _mixed(deviations, check_count(clusters, "clusters"), rng)
    own = _mixed(deviations, check_count(n, "n"), rng)
    return quantise(10 * mean + 4 * centres[rng.integers(0, clusters, n)] + 3 * own)


def _mixed(deviations: npt.NDArray[np.int64], n: int, rng: np.random.Generator) -> npt.NDArray[np.int64]:
    """Add up four rows with random signs: twice as long as one row."""
    total = np.zeros((n, deviations.shape[1]), dtype=np.int64)
    either = np.vstack([-deviations, deviations])
    for _ in range(4):
        plus = rng.integers(0, 2, n)
        total += either[plus * len(deviations) + rng.integers(0, len(deviations), n)]
    return total


def centroids_of(vectors: Whole, lists: int, seed: int) -> Whole:
    """Group vectors by k-means; FAISS's own would round by the CPU, and so group otherwise here and there."""
    if lists > len(vectors):
        raise ValueError(f"lists is {lists}; expected at most one per vector, {len(vectors)}")
    centroids = vectors[np.random.default_rng(seed).choice(len(vectors), lists, replace=False)]
    for _ in range(ROUNDS):
        nearest = (whole(vectors) @ whole(centroids).T).argmax(axis=1)
        order = nearest.argsort(kind="stable")
        used, starts = np.unique(nearest[order], return_index=True)
        centroids[used] = quantise(np.add.reduceat(vectors[order].astype(np.int64), starts))
    return centroids


def whole(vectors: Whole) -> Floats:
    if np.asarray(vectors).dtype != np.int16 or np.ndim(vectors) != 2:
        raise ValueError("expected whole-number vectors, int16 in rows: see `quantise`")
    return np.ascontiguousarray(vectors, dtype=np.float32)
