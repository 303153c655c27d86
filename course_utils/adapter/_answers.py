"""`Answers`: what came of asking every question, and the two files that hold it."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from course_utils.formats import write_run
from course_utils.formats._text import SILENT, write_whole
from course_utils.schema import QUERY_ID, as_text, plural
from course_utils.schema._columns import check_columns

ERROR, ENDING = "error", ".failed.csv"
RUN_ENDINGS = {".run", ".trec", ".txt", ".csv", ".tsv", ".jsonl", ".ndjson"}


@dataclass(frozen=True, eq=False, repr=False)
class Answers:
    """What came of each question: an answer, nothing (declined), or an error (failed).

    Parameters
    ----------
    run
        query_id, doc_id, score: what was answered, in the order of the questions, each list best first.
    failed
        query_id and error (its type and message, on one line): at these questions the system broke. They are not in
        the run and did not decline; hand them on as `failed=answers.failed`.
    declined
        Ids of the questions to which the system returned an empty list.
    seconds
        How long each question took, with query_id as index. What came from a cache has the time it took then.

    Examples
    --------
    >>> import pandas as pd
    >>> Answers(pd.DataFrame(columns=["query_id", "doc_id", "score"]),
    ...         pd.DataFrame({"query_id": ["q1"], "error": ["TimeoutError"]}), ["q2"], pd.Series([0.1, 0.2]))
    Answers(2 questions: 0 answered, 1 declined, 1 failed)
    """

    run: pd.DataFrame
    failed: pd.DataFrame
    declined: list[str]
    seconds: pd.Series

    def __repr__(self) -> str:
        answered, failed = self.run[QUERY_ID].nunique(), len(self.failed)
        told = f"{answered} answered, {len(self.declined)} declined, {failed} failed"
        return f"Answers({plural(len(self.seconds), 'question')}: {told})"

    def write(self, path: str | Path) -> None:
        """Write the run, and what failed beside it: my.run and my.failed.csv, of which an old one goes.

        Stopped at any point, the two never make a failed question look declined. If nothing was returned for any
        question, the run is one line that says so, and `read_run` gives no rows for it.
        """
        file, beside = Path(path), failed_file(path)
        file.parent.mkdir(parents=True, exist_ok=True)
        if len(self.failed):
            write_whole(beside, self.failed.to_csv(index=False, lineterminator="\n"))
        if self.run.empty:
            write_whole(file, f"{SILENT}\n")
        else:
            write_run(self.run, file, tag=file.stem.replace(" ", "_"))
        if self.failed.empty:
            beside.unlink(missing_ok=True)


def failed_file(run: str | Path) -> Path:
    """Return the name of the file that tells what failed, beside a run file.

    Examples
    --------
    >>> failed_file("my.run").name, failed_file("my.run.gz").name, failed_file("v1.2").name
    ('my.failed.csv', 'my.failed.csv', 'v1.2.failed.csv')
    """
    file = Path(run)
    plain = file.with_suffix("") if file.suffix == ".gz" else file
    stem = plain.stem if plain.suffix in RUN_ENDINGS else plain.name
    return file.with_name(stem + ENDING)


def read_failed(path: str | Path) -> pd.DataFrame:
    r"""Read which questions failed.

    Parameters
    ----------
    path
        A CSV file with query_id, and usually error, as `Answers.write` makes it.

    Returns
    -------
    pandas.DataFrame
        query_id and error as text.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "my.failed.csv")
    ...     _ = file.write_text("query_id,error\nq7,TimeoutError\n")
    ...     read_failed(file).to_dict("list")
    {'query_id': ['q7'], 'error': ['TimeoutError']}
    """
    if not Path(path).is_file():
        raise ValueError(f"there is no file {path}")
    try:
        table = pd.read_csv(path, dtype=str, keep_default_na=False, encoding="utf-8-sig")
    except ValueError as error:  # no UTF-8, no columns, rows of different lengths
        raise ValueError(f"{path}: no CSV file with query_id ({error})") from error
    check_columns(table, [QUERY_ID], str(path))
    ids = as_text(table[QUERY_ID], f"{path}: {QUERY_ID}")
    for query in ids[ids.duplicated()][:1]:
        raise ValueError(f"{path} has question {query} twice; keep one")
    errors = table[ERROR] if ERROR in table else pd.Series("", index=table.index, dtype="str")
    return pd.DataFrame({QUERY_ID: ids, ERROR: errors})


def failures(runs: Iterable[str | Path], files: Iterable[str | Path] | None = None) -> list[list[str]]:
    """Return the ids of the questions that failed, for each run file.

    Parameters
    ----------
    runs
        Run files.
    files
        One file of failures per run. By default the one beside each run, if it is there.

    Examples
    --------
    >>> failures(["no.run"])
    [[]]
    """
    if files is None:
        return [_ids(file) if file.is_file() else [] for file in map(failed_file, runs)]
    names, given = list(runs), list(files)
    if len(given) != len(names):
        raise ValueError(
            f"{plural(len(given), 'file')} of failures for {plural(len(names), 'run')}; name one per run"
        )
    return list(map(_ids, given))


def _ids(file: str | Path) -> list[str]:
    return [str(query) for query in read_failed(file)[QUERY_ID]]
