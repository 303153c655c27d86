"""Read and write judgements and runs: TREC text, BEIR, CSV and TSV with a header, JSON lines, also as .gz.

Every refusal names the file, the line, what was found and what was expected. A byte order mark, CRLF, tabs,
blank lines, `#` comment lines and a missing last newline are read rightly.
"""

from os import PathLike
from pathlib import Path

import pandas as pd

from course_utils.formats._beir import TITLE, Beir, read_texts, write_beir
from course_utils.formats._fast import read_judgements
from course_utils.formats._pieces import RunFile, frame_of_rows
from course_utils.formats._rows import Row, read_rows
from course_utils.formats._text import numbered_lines, read_bytes
from course_utils.formats._write import write_qrels, write_run
from course_utils.schema import (
    DOC_ID,
    QUERY_ID,
    RELEVANCE,
    TEXT,
    plural,
    warn,
)

__all__ = [
    "Beir",
    "read_beir",
    "read_qrels",
    "read_run",
    "scan_run",
    "write_beir",
    "write_qrels",
    "write_run",
]

StrPath = str | PathLike[str]


def read_qrels(path: StrPath) -> pd.DataFrame:
    r"""Read judgements.

    Parameters
    ----------
    path
        TREC (`query_id 0 doc_id grade`), a table with a header (BEIR's query-id, corpus-id, score; CSV, TSV), or
        JSON lines; plain or gzip.

    Returns
    -------
    pandas.DataFrame
        query_id, doc_id (text), relevance (int64), in the order of the file. A judgement that stands twice with
        the same grade is kept once, with a `CourseWarning`.

    Raises
    ------
    ValueError
        A line is malformed, a grade is not whole, one document has two grades, or the file is no UTF-8 text.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "qrels.txt")
    ...     _ = path.write_text("q1 0 d1 2\n")
    ...     read_qrels(path).to_dict("list")
    {'query_id': ['q1'], 'doc_id': ['d1'], 'relevance': [2]}
    """
    file, kept, copies = Path(path), dict[tuple[str, str], Row](), 0
    quick = read_judgements(read_bytes(file))
    if quick is not None:
        return quick
    for row in read_rows(numbered_lines(file), file, RELEVANCE):
        first = kept.setdefault((row.query, row.document), row)
        if first.value != row.value:
            raise ValueError(
                f"{file}: {row.query} {row.document} judged twice with grades {first.value} (line {first.line}) "
                f"and {row.value} (line {row.line}); keep the right one"
            )
        copies += first is not row
    if copies:
        warn(f"{file}: {plural(copies, 'duplicate judgement')} with the same grade, kept once")
    return frame_of_rows(kept.values(), RELEVANCE, "int64")


def read_run(path: StrPath) -> pd.DataFrame:
    r"""Read a run.

    Parameters
    ----------
    path
        TREC (`query_id Q0 doc_id rank score tag`; all after the score is the tag), a table with a header, or JSON
        lines; plain or gzip.

    Returns
    -------
    pandas.DataFrame
        query_id, doc_id (text), score (float64), in the order of the file. The rank column is not used; where it
        contradicts the scores, a `CourseWarning` says so. No rows only where the file says, as `adapter.Answers.write`
        writes it, that nothing was returned for any question.

    Raises
    ------
    ValueError
        There is no line of data, a line is malformed, a score is no finite number, a query has one document twice, or
        the file is no UTF-8 text.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "bm25.run")
    ...     _ = path.write_text("q1 Q0 d1 1 7.5 bm25\n")
    ...     read_run(path).to_dict("list")
    {'query_id': ['q1'], 'doc_id': ['d1'], 'score': [7.5]}
    """
    return RunFile(Path(path)).read()


def scan_run(path: StrPath) -> RunFile:
    r"""Leave a run in its file, for `evaluate` to read piece by piece: for a run that is large for the memory.

    Parameters
    ----------
    path
        As for `read_run`; the same is refused, when it is reached.

    Returns
    -------
    RunFile
        Iterable: DataFrames as from `read_run`, each with all rows of its queries if these stand together in the
        file. `evaluate(qrels, scan_run(path))` gives what `evaluate(qrels, read_run(path))` gives.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "bm25.run")
    ...     _ = path.write_text("q1 Q0 d1 1 7.5 bm25\n")
    ...     for piece in scan_run(path):
    ...         print(piece.to_dict("list"))
    {'query_id': ['q1'], 'doc_id': ['d1'], 'score': [7.5]}
    """
    return RunFile(Path(path))


def read_beir(folder: StrPath, *, split: str = "test") -> Beir:
    """Read a folder in the layout of BEIR; `write_beir` writes one.

    Parameters
    ----------
    folder
        With corpus.jsonl, queries.jsonl and qrels/<split>.tsv.
    split
        Which judgements.

    Returns
    -------
    Beir
        documents (doc_id, title, text), questions (query_id, text) and qrels. All questions of the folder come,
        also those that the split does not judge.

    Raises
    ------
    ValueError
        A line is malformed or an id stands twice.

    Examples
    --------
    >>> import tempfile
    >>> documents = pd.DataFrame({"doc_id": ["d1"], "text": ["Twenty days."]})
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_beir(folder, documents, {"q1": "How many days off?"}, {"q1": {"d1": 1}})
    ...     read_beir(folder).qrels.to_dict("list")
    {'query_id': ['q1'], 'doc_id': ['d1'], 'relevance': [1]}
    """
    place = Path(folder)
    return Beir(
        read_texts(place / "corpus.jsonl", DOC_ID, [TITLE, TEXT]),
        read_texts(place / "queries.jsonl", QUERY_ID, [TEXT]),
        read_qrels(place / "qrels" / f"{split}.tsv"),
    )
