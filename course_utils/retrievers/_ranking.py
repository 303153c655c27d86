"""From scores to a run, by the course's convention: score descending, then doc_id descending as text."""

from collections.abc import Iterable, Mapping
from numbers import Integral
from typing import Any

import pandas as pd

from course_utils.schema import DOC_ID, QUERY_ID, SCORE

Scored = list[tuple[str, float]]
# A run file holds six decimals. Rounding before the order is made keeps file and memory the same list.
DECIMALS = 6


def best(scores: Mapping[str, float] | Iterable[tuple[str, float]], k: int) -> Scored:
    """Return the k best documents with their scores, rounded to six decimals, in the order of a run.

    Examples
    --------
    >>> best({"a": 0.5, "b": 0.5, "c": 0.9}, 2)
    [('c', 0.9), ('b', 0.5)]
    """
    pairs = scores.items() if isinstance(scores, Mapping) else scores
    rounded = [(doc, round(float(score), DECIMALS)) for doc, score in pairs]
    return sorted(rounded, key=lambda pair: (pair[1], pair[0]), reverse=True)[:k]


def as_run(lists: Mapping[str, Scored]) -> pd.DataFrame:
    """Return ranked lists by query as a run; a query with an empty list has no rows.

    Examples
    --------
    >>> as_run({"q1": [("d2", 1.5), ("d1", 0.5)], "q2": []}).to_dict("list")
    {'query_id': ['q1', 'q1'], 'doc_id': ['d2', 'd1'], 'score': [1.5, 0.5]}
    """
    rows = [(query, doc, score) for query, pairs in lists.items() for doc, score in pairs]
    queries, docs, scores = zip(*rows, strict=True) if rows else ((), (), ())
    columns = {QUERY_ID: pd.Series(queries, dtype="str"), DOC_ID: pd.Series(docs, dtype="str")}
    return pd.DataFrame({**columns, SCORE: pd.Series(scores, dtype="float64")})


def as_lists(run: pd.DataFrame) -> dict[str, Scored]:
    """Return a run as ranked lists by query.

    Examples
    --------
    >>> as_lists(as_run({"q1": [("d2", 1.5), ("d1", 0.5)]}))
    {'q1': [('d2', 1.5), ('d1', 0.5)]}
    """
    lists: dict[str, Scored] = {}
    for query, doc, score in zip(run[QUERY_ID], run[DOC_ID], run[SCORE], strict=True):
        lists.setdefault(query, []).append((doc, score))
    return {query: best(pairs, len(pairs)) for query, pairs in lists.items()}


def check_count(value: Any, name: str) -> int:
    """Return a whole number of at least 1, or refuse.

    Examples
    --------
    >>> check_count(0, "k")
    Traceback (most recent call last):
    ValueError: k is 0; expected a whole number of at least 1
    """
    if isinstance(value, bool) or not isinstance(value, Integral) or value < 1:
        raise ValueError(f"{name} is {value!r}; expected a whole number of at least 1")
    return int(value)
