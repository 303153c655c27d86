"""The same experiment with other scores: said loudly, never stored over the first."""

import numpy as np

from course_utils.ledger._record import Record
from course_utils.schema import plural

TOLERANCE = 1e-8


class DriftError(ValueError):
    """The same experiment gave other scores: something that moves them is not in its configuration.

    Parameters
    ----------
    message
        What moved.
    stored, found
        The record in the ledger, which stays as it is, and the new one, which is not kept.
    """

    def __init__(self, message: str, stored: Record, found: Record) -> None:
        super().__init__(message)
        self.stored, self.found = stored, found


def check_drift(stored: Record, found: Record) -> None:
    """Refuse a repetition that does not agree with the record.

    Examples
    --------
    >>> one = Record("ab12", {}, None, {"measures": []}, {}, {}, "", {}, [{"query_id": "q1", "status": "right"}])
    >>> check_drift(one, one)
    """
    before, after = stored.scores, found.scores.reindex(stored.scores.index)
    names = stored.measures
    gaps = (after[names] - before[names]).abs()
    odd = before[names].isna() != after[names].isna()
    moved = (gaps > TOLERANCE).any(axis=1) | odd.any(axis=1) | (before["status"] != after["status"])
    if not moved.any():
        return
    size = (
        gaps.max(axis=1).fillna(0).mask(odd.any(axis=1), np.inf)
    )  # where only the status moved, it counts least
    worst = str(size[moved].idxmax())
    told = ", ".join(f"{name} {before[name][worst]:g} -> {after[name][worst]:g}" for name in names)
    if not size[worst]:
        told = f"{before['status'][worst]} -> {after['status'][worst]}"
    raise DriftError(
        f"drift: record {stored.id} of {stored.created[:10]} has the same configuration and data, and other "
        f"results for {plural(int(moved.sum()), 'question')}, most for {worst} ({told}). "
        f"Versions: {_versions(stored, found)}. "
        "The record stays as it was. Find what moved, name it in the configuration, and record again",
        stored,
        found,
    )


def _versions(stored: Record, found: Record) -> str:
    both = sorted(stored.versions.keys() | found.versions.keys())
    pairs = [(name, stored.versions.get(name, "none"), found.versions.get(name, "none")) for name in both]
    changed = [f"{name} {old} -> {new}" for name, old, new in pairs if old != new]
    return ", ".join(changed) or "all the same"
