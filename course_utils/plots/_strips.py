"""Distributions side by side, as dots that can be counted."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from course_utils.plots._figure import INK, looks

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def strips(ax: "Axes", groups: Mapping[str, Sequence[float]]) -> "Axes":
    """Draw each group as a row of dots along one axis, with a line at its median.

    Parameters
    ----------
    ax : Axes
        Where to draw.
    groups : mapping of str to sequence of float
        Values by the group's name; the first group on top.

    Returns
    -------
    Axes
        The same axes.

    Raises
    ------
    ValueError
        More than four groups.

    Examples
    --------
    >>> from course_utils.plots import axes
    >>> fig, (ax,) = axes()
    >>> [t.get_text() for t in strips(ax, {"yes": [1, 2, 3], "no": [2]}).get_yticklabels()]
    ['yes (3)', 'no (1)']
    """
    pairs = zip(groups.values(), looks(len(groups)), strict=True)
    for row, (values, (colour, marker)) in enumerate(pairs):
        # Neighbours go up and down in turn, so that equal values do not hide each other.
        heights = [-row + 0.22 * (place % 5 - 2) / 2 for place in range(len(values))]
        ax.plot(sorted(values), heights, marker, color=colour, markersize=5, alpha=0.75)
        ordered = sorted(values)
        middle = (ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / 2
        ax.plot([middle, middle], [-row - 0.36, -row + 0.36], color=INK, linewidth=2)
    names = [f"{name} ({len(values)})" for name, values in groups.items()]
    ax.set_yticks([-row for row in range(len(names))], names)
    ax.set_ylim(-len(names) + 0.5, 0.5)
    return ax
