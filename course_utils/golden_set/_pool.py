"""The pool: which documents must be judged so that no system is scored on a hole."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from course_utils.golden_set._set import GoldenSet
from course_utils.schema import DOC_ID, QUERY_ID, SCORE, Table, check_run

POOL_COLUMNS = [QUERY_ID, DOC_ID, "n_systems"]


def top(run: Table, depth: int = 10) -> pd.DataFrame:
    """Return the best documents of each query: score descending, then doc_id descending as text.

    Examples
    --------
    >>> top({"q1": {"d1": 0.5, "d2": 0.5, "d3": 0.1}}, depth=2)[["query_id", "doc_id"]].to_dict("list")
    {'query_id': ['q1', 'q1'], 'doc_id': ['d2', 'd1']}
    """
    if isinstance(depth, bool) or not isinstance(depth, int) or depth < 1:
        raise ValueError(f"depth must be a whole number >= 1, got {depth!r}")
    ordered = check_run(run).sort_values([SCORE, DOC_ID], ascending=False, kind="stable")
    return ordered.groupby(QUERY_ID, sort=False).head(depth).reset_index(drop=True)


def pool(runs: Mapping[str, Table], golden_set: GoldenSet, depth: int = 10) -> pd.DataFrame:
    """Return what must still be judged: documents that some run has near the top and nobody has judged.

    Parameters
    ----------
    runs
        `{name: run}`.
    golden_set
        Its questions and what is judged already; other questions of a run are ignored.
    depth
        How far down each list one looks.

    Returns
    -------
    pandas.DataFrame
        query_id, doc_id, n_systems: the questions in their order, documents by id, so that the judge does not see
        who found what how high.

    Examples
    --------
    >>> golden = GoldenSet(
    ...     documents=pd.DataFrame({"doc_id": ["d1", "d2"], "text": ["a", "b"]}),
    ...     questions=pd.DataFrame({"query_id": ["q1"], "text": ["a?"], "answerable": [True]}),
    ...     qrels=pd.DataFrame({"query_id": ["q1"], "doc_id": ["d1"], "relevance": [2]}),
    ... )
    >>> pool({"bm25": {"q1": {"d1": 2.0, "d2": 1.0}}, "dense": {"q1": {"d2": 0.9}}}, golden).to_dict("list")
    {'query_id': ['q1'], 'doc_id': ['d2'], 'n_systems': [2]}
    """
    order = {query: place for place, query in enumerate(golden_set.questions[QUERY_ID])}
    judged = set(zip(golden_set.qrels[QUERY_ID], golden_set.qrels[DOC_ID], strict=True))
    counts: dict[tuple[str, str], int] = {}
    for name, run in _named(runs).items():
        best = top(run, depth)
        _expect_one(name, best[QUERY_ID], golden_set.questions[QUERY_ID])
        for pair in zip(best[QUERY_ID], best[DOC_ID], strict=True):
            if pair[0] in order and pair not in judged:
                counts[pair] = counts.get(pair, 0) + 1
    rows = sorted(((*pair, n) for pair, n in counts.items()), key=lambda row: (order[row[0]], row[1]))
    columns = list(zip(*rows, strict=True)) if rows else [(), (), ()]
    types = ("str", "str", "int64")
    return pd.DataFrame(
        {
            name: pd.Series(list(cells), dtype=kind)
            for name, cells, kind in zip(POOL_COLUMNS, columns, types, strict=True)
        }
    )


def judged_at(run: Table, golden_set: GoldenSet, k: int = 10) -> pd.Series:
    """Return the share of each question's first k results that somebody judged: Judged@k.

    Returns
    -------
    pandas.Series
        Index query_id, all questions of the set; NaN where the run returns nothing.

    Examples
    --------
    >>> golden = GoldenSet(
    ...     documents=pd.DataFrame({"doc_id": ["d1", "d2"], "text": ["a", "b"]}),
    ...     questions=pd.DataFrame({"query_id": ["q1"], "text": ["a?"], "answerable": [True]}),
    ...     qrels=pd.DataFrame({"query_id": ["q1"], "doc_id": ["d1"], "relevance": [2]}),
    ... )
    >>> judged_at({"q1": {"d1": 2.0, "d2": 1.0}}, golden).to_dict()
    {'q1': 0.5}
    """
    best = top(run, k)
    judged = pd.MultiIndex.from_frame(golden_set.qrels[[QUERY_ID, DOC_ID]])
    there = pd.MultiIndex.from_frame(best[[QUERY_ID, DOC_ID]]).isin(judged)
    share = pd.Series(there, dtype="float64").groupby(best[QUERY_ID]).mean()
    return share.reindex(golden_set.questions[QUERY_ID]).rename(f"Judged@{k}")


def _expect_one(name: str, asked: pd.Series, known: pd.Series) -> None:
    """Refuse a run for another set: "nothing to judge" would be a clean bill for lists that nobody looked at."""
    if len(asked) and len(known) and not asked.isin(known).any():
        raise ValueError(
            f"{name} answers none of the {len(known)} questions; expected ids such as {known.iloc[0]}, found "
            f"{asked.iloc[0]}: which golden set (--golden-set) is it for?"
        )


def _named(runs: Any) -> Mapping[str, Table]:
    """Refuse a single run where several named ones are expected."""
    if not isinstance(runs, Mapping):
        raise ValueError(f"runs is a {type(runs).__name__}; expected {{name: run}}, e.g. {{'bm25': run}}")
    for name, run in runs.items():
        if not isinstance(run, pd.DataFrame) and not all(
            isinstance(row, Mapping) for row in dict(run).values()
        ):
            raise ValueError(
                f"runs[{name!r}] is no run; expected {{name: run}}: pass {{'bm25': run}}, not the run itself"
            )
    return runs
