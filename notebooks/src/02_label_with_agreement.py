# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3 (ipykernel)
#     language: python
#     name: python3
# ---

# %% [markdown] key="title"
# # Label with agreement
#
# A label is one person's opinion until a second person, alone, comes to the same. How often that happens limits what any score can mean.
#
# **By the end you can**
# - grade documents 0, 1 or 2 by a guideline, over a pool;
# - compute raw agreement and Cohen's κ on paper, and say what κ does not cure;
# - repair the guideline instead of the labels, and see what unjudged documents do to a score.
#
# **45 minutes.** Before: [Build a golden set](01_build_a_golden_set.ipynb).

# %% key="start"
import sys

sys.path += ["..", "../..", "../../.."]  # so that the course is found, wherever this notebook lies
from dataclasses import replace

import pandas as pd

from course_utils import evaluate, load_golden_set, paths, plots, read_run, significance
from course_utils.golden_set import agreement, judged_at, pairs
from course_utils.i18n import text
from course_utils.lessons import check, predict, quiz, reveal, start

start()

# %% key="predict-kappa"
predict("02-ninety-percent", ...)

# %% [markdown] key="guideline"
# ## Three grades and a guideline
#
# The judges of the handbook had [a guideline](../assets/golden_set/GUIDELINE.md) of one and a half pages. Its core:
#
# - `2`: the asker can stop reading. The page alone meets the need, today, in the asker's region.
# - `1`: a true part, not enough alone.
# - `0`: no use. Also the right rule for another country, and the archived version.
#
# "Not enough alone" is where judges differ. So a guideline needs rulings on cases, not adjectives. Its first ruling: the **need** decides, not the words.

# %% key="load"
handbook = load_golden_set()
labels = handbook.annotations
labels.groupby("annotator").size()

# %% [markdown] key="pool-intro"
# ## What to read: the pool
#
# 169 documents times 190 questions is more than anybody reads. Judges read the **pool**: whatever one of several systems puts in its first ten. Take three lists without names, for one question.

# %% key="pool"
lists = {n: read_run(paths.assets("runs", f"{n}.run")) for n in ("bm25", "dense", "hybrid")}
tops = [set(run[run["query_id"] == "q034"].head(10)["doc_id"]) for run in lists.values()]
[len(top) for top in tops], len(set.union(*tops))

# %% [markdown] key="pool-read"
# The lists overlap, so the pool is smaller than their sum. The handbook's pool joins six systems. Whatever none of them found was read by nobody, except for ten questions drawn by lot, for which every document was judged.

# %% [markdown] key="kappa-by-hand"
# ## Agreement by hand
#
# Two judges, 20 documents, relevant or not:
#
# | | B: relevant | B: not |
# |---|---|---|
# | A: relevant | 5 | 2 |
# | A: not | 3 | 10 |
#
# **Raw agreement** is (5 + 10) / 20 = 0.75. But two people who toss coins agree often, too. What would chance give? A says "relevant" for 7 of 20, B for 8 of 20.
#
# - both "relevant" by chance: 7/20 × 8/20 = 0.14
# - both "not" by chance: 13/20 × 12/20 = 0.39
# - together 0.53
#
# **Cohen's κ** (kappa, 1960) is the share of the way from chance to perfect: (0.75 − 0.53) / (1 − 0.53) = 0.468.


# %% key="kappa"
def cohen(both, only_a, only_b, neither):
    n = both + only_a + only_b + neither
    a, b = (both + only_a) / n, (both + only_b) / n
    observed, chance = (both + neither) / n, a * b + (1 - a) * (1 - b)
    return (observed - chance) / (1 - chance)


round(cohen(5, 2, 3, 10), 3)

# %% key="kappa-library"
judge_a = [1] * 5 + [1] * 2 + [0] * 3 + [0] * 10
judge_b = [1] * 5 + [0] * 2 + [1] * 3 + [0] * 10
round(significance.kappa(judge_a, judge_b), 3)

