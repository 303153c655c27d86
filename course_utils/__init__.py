"""Tools of the course *Measure retrieval*: measures, golden sets, quizzes and exercises.

The names below are loaded on first use (PEP 562), so importing the package costs nothing.

>>> import course_utils
>>> course_utils.measures.reciprocal_rank(["d2", "d1", "d9"], {"d1"})
0.5
"""

from importlib import import_module
from typing import Any

_HOME = {
    "evaluate": "evaluation",
    "evaluate_ids": "evaluation",
    "summarize": "evaluation",
    "read_qrels": "formats",
    "read_run": "formats",
    "read_beir": "formats",
    "scan_run": "formats",
    "write_beir": "formats",
    "write_qrels": "formats",
    "write_run": "formats",
    "GoldenSet": "golden_set",
    "load_golden_set": "golden_set",
    "validate": "golden_set",
}
_MODULES = {
    "abstention", "adapter", "evaluation", "formats", "golden_set", "i18n", "ledger", "lessons", "measures", "paths",
    "plots", "registry", "report", "retrievers", "schema", "significance",
}  # fmt: skip

__all__ = sorted([*_HOME, *_MODULES])


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    if name in _MODULES:
        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
