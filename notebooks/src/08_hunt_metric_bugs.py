# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3 (ipykernel)
#     language: python
#     name: python3
# ---

# %% [markdown] key="title"
# # Hunt metric bugs
#
# Wrong metric code does not crash. It prints a number, and the number looks fine. Here you learn to catch it without knowing the right number.
#
# **By the end you can**
# - name the five decisions inside an evaluator, and a real bug in each;
# - write tests that hold for every right implementation, and see which bugs each test catches;
# - compare your numbers with another tool's, and tell a bug from a convention.
#
# **50 minutes.** Before: [Grade with nDCG](04_grade_with_ndcg.ipynb) and [Choose a measure](07_choose_a_measure.ipynb).

# %% key="start"
import sys

sys.path += ["..", "../..", "../../.."]  # so that the course is found, wherever this notebook lies
import json
import math
import random

import pandas as pd

from course_utils import evaluate, load_golden_set, measures, paths, plots, read_run
from course_utils.i18n import text
from course_utils.lessons import check, predict, quiz, reveal, start

start()

# %% [markdown] key="impossible"
# ## A number that cannot be
#
# A search cuts pages into chunks and returns the page of each chunk. One page is relevant, `a`, and two of its chunks come back. Count by hand: how many of the first three results are relevant? Two. How many documents are relevant? One.


# %% key="copies-by-hand"
got, right = ["a", "a", "b"], {"a"}
sum(doc in right for doc in got[:3]) / len(right)

# %% [markdown] key="property"
# A recall of 2. You did not need the right answer to see that this is wrong: a share is never above 1. Such a statement is a **property**: it is true of every right implementation, for every input. You can test it on a thousand random lists and never work out one score.

# %% [markdown] key="five-decisions"
# ## Five decisions
#
# An evaluator takes the judgements and a run, and gives one mean. On the way it decides five things:
#
# - whom to ask: which questions count;
# - which ids match;
# - in which order the documents stand;
# - what one list is worth: the measure;
# - how to average.
#
# A run is a list of rows per question here, as in a file: document, rank, score. These are the right decisions of this course, without the measure:

# %% key="right-steps"
K = 5


def relevant(grades):
    return {doc for doc, grade in grades.items() if grade > 0}


def every_judged(qrels, run):  # whom to ask
    return list(qrels)


def one_type(docs, grades):  # which ids match
    if len({type(doc) for doc in [*docs, *grades]}) > 1:
        raise ValueError("ids of two types never match: make both text")


def by_score(rows):  # in which order: by score, equal scores by id, both descending
    return [doc for doc, _, _ in sorted(rows, key=lambda row: (row[2], row[0]), reverse=True)]


def mean_of_defined(scores):  # how to average: undefined (NaN, which never equals itself) is left out
    defined = [score for score in scores if score == score]
    return sum(defined) / len(defined)


# %% [markdown] key="measure-step"
# Now the measure of one list. You know all five of these. AP is from [lesson 07](07_choose_a_measure.ipynb): for `a`, `x`, `b`, when `a`, `b` and `c` are relevant, it is (1/1 + 2/3) / 3 = 0.556.

# %% key="right-measures"
right_measures = {
    "Recall@5": lambda docs, grades: len(set(docs[:K]) & relevant(grades)) / len(relevant(grades)),
    "Precision@5": lambda docs, grades: measures.precision_at_k(docs, relevant(grades), K),
    "RR@5": lambda docs, grades: measures.reciprocal_rank(docs, relevant(grades), K),
    "AP@5": lambda docs, grades: measures.average_precision(docs, relevant(grades), K),
    "nDCG@5": lambda docs, grades: measures.ndcg_at_k(docs, grades, K),
}
recall, precision, rr, ap, ndcg = right_measures.values()
ap(["a", "x", "b"], {"a": 1, "b": 1, "c": 1})

# %% [markdown] key="evaluator-words"
# `evaluator` puts five decisions together. It returns a function: give that qrels and a run, and you get the mean. The last line tries it on one question, with `a` relevant at rank 2.


# %% key="evaluator"
def evaluator(measure, ask=every_judged, ids=one_type, order=by_score, average=mean_of_defined):
    def score(qrels, run):
        scores = []
        for query in ask(qrels, run):
            docs, grades = order(run.get(query, [])), qrels[query]
            ids(docs, grades)
            scores.append(measure(docs, grades) if relevant(grades) else math.nan)
        return average(scores)

    return score


