"""Read and write judgements and runs: TREC text, BEIR, CSV and TSV with a header, JSON lines, also as .gz.

Every refusal names the file, the line, what was found and what was expected. A byte order mark, CRLF, tabs,
blank lines, `#` comment lines and a missing last newline are read rightly.
"""

from os import PathLike
from pathlib import Path

import pandas as pd

from course_utils.formats._fast import read_judgements
from course_utils.formats._pieces import RunFile, frame_of_rows
from course_utils.formats._rows import Row, read_rows
from course_utils.formats._text import numbered_lines, read_bytes, write_whole
from course_utils.schema import (
    DOC_ID,
    QUERY_ID,
    RELEVANCE,
    SCORE,
    Table,
    check_qrels,
    check_run,
    plural,
    warn,
)

__all__ = ["read_qrels", "read_run", "scan_run", "write_qrels", "write_run"]

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
        contradicts the scores, a `CourseWarning` says so.

    Raises
    ------
    ValueError
        A line is malformed, a score is no finite number, a query has one document twice, or the file is no UTF-8
        text.

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


def write_run(run: Table, path: StrPath, *, tag: str = "run") -> None:
    """Write a run as TREC text, whole or not at all; gzip if the name ends in .gz.

    Parameters
    ----------
    run
        A DataFrame or dict, as for `evaluate`.
    path
        File to write; an existing one is replaced.
    tag
        Name of the system, the last column.

    Notes
    -----
    Scores are rounded to 6 decimals **before** sorting, so the order in the file is the order that its scores
    give: score descending, then document id descending as text. Queries keep their order.

    Raises
    ------
    ValueError
        As `check_run`; the run is empty; an id or the tag holds a blank, or a query id starts with #.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_run({"q1": {"d1": 0.5, "d2": 0.7}}, Path(folder, "a.run"), tag="bm25")
    ...     print(Path(folder, "a.run").read_text(), end="")
    q1 Q0 d2 1 0.700000 bm25
    q1 Q0 d1 2 0.500000 bm25
    """
    clean = check_run(run)
    _check_writable(clean, str(path), tag)
    texts = [f"{score + 0.0:.6f}".replace("-0.000000", "0.000000") for score in clean[SCORE].tolist()]
    clean[SCORE], clean["text"] = [float(text) for text in texts], texts
    clean["order"] = pd.factorize(clean[QUERY_ID])[0]
    clean = clean.sort_values(["order", SCORE, DOC_ID], ascending=[True, False, False])
    ranks = clean.groupby("order").cumcount() + 1
    lines = zip(clean[QUERY_ID], clean[DOC_ID], ranks, clean["text"], strict=True)
    write_whole(Path(path), "".join(f"{q} Q0 {d} {rank} {score} {tag}\n" for q, d, rank, score in lines))


def write_qrels(qrels: Table, path: StrPath) -> None:
    """Write judgements as TREC text, in their order, whole or not at all; gzip if the name ends in .gz.

    Raises
    ------
    ValueError
        As `check_qrels`; there is no judgement; an id holds a blank, or a query id starts with #.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_qrels({"q1": {"d1": 2}}, Path(folder, "qrels.txt"))
    ...     print(Path(folder, "qrels.txt").read_text(), end="")
    q1 0 d1 2
    """
    clean = check_qrels(qrels)
    _check_writable(clean, str(path), "tag")
    lines = clean.itertuples(index=False, name=None)
    write_whole(Path(path), "".join(f"{query} 0 {document} {grade}\n" for query, document, grade in lines))


def _check_writable(clean: pd.DataFrame, path: str, tag: str) -> None:
    if clean.empty:
        raise ValueError(f"nothing to write to {path}")
    if not tag or tag.split() != [tag]:
        raise ValueError(f"tag {tag!r} must be one word")
    for column in (QUERY_ID, DOC_ID):
        ids = pd.Series(clean[column].unique(), dtype="str")
        bad = ids.str.contains(r"[\s\x00-\x20]") | (ids.str.match(r"[#\ufeff]") & (column == QUERY_ID))
        for one in ids[bad][:1]:
            raise ValueError(f"{column} {one!r} cannot stand in a TREC file (a blank, or # in front)")
