"""The six systems whose runs the course ships, each with its settings, in one place."""

from pathlib import Path

import pandas as pd

from course_utils.retrievers._bm25 import BM25
from course_utils.retrievers._dense import Dense, Passages
from course_utils.retrievers._fusion import RRF, Hybrid, Retriever

WEIGHT, DEPTH = 0.6, 10


def systems(documents: pd.DataFrame, folder: Path | str | None = None) -> dict[str, Retriever]:
    """Return the shipped systems by the name of their run.

    The settings were chosen before any label was seen: BM25 with Lucene's k1 = 1.2 and b = 0.75, the hybrid with
    0.6 dense and 0.4 BM25 over the ten best of each, RRF over the same candidates.

    Parameters
    ----------
    documents
        The handbook, or a part of it.
    folder
        Where the stored vectors are; by default ``assets/vectors``.

    Returns
    -------
    dict of str to Retriever
        bm25, dense, hybrid, rrf, minilm and passages.

    Examples
    --------
    >>> news = pd.DataFrame({"doc_id": ["x"], "title": ["News"], "text": ["not in the handbook"]})
    >>> systems(news)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    ValueError: the stored vectors 'e5' are stale: 1 of 1 documents have none for their present text, ...
    """
    bm25, dense = BM25(documents), Dense(documents, "e5", folder=folder)
    return {
        "bm25": bm25,
        "dense": dense,
        "hybrid": Hybrid(dense, bm25, weight=WEIGHT, depth=DEPTH),
        "rrf": RRF([dense, bm25], depth=DEPTH),
        "minilm": Dense(documents, "minilm", folder=folder),
        "passages": Passages(documents, "e5", folder=folder),
    }
