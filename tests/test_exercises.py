"""Every exercise: the solution passes, the blank and the listed mistakes fail, each in its own words."""

import pytest

from sources import LESSONS, answer_of, cells, exercises, parts

ALL = exercises()


def answers(tag):
    return [
        pytest.param(lesson, exercise, cell, id=cell.id)
        for lesson, exercise in ALL
        for cell in parts(lesson, exercise, tag)
    ]


@pytest.mark.parametrize(("lesson", "exercise"), ALL)
def test_every_exercise_has_all_its_parts(lesson, exercise):
    counts = {tag: len(parts(lesson, exercise, tag)) for tag in ("stub", "solution", "equivalent", "wrong")}
    assert counts["stub"] == counts["solution"] == counts["equivalent"] == 1
    assert counts["wrong"] >= 2
    task = "\n".join(
        c.source
        for c in cells(lesson)
        if c.metadata.get("exercise") == exercise and c.cell_type == "markdown"
    )
    assert task.count("<summary>Hint ") >= 2
    assert "minutes)" in task


@pytest.mark.parametrize(("lesson", "exercise", "cell"), answers("solution") + answers("equivalent"))
def test_right_answers_pass(lesson, exercise, cell):
    feedback = answer_of(lesson, exercise, cell.source)
    assert feedback.status == "right", feedback


@pytest.mark.parametrize(("lesson", "exercise", "cell"), answers("stub"))
def test_the_blank_is_not_an_answer(lesson, exercise, cell):
    assert answer_of(lesson, exercise, cell.source).status == "blank"


@pytest.mark.parametrize(("lesson", "exercise", "cell"), answers("wrong"))
def test_wrong_answers_fail_with_the_message_meant_for_them(lesson, exercise, cell):
    feedback = answer_of(lesson, exercise, cell.source)
    assert (feedback.status, feedback.case) == ("wrong", cell.metadata.case)
    assert len(feedback.message) > 30


@pytest.mark.parametrize(("lesson", "exercise"), ALL)
def test_at_least_two_mistakes_get_different_messages(lesson, exercise):
    messages = {answer_of(lesson, exercise, cell.source).message for cell in parts(lesson, exercise, "wrong")}
    assert len(messages) >= 2


def test_every_lesson_but_the_first_has_two_exercises_and_three_quizzes():
    for lesson in LESSONS:
        quizzes = [c for c in cells(lesson) if c.source.startswith("quiz(")]
        count = sum(number == lesson for number, _ in ALL)
        assert lesson == "00" or (count >= 2 and 3 <= len(quizzes) <= 5), lesson
