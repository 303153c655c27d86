"""A data set in the folder layout of BEIR: corpus.jsonl, queries.jsonl, qrels/test.tsv."""

import json
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from course_utils.formats._text import numbered_lines, write_whole
from course_utils.schema import (
    DOC_ID,
    QUERY_ID,
    RELEVANCE,
    TEXT,
    Table,
    as_text,
    check_qrels,
    check_questions,
)

TITLE, NAME = "title", "_id"


class Beir(NamedTuple):
    """What a BEIR folder holds: documents (doc_id, title, text), questions (query_id, text), and judgements."""

    documents: pd.DataFrame
    questions: pd.DataFrame
    qrels: pd.DataFrame


def read_texts(path: Path, column: str, wanted: list[str]) -> pd.DataFrame:
    r"""Read JSON lines with `_id` and texts; a missing title is empty.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "queries.jsonl")
    ...     _ = path.write_text('{"_id": "q1", "text": "How many days off?", "metadata": {}}\n')
    ...     read_texts(path, "query_id", ["text"]).to_dict("list")
    {'query_id': ['q1'], 'text': ['How many days off?']}
    """
    rows = [_record(line, f"{path}, line {number}", wanted) for number, line in numbered_lines(path)]
    table = pd.DataFrame(rows, columns=[NAME, *wanted], dtype="str").rename(columns={NAME: column})
    for one in table[column][table[column].duplicated()][:1]:
        raise ValueError(f"{path}: {one} stands twice; ids must be unique")
    return table


def _record(line: str, where: str, wanted: list[str]) -> list[str]:
    try:
        record = json.loads(line)
    except ValueError as error:
        raise ValueError(f"{where}: no JSON ({error})") from error
    if not isinstance(record, dict):
        raise ValueError(f"{where}: {type(record).__name__}, expected an object")
    found = [record.get(name, "" if name == TITLE else None) for name in (NAME, *wanted)]
    texts = [one for one in found if isinstance(one, str)]
    if len(texts) < len(found) or not texts[0].strip():
        raise ValueError(f"{where}: expected the texts {', '.join((NAME, *wanted))}; found {line:.60}")
    return texts


def write_beir(
    folder: str | PathLike[str], documents: Any, questions: Any, qrels: Table, *, split: str = "test"
) -> None:
    """Write a BEIR folder.

    Parameters
    ----------
    folder
        Made if it is not there.
    documents
        A DataFrame with doc_id, text and, if it likes, title.
    questions
        As for `check_questions`.
    qrels
        Judgements, as for `evaluate`.
    split
        Name of the file in `qrels`.

    Raises
    ------
    ValueError
        As `check_questions` and `check_qrels`; documents lack an id or a text.

    Examples
    --------
    >>> import tempfile
    >>> documents = pd.DataFrame({"doc_id": ["d1"], "text": ["Twenty days."]})
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_beir(folder, documents, {"q1": "How many days off?"}, {"q1": {"d1": 1}})
    ...     Path(folder, "qrels", "test.tsv").read_text().split()
    ['query-id', 'corpus-id', 'score', 'q1', 'd1', '1']
    """
    if not isinstance(documents, pd.DataFrame) or not {DOC_ID, TEXT} <= set(documents.columns):
        raise ValueError("documents: expected a DataFrame with doc_id, text and perhaps title")
    texts = documents.assign(**{TITLE: documents.get(TITLE, "")})
    texts[DOC_ID] = as_text(texts[DOC_ID], "documents: doc_id").to_numpy()
    asked, judged = check_questions(questions), check_qrels(qrels)
    place = Path(folder)
    (place / "qrels").mkdir(parents=True, exist_ok=True)
    _write(texts[[DOC_ID, TITLE, TEXT]], place / "corpus.jsonl")
    _write(asked[[QUERY_ID, TEXT]], place / "queries.jsonl")
    lines = judged[[QUERY_ID, DOC_ID, RELEVANCE]].itertuples(index=False, name=None)
    body = "".join(f"{query}\t{document}\t{grade}\n" for query, document, grade in lines)
    write_whole(place / "qrels" / f"{split}.tsv", f"query-id\tcorpus-id\tscore\n{body}")


def _write(table: pd.DataFrame, path: Path) -> None:
    names = [NAME, *table.columns[1:]]
    rows = (dict(zip(names, map(str, row), strict=True)) for row in table.itertuples(index=False, name=None))
    write_whole(path, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
