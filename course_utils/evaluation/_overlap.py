"""Whether the judged and the answered queries meet."""

from typing import Any

import numpy as np

from course_utils.schema import warn


def check_overlap(judged: Any, answered: Any, known: np.ndarray[Any, Any], what: str) -> None:
    """Refuse a run none of whose queries is judged; warn of the queries that are ignored.

    Parameters
    ----------
    judged
        One judged query id, for the message.
    answered, known
        Query ids of the run, and which of them are judged (or named in `queries`).
    what
        "queries in the run" or "rows of ids".

    Examples
    --------
    >>> check_overlap("2024-1.1", ["2024-1"], np.array([False]), "queries in the run")
    Traceback (most recent call last):
    ValueError: no query in common: qrels has for instance '2024-1.1', the run '2024-1'; \
are the query ids written alike?
    """
    unknown = np.flatnonzero(~known)
    if not len(unknown):
        return
    example = np.asarray(answered, dtype=object)[unknown[0]]
    if len(unknown) == len(known):
        raise ValueError(
            f"no query in common: qrels has for instance {str(judged)!r}, the run {str(example)!r}; "
            "are the query ids written alike?"
        )
    have = "has no judgements and is" if len(unknown) == 1 else "have no judgements and are"
    warn(f"{len(unknown):,} of {len(known):,} {what} {have} ignored (for instance {example})")