# %% [markdown] key="back-to-guess"
# Back to your guess. 100 documents, both judges call 10 relevant, they agree on 90. Then 5 were called relevant by both, 5 by A alone, 5 by B alone, and 85 by neither.

# %% key="reveal-kappa"
reveal("02-ninety-percent", round(cohen(5, 5, 5, 85), 3))

# %% [markdown] key="instructor-chance" tags=["instructor"]
# **Chance agreement is where beginners get lost.** Do it with cards: 20 cards, A marks 7 without looking, B marks 8 without looking. Count the agreements; repeat twice. It hovers around 0.53 × 20, about 11.
# Only then write the formula. **6 minutes.**

# %% [markdown] key="zeros"
# ## What κ does not cure
#
# κ subtracts chance, so it should not be fooled by easy cases. Try it. Add documents that are obviously useless, on which both judges say "not".

# %% key="figure-zeros"
added = list(range(0, 201, 20))
curve = {
    "κ": [cohen(5, 2, 3, 10 + zeros) for zeros in added],
    text("02-label-positive"): [2 * 5 / (2 * 5 + 2 + 3)] * len(added),
}
fig, (ax,) = plots.axes(6.8, 2.8)
plots.curves(ax, added, curve)
ax.set_xlabel(text("02-label-zeros"))
plots.show(fig, text("02-alt-zeros", k0=f"{curve['κ'][0]:.2f}", k180=f"{curve['κ'][9]:.2f}"))

# %% [markdown] key="zeros-read"
# With 180 easy zeros κ rises from 0.47 to 0.65, and nobody judges any better. **Positive agreement** does not move: 2 × 5 / (2 × 5 + 2 + 3) = 0.667. It asks: of what one judge calls relevant, how much does the other, too? So report together how the pool was made, κ, and positive agreement.

# %% [markdown] key="real"
# ## Two real label files
#
# A second judge graded the pools of 48 questions, alone, from the same guideline. Grades by both:

# %% key="real-table"
both = pairs(labels, "first", "second")
pd.crosstab(both["first"], both["second"])

# %% key="real-agreement"
figures = pd.DataFrame({"first, second": agreement(labels, "first", "second")})
figures.round(3)

# %% [markdown] key="too-good"
# That is too good to be people, and it is not people. The judges of this collection were *language models*, working apart from each other, each with the guideline and the whole handbook. Two readers of one make hardly differ. So κ measures here how well the *guideline* decides, not whether it decides *rightly*: both can share a mistake. Expect far less among colleagues.
#
# A third label file shows what the guideline is worth. The same kind of reader graded some of the pools from one line, "2 answers it, 1 related and helpful, 0 not relevant", with no rulings and no need.

# %% key="model-agreement"
figures["first, model"] = agreement(labels, "first", "model")
figures.round(3)

# %% [markdown] key="weighted"
# Raw agreement is still above 0.9, since nearly all documents are easy zeros. κ tells the two apart.
#
# κ here is over the three grades; positive agreement takes 1 and 2 together as relevant. **Weighted κ** counts 0 against 2 as worse than 1 against 2: twice as bad with linear weights, four times with quadratic ones. A large step from κ to weighted κ means that most quarrels are about a neighbouring grade.

# %% key="model-table"
third = pairs(labels, "first", "model")
pd.crosstab(third["first"], third["model"])

# %% [markdown] key="disagree"
# ## Repair the guideline, not the labels
#
# Take the disagreements one by one. Where the one-line labels say 2 and the guideline says 0:

# %% key="disagreements"
quarrel = third[(third["first"] == 0) & (third["model"] == 2)][["query_id", "doc_id"]]
noted = labels[labels["annotator"] == "first"][["query_id", "doc_id", "reason"]]
quarrel.merge(noted).merge(handbook.questions[["query_id", "need"]]).drop(columns="query_id")

# %% [markdown] key="disagree-read"
# The archived list of limits, the health cover of another country: pages that *look* like the answer. No label is "corrected" by arguing. You find the sentence of the guideline that decides, and if it is missing, you write it and grade again. Where two judges still differ, a third reading with a written reason settles it: **adjudication**.

