"""Quiz, prediction and exercise cells: what a learner may type, and what comes back."""

import json

import numpy as np
import pandas as pd
import pytest

from course_utils import lessons
from course_utils.lessons import _content, _exercise


def test_a_quiz_is_native_html_without_script_style_sheet_or_random_id():
    shown = lessons.quiz("03-mrr-rewards")
    html = shown._repr_html_()
    assert html.count("<details") == html.count("<summary") == 4
    assert "<fieldset" in html and "<legend" in html
    assert not any(word in html for word in ("<script", "<style", " id=", "onclick", "http"))
    assert html == lessons.quiz("03-mrr-rewards")._repr_html_()
    assert repr(shown).count("\n") == 5


def test_code_in_a_question_is_set_as_code_and_escaped():
    assert _content.to_html("`a < b` & c") == "<code>a &lt; b</code> &amp; c"


@pytest.mark.parametrize(
    "answer", ["c", "C", " c) ", "c.", ["c"], "Placing the first relevant result near the top"]
)
def test_an_answer_may_be_written_in_several_ways(answer):
    assert lessons.check("03-mrr-rewards", answer).status == "right"


@pytest.mark.parametrize("answer", ["x", 3, "ab", "cat", 0.5, ["a", "z"]])
def test_what_is_no_answer_is_said_to_be_none(answer):
    feedback = lessons.check("03-mrr-rewards", answer)
    assert feedback.status == "unclear"
    assert "one letter of a, b, c, d" in feedback.message


@pytest.mark.parametrize("blank", [..., None, "", "...", " _ "])
@pytest.mark.parametrize("item", ["03-mrr-rewards", "03-shuffle-top", "03-best-precision", "03-precision"])
def test_a_blank_is_not_a_wrong_answer(item, blank):
    feedback = lessons.check(item, blank)
    assert feedback.status == "blank"
    assert repr(feedback).startswith("Not answered yet.")


@pytest.mark.parametrize("answer", ["abd", "d, b, a", ["a", "b", "d"], {"a", "b", "d"}])
def test_several_choices(answer):
    assert lessons.check("03-shuffle-top", answer).status == "right"


def test_several_choices_say_how_many_are_missing():
    feedback = lessons.check("03-shuffle-top", "ac")
    assert feedback.status == "wrong"
    assert feedback.message.splitlines()[-1] == "Right options still missing: 2."
    assert "c: Not this one." in feedback.message


@pytest.mark.parametrize("answer", [0.2, "0.2", "1/5", "20%", "0,2", np.float64(0.2), 0.2004])
def test_a_number_may_be_written_in_several_ways(answer):
    assert lessons.check("03-best-precision", answer).status == "right"


@pytest.mark.parametrize("answer", ["two", [0.2], True, "1/0", "nan"])
def test_what_is_no_number(answer):
    assert lessons.check("03-best-precision", answer).status == "unclear"


def test_the_letter_of_a_number_is_an_answer_too():
    assert lessons.check("03-best-precision", "a").status == "right"
    assert lessons.check("03-best-precision", "b").case == "1"


def test_letters_may_be_given_one_by_one():
    assert lessons.check("03-shuffle-top", "a", "b", "d").status == "right"


def test_a_forgotten_return_is_not_called_a_blank():
    feedback = lessons.check("03-precision", lambda got, right, k: None)
    assert feedback.case == "returned_nothing"
    assert "precision_at_k(['d2', 'd1', 'd9'], {'d1'}, 3) returned None" in feedback.message


def test_the_wrong_entries_of_a_dictionary_are_named():
    answer = {"Recall@3": "1/4", "Precision@3": 0.2, "Success@3": 1, "rr": 0.5}
    message = lessons.check("03-by-hand", answer).message
    assert message.startswith("Not yet. Look again at: Precision@3, RR, rr.")


def test_an_unforeseen_number_gets_the_general_hint():
    assert lessons.check("03-best-precision", 7).message.startswith("Not this one. Fill the ten places")


def test_an_unknown_id_is_answered_with_the_nearest():
    with pytest.raises(LookupError, match=r"no item '03-mrr-reward' .* did you mean '03-mrr-rewards'\?"):
        lessons.check("03-mrr-reward", "c")


