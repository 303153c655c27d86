"""A finding: what is wrong, where, and what to do about it."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

COLUMNS = ["level", "code", "where", "message"]
SHOWN = 5


class Finding(NamedTuple):
    """One row of the table that `validate` returns.

    Examples
    --------
    >>> Finding("warning", "too-few-questions", "questions", "12 questions: write more").code
    'too-few-questions'
    """

    level: str
    code: str
    where: str
    message: str


Findings = Iterator[Finding]


def some(items: Iterable[object]) -> str:
    """Return the first few items, and how many more there are.

    Examples
    --------
    >>> some(["q1", "q2"]), some(range(8))
    ('q1, q2', '0, 1, 2, 3, 4 and 3 more')
    """
    listed = [str(item) for item in items]
    more = f" and {len(listed) - SHOWN} more" if len(listed) > SHOWN else ""
    return ", ".join(listed[:SHOWN]) + more
