# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3 (ipykernel)
#     language: python
#     name: python3
# ---

# %% [markdown] key="title"
# # Choose a measure
#
# Every measure answers one question. Choose the one that asks what your users need, before you look at the scores.
#
# **By the end you can**
# - pick a measure for a product, and say what it is blind to;
# - compute average precision on paper, and tell it from the context precision of RAG tools;
# - read how many relevant documents a collection has per question, and say which measures can move at all.
#
# **40 minutes.** Before: [Run three systems](05_run_three_systems.ipynb).

# %% key="start"
import sys

sys.path += ["..", "../..", "../../.."]  # so that the course is found, wherever this notebook lies
from math import comb, log2, nan

import pandas as pd

from course_utils import evaluate, load_golden_set, measures, paths, plots, read_run, summarize
from course_utils.i18n import text
from course_utils.lessons import check, predict, quiz, reveal, start
from course_utils.significance import bootstrap_mean

start()

# %% [markdown] key="rules"
# ## Three rules
#
# The post that [lesson 04](04_grade_with_ndcg.ipynb) audits ends with good advice: let the product choose. Its three rules as a table, with a last column of ours:
#
# | The product | Watch first | It is blind to |
# |---|---|---|
# | Missing a relevant document is expensive. | Recall@10 | order and grade inside the ten |
# | People open the first useful result and leave. | MRR | everything after the first hit |
# | People look over the whole page of results. | nDCG@10 | nothing quite, but it forgives a miss |
#
# The 10 is not holy. Put there what your reader, or your next stage, really reads.

# %% [markdown] key="ex-stories" exercise="07-stories"
# ### Exercise 1: four products (5 minutes)
#
# Which measure would you watch first: `"Recall@10"`, `"MRR"` or `"nDCG@10"`?
#
# - `lease`: before a firm is bought, a lawyer must see every lease with a certain clause. At most five leases have it, and one overlooked costs a fortune.
# - `phone`: a helper on the phone types the caller's question and reads out the first page that fits.
# - `portal`: a staff portal shows ten courses on one page. Some fit well, some by half, and people compare.
# - `chatbot`: a language model gets ten passages, reads them all, and answers.
#
# <details><summary>Hint 1</summary>
#
# Ask of each story: who reads the list, and where do they stop?
#
# </details>
# <details><summary>Hint 2</summary>
#
# The model does not stop at the first useful passage, and it does not tire on the way down.
#
# </details>

# %% key="ex-stories-stub" tags=["stub"] exercise="07-stories"
choices = ...  # {"lease": "", "phone": "", "portal": "", "chatbot": ""}

# %% key="ex-stories-check" exercise="07-stories"
check("07-stories", choices)

# %% key="ex-stories-solution" tags=["solution"] exercise="07-stories"
choices = {"lease": "Recall@10", "phone": "MRR", "portal": "nDCG@10", "chatbot": "Recall@10"}

# %% key="ex-stories-wrong-chatbot" tags=["wrong"] exercise="07-stories" case="mistakes.0"
choices = {"lease": "Recall@10", "phone": "MRR", "portal": "nDCG@10", "chatbot": "nDCG@10"}

# %% key="ex-stories-wrong-first" tags=["wrong"] exercise="07-stories" case="mistakes.1"
choices = {"lease": "Recall@10", "phone": "MRR", "portal": "nDCG@10", "chatbot": "MRR"}

# %% key="ex-stories-wrong-all" tags=["wrong"] exercise="07-stories" case="mistakes.2"
choices = dict.fromkeys(["lease", "phone", "portal", "chatbot"], "nDCG@10")

# %% key="ex-stories-wrong-swap" tags=["wrong"] exercise="07-stories" case="other"
choices = {"lease": "Recall@10", "phone": "nDCG@10", "portal": "MRR", "chatbot": "Recall@10"}

# %% key="ex-stories-equivalent" tags=["equivalent"] exercise="07-stories"
choices = {"chatbot": "recall@10", "portal": "ndcg@10", "phone": "mrr", "lease": "recall@10"}

