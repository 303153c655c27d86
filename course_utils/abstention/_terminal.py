"""nDCG with a terminal document, which rewards stopping in time.

Fei Liu, Alistair Moffat, Timothy Baldwin, Xiuzhen Zhang: Quit While Ahead: Evaluating Truncated Rankings,
SIGIR 2016. After the d documents of a list stands a terminal document t, at rank d + 1. Its gain is 1 if nothing
is relevant, else the gain found / the total gain. The ideal list ends in its t too and is cut at d + 1, the
list's own length. The paper is binary; grades above 1 are an extension of this course.
"""

from collections.abc import Hashable, Iterable, Mapping
from math import log2, nan
from typing import Any

import numpy as np
import pandas as pd

from course_utils.abstention._outcomes import REL, K
from course_utils.abstention._questions import clean_run, failed_ids, known, stated
from course_utils.golden_set import GoldenSet
from course_utils.golden_set._pool import top
from course_utils.measures import check_gain, check_grade, check_k, dcg, gain_of
from course_utils.measures._checks import prepare
from course_utils.schema import DOC_ID, QUERY_ID, RELEVANCE, Table


def terminal_ndcg(
    retrieved: Iterable[Hashable],
    judgements: Mapping[Any, float],
    *,
    answerable: bool,
    gain: str = "linear",
) -> float:
    """Score one list as the person got it: no cutoff, since a cut at 10 would drop t from a full ten.

    Parameters
    ----------
    retrieved
        Document ids, best first; empty if the system declined. A second copy gains nothing.
    judgements
        {document id: grade}. With grades 0 and 1 this is the paper's measure. Higher grades are an extension of the
        course: A and B of grade 2 stopped without C of grade 1 then score .973, more than a complete ten (.964).
    answerable
        What the golden set states. If False, nothing is relevant, whatever was judged.
    gain
        "linear" or "exponential" (2^grade - 1).

    Returns
    -------
    float
        0 to 1. For an unanswerable question 1 for the empty list, and less for each document more. For an answerable
        one 0 for the empty list; NaN where the question is answerable and no grade is above 0.

    Notes
    -----
    Amigó, Mizzaro and Spina (SIGIR 2022) doubt that measures of this kind reward truncation as they should.

    Examples
    --------
    >>> terminal_ndcg([], {}, answerable=False)
    1.0
    >>> round(terminal_ndcg(["d1", "d2", "d3"], {}, answerable=False), 3)
    0.431
    >>> round(terminal_ndcg(["A"], {"A": 1, "B": 1}, answerable=True), 3)
    0.807
    """
    if not isinstance(answerable, bool | np.bool_):
        raise ValueError(f"answerable is {answerable!r}; expected True or False, as the golden set states it")
    if not isinstance(judgements, Mapping):
        raise ValueError(f"judgements must be {{document id: grade}}, got {type(judgements).__name__}")
    check_gain(gain)
    shown, _ = prepare(retrieved, list(judgements), None)
    grades = {one: check_grade(grade) for one, grade in judgements.items()}
    left = grades if answerable else {}
    best = sorted((grade for grade in left.values() if grade > 0), reverse=True)
    if answerable and not best:
        return nan
    found = [left.pop(one, 0) for one in shown]
    total = sum(gain_of(grade, gain) for grade in best)
    stop = sum(gain_of(grade, gain) for grade in found) / total if best else 1.0
    place = len(shown) + 1
    ideal = dcg(best, place, gain) + _at(len(best) + 1, 1.0, place)
    return (dcg(found, gain=gain) + _at(place, stop, place)) / ideal


def terminal_scores(
    run: Table,
    golden_set: GoldenSet,
    *,
    k: int = K,
    rel: int | None = REL,
    gain: str = "linear",
    failed: Iterable[Any] = (),
) -> pd.DataFrame:
    """Score every question of a golden set by `terminal_ndcg`; a mean of it is over all of them.

    Parameters
    ----------
    run
        What a person got: the first `k` of each list are shown, and t comes after them, so a full ten has it at
        rank 11. A question that the run lacks was declined.
    golden_set
        States which questions are answerable.
    k
        How many documents are shown.
    rel
        A grade of at least `rel` is relevant, as in the paper. None takes the grades as they are, the extension.
    gain
        As for `terminal_ndcg`; for `rel=None`.
    failed
        Ids of questions at which the system broke: they score 0, for it did not choose to stop.

    Returns
    -------
    pandas.DataFrame
        Index query_id, one column: what `summarize` takes. NaN where an answerable question has nothing relevant.

    Examples
    --------
    >>> golden = GoldenSet(
    ...     documents=pd.DataFrame({"doc_id": ["d1"], "text": ["a"]}),
    ...     questions=pd.DataFrame({"query_id": ["q1", "q2"], "text": ["a?", "b?"], "answerable": [True, False]}),
    ...     qrels=pd.DataFrame({"query_id": ["q1"], "doc_id": ["d1"], "relevance": [2]}),
    ... )
    >>> terminal_scores({"q1": {"d1": 0.9}}, golden)["terminal nDCG@10"].to_dict()
    {'q1': 1.0, 'q2': 1.0}
    """
    answerable, clean = stated(golden_set), clean_run(run)
    broken = failed_ids(failed, answerable.index, known(clean[QUERY_ID], answerable.index, "run"))
    best, qrels = top(clean, check_k(k) or K), golden_set.qrels
    grades = (
        qrels[RELEVANCE] if rel is None else (qrels[RELEVANCE] >= max(check_grade(rel), 1)).astype("int64")
    )
    lists = {str(query): list(rows) for query, rows in best.groupby(QUERY_ID)[DOC_ID]}
    judged: dict[str, dict[str, int]] = {str(query): {} for query in answerable.index}
    for query, document, grade in zip(qrels[QUERY_ID], qrels[DOC_ID], grades, strict=True):
        judged.setdefault(query, {})[document] = int(grade)
    scores = {
        query: terminal_ndcg(lists.get(query, []), judged[query], answerable=yes, gain=gain)
        for query, yes in zip(map(str, answerable.index), answerable.tolist(), strict=True)
    }
    scores |= dict.fromkeys(broken, 0.0)
    name = f"terminal nDCG{'(graded)' if rel is None else ''}@{k}"
    return pd.DataFrame({name: pd.Series(scores, dtype="float64").rename_axis(QUERY_ID)})


def _at(rank: int, gain: float, depth: int) -> float:
    """Discounted gain of the terminal document, if its rank is not cut off."""
    return gain / log2(rank + 1) if rank <= depth else 0.0