# %% key="adjudicated"
labels[labels["annotator"] == "adjudicated"][["query_id", "doc_id", "grade", "note"]]

# %% [markdown] key="ex-kappa" exercise="02-kappa"
# ### Exercise 1: κ on paper (6 minutes)
#
# Two judges, 50 documents. Both say relevant: 8. Only A: 4. Only B: 3. Neither: 35. Compute κ. Two digits are enough.
#
# <details><summary>Hint 1</summary>
#
# Observed agreement is (8 + 35) / 50. A says relevant for 12 of 50, B for 11 of 50.
#
# </details>
# <details><summary>Hint 2</summary>
#
# Chance is 12/50 × 11/50 + 38/50 × 39/50.
#
# </details>

# %% key="ex-kappa-stub" tags=["stub"] exercise="02-kappa"
my_kappa = ...

# %% key="ex-kappa-check" exercise="02-kappa"
check("02-kappa", my_kappa)

# %% key="ex-kappa-solution" tags=["solution"] exercise="02-kappa"
chance = 12 / 50 * 11 / 50 + 38 / 50 * 39 / 50
my_kappa = (43 / 50 - chance) / (1 - chance)

# %% key="ex-kappa-wrong-raw" tags=["wrong"] exercise="02-kappa" case="mistakes.0"
my_kappa = 43 / 50

# %% key="ex-kappa-wrong-half" tags=["wrong"] exercise="02-kappa" case="mistakes.2"
my_kappa = (0.86 - 0.5) / 0.5

# %% key="ex-kappa-wrong-positive" tags=["wrong"] exercise="02-kappa" case="mistakes.3"
my_kappa = 2 * 8 / (2 * 8 + 4 + 3)

# %% key="ex-kappa-equivalent" tags=["equivalent"] exercise="02-kappa"
my_kappa = "0.60"

# %% [markdown] key="ex-pool" exercise="02-pool"
# ### Exercise 2: make a pool (5 minutes)
#
# Take several ranked lists and a depth. Return the ids that somebody must read: all that stand in the first `depth` of any list, each once, sorted by id so that the judge cannot see who found what.
#
# <details><summary>Hint 1</summary>
#
# A set keeps each id once: `set().union(...)`.
#
# </details>
# <details><summary>Hint 2</summary>
#
# Cut each list with `ranked[:depth]` before you join them, and finish with `sorted`.
#
# </details>


# %% key="ex-pool-stub" tags=["stub"] exercise="02-pool"
def pool(ranked_lists, depth):
    return ...  # put your code here


# %% key="ex-pool-check" exercise="02-pool"
check("02-pool", pool)


# %% key="ex-pool-solution" tags=["solution"] exercise="02-pool"
def pool(ranked_lists, depth):
    return sorted(set().union(*(ranked[:depth] for ranked in ranked_lists)))


# %% key="ex-pool-wrong-common" tags=["wrong"] exercise="02-pool" case="cases.0.mistakes.0"
def pool(ranked_lists, depth):
    return sorted(set.intersection(*(set(ranked[:depth]) for ranked in ranked_lists)))


# %% key="ex-pool-wrong-twice" tags=["wrong"] exercise="02-pool" case="cases.0.mistakes.1"
def pool(ranked_lists, depth):
    return sorted(doc for ranked in ranked_lists for doc in ranked[:depth])


# %% key="ex-pool-wrong-deep" tags=["wrong"] exercise="02-pool" case="cases.1"
def pool(ranked_lists, depth):
    return sorted({doc for ranked in ranked_lists for doc in ranked})


# %% key="ex-pool-equivalent" tags=["equivalent"] exercise="02-pool"
def pool(ranked_lists, depth):
    found = []
    for ranked in ranked_lists:
        for doc in ranked[:depth]:
            if doc not in found:
                found.append(doc)
    return sorted(found)


