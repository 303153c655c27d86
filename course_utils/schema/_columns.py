"""From what was passed in to clean columns: ids as text, numbers as numbers, or a refusal."""

from collections.abc import Iterable, Mapping
from itertools import chain
from numbers import Integral
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from course_utils.schema._names import DOC_ID, OTHER_NAMES, QUERY_ID

LARGEST_GRADE = 2**53  # up to here a float holds every whole number exactly
LARGEST_WHOLE = 10**300  # a longer whole number is no score, and has no float


def columns_of(table: Any, columns: list[str], name: str) -> dict[str, pd.Series]:
    """Return the wanted columns of a frame or of `{query_id: {doc_id: value}}`, as they were passed.

    Examples
    --------
    >>> {c: list(v) for c, v in columns_of({"q1": {"d1": 2}}, ["query_id", "doc_id", "score"], "run").items()}
    {'query_id': ['q1'], 'doc_id': ['d1'], 'score': [2]}
    """
    if isinstance(table, Mapping):
        check_rows(table, columns[-1], name)
        queries = chain.from_iterable([query] * len(row) for query, row in table.items())
        documents, values = (chain.from_iterable(part) for part in (table.values(), _values(table)))
        return dict(zip(columns, map(_series, (queries, documents, values)), strict=True))
    if isinstance(table, str | Path):
        raise ValueError(f"{name} is a path ({str(table)!r}); read it first, with read_qrels or read_run")
    if not isinstance(table, pd.DataFrame):
        raise ValueError(
            f"{name} is a {type(table).__name__}; expected a DataFrame with {', '.join(columns)} "
            f"or {{query_id: {{doc_id: {columns[-1]}}}}}"
        )
    check_columns(table, columns, name)
    return {column: table[column] for column in columns}


def clean_table(table: Any, columns: list[str], name: str) -> pd.DataFrame:
    """Return a new frame with both id columns as text and the value column as it was passed.

    Examples
    --------
    >>> clean_table({1: {2: 0.5}}, ["query_id", "doc_id", "score"], "run").to_dict("list")
    {'query_id': ['1'], 'doc_id': ['2'], 'score': [0.5]}
    """
    given = columns_of(table, columns, name)
    ids = {column: as_text(given[column], f"{name}: {column}") for column in columns[:2]}
    return pd.DataFrame({**ids, columns[2]: given[columns[2]].reset_index(drop=True)})


def check_rows(table: Mapping[Any, Any], value: str, name: str) -> None:
    """Refuse a dict whose values are not dicts.

    Examples
    --------
    >>> check_rows({"q1": ["d1", "d2"]}, "score", "run")
    Traceback (most recent call last):
    ValueError: run: query 'q1' holds a list; expected {doc_id: score}
    """
    if set(map(type, table.values())) <= {dict}:
        return
    for query, row in table.items():
        if not isinstance(row, Mapping):
            raise ValueError(
                f"{name}: query {query!r} holds a {type(row).__name__}; expected {{doc_id: {value}}}"
            )


def check_columns(table: pd.DataFrame, columns: list[str], name: str) -> None:
    """Refuse a frame that lacks a column, has one twice, or names it otherwise; say the renaming.

    Examples
    --------
    >>> check_columns(pd.DataFrame(columns=["qid", "doc_id"]), ["query_id", "doc_id"], "run")
    Traceback (most recent call last):
    ValueError: run has no column query_id; found qid, doc_id. Rename: run.rename(columns={'qid': 'query_id'})
    """
    found = [str(column) for column in table.columns]
    missing = [column for column in columns if column not in found]
    twice = [column for column in columns if found.count(column) > 1]
    if twice:
        raise ValueError(f"{name} has the column {twice[0]} twice; keep one")
    if not missing:
        return
    spare = {column.strip("\ufeff ").lower(): column for column in found if column not in columns}
    renames = {spare[o]: m for m in missing for o in reversed(OTHER_NAMES.get(m, [])) if o in spare}
    renames = {old: new for new, old in {new: old for old, new in renames.items()}.items()}
    hint = f"Rename: {name}.rename(columns={renames})" if renames else f"Expected {', '.join(columns)}"
    raise ValueError(f"{name} has no column {', '.join(missing)}; found {', '.join(found) or 'none'}. {hint}")


def as_text(ids: pd.Series, where: str) -> pd.Series:
    """Return ids as text; missing, empty, padded and mixed ones are refused.

    Examples
    --------
    >>> as_text(pd.Series([7, 12]), "run: doc_id").to_list()
    ['7', '12']
    """
    for row in np.flatnonzero(ids.isna().to_numpy())[:1]:
        raise ValueError(f"{where} is missing in row {row}")
    id_kind(ids, where)
    text = ids.astype("str").reset_index(drop=True)
    for row in np.flatnonzero((text == "").to_numpy())[:1]:
        raise ValueError(f"{where} is empty in row {row}")
    return text