# %% [markdown] key="not-always"
# ## Higher is not always better
#
# The post warns that one measure can rise while another falls. You can run that. Same query, same grades as in lesson 04: A and B have grade 2, C has 1. The second list holds A and B on top and misses C.

# %% key="two-lists"
judgements, useful = {"A": 2, "B": 2, "C": 1}, {"A", "B", "C"}
two_lists = {
    "BM25": ["A", "u1", "u2", "C", "u3", "u4", "B", "u5", "u6", "u7"],
    "A, B, no C": ["A", "B", "u1", "u2", "u3", "u4", "u5", "u6", "u7", "u8"],
}
side_by_side = pd.DataFrame(index=list(two_lists))
side_by_side["Recall@10"] = [measures.recall_at_k(got, useful, 10) for got in two_lists.values()]
side_by_side["RR"] = [measures.reciprocal_rank(got, useful) for got in two_lists.values()]
side_by_side["nDCG@10, linear"] = [measures.ndcg_at_k(got, judgements, 10) for got in two_lists.values()]
side_by_side.round(3)

# %% [markdown] key="not-always-read"
# Which list is better? For the portal the second: both good pages on top. For the lawyer the first: nothing is lost. nDCG@10 prefers 0.867 to 0.823, although its recall is 0.667 and not 1. *No number settles this. The product does.*
#
# And nDCG can hide more than one document of low grade. Here fifteen are relevant, all of one grade, and ten of them are returned:

# %% key="hidden-miss"
fifteen = {f"d{n}": 1 for n in range(15)}
ten = list(fifteen)[:10]
{"nDCG@10": measures.ndcg_at_k(ten, fifteen, 10), "Recall@10": measures.recall_at_k(ten, set(fifteen), 10)}

# %% [markdown] key="hidden-miss-read"
# Five documents are missing, and nDCG@10 says 1: the ten places could not be filled better. That is true, and no help to the lawyer.

# %% key="quiz-ship"
quiz("07-ship")

# %% key="check-ship"
check("07-ship", ...)

# %% [markdown] key="ap"
# ## Between recall and order: average precision
#
# You will meet one more measure in papers and libraries. **AP**, average precision, looks at every rank that holds a relevant document, and takes Precision@k there. Then it divides the sum by the number of *all* relevant documents. The mean over questions is **MAP**.
#
# By hand, for BM25 above. Three documents are relevant.
#
# | hit | rank | found so far | precision there |
# |---|---|---|---|
# | A | 1 | 1 | 1/1 |
# | C | 4 | 2 | 2/4 |
# | B | 7 | 3 | 3/7 |
#
# The sum is 1.929. Divided by 3 it is 0.643. AP sees relevant or not, and no grades. A document that is not found adds 0 to the sum and still counts among the 3.

# %% [markdown] key="ex-ap" exercise="07-average-precision"
# ### Exercise 2: write average precision (7 minutes)
#
# `got` is the list, best first, `right` the set of relevant documents. Read the whole list: this AP has no cutoff. If `right` is empty, AP is undefined: return `nan`. First work out on paper: what is the AP of the list that misses C?
#
# <details><summary>Hint 1</summary>
#
# Walk down the list with `enumerate(got, start=1)` and count the hits. At a hit, add hits / rank.
#
# </details>
# <details><summary>Hint 2</summary>
#
# At the end divide by `len(right)`, whatever was found, and however many there are.
#
# </details>


# %% key="ex-ap-stub" tags=["stub"] exercise="07-average-precision"
def average_precision(got, right):
    return ...  # put your code here


# %% key="ex-ap-check" exercise="07-average-precision"
check("07-average-precision", average_precision)


# %% key="ex-ap-solution" tags=["solution"] exercise="07-average-precision"
def average_precision(got, right):
    hits, total = 0, 0.0
    for rank, document in enumerate(got, start=1):
        if document in right:
            hits += 1
            total += hits / rank
    return total / len(right) if right else nan


# %% key="ex-ap-wrong-found" tags=["wrong"] exercise="07-average-precision" case="cases.1.mistakes.0"
def average_precision(got, right):
    ranks = [rank for rank, document in enumerate(got, start=1) if document in right]
    return sum(hits / rank for hits, rank in enumerate(ranks, start=1)) / len(ranks)


