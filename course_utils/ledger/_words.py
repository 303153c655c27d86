"""What the command line's words `record`, `compare` and `gate` do: text to print, and whether all is well."""

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from course_utils.adapter import failures
from course_utils.evaluation import DEFAULT
from course_utils.formats import read_run
from course_utils.golden_set import load_golden_set
from course_utils.ledger._compare import compare
from course_utils.ledger._gate import FIXED, LAST, gate
from course_utils.ledger._store import load, record

FILE_KEYS = {LAST, FIXED, "must_not_lose", "measures", "alpha", "min_n"}


def add_words(words: Any, do: Callable[[Any], int]) -> None:
    """Add `record`, `compare` and `gate` to the words of a command line; `do` calls what stands in `call`.

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
    >>> parser.parse_args(["compare", "a", "b", "--ledger", "results"]).call is run_compare
    True
    """
    word = words.add_parser("record", help="keep the scores of a run, and what made it")
    word.add_argument("run", metavar="RUN", help="a run file (TREC)")
    word.add_argument("--golden-set", metavar="DIR", help="folder of a golden set (default: the handbook)")
    word.add_argument("--config", metavar="FILE", help="what was done, as JSON (default: the run's name)")
    word.add_argument("--split", choices=("dev", "test"), help="only these questions")
    word.add_argument("--measures", nargs="+", default=list(DEFAULT), metavar="NAME", help="such as nDCG@10")
    word.add_argument(
        "--threshold", type=float, metavar="SCORE", help="decline a question whose top score is lower"
    )
    word.set_defaults(do=do, call=run_record)

    word = words.add_parser("compare", help="say what differs between two records")
    word.add_argument("a", metavar="A", help='an id, its first characters, or "last"')
    word.add_argument("b", metavar="B", help="another one; differences are B - A")
    word.set_defaults(do=do, call=run_compare)

    word = words.add_parser("gate", help="fail if a record is worse than the last one")
    word.add_argument("candidate", metavar="CANDIDATE", help='an id, its first characters, or "last"')
    word.add_argument(
        "--baseline", required=True, metavar="BASELINE", help="an id, or a baseline file (JSON)"
    )
    word.add_argument("--fixed", metavar="ID", help="a reference that stays")
    word.add_argument(
        "--must-not-lose", nargs="+", default=[], metavar="QUERY", help="questions to keep right"
    )
    word.add_argument("--measures", nargs="+", metavar="NAME", help="test only these")
    word.set_defaults(do=do, call=run_gate)

    for name in ("record", "compare", "gate"):
        words.choices[name].add_argument(
            "--ledger", required=True, metavar="DIR", help="folder of the records"
        )
    for name in ("compare", "gate"):
        words.choices[name].add_argument("--across", action="store_true", help="allow different data")


def run_record(
    run: str,
    ledger: str,
    golden_set: str | None = None,
    config: str | None = None,
    *,
    split: str | None = None,
    measures: Iterable[str] = DEFAULT,
    threshold: float | None = None,
    failed: Iterable[str] | None = None,
) -> tuple[str, bool]:
    """Record a run file, and what failed beside it; the configuration is a JSON file.

    Examples
    --------
    >>> run_record("no.run", "ledger", config="no.json")
    Traceback (most recent call last):
    ValueError: there is no file no.json
    """
    golden = load_golden_set(golden_set)
    chosen = golden.subset(split=split) if split else golden
    told = {"run": Path(run).stem} if config is None else _object(config)
    rows = read_run(run)
    broken = failures([run], failed)[0]
    elsewhere = set(golden.questions["query_id"]) - set(chosen.questions["query_id"])
    kept = record(
        ledger,
        told,
        chosen,
        rows[~rows["query_id"].isin(elsewhere)],
        measures=list(measures),
        threshold=threshold,
        failed=[query for query in broken if query not in elsewhere],
    )
    return kept.id, True


def run_compare(a: str, b: str, ledger: str, *, across: bool = False) -> tuple[str, bool]:
    """Compare two records by id.

    Examples
    --------
    >>> run_compare("a", "b", "no-such-ledger")
    Traceback (most recent call last):
    ValueError: there is no ledger no-such-ledger
    """
    return str(compare(load(ledger, a), load(ledger, b), across=across)), True


def run_gate(
    candidate: str,
    baseline: str,
    ledger: str,
    *,
    fixed: str | None = None,
    must_not_lose: Iterable[str] = (),
    measures: Iterable[str] | None = None,
    across: bool = False,
) -> tuple[str, bool]:
    """Hold a record against a baseline: an id, or a baseline file, in which `last` must stand.

    The file is JSON: {"last": ID, "fixed": ID, "must_not_lose": [...], "measures": [...], "alpha": 0.05,
    "min_n": 8}; all but `last` may be left out. What the command line says wins; must-not-lose questions add up.

    Examples
    --------
    >>> run_gate("a", "b", "no-such-ledger")
    Traceback (most recent call last):
    ValueError: there is no ledger no-such-ledger
    """
    told = _baseline(baseline)
    reference = fixed or told.get(FIXED)
    options = {name: told[name] for name in ("alpha", "min_n") if name in told}
    seen = gate(
        load(ledger, candidate),
        load(ledger, told[LAST]),
        fixed=load(ledger, reference) if reference else None,
        must_not_lose=[*told.get("must_not_lose", []), *must_not_lose],
        measures=measures or told.get("measures"),
        across=across,
        **options,
    )
    return str(seen), seen.passed


def _baseline(baseline: str) -> dict[str, Any]:
    if not Path(baseline).is_file():
        if baseline.endswith(".json"):
            raise ValueError(f"there is no file {baseline}")
        return {LAST: baseline}
    told = _object(baseline)
    unknown = sorted(told.keys() - FILE_KEYS)
    if unknown or LAST not in told:
        wrong = f"unknown {', '.join(unknown)}" if unknown else f"no {LAST}"
        raise ValueError(
            f"{baseline}: {wrong}; expected {', '.join(sorted(FILE_KEYS))}, of which {LAST} must be there"
        )
    return told


def _object(file: str) -> dict[str, Any]:
    if not Path(file).is_file():
        raise ValueError(f"there is no file {file}")
    try:
        told = json.loads(Path(file).read_text(encoding="utf-8-sig"))
    except ValueError as error:
        raise ValueError(f"{file}: not JSON ({error})") from error
    if not isinstance(told, dict):
        raise ValueError(f"{file}: found a {type(told).__name__}; expected an object {{...}}")
    return told
