"""Write judgements and runs."""

from os import PathLike
from pathlib import Path

import pandas as pd

from course_utils.formats._tables import table_kind, write_table
from course_utils.formats._text import write_whole
from course_utils.schema import DOC_ID, QUERY_ID, SCORE, Table, check_qrels, check_run


def write_run(run: Table, path: str | PathLike[str], *, tag: str = "run") -> None:
    """Write a run, whole or not at all: TREC text, or a table if the name ends in .csv, .tsv or .jsonl; .gz packs it.

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
    In a table scores are in full and rows stay in their order. In TREC text scores are rounded to 6 decimals
    **before** sorting, so the order in the file is the order that its scores
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
    if table_kind(Path(path)) and len(clean):
        write_table(clean, Path(path))
        return
    _check_writable(clean, str(path), tag)
    texts = [f"{score + 0.0:.6f}".replace("-0.000000", "0.000000") for score in clean[SCORE].tolist()]
    clean[SCORE], clean["text"] = [float(text) for text in texts], texts
    clean["order"] = pd.factorize(clean[QUERY_ID])[0]
    clean = clean.sort_values(["order", SCORE, DOC_ID], ascending=[True, False, False])
    ranks = clean.groupby("order").cumcount() + 1
    lines = zip(clean[QUERY_ID], clean[DOC_ID], ranks, clean["text"], strict=True)
    write_whole(Path(path), "".join(f"{q} Q0 {d} {rank} {score} {tag}\n" for q, d, rank, score in lines))


def write_qrels(qrels: Table, path: str | PathLike[str]) -> None:
    """Write judgements in their order, in the same forms as `write_run`.

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
    if table_kind(Path(path)) and len(clean):
        write_table(clean, Path(path))
        return
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
