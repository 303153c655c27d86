# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3 (ipykernel)
#     language: python
#     name: python3
# ---

# %% [markdown] key="title"
# # Grade with nDCG
#
# Two lists can hold the same documents and still not be equally good. nDCG is the number that sees the difference, and the one most often printed wrong.
#
# **By the end you can**
# - compute gain, discount, ideal and nDCG of one list on paper;
# - say which gain a printed nDCG uses, and why it matters;
# - audit a published table: recompute it, and prove what cannot be.
#
# **60 minutes.** Before: [Measure recall and MRR](03_measure_recall_and_mrr.ipynb).

# %% key="start"
import sys

sys.path += ["..", "../..", "../../.."]  # so that the course is found, wherever this notebook lies
import math

import pandas as pd

from course_utils import evaluate, load_golden_set, measures, paths, plots, read_run, summarize
from course_utils.i18n import text
from course_utils.lessons import check, predict, quiz, reveal, start

start()

# %% [markdown] key="query"
# ## One query, three systems
#
# Somebody types: "how do I rotate the API key after it has been compromised". The example is from a post of the *Retrieval Bench* series that explains Recall@10, MRR and NDCG@10 on one query. Three documents are useful, and not equally so. A judge gave each a **grade**:
#
# - `A`, grade 2: "Rotating a Compromised API Key", step by step.
# - `B`, grade 2: an older troubleshooting page, same procedure, with a warning about cached tokens.
# - `C`, grade 1: a general security checklist that mentions rotation as one item among many.
#
# Everything else has grade 0. Three systems return ten documents each. **BM25** matches words. **EmbeddingGemma 2** is a model that compares meanings as vectors. The **hybrid** mixes the two scores. You need not know more here; lesson 05 runs such systems.

# %% key="lists"
judgements = {"A": 2, "B": 2, "C": 1}
useful = {"A", "B", "C"}
lists = {
    "BM25": ["A", "u1", "u2", "C", "u3", "u4", "B", "u5", "u6", "u7"],
    "EmbeddingGemma 2": ["B", "A", "u1", "u2", "C", "u3", "u4", "u5", "u6", "u7"],
    "Hybrid": ["A", "B", "C", "u1", "u2", "u3", "u4", "u5", "u6", "u7"],
}
grades = {system: [judgements.get(doc, 0) for doc in ranked] for system, ranked in lists.items()}

# %% key="figure-lists"
fig, (ax,) = plots.axes(7, 2.2)
plots.grade_strip(ax, grades)
plots.show(fig, text("04-alt-lists"))

# %% [markdown] key="recall-blind"
# You know two numbers for this. Here they are.

# %% key="recall-and-rr"
for system, ranked in lists.items():
    recall = measures.recall_at_k(ranked, useful, 10)
    print(f"{system:17} Recall@10 {recall:.2f}   RR {measures.reciprocal_rank(ranked, useful):.2f}")

# %% [markdown] key="recall-blind-read"
# All perfect, all equal. Yet you would rather use the hybrid: BM25 puts four useless documents and C between A and B. We need a number that looks at grades and at every rank.

# %% [markdown] key="gain"
# ## Gain and discount
#
# Two ideas, one multiplication.
#
# **Gain**: what a document is worth. Here the gain is the grade itself: 2, 1 or 0. This is *linear gain*.
#
# **Discount**: how much of that worth is left at a rank. A reader may not get that far down. At rank `r` the discount is `1 / log2(r + 1)`. Rank 1 keeps everything, rank 3 keeps half, rank 7 a third. Why a logarithm? It falls quickly at the top and slowly below, as attention does. It is a convention, not a law.

# %% key="discounts"
discounts = [1 / math.log2(rank + 1) for rank in range(1, 11)]
print(*(f"{value:.3f}" for value in discounts))

# %% [markdown] key="dcg-by-hand"
# **DCG**, the discounted cumulative gain, adds gain × discount over the first `k` ranks. By hand, for BM25. It has A at rank 1, C at rank 4, B at rank 7:
#
# | rank | document | gain | discount | gain × discount |
# |---|---|---|---|---|
# | 1 | A | 2 | 1.000 | 2.000 |
# | 4 | C | 1 | 0.431 | 0.431 |
# | 7 | B | 2 | 0.333 | 0.667 |
#
# The sum is 3.097. In code it is one line.