correct = {name: evaluator(measure) for name, measure in right_measures.items()}
correct["RR@5"]({"q1": {"a": 1}}, {"q1": [("b", 1, 0.9), ("a", 2, 0.8)]})

# %% [markdown] key="ten"
# ## Ten bugs
#
# Each is modelled on a public report. Four sit in the measure.


# %% key="wrong-measures"
# Wrong on purpose: do not copy.
def ndcg_of_a_set(docs, grades):  # 1
    return ndcg(list(set(docs)), grades)


def recall_with_copies(docs, grades):  # 2
    return sum(doc in relevant(grades) for doc in docs[:K]) / len(relevant(grades))


def ndcg_of_the_found(docs, grades):  # 3
    found = [grades.get(doc, 0) for doc in docs[:K]]
    best = measures.dcg(sorted(found, reverse=True))
    return measures.dcg(found) / best if best else 0.0


def ap_over_found(docs, grades):  # 4
    hits, total = 0, 0.0
    for rank, doc in enumerate(docs[:K], start=1):
        if doc in relevant(grades):
            hits += 1
            total += hits / rank
    return total / hits if hits else 0.0


# %% [markdown] key="wrong-steps-words"
# Six sit around it. Read each and say what it does wrong before you look at the table.


# %% key="wrong-steps"
# Wrong on purpose: do not copy.
def one_over_mean_rank(scores):  # 5
    ranks = [1 / score if score else K + 1 for score in scores if score == score]
    return len(ranks) / sum(ranks)


def only_answered(qrels, run):  # 6
    return [query for query in qrels if query in run]


def ties_by_row(rows):  # 7
    return [doc for doc, _, _ in sorted(rows, key=lambda row: row[2], reverse=True)]


def undefined_is_zero(scores):  # 8
    return sum(score if score == score else 0 for score in scores) / len(scores)


def any_ids(docs, grades):  # 9
    pass


def by_rank(rows):  # 10
    return [doc for doc, _, _ in sorted(rows, key=lambda row: row[1])]


# %% [markdown] key="sources"
# | | bug | what happens | reported in |
# |---|---|---|---|
# | 1 | set loses rank | the order is that of a hash table | [sars_tutorial 1](https://github.com/mquad/sars_tutorial/issues/1), [rapidfireai 259](https://github.com/RapidFireAI/rapidfireai/issues/259) |
# | 2 | copies count | a share above 1 | [gbrain 4176](https://github.com/garrytan/gbrain/issues/4176), [haystack 11959](https://github.com/deepset-ai/haystack/pull/11959) |
# | 3 | ideal from retrieved | a missed document costs nothing | [spiceai 12277](https://github.com/spiceai/spiceai/issues/12277) |
# | 4 | AP over the found | the same, for AP | [haystack 12255](https://github.com/deepset-ai/haystack/pull/12255) |
# | 5 | 1 / mean rank | one deep rank spoils the mean | [pykg2vec 96](https://github.com/Sujit-O/pykg2vec/issues/96) |
# | 6 | missing questions dropped | silence is rewarded | [pytrec_eval 30](https://github.com/cvangysel/pytrec_eval/issues/30) |
# | 7 | ties by row | one score for all can win | [mteb 5092](https://github.com/embeddings-benchmark/mteb/issues/5092) |
# | 8 | 0 for undefined | the mean falls with each question that has no answer | [scikit-learn 29521](https://github.com/scikit-learn/scikit-learn/issues/29521) |
# | 9 | 7 is not "7" | nothing matches, without a word | [capreolus 100](https://github.com/capreolus-ir/capreolus/pull/100) |
# | 10 | rank column trusted | file and tools see two rankings | [iKAT 5](https://github.com/irlabamsterdam/iKAT/issues/5) |
#
# Two are not plainly code bugs: 8 is the default of good libraries, and in 10 the file was at fault. And one is a matter of the name: what 4 computes is fine as context precision (lesson 07), and a bug under the name AP. Bug 9 needs no bad code. Your own `recall_at_k` of lesson 03 has it.

# %% [markdown] key="cases-words"
# ## Tests without answers
#
# The cell first makes the ten wrong evaluators. Then it makes inputs: 100 random ones, each with two questions: five judged documents with grades 2, 1, 1, 0, 0, and a list of eight that mostly misses some of them.

