"""Keep results with what made them, compare two, and stop a change that makes things worse.

A ledger is a folder with one JSON file per experiment. The file's name is the hash of configuration, seed, way of
measuring and fingerprints of the data. It is written once and never changed; put the folder in git.

>>> import tempfile
>>> import pandas as pd
>>> from course_utils.golden_set import GoldenSet
>>> golden = GoldenSet(
...     documents=pd.DataFrame({"doc_id": ["d1", "d2"], "text": ["Leave is 24 days.", "Lunch is at noon."]}),
...     questions=pd.DataFrame({"query_id": ["q1"], "text": ["days off?"], "answerable": [True]}),
...     qrels=pd.DataFrame({"query_id": ["q1"], "doc_id": ["d1"], "relevance": [2]}),
... )
>>> with tempfile.TemporaryDirectory() as folder:
...     a = record(folder, {"k1": 1.2}, golden, {"q1": {"d1": 1.0}})
...     b = record(folder, {"k1": 0.9}, golden, {"q1": {"d2": 2.0, "d1": 1.0}})
...     read(folder)[["config.k1", "RR@10", "n"]].values.tolist()
[[1.2, 1.0, 1.0], [0.9, 0.5, 1.0]]
>>> gate(b, a, must_not_lose=["q1"]).findings["message"].tolist()
['no mean is over 8 questions or more, so none was tested']
"""

from course_utils.ledger._compare import Comparison, compare
from course_utils.ledger._drift import DriftError
from course_utils.ledger._gate import Gate, gate
from course_utils.ledger._record import Record, measure
from course_utils.ledger._store import load, read, record
from course_utils.ledger._words import add_words

__all__ = [
    "Comparison",
    "DriftError",
    "Gate",
    "Record",
    "add_words",
    "compare",
    "gate",
    "load",
    "measure",
    "read",
    "record",
]