# %% key="ex-ap-wrong-reciprocal" tags=["wrong"] exercise="07-average-precision" case="cases.0.mistakes.0"
def average_precision(got, right):
    return sum(1 / rank for rank, doc in enumerate(got, start=1) if doc in right) / len(right)


# %% key="ex-ap-wrong-length" tags=["wrong"] exercise="07-average-precision" case="cases.0.mistakes.1"
def average_precision(got, right):
    ranks = [rank for rank, document in enumerate(got, start=1) if document in right]
    return sum(hits / rank for hits, rank in enumerate(ranks, start=1)) / len(got)


# %% key="ex-ap-wrong-every-rank" tags=["wrong"] exercise="07-average-precision" case="cases.0.mistakes.2"
def average_precision(got, right):
    places = range(1, len(got) + 1)
    return sum(len(set(got[:k]) & right) / k for k in places) / len(got)


# %% key="ex-ap-wrong-ceiling" tags=["wrong"] exercise="07-average-precision" case="cases.3.mistakes.0"
def average_precision(got, right):
    ranks = [rank for rank, document in enumerate(got, start=1) if document in right]
    return sum(hits / rank for hits, rank in enumerate(ranks, start=1)) / min(len(right), 10)


# %% key="ex-ap-wrong-cutoff" tags=["wrong"] exercise="07-average-precision" case="cases.4.mistakes.0"
def average_precision(got, right):
    ranks = [rank for rank, document in enumerate(got[:10], start=1) if document in right]
    return sum(hits / rank for hits, rank in enumerate(ranks, start=1)) / len(right)


# %% key="ex-ap-wrong-nothing-is-one" tags=["wrong"] exercise="07-average-precision" case="cases.5.mistakes.0"
def average_precision(got, right):
    ranks = [rank for rank, document in enumerate(got, start=1) if document in right]
    return sum(hits / rank for hits, rank in enumerate(ranks, start=1)) / len(right) if right else 1.0


# %% key="ex-ap-wrong-nothing-is-zero" tags=["wrong"] exercise="07-average-precision" case="cases.5.mistakes.1"
def average_precision(got, right):
    ranks = [rank for rank, document in enumerate(got, start=1) if document in right]
    return sum(hits / rank for hits, rank in enumerate(ranks, start=1)) / max(1, len(right))


# %% key="ex-ap-equivalent" tags=["equivalent"] exercise="07-average-precision"
def average_precision(got, right):
    precisions = [len(set(got[:k]) & right) / k for k in range(1, len(got) + 1) if got[k - 1] in right]
    return sum(precisions) / len(right) if right else float("nan")


# %% [markdown] key="context-precision"
# ## The same formula with another denominator
#
# In RAG, a language model answers from the passages that a search hands it, and RAG tools score these passages. A common score is **context precision**. The tool Ragas [documents it](https://docs.ragas.io/en/v0.3.7/concepts/metrics/available_metrics/context_precision/) as the sum that you know from AP, divided by the number of relevant items *in the top K results*. Not by all relevant ones. In code:


# %% key="context-precision-function"
def context_precision(got, right):
    ranks = [rank for rank, document in enumerate(got, start=1) if document in right]
    at_hits = [hits / rank for hits, rank in enumerate(ranks, start=1)]
    return sum(at_hits) / len(at_hits) if at_hits else 0.0


# %% key="context-precision-table"
side_by_side["AP"] = [measures.average_precision(got, useful) for got in two_lists.values()]
side_by_side["context precision"] = [context_precision(got, useful) for got in two_lists.values()]
side_by_side.round(3)

# %% [markdown] key="context-precision-read"
# For BM25, which finds all three, the two are equal. Without C, AP is 0.667 and context precision is a perfect 1.
#
# That is no bug. The tool asks a model, passage by passage, whether the passage was useful. So it needs no labelled documents. But nobody ever looked at C, and a score cannot miss what it never saw. The name says precision, and precision does not promise completeness.
#
# Its partner, **context recall**, is not the Recall@k of this course either. The model version [counts claims](https://github.com/explodinggradients/ragas/blob/55c3571a8f9893486708009228a005c86093958d/docs/concepts/metrics/available_metrics/context_recall.md) of a written reference answer, and asks how many of them the passages support. Here are five claims, made up for this cell, and the documents that support each:

