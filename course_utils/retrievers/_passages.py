"""Documents cut into passages."""

import re

import pandas as pd

from course_utils.retrievers._ranking import check_count
from course_utils.retrievers._text import TITLE, document_texts, normalise
from course_utils.schema import DOC_ID, TEXT

PASSAGE_ID = "passage_id"
SIZE, OVERLAP = 120, 30
PASSAGE_RULE = f"title, newline, {SIZE} words of the text; the next passage starts {SIZE - OVERLAP} words on"
_WORD = re.compile(r"\S+")


def cut_passages(documents: pd.DataFrame, size: int = SIZE, overlap: int = OVERLAP) -> pd.DataFrame:
    """Cut the text of each document into passages of `size` words, each with the document's title.

    A passage starts `size - overlap` words after the one before it; the last one ends with the document.

    Parameters
    ----------
    documents
        A DataFrame with doc_id, title and text.
    size
        Words of text per passage, the title not counted.
    overlap
        Words that a passage shares with the one before it.

    Returns
    -------
    pandas.DataFrame
        passage_id (doc_id, #, number from 1), doc_id, title and text.

    Examples
    --------
    >>> documents = pd.DataFrame({"doc_id": ["d"], "title": ["T"], "text": ["one two three four five"]})
    >>> cut_passages(documents, size=3, overlap=1)["text"].to_list()
    ['one two three', 'three four five']
    """
    size = check_count(size, "size")
    if not 0 <= overlap < size:
        raise ValueError(f"overlap is {overlap!r}; expected a whole number from 0 to {size - 1}")
    ids = document_texts(documents).index
    rows = [
        (f"{doc}#{number}", doc, normalise(title), passage)
        for doc, title, text in zip(ids, documents[TITLE], documents[TEXT], strict=True)
        for number, passage in enumerate(_windows(normalise(text), size, size - overlap), start=1)
    ]
    return pd.DataFrame(rows, columns=[PASSAGE_ID, DOC_ID, TITLE, TEXT])


def _windows(text: str, size: int, step: int) -> list[str]:
    """Cut by words and keep what is between them; a text without words is one empty passage."""
    words = [match.span() for match in _WORD.finditer(text)] or [(0, 0)]
    starts = range(0, max(len(words) - size + step, 1), step)
    return [text[words[start][0] : words[min(start + size, len(words)) - 1][1]] for start in starts]


def passage_texts(passages: pd.DataFrame) -> pd.Series:
    r"""Return what is indexed of each passage, by passage_id: title, newline, text, as for documents.

    Examples
    --------
    >>> documents = pd.DataFrame({"doc_id": ["d"], "title": ["T"], "text": ["one two"]})
    >>> passage_texts(cut_passages(documents)).to_dict()
    {'d#1': 'T\none two'}
    """
    return document_texts(passages.drop(columns=DOC_ID).rename(columns={PASSAGE_ID: DOC_ID}))
