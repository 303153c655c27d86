"""The charts: axes in, axes out. Every label comes from `course_utils.i18n`."""

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from course_utils.i18n import text
from course_utils.plots._figure import BLUE, GRADE_COLOURS, GREEN, GREY, INK, ORANGE

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes


def grade_strip(ax: "Axes", lists: Mapping[str, Sequence[int]]) -> "Axes":
    """Draw ranked lists as rows of boxes, one per rank, each with its grade written in it.

    Parameters
    ----------
    ax : Axes
        Where to draw.
    lists : mapping of str to sequence of int
        The grades of each list in rank order, by the list's name.

    Returns
    -------
    Axes
        The same axes.

    Examples
    --------
    >>> from course_utils.plots import axes
    >>> fig, (ax,) = axes()
    >>> grade_strip(ax, {"BM25": [2, 0, 0, 1]}).get_xlabel()
    'Rank'
    """
    for row, grades in enumerate(lists.values()):
        for rank, grade in enumerate(grades, start=1):
            ax.barh(
                -row, 0.92, left=rank - 0.46, height=0.8, color=GRADE_COLOURS.get(grade, GREEN), edgecolor=INK
            )
            ax.text(rank, -row, str(grade), ha="center", va="center", color="white" if grade > 1 else INK)
    longest = max(len(grades) for grades in lists.values())
    ax.set_xticks(range(1, longest + 1))
    ax.set_yticks([-row for row in range(len(lists))], list(lists))
    ax.set_xlabel(text("plot.rank"))
    ax.spines[:].set_visible(False)
    ax.tick_params(length=0)
    return ax


def contributions(ax: "Axes", name: str, grades: "Sequence[int]") -> "Axes":
    """Draw what each rank of one list adds to its DCG: the gain as an outline, what the discount leaves of it filled.

    Parameters
    ----------
    ax : Axes
        Where to draw.
    name : str
        The list's name, the title.
    grades : sequence of int
        The grades in rank order; the gain is the grade itself.

    Returns
    -------
    Axes
        The same axes.

    Examples
    --------
    >>> from course_utils.plots import axes
    >>> fig, (ax,) = axes()
    >>> contributions(ax, "BM25", [2, 0, 0, 1]).get_title()
    'BM25'
    """
    ranks = range(1, len(grades) + 1)
    kept = [grade / math.log2(rank + 1) for rank, grade in zip(ranks, grades, strict=True)]
    ax.bar(ranks, grades, color="none", edgecolor=GREY, linestyle="--")
    ax.bar(ranks, kept, color=BLUE)
    for rank, grade, value in zip(ranks, grades, kept, strict=True):
        if grade:
            shown = f"{value:.2f}".rstrip("0").rstrip(".")
            ax.text(rank, grade + 0.05, shown, ha="center", fontsize=8, color=INK)
    ax.set(title=name, xlabel=text("plot.rank"), xticks=ranks, yticks=[0, 1, 2], ylim=(0, 2.4))
    return ax


def pairs(ax: "Axes", table: "pd.DataFrame") -> "Axes":
    """Draw two values per row as two joined dots; each column's name stands above its dots.

    Parameters
    ----------
    ax : Axes
        Where to draw.
    table : pandas.DataFrame
        Two columns of numbers; the index names the rows, the first row on top.

    Returns
    -------
    Axes
        The same axes.

    Examples
    --------
    >>> import pandas as pd
    >>> from course_utils.plots import axes
    >>> fig, (ax,) = axes()
    >>> len(pairs(ax, pd.DataFrame({"before": [0.2], "after": [0.8]}, index=["q1"])).texts)
    2
    """
    rows = [-row for row in range(len(table))]
    left, right = (table[name].to_numpy() for name in table.columns)
    ax.hlines(rows, left, right, color=GREY)
    looks = zip(table, (left, right), (BLUE, ORANGE), ("o", "s"), _sides(left[0], right[0]), strict=True)
    for name, values, colour, marker, side in looks:
        ax.plot(values, rows, marker, color=colour)
        ax.text(values[0], 0.45, str(name), color=colour, ha=side, va="bottom")
    ax.set_yticks(rows, list(table.index))
    ax.set(xlim=(-0.03, 1.03), ylim=(rows[-1] - 0.5, 1.1))
    return ax


def differences(ax: "Axes", values: Sequence[float], above: str, below: str) -> "Axes":
    """Draw one line per question from zero to its difference, sorted, and say in words what each side means.

    Parameters
    ----------
    ax : Axes
        Where to draw.
    values : sequence of float
        One difference per question.
    above, below : str
        What a positive and a negative difference mean.

    Returns
    -------
    Axes
        The same axes.

    Examples
    --------
    >>> from course_utils.plots import axes
    >>> fig, (ax,) = axes()
    >>> [t.get_text() for t in differences(ax, [0.5, -0.25], "B better", "A better").texts]
    ['B better', 'A better']
    """
    ordered = sorted(values, reverse=True)
    places = range(1, len(ordered) + 1)
    ax.vlines(places, 0, ordered, color=[BLUE if value > 0 else ORANGE for value in ordered], linewidth=2.5)
    ax.axhline(0, color=INK, linewidth=0.8)
    ax.text(len(ordered) * 0.3, 0.7, above, color=BLUE)
    ax.text(len(ordered) * 0.7, -0.75, below, color=ORANGE, ha="right")
    ax.set(xlabel=text("plot.questions"), ylabel=text("plot.difference"), ylim=(-1.08, 1.08))
    return ax


def _sides(left: float, right: float) -> tuple[str, str]:
    """Write the names of two near values away from each other."""
    if abs(left - right) > 0.3:
        return "center", "center"
    return ("right", "left") if left <= right else ("left", "right")
