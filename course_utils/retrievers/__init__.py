"""Systems that retrieve: questions in, run out.

Every system has one method, ``search(questions, k=10) -> run``: a DataFrame with query_id, doc_id and score,
ordered by score descending, then doc_id descending as text. Scores are rounded to six decimals before they are
ordered, as in a run file. What is indexed of a document is its title, a newline and its text, in NFC.

>>> import pandas as pd
>>> documents = pd.DataFrame({"doc_id": ["d1", "d2"], "title": ["Leave", "Hotels"],
...                           "text": ["25 days a year.", "Up to 140 euros a night."]})
>>> BM25(documents).search(["how many days of leave", "छुट्टी"])
  query_id doc_id    score
0       q1     d1  0.66014
"""

from course_utils.retrievers._bm25 import BM25
from course_utils.retrievers._clusters import distractors
from course_utils.retrievers._dense import Dense, Passages
from course_utils.retrievers._encoders import Encoder, as_encoder
from course_utils.retrievers._features import Features
from course_utils.retrievers._filter import Filtered, region_of
from course_utils.retrievers._fusion import RRF, Hybrid, Retriever, minmax
from course_utils.retrievers._indexes import HNSW, IVF, Exact, index_recall
from course_utils.retrievers._passages import cut_passages, passage_texts
from course_utils.retrievers._rerank import Reranked
from course_utils.retrievers._systems import systems
from course_utils.retrievers._text import STOP_WORDS, document_texts, question_texts, tokenise
from course_utils.retrievers._vectors import Store, quantise

__all__ = [
    "BM25",
    "HNSW",
    "IVF",
    "RRF",
    "STOP_WORDS",
    "Dense",
    "Encoder",
    "Exact",
    "Features",
    "Filtered",
    "Hybrid",
    "Passages",
    "Reranked",
    "Retriever",
    "Store",
    "as_encoder",
    "cut_passages",
    "distractors",
    "document_texts",
    "index_recall",
    "minmax",
    "passage_texts",
    "quantise",
    "question_texts",
    "region_of",
    "systems",
    "tokenise",
]
