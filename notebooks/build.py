"""Build every edition of the notebooks from ``notebooks/src``.

    python3 course.py build               build all
    python3 course.py build --only 04     build one lesson
    python3 course.py build --check       compare sources and products without executing; name the first difference

One source (jupytext percent, each cell with a key) becomes a learner edition and a solutions edition per language,
executed from a clean kernel with their outputs kept, and one page of instructor notes.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import jupytext
import nbformat
from nbclient import NotebookClient
from nbformat import NotebookNode

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from course_utils import i18n, lessons, paths, registry  # noqa: E402

KERNEL = {"kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}}
KEPT_METADATA = ("tags", "exercise")
# Cells that only the tests or the instructor see.
HIDDEN = {"instructor", "wrong", "equivalent"}
THREADS = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "PYTHONHASHSEED": "0"}
QUIZ_CELL = re.compile(r'^(quiz|predict|check)\("', re.M)
BLANK_CHECK = re.compile(r'check\("([^"]+)", \.\.\.\)')
RELATIVE_LINK = re.compile(r"(\]\(|src=\"|href=\")(\.\./)")


@dataclass(frozen=True)
class Edition:
    """One product: a lesson in one language, for learners or with solutions."""

    source: Path
    language: str
    solutions: bool
    out: Path

    @property
    def folder(self) -> Path:
        """The folder of the product."""
        parts = ([] if self.language == "en" else [self.language]) + (["solutions"] if self.solutions else [])
        return self.out.joinpath(*parts)

    @property
    def path(self) -> Path:
        """The product."""
        return self.folder / f"{self.source.stem}.ipynb"

    @property
    def depth(self) -> int:
        """How many folders deeper than ``notebooks`` the product lies."""
        return len(self.folder.relative_to(self.out).parts)


def sources(only: list[str]) -> list[Path]:
    """List the sources, all or those whose number is given."""
    found = sorted((HERE / "src").glob("[0-9][0-9]_*.py"))
    chosen = [path for path in found if not only or path.name[:2] in only]
    if not chosen:
        raise SystemExit(f"no source for {', '.join(only) or 'any lesson'} in notebooks/src")
    return chosen


def languages() -> list[str]:
    """List the languages: English, and every folder of catalogues."""
    folder = Path(os.environ.get("COURSE_LOCALE") or HERE.parent / "assets" / "locale")
    return ["en", *sorted(path.name for path in folder.glob("*") if path.is_dir())]


def read_source(path: Path) -> NotebookNode:
    """Read a source and give each cell the id that its key states."""
    notebook: NotebookNode = jupytext.read(path, fmt="py:percent")
    seen: set[str] = set()
    for number, cell in enumerate(notebook.cells, start=1):
        key = cell.metadata.get("key")
        if not key or key in seen:
            raise SystemExit(
                f"{path.name}: cell {number} has {'no key' if not key else f'the key {key!r} again'}"
            )
        seen.add(key)
        cell["id"] = key
    return notebook


def tags(cell: NotebookNode) -> set[str]:
    """Return a cell's tags."""
    return set(cell.metadata.get("tags", []))


def compose(edition: Edition) -> NotebookNode:
    """Make the notebook of an edition, not yet executed."""
    source = read_source(edition.source)
    translation = {} if edition.language == "en" else i18n.catalogue(edition.language, edition.source.stem)
    os.environ["COURSE_LANG"] = edition.language
    solutions = {cell.metadata.exercise: cell for cell in source.cells if "solution" in tags(cell)}
    notebook: NotebookNode = nbformat.v4.new_notebook(metadata=KERNEL)
    for cell in source.cells:
        if tags(cell) & HIDDEN or (edition.solutions and "solution" in tags(cell)):
            continue
        if edition.solutions and "stub" in tags(cell):
            cell = solutions[cell.metadata.exercise]
        notebook.cells.append(_compose_cell(edition, cell, translation))
    return notebook


def _compose_cell(edition: Edition, cell: NotebookNode, translation: dict[str, str]) -> NotebookNode:
    text = cell.source
    if cell.cell_type == "markdown":
        if edition.language != "en":
            text = _translated(edition, cell.id, translation)
        return _cell("markdown", cell, RELATIVE_LINK.sub(r"\1" + "../" * edition.depth + r"\2", text))
    if edition.solutions:
        return _cell("code", cell, answered(text))
    if "solution" in tags(cell):
        fold = f"<details><summary>{i18n.text('build.solution')}</summary>\n\n```python\n{text}\n```\n\n</details>"
        return _cell("markdown", cell, fold)
    return _cell("code", cell, text)


def _translated(edition: Edition, key: str, translation: dict[str, str]) -> str:
    if key not in translation:
        name = f"assets/locale/{edition.language}/{edition.source.stem}.po"
        raise SystemExit(f"{name}: no message for the cell {key!r}")
    return translation[key]


def _cell(kind: str, cell: NotebookNode, text: str) -> NotebookNode:
    v4 = nbformat.v4
    made: NotebookNode = v4.new_markdown_cell(text) if kind == "markdown" else v4.new_code_cell(text)
    made["id"] = cell.id
    made["metadata"] = {name: cell.metadata[name] for name in KEPT_METADATA if name in cell.metadata}
    if "stretch" not in tags(cell):
        made["metadata"]["tags"] = sorted({"core"} | tags(cell))
    if QUIZ_CELL.search(text) and kind == "code":
        # In command mode two d's delete a cell, also when the focus is on a quiz option.
        made["metadata"]["deletable"] = False
    return made


