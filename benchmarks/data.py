"""Synthetic runs of any size: the same for every tool, with known ids, no ties and one to five judgements a query."""

from pathlib import Path

import numpy as np
import pandas as pd

DOCUMENTS, K = 999_983, 100  # a prime number of documents: a walk in steps meets none twice
FIRST = 1_000_000  # query ids of one length: ranx compiles anew for every other length
SCORES = np.arange(K, 0, -1) / 128  # exact in 32 bits too, in which some peers keep scores


def arrays(n: int) -> dict[str, np.ndarray]:
    """Return ids and scores as a FAISS index would, and judgements as three columns."""
    rng = np.random.default_rng(n)
    start, step = rng.integers(0, DOCUMENTS, n), rng.integers(1, DOCUMENTS, n)
    ids = (start[:, None] + step[:, None] * np.arange(K)) % DOCUMENTS
    query = np.repeat(np.arange(n), rng.integers(1, 6, n))
    found = ids[query, rng.integers(0, 30, len(query))]
    document = np.where(rng.random(len(query)) < 0.5, found, rng.integers(0, DOCUMENTS, len(query)))
    kept = np.sort(np.unique(query * DOCUMENTS + document, return_index=True)[1])
    query, document = query[kept], document[kept]
    grade = rng.integers(0, 4, len(query))
    grade[np.r_[True, query[1:] != query[:-1]]] = 1  # every query has something relevant: no peer has NaN
    scores = np.broadcast_to(np.float32(SCORES), ids.shape)
    return {"ids": ids, "scores": scores, "query": query, "document": document, "grade": grade}


def dicts(n: int) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]]:
    """Return judgements and run as dicts; every score is an object of its own, as it is when a program makes them."""
    made = arrays(n)
    qrels: dict[str, dict[str, int]] = {f"q{FIRST + query}": {} for query in range(n)}
    for query, document, grade in zip(
        *(made[name].tolist() for name in ("query", "document", "grade")), strict=True
    ):
        qrels[f"q{FIRST + query}"][f"d{document}"] = grade
    run = {
        f"q{FIRST + query}": {f"d{document}": (K - place) / 128 for place, document in enumerate(row)}
        for query, row in enumerate(made["ids"].tolist())
    }
    return qrels, run


def frames(n: int) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return judgements and run as DataFrames with text ids."""
    qrels, run = dicts(n)
    return tuple(
        pd.DataFrame(
            [(query, document, one) for query, row in table.items() for document, one in row.items()],
            columns=["query_id", "doc_id", value],
        )
        for table, value in ((qrels, "relevance"), (run, "score"))
    )


def files(n: int, folder: Path) -> tuple[Path, Path]:
    """Write judgements and run as TREC text, if they are not there yet."""
    qrels, run = folder / f"{n}.qrels", folder / f"{n}.run"
    if not run.exists():
        made = arrays(n)
        judged = zip(*(made[name].tolist() for name in ("query", "document", "grade")), strict=True)
        qrels.write_text(
            "".join(f"q{FIRST + query} 0 d{document} {grade}\n" for query, document, grade in judged)
        )
        tails = [f"{rank} {score:.6f} bench\n" for rank, score in enumerate(SCORES.tolist(), start=1)]
        with run.open("w") as file:
            for query, row in enumerate(made["ids"].tolist()):
                file.write(
                    "".join(
                        f"q{FIRST + query} Q0 d{one} {tail}" for one, tail in zip(row, tails, strict=True)
                    )
                )
    return qrels, run
