"""Read results: by type, the worst questions, the biggest movers, causes counted, and all of it on one page.

A mean always stands beside its n, what has no value is "no value" and never 0, and questions without an answer
are counted apart. Choose the questions first (`golden.subset(split="dev")`); everything here keeps to them.

>>> from course_utils import load_golden_set, paths
>>> golden = load_golden_set(paths.assets("templates"))
>>> run = {"q1": {"leave-2024": 2.0, "leave-annual": 1.0}, "q2": {"it-stolen": 1.0}, "q3": {"it-stolen": 1.0}}
>>> by_type(score(run, golden), golden, "RR@10")[["mean", "n", "n_undefined"]]
            mean  n  n_undefined
paraphrase  0.75  2            0
keyword      NaN  0            1
all         0.75  2            1
"""

from course_utils.report._causes import CAUSES, count_causes, read_causes
from course_utils.report._lists import movers, side_by_side, snippet, worst
from course_utils.report._page import page, write_page
from course_utils.report._tables import by_type, grid, recall_curves, score
from course_utils.report._words import add_words

__all__ = [
    "CAUSES",
    "add_words",
    "by_type",
    "count_causes",
    "grid",
    "movers",
    "page",
    "read_causes",
    "recall_curves",
    "score",
    "side_by_side",
    "snippet",
    "worst",
    "write_page",
]
