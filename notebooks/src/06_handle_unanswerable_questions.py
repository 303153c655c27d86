# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3 (ipykernel)
#     language: python
#     name: python3
# ---

# %% [markdown] key="title"
# # Handle unanswerable questions
#
# For some questions the best result is no result. Recall, MRR and nDCG cannot say that. You need another table.
#
# **By the end you can**
# - say what a question without an answer does to a mean, and keep it out;
# - count answers and refusals in a table of two by three, with rates and intervals;
# - choose a threshold on dev, report it on test, and see when no threshold helps.
#
# **55 minutes.** Before: [Run three systems](05_run_three_systems.ipynb).

# %% key="start"
import sys

sys.path += ["..", "../..", "../../.."]  # so that the course is found, wherever this notebook lies
import pandas as pd

from course_utils import abstention, load_golden_set, measures, paths, plots, read_run, significance
from course_utils.i18n import text
from course_utils.lessons import check, predict, quiz, reveal, start

start()

# %% key="predict-six"
predict("06-six-of-six", ...)

# %% [markdown] key="page"
# ## Good advice, and a function that cannot follow it
#
# The page of lesson 03 advises that 10 to 20% of a set should have no answer, to see whether a system rightly returns nothing. These are its own two functions, quoted from [the page](https://www.geekswithgeeks.com/en/embeddings/e-metrics). Give them a question that nothing answers, and a system that rightly returns nothing.


# %% key="page-functions"
# fmt: off
def recall_at_k(retrieved, relevant, k): return len(set(retrieved[:k]) & set(relevant)) / len(relevant)
def mrr(retrieved, relevant):
    for i, d in enumerate(retrieved, 1):
        if d in relevant: return 1 / i
    return 0.0
# fmt: on


try:
    recall_at_k([], [], 3)
except ZeroDivisionError as error:
    print("recall_at_k:", type(error).__name__, "-", error)
print("mrr:        ", mrr([], []))

# %% [markdown] key="page-read"
# The first function stops. The second gives the right silence a 0, the same as a list full of junk. The page's advice is right, and its code stops on the set that it recommends.

# %% [markdown] key="undefined"
# ## Undefined is not zero
#
# Recall is found / relevant. With nothing relevant it is 0 / 0: **undefined**. Three habits are in use. Try them on the page's three questions plus one that nothing answers, for a system that returns nothing there.

# %% key="three-habits"
rr_of_three = [0.5, 1.0, 0.0]
habits = {"leave it out": rr_of_three, "count it 0": [*rr_of_three, 0.0], "count it 1": [*rr_of_three, 1.0]}
{habit: round(sum(values) / len(values), 3) for habit, values in habits.items()}

# %% [markdown] key="habits-read"
# Counting 0 punishes a perfect decision. Counting 1 rewards it, and mixes two skills in one number: a system that finds nothing and says nothing would climb. The course leaves such questions out of every ranking mean, counts them, and scores them in a table of their own.

# %% key="nan"
measures.recall_at_k([], [], 3), measures.reciprocal_rank([], [])

# %% [markdown] key="table-by-hand"
# ## Two by three
#
# A question is answerable or **unanswerable**; the golden set states which. A system answers right, answers wrong, or **declines**: it returns nothing. Seven questions by hand:

# %% key="seven"
seven = pd.DataFrame(
    {
        "answerable": [True, True, True, True, False, False, False],
        "did": ["right", "right", "wrong", "declined", "declined", "wrong", "wrong"],
    }
)
pd.crosstab(seven["answerable"], seven["did"])

# %% [markdown] key="rates-by-hand"
# Read it row by row.
#
# - **Abstention rate**: of the unanswerable, how many were declined? 1 of 3. The other 2 are **false answers**.
# - **Over-refusal**: of the answerable, how many were declined? 1 of 4.
#
# Each rate has its own denominator. An unanswerable question can never be answered right, so one cell is always empty.

# %% [markdown] key="how-sure"
# ## How sure is 6 of 8?
#
# A rate over few questions is a wide claim. The **Wilson interval** gives the range of true rates that fit what you saw. At *95%* it is made so that 95 of 100 such ranges hold the true rate.

