"""Means over queries, each shown with the number of queries it is over."""

from collections.abc import Mapping
from typing import Any

import pandas as pd


def summarize(per_query: pd.DataFrame, by: pd.Series | Mapping[Any, Any] | None = None) -> pd.DataFrame:
    """Average the measures over the queries where they are defined.

    Parameters
    ----------
    per_query
        From `evaluate`: a row per query, a column per measure.
    by
        Group of each query, for instance its type: a Series with query ids as index, or a dict.

    Returns
    -------
    pandas.DataFrame
        Row "all", or a row per group, sorted (categories in their own order). Columns: the measures, then n,
        the number of queries in the mean, and n_undefined, the number left out because nothing is relevant.
        Both together are all queries.

    Raises
    ------
    ValueError
        Nothing to average, a column that is no measure, a query without a group, or measures that are defined
        for different queries (one n cannot stand for both: summarize them apart).

    Examples
    --------
    >>> per_query = pd.DataFrame({"RR@10": [1.0, 0.5, float("nan")]}, index=["q1", "q2", "q3"])
    >>> summarize(per_query)
         RR@10  n  n_undefined
    all   0.75  2            1
    """
    _check(per_query)
    defined = per_query.notna().all(axis=1)
    groups = pd.Series("all", index=per_query.index) if by is None else _groups(per_query, by)
    grouped = per_query.groupby(groups, observed=True)
    counts = defined.groupby(groups, observed=True).agg(["sum", "size"])
    means = grouped.mean()
    means["n"] = counts["sum"].astype("int64")
    means["n_undefined"] = (counts["size"] - counts["sum"]).astype("int64")
    return means


def _check(per_query: pd.DataFrame) -> None:
    if per_query.empty:
        raise ValueError("nothing to average: per_query has no rows or no measures")
    for column in per_query.columns[[kind.kind != "f" for kind in per_query.dtypes]][:1]:
        raise ValueError(
            f"per_query: column {column} holds no scores; pass groups with by=, e.g. by=df[{column!r}]"
        )
    defined = per_query.notna()
    for column in defined.columns[1:]:
        if not defined[column].equals(defined.iloc[:, 0]):
            first = defined.columns[0]
            raise ValueError(
                f"{first} is defined for {defined[first].sum()} queries, {column} for {defined[column].sum()}, "
                f"not the same ones: one n cannot stand for both. Summarize them apart: "
                f"summarize(per_query[[{column!r}]])"
            )


def _groups(per_query: pd.DataFrame, by: pd.Series | Mapping[Any, Any]) -> pd.Series:
    if not isinstance(by, pd.Series | Mapping):
        raise ValueError(f"by is a {type(by).__name__}; expected a Series of groups with query ids as index")
    groups = by if isinstance(by, pd.Series) else pd.Series(by)
    for query in groups.index[groups.index.duplicated()][:1]:
        raise ValueError(f"by has query {query} twice; expected one group per query")
    here = groups.reindex(per_query.index)
    for query in here.index[here.isna()][:1]:
        raise ValueError(f"by has no group for query {query}")
    return here
