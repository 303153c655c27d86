"""A heat map whose cells can be read as numbers: colour helps, the number tells."""

from typing import TYPE_CHECKING

from course_utils.plots._figure import GREY, INK

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

_PALE, _FULL = "#f3f6f8", "#4ba3d9"  # black letters have a contrast of at least 6 on both and on all between


def heat(ax: "Axes", table: "pd.DataFrame") -> "Axes":
    """Draw scores from 0 to 1 as shaded cells with the number in each; what has no value is an empty frame.

    Parameters
    ----------
    ax : Axes
        Where to draw.
    table : pandas.DataFrame
        Scores by row (such as a type) and column (such as a system). A column "n" is written behind the row's name.

    Returns
    -------
    Axes
        The same axes.

    Examples
    --------
    >>> import pandas as pd
    >>> from course_utils.plots import axes
    >>> fig, (ax,) = axes()
    >>> drawn = heat(ax, pd.DataFrame({"A": [0.5, float("nan")], "n": [8, 0]}, index=["keyword", "noisy"]))
    >>> [t.get_text() for t in drawn.texts], [t.get_text() for t in drawn.get_yticklabels()]
    (['0.50', '–'], ['keyword (8)', 'noisy (0)'])
    """
    counts = [f" ({n})" for n in table["n"]] if "n" in table else [""] * len(table)
    names = [f"{row}{count}" for row, count in zip(table.index, counts, strict=True)]
    values = table.drop(columns="n", errors="ignore")
    for row, scores in enumerate(values.to_numpy(float)):
        for column, score in enumerate(scores):
            _cell(ax, row, column, float(score))
    ax.xaxis.tick_top()
    ax.set_xticks(range(values.shape[1]), list(values.columns), color=INK)
    ax.set_yticks([-row for row in range(len(values))], names)
    ax.spines[:].set_visible(False)
    ax.tick_params(length=0)
    return ax


def _cell(ax: "Axes", row: int, column: int, score: float) -> None:
    there = score == score
    ax.barh(-row, 0.96, left=column - 0.48, height=0.92, color=_shade(score) if there else "none",
            edgecolor=GREY if not there else "none")  # fmt: skip
    ax.text(column, -row, f"{score:.2f}" if there else "–", ha="center", va="center", color=INK)


def _shade(score: float) -> tuple[float, ...]:
    """Mix the two colours in steps of a tenth, so that a figure keeps to 32 colours."""
    from matplotlib.colors import to_rgb

    part = round(min(max(score, 0.0), 1.0), 1)
    return tuple((1 - part) * a + part * b for a, b in zip(to_rgb(_PALE), to_rgb(_FULL), strict=True))
