"""The judged side: which documents gain something, for which query."""

from collections.abc import Mapping
from itertools import chain
from typing import Any, NamedTuple, cast

import numpy as np
import pandas as pd

from course_utils.evaluation._scores import Ints
from course_utils.schema import (
    DOC_ID,
    LARGEST_GRADE,
    QUERY_ID,
    RELEVANCE,
    Table,
    as_text,
    check_qrels,
    id_kinds,
)

TEXT_IDS = dict.fromkeys((QUERY_ID, DOC_ID), "text")


class Truth(NamedTuple):
    """Judged queries in their order, and one entry per positive judgement, in the order of the queries.

    `kinds` are those of the ids as they were given: "text" or "whole numbers".
    """

    queries: pd.Index
    query: Ints
    documents: Any
    grade: Ints
    kinds: dict[str, str]

    def entries_of(self, queries: pd.Index) -> tuple[Ints, Ints]:
        """Entries that belong to the given queries, and for each the number of its query there.

        Examples
        --------
        >>> truth = read_truth({"q1": {"d1": 1, "d2": 2}, "q2": {"d1": 1}})
        >>> [part.tolist() for part in truth.entries_of(pd.Index(["q9", "q2", "q1"]))]
        [[2, 0, 1], [1, 2, 2]]
        """
        place = self.queries.get_indexer(queries)
        low, high = (np.searchsorted(self.query, place, side) for side in ("left", "right"))
        counts = np.where(place < 0, 0, high - low)
        which = np.repeat(np.arange(len(queries)), counts)
        return np.repeat(low - np.cumsum(counts) + counts, counts) + np.arange(len(which)), which


def read_truth(qrels: Table) -> Truth:
    """Read the judgements, quickly where a dict holds plain text ids and whole numbers.

    Examples
    --------
    >>> truth = read_truth({"q1": {"d1": 0, "d2": 2}, "q2": {}})
    >>> list(truth.queries), truth.query.tolist(), truth.documents.tolist(), truth.grade.tolist()
    (['q1', 'q2'], [0], ['d2'], [2])
    """
    truth = _from_dict(qrels) if isinstance(qrels, Mapping) else None
    return truth or _from_any(qrels)


def _from_dict(qrels: Mapping[Any, Mapping[Any, Any]]) -> Truth | None:
    """Of a plain dict: its keys are different, so there is nothing to find but odd types and empty ids."""
    if not set(map(type, qrels.values())) <= {dict}:
        return None
    queries, documents = list(qrels), list(chain.from_iterable(qrels.values()))
    grades: list[Any] = list(chain.from_iterable(map(dict.values, cast(Any, qrels.values()))))
    if not {*map(type, queries), *map(type, documents)} <= {str} or "" in qrels or "" in documents:
        return None
    if (
        not grades
        or set(map(type, grades)) != {int}
        or max(grades) > LARGEST_GRADE
        or min(grades) < -LARGEST_GRADE
    ):
        return None
    grade = np.array(grades, dtype=np.int64)
    owner = np.repeat(np.arange(len(qrels)), np.fromiter(map(len, qrels.values()), dtype=np.int64))
    found = np.flatnonzero(grade > 0)
    texts = np.array(documents, dtype=object)
    return Truth(pd.Index(queries, dtype="str"), owner[found], texts[found], grade[found], TEXT_IDS)


def _from_any(qrels: Table) -> Truth:
    kinds = id_kinds(qrels, "qrels")
    clean = check_qrels(qrels)
    judged: Any = list(qrels) if isinstance(qrels, Mapping) else clean[QUERY_ID]
    queries = pd.Index(as_text(pd.Series(judged, dtype=object), "qrels: query_id")).unique()
    positive = clean[clean[RELEVANCE] > 0]
    owner = np.asarray(queries.get_indexer(pd.Index(positive[QUERY_ID])), dtype=np.int64)
    order = np.argsort(owner, kind="stable")
    grades = positive[RELEVANCE].to_numpy()[order]
    return Truth(queries, owner[order], positive[DOC_ID].to_numpy(dtype=object)[order], grades, kinds)
