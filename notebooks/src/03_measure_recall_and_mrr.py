# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3 (ipykernel)
#     language: python
#     name: python3
# ---

# %% [markdown] key="title"
# # Measure recall and MRR
#
# Your search returns a list. Two short numbers tell you whether the right document is in it, and how far a reader must go to meet it.
#
# **By the end you can**
# - compute Recall@k, Precision@k, Success@k and the reciprocal rank of one list on paper;
# - average them over a set of questions, and say what the mean hides;
# - name the best score that a question allows, before you call a score bad.
#
# **50 minutes.** Before: [Start here](00_start_here.ipynb). You need lists, sets and loops in Python, and no statistics.

# %% key="start"
import sys

sys.path += ["..", "../..", "../../.."]  # so that the course is found, wherever this notebook lies
from course_utils import evaluate, load_golden_set, measures, paths, plots, read_run, summarize
from course_utils.i18n import text
from course_utils.lessons import check, predict, quiz, reveal, start

start()

# %% [markdown] key="three-questions"
# ## Three questions, three lists
#
# An employee types a question. The search returns documents, best first. A person has read the documents and **labelled** the one that answers: it is **relevant** to the question. That person's label is all the truth we have.
#
# Here are three questions, written by hand to show the calculation. They come from the page [Recall@k, MRR and nDCG on a Golden Set](https://www.geekswithgeeks.com/en/embeddings/e-metrics).

# %% key="data"
retrieved = {
    "vacation days": ["d2", "d1", "d9"],
    "hotel limit": ["d6", "d5", "d7"],
    "stolen laptop": ["d3", "d4", "d8"],
}
relevant = {"vacation days": {"d1"}, "hotel limit": {"d6"}, "stolen laptop": {"d10"}}

# %% [markdown] key="look-first"
# Look before you count. Where is the right document in each list?
#
# - *vacation days*: `d1` is second.
# - *hotel limit*: `d6` is first.
# - *stolen laptop*: `d10` is not there at all.

# %% [markdown] key="recall-by-hand"
# ## Recall@k: is it in there?
#
# **Recall@k** is the share of the relevant documents that stand among the first `k`. The number `k` is the **cutoff**: how far down you look.
#
# By hand, for *vacation days*. One document is relevant, `d1`.
# - The first 1: `d2`. Found 0 of 1. Recall@1 is 0.
# - The first 3: `d2`, `d1`, `d9`. Found 1 of 1. Recall@3 is 1.
#
# The same in code, for one list:


# %% key="recall-function"
def recall_at_k(got, right, k):
    found = set(got[:k]) & set(right)  # & keeps what is in both
    return len(found) / len(right)


[recall_at_k(retrieved["vacation days"], relevant["vacation days"], k) for k in (1, 2, 3)]

# %% [markdown] key="recall-when"
# Recall does not care where in the first `k` the document stands. Watch it when a later stage reads everything you pass on, such as a language model that gets your first ten documents. What you did not retrieve, it cannot use.

# %% [markdown] key="rr-by-hand"
# ## Reciprocal rank: how far down is the first one?
#
# The **rank** is the place in the list, counted from 1. The **reciprocal rank** (RR) is 1 divided by the rank of the *first* relevant document. If there is none, it is 0.
#
# By hand:
# - *vacation days*: first relevant at rank 2, so 1/2.
# - *hotel limit*: rank 1, so 1/1.
# - *stolen laptop*: none, so 0.


# %% key="rr-function"
def reciprocal_rank(got, right):
    for rank, document in enumerate(got, start=1):
        if document in right:
            return 1 / rank
    return 0.0


{name: reciprocal_rank(retrieved[name], relevant[name]) for name in retrieved}

# %% [markdown] key="rr-when"
# It asks one thing only: how soon did the first useful document come? A second or third one changes nothing. That is close to a person who clicks the first good result and leaves.

# %% [markdown] key="page-output"
# ## The whole set
#
# Three questions give three numbers per measure. The mean of the recalls is the *mean recall*. The mean of the reciprocal ranks has a name of its own: **MRR**, the mean reciprocal rank. This is the table of the source page, computed by your two functions.

# %% key="page-table"
for name in retrieved:
    got, right = retrieved[name], relevant[name]
    r1, r3 = recall_at_k(got, right, 1), recall_at_k(got, right, 3)
    print(f"{name:14} recall@1={r1:.1f} recall@3={r3:.1f} mrr={reciprocal_rank(got, right):.2f}")
