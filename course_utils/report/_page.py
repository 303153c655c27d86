"""One self-contained page: which questions, how well by type, what is declined, where it goes wrong."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from course_utils.evaluation import DEFAULT
from course_utils.formats._text import write_whole
from course_utils.golden_set import GoldenSet
from course_utils.report import _parts as parts
from course_utils.report._html import document, paragraph, section
from course_utils.report._refusals import refusals
from course_utils.report._tables import column, kept, score
from course_utils.schema import Table, plural


def page(
    runs: Mapping[str, Table],
    golden_set: GoldenSet,
    *,
    measure: str = "nDCG@10",
    count: int = 10,
    causes: Mapping[str, str] | None = None,
    failed: Mapping[str, Any] | None = None,
) -> str:
    """Return a report as one HTML page, with nothing to fetch and no script.

    Parameters
    ----------
    runs
        `{name: run}`. The worst questions are those of the first; each other run is compared with it.
    golden_set
        The questions to report on: a subset if you want one part. The split stands in the title.
    measure
        By which questions are ordered.
    count
        How many of the worst questions are shown.
    causes
        A class of `CAUSES` by query id, which you assign after reading.
    failed
        `{name: what failed}`, ids or an adapter's frame `failed`, of the runs at which the system broke on questions.

    Returns
    -------
    str
        HTML.

    Examples
    --------
    >>> from course_utils import load_golden_set, paths
    >>> golden = load_golden_set(paths.assets("templates")).subset(split="dev")
    >>> html = page({"A": {"q1": {"leave-annual": 1.0}}}, golden)
    >>> "<h1>Retrieval report: dev split, 2 questions</h1>" in html
    True
    """
    if not runs:
        raise ValueError("nothing to report: expected at least one run")
    mine = {name: kept(run, golden_set) for name, run in runs.items()}
    measures = list(dict.fromkeys([*DEFAULT, "Recall@3", measure]))
    scores = {name: score(run, golden_set, measures) for name, run in mine.items()}
    measure = _canonical(measure, scores)
    if column(next(iter(scores.values())), measure).notna().sum() == 0:
        raise ValueError(
            f"no question of the {_split(golden_set)} has a ranking score: none is answerable and judged relevant"
        )
    body = [
        _introduction(golden_set, list(runs)),
        section("All questions", parts.means(scores, mine, golden_set)),
        section("By type", *parts.types(scores, golden_set, measure)),
        section("Answered or declined", *refusals(mine, golden_set, failed or {})),
        section("Recall and the cutoff", *parts.recall(mine, golden_set, scores)),
    ]
    if len(runs) > 1:
        body.append(section("Biggest movers", *parts.changes(scores, golden_set, measure)))
    body.append(section("Worst questions", *parts.lowest(mine, scores, golden_set, measure, count)))
    body.append(section("Causes", *parts.causes(causes)))
    return document(_title(golden_set), "".join(body))


def write_page(path: str | Path, *arguments: Any, **options: Any) -> None:
    """Write a report to a file, whole or not at all; the arguments are those of `page`.

    Examples
    --------
    >>> import tempfile
    >>> from course_utils import load_golden_set, paths
    >>> golden = load_golden_set(paths.assets("templates"))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_page(Path(folder, "report.html"), {"A": {"q1": {"leave-annual": 1.0}}}, golden)
    ...     Path(folder, "report.html").read_text()[:15]
    '<!doctype html>'
    """
    write_whole(Path(path), page(*arguments, **options))


def _canonical(measure: str, scores: Mapping[str, pd.DataFrame]) -> str:
    """Return the name under which the scores keep a measure that was asked for by an alias."""
    from course_utils.evaluation._names import parse_measures

    name = parse_measures(measure)[0].name
    column(next(iter(scores.values())), name)
    return name


def _split(golden_set: GoldenSet) -> str:
    found: Sequence[str] = sorted(golden_set.questions["split"].replace("", pd.NA).dropna().unique())
    if len(found) == 1:
        return f"{found[0]} split"
    return f"splits {' and '.join(found)} together" if found else "no split"


def _title(golden_set: GoldenSet) -> str:
    return f"Retrieval report: {_split(golden_set)}, {plural(len(golden_set.questions), 'question')}"


def _introduction(golden_set: GoldenSet, names: list[str]) -> str:
    stated = golden_set.answerable.fillna(False).astype(bool)
    told = (
        f"Systems: {', '.join(names)}. Of {plural(len(stated), 'question')}, {int(stated.sum())} are stated "
        f"answerable. Golden set, this part: fingerprint {golden_set.fingerprint[:12]}."
    )
    how = (
        "Every mean is shown with n, the number of questions in it. Order: score, then document id, both "
        "descending. Linear gain. Intervals: 95%, bootstrap for means (by need), Wilson for rates. With fewer "
        "than about 30 questions a bootstrap interval is too narrow. Judged@10: what share of the first ten somebody "
        "judged; the rest counts as no use. “No value” is not 0."
    )
    warning = (
        "The test split was opened for this page. Do not choose or tune by it: it counts once."
        if "test" in set(golden_set.questions["split"])
        else ""
    )
    return paragraph(told) + paragraph(how) + (paragraph(warning) if warning else "")
