"""The 2 x 3 table, and its rates, each with its n and Wilson's interval.

The intervals take each question for an independent draw. Twins are not: count originals and twins apart.
"""

from math import nan

import pandas as pd

from course_utils.abstention._questions import (
    DECLINED,
    FAILED,
    RIGHT,
    STATUS,
    STATUSES,
    WRONG,
    fitted,
    share,
)
from course_utils.golden_set import GoldenSet
from course_utils.schema import QUERY_ID
from course_utils.significance import wilson

YES, NO = "answerable", "unanswerable"
LABELS = {RIGHT: "answered right", WRONG: "answered wrong", DECLINED: "declined", FAILED: "failed"}
COLUMNS = {"rate": "float64", "count": "int64", "n": "int64", "low": "float64", "high": "float64"}


def table(outcomes: pd.DataFrame, golden_set: GoldenSet) -> pd.DataFrame:
    """Count what became of the answerable and of the unanswerable questions.

    Parameters
    ----------
    outcomes
        From `outcomes`.
    golden_set
        The same golden set, or a subset of it, which gives the table of the subset.

    Returns
    -------
    pandas.DataFrame
        Rows answerable and unanswerable; columns answered right, answered wrong, declined, failed (only if something
        failed), n.

    Examples
    --------
    >>> golden = GoldenSet(
    ...     documents=pd.DataFrame({"doc_id": ["d1"], "text": ["a"]}),
    ...     questions=pd.DataFrame({"query_id": ["q1", "q2"], "text": ["a?", "b?"], "answerable": [True, False]}),
    ...     qrels=pd.DataFrame({"query_id": ["q1"], "doc_id": ["d1"], "relevance": [2]}),
    ... )
    >>> table(pd.DataFrame({"query_id": ["q1", "q2"], "status": ["declined", "failed"]}), golden)
                  answered right  answered wrong  declined  failed  n
    answerable                 0               0         1       0  1
    unanswerable               0               0         0       1  1
    """
    counts = _counts(outcomes, golden_set)
    kept = counts if counts[FAILED].any() else counts.drop(columns=FAILED)
    return kept.rename(columns=LABELS)


def rates(outcomes: pd.DataFrame, golden_set: GoldenSet, *, confidence: float = 0.95) -> pd.DataFrame:
    """Return the rates of the table.

    Parameters
    ----------
    outcomes, golden_set
        As for `table`.
    confidence
        Of Wilson's interval.

    Returns
    -------
    pandas.DataFrame
        Columns rate, count, n, low, high. Of the unanswerable: abstention rate (declined) and false answers (answered).
        Of the answerable: over-refusal (declined), answered right, answered wrong. Of what was declined: right
        refusals (unanswerable), which depends on how many questions have no answer: see `right_refusals_at`. Of all:
        failed. What failed stays in n. With n = 0 a rate and its interval are NaN.

    Examples
    --------
    >>> golden = GoldenSet(
    ...     documents=pd.DataFrame({"doc_id": ["d1"], "text": ["a"]}),
    ...     questions=pd.DataFrame({"query_id": ["q1", "q2"], "text": ["a?", "b?"], "answerable": [True, False]}),
    ...     qrels=pd.DataFrame({"query_id": ["q1"], "doc_id": ["d1"], "relevance": [2]}),
    ... )
    >>> declined = pd.DataFrame({"query_id": ["q1", "q2"], "status": ["declined", "declined"]})
    >>> rates(declined, golden).loc[["abstention rate", "over-refusal", "right refusals"]].round(2)
                     rate  count  n   low  high
    abstention rate   1.0      1  1  0.21  1.00
    over-refusal      1.0      1  1  0.21  1.00
    right refusals    0.5      1  2  0.09  0.91
    """
    counts = _counts(outcomes, golden_set)
    yes, no, both = counts.loc[YES], counts.loc[NO], counts.sum()
    parts = {
        "abstention rate": (no[DECLINED], no["n"]),
        "over-refusal": (yes[DECLINED], yes["n"]),
        "false answers": (no[WRONG], no["n"]),
        "answered right": (yes[RIGHT], yes["n"]),
        "answered wrong": (yes[WRONG], yes["n"]),
        "right refusals": (no[DECLINED], both[DECLINED]),
        "failed": (both[FAILED], both["n"]),
    }
    return _shares(parts, confidence)


