"""Findings about the questions as a whole: how many, of which kinds, and how they are split."""

from functools import cache

from course_utils.golden_set._findings import Finding, Findings, some
from course_utils.golden_set._set import GoldenSet
from course_utils.schema import QUERY_ID, plural

SPLITS = ("dev", "test")
SHARE = (0.10, 0.20)
KINDS = ("out_of_scope", "near_miss", "false_premise", "expired", "wrong_region", "personal_data")
MIXED = "Mixed"  # code-mixed: no script of ISO 15924


def numbers(golden: GoldenSet, min_questions: int, max_questions: int) -> Findings:
    """Too few questions to tell systems apart, or more than can be judged with care."""
    n = len(golden.questions)
    if n < min_questions:
        message = f"{plural(n, 'question')}, fewer than {min_questions}, leave wide intervals: write more from needs"
        yield Finding("warning", "too-few-questions", "questions", message)
    if n > max_questions:
        message = (
            f"{n} questions, more than {max_questions}, are hard to judge with care: draw a sample by lot"
        )
        yield Finding("warning", "too-many-questions", "questions", message)


def types(golden: GoldenSet, min_per_type: int) -> Findings:
    """Types with too few questions of their own; twins are not new questions."""
    originals = golden.questions[golden.questions["twin_of"] == ""]
    for name, count in originals["type"].value_counts(sort=False).items():
        if count < min_per_type:
            message = (
                f"{plural(count, 'question')} of this type, fewer than {min_per_type}: add some, or merge it with "
                "another type; a mean over so few says nothing"
            )
            yield Finding("warning", "type-too-small", f"type {name}", message)


def unanswerable(golden: GoldenSet) -> Findings:
    """No unanswerable questions, or too few or too many of them (a rule of thumb)."""
    stated = golden.questions["answerable"].dropna()
    if stated.empty:
        return
    count = int((~stated).sum())
    share = count / len(stated)
    if not count:
        message = (
            "no question is unanswerable, so inventing costs nothing: add 10 to 20% that no document answers"
        )
        yield Finding("warning", "no-unanswerable", "questions", message)
    elif not SHARE[0] <= share <= SHARE[1]:
        message = (
            f"{count} of {len(stated)} questions are unanswerable ({share:.0%}); the rule of thumb is "
            f"{SHARE[0]:.0%} to {SHARE[1]:.0%}"
        )
        yield Finding("warning", "unanswerable-share", "questions", message)


def words(golden: GoldenSet) -> Findings:
    """Languages, scripts, kinds and splits that nobody knows: mostly slips of the pen."""
    questions = golden.questions
    lost = sorted(set(questions["split"]) - set(SPLITS))
    for split in lost:
        message = f"split {split!r} in {some(_where(golden, 'split', split))}: write dev or test"
        yield Finding("error", "unknown-split", f"split {split}", message)
    if len(questions) and len(set(questions["split"])) == 1 and not lost:
        message = (
            f"every question is in {questions['split'].iloc[0]}: what is tuned on a question cannot be claimed from "
            "it; draw a test split (golden_set.draw_split)"
        )
        yield Finding("warning", "one-split", "questions", message)
    for column, known, hint in (
        ("lang", _languages(), 'write an ISO 639 code such as "en" or "hi"'),
        (
            "script",
            _scripts(),
            f"write an ISO 15924 code such as Latn or Deva, or {MIXED}",
        ),
        ("unanswerable_kind", frozenset([*KINDS, ""]), f"write one of {', '.join(KINDS)}"),
    ):
        for value in sorted(set(questions[column]) - known):
            message = f"{column} {value!r} in {some(_where(golden, column, value))} is unknown: {hint}"
            yield Finding("warning", f"unknown-{column.replace('_', '-')}", f"{column} {value}", message)


def _where(golden: GoldenSet, column: str, value: str) -> list[str]:
    return list(golden.questions.loc[golden.questions[column] == value, QUERY_ID])


@cache
def _languages() -> frozenset[str]:
    from babel import Locale

    return frozenset(Locale("en").languages)


@cache
def _scripts() -> frozenset[str]:
    from babel import Locale

    return frozenset([MIXED, *Locale("en").scripts])
