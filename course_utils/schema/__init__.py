"""Column names, and the one door where bad data is refused.

`check_qrels`, `check_run` and `check_questions` take a DataFrame or a dict and always give back a new frame of
the same shape: ids as text, grades as int64, scores as float64, rows in the given order, a fresh index.
Whatever has no right value raises `ValueError` with what was found, where, and how to mend it. Rows are
counted from 0, as in pandas.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from course_utils.schema._block import Block
from course_utils.schema._columns import (
    LARGEST_GRADE,
    as_text,
    check_columns,
    check_rows,
    clean_table,
    columns_of,
    id_kind,
    id_kinds,
    kind_of_types,
    numbers,
    whole,
)
from course_utils.schema._names import (
    DOC_ID,
    OTHER_NAMES,
    QRELS_COLUMNS,
    QUERY_ID,
    RELEVANCE,
    RUN_COLUMNS,
    SCORE,
    TEXT,
    CourseWarning,
    Table,
    plural,
    warn,
)
from course_utils.schema._rows import check_finite, check_once, check_same_kind, first_row

__all__ = [
    "DOC_ID",
    "LARGEST_GRADE",
    "OTHER_NAMES",
    "QRELS_COLUMNS",
    "QUERY_ID",
    "RELEVANCE",
    "RUN_COLUMNS",
    "SCORE",
    "TEXT",
    "Block",
    "CourseWarning",
    "Table",
    "as_text",
    "check_finite",
    "check_once",
    "check_qrels",
    "check_questions",
    "check_rows",
    "check_run",
    "check_same_kind",
    "clean_table",
    "columns_of",
    "id_kind",
    "id_kinds",
    "kind_of_types",
    "numbers",
    "plural",
    "warn",
    "whole",
]


def check_qrels(qrels: Table, name: str = "qrels") -> pd.DataFrame:
    """Return judgements as a clean frame.

    Parameters
    ----------
    qrels
        A DataFrame with query_id, doc_id, relevance, or `{query_id: {doc_id: grade}}`. Grades are whole
        numbers (1.0 is whole); a grade below 0 is allowed and gains nothing.
    name
        What messages call it.

    Returns
    -------
    pandas.DataFrame
        query_id and doc_id as text, relevance as int64. A judgement that stands twice with the same grade is
        kept once, with a `CourseWarning`.

    Raises
    ------
    ValueError
        A column is missing, an id is missing, empty or of mixed type, a grade is not whole, or one document
        has two grades.

    Examples
    --------
    >>> check_qrels({"q1": {"d1": 2, "d2": 0}}).to_dict("list")
    {'query_id': ['q1', 'q1'], 'doc_id': ['d1', 'd2'], 'relevance': [2, 0]}
    """
    clean = clean_table(qrels, QRELS_COLUMNS, name)
    clean[RELEVANCE] = whole(clean[RELEVANCE], f"{name}: relevance")
    again = clean.duplicated([QUERY_ID, DOC_ID]).to_numpy()
    if not again.any():
        return clean
    for row in np.flatnonzero(again & ~clean.duplicated().to_numpy())[:1]:
        query, document, grade = clean.iloc[row]
        first = first_row(clean, query, document)
        raise ValueError(
            f"{name}: {query} {document} judged twice with grades {clean[RELEVANCE].iloc[first]} (row {first}) "
            f"and {grade} (row {row}); keep the right one"
        )
    warn(f"{name}: {plural(int(again.sum()), 'duplicate judgement')} with the same grade, kept once")
    return clean[~again].reset_index(drop=True)


def check_run(run: Table, name: str = "run") -> pd.DataFrame:
    """Return a run as a clean frame.

    Parameters
    ----------
    run
        A DataFrame with query_id, doc_id, score, or `{query_id: {doc_id: score}}`. Higher is better.
    name
        What messages call it.

    Returns
    -------
    pandas.DataFrame
        query_id and doc_id as text, score as float64.

    Raises
    ------
    ValueError
        A column is missing, an id is missing, empty or of mixed type, a score is missing, NaN, infinite or no
        number, or a query has the same document twice.

    Examples
    --------
    >>> check_run({"q1": {"d1": 7}}).to_dict("list")
    {'query_id': ['q1'], 'doc_id': ['d1'], 'score': [7.0]}
    """
    clean = clean_table(run, RUN_COLUMNS, name)
    clean[SCORE] = numbers(clean[SCORE], f"{name}: score")
    check_finite(clean, name)
    check_once(clean, clean.duplicated([QUERY_ID, DOC_ID]).to_numpy(), name)
    return clean


def check_questions(questions: pd.DataFrame | pd.Series | Mapping[Any, str] | Sequence[str]) -> pd.DataFrame:
    """Return questions as a frame with query_id and text first, then the other columns as they were.

    Parameters
    ----------
    questions
        A DataFrame with query_id and text, `{query_id: text}`, a Series of texts with the ids as index, or a
        list of texts, whose ids become q1, q2, …

    Returns
    -------
    pandas.DataFrame
        query_id and text as text.

    Raises
    ------
    ValueError
        A column is missing, an id is missing, empty or there twice, or a text is empty or no text.

    Examples
    --------
    >>> check_questions(["How many days off?"]).to_dict("list")
    {'query_id': ['q1'], 'text': ['How many days off?']}
    """
    frame = questions if isinstance(questions, pd.DataFrame) else _questions_frame(questions)
    check_columns(frame, [QUERY_ID, TEXT], "questions")
    rest = frame.drop(columns=[QUERY_ID, TEXT]).reset_index(drop=True)
    ids = as_text(frame[QUERY_ID], "questions: query_id")
    for query in ids[ids.duplicated()][:1]:
        raise ValueError(f"questions: {query} stands twice; ids must be unique")
    for query, text in zip(ids, frame[TEXT], strict=True):
        if not isinstance(text, str) or not text.strip():
            raise ValueError(f"questions: {query} has the text {text!r}; expected words")
    text = frame[TEXT].astype("str").reset_index(drop=True)
    return pd.concat([ids.rename(QUERY_ID), text.rename(TEXT), rest], axis=1)


def _questions_frame(questions: pd.Series | Mapping[Any, str] | Sequence[str]) -> pd.DataFrame:
    if isinstance(questions, str) or not isinstance(questions, Mapping | pd.Series | Sequence):
        raise ValueError(
            f"questions is a {type(questions).__name__}; expected {{query_id: text}}, a Series, a list of "
            'texts or a DataFrame. A single question goes in a list: ["How many days off?"]'
        )
    pairs: Any = questions
    if not isinstance(questions, Mapping | pd.Series):
        pairs = {f"q{number}": text for number, text in enumerate(questions, start=1)}
    ids, texts = [query for query, _ in pairs.items()], [text for _, text in pairs.items()]
    return pd.DataFrame({QUERY_ID: pd.Series(ids, dtype=object), TEXT: pd.Series(texts, dtype=object)})
