"""Compute the numbers of OUTCOMES.md and of the data card again, from the shipped files (--check writes nothing).

Both documents hold blocks between `<!-- made: name -->` and `<!-- end -->`; the function `name` below makes each.
"""

from __future__ import annotations

import re
import sys
import warnings
from collections.abc import Iterable, Sequence
from functools import cache

import numpy as np
import pandas as pd
from sklearn.metrics import roc_auc_score

from course_utils import paths
from course_utils.evaluation import evaluate
from course_utils.formats import read_run
from course_utils.golden_set import GoldenSet, agreement, judged_at, load_golden_set, pairs
from course_utils.golden_set._pool import top
from course_utils.schema import CourseWarning
from course_utils.significance import Interval, bootstrap_mean, wilson

Rows = Iterable[Sequence[object]]
NDCG = "nDCG@10"
MEASURES = [NDCG, "Recall@3", "Recall@10", "RR@10"]
THREE = ["bm25", "dense", "hybrid"]  # the systems that PREDICTIONS.md speaks of
NAMES = {"bm25": "BM25", "rrf": "RRF", "minilm": "MiniLM"}
ALL = "English, all"
SCRIPTS = {"twins, Devanagari": "Deva", "twins, romanised": "Latn", "twins, code-mixed": "Mixed"}

golden = cache(load_golden_set)
systems = cache(lambda: {file.stem: read_run(file) for file in sorted(paths.assets("runs").glob("*.run"))})
scores = cache(lambda: {name: scored(run, golden().qrels) for name, run in systems().items()})

# --- what is compared ------------------------------------------------------------------------------


def scored(run: pd.DataFrame, qrels: pd.DataFrame) -> pd.DataFrame:
    """Return the measures of every question; the convention breaks ties at a cut-off, so they need no warning."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CourseWarning)
        return evaluate(qrels, run, MEASURES, queries=golden().questions["query_id"])


@cache
def ids(lang: str = "en", answerable: bool = True, **conditions: str) -> tuple[str, ...]:
    """Return the questions that meet the conditions, the showcase ones left out."""
    rows = golden().questions
    for column, value in {"lang": lang, "answerable": answerable, "showcase": False, **conditions}.items():
        rows = rows[rows[column] == value]
    return tuple(rows["query_id"])


def predictions() -> dict[str, str]:
    """Return the predicted best system of each group, from the table in PREDICTIONS.md."""
    text = paths.assets("golden_set", "PREDICTIONS.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (.+?) \| (BM25|dense|hybrid) \|", text, flags=re.MULTILINE)
    return {group.strip("`"): best.lower() for group, best in rows}


def group(name: str) -> list[str]:
    """Return the answerable questions of a group of PREDICTIONS.md."""
    if name in SCRIPTS:
        return list(ids("hi", script=SCRIPTS[name]))
    return list(ids() if name == ALL else ids(type=name))


def by_need(frame: pd.DataFrame) -> set[tuple[str, str]]:
    """Return the pairs of need and document in a frame: what a twin has counts for its original."""
    return set(zip(golden().originals[frame["query_id"]], frame["doc_id"], strict=True))


def pooled() -> dict[str, set[tuple[str, str]]]:
    """Return the pairs that each system put into the pool."""
    return {name: by_need(top(run, 10)) for name, run in systems().items()}


def judged() -> pd.DataFrame:
    """Return the judgements without the copies that the twins have."""
    return golden().qrels[golden().qrels["query_id"].isin(golden().originals)]


def whole() -> list[str]:
    """Return the needs for which every document was judged."""
    counts = judged()["query_id"].value_counts()
    return sorted(counts[counts == len(golden().documents)].index)


# --- how it is written -----------------------------------------------------------------------------


def num(value: float, digits: int = 3) -> str:
    """Return .734 for 0.734."""
    return re.sub(r"\b0\.", ".", f"{round(float(value), digits) + 0.0:.{digits}f}")


def span(ends: Sequence[float], digits: int = 2) -> str:
    """Return [.63, .75]."""
    return f"[{num(ends[0], digits)}, {num(ends[1], digits)}]"


@cache
def _ends(values: tuple[float, ...], needs: tuple[str, ...]) -> Interval:
    return bootstrap_mean(values, groups=needs)


def ends(values: pd.Series) -> Interval:
    """Return the bootstrap interval of a mean, resampled by need."""
    return _ends(tuple(values), tuple(golden().originals[values.index]))


def mean(values: pd.Series, digits: int = 2) -> str:
    """Return a mean with its interval."""
    return f"{num(values.mean())} {span(ends(values), digits)}"


def table(head: Sequence[str], rows: Rows) -> str:
    """Return a Markdown table."""
    return "\n".join("| " + " | ".join(map(str, row)) + " |" for row in (head, ["---"] * len(head), *rows))


def label(name: str) -> str:
    """Return a system's name as it is printed."""
    return NAMES.get(name, name)