# %% key="dcg-function"
def dcg_of(ranked_grades):
    return sum(grade / math.log2(rank + 1) for rank, grade in enumerate(ranked_grades, start=1))


{system: round(dcg_of(ranked), 3) for system, ranked in grades.items()}

# %% [markdown] key="figure-gain-intro"
# In the picture, the dashed outline is the gain. The filled bar, with its number, is what the discount leaves.

# %% key="figure-gain"
fig, panels = plots.axes(9, 2.6, columns=3)
for ax, (system, ranked) in zip(panels, grades.items(), strict=True):
    plots.contributions(ax, system, ranked)
plots.show(fig, text("04-alt-contributions"))

# %% [markdown] key="ideal"
# ## The ideal, and the N in nDCG
#
# Is 3.097 good? You cannot say. A query with more useful documents has larger sums. So divide by the best possible sum for *this* query.
#
# The **ideal** list holds all judged documents, best grade first: 2, 2, 1, then nothing. Its DCG is 2 + 2 × 0.631 + 1 × 0.5 = 3.762. **nDCG**, the *normalized* DCG, is DCG divided by the DCG of the ideal.

# %% key="ndcg-all"
ideal_grades = sorted(judgements.values(), reverse=True)
ndcg_by_system = {system: dcg_of(ranked) / dcg_of(ideal_grades) for system, ranked in grades.items()}
{system: round(score, 4) for system, score in ndcg_by_system.items()}

# %% [markdown] key="ndcg-read"
# Now the three systems have three different scores: BM25 0.823, EmbeddingGemma 2 0.970, the hybrid 1. This is *nDCG@10, linear gain*. An nDCG without its cutoff and its gain is half a number.

# %% [markdown] key="by-k"
# ## Does it rise with k?
#
# Recall can only rise when you look further. What about nDCG? Both lists, yours and the ideal, are cut at `k`. Look at BM25, and guess first.

# %% key="predict-falls"
predict("04-bm25-by-k", ...)

# %% key="figure-by-k"
by_k = [measures.ndcg_at_k(lists["BM25"], judgements, k) for k in range(1, 11)]
fig, (ax,) = plots.axes(6.5, 2.8)
plots.score_by_cutoff(ax, {"nDCG@k": by_k})
plots.show(fig, text("04-alt-by-k", k2=f"{by_k[1]:.3f}", k3=f"{by_k[2]:.3f}", k10=f"{by_k[9]:.3f}"))

# %% key="reveal-falls"
reveal("04-bm25-by-k", "c" if by_k[0] > by_k[2] else "a")

# %% [markdown] key="ex-by-hand" exercise="04-by-hand"
# ### Exercise 1: one list on paper (7 minutes)
#
# A query has two useful documents, with grades 2 and 1. A system returns documents with grades `1, 0, 2`, in this order. Compute nDCG@3 with linear gain. Two digits after the point are enough. The discounts of ranks 1, 2 and 3 are 1, 0.631 and 0.5.
#
# <details><summary>Hint 1</summary>
#
# First the DCG of 1, 0, 2. Three products, one sum.
#
# </details>
# <details><summary>Hint 2</summary>
#
# The ideal order is 2, 1. Its DCG is 2 × 1 + 1 × 0.631.
#
# </details>

# %% key="ex-by-hand-stub" tags=["stub"] exercise="04-by-hand"
my_ndcg = ...

# %% key="ex-by-hand-check" exercise="04-by-hand"
check("04-by-hand", my_ndcg)

# %% key="ex-by-hand-solution" tags=["solution"] exercise="04-by-hand"
my_ndcg = (1 * 1 + 0 * 0.631 + 2 * 0.5) / (2 * 1 + 1 * 0.631)

# %% key="ex-by-hand-wrong-dcg" tags=["wrong"] exercise="04-by-hand" case="mistakes.0"
my_ndcg = 1 * 1 + 2 * 0.5

# %% key="ex-by-hand-wrong-flat-ideal" tags=["wrong"] exercise="04-by-hand" case="mistakes.3"
my_ndcg = 2 / 3

# %% key="ex-by-hand-wrong-ideal-only" tags=["wrong"] exercise="04-by-hand" case="mistakes.4"
my_ndcg = 2 * 1 + 1 * 0.631

# %% key="ex-by-hand-wrong-no-discount" tags=["wrong"] exercise="04-by-hand" case="mistakes.1"
my_ndcg = 3 / 3

