"""Your system, as the course's tools ask it: `python3 course.py ask search.py:search --golden-set . --out my.run`.

`search` takes the text of one question and returns what your system finds, best first: ids, or (id, score) with high
scores for good documents. An empty list means that the system declines. An exception means that it failed: let it
through, and it is counted as failed. Here stands a toy that compares letters with those of documents.csv: put your
own call in its place.
"""

import csv
from pathlib import Path


def pieces(text):
    """Return every three letters that stand together."""
    return {text.lower()[at : at + 3] for at in range(len(text) - 2)}


with Path(__file__).with_name("documents.csv").open(encoding="utf-8-sig", newline="") as file:
    separator = max(",;\t", key=file.readline().count)  # spreadsheets differ
    file.seek(0)
    ROWS = [row for row in csv.DictReader(file, delimiter=separator) if row["doc_id"]]
DOCUMENTS = {row["doc_id"]: pieces(f"{row['title']} {row['text']}") for row in ROWS}


def search(question):
    """Return (id, score) of the documents that share most pieces with the question; decline if they are few."""
    asked = pieces(question)
    scores = {document: len(asked & there) / len(asked | there) for document, there in DOCUMENTS.items()}
    best = sorted(scores.items(), key=lambda one: one[1], reverse=True)
    return [(document, score) for document, score in best if score > 0.015]


# A REST endpoint:
#
#     import json
#     from urllib.parse import quote
#     from urllib.request import urlopen
#
#     def search(question):
#         with urlopen(f"https://search.example.org/v1?q={quote(question)}&size=10", timeout=10) as response:
#             return [(hit["id"], hit["score"]) for hit in json.load(response)["hits"]]
#
# An async client (ask with --parallel 8). Make the client on first use, inside the event loop:
#
#     CLIENT = None
#
#     async def search(question):
#         global CLIENT
#         CLIENT = CLIENT or make_client()
#         response = await CLIENT.search(question, limit=10)
#         return response.points  # results with .id and .score
#
# Chunks: keep the best one of each document, here with hits that come best first.
#
#     return dict(reversed([(hit.payload["doc_id"], hit.score) for hit in hits]))
#
# Distances, where small is good:
#
#     return [(row.id, -row.distance) for row in rows]
