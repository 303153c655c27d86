"""The questions in ``assets/quizzes``: complete, used, and each option explained."""

import json
import re

import pytest

from course_utils import lessons
from sources import LESSONS, ROOT, cells

FILES = sorted((ROOT / "assets" / "quizzes").glob("*.json"))
CONTENT = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in FILES}
QUIZZES = [(n, item, quiz) for n, content in CONTENT.items() for item, quiz in content["quizzes"].items()]


def test_every_lesson_has_its_file_and_every_file_its_lesson():
    assert [path.stem for path in FILES] == list(LESSONS)


@pytest.mark.parametrize("lesson", list(CONTENT))
def test_items_and_cells_belong_together(lesson):
    code = "\n".join(cell.source for cell in cells(lesson) if cell.cell_type == "code")
    content = CONTENT[lesson]
    assert set(re.findall(r'\bquiz\("([^"]+)"', code)) == set(content["quizzes"])
    assert set(re.findall(r'\bpredict\("([^"]+)"', code)) == set(content["predictions"])
    assert set(re.findall(r'\bcheck\("([^"]+)"', code)) == set(content["quizzes"]) | set(content["exercises"])
    assert set(re.findall(r'\btext\("(\d\d-[^"]+)"', code)) == set(content["texts"])
    now = {name for name, item in content["predictions"].items() if not item.get("later")}
    assert set(re.findall(r'\breveal\("([^"]+)"', code)) == now


@pytest.mark.parametrize(("lesson", "item", "quiz"), QUIZZES, ids=[item for _, item, _ in QUIZZES])
def test_every_option_is_explained_and_the_right_one_is_marked(lesson, item, quiz):
    assert item.startswith(f"{lesson}-")
    assert quiz["kind"] in ("single", "several", "number")
    right = [option for option in quiz["options"] if option.get("right")]
    assert len(right) == 1 or (quiz["kind"] == "several" and 1 < len(right) < len(quiz["options"]))
    assert 3 <= len(quiz["options"]) <= 5
    assert all(len(option["because"]) > 20 for option in quiz["options"])
    assert len({option["because"] for option in quiz["options"]}) == len(quiz["options"])
    if quiz["kind"] == "number":
        assert quiz["says"]
        assert len({option["value"] for option in quiz["options"]}) == len(quiz["options"])


@pytest.mark.parametrize(("lesson", "item", "quiz"), QUIZZES, ids=[item for _, item, _ in QUIZZES])
def test_the_right_answer_is_right_and_every_other_option_is_not(lesson, item, quiz):
    assert lessons.check(item, lessons.right_answer(item)).status == "right"
    for place, option in enumerate(quiz["options"]):
        answer = option["value"] if quiz["kind"] == "number" else "abcde"[place]
        feedback = lessons.check(item, answer)
        alone = option.get("right") and quiz["kind"] != "several"
        assert feedback.status == ("right" if alone else "wrong")
        assert option["because"] in feedback.message


def test_the_right_letters_are_spread():
    """A learner who always answers the same letter must not pass."""
    letters = [lessons.right_answer(item) for _, item, quiz in QUIZZES if quiz["kind"] == "single"]
    assert max(letters.count(letter) for letter in "abcde") <= 0.6 * len(letters)