# %% key="wilson"
shown = {f"{hits} of {n}": significance.wilson(hits, n) for hits, n in ((6, 8), (6, 6), (15, 15))}
{what: tuple(round(bound, 2) for bound in bounds) for what, bounds in shown.items()}

# %% key="reveal-six"
reveal("06-six-of-six", round(shown["6 of 6"][0], 2))

# %% [markdown] key="real"
# ## What real systems do
#
# Four systems on the dev part, English. You know three; *passages* cuts the pages into pieces of 120 words and compares the vectors of those. *Answered right* means: a relevant page is among the ten returned.

# %% key="real-tables"
handbook = load_golden_set()
english = handbook.subset(lang="en", showcase=False)
dev, test = english.subset(split="dev"), english.subset(split="test")
runs = {
    name: read_run(paths.assets("runs", f"{name}.run")) for name in ("bm25", "dense", "hybrid", "passages")
}


def asked(name, golden):
    return runs[name][runs[name]["query_id"].isin(golden.texts.index)]


tables = {name: abstention.table(abstention.outcomes(asked(name, dev), dev), dev) for name in runs}
pd.concat(tables)

# %% [markdown] key="real-read"
# Nobody ever declines. Eighteen of eighteen unanswerable questions get ten pages each, and whatever reads those pages will be tempted to answer. A search engine orders what it has; it does not know when to stop.

# %% [markdown] key="unable"
# One exception, and it is no virtue. Ten of the Hindi questions, over both parts, are in Devanagari script. The pages are English.

# %% key="devanagari"
hindi = handbook.subset(script="Deva")
abstention.table(abstention.outcomes(asked("bm25", hindi), hindi), hindi)

# %% [markdown] key="unable-read"
# BM25 declines both unanswerable questions: an abstention rate of 1, if only over two. And it declines seven of eight answerable ones, because it cannot read the script. *Declining out of inability looks like wisdom as long as you show one rate alone.* Always show over-refusal beside abstention.

# %% [markdown] key="threshold"
# ## A threshold
#
# The obvious cure: decline when the best score is low. First look whether low scores mean anything. Top cosines of *dense* on dev:

# %% key="figure-scores"
dense_dev = abstention.scored(asked("dense", dev), dev).set_index("query_id")["score"]
groups = {
    kind: dense_dev[dev.answerable.reindex(dense_dev.index) == value]
    for kind, value in (("yes", True), ("no", False))
}
fig, (ax,) = plots.axes(7, 2.4)
plots.strips(ax, {text("06-label-yes"): groups["yes"], text("06-label-no"): groups["no"]})
ax.set_xlabel(text("06-label-score"))
plots.show(fig, text("06-alt-scores", yes=f"{groups['yes'].median():.3f}", no=f"{groups['no'].median():.3f}"))

# %% [markdown] key="overlap"
# All scores lie in a narrow band. That is harmless. The trouble is the **overlap**: questions without an answer score as high as those with one. No line separates them.

# %% [markdown] key="costs"
# ## Choose by cost, on dev
#
# What is a mistake worth? Say a refused question costs 1, a wrong answer 1, and a false answer to an unanswerable question more. Move the threshold over all scores, add up the costs, and take the cheapest. On *dev*. Then look once at *test*.

# %% key="sweep"
swept = abstention.sweep(abstention.scored(asked("dense", dev), dev), dev)
chosen = {cost: abstention.choose_threshold(swept, cost_false_answer=cost) for cost in (1, 2, 5)}
on_test = {c: abstention.outcomes(asked("dense", test), test, threshold=t) for c, t in chosen.items()}
pd.concat({f"false answer costs {c}": abstention.table(o, test) for c, o in on_test.items()})

# %% [markdown] key="sweep-read"
# With equal costs the best threshold declines nothing: refusing a question that would have been answered wrong saves nothing, and only one question in five has no answer. At 2 it declines one question. At 5 it silences 40 of 52 answerable questions to avoid 11 of 12 false answers. What does that cost in all?

