"""A run that is a frame: the score of every judged document, and no document twice."""

from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd

from course_utils.evaluation._lists import Lists, Part
from course_utils.evaluation._scores import Ints
from course_utils.evaluation._truth import Truth
from course_utils.schema import (
    DOC_ID,
    QUERY_ID,
    RUN_COLUMNS,
    SCORE,
    Block,
    as_text,
    check_run,
    columns_of,
    numbers,
)

ROWS = 1 << 15  # rows looked through in one go: a small table of ids stays in the processor's cache


def from_frame(run: pd.DataFrame, truth: Truth) -> Part:
    """Read a frame whose ids are known to be of one kind; anything wrong is refused by `check_run`.

    Examples
    --------
    >>> from course_utils.evaluation._truth import read_truth
    >>> run = pd.DataFrame({"query_id": ["q1"] * 2, "doc_id": ["d7", "d1"], "score": [0.9, 0.8]})
    >>> from_frame(run, read_truth({"q1": {"d1": 1}})).scores.tolist()
    [0.8]
    """
    columns = columns_of(run, RUN_COLUMNS, "run")
    scores = numbers(columns[SCORE], "run: score").to_numpy()
    owner, names = pd.factorize(columns[QUERY_ID])
    if not np.isfinite(scores).all() or np.any(owner < 0) or "" in names:
        check_run(run)
    documents = columns[DOC_ID]
    if np.any(owner[1:] < owner[:-1]):  # the lists do not stand together
        order = np.argsort(owner, kind="stable")
        owner, scores, documents = owner[order], scores[order], documents.iloc[order]
    starts = np.r_[0, np.cumsum(np.bincount(owner, minlength=len(names)))]
    queries = pd.Index(as_text(pd.Series(names), "run: query_id"))
    entry, which = truth.entries_of(queries)
    codes, wanted, size = _coded(documents, truth.documents[entry])
    place = _places(codes, wanted, size, starts, which)
    if place is None:
        check_run(run)

    def ids(one: int) -> Any:
        return documents.iloc[starts[one] : starts[one + 1]].astype("str").to_numpy(dtype=object)

    asked = np.where(place >= 0, scores[place], np.nan)
    return Part(Lists(queries, np.diff(starts), scores, ids), entry, which, asked)


def from_block(block: Block, truth: Truth) -> Part:
    """Read lines of a file; what stands twice, and two long ids with one key, are left to the careful way.

    Examples
    --------
    >>> from course_utils.evaluation._truth import read_truth
    >>> keys = np.array([7, 1], dtype=np.uint64)
    >>> of = lambda ids: np.array([int(one) for one in ids], dtype=np.uint64)
    >>> texts = lambda rows: keys[rows].astype(str).astype(object)
    >>> block = Block(pd.Index(["q1"]), np.array([2]), np.array([0.9, 0.8]), keys, of, texts)
    >>> from_block(block, read_truth({"q1": {"1": 1}})).scores.tolist()
    [0.8]
    """
    starts = np.r_[0, np.cumsum(block.lengths)]
    entry, which = truth.entries_of(block.queries)
    wanted = truth.documents[entry]
    place = _places(block.keys, block.keys_of(wanted), 0, starts, which)
    if place is None or not block.queries.is_unique:
        raise ValueError("run: a document may stand twice")
    there = np.flatnonzero(place >= 0)
    if len(there) and np.any(block.texts(place[there]) != wanted[there]):
        raise ValueError("run: two documents have one key")
    lists = Lists(
        block.queries,
        block.lengths,
        block.scores,
        lambda one: block.texts(np.arange(starts[one], starts[one + 1])),
    )
    return Part(lists, entry, which, np.where(place >= 0, block.scores[place], np.nan))


def _places(codes: Any, wanted: Any, size: int, starts: Ints, which: Ints) -> Any:
    """Row of each wanted document in list `which` (-1: none); None if an id is missing or stands twice in a list.

    The lists are taken in groups. Each row becomes one number, made of list, document and row: sorted, they show
    copies as neighbours, and bisection finds the wanted ones.
    """
    place = np.full(len(wanted), -1, dtype=np.int64)
    cuts = np.unique(np.searchsorted(starts, np.arange(0, starts[-1], ROWS)))
    for low, high in pairwise(np.r_[cuts, len(starts) - 1].tolist()):
        rows = slice(starts[low], starts[high])
        here = slice(*np.searchsorted(which, [low, high]))
        document, asked, count = _numbered(codes[rows], wanted[here], size)
        owner = np.repeat(np.arange(high - low), np.diff(starts[low : high + 1]))
        bits = len(document).bit_length()
        keys = np.sort((owner * count + document) << bits | np.arange(len(document)))
        if document.min() < 0 or np.any(keys[1:] >> bits == keys[:-1] >> bits):
            return None
        key = (which[here] - low) * count + asked
        at = np.minimum(np.searchsorted(keys, key << bits), len(keys) - 1)
        found = (asked >= 0) & (keys[at] >> bits == key)
        place[here] = np.where(found, starts[low] + (keys[at] & ((1 << bits) - 1)), -1)
    return place


def _coded(documents: pd.Series, wanted: Any) -> tuple[Any, Any, int]:
    """Documents as an array of texts, or of category numbers; `wanted` likewise; the number of categories or 0.

    A missing or an empty id has the category number -1.
    """
    if not isinstance(documents.dtype, pd.CategoricalDtype):
        kept = documents if isinstance(documents.dtype, pd.StringDtype) else as_text(documents, "run: doc_id")
        return kept.to_numpy(dtype=object), wanted, 0
    names = documents.cat.categories
    names = names.astype(str) if names.dtype.kind in "iu" else names
    known = pd.Index([*wanted, ""], dtype=object).unique()
    at = known.get_indexer(names.astype(object))  # in this direction, as the categories are many
    number = np.full(len(known), -1, dtype=np.int64)
    number[at[at >= 0]] = np.flatnonzero(at >= 0)
    codes = documents.cat.codes.to_numpy().astype(np.int64)
    empty = number[known.get_loc("")]
    if empty >= 0:
        codes[codes == empty] = -1
    return codes, number[known.get_indexer(pd.Index(wanted, dtype=object))], len(names)


def _numbered(codes: Any, wanted: Any, size: int) -> tuple[Ints, Ints, int]:
    """Number the documents of a group of lists, if they have no numbers yet; a missing or empty id is -1."""
    if size:
        return codes, wanted, size
    empty = np.array(["" if codes.dtype == object else 0], dtype=codes.dtype)
    numbers, known = pd.factorize(np.concatenate([codes, wanted, empty]))
    document = np.where(numbers[: len(codes)] == numbers[-1], -1, numbers[: len(codes)])
    return document, numbers[len(codes) : -1], len(known)
