"""`validate`: everything that is wrong with a golden set, as a table that a person can work through."""

import json
from collections.abc import Mapping
from pathlib import Path

import pandas as pd

from course_utils.formats import read_run
from course_utils.golden_set import _labels, _quota, _texts
from course_utils.golden_set._findings import COLUMNS, Finding, Findings, some
from course_utils.golden_set._pool import pool
from course_utils.golden_set._set import GoldenSet
from course_utils.schema import DOC_ID, QUERY_ID, TEXT, Table

DEPTH = 10


def validate(
    golden_set: GoldenSet,
    *,
    min_questions: int = 50,
    max_questions: int = 200,
    min_per_type: int = 8,
    runs: Mapping[str, Table] | None = None,
) -> pd.DataFrame:
    """Return what is wrong with a golden set.

    Parameters
    ----------
    golden_set
        From `load_golden_set`, or made in code.
    min_questions, max_questions, min_per_type
        Rules of thumb: beyond them there is a warning.
    runs
        `{name: run}`: their first ten documents must be judged. By default the `*.run` files in the folder `runs`
        beside the golden set, if there are any.

    Returns
    -------
    pandas.DataFrame
        level ("error": a number would be wrong; "warning": look at it), code, where, message. Errors come first.
        No rows: no findings.

    Examples
    --------
    >>> golden = GoldenSet(
    ...     documents=pd.DataFrame({"doc_id": ["d1"], "text": ["Leave is 24 days."]}),
    ...     questions=pd.DataFrame({"query_id": ["q1"], "text": ["days off?"], "answerable": [True]}),
    ...     qrels=pd.DataFrame({"query_id": ["q1"], "doc_id": ["d9"], "relevance": [2]}),
    ... )
    >>> findings = validate(golden, min_questions=1, min_per_type=1)
    >>> findings.loc[findings["level"] == "error", ["code", "where"]].to_dict("list")
    {'code': ['unknown-document'], 'where': ['d9']}
    """
    if not isinstance(golden_set, GoldenSet):
        raise ValueError(
            f"got a {type(golden_set).__name__}; expected a GoldenSet: validate(load_golden_set(folder))"
        )
    g = golden_set
    findings = [
        *_labels.ids(g), *_labels.answers(g), *_labels.judged_ids(g), *_labels.grades(g), *_labels.twins(g),
        *_quota.words(g), *_texts.needs_apart(g), *_quota.numbers(g, min_questions, max_questions),
        *_quota.types(g, min_per_type), *_quota.unanswerable(g), *_texts.questions_alike(g), *_texts.titles(g),
        *_labels.popular(g), *_texts.documents_alike(g), *_unjudged(g, runs), *_stale(g),
    ]  # fmt: skip
    ordered = sorted(findings, key=lambda finding: finding.level)
    return pd.DataFrame(ordered, columns=COLUMNS, dtype="str").drop_duplicates(ignore_index=True)


def _unjudged(golden: GoldenSet, runs: Mapping[str, Table] | None) -> Findings:
    named = _runs_beside(golden.folder) if runs is None else runs
    for query, rows in pool(named, golden, DEPTH).groupby(QUERY_ID, sort=False):
        message = (
            f"{some(rows[DOC_ID])} in the first {DEPTH} of a run, not judged: judge them (a hole counts as a wrong "
            "answer, and hits the systems that were not pooled)"
        )
        yield Finding("warning", "unjudged-documents", str(query), message)


def _runs_beside(folder: Path | None) -> dict[str, pd.DataFrame]:
    files = sorted((folder / "runs").glob("*.run")) if folder else []
    return {file.stem: read_run(file) for file in files}


def _stale(golden: GoldenSet) -> Findings:
    """Stored vectors that do not belong to the present texts."""
    folder = golden.folder / "vectors" if golden.folder else None
    if folder is None or not (folder / "manifest.json").is_file() or golden.documents.empty:
        return
    from course_utils.retrievers import Store, document_texts, question_texts

    for name in json.loads((folder / "manifest.json").read_text(encoding="utf-8"))["models"]:
        for kind, texts in (
            ("documents", document_texts(golden.documents.drop_duplicates(DOC_ID))),
            ("questions", question_texts(golden.questions[[QUERY_ID, TEXT]].drop_duplicates(QUERY_ID))),
        ):
            try:
                Store(name, folder).all_rows(kind, texts)
            except (ValueError, OSError) as error:
                yield Finding("error", "stale-vectors", f"vectors of {name}, {kind}", str(error))
