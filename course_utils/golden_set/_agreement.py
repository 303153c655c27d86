"""Two judges side by side: the grades that both gave, and how far they agree."""

import pandas as pd

from course_utils import significance
from course_utils.golden_set._fields import clean
from course_utils.schema import DOC_ID, QUERY_ID

PAIR = [QUERY_ID, DOC_ID]


def pairs(annotations: pd.DataFrame, first: str | None = None, second: str | None = None) -> pd.DataFrame:
    """Return the documents that both judges graded, with a column of grades for each judge.

    Parameters
    ----------
    annotations
        query_id, doc_id, annotator, grade: `GoldenSet.annotations`, or from `read_annotations`.
    first, second
        Names of the two judges; they may be left out when there are exactly two.

    Returns
    -------
    pandas.DataFrame
        query_id, doc_id, then a column per judge, named after the judge.

    Raises
    ------
    ValueError
        There is no such judge, or not exactly two to choose, or one judge graded a document twice.

    Examples
    --------
    >>> annotations = pd.DataFrame({"query_id": ["q1"] * 3, "doc_id": ["d1", "d1", "d2"],
    ...                             "annotator": ["A", "B", "A"], "grade": [2, 1, 0]})
    >>> pairs(annotations).to_dict("list")
    {'query_id': ['q1'], 'doc_id': ['d1'], 'A': [2], 'B': [1]}
    """
    table = clean(annotations, "annotations")
    names = _judges(table, first, second)
    for row in table[table.duplicated([*PAIR, "annotator"]) & table["annotator"].isin(names)].itertuples():
        raise ValueError(
            f"{row.annotator} graded {row.query_id}, {row.doc_id} twice; keep the judge's last word"
        )
    graded = [
        table.loc[table["annotator"] == name, [*PAIR, "grade"]].rename(columns={"grade": name})
        for name in names
    ]
    return graded[0].merge(graded[1], on=PAIR)


def agreement(
    annotations: pd.DataFrame, first: str | None = None, second: str | None = None, *, rel: int = 1
) -> pd.Series:
    """Return how far two judges agree, in the five ways that belong together.

    Parameters
    ----------
    annotations, first, second
        As for `pairs`.
    rel
        Lowest grade that counts as relevant, for positive agreement.

    Returns
    -------
    pandas.Series
        n (documents that both graded), raw agreement, kappa, kappa with linear and with quadratic weights, positive
        agreement. NaN where an agreement has no value.

    Examples
    --------
    >>> annotations = pd.DataFrame({"query_id": ["q1"] * 8, "doc_id": list("abcd") * 2,
    ...                             "annotator": ["A"] * 4 + ["B"] * 4, "grade": [1, 1, 0, 0, 1, 0, 0, 0]})
    >>> agreement(annotations)[["n", "raw agreement", "kappa"]].to_dict()
    {'n': 4.0, 'raw agreement': 0.75, 'kappa': 0.5}
    """
    both = pairs(annotations, first, second)
    a, b = both.iloc[:, 2], both.iloc[:, 3]
    return pd.Series(
        {
            "n": float(len(both)),
            "raw agreement": significance.raw_agreement(a, b),
            "kappa": significance.kappa(a, b),
            "kappa, linear weights": significance.kappa(a, b, weights="linear"),
            "kappa, quadratic weights": significance.kappa(a, b, weights="quadratic"),
            "positive agreement": significance.positive_agreement(a, b, rel=rel),
        },
        name="agreement",
    )


def _judges(table: pd.DataFrame, first: str | None, second: str | None) -> list[str]:
    there = list(table["annotator"].unique())
    names = there if first is None and second is None else [str(first), str(second)]
    if len(set(names)) != 2 or not set(names) <= set(there):
        asked = "" if names is there else f", asked for {' and '.join(names)}"
        raise ValueError(
            f"expected two judges{asked}; found {', '.join(there) or 'nobody'}: name first= and second="
        )
    return names
