"""Checks over whole rows: finite scores, one row per document, ids of one kind on both sides."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from course_utils.schema._names import DOC_ID, QUERY_ID, RUN_COLUMNS, SCORE


def check_same_kind(kinds: Mapping[str, str], what: str) -> None:
    """Refuse ids that are text on one side and whole numbers on the other: they never match.

    Parameters
    ----------
    kinds
        {side: "text", "whole numbers" or ""}, as `id_kind` says it.
    what
        The column, for the message.

    Examples
    --------
    >>> check_same_kind({"qrels": "whole numbers", "run": "text"}, "doc_id")
    Traceback (most recent call last):
    ValueError: doc_id is whole numbers in qrels and text in run, which never match. Make both text, \
e.g. qrels["doc_id"] = qrels["doc_id"].astype(str)
    """
    told = {side: kind for side, kind in kinds.items() if kind}
    if len(set(told.values())) > 1:
        said = " and ".join(f"{kind} in {side}" for side, kind in told.items())
        side = next(side for side, kind in told.items() if kind != "text")
        mend = f'{side}["{what}"] = {side}["{what}"].astype(str)'
        raise ValueError(f"{what} is {said}, which never match. Make both text, e.g. {mend}")


def check_finite(run: pd.DataFrame, name: str = "run") -> None:
    """Refuse a run with a NaN or infinite score, naming query and document.

    Examples
    --------
    >>> check_finite(pd.DataFrame({"query_id": ["q1"], "doc_id": ["b"], "score": [float("nan")]}))
    Traceback (most recent call last):
    ValueError: run: q1: score of b is NaN; expected a finite number
    """
    for row in np.flatnonzero(~np.isfinite(run[SCORE].to_numpy()))[:1]:
        query, document, score = run[RUN_COLUMNS].iloc[row]
        told = "NaN" if score != score else str(score)
        raise ValueError(f"{name}: {query}: score of {document} is {told}; expected a finite number")


def check_once(run: pd.DataFrame, again: np.ndarray[Any, Any], name: str = "run") -> None:
    """Refuse a run where a query has one document twice; `again` marks the rows that repeat an earlier one.

    Examples
    --------
    >>> twice = pd.DataFrame({"query_id": ["q1", "q1"], "doc_id": ["d2", "d2"], "score": [0.9, 0.1]})
    >>> check_once(twice, np.array([False, True]))
    Traceback (most recent call last):
    ValueError: run: q1 returns d2 twice (rows 0 and 1); keep one, usually the better
    """
    for row in np.flatnonzero(again)[:1]:
        query, document = run[[QUERY_ID, DOC_ID]].iloc[row]
        rows = f"rows {first_row(run, query, document)} and {row}"
        raise ValueError(f"{name}: {query} returns {document} twice ({rows}); keep one, usually the better")


def first_row(frame: pd.DataFrame, query: Any, document: Any) -> int:
    """Row in which a query first has a document.

    Examples
    --------
    >>> first_row(pd.DataFrame({"query_id": ["q1", "q1"], "doc_id": ["d1", "d2"]}), "q1", "d2")
    1
    """
    return int(np.flatnonzero((frame[QUERY_ID] == query) & (frame[DOC_ID] == document))[0])
