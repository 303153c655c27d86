# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3 (ipykernel)
#     language: python
#     name: python3
# ---

# %% [markdown] key="title"
# # Read the worst queries
#
# A mean says how much is wrong. It never says what. For that you split it, and then you read.
#
# **By the end you can**
# - split a mean by question type, with n and an interval, and find a type that falls while the mean rises;
# - read the worst questions with the lists side by side, and name the cause;
# - say why a system chosen on another's worst questions looks better than it is.
#
# **45 minutes.** Before: [Run three systems](05_run_three_systems.ipynb).

# %% key="start"
import sys

sys.path += ["..", "../..", "../../.."]  # so that the course is found, wherever this notebook lies
import pandas as pd

from course_utils import load_golden_set, measures, paths, plots, read_run, report, significance
from course_utils.i18n import text
from course_utils.lessons import check, predict, quiz, reveal, start
from course_utils.retrievers import document_texts, tokenise

start()

# %% [markdown] key="by-hand"
# ## A mean that rises while a type falls
#
# Six questions, two types, one change. Before you run the cell: which way does the mean go?

# %% key="six"
six = pd.DataFrame(
    {
        "type": ["wordy", "wordy", "wordy", "wordy", "code", "code"],
        "before": [0.2, 0.3, 0.1, 0.4, 1.0, 1.0],
        "after": [0.6, 0.5, 0.5, 0.6, 0.6, 0.8],
    }
)
six[["before", "after"]].mean().round(2), six.groupby("type")[["before", "after"]].mean().round(2)

# %% [markdown] key="by-hand-read"
# The mean rises from 0.5 to 0.6. The people who search by code lose 0.3. The mean is not wrong. It weighs every question alike, and there are more wordy ones. Whether the change is good depends on who asks.

# %% [markdown] key="real"
# ## The same in real data
#
# The change: BM25 becomes the hybrid. Dev part, all languages, without the showcase questions. *Only dev*: whoever reads single test questions will repair them, and then the test set measures nothing. The lists are stored, so nothing needs to run.

# %% key="load"
handbook = load_golden_set()
dev = handbook.subset(split="dev", showcase=False)
names = ("bm25", "dense", "hybrid", "passages", "minilm")
runs = {name: read_run(paths.assets("runs", f"{name}.run")) for name in names}
wanted = ("nDCG@10", "Recall@10", "Recall@3")
scored = {name: report.score(run, dev, wanted) for name, run in runs.items()}

# %% key="by-type-bm25"
report.by_type(scored["bm25"], dev).round(2)

# %% [markdown] key="by-type-read"
# Two columns count. `n` is the number of questions in the mean; `n_undefined` are those without an answer, which are in no mean. The interval draws needs, not questions: a Hindi twin is not a new question. With ten or twenty questions such an interval is still too narrow. Read it as "at least this unsure".
#
# All five systems at once, as a **heat map**:

# %% key="figure-heat"
grid = report.grid(scored, dev)
fig, (ax,) = plots.axes(7.5, 3.4)
plots.heat(ax, grid)
low, high = grid.at["paraphrase", "dense"], grid.at["keyword", "passages"]
plots.show(fig, text("09-alt-heat", low=f"{low:.2f}", high=f"{high:.2f}"))

# %% [markdown] key="heat-read"
# Read along a row to compare systems on the same questions. Do not read down a column as "hard for the system": the types differ in how hard they are for anyone. Paraphrases are pale from side to side.

# %% key="rise-and-fall"
grid.loc[["all", "identifier"], ["bm25", "hybrid", "n"]].round(3)

# %% [markdown] key="rise-read"
# Here it is. From BM25 to the hybrid the mean rises from 0.582 to 0.625, and identifiers fall from 0.820 to 0.755. Five types rise, one falls. How sure is the fall? Take the differences of the 16 questions, not the two means.

# %% key="identifier-difference"
change = (scored["hybrid"]["nDCG@10"] - scored["bm25"]["nDCG@10"]).dropna()
codes = change[dev.types[change.index] == "identifier"]
interval = significance.bootstrap_mean(codes, groups=dev.originals[codes.index])
print(
    "n", len(codes), "| mean", round(codes.mean(), 3), "| interval", tuple(round(end, 2) for end in interval)
)