def answered(code: str) -> str:
    """Put the right answers of quiz questions into their ``check`` cells, for the solutions edition."""
    return BLANK_CHECK.sub(lambda match: f'check("{match[1]}", {_right_answer(match[1])})', code)


def _right_answer(item: str) -> str:
    right = lessons.right_answer(item)
    return f'"{right}"' if isinstance(right, str) else repr(right)


def execute(edition: Edition, notebook: NotebookNode) -> NotebookNode:
    """Run all cells in order in a fresh kernel, with an empty state folder."""
    edition.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as state:
        env = os.environ | THREADS | {"COURSE_STATE": state, "COURSE_LANG": edition.language}
        env["PYTHONPATH"] = os.pathsep.join([str(HERE.parent), env.get("PYTHONPATH", "")]).rstrip(os.pathsep)
        client = NotebookClient(
            notebook,
            timeout=120,
            record_timing=False,
            coalesce_streams=True,  # else two prints are one output or two, as time has it
            kernel_name="python3",
            resources={"metadata": {"path": str(edition.folder)}},
        )
        # The kernel warns of its own transport at each start: not for the reader of the build.
        client.execute(env=env, stderr=subprocess.DEVNULL)
    notebook["metadata"] = nbformat.from_dict(KERNEL)
    return notebook


def write(path: Path, text: str) -> None:
    """Write a text file in one step, so that an interrupted build leaves the old one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    draft.write_text(text, encoding="utf-8", newline="\n")
    draft.replace(path)


def instructor_notes(source: Path) -> str:
    """Collect the cells tagged ``instructor`` into one page."""
    notebook = read_source(source)
    title = (
        next(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
        .splitlines()[0]
        .lstrip("# ")
    )
    notes = [cell.source for cell in notebook.cells if "instructor" in tags(cell)]
    made = f"<!-- Derived from notebooks/src/{source.name}; edit there. -->\n"
    return f"{made}# Teaching notes: {title}\n\n" + "\n\n".join(notes) + "\n"


def build(edition: Edition) -> str:
    """Build one edition and say so."""
    notebook = execute(edition, compose(edition))
    write(edition.path, nbformat.writes(notebook, version=4) + "\n")
    if edition.language != "en":
        write(edition.out / edition.language / i18n.MARKER, edition.language + "\n")
    return f"built {edition.path.relative_to(edition.out)}"


def differences(editions: list[Edition], every_source: bool, notes: Path) -> Iterator[str]:
    """Yield what is stale, missing or left over, in words, without executing anything."""
    for edition in editions:
        yield from _difference(edition)
    for source in {edition.source: None for edition in editions}:
        page = notes / f"{source.name[:2]}.md"
        if not page.is_file() or page.read_text(encoding="utf-8") != instructor_notes(source):
            yield f"classroom/notes/{page.name} differs from the instructor cells of {source.name}"
    if every_source:
        known = {edition.path for edition in editions}
        out = editions[0].out
        for path in sorted(set(out.rglob("*.ipynb")) - known):
            if ".ipynb_checkpoints" not in path.parts:
                yield f"notebooks/{path.relative_to(out).as_posix()} has no source in notebooks/src"


def _difference(edition: Edition) -> Iterator[str]:
    name = f"notebooks/{edition.path.relative_to(edition.out).as_posix()}"
    if not edition.path.is_file():
        yield f"{name} is missing"
        return
    product = nbformat.read(edition.path, as_version=4)
    expected = compose(edition)
    if product.metadata != expected.metadata:
        yield f"{name}: its metadata differs from what the builder writes"
    for wanted, found in zip(expected.cells, product.cells, strict=False):
        if any(wanted.get(part) != found.get(part) for part in ("id", "cell_type", "source", "metadata")):
            yield f"{name}: the cell {wanted.id!r} differs from the source"
            return
    if len(product.cells) != len(expected.cells):
        yield f"{name} has {len(product.cells)} cells, the source gives {len(expected.cells)}"
    code = [cell for cell in product.cells if cell.cell_type == "code"]
    if [cell.execution_count for cell in code] != list(range(1, len(code) + 1)):
        yield f"{name} was not executed from its first cell to its last"


def main(arguments: list[str] | None = None) -> int:
    """Build, or check, as the command line says; return the exit code."""
    parser = argparse.ArgumentParser(
        prog="course.py build", description="Build the notebooks from their sources."
    )
    parser.add_argument(
        "--only", nargs="+", default=[], metavar="NN", help="only these lessons, such as 03 04"
    )
    parser.add_argument("--check", action="store_true", help="compare sources and products, execute nothing")
    parser.add_argument(
        "--out", type=Path, default=HERE, help="the folder of the products (default: notebooks)"
    )
    parser.add_argument("--lang", nargs="+", default=None, help="only these languages")
    options = parser.parse_args(arguments)
    editions = [
        Edition(source, language, solutions, options.out.resolve())
        for source in sources(options.only)
        for language in options.lang or languages()
        for solutions in (False, True)
    ]
    notes = HERE.parent / "classroom" / "notes" if options.out.resolve() == HERE else options.out / "notes"
    if options.check:
        found = registry.problems() + list(
            differences(editions, not options.only and not options.lang, notes)
        )
        print("\n".join(found) or "every notebook is what its source says")
        return 1 if found else 0
    write(paths.assets("registry.txt"), registry.current())
    with ProcessPoolExecutor(2) as pool:
        for line in pool.map(build, editions):
            print(line, flush=True)
    for source in {edition.source: None for edition in editions}:
        write(notes / f"{source.name[:2]}.md", instructor_notes(source))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