n = len(retrieved)
mean_recall = sum(recall_at_k(retrieved[name], relevant[name], 3) for name in retrieved) / n
mean_rr = sum(reciprocal_rank(retrieved[name], relevant[name]) for name in retrieved) / n
print("mean recall@3:", round(mean_recall, 3), "| mean MRR:", round(mean_rr, 3))

# %% [markdown] key="page-words"
# These are exactly the numbers that the page prints. One remark on words: a single list has a *reciprocal rank*; only the mean over questions is an *MRR*. The page writes `mrr` for both.
#
# Now read the last line again. A mean recall of 0.667 sounds like "two thirds of the answer each time". No question had two thirds of anything. Two were perfect and one was lost. *A mean hides who lost.*

# %% [markdown] key="library"
# ## The same, ready-made
#
# `course_utils.measures` holds the functions you just wrote, with their edge cases settled. They must agree with yours; if they did not, this cell would stop.

# %% key="library-agrees"
for name in retrieved:
    got, right = retrieved[name], relevant[name]
    assert measures.recall_at_k(got, right, 3) == recall_at_k(got, right, 3)
    assert measures.reciprocal_rank(got, right) == reciprocal_rank(got, right)

# %% [markdown] key="quiz-mrr"
# Check yourself. This question is the page's own.

# %% key="quiz-mrr-rewards"
quiz("03-mrr-rewards")

# %% key="check-mrr-rewards"
check("03-mrr-rewards", ...)

# %% [markdown] key="mean-of-reciprocals"
# ## The mean of reciprocals
#
# Commit to a guess before you read on. A guess that you wrote down teaches more than one you only thought. Put a number in place of `...` and run the cell. If you do not, the notebook still runs to its end.

# %% key="predict-mean-of-two"
predict("03-mean-of-two", ...)

# %% key="mean-two-ways"
ranks = [1, 4]
mean_of_reciprocals = sum(1 / rank for rank in ranks) / len(ranks)
reciprocal_of_mean = 1 / (sum(ranks) / len(ranks))
mean_of_reciprocals, reciprocal_of_mean

# %% key="reveal-mean-of-two"
reveal("03-mean-of-two", mean_of_reciprocals)

# %% [markdown] key="jumps"
# So MRR is not "1 over the usual rank". The reciprocal falls fast at the top and slowly below. Which is worth more: a document that climbs from rank 2 to 1, or one that climbs from 10 to 2?

# %% key="jump-values"
{"2 to 1": 1 / 1 - 1 / 2, "10 to 2": 1 / 2 - 1 / 10}

# %% key="figure-reciprocal"
fig, (ax,) = plots.axes(6.5, 2.8)
plots.score_by_cutoff(ax, {"1 / rank": [1 / rank for rank in range(1, 11)]})
ax.set(xlabel=text("plot.first_rank"), ylabel=text("plot.rr"))
plots.show(fig, text("03-alt-reciprocal"))

# %% [markdown] key="jumps-read"
# One place at the top beats eight places further down. Measured by MRR, the top of the list is nearly everything.

# %% [markdown] key="instructor-mean" tags=["instructor"]
# **Ranks 1 and 4.** Most of the room writes 0.4 (the reciprocal of the mean rank, 2.5). Ask one of them to explain before you reveal; they
# usually find it themselves. Then ask: which of the two readings would punish a single very bad rank more? (The reciprocal of the mean: one
# rank 100 ruins it. The mean of reciprocals barely notices, which is its own weakness.) **4 minutes.**

# %% [markdown] key="recall-curve-intro"
# ## Recall against the cutoff
#
# A fourth question, *parental leave*, needs four documents: the policy, the form, the pay rule and the return plan. Labels `p1` to `p4`.
#
# Before you run the next cell: how high can Recall@3 be for this question, for the best search in the world?

# %% key="figure-recall"
parental_list = ["p1", "x1", "p2", "x2", "x3", "p3", "x4", "x5", "x6", "x7"]
parental_right = {"p1", "p2", "p3", "p4"}
cutoffs = range(1, 11)
curve = [measures.recall_at_k(parental_list, parental_right, k) for k in cutoffs]
ceiling = [min(1, k / len(parental_right)) for k in cutoffs]
fig, (ax,) = plots.axes(6.5, 3)
plots.score_by_cutoff(ax, {"Recall@k": curve}, ceiling)
plots.show(fig, text("03-alt-recall-by-k", r3=curve[2], c3=ceiling[2], r10=curve[9]))

# %% [markdown] key="ceiling-read"
# Three places cannot hold four documents. The **ceiling** of Recall@3 is 3/4 here, so a Recall@3 of 0.5 is two thirds of what is possible. Recall never falls when `k` grows, and it ends at 0.75: `p4` is not in the list at all.

