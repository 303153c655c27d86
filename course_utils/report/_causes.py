"""Why a question went wrong: classes that a person assigns after reading, and counts."""

from collections.abc import Mapping
from pathlib import Path

import pandas as pd

from course_utils.schema import QUERY_ID

CAUSES = (
    "vocabulary gap",
    "exact identifier",
    "wrong label",
    "missing document",
    "near-duplicate",
    "language",
    "ambiguous",
    "other",
)


def count_causes(assigned: Mapping[str, str]) -> pd.DataFrame:
    """Count the classes that were assigned.

    Parameters
    ----------
    assigned
        A class of `CAUSES` by query id.

    Returns
    -------
    pandas.DataFrame
        A row per class that occurs, the most frequent first; columns count, n, questions. There is no interval:
        the worst questions are chosen, not drawn.

    Raises
    ------
    ValueError
        Nothing assigned, or an unknown class.

    Examples
    --------
    >>> count_causes({"q1": "language", "q2": "vocabulary gap", "q3": "language"})
                    count  n questions
    language            2  3    q1, q3
    vocabulary gap      1  3        q2
    """
    if not assigned:
        raise ValueError(f"no cause is assigned; give {{query_id: cause}} with one of {', '.join(CAUSES)}")
    for query, cause in assigned.items():
        if cause not in CAUSES:
            raise ValueError(f"{query} has the cause {cause!r}; expected one of {', '.join(CAUSES)}")
    by_cause = {cause: [q for q, one in assigned.items() if one == cause] for cause in CAUSES}
    rows = {c: (len(qs), len(assigned), ", ".join(qs)) for c, qs in by_cause.items() if qs}
    table = pd.DataFrame.from_dict(rows, orient="index", columns=["count", "n", "questions"])
    return table.sort_values("count", ascending=False, kind="stable")


def read_causes(path: str | Path) -> dict[str, str]:
    r"""Read causes from a CSV file with the columns query_id and cause; rows without a cause are not assigned yet.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "causes.csv")
    ...     _ = path.write_text("query_id,cause\nq1,language\nq2,\n")
    ...     read_causes(path)
    {'q1': 'language'}
    """
    try:
        rows = pd.read_csv(path, dtype="str", encoding="utf-8-sig", keep_default_na=False)
    except (UnicodeDecodeError, pd.errors.ParserError, pd.errors.EmptyDataError) as error:
        raise ValueError(f"{path} is no CSV file in UTF-8 ({error}); expected query_id,cause") from error
    if missing := {QUERY_ID, "cause"} - set(rows.columns):
        raise ValueError(
            f"{path} has no column {', '.join(sorted(missing))}; found {', '.join(rows.columns)}"
        )
    for query in rows.loc[rows[QUERY_ID].duplicated(), QUERY_ID][:1]:
        raise ValueError(f"{path} has question {query} twice; expected one cause per question")
    given = rows[rows["cause"].str.strip() != ""]
    return dict(zip(given[QUERY_ID], given["cause"].str.strip(), strict=True))