# %% key="context-recall"
claims = {
    "revoke the old key": {"A", "B"},
    "make a new one": {"A", "B"},
    "restart the services": {"A"},
    "clear cached tokens": {"B"},
    "tell the security team": {"C"},
}
supported = [bool(documents & {"A", "B"}) for documents in claims.values()]
claim_recall = sum(supported) / len(claims)
{"context recall": claim_recall, "Recall@10": measures.recall_at_k(["A", "B"], useful, 10)}

# %% [markdown] key="context-recall-read"
# Four of five claims, two of three documents. Both are honest, and they answer different questions. When you compare two reports, compare denominators, not names.

# %% key="quiz-cannot-see"
quiz("07-cannot-see")

# %% key="check-cannot-see"
check("07-cannot-see", ...)

# %% [markdown] key="collections"
# ## Collections differ
#
# The post ends with its best advice: before you read any score, look at how many documents are relevant per question in your own set. So how many relevant documents do our questions have? The 74 answerable dev questions that [lesson 05](05_run_three_systems.ipynb) used (those without an answer belong to [lesson 06](06_handle_unanswerable_questions.ipynb)):

# %% key="distribution"
handbook = load_golden_set()
dev = handbook.subset(split="dev", lang="en", answerable=True, showcase=False)
relevant_count = dev.qrels[dev.qrels["relevance"] > 0].groupby("query_id").size()
distribution = relevant_count.value_counts().sort_index().rename_axis("relevant documents")
distribution.to_frame("questions").T

# %% [markdown] key="one-rank"
# 55 of 74 have exactly one. For such a question a list is one number: the rank of that document. Every measure is a curve over that rank.

# %% key="figure-one-rank"
fig, (ax,) = plots.axes(6.5, 3)
ranks = range(1, 11)
by_rank = {"Recall@10": [1.0] * 10, "nDCG@10": [1 / log2(rank + 1) for rank in ranks]}
plots.curves(ax, ranks, by_rank | {"RR and AP": [1 / rank for rank in ranks]})
ax.set(xlabel=text("plot.first_rank"), xticks=ranks)
plots.show(fig, text("07-alt-one-rank"))

# %% [markdown] key="one-rank-read"
# RR and AP are the same number here, and no curve rises where another falls. So on *one* such question no measure can contradict another about which of two lists is better. That needs a question with two relevant documents or more. But the curves differ in *how much* a rank is worth. So *means* over these 55 questions can contradict each other, and below two of them do.

# %% [markdown] key="converge"
# ### Tested: do MRR and Recall converge with one good document?
#
# The post claims: where relevance is yes or no, and each question has one good document, MRR and Recall come together. Do they? Guess first.

# %% key="predict-uniform"
predict("07-uniform-ranks", ...)

# %% key="reveal-uniform"
uniform_mrr = sum(1 / rank for rank in ranks) / 10
reveal("07-uniform-ranks", uniform_mrr)

# %% [markdown] key="converge-real"
# And on our 55 questions? Look at cutoff 1, then at cutoff 10. The mean of RR@10 is MRR@10. (MiniLM is a smaller dense model. Passages is the dense model of lesson 05 over pieces of 120 words instead of whole pages.)


# %% key="five-systems"
def scores_of(run_name, wanted):
    run = read_run(paths.assets("runs", f"{run_name}.run"))
    asked = run[run["query_id"].isin(dev.texts.index)]
    return evaluate(dev.qrels, asked, wanted, queries=dev.texts.index)


five = {"BM25": "bm25", "Dense": "dense", "Hybrid": "hybrid", "MiniLM": "minilm", "Passages": "passages"}
one_relevant = relevant_count.index[relevant_count == 1]
cutoffs = ("Recall@1", "RR@1", "Recall@10", "RR@10")
single = {name: summarize(scores_of(run, cutoffs).loc[one_relevant]) for name, run in five.items()}
pd.concat(single).droplevel(1).drop(columns="n_undefined").round(3)

