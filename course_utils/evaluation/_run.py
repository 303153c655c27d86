"""The run's side: from a dict, a frame or its pieces to the rank of every judged document."""

import marshal
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from itertools import chain, pairwise, repeat
from math import nan
from pathlib import Path
from typing import Any, cast

import numpy as np
import pandas as pd

from course_utils.evaluation._frame import from_block, from_frame
from course_utils.evaluation._lists import Lists, Part, Standing
from course_utils.evaluation._scores import Floats
from course_utils.evaluation._truth import TEXT_IDS, Truth
from course_utils.schema import (
    Block,
    Table,
    as_text,
    check_run,
    check_same_kind,
    id_kinds,
    kind_of_types,
)

LISTS = 128  # lists of a dict looked at in one go: they stay in the processor's cache
MARSHAL = np.dtype([("type", np.uint8), ("value", "<f8")])
NO_PIECES = (Mapping, pd.DataFrame, Sequence, Set, Path, np.ndarray, pd.Series, pd.Index)


def stand(run: Any, truth: Truth) -> Standing:
    """Find every judged document in a run.

    Examples
    --------
    >>> from course_utils.evaluation._truth import read_truth
    >>> stand({"q1": {"d7": 0.9, "d1": 0.8}}, read_truth({"q1": {"d1": 1}})).rank.tolist()
    [2]
    """
    if isinstance(run, Iterable) and not isinstance(run, NO_PIECES):
        return _from_pieces(run, truth)
    return Standing(truth, [_part(run, truth)])


def _part(run: Table | Block, truth: Truth) -> Part:
    if isinstance(run, Block):
        _check_kinds(TEXT_IDS, truth)
        return from_block(run, truth)
    quick = _from_dict(run, truth) if isinstance(run, Mapping) and truth.kinds == TEXT_IDS else None
    if quick:
        return quick
    _check_kinds(id_kinds(run, "run"), truth)
    if not len(run):
        raise ValueError("nothing to score: the run is empty")
    if isinstance(run, pd.DataFrame):
        return from_frame(run, truth)
    return cast(Part, _from_dict(_plain_dict(run), truth))


def _check_kinds(found: dict[str, str], truth: Truth) -> None:
    for column, kind in truth.kinds.items():
        check_same_kind({"qrels": kind, "run": found[column]}, column)


def _from_pieces(run: Iterable[Any], truth: Truth) -> Standing:
    """Take pieces one by one; if that fails and they can be had again, all at once: then every message is right."""
    try:
        return Standing(truth, (_part(one, truth) for one in getattr(run, "blocks", run.__iter__)()))
    except ValueError:
        if isinstance(run, Iterator):
            raise
        whole = run.read() if hasattr(run, "read") else pd.concat(run, ignore_index=True)
        return Standing(truth, [_part(whole, truth)])


def _plain_dict(run: Mapping[Any, Mapping[Any, Any]]) -> dict[str, dict[str, float]]:
    """Refuse what is wrong, and make the rest text and numbers."""
    check_run(run)
    as_text(pd.Series(list(run), dtype=object), "run: query_id")
    return {str(query): {str(one): float(score) for one, score in row.items()} for query, row in run.items()}


def _from_dict(run: Mapping[Any, Mapping[Any, Any]], truth: Truth) -> Part | None:
    """Read a dict that needs no cleaning; None for any other. All is done with some lists before the next are met."""
    if not run or set(map(type, run)) != {str} or "" in run:
        return None
    queries, rows = pd.Index(list(run), dtype="str"), cast("list[dict[str, float]]", list(run.values()))
    entry, which = truth.entries_of(queries)
    owners, wanted = which.tolist(), truth.documents[entry].tolist()
    scores, asked = list[Floats](), list[float]()
    starts = range(0, len(rows), LISTS)
    for start, (low, high) in zip(
        starts, pairwise(np.searchsorted(which, [*starts, len(rows)])), strict=True
    ):
        plain = _plain_scores(rows[start : start + LISTS])
        if plain is None:
            return None
        scores.append(plain)
        asked += map(dict.get, map(rows.__getitem__, owners[low:high]), wanted[low:high], repeat(nan))
    for one, document, score in (
        zip(owners, wanted, asked, strict=True) if any(map(str.isdecimal, wanted)) else ()
    ):
        if score != score and document.isdecimal() and int(document) in cast(Any, rows[one]):
            return None  # "7" is judged and 7 was returned: refused, with both ids named

    def ids(one: int) -> Any:
        kind_of_types(set(map(type, rows[one])), rows[one], f"run: doc_id of {queries[one]}")
        return np.fromiter(rows[one], dtype=object, count=len(rows[one]))

    lengths = np.fromiter(map(len, rows), dtype=np.int64, count=len(rows))
    lists = Lists(queries, lengths, np.concatenate(scores), ids)
    return Part(lists, entry, which, np.array(asked, dtype=np.float64))


def _plain_scores(rows: list[Any]) -> Floats | None:
    """Scores of some lists, if these are dicts of text ids (the first of each is looked at) and finite numbers."""
    if set(map(type, rows)) != {dict} or any(map(dict.__contains__, rows, repeat(""))):
        return None
    if not set(map(type, map(next, map(iter, rows), repeat("")))) <= {str}:
        return None
    scores = _floats(rows)
    return scores if scores is not None and np.isfinite(scores).all() else None


def _floats(rows: list[Any]) -> Floats | None:
    """All values of some dicts, if each is a float, or an int that a float can hold.

    One walk gives types and values: marshal writes a float, and nothing else, as the byte g and eight bytes. So
    there are only floats where every ninth byte is a g; in any other case the types are looked at one by one.
    """
    values = list(chain.from_iterable(map(dict.values, rows)))
    with suppress(ValueError):  # it holds something that marshal does not know
        written = np.frombuffer(marshal.dumps(values, 2), dtype=MARSHAL, offset=5)
        if len(written) == len(values) and np.all(written["type"] == ord("g")):
            return written["value"].astype(np.float64)
    try:
        return np.array(values, dtype=np.float64) if set(map(type, values)) <= {float, int} else None
    except OverflowError:
        return None
