"""Questions without an answer: what a system does with them, and what a threshold would change.

Whether a question is answerable is what the golden set states, never a hole in the judgements. The words, once:

- **right**: the question is answerable and one of the first `k` documents has a grade of at least `rel`.
  `k` is 10, as in all measures of the course: that is the list a person sees. A stricter reader takes `k=1`.
- **wrong**: anything else was returned; for an unanswerable question that is whatever is returned.
- **declined**: nothing was returned, or the top score lies below the threshold. The whole list is withheld.
- **failed**: the system broke (time-out, error). It did not decide, so it never counts as declined.

>>> import pandas as pd
>>> from course_utils.golden_set import GoldenSet
>>> golden = GoldenSet(
...     documents=pd.DataFrame({"doc_id": ["d1", "d2"], "text": ["Leave is 24 days.", "Lunch is at noon."]}),
...     questions=pd.DataFrame({"query_id": ["q1", "q2"], "text": ["days off?", "who feeds the cat?"],
...                             "answerable": [True, False]}),
...     qrels=pd.DataFrame({"query_id": ["q1"], "doc_id": ["d1"], "relevance": [2]}),
... )
>>> run = {"q1": {"d1": 0.9, "d2": 0.4}, "q2": {"d2": 0.5}}
>>> table(outcomes(run, golden, threshold=0.6), golden)
              answered right  answered wrong  declined  n
answerable                 1               0         0  1
unanswerable               0               0         1  1
"""

from course_utils.abstention._outcomes import outcomes, scored
from course_utils.abstention._rates import by_kind, rates, right_refusals_at, table
from course_utils.abstention._separation import auroc, risk_coverage
from course_utils.abstention._signals import margin, overlap, top_score
from course_utils.abstention._sweep import choose_threshold, costs, sweep
from course_utils.abstention._terminal import terminal_ndcg, terminal_scores

__all__ = [
    "auroc",
    "by_kind",
    "choose_threshold",
    "costs",
    "margin",
    "outcomes",
    "overlap",
    "rates",
    "right_refusals_at",
    "risk_coverage",
    "scored",
    "sweep",
    "table",
    "terminal_ndcg",
    "terminal_scores",
    "top_score",
]