def id_kind(ids: pd.Series, where: str) -> str:
    """Say whether ids are "text" or "whole numbers" ("" for no ids); anything else is refused.

    Examples
    --------
    >>> id_kind(pd.Series(["1"]), "run: doc_id"), id_kind(pd.Series([1]), "run: doc_id")
    ('text', 'whole numbers')
    >>> id_kind(pd.Series([1.0]), "run: doc_id")
    Traceback (most recent call last):
    ValueError: run: doc_id holds float (1.0); ids are text or whole numbers: read them with dtype=str
    """
    if isinstance(ids.dtype, pd.CategoricalDtype):
        return id_kind(pd.Series(ids.cat.categories), where)
    if ids.empty or isinstance(ids.dtype, pd.StringDtype):
        return "text" if len(ids) else ""
    return kind_of_types({type(one) for one in (ids if ids.dtype == object else ids[:1])}, ids, where)


def id_kinds(table: Any, name: str) -> dict[str, str]:
    """`id_kind` of both id columns of a frame or a dict; of a dict, only the first id of each list is read.

    Examples
    --------
    >>> id_kinds({"q1": {7: 0.5}}, "run")
    {'query_id': 'text', 'doc_id': 'whole numbers'}
    """
    if not isinstance(table, Mapping):
        given = columns_of(table, [QUERY_ID, DOC_ID], name)
        return {column: id_kind(ids, f"{name}: {column}") for column, ids in given.items()}
    check_rows(table, "value", name)
    firsts = list(map(next, map(iter, filter(None, table.values()))))
    return {
        QUERY_ID: kind_of_types(set(map(type, table)), table, f"{name}: query_id"),
        DOC_ID: kind_of_types(set(map(type, firsts)), firsts, f"{name}: doc_id"),
    }


def kind_of_types(types: set[type], ids: Iterable[Any], where: str) -> str:
    """As `id_kind`, from the set of the ids' types; `ids` are looked through only for the message.

    Examples
    --------
    >>> kind_of_types({str}, ["d1"], "run: doc_id")
    'text'
    """
    text = {one for one in types if issubclass(one, str)}
    whole = {one for one in types if issubclass(one, Integral) and not issubclass(one, bool)}
    for odd in sorted(types - text - whole, key=str):
        one = next(one for one in ids if type(one) is odd)
        raise ValueError(
            f"{where} holds {odd.__name__} ({one}); ids are text or whole numbers: read them with dtype=str"
        )
    if text and whole:
        examples = [next(one for one in ids if isinstance(one, kind)) for kind in (str, Integral)]
        raise ValueError(f"{where} mixes text ({examples[0]!r}) and numbers ({examples[1]!r}); make all text")
    return "text" if text else "whole numbers" if whole else ""


def numbers(values: pd.Series, where: str) -> pd.Series:
    """Return a numeric column; text, True/False and other things are refused.

    Examples
    --------
    >>> numbers(pd.Series([1, "0.5"]), "run: score")
    Traceback (most recent call last):
    ValueError: run: score holds str ('0.5') in row 1; expected a number
    """
    plain = values.dtype.kind in "iuf" and not isinstance(values.dtype, pd.CategoricalDtype)
    quick = plain or set(map(type, values)) <= {float, int}
    if not quick or (not plain and max(map(abs, values), default=0) > LARGEST_WHOLE):
        for row, one in enumerate(values):
            _check_number(one, f"{where} holds {type(one).__name__} ({one!r:.40}) in row {row}")
    return values.astype("float64").reset_index(drop=True)


def _check_number(one: Any, found: str) -> None:
    odd = isinstance(one, bool | np.bool_ | complex) or not isinstance(one, int | float | np.number | None)
    if odd or (isinstance(one, int) and abs(one) > LARGEST_WHOLE):
        raise ValueError(f"{found}; expected a number")


def whole(values: pd.Series, where: str) -> pd.Series:
    """Return grades as int64; missing, broken and huge ones are refused.

    Examples
    --------
    >>> whole(pd.Series([2.0, 0.5]), "qrels: relevance")
    Traceback (most recent call last):
    ValueError: qrels: relevance in row 1 is 0.5: not a whole number (rescale, e.g. x2)
    """
    if isinstance(values.dtype, np.dtype) and values.dtype.kind in "iu":
        given = values.to_numpy()
        if given.min(initial=0) >= -LARGEST_GRADE and given.max(initial=0) <= LARGEST_GRADE:
            return values.astype("int64").reset_index(drop=True)
    grades = numbers(values, where)
    plain = grades.to_numpy()
    rounded = [
        row for row in np.flatnonzero(np.abs(plain) == LARGEST_GRADE) if values.iloc[row] != plain[row]
    ]
    for row in [*np.flatnonzero(~(np.abs(plain) <= LARGEST_GRADE)), *rounded][:1]:
        raise ValueError(f"{where} in row {row} is {plain[row]}; expected a whole number such as 0, 1 or 2")
    for row in np.flatnonzero(plain != np.trunc(plain))[:1]:
        raise ValueError(f"{where} in row {row} is {plain[row]}: not a whole number (rescale, e.g. x2)")
    return grades.astype("int64")


def _values(table: Mapping[Any, Mapping[Any, Any]]) -> Iterable[Iterable[Any]]:
    return (row.values() for row in table.values())


def _series(items: Iterable[Any]) -> pd.Series:
    """Keep each item as it is (bool, int, str), so that the checks see its own type."""
    return pd.Series(list(items), dtype=object)
