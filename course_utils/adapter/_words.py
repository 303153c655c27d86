"""What the command line's word `ask` does, and the option `--failed` of the words that read runs."""

import importlib
import importlib.util
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from traceback import extract_tb
from typing import Any

from course_utils.adapter._answers import failed_file
from course_utils.adapter._ask import ask
from course_utils.golden_set import GoldenSet, load_golden_set
from course_utils.schema import DOC_ID, warn


def add_words(words: Any, do: Callable[[Any], int]) -> None:
    """Add `ask` to the words of a command line; `do` calls what stands in `call`.

    Parameters
    ----------
    words
        From `argparse.ArgumentParser.add_subparsers`.
    do
        What the command line does with the words it has read.

    Examples
    --------
    >>> import argparse
    >>> parser = argparse.ArgumentParser()
    >>> add_words(parser.add_subparsers(), print)
    >>> parser.parse_args(["ask", "search.py:search", "--out", "my.run"]).k
    10
    """
    word = words.add_parser("ask", help="put every question to your own search function; write a run")
    word.add_argument("search", metavar="FILE:FUNCTION", help="such as search.py:search, or MODULE:FUNCTION")
    word.add_argument("--golden-set", metavar="DIR", help="folder of a golden set (default: the handbook)")
    word.add_argument(
        "--out", required=True, metavar="RUN", help="run file to write; what failed goes beside it"
    )
    word.add_argument("--k", type=int, default=10, help="documents per question (default 10)")
    word.add_argument("--parallel", type=int, default=1, metavar="N", help="questions at a time (default 1)")
    word.add_argument("--timeout", type=float, metavar="SECONDS", help="for one question")
    word.add_argument("--cache", metavar="PLACE", help="folder or file; what was answered is not asked again")
    word.add_argument(
        "--cache-key",
        metavar="NAME",
        help="name and version of the system (default: the function and its source)",
    )
    word.set_defaults(do=do, call=run_ask)


def add_failed(word: Any) -> None:
    """Add the option `--failed` to a word that reads runs.

    Examples
    --------
    >>> import argparse
    >>> parser = argparse.ArgumentParser()
    >>> add_failed(parser)
    >>> parser.parse_args([]).failed is None
    True
    """
    word.add_argument(
        "--failed", metavar="FILE", nargs="+",
        help="what failed, one CSV file per run (default: the X.failed.csv beside each X.run)",
    )  # fmt: skip


def run_ask(search: str, out: str, golden_set: str | None = None, **options: Any) -> tuple[str, bool]:
    """Ask every question of a golden set and write the run; fine if nothing failed.

    Examples
    --------
    >>> run_ask("search.py", "my.run")
    Traceback (most recent call last):
    ValueError: 'search.py' names no function; expected FILE:FUNCTION, such as search.py:search
    """
    golden = load_golden_set(golden_set)
    with _named(search) as function:
        answers = ask(function, golden.texts, progress=sys.stderr.isatty(), **options)
    answers.write(out)
    _tell_strangers(answers.run[DOC_ID], golden)
    beside = f"; see {failed_file(out)}" if len(answers.failed) else ""
    return f"{out}: {str(answers).removeprefix('Answers(').removesuffix(')')}{beside}", answers.failed.empty


def _tell_strangers(found: Any, golden: GoldenSet) -> None:
    """Warn of ids that no document has: chunks, or numbers of another index, score 0 and nobody knows why."""
    known = golden.documents[DOC_ID]
    strange = found[~found.isin(known)]
    if len(strange):
        warn(
            f"{len(strange):,} of {len(found):,} ids in the run are no doc_id of the documents (for instance "
            f"{strange.iloc[0]}; expected ids such as {known.iloc[0]}): they can never count as relevant"
        )


@contextmanager
def _named(search: str) -> Iterator[Any]:
    """Give the function; as long as it is used, its folder is on the path, also for what it imports late."""
    place, colon, name = search.rpartition(":")
    if not colon or not place or not name.isidentifier():
        raise ValueError(f"{search!r} names no function; expected FILE:FUNCTION, such as search.py:search")
    is_file = place.endswith(".py")
    folder = str(Path(place).resolve().parent if is_file else Path.cwd())
    sys.path.insert(0, folder)
    try:
        module = _load(Path(place)) if is_file else _import(place)
        if not hasattr(module, name):
            raise ValueError(f"{place} has no {name}; expected a function that takes the text of a question")
        yield getattr(module, name)
    finally:
        sys.path.remove(folder)


def _load(file: Path) -> Any:
    if not file.is_file():
        raise ValueError(f"there is no file {file}")
    spec = importlib.util.spec_from_file_location(file.stem, file)
    if spec is None or spec.loader is None:
        raise ValueError(f"{file} is no Python file")
    module = importlib.util.module_from_spec(spec)
    run: Any = spec.loader.exec_module
    _try(str(file), lambda: run(module))
    return module


def _import(name: str) -> Any:
    if "/" in name or "\\" in name:
        raise ValueError(f"{name} is no module; of a file, write the ending, too: {name}.py:FUNCTION")
    return _try(name, lambda: importlib.import_module(name))


def _try(place: str, load: Callable[[], Any]) -> Any:
    """Import somebody else's code: whatever it raises is told with its line, and is no fault of the course."""
    try:
        return load()
    except (Exception, SystemExit) as error:
        last = extract_tb(error.__traceback__)[-1]
        where = f"{Path(last.filename).name}, line {last.lineno}"
        told = f"{place} cannot be imported: {type(error).__name__}: {error} ({where})"
        if isinstance(error, ModuleNotFoundError) and error.name and error.name != place:
            told += (
                f". It runs in the Python of the course; install there: {sys.executable} -m pip install ..."
            )
        raise ValueError(told) from error
