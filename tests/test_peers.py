"""Agreement with the field's evaluators on random runs: ties, negative grades, missing and unjudged documents."""

import random
import warnings

import ir_measures
import pandas as pd
import pytest
import pytrec_eval

from course_utils import evaluate
from course_utils.schema import CourseWarning
from peers import ir_measure

TO_TREC = {
    "Recall@5": "recall_5",
    "Precision@5": "P_5",
    "Success@5": "success_5",
    "RR": "recip_rank",
    "AP": "map",
    "AP@5": "map_cut_5",
    "nDCG@5": "ndcg_cut_5",
    "Recall@20": "recall_20",
    "nDCG@20": "ndcg_cut_20",
}
TO_IR_MEASURES = {"nDCG@5": "nDCG@5", "Recall@5": "R@5", "Precision@5": "P@5", "RR": "RR", "AP": "AP"}
PEER_MEASURES = {"recall.5,20", "P.5", "success.5", "recip_rank", "map", "map_cut.5", "ndcg_cut.5,20"}
SEEDS = range(40)


def random_case(seed):
    """Ten queries; scores are quarters, which tie often and are exact in 32 bits. Grade -2 crashes the peer."""
    rng = random.Random(seed)
    pool = [f"d{number}" for number in range(40)]
    qrels = {
        f"q{query}": {document: rng.randint(-1, 3) for document in rng.sample(pool, rng.randint(1, 15))}
        for query in range(10)
    }
    run = {
        f"q{query}": {document: rng.randint(-8, 8) / 4 for document in rng.sample(pool, rng.randint(1, 30))}
        for query in range(11)
        if query == 0 or rng.random() < 0.9
    }
    return qrels, run


def ours(qrels, run, measures, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CourseWarning)
        return evaluate(qrels, run, measures, **options)


@pytest.mark.parametrize("rel", [1, 2])
@pytest.mark.parametrize("seed", SEEDS)
def test_same_as_pytrec_eval(seed, rel):
    qrels, run = random_case(seed)
    table = ours(qrels, run, list(TO_TREC), rel=rel)
    peer = pytrec_eval.RelevanceEvaluator(qrels, PEER_MEASURES, relevance_level=rel).evaluate(run)
    compared = 0
    for query, row in table.iterrows():
        for name, trec_name, score in zip(TO_TREC, TO_TREC.values(), row, strict=True):
            lowest = 1 if name.startswith("nDCG") else rel
            if max(qrels[query].values()) < lowest:
                assert score != score  # undefined here; the peer says 0
            elif query not in run:
                assert score == 0  # counted here; the peer leaves it out
            else:
                assert score == pytest.approx(peer[query][trec_name], abs=1e-9)
                compared += 1
    assert compared > 20


@pytest.mark.parametrize("seed", SEEDS)
def test_same_as_ir_measures(seed):
    """RR with a cutoff is left out: there ir_measures orders equal scores by another rule."""
    qrels, run = random_case(seed)
    table = ours(qrels, run, list(TO_IR_MEASURES))
    measures = {ir_measure(theirs): name for name, theirs in TO_IR_MEASURES.items()}
    compared = 0
    for said in ir_measures.iter_calc(list(measures), qrels, run):
        score = table.loc[said.query_id, measures[said.measure]]
        if max(qrels[said.query_id].values()) > 0:
            assert score == pytest.approx(said.value, abs=1e-9)
            compared += 1
    assert compared > 20


def test_our_frames_go_straight_into_ir_measures():
    qrels = pd.DataFrame({"query_id": ["q1", "q2"], "doc_id": ["a", "b"], "relevance": [2, 1]})
    run = pd.DataFrame({"query_id": ["q1", "q2", "q2"], "doc_id": ["a", "a", "b"], "score": [1.0, 0.9, 0.8]})
    means = ir_measures.calc_aggregate([ir_measure("nDCG@10")], qrels, run)
    assert list(means.values()) == pytest.approx(evaluate(qrels, run, ["nDCG@10"]).mean().to_list())
