"""Search among some documents only: those that are current, and those that hold where the asker works."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pandas as pd

from course_utils.retrievers._fusion import Retriever
from course_utils.retrievers._ranking import Scored, as_lists, as_run, check_count
from course_utils.retrievers._text import normalise, question_texts
from course_utils.schema import DOC_ID, columns_of

STATUS, REGION, EVERYWHERE = "status", "region", "all"
# Offices and their countries, no other place. "US" counts in capitals only: "us" is nearly always the pronoun.
PLACES = {
    "in": re.compile(r"\b(?:india|pune|bengaluru)\b", re.IGNORECASE),
    "pt": re.compile(r"\b(?:portugal|lisbon)\b", re.IGNORECASE),
    "uk": re.compile(r"\b(?:uk|united kingdom|leeds)\b", re.IGNORECASE),
    "us": re.compile(r"\bUS\b|\b(?i:usa|united states|austin)\b"),
}
Make = Callable[[pd.DataFrame], Retriever]
Regions = Mapping[str, Any] | pd.Series | Callable[[str], str | None]


def region_of(text: str) -> str | None:
    """Return the region that a text names: in, pt, uk or us; None if it names none, or two.

    Looked for are the English names of the five offices and their four countries, as whole words. A place that
    somebody names need not be the place where they work ("may I fly my partner to Leeds?" can come from Lisbon):
    only the caller knows the asker.

    Parameters
    ----------
    text
        A question, or a sentence about the asker.

    Returns
    -------
    str or None
        The region as it stands in the documents.

    Examples
    --------
    >>> region_of("Mileage rate UK"), region_of("from Pune to Lisbon"), region_of("which limit applies to us?")
    ('uk', None, None)
    """
    named = [region for region, names in PLACES.items() if names.search(normalise(text))]
    return named[0] if len(named) == 1 else None


class Filtered:
    """A system that returns allowed documents only.

    Before the search the index is made of the allowed documents alone, one per region that is asked for: lists
    stay full, documents move up that nobody may have judged, and in BM25 a word can become rarer or more common.
    After the search the others are struck from the list of all documents: it gets shorter.

    Parameters
    ----------
    make
        From documents to a system: `BM25`, `Dense`, or ``lambda documents: systems(documents)["hybrid"]``.
    documents
        A DataFrame with doc_id, title and text, and with the columns that are filtered by.
    status
        The status that a document must have; None for any.
    regions
        The region of each asker: `{query_id: region}`, or a function from the text of a question, such as
        `region_of`. A document is allowed if its region is "all" or the asker's. A question without a region
        may find every region's documents, and without `regions` all questions may.
    after
        Filter the list, not the index.

    Examples
    --------
    >>> from course_utils.retrievers import BM25
    >>> documents = pd.DataFrame({"doc_id": ["new", "old"], "title": ["Leave", "Leave"],
    ...                           "text": ["25 days", "20 days"], "status": ["current", "archived"]})
    >>> Filtered(BM25, documents).search(["days of leave"])["doc_id"].to_list()
    ['new']
    """

    def __init__(
        self,
        make: Make,
        documents: pd.DataFrame,
        *,
        status: str | None = "current",
        regions: Regions | None = None,
        after: bool = False,
    ) -> None:
        wanted = {STATUS: status is not None, REGION: regions is not None}
        columns_of(documents, [DOC_ID, *(name for name, is_read in wanted.items() if is_read)], "documents")
        self._make, self._documents = make, documents.copy()
        self._status, self._regions, self._after = status, regions, after
        self._made: dict[str | None, Retriever] = {}

    def allowed(self, region: str | None = None) -> pd.DataFrame:
        """Return the documents that an asker of the region may find; None for an asker without one."""
        documents = self._documents
        if self._status is not None:
            documents = documents[documents[STATUS] == self._status]
        if region is not None:
            documents = documents[documents[REGION].isin([EVERYWHERE, region])]
        return documents

    def search(
        self, questions: pd.DataFrame | pd.Series | Mapping[Any, str] | Sequence[str], k: int = 10
    ) -> pd.DataFrame:
        """Return the best allowed documents of each question: k, or with `after` those that are left of k."""
        k, texts = check_count(k, "k"), question_texts(questions)
        regions = {query: self._region(query, text) for query, text in texts.items()}
        search = self._search_then_filter if self._after else self._search_allowed
        groups = [
            texts[[regions[query] == region for query in texts.index]] for region in {*regions.values()}
        ]
        lists: dict[str, Scored] = {}
        for group in groups:
            lists |= as_lists(search(group, regions[group.index[0]], k))
        return as_run({query: lists.get(query, []) for query in texts.index})

    def _search_allowed(self, texts: pd.Series, region: str | None, k: int) -> pd.DataFrame:
        if region not in self._made:
            self._made[region] = self._make(self.allowed(region))
        return self._made[region].search(texts, k)

    def _search_then_filter(self, texts: pd.Series, region: str | None, k: int) -> pd.DataFrame:
        if None not in self._made:
            self._made[None] = self._make(self._documents)
        run = self._made[None].search(texts, k)
        return run[run[DOC_ID].isin(set(self.allowed(region)[DOC_ID].astype(str)))]

    def _region(self, query: Any, text: str) -> str | None:
        """Return the region of the asker, or refuse one that stands nowhere: it would hide pages silently."""
        if self._regions is None:
            return None
        region = self._regions(text) if callable(self._regions) else self._regions.get(query)
        if region is None or pd.isna(region) or region == "":
            return None
        known = sorted({*PLACES, *self._documents[REGION].astype(str)} - {EVERYWHERE})
        if region not in known:
            raise ValueError(
                f"question {query} has the region {region!r}; expected None or one of {', '.join(known)}"
            )
        return str(region)