# %% key="bill"
swept_test = abstention.sweep(abstention.scored(asked("dense", test), test), test)
hindsight = abstention.choose_threshold(swept_test, cost_false_answer=5)
limits = {"decline nothing": None, "chosen on dev": chosen[5], "best on test, in hindsight": hindsight}
bill = {}
for name, limit in limits.items():
    for part, golden in (("dev", dev), ("test", test)):
        t = abstention.table(abstention.outcomes(asked("dense", golden), golden, threshold=limit), golden)
        refused, wrong = t.loc["answerable", ["declined", "answered wrong"]]
        bill.setdefault(name, {})[part] = int(refused + wrong + 5 * t.loc["unanswerable", "answered wrong"])
pd.DataFrame(bill).T

# %% [markdown] key="costs-read"
# At these costs the chosen threshold pays, on dev and on test, although it refuses three good questions in four. The last row is the trap: with hindsight another threshold would have cost far less on *test*, and on dev it is much worse than the chosen one. You could not have known. Whoever tunes on test reports that row.

# %% key="rates"
abstention.rates(on_test[5], test).loc[["abstention rate", "over-refusal"]].round(2)

# %% [markdown] key="separation"
# ## One number for separation
#
# **AUROC** is the chance that an answerable question has a higher top score than an unanswerable one. 0.5 is a coin. With its 95% interval, by bootstrap:

# %% key="auroc"
rows = {}
for name in runs:
    for part, golden in (("dev", dev), ("test", test), ("both", english)):
        rows[name, part] = abstention.auroc(abstention.scored(asked(name, golden), golden), golden)
separation = pd.DataFrame(rows).T.astype({"n_answerable": int, "n_unanswerable": int})
separation.round(2)

# %% [markdown] key="auroc-read"
# On dev the scores of *dense* and *passages* separate nothing. On test they seem to: 0.76 and 0.78. Do not pick the part that you like. Dev and test were drawn by lot from one set, with 18 and 12 unanswerable questions, and these two rows are the highest of eight. Over both parts together it is 0.61: *at best weak*, and whoever had seen only one part would have been sure of something else.

# %% [markdown] key="what-then"
# ## When nothing separates
#
# Then a threshold on the score is the wrong tool. Others to try, each measured in the same table:
#
# - the *margin* between the first and the second score;
# - the *agreement* of two systems: do BM25 and dense share pages in their ten?
# - a reader that checks whether the page really answers, such as a language model with one question: "is the answer in this text?";
# - asking back: "do you mean Lisbon or Leeds?"
#
# The first two cost nothing. Do they help here?

# %% key="signals"
rows = {}
for part, golden in (("dev", dev), ("test", test)):
    run, other = asked("dense", golden), asked("bm25", golden)
    for signal, values in (("margin", abstention.margin(run)), ("agreement", abstention.overlap(run, other))):
        rows[signal, part] = abstention.auroc(abstention.scored(run, golden, signal=values), golden)
pd.DataFrame(rows).T.astype({"n_answerable": int, "n_unanswerable": int}).round(2)

# %% [markdown] key="signals-read"
# Read the intervals, not the first column. None of them lies clearly above 0.5 on both parts. On this collection, with these systems, the honest report is: *we cannot show that retrieval scores tell us when to be silent*. Let the stage that reads decide, and measure it in the same table.

# %% [markdown] key="prevalence"
# ## Prevalence
#
# Your set has 15% unanswerable questions, and your users ask 2%. **Prevalence** is that share. What becomes of the refusals? Say the system declines 80% of the unanswerable and 10% of the answerable. Per 100 questions at 15%: 15 × 0.8 = 12 right refusals, 85 × 0.1 = 8.5 wrong ones. So 12 of 20.5 refusals are right.

# %% key="right-refusals"
{share: round(abstention.right_refusals_at(share, 0.8, 0.1), 2) for share in (0.15, 0.02)}

# %% [markdown] key="prevalence-read"
# The same system, and at 2% six of seven refusals hit somebody who had a good question. The two rates travel to another prevalence; the share of right refusals does not.

# %% [markdown] key="ex-refusals" exercise="06-right-refusals"
# ### Exercise 1: the share of right refusals (6 minutes)
#
# Write it. You get the prevalence, the abstention rate and the over-refusal. If nothing is declined at all, return `float("nan")`.
#
# <details><summary>Hint 1</summary>
#
# Right refusals: prevalence × abstention rate. Wrong ones: (1 − prevalence) × over-refusal.
#
# </details>
# <details><summary>Hint 2</summary>
#
# Right, divided by right + wrong. Look out for 0 / 0.
#
# </details>


