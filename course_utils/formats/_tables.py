"""Judgements and runs as CSV, TSV or JSON lines, chosen by the name of the file."""

import csv
import io
import json
from pathlib import Path

import pandas as pd

from course_utils.formats._text import write_whole
from course_utils.schema import DOC_ID, QUERY_ID

SEPARATORS = {".csv": ",", ".tsv": "\t"}
JSON_LINES = (".jsonl", ".ndjson")


def table_kind(path: Path) -> str:
    """Return the ending that makes a file a table, or "" for TREC text; .gz behind it does not count.

    Examples
    --------
    >>> table_kind(Path("bm25.csv.gz")), table_kind(Path("bm25.run"))
    ('.csv', '')
    """
    name = path.with_suffix("") if path.suffix == ".gz" else path
    return name.suffix if name.suffix in (*SEPARATORS, *JSON_LINES) else ""


def write_table(table: pd.DataFrame, path: Path) -> None:
    """Write a frame in the form that the name tells, numbers in full.

    Raises
    ------
    ValueError
        An id would not come back as it is.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_table(pd.DataFrame({"query_id": ["q1"], "doc_id": ["a,b"]}), Path(folder, "a.csv"))
    ...     print(Path(folder, "a.csv").read_text(), end="")
    query_id,doc_id
    q1,"a,b"
    """
    names, rows = list(table.columns), table.itertuples(index=False, name=None)
    kind = table_kind(path)
    if kind in JSON_LINES:
        lines = (json.dumps(dict(zip(names, row, strict=True)), ensure_ascii=False) for row in rows)
        write_whole(path, "".join(f"{line}\n" for line in lines))
        return
    _check_ids(table)
    text = io.StringIO()
    writer = csv.writer(text, delimiter=SEPARATORS[kind], lineterminator="\n")
    writer.writerows([names, *rows])
    write_whole(path, text.getvalue())


def _check_ids(table: pd.DataFrame) -> None:
    for column in (QUERY_ID, DOC_ID):
        for one in pd.unique(table[column]):
            if one != one.strip() or any(ord(letter) < ord(" ") for letter in one) or one[0] == "#":
                raise ValueError(
                    f"{column} {one!r} cannot stand in a table (a blank at an end, a line end, # in front)"
                )
