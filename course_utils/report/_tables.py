"""Scores of the questions that are stated answerable, and their means by type, each with n and an interval."""

import warnings
from collections.abc import Iterable, Mapping
from math import nan

import pandas as pd

from course_utils.evaluation import DEFAULT, evaluate
from course_utils.golden_set import GoldenSet
from course_utils.schema import QUERY_ID, CourseWarning, Table, check_run, plural, warn
from course_utils.significance import bootstrap_mean

COLUMNS = {"mean": "float64", "low": "float64", "high": "float64", "n": "int64", "n_undefined": "int64"}
ALL = "all"


def score(run: Table, golden_set: GoldenSet, measures: Iterable[str] = DEFAULT) -> pd.DataFrame:
    """Score a run on the questions of a golden set, or of a subset of it.

    Parameters
    ----------
    run
        Results; what it has for questions of another part of the set is left out.
    golden_set
        Its questions are the rows. A question stated unanswerable has no ranking score, whatever was judged.
    measures
        As for `evaluate`.

    Returns
    -------
    pandas.DataFrame
        As from `evaluate`, in the order of the golden set; NaN where a question is not stated answerable or has no
        relevant document.

    Warns
    -----
    CourseWarning
        An answerable question has no relevant document, so it is in no mean.

    Examples
    --------
    >>> from course_utils import load_golden_set, paths
    >>> golden = load_golden_set(paths.assets("templates"))
    >>> score({"q1": {"leave-annual": 1.0}}, golden, ["Recall@3"])["Recall@3"].tolist()
    [1.0, 0.0, nan]
    """
    asked = golden_set.questions[QUERY_ID]
    found = evaluate(golden_set.qrels, kept(run, golden_set), measures, queries=asked).reindex(asked)
    stated = golden_set.answerable.reindex(found.index).fillna(False).astype(bool)
    holes = found.index[stated & found.isna().any(axis=1)]
    if len(holes):
        without = plural(len(holes), "answerable question")
        warn(f"{without} without a relevant document, in no mean (for instance {holes[0]}); run validate")
    return found.where(stated)


def kept(run: Table, golden_set: GoldenSet) -> pd.DataFrame:
    """Return the rows of a run that belong to the golden set's questions; a run without rows declined them all."""
    clean = check_run(run)
    rows = clean[clean[QUERY_ID].isin(golden_set.questions[QUERY_ID])]
    if len(clean) and rows.empty:
        raise ValueError(
            f"the run answers none of the {len(golden_set.questions)} questions; expected ids such as "
            f"{golden_set.questions[QUERY_ID].iloc[0]}, found {clean[QUERY_ID].iloc[0]}"
        )
    return rows


def by_type(
    scores: pd.DataFrame, golden_set: GoldenSet, measure: str = "nDCG@10", *, confidence: float = 0.95
) -> pd.DataFrame:
    """Average a measure by question type.

    Parameters
    ----------
    scores
        From `score`.
    golden_set
        The same golden set.
    measure
        A column of the scores.
    confidence
        Of the bootstrap interval. Twins are resampled together: they are not new questions.

    Returns
    -------
    pandas.DataFrame
        A row per type, in the order of the set, then "all". Columns mean, low, high, n (questions in the mean),
        n_undefined (left out, among them all unanswerable ones). The interval is NaN with fewer than two needs. With
        few questions a bootstrap interval is too narrow: 12 questions cover the truth 88 times in 100, not 95.

    Examples
    --------
    >>> from course_utils import load_golden_set, paths
    >>> golden = load_golden_set(paths.assets("templates"))
    >>> scores = score({"q1": {"leave-annual": 1.0}}, golden, ["Recall@3"])
    >>> by_type(scores, golden, "Recall@3")[["mean", "n", "n_undefined"]]
                mean  n  n_undefined
    paraphrase   0.5  2            0
    keyword      NaN  0            1
    all          0.5  2            1
    """
    values = column(scores, measure)
    types = golden_set.types.reindex(values.index)
    groups = {str(name): values[types == name] for name in types.dropna().unique()} | {ALL: values}
    rows = {name: _mean(group, golden_set.originals, confidence) for name, group in groups.items()}
    return pd.DataFrame.from_dict(rows, orient="index", columns=list(COLUMNS)).astype(COLUMNS)


def column(scores: pd.DataFrame, measure: str) -> pd.Series:
    """Return one measure of the scores, or say which there are."""
    if measure not in scores:
        raise ValueError(f"the scores have no {measure!r}; there is {', '.join(map(str, scores.columns))}")
    return scores[measure]


def _mean(values: pd.Series, originals: pd.Series, confidence: float) -> tuple[float, float, float, int, int]:
    there = values.dropna()
    groups = originals.reindex(there.index)
    enough = groups.nunique() > 1
    low, high = bootstrap_mean(there, groups=groups, confidence=confidence) if enough else (nan, nan)
    return float(there.mean()), low, high, len(there), len(values) - len(there)


def grid(scores: Mapping[str, pd.DataFrame], golden_set: GoldenSet, measure: str = "nDCG@10") -> pd.DataFrame:
    """Return the means by type (rows) and system (columns), with n last: what the heat map draws.

    Examples
    --------
    >>> from course_utils import load_golden_set, paths
    >>> golden = load_golden_set(paths.assets("templates"))
    >>> scores = score({"q1": {"leave-annual": 1.0}}, golden, ["Recall@3"])
    >>> grid({"A": scores, "B": scores}, golden, "Recall@3")
                  A    B  n
    paraphrase  0.5  0.5  2
    keyword     NaN  NaN  0
    all         0.5  0.5  2
    """
    values = pd.DataFrame({name: column(table, measure) for name, table in scores.items()})
    if values.notna().any(axis=1).sum() != values.notna().all(axis=1).sum():
        raise ValueError(
            f"{measure} is defined for other questions from system to system: one n cannot stand for all"
        )
    types = golden_set.types.reindex(values.index)
    means = values.groupby(types, observed=True, sort=False).mean()
    means.loc[ALL] = values.mean()
    counts = values.notna().all(axis=1).groupby(types, observed=True, sort=False).sum()
    means["n"] = [*counts.astype(int), int(values.notna().all(axis=1).sum())]
    order = [name for name in types.dropna().unique() if name in means.index]
    return means.loc[[*order, ALL]].rename_axis(None)


def recall_curves(runs: Mapping[str, Table], golden_set: GoldenSet, depth: int = 10) -> pd.DataFrame:
    """Return mean Recall@k of each run for k = 1 to `depth`: rows k, a column per run.

    Examples
    --------
    >>> from course_utils import load_golden_set, paths
    >>> golden = load_golden_set(paths.assets("templates"))
    >>> run = {"q1": {"leave-2024": 2.0, "leave-annual": 1.0}, "q2": {"it-stolen": 1.0}}
    >>> recall_curves({"A": run}, golden, depth=2)["A"].tolist()
    [0.5, 1.0]
    """
    names = [f"Recall@{k}" for k in range(1, depth + 1)]
    with warnings.catch_warnings():
        # A tie is told once, when the run is scored; not again at each of ten cutoffs.
        warnings.simplefilter("ignore", CourseWarning)
        means = {name: score(run, golden_set, names).mean().to_numpy() for name, run in runs.items()}
    return pd.DataFrame(means, index=pd.RangeIndex(1, depth + 1, name="k"))
