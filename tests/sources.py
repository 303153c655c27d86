"""Read the sources of the lessons, and run them without a kernel."""

import ast
from functools import cache
from pathlib import Path
from typing import Any

import build

ROOT = Path(__file__).resolve().parents[1]
SOURCES = sorted((ROOT / "notebooks" / "src").glob("[0-9][0-9]_*.py"))
NOTEBOOKS = sorted(
    path for path in (ROOT / "notebooks").rglob("*.ipynb") if ".ipynb_checkpoints" not in path.parts
)
LESSONS = {path.name[:2]: path for path in SOURCES}


@cache
def cells(lesson: str) -> list[Any]:
    """Return the cells of a lesson's source."""
    return list(build.read_source(LESSONS[lesson]).cells)


def parts(lesson: str, exercise: str, tag: str) -> list[Any]:
    """Return the cells of an exercise that bear a tag."""
    return [c for c in cells(lesson) if c.metadata.get("exercise") == exercise and tag in build.tags(c)]


def exercises() -> list[tuple[str, str]]:
    """Return lesson and id of every exercise that some source has."""
    return [
        (lesson, c.metadata.exercise) for lesson in LESSONS for c in cells(lesson) if "stub" in build.tags(c)
    ]


@cache
def namespaces(lesson: str) -> dict[str, dict[str, Any]]:
    """Run a lesson with its solutions, and keep what its variables were when each exercise came."""
    space: dict[str, Any] = {"__name__": "lesson"}
    seen = {}
    for cell in cells(lesson):
        if cell.cell_type != "code" or build.tags(cell) & {"wrong", "equivalent", "solution"}:
            continue
        if "stub" in build.tags(cell):
            seen[cell.metadata.exercise] = dict(space)
            cell = parts(lesson, cell.metadata.exercise, "solution")[0]
        exec(compile(cell.source, cell.id, "exec"), space)
    return seen


def answer_of(lesson: str, exercise: str, code: str) -> Any:
    """Run one answer to an exercise, then its check, and return the check's feedback."""
    space = dict(namespaces(lesson)[exercise])
    exec(compile(code, exercise, "exec"), space)
    check = next(c for c in cells(lesson) if c.source.startswith(f'check("{exercise}"'))
    *before, last = ast.parse(check.source).body
    exec(compile(ast.Module(before, []), check.id, "exec"), space)
    return eval(compile(ast.Expression(last.value), check.id, "eval"), space)  # type: ignore[attr-defined]
