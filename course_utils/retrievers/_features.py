"""What a reranker looks at: numbers from 0 to 1 for each candidate of each question."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from course_utils.retrievers._fusion import Retriever, minmax
from course_utils.retrievers._ranking import as_lists, check_count
from course_utils.retrievers._text import TITLE, document_texts, normalise, question_texts, tokenise
from course_utils.schema import DOC_ID, QUERY_ID

TITLE_SHARE, CODE_SHARE = "title words", "codes"
# Letters, then digits: HR-124, SEV1, v3. A hyphen more or less is the same code; a bare number is none.
CODE = re.compile(r"\b[a-z]+-?\d[a-z0-9]*\b")


class Features:
    """The candidates of each question and what is known of them.

    The candidates are the union of the first `depth` of some systems. Each signal is a system whose score of a
    candidate, however far down its list, is stretched to 0 … 1 over the candidates of the question; a candidate
    that it does not return at all counts as 0 before that. Two more numbers need no system: the share of
    the question's words that stand in the title, and the share of its codes (such as HR-124) that stand in the
    document.

    Parameters
    ----------
    documents
        A DataFrame with doc_id, title and text.
    candidates
        The systems whose first documents are looked at.
    signals
        Systems by the name of their column.
    depth
        How many candidates each gives.

    Examples
    --------
    >>> from course_utils.retrievers import BM25
    >>> documents = pd.DataFrame({"doc_id": ["d1", "d2"], "title": ["Form HR-7", "Leave"],
    ...                           "text": ["Sick leave.", "Holidays: leave, and more leave."]})
    >>> bm25 = BM25(documents)
    >>> Features(documents, [bm25], {"bm25": bm25}).of(["leave on hr7"]).round(2).to_dict("list")
    ... # doctest: +NORMALIZE_WHITESPACE
    {'query_id': ['q1', 'q1'], 'doc_id': ['d1', 'd2'], 'bm25': [0.0, 1.0], 'title words': [0.0, 0.5],
     'codes': [1.0, 0.0]}
    """

    def __init__(
        self,
        documents: pd.DataFrame,
        candidates: Sequence[Retriever],
        signals: Mapping[str, Retriever],
        *,
        depth: int = 10,
    ) -> None:
        texts = document_texts(documents)
        self._codes = {str(doc): codes_of(text) for doc, text in texts.items()}
        self._titles = {
            str(doc): set(tokenise(title)) for doc, title in zip(texts.index, documents[TITLE], strict=True)
        }
        self._candidates, self._signals = tuple(candidates), dict(signals)
        self._depth = check_count(depth, "depth")

    @property
    def names(self) -> list[str]:
        """The columns that a reranker learns from."""
        return [*self._signals, TITLE_SHARE, CODE_SHARE]

    def of(self, questions: Any) -> pd.DataFrame:
        """Return query_id, doc_id and a column per feature: questions in their order, documents by id."""
        texts = question_texts(questions)
        lists = [as_lists(system.search(texts, self._depth)) for system in self._candidates]
        docs = {
            str(query): sorted({doc for by_query in lists for doc, _ in by_query.get(query, [])})
            for query in texts.index
        }
        rows = [(query, doc) for query in texts.index for doc in docs[query]]
        frame = pd.DataFrame(rows, columns=[QUERY_ID, DOC_ID], dtype="str")
        for name, system in self._signals.items():
            frame[name] = self._signal(system, texts, docs)
        frame[TITLE_SHARE] = self._shares(docs, texts.map(tokenise).map(set), self._titles)
        frame[CODE_SHARE] = self._shares(docs, texts.map(codes_of), self._codes)
        return frame

    def _signal(self, system: Retriever, texts: pd.Series, docs: Mapping[Any, list[str]]) -> list[float]:
        found = {
            query: dict(pairs) for query, pairs in as_lists(system.search(texts, len(self._codes))).items()
        }
        values = []
        for query, candidates in docs.items():
            scores = found.get(query, {})
            values += minmax([scores.get(doc, 0.0) for doc in candidates])
        return values

    @staticmethod
    def _shares(docs: Mapping[Any, list[str]], asked: pd.Series, held: Mapping[str, set[str]]) -> list[float]:
        words = asked.to_dict()
        return [
            len(words[query] & held[doc]) / max(len(words[query]), 1)
            for query, candidates in docs.items()
            for doc in candidates
        ]


def codes_of(text: str) -> set[str]:
    """Return the codes in a text, in lower case and without their hyphen.

    Examples
    --------
    >>> sorted(codes_of("HR-124 or sev1, by 31 May 2026, see /v2/track"))
    ['hr124', 'sev1', 'v2']
    """
    return {code.replace("-", "") for code in CODE.findall(normalise(text).lower())}
