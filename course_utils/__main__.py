"""The command line: `validate`, `ask`, `evaluate`, `pool`, `report`, `record`, `compare`, `gate`, each with `--help`.

Exit codes: 0 fine, 1 findings, 2 unusable input, said in one line.
"""

import argparse
import json
import sys
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NoReturn

import pandas as pd

from course_utils import adapter, ledger, report
from course_utils.evaluation import DEFAULT, evaluate, summarize
from course_utils.formats import read_qrels, read_run, scan_run
from course_utils.golden_set import GoldenSet, judged_at, load_golden_set, pool, validate
from course_utils.schema import DOC_ID, QUERY_ID, RELEVANCE, TEXT, CourseWarning, plural, warn

FINE, FINDINGS, UNUSABLE, STOPPED = 0, 1, 2, 130
GROUPS = ("type", "lang", "script", "split")
CONVENTION = (
    "Order: score, then doc_id, both descending. Linear gain. n: queries in the mean; n_undefined: without a relevant "
    "document, in no mean."
)


class Parser(argparse.ArgumentParser):
    """A parser that says what is wrong in one line."""

    def error(self, message: str) -> NoReturn:
        """Say it and stop with the code for unusable input."""
        raise SystemExit(_refuse(f"{message} (see --help)"))


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what the command line asks and return the exit code.

    Parameters
    ----------
    arguments
        Words after the program's name; by default those it was started with.

    Examples
    --------
    >>> main(["evaluate", "my.run"])
    2
    """
    with warnings.catch_warnings():
        warnings.simplefilter("always", CourseWarning)
        warnings.showwarning = _say_warning
        try:
            asked = _parser().parse_args(arguments)
            return int(asked.do(asked))
        except SystemExit as stop:
            return int(stop.code or 0)
        except (ValueError, OSError) as error:
            return _refuse(error)
        except KeyboardInterrupt:
            _refuse("stopped")
            return STOPPED


def _parser() -> Parser:
    parser = Parser(prog="course.py", description="Check a golden set, score runs, keep the results.")
    words = parser.add_subparsers(required=True, metavar="WORD")

    word = words.add_parser("validate", help="list what is wrong with a golden set")
    word.add_argument("folder", metavar="DIR", nargs="?", help="its folder (default: the course's handbook)")
    word.add_argument("--json", action="store_true", help="findings as JSON")
    word.set_defaults(do=_validate)

    word = words.add_parser("evaluate", help="score runs")
    word.add_argument("runs", metavar="RUN", nargs="+", help="run files (TREC)")
    truth = word.add_mutually_exclusive_group(required=True)
    truth.add_argument("--golden-set", metavar="DIR", help="folder of a golden set")
    truth.add_argument("--qrels", metavar="FILE", help="judgements alone")
    word.add_argument("--measures", nargs="+", default=list(DEFAULT), metavar="NAME", help="such as nDCG@10")
    word.add_argument("--by", choices=GROUPS, help="a row per group")
    word.add_argument("--split", choices=("dev", "test"), help="only these questions")
    word.add_argument("--json", action="store_true", help="scores as JSON")
    word.set_defaults(do=_evaluate)

    word = words.add_parser("pool", help="list what must still be judged")
    word.add_argument("runs", metavar="RUN", nargs="+", help="run files (TREC)")
    word.add_argument("--golden-set", metavar="DIR", help="folder of a golden set (default: the handbook)")
    word.add_argument("--depth", type=int, default=10, help="how far down each list (default 10)")
    word.add_argument("--out", metavar="FILE", help="write a sheet to fill in (CSV)")
    word.set_defaults(do=_pool)
    report.add_words(words, _report)
    adapter.add_words(words, _call)
    ledger.add_words(words, _call)
    for name in ("evaluate", "report", "record"):
        adapter.add_failed(words.choices[name])
    return parser


def _call(asked: argparse.Namespace) -> int:
    options = {name: value for name, value in vars(asked).items() if name not in ("do", "call")}
    text, fine = asked.call(**options)
    print(text)
    return FINE if fine else FINDINGS


def _validate(asked: argparse.Namespace) -> int:
    golden = load_golden_set(asked.folder)
    findings = validate(golden)
    errors = int((findings["level"] == "error").sum())
    if asked.json:
        print(_json({"fingerprint": golden.fingerprint, "findings": findings.to_dict("records")}))
    else:
        for level, code, where, message in findings.itertuples(index=False):
            print(f"{level:<8}{code}  [{where}]  {message}")
        print(f"{golden}: {plural(errors, 'error')}, {plural(len(findings) - errors, 'warning')}")
    return FINDINGS if errors else FINE


def _evaluate(asked: argparse.Namespace) -> int:
    if asked.qrels and (asked.by or asked.split):
        raise ValueError(
            "--by and --split need --golden-set: a file of judgements knows no types and no split"
        )
    runs = _read_runs(
        asked.runs, scan_run if asked.qrels else read_run
    )  # beside a golden set, runs are small
    golden = None if asked.qrels else load_golden_set(asked.golden_set)
    if golden is None:
        qrels = read_qrels(asked.qrels)
        tables = {name: summarize(evaluate(qrels, run, asked.measures)) for name, run in runs.items()}
    else:
        tables = {name: _scores(run, golden, asked) for name, run in runs.items()}
    broken = dict(zip(runs, adapter.failures(asked.runs, asked.failed), strict=True))
    if golden is not None:
        here = set(_counted(golden, asked.split).questions[QUERY_ID])
        broken = {name: [query for query in queries if query in here] for name, queries in broken.items()}
    if asked.json:
        told: dict[str, Any] = {"fingerprint": golden.fingerprint} if golden else {}
        told |= {"failed": broken} if any(broken.values()) else {}
        print(_json({**told, "runs": {name: _plain(table) for name, table in tables.items()}}))
    else:
        print(pd.concat(tables).to_string(float_format="%.3f", na_rep="-"))
        print(CONVENTION)
        for name, queries in broken.items():
            if queries:
                print(
                    f"{name}: {plural(len(queries), 'question')} failed: not declined, and 0 in the means they are in."
                )
    return FINE


def _pool(asked: argparse.Namespace) -> int:
    golden = load_golden_set(asked.golden_set)
    missing = pool(_read_runs(asked.runs), golden, asked.depth)
    if asked.out:
        # With a byte order mark, or Excel takes the file for Windows text.
        _sheet(missing, golden).to_csv(asked.out, index=False, encoding="utf-8-sig", lineterminator="\n")
    elif len(missing):
        print(missing.to_string(index=False))
    queries = plural(missing[QUERY_ID].nunique(), "question")
    print(
        f"{plural(len(missing), 'document')} to judge, for {queries}"
        + (f": {asked.out}" if asked.out else "")
    )
    return FINDINGS if len(missing) else FINE


def _report(asked: argparse.Namespace) -> int:
    golden = load_golden_set(asked.golden_set)
    split = asked.split or ("dev" if (golden.questions["split"] == "dev").any() else "all")
    counted = _counted(golden, None if split == "all" else split)
    causes = report.read_causes(asked.causes) if asked.causes else None
    runs, broken = _read_runs(asked.runs), adapter.failures(asked.runs, asked.failed)
    failed = dict(zip(runs, broken, strict=True))
    options = {"measure": asked.measure, "count": asked.count, "causes": causes, "failed": failed}
    report.write_page(asked.out, runs, counted, **options)
    print(f"{asked.out}: split {split}, {plural(len(counted.questions), 'question')}")
    return FINE


def _counted(golden: GoldenSet, split: str | None) -> GoldenSet:
    """Questions that count in a mean: of the split, and not told as a story in a lesson."""
    chosen = golden.subset(split=split)
    return chosen.subset(showcase=False) if chosen.questions["showcase"].any() else chosen


def _scores(run: pd.DataFrame, golden: GoldenSet, asked: argparse.Namespace) -> pd.DataFrame:
    counted = _counted(golden, asked.split)
    asked_here = counted.questions[QUERY_ID]
    elsewhere = set(golden.questions[QUERY_ID]) - set(asked_here)
    run = run[~run[QUERY_ID].isin(elsewhere)]
    scores = evaluate(counted.qrels, run, asked.measures, queries=asked_here)
    groups = counted.questions.assign(all="all").set_index(QUERY_ID)[asked.by or "all"]
    table = summarize(_as_stated(scores, counted), by=groups).rename_axis(None)
    judged = judged_at(run, counted)
    table.insert(len(table.columns) - 2, str(judged.name), judged.groupby(groups).mean())
    return table


def _as_stated(scores: pd.DataFrame, golden: GoldenSet) -> pd.DataFrame:
    """Scores where the question is stated answerable; a hole in the judgements is told, not taken for an answer."""
    stated = golden.answerable.reindex(scores.index).fillna(False).astype(bool)
    contradicted = scores.index[stated != scores.notna().all(axis=1)]
    if len(contradicted):
        which = plural(len(contradicted), "question")
        warn(
            f"{which} in no mean: statement and judgements differ (for instance {contradicted[0]}); run validate"
        )
    return scores.where(stated)


def _sheet(missing: pd.DataFrame, golden: GoldenSet) -> pd.DataFrame:
    """The pool as a sheet: grades to fill in, beside what the judge reads; who found what is left out."""
    questions = golden.questions[[QUERY_ID, TEXT, "need"]].rename(columns={TEXT: "question"})
    sheet = missing[[QUERY_ID, DOC_ID]].assign(**{RELEVANCE: ""}).merge(questions, how="left", on=QUERY_ID)
    return sheet.merge(golden.documents[[DOC_ID, "title"]], how="left", on=DOC_ID)


def _read_runs(files: list[str], read: Callable[[str], Any] = read_run) -> dict[str, Any]:
    stems = [Path(file).stem for file in files]
    names = stems if len(set(stems)) == len(stems) else files
    return {name: read(file) for name, file in zip(names, files, strict=True)}


def _plain(table: pd.DataFrame) -> dict[str, Any]:
    """Return a table as JSON has it: NaN does not exist there, so undefined is null."""
    rows = table.to_dict("index")
    return {str(name): {c: None if v != v else v for c, v in row.items()} for name, row in rows.items()}


def _json(content: Any) -> str:
    return json.dumps(content, ensure_ascii=False, indent=1, allow_nan=False)


def _refuse(error: object) -> int:
    if isinstance(error, OSError) and error.filename is not None:
        error = f"{error.filename}: {error.strerror}"
    print(f"course.py: {' '.join(str(error).split())}", file=sys.stderr)
    return UNUSABLE


def _say_warning(message: Warning | str, *_: Any, **__: Any) -> None:
    print(f"warning: {' '.join(str(message).split())}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