# %% key="cases"
bugs = text("08-bugs").split("|")
made = [evaluator(ndcg_of_a_set), evaluator(recall_with_copies), evaluator(ndcg_of_the_found)]
made += [evaluator(ap_over_found), evaluator(rr, average=one_over_mean_rank)]
made += [evaluator(rr, ask=only_answered), evaluator(rr, order=ties_by_row)]
made += [evaluator(ndcg, average=undefined_is_zero), evaluator(recall, ids=any_ids)]
made += [evaluator(rr, order=by_rank)]
suspects = dict(zip(bugs, made))

rng = random.Random(8)
cases = []
for _ in range(100):
    ids = {query: rng.sample([str(n) for n in range(101, 200)], 12) for query in ("q1", "q2")}
    judged = {query: dict(zip(docs, [2, 1, 1, 0, 0])) for query, docs in ids.items()}
    cases.append((judged, {query: rng.sample(docs, 8) for query, docs in ids.items()}))


def as_run(lists):  # a list becomes rows: document, rank, and a score that falls
    return {query: [(doc, n, -n) for n, doc in enumerate(docs, 1)] for query, docs in lists.items()}


def close(a, b):
    return math.isclose(a, b, abs_tol=1e-9)


# %% [markdown] key="perfect-words"
# The test that everybody writes first: a perfect list scores 1. All judged documents, best grade first.


# %% key="perfect"
def perfect_lists(qrels):
    return {query: sorted(grades, key=grades.get, reverse=True) for query, grades in qrels.items()}


def perfect_is_one(score):
    return all(close(score(qrels, as_run(perfect_lists(qrels))), 1) for qrels, _ in cases)


def caught_by(test):
    return [bug for bug, score in suspects.items() if not test(score)]


# %% key="predict-perfect"
predict("08-perfect-catches", ...)


# %% key="perfect-catches"
caught_by(perfect_is_one)

# %% key="reveal-perfect"
reveal("08-perfect-catches", len(caught_by(perfect_is_one)))

# %% [markdown] key="perfect-why"
# A perfect list is the one input on which most mistakes are harmless. Nothing is missed, so a wrong denominator is right. Each first hit is at rank 1, so the mean of RR and 1 / mean rank agree. Keep the test, and do not stop there.
#
# Now the other way round. Does the right code pass? A test that rejects right code is worse than none.

# %% key="false-alarm"
{name: perfect_is_one(score) for name, score in correct.items()}

# %% [markdown] key="false-alarm-read"
# *Perfect = 1* is not true for Precision@k. Three documents are relevant and five places are shown: the best list scores 3/5. Before you use a property, ask for which measures it holds.

# %% key="quiz-perfect"
quiz("08-perfect-eight")

# %% key="check-perfect"
check("08-perfect-eight", ...)

# %% [markdown] key="three-words"
# ## Three more properties
#
# - *Never above 1*, on lists in which each document comes twice.
# - *A swap never lowers*: put a better-graded document in the place of a worse one above it. The score rises or stays. (Just moving a relevant document up is not enough: it may push a better one down.)
# - *Below k nothing counts*: cut the list off after `k`.


# %% key="three-properties"
def copied(lists):
    return as_run({query: [doc for doc in docs for _ in "12"] for query, docs in lists.items()})


def never_above_one(score):
    return all(score(qrels, copied(perfect_lists(qrels))) < 1 + 1e-9 for qrels, _ in cases)


def swap_never_lowers(score):
    for qrels, lists in cases:
        docs, before = lists["q1"], score(qrels, as_run(lists))
        for low in range(1, len(docs)):
            for high in range(low):
                if qrels["q1"].get(docs[low], 0) > qrels["q1"].get(docs[high], 0):
                    new = [*docs[:high], docs[low], *docs[high + 1 : low], docs[high], *docs[low + 1 :]]
                    if score(qrels, as_run({**lists, "q1": new})) < before - 1e-9:
                        return False
    return True


def below_k_nothing_counts(score):
    cut = [(qrels, lists, {q: docs[:K] for q, docs in lists.items()}) for qrels, lists in cases]
    return all(close(score(qrels, as_run(lists)), score(qrels, as_run(short))) for qrels, lists, short in cut)


# %% key="three-catch"
for test in (never_above_one, swap_never_lowers, below_k_nothing_counts):
    print(test.__name__, caught_by(test))
