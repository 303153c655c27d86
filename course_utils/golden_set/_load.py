"""Find and read the files of a golden set: as the course ships it, or as a spreadsheet saves it."""

import json
from pathlib import Path
from typing import Any

import pandas as pd

from course_utils import paths
from course_utils.formats._rows import read_rows
from course_utils.formats._text import numbered_lines
from course_utils.golden_set._csv import Rows, decoded, read_csv
from course_utils.golden_set._fields import FIELDS, NEEDED, clean, is_blank
from course_utils.golden_set._set import GoldenSet
from course_utils.schema import DOC_ID, QUERY_ID, RELEVANCE, plural, warn

NAMES = {
    "documents": ["documents.jsonl", "handbook.jsonl", "documents.csv"],
    "questions": ["questions.jsonl", "questions.csv"],
    "qrels": ["qrels.txt", "judgements.csv"],
    "annotations": ["annotations.tsv", "annotations.csv"],
}


def load_golden_set(path: str | Path | None = None) -> GoldenSet:
    """Read a golden set from a folder; by default the handbook that comes with the course.

    Parameters
    ----------
    path
        A folder with `documents.jsonl` or `documents.csv`, `questions.jsonl` or `questions.csv`, `qrels.txt` (TREC)
        or `judgements.csv`, and optionally `annotations.tsv`. `assets/templates` has the CSV files to fill in.

    Returns
    -------
    GoldenSet
        Whatever can be read. What is wrong with its content is for `validate` to say.

    Raises
    ------
    ValueError
        A file is missing, is there in two formats, or cannot be read; the message names file and line.

    Examples
    --------
    >>> golden = load_golden_set(paths.assets("templates"))
    >>> golden.questions["answerable"].tolist()
    [True, True, False]
    """
    folder = None if path is None else Path(path).expanduser()
    if folder is not None and not folder.is_dir():
        raise ValueError(f"{folder} is no folder; expected one with questions, documents and judgements")
    files = _shipped() if folder is None else {part: _find(folder, part) for part in NAMES}
    frames = {part: _read(file, part) for part, file in files.items() if file is not None}
    return GoldenSet(**frames, folder=folder or paths.assets())


def read_annotations(path: str | Path) -> pd.DataFrame:
    r"""Read what each judge said: query_id, doc_id, annotator, grade, reason, note.

    Parameters
    ----------
    path
        A TSV or CSV file with these columns; reason and note may be left out.

    Returns
    -------
    pandas.DataFrame
        Grades as int64, all else as text.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "annotations.tsv")
    ...     _ = path.write_text("query_id\tdoc_id\tannotator\tgrade\nq1\td1\tA\t2\n")
    ...     read_annotations(path)[["annotator", "grade"]].to_dict("list")
    {'annotator': ['A'], 'grade': [2]}
    """
    return _read(Path(path), "annotations")


def _shipped() -> dict[str, Path | None]:
    labels = paths.assets("golden_set")
    found = {part: _find(labels, part) for part in ("questions", "qrels", "annotations")}
    return {"documents": _find(paths.assets("corpus"), "documents"), **found}


def _find(folder: Path, part: str) -> Path | None:
    found = [folder / name for name in NAMES[part] if (folder / name).is_file()]
    if len(found) > 1:
        names = " and ".join(file.name for file in found)
        raise ValueError(f"{folder} holds {names}: which one counts? Move the other away")
    if found or part == "annotations":
        return found[0] if found else None
    there = ", ".join(sorted(file.name for file in folder.glob("*"))) or "nothing"
    raise ValueError(
        f"{folder} has no {' or '.join(NAMES[part])}; found {there}. Templates are in assets/templates; "
        "save a spreadsheet as CSV UTF-8 under this name"
    )


def _read(file: Path, part: str) -> pd.DataFrame:
    if file.suffix == ".txt":
        return _read_trec(file)
    rows = _read_jsonl(file) if file.suffix == ".jsonl" else read_csv(file, set(FIELDS[part]))
    if part == "qrels":
        rows = _without_blank_grades(rows, file.name)
    if part == "annotations":
        rows = Rows(rows.frame.rename(columns={RELEVANCE: "grade"}), rows.places)
    _check_columns(list(rows.frame.columns), part, file.name)
    return clean(rows.frame, part, rows.places, file.name)


def _check_columns(found: list[str], part: str, name: str) -> None:
    missing = [column for column in NEEDED[part] if column not in found]
    if missing:
        raise ValueError(
            f"{name} has no column {', '.join(missing)}; found {', '.join(found) or 'nothing'}. "
            f"Expected {', '.join(NEEDED[part])}, in any order: rename or add the column"
        )


def _read_trec(file: Path) -> pd.DataFrame:
    """Read TREC judgements as they stand: two grades for one document are a finding, not the end."""
    rows = [(row.query, row.document, row.value) for row in read_rows(numbered_lines(file), file, RELEVANCE)]
    return pd.DataFrame(rows, columns=[QUERY_ID, DOC_ID, RELEVANCE])


def _read_jsonl(file: Path) -> Rows:
    records, places = [], []
    for number, line in enumerate(decoded(file).split("\n"), start=1):
        if line.strip():
            places.append(f"{file.name}, line {number}")
            records.append(_record(line, places[-1]))
    return Rows(pd.DataFrame(records, dtype=object), places)


def _record(line: str, where: str) -> dict[str, Any]:
    try:
        record = json.loads(line)
    except json.JSONDecodeError as error:
        raise ValueError(
            f"{where}: not JSON ({error.msg} at character {error.pos + 1}): {line[:40]!r}"
        ) from error
    if not isinstance(record, dict):
        raise ValueError(f'{where}: found {line[:40]!r}; expected one object per line, {{"query_id": …}}')
    return record


def _without_blank_grades(rows: Rows, name: str) -> Rows:
    """Leave out the rows that nobody has judged yet: a blank is not a zero."""
    if RELEVANCE not in rows.frame:
        return rows
    blank = [is_blank(cell) for cell in rows.frame[RELEVANCE]]
    if any(blank):
        first = rows.places[blank.index(True)]
        warn(
            f"{name}: {plural(sum(blank), 'row')} without a grade left out as not judged yet (the first: {first})"
        )
    keep = [not one for one in blank]
    return Rows(rows.frame.loc[keep], [place for place, kept in zip(rows.places, keep, strict=True) if kept])
