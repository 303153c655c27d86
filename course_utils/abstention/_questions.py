"""What the golden set states, and frames with one row per question that must fit it."""

from collections.abc import Iterable, Mapping
from math import isnan
from numbers import Real
from typing import Any

import pandas as pd

from course_utils.golden_set import GoldenSet
from course_utils.schema import QUERY_ID, as_text, check_run, plural, warn
from course_utils.schema._columns import check_columns

STATUS, RIGHT, WRONG, DECLINED, FAILED = "status", "right", "wrong", "declined", "failed"
STATUSES = [RIGHT, WRONG, DECLINED, FAILED]


def stated(golden_set: GoldenSet) -> pd.Series:
    """Return whether each question is answerable, as True and False; a blank or a second statement is refused.

    Examples
    --------
    >>> questions = pd.DataFrame({"query_id": ["q1"], "text": ["days off?"], "answerable": [""]})
    >>> stated(GoldenSet(pd.DataFrame({"doc_id": ["d1"], "text": ["a"]}), questions, {"q1": {"d1": 1}}))
    Traceback (most recent call last):
    ValueError: 1 question does not say whether it is answerable (for instance q1); \
fill in the column answerable with TRUE or FALSE
    """
    if not isinstance(golden_set, GoldenSet):
        raise ValueError(
            f"golden_set is a {type(golden_set).__name__}; expected a GoldenSet: load_golden_set()"
        )
    answerable = golden_set.answerable
    for query in answerable.index[answerable.index.duplicated()][:1]:
        raise ValueError(f"the golden set has question {query} twice; run validate() on it")
    blank = answerable.index[answerable.isna()]
    if len(blank):
        some = "question does" if len(blank) == 1 else "questions do"
        raise ValueError(
            f"{len(blank)} {some} not say whether it is answerable (for instance {blank[0]}); "
            "fill in the column answerable with TRUE or FALSE"
        )
    return answerable.astype(bool)


def fitted(frame: Any, golden_set: GoldenSet, columns: list[str], name: str) -> pd.DataFrame:
    """Return the rows of the golden set's questions, in its order, with a column `answerable`.

    Rows of other questions are left out, so a subset of the golden set gives the numbers of the subset.

    Examples
    --------
    >>> golden = GoldenSet(
    ...     documents=pd.DataFrame({"doc_id": ["d1"], "text": ["a"]}),
    ...     questions=pd.DataFrame({"query_id": ["q1"], "text": ["a?"], "answerable": [True]}),
    ...     qrels=pd.DataFrame({"query_id": ["q1"], "doc_id": ["d1"], "relevance": [2]}),
    ... )
    >>> rows = pd.DataFrame({"query_id": ["q2", "q1"], "status": ["declined", "right"]})
    >>> fitted(rows, golden, ["query_id", "status"], "outcomes").to_dict("list")
    {'query_id': ['q1'], 'status': ['right'], 'answerable': [True]}
    """
    answerable = stated(golden_set)
    if not isinstance(frame, pd.DataFrame):
        raise ValueError(
            f"{name} is a {type(frame).__name__}; expected a DataFrame with {', '.join(columns)}"
        )
    check_columns(frame, columns, name)
    rows = frame[columns].set_axis(as_text(frame[QUERY_ID], f"{name}: {QUERY_ID}"), axis=0)
    for query in rows.index[rows.index.duplicated()][:1]:
        raise ValueError(f"{name} has question {query} twice; expected one row per question")
    missing = answerable.index.difference(rows.index, sort=False)
    if len(missing):
        raise ValueError(
            f"{name} lacks {plural(len(missing), 'question')} of the golden set (for instance {missing[0]}); "
            "make it with this golden set or a larger one"
        )
    for status in rows[STATUS][~rows[STATUS].isin(STATUSES)][:1]:
        raise ValueError(f"{name}: status {status!r} is unknown; expected {', '.join(STATUSES)}")
    chosen = rows.loc[answerable.index].drop(columns=QUERY_ID)
    chosen.insert(0, QUERY_ID, answerable.index)
    return chosen.assign(answerable=answerable).reset_index(drop=True)