# %% key="ex-refusals-stub" tags=["stub"] exercise="06-right-refusals"
def right_refusals(prevalence, abstention_rate, over_refusal):
    return ...  # put your code here


# %% key="ex-refusals-check" exercise="06-right-refusals"
check("06-right-refusals", right_refusals)


# %% key="ex-refusals-solution" tags=["solution"] exercise="06-right-refusals"
def right_refusals(prevalence, abstention_rate, over_refusal):
    right, wrong = prevalence * abstention_rate, (1 - prevalence) * over_refusal
    return right / (right + wrong) if right + wrong else float("nan")


# %% key="ex-refusals-wrong-rates" tags=["wrong"] exercise="06-right-refusals" case="cases.0.mistakes.0"
def right_refusals(prevalence, abstention_rate, over_refusal):
    return abstention_rate / (abstention_rate + over_refusal)


# %% key="ex-refusals-wrong-prevalence" tags=["wrong"] exercise="06-right-refusals" case="cases.0.mistakes.1"
def right_refusals(prevalence, abstention_rate, over_refusal):
    return prevalence * abstention_rate


# %% key="ex-refusals-wrong-zero" tags=["wrong"] exercise="06-right-refusals" case="stopped"
def right_refusals(prevalence, abstention_rate, over_refusal):
    right, wrong = prevalence * abstention_rate, (1 - prevalence) * over_refusal
    return right / (right + wrong)


# %% key="ex-refusals-equivalent" tags=["equivalent"] exercise="06-right-refusals"
def right_refusals(prevalence, abstention_rate, over_refusal):
    refused = prevalence * abstention_rate + over_refusal - prevalence * over_refusal
    return prevalence * abstention_rate / refused if refused > 0 else float("nan")


# %% [markdown] key="kinds"
# ## By kind
#
# Rates by *kind* of unanswerable question rest on two or three questions each on test. They are shown with their interval or not at all. For the threshold at cost 5:

# %% key="by-kind"
abstention.by_kind(on_test[5], test).round(2)

# %% [markdown] key="ex-status" exercise="06-status"
# ### Exercise 2: decide the status (5 minutes)
#
# One question. `returned` is the list of ids, `relevant` the set of ids that answer; it is empty for an unanswerable question. `broken` is true if the system stopped with an error. Return "right", "wrong", "declined" or "failed".
#
# <details><summary>Hint 1</summary>
#
# Treat `broken` first. A system that fell over did not decide to be silent.
#
# </details>
# <details><summary>Hint 2</summary>
#
# For an unanswerable question everything that is returned is wrong.
#
# </details>


# %% key="ex-status-stub" tags=["stub"] exercise="06-status"
def status(returned, relevant, broken):
    return ...  # put your code here


# %% key="ex-status-check" exercise="06-status"
check("06-status", status)


# %% key="ex-status-solution" tags=["solution"] exercise="06-status"
def status(returned, relevant, broken):
    if broken:
        return "failed"
    if not returned:
        return "declined"
    return "right" if set(returned) & set(relevant) else "wrong"


# %% key="ex-status-wrong-broken" tags=["wrong"] exercise="06-status" case="cases.5"
def status(returned, relevant, broken):
    if not returned:
        return "declined"
    return "right" if set(returned) & set(relevant) else "wrong"


# %% key="ex-status-wrong-silence" tags=["wrong"] exercise="06-status" case="cases.1"
def status(returned, relevant, broken):
    if broken:
        return "failed"
    if not relevant:
        return "declined" if not returned else "wrong"
    return "right" if set(returned) & set(relevant) else "wrong"


# %% key="ex-status-wrong-right" tags=["wrong"] exercise="06-status" case="cases.2"
def status(returned, relevant, broken):
    if broken:
        return "failed"
    if not returned:
        return "declined" if relevant else "right"
    return "right" if set(returned) & set(relevant) else "wrong"


# %% key="ex-status-equivalent" tags=["equivalent"] exercise="06-status"
def status(returned, relevant, broken):
    hit = any(doc in relevant for doc in returned)
    return "failed" if broken else "declined" if len(returned) == 0 else "right" if hit else "wrong"