# %% [markdown] key="identifier-read"
# The interval holds zero. Sixteen questions cannot tell a loss of 0.06 from luck. So the honest sentence is not "the hybrid hurts identifiers". It is: "identifiers may have lost; look at them". Looking costs ten minutes.

# %% key="recall-types"
recalls = {k: report.grid(scored, dev, f"Recall@{k}").loc[["all", "identifier"]] for k in (10, 3)}
pd.concat(recalls, names=["k"])[["bm25", "hybrid", "n"]].round(3)

# %% [markdown] key="recall-types-read"
# Recall@10 tells a mild story: up from 0.714 to 0.816, identifiers down a little. But ten of 169 pages are 6% of the collection. A reader of three results sees Recall@3: the mean does not move, and identifiers drop from 0.844 to 0.656. Show a small k beside a large one.

# %% [markdown] key="ex-fallen" exercise="09-fallen"
# ### Exercise 1: which types fell? (6 minutes)
#
# `before` and `after` map question ids to scores, `types` maps them to types. Return the names of the types whose mean fell, in alphabetical order.
#
# <details><summary>Hint 1</summary>
#
# Collect the differences of each type first.
#
# </details>
# <details><summary>Hint 2</summary>
#
# Within one type n is the same before and after. So the sum of the differences has the sign you want.
#
# </details>


# %% key="ex-fallen-stub" tags=["stub"] exercise="09-fallen"
def fallen(before, after, types):
    return ...  # put your code here


# %% key="ex-fallen-check" exercise="09-fallen"
check("09-fallen", fallen)


# %% key="ex-fallen-solution" tags=["solution"] exercise="09-fallen"
def fallen(before, after, types):
    total = {}
    for query, kind in types.items():
        total[kind] = total.get(kind, 0) + after[query] - before[query]
    return sorted(kind for kind, value in total.items() if value < -1e-9)


# %% key="ex-fallen-wrong-any" tags=["wrong"] exercise="09-fallen" case="cases.0.mistakes.0"
def fallen(before, after, types):
    return sorted({types[query] for query in types if after[query] < before[query]})


# %% key="ex-fallen-wrong-risen" tags=["wrong"] exercise="09-fallen" case="cases.0.mistakes.1"
def fallen(before, after, types):
    total = {}
    for query, kind in types.items():
        total[kind] = total.get(kind, 0) + before[query] - after[query]
    return sorted(kind for kind, value in total.items() if value < 0)


# %% key="ex-fallen-wrong-equal" tags=["wrong"] exercise="09-fallen" case="cases.2"
def fallen(before, after, types):
    total = {}
    for query, kind in types.items():
        total[kind] = total.get(kind, 0) + after[query] - before[query]
    return sorted(kind for kind, value in total.items() if value <= 0)


# %% key="ex-fallen-equivalent" tags=["equivalent"] exercise="09-fallen"
def fallen(before, after, types):
    table = pd.DataFrame({"b": before, "a": after, "t": types})
    means = table.groupby("t")[["b", "a"]].mean()
    return list(means.index[means["a"] < means["b"] - 1e-9])


# %% [markdown] key="movers"
# ## The biggest movers
#
# Means move because questions move. Which ones?

# %% key="movers-table"
report.movers(scored["bm25"], scored["hybrid"], dev, count=4)[["change", "type", "text"]].round(2)

# %% [markdown] key="movers-read"
# Form HR-138 and form DP-604: two exact identifiers, both first under BM25 and both pushed down by pages that dense prefers. The gains at the other end are a puppy and a friend's reward, asked in words that the pages do not use. You could not have read that from 0.582 and 0.625. Now look at one loss.

# %% key="hr138"
report.side_by_side("q115", {name: runs[name] for name in ("bm25", "hybrid")}, dev).query("rank <= 3")[
    ["system", "rank", "grade", "title"]
]