# %% [markdown] key="holes"
# ## Holes: nobody read it
#
# An unjudged document counts as grade 0. That is fair only if every system had its first ten judged. What happens to a system that was not in the pool? Take one out, drop the labels that only it contributed, and score it again.
#
# Six systems made the pool of the handbook. Lesson 05 introduces them; two of them, *hybrid* and *rrf*, only mix the lists of others. The score is nDCG@10, which lesson 04 explains: 1 is the best possible list, 0 a useless one.


# %% key="leave-out"
def first_ten(run):
    best = run.sort_values(["score", "doc_id"], ascending=False).groupby("query_id").head(10)
    return set(zip(best["query_id"], best["doc_id"], strict=True))


runs = {path.stem: read_run(path) for path in sorted(paths.assets("runs").glob("*.run"))}
alone = {n: first_ten(runs[n]) - set().union(*(first_ten(runs[m]) for m in runs if m != n)) for n in runs}
{name: len(found) for name, found in alone.items()}

# %% key="rescore"
# The stories of the course, marked showcase, are in no mean.
english = handbook.subset(lang="en", answerable=True, showcase=False)


def score(qrels, run):
    asked = run[run["query_id"].isin(qrels["query_id"])]
    return evaluate(qrels, asked, ("nDCG@10",))["nDCG@10"]


rows = {}
for name in ("bm25", "dense", "minilm", "passages"):
    keep = [
        pair not in alone[name]
        for pair in zip(english.qrels["query_id"], english.qrels["doc_id"], strict=True)
    ]
    full, cut = score(english.qrels, runs[name]), score(english.qrels[keep], runs[name])
    rows[name] = [full.mean(), cut.mean(), cut.count(), cut.sum() / len(english.questions)]
columns = ["in the pool", "left out", "n left out", "left out, over all 126"]
left_out = pd.DataFrame(rows, index=columns).T.astype({"n left out": int})
left_out.round(3)

# %% [markdown] key="holes-read"
# First column: the mean over the 126 answerable English questions. Second: without the labels that only this system brought. For *minilm* and *passages* that mean *rises*. Did it help them to be left out?
#
# Look at `n`. Some questions lost their only relevant document, became undefined, and dropped out of the mean. Over all 126 both systems fall. That fall is the **pool bias**. A mean without its `n` would have called it progress.

# %% key="judged-share"
keep = [
    pair not in alone["minilm"]
    for pair in zip(handbook.qrels["query_id"], handbook.qrels["doc_id"], strict=True)
]
parts = {"in the pool": handbook, "left out": replace(handbook, qrels=handbook.qrels[keep])}
{name: float(judged_at(runs["minilm"], golden).mean().round(2)) for name, golden in parts.items()}

# %% [markdown] key="judged-read"
# **Judged@10**, the share of a system's first ten that somebody read, warns you before you compare: 1 in the pool, about a half outside. Below 1, judge the holes before you believe a loss.

# %% key="quiz-hole"
quiz("02-new-system")

# %% key="check-hole"
check("02-new-system", ...)

# %% [markdown] key="model"
# ## Does it change who wins?
#
# Labels made from one line are cheap. Score three systems on the same answerable questions, once with each label file.


# %% key="model-order"
shared = sorted(set(third["query_id"]) & set(english.questions["query_id"]))
by_judge = {}
for judge in ("first", "model"):
    grades = labels[(labels["annotator"] == judge) & labels["query_id"].isin(shared)]
    qrels = grades.rename(columns={"grade": "relevance"})[["query_id", "doc_id", "relevance"]]
    by_judge[f"{judge}, these {len(shared)}"] = {
        name: score(qrels, run).mean() for name, run in lists.items()
    }
by_judge["settled, all 126"] = {name: score(english.qrels, run).mean() for name, run in lists.items()}
by_judge = pd.DataFrame(by_judge)
by_judge.round(3)

# %% [markdown] key="model-read"
# Every value rises, by .07 to .10: the one-line labels are generous. The order of the three stays the same. Voorhees (2000) found that with people too: judges who differ a good deal on documents often agree on which system is better.
#
# Then read the last column, all 126 questions with the settled labels. There BM25 and dense are level, and the hybrid leads. So these 16 questions were no fair sample of the set. That mattered more here than who judged.

