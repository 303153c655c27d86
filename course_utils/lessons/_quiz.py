"""Quiz questions: shown as native ``<details>``, one per option, so that they work before anything is run."""

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

# Inline styles only, and no colours: Lab strips style sheets, and both themes must stay readable.
_FRAME = "border: 1px solid; border-radius: 6px; padding: 0.6em 1em; margin: 0; min-width: 0; max-width: 46em"
_OPTION = "margin: 0.35em 0"


def quiz(item: str) -> Shown:
    """Show a quiz question; each option opens and says whether it is right, and why.

    Parameters
    ----------
    item : str
        The id of the question, such as ``"03-mrr-rewards"``.

    Returns
    -------
    Shown
        Native HTML: it works untrusted, offline, with the keyboard alone and in exported pages.

    Raises
    ------
    LookupError
        If there is no such question.

    Examples
    --------
    >>> print(repr(quiz("03-mrr-rewards")).splitlines()[0])
    Quiz: What does MRR reward?
    """
    _, content = find(item, "quizzes")
    options = range(len(content["options"]))
    prompt, how = text(f"{item}.prompt"), text(f"quiz.how.{content['kind']}", item=item)
    body = "".join(_option_html(item, content, number) for number in options)
    shown = (
        f'<fieldset style="{_FRAME}"><legend style="padding: 0 0.4em; width: auto; font-size: inherit">'
        f"<strong>{text('quiz.title')}</strong></legend>"
        f'<p style="margin: 0.2em 0 0.6em"><strong>{to_html(prompt)}</strong></p>{body}'
        f'<p style="margin: 0.6em 0 0.2em">{to_html(how)}</p></fieldset>'
    )
    plain = [f"{text('quiz.title')}: {prompt}"]
    plain += [f"  {letters(len(options))[n]}. {option_text(item, n)}" for n in options]
    return Shown(shown, "\n".join([*plain, how]))


def _option_html(item: str, content: Item, number: int) -> str:
    label = f"{letters(len(content['options']))[number]}. {option_text(item, number)}"
    return (
        f'<details style="{_OPTION}"><summary style="cursor: pointer">{to_html(label)}</summary>'
        f'<p style="margin: 0.2em 0 0.6em 1.2em">{to_html(_explained(item, content, number))}</p></details>'
    )


def _explained(item: str, content: Item, number: int) -> str:
    right = content["options"][number].get("right", False)
    verdict = text("quiz.option.right" if right else "quiz.option.wrong")
    return f"{verdict} {text(f'{item}.options.{number}.because')}"


def check_quiz(item: str, content: Item, answer: object) -> Feedback:
    """Answer a learner's choice, several choices, or number."""
    if is_blank(answer):
        return Feedback("blank", text(f"quiz.blank.{content['kind']}", item=item))
    if content["kind"] == "number":
        return _check_number(item, content, answer)
    chosen = as_letters(answer, content["options"], item)
    if chosen is None or (content["kind"] == "single" and len(chosen) > 1):
        names = ", ".join(letters(len(content["options"])))
        return Feedback("unclear", text(f"quiz.unclear.{content['kind']}", answer=answer, names=names))
    return _check_choice(item, content, chosen)


def _check_choice(item: str, content: Item, chosen: set[str]) -> Feedback:
    names = letters(len(content["options"]))
    right = {name for name, option in zip(names, content["options"], strict=True) if option.get("right")}
    lines = [f"{name}: {_explained(item, content, names.index(name))}" for name in sorted(chosen)]
    if missing := len(right - chosen) if content["kind"] == "several" else 0:
        lines.append(text("quiz.missing", n=missing))
    status = "right" if chosen == right else "wrong"
    return Feedback(status, "\n".join(lines), case="".join(sorted(chosen)))


def _check_number(item: str, content: Item, answer: object) -> Feedback:
    """Compare a number with every option's value: the right answer and the known mistakes."""
    letter = as_letters(answer, content["options"], item) if isinstance(answer, str) else None
    if letter and len(letter) == 1:
        place = letters(len(content["options"])).index(letter.pop())
        answer = content["options"][place]["value"]
    number = as_number(answer)
    if number is None:
        return Feedback("unclear", text("quiz.unclear.number", answer=answer))
    for place, option in enumerate(content["options"]):
        if abs(number - option["value"]) <= content["tolerance"]:
            status = "right" if option.get("right") else "wrong"
            return Feedback(status, _explained(item, content, place), case=str(place))
    return Feedback("wrong", f"{text('quiz.option.wrong')} {text(f'{item}.says')}", case="other")


def right_answer(item: str) -> str | float:
    """Return the right answer of a quiz question, as `check` takes it; the builder and the tests use it.

    Parameters
    ----------
    item : str
        The id of the question.

    Returns
    -------
    str or float
        The letters of the right options, or the number.

    Raises
    ------
    LookupError
        If there is no such question.

    Examples
    --------
    >>> right_answer("03-mrr-rewards")
    'c'
    """
    _, content = find(item, "quizzes")
    right = [place for place, option in enumerate(content["options"]) if option.get("right")]
    if content["kind"] == "number":
        return float(content["options"][right[0]]["value"])
    return "".join(letters(len(content["options"]))[place] for place in right)