# %% key="ex-by-hand-wrong-exponential" tags=["wrong"] exercise="04-by-hand" case="mistakes.2"
my_ndcg = (1 + 3 * 0.5) / (3 + 0.631)

# %% key="ex-by-hand-equivalent" tags=["equivalent"] exercise="04-by-hand"
my_ndcg = "0,76"

# %% [markdown] key="two-gains"
# ## Two gains are in use
#
# Järvelin and Kekäläinen (2002) let the grade be the gain. Burges and others (2005) use `2^grade - 1`, so that grade 2 is worth three times grade 1, not twice. This is *exponential gain*. Both are called nDCG, and many reports do not say which.

# %% key="both-gains"
table = pd.DataFrame(index=list(lists))
table["Recall@10"] = [measures.recall_at_k(ranked, useful, 10) for ranked in lists.values()]
table["RR"] = [measures.reciprocal_rank(ranked, useful) for ranked in lists.values()]
for gain in ("linear", "exponential"):
    table[f"nDCG@10, {gain}"] = [measures.ndcg_at_k(doc, judgements, 10, gain) for doc in lists.values()]
table.round(4)

# %% [markdown] key="both-gains-read"
# Here the gains agree on the order of the systems, and nearly on the values. They do not always. When you compare two reports, compare their gains first.

# %% [markdown] key="audit"
# ## The number audit
#
# The post prints nDCG@10 for the same three lists. Put its numbers beside ours.

# %% key="audit-table"
audit = table[["nDCG@10, linear", "nDCG@10, exponential"]].round(3)
audit.insert(0, "printed in the post", [0.78, 0.89, 0.97])
audit

# %% [markdown] key="audit-think"
# They differ. Do not decide yet that the post is wrong: perhaps it uses another gain, or another discount. Is there *any* convention that gives the hybrid 0.97? You can settle that without trying conventions one by one.

# %% [markdown] key="ex-proof" exercise="04-proof"
# ### Exercise 2: prove it (8 minutes)
#
# nDCG compares your list with the ideal list, rank by rank. Write a function that takes both lists of grades and returns the ranks, counted from 1, at which they differ. A list that ends early is filled up with zeros. Before you run it: what would follow for nDCG if no rank differed?
#
# <details><summary>Hint 1</summary>
#
# Fill the shorter list with zeros first. Then walk over both with `zip`.
#
# </details>
# <details><summary>Hint 2</summary>
#
# `itertools.zip_longest(a, b, fillvalue=0)` fills and walks at once.
#
# </details>


# %% key="ex-proof-stub" tags=["stub"] exercise="04-proof"
def differing_ranks(ranked_grades, ideal_grades):
    return ...  # put your code here


# %% key="ex-proof-check" exercise="04-proof"
check("04-proof", differing_ranks)

# %% key="ex-proof-solution" tags=["solution"] exercise="04-proof"
from itertools import zip_longest


def differing_ranks(ranked_grades, ideal_grades):
    pairs = zip_longest(ranked_grades, ideal_grades, fillvalue=0)
    return [rank for rank, (mine, best) in enumerate(pairs, start=1) if mine != best]


# %% key="ex-proof-wrong-zip" tags=["wrong"] exercise="04-proof" case="cases.1"
def differing_ranks(ranked_grades, ideal_grades):
    pairs = zip(ranked_grades, ideal_grades)
    return [rank for rank, (mine, best) in enumerate(pairs, start=1) if mine != best]


# %% key="ex-proof-wrong-zero" tags=["wrong"] exercise="04-proof" case="cases.0"
def differing_ranks(ranked_grades, ideal_grades):
    longer = list(ideal_grades) + [0] * (len(ranked_grades) - len(ideal_grades))
    return [rank for rank, (mine, best) in enumerate(zip(ranked_grades, longer)) if mine != best]


# %% key="ex-proof-wrong-count" tags=["wrong"] exercise="04-proof" case="cases.0"
def differing_ranks(ranked_grades, ideal_grades):
    return sum(mine != best for mine, best in zip(ranked_grades, ideal_grades))


