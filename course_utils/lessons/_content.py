"""What the cells have in common: finding an item, the shapes of an answer, what is shown."""

import difflib
import html
import json
import math
import textwrap
from dataclasses import dataclass
from functools import cache
from typing import Any

from course_utils import paths
from course_utils.i18n import text

Item = dict[str, Any]


@dataclass(frozen=True)
class Feedback:
    """The answer of a cell to the learner.

    Parameters
    ----------
    status : str
        ``right``, ``wrong``, ``blank`` (nothing answered yet) or ``unclear`` (not an answer to this question).
    message : str
        What the learner reads.
    case : str, default ""
        Which message of the item it is, such as ``cases.1``; tests use it.

    Examples
    --------
    >>> Feedback("right", "Right. Well seen.")
    Right. Well seen.
    """

    status: str
    message: str
    case: str = ""

    def __repr__(self) -> str:
        # Notebooks break plain text anywhere; lines of this width stay whole on a laptop and on a projector.
        return "\n".join(
            textwrap.fill(line, 88, break_long_words=False, break_on_hyphens=False)
            for line in self.message.splitlines()
        )


@dataclass(frozen=True)
class Shown:
    """Something to look at: HTML for notebooks, plain text for everything else.

    Parameters
    ----------
    html : str
        What a notebook shows. It holds no script, no style sheet and no random id.
    plain : str
        What a terminal or a screen without HTML shows.

    Examples
    --------
    >>> Shown("<p>Hello</p>", "Hello")
    Hello
    """

    html: str
    plain: str

    def __repr__(self) -> str:
        return self.plain

    def _repr_html_(self) -> str:
        return self.html


def find(item: str, *sections: str) -> tuple[str, Item]:
    """Find an item by id in the file of its lesson, and say in which section it is."""
    known: list[str] = []
    for section in sections:
        items = lesson_content(item[:2]).get(section, {})
        if item in items:
            return section, items[item]
        known += items
    near = difflib.get_close_matches(item, known, n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"this lesson has {', '.join(known) or 'none'}"
    raise LookupError(f"no item {item!r} in assets/quizzes/{item[:2]}.json; {hint}")


def lesson_content(lesson: str) -> Item:
    """Read what belongs to one lesson, such as ``"03"``; a lesson without a file has nothing."""
    path = paths.assets("quizzes", f"{lesson}.json")
    return _read(path, path.stat().st_mtime_ns) if path.is_file() else {}


@cache
def _read(path: Any, changed: int) -> Item:
    content: Item = json.loads(path.read_text(encoding="utf-8"))
    return content


def is_blank(answer: object) -> bool:
    """Say whether the learner has not answered yet."""
    return answer is ... or answer is None or (isinstance(answer, str) and not answer.strip(" ._"))


def as_number(answer: object) -> float | None:
    """Read a number as a learner may write it: ``0.25``, ``"0,25"``, ``"1/4"``, ``"25%"``; None if it is none."""
    if isinstance(answer, str):
        return _spelt_number(answer.strip())
    if isinstance(answer, bool) or not hasattr(answer, "__float__"):
        return None
    try:
        return float(answer)
    except (TypeError, ValueError):
        return None


def _spelt_number(words: str) -> float | None:
    percent = words.endswith("%")
    top, _, bottom = words.rstrip("% ").replace(",", ".").partition("/")
    try:
        value = float(top) / float(bottom or 1) / (100 if percent else 1)
    except (ValueError, ZeroDivisionError):
        return None
    return value if math.isfinite(value) else None


def letters(count: int) -> str:
    """Return the letters of the options: ``abcd`` for four."""
    return "abcdefghij"[:count]


def as_letters(answer: object, options: list[Item], item: str) -> set[str] | None:
    """Read the options meant: ``"c"``, ``"C."``, ``"ac"``, ``["a", "c"]`` or an option's text; None if unclear."""
    parts = list(answer) if isinstance(answer, list | tuple | set | frozenset) else [answer]
    chosen: set[str] = set()
    for part in parts:
        found = _letters_of(str(part).strip(), options, item)
        if not found:
            return None
        chosen |= found
    return chosen or None


def _letters_of(words: str, options: list[Item], item: str) -> set[str]:
    names = letters(len(options))
    for name, number in zip(names, range(len(options)), strict=True):
        if words.casefold() in (options[number]["text"].casefold(), option_text(item, number).casefold()):
            return {name}
    bare = [c for c in words.casefold() if c not in " ,;.()+&'\""]
    return set(bare) if all(c in names for c in bare) else set()


def option_text(item: str, number: int) -> str:
    """Return the text of an option in the language of the edition."""
    return text(f"{item}.options.{number}.text")


def to_html(sentence: str) -> str:
    """Escape a sentence for HTML and set what stands between backticks as code."""
    pieces = html.escape(sentence, quote=False).split("`")
    return "".join(f"<code>{piece}</code>" if number % 2 else piece for number, piece in enumerate(pieces))
