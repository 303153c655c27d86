"""Is a drop more than noise? One test per cell (a measure, overall or in a type), corrected for their number."""

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from course_utils.ledger._compare import paired
from course_utils.ledger._record import Record

Floats = np.ndarray[Any, np.dtype[np.float64]]
EXACT, FLIPS, MANY = 12, 9_999, 500
EPSILON = 1e-9
COLUMNS = ["against", "measure", "type", "n", "before", "now", "difference", "band", "drop"]


class Cell(NamedTuple):
    """The questions of one mean, and how much each group of twins moved in all."""

    against: str
    measure: str
    type: str
    n: int
    before: float
    now: float
    moves: Floats

    @property
    def smallest(self) -> float:
        """Smallest p that this cell can reach: all that moved, moved down."""
        return max(0.5 ** len(self.moves), 1 / (FLIPS + 1))


def cells_of(against: str, before: Record, now: Record, measures: list[str], min_n: int) -> list[Cell]:
    """Return the cells of a comparison: overall, and each type with enough questions.

    Examples
    --------
    >>> rows = [{"query_id": f"q{n}", "RR": 0.5, "original": f"q{n}", "type": "ab"[n % 2]} for n in range(16)]
    >>> one = Record("", {}, None, {"measures": ["RR"]}, {}, {}, "", {}, rows)
    >>> [(cell.type, cell.n) for cell in cells_of("last", one, one, ["RR"], 8)]
    [('all', 16), ('a', 8), ('b', 8)]
    """
    found = []
    for name in measures:
        pair = paired(before, now, name)
        groups = [("all", pair), *((kind, part) for kind, part in pair.groupby("type") if kind)]
        found += [_cell(against, name, str(kind), part) for kind, part in groups if len(part) >= min_n]
    return found


def _cell(against: str, measure: str, kind: str, pair: pd.DataFrame) -> Cell:
    # Twins ask the same thing in other words: they move together, so they count as one.
    codes = pd.factorize(pair["original"])[0]
    moves: Floats = np.bincount(codes, pair["b"] - pair["a"]).astype(np.float64)
    means = float(pair["a"].mean()), float(pair["b"].mean())
    return Cell(against, measure, kind, len(pair), *means, moves[np.abs(moves) > EPSILON])


def number_of_tests(cells: list[Cell], alpha: float) -> int:
    """Return the number of tests to correct for: Bonferroni's, without cells that could not fail (Tarone 1990).

    It is the smallest K such that no more than K cells can reach p <= alpha / K at all. Cells where too few
    questions moved cannot, so they raise no false alarm and need no correction.

    Examples
    --------
    >>> few, many = (Cell("", "", "", 9, 1, 1, np.ones(size)) for size in (2, 9))
    >>> number_of_tests([many, few, few, few], 0.05)
    1
    """
    for count in range(1, len(cells) + 1):
        if sum(cell.smallest <= alpha / count for cell in cells) <= count:
            return count
    return 1


def band(cell: Cell, level: float) -> float:
    """Return the largest drop of the mean that noise explains at this level; NaN if no drop could be larger.

    Noise: had nothing changed, each group of twins might as well have moved the other way. So the signs of the
    moves are flipped, in all ways or in 9,999 random ones, and a share `level` of the means may lie beyond.

    Examples
    --------
    >>> moves = -np.ones(9)
    >>> round(band(Cell("", "", "", 9, 1, 0, moves), 0.05), 3)
    0.556
    >>> band(Cell("", "", "", 9, 1, 0, moves[:2]), 0.05)
    nan
    """
    if cell.smallest > level:
        return float("nan")
    moves = cell.moves
    if len(moves) > MANY:
        from scipy.stats import norm

        return float(-norm.ppf(level) * np.sqrt((moves**2).sum()) / cell.n)
    sums = moves @ _signs(len(moves))[: len(moves)]
    # The null includes what was observed; `allowed` of its sums may be as low as the observed one or lower.
    allowed = int(np.floor(level * len(sums) + EPSILON))
    return float(-np.partition(sums, allowed)[allowed] / cell.n)


def _signs(size: int) -> Floats:
    """A row per move, a column per way of flipping."""
    return _all_signs(size) if size <= EXACT else _drawn_signs(-(-size // 100) * 100)


@lru_cache(maxsize=16)
def _all_signs(size: int) -> Floats:
    bits = (np.arange(2**size) >> np.arange(size)[:, None]) & 1
    return 1.0 - 2.0 * bits.astype(np.float64)


@lru_cache(maxsize=4)
def _drawn_signs(size: int) -> Floats:
    """Random signs, the same in each call; the first column is what was observed."""
    coins = np.random.default_rng(0).integers(0, 2, (size, FLIPS + 1))
    drawn = coins.astype(np.float64) * 2 - 1
    drawn[:, 0] = 1.0
    return drawn


def table(cells: list[Cell], alpha: float) -> pd.DataFrame:
    """Return a row per cell, with its noise band and whether it dropped beyond it.

    Examples
    --------
    >>> table([Cell("last", "RR", "all", 9, 1.0, 0.0, -np.ones(9))], 0.05)[["band", "drop"]].round(3).values.tolist()
    [[0.556, True]]
    """
    count = number_of_tests(cells, alpha)
    rows = []
    for cell in cells:
        edge, gap = band(cell, alpha / count), cell.now - cell.before
        beyond = bool(gap < -edge - EPSILON)
        rows.append((*cell[:6], gap, edge, beyond))
    return pd.DataFrame(rows, columns=COLUMNS)
