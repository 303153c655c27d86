"""How sure one may be: agreement of judges, intervals, tests of a difference, power, and the sentence to claim.

Thin calls of scikit-learn, statsmodels and scipy, which are imported late because they are slow to load. What
this package adds is the refusal of what they would answer wrongly: unequal lengths, holes, nothing to count,
and twins taken for new questions. An agreement that has no value (nothing relevant, one grade only) is NaN,
as everywhere in the course.

>>> round(sign_test([0.1] * 8 + [-0.1] * 2 + [0.0] * 70).p_value, 3)
0.109
"""

from course_utils.significance._agreement import kappa, positive_agreement, raw_agreement
from course_utils.significance._claim import Difference, claim, compare
from course_utils.significance._intervals import Interval, bootstrap_mean, half_width, wilson
from course_utils.significance._power import detectable, needed_n, power
from course_utils.significance._tests import SignTest, holm, randomisation_test, sign_test

__all__ = [
    "Difference",
    "Interval",
    "SignTest",
    "bootstrap_mean",
    "claim",
    "compare",
    "detectable",
    "half_width",
    "holm",
    "kappa",
    "needed_n",
    "positive_agreement",
    "power",
    "randomisation_test",
    "raw_agreement",
    "sign_test",
    "wilson",
]