# %% key="ex-proof-equivalent" tags=["equivalent"] exercise="04-proof"
def differing_ranks(ranked_grades, ideal_grades):
    found = []
    for place in range(max(len(ranked_grades), len(ideal_grades))):
        mine = ranked_grades[place] if place < len(ranked_grades) else 0
        best = ideal_grades[place] if place < len(ideal_grades) else 0
        if mine != best:
            found.append(place + 1)
    return found


# %% [markdown] key="proof"
# Here is what such a function finds for the three lists.

# %% key="proof-ranks"
best_first = ideal_grades + [0] * 7
for system, ranked in grades.items():
    print(f"{system:17} differs at ranks {[r for r in range(1, 11) if ranked[r - 1] != best_first[r - 1]]}")

# %% [markdown] key="proof-read"
# The hybrid differs at *no* rank. So each of its terms, gain × discount, is the same term as in the ideal. The two sums are equal, and their ratio is 1. This needs no formula for gain or discount; it needs only that a better grade gains at least as much, and that a later rank never weighs more. And it needs that A, B and C are all there is, which the post says. *Under every such gain and discount this list scores 1, so 0.97 cannot come out of it.*

# %% [markdown] key="audit-swap"
# A second sentence of the post can be tested. It explains the loss of EmbeddingGemma 2 partly by A and B standing in the other order. But A and B have the same grade. What does the swap cost?

# %% key="swap-cost"
swapped = ["A", "B", "u1", "u2", "C"]
measures.ndcg_at_k(swapped, judgements, 10) - measures.ndcg_at_k(lists["EmbeddingGemma 2"], judgements, 10)

# %% [markdown] key="audit-close"
# Nothing. All that this system loses, it loses through C at rank 5 instead of 3. The step from it to the hybrid is 0.030 with linear gain and 0.021 with exponential gain. The post prints 0.08.
#
# So what do we say? The *order* of the systems in the post is right, and so is its point: nDCG separates lists that Recall and RR cannot tell apart. Its Recall and RR are right. Its nDCG values do not belong to the lists that it shows. We say it with the working beside it, and we do not bend a formula until 0.97 comes out. Most published tables cannot be checked at all, because they show no lists. This one could be, and that is to its credit.

# %% [markdown] key="instructor-audit" tags=["instructor"]
# **The audit** is the heart of the lesson. Let the room vote before exercise 2: "another convention" or "a mistake"? Most vote for another convention. The proof
# convinces because it tries none. Keep the tone fair: everybody has printed such a number. Ask how the mistake could have been caught (by one assertion: a list
# in ideal order scores 1). A question that comes: "perhaps a fourth relevant document was not retrieved?" Then the hybrid would be below 1, but the ratio
# dense / hybrid would still be 0.970, and the post's is 0.918. No ideal repairs it. **15 minutes.**

# %% [markdown] key="where-c"
# ## What does a place cost?
#
# Keep A and B on top and push C down. Guess first: what is left if C is missing altogether?

# %% key="predict-missing"
predict("04-c-missing", ...)


# %% key="move-c"
def with_c_at(rank):
    others = ["A", "B"] + [f"u{n}" for n in range(1, 9)]
    return [*others[: rank - 1], "C", *others[rank - 1 :]][:10]


moved = {rank: measures.ndcg_at_k(with_c_at(rank), judgements, 10) for rank in range(3, 11)}
missing = measures.ndcg_at_k(["A", "B"], judgements, 10)
print({rank: f"{moved[rank]:.3f}" for rank in (3, 4, 5, 10)}, "missing:", f"{missing:.3f}")

# %% key="reveal-missing"
reveal("04-c-missing", round(missing, 3))

# %% [markdown] key="where-c-read"
# Rank 3 to 4 costs 0.018. Rank 10 to nowhere costs 0.077. nDCG@10 does notice a miss, but mildly: the list without C still has 0.867, better than BM25, which finds all three. *nDCG can hide a miss.* That is why you show Recall beside it.

# %% [markdown] key="ideal-from-all"
# ## The ideal comes from all judged documents
#
# The most common bug: build the ideal from what was *retrieved*. Take a list that holds only A.

# %% key="ideal-bug"
only_a = ["A", "u1", "u2"]
retrieved_ideal = sorted((judgements.get(doc, 0) for doc in only_a), reverse=True)
wrong, right = dcg_of([2, 0, 0]) / dcg_of(retrieved_ideal), measures.ndcg_at_k(only_a, judgements, 3)
print(f"ideal from the retrieved: {wrong:.3f}   ideal from all judged: {right:.3f}")