above = sum(suspects[bugs[1]](qrels, copied(lists)) > 1 for qrels, lists in cases)
print("bug 2 above 1 on random lists with copies:", above, "of", len(cases))

# %% [markdown] key="limit-read"
# The swap finds bugs 3 and 4: a document that climbs into the first `k` makes *their* denominator larger, and the score falls.
#
# And look at the last line. *Never above 1* uses perfect lists, and every one of its 100 cases gives bug 2 away. With random lists it is one case in 100: the mean of two middling lists stays below 1, although each copy is counted. Ten random cases would probably have shown nothing. *Test a limit at the limit.*

# %% [markdown] key="ex-missing" exercise="08-missing"
# ### Exercise 1: a missing question counts (8 minutes)
#
# A system returns nothing at all for a hard question. The score of that question is 0, and it stays in the mean. Write the property.
#
# `qrels_two` has two questions. `run_both` holds a perfect list for each, `run_one` for the first only. Return `True` if `score` treats the missing one rightly. The check tries your test on right and on wrong code.
#
# <details><summary>Hint 1</summary>
#
# Compare `score(qrels_two, run_one)` with `score(qrels_two, run_both)`. How much must be left?
#
# </details>
# <details><summary>Hint 2</summary>
#
# Do not write a fixed number: for Precision@5 a perfect list is not 1.
#
# </details>

# %% key="ex-missing-setup"
qrels_two = {"q1": {"a": 1, "b": 1}, "q2": {"c": 1, "d": 1}}
run_both = as_run(perfect_lists(qrels_two))
run_one = {"q1": run_both["q1"]}


def panel(test):
    tried = {"right nDCG": correct["nDCG@5"], "right Precision": correct["Precision@5"]}
    tried |= {"bug 5": suspects[bugs[4]], "bug 6": suspects[bugs[5]]}
    tried["0.6 is left"] = evaluator(lambda docs, grades: ndcg(docs, grades) if docs else 0.2)
    try:
        said = [test(score) for score in tried.values()]
    except Exception:
        return "your test stopped"
    return ... if said[0] is ... else {n: "passes" if s else "caught" for n, s in zip(tried, said)}


# %% key="ex-missing-stub" tags=["stub"] exercise="08-missing"
def missing_question_counts(score):
    return ...  # put your code here


# %% key="ex-missing-check" exercise="08-missing"
check("08-missing", panel(missing_question_counts))


# %% key="ex-missing-solution" tags=["solution"] exercise="08-missing"
def missing_question_counts(score):
    return close(score(qrels_two, run_one), score(qrels_two, run_both) / 2)


# %% key="ex-missing-wrong-half" tags=["wrong"] exercise="08-missing" case="mistakes.0"
def missing_question_counts(score):
    return close(score(qrels_two, run_one), 0.5)


# %% key="ex-missing-wrong-lower" tags=["wrong"] exercise="08-missing" case="mistakes.1"
def missing_question_counts(score):
    return score(qrels_two, run_one) < score(qrels_two, run_both)


# %% key="ex-missing-wrong-round" tags=["wrong"] exercise="08-missing" case="mistakes.2"
def missing_question_counts(score):
    return close(score(qrels_two, run_one), score(qrels_two, run_both))


# %% key="ex-missing-wrong-none" tags=["wrong"] exercise="08-missing" case="mistakes.3"
def missing_question_counts(score):
    print(score(qrels_two, run_one) == score(qrels_two, run_both) / 2)


# %% key="ex-missing-wrong-blind" tags=["wrong"] exercise="08-missing" case="mistakes.4"
def missing_question_counts(score):
    return score(qrels_two, run_one) <= 1


# %% key="ex-missing-wrong-loose" tags=["wrong"] exercise="08-missing" case="mistakes.5"
def missing_question_counts(score):
    both = score(qrels_two, run_both)
    return both / 2 <= score(qrels_two, run_one) < both


# %% key="ex-missing-wrong-range" tags=["wrong"] exercise="08-missing" case="mistakes.5"
def missing_question_counts(score):
    return 0.3 <= score(qrels_two, run_one) / score(qrels_two, run_both) <= 0.9


# %% key="ex-missing-wrong-stops" tags=["wrong"] exercise="08-missing" case="mistakes.6"
def missing_question_counts(score):
    return close(score(run_one), score(run_both) / 2)


