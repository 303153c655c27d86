"""The test after the course, beside the one before it: parallel questions, and the answers that were kept."""

from collections.abc import Mapping

from course_utils.i18n import text
from course_utils.lessons._content import Item, Shown, lesson_content, letters, option_text, to_html
from course_utils.lessons._predict import kept_guesses

Kept = Mapping[str, object]


def before_and_now(lesson: str) -> Shown:
    """Show the answers to the questions of a lesson that have a parallel question before the course.

    What is right is told only for a question that was answered, so a notebook that nobody has answered gives
    nothing away.

    Parameters
    ----------
    lesson : str
        The number of the lesson that holds the later questions, such as ``"13"``. In its file each names the earlier
        question and the right letter of both.

    Returns
    -------
    Shown
        How many are right now and were right before, then a line per question.

    Raises
    ------
    LookupError
        If the lesson has no such question.

    Examples
    --------
    >>> repr(before_and_now("13")).startswith("No answer yet.")
    True
    """
    items = {
        item: one for item, one in lesson_content(lesson).get("predictions", {}).items() if "before" in one
    }
    if not items:
        raise LookupError(f"lesson {lesson} has no question with a parallel one before the course")
    kept = kept_guesses()
    lines = [_score(items, kept)]
    if any(item in kept for item in items):
        lines += [_line(number, item, one, kept) for number, (item, one) in enumerate(items.items(), start=1)]
    html = "".join(f'<p style="margin: 0.4em 0; max-width: 46em">{to_html(line)}</p>' for line in lines)
    return Shown(html, "\n".join(lines))


def _score(items: Mapping[str, Item], kept: Kept) -> str:
    now = [kept[item] == one["answer"] for item, one in items.items() if item in kept]
    earlier = [one["before"] for one in items.values()]
    before = [kept[one["item"]] == one["answer"] for one in earlier if one["item"] in kept]
    if not now:
        return text("post.none")
    if not before:
        return text("post.score.alone", now=sum(now), n=len(items))
    return text("post.score.both", now=sum(now), n=len(items), before=sum(before), kept=len(before))


def _line(number: int, item: str, one: Item, kept: Kept) -> str:
    if item not in kept:
        return text("post.open", number=number)
    told = {"number": number, "guess": kept[item], "answer": _right(item, one["answer"])}
    found = text("post.right" if kept[item] == one["answer"] else "post.wrong", **told)
    return " ".join([found, text(f"{item}.after"), *_before(one["before"], kept)])


def _before(earlier: Item, kept: Kept) -> list[str]:
    """Say what was answered before the course; nothing if nothing was kept."""
    item, right = earlier["item"], earlier["answer"]
    if item not in kept:
        return []
    if kept[item] == right:
        return [text("post.before.right")]
    if kept[item] == letters(len(lesson_content(item[:2])["predictions"][item]["options"]))[-1]:
        return [text("post.before.unsure")]
    return [text("post.before.wrong", guess=kept[item], answer=_right(item, right))]


def _right(item: str, letter: str) -> str:
    return f"{letter}, {option_text(item, letters(10).index(letter))}"
