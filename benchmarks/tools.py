"""What is measured: each function takes one kind of input and returns Recall, Precision, RR, nDCG @10 per query.

Everything that a user must do to get there, conversion included, is inside the function. A peer is imported when it
is called for the first time, which is before the clock starts. This is also how to hand over to each of them.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from course_utils.evaluation import evaluate, evaluate_ids
from course_utils.formats import read_qrels, read_run, scan_run

Values = Any  # an array: a row per query, a column per measure
NAMES = ["Recall@10", "Precision@10", "RR@10", "nDCG@10"]
TREC = {"recall.10", "P.10", "recip_rank", "ndcg_cut.10"}
RANX = ["recall@10", "precision@10", "mrr@10", "ndcg@10"]


def ours_arrays(made: dict[str, Any]) -> Values:
    """Positions as FAISS returns them, judgements as three columns."""
    qrels = pd.DataFrame({"query_id": made["query"], "doc_id": made["document"], "relevance": made["grade"]})
    return evaluate_ids(qrels, made["ids"], NAMES).to_numpy()


def bound_arrays(made: dict[str, Any]) -> Values:
    """The least that any tool must do: read every id once."""
    made["ids"].max()


def ours(qrels: Any, run: Any) -> Values:
    """Two dicts or two frames."""
    return evaluate(qrels, run, NAMES).to_numpy()


def ours_scanned(paths: tuple[Path, Path]) -> Values:
    """Two files, the run read as it is evaluated."""
    return ours(read_qrels(paths[0]), scan_run(paths[1]))


def ours_read(paths: tuple[Path, Path]) -> Values:
    """Two files, the run read into a frame first."""
    return ours(read_qrels(paths[0]), read_run(paths[1]))


def pytrec_eval_dicts(qrels: dict[str, Any], run: dict[str, Any]) -> Values:
    """Two dicts: its own input."""
    import pytrec_eval

    found = pytrec_eval.RelevanceEvaluator(qrels, TREC).evaluate(run)
    columns = ("recall_10", "P_10", "recip_rank", "ndcg_cut_10")
    values = np.array([[found[query][name] for name in columns] for query in qrels])
    values[values[:, 2] < 1 / 10, 2] = 0  # its RR has no cutoff
    return values


def pytrec_eval_arrays(made: dict[str, Any], depth: int | None = None) -> Values:
    """Positions made into dicts, of all results or the first `depth`."""
    qrels: dict[str, dict[str, int]] = {}
    for query, document, grade in zip(
        *(made[name].tolist() for name in ("query", "document", "grade")), strict=True
    ):
        qrels.setdefault(str(query), {})[str(document)] = grade
    lists = zip(made["ids"][:, :depth].tolist(), made["scores"][:, :depth].tolist(), strict=True)
    run = {
        str(query): dict(zip(map(str, ids), scores, strict=True)) for query, (ids, scores) in enumerate(lists)
    }
    return pytrec_eval_dicts(qrels, run)


def pytrec_eval_files(paths: tuple[Path, Path]) -> Values:
    """Two files, by its own readers."""
    import pytrec_eval

    with paths[0].open() as qrels, paths[1].open() as run:
        return pytrec_eval_dicts(pytrec_eval.parse_qrel(qrels), pytrec_eval.parse_run(run))


def ir_measures_any(qrels: Any, run: Any) -> Values:
    """Two dicts or two frames: it takes what the course takes."""
    from ir_measures import RR, P, R, iter_calc, nDCG

    measures = [R @ 10, P @ 10, RR @ 10, nDCG @ 10]
    found = [(one.query_id, one.measure, one.value) for one in iter_calc(measures, qrels, run)]
    table = pd.DataFrame(found, columns=["query", "measure", "value"]).pivot(index="query", columns="measure")
    order = list(qrels) if isinstance(qrels, dict) else qrels["query_id"].unique()
    return table["value"][measures].loc[order].to_numpy()


def ranx_tables(qrels: Any, run: Any) -> Values:
    """Its own two classes."""
    from ranx import evaluate as ranx_evaluate

    ranx_evaluate(qrels, run, RANX, make_comparable=True)
    return np.array([[run.scores[name][query] for name in RANX] for query in qrels.keys()])  # noqa: SIM118


def ranx_dicts(qrels: dict[str, Any], run: dict[str, Any]) -> Values:
    """Two dicts made into its own classes."""
    from ranx import Qrels, Run

    table = Qrels(qrels)
    values = dict(zip(table.keys(), ranx_tables(table, Run(run)), strict=True))
    return np.array([values[query] for query in qrels])


def ranx_files(paths: tuple[Path, Path]) -> Values:
    """Two files, by its own readers."""
    from ranx import Qrels, Run

    qrels = Qrels.from_file(str(paths[0]), kind="trec")
    order = dict.fromkeys(line.split(" ", 1)[0] for line in paths[0].read_text().splitlines())
    values = dict(
        zip(qrels.keys(), ranx_tables(qrels, Run.from_file(str(paths[1]), kind="trec")), strict=True)
    )
    return np.array([values[query] for query in order])


def ranx_arrays(made: dict[str, Any]) -> Values:
    """The undocumented way into ranx: pairs of id and score as floats."""
    from numba.typed import List
    from ranx import evaluate as ranx_evaluate

    judged = np.c_[made["document"], made["grade"]].astype(np.float64)[made["grade"] > 0]
    query = made["query"][made["grade"] > 0]
    order = np.lexsort((-judged[:, 1], query))
    cuts = np.flatnonzero(np.diff(query[order])) + 1
    qrels = List(np.split(judged[order], cuts))
    run = np.stack([made["ids"], made["scores"]], axis=2).astype(np.float64)
    found = ranx_evaluate(qrels, run, RANX, return_mean=False)
    return np.array([found[name] for name in RANX]).T


TOOLS: dict[str, dict[str, Callable[..., Values]]] = {
    "arrays": {
        "evaluate_ids": ours_arrays,
        "(reading all ids)": bound_arrays,
        "ranx, raw arrays": ranx_arrays,
        "pytrec_eval, cut to 10": lambda made: pytrec_eval_arrays(made, 10),
        "pytrec_eval": pytrec_eval_arrays,
    },
    "text": {
        "scan_run, evaluate": ours_scanned,
        "read_run, evaluate": ours_read,
        "pytrec_eval": pytrec_eval_files,
        "ranx": ranx_files,
    },
    "dicts": {
        "evaluate": ours,
        "pytrec_eval": pytrec_eval_dicts,
        "ir_measures": ir_measures_any,
        "ranx": ranx_dicts,
    },
    "frames": {
        "evaluate": ours,
        "evaluate, categories": ours,
        "ir_measures": ir_measures_any,
    },
}