# %% [markdown] key="worst"
# ## The worst ten
#
# Now the questions where BM25 does worst.

# %% key="predict-worst"
predict("09-worst-ten", ...)

# %% key="worst-table"
worst_ten = report.worst(scored["bm25"], dev)
worst_ten[["nDCG@10", "type", "text"]]

# %% key="zeros"
zeros = int((scored["bm25"]["nDCG@10"] == 0).sum())
zeros

# %% [markdown] key="zeros-read"
# All ten score 0, and so do eleven more. The "worst ten" of 21 equal ones are ten that stand early in the file. With time, read all 21. Always say how many are tied.
#
# Read one of them with three lists beside each other. The grade stands in front: 2 answers, 1 is a part, 0 is no use.

# %% key="one-question"
lists_q103 = report.side_by_side("q103", runs, dev, depth=3)
lists_q103["page"] = lists_q103["grade"].astype("str") + " " + lists_q103["title"]
print(dev.texts["q103"], "| relevant:", [doc for doc, grade in dev.grades("q103").items() if grade])
lists_q103.pivot(index="rank", columns="system", values="page")[["bm25", "hybrid", "minilm"]]

# %% [markdown] key="causes"
# ## Name the cause
#
# Reading is worth little if you only nod. Give each question one **error class**:
#
# - **vocabulary gap**: the question and the page use other words;
# - *exact identifier*: a code or an abbreviation that must match as it stands;
# - *wrong label*: the page found is good, the judgement is not;
# - *missing document*: nothing in the collection answers, or it was never indexed;
# - *near-duplicate*: an old or foreign version stands where the right one should;
# - *language*: the question is in a language or a script that the system cannot match;
# - *ambiguous*: two readers would want different pages.
#
# A helper that shows what a reader needs: which words the question shares with its page, and how long the page is.


# %% key="shared"
bodies = document_texts(handbook.documents)


def shared_words(query_id):
    page = next(doc for doc, grade in dev.grades(query_id).items() if grade)
    words = tokenise(bodies[page])
    return page, " ".join(sorted(set(tokenise(dev.texts[query_id])) & set(words))), len(words)


pd.DataFrame({q: shared_words(q) for q in worst_ten.index}, index=["page", "shared", "tokens"]).T

# %% [markdown] key="your-causes"
# Your turn, before you read on. Put one line per question, with the names as above.

# %% key="your-causes-cell"
your_causes = {"q072": "vocabulary gap"}
report.count_causes(your_causes)

# %% [markdown] key="our-causes"
# Ours. Yours may differ by one or two; discuss those.

# %% key="our-causes-cell"
exact = ["q037", "q101"]
our_causes = {q: "exact identifier" if q in exact else "vocabulary gap" for q in worst_ten.index}
report.count_causes(our_causes)

# %% [markdown] key="causes-read"
# Eight times the words differ: a *gran* who *passed away* against *bereavement*, a *pupy* against *dog*. Twice it is a code, and there BM25 should shine. Look at the token counts. RCA and FN-219 each stand in one line of a page of more than 700 tokens, where the mean is about 200. BM25 makes long pages pay, so the one right line drowns. The cause suggests the cure: cut pages into passages (lesson 11). For RCA that works, 0.5 under *passages*. For FN-219 it does not. All five systems fail there. *A cause is a guess until a change has tested it.*
#
# No wrong label and no missing document here. Two judges and an adjudicator have been through this set. On your own data look for these two first.

# %% key="near-duplicate"
report.side_by_side("q015", {"bm25": runs["bm25"]}, dev).query("rank <= 3")[["rank", "grade", "title"]]

# %% [markdown] key="near-duplicate-read"
# Outside the ten there is a **near-duplicate**. "When is payday in the UK?" gets the pay dates of 2024, almost the same words, out of date, grade 0. A better text match cannot mend that. A filter on the status can.
#
# When both copies *are* good, recall pays twice. A list finds one of two equal copies, and the reader is happy:

