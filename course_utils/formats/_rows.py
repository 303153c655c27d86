"""From numbered lines to (line number, query, document, value): TREC, tables with a header, JSON lines."""

import csv
import json
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from course_utils.formats._text import Line
from course_utils.schema import DOC_ID, LARGEST_GRADE, OTHER_NAMES, QUERY_ID, RELEVANCE

BLANKS = re.compile(r"[ \t]+")
WHOLE = re.compile(r"[+-]?\d+(\.0*)?", re.ASCII)
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
RUN_LINE, QRELS_LINE = "query_id Q0 doc_id rank score tag", "query_id 0 doc_id grade"


class Row(NamedTuple):
    """One line of a file; `rank` is None where the file has no rank column."""

    line: int
    query: str
    document: str
    value: float
    rank: int | None = None


def read_rows(lines: Iterable[Line], path: Path, value: str) -> Iterator[Row]:
    """Give the rows of a file whose first line tells what it is: JSON, a header, or TREC.

    Examples
    --------
    >>> list(read_rows([(1, "q1 0 d1 2")], Path("qrels.txt"), "relevance"))
    [Row(line=1, query='q1', document='d1', value=2, rank=None)]
    """
    listed = list(lines)
    first = listed[0][1]
    if first.lstrip().startswith("{"):
        return _json_rows(listed, path, value)
    names, separator = _header(first)
    if names:
        return _table_rows(listed, names, separator, path, value)
    return _trec_qrels(listed, path) if value == RELEVANCE else trec_run(listed, path)


def is_trec(first: str) -> bool:
    """Whether the first line of data begins a TREC file, not a table with a header or JSON lines.

    Examples
    --------
    >>> is_trec("q1 Q0 d1 3 0.5 bm25"), is_trec("query_id,doc_id,score"), is_trec('{"qid": "q1"}')
    (True, False, False)
    """
    return not first.lstrip().startswith("{") and not _header(first)[0]


def _header(first: str) -> tuple[list[str], str | None]:
    """Names of the columns and what parts them; no names if the line is no header."""
    separator = next((mark for mark in "\t,;" if mark in first), None)
    names = [name.strip(' "\t').lower() for name in (first.split(separator) if separator else first.split())]
    told = all(set(names) & _names(column) for column in (QUERY_ID, DOC_ID))
    return (names, separator) if told else ([], separator)


def trec_run(lines: Iterable[Line], path: Path) -> Iterator[Row]:
    """Give the rows of lines of a TREC run.

    Examples
    --------
    >>> list(trec_run([(1, "q1 Q0 d1 3 0.5 bm25")], Path("a.run")))
    [Row(line=1, query='q1', document='d1', value=0.5, rank=3)]
    """
    for number, line in lines:
        fields, where = BLANKS.split(line.strip(" \t"), maxsplit=5), f"{path}, line {number}"
        if len(fields) < 6:
            hint = "; this looks like judgements: read_qrels reads them" if len(fields) == 4 else ""
            raise ValueError(f"{where}: {_fields(fields)}, expected 6 ({RUN_LINE}){hint}")
        query, _, document, rank, score, tag = fields
        if not WHOLE.fullmatch(rank):
            raise ValueError(f"{where}: rank {rank!r} is not a whole number; expected {RUN_LINE}")
        after = BLANKS.split(tag)
        if len(after) > 1 and NUMBER.fullmatch(after[0]):
            raise ValueError(f"{where}: the score may be {score} or {after[0]}; an id must not hold a blank")
        yield Row(number, query, document, _score(score, where), int(float(rank)))


def _trec_qrels(lines: list[Line], path: Path) -> Iterator[Row]:
    for number, line in lines:
        fields, where = BLANKS.split(line.strip(" \t")), f"{path}, line {number}"
        if len(fields) != 4:
            hint = "; this looks like a run: read_run reads it" if len(fields) == 6 else ""
            raise ValueError(f"{where}: {_fields(fields)}, expected 4 ({QRELS_LINE}){hint}")
        yield Row(number, fields[0], fields[2], _grade(fields[3], where))


def _table_rows(
    lines: list[Line], names: list[str], separator: str | None, path: Path, value: str
) -> Iterator[Row]:
    places = [_place(names, column, path, lines[0][0]) for column in (QUERY_ID, DOC_ID, value)]
    for number, line in lines[1:]:
        fields = next(csv.reader([line], delimiter=separator)) if separator else line.split()
        where = f"{path}, line {number}"
        if len(fields) != len(names):
            raise ValueError(f"{where}: {_fields(fields)}, expected {len(names)} ({', '.join(names)})")
        query, document, found = (fields[place].strip() for place in places)
        if not query or not document:
            raise ValueError(f"{where}: an id is empty")
        yield Row(number, query, document, _parser(value)(found, where))


def _json_rows(lines: list[Line], path: Path, value: str) -> Iterator[Row]:
    for number, line in lines:
        where = f"{path}, line {number}"
        try:
            record = json.loads(line)
        except json.JSONDecodeError as error:
            raise ValueError(f"{where}: no JSON ({error.msg} at column {error.colno})") from error
        if not isinstance(record, dict):
            raise ValueError(
                f"{where}: {type(record).__name__}, expected an object with query_id, doc_id, {value}"
            )
        names = [str(name).lower() for name in record]
        columns = [_place(names, column, path, number) for column in (QUERY_ID, DOC_ID, value)]
        query, document, found = (list(record.values())[column] for column in columns)
        for one in (query, document):
            if not isinstance(one, str) or not one.strip():
                raise ValueError(f'{where}: id {one!r}; expected text, such as "d1"')
        if isinstance(found, bool) or not isinstance(found, int | float):
            raise ValueError(f"{where}: {value} {found!r} is not a number")
        yield Row(number, query, document, _parser(value)(repr(found), where))


def _names(column: str) -> set[str]:
    return {column, *OTHER_NAMES[column]}


def _place(names: list[str], column: str, path: Path, line: int) -> int:
    """Column number of what is called `column` here; its own name comes before the other spellings."""
    for name in (column, *OTHER_NAMES[column]):
        if name in names:
            return names.index(name)
    raise ValueError(f"{path}, line {line}: no column {column}; found {', '.join(names)}")


def _parser(value: str) -> Callable[[str, str], float]:
    return _grade if value == RELEVANCE else _score


def _grade(text: str, where: str) -> int:
    if WHOLE.fullmatch(text) and len(text) < 99 and abs(grade := int(text.split(".")[0])) <= LARGEST_GRADE:
        return grade
    hint = "is not a whole number (rescale, e.g. x2)" if NUMBER.fullmatch(text) else "is not a whole number"
    raise ValueError(f"{where}: grade {text} {hint}")


def _score(text: str, where: str) -> float:
    if NUMBER.fullmatch(text) and abs(float(text)) < float("inf"):
        return float(text)
    comma = "; write a decimal point" if NUMBER.fullmatch(text.replace(",", ".")) else ""
    raise ValueError(f"{where}: score {text} is not a finite number{comma}")


def _fields(fields: list[Any]) -> str:
    return f"{len(fields)} field{'' if len(fields) == 1 else 's'}"