# %% [markdown] key="precision-intro"
# ## Precision@k: how much of what I show is useful?
#
# The page names **Precision@k** and never computes it. It is the share of the first `k` *places* that hold a relevant document. Same count on top as recall; another number below:
#
# - Recall@k divides by the number of *relevant* documents.
# - Precision@k divides by `k`.
#
# For *vacation days*, Precision@3 is 1/3: one of three places is useful.

# %% [markdown] key="ex-precision" exercise="03-precision"
# ### Exercise 1: write Precision@k (6 minutes)
#
# Complete the function, run both cells, and read what the check says. It looks at short lists too.
#
# <details><summary>Hint 1</summary>
#
# Start from `recall_at_k`. The first line can stay.
#
# </details>
# <details><summary>Hint 2</summary>
#
# If the system returns two documents and `k` is 10, eight places are empty. An empty place is not useful.
#
# </details>


# %% key="ex-precision-stub" tags=["stub"] exercise="03-precision"
def precision_at_k(got, right, k):
    return ...  # put your code here


# %% key="ex-precision-check" exercise="03-precision"
check("03-precision", precision_at_k)


# %% key="ex-precision-solution" tags=["solution"] exercise="03-precision"
def precision_at_k(got, right, k):
    found = set(got[:k]) & set(right)
    return len(found) / k


# %% key="ex-precision-wrong-recall" tags=["wrong"] exercise="03-precision" case="cases.0.mistakes.0"
def precision_at_k(got, right, k):
    return len(set(got[:k]) & set(right)) / len(right)


# %% key="ex-precision-wrong-cut" tags=["wrong"] exercise="03-precision" case="cases.1"
def precision_at_k(got, right, k):
    return len(set(got) & set(right)) / k


# %% key="ex-precision-wrong-short" tags=["wrong"] exercise="03-precision" case="cases.2"
def precision_at_k(got, right, k):
    return len(set(got[:k]) & set(right)) / len(got[:k])


# %% key="ex-precision-equivalent" tags=["equivalent"] exercise="03-precision"
def precision_at_k(got, right, k):
    hits = 0
    for document in got[:k]:
        hits += document in right
    return hits / k


# %% [markdown] key="precision-ceiling"
# Precision has a ceiling too. With one relevant document, the best possible Precision@10 is 1/10. A Precision@10 of 0.1 can be perfect, so never read it without the number of relevant documents beside it.

# %% key="precision-ceiling-number"
measures.precision_at_k(["d1"], {"d1"}, 10), measures.recall_at_k(["d1"], {"d1"}, 10)

# %% [markdown] key="long-k"
# That list held one document and `k` was 10. A cutoff beyond the end of the list is allowed: recall looks at what is there, precision still divides by 10.

# %% [markdown] key="success"
# ## Success@k is not recall
#
# **Success@k**, also called hit rate, is 1 if *any* relevant document is among the first `k`, else 0. Dashboards often print it under the name "recall". With one relevant document the two agree. With four they do not.

# %% key="success-against-recall"
three = {"Success@3": measures.success_at_k(parental_list, parental_right, 3)}
three["Recall@3"] = measures.recall_at_k(parental_list, parental_right, 3)
three

# %% [markdown] key="success-read"
# The same list gets 1 or 0.5. If a vendor reports "recall 0.95", ask whether they count documents or questions.

# %% key="quiz-success"
quiz("03-success-or-recall")

# %% key="check-success"
check("03-success-or-recall", ...)

# %% [markdown] key="ex-by-hand" exercise="03-by-hand"
# ### Exercise 2: four numbers on paper (6 minutes)
#
# Relevant: `a`, `b`, `c`, `d`. The system returns `x`, `c`, `y`, `a`, `z`. Work out the four scores by hand, then type them in.
#
# <details><summary>Hint 1</summary>
#
# Write the first three places on paper and cross out what is not relevant. One document is left.
#
# </details>
# <details><summary>Hint 2</summary>
#
# The reciprocal rank looks at the first relevant document only, and it stands at rank 2.
#
# </details>

# %% key="ex-by-hand-stub" tags=["stub"] exercise="03-by-hand"
by_hand = ...  # {"Recall@3": 0.0, "Precision@3": 0.0, "Success@3": 0.0, "RR": 0.0}

# %% key="ex-by-hand-check" exercise="03-by-hand"
check("03-by-hand", by_hand)

# %% key="ex-by-hand-solution" tags=["solution"] exercise="03-by-hand"
by_hand = {"Recall@3": 1 / 4, "Precision@3": 1 / 3, "Success@3": 1, "RR": 1 / 2}