# %% key="pays-twice"
copies = {"rules", "rules-copy"}
measures.recall_at_k(["rules", "x", "y"], copies, 3), measures.reciprocal_rank(["rules", "x", "y"], copies)

# %% key="language"
deva = dev.subset(script="Deva", answerable=True).texts.index
int(scored["bm25"].loc[deva, "nDCG@10"].eq(0).sum()), len(deva)

# %% [markdown] key="language-read"
# And *language*: BM25 scores 0 on all six answerable questions in Devanagari script. They are among the 21, but none is among the ten above, because they stand late in the file. So much for ten.

# %% [markdown] key="ex-worst" exercise="09-worst"
# ### Exercise 2: the worst questions (5 minutes)
#
# `scores` maps question ids to a score, or to `None` where the score is undefined. Return the ids of the `count` lowest, lowest first. Equal ones stay in the given order. Undefined is not zero.
#
# <details><summary>Hint 1</summary>
#
# Leave out what is `None` before you sort.
#
# </details>
# <details><summary>Hint 2</summary>
#
# `sorted` keeps equal ones in their order. Give it `key=`.
#
# </details>


# %% key="ex-worst-stub" tags=["stub"] exercise="09-worst"
def worst_of(scores, count):
    return ...  # put your code here


# %% key="ex-worst-check" exercise="09-worst"
check("09-worst", worst_of)


# %% key="ex-worst-solution" tags=["solution"] exercise="09-worst"
def worst_of(scores, count):
    defined = [query for query, score in scores.items() if score is not None]
    return sorted(defined, key=lambda query: scores[query])[:count]


# %% key="ex-worst-wrong-zero" tags=["wrong"] exercise="09-worst" case="cases.0.mistakes.0"
def worst_of(scores, count):
    return sorted(scores, key=lambda query: scores[query] or 0)[:count]


# %% key="ex-worst-wrong-best" tags=["wrong"] exercise="09-worst" case="cases.0.mistakes.1"
def worst_of(scores, count):
    defined = [query for query, score in scores.items() if score is not None]
    return sorted(defined, key=lambda query: scores[query], reverse=True)[:count]


# %% key="ex-worst-wrong-none" tags=["wrong"] exercise="09-worst" case="stopped"
def worst_of(scores, count):
    return sorted(scores, key=lambda query: scores[query])[:count]


# %% key="ex-worst-equivalent" tags=["equivalent"] exercise="09-worst"
def worst_of(scores, count):
    ordered = pd.Series(scores, dtype="float64").dropna().sort_values(kind="stable")
    return ordered.index[:count].tolist()


# %% [markdown] key="selection"
# ## The trap
#
# You now know where BM25 fails. A colleague brings another system, *minilm*, a second embedding model. Its mean is the same, 0.58. "Look", she says, "on your ten worst it is far better."

# %% key="selection-table"
values = {name: scored[name]["nDCG@10"].dropna() for name in ("bm25", "minilm")}
rows = {"all": values["bm25"].index}
rows |= {f"worst ten of {name}": report.worst(scored[name], dev).index for name in values}
chosen = pd.DataFrame({row: {n: v[ids].mean() for n, v in values.items()} for row, ids in rows.items()}).T
chosen.assign(n=[len(ids) for ids in rows.values()]).round(3)

# %% key="reveal-worst"
reveal("09-worst-ten", round(chosen.at["worst ten of bm25", "minilm"], 3))

# %% [markdown] key="selection-read"
# She is right: 0 against 0.625. Now turn it round. On the ten worst of *minilm*, BM25 has 0.522 and minilm 0. Each beats the other on the other's worst ten, and over all 91 their means are equal to two digits.
#
# This is **selection**. You picked the ten *because* BM25 was low there. Part of that is that the questions are hard, part is BM25's own weakness, part is luck. Another system shares the first part only. So it looks better there, whatever it is. The same holds for your own repaired system: on the questions that you repaired, it improves. *A fix is proven on all questions, and at the end on test, never on the ones that you chose by their score.*

# %% key="figure-selection"
fig, (ax,) = plots.axes(7, 2.2)
plots.pairs(ax, chosen[["bm25", "minilm"]])
plots.show(fig, text("09-alt-selection"))

