"""The six questions after the course, beside the six before it."""

from course_utils.lessons import before_and_now, predict
from course_utils.lessons._content import lesson_content

PAIRS = {item: one for item, one in lesson_content("13")["predictions"].items() if "before" in one}
FIRST = next(iter(PAIRS))


def answer(item, letter):
    predict(item, letter)


def test_each_of_the_six_has_another_question_of_lesson_00_and_both_right_letters():
    before = [one["before"]["item"] for one in PAIRS.values()]
    assert before == [item for item in lesson_content("00")["predictions"] if item.startswith("00-pre-")]
    for one in PAIRS.values():
        earlier = lesson_content("00")["predictions"][one["before"]["item"]]
        assert one["answer"] in "abcd" and one["before"]["answer"] in "abcd"
        assert one["prompt"] != earlier["prompt"]
        assert len(one["options"]) == len(earlier["options"]) == 5


def test_nothing_is_given_away_before_an_answer(empty_state):
    shown = before_and_now("13")
    assert repr(shown).startswith("No answer yet.")
    assert not any(one["after"] in repr(shown) + shown._repr_html_() for one in PAIRS.values())


def test_without_answers_of_lesson_00_the_later_ones_stand_for_themselves(empty_state):
    answer(FIRST, PAIRS[FIRST]["answer"])
    lines = repr(before_and_now("13")).splitlines()
    assert lines[0].startswith(
        "Right now: 1 of 6. No answers of lesson 00 are kept on this machine. That is fine"
    )
    assert lines[1].startswith("1. Right: b, 0.40.") and PAIRS[FIRST]["after"] in lines[1]
    assert lines[2:] == [f"{n}. Not answered yet." for n in range(2, 7)]


def test_kept_answers_stand_beside_the_later_ones(empty_state):
    right, wrong, unsure = list(PAIRS)[:3]
    answer(PAIRS[right]["before"]["item"], PAIRS[right]["before"]["answer"])
    answer(PAIRS[wrong]["before"]["item"], "a")
    answer(PAIRS[unsure]["before"]["item"], "e")
    for item in (right, unsure):
        answer(item, PAIRS[item]["answer"])
    answer(wrong, "b")
    lines = repr(before_and_now("13")).splitlines()
    assert lines[0] == "Right now: 2 of 6. Right in lesson 00: 1 of 3 that you answered."
    assert lines[1].endswith("In lesson 00 you had it, too.")
    assert lines[2].startswith("2. You said b; right is a, 0.42.")
    assert lines[2].endswith("In lesson 00 you said a; right was c, 0.25.")
    assert lines[3].endswith("In lesson 00 you did not know yet.")
