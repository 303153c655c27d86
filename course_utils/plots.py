"""The course's figures: axes in, axes out, one palette that survives colour blindness, and `show`.

Every label comes from `course_utils.i18n`, so that a second language needs no second figure.
"""

import base64
import html
import io
import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from course_utils.i18n import text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# After Okabe and Ito (2008), darkened until text has contrast. Labels carry the meaning too, never colour alone.
INK, BLUE, ORANGE, GREEN, GREY = "#1a1a1a", "#0072b2", "#b34a00", "#007a5a", "#8c8c8c"
GRADE_COLOURS = {0: "#e3e3e3", 1: "#9ecbe8", 2: BLUE}
_COLOURS = 32  # a palette this small keeps a figure well under 80 KB


class Picture:
    """A figure as a notebook shows it: an ``<img>`` with an alternative text.

    Parameters
    ----------
    png : bytes
        The image.
    alt : str
        What the figure shows, for those who do not see it.

    Examples
    --------
    >>> Picture(b"", "a rising curve")
    [figure: a rising curve]
    """

    def __init__(self, png: bytes, alt: str) -> None:
        self.png, self.alt = png, alt

    def __repr__(self) -> str:
        return f"[figure: {self.alt}]"

    def _repr_html_(self) -> str:
        data = base64.b64encode(self.png).decode("ascii")
        alt = html.escape(self.alt, quote=True)
        return f'<img alt="{alt}" style="max-width: 100%" src="data:image/png;base64,{data}">'


def axes(width: float = 7.0, height: float = 3.2, columns: int = 1) -> tuple["Figure", "Sequence[Axes]"]:
    """Make a figure and a row of axes in the course's style, without pyplot and its global state.

    Parameters
    ----------
    width, height : float
        Size in inches.
    columns : int, default 1
        How many axes stand side by side.

    Returns
    -------
    tuple of (Figure, list of Axes)
        Both empty of data.

    Examples
    --------
    >>> fig, (left, right) = axes(columns=2)
    >>> len(fig.axes)
    2
    """
    from matplotlib.figure import Figure

    fig = Figure(figsize=(width, height), layout="constrained", dpi=110)
    row = list(fig.subplots(1, columns, squeeze=False)[0])
    for ax in row:
        ax.spines[["top", "right"]].set_visible(False)
        ax.tick_params(colors=INK)
    return fig, row


def show(fig: "Figure", alt: str) -> Picture:
    """Turn a figure into an image with an alternative text: the only way a lesson shows one.

    Parameters
    ----------
    fig : Figure
        A matplotlib figure.
    alt : str
        What there is to see, in one or two sentences: the message, then the numbers.

    Returns
    -------
    Picture
        A PNG of at most 32 colours.

    Raises
    ------
    ValueError
        If the alternative text is empty.

    Examples
    --------
    >>> fig, (ax,) = axes(2, 1)
    >>> show(fig, "an empty frame")
    [figure: an empty frame]
    """
    from PIL import Image

    if not alt.strip():
        raise ValueError("a figure needs an alternative text: say in a sentence what it shows")
    drawn, packed = io.BytesIO(), io.BytesIO()
    fig.savefig(drawn, format="png", metadata={"Software": None}, facecolor="white")
    image = Image.open(drawn).convert("RGB").quantize(_COLOURS, dither=Image.Dither.NONE)
    image.save(packed, format="png", optimize=True)
    return Picture(packed.getvalue(), alt)


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


def score_by_cutoff(
    ax: "Axes", curves: Mapping[str, Sequence[float]], ceiling: Sequence[float] = ()
) -> "Axes":
    """Draw one line per name against the cutoff k, each labelled at its end; a ceiling is drawn dashed.

    Parameters
    ----------
    ax : Axes
        Where to draw.
    curves : mapping of str to sequence of float
        Scores at k = 1, 2, 3, ….
    ceiling : sequence of float, optional
        The best score that any list can have at each k.

    Returns
    -------
    Axes
        The same axes.

    Examples
    --------
    >>> fig, (ax,) = axes()
    >>> len(score_by_cutoff(ax, {"Recall@k": [0, 1, 1]}).lines)
    1
    """
    styles = zip((BLUE, ORANGE, GREEN, INK), ("o", "s", "^", "D"), strict=True)
    for (name, scores), (colour, marker) in zip(curves.items(), styles, strict=False):
        cutoffs = range(1, len(scores) + 1)
        ax.plot(cutoffs, scores, color=colour, marker=marker, markersize=4)
        ax.annotate(f" {name}", (len(scores), scores[-1]), color=colour, va="center", annotation_clip=False)
    if ceiling:
        ax.plot(range(1, len(ceiling) + 1), ceiling, color=INK, linestyle="--")
        ax.annotate(
            f" {text('plot.ceiling')}",
            (len(ceiling), ceiling[-1]),
            color=INK,
            va="center",
            annotation_clip=False,
        )
    longest = max(len(scores) for scores in curves.values())
    ax.set(xlabel=text("plot.cutoff"), ylim=(-0.03, 1.05), xticks=range(1, longest + 1))
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
