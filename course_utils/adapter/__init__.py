'''Point the course's tools at your own search function: any `question -> ids`, or `question -> [(id, score)]`.

>>> from course_utils import load_golden_set, paths
>>> golden = load_golden_set(paths.assets("templates"))
>>> def search(question):
...     """Find every document that shares a word with the question."""
...     words = set(question.split())
...     shared = {d: len(words & set(t.lower().split())) for d, t in golden.documents[["doc_id", "text"]].to_numpy()}
...     return {document: score for document, score in shared.items() if score}
>>> ask(search, golden.texts, progress=False).run
  query_id        doc_id  score
0       q3  leave-annual    1.0
1       q3    leave-2024    1.0

What the function may return
----------------------------
- ids, best first: a list, tuple, generator, NumPy array, pandas Index or Series of text. Their scores are made from
  the rank (k, k - 1, ...), which keeps the order and says nothing about how sure the system is: choose no threshold.
- pairs (id, score); or `{id: score}`; or a Series of scores with the ids as index. Higher is better.
- results that each have an id (`doc_id`, `document_id`, `docid`, `docno`, `id` or `_id`) and a `score` (`_score`,
  `similarity`), as keys or as attributes: what most clients of vector stores return. A DataFrame with such columns.
- an empty list: the system declines.

Ids are text or whole numbers, which become text. Everything else is an error of that question, which says what to
return instead: None, distances (small is good: negate them), a document twice (chunks: keep the best one of each
document), a client's whole response (return the list in it), FAISS's arrays (positions are no ids).

A REST endpoint
---------------
>>> import json
>>> from urllib.parse import quote
>>> from urllib.request import urlopen
>>> def search(question):
...     """Ask my service; an HTTP error raises, so it counts as failed."""
...     with urlopen(f"http://127.0.0.1:8000/search?q={quote(question)}", timeout=10) as response:
...         return [(hit["id"], hit["score"]) for hit in json.load(response)["hits"]]

A run file (TREC) needs no adapter: `read_run("my.run")`.
'''

from course_utils.adapter._answers import Answers, failed_file, failures, read_failed
from course_utils.adapter._ask import ask
from course_utils.adapter._words import add_failed, add_words

__all__ = ["Answers", "add_failed", "add_words", "ask", "failed_file", "failures", "read_failed"]
