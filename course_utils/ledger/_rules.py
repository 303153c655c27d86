"""The rules of the gate that need no noise band. Each returns (code, message) per finding."""

import pandas as pd

from course_utils.ledger._compare import other_data
from course_utils.ledger._record import FAILED, FALSE, Record
from course_utils.schema import plural


def data(candidate: Record, reference: Record) -> list[tuple[str, str]]:
    """Find other data, which make every difference doubtful."""
    other = other_data(reference, candidate)
    return [("data", f"different {' and '.join(other)}: record both on the same data")] if other else []


def counts(candidate: Record, reference: Record, names: list[str]) -> list[tuple[str, str]]:
    """Find means over other questions."""
    now, before = candidate.scores, reference.scores
    found = []
    for name in names:
        ids = [set(one.index[one[name].notna()]) for one in (before, now)]
        gone, new = sorted(ids[0] - ids[1]), sorted(ids[1] - ids[0])
        if gone or new:
            which = ", ".join(
                [f"without {query}" for query in gone[:3]] + [f"with {query}" for query in new[:3]]
            )
            found.append(
                ("n", f"{name} is over {len(ids[1])} questions, was over {len(ids[0])}: now {which}")
            )
    if len(now) != len(before):
        found.append(("n", f"{len(now)} questions were asked, were {len(before)}"))
    return found


def lost(candidate: Record, reference: Record, wanted: list[str]) -> list[tuple[str, str]]:
    """Find must-not-lose questions that came out right in the reference and do not now."""
    right, was_right = _right(candidate), _right(reference)
    now = candidate.scores["status"]
    gone = [one for one in wanted if was_right.get(one, False) and not right.get(one, False)]
    return [("lost", f"must not lose {one}: now {now.get(one, 'not asked')}") for one in gone]


def _right(record: Record) -> pd.Series:
    scores = record.scores
    return scores["status"].eq(scores["answerable"].map({True: "right", False: "declined"}))


def unanswerable(candidate: Record, reference: Record) -> list[tuple[str, str]]:
    """Find more false answers, and more questions that failed."""
    (answered, broken), (before, broke) = _faults(candidate), _faults(reference)
    found = []
    if len(answered) > len(before):
        new = ", ".join(sorted(answered - before)[:5])
        found.append((FALSE.replace(" ", "-"), f"{len(answered)} {FALSE}, were {len(before)}; new: {new}"))
    if len(broken) > len(broke):
        new = ", ".join(sorted(broken - broke)[:5])
        found.append((FAILED, f"{plural(len(broken), 'question')} failed, were {len(broke)}; new: {new}"))
    return found


def _faults(record: Record) -> tuple[set[str], set[str]]:
    """Return the unanswerable questions that were answered, and all that failed."""
    scores = record.scores
    answered = ~scores["answerable"].astype(bool) & scores["status"].isin(["right", "wrong"])
    return set(scores.index[answered]), set(scores.index[scores["status"] == FAILED])


def notes(word: str, candidate: Record, reference: Record) -> list[str]:
    """Return what is worth knowing and is no finding."""
    if candidate.id == reference.id:
        return [f"The candidate and the {word} record are the same experiment ({candidate.id})."]
    swapped = sorted(_faults(candidate)[0] - _faults(reference)[0])
    told = f"Newly answered without an answer, against the {word} record: {', '.join(swapped[:5])}."
    return [told] if swapped else []
