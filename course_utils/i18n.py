"""What a learner reads outside markdown cells: one message per key, in the language of the edition.

English is written once, in ``assets/messages.json`` and ``assets/quizzes/NN.json``. Any other language is a
gettext catalogue, ``assets/locale/LANG/course_utils.po``, whose message context is the key.
A key without a message is an error, never a silent English sentence.
"""

import json
import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from course_utils import paths

MARKER = ".course-language"
# The fields of a lesson's JSON that hold sentences; all others hold data.
_SENTENCES = {"prompt", "text", "because", "says", "praise", "after"}
_SECTIONS = ("texts", "predictions", "quizzes", "exercises")


def language() -> str:
    """Return the language of this edition: ``COURSE_LANG``, else a marker file beside the notebook, else ``en``.

    Returns
    -------
    str
        A language code such as ``en`` or ``hi``.

    Examples
    --------
    >>> len(language())
    2
    """
    if os.environ.get("COURSE_LANG"):
        return os.environ["COURSE_LANG"]
    for folder in (Path.cwd(), Path.cwd().parent):
        if (folder / MARKER).is_file():
            return (folder / MARKER).read_text(encoding="utf-8").strip()
    return "en"


def text(key: str, /, **values: object) -> str:
    """Return one message in the language of this edition.

    Parameters
    ----------
    key : str
        The message's key, such as ``check.blank`` or ``03-alt-recall-by-k``.
    **values : object
        What stands in the message's ``{braces}``.

    Returns
    -------
    str
        The sentence.

    Raises
    ------
    LookupError
        If the language has no message with this key.

    Examples
    --------
    >>> text("quiz.option.right")
    'Right.'
    """
    chosen = language()
    messages = english() if chosen == "en" else translated(chosen)
    if key not in messages:
        where = (
            "assets/messages.json or assets/quizzes"
            if chosen == "en"
            else f"assets/locale/{chosen}/course_utils.po"
        )
        raise LookupError(f"no message {key!r} in {where}: add it there")
    return messages[key].format(**values) if values else messages[key]


def english() -> dict[str, str]:
    """Return every English message by key: the package's own, then those of the lessons.

    Returns
    -------
    dict of str to str
        Messages by key, in the order of the files.

    Examples
    --------
    >>> english()["quiz.option.wrong"]
    'Not this one.'
    """
    return dict(_english(paths.assets()))


@cache
def _english(folder: Path) -> dict[str, str]:
    messages: dict[str, str] = _read_json(folder / "messages.json")
    for lesson in sorted((folder / "quizzes").glob("*.json")):
        content = _read_json(lesson)
        for section in _SECTIONS:
            messages |= dict(_sentences(content.get(section, {}), section == "texts"))
    return messages


def translated(code: str) -> dict[str, str]:
    """Return every message of a catalogue by key; a fuzzy or empty entry counts as missing.

    Parameters
    ----------
    code : str
        A language code with a folder in ``assets/locale`` (or in ``COURSE_LOCALE``).

    Returns
    -------
    dict of str to str
        Messages by key.

    Raises
    ------
    LookupError
        If the language has no catalogue.

    Examples
    --------
    >>> translated("xx")
    Traceback (most recent call last):
        ...
    LookupError: no catalogue for the language 'xx': expected assets/locale/xx/course_utils.po
    """
    return catalogue(code, "course_utils")


def catalogue(code: str, name: str) -> dict[str, str]:
    """Return the messages of one catalogue by context: a cell's key, or a message's key.

    Parameters
    ----------
    code : str
        The language.
    name : str
        ``course_utils``, or the name of a notebook.

    Returns
    -------
    dict of str to str
        Translations by context, without fuzzy and empty ones.

    Raises
    ------
    LookupError
        If there is no such catalogue.

    Examples
    --------
    >>> catalogue("xx", "03_measure_recall_and_mrr")
    Traceback (most recent call last):
        ...
    LookupError: no catalogue for the language 'xx': expected assets/locale/xx/03_measure_recall_and_mrr.po
    """
    folder = Path(os.environ.get("COURSE_LOCALE") or paths.assets("locale"))
    path = folder / code / f"{name}.po"
    if not path.is_file():
        raise LookupError(f"no catalogue for the language {code!r}: expected assets/locale/{code}/{name}.po")
    return dict(_read_catalogue(path, path.stat().st_mtime_ns))


@cache
def _read_catalogue(path: Path, changed: int) -> dict[str, str]:
    from babel.messages.pofile import read_po

    with path.open("rb") as file:
        entries = list(read_po(file))
    return {str(e.context): str(e.string) for e in entries if e.context and e.string and not e.fuzzy}


def _read_json(path: Path) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return content


def _sentences(node: Any, everything: bool, path: str = "") -> Iterator[tuple[str, str]]:
    """Walk a lesson's JSON and yield the sentences a learner reads, each with its dotted path as key."""
    pairs = node.items() if isinstance(node, dict) else enumerate(node)
    for name, value in pairs:
        key = f"{path}.{name}" if path else str(name)
        if isinstance(value, dict | list):
            yield from _sentences(value, everything, key)
        elif isinstance(value, str) and (everything or name in _SENTENCES):
            yield key, value
