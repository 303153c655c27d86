"""Arrays of positions, as FAISS returns them: checked, and searched for the judged documents."""

from typing import Any

import numpy as np
import pandas as pd

from course_utils.evaluation._names import ABSENT
from course_utils.evaluation._scores import Ints
from course_utils.schema import (
    DOC_ID,
    QRELS_COLUMNS,
    QUERY_ID,
    RELEVANCE,
    Table,
    as_text,
    check_qrels,
    check_same_kind,
    columns_of,
    id_kind,
    id_kinds,
    plural,
    warn,
    whole,
)

BLOCK = 1 << 13  # rows looked at in one go: they stay in the processor's cache
NARROW = 20  # up to so many columns are copied, and compared each with each; more are sorted
Array = np.ndarray[Any, Any]


def check_ids(ids: Any, depth: int | None, n_documents: int | None) -> Array:
    """Return the first `depth` columns of ids as rows: the documents at rank 1, at rank 2, …; all checked.

    Examples
    --------
    >>> check_ids([[7, 3, -1], [3, 4, 5]], depth=2, n_documents=None).tolist()
    [[7, 3], [3, 4]]
    >>> check_ids([[7, 3, 7]], depth=3, n_documents=None)
    Traceback (most recent call last):
    ValueError: ids: row 0 holds document 7 twice; keep the first
    """
    array = np.asarray(ids)
    if array.ndim != 2 or array.dtype.kind not in "iu":
        raise ValueError(
            f"ids is an array of {array.dtype} with shape {array.shape}; expected whole numbers, one row per "
            "query, best first (the second result of a FAISS search)"
        )
    top = array[:, :depth].T
    if len(top) <= NARROW:  # a copy of a few columns is small and makes all that follows quick
        top = np.ascontiguousarray(top)
    for start in range(0, len(array), BLOCK):
        _check_block(top[:, start : start + BLOCK], start, n_documents)
    return top


def _check_block(top: Array, start: int, n_documents: int | None) -> None:
    most = None if n_documents is None else n_documents - 1
    if not top.size or (len(top) <= NARROW and _is_plain(top, most)):
        return
    block, ordered = top.T, np.sort(top.T, axis=1)
    twice = (ordered[:, 1:] == ordered[:, :-1]) & (ordered[:, 1:] >= 0)
    for row, column in np.argwhere(twice)[:1] if twice.any() else ():
        raise ValueError(
            f"ids: row {start + row} holds document {ordered[row, column]} twice; keep the first"
        )
    if ordered[:, 0].min() < -1:
        raise ValueError(f"ids holds {ordered[:, 0].min()}; expected positions from 0, or -1 for no result")
    if most is not None and ordered[:, -1].max() > most:
        raise ValueError(f"ids holds {ordered[:, -1].max()}, but doc_ids has only {n_documents} documents")
    if ordered[:, 0].min() < 0:
        late = (block[:, :-1] < 0) & (block[:, 1:] >= 0)
        for row in np.flatnonzero(late.any(axis=1))[:1]:
            raise ValueError(
                f"ids: row {start + row} has a result after -1; -1 fills up the end of a row only"
            )


def _is_plain(top: Array, most: int | None) -> bool:
    """Whether all are positions in the index, and no two ranks hold one document."""
    if top.min() < 0 or (most is not None and top.max() > most):
        return False
    return not any((top[apart:] == top[:-apart]).any() for apart in range(1, len(top)))


def check_scores(scores: Any, ids: Ints) -> None:
    """Check that scores fall along each row: the row order is the ranking, scores only confirm it.

    Examples
    --------
    >>> check_scores([[0.1, 0.4]], np.array([[7, 3]]))
    Traceback (most recent call last):
    ValueError: scores rise along the rows: these look like distances, where small is good. Pass -D
    """
    array = np.asarray(scores)
    if array.shape != ids.shape or array.dtype.kind not in "iuf":
        raise ValueError(
            f"scores is {array.dtype} {array.shape}; expected numbers in the shape of ids, {ids.shape}"
        )
    there = ids >= 0
    for row, column in np.argwhere(there & ~np.isfinite(array))[:1]:
        raise ValueError(
            f"scores: row {row}, column {column} is {array[row, column]}; expected a finite number"
        )
    both = there[:, 1:]
    rises, falls = (both & compare(array[:, 1:], array[:, :-1]) for compare in (np.greater, np.less))
    if rises.any() and not falls.any():
        raise ValueError(
            "scores rise along the rows: these look like distances, where small is good. Pass -D"
        )
    for row, column in np.argwhere(rises)[:1]:
        raise ValueError(f"scores: row {row} rises at column {column + 1}; rows must be best first")
    flat = int(np.sum(there[:, 1:].any(axis=1) & ~falls.any(axis=1)))
    if flat:
        warn(f"all scores are equal in {plural(flat, 'row')}: there is no ranking, the row order decides")


