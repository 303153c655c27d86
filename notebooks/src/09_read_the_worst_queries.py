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
from course_utils.retrievers import BM25, document_texts, tokenise

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
# `n` is the number of questions in the mean. `n_undefined` are those without an answer, which are in no mean. From `low` to `high` reaches a 95% interval: the true means that fit these few questions. [Lesson 10](10_trust_a_difference.ipynb) builds one. It draws needs, not questions: a question and its Hindi twin share one need. With ten or twenty questions such an interval is still too narrow. Read it as "at least this unsure".
#
# All five systems at once, as a **heat map**. *Passages* is dense over pieces of 120 words, *minilm* is a second embedding model. Behind each type stands its n.

# %% key="figure-heat"
grid = report.grid(scored, dev)
fig, (ax,) = plots.axes(7.5, 3.4)
plots.heat(ax, grid)
low, high = grid.at["paraphrase", "dense"], grid.at["keyword", "passages"]
plots.show(fig, text("09-alt-heat", low=f"{low:.2f}", high=f"{high:.2f}"))

# %% [markdown] key="heat-read"
# Read along a row: it compares systems on the same questions. Down a column the questions differ, so a pale cell may say more about the questions than about the system. Paraphrases are the palest row under four systems. Under *minilm* it is identifiers, with 0.39, and there the row speaks: on the same 16 questions BM25 has 0.82.

# %% key="rise-and-fall"
grid.loc[["all", "identifier"], ["bm25", "hybrid", "n"]].round(3)

# %% [markdown] key="rise-read"
# Here it is. From BM25 to the hybrid the mean rises from 0.582 to 0.625, and identifiers fall from 0.820 to 0.755. Five types rise, one falls. How sure is the fall? Take the difference of each of the 16 questions, not of the two means; lesson 10 says why.


# %% key="identifier-difference"
def identifier_change(measure):
    change = (scored["hybrid"][measure] - scored["bm25"][measure]).dropna()
    codes = change[dev.types[change.index] == "identifier"]
    needs = dev.originals[codes.index]
    per_need = codes.groupby(needs).sum().round(9)
    up, down = (per_need > 0).sum(), (per_need < 0).sum()
    low, high = significance.bootstrap_mean(codes, groups=needs)
    print(f"{measure}: {len(codes)} questions of {len(per_need)} needs, {up} up, {down} down")
    print(f"mean difference {codes.mean():.3f}, interval {low:.2f} to {high:.2f}")
    return len(codes), len(per_need), up, down, round(low, 2), round(high, 2)


fall_ndcg = identifier_change("nDCG@10")

# %% [markdown] key="identifier-read"
# The interval holds zero. Sixteen questions cannot tell a loss of 0.06 from luck. You also looked at six types and picked the one that fell, which makes luck likelier still. So the honest sentence is not "the hybrid hurts identifiers". It is: "identifiers may have lost; look at them". Looking costs ten minutes.

# %% key="recall-types"
fall_recall = identifier_change("Recall@3")
recalls = {k: report.grid(scored, dev, f"Recall@{k}").loc[["all", "identifier"]] for k in (10, 3)}
pd.concat(recalls, names=["k"])[["bm25", "hybrid", "n"]].round(3)

# %% [markdown] key="recall-types-read"
# Recall@10 tells a mild story: up from 0.714 to 0.816, identifiers down a little. But ten of 169 pages are 6% of the collection. A reader of three results sees Recall@3: the mean does not move, and identifiers drop from 0.844 to 0.656. Again with care: three needs lost, none gained, ten stayed. Show a small k beside a large one.

# %% [markdown] key="ex-fallen" exercise="09-fallen"
# ### Exercise 1: which types fell? (6 minutes)
#
# `before` and `after` map question ids to scores, `types` maps them to types. Return a list of the types whose mean fell, in alphabetical order.
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


# %% key="ex-fallen-wrong-order" tags=["wrong"] exercise="09-fallen" case="cases.3.mistakes.0"
def fallen(before, after, types):
    total = {}
    for query, kind in types.items():
        total[kind] = total.get(kind, 0) + after[query] - before[query]
    return [kind for kind, value in total.items() if value < 0]


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
report.movers(scored["bm25"], scored["hybrid"], dev, count=4)[
    ["before", "after", "change", "type", "text"]
].round(2)

# %% [markdown] key="movers-read"
# Form HR-138 and form DP-604: two exact identifiers, and BM25 has the right page first, 1.00. The gains at the other end are a puppy and a friend's reward, asked in words that the pages do not use. You could not have read that from 0.582 and 0.625.
#
# Now look at one loss. In each cell the grade stands in front: 2 answers, 1 is a part, 0 is no use.


# %% key="hr138"
def beside(query_id, systems, depth):
    table = report.side_by_side(query_id, {name: runs[name] for name in systems}, dev, depth)
    table["page"] = table["grade"].astype("str") + " " + table["title"]
    return table.pivot(index="rank", columns="system", values="page")[list(systems)]