def outcome(held: bool) -> str:
    """Return how a prediction fared."""
    return "held" if held else "**failed**"


# --- predictions -----------------------------------------------------------------------------------


def best_by_group() -> str:
    """Predictions of the best of three systems, one row per group."""
    rows = []
    for name, said in predictions().items():
        values = {one: scores()[one].loc[group(name), NDCG] for one in THREE}
        best, second, _ = sorted(THREE, key=lambda one: -values[one].mean())
        lead = values[best] - values[second]
        behind = "" if best == said else mean(values[best] - values[said], 3)
        cells = [*(num(values[one].mean()) for one in THREE), label(said), label(best), mean(lead, 3), behind]
        rows.append(
            [name, len(lead), *cells, outcome(best == said), "yes" if ends(lead).low > 0 else "cannot tell"]
        )
    held, clear = sum(row[-2] == "held" for row in rows), sum(row[-1] == "yes" for row in rows)
    head = [
        "group",
        "n",
        *map(label, THREE),
        "predicted",
        "best",
        "best − second",
        "best − predicted",
        "outcome",
    ]
    return table([*head, "lead beyond chance"], rows) + (
        f"\n\n{held} of {len(rows)} held, {len(rows) - held} failed. The lead of the best over the second is larger "
        f"than chance in {clear} of {len(rows)} groups; in the others nobody can tell, held or not."
    )


def numbered() -> str:
    """Return the outcomes of the numbered predictions."""
    rows = [*_ranges(), *_worst_types(), *_abstentions(), *_areas(), *_kinds(), *_recalls(), _archived()]
    failed = sum(row[-1] == outcome(False) for row in rows)
    unsure = sum(row[-1] == "cannot tell" for row in rows)
    told = f"{len(rows) - failed - unsure} of {len(rows)} held, {failed} failed, {unsure} cannot be told."
    return table(["no.", "prediction", "found", "outcome"], rows) + f"\n\n{told}"


def _ranges() -> Rows:
    for name, low, high in (("hybrid", 0.72, 0.82), ("dense", 0.66, 0.78), ("bm25", 0.58, 0.72)):
        one = scores()[name].loc[group(ALL), NDCG]
        said = f"{label(name)}, English: {NDCG} between {num(low, 2)} and {num(high, 2)}"
        yield 1, said, f"{mean(one)}, n = {len(one)}", outcome(low <= one.mean() <= high)


def _worst_types() -> Rows:
    for name, said in (("bm25", "noisy"), ("dense", "identifier")):
        means = {one: scores()[name].loc[group(one), NDCG].mean() for one in list(predictions())[:6]}
        worst = min(means, key=lambda one: means[one])
        found = f"`{worst}` {num(means[worst])}; `{said}` has {num(means[said])}"
        yield 2, f"{label(name)}'s worst English type is `{said}`", found, outcome(worst == said)


def _abstentions() -> Rows:
    answered = set(systems()["bm25"]["query_id"])
    in_devanagari = list(ids("hi", False, script="Deva"))
    for lang, said, expected in (
        ("en", "0 of 30 English", []),
        ("hi", "2 of 6 Hindi (Devanagari)", in_devanagari),
    ):
        asked = ids(lang, False)
        none = [one for one in asked if one not in answered]
        found = f"{len(none)} of {len(asked)}" + (f": {', '.join(none)}" if none else "")
        yield (
            3,
            f"unanswerable questions for which BM25 returns nothing: {said}",
            found,
            outcome(none == expected),
        )


def _areas() -> Rows:
    asked = ids(answerable=False)
    for name, high in (("bm25", 0.75), ("dense", 0.80)):
        area, around = auroc(name, asked)
        said = f"{label(name)}'s top score, answerable against unanswerable: AUROC between .60 and {num(high, 2)}"
        yield (
            4,
            said,
            f"{num(area)} {span(around)}, n = {len(ids())} and {len(asked)}",
            outcome(0.6 <= area <= high),
        )


