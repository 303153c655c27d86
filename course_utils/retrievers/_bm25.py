"""BM25 by bm25s, with its traps closed."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from course_utils.retrievers._progress import is_quiet
from course_utils.retrievers._ranking import DECIMALS, Scored, as_run, best, check_count
from course_utils.retrievers._text import STOP_WORDS, document_texts, question_texts, tokenise


class BM25:
    """Search by words: BM25 as Lucene computes it.

    The score of a document is the sum, over the tokens of the question (a token that stands twice counts
    twice), of ``ln(1 + (N - df + 0.5) / (df + 0.5)) * tf / (tf + k1 * (1 - b + b * length / mean length))``.
    What is indexed is title and text; tokens are in NFC, in lower case, without Lucene's 33 English stop
    words, and stemmed by Snowball. A document that shares no token is not returned.

    Parameters
    ----------
    documents
        A DataFrame with doc_id, title and text.
    k1
        How soon a repeated word stops adding to the score.
    b
        How much a long document pays for its length, from 0 to 1.
    stop_words
        Words that are not looked at; () for none.
    language
        The language of the Snowball stemmer; None for no stemming.

    Examples
    --------
    >>> documents = pd.DataFrame({"doc_id": ["d1", "d2"], "title": ["Leave", "Hotels"],
    ...                           "text": ["25 days a year.", "Book a room for up to 140 euros."]})
    >>> BM25(documents).search({"q1": "hotel booking", "q2": "parking"})
      query_id doc_id     score
    0       q1     d2  0.582477
    """

    def __init__(
        self,
        documents: pd.DataFrame,
        *,
        k1: float = 1.2,
        b: float = 0.75,
        stop_words: Collection[str] = STOP_WORDS,
        language: str | None = "english",
    ) -> None:
        import bm25s

        if not (k1 >= 0 and 0 <= b <= 1):
            raise ValueError(f"k1 is {k1!r} and b is {b!r}; expected k1 of at least 0 and b from 0 to 1")
        texts = document_texts(documents)
        self.doc_ids: list[str] = list(texts.index)
        self._cut: dict[str, Any] = {"stop_words": frozenset(stop_words), "language": language}
        # 64 bits: in 32 the last digits of a run would depend on the order of the sum.
        self._index = bm25s.BM25(method="lucene", k1=k1, b=b, dtype="float64")
        self._index.index([self._tokens(text) for text in texts], show_progress=not is_quiet())

    def search(
        self, questions: pd.DataFrame | pd.Series | Mapping[Any, str] | Sequence[str], k: int = 10
    ) -> pd.DataFrame:
        """Return the k best documents of each question that share a word with it.

        Parameters
        ----------
        questions
            `{query_id: text}`, a Series, a list of texts (ids q1, q2, …) or a DataFrame.
        k
            How many documents at most.

        Returns
        -------
        pandas.DataFrame
            query_id, doc_id, score. A question without a match has no rows.
        """
        k = check_count(k, "k")
        return as_run({str(query): self._best(text, k) for query, text in question_texts(questions).items()})

    def _best(self, text: str, k: int) -> Scored:
        tokens = self._tokens(text)
        if not tokens:  # get_scores would raise IndexError
            return []
        # retrieve() would fill up with documents of score 0 and order ties as it likes.
        scores = np.round(self._index.get_scores(tokens), DECIMALS)
        return best(((self.doc_ids[row], scores[row]) for row in np.flatnonzero(scores > 0)), k)

    def _tokens(self, text: str) -> list[str]:
        return tokenise(text, **self._cut)
