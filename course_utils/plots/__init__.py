"""The course's figures: axes in, axes out, one palette that survives colour blindness, and `show`.

Every label comes from `course_utils.i18n`, so that a second language needs no second figure.

>>> fig, (ax,) = axes()
>>> show(fig, "an empty frame")
[figure: an empty frame]
"""

from course_utils.plots._charts import contributions, differences, grade_strip, pairs
from course_utils.plots._curves import curves, score_by_cutoff
from course_utils.plots._figure import BLUE, GRADE_COLOURS, GREEN, GREY, INK, ORANGE, Picture, axes, show
from course_utils.plots._heat import heat
from course_utils.plots._marks import marks
from course_utils.plots._strips import strips

__all__ = [
    "BLUE",
    "GRADE_COLOURS",
    "GREEN",
    "GREY",
    "INK",
    "ORANGE",
    "Picture",
    "axes",
    "contributions",
    "curves",
    "differences",
    "grade_strip",
    "heat",
    "marks",
    "pairs",
    "score_by_cutoff",
    "show",
    "strips",
]