def _kinds() -> Rows:
    misses = ids(answerable=False, unanswerable_kind="near_miss")
    kinds = {
        "near-miss codes": ids(answerable=False, unanswerable_kind="near_miss", type="identifier"),
        "wrong-region questions": ids(answerable=False, unanswerable_kind="wrong_region"),
    }
    for name in ("bm25", "dense"):
        for kind, asked in kinds.items():
            area, around = auroc(name, asked)
            whole_area, whole_span = auroc(name, misses)
            rest = (
                f"; all {len(misses)} near misses {num(whole_area)} {span(whole_span)}"
                if "miss" in kind
                else ""
            )
            same = (
                outcome(False) if around.low > 0.5 else "cannot tell" if around.high > 0.5 else outcome(True)
            )
            said = f"{label(name)}: {kind} score as high as answerable ones (AUROC .5 or less)"
            yield 4, said, f"{num(area)} {span(around)}, only {len(asked)} of them{rest}", same


def auroc(system: str, asked: Sequence[str]) -> tuple[float, Interval]:
    """Return the area under the ROC curve of the top score, answerable against those asked, and its interval."""
    best = systems()[system].groupby("query_id")["score"].max()
    yes, no = (best.reindex(list(one), fill_value=0.0).to_numpy() for one in (ids(), asked))
    area = roc_auc_score([1] * len(yes) + [0] * len(no), np.concatenate([yes, no]))
    # The area is the share of pairs in the right order: questions are drawn by weighting its rows and columns.
    right = (yes[:, None] > no) + 0.5 * (yes[:, None] == no)
    rng = np.random.default_rng(0)
    rows, columns = (rng.multinomial(n, [1 / n] * n, size=9999) / n for n in right.shape)
    low, high = np.quantile((rows @ right * columns).sum(axis=1), [0.025, 0.975])
    return float(area), Interval(float(low), float(high))


def _recalls() -> Rows:
    recalls = scores()["hybrid"].loc[group(ALL)]
    for measure, low, high, said in (("Recall@10", 0.9, 1, "above .90"), ("Recall@3", 0, 0.85, "below .85")):
        one = recalls[measure]
        yield (
            5,
            f"hybrid, English: {measure} {said}",
            f"{mean(one)}, n = {len(one)}",
            outcome(low < one.mean() < high),
        )


def _archived() -> Sequence[object]:
    above = {name: archived_above(name) for name in THREE}
    count, n = sum(above["dense"]), len(above["dense"])
    rest = ", ".join(f"{label(name)} {sum(above[name])}" for name in ("bm25", "hybrid"))
    said = "dense puts the archived page above the current one in at least a third of the questions that have one"
    return (
        6,
        said,
        f"{count} of {n}, {num(count / n)} {span(wilson(count, n))}; {rest}",
        outcome(count >= n / 3),
    )


def archived_above(system: str) -> list[bool]:
    """Return for each question with a superseded archived page whether it stands above every relevant page."""
    archived = golden().documents.query("status == 'archived'")["doc_id"]
    old = golden().annotations.query("annotator == 'first' and reason == 'superseded'")
    stale = dict(list(old[old["doc_id"].isin(archived)].groupby("query_id")["doc_id"]))
    relevant = dict(list(golden().qrels.query("relevance > 0").groupby("query_id")["doc_id"]))
    ranked = dict(list(top(systems()[system], 50).groupby("query_id")["doc_id"]))

    def place(query: str, documents: pd.Series) -> int:
        return next((at for at, one in enumerate(ranked[query]) if one in set(documents)), 50)

    return [place(one, stale[one]) < place(one, relevant[one]) for one in ids() if one in stale]


# --- systems ---------------------------------------------------------------------------------------


def by_type() -> str:
    """Return nDCG@10 of every system in every group."""
    rows = []
    for name in predictions():
        queries = group(name)
        rows.append([name, len(queries), *(mean(one.loc[queries, NDCG]) for one in scores().values())])
    return table(["group", "n", *map(label, systems())], rows)


def by_split() -> str:
    """Return all measures of every system, dev and test apart."""
    rows = []
    for split in ("dev", "test"):
        queries = list(ids(split=split))
        for name, one in scores().items():
            rest = [num(one.loc[queries, measure].mean()) for measure in MEASURES[1:]]
            share = num(judged_at(systems()[name], golden())[queries].mean())
            rows.append([split, label(name), len(queries), mean(one.loc[queries, NDCG]), *rest, share])
    return table(["split", "system", "n", *MEASURES, "Judged@10"], rows)


def range_check() -> str:
    """Return whether the best mean lies in the range that the protocol allows."""
    means = {name: one.loc[group(ALL), NDCG].mean() for name, one in scores().items()}
    best, three = max(means, key=lambda one: means[one]), max(THREE, key=lambda one: means[one])
    inside = "inside" if 0.5 < means[best] < 0.95 and 0.5 < means[three] < 0.95 else "**outside**"
    return (
        f"Best of all six: {label(best)}, {num(means[best])}. Best of the three with predictions: {label(three)}, "
        f"{num(means[three])}. n = {len(ids())}. Range: .5 to .95; both are {inside}."
    )


