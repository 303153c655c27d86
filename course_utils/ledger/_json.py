"""Plain values and the text of a record: sorted keys, one question per line, so that git shows what changed."""

import hashlib
import json
import math
from collections.abc import Mapping
from pathlib import PurePath
from typing import Any

import numpy as np

DIGITS = 9
QUESTIONS = "questions"


def plain(value: Any, where: str) -> Any:
    """Return a value as JSON has it, and refuse what would not come back as it was.

    Examples
    --------
    >>> plain({"k": np.int64(60), "weights": (0.5, 0.5)}, "config")
    {'k': 60, 'weights': [0.5, 0.5]}
    """
    if isinstance(value, Mapping):
        for key in value:
            if not isinstance(key, str):
                raise ValueError(f"{where}: the key {key!r} is a {type(key).__name__}; expected text")
        return {key: plain(one, f"{where}.{key}") for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [plain(one, f"{where}[{place}]") for place, one in enumerate(value)]
    if isinstance(value, np.generic):
        return plain(value.item(), where)
    if isinstance(value, PurePath):
        return value.as_posix()
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"{where} is {value}; expected a finite number, or None")
    if value is None or isinstance(value, str | bool | int | float):
        return value
    raise ValueError(f"{where} is a {type(value).__name__}; expected text, a number, a list or a dict")


def digest(content: Any) -> str:
    """Return the SHA-256 of a plain value, whatever the order of its keys.

    Examples
    --------
    >>> digest({"a": 1, "b": 2}) == digest({"b": 2, "a": 1})
    True
    """
    text = json.dumps(content, sort_keys=True, ensure_ascii=False, allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()


def score(value: float) -> float | None:
    """Return a score as it is stored: undefined is null, and noise of the last bits is cut off.

    Examples
    --------
    >>> score(0.1 + 0.2), score(float("nan"))
    (0.3, None)
    """
    return None if math.isnan(value) else round(float(value), DIGITS)


def to_text(content: Mapping[str, Any]) -> str:
    """Return the file of a record.

    Examples
    --------
    >>> print(to_text({"seed": None, "questions": [{"query_id": "q1"}, {"query_id": "q2"}]}), end="")
    {
     "questions": [
      {"query_id": "q1"},
      {"query_id": "q2"}
     ],
     "seed": null
    }
    """
    parts = [f' "{key}": {_value(key, content[key])}' for key in sorted(content)]
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _value(key: str, value: Any) -> str:
    if key == QUESTIONS:
        return "[\n" + ",\n".join("  " + _dump(row) for row in value) + "\n ]"
    return _dump(value, indent=1).replace("\n", "\n ")


def _dump(value: Any, indent: int | None = None) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False, allow_nan=False, indent=indent)
