"""The columns of a golden set: what each holds, what stands in when it is left out, how a cell is read."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import pandas as pd

from course_utils.schema import DOC_ID, LARGEST_GRADE, QUERY_ID, RELEVANCE, TEXT, Table, columns_of

# English, and what spreadsheets write in the languages of the course's neighbours.
YES = {
    "true",
    "yes",
    "y",
    "t",
    "1",
    "1.0",
    "ja",
    "wahr",
    "oui",
    "vrai",
    "si",
    "sí",
    "sim",
    "verdadero",
    "हाँ",
    "हां",
}
NO = {"false", "no", "n", "f", "0", "0.0", "nein", "falsch", "non", "faux", "não", "nao", "falso", "नहीं"}


class Field(NamedTuple):
    """One column: how a cell is read, what a missing one means, and the type of the whole."""

    read: Callable[[Any, str], Any]
    default: Any
    dtype: str


def is_blank(value: Any) -> bool:
    """Tell whether a cell holds nothing.

    Examples
    --------
    >>> is_blank(" "), is_blank(None), is_blank(float("nan")), is_blank(0)
    (True, True, True, False)
    """
    return value is None or value is pd.NA or value != value or (isinstance(value, str) and not value.strip())


def to_text(value: Any, where: str) -> str:
    """Return a cell as text; a list becomes "a, b".

    Examples
    --------
    >>> to_text(["employee", "manager"], "row 0"), to_text(None, "row 0"), to_text(12, "row 0")
    ('employee, manager', '', '12')
    """
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    if isinstance(value, Mapping):
        raise ValueError(f"{where} holds {{...}} ({str(value)[:40]}); expected text")
    return "" if is_blank(value) else str(value)


def to_id(value: Any, where: str) -> str:
    """Return an id as text; an empty or broken one is refused.

    Examples
    --------
    >>> to_id(7, "row 0")
    '7'
    >>> to_id("", "questions.csv, line 3: query_id")
    Traceback (most recent call last):
    ValueError: questions.csv, line 3: query_id is empty; every row needs an id
    """
    if is_blank(value):
        raise ValueError(f"{where} is empty; every row needs an id")
    if not isinstance(value, str | int) or isinstance(value, bool):
        raise ValueError(f"{where} is {value!r}; an id is text or a whole number")
    return str(value)


def to_truth(value: Any, where: str) -> Any:
    """Return True or False, or `pandas.NA` for a blank cell.

    Examples
    --------
    >>> to_truth("Ja", "row 0"), to_truth(False, "row 0"), to_truth("", "row 0")
    (True, False, <NA>)
    >>> to_truth("maybe", "questions.csv, line 3: answerable")
    Traceback (most recent call last):
    ValueError: questions.csv, line 3: answerable is 'maybe'; expected TRUE or FALSE (yes and no will do)
    """
    if is_blank(value):
        return pd.NA
    word = str(value).strip().lower()
    if word not in YES | NO:
        raise ValueError(f"{where} is {value!r}; expected TRUE or FALSE (yes and no will do)")
    return word in YES


def to_flag(value: Any, where: str) -> bool:
    """Return True or False; a blank cell is False.

    Examples
    --------
    >>> to_flag(None, "row 0"), to_flag("yes", "row 0")
    (False, True)
    """
    return False if is_blank(value) else bool(to_truth(value, where))


def to_grade(value: Any, where: str) -> int:
    """Return a whole-number grade; "2,0" is 2.

    Examples
    --------
    >>> to_grade("2,0", "row 0")
    2
    >>> to_grade("high", "judgements.csv, line 4: relevance")
    Traceback (most recent call last):
    ValueError: judgements.csv, line 4: relevance is 'high'; expected 0, 1 or 2
    """
    try:
        number = float(str(value).strip().replace(",", "."))
    except ValueError:
        number = float("nan")
    if isinstance(value, bool) or not abs(number) <= LARGEST_GRADE or number != int(number):
        raise ValueError(f"{where} is {value!r}; expected 0, 1 or 2")
    return int(number)


_ID, _TEXT = Field(to_id, None, "str"), Field(to_text, "", "str")

DOCUMENTS = {
    DOC_ID: _ID,
    TEXT: _TEXT,
    "title": _TEXT,
    "section": _TEXT,
    "status": _TEXT._replace(default="current"),
    "updated": _TEXT,
    "region": _TEXT._replace(default="all"),
    "roles": _TEXT._replace(default="all"),
}
QUESTIONS = {
    QUERY_ID: _ID,
    TEXT: _TEXT,
    "type": _TEXT._replace(default="unspecified"),
    "lang": _TEXT._replace(default="en"),
    "script": _TEXT._replace(default="Latn"),
    "answerable": Field(to_truth, pd.NA, "boolean"),
    "unanswerable_kind": _TEXT,
    "split": _TEXT._replace(default="dev"),
    "need": _TEXT,
    "twin_of": _TEXT,
    "showcase": Field(to_flag, False, "bool"),
}
QRELS = {QUERY_ID: _ID, DOC_ID: _ID, RELEVANCE: Field(to_grade, None, "int64")}
ANNOTATIONS = {
    QUERY_ID: _ID,
    DOC_ID: _ID,
    "annotator": _ID,
    "grade": Field(to_grade, None, "int64"),
    "reason": _TEXT,
    "note": _TEXT,
}
NEEDED = {
    "documents": [DOC_ID, TEXT],
    "questions": [QUERY_ID, TEXT],
    "qrels": list(QRELS),
    "annotations": [QUERY_ID, DOC_ID, "annotator", "grade"],
}
FIELDS = {"documents": DOCUMENTS, "questions": QUESTIONS, "qrels": QRELS, "annotations": ANNOTATIONS}


def clean(table: Table, kind: str, places: Sequence[str] | None = None, name: str = "") -> pd.DataFrame:
    """Return a new frame with the columns of its kind first, in their types, with what was left out filled in.

    Parameters
    ----------
    table
        As read or as made in code; other columns are kept as text. Judgements may be `{query_id: {doc_id: grade}}`.
    kind
        "documents", "questions", "qrels" or "annotations".
    places
        Where each row comes from ("questions.csv, line 7"), for messages.
    name
        What messages call the whole; by default the kind.

    Examples
    --------
    >>> clean(pd.DataFrame({"query_id": ["q1"], "doc_id": ["d1"], "relevance": ["2"]}), "qrels").to_dict("list")
    {'query_id': ['q1'], 'doc_id': ['d1'], 'relevance': [2]}
    """
    needed = columns_of(table, NEEDED[kind], name or kind)
    frame = table if isinstance(table, pd.DataFrame) else pd.DataFrame(needed)
    where = places or [f"{kind}: row {row}" for row in range(len(frame))]
    extra = {str(column): _TEXT for column in frame.columns if column not in FIELDS[kind]}
    fields = {**FIELDS[kind], **extra}
    return pd.DataFrame({column: _column(frame, column, field, where) for column, field in fields.items()})


def _column(frame: pd.DataFrame, column: str, field: Field, where: Sequence[str]) -> pd.Series:
    if column not in frame.columns:
        return pd.Series([field.default] * len(frame), dtype=field.dtype)
    cells = [
        field.default if field.read is to_text and is_blank(cell) else field.read(cell, f"{place}: {column}")
        for cell, place in zip(frame[column], where, strict=True)
    ]
    return pd.Series(cells, dtype=field.dtype)
