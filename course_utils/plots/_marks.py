"""A table of yes and no as boxes: which test catches which bug."""

from typing import TYPE_CHECKING

from course_utils.plots._figure import BLUE, GRADE_COLOURS, INK

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes


def marks(ax: "Axes", table: "pd.DataFrame") -> "Axes":
    """Draw a table of truth values as boxes: a tick on blue for true, an empty grey box for false.

    Parameters
    ----------
    ax : Axes
        Where to draw.
    table : pandas.DataFrame
        Truth values; the first row is drawn on top, the columns' names stand above.

    Returns
    -------
    Axes
        The same axes.

    Examples
    --------
    >>> import pandas as pd
    >>> from course_utils.plots import axes
    >>> fig, (ax,) = axes()
    >>> len(marks(ax, pd.DataFrame({"test": [True, False]}, index=["bug 1", "bug 2"])).texts)
    1
    """
    for row, values in enumerate(table.to_numpy()):
        for column, value in enumerate(values):
            colour = BLUE if value else GRADE_COLOURS[0]
            ax.barh(-row, 0.92, left=column - 0.46, height=0.86, color=colour)
            if value:
                ax.text(column, -row, "✓", ha="center", va="center", color="white")
    ax.xaxis.tick_top()
    ax.set_xticks(range(table.shape[1]), list(table.columns), rotation=30, ha="left", color=INK)
    ax.set_yticks([-row for row in range(len(table))], list(table.index))
    ax.spines[:].set_visible(False)
    ax.tick_params(length=0)
    return ax