# %% [markdown] key="ideal-bug-read"
# With the bug, a system that misses two of three documents is perfect. What you did not find must be in the ideal, or a miss costs nothing.

# %% [markdown] key="ex-ndcg" exercise="04-ndcg"
# ### Exercise 3: write nDCG@k (8 minutes)
#
# `ranked` holds the grades of the list in rank order, `judged` the grades of all judged documents in any order. Use linear gain. If nothing is judged relevant, return `float("nan")`: there is nothing to divide by.
#
# <details><summary>Hint 1</summary>
#
# Cut both lists at `k`, the ideal after sorting.
#
# </details>
# <details><summary>Hint 2</summary>
#
# You have a function `dcg_of`. You need it twice.
#
# </details>


# %% key="ex-ndcg-stub" tags=["stub"] exercise="04-ndcg"
def ndcg_at_k(ranked, judged, k):
    return ...  # put your code here


# %% key="ex-ndcg-check" exercise="04-ndcg"
check("04-ndcg", ndcg_at_k)


# %% key="ex-ndcg-solution" tags=["solution"] exercise="04-ndcg"
def ndcg_at_k(ranked, judged, k):
    best = dcg_of(sorted(judged, reverse=True)[:k])
    return dcg_of(ranked[:k]) / best if best else float("nan")


# %% key="ex-ndcg-wrong-retrieved" tags=["wrong"] exercise="04-ndcg" case="cases.1"
def ndcg_at_k(ranked, judged, k):
    return dcg_of(ranked[:k]) / dcg_of(sorted(ranked, reverse=True)[:k])


# %% key="ex-ndcg-wrong-uncut" tags=["wrong"] exercise="04-ndcg" case="cases.2"
def ndcg_at_k(ranked, judged, k):
    best = dcg_of(sorted(judged, reverse=True))
    return dcg_of(ranked[:k]) / best if best else float("nan")


# %% key="ex-ndcg-wrong-long" tags=["wrong"] exercise="04-ndcg" case="cases.3"
def ndcg_at_k(ranked, judged, k):
    best = dcg_of(sorted(judged, reverse=True)[:k])
    return dcg_of(ranked) / best if best else float("nan")


# %% key="ex-ndcg-wrong-order" tags=["wrong"] exercise="04-ndcg" case="cases.3"
def ndcg_at_k(ranked, judged, k):
    best = dcg_of(sorted(judged[:k], reverse=True))
    return dcg_of(ranked[:k]) / best if best else float("nan")


# %% key="ex-ndcg-wrong-null" tags=["wrong"] exercise="04-ndcg" case="cases.4"
def ndcg_at_k(ranked, judged, k):
    best = dcg_of(sorted(judged, reverse=True)[:k])
    return dcg_of(ranked[:k]) / best if best else 0.0


# %% key="ex-ndcg-wrong-zero" tags=["wrong"] exercise="04-ndcg" case="stopped"
def ndcg_at_k(ranked, judged, k):
    best = dcg_of(sorted(judged, reverse=True)[:k])
    return dcg_of(ranked[:k]) / best


# %% key="ex-ndcg-equivalent" tags=["equivalent"] exercise="04-ndcg"
def ndcg_at_k(ranked, judged, k):
    ideal_order, mine, top = sorted(judged)[::-1], 0.0, 0.0
    for place in range(k):
        weight = math.log(2) / math.log(place + 2)
        mine += weight * (ranked[place] if place < len(ranked) else 0)
        top += weight * (ideal_order[place] if place < len(ideal_order) else 0)
    return mine / top if top > 0 else math.nan


# %% [markdown] key="evaluate-intro"
# ## The same from a run
#
# `evaluate` takes the judgements and one system's scores. The default is linear gain. Any other gain shows in the column's name, as in `nDCG(exp)@10`, so that no table can hide it.

# %% key="evaluate"
qrels = {"rotate key": judgements}
run = {"rotate key": {doc: -rank for rank, doc in enumerate(lists["BM25"])}}
both = evaluate(qrels, run).join(evaluate(qrels, run, measures=("nDCG@10",), gain="exponential"))
both.round(4)

# %% [markdown] key="real"
# ## A real collection
#
# The handbook of this course has graded labels too. A real BM25, on the 74 answerable English questions of its dev part, with both gains:

