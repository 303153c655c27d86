"""What a search function returned, in whatever shape: ids, and their scores if there are any."""

from collections.abc import Mapping
from decimal import Decimal
from numbers import Integral, Real
from typing import Any, NamedTuple
from uuid import UUID

import numpy as np
import pandas as pd

from course_utils.schema import QUERY_ID

IDS = ("doc_id", "document_id", "docid", "docno", "id", "_id")
SCORES = ("score", "_score", "similarity")
DISTANCES = ("distance", "_distance", "distances")
NONE = object()  # no score, which is not the score None
ID = str | Integral | UUID
NEGATE = "small is good: return -distance as the score, [(id, -distance), ...]"


class Found(NamedTuple):
    """Ids, their scores (None: there are none), and whether their order says which is best."""

    ids: list[str]
    scores: list[float] | None
    ordered: bool = True


def read(result: Any) -> Found:
    """Take what a search function returned apart; what has no one meaning is refused.

    Examples
    --------
    >>> read(["d7", "d3"])
    Found(ids=['d7', 'd3'], scores=None, ordered=True)
    >>> read([{"id": 7, "score": 0.9, "payload": {}}])
    Found(ids=['7'], scores=[0.9], ordered=True)
    >>> read(None)
    Traceback (most recent call last):
    ValueError: the function returned None; expected a list of ids or of (id, score), empty if it declines
    """
    if isinstance(result, Mapping):
        return _mapping(result)
    if isinstance(result, pd.Series) and not _holds_ids(result):
        return _rows(list(result.items()))
    return _rows(_listed(result))


def _listed(result: Any) -> list[Any]:
    if isinstance(result, pd.DataFrame):
        if QUERY_ID in result and result[QUERY_ID].nunique() > 1:
            raise ValueError("the function returned the rows of several questions; expected those of one")
        return [
            dict(zip(map(str, result.columns), row, strict=True)) for row in result.to_numpy(dtype=object)
        ]
    if isinstance(result, np.ndarray) and result.ndim != 1:
        raise ValueError(
            f"the function returned an array of shape {result.shape}; {_positions('expected one row')}"
        )
    if isinstance(result, list | tuple | np.ndarray | pd.Series | pd.Index):
        return list(result)
    told = "None" if result is None else f"a {type(result).__name__} ({result!r:.60})"
    inner = next((name for name in ("points", "matches", "hits", "results") if hasattr(result, name)), "")
    expected = "expected a list of ids or of (id, score), empty if it declines"
    raise ValueError(f"the function returned {told}; {f'return its .{inner}' if inner else expected}")


def _holds_ids(series: pd.Series) -> bool:
    """Tell a Series of ids from one of scores that has the ids as index."""
    if len(series) and series.dtype.kind in "iu" and isinstance(series.index, pd.RangeIndex):
        raise ValueError("the function returned a Series of whole numbers without an index of ids: are they ids "
                         "or scores? Return series.tolist() for ids")  # fmt: skip
    return series.dtype.kind not in "iuf"


def _mapping(result: Mapping[Any, Any]) -> Found:
    if not all(_is_number(value) for value in result.values()):
        keys = ", ".join(map(str, list(result)[:5]))
        if set(DISTANCES) & set(result):
            raise ValueError(
                f"the function returned a dict with {keys}. Distances: small is good; return pairs, as in "
                'list(zip(r["ids"][0], (-d for d in r["distances"][0])))'
            )
        raise ValueError(
            f"the function returned a dict with {keys}; expected {{id: score}} or the list of results that is in it"
        )
    return Found([_id(one, "a key") for one in result], [_score(one, "") for one in result.values()], False)


def _rows(items: list[Any]) -> Found:
    pairs = [_pair(item, f"result {place}") for place, item in enumerate(items, start=1)]
    ids = [_id(one, f"result {place}") for place, (one, _) in enumerate(pairs, start=1)]
    bare = [score is NONE for _, score in pairs]
    if all(bare):
        return Found(ids, None)
    if any(bare):
        raise ValueError(f"result {bare.index(True) + 1} has no score and others have; expected all or none")
    return Found(ids, [_score(score, f"result {n}") for n, (_, score) in enumerate(pairs, start=1)])


def _pair(item: Any, where: str) -> tuple[Any, Any]:
    """Return id and score of one result."""
    if isinstance(item, ID):
        return item, NONE
    if isinstance(item, np.ndarray):
        raise ValueError(f"{where} is an array of shape {item.shape}; {_positions('expected an id')}")
    if isinstance(item, tuple | list) and not hasattr(item, "_fields"):
        if len(item) != 2:
            raise ValueError(f"{where} has {len(item)} parts; expected two, (id, score)")
        return item[0], item[1]
    fields = dict(item) if hasattr(item, "keys") else item
    one = _field(fields, IDS, where)
    if one is NONE:
        raise ValueError(f"{where} is a {type(item).__name__} ({item!r:.60}) without {' or '.join(IDS)}; expected "
                         "an id, (id, score), or something with an id and a score")  # fmt: skip
    score = _field(fields, SCORES, where)
    if score is NONE and _field(fields, DISTANCES, where) is not NONE:
        raise ValueError(f"{where} has a distance, of which {NEGATE}")
    return one, score


def _field(fields: Any, names: tuple[str, ...], where: str) -> Any:
    has = fields.__contains__ if isinstance(fields, dict) else lambda name: hasattr(fields, name)
    found = [name for name in names if has(name)]
    if len(found) > 1:
        raise ValueError(f"{where} has {' and '.join(found)}: which one counts? Return ids, or (id, score)")
    if not found:
        return NONE
    return fields[found[0]] if isinstance(fields, dict) else getattr(fields, found[0])


def _id(one: Any, where: str) -> str:
    if isinstance(one, bool) or not isinstance(one, ID) or not str(one).strip():
        raise ValueError(
            f"{where}: the id is a {type(one).__name__} ({one!r:.40}); expected text or a whole number, id first"
        )
    if isinstance(one, Integral) and one < 0:
        raise ValueError(f"{where}: the id is {one}. FAISS fills up with -1: leave these out")
    return str(one)


def _score(score: Any, where: str) -> float:
    if not _is_number(score) or not np.isfinite(float(score)):
        raise ValueError(
            f"{where}: the score is a {type(score).__name__} ({score!r:.40}); expected a finite number".lstrip(
                ": "
            )
        )
    return float(score)


def _is_number(value: Any) -> bool:
    """Tell a number, also of a database (Decimal) or a tensor of one."""
    if isinstance(value, Real | Decimal):
        return not isinstance(value, bool | np.bool_)
    return hasattr(value, "item") and hasattr(value, "__float__") and getattr(value, "ndim", 1) == 0


def _positions(expected: str) -> str:
    return (
        f"{expected}. If these are FAISS's D and I for one question: "
        "[(doc_ids[i], d) for i, d in zip(I[0], D[0]) if i >= 0], and -d for L2"
    )