# %% [markdown] key="converge-read"
# At cutoff 1 the two are equal, always. At 10 they are not: the gap is between 0.18 and 0.26. They would meet only if every hit stood at rank 1. So the sentence does not hold as written. What is near it and true: with one relevant document RR is never above Recall, Recall@k is the same as Success@k, and MRR is the same as MAP.
#
# Now compare BM25 with Dense. By MRR@10 BM25 is ahead, 0.565 to 0.526. By Recall@10 Dense is, 0.782 to 0.745. BM25 has more hits at the top, Dense loses fewer. There is the contradiction of two means, with one relevant document on every question.

# %% key="quiz-same-number"
quiz("07-same-number")

# %% key="check-same-number"
check("07-same-number", ...)

# %% [markdown] key="many"
# ### Tested: do many relevant documents make Recall@10 easier?
#
# The post also claims: where a question has many relevant documents, a high Recall@10 is easier to reach, and nDCG matters more. Guess again.

# %% key="predict-forty"
predict("07-forty-relevant", ...)

# %% key="reveal-forty"
relevant_counts = (1, 5, 10, 20, 40)
best_recall = [min(1, 10 / many) for many in relevant_counts]
reveal("07-forty-relevant", best_recall[-1])

# %% [markdown] key="luck"
# The best possible score falls. Is a score easier to *get*, though? Ask what pure luck gets, on average. Shuffle the 169 pages of the handbook and take the first ten.


# %% key="figure-luck"
def lucky_rr(many, pages=169):
    # the chance that the first r - 1 pages are no use and the r-th is
    first_at = [comb(pages - many, r - 1) / comb(pages, r - 1) * many / (pages - r + 1) for r in ranks]
    return sum(chance / rank for chance, rank in zip(first_at, ranks, strict=True))


lucky_success = [1 - comb(169 - many, 10) / comb(169, 10) for many in relevant_counts]
by_luck = text("07-label-luck")
luck = {text("07-label-best"): best_recall, f"{by_luck}: Success@10": lucky_success}
luck[f"{by_luck}: RR@10"] = [lucky_rr(many) for many in relevant_counts]
luck[f"{by_luck}: Recall@10"] = [10 / 169] * len(relevant_counts)
fig, (ax,) = plots.axes(7, 3)
plots.curves(ax, relevant_counts, luck)
ax.set(xlabel=text("07-label-relevant"), xticks=relevant_counts)
best, success, rr, recall = (f"{values[-1]:.2f}" for values in luck.values())
plots.show(fig, text("07-alt-luck", best=best, success=success, rr=rr, recall=recall))

# %% [markdown] key="luck-read"
# Success@10 and RR become easy: with 40 relevant pages a shuffle succeeds 94 times in 100. The recall of a shuffle stays at 10/169, whatever the number of relevant pages, and its ceiling falls. So *Recall@10* does not become easier; Success@10 does, and dashboards often print that as recall ([lesson 03](03_measure_recall_and_mrr.ipynb)). The other half of the post's claim stands: nDCG@10 can still reach 1 there, so it has room that Recall@10 has lost.

# %% [markdown] key="systems"
# ## Does the choice change the winner?
#
# Five real systems, the same 74 questions, linear gain. (A sixth shipped run, RRF, mixes the same two lists as the hybrid. Many of its scores tie, so it is left out.)

# %% key="predict-winners"
predict("07-winners", ...)

# %% key="winners"
names = ("Recall@3", "Recall@10", "RR@10", "AP@10", "nDCG@10")
scored = {name: scores_of(run, names) for name, run in five.items()}
table = pd.concat({name: summarize(scores) for name, scores in scored.items()}).droplevel(1)
table.drop(columns="n_undefined").round(3)

# %% key="places"
table[list(names)].rank(ascending=False).astype(int)

# %% key="reveal-winners"
reveal("07-winners", "abcd"[table[["Recall@3", "Recall@10", "RR@10", "nDCG@10"]].idxmax().nunique() - 1])

