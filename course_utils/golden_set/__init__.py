"""Golden sets: load, look at, check, complete the pool, compare judges.

>>> from course_utils import paths
>>> golden = load_golden_set(paths.assets("templates"))
>>> golden.grades("q1")
{'leave-annual': 2, 'leave-2024': 0}
"""

from course_utils.golden_set._agreement import agreement, pairs
from course_utils.golden_set._load import load_golden_set, read_annotations
from course_utils.golden_set._pool import judged_at, pool
from course_utils.golden_set._set import GoldenSet
from course_utils.golden_set._split import draw_split
from course_utils.golden_set._validate import validate

__all__ = [
    "GoldenSet",
    "agreement",
    "draw_split",
    "judged_at",
    "load_golden_set",
    "pairs",
    "pool",
    "read_annotations",
    "validate",
]