# %% [markdown] key="terminal" tags=["stretch"]
# ## One number after all?
#
# Liu and others (2016) give silence a place in the list: a *terminal document* t stands behind the last result. It gains 1 if nothing is relevant, else the share of gain already found. nDCG over this longer list rewards stopping at the right place. A question without an answer:

# %% key="terminal-values" tags=["stretch"]
junk = [f"u{number}" for number in range(10)]
sizes = {n: round(abstention.terminal_ndcg(junk[:n], {}, answerable=False), 3) for n in (0, 3, 10)}
sizes

# %% [markdown] key="terminal-read" tags=["stretch"]
# Silence scores 1, and each page of junk costs. Later work (Amigó and others, 2022) doubts that such measures reward stopping as they should. Use it beside the table, not instead of it.

# %% [markdown] key="numbers"
# The numbers in the text of this lesson are checked here. If one were wrong, this cell would stop.

# %% key="numbers-true"
assert all(
    t.loc["unanswerable", "declined"] == 0 and t.loc["unanswerable", "n"] == 18 for t in tables.values()
)
deva = abstention.table(abstention.outcomes(asked("bm25", hindi), hindi), hindi)["declined"]
assert (deva["unanswerable"], deva["answerable"]) == (2, 7)
counts = {c: abstention.table(o, test) for c, o in on_test.items()}
assert [counts[c].loc["answerable", "declined"] for c in (1, 2, 5)] == [0, 1, 40]
assert counts[5].loc["unanswerable", "declined"] == 11 and counts[5]["n"].tolist() == [52, 12]
parts = separation["AUROC"].unstack().round(2)
assert parts.loc[["dense", "passages"], "test"].tolist() == [0.76, 0.78]
assert parts.loc[["dense", "passages"], "both"].tolist() == [0.61, 0.61] and (parts["dev"] < 0.56).all()
assert bill["chosen on dev"]["dev"] < 0.7 * bill["best on test, in hindsight"]["dev"]
assert all(bill["chosen on dev"][part] < bill["decline nothing"][part] for part in ("dev", "test"))
assert bill["best on test, in hindsight"]["test"] < 0.7 * bill["chosen on dev"]["test"]
assert round(12 / 20.5, 2) == round(abstention.right_refusals_at(0.15, 0.8, 0.1), 2)

# %% [markdown] key="quiz-head"
# ## Quiz

# %% key="quiz-prevalence"
quiz("06-prevalence")

# %% key="check-prevalence"
check("06-prevalence", ...)

# %% key="quiz-safe"
quiz("06-always-decline")

# %% key="check-safe"
check("06-always-decline", ...)

# %% key="quiz-zero" tags=["stretch"]
quiz("06-mean-rises")

# %% key="check-zero" tags=["stretch"]
check("06-mean-rises", ...)

# %% [markdown] key="takeaways"
# ## Takeaways
#
# - Undefined is not zero: unanswerable questions stay out of ranking means and get a table of their own.
# - Show abstention rate and over-refusal together. Each alone can be had for nothing.
# - Choose a threshold on dev by cost, report it on test, with intervals.
# - What stops a threshold is overlap, not a narrow range.
# - The share of right refusals changes with prevalence.
#
# ## Now on your own data
#
# Collect ten questions that your documents do not answer, near ones. Run them. How many get an empty list? Write down what one false answer costs you, in hours or in money, and what one refusal costs. Which is worse?
#
# Next: [Choose a measure](07_choose_a_measure.ipynb).

# %% [markdown] key="instructor-plan" tags=["instructor"]
# **Timing.** 55 minutes. For 40: leave out the signals, exercise 2 and everything marked `stretch`. The opening of 15 minutes is everything up to the table of two by three.
#
# **Where beginners get lost: two denominators.** Let them fill the seven-question table on paper and say each rate as a sentence with "of the …".
#
# **Likely wrong answers.** 6 of 6: "100%" or "95%". Prevalence: "the rates stay, so the share stays".
#
# **Common objection.** "Cosine 0.85 must mean something." Show the two rows of dots and ask for a line.
#
# **By-hand sheet.** 20 answerable, 5 unanswerable; declined 2 and 3. Abstention .6, over-refusal .1, right refusals 3 of 5.
