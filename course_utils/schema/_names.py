"""Column names, the course's warning, and small words for messages."""

import sys
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

QUERY_ID, DOC_ID, RELEVANCE, SCORE, TEXT = "query_id", "doc_id", "relevance", "score", "text"
QRELS_COLUMNS = [QUERY_ID, DOC_ID, RELEVANCE]
RUN_COLUMNS = [QUERY_ID, DOC_ID, SCORE]

Table = pd.DataFrame | Mapping[Any, Mapping[Any, Any]]

OTHER_NAMES = {
    QUERY_ID: [
        "qid",
        "query-id",
        "queryid",
        "q_id",
        "query",
        "topic",
        "topic_id",
        "question_id",
        "id",
        "_id",
    ],
    DOC_ID: ["docno", "docid", "doc-id", "did", "doc", "corpus-id", "corpus_id", "document_id", "pid"],
    RELEVANCE: ["rel", "grade", "label", "judgement", "judgment", "gain", "score"],
    SCORE: ["similarity", "sim", "rsv", "scores", "relevance"],
    TEXT: ["question", "query", "title"],
}


class CourseWarning(UserWarning):
    """Something is read in one definite way that you may not have meant."""


def warn(message: str) -> None:
    """Issue a `CourseWarning` that points at the caller's line, not into this package.

    Examples
    --------
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     warn("two lists are all ties")
    >>> print(caught[0].category.__name__, caught[0].message)
    CourseWarning two lists are all ties
    """
    package, level, frame = str(Path(__file__).parents[1]), 1, sys._getframe()
    while frame.f_back is not None and frame.f_code.co_filename.startswith(package):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, CourseWarning, stacklevel=level)


def plural(count: int, word: str, many: str = "") -> str:
    """Return the count with its word.

    Examples
    --------
    >>> plural(1, "query", "queries"), plural(1200, "query", "queries"), plural(2, "row")
    ('1 query', '1,200 queries', '2 rows')
    """
    return f"{count:,} {word if count == 1 else many or word + 's'}"
