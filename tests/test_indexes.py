"""Exact and approximate indexes over the same vectors: ties, padding, costs, and what is the same on every run."""

import faiss
import numpy as np
import pytest

from course_utils.evaluation import evaluate
from course_utils.retrievers import HNSW, IVF, Exact, distractors, index_recall, quantise

CORNERS = np.eye(32, dtype=np.int16) * 4000
CROWD = distractors(CORNERS, 3000, clusters=40)
ASKED, NAMES = distractors(CORNERS, 60, clusters=40, seed=1), [f"q{n}" for n in range(60)]
BUILT = {"exact": Exact(CROWD), "hnsw": HNSW(CROWD), "ivf": IVF(CROWD, lists=32)}


def mean_recall(name, **settings):
    exact = BUILT["exact"].search(ASKED, NAMES)
    return index_recall(exact, BUILT[name].search(ASKED, NAMES, **settings)).mean()


def test_exact_is_the_sorted_table_of_products():
    products = ASKED.astype(np.int64) @ CROWD.T.astype(np.int64)
    found = BUILT["exact"].search(ASKED, NAMES).groupby("query_id")["doc_id"].agg(list)
    for name, row in zip(NAMES, products, strict=True):
        order = sorted(range(len(row)), key=lambda n: (round(row[n] / 4000**2, 6), str(n)), reverse=True)
        assert [int(doc) for doc in found[name]] == order[:10]


def test_more_effort_finds_more():
    curves = {
        "hnsw": [mean_recall("hnsw", ef_search=n) for n in (10, 30, 200)],
        "ivf": [mean_recall("ivf", nprobe=n) for n in (1, 4, 32)],
    }
    for first, second, third in curves.values():
        assert first < second < third
    assert curves["hnsw"][2] > 0.95
    assert curves["ivf"][2] == 1  # all groups: every vector is compared


def test_all_groups_are_the_exact_search():
    every = BUILT["ivf"].search(ASKED, NAMES, k=7, nprobe=32)
    assert every.equals(BUILT["exact"].search(ASKED, NAMES, k=7))


def test_costs_are_counts_of_vectors():
    assert BUILT["exact"].compared(ASKED) == 3000
    assert BUILT["ivf"].compared(ASKED, nprobe=32) == 3000 + 32  # the centroids too
    few, many = (BUILT["hnsw"].compared(ASKED, ef_search=n) for n in (10, 100))
    assert 10 < few < many < 3000


@pytest.mark.parametrize("kind", [Exact, HNSW, lambda *given: IVF(*given, lists=1)])
def test_ties_go_to_the_last_id_as_text(kind):
    same = np.repeat(CORNERS[:1], 12, axis=0)
    found = kind(same, [f"d{n}" for n in range(12)]).search(CORNERS[:1], ["q1"], k=3)
    if kind is not HNSW:  # HNSW orders what it met, and need not meet every tie
        assert found["doc_id"].tolist() == ["d9", "d8", "d7"]
    assert found["doc_id"].tolist() == sorted(found["doc_id"], reverse=True)


def test_ties_are_followed_beyond_twice_k():
    vectors = np.vstack([np.repeat(CORNERS[:1], 50, axis=0), CORNERS[1:]])
    found = Exact(vectors, [f"{n:02}" for n in range(81)]).search(CORNERS[:1], ["q1"], k=2)
    assert found["doc_id"].tolist() == ["49", "48"]


def test_a_short_list_stays_short():
    two_groups = np.vstack([np.repeat(CORNERS[:1], 3, axis=0), np.repeat(CORNERS[1:2], 3, axis=0)])
    index = IVF(two_groups, [*"abcdef"], lists=2)
    assert index.search(CORNERS[:1], ["q1"], nprobe=1)["doc_id"].tolist() == [
        "c",
        "b",
        "a",
    ]  # not "f", position -1
    assert HNSW(two_groups, [*"abcdef"]).search(CORNERS[:1], ["q1"], k=50)["doc_id"].nunique() <= 6


def test_built_twice_is_built_the_same():
    for kind in (HNSW, IVF):
        assert kind(CROWD).search(ASKED, NAMES).equals(kind(CROWD).search(ASKED, NAMES))


def test_threads_are_given_back():
    before = faiss.omp_get_max_threads()
    faiss.omp_set_num_threads(2)
    HNSW(CORNERS).search(CORNERS[:1], ["q1"])
    kept = faiss.omp_get_max_threads()
    faiss.omp_set_num_threads(before)
    assert kept == 2


def test_index_recall_is_not_retrieval_recall():
    """The index misses one of the two nearest, which nobody wanted, so a wanted one comes in its place."""
    exact = {"q1": {"noise": 0.9, "also noise": 0.8, "wanted": 0.7}}
    missed = {"q1": {"noise": 0.9, "wanted": 0.7}}
    runs = [Exact(CORNERS).search(CORNERS[:1], ["q1"], k=1).head(0) for _ in range(2)]
    for place, lists in enumerate((exact, missed)):
        for doc, score in lists["q1"].items():
            runs[place].loc[len(runs[place])] = ["q1", doc, score]
    assert index_recall(*runs, k=2)["q1"] == 0.5
    qrels = {"q1": {"wanted": 1}}
    assert [evaluate(qrels, run, ("Recall@2",))["Recall@2"]["q1"] for run in (exact, missed)] == [0, 1]


def test_index_recall_of_nothing_is_zero_and_of_itself_one():
    exact = BUILT["exact"].search(ASKED, NAMES)
    assert (index_recall(exact, exact) == 1).all()
    assert index_recall(exact, exact.head(4))["q0"] == 0.4  # a short list is no excuse
    assert (index_recall(exact, exact.head(0)) == 0).all() and len(index_recall(exact, exact.head(0))) == 60


def test_distractors_are_like_the_given_vectors():
    given = quantise(np.random.default_rng(0).normal(1, 0.5, (200, 16)))
    made = distractors(given, 5000)
    assert made.dtype == np.int16 and made.shape == (5000, 16)
    assert np.abs(made.mean(axis=0) - given.mean(axis=0)).max() < 150  # of 4000
    assert np.allclose(made.std(axis=0), given.std(axis=0), rtol=0.25)
    assert np.allclose(np.linalg.norm(made.astype(float), axis=1), 4000, atol=3)


def test_distractors_have_a_seed_and_clusters():
    assert np.array_equal(distractors(CORNERS, 50), distractors(CORNERS, 50))
    assert not np.array_equal(distractors(CORNERS, 50), distractors(CORNERS, 50, seed=1))
    cosines = {n: _nearest_cosine(distractors(CORNERS, 300, clusters=n)) for n in (5, 300)}
    assert cosines[5] > cosines[300] + 0.05


def _nearest_cosine(vectors):
    products = vectors.astype(float) @ vectors.T / 4000**2
    np.fill_diagonal(products, -1)
    return products.max(axis=1).mean()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Exact(CORNERS.astype(float)), "int16"),
        (lambda: Exact(CORNERS, ["a"] * 32), "1 different ids for 32 vectors"),
        (lambda: IVF(CORNERS, lists=33), "lists is 33; expected at most one per vector, 32"),
        (lambda: BUILT["ivf"].search(ASKED, NAMES, nprobe=0), "nprobe is 0"),
        (lambda: BUILT["hnsw"].search(ASKED, NAMES, ef_search=0), "ef_search is 0"),
        (lambda: BUILT["exact"].search(ASKED, NAMES[:3]), "3 query ids for 60 vectors"),
        (lambda: distractors(CORNERS, 0), "n is 0"),
    ],
)
def test_what_makes_no_sense_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
