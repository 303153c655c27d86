"""Quiz, prediction and exercise cells: questions that answer back, without a script and without a network.

>>> from course_utils.lessons import check
>>> check("03-mrr-rewards", "c").status
'right'
"""

from course_utils.lessons._before_now import before_and_now
from course_utils.lessons._content import Feedback, Shown, find
from course_utils.lessons._exercise import check_exercise
from course_utils.lessons._predict import predict, reveal
from course_utils.lessons._quiz import check_quiz, quiz, right_answer
from course_utils.lessons._setup import check_setup
from course_utils.lessons._start import start

__all__ = [
    "Feedback",
    "Shown",
    "before_and_now",
    "check",
    "check_setup",
    "predict",
    "quiz",
    "reveal",
    "right_answer",
    "start",
]


def check(item: str, answer: object, *more: object) -> Feedback:
    """Check the learner's answer to a quiz question or an exercise.

    Parameters
    ----------
    item : str
        The id of the quiz or exercise, such as ``"03-mrr-rewards"``.
    answer : object
        For a quiz: a letter, several letters, or a number. For an exercise: a value, or the learner's own function.
        ``...`` means that there is no answer yet.
    *more : object
        Further letters, for those who write ``check("03-shuffle-top", "a", "b")``.

    Returns
    -------
    Feedback
        Its text is what the cell shows; ``status`` is ``right``, ``wrong``, ``blank`` or ``unclear``.

    Raises
    ------
    LookupError
        If no quiz and no exercise has this id.

    Examples
    --------
    >>> check("03-mrr-rewards", ...).status
    'blank'
    """
    section, content = find(item, "quizzes", "exercises")
    given = [answer, *more] if more else answer
    return (check_quiz if section == "quizzes" else check_exercise)(item, content, given)