# %% [markdown] key="page"
# ## A page to pass on
#
# All of this on one page: tables, figures, the worst ten with their lists. No script, nothing to fetch. In a terminal:
#
# `python3 course.py report assets/runs/bm25.run assets/runs/hybrid.run --out report.html`
#
# It takes dev by itself and says so in its title. Your causes go into a CSV file with `query_id,cause`, given with `--causes`.

# %% [markdown] key="numbers"
# The numbers in the text of this lesson are checked here. If one were wrong, this cell would stop.

# %% key="numbers-true"
told = grid.loc[["all", "identifier"], ["bm25", "hybrid"]].round(3)
assert told.to_numpy().tolist() == [[0.582, 0.625], [0.82, 0.755]] and grid["n"]["all"] == 91
kinds = grid.drop("all")
assert ((kinds["hybrid"] > kinds["bm25"]).sum(), (kinds["hybrid"] < kinds["bm25"]).sum()) == (5, 1)
shown = {k: table[["bm25", "hybrid"]].round(3).to_numpy().tolist() for k, table in recalls.items()}
assert shown == {10: [[0.714, 0.816], [0.938, 0.906]], 3: [[0.595, 0.592], [0.844, 0.656]]}
assert scored["bm25"].loc[deva, "nDCG@10"].eq(0).all() and len(deva) == 6
assert len(codes) == 16 and interval.low < 0 < interval.high and zeros == 21
assert (worst_ten["nDCG@10"] == 0).all() and len(worst_ten) == 10 and not set(deva) & set(worst_ten.index)
assert all(shared_words(q)[2] > 700 for q in exact) and list(our_causes.values()).count("vocabulary gap") == 8
assert 180 < sum(len(tokenise(body)) for body in bodies) / len(bodies) < 220
assert round(scored["passages"].at["q037", "nDCG@10"], 2) == 0.5
assert all(table.at["q101", "nDCG@10"] == 0 for table in scored.values())
assert chosen.round(3).loc[list(rows)[1:]].to_numpy().tolist() == [[0.0, 0.625], [0.522, 0.0]]
assert chosen.loc["all"].round(2).tolist() == [0.58, 0.58]

# %% [markdown] key="quiz-head"
# ## Quiz

# %% key="quiz-selection"
quiz("09-selection")

# %% key="check-selection"
check("09-selection", ...)

# %% key="quiz-label"
quiz("09-wrong-label")

# %% key="check-label"
check("09-wrong-label", ...)

# %% key="quiz-rise"
quiz("09-mean-rises")

# %% key="check-rise"
check("09-mean-rises", ...)

# %% [markdown] key="takeaways"
# ## Takeaways
#
# - Split every mean by type, with n and an interval. A mean can rise while a type falls.
# - Read the worst questions on dev, with the lists side by side. Say how many are tied.
# - Give each one error class, and count. A cause is a guess until a change has tested it.
# - Questions chosen because one system is low make every other system look better.
#
# ## Now on your own data
#
# Take your current system and the one before. List the five questions that lost most. Read both lists for each and write one error class. Then ask who sends such questions, and whether they know.
#
# Next: [Trust a difference](10_trust_a_difference.ipynb), on how sure you can be.

# %% [markdown] key="instructor-plan" tags=["instructor"]
# **Timing.** 45 minutes. For 30: leave out exercise 2, the near-duplicates and the language cell. The opening of 15 minutes ends with the movers.
#
# **Where beginners get lost: selection.** They accept it for luck and not for systems. Play it: everybody throws a die twice; take the ten lowest first throws; their second throws are higher. Nobody got better.
#
# **Likely wrong answers.** The guess: 0.0 ("hard is hard") or 0.58 ("the same mean"). Causes: "wrong label" for whatever looks strange; ask for the page that should have been a 2.
#
# **Common objection.** "But we must fix the worst ones." Yes. Fix causes, not questions, and measure on all.
#
# **By-hand sheet.** The six questions above on paper: two means by type, two in all.
