"""Predictions: a guess made before the code answers, kept, and compared kindly afterwards."""

import json
import os
from pathlib import Path

from course_utils import paths
from course_utils.i18n import text
from course_utils.lessons._content import (
    Feedback,
    Item,
    Shown,
    as_letters,
    as_number,
    find,
    is_blank,
    letters,
    option_text,
    to_html,
)

_FRAME = "border-left: 4px solid; padding: 0.2em 0 0.2em 1em; margin: 0; max-width: 46em"


def predict(item: str, guess: object) -> Shown:
    """Ask for a guess and keep it; a blank or unreadable guess never stops the notebook.

    Parameters
    ----------
    item : str
        The id of the prediction, such as ``"03-mean-of-two"``.
    guess : object
        A number or the letter of an option; ``...`` means none yet.

    Returns
    -------
    Shown
        The question, its options, and what became of the guess.

    Raises
    ------
    LookupError
        If there is no such prediction.

    Examples
    --------
    >>> print(repr(predict("03-mean-of-two", ...)).splitlines()[-1])
    No guess yet. Put a number in place of ... and run this cell again.
    """
    _, content = find(item, "predictions")
    status = _keep(item, content, guess)
    title = text("predict.title.later" if content.get("later") else "predict.title")
    choices = [f"{name}. {option_text(item, n)}" for n, name in enumerate(_names(content))]
    shown = (
        f'<div style="{_FRAME}"><p style="margin: 0.2em 0"><strong>{title}.</strong> '
        f"{to_html(text(f'{item}.prompt'))}</p>"
        + "".join(f'<p style="margin: 0.1em 0 0.1em 1.2em">{to_html(choice)}</p>' for choice in choices)
        + f'<p style="margin: 0.4em 0 0.2em">{to_html(status)}</p></div>'
    )
    return Shown(shown, "\n".join([f"{title}: {text(f'{item}.prompt')}", *choices, status]))


def _names(content: Item) -> str:
    return letters(len(content.get("options", [])))


def _keep(item: str, content: Item, guess: object) -> str:
    if is_blank(guess):
        kept = kept_guesses().get(item)
        return (
            text(f"predict.blank.{content['kind']}")
            if kept is None
            else text("predict.kept.before", guess=_spelt(kept))
        )
    read = _read_guess(item, content, guess)
    if read is None:
        return text(f"predict.unclear.{content['kind']}", guess=guess, names=", ".join(_names(content)))
    _remember(item, read)
    return text("predict.kept.later" if content.get("later") else "predict.kept", guess=_spelt(read))


def _read_guess(item: str, content: Item, guess: object) -> float | str | None:
    if content["kind"] == "number":
        return as_number(guess)
    chosen = as_letters(guess, content["options"], item)
    return chosen.pop() if chosen and len(chosen) == 1 else None


def reveal(item: str, result: object) -> Feedback:
    """Show the result beside the guess that was kept, and what such a guess often means.

    Parameters
    ----------
    item : str
        The id of the prediction.
    result : object
        What the code computed: a number, or the letter of the right option.

    Returns
    -------
    Feedback
        ``right``, ``wrong``, or ``blank`` where no guess was kept.

    Raises
    ------
    LookupError
        If there is no such prediction.

    Examples
    --------
    >>> reveal("03-mean-of-two", 0.625).message.startswith("The result is 0.625.")
    True
    """
    _, content = find(item, "predictions")
    guess, after = kept_guesses().get(item), text(f"{item}.after")
    shown = f"{result:.4g}" if isinstance(result, float) else str(result)
    if guess is None:
        return Feedback("blank", f"{text('reveal.blank', result=shown)} {after}")
    if _close(guess, result, content):
        return Feedback("right", f"{text('reveal.right', guess=_spelt(guess), result=shown)} {after}")
    lines = [text("reveal.wrong", guess=_spelt(guess), result=shown), *_mistake(item, content, guess), after]
    return Feedback("wrong", " ".join(lines))


def _close(guess: float | str, result: object, content: Item) -> bool:
    number = as_number(result)
    if isinstance(guess, str) or number is None:
        return str(guess) == str(result)
    return bool(abs(guess - number) <= content["tolerance"])


def _mistake(item: str, content: Item, guess: float | str) -> list[str]:
    for place, mistake in enumerate(content.get("mistakes", [])):
        if _close(guess, mistake["value"], content):
            return [text(f"{item}.mistakes.{place}.says")]
    return []


def _spelt(guess: float | str) -> str:
    return guess if isinstance(guess, str) else f"{guess:g}"


def _file() -> Path:
    return paths.state_folder() / "guesses.json"


def kept_guesses() -> dict[str, float | str]:
    """Return the guesses kept so far, by item; a file that cannot be read counts as none, and is set aside.

    Examples
    --------
    >>> isinstance(kept_guesses(), dict)
    True
    """
    try:
        kept: dict[str, float | str] = json.loads(_file().read_text(encoding="utf-8"))
        return kept
    except FileNotFoundError:
        return {}
    except (OSError, ValueError):
        _file().replace(_file().with_suffix(".damaged.json"))
        return {}


def _remember(item: str, guess: float | str) -> None:
    kept = json.dumps(kept_guesses() | {item: guess}, indent=1, sort_keys=True)
    _file().parent.mkdir(parents=True, exist_ok=True)
    draft = _file().with_suffix(f".{os.getpid()}.tmp")
    draft.write_text(kept, encoding="utf-8")
    draft.replace(_file())