# %% [markdown] key="winners-read"
# Passages is first by every measure. No choice of ours changes that here.
#
# But say you cannot have it, for it stores several vectors per page. Who is second? The table prints MiniLM in second place by MRR@10 and Recall@3, and the hybrid by Recall@10, MAP@10 and nDCG@10. That is the *printed* second place; the gap may be chance. Recall@10 reads 6% of this small handbook, so look at Recall@3 beside it.
#
# On how many questions does each measure see any difference between these two? The last two columns hold an interval from a paired bootstrap for the mean gap, MiniLM minus hybrid. Lesson 10 shows how it is made.

# %% key="who-moves"
gap = scored["MiniLM"] - scored["Hybrid"]
moves = {"MiniLM better": (gap > 0).sum(), "Hybrid better": (gap < 0).sum(), "equal": (gap == 0).sum()}
interval = {name: bootstrap_mean(gap[name]) for name in names}
pd.concat([pd.DataFrame(moves), pd.DataFrame(interval, index=["from", "to"]).T.round(2)], axis=1)

# %% [markdown] key="who-moves-read"
# Recall@10 moves on 21 questions of 74, nDCG@10 on 48. Recall@10 rewards the hybrid for losing fewer documents, MRR rewards MiniLM for what it has higher up. By nDCG@10 MiniLM is ahead on 27 questions against 21, and yet behind in the mean, by 0.004: its losses are larger. Are these gaps larger than chance? All five intervals hold 0, so *cannot tell*. Do not choose between these two by the printed places: label more questions first.
#
# On three questions Recall and nDCG flatly contradict each other. The scores here are MiniLM minus hybrid:

# %% key="contradictions"
contradicted = gap[gap["Recall@10"] * gap["nDCG@10"] < 0]
contradicted.assign(relevant=relevant_count, text=dev.texts)[
    ["Recall@10", "nDCG@10", "relevant", "text"]
].round(2)

# %% [markdown] key="contradictions-read"
# All three have more than one relevant document, as they must. Take the USB drive. At which ranks do the two systems have its relevant pages?

# %% key="usb-drive"
truth = {q: {doc for doc, grade in dev.grades(q).items() if grade > 0} for q in dev.texts.index}
ranked = {}
for name, run_name in five.items():
    run = read_run(paths.assets("runs", f"{run_name}.run"))
    ranked[name] = run.groupby("query_id")["doc_id"].apply(lambda docs: list(docs)[:10])
usb_ranks = {
    name: [rank for rank in ranks if docs["q121"][rank - 1] in truth["q121"]] for name, docs in ranked.items()
}
{name: usb_ranks[name] for name in ("MiniLM", "Hybrid")}

# %% [markdown] key="usb-drive-read"
# MiniLM puts one of the two pages first and loses the other; the hybrid has both, at ranks 5 and 6. Which is better? You know what to ask.

# %% [markdown] key="context-precision-real-words" tags=["stretch"]
# One last score on the same lists: context precision, beside MAP.

# %% key="context-precision-real" tags=["stretch"]
both = pd.DataFrame({"MAP@10": table["AP@10"]})
for name, lists in ranked.items():
    values = [context_precision(lists[q], truth[q]) for q in truth]
    both.loc[name, "context precision"] = sum(values) / len(values)
assert both["MAP@10"]["Hybrid"] > both["MAP@10"]["MiniLM"]
assert both["context precision"]["Hybrid"] < both["context precision"]["MiniLM"]
both.round(3)

# %% [markdown] key="context-precision-real-read" tags=["stretch"]
# MAP@10 prints the hybrid before MiniLM, context precision MiniLM before the hybrid. The lists are the same and the labels are the same; only the denominator differs. MiniLM gains because what it loses is not counted.

# %% [markdown] key="numbers"
# The numbers in the text of this lesson are checked here. If one were wrong, this cell would stop.

