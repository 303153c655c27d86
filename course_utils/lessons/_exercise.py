"""Exercises: the learner's value or function is tried on cases; the first that fails says what to look at."""

import copy
import math
from collections.abc import Callable, Mapping
from typing import Any

from course_utils.i18n import text
from course_utils.lessons._content import Feedback, Item, as_number, is_blank

_TOLERANCE = 1e-6


def check_exercise(item: str, content: Item, answer: object) -> Feedback:
    """Check a learner's function on its cases, or a learner's value against the right one."""
    if is_blank(answer):
        return Feedback("blank", text("check.blank"))
    if content["kind"] == "function":
        return _check_function(item, content, answer)
    return _check_value(item, content, _plain(answer))


def _check_function(item: str, content: Item, function: object) -> Feedback:
    if not callable(function):
        return Feedback(
            "unclear", text("check.not_a_function", name=content["name"], found=type(function).__name__)
        )
    for number, case in enumerate(content["cases"]):
        failed = _try(item, content, function, number, case)
        if failed:
            return failed
    return Feedback("right", f"{text('check.right')} {text(f'{item}.praise')}")


def _try(item: str, content: Item, function: Callable[..., Any], number: int, case: Item) -> Feedback | None:
    """Run one case; None means that it passed. The learner never sees a traceback, only what it means."""
    arguments, name, says = (
        copy.deepcopy(case["args"]),
        f"cases.{number}",
        text(f"{item}.cases.{number}.says"),
    )
    call = f"{content['name']}({', '.join(map(repr, case['args']))})"
    try:
        got = _plain(function(*arguments))
    except Exception as error:
        message = text("check.stopped", call=call, error=f"{type(error).__name__}: {error}")
        return Feedback("wrong", f"{message} {says}", case=name)
    if number == 0 and is_blank(got):
        return Feedback("blank", text("check.blank"))
    if arguments != case["args"]:
        return Feedback("wrong", text("check.changed_input", call=call), case="changed_input")
    if _same(got, case["expected"], content.get("tolerance", _TOLERANCE)):
        return None
    message = text("check.wrong_case", call=call, got=_short(got), expected=_short(case["expected"]))
    return Feedback("wrong", f"{message} {says}", case=name)


def _check_value(item: str, content: Item, answer: object) -> Feedback:
    tolerance = content.get("tolerance", _TOLERANCE)
    if _same(answer, content["expected"], tolerance):
        return Feedback("right", f"{text('check.right')} {text(f'{item}.praise')}")
    for number, mistake in enumerate(content.get("mistakes", [])):
        if _same(answer, mistake["value"], tolerance):
            says = text(f"{item}.mistakes.{number}.says")
            return Feedback("wrong", f"{text('check.wrong')} {says}", case=f"mistakes.{number}")
    return Feedback("wrong", f"{text('check.wrong')} {text(f'{item}.says')}", case="other")


def _plain(value: Any) -> Any:
    """Turn numpy and pandas values into plain numbers, lists and dictionaries."""
    if hasattr(value, "to_dict"):
        return value.to_dict()
    return value.tolist() if hasattr(value, "tolist") else value


def _same(got: object, expected: object, tolerance: float) -> bool:
    """Compare by meaning: numbers within a tolerance ("nan" is the undefined one), lists in order, mappings by key."""
    if isinstance(expected, dict):
        return isinstance(got, Mapping) and _same_mapping(got, expected, tolerance)
    if isinstance(expected, list):
        pairs = list(got) if isinstance(got, list | tuple) else []
        return len(pairs) == len(expected) and all(
            _same(a, b, tolerance) for a, b in zip(pairs, expected, strict=True)
        )
    if expected == "nan" or isinstance(expected, float | int):
        return _same_number(got, float(expected), tolerance)
    return got == expected or (isinstance(got, str) and got.strip().casefold() == str(expected).casefold())


def _same_mapping(got: Mapping[Any, Any], expected: dict[str, Any], tolerance: float) -> bool:
    named = {str(key): value for key, value in got.items()}
    return named.keys() == expected.keys() and all(_same(named[k], expected[k], tolerance) for k in expected)


def _same_number(got: object, expected: float, tolerance: float) -> bool:
    number = as_number(got)
    if number is None:
        return False
    return abs(number - expected) <= tolerance if math.isfinite(expected) else math.isnan(number)


def _short(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else repr(value) if value != "nan" else "nan"