def by_kind(outcomes: pd.DataFrame, golden_set: GoldenSet, *, confidence: float = 0.95) -> pd.DataFrame:
    """Return the abstention rate of each kind of unanswerable question, with its interval: kinds are small.

    Returns
    -------
    pandas.DataFrame
        A row per unanswerable_kind ("unspecified" where none is stated), sorted; columns rate, count, n, low, high.

    Examples
    --------
    >>> golden = GoldenSet(
    ...     documents=pd.DataFrame({"doc_id": ["d1"], "text": ["a"]}),
    ...     questions=pd.DataFrame({"query_id": ["q1", "q2"], "text": ["a?", "b?"], "answerable": [True, False],
    ...                             "unanswerable_kind": ["", "expired"]}),
    ...     qrels=pd.DataFrame({"query_id": ["q1"], "doc_id": ["d1"], "relevance": [2]}),
    ... )
    >>> declined = pd.DataFrame({"query_id": ["q1", "q2"], "status": ["declined", "declined"]})
    >>> by_kind(declined, golden).round(2)
             rate  count  n   low  high
    expired   1.0      1  1  0.21   1.0
    """
    rows = fitted(outcomes, golden_set, [QUERY_ID, STATUS], "outcomes")
    rows = rows.assign(kind=golden_set.questions["unanswerable_kind"].replace("", "unspecified").to_numpy())
    declined = rows.loc[~rows[YES], STATUS].eq(DECLINED).groupby(rows["kind"])
    parts = {str(kind): (int(group.sum()), len(group)) for kind, group in declined}
    return _shares(parts, confidence)


def right_refusals_at(prevalence: float, abstention_rate: float, over_refusal: float) -> float:
    """Return the share of refusals that are right where a share `prevalence` of all questions has no answer.

    Parameters
    ----------
    prevalence
        Share of unanswerable questions in the traffic, not in the golden set, where it was chosen.
    abstention_rate, over_refusal
        Share of the unanswerable, and of the answerable, that is declined.

    Returns
    -------
    float
        0 to 1; NaN where nothing is declined.

    Examples
    --------
    >>> round(right_refusals_at(0.15, 0.8, 0.1), 2), round(right_refusals_at(0.02, 0.8, 0.1), 2)
    (0.59, 0.14)
    """
    unanswerable = share(prevalence, "prevalence")
    right = unanswerable * share(abstention_rate, "abstention_rate")
    declined = right + (1 - unanswerable) * share(over_refusal, "over_refusal")
    return right / declined if declined else nan


def _counts(outcomes: pd.DataFrame, golden_set: GoldenSet) -> pd.DataFrame:
    rows = fitted(outcomes, golden_set, [QUERY_ID, STATUS], "outcomes")
    side = rows[YES].map({True: YES, False: NO})
    counts = pd.crosstab(side, rows[STATUS]).reindex(index=[YES, NO], columns=STATUSES, fill_value=0)
    counts = counts.rename_axis(index=None, columns=None)
    return counts.assign(n=counts.sum(axis=1))


def _shares(parts: dict[str, tuple[int, int]], confidence: float) -> pd.DataFrame:
    rows = {}
    for name, (count, n) in parts.items():
        low, high = wilson(int(count), int(n), confidence) if n else (nan, nan)
        rows[name] = (count / n if n else nan, count, n, low, high)
    return pd.DataFrame.from_dict(rows, orient="index", columns=list(COLUMNS)).astype(COLUMNS)
