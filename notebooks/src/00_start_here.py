# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3 (ipykernel)
#     language: python
#     name: python3
# ---

# %% [markdown] key="title"
# # Start here
#
# You build search, and people argue about its scores. After this course you can say what a score means, what it hides, and whether a change helped.
#
# **By the end of this page you can**
# - see whether your set-up works;
# - use the cells that ask you something and answer;
# - find your place in the course.
#
# **15 minutes.** Before: nothing but a little Python.

# %% [markdown] key="map"
# ## The map
#
# ![Three boxes in a row joined by arrows. Label: real questions and the documents that answer, lessons 01 and 02. Measure: Recall, MRR, nDCG, and saying nothing, lessons 03 to 08. Diagnose: the worst queries, the cause, the next change, lessons 09 to 13. An arrow leads from diagnose back to label: change one thing, then run the same set again.](../assets/figures/map.svg)
#
# First you **label**: you collect real questions and mark the documents that answer them. Then you **measure** how well a system finds them. Then you **diagnose** why it does not, change one thing, and measure again. The order matters. Without labels a score means nothing, and without a score a change is an opinion.

# %% [markdown] key="run"
# ## Check the set-up
#
# Run a cell with Shift + Enter. *Run All* runs the whole page; no cell waits for you and no exercise stops it. Nothing here needs a network or a key.

# %% key="start"
import sys

sys.path += ["..", "../..", "../../.."]  # so that the course is found, wherever this notebook lies
from course_utils.lessons import check, check_setup, predict, quiz, reveal, start

start()

# %% key="check-setup"
check_setup()

# %% [markdown] key="setup-fails"
# If a line says otherwise, it also says what to do. If the cell above it stopped with *No module named course_utils*, this page was opened alone: download the whole folder of the course, open a terminal there, and run `python3 course.py lab` (on Windows `py course.py lab`).
#
# That command opened copies in the folder `work`. They are yours. An update never overwrites them.

# %% [markdown] key="cells"
# ## Three kinds of cells that answer
#
# ### 1. Predict
#
# You put a guess in place of `...` and run the cell. The guess is kept on your machine, and later a cell shows it beside the result. A wrong guess costs nothing; it is what makes the result stick.

# %% key="predict-misses"
predict("00-misses-of-a", ...)

# %% [markdown] key="two-systems"
# Here are both systems, question by question. 1 means that the right document was among the first ten.

# %% key="per-question"
system_a = [1, 1, 1, 1, 1, 1, 1, 1, 0, 0]
system_b = [0, 1, 1, 1, 1, 0, 1, 0, 1, 1]
sum(system_a) / 10, sum(system_b) / 10

# %% key="only-one"
both = list(zip(range(1, 11), system_a, system_b, strict=True))
only_a, only_b = [n for n, a, b in both if a > b], [n for n, a, b in both if b > a]
print("only A:", only_a, " only B:", only_b)

# %% key="reveal-misses"
reveal("00-misses-of-a", len(only_b))

# %% [markdown] key="ship-read"
# A finds more, and still loses two questions that B answers. Do you ship A? That depends on who asks questions 9 and 10, and what a miss costs. The mean cannot tell you. The whole course is about reading such numbers.

# %% [markdown] key="quiz-cells"
# ### 2. Quiz
#
# Decide first. Then open an option: each says why it is right or wrong. This works before you run anything. You can also answer in the cell below it.

# %% key="quiz-same-recall"
quiz("00-same-recall")

# %% key="check-same-recall"
check("00-same-recall", ...)

# %% [markdown] key="ex-first" exercise="00-first-documents"
# ### 3. Exercise (2 minutes)
#
# You complete a cell, run it, and run its check. The check tries your code and tells you what to look at. Hints and the solution are folded away below.
#
# Write a function that returns the first `k` documents of a list.
#
# <details><summary>Hint 1</summary>
#
# A slice does it: `documents[start:stop]`.
#
# </details>
# <details><summary>Hint 2</summary>
#
# The stop of a slice is not included, so it can be `k` itself.
#
# </details>