def known(ids: Iterable[Any], asked: pd.Index, name: str) -> pd.Index:
    """Return the ids that are questions of the golden set; warn of others, refuse if there are only others.

    Examples
    --------
    >>> known(["7"], pd.Index(["q7"]), "run")
    Traceback (most recent call last):
    ValueError: no question in common: the golden set has for instance 'q7', run '7'; are the ids written alike?
    """
    if isinstance(ids, str):
        raise ValueError(f"{name} is the text {ids!r}; expected a list of question ids: [{ids!r}]")
    given = pd.Index(as_text(pd.Series(list(ids), dtype=object), f"{name}: {QUERY_ID}")).unique()
    other = given[~given.isin(asked)]
    if len(other) and len(other) == len(given):
        raise ValueError(
            f"no question in common: the golden set has for instance {asked[0]!r}, {name} {other[0]!r}; "
            "are the ids written alike?"
        )
    if len(other):
        are = "is" if len(other) == 1 else "are"
        warn(
            f"{name}: {plural(len(other), 'question')} {are} not in the golden set and {are} ignored "
            f"(for instance {other[0]})"
        )
    ours: pd.Index = given[given.isin(asked)]
    return ours


def clean_run(run: Any) -> pd.DataFrame:
    """Check a run; bare numbers per question are refused with what is missing: the documents.

    Examples
    --------
    >>> clean_run({"q1": 0.9})
    Traceback (most recent call last):
    ValueError: scores alone do not say what was returned; expected a run, \
or scored(run, golden_set, signal=scores)
    """
    bare = isinstance(run, Mapping) and len(run) and not any(isinstance(one, Mapping) for one in run.values())
    if bare or isinstance(run, pd.Series):
        raise ValueError(
            "scores alone do not say what was returned; expected a run, or scored(run, golden_set, signal=scores)"
        )
    return check_run(run)


def failed_ids(failed: Iterable[Any], asked: pd.Index, answered: pd.Index) -> pd.Index:
    """Return the questions at which the system broke; one that has results is refused.

    Examples
    --------
    >>> failed_ids(["q1"], pd.Index(["q1", "q2"]), pd.Index(["q1"]))
    Traceback (most recent call last):
    ValueError: q1 is named in failed and has results in the run; decide which is true
    """
    broken = known(ids_of(failed), asked, "failed")
    for query in broken[broken.isin(answered)][:1]:
        raise ValueError(f"{query} is named in failed and has results in the run; decide which is true")
    return broken


def ids_of(failed: Any) -> Any:
    """Return the ids of what failed as a tuple: from a list of them, or from the frame that an adapter gives.

    Examples
    --------
    >>> ids_of(pd.DataFrame({"query_id": ["q1"], "error": ["TimeoutError"]}))
    ('q1',)
    """
    if isinstance(failed, str):  # for `known` to refuse
        return failed
    if isinstance(failed, pd.DataFrame):
        check_columns(failed, [QUERY_ID], "failed")
        failed = failed[QUERY_ID]
    return tuple(failed)


def number(value: Any, name: str) -> float:
    """Return a number as a float; NaN, True and text are refused.

    Examples
    --------
    >>> number(2, "threshold")
    2.0
    >>> number("0.5", "threshold")
    Traceback (most recent call last):
    ValueError: threshold is '0.5'; expected a number
    """
    if isinstance(value, bool) or not isinstance(value, Real) or isnan(value):
        raise ValueError(f"{name} is {value!r}; expected a number")
    return float(value)


def share(value: Any, name: str) -> float:
    """Return a number from 0 to 1; anything else is refused, with the mending of a percentage.

    Examples
    --------
    >>> share(15, "prevalence")
    Traceback (most recent call last):
    ValueError: prevalence is 15; expected a share from 0 to 1 (15% is 0.15)
    """
    if not 0 <= number(value, name) <= 1:
        raise ValueError(f"{name} is {value}; expected a share from 0 to 1 (15% is 0.15)")
    return float(value)
