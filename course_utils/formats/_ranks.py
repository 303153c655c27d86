"""Whether the rank column of a run agrees with its scores."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from course_utils.formats._fast import Ints
from course_utils.schema import QUERY_ID, SCORE, Block, plural, warn


class RankCheck:
    """Find the queries where a better rank has a lower score: scores are used, distances would be upside down."""

    def __init__(self) -> None:
        self.queries, self.wrong, self.falls = 0, list[str](), False

    def look(self, piece: Block | pd.DataFrame, ranks: Ints) -> None:
        """Look at a piece; of the usual one, whose rows stand by rank, only neighbours are compared."""
        if isinstance(piece, Block):
            owner, names, scores = np.repeat(np.arange(len(piece.queries)), piece.lengths), None, piece.scores
        else:
            (owner, names), scores = pd.factorize(piece[QUERY_ID]), piece[SCORE].to_numpy()
        below = owner[1:] == owner[:-1]
        self.falls |= bool(np.any(below & (scores[1:] < scores[:-1])))
        if np.any(below & ((ranks[1:] <= ranks[:-1]) | (scores[1:] > scores[:-1]))):
            names = piece.queries if isinstance(piece, Block) else names
            self._look_closely(owner, names, ranks, scores)
        self.queries += int(owner.max(initial=-1)) + 1

    def _look_closely(self, owner: Any, names: Any, ranks: Any, scores: Any) -> None:
        order = np.lexsort((-scores, pd.factorize(ranks, sort=True)[0], owner))
        scores, owner = scores[order], owner[order]
        below = owner[1:] == owner[:-1]
        self.falls |= bool(np.any(below & (scores[1:] < scores[:-1])))
        self.wrong += names[np.unique(owner[1:][below & (scores[1:] > scores[:-1])])].tolist()

    def warn(self, path: Path) -> None:
        """Say what was found in the file."""
        if self.wrong:
            told = f"{len(self.wrong):,} of {plural(self.queries, 'query', 'queries')}"
            hint = "" if self.falls else "; if they are distances, negate them"
            warn(
                f"{path}: the rank column contradicts the scores in {told} (for instance {self.wrong[0]}); "
                f"scores are used{hint}"
            )
