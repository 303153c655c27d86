"""Lines of a run as a file holds them, before any id becomes a text."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pandas as pd


class Block(NamedTuple):
    """Some lists of a run, one after the other, whose documents are known by number.

    Equal ids have equal `keys`. Long ids may share a key though they differ, so a match is only then one if the
    texts agree.
    """

    queries: pd.Index
    lengths: np.ndarray[Any, np.dtype[np.int64]]
    scores: np.ndarray[Any, np.dtype[np.float64]]
    keys: np.ndarray[Any, np.dtype[np.uint64]]
    keys_of: Callable[[Any], np.ndarray[Any, np.dtype[np.uint64]]]
    texts: Callable[[Any], Any]  # of the given rows

    def query_of_rows(self) -> Any:
        """Query id of each row.

        Examples
        --------
        >>> none = np.zeros(3, dtype=np.uint64)
        >>> Block(pd.Index(["q1", "q2"]), np.array([2, 1]), none, none, len, len).query_of_rows().tolist()
        ['q1', 'q1', 'q2']
        """
        return np.repeat(self.queries.to_numpy(dtype=object), self.lengths)
