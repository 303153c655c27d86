"""What every threshold would do, and which one costs least."""

from collections.abc import Iterable
from math import inf, isinf
from typing import Any

import numpy as np
import pandas as pd

from course_utils.abstention._outcomes import as_scored
from course_utils.abstention._questions import FAILED, RIGHT, STATUS, WRONG, number, share
from course_utils.golden_set import GoldenSet
from course_utils.schema import SCORE, Table
from course_utils.schema._columns import check_columns

COUNTS = ["right", "wrong", "over_refused", "false_answers", "abstained", "n_answerable", "n_unanswerable"]


def sweep(scores: Table, golden_set: GoldenSet, thresholds: Iterable[float] | None = None) -> pd.DataFrame:
    """Count the outcomes at each threshold.

    Parameters
    ----------
    scores
        From `scored`, or a run, whose top scores are then used.
    golden_set
        Its questions count: pass the dev part to choose, and the test part to report.
    thresholds
        By default each score that occurs, and infinity, which declines everything.

    Returns
    -------
    pandas.DataFrame
        A row per threshold, rising. Of the answerable: right, wrong, over_refused. Of the unanswerable: false_answers,
        abstained. Then n_answerable and n_unanswerable, which count what failed too, and the rates over_refusal
        and abstention_rate (NaN where n is 0).

    Raises
    ------
    ValueError
        As `scored`, or a threshold is no number.

    Examples
    --------
    >>> golden = GoldenSet(
    ...     documents=pd.DataFrame({"doc_id": ["d1"], "text": ["a"]}),
    ...     questions=pd.DataFrame({"query_id": ["q1", "q2"], "text": ["a?", "b?"], "answerable": [True, False]}),
    ...     qrels=pd.DataFrame({"query_id": ["q1"], "doc_id": ["d1"], "relevance": [2]}),
    ... )
    >>> run = {"q1": {"d1": 0.9}, "q2": {"d1": 0.5}}
    >>> sweep(run, golden)[["threshold", "right", "over_refused", "false_answers", "abstained"]]
       threshold  right  over_refused  false_answers  abstained
    0        0.5      1             0              1          0
    1        0.9      1             0              0          1
    2        inf      0             1              0          1
    """
    rows = as_scored(scores, golden_set)
    limits = _thresholds(rows[SCORE], thresholds)
    answered = rows[SCORE].to_numpy() >= limits[:, None]
    answered &= rows[STATUS].isin([RIGHT, WRONG]).to_numpy()
    declined = ~answered & (rows[STATUS] != FAILED).to_numpy()
    yes, right = rows["answerable"].to_numpy(), (rows[STATUS] == RIGHT).to_numpy()
    parts = [answered & right, answered & yes & ~right, declined & yes, answered & ~yes, declined & ~yes]
    n = [np.full(len(limits), yes.sum()), np.full(len(limits), (~yes).sum())]
    counts = dict(zip(COUNTS, [*(part.sum(axis=1) for part in parts), *n], strict=True))
    table = pd.DataFrame({"threshold": limits, **counts})
    table["over_refusal"] = table["over_refused"] / table["n_answerable"]
    table["abstention_rate"] = table["abstained"] / table["n_unanswerable"]
    return table


def costs(
    sweep: pd.DataFrame,
    *,
    cost_false_answer: float = 1.0,
    cost_over_refusal: float = 1.0,
    cost_wrong_answer: float = 1.0,
    prevalence: float | None = None,
) -> pd.Series:
    """Return the mean cost of a question at each threshold of a sweep.

    Parameters
    ----------
    sweep
        From `sweep`, with answerable and unanswerable questions in it.
    cost_false_answer, cost_over_refusal, cost_wrong_answer
        Of an answer to an unanswerable question, of declining an answerable one, of answering that one wrong.
    prevalence
        Share of unanswerable questions in the traffic; by default that of the golden set.

    Returns
    -------
    pandas.Series
        Index as in the sweep.

    Raises
    ------
    ValueError
        A cost is negative or no number, or there are no questions of one kind: then one extreme always wins.

    Examples
    --------
    >>> table = pd.DataFrame({"threshold": [0.5, 0.9], "right": [3, 2], "wrong": [1, 0], "over_refused": [0, 2],
    ...                       "false_answers": [1, 0], "abstained": [0, 1], "n_answerable": 4, "n_unanswerable": 1})
    >>> costs(table, cost_false_answer=5).to_list()
    [1.2, 0.4]
    """
    check_columns(sweep, ["threshold", *COUNTS], "sweep")
    prices = {
        "over_refused": cost_over_refusal,
        "wrong": cost_wrong_answer,
        "false_answers": cost_false_answer,
    }
    for column, price in prices.items():
        if not 0 <= number(price, f"the cost of {column}") < inf:
            raise ValueError(f"the cost of {column} is {price}; expected a number of at least 0")
    n_yes, n_no = sweep["n_answerable"], sweep["n_unanswerable"]
    if sweep.empty or not (n_yes.all() and n_no.all()):
        raise ValueError("a threshold needs answerable and unanswerable questions; this sweep lacks one kind")
    part = n_no / (n_yes + n_no) if prevalence is None else share(prevalence, "prevalence")
    yes = (prices["over_refused"] * sweep["over_refused"] + prices["wrong"] * sweep["wrong"]) / n_yes
    no = prices["false_answers"] * sweep["false_answers"] / n_no
    return ((1 - part) * yes + part * no).rename("cost")


def choose_threshold(
    sweep: pd.DataFrame,
    *,
    cost_false_answer: float = 1.0,
    cost_over_refusal: float = 1.0,
    cost_wrong_answer: float = 1.0,
    prevalence: float | None = None,
) -> float:
    """Return the threshold that costs least; of several, the lowest, which declines least.

    Choose on dev and report on test: on the questions that chose it, a threshold always looks too good.

    Parameters
    ----------
    sweep, cost_false_answer, cost_over_refusal, cost_wrong_answer, prevalence
        As for `costs`.

    Returns
    -------
    float
        Infinity says: declining everything is cheapest at these costs.

    Examples
    --------
    >>> table = pd.DataFrame({"threshold": [0.5, 0.9], "right": [3, 2], "wrong": [1, 0], "over_refused": [0, 2],
    ...                       "false_answers": [1, 0], "abstained": [0, 1], "n_answerable": 4, "n_unanswerable": 1})
    >>> choose_threshold(table), choose_threshold(table, cost_over_refusal=5)
    (0.5, 0.5)
    >>> choose_threshold(table, cost_false_answer=5)
    0.9
    """
    cost = costs(
        sweep,
        cost_false_answer=cost_false_answer,
        cost_over_refusal=cost_over_refusal,
        cost_wrong_answer=cost_wrong_answer,
        prevalence=prevalence,
    )
    # Sums in another order differ in the last digit; such costs are the same.
    cheapest = np.isclose(cost, cost.min(), rtol=1e-12, atol=1e-15)
    return float(sweep["threshold"][cheapest].min())


def _thresholds(scores: pd.Series, thresholds: Iterable[float] | None) -> Any:
    if thresholds is None:
        there = {float(one) for one in scores.dropna() if not isinf(one)}
        return np.array([*sorted(there), inf])
    if isinstance(thresholds, str) or not hasattr(thresholds, "__iter__"):
        raise ValueError(f"thresholds is {thresholds!r}; expected a list of numbers")
    limits = sorted({number(one, "threshold") for one in thresholds})
    if not limits:
        raise ValueError("thresholds is empty; leave it out to try each score that occurs")
    return np.array(limits)