beside("q115", ["bm25", "hybrid", "dense"], 5)

# %% [markdown] key="hr138-read"
# *Career break* names the form, and BM25 matches "138". Dense does not find the page. Its four favourites do not hold "138" at all, and in the hybrid they push the right page to rank 5.

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
# Read one of them with three lists beside each other. What did BM25 match?

# %% key="one-question"
print(dev.texts["q103"], "| relevant:", [doc for doc, grade in dev.grades("q103").items() if grade])
beside("q103", ["bm25", "hybrid", "minilm"], 3)

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
# For that you need the page that answers, the words that the question shares with it, its length, and what BM25 put first. Words are cut to their stem, as BM25 sees them: *leave* is "leav".


# %% key="shared"
bodies = document_texts(handbook.documents)


def shared_words(query_id):
    page = next(doc for doc, grade in dev.grades(query_id).items() if grade)
    words = tokenise(bodies[page])
    first = report.side_by_side(query_id, {"bm25": runs["bm25"]}, dev, 1)["title"][0]
    return page, " ".join(sorted(set(tokenise(dev.texts[query_id])) & set(words))), len(words), first


about = ["page", "shared", "tokens", "first of BM25"]
pd.DataFrame({q: shared_words(q) for q in worst_ten.index}, index=about).T

# %% [markdown] key="your-causes"
# Your turn, before you read on, ten minutes. Put one entry per question, with the names as above. `beside("q009", ["bm25"], 10)` in a new cell shows you a whole list.

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
# Eight times the words differ: a *gran* who *passed away* against *bereavement*, a *pupy* against *dog*. What they do share, such as *do*, *have* and *when*, chatty pages share as well: in seven of the eight a thread or a list of questions stands first.
#
# Twice it is a code, and there BM25 should shine. Look at the token counts. RCA and FN-219 each stand in one line of a page of more than 700 tokens, where the mean is about 200. BM25 makes a page pay for its length, so the one right line may drown. May: this is a guess. Test it. The setting `b` says how much length costs, and with 0 it costs nothing.

# %% key="test-the-cause"
length = {b: BM25(handbook.documents, b=b).search(dev.texts) for b in (0.75, 0)}
length = {f"b = {b}": report.score(run, dev, ["nDCG@10"])["nDCG@10"] for b, run in length.items()}
tried = {
    "q037, RCA": ["q037"],
    "q101, FN-219": ["q101"],
    "worst ten": worst_ten.index,
    "all": dev.texts.index,
}
tested = pd.DataFrame(
    {name: {row: s[ids].mean() for row, ids in tried.items()} for name, s in length.items()}
)
tested.round(3)

# %% [markdown] key="test-read"
# The guess survives: without the cost of length both rise from 0, to 0.50 and 0.33. (From 0 they could only rise, so this is weak support.) But as a cure it is bad: over all 91 the mean falls from 0.582 to 0.504. *A cause is a guess until a change has tested it. A cure is a guess until all questions have.*
#
# No wrong label and no missing document here. Two judges and an adjudicator have been through this set. On your own data look for these two first.

# %% key="near-duplicate"
beside("q015", ["bm25"], 7)

# %% [markdown] key="near-duplicate-read"
# Outside the ten there is a **near-duplicate**. "When is payday in the UK?" gets the pay dates of 2024: almost the same words, out of date, grade 0. The page of 2026 stands at rank 7. A better text match cannot be trusted to mend that. A filter on the status can.
#
# When both copies *are* good, Recall wants both. A list with one of two equal copies gets half, though its reader has everything:

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


# %% key="ex-worst-wrong-falsy" tags=["wrong"] exercise="09-worst" case="cases.1.mistakes.0"
def worst_of(scores, count):
    return sorted((query for query in scores if scores[query]), key=scores.get)[:count]


# %% key="ex-worst-equivalent" tags=["equivalent"] exercise="09-worst"
def worst_of(scores, count):
    ordered = pd.Series(scores, dtype="float64").dropna().sort_values(kind="stable")
    return ordered.index[:count].tolist()


# %% [markdown] key="selection"
# ## The trap
#
# You now know where BM25 fails. A colleague brings another system, *minilm*, a second embedding model. Its mean is the same, 0.58. "Look", she says, "on your ten worst it is far better."

# %% key="selection-table"
values = {name: scored[name]["nDCG@10"].dropna() for name in ("bm25", "minilm", "dense")}
rows = {"all": values["bm25"].index}
for name in ("bm25", "minilm"):
    rows[f"worst ten of {name}"] = report.worst(scored[name], dev).index
    rows[f"all zeros of {name}"] = values[name].index[values[name] == 0]
chosen = pd.DataFrame({row: {n: v[ids].mean() for n, v in values.items()} for row, ids in rows.items()}).T
chosen.assign(n=[len(ids) for ids in rows.values()]).round(3)

