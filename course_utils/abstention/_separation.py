"""How well a score separates the answers that are right, and the questions that have one, at any threshold."""

from math import nan
from typing import Any

import numpy as np
import pandas as pd

from course_utils.abstention._outcomes import as_scored
from course_utils.abstention._questions import FAILED, STATUS
from course_utils.abstention._sweep import sweep
from course_utils.golden_set import GoldenSet
from course_utils.schema import SCORE, Table


def risk_coverage(scores: Table, golden_set: GoldenSet) -> pd.DataFrame:
    """Return, from the surest question on, the share answered and the share of it that is wrong.

    El-Yaniv and Wiener, On the foundations of noise-free selective classification, JMLR 2010. Every answer to an
    unanswerable question is wrong, so at full coverage the risk is at least their share.

    Parameters
    ----------
    scores, golden_set
        As for `sweep`.

    Returns
    -------
    pandas.DataFrame
        threshold, coverage, risk, n_answered, n. It starts where something is answered.

    Examples
    --------
    >>> golden = GoldenSet(
    ...     documents=pd.DataFrame({"doc_id": ["d1"], "text": ["a"]}),
    ...     questions=pd.DataFrame({"query_id": ["q1", "q2"], "text": ["a?", "b?"], "answerable": [True, False]}),
    ...     qrels=pd.DataFrame({"query_id": ["q1"], "doc_id": ["d1"], "relevance": [2]}),
    ... )
    >>> risk_coverage({"q1": {"d1": 0.9}, "q2": {"d1": 0.5}}, golden)
       threshold  coverage  risk  n_answered  n
    0        0.9       0.5   0.0           1  2
    1        0.5       1.0   0.5           2  2
    """
    table = sweep(scores, golden_set).iloc[::-1]
    wrong = table["wrong"] + table["false_answers"]
    answered, n = table["right"] + wrong, table["n_answerable"] + table["n_unanswerable"]
    columns = {
        "coverage": answered / n,
        "risk": wrong / answered.where(answered > 0),
        "n_answered": answered,
        "n": n,
    }
    curve = pd.DataFrame({"threshold": table["threshold"], **columns})
    return curve[answered > 0].reset_index(drop=True)


def auroc(
    scores: Table, golden_set: GoldenSet, *, confidence: float = 0.95, resamples: int = 9999, seed: int = 0
) -> pd.Series:
    """Return the chance that an answerable question has a higher score than an unanswerable one (a tie is half).

    Parameters
    ----------
    scores, golden_set
        As for `sweep`. Where nothing was returned, the score is below all others; what failed is left out.
    confidence, resamples, seed
        Of a percentile bootstrap over questions, answerable and unanswerable drawn apart.

    Returns
    -------
    pandas.Series
        AUROC (.5: the score says nothing), low, high, n_answerable, n_unanswerable. NaN if one n is 0.

    Examples
    --------
    >>> golden = GoldenSet(
    ...     documents=pd.DataFrame({"doc_id": ["d1"], "text": ["a"]}),
    ...     questions=pd.DataFrame({"query_id": ["q1", "q2"], "text": ["a?", "b?"], "answerable": [True, False]}),
    ...     qrels=pd.DataFrame({"query_id": ["q1"], "doc_id": ["d1"], "relevance": [2]}),
    ... )
    >>> auroc({"q1": {"d1": 0.9}, "q2": {"d1": 0.5}}, golden)["AUROC"].item()
    1.0
    """
    from scipy.stats import rankdata
    from sklearn.metrics import roc_auc_score

    rows = as_scored(scores, golden_set)
    rows = rows[rows[STATUS] != FAILED]
    place, answerable = (
        rankdata(rows[SCORE]),
        rows["answerable"].to_numpy(),
    )  # ranks: scikit-learn refuses -inf
    yes, no = place[answerable], place[~answerable]
    area, low, high = nan, nan, nan
    if len(yes) and len(no):
        area = float(roc_auc_score(answerable, place))
        low, high = _area_interval(yes, no, confidence, resamples, seed)
    values = {"AUROC": area, "low": low, "high": high, "n_answerable": len(yes), "n_unanswerable": len(no)}
    return pd.Series(values, dtype="float64", name="auroc")


def _area_interval(yes: Any, no: Any, confidence: float, resamples: int, seed: int) -> tuple[float, float]:
    """Draw questions by weighting the rows and columns of the pairs in the right order."""
    if not 0 < confidence < 1:
        raise ValueError(f"confidence must lie between 0 and 1, got {confidence}")
    right = (yes[:, None] > no) + 0.5 * (yes[:, None] == no)
    rng = np.random.default_rng(seed)
    rows, columns = (rng.multinomial(n, [1 / n] * n, size=resamples) / n for n in right.shape)
    tail = (1 - confidence) / 2
    low, high = np.quantile((rows @ right * columns).sum(axis=1), [tail, 1 - tail])
    return float(low), float(high)