# %% key="ex-by-hand-wrong-swap" tags=["wrong"] exercise="03-by-hand" case="mistakes.0"
by_hand = {"Recall@3": 1 / 3, "Precision@3": 1 / 4, "Success@3": 1, "RR": 1 / 2}

# %% key="ex-by-hand-wrong-success" tags=["wrong"] exercise="03-by-hand" case="mistakes.1"
by_hand = {"Recall@3": 1 / 4, "Precision@3": 1 / 3, "Success@3": 1 / 4, "RR": 1 / 2}

# %% key="ex-by-hand-wrong-list" tags=["wrong"] exercise="03-by-hand" case="mistakes.2"
by_hand = {"Recall@3": 2 / 4, "Precision@3": 2 / 3, "Success@3": 1, "RR": 1 / 2}

# %% key="ex-by-hand-wrong-rank" tags=["wrong"] exercise="03-by-hand" case="other"
by_hand = {"Recall@3": 1 / 4, "Precision@3": 1 / 3, "Success@3": 1, "RR": 2}

# %% key="ex-by-hand-equivalent" tags=["equivalent"] exercise="03-by-hand"
by_hand = {"RR": "1/2", "Success@3": True + 0, "Precision@3": 0.333, "Recall@3": "25%"}

# %% [markdown] key="ex-mrr" exercise="03-mean-reciprocal-rank" tags=["stretch"]
# ### Exercise 3: MRR from ranks (6 minutes)
#
# You get one rank per question: the place of its first relevant document, or `None` if none was found. Return the MRR.
#
# <details><summary>Hint 1</summary>
#
# Turn each rank into a reciprocal first. Then take the mean.
#
# </details>
# <details><summary>Hint 2</summary>
#
# A missed question is worth 0 and still counts as a question.
#
# </details>


# %% key="ex-mrr-stub" tags=["stub", "stretch"] exercise="03-mean-reciprocal-rank"
def mean_reciprocal_rank(ranks):
    return ...  # put your code here


# %% key="ex-mrr-check" exercise="03-mean-reciprocal-rank" tags=["stretch"]
check("03-mean-reciprocal-rank", mean_reciprocal_rank)


# %% key="ex-mrr-solution" tags=["solution", "stretch"] exercise="03-mean-reciprocal-rank"
def mean_reciprocal_rank(ranks):
    values = [0 if rank is None else 1 / rank for rank in ranks]
    return sum(values) / len(values)


# %% key="ex-mrr-wrong-mean" tags=["wrong"] exercise="03-mean-reciprocal-rank" case="cases.0.mistakes.0"
def mean_reciprocal_rank(ranks):
    return 1 / (sum(ranks) / len(ranks))


# %% key="ex-mrr-wrong-sum" tags=["wrong"] exercise="03-mean-reciprocal-rank" case="cases.0.mistakes.1"
def mean_reciprocal_rank(ranks):
    return sum(1 / rank for rank in ranks if rank)


# %% key="ex-mrr-wrong-median" tags=["wrong"] exercise="03-mean-reciprocal-rank" case="cases.2"
def mean_reciprocal_rank(ranks):
    from statistics import median

    return median(1 / rank if rank else 0 for rank in ranks)


# %% key="ex-mrr-wrong-drop" tags=["wrong"] exercise="03-mean-reciprocal-rank" case="cases.1.mistakes.0"
def mean_reciprocal_rank(ranks):
    found = [1 / rank for rank in ranks if rank]
    return sum(found) / len(found)


# %% key="ex-mrr-equivalent" tags=["equivalent"] exercise="03-mean-reciprocal-rank"
def mean_reciprocal_rank(ranks):
    total = 0.0
    for rank in ranks:
        if rank is not None:
            total += rank**-1
    return total / len(ranks)


# %% [markdown] key="evaluate-intro"
# ## A whole run at once
#
# In practice you do not loop. You hold two mappings. The **qrels** (short for query relevance judgements) give each labelled document a grade; here 1 means relevant. The **run** holds what one system returned, with a score per document; a higher score stands higher, so minus the rank will do as a score. `evaluate` takes both and returns one row per question.

# %% key="evaluate"
qrels = {name: dict.fromkeys(right, 1) for name, right in relevant.items()}
run = {name: {document: -rank for rank, document in enumerate(got)} for name, got in retrieved.items()}
per_query = evaluate(qrels, run, measures=("Recall@1", "Recall@3", "Precision@3", "RR@3"))
per_query

# %% key="summarize"
summarize(per_query)

