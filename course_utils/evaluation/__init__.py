"""A whole run at once: `evaluate`, `evaluate_ids` and `summarize`.

The convention, in short: order is score descending, then document id descending as text; a judged query that
the run lacks scores 0; a query without a relevant document is undefined (NaN) and in no mean; recall divides
by all relevant documents, precision by k; the ideal of nDCG is the best k of all judged documents.
`measures` says the same for one list, in plain Python. The work starts from the judged documents, a few per
query, not from the retrieved ones.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from course_utils.evaluation._ids import check_ids, check_scores, find, numbered, positions, read_judgements
from course_utils.evaluation._names import ABSENT, Measure, parse_measures
from course_utils.evaluation._overlap import check_overlap
from course_utils.evaluation._run import stand
from course_utils.evaluation._scores import Judged, score
from course_utils.evaluation._summary import summarize
from course_utils.evaluation._truth import read_truth
from course_utils.schema import (
    DOC_ID,
    QUERY_ID,
    RELEVANCE,
    Table,
    as_text,
    check_run,
    check_same_kind,
    id_kind,
)

__all__ = ["evaluate", "evaluate_ids", "summarize"]

DEFAULT = ("Recall@10", "Precision@10", "RR@10", "nDCG@10")


def evaluate(
    qrels: Table,
    run: Table | Iterable[pd.DataFrame],
    measures: Iterable[str] | str = DEFAULT,
    *,
    queries: Iterable[Any] | None = None,
    rel: int = 1,
    gain: str = "linear",
) -> pd.DataFrame:
    """Score every query of a run; the truth comes first.

    Parameters
    ----------
    qrels
        Judgements: a DataFrame with query_id, doc_id, relevance, or `{query_id: {doc_id: grade}}`.
    run
        Results: a DataFrame with query_id, doc_id, score, or `{query_id: {doc_id: score}}`. Higher is better;
        neither row order nor a rank column is used. Or such frames one after the other, each with whole lists:
        `scan_run(path)`, or a generator.
    measures
        Recall@k, Precision@k, Success@k, RR@k, RR, AP@k, AP, nDCG@k, and the aliases R, P, hit, MRR, MAP. An
        option may stand in the name: Recall(rel=2)@10, nDCG(exp)@10.
    queries
        Ids of all queries asked, so that those without a relevant document get a row (of NaN) too. Only with them may
        the run be empty: nothing was returned for any of these.
    rel
        Lowest grade that counts as relevant; it never touches nDCG.
    gain
        "linear" or "exponential" (2^grade - 1), for nDCG.

    Returns
    -------
    pandas.DataFrame
        Index query_id (text): the judged queries in the order of the qrels, then those only in `queries`. A
        column per measure, 0 to 1; NaN where nothing is relevant; 0 where the run lacks the query.

    Raises
    ------
    ValueError
        Bad data (see `schema`), ids of different types, nothing to score, no query in common, an unknown
        measure, or a cutoff that is not a whole number >= 1.

    Warns
    -----
    CourseWarning
        Queries of the run that nobody judged are ignored; all scores of a list are equal; a relevant document
        stands in a tie across a cutoff.

    Examples
    --------
    >>> qrels = {"q1": {"d1": 1, "d2": 1}, "q2": {"d3": 1}}
    >>> run = {"q1": {"d7": 0.9, "d1": 0.8}, "q2": {"d3": 0.7, "d1": 0.2}}
    >>> evaluate(qrels, run, ["Recall@2", "RR@2"]).T.to_dict()
    {'q1': {'Recall@2': 0.5, 'RR@2': 0.5}, 'q2': {'Recall@2': 1.0, 'RR@2': 1.0}}
    """
    wanted = parse_measures(measures, rel, gain)
    truth = read_truth(qrels)
    asked = _queries_asked(truth.queries, truth.kinds[QUERY_ID], queries)
    if queries is not None and isinstance(run, Mapping | pd.DataFrame) and not len(run):
        check_run(run)
        nowhere = np.full(len(truth.query), ABSENT, dtype=np.int64)
        return _table(Judged(len(asked), truth.query, truth.grade, nowhere), wanted, asked)
    standing = stand(run, truth)
    if standing.queries.empty:
        raise ValueError("nothing to score: the run is empty")
    used = np.asarray(asked.get_indexer(standing.queries)) >= 0
    check_overlap(asked[0], standing.queries, used, "queries in the run")
    standing.warn_of_ties(used, sorted({measure.k for measure in wanted if measure.k}))
    return _table(Judged(len(asked), truth.query, truth.grade, standing.rank), wanted, asked)


def evaluate_ids(
    qrels: Table,
    ids: Any,
    measures: Iterable[str] | str = DEFAULT,
    *,
    query_ids: Any = None,
    doc_ids: Any = None,
    scores: Any = None,
    rel: int = 1,
    gain: str = "linear",
) -> pd.DataFrame:
    """Score arrays of positions, as FAISS returns them; the row order is the ranking.

    Parameters
    ----------
    qrels
        As for `evaluate`. Without `query_ids` and `doc_ids` its ids are row numbers and positions.
    ids
        Whole numbers, shape (n_queries, k), best first; -1 fills up a row and is no result.
    measures, rel, gain
        As for `evaluate`.
    query_ids, doc_ids
        Id of each row of `ids`, and of each position in the index.
    scores
        Only checked: higher is better and each row falls. Distances are refused; pass them negated.

    Returns
    -------
    pandas.DataFrame
        As from `evaluate`: the judged queries in the order of the qrels. One that `query_ids` lacks scores 0.

    Raises
    ------
    ValueError
        As `evaluate`, and where a row holds a document twice (up to the largest cutoff), a position lies
        outside the index, or scores contradict the order.

    Warns
    -----
    CourseWarning
        Rows that nobody judged are ignored; all scores of a row are equal.

    Examples
    --------
    >>> evaluate_ids({0: {3: 1}}, [[7, 3, -1]], ["Recall@3", "RR@3"]).T.to_dict()
    {'0': {'Recall@3': 1.0, 'RR@3': 0.5}}
    """
    wanted = parse_measures(measures, rel, gain)
    depth = None if any(measure.k is None for measure in wanted) else max(m.k or 0 for m in wanted)
    top = check_ids(ids, depth, None if doc_ids is None else len(doc_ids))
    n_rows = top.shape[1]
    if scores is not None:
        check_scores(scores, np.asarray(ids))
    judgements = read_judgements(qrels)
    if judgements[QUERY_ID].empty or not n_rows:
        raise ValueError(f"nothing to score: {'qrels has no judgements' if n_rows else 'ids has no rows'}")
    row = positions(judgements[QUERY_ID], query_ids, n_rows, QUERY_ID)
    document = positions(judgements[DOC_ID], doc_ids, None, DOC_ID)
    answered = np.zeros(n_rows, dtype=bool)
    answered[row[row >= 0]] = True
    names = range(n_rows) if query_ids is None else query_ids
    check_overlap(judgements[QUERY_ID].iloc[0], names, answered, "rows of ids")

    query, asked = numbered(judgements[QUERY_ID])
    grade = judgements[RELEVANCE].to_numpy()
    gains = np.flatnonzero(grade > 0)
    rank = find(top, row[gains], document[gains])
    return _table(Judged(len(asked), query[gains], grade[gains], rank), wanted, asked)


def _queries_asked(judged: pd.Index, kind: str, queries: Iterable[Any] | None) -> pd.Index:
    """Ids of the rows of the result: judged queries first, then those only named in `queries`."""
    if not len(judged):
        raise ValueError("nothing to score: qrels has no judgements")
    if isinstance(queries, str | pd.DataFrame):
        raise ValueError(f"queries is a {type(queries).__name__}; expected a list of query ids")
    if queries is None:
        return judged
    named = pd.Series(list(queries), dtype=object)
    check_same_kind({"qrels": kind, "queries": id_kind(named, "queries")}, QUERY_ID)
    return judged.append(pd.Index(as_text(named, "queries"))).unique()


def _table(judged: Judged, measures: list[Measure], asked: pd.Index) -> pd.DataFrame:
    texts = asked if asked.dtype == "str" else pd.Index(list(map(str, asked.tolist())), dtype="str")
    columns, values = [measure.name for measure in measures], np.array(list(score(judged, measures)))
    return pd.DataFrame(values.T, index=texts.rename(QUERY_ID), columns=columns, copy=False)