def find(top: Array, rows: Ints, documents: Ints) -> Ints:
    """Rank of each document in its row of ids (`ABSENT` if it is not there); `top` is from `check_ids`.

    Examples
    --------
    >>> find(np.array([[7], [3], [-1]]), np.array([0]), np.array([3])).tolist()
    [2]
    """
    rank = np.full(len(rows), ABSENT, dtype=np.int64)
    known = np.flatnonzero((rows >= 0) & (documents >= 0))  # -1 would match the last row, and the padding
    if np.any(rows[1:] < rows[:-1]):
        known = known[np.argsort(rows[known], kind="stable")]  # rows side by side are quick to read
    for start in range(0, len(known), BLOCK):
        some = known[start : start + BLOCK]
        row, document = rows[some], documents[some]
        for place, column in enumerate(top, start=1):
            rank[some[column[row] == document]] = place
    return rank


def read_judgements(qrels: Table) -> dict[str, pd.Series]:
    """Columns as from `check_qrels`, but ids that are whole numbers stay numbers, and at 1M queries that is quick.

    Examples
    --------
    >>> {name: column.to_list() for name, column in read_judgements({0: {3: 1}}).items()}
    {'query_id': [0], 'doc_id': [3], 'relevance': [1]}
    """
    given = columns_of(qrels, QRELS_COLUMNS, "qrels")
    if all(given[column].dtype.kind in "iu" for column in (QUERY_ID, DOC_ID)):
        columns = {name: column.reset_index(drop=True) for name, column in given.items()}
        columns[RELEVANCE] = whole(columns[RELEVANCE], "qrels: relevance")
        if not _repeats(columns[QUERY_ID].to_numpy(), columns[DOC_ID].to_numpy()):
            return columns
    clean = check_qrels(qrels)
    numeric = [column for column, kind in id_kinds(qrels, "qrels").items() if kind == "whole numbers"]
    clean = clean.astype(dict.fromkeys(numeric, "int64"))
    return {column: clean[column] for column in QRELS_COLUMNS}


def _repeats(query: Array, document: Array) -> bool:
    """Whether a pair of ids stands twice: sorting one number per pair is far quicker than hashing."""
    if not len(query) or min(query.min(), document.min()) < 0 or max(query.max(), document.max()) >= ABSENT:
        return True  # odd ids: the careful way decides
    # The stable sort is quick where queries stand together.
    pairs = np.sort(query.astype(np.int64) * ABSENT + document, kind="stable")
    return bool(np.any(pairs[1:] == pairs[:-1]))


def numbered(ids: pd.Series) -> tuple[Ints, pd.Index]:
    """Number ids in the order in which they come, and list them; sorted ones are told apart by their neighbours.

    Examples
    --------
    >>> [numbered(pd.Series(ids))[0].tolist() for ids in ([4, 4, 7], [7, 4, 4])]
    [[0, 0, 1], [0, 1, 1]]
    """
    plain = ids.to_numpy()
    if plain.dtype.kind in "iu" and np.all(plain[1:] >= plain[:-1]):
        new = np.r_[True, plain[1:] != plain[:-1]]
        return np.cumsum(new) - 1, pd.Index(plain[new])
    return pd.factorize(ids)


def positions(wanted: pd.Series, known: Any, count: int | None, column: str) -> Ints:
    """Turn ids into positions, through the list of `known` ids or (None) as they are; -1 for an unknown one.

    Examples
    --------
    >>> positions(pd.Series(["b", "x"]), ["a", "b"], None, "doc_id").tolist()
    [1, -1]
    """
    argument = f"{column}s"
    if known is None:
        if wanted.dtype.kind not in "iu":
            raise ValueError(
                f"{column} in qrels is text, but ids are positions; pass {argument}=, the ids in the order of "
                f"{'the index' if column == DOC_ID else 'the rows of ids'}"
            )
        return _inside(wanted.to_numpy(dtype=np.int64), count, column)
    given = pd.Series(list(known), dtype=object)
    check_same_kind(
        {"qrels": id_kind(wanted, f"qrels: {column}"), argument: id_kind(given, argument)}, column
    )
    index = pd.Index(as_text(given, argument))
    if (count is not None and len(index) != count) or not index.is_unique:
        what = f"{index[index.duplicated()][0]} twice" if not index.is_unique else f"{len(index)} ids"
        raise ValueError(f"{argument} has {what}; expected {count} different ids")
    return np.asarray(index.get_indexer(pd.Index(as_text(wanted, f"qrels: {column}"))), dtype=np.int64)


def _inside(places: Ints, count: int | None, column: str) -> Ints:
    wrong = places[(places < 0) | (places >= (ABSENT if count is None else count))]
    if len(wrong):
        told = "0 or more" if count is None else f"0 to {count - 1}, the rows of ids"
        raise ValueError(f"{column} {wrong[0]} in qrels is no position; expected {told}. Or pass {column}s=")
    return places
