"""Exercises: the learner's value or function is tried on cases; the first that fails says what to look at."""

import copy
import math
import re
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
    if content["kind"] == "golden_set":
        return _check_golden_set(item, content, answer)
    return _check_value(item, content, _plain(answer))


def _check_golden_set(item: str, content: Item, answer: object) -> Feedback:
    """Let the validator read the learner's golden set; its first finding is the message."""
    from course_utils.golden_set import GoldenSet, validate

    if not isinstance(answer, GoldenSet):
        return Feedback("unclear", text("check.not_a_golden_set", found=type(answer).__name__))
    limits = {name: content[name] for name in ("min_questions", "min_per_type")}
    findings = validate(answer, **limits)
    if findings.empty:
        return Feedback("right", f"{text('check.right')} {text(f'{item}.praise')}")
    first = findings.iloc[0]
    message = text("check.finding", n=len(findings), where=first["where"], message=first["message"])
    return Feedback("wrong", f"{message} {text(f'{item}.says')}", case=first["code"])


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
    given = [set(a) if place in content.get("sets", ()) else a for place, a in enumerate(case["args"])]
    arguments = copy.deepcopy(given)
    call = f"{content['name']}({', '.join(map(_spelt, given))})"
    try:
        got = _plain(function(*arguments))
    except Exception as error:
        message = text("check.stopped", call=call, error=f"{type(error).__name__}: {error}")
        return Feedback("wrong", message, case="stopped")
    if got is ...:
        return Feedback("blank", text("check.blank"))
    if got is None:
        return Feedback("wrong", text("check.returned_nothing", call=call), case="returned_nothing")
    if arguments != given:
        return Feedback("wrong", text("check.changed_input", call=call), case="changed_input")
    return _compare_case(item, content, number, call, got)


def _compare_case(item: str, content: Item, number: int, call: str, got: object) -> Feedback | None:
    """Compare what a function returned with what the case expects; a known mistake has its own words."""
    case, name = content["cases"][number], f"cases.{number}"
    tolerance = content.get("tolerance", _TOLERANCE)
    if _same(got, case["expected"], tolerance):
        return None
    for place, mistake in enumerate(case.get("mistakes", [])):
        if _same(got, mistake["value"], tolerance):
            name = f"cases.{number}.mistakes.{place}"
    message = text("check.wrong_case", call=call, got=_short(got), expected=_short(case["expected"]))
    return Feedback("wrong", f"{message} {text(f'{item}.{name}.says')}", case=name)


def _check_value(item: str, content: Item, answer: object) -> Feedback:
    tolerance = content.get("tolerance", _TOLERANCE)
    if content.get("letters"):  # "c, a", "ac" and ["a", "c"] are one answer
        answer = "".join(sorted(set(re.findall("[a-z]", str(answer).casefold()))))
    if _same(answer, content["expected"], tolerance):
        return Feedback("right", f"{text('check.right')} {text(f'{item}.praise')}")
    for number, mistake in enumerate(content.get("mistakes", [])):
        if _same(answer, mistake["value"], tolerance):
            says = text(f"{item}.mistakes.{number}.says")
            return Feedback("wrong", f"{text('check.wrong')} {says}", case=f"mistakes.{number}")
    if isinstance(content["expected"], dict):
        return _which_entries(item, content, answer)
    return Feedback("wrong", f"{text('check.wrong')} {text(f'{item}.says')}", case="other")


def _which_entries(item: str, content: Item, answer: object) -> Feedback:
    """Name the entries of a dictionary that are wrong or missing."""
    given = {str(key): value for key, value in answer.items()} if isinstance(answer, Mapping) else {}
    tolerance = content.get("tolerance", _TOLERANCE)
    off = [k for k, v in content["expected"].items() if k not in given or not _same(given[k], v, tolerance)]
    off += [key for key in given if key not in content["expected"]]
    return Feedback(
        "wrong", f"{text('check.look_at', names=', '.join(off))} {text(f'{item}.says')}", case="other"
    )


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


def _spelt(value: object) -> str:
    """Write a value as code; the members of a set in a fixed order."""
    members = ", ".join(map(repr, sorted(value))) if isinstance(value, set) else ""
    return f"{{{members}}}" if members else repr(value)


def _short(value: object) -> str:
    return f"{value:.6g}" if isinstance(value, float) else repr(value) if value != "nan" else "nan"
