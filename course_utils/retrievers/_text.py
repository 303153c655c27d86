"""What is indexed, and how a text becomes tokens: the rules that every system shares."""

import hashlib
import re
import unicodedata
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import pandas as pd

from course_utils.schema import DOC_ID, QUERY_ID, TEXT, as_text, check_questions, columns_of

TITLE = "title"
TEXT_RULE = "NFC of: title, newline, text"
# A plain \w+ cuts Devanagari at its vowel signs; the danda (U+0964, U+0965) is left out: it is punctuation.
TOKEN = re.compile(r"[\w\u0900-\u0963\u0966-\u097F]+")
# Lucene's English list. It is short on purpose: without it every question finds every document.
STOP_WORDS = frozenset(
    """
    a an and are as at be but by for if in into is it no not of on or such that the their then there these they
    this to was will with
    """.split()  # noqa: SIM905
)


def tokenise(
    text: str, stop_words: Collection[str] = STOP_WORDS, language: str | None = "english"
) -> list[str]:
    """Cut a text into tokens: NFC, lower case, words and digits, without stop words, stemmed.

    Parameters
    ----------
    text
        Any text.
    stop_words
        Words to leave out, before stemming.
    language
        Whose Snowball stemmer to use; None to leave the words as they are. The English one changes Latin
        words only.

    Returns
    -------
    list of str
        Tokens in the order of the text.

    Examples
    --------
    >>> tokenise("Rotating the API keys (ERR-4012)"), tokenise("छुट्टी कितने दिन की है?")
    (['rotat', 'api', 'key', 'err', '4012'], ['छुट्टी', 'कितने', 'दिन', 'की', 'है'])
    """
    words = [word for word in TOKEN.findall(normalise(text).lower()) if word not in stop_words]
    if language is None:
        return words
    import Stemmer

    stems: list[str] = Stemmer.Stemmer(language).stemWords(words)
    return stems


def normalise(text: str) -> str:
    """Return the text in NFC, so that a letter typed in two ways is one letter.

    Examples
    --------
    >>> normalise("cafe\u0301") == "caf\u00e9"
    True
    """
    return unicodedata.normalize("NFC", text)


def fingerprint(text: str) -> str:
    """Return 16 hexadecimal digits that change when the text changes (in NFC).

    Examples
    --------
    >>> fingerprint("cafe\u0301") == fingerprint("caf\u00e9")
    True
    """
    return hashlib.sha256(normalise(text).encode()).hexdigest()[:16]


def document_texts(documents: pd.DataFrame) -> pd.Series:
    r"""Return what is indexed of each document: its title, a newline, its text, in NFC.

    Parameters
    ----------
    documents
        A DataFrame with doc_id, title and text; other columns are not read.

    Returns
    -------
    pandas.Series
        Texts by doc_id, in the given order.

    Raises
    ------
    ValueError
        A column is missing, an id is missing or stands twice, a title or text is no text, or there is nothing.

    Examples
    --------
    >>> documents = pd.DataFrame({"doc_id": ["leave"], "title": ["Leave"], "text": ["25 days a year."]})
    >>> document_texts(documents).to_dict()
    {'leave': 'Leave\n25 days a year.'}
    """
    if not isinstance(documents, pd.DataFrame):
        raise ValueError(
            f"documents is a {type(documents).__name__}; expected a DataFrame with doc_id, title, text"
        )
    given = columns_of(documents, [DOC_ID, TITLE, TEXT], "documents")
    ids = as_text(given[DOC_ID], "documents: doc_id")
    if ids.empty:
        raise ValueError("documents is empty; expected one row per document")
    for one in ids[ids.duplicated()][:1]:
        raise ValueError(f"documents: {one} stands twice; ids must be unique")
    rows = zip(ids, given[TITLE], given[TEXT], strict=True)
    return pd.Series([_text_of(*row) for row in rows], index=pd.Index(ids, name=DOC_ID), name=TEXT)


def _text_of(doc_id: str, title: Any, text: Any) -> str:
    for name, value in ((TITLE, title), (TEXT, text)):
        if not isinstance(value, str):
            raise ValueError(f"documents: {doc_id} has the {name} {value!r}; expected text")
    return normalise(f"{title}\n{text}")


def question_texts(questions: pd.DataFrame | pd.Series | Mapping[Any, str] | Sequence[str]) -> pd.Series:
    """Return the texts of questions by query_id; an empty one stays and will find nothing.

    Parameters
    ----------
    questions
        `{query_id: text}`, a Series of texts with the ids as index, a list of texts, whose ids become
        q1, q2, …, or a DataFrame with query_id and text.

    Returns
    -------
    pandas.Series
        Texts by query_id, in the given order.

    Examples
    --------
    >>> question_texts(["How many days off?", " "]).to_dict()
    {'q1': 'How many days off?', 'q2': ''}
    """
    return _checked(_marked(questions))


# The schema refuses an empty question, which for a search is a question that finds nothing.
_EMPTY = "\0"


def _marked(questions: Any) -> Any:
    if isinstance(questions, pd.DataFrame):
        given = columns_of(questions, [QUERY_ID, TEXT], "questions")
        return pd.DataFrame({**given, TEXT: given[TEXT].map(_mark)})
    if isinstance(questions, Mapping | pd.Series):
        return {query: _mark(text) for query, text in questions.items()}
    return (
        questions
        if isinstance(questions, str) or not isinstance(questions, Sequence)
        else [*map(_mark, questions)]
    )


def _mark(text: Any) -> Any:
    return _EMPTY if isinstance(text, str) and not text.strip() else text


def _checked(questions: Any) -> pd.Series:
    frame = check_questions(questions)
    texts = [normalise(text.strip(_EMPTY)) for text in frame[TEXT]]
    return pd.Series(texts, index=pd.Index(frame[QUERY_ID], name=QUERY_ID), name=TEXT)
