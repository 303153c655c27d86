"""How sure a system seems of its answer: one number per question, higher is surer."""

import pandas as pd

from course_utils.golden_set._pool import top
from course_utils.schema import DOC_ID, QUERY_ID, SCORE, Table, check_run


def top_score(run: Table) -> pd.Series:
    """Return the highest score of each question that has results.

    Scores of BM25 are sums over the words of the question, so they have no common scale across questions.

    Examples
    --------
    >>> top_score({"q1": {"d1": 0.9, "d2": 0.4}}).to_dict()
    {'q1': 0.9}
    """
    return check_run(run).groupby(QUERY_ID, sort=False)[SCORE].max().rename("top score")


def margin(run: Table) -> pd.Series:
    """Return how far the first document stands above the second; a lone one above a score of 0.

    Examples
    --------
    >>> margin({"q1": {"d1": 0.75, "d2": 0.5}, "q2": {"d1": 0.25}}).to_dict()
    {'q1': 0.25, 'q2': 0.25}
    """
    groups = top(run, 2).groupby(QUERY_ID, sort=False)[SCORE]
    second = groups.min().where(groups.size() == 2, 0.0)
    return (groups.max() - second).rename("margin")


def overlap(first: Table, second: Table, k: int = 10) -> pd.Series:
    """Return the share of the first `k` places that two systems fill with the same documents, in any order.

    Parameters
    ----------
    first, second
        Two runs. A question that one of them lacks has the value 0.
    k
        How far down one looks; with 1 the value is 1 where the first documents are the same, else 0.

    Examples
    --------
    >>> overlap({"q1": {"d1": 2.0, "d2": 1.0}}, {"q1": {"d9": 0.9, "d1": 0.8}}, k=2).to_dict()
    {'q1': 0.5}
    """
    one, other = top(first, k), top(second, k)
    asked = pd.Index(pd.concat([one[QUERY_ID], other[QUERY_ID]])).unique()
    both = one.merge(other, on=[QUERY_ID, DOC_ID]).groupby(QUERY_ID).size()
    return (both.reindex(asked, fill_value=0) / k).rename(f"overlap@{k}").rename_axis(QUERY_ID)
