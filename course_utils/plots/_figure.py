"""The palette, empty axes in the course's style, and `show`, which turns a figure into a described image."""

import base64
import html
import io
from collections.abc import Sequence
from typing import TYPE_CHECKING

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


def looks(count: int) -> list[tuple[str, str]]:
    """Return a colour and a marker for each of up to four groups: what everyone can tell apart.

    Examples
    --------
    >>> looks(5)
    Traceback (most recent call last):
    ValueError: 5 groups in one figure; expected at most 4: draw the others in a second one
    """
    every = list(zip((BLUE, ORANGE, GREEN, INK), ("o", "s", "^", "D"), strict=True))
    if count > len(every):
        raise ValueError(
            f"{count} groups in one figure; expected at most {len(every)}: draw the others in a second one"
        )
    return every[:count]


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
