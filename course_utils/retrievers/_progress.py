"""A progress bar for long work, which an executed notebook does not show."""

import os
import sys
from collections.abc import Iterable, Sequence
from typing import TypeVar

T = TypeVar("T")


def progress(items: Sequence[T], what: str) -> Iterable[T]:
    """Return the items, and show a bar while they are used, if somebody watches a terminal.

    ``COURSE_QUIET=1`` hides the bar; ``COURSE_QUIET=0`` shows it everywhere, in a notebook too.

    Examples
    --------
    >>> [item for item in progress(["a", "b"], "Encoding")]
    ['a', 'b']
    """
    if is_quiet():
        return items
    from tqdm import tqdm

    return tqdm(items, desc=what, unit="text", leave=False)


def is_quiet() -> bool:
    """Say whether bars are hidden.

    Examples
    --------
    >>> isinstance(is_quiet(), bool)
    True
    """
    wish = os.environ.get("COURSE_QUIET", "")
    return wish != "0" if wish else not sys.stderr.isatty()