# %% [markdown] key="activity" tags=["stretch"]
# ## In the room: fifteen minutes, one sheet
#
# Print [the sheet](../assets/templates/label_sheet.html). Two people, apart, grade the ten documents of one question (8 minutes). Enter both columns here (2 minutes). Then discuss only the rows that differ, and write the missing ruling (5 minutes).

# %% key="activity-labels" tags=["stretch"]
you = [2, 1, 0, 0, 1, 0, 2, 0, 0, 0]
partner = [2, 0, 0, 0, 1, 0, 1, 0, 0, 1]
plain, linear = (significance.kappa(you, partner, weights=weight) for weight in (None, "linear"))
{"κ": round(plain, 3), "weighted κ, linear": round(linear, 3)}

# %% [markdown] key="numbers"
# The numbers in the text of this lesson are checked here. If one were wrong, this cell would stop.

# %% key="numbers-true"
assert round(cohen(5, 2, 3, 190), 2) == 0.65 and round(10 / 15, 3) == 0.667
assert round(13 / 20 * 12 / 20, 2) == 0.39 and round(7 / 20 * 8 / 20 + 0.39, 2) == 0.53
assert (len(both["query_id"].unique()), len(third["query_id"].unique())) == (48, 24)
assert figures.loc["raw agreement", "first, model"] > 0.9
rise = by_judge["model, these 16"] - by_judge["first, these 16"]
assert rise.round(2).between(0.07, 0.10).all()
assert by_judge["first, these 16"].idxmin() == by_judge["model, these 16"].idxmin() == "dense"
assert abs(by_judge.loc["bm25", "settled, all 126"] - by_judge.loc["dense", "settled, all 126"]) < 0.005
rising, falling = left_out["left out"] > left_out["in the pool"], left_out["left out, over all 126"]
assert list(left_out.index[rising]) == ["minilm", "passages"]
assert (falling[rising] < left_out["in the pool"][rising]).all() and (
    left_out["n left out"][rising] < 126
).all()

# %% [markdown] key="quiz-head"
# ## Quiz

# %% key="quiz-zeros"
quiz("02-shared-zeros")

# %% key="check-zeros"
check("02-shared-zeros", ...)

# %% key="quiz-repair"
quiz("02-repair")

# %% key="check-repair"
check("02-repair", ...)

# %% [markdown] key="takeaways"
# ## Takeaways
#
# - A guideline with rulings does more for agreement than good will does.
# - Raw agreement flatters where zeros are easy. Report pool, κ, weighted κ and positive agreement together.
# - High agreement is not truth. Two readers can share a mistake, two models even more so.
# - Repair the guideline, then grade again. Never bend a label.
# - Unjudged counts as wrong, and hits the system that nobody pooled. Compare over the same questions, or the mean may rise.

# %% [markdown] key="own-data"
# ## Now on your own data
#
# Choose ten documents for one real question of yours. Grade them alone, let a colleague do the same, and compute κ on paper. Write down the one ruling that would have settled most of your differences.
#
# Next: [Measure recall and MRR](03_measure_recall_and_mrr.ipynb).

# %% [markdown] key="instructor-plan" tags=["instructor"]
# **Timing.** 45 minutes without the activity; with it, skip the section on holes. The activity takes 15 minutes: 8 to grade, 2 to enter, 5 to write a ruling.
#
# **Likely wrong answers.** κ of the guess: 0.9 or 0.8. Exercise 1: 0.86 (raw). Quiz on a new system: "reject it".
#
# **Say aloud** that the collection's judges were models. Somebody will ask whether κ = 0.98 is good. It shows that the guideline is clear to one kind of reader; it does not show that people agree.
#
# **By-hand sheet.** Both 8, only A 4, only B 3, neither 35: observed .86, chance .6456, κ .605, positive agreement .696.