# %% key="real-gains"
handbook, bm25 = load_golden_set(), read_run(paths.assets("runs", "bm25.run"))
dev = handbook.subset(split="dev", lang="en", answerable=True, showcase=False)
real_run = bm25[bm25["query_id"].isin(dev.texts.index)]
real = evaluate(dev.qrels, real_run, ("Recall@10", "nDCG@10"))
real = real.join(evaluate(dev.qrels, real_run, ("nDCG@10",), gain="exponential"))
summarize(real).round(3)

# %% [markdown] key="real-hidden"
# And where does nDCG hide a miss? These questions lost a relevant document and still score above 0.6:

# %% key="real-missed"
missed = real[(real["Recall@10"] < 1) & (real["nDCG@10"] > 0.6)]
missed.assign(text=dev.texts.reindex(missed.index)).round(3)

# %% [markdown] key="numbers"
# The numbers in the text of this lesson are checked here. If one were wrong, this cell would stop.

# %% key="numbers-true"
assert [round(1 / math.log2(rank + 1), 3) for rank in (1, 2, 3, 4, 7)] == [1.0, 0.631, 0.5, 0.431, 0.333]
assert (round(dcg_of(grades["BM25"]), 3), round(dcg_of(ideal_grades), 3)) == (3.097, 3.762)
assert [round(score, 4) for score in ndcg_by_system.values()] == [0.8234, 0.9699, 1.0]
assert audit["nDCG@10, linear"].tolist() == [0.823, 0.970, 1.000]
assert audit["nDCG@10, exponential"].tolist() == [0.822, 0.979, 1.000]
gaps = [table[column].iloc[2] - table[column].iloc[1] for column in table.columns[2:]]
assert [round(gap, 3) for gap in gaps] == [0.030, 0.021]
assert [round(moved[rank], 3) for rank in (3, 4, 5, 10)] == [1.0, 0.982, 0.970, 0.944]
assert (round(missing, 3), round(moved[3] - moved[4], 3), round(moved[10] - missing, 3)) == (
    0.867,
    0.018,
    0.077,
)

# %% [markdown] key="quiz-head"
# ## Quiz

# %% key="quiz-fifteen"
quiz("04-fifteen-relevant")

# %% key="check-fifteen"
check("04-fifteen-relevant", ...)

# %% key="quiz-move-up"
quiz("04-move-up")

# %% key="check-move-up"
check("04-move-up", ...)

# %% key="quiz-must-stand"
quiz("04-must-stand-beside")

# %% key="check-must-stand"
check("04-must-stand-beside", ...)

# %% [markdown] key="takeaways"
# ## Takeaways
#
# - DCG adds gain × discount. nDCG divides by the DCG of the ideal, and the ideal comes from *all* judged documents.
# - Linear and exponential gain are both in use. Print the gain and the cutoff with the number.
# - A list that equals the ideal scores 1, whatever the gain. Assert it in your code.
# - nDCG may fall when `k` grows, and it can hide a miss. Show Recall beside it.
# - Audit before you trust: recompute one row of any table that matters to you.

# %% [markdown] key="own-data"
# ## Now on your own data
#
# Find one nDCG in your team's reports. Find the code that made it. Which gain? Which cutoff? Is the ideal built from all judged documents? Feed it a list in ideal order that misses one of three relevant documents: a correct nDCG@10 is below 1.
#
# Next: [Run three systems](05_run_three_systems.ipynb), where you read real lists.

# %% [markdown] key="instructor-plan" tags=["instructor"]
# **Timing.** 60 minutes with everything. For 45: exercise 3 as homework. For 40: also leave the last two quiz questions.
#
# **Likely wrong answers.** Exercise 1: 2.0 (DCG, not divided) and 0.69 (exponential gain); both get their own message. Exercise 2: ranks from 0. Quiz on 15 relevant
# documents: "1 and 1" is the common choice; ask what the denominator of recall is. If a learner reuses the names `dcg_of` or `ideal_grades` for scratch work, later cells stop: Restart and Run All.
#
# **Where beginners get lost: the ideal.** Let them write the ideal list for a query with grades 1, 1, 2 where only the 2 was retrieved, before any code.
#
# **By-hand sheet.** Judged 2, 1. Returned 1, 0, 2. DCG = 1 + 0 + 1 = 2. Ideal = 2 + 0.631 = 2.631. nDCG@3 = 0.760.
