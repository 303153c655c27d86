"""Single questions: the worst, the biggest movers, and the lists of several systems beside each other."""

from collections.abc import Mapping

import pandas as pd

from course_utils.golden_set import GoldenSet
from course_utils.golden_set._pool import top
from course_utils.report._tables import column
from course_utils.schema import DOC_ID, QUERY_ID, TEXT, Table, check_run

LENGTH = 100  # characters of a snippet


def worst(
    scores: pd.DataFrame, golden_set: GoldenSet, measure: str = "nDCG@10", count: int = 10
) -> pd.DataFrame:
    """Return the questions with the lowest scores, lowest first; equal ones in the order of the golden set.

    Examples
    --------
    >>> from course_utils import load_golden_set, paths
    >>> from course_utils.report import score
    >>> golden = load_golden_set(paths.assets("templates"))
    >>> lowest = worst(score({"q1": {"leave-annual": 1.0}}, golden, ["Recall@3"]), golden, "Recall@3", count=1)
    >>> lowest.to_dict("index")
    {'q2': {'Recall@3': 0.0, 'type': 'paraphrase', 'text': 'somebody took my laptop!!'}}
    """
    lowest = column(scores, measure).dropna().sort_values(kind="stable").head(count)
    return _described(pd.DataFrame({measure: lowest}), golden_set)


def movers(
    before: pd.DataFrame,
    after: pd.DataFrame,
    golden_set: GoldenSet,
    measure: str = "nDCG@10",
    count: int = 5,
) -> pd.DataFrame:
    """Return the questions that lose most and gain most between two runs, from the largest loss to the largest gain.

    Parameters
    ----------
    before, after
        From `score`, with the same golden set.
    golden_set
        The same golden set.
    measure
        A column of both.
    count
        How many losses and how many gains at most. Questions that do not move are not listed.

    Returns
    -------
    pandas.DataFrame
        Index query_id; columns before, after, change, type, text.

    Examples
    --------
    >>> from course_utils import load_golden_set, paths
    >>> from course_utils.report import score
    >>> golden = load_golden_set(paths.assets("templates"))
    >>> one, two = (score({q: {d: 1.0}}, golden, ["RR@10"]) for q, d in (("q1", "leave-annual"), ("q2", "it-stolen")))
    >>> movers(one, two, golden, "RR@10")["change"].to_dict()
    {'q1': -1.0, 'q2': 1.0}
    """
    both = pd.DataFrame({"before": column(before, measure), "after": column(after, measure)}).dropna()
    both["change"] = both["after"] - both["before"]
    ordered = both.sort_values("change", kind="stable")
    losses, gains = ordered[ordered["change"] < 0].head(count), ordered[ordered["change"] > 0].tail(count)
    return _described(pd.concat([losses, gains]), golden_set)


def side_by_side(
    query_id: str, runs: Mapping[str, Table], golden_set: GoldenSet, depth: int = 10
) -> pd.DataFrame:
    """Return what each system lists for one question.

    Returns
    -------
    pandas.DataFrame
        system, rank, doc_id, grade, title, snippet. The grade of a document that nobody judged is missing, not 0.

    Examples
    --------
    >>> from course_utils import load_golden_set, paths
    >>> golden = load_golden_set(paths.assets("templates"))
    >>> runs = {"A": {"q1": {"leave-annual": 2.0, "it-stolen": 1.0}}, "B": {"q1": {"leave-2024": 1.0}}}
    >>> side_by_side("q1", runs, golden)[["system", "rank", "doc_id", "grade"]]
      system  rank        doc_id  grade
    0      A     1  leave-annual      2
    1      A     2     it-stolen   <NA>
    2      B     1    leave-2024      0
    """
    grades, documents = golden_set.grades(query_id), golden_set.documents.set_index(DOC_ID)
    parts = []
    for system, run in runs.items():
        clean = check_run(run)
        ids = top(clean[clean[QUERY_ID] == query_id], depth)[DOC_ID].tolist()
        parts.append(pd.DataFrame({"system": system, "rank": range(1, len(ids) + 1), DOC_ID: ids}))
    rows = pd.concat(parts, ignore_index=True)
    rows["grade"] = pd.array([grades.get(doc, pd.NA) for doc in rows[DOC_ID]], dtype="Int64")
    known = documents.reindex(rows[DOC_ID])
    rows["title"] = known["title"].fillna("").to_numpy() if "title" in known else ""
    rows["snippet"] = [snippet(one) for one in known[TEXT].fillna("")]
    return rows


def snippet(text: str, length: int = LENGTH) -> str:
    """Return the beginning of a text on one line, cut between two words.

    Examples
    --------
    >>> snippet("Paid leave. It is 24 days.", 18)
    'Paid leave. It …'
    """
    line = " ".join(str(text).split())
    return line if len(line) <= length else line[: length - 1].rsplit(" ", 1)[0] + " …"


def _described(table: pd.DataFrame, golden_set: GoldenSet) -> pd.DataFrame:
    table["type"] = golden_set.types.reindex(table.index)
    table[TEXT] = golden_set.texts.reindex(table.index)
    return table.rename_axis(QUERY_ID)
