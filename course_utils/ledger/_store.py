"""Record an experiment, and find it again."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from course_utils.evaluation import DEFAULT
from course_utils.golden_set import GoldenSet
from course_utils.ledger._drift import check_drift
from course_utils.ledger._files import files_of, read_file, sweep, write
from course_utils.ledger._record import FALSE, Record, Vectors, measure
from course_utils.schema import Table, plural


def record(
    folder: str | Path,
    config: Mapping[str, Any],
    golden_set: GoldenSet,
    run: Table,
    *,
    seed: int | None = None,
    vectors: Vectors | None = None,
    measures: Iterable[str] | str = DEFAULT,
    threshold: float | None = None,
    k: int = 10,
    rel: int = 1,
    failed: Iterable[Any] = (),
) -> Record:
    """Measure a run and keep the result; the same experiment again is the record that is there already.

    Parameters
    ----------
    folder
        The ledger. It is made if it is not there.
    config
        What was done: text, numbers, lists and dicts. Everything that should move a score belongs here.
    golden_set
        What it was done to. Showcase questions are left out; which questions are answerable is as stated.
    run
        What was found: query_id, doc_id, score.
    seed
        Of what is random in the system.
    vectors
        `{name: file or array}`, of which a fingerprint is kept.
    measures
        Names for `evaluate`. They are taken from the run as it is, whatever the threshold withholds.
    threshold, k, rel, failed
        For `abstention.outcomes`, which gives each question its status. Hand on `failed=answers.failed`.

    Returns
    -------
    Record
        The stored one. If it was there before, it has the time and versions of the first time.

    Raises
    ------
    DriftError
        This experiment is in the ledger with other scores (by more than 1e-8) or another status. The ledger stays
        as it is. Name in the configuration what changed, and record again.
    ValueError
        Bad data, or a configuration that JSON cannot hold.
    OSError
        The record could not be written, for instance because the disk is full. The ledger stays as it is.

    Examples
    --------
    >>> import tempfile
    >>> golden = GoldenSet(
    ...     documents=pd.DataFrame({"doc_id": ["d1", "d2"], "text": ["a", "b"]}),
    ...     questions=pd.DataFrame({"query_id": ["q1"], "text": ["a?"], "answerable": [True]}),
    ...     qrels=pd.DataFrame({"query_id": ["q1"], "doc_id": ["d1"], "relevance": [2]}),
    ... )
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     first = record(folder, {"k1": 1.2}, golden, {"q1": {"d1": 1.0}})
    ...     again = record(folder, {"k1": 1.2}, golden, {"q1": {"d1": 1.0}})
    ...     first == again
    True
    """
    found = measure(
        config, golden_set, run, seed=seed, vectors=vectors, measures=measures,
        threshold=threshold, k=k, rel=rel, failed=failed,
    )  # fmt: skip
    return keep(folder, found)


def keep(folder: str | Path, found: Record) -> Record:
    """Write a record, or return the one that is there already if it agrees.

    Examples
    --------
    >>> import tempfile
    >>> from dataclasses import replace
    >>> from course_utils.ledger._record import id_of
    >>> bare = Record("", {}, None, {"measures": []}, {}, {}, "", {}, [{"query_id": "q1", "status": "right"}])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     keep(folder, replace(bare, id=id_of(bare))).id == id_of(bare)
    True
    """
    home = Path(folder).expanduser()
    home.mkdir(parents=True, exist_ok=True)
    sweep(home)
    path = home / f"{found.id}.json"
    if not path.exists() and write(path, found):
        return found
    stored = read_file(path)
    check_drift(stored, found)
    return stored


def load(folder: str | Path, name: str = "last") -> Record:
    """Return one record.

    Parameters
    ----------
    folder
        The ledger.
    name
        Its id, the first characters of its id, or "last" for the newest.

    Raises
    ------
    ValueError
        No such record, or several.

    Examples
    --------
    >>> load("no-such-ledger")
    Traceback (most recent call last):
    ValueError: there is no ledger no-such-ledger
    """
    files = files_of(Path(folder).expanduser())
    if name == "last" and files:
        return max(map(read_file, files), key=lambda one: (one.created, one.id))
    found = [file for file in files if file.stem.startswith(name)]
    if len(found) != 1 or not name:
        there = ", ".join(file.stem for file in found or files[:5]) or "nothing"
        raise ValueError(
            f"{folder} has {plural(len(found), 'record')} {name!r}; expected one. There is {there}"
        )
    return read_file(found[0])


def read(folder: str | Path) -> pd.DataFrame:
    """Return the ledger as a frame: a row per record, oldest first.

    Parameters
    ----------
    folder
        The ledger.

    Returns
    -------
    pandas.DataFrame
        Index id. Columns: created, seed, `config.…`, then the summary over all answerable questions with its n,
        and the false answers on unanswerable ones.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     len(read(folder))
    0
    """
    records = sorted(
        map(read_file, files_of(Path(folder).expanduser())), key=lambda one: (one.created, one.id)
    )
    rows = [_row(one) for one in records]
    index = pd.Index([one.id for one in records], dtype="str", name="id")
    return pd.DataFrame(rows, index=index)


def _row(one: Record) -> dict[str, Any]:
    config = {f"config.{key}": value for key, value in sorted(one.config.items())}
    return {
        "created": pd.Timestamp(one.created),
        "seed": one.seed,
        **config,
        **one.summary.get("all", {}),
        FALSE: one.summary["unanswerable"][FALSE],
        "n unanswerable": one.summary["unanswerable"]["n"],
    }