# %% key="ex-missing-equivalent" tags=["equivalent"] exercise="08-missing"
def missing_question_counts(score):
    whole, part = score(qrels_two, run_both), score(qrels_two, run_one)
    return abs(2 * part - whole) < 0.001


# %% [markdown] key="after-five-words"
# With such a test you have five. Which bugs are still at large?


# %% key="after-five"
def missing_counts(score):
    runs = [(qrels, as_run(perfect_lists(qrels))) for qrels, _ in cases]
    return all(close(score(qrels, {"q1": run["q1"]}), score(qrels, run) / 2) for qrels, run in runs)


tests = [perfect_is_one, never_above_one, swap_never_lowers, below_k_nothing_counts, missing_counts]
[bug for bug in bugs if not any(bug in caught_by(test) for test in tests)]

# %% [markdown] key="held-still"
# ## What the data hold still
#
# Four of ten, and each for the same kind of reason. No two scores are equal in our cases, each question has an answer, all ids are text, and the rank column always agrees with the scores. *A test cannot see what its data never vary.* So vary it.

# %% [markdown] key="ex-rows" exercise="08-rows"
# ### Exercise 2: find the file that gives it away (8 minutes)
#
# One question, and only `a` is relevant. Write the rows of a run, (document, rank, score), so that bug 7 gives another RR than the right code, while bug 10 agrees with the right code. Two rows are enough.
#
# <details><summary>Hint 1</summary>
#
# Bug 7 differs only where two scores are equal. The right code then puts the later id first.
#
# </details>
# <details><summary>Hint 2</summary>
#
# Write the rows in one order, and let the rank column say the other.
#
# </details>


# %% key="ex-rows-setup"
def compare(rows):
    tried = {"bug 7": suspects[bugs[6]], "bug 10": suspects[bugs[9]]}
    try:
        said = {name: score({"q": {"a": 1}}, {"q": rows}) for name, score in tried.items()}
        expected = correct["RR@5"]({"q": {"a": 1}}, {"q": rows})
    except Exception:
        return ... if rows is ... else "not rows"
    return {name: "agrees" if close(value, expected) else "differs" for name, value in said.items()}


# %% key="ex-rows-stub" tags=["stub"] exercise="08-rows"
my_rows = ...  # [("a", 1, 0.9), ("b", 2, 0.8)]

# %% key="ex-rows-check" exercise="08-rows"
check("08-rows", compare(my_rows))

# %% key="ex-rows-solution" tags=["solution"] exercise="08-rows"
my_rows = [("a", 2, 0.5), ("b", 1, 0.5)]

# %% key="ex-rows-wrong-untied" tags=["wrong"] exercise="08-rows" case="mistakes.0"
my_rows = [("a", 1, 0.9), ("b", 2, 0.8)]

# %% key="ex-rows-wrong-lucky" tags=["wrong"] exercise="08-rows" case="mistakes.0"
my_rows = [("b", 1, 0.5), ("a", 2, 0.5)]

# %% key="ex-rows-wrong-rank" tags=["wrong"] exercise="08-rows" case="mistakes.1"
my_rows = [("a", 1, 0.5), ("b", 2, 0.5)]

# %% key="ex-rows-wrong-other" tags=["wrong"] exercise="08-rows" case="mistakes.2"
my_rows = [("a", 2, 0.9), ("b", 1, 0.8)]

# %% key="ex-rows-wrong-shape" tags=["wrong"] exercise="08-rows" case="other"
my_rows = ["a", "b"]

# %% key="ex-rows-equivalent" tags=["equivalent"] exercise="08-rows"
my_rows = [("x", 1, 0.9), ("a", 3, 0.2), ("c", 2, 0.2)]


# %% [markdown] key="more-words"
# Three tests with data that move:
#
# - *Only scores count*: with ties, write the file upside down and number the ranks anew.
# - *No answer, no change*: add a question for which nothing is relevant.
# - *Ids match or stop*: numbers on one side, text on the other. The same score is fine, and so is an error. A silent 0 is not.