# %% key="reveal-worst"
reveal("09-worst-ten", round(chosen.at["worst ten of bm25", "minilm"], 3))

# %% [markdown] key="selection-read"
# She is right: 0 against 0.625. Now turn it round. On the ten worst of *minilm*, BM25 has 0.522 and minilm 0. Each beats the other on the other's worst ten, and over all 91 their means are equal to two digits. Even *dense*, lower over all, is ahead of BM25 on BM25's ten.
#
# And ten of 21 was luck on top. On all 21 zeros *minilm* has 0.375, less than its own mean: its six Devanagari questions are zeros too.
#
# This is **selection**. You picked the ten *because* BM25 was low there. Part of that is that the questions are hard, part is BM25's own weakness, part is luck. Another system shares the first part only. So nearly any other looks better there. The same holds for your own repaired system: on the questions that you repaired, it improves. *A fix is proven on all questions, and at the end on test, never on the ones that you chose by their score.*

# %% key="figure-selection"
fig, (ax,) = plots.axes(7, 2.8)
plots.pairs(ax, chosen[["bm25", "minilm"]])
ax.set_xlabel(text("09-label-mean"))
plots.show(fig, text("09-alt-selection"))

# %% [markdown] key="page"
# ## A page to pass on
#
# All of this on one page: tables, figures, the worst ten with their lists. No script, nothing to fetch. In a terminal, in the folder of the course:
#
# `python3 course.py report assets/runs/bm25.run assets/runs/hybrid.run --out report.html`
#
# It takes dev by itself and says so in its title. Your causes go into a CSV file with `query_id,cause`, given with `--causes`.

# %% [markdown] key="numbers"
# The numbers in the text of this lesson are checked here. If one were wrong, this cell would stop.

# %% key="numbers-true"
told = grid.loc[["all", "identifier"], ["bm25", "hybrid"]].round(3)
assert told.to_numpy().tolist() == [[0.582, 0.625], [0.82, 0.755]] and grid["n"]["all"] == 91
kinds = grid.drop("all").drop(columns="n")
assert kinds.idxmin().tolist() == ["paraphrase"] * 4 + ["identifier"]
assert (kinds["hybrid"] > kinds["bm25"]).sum() == 5 and round(kinds.at["identifier", "minilm"], 2) == 0.39
shown = {k: table[["bm25", "hybrid"]].round(3).to_numpy().tolist() for k, table in recalls.items()}
assert shown == {10: [[0.714, 0.816], [0.938, 0.906]], 3: [[0.595, 0.592], [0.844, 0.656]]}
assert fall_ndcg == (16, 13, 2, 4, -0.23, 0.09) and fall_recall[:4] == (16, 13, 0, 3) and zeros == 21
pages_of_dense = beside("q115", ["dense"], 10)["dense"]
ahead = report.side_by_side("q115", {"hybrid": runs["hybrid"]}, dev, 5)
assert ["138" in tokenise(bodies[page]) for page in ahead["doc_id"]] == [False] * 4 + [True]
assert ahead["grade"].tolist() == [0, 0, 0, 0, 2] and not pages_of_dense.str.startswith("2").any()
assert beside("q015", ["bm25"], 7)["bm25"].str[0].tolist() == ["0"] * 6 + ["2"]
assert all(shared_words(q)[2] > 700 for q in exact) and list(our_causes.values()).count("vocabulary gap") == 8
assert 180 < sum(len(tokenise(body)) for body in bodies) / len(bodies) < 220
assert tested["b = 0"].round(2).tolist() == [0.5, 0.33, 0.08, 0.5]
assert tested.loc["all"].round(3).tolist() == [0.582, 0.504] and not tested["b = 0.75"][:3].any()
pair = chosen[["bm25", "minilm"]].round(3)
assert pair.loc[["worst ten of bm25", "worst ten of minilm"]].to_numpy().tolist() == [[0, 0.625], [0.522, 0]]
assert (
    chosen.loc["all"].round(2).tolist() == [0.58, 0.58, 0.52] and chosen.at["worst ten of bm25", "dense"] > 0
)
assert pair.at["all zeros of bm25", "minilm"] == 0.375 and not values["minilm"][deva].any()
assert len(deva) == 6 and not values["bm25"][deva].any() and not set(deva) & set(worst_ten.index)

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
# - Give each one error class, and count. A cause is a guess until a change has tested it, and a cure until all questions have.
# - Questions chosen because one system is low make nearly every other system look better.
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
# **Likely wrong answers.** The guess: 0.0 ("hard is hard") or 0.3 ("halfway"). 0.58 ("the same mean") passes as right; ask why hard questions should not pull it down. Causes: "wrong label" for whatever looks strange; ask for the page that should have been a 2.
#
# **Common objection.** "But we must fix the worst ones." Yes. Fix causes, not questions, and measure on all.
#
# **By-hand sheet.** The six questions above on paper: two means by type, two in all.
