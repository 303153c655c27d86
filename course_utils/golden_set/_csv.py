"""Tables as people save them: from Excel, LibreOffice, Numbers or an editor, in any of their dialects.

Read rightly: UTF-8 with or without byte order mark, UTF-16 (Excel's "Unicode Text"), commas, semicolons or tabs,
a `sep=;` line, any line end, quotes with line breaks inside, columns in any order and case, spaces around cells,
blank rows and columns. A file that is not UTF-8 is read as Windows-1252, what Excel on Windows saves as plain "CSV",
with a warning that shows a line to check.
"""

import csv
import io
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from course_utils.schema import warn

BOM16 = (b"\xff\xfe", b"\xfe\xff")
MARKS = {",": "comma", ";": "semicolon", "\t": "tab"}
SEPARATORS = "".join(MARKS)
BROKEN = ("#NAME?", "#REF!", "#VALUE!", "#N/A", "#DIV/0!")
SAVE = 'save it as "CSV UTF-8"'


class Rows(NamedTuple):
    """Rows of a file as text, and the place that each comes from, for messages."""

    frame: pd.DataFrame
    places: list[str]


def read_csv(path: Path, known: set[str]) -> Rows:
    r"""Return the rows of a CSV or TSV file.

    Parameters
    ----------
    path
        The file.
    known
        Names of columns that one would expect: they tell the separator.

    Raises
    ------
    ValueError
        No table, a row with too many cells, a column with cells and no name, a quote that is never closed, or a
        cell that Excel broke: the message names file and line.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "questions.csv")
    ...     _ = path.write_bytes(b"\xef\xbb\xbfText; Query ID\r\n\"a; b\"; q1\r\n;\r\n")
    ...     rows = read_csv(path, {"query_id", "text"})
    >>> rows.frame.to_dict("records"), rows.places
    ([{'text': 'a; b', 'query_id': 'q1'}], ['questions.csv, line 2'])
    """
    text = decoded(path)
    separator = _separator(text, known)
    numbered = list(_rows(text, separator, path.name))
    if not numbered:
        raise ValueError(f"{path.name} is empty; expected a first line with {', '.join(sorted(known))}")
    (_, header), body = numbered[0], numbered[1:]
    names = [column_name(cell) for cell in header]
    checked = [_checked(cells, names, f"{path.name}, line {line}", separator) for line, cells in body]
    used = [place for place, name in enumerate(names) if name]
    columns = [names[place] for place in used]
    for twice in [name for name in columns if columns.count(name) > 1][:1]:
        raise ValueError(f"{path.name} has the column {twice} twice; keep one")
    frame = pd.DataFrame([[row[place] for place in used] for row in checked], columns=columns, dtype="str")
    return Rows(frame, [f"{path.name}, line {line}" for line, _ in body])


def decoded(path: Path) -> str:
    """Return the text of a file saved by a spreadsheet, without byte order mark.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "questions.csv")
    ...     _ = path.write_bytes("Größe".encode("utf-16"))
    ...     decoded(path)
    'Größe'
    """
    data = path.read_bytes()
    if data.startswith(b"PK\x03\x04"):
        raise ValueError(f"{path.name} is an Excel or LibreOffice workbook; open it and {SAVE}")
    try:
        text = data.decode("utf-16" if data.startswith(BOM16) else "utf-8-sig")
    except UnicodeDecodeError:
        return _windows(data, path.name)
    if "\0" in text:
        raise ValueError(f"{path.name} is no text; {SAVE}")
    return text


def column_name(cell: str) -> str:
    """Return a header cell as a column's name: lower case, words joined by underscores.

    Examples
    --------
    >>> column_name(" Query ID"), column_name("twin-of")
    ('query_id', 'twin_of')
    """
    name = "_".join(cell.replace("-", " ").replace("_", " ").lower().split())
    return "relevance" if name == "grade" else name


def _windows(data: bytes, name: str) -> str:
    try:
        text = data.decode("cp1252")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise ValueError(
            f"{name}, line {line}: byte {data[error.start]:#x} is neither UTF-8 nor Windows text; {SAVE}"
        ) from error
    lines = enumerate(text.splitlines(), start=1)
    number, sample = next((number, one) for number, one in lines if not one.isascii())
    warn(f"{name} is not UTF-8; read as Windows-1252. Check line {number}: {sample[:60]!r}, or {SAVE}")
    return text


def _separator(text: str, known: set[str]) -> str:
    """Return the separator that makes most known names of the first line."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    if first.lower().startswith("sep=") and len(first.strip("\r\n")) == 5:
        return first[4]
    found = [sum(column_name(cell) in known for cell in _cells(first, mark)) for mark in SEPARATORS]
    return SEPARATORS[found.index(max(found))]


def _cells(line: str, separator: str) -> list[str]:
    return next(csv.reader([line], delimiter=separator), [])


def _rows(text: str, separator: str, name: str) -> Iterator[tuple[int, list[str]]]:
    """Give the line on which each row starts and its stripped cells; blank rows are left out."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    start = 1
    try:
        for row in reader:
            cells = [cell.strip() for cell in row]
            if any(cells) and not (start == 1 and separator.join(cells).lower().startswith("sep=")):
                yield start, cells
            start = reader.line_num + 1
    except csv.Error as error:
        raise ValueError(
            f'{name}, line {start}: a quote is never closed or stands alone ({error}); write "" for a quote '
            "inside a quoted text"
        ) from error


def _one_cell(cell: str, where: str, separator: str) -> None:
    """Refuse a row that was pasted from a file with another separator: it would look like a row to fill in."""
    for other in SEPARATORS.replace(separator, ""):
        if cell.count(other) > 1:
            raise ValueError(
                f"{where}: {cell[:30]!r} is one cell; the first line of the file has a "
                f"{MARKS.get(separator, repr(separator))} between cells, and this one a {MARKS[other]}: use the same"
            )


def _checked(cells: list[str], names: list[str], where: str, separator: str) -> list[str]:
    if len(names) > 1 and not any(cells[1:]):
        _one_cell(cells[0], where, separator)
    for place, cell in enumerate(cells):
        if cell and (place >= len(names) or not names[place]):
            raise ValueError(
                f"{where}: cell {place + 1} ({cell[:30]!r}) has no column name in the first line; a text that holds "
                f'a {MARKS.get(separator, repr(separator))} goes in quotes: "like this"'
            )
        if cell in BROKEN:
            raise ValueError(
                f"{where}: {names[place]} is {cell}: Excel took the text for a formula; type it again"
            )
    return cells + [""] * (len(names) - len(cells))