# %% [markdown] key="evaluate-read"
# Every name carries its cutoff: `RR@3` looks at the first three places only, and its mean is MRR@3. The column `n` says how many questions the mean is over, and `n_undefined` how many have no score at all (lesson 06). Get used to asking for both.
#
# Always keep the table of questions, not only the mean. The row *stolen laptop* is where your work is.

# %% [markdown] key="real"
# ## A real collection
#
# The three questions exist in the handbook of this course too, with real documents, real labels and a real system: BM25, which matches words. Predict before you run: which of the three goes best?

# %% key="real-three"
handbook, bm25 = load_golden_set(), read_run(paths.assets("runs", "bm25.run"))
three_real = handbook.subset(showcase=True).questions.set_index("query_id")["text"].drop("q114")
asked = bm25[bm25["query_id"].isin(three_real.index)]
real = evaluate(
    handbook.qrels[handbook.qrels["query_id"].isin(three_real.index)], asked, ("Recall@3", "RR@10")
)
real.assign(text=three_real).round(3)

# %% [markdown] key="real-all"
# Now 74 questions at once: the dev part of the set, English, with an answer.

# %% key="real-dev"
dev = handbook.subset(split="dev", lang="en", answerable=True, showcase=False)
found = evaluate(dev.qrels, bm25[bm25["query_id"].isin(dev.texts.index)], ("Recall@3", "Recall@10", "RR@10"))
summarize(found).round(3)

# %% [markdown] key="real-read"
# MRR@10 is 0.589. By now you know what that does *not* say. In lesson 05 you read the lists behind it.

# %% [markdown] key="numbers"
# The numbers in the text of this lesson are checked here. If one were wrong, this cell would stop.

# %% key="numbers-true"
assert (round(mean_recall, 3), mean_rr) == (0.667, 0.5)
assert (mean_of_reciprocals, reciprocal_of_mean) == (0.625, 0.4)
assert (ceiling[2], curve[2], curve[9]) == (0.75, 0.5, 0.75)
assert round(measures.precision_at_k(retrieved["vacation days"], {"d1"}, 3), 4) == round(1 / 3, 4)
assert list(three.values()) == [1.0, 0.5]
assert len(found) == 74 and round(found["RR@10"].mean(), 3) == 0.589

# %% [markdown] key="quiz-last"
# ## Quiz

# %% key="quiz-mrr-half"
quiz("03-mrr-half")

# %% key="check-mrr-half"
check("03-mrr-half", ...)

# %% key="quiz-shuffle" tags=["stretch"]
quiz("03-shuffle-top")

# %% key="check-shuffle" tags=["stretch"]
check("03-shuffle-top", ...)

# %% key="quiz-best-precision"
quiz("03-best-precision")

# %% key="check-best-precision"
check("03-best-precision", ...)

# %% [markdown] key="takeaways"
# ## Takeaways
#
# - Recall@k divides by what is relevant, Precision@k by `k`. Both ignore the order inside the first `k`.
# - The reciprocal rank sees only the first relevant document. MRR is the mean of reciprocals.
# - Success@k counts questions, Recall@k counts documents.
# - Know the ceiling before you judge a score: `min(1, k / R)` for Recall@k, `min(1, R / k)` for Precision@k, with `R` relevant documents.
# - A mean hides who lost. Keep one row per question.

# %% [markdown] key="own-data"
# ## Now on your own data
#
# Take three questions that people really ask your system, one of which you know goes badly. Write down the first five results of each and the documents that answer. Compute Recall@5 and the reciprocal rank on paper. Which of the two numbers would you show your team, and what would it hide?
#
# Next: [Grade with nDCG](04_grade_with_ndcg.ipynb), where one document can be better than another.

# %% [markdown] key="instructor-plan" tags=["instructor"]
# **Timing.** 50 minutes with everything. For 45, leave out exercise 3 and the quiz on shuffling (both `stretch`). For 35, also give exercise 2 as homework.
#
# **On the board.** Draw the list of *parental leave* as ten boxes before the recall curve. Let the room call out Recall@1, @3, @10.
#
# **Likely wrong answers.** Exercise 1: dividing by the length of the list (the check says so). Exercise 2: Recall and Precision swapped. Quiz on MRR 0.5: most
# choose "all at rank 2"; let one person find a second way and the right option follows.
#
# **By-hand sheet.** Relevant: a, b, c, d. Returned: x, c, y, a, z. Ask for Recall@1, 3, 5 (0, .25, .5), Precision@5 (.4), RR (.5), Success@1 and @3 (0, 1).