# %% key="ex-first-stub" tags=["stub"] exercise="00-first-documents"
def first_documents(documents, k):
    return ...  # put your code here


# %% key="ex-first-check" exercise="00-first-documents"
check("00-first-documents", first_documents)


# %% key="ex-first-solution" tags=["solution"] exercise="00-first-documents"
def first_documents(documents, k):
    return documents[:k]


# %% key="ex-first-wrong-one" tags=["wrong"] exercise="00-first-documents" case="cases.0.mistakes.0"
def first_documents(documents, k):
    return documents[: k - 1]


# %% key="ex-first-wrong-start" tags=["wrong"] exercise="00-first-documents" case="cases.0.mistakes.1"
def first_documents(documents, k):
    return documents[1:k]


# %% key="ex-first-wrong-single" tags=["wrong"] exercise="00-first-documents" case="stopped"
def first_documents(documents, k):
    return [documents[place] for place in range(k)]


# %% key="ex-first-equivalent" tags=["equivalent"] exercise="00-first-documents"
def first_documents(documents, k):
    return [document for place, document in enumerate(documents) if place < k]


# %% [markdown] key="pretest"
# ## Six questions before you begin
#
# You are not expected to know these yet. Answer with a letter; *e* is honest. Your answers are kept on your machine and come back in lesson 13, beside six questions of the same kind. No solutions now.

# %% key="pre-recall"
predict("00-pre-recall", ...)

# %% key="pre-mrr"
predict("00-pre-mrr", ...)

# %% key="pre-order"
predict("00-pre-order", ...)

# %% key="pre-nothing"
predict("00-pre-nothing", ...)

# %% key="pre-labels"
predict("00-pre-labels", ...)

# %% key="pre-difference"
predict("00-pre-difference", ...)

# %% [markdown] key="where-next"
# ## Where next
#
# | If you … | go to |
# |---|---|
# | have time for all of it, in order | [01 Build a golden set](01_build_a_golden_set.ipynb), then [02 Label with agreement](02_label_with_agreement.ipynb) |
# | want the numbers first, on paper | [03 Measure recall and MRR](03_measure_recall_and_mrr.ipynb) |
# | know Recall and MRR, and have graded labels | [04 Grade with nDCG](04_grade_with_ndcg.ipynb) |
# | know all three, and want real systems | [05 Run three systems](05_run_three_systems.ipynb) |
# | build something that must also say "I do not know" | [06 Handle unanswerable questions](06_handle_unanswerable_questions.ipynb) |
# | must decide which number to report | [07 Choose a measure](07_choose_a_measure.ipynb) |
# | do not trust your own metric code | [08 Hunt metric bugs](08_hunt_metric_bugs.ipynb) |
# | have scores and want to know what is wrong | [09 Read the worst queries](09_read_the_worst_queries.ipynb) |
# | must say whether B is better than A | [10 Trust a difference](10_trust_a_difference.ipynb) |
# | want to change a system and see what it did | [11 Change one thing](11_change_one_thing.ipynb) |
# | have a search function and want its numbers | [13 Measure your own system](13_measure_your_own_system.ipynb) |
#
# A word in bold is explained in the [glossary](../assets/glossary.md).
#
# Each lesson says how long it takes and what it needs before. Lessons of the map that are not in this table are still being written.

# %% [markdown] key="instructor-plan" tags=["instructor"]
# **Timing.** 15 minutes: 5 for the set-up, 5 for the three kinds of cells, 5 for the six questions. In a room, send the set-up command the day before.
#
# **Set-up.** `python3 course.py lab` needs the network once, for about a minute. After that the course runs offline. Have a USB stick with the folder and its `.venv` for the
# one machine that fails.
#
# **Pre-test.** Do not discuss the answers. Say that *e* (not yet) is a good answer: it makes the comparison in lesson 13 honest.
#
# **Likely question.** "Is a mean not enough to choose?" Show questions 9 and 10 again and ask who asks them.