def left_out() -> str:
    """Return what each system alone brought to the pool, and what it would lose without it."""
    kin = {name: {name} for name in systems()}
    kin |= {name: {name, "hybrid", "rrf"} for name in ("BM25 and its mixtures", "dense and its mixtures")}
    owner = list(zip(golden().originals[golden().qrels["query_id"]], golden().qrels["doc_id"], strict=True))
    pairs_of, relevant, rows = pooled(), by_need(judged().query("relevance > 0")), []
    for title, family in kin.items():
        name = title.split()[0].lower()
        family = (family - {title}) | {name}
        others = [found for other, found in pairs_of.items() if other not in family]
        alone = set().union(*(pairs_of[one] for one in family)).difference(*others)
        kept = golden().qrels[[pair not in alone for pair in owner]]
        less = scored(systems()[name], kept).loc[group(ALL), NDCG].dropna()
        full = scores()[name].loc[less.index, NDCG]
        share = [judged_at(systems()[name], one)[group(ALL)].mean() for one in (golden(), _with(kept))]
        means = [full.mean(), less.mean(), less.mean() - full.mean(), *share]
        rows.append([label(title), len(alone), len(alone & relevant), len(less), *map(num, means)])
    head = [
        "left out",
        "only in its lists",
        "of these relevant",
        "n",
        "nDCG@10, all labels",
        "without its own",
    ]
    return table([*head, "difference", "Judged@10, all labels", "without its own"], rows)


def _with(qrels: pd.DataFrame) -> GoldenSet:
    return GoldenSet(documents=golden().documents, questions=golden().questions, qrels=qrels)


# --- labels ----------------------------------------------------------------------------------------


def with_final() -> pd.DataFrame:
    """Return the annotations, and the shipped judgements as one more judge, "final"."""
    final = judged().rename(columns={"relevance": "grade"}).assign(annotator="final")
    return pd.concat([golden().annotations, final], ignore_index=True)


def agreements() -> pd.DataFrame:
    """Return n needs, n pairs and the five agreements, for first–second and final–model."""
    both = {"first and second": ("first", "second"), "final and model": ("final", "model")}
    found = {}
    for name, judges in both.items():
        needs = pairs(with_final(), *judges)["query_id"].nunique()
        found[name] = pd.concat([pd.Series({"needs": float(needs)}), agreement(with_final(), *judges)])
    return pd.DataFrame(found).T


def agreement_table() -> str:
    """Return the agreements, and the counts behind them."""
    found = agreements()
    rows = [
        [name, int(one.iloc[0]), int(one.iloc[1]), *map(num, one.iloc[2:])] for name, one in found.iterrows()
    ]
    parts = [table(["judges", *found.columns.str.replace("^n$", "pairs", regex=True)], rows)]
    for first, second in (("first", "second"), ("final", "model")):
        counts = pairs(with_final(), first, second)
        crossed = pd.crosstab(counts[first], counts[second]).reindex(
            index=range(3), columns=range(3), fill_value=0
        )
        parts.append(
            table([f"{first} ↓ {second} →", "0", "1", "2"], [[at, *row] for at, row in crossed.iterrows()])
        )
    zeros = golden().annotations.query("annotator in ['first', 'second'] and grade == 0")
    reasons = zeros.pivot(index=["query_id", "doc_id"], columns="annotator", values="reason").dropna()
    same = int((reasons["first"] == reasons["second"]).sum())
    said = f"Of {len(reasons)} zeros of both passes {same} ({num(same / len(reasons), 2)}) have the same reason code."
    both = by_need(pairs(golden().annotations, "first", "second")) - set().union(*pooled().values())
    outside = f"{len(both)} of the pairs of first and second is a document outside the pool that both named."
    return "\n\n".join([*parts, f"{outside} {said}"])


def pool_recall() -> str:
    """Return how many of the relevant documents of the needs judged completely were in the pool."""
    there = by_need(judged().query("relevance > 0"))
    inside = set().union(*pooled().values())
    relevant = {pair for pair in there if pair[0] in whole()}
    found, n = len(relevant & inside), len(relevant)
    outside = sorted(there - inside)
    drawn = [f"`{document}` for {need}" for need, document in outside if need in whole()]
    named = [f"`{document}` for {need}" for need, document in outside if need not in whole()]
    return (
        f"Needs judged completely: {len(whole())} ({', '.join(whole())}). Relevant: {n} documents, {found} in the pool."
        f" Recall of the pool: {num(found / n, 2)}, Wilson interval {span(wilson(found, n))}.\n\n"
        f"Relevant documents outside the pool, all needs: {len(outside)}. By judging everything: {', '.join(drawn)}. "
        f"Named by judges: {', '.join(named)}."
    )