# %% key="more-properties"
def only_scores_count(score):
    for qrels, lists in cases:
        file = {q: [(d, n, -(n // 2)) for n, d in enumerate(docs, 1)] for q, docs in lists.items()}
        turned = {q: [(d, n, s) for n, (d, _, s) in enumerate(rows[::-1], 1)] for q, rows in file.items()}
        if not close(score(qrels, file), score(qrels, turned)):
            return False
    return True


def no_answer_no_change(score):
    more = [(qrels, lists, qrels | {"q3": {"100": 0}}, lists | {"q3": ["100"]}) for qrels, lists in cases]
    return all(close(score(q, as_run(ls)), score(q3, as_run(ls3))) for q, ls, q3, ls3 in more)


def ids_match_or_stop(score):
    for qrels, lists in cases:
        numbers = {q: {int(doc): grade for doc, grade in grades.items()} for q, grades in qrels.items()}
        try:
            if not close(score(numbers, as_run(lists)), score(qrels, as_run(lists))):
                return False
        except ValueError:
            pass
    return True


# %% [markdown] key="stored-words"
# ## Ask another tool
#
# Properties know no right value. So the last step is a **cross-check**: the same data through another implementation. [ir_measures](https://ir-measur.es) is a much used one. It is not installed here, so its values for five small questions are stored with the course. Which of them differ from `evaluate`?

# %% key="stored"
stored = json.loads(paths.assets("examples", "ir_measures_values.json").read_text(encoding="utf-8"))
ours = evaluate(stored["qrels"], stored["run"], list(stored["values"])).T.stack()
side_by_side = pd.DataFrame({"course": ours, "ir_measures": pd.DataFrame(stored["values"]).T.stack()})
side_by_side[~(abs(side_by_side["course"] - side_by_side["ir_measures"]) < 1e-9)]

# %% [markdown] key="stored-read"
# 23 of 30 values are equal. The seven others are two conventions, not seven bugs.
#
# - `q3` has no relevant document. ir_measures counts 0, as bug 8 does. The course leaves it undefined.
# - `q4` has a tie. ir_measures gives RR 0.5 and RR@5 1.0 *for the same list*: it hands the two to different programs, which break ties in opposite ways.
#
# With `q3` left in, bug 8 equals the library's mean to the last digit and the right code does not. So a difference is a question, not a verdict. Settle the conventions, then compare: without `q3`, and with RR for RR@5.

# %% [markdown] key="matrix-words"
# ## What each test catches
#
# The last column is the cross-check: the stored data go through the ten bugs.

# %% key="matrix"
kept = {query: grades for query, grades in stored["qrels"].items() if relevant(grades)}
kept_run = {q: [(d, n, s) for n, (d, s) in enumerate(r.items(), 1)] for q, r in stored["run"].items()}
measured = ["nDCG@5", "Recall@5", "nDCG@5", "AP@5", "RR", "RR", "RR", "nDCG@5", "Recall@5", "RR"]
library = {bug: sum(stored["values"][name][q] for q in kept) / len(kept) for bug, name in zip(bugs, measured)}
differs = [not close(suspects[bug](kept, kept_run), library[bug]) for bug in bugs]
all_tests = [*tests, only_scores_count, no_answer_no_change, ids_match_or_stop]
caught = [[not test(suspects[bug]) for test in all_tests] for bug in bugs]
matrix = pd.DataFrame(caught, index=bugs).assign(library=differs)
matrix.columns = text("08-tests").split("|")
fig, (ax,) = plots.axes(8.4, 4.6)
plots.marks(ax, matrix)
plots.show(fig, text("08-alt-matrix"))

# %% [markdown] key="matrix-read"
# Read it by rows first. Each bug has at least one tick, and bugs 2, 8 and 9 have only one. Take away *never above 1*, *no answer, no change* or *ids match or stop*, and one of them gets away. Any other single column you could spare, on these ten bugs. Then by columns: no property catches more than three.
#
# The cross-check misses bugs 2, 8 and 9. Its data hold no copies and no numbers for ids, and the question without an answer was taken out. (Bug 10 is caught by luck: the one tie makes a rank column wrong.) The eight properties miss none of the ten. So is the cross-check idle? Here is an eleventh bug: nDCG that divides each gain by its rank, and not by a logarithm.


# %% key="eleventh"
# Wrong on purpose: do not copy.
def ndcg_over_rank(docs, grades):  # 11
    gains = {doc: grades.get(doc, 0) / rank for rank, doc in reversed(list(enumerate(docs[:K], start=1)))}
    best = sorted(grades.values(), reverse=True)[:K]
    return sum(gains.values()) / sum(grade / rank for rank, grade in enumerate(best, start=1))


# %% key="eleventh-caught"
planted = evaluator(ndcg_over_rank)
over_rank = {"properties": [test.__name__ for test in all_tests if not test(planted)]}
over_rank |= {"its value": planted(kept, kept_run), "the library": library[bugs[0]]}
over_rank

# %% [markdown] key="eleventh-read"
# All eight properties pass. It is a sound measure, and it is not nDCG. Only another implementation can say so: 0.422 is not 0.488. Properties say what cannot be. A cross-check says what should be. *You need both.*
#
# And the right code? Eight properties on five measures give one false alarm, the one you know.

# %% [markdown] key="own-bug" tags=["stretch"]
# ### Plant your own
#
# Change the eleventh into a bug of your own. An idea: no list in our cases is shorter than `k`. Which property would you add?

# %% [markdown] key="real"
# ## On a real run
#
# BM25 on the dev part, in all languages: 113 questions, 91 of them with an answer. What would each bug have told us? The column *right* is our evaluator, and `evaluate` agrees with it, or the cell would stop. (Bug 1 is left out: its number changes each time Python starts.)

# %% key="real-run"
dev = load_golden_set().subset(split="dev", showcase=False)
bm25 = read_run(paths.assets("runs", "bm25.run"))
bm25 = bm25[bm25["query_id"].isin(dev.questions["query_id"])]
dev_qrels = {q: dict(zip(rows["doc_id"], rows["relevance"])) for q, rows in dev.qrels.groupby("query_id")}
dev_run = {q: list(zip(rows["doc_id"], range(1, 99), rows["score"])) for q, rows in bm25.groupby("query_id")}
real = pd.DataFrame({"measure": [name.replace("RR", "RR@5") for name in measured]}, index=bugs)
real["right"] = [correct[name](dev_qrels, dev_run) for name in real["measure"]]
real["with the bug"] = [score(dev_qrels, dev_run) for score in suspects.values()]
assert close(evaluate(dev.qrels, bm25, "nDCG@5")["nDCG@5"].mean(), correct["nDCG@5"](dev_qrels, dev_run))
real.iloc[1:].round(3)

# %% [markdown] key="real-read"
# Three bugs flatter. Bug 6 is the worst of them: BM25 finds nothing for six questions in Devanagari, and dropping them lifts MRR@5 from 0.555 to 0.594, over 85 questions instead of 91. Had you asked for the `n`, you would have seen it. Two lower the number.
#
# And four bugs change nothing. This run has no copies, its ties are written in the right order, its ids are text and its ranks are true. *These bugs wait for the next run.* A check on your present data would have passed them; your properties do not.

# %% [markdown] key="hand-over" tags=["stretch"]
# ## Hand the same run to other tools
#
# With the tools installed, you can do the cross-check on your own data. `qrels` and `run` are the two DataFrames of this course. ir_measures takes them as they are:
#
# ```python
# import ir_measures
# from ir_measures import RR, R, nDCG
#
# ir_measures.calc_aggregate([nDCG @ 10, R @ 10, RR], qrels, run)
# ```
#
# pytrec_eval wants dictionaries of plain Python numbers. It leaves out questions that the run lacks:
#
# ```python
# import pytrec_eval
#
# def as_dict(table, value):
#     groups = table.groupby("query_id")
#     return {query: dict(zip(rows["doc_id"], rows[value].tolist())) for query, rows in groups}
#
# qrels_dict, run_dict = as_dict(qrels, "relevance"), as_dict(run, "score")
# pytrec_eval.RelevanceEvaluator(qrels_dict, {"ndcg_cut.10", "recall.10"}).evaluate(run_dict)
# ```
#
# ranx takes the same dictionaries. Without `make_comparable` it stops when a question is missing:
#
# ```python
# import ranx
#
# ranx.evaluate(ranx.Qrels(qrels_dict), ranx.Run(run_dict), ["ndcg@10", "mrr"], make_comparable=True)
# ```

# %% [markdown] key="numbers"
# The numbers in the text of this lesson are checked here. If one were wrong, this cell would stop.

# %% key="numbers-true"
assert round(measures.average_precision(["a", "x", "b"], {"a", "b", "c"}), 3) == 0.556
alike = abs(side_by_side["course"] - side_by_side["ir_measures"]) < 1e-9
assert (len(alike), alike.sum()) == (30, 23)
q3_in = {**kept, "q3": stored["qrels"]["q3"]}
assert close(suspects[bugs[7]](q3_in, kept_run), stored["means"]["nDCG@5"])
assert not close(correct["nDCG@5"](q3_in, kept_run), stored["means"]["nDCG@5"])
assert (matrix.sum(axis=1) >= 1).all() and (matrix.sum(axis=1) == 1).sum() == 3 and matrix.sum().max() == 7
properties = matrix.iloc[:, :-1]
assert properties.sum().max() == 3 and properties.any(axis=1).all()
spared = [name for name in matrix if matrix.drop(columns=name).any(axis=1).all()]
assert [matrix.columns.get_loc(name) for name in matrix if name not in spared] == [1, 6, 7]
assert matrix.index[matrix.sum(axis=1) == 1].tolist() == [bugs[1], bugs[7], bugs[8]]
assert not over_rank["properties"] and not close(over_rank["its value"], over_rank["the library"])
assert (round(over_rank["its value"], 3), round(over_rank["the library"], 3)) == (0.422, 0.488)
alarms = [(name, test.__name__) for name, score in correct.items() for test in all_tests if not test(score)]
assert above == 1 and all(suspects[bugs[1]](q, copied(perfect_lists(q))) > 1 for q, _ in cases)
assert alarms == [("Precision@5", "perfect_is_one")]
assert [n + 1 for n, found in enumerate(differs) if not found] == [2, 8, 9]
assert (len(dev.questions), int(dev.questions["answerable"].sum())) == (113, 91)
silent = dev.questions[dev.questions["answerable"] & ~dev.questions["query_id"].isin(list(dev_run))]
assert silent["script"].tolist() == ["Deva"] * 6
assert real.iloc[5, 1:].astype(float).round(3).tolist() == [0.555, 0.594]
change = (real["with the bug"] - real["right"]).iloc[1:]
assert ((change > 1e-9).sum(), (change < -1e-9).sum(), (change.abs() < 1e-9).sum()) == (3, 2, 4)

# %% [markdown] key="quiz-head"
# ## Quiz

# %% key="quiz-generator" tags=["stretch"]
quiz("08-one-generator")

# %% key="check-generator" tags=["stretch"]
check("08-one-generator", ...)

# %% key="quiz-library"
quiz("08-library-agrees")

# %% key="check-library"
check("08-library-agrees", ...)

# %% [markdown] key="takeaways"
# ## Takeaways
#
# - A property is true of every right implementation. It needs no right answer, only inputs that vary.
# - *Perfect = 1* catches little, and does not hold for Precision@k. Try each test on right code too.
# - Test a limit at the limit, and ask what your data hold still: ties, copies, missing questions, types of ids.
# - Agreement with a library covers what the data exercise. A difference is a question about conventions first.
#
# ## Now on your own data
#
# Wrap your evaluator in a function `score(qrels, run)` and run the tests of this lesson on it. Start with the missing question: take a run, delete the rows of one question, and look at the mean and the `n`.
#
# Your numbers are right now, and the search is still not. In [lesson 09](09_read_the_worst_queries.ipynb) you read its worst queries.

# %% [markdown] key="instructor-plan" tags=["instructor"]
# **Timing.** 50 minutes: reading the ten bugs 12, *perfect = 1* 6, three properties 6, exercise 1 8, exercise 2 8, cross-check and picture 6, real run 4. For 42: exercise 2 as homework. The task to plant your own, the cell on other tools and the quiz on one generator are `stretch`.
#
# **Read the bugs in pairs.** Print the two wrong cells without the table. Each pair names as many as it can in six minutes. Come back to 6 and 7: they look tidy, and each is one decision that nobody wrote down.
#
# **Likely wrong answers.** "How many does *perfect = 1* catch?" Expect guesses well above 1; ask for the input on which each bug would show. Exercise 1: a fixed 0.5, which rejects Precision, or a range that is too wide. Exercise 2: a tie in the lucky order.
#
# **A question that comes.** "Is bug 8 a bug?" It is a convention of good libraries, and a bug where half the questions have no answer by intention. What matters: it must be said.
#
# **By-hand sheet.** Relevant a, b, c; returned a, x, b. AP right 0.556, over the found 0.833. Returned a, a, b with a relevant: Recall@3 right 1, with copies 2.
