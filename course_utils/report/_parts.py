"""The sections of the page."""

from collections.abc import Iterable, Mapping
from html import escape
from typing import Any

import pandas as pd

from course_utils import plots
from course_utils.evaluation import summarize
from course_utils.golden_set import GoldenSet, judged_at
from course_utils.i18n import text
from course_utils.report._causes import CAUSES, count_causes
from course_utils.report._html import attribute, cell, figure, interval, number, paragraph, table
from course_utils.report._lists import movers, side_by_side, snippet, worst
from course_utils.report._tables import by_type, column, grid, recall_curves
from course_utils.schema import QUERY_ID, TEXT, plural

Scores = Mapping[str, pd.DataFrame]
WORDS = {2: "2, answers", 1: "1, part", 0: "0, no use"}
LINES = 4  # as many as the palette tells apart


def at(frame: pd.DataFrame, row: Any, name: str) -> Any:
    """Return one cell of a frame, of whatever type it is.

    Examples
    --------
    >>> int(at(pd.DataFrame({"n": [3]}, index=["noisy"]), "noisy", "n"))
    3
    """
    return frame.at[row, name]


def labels(names: Iterable[Any]) -> dict[Any, str]:
    r"""Return names as a figure can bear them: short, no two alike, and a dollar sign is no formula.

    Examples
    --------
    >>> labels(["bm25", "a" * 30, "a" * 31, "$1"])["bm25"]
    'bm25'
    >>> list(labels(["a" * 30, "a" * 31, "$1"]).values())
    ['aaaaaaaaaaaaaaaaaaa …', 'aaaaaaaaaaaaaaaaaaa … (2)', '\\$1']
    """
    found: dict[Any, str] = {}
    for place, name in enumerate(names, start=1):
        short = snippet(str(name), 20)
        found[name] = (f"{short} ({place})" if short in found.values() else short).replace("$", r"\$")
    return found


def means(scores: Scores, runs: Mapping[str, pd.DataFrame], golden: GoldenSet) -> str:
    """Write the means of every measure and system, and what share of the lists somebody judged."""
    tables = {name: _means(one, judged_at(runs[name], golden)) for name, one in scores.items()}
    head = list(next(iter(tables.values())))
    shown = {"n": "n", "n_undefined": "not in the means"}
    rows = [
        (name, [cell(int(row[h]) if h in shown else float(row[h])) for h in head])
        for name, row in tables.items()
    ]
    return table("Means by system", ["system", *(shown.get(h, h) for h in head)], rows)


def _means(scores: pd.DataFrame, judged: pd.Series) -> dict[str, float]:
    means = summarize(scores)
    row = {str(name): float(at(means, "all", str(name))) for name in means}
    counts = {name: row.pop(name) for name in ("n", "n_undefined")}
    there = judged.reindex(scores.index[scores.notna().all(axis=1)])  # the questions of the means, no others
    return {**row, str(judged.name): float(there.mean()), **counts}


def types(scores: Scores, golden: GoldenSet, measure: str) -> list[str]:
    """Write the means by type with intervals, and the heat map."""
    tables = {name: by_type(one, golden, measure) for name, one in scores.items()}
    first = next(iter(tables.values()))
    rows = [
        (kind, [cell(interval(*one.loc[kind, ["mean", "low", "high"]])) for one in tables.values()]
         + [cell(int(at(first, kind, "n"))), cell(int(at(first, kind, "n_undefined")))])
        for kind in first.index
    ]  # fmt: skip
    heats = grid(scores, golden, measure)
    fig, (ax,) = plots.axes(2.6 + 1.6 * len(scores), 0.6 + 0.42 * len(heats))
    plots.heat(ax, heats.rename(columns=labels(scores), index=labels(heats.index)))
    alt = f"Heat map of mean {measure} by type and system. " + _spoken(heats)
    told = f"{measure} by type: mean and 95% interval"
    return [
        table(told, ["type", *tables, "n", "not in the means"], rows),
        figure(plots.show(fig, alt), f"Mean {measure} by type and system; n in brackets."),
    ]


def _spoken(heats: pd.DataFrame) -> str:
    systems = heats.drop(columns="n")
    said = [
        f"{kind} (n {int(at(heats, kind, 'n'))}): "
        + ", ".join(f"{name} {number(float(value))}" for name, value in systems.loc[kind].items())
        for kind in heats.index
    ]
    return "; ".join(said) + "."


def recall(runs: Mapping[str, pd.DataFrame], golden: GoldenSet, scores: Scores) -> list[str]:
    """Draw recall against the cutoff, at most four systems to a figure."""
    curves = recall_curves(runs, golden)
    n = int(next(iter(scores.values())).notna().all(axis=1).sum())
    made = []
    for start in range(0, curves.shape[1], LINES):
        some = curves.iloc[:, start : start + LINES]
        fig, (ax,) = plots.axes(7, 3)
        plots.score_by_cutoff(ax, {labels(curves)[name]: some[name].tolist() for name in some})
        ax.set_ylabel("Recall@k")
        ends = "; ".join(
            f"{name} from {some[name].iloc[0]:.2f} to {some[name].iloc[-1]:.2f}" for name in some
        )
        alt = f"Mean Recall@k against the cutoff k from 1 to {len(some)}, n {n}: {ends}."
        made.append(figure(plots.show(fig, alt), f"Mean Recall@k over {plural(n, 'question')}."))
    return made


