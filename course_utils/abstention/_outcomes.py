"""What became of each question: right, wrong, declined or failed."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from course_utils.abstention._questions import (
    DECLINED,
    FAILED,
    RIGHT,
    STATUS,
    WRONG,
    clean_run,
    failed_ids,
    fitted,
    ids_of,
    known,
    number,
    stated,
)
from course_utils.abstention._signals import top_score
from course_utils.golden_set import GoldenSet
from course_utils.golden_set._pool import top
from course_utils.measures import check_grade, check_k
from course_utils.schema import (
    DOC_ID,
    QUERY_ID,
    RELEVANCE,
    SCORE,
    Table,
    as_text,
    plural,
    warn,
)

K, REL = 10, 1


def outcomes(
    run_or_scores: Table,
    golden_set: GoldenSet,
    threshold: float | None = None,
    *,
    k: int = K,
    rel: int = REL,
    failed: Iterable[Any] = (),
) -> pd.DataFrame:
    """Say of each question whether it was answered right, answered wrong, declined, or failed.

    Parameters
    ----------
    run_or_scores
        A run (query_id, doc_id, score, or `{query_id: {doc_id: score}}`; a question that it lacks was declined),
        or what `scored` gives, which may hold another signal than the top score.
    golden_set
        Its questions are the rows; it alone says which of them are answerable.
    threshold
        A question whose score lies below is declined. None: only what returned nothing is.
    k
        An answerable question is right if one of the first `k` documents is relevant. 10 is what a person sees,
        and the cutoff of the course's measures; 1 asks for the very first.
    rel
        Lowest grade that counts as relevant.
    failed
        Ids of the questions at which the system broke, or the frame `failed` of an adapter's answers. A run cannot
        say so: there they look declined.

    Returns
    -------
    pandas.DataFrame
        query_id and status (right, wrong, declined, failed), in the order of the golden set.

    Raises
    ------
    ValueError
        Bad data, no question in common, a question that does not say whether it is answerable, or one that
        failed and yet has results.

    Warns
    -----
    CourseWarning
        The run has questions that the golden set lacks, or an answerable question has no relevant document,
        so that nothing returned for it can be right.

    Examples
    --------
    >>> golden = GoldenSet(
    ...     documents=pd.DataFrame({"doc_id": ["d1", "d2"], "text": ["Leave is 24 days.", "Lunch is at noon."]}),
    ...     questions=pd.DataFrame({"query_id": ["q1", "q2"], "text": ["days off?", "who feeds the cat?"],
    ...                             "answerable": [True, False]}),
    ...     qrels=pd.DataFrame({"query_id": ["q1"], "doc_id": ["d1"], "relevance": [2]}),
    ... )
    >>> run = {"q1": {"d1": 0.9, "d2": 0.4}, "q2": {"d2": 0.5}}
    >>> outcomes(run, golden)["status"].to_list()
    ['right', 'wrong']
    >>> outcomes(run, golden, threshold=0.6)["status"].to_list()
    ['right', 'declined']
    """
    limit = -np.inf if threshold is None else number(threshold, "threshold")
    rows = as_scored(run_or_scores, golden_set, k=k, rel=rel, failed=ids_of(failed))
    low = rows[STATUS].isin([RIGHT, WRONG]) & (rows[SCORE] < limit)
    return pd.DataFrame({QUERY_ID: rows[QUERY_ID], STATUS: rows[STATUS].mask(low, DECLINED)})


def scored(
    run: Table,
    golden_set: GoldenSet,
    signal: pd.Series | Mapping[Any, float] | None = None,
    *,
    k: int = K,
    rel: int = REL,
    failed: Iterable[Any] = (),
) -> pd.DataFrame:
    """Return the score on which each question is answered or declined, and what comes of it without a threshold.

    Parameters
    ----------
    run, golden_set, k, rel, failed
        As for `outcomes`.
    signal
        A number per question, higher is surer: `margin`, `overlap`, or your own. By default the top score.

    Returns
    -------
    pandas.DataFrame
        query_id, score, status. The score is -inf where nothing was returned (declined at every threshold) and NaN
        where the system failed.

    Raises
    ------
    ValueError
        As `outcomes`, and if the signal lacks a question that was answered, or is not a finite number there.

    Examples
    --------
    >>> golden = GoldenSet(
    ...     documents=pd.DataFrame({"doc_id": ["d1", "d2"], "text": ["Leave is 24 days.", "Lunch is at noon."]}),
    ...     questions=pd.DataFrame({"query_id": ["q1", "q2"], "text": ["days off?", "who feeds the cat?"],
    ...                             "answerable": [True, False]}),
    ...     qrels=pd.DataFrame({"query_id": ["q1"], "doc_id": ["d1"], "relevance": [2]}),
    ... )
    >>> scored({"q1": {"d1": 0.9, "d2": 0.4}}, golden).to_dict("list")
    {'query_id': ['q1', 'q2'], 'score': [0.9, -inf], 'status': ['right', 'declined']}
    """
    answerable = stated(golden_set)
    clean = clean_run(run)
    answered = known(clean[QUERY_ID], answerable.index, "run")
    broken = failed_ids(failed, answerable.index, answered)
    best = top(clean, check_k(k) or K)
    values = top_score(clean) if signal is None else _signal(signal, answered)
    found = _found(best, golden_set, answerable, check_grade(rel), answered)

    status = pd.Series(DECLINED, index=answerable.index, dtype="str")
    status[answered] = WRONG
    status[found] = RIGHT
    status[broken] = FAILED
    score = values.reindex(answerable.index).astype("float64")
    score[status == DECLINED] = -np.inf
    score[broken] = np.nan
    columns = {QUERY_ID: answerable.index, SCORE: score.to_numpy(), STATUS: status.array}
    return pd.DataFrame(columns)


def as_scored(table: Any, golden_set: GoldenSet, **options: Any) -> pd.DataFrame:
    """Take a run or what `scored` gave; return what `scored` gives for this golden set, with `answerable`.

    Examples
    --------
    >>> golden = GoldenSet(
    ...     documents=pd.DataFrame({"doc_id": ["d1"], "text": ["a"]}),
    ...     questions=pd.DataFrame({"query_id": ["q1"], "text": ["a?"], "answerable": [True]}),
    ...     qrels=pd.DataFrame({"query_id": ["q1"], "doc_id": ["d1"], "relevance": [2]}),
    ... )
    >>> as_scored({"q1": {"d1": 0.9}}, golden).to_dict("list")
    {'query_id': ['q1'], 'score': [0.9], 'status': ['right'], 'answerable': [True]}
    """
    columns = [QUERY_ID, SCORE, STATUS]
    if not isinstance(table, pd.DataFrame) or STATUS not in table.columns:
        return fitted(scored(table, golden_set, **options), golden_set, columns, "scores")
    given = {name: one for name, one in options.items() if one != {"k": K, "rel": REL, "failed": ()}[name]}
    if given:
        raise ValueError(f"{', '.join(given)} cannot be given with scores that are made: give it to scored()")
    rows = fitted(table, golden_set, columns, "scores")
    for query in rows[QUERY_ID][rows[SCORE].isna() & (rows[STATUS] != FAILED)][:1]:
        raise ValueError(f"scores: {query} has no score; expected a number (-inf where nothing was returned)")
    return rows


def _signal(signal: Any, answered: pd.Index) -> pd.Series:
    if not isinstance(signal, pd.Series | Mapping):
        raise ValueError(f"signal is a {type(signal).__name__}; expected a Series or {{query_id: number}}")
    items = list(signal.items())
    ids = as_text(pd.Series([query for query, _ in items], dtype=object), "signal: query_id")
    for query in ids[ids.duplicated()][:1]:
        raise ValueError(f"signal has question {query} twice; expected one number per question")
    values = pd.Series([one for _, one in items], index=pd.Index(ids), dtype=object).reindex(answered)
    for query, one in values.items():
        if not np.isfinite(number(one, f"signal of {query}")):
            raise ValueError(f"signal of {query} is {one}; expected a finite number")
    return values.astype("float64")


def _found(
    best: pd.DataFrame, golden_set: GoldenSet, answerable: pd.Series, rel: int, answered: pd.Index
) -> pd.Index:
    """Answerable questions with a relevant document among the best."""
    yes = answerable.index[answerable]
    qrels = golden_set.qrels
    relevant = qrels[(qrels[RELEVANCE] >= max(rel, 1)) & qrels[QUERY_ID].isin(yes)]
    hopeless = answered[answered.isin(yes) & ~answered.isin(relevant[QUERY_ID])]
    if len(hopeless):
        have = "has" if len(hopeless) == 1 else "have"
        warn(
            f"{plural(len(hopeless), 'answerable question')} {have} no relevant document (for instance "
            f"{hopeless[0]}): whatever is returned counts as wrong"
        )
    pair = [QUERY_ID, DOC_ID]
    hits: pd.Index = pd.Index(best.merge(relevant[pair].drop_duplicates(), on=pair)[QUERY_ID]).unique()
    return hits
