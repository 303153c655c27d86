"""Lines over a common axis, such as a measure at each cutoff."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from course_utils.i18n import text
from course_utils.plots._figure import INK, looks

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def score_by_cutoff(
    ax: "Axes", scores: Mapping[str, Sequence[float]], ceiling: Sequence[float] = ()
) -> "Axes":
    """Draw one line per name against the cutoff k, each labelled at its end; a ceiling is drawn dashed.

    Parameters
    ----------
    ax : Axes
        Where to draw.
    scores : mapping of str to sequence of float
        Scores at k = 1, 2, 3, ….
    ceiling : sequence of float, optional
        The best score that any list can have at each k.

    Returns
    -------
    Axes
        The same axes.

    Examples
    --------
    >>> from course_utils.plots import axes
    >>> fig, (ax,) = axes()
    >>> len(score_by_cutoff(ax, {"Recall@k": [0, 1, 1]}).lines)
    1
    """
    longest = max(len(values) for values in scores.values())
    curves(ax, range(1, longest + 1), scores)
    if ceiling:
        ax.plot(range(1, len(ceiling) + 1), ceiling, color=INK, linestyle="--")
        ax.annotate(
            f" {text('plot.ceiling')}",
            (len(ceiling), ceiling[-1]),
            color=INK,
            va="center",
            annotation_clip=False,
        )
    ax.set(xlabel=text("plot.cutoff"), xticks=range(1, longest + 1))
    return ax


def curves(ax: "Axes", x: Sequence[float], lines: Mapping[str, Sequence[float]]) -> "Axes":
    """Draw one line per name over the same x, each labelled at its right end.

    Parameters
    ----------
    ax : Axes
        Where to draw.
    x : sequence of float
        The common positions.
    lines : mapping of str to sequence of float
        Values from 0 to 1, one per position.

    Returns
    -------
    Axes
        The same axes.

    Raises
    ------
    ValueError
        More than four lines.

    Examples
    --------
    >>> from course_utils.plots import axes
    >>> fig, (ax,) = axes()
    >>> len(curves(ax, [0, 10], {"kappa": [0.5, 0.6]}).lines)
    1
    """
    heights = _apart([values[-1] for values in lines.values()])
    for (name, values), height, (colour, marker) in zip(
        lines.items(), heights, looks(len(lines)), strict=True
    ):
        ax.plot(x, values, color=colour, marker=marker, markersize=4)
        ax.annotate(f"  {name}", (x[-1], height), color=colour, va="center", annotation_clip=False)
    ax.set_ylim(-0.03, 1.05)
    return ax


def _apart(heights: Sequence[float], gap: float = 0.09) -> list[float]:
    """Move labels that would lie on each other up, the lowest stays."""
    moved: dict[int, float] = {}
    for place in sorted(range(len(heights)), key=lambda n: heights[n]):
        moved[place] = max([heights[place], *(height + gap for height in moved.values())])
    return [moved[place] for place in range(len(heights))]