def changes(scores: Scores, golden: GoldenSet, measure: str) -> list[str]:
    """Write what moved between the first system and each other one."""
    (first, before), *others = scores.items()
    made = []
    for name, after in others:
        change = (column(after, measure) - column(before, measure)).dropna()
        moved = movers(before, after, golden, measure)
        up, down, same = (int(s.sum()) for s in (change > 0, change < 0, change == 0))
        fig, (ax,) = plots.axes(7, 2.8)
        plots.differences(
            ax, change.tolist(), text("plot.better", name=name), text("plot.better", name=first)
        )
        ax.set(ylabel=text("plot.difference_of", measure=measure), xlim=(0, len(change) + 1))
        told = f"{measure} of {name} minus {first}, n {len(change)}: {up} up, {down} down, {same} equal"
        alt = f"One line per question, sorted: {told}. The mean difference is {change.mean():.2f}."
        rows = [(str(query), _moved(row, golden, str(query))) for query, row in moved.iterrows()]
        head = ["question", first, name, "change", "type", "text"]
        made += [
            figure(plots.show(fig, alt), f"{told}."),
            table(f"Biggest movers, {first} to {name}", head, rows),
        ]
    return made


def _moved(row: pd.Series, golden: GoldenSet, query: str) -> list[str]:
    numbers = [cell(float(row[name])) for name in ("before", "after", "change")]
    return [*numbers, cell(str(row["type"])), cell(str(row[TEXT]), language(golden, query))]


def language(golden: GoldenSet, query: str) -> str:
    """Return a question's language as HTML wants it, such as hi-Latn; nothing if it is not stated."""
    row = golden.questions.set_index(QUERY_ID).loc[query]
    lang, script = (str(row[name]) if pd.notna(row[name]) else "" for name in ("lang", "script"))
    return f"{lang}-{script}" if lang and script and (lang, script) != ("en", "Latn") else lang


def lowest(
    runs: Mapping[str, pd.DataFrame], scores: Scores, golden: GoldenSet, measure: str, count: int
) -> list[str]:
    """Write the worst questions of the first system, with the lists of all systems beside each other."""
    (first, mine), *_ = scores.items()
    shown = worst(mine, golden, measure, count)
    equal = int((column(mine, measure) == shown[measure].max()).sum())
    told = (
        f"The {len(shown)} lowest {measure} of {first}. {plural(equal, 'question')} in all score "
        f"{shown[measure].max():.2f}; equal ones stand in the order of the set. They were chosen for being low under "
        f"{first}: expect other systems to look better here, by selection alone."
    )
    made = [paragraph(told)]
    for query in map(str, shown.index):
        head = f"<h3{attribute('lang', language(golden, query))}>{escape(query)}: {escape(golden.texts[query])}</h3>\n"
        values = ", ".join(f"{name} {number(float(at(one, query, measure)))}" for name, one in scores.items())
        relevant = [f"{doc} ({grade})" for doc, grade in golden.grades(query).items() if grade > 0]
        note = f"Type: {golden.types[query]}. {measure}: {values}. Relevant: {', '.join(relevant)}."
        made += [head, paragraph(note), _lists(query, runs, golden)]
    return made


def _lists(query: str, runs: Mapping[str, pd.DataFrame], golden: GoldenSet) -> str:
    found = side_by_side(query, runs, golden)
    listed = {name: found[found["system"] == name].set_index("rank") for name in runs}
    ranks = range(1, int(found["rank"].max() if len(found) else 0) + 1)
    rows = [(str(rank), [_entry(one, rank) for one in listed.values()]) for rank in ranks]
    if not rows:
        return paragraph("Every system returned nothing.")
    return table(f"{query}: lists side by side", ["rank", *listed], rows, "lists")


def _entry(listed: pd.DataFrame, rank: int) -> str:
    if rank not in listed.index:
        return cell("nothing returned")
    row = listed.loc[rank]
    grade: int | None = None if pd.isna(row["grade"]) else int(row["grade"])
    word = "not judged" if grade is None else WORDS.get(grade, str(grade))
    kind = "open" if grade is None else str(max(0, min(grade, 2)))
    title = escape(str(row["title"]) or str(row["doc_id"]))
    return (
        f'<td><span class="grade grade-{kind}">{word}</span>{title} <code>{escape(str(row["doc_id"]))}</code>'
        f'<span class="snippet">{escape(str(row["snippet"]))}</span></td>'
    )


def causes(assigned: Mapping[str, str] | None) -> list[str]:
    """Write the causes that were assigned, counted, or say how to assign them."""
    if not assigned:
        told = "None assigned yet. Read the worst questions, then give each one of: "
        return [paragraph(f"{told}{', '.join(CAUSES)}. A CSV file with query_id,cause will do.")]
    counted = count_causes(assigned)
    rows = [
        (str(c), [cell(int(row["count"])), cell(int(row["n"])), cell(str(row["questions"]))])
        for c, row in counted.iterrows()
    ]
    return [table("Causes, as assigned by a reader", ["cause", "count", "n", "questions"], rows)]