def test_a_guess_is_kept_and_compared(empty_state):
    assert "Kept your guess: 0.4." in repr(lessons.predict("03-mean-of-two", 0.4))
    assert json.loads((empty_state / "guesses.json").read_text()) == {"03-mean-of-two": 0.4}
    feedback = lessons.reveal("03-mean-of-two", 0.625)
    assert feedback.status == "wrong"
    assert feedback.message.startswith(
        "You guessed 0.4; the result is 0.625. A wrong guess is how this sticks. 0.4 is"
    )
    lessons.predict("03-mean-of-two", "5/8")
    assert lessons.reveal("03-mean-of-two", 0.625).status == "right"


def test_a_blank_or_unclear_guess_keeps_the_earlier_one(empty_state):
    lessons.predict("04-bm25-by-k", "c")
    assert "Your guess is kept: c." in repr(lessons.predict("04-bm25-by-k", ...))
    assert "Nothing was kept" in repr(lessons.predict("04-bm25-by-k", "up"))
    assert lessons.reveal("04-bm25-by-k", "c").status == "right"


def test_without_a_guess_the_result_is_told_kindly():
    assert lessons.reveal("03-mean-of-two", 0.625).message.startswith("The result is 0.625. It is the mean")


def test_a_damaged_file_of_guesses_is_set_aside_not_lost(empty_state):
    empty_state.mkdir()
    (empty_state / "guesses.json").write_text("{broken")
    lessons.predict("03-mean-of-two", 0.4)
    assert (empty_state / "guesses.damaged.json").read_text() == "{broken"
    assert lessons.reveal("03-mean-of-two", 0.625).status == "wrong"


def test_no_draft_is_left_behind(empty_state):
    lessons.predict("03-mean-of-two", 0.4)
    assert [path.name for path in empty_state.iterdir()] == ["guesses.json"]


def test_a_function_that_stops_is_told_without_a_traceback():
    feedback = lessons.check("03-precision", lambda got, right, k: 1 / 0)
    assert feedback.status == "wrong"
    assert "stopped with ZeroDivisionError: division by zero." in feedback.message
    assert "Traceback" not in feedback.message


def test_a_call_in_place_of_the_function():
    assert "precision_at_k, without brackets" in lessons.check("03-precision", 0.3).message


def test_a_function_that_changes_its_input_is_told():
    def sorts(got, right, k):
        got.sort()
        return len(set(got[:k]) & set(right)) / k

    assert lessons.check("03-precision", sorts).case == "changed_input"


@pytest.mark.parametrize(
    ("got", "expected", "same"),
    [
        (np.array([1.0, 2.0]), [1, 2], True),
        (pd.Series({"a": 0.5}), {"a": 0.5}, True),
        ([1, 2], [2, 1], False),
        ([1], [1, 2], False),
        ({"a": 1}, {"b": 1}, False),
        (float("nan"), "nan", True),
        (0.0, "nan", False),
        (float("nan"), 0.0, False),
        ("Recall", "recall", True),
        ("1/3", 0.3333333, True),
        ("precision", "recall", False),
    ],
)
def test_answers_are_compared_by_meaning(got, expected, same):
    assert _exercise._same(_exercise._plain(got), expected, 1e-6) is same


def test_the_setup_check_names_what_is_wrong(monkeypatch):
    from course_utils.lessons import _setup

    monkeypatch.setattr(_setup, "_PACKAGES", ("numpy", "no-such-package"))
    monkeypatch.setattr(_setup.registry, "damaged", lambda: ["assets/figures/map.svg changed"])
    feedback = lessons.check_setup()
    assert feedback.status == "wrong"
    assert "no-such-package is missing" in feedback.message
    assert "map.svg changed. Get the file again" in feedback.message


def test_the_setup_check_names_an_old_python_and_another_version(monkeypatch):
    from course_utils.lessons import _setup

    monkeypatch.setattr(_setup.sys, "version_info", (3, 10, 1))
    monkeypatch.setattr(_setup, "_locked", lambda name: ["0.0.1"])
    message = lessons.check_setup().message
    assert "the course needs 3.11 to 3.14" in message
    assert "the course was tested with 0.0.1" in message
