"""Small pieces of HTML, every text escaped: tables with headed rows, figures that are described, the frame."""

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

from course_utils.plots import Picture

NO_VALUE = "no value"

STYLE = """
:root { color-scheme: light dark; --ink: #1a1a1a; --page: #ffffff; --soft: #f1f3f5; --line: #8a9199;
  --good: #00583f; --part: #00507d; --none: #55585c; --open: #7a3300; }
@media (prefers-color-scheme: dark) { :root { --ink: #ececec; --page: #16181b; --soft: #23272b; --line: #7d858d;
  --good: #7fe0bd; --part: #8fcbf5; --none: #bcc1c6; --open: #ffb783; } }
body { margin: 0 auto; padding: 1.5rem; max-width: 72rem; color: var(--ink); background: var(--page);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: break-word; }
h1, h2, h3 { line-height: 1.25; } h2 { margin-top: 2.5rem; } p, li { max-width: 48rem; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; margin: 0.75rem 0; }
caption { text-align: left; font-weight: 600; padding: 0.25rem 0; }
th, td { border: 1px solid var(--line); padding: 0.3rem 0.6rem; text-align: left; vertical-align: top; }
thead th { background: var(--soft); } td.number { text-align: right; font-variant-numeric: tabular-nums; }
table.lists td { min-width: 11rem; font-size: 0.9rem; }
.grade { font-weight: 700; display: block; border-left: 0.4rem solid; padding-left: 0.4rem; }
.grade-2 { color: var(--good); } .grade-1 { color: var(--part); } .grade-0 { color: var(--none); }
.grade-open { color: var(--open); border-left-style: dotted; } .snippet { display: block; color: var(--none); }
figure { margin: 1rem 0; } figure img { max-width: 100%; background: #ffffff; border: 1px solid var(--line); }
@media print { :root { color-scheme: light; --ink: #000000; --page: #ffffff; --soft: #f1f3f5; --line: #8a9199;
  --good: #00583f; --part: #00507d; --none: #45484c; --open: #7a3300; }
  body { max-width: none; padding: 0; font-size: 10pt; } .scroll { overflow: visible; } table { font-size: 8.5pt; }
  table.lists td { min-width: 0; font-size: 8pt; } tr, figure, h2, h3 { break-inside: avoid; }
  h2, h3, caption { break-after: avoid; } }
"""


def number(value: Any) -> str:
    """Write a number as a table shows it: whole as it is, others with two digits, and NaN never as 0.

    Examples
    --------
    >>> number(12), number(0.5), number(float("nan")), number(-0.25)
    ('12', '0.50', 'no value', '-0.25')
    """
    if value is None or value != value:
        return NO_VALUE
    return f"{value:.2f}" if isinstance(value, float) else str(value)


def interval(mean: float, low: float, high: float) -> str:
    """Write a mean with its interval.

    Examples
    --------
    >>> interval(0.5, 0.25, 0.75), interval(0.5, float("nan"), float("nan")), interval(*[float("nan")] * 3)
    ('0.50 (0.25 to 0.75)', '0.50 (no interval)', 'no value')
    """
    if mean != mean:
        return NO_VALUE
    return f"{mean:.2f} ({low:.2f} to {high:.2f})" if low == low else f"{mean:.2f} (no interval)"


def cell(content: Any, lang: str = "") -> str:
    """Write one cell; text is escaped, numbers stand to the right.

    Examples
    --------
    >>> cell("<b>"), cell(0.5), cell("chhutti", lang="hi-Latn")
    ('<td>&lt;b&gt;</td>', '<td class="number">0.50</td>', '<td lang="hi-Latn">chhutti</td>')
    """
    if isinstance(content, str):
        return f"<td{attribute('lang', lang)}>{escape(content)}</td>"
    return f'<td class="number">{number(content)}</td>'


def attribute(name: str, value: str) -> str:
    """Write an attribute, or nothing if it has no value.

    Examples
    --------
    >>> attribute("lang", 'h"i'), attribute("lang", "")
    (' lang="h&quot;i"', '')
    """
    return f' {name}="{escape(value)}"' if value else ""


def table(
    caption: str, head: Sequence[str], rows: Iterable[tuple[str, Sequence[str]]], kind: str = ""
) -> str:
    """Write a table; each row is its heading and its cells, which are HTML.

    Examples
    --------
    >>> table("Means", ["type", "n"], [("noisy", [cell(3)])]).count("<th ")
    3
    """
    heads = "".join(f'<th scope="col">{escape(name)}</th>' for name in head)
    body = "".join(f'<tr><th scope="row">{escape(name)}</th>{"".join(cells)}</tr>\n' for name, cells in rows)
    named = f"<caption>{escape(caption)}</caption><thead><tr>{heads}</tr></thead>"
    # A region that scrolls must be reachable by keyboard, and then it needs a name.
    return (
        f'<div class="scroll" tabindex="0" role="group" aria-label="{escape(caption)}">'
        f"<table{attribute('class', kind)}>{named}<tbody>\n{body}</tbody></table></div>\n"
    )


def figure(picture: Picture, caption: str) -> str:
    """Write a figure with its description as alternative text and a caption.

    Examples
    --------
    >>> figure(Picture(b"", "a < b"), "Recall").startswith('<figure><img alt="a &lt; b"')
    True
    """
    return f"<figure>{picture._repr_html_()}<figcaption>{escape(caption)}</figcaption></figure>\n"


def paragraph(text: str) -> str:
    r"""Write a paragraph.

    Examples
    --------
    >>> paragraph("a & b")
    '<p>a &amp; b</p>\n'
    """
    return f"<p>{escape(text)}</p>\n"


def section(title: str, *parts: str) -> str:
    """Write a section with its heading.

    Examples
    --------
    >>> section("Means", paragraph("a")).count("<h2>Means</h2>")
    1
    """
    return f"<section><h2>{escape(title)}</h2>\n{''.join(parts)}</section>\n"


def document(title: str, body: str) -> str:
    """Write the whole page: nothing in it is fetched, and nothing in it runs.

    Examples
    --------
    >>> page = document("A & B", "")
    >>> page.count("A &amp; B"), "<script" in page, "http" in page
    (2, False, False)
    """
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n"
        f"<body>\n<main>\n<h1>{escape(title)}</h1>\n{body}</main>\n</body>\n</html>\n"
    )