# %% key="numbers-true"
assert side_by_side.round(3).loc["BM25"].tolist() == [1.0, 1.0, 0.823, 0.643, 0.643]
assert side_by_side.round(3).loc["A, B, no C"].tolist() == [0.667, 1.0, 0.867, 0.667, 1.0]
assert (round(1 + 2 / 4 + 3 / 7, 3), claim_recall) == (1.929, 0.8)
assert distribution.to_dict() == {1: 55, 2: 15, 3: 2, 4: 2} and len(dev.texts) == 74
singles = pd.concat(single)
assert singles["Recall@1"].equals(singles["RR@1"].rename("Recall@1"))
gaps_at_10 = (singles["Recall@10"] - singles["RR@10"]).round(2)
assert (gaps_at_10.min(), gaps_at_10.max()) == (0.18, 0.26)
assert (round(uniform_mrr, 2), best_recall[-1], round(lucky_success[-1], 2)) == (0.29, 0.25, 0.94)
assert len(handbook.documents) == 169 and round(10 / 169, 2) == 0.06
assert set(table[list(names)].idxmax()) == {"Passages"}
second = table.drop("Passages")[list(names)].idxmax().to_dict()
assert [second[name] for name in names] == ["MiniLM", "Hybrid", "MiniLM", "Hybrid", "Hybrid"]
assert ((gap["Recall@10"] != 0).sum(), (gap["nDCG@10"] != 0).sum()) == (21, 48)
assert ((gap["nDCG@10"] > 0).sum(), (gap["nDCG@10"] < 0).sum()) == (27, 21)
assert round(gap["nDCG@10"].mean(), 3) == -0.004
assert (gap["RR@10"] * gap["nDCG@10"]).loc[one_relevant].min() >= 0
assert len(contradicted) == 3 and (relevant_count[contradicted.index] > 1).all()
assert (len(truth["q121"]), usb_ranks["MiniLM"], usb_ranks["Hybrid"]) == (2, [1], [5, 6])
assert all(low < 0 < high for low, high in interval.values())
same_55 = singles.droplevel(1)[["RR@10", "Recall@10"]].round(3)
assert same_55.loc[["BM25", "Dense"]].values.tolist() == [[0.565, 0.745], [0.526, 0.782]]

# %% [markdown] key="quiz-head"
# ## Quiz

# %% key="quiz-forty-found"
quiz("07-forty-found")

# %% key="check-forty-found"
check("07-forty-found", ...)

# %% [markdown] key="takeaways"
# ## Takeaways
#
# - Missing is expensive: Recall@k. First useful result: MRR. The whole page: nDCG@k. Choose before you see the scores.
# - Two measures may disagree, and both be right. nDCG forgives a miss, so show Recall beside it.
# - AP divides by all relevant documents. Context precision divides by those that were retrieved, and cannot see a miss.
# - Count the relevant documents per question first. With one each, all measures follow one rank, but their means may still disagree; with many, Recall@k has a low ceiling.
# - A measure can pick another system than its neighbour. On the handbook it leaves the winner alone and changes the printed second place; that gap may be chance.
#
# ## Now on your own data
#
# Write one sentence: who reads your results, and where do they stop? Pick the measure from it. Then count the relevant documents of ten of your questions, and write down the best Recall@10 that each allows.
#
# Next: [Hunt metric bugs](08_hunt_metric_bugs.ipynb) in code that computes these measures.

# %% [markdown] key="instructor-plan" tags=["instructor"]
# **Timing.** 40 minutes: rules and exercise 1 (8), higher is not better (5), average precision and context precision (11), the two tested sentences (9), real systems (7). Context precision on the real systems is `stretch`.
# For 30: exercise 2 as homework, and the intervals only shown.
#
# **Likely wrong answers.** Exercise 1: nDCG for the chatbot. Let the room argue: if your model is known to read the first passages with more care, order matters too, and nDCG comes
# second, not first. Exercise 2: dividing by the hits; keep that function, it is the context precision of the next section. 40 relevant documents: many write 1.
#
# **Tone.** Two sentences of the post are found false. Both are followed by excellent advice, to look at the distribution first, and this lesson only follows it.
#
# **By-hand sheet.** Relevant: a, b, c, d. Returned: a, x, b, y, z. AP = (1 + 2/3) / 4 = 0.417. Context precision = (1 + 2/3) / 2 = 0.833. Recall@5 = 0.5. RR = 1.
