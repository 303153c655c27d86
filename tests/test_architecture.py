"""The shape of the package: layers, sizes, docstrings, a quick import."""

import ast
import re
import statistics
import subprocess
import sys

import pytest

from sources import ROOT

PACKAGE = ROOT / "course_utils"
LAYERS = [
    {"paths"},
    {"schema", "measures", "i18n", "registry"},
    {"formats", "evaluation", "significance", "retrievers", "plots"},
    {"golden_set"},
    {"abstention", "adapter", "lessons"},
    {"report", "ledger"},
    {"__main__"},
]
LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}
FILES = sorted(PACKAGE.rglob("*.py"))
HEAVY = {"numpy", "pandas", "matplotlib", "scipy", "sklearn", "statsmodels", "faiss", "bm25s", "babel"}


def module_of(path):
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported(path):
    """Return the modules of the package that a file imports, as `part.module` names."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module == "course_utils":
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and str(node.module).startswith("course_utils."):
            found.add(str(node.module).split(".")[1])
    return found


def functions(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)]


def body_lines(function):
    first = function.body[1] if ast.get_docstring(function) and len(function.body) > 1 else function.body[0]
    return function.end_lineno - first.lineno + 1


@pytest.mark.parametrize(
    "path", [p for p in FILES if p.parent != PACKAGE or p.name != "__init__.py"], ids=str
)
def test_imports_go_to_a_lower_layer_only(path):
    own = module_of(path)
    assert own in LEVEL, f"{own} has no layer: give it one in this test and in the design"
    upward = {name for name in imported(path) - {own} if LEVEL[name] >= LEVEL[own]}
    assert not upward


def test_modules_and_functions_are_small():
    sizes = [len(path.read_text(encoding="utf-8").splitlines()) for path in FILES]
    assert max(sizes) < 250
    assert statistics.median(sizes) <= 150
    lengths = {f"{path.name}:{f.name}": body_lines(f) for path in FILES for f in functions(path)}
    assert max(lengths.values()) <= 40, max(lengths, key=lengths.get)
    assert statistics.median(lengths.values()) <= 7


def test_every_public_function_has_a_docstring_with_an_example():
    for path in FILES:
        if any(part.startswith("_") and part != "__init__.py" for part in path.relative_to(PACKAGE).parts):
            continue
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
                assert ">>>" in (ast.get_docstring(node) or ""), f"{path.name}: {node.name}"


def test_inputs_are_not_checked_with_assert():
    for path in FILES:
        assert not any(
            isinstance(n, ast.Assert) for n in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        )


def test_importing_the_package_loads_nothing_heavy():
    code = "import course_utils, sys; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    assert not HEAVY & set(loaded.split())


def test_every_name_of_the_package_is_there():
    import course_utils

    for name in course_utils.__all__:
        assert getattr(course_utils, name) is not None
    with pytest.raises(AttributeError, match="has no attribute 'no_such_name'"):
        _ = course_utils.no_such_name


def test_no_module_bears_the_name_of_a_public_function():
    import course_utils

    assert not set(course_utils._HOME) & set(course_utils._MODULES)
    assert not re.search(r"^from course_utils", (PACKAGE / "__init__.py").read_text(encoding="utf-8"), re.M)