def distribution() -> str:
    """Return relevant documents per question, grades and reasons."""
    positive = judged().query("relevance > 0")["query_id"].value_counts()
    asked = golden().subset(lang="en", answerable=True).questions["query_id"]
    counts = positive.reindex(asked, fill_value=0).value_counts().sort_index()
    first = golden().annotations.query("annotator == 'first'")
    reasons = first["reason"].where(first["reason"] != "", "(none)")
    codes = ["(none)", "part", "superseded", "wrong_region", "wrong_role", "topical", "mention"]
    crossed = pd.crosstab(first["grade"], reasons).reindex(columns=codes, fill_value=0)
    share = positive.reindex(asked).mean()
    return "\n\n".join(
        [
            table(["relevant documents", *counts.index], [["English answerable questions", *counts]]),
            f"Mean {num(share, 2)} over {len(asked)} questions, the showcase ones included.",
            table(
                ["first pass", *crossed.columns], [[f"grade {at}", *row] for at, row in crossed.iterrows()]
            ),
        ]
    )


def label_section() -> str:
    """Return the counts of the data card."""
    pair, row = judged()["relevance"].value_counts(), golden().qrels["relevance"].value_counts()
    notes, found = golden().annotations["annotator"].value_counts(), agreements()
    needs = golden().annotations.groupby("annotator")["query_id"].nunique()
    rows = [[f"grade {grade}", pair[grade], row[grade]] for grade in (2, 1, 0)]
    lines = [
        f"- {name}: kappa {num(one['kappa'], 2)}, with quadratic weights {num(one['kappa, quadratic weights'], 2)}, "
        f"positive agreement {num(one['positive agreement'], 2)} ({one['n']:.0f} pairs of {one['needs']:.0f} needs)."
        for name, one in found.iterrows()
    ]
    told = ", ".join(
        f"`{name}` {notes[name]} rows for {needs[name]} needs" for name in needs.sort_values().index[::-1]
    )
    counts = table(
        ["judgements", "need and document", "with the twins' rows"], [*rows, ["all", pair.sum(), row.sum()]]
    )
    return "\n\n".join([counts, f"Annotations: {told}.", "\n".join(lines)])


def file_counts() -> str:
    """Return the sizes of runs, vectors, templates and the starter set."""
    runs = ", ".join(f"`{name}` {len(run)}" for name, run in systems().items())
    deepest = max(run.groupby("query_id").size().max() for run in systems().values())
    sizes = {
        kind: np.load(paths.assets("vectors", f"{kind}.e5.npy")).shape
        for kind in ("documents", "passages", "questions")
    }
    vectors = ", ".join(f"{rows} {kind}" for kind, (rows, _) in sizes.items())
    starter = load_golden_set(paths.assets("examples", "starter"))
    return (
        f"- `runs/*.run`: rows of each system: {runs}; at most {deepest} documents a question.\n"
        f"- `vectors/`: {vectors}, twice, each of {sizes['documents'][1]} numbers.\n"
        f"- `examples/starter/`: {len(starter.documents)} pages, {len(starter.questions)} questions, "
        f"{len(starter.qrels)} judgements."
    )


MADE = [
    best_by_group, numbered, by_type, by_split, range_check, agreement_table, pool_recall, left_out, distribution,
    label_section, file_counts,
]  # fmt: skip
FILES = ["golden_set/OUTCOMES.md", "README.md"]


def filled(text: str) -> str:
    """Return a document with each of its blocks made again."""
    blocks = {make.__name__: make for make in MADE}

    def block(match: re.Match[str]) -> str:
        return f"{match[1]}\n{blocks[match[2]]()}\n{match[3]}"

    return re.sub(r"(<!-- made: (\w+) -->)\n.*?(<!-- end -->)", block, text, flags=re.DOTALL)


def main(words: list[str]) -> int:
    """Fill both documents; with --check, name those that differ."""
    differ = []
    for path in map(paths.assets, FILES):
        old = path.read_text(encoding="utf-8")
        if (new := filled(old)) != old:
            differ.append(path.name)
            if words != ["--check"]:
                path.write_text(new, encoding="utf-8", newline="\n")
    for name in differ if words == ["--check"] else []:
        print(f"{name} is not what the files in assets give now: python .ci/outcomes.py", file=sys.stderr)
    return int(words == ["--check"] and bool(differ))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
