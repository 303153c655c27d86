"""The systems on ten documents: each trap that a search library sets has its test here."""

import math
import os
import subprocess
import sys
import unicodedata
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from course_utils.retrievers import (
    BM25,
    RRF,
    STOP_WORDS,
    Dense,
    Hybrid,
    Passages,
    cut_passages,
    minmax,
    question_texts,
    tokenise,
)

PAGES = {
    "leave": ("Annual leave", "Everyone has 27 days of paid leave a year. Ask your lead first."),
    "sick": ("Sick leave", "Tell your lead before ten. A certificate is needed from the fourth day."),
    "hotel": ("Hotel limit", "A hotel may cost 140 euros a night, 180 in Zürich."),
    "key": ("Rotating an API key", "Revoke the key, create a new one, then restart the service."),
    "log": ("Log rotation", "Logs rotate each night and are kept for 90 days."),
    "duty": ("On-call rotation", "The rotation changes on Monday. Swap days with a colleague."),
    "laptop": ("Stolen laptop", "Call the service desk at once and lock the account."),
    "error": ("Error ERR-4012", "The token has expired. Ask for a new token."),
    "chutti": ("छुट्टी", "साल में कितने दिन की छुट्टी मिलती है।"),
    "copy": ("Hotel limit", "A hotel may cost 140 euros a night, 180 in Zürich."),
}
DOCUMENTS = pd.DataFrame([(doc, *page) for doc, page in PAGES.items()], columns=["doc_id", "title", "text"])
WORDS = ["leave", "hotel", "key", "rotat", "laptop", "token", "दिन"]


def count_words(texts):
    """Encode by counting seven words; the last dimension keeps a vector from being zero."""
    return np.array([[text.lower().count(word) for word in WORDS] + [0.25] for text in texts])


def dense(**options):
    return Dense(DOCUMENTS, vectors=None, encoder=count_words, **options)


def ids(run):
    return list(run["doc_id"])


class Fixed:
    """A retriever that returns given lists, cut at the depth it is asked for."""

    def __init__(self, *pairs):
        self.pairs = pairs

    def search(self, questions, k=10):
        rows = [(query, doc, score) for query in questions.index for doc, score in self.pairs[:k]]
        return pd.DataFrame(rows, columns=["query_id", "doc_id", "score"])


# Text


def test_devanagari_tokens_survive():
    assert tokenise("छुट्टी कितने दिन की मिलती है।") == ["छुट्टी", "कितने", "दिन", "की", "मिलती", "है"]
    assert ids(BM25(DOCUMENTS).search(["छुट्टी"])) == ["chutti"]


def test_question_in_another_script_than_every_document_finds_nothing():
    english = DOCUMENTS[DOCUMENTS["doc_id"] != "chutti"]
    assert BM25(english).search({"q": "छुट्टी कितने दिन की"}).empty


def test_letters_typed_in_two_ways_are_equal():
    composed, decomposed = (unicodedata.normalize(form, "Zürich दस्तावेज़") for form in ("NFC", "NFD"))
    assert composed != decomposed
    assert tokenise(composed) == tokenise(decomposed)
    runs = [BM25(DOCUMENTS).search({"q": text}) for text in (composed, decomposed)]
    assert ids(runs[0]) == ["hotel", "copy"]
    pd.testing.assert_frame_equal(*runs)


def test_words_are_stemmed_after_stop_words_are_gone():
    assert tokenise("Is it rotating? The KEYS") == ["rotat", "key"]
    assert tokenise("Is it", stop_words=(), language=None) == ["is", "it"]
    assert len(STOP_WORDS) == 33


@pytest.mark.parametrize("questions", [{"q1": "a", "q2": "b"}, pd.Series({"q1": "a", "q2": "b"}), ["a", "b"]])
def test_questions_come_in_several_shapes(questions):
    assert question_texts(questions).to_dict() == {"q1": "a", "q2": "b"}
    frame = pd.DataFrame({"text": ["a", "b"], "query_id": ["q1", "q2"], "type": ["x", "y"]})
    assert question_texts(frame).to_dict() == {"q1": "a", "q2": "b"}


def test_one_question_without_a_list_is_refused():
    with pytest.raises(ValueError, match="A single question goes in a list"):
        BM25(DOCUMENTS).search("hotel")


@pytest.mark.parametrize(
    "change, message",
    [
        (lambda d: d.drop(columns="title"), "documents has no column title"),
        (lambda d: pd.concat([d, d[:1]]), "documents: leave stands twice"),
        (
            lambda d: d.assign(text=[None, *d["text"][1:]]),
            "documents: leave has the text (None|nan); expected text",
        ),
        (lambda d: d[:0], "documents is empty"),
        (lambda d: d.to_dict("list"), "documents is a dict; expected a DataFrame"),
    ],
)
def test_bad_documents_are_refused(change, message):
    with pytest.raises(ValueError, match=message):
        BM25(change(DOCUMENTS))


# BM25


def own_bm25(question, k1=1.2, b=0.75):
    """Compute the same scores from the formula, with nothing but counting."""
    bags = {doc: tokenise(f"{title}\n{text}") for doc, (title, text) in PAGES.items()}
    mean = sum(map(len, bags.values())) / len(bags)
    scores = dict.fromkeys(bags, 0.0)
    for word in tokenise(question):
        df = sum(word in bag for bag in bags.values())
        for doc, bag in bags.items():
            tf, idf = bag.count(word), math.log(1 + (len(bags) - df + 0.5) / (df + 0.5))
            scores[doc] += idf * tf / (tf + k1 * (1 - b + b * len(bag) / mean))
    return {doc: score for doc, score in scores.items() if score}


@pytest.mark.parametrize("question", ["rotating keys on call rotation", "leave leave days", "ERR-4012 hotel"])
def test_bm25_is_the_formula(question):
    run = BM25(DOCUMENTS).search([question])
    own = own_bm25(question)
    assert set(ids(run)) == set(own)
    assert dict(zip(ids(run), run["score"], strict=True)) == pytest.approx(own, abs=1e-6)


def test_documents_without_a_common_word_do_not_fill_the_list():
    run = BM25(DOCUMENTS).search(["laptop"], k=10)
    assert ids(run) == ["laptop"] and run["score"].min() > 0


@pytest.mark.parametrize("question", ["", "  ", "???", "the", "parking"])
def test_question_without_a_known_word_has_no_rows(question):
    run = BM25(DOCUMENTS).search({"none": question, "some": "laptop"})
    assert list(run["query_id"]) == ["some"]
    empty = BM25(DOCUMENTS).search({"none": question})
    assert list(empty.columns) == ["query_id", "doc_id", "score"] and len(empty) == 0
    assert (empty.dtypes == run.dtypes).all()


def test_ties_at_the_cut_go_to_the_last_id_as_text():
    assert ids(BM25(DOCUMENTS).search(["Hotel in Zürich"], k=1)) == ["hotel"]
    assert ids(BM25(DOCUMENTS[::-1]).search(["Hotel in Zürich"])) == ["hotel", "copy"]


def test_scores_have_six_decimals_like_a_run_file():
    scores = BM25(DOCUMENTS).search(["rotating keys of days"])["score"]
    assert list(scores) == [round(score, 6) for score in scores]


@pytest.mark.parametrize("k", [0, -1, 1.5, True, "3"])
def test_k_is_a_whole_number_of_at_least_one(k):
    for system in (BM25(DOCUMENTS), dense(), Hybrid(dense(), BM25(DOCUMENTS))):
        with pytest.raises(ValueError, match=f"k is {k!r}; expected a whole number of at least 1"):
            system.search(["leave"], k=k)


# Dense


def test_dense_is_the_cosine_of_whole_number_vectors():
    rows = count_words(f"{title}\n{text}" for title, text in PAGES.values())
    whole = np.rint(4000 * rows / np.linalg.norm(rows, axis=1, keepdims=True))
    question = count_words(["rotate a key"])[0]
    expected = whole @ np.rint(4000 * question / np.linalg.norm(question)) / 16e6
    run = dense().search(["rotate a key"], k=10)
    by_doc = dict(zip(ids(run), run["score"], strict=True))
    assert by_doc == {doc: round(float(score), 6) for doc, score in zip(PAGES, expected, strict=True)}


def test_dense_ties_at_the_cut_go_to_the_last_id_whatever_the_order_of_the_documents():
    everything = ids(dense().search(["hotel"], k=10))
    assert everything[:2] == ["hotel", "copy"]
    for order in (DOCUMENTS, DOCUMENTS[::-1], DOCUMENTS.sample(frac=1, random_state=3)):
        system = Dense(order, vectors=None, encoder=count_words)
        for k in range(1, 11):
            assert ids(system.search(["hotel"], k=k)) == everything[:k]


def test_missing_results_are_no_documents():
    run = dense().search(["leave"], k=50)
    assert sorted(ids(run)) == sorted(PAGES)


def test_empty_question_finds_nothing_in_any_system():
    for system in (dense(), Hybrid(dense(), BM25(DOCUMENTS)), RRF([dense(), BM25(DOCUMENTS)])):
        assert set(system.search({"none": " ", "some": "leave"})["query_id"]) == {"some"}
        assert system.search({"none": ""}).empty


def test_vectors_or_encoder_must_be_there():
    with pytest.raises(ValueError, match="vectors is None and so is encoder; expected one of them"):
        Dense(DOCUMENTS, vectors=None)


# Passages


def test_passages_overlap_and_the_last_one_ends_with_the_document():
    long = pd.DataFrame({"doc_id": ["d"], "title": ["T"], "text": [" ".join(map(str, range(11)))]})
    cut = cut_passages(long, size=5, overlap=2)
    assert list(cut["text"]) == ["0 1 2 3 4", "3 4 5 6 7", "6 7 8 9 10"]
    assert list(cut["passage_id"]) == ["d#1", "d#2", "d#3"]
    assert list(cut_passages(long)["text"]) == list(long["text"])
    with pytest.raises(ValueError, match="overlap is 5; expected a whole number from 0 to 4"):
        cut_passages(long, size=5, overlap=5)


def test_a_document_is_as_near_as_its_nearest_passage():
    system = Passages(DOCUMENTS, None, encoder=count_words, size=3, overlap=1)
    run = system.search(["token"], k=10)
    assert sorted(ids(run)) == sorted(PAGES)
    assert run["doc_id"].is_unique and ids(run)[0] == "error"
    whole = dense().search(["token"], k=1)["score"][0]
    assert run["score"][0] >= whole
    for k in range(1, 10):
        pd.testing.assert_frame_equal(system.search(["token"], k=k), run[:k])


# Fusion


def test_minmax_of_equal_scores_is_one():
    assert minmax([0.4, 0.4, 0.4]) == [1.0, 1.0, 1.0]
    assert minmax([0.4]) == [1.0]
    run = Hybrid(Fixed(("a", 0.5), ("b", 0.5)), Fixed(("b", 7.0))).search(["x"])
    assert dict(zip(ids(run), run["score"], strict=True)) == {"b": 1.0, "a": 0.6}


def test_hybrid_by_hand():
    first, second = Fixed(("a", 0.9), ("b", 0.8), ("c", 0.7)), Fixed(("c", 12.0), ("d", 4.0))
    run = Hybrid(first, second).search(["x"])
    assert list(zip(ids(run), run["score"], strict=True)) == [("a", 0.6), ("c", 0.4), ("b", 0.3), ("d", 0.0)]


def test_candidate_depth_changes_the_hybrid():
    first, second = Fixed(("a", 0.9), ("b", 0.8), ("c", 0.1)), Fixed(("c", 3.0), ("b", 2.9), ("a", 0.1))
    assert ids(Hybrid(first, second, depth=1).search(["x"])) == ["a", "c"]
    assert ids(Hybrid(first, second, depth=3).search(["x"]))[0] == "b"


def test_normalisation_is_a_choice():
    first, second = Fixed(("a", 0.9), ("b", 0.8)), Fixed(("b", 9.0))
    assert ids(Hybrid(first, second, normalise=lambda scores: scores).search(["x"]))[0] == "b"
    with pytest.raises(ValueError, match="normalise is 'max'; expected 'minmax' or a function"):
        Hybrid(first, second, normalise="max")
    with pytest.raises(ValueError, match="weight is 60; expected a number from 0 to 1"):
        Hybrid(first, second, weight=60)


def test_rrf_by_hand():
    first = Fixed(*[(doc, -rank) for rank, doc in enumerate(["D1", "D2", "R", "D4", "D3"])])
    second = Fixed(*[(doc, -rank) for rank, doc in enumerate(["D3", "D4", "R", "D2", "D1"])])
    run = RRF([first, second]).search(["x"])
    assert ids(run)[-1] == "R"
    assert run["score"].iloc[-1] == round(2 / 63, 6)


def test_rrf_takes_no_document_that_bm25_did_not_find():
    question = "laptop"
    bm25, near = BM25(DOCUMENTS), dense()
    run = RRF([near, bm25], depth=10).search([question])
    only_dense = [doc for doc in ids(near.search([question])) if doc != "laptop"]
    scores = dict(zip(ids(run), run["score"], strict=True))
    assert scores["laptop"] == round(2 / 61, 6)
    assert [scores[doc] for doc in only_dense] == [round(1 / (61 + rank), 6) for rank in range(1, 10)]


def test_rrf_without_a_match_in_bm25_is_the_dense_list():
    question = "मिलता दिन"
    english = DOCUMENTS[DOCUMENTS["doc_id"] != "chutti"]
    near = Dense(english, vectors=None, encoder=count_words)
    assert ids(RRF([near, BM25(english)]).search([question])) == ids(near.search([question]))


def test_rrf_needs_two():
    with pytest.raises(ValueError, match="RRF has 1 retrievers; expected two or more"):
        RRF([dense()])


# All


def test_input_is_left_alone():
    documents, questions = DOCUMENTS.copy(), {"q1": "leave"}
    for system in (BM25(documents), Dense(documents, None, encoder=count_words)):
        system.search(questions)
    pd.testing.assert_frame_equal(documents, DOCUMENTS)
    assert questions == {"q1": "leave"}


def test_every_system_ranks_the_same_in_another_process_and_hash_seed():
    code = "import test_retrievers as t; print(t.all_runs())"
    folder = Path(__file__).parent
    texts = {
        subprocess.run(
            [sys.executable, "-c", code],
            env=os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": f"{folder}{os.pathsep}{folder.parent}"},
            capture_output=True,
            encoding="utf-8",
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert texts == {all_runs() + "\n"}


def all_runs():
    near, bm25 = dense(), BM25(DOCUMENTS[::-1])
    passages = Passages(DOCUMENTS, None, encoder=count_words, size=4, overlap=2)
    systems = (near, bm25, Hybrid(near, bm25), RRF([near, bm25]), passages)
    questions = {"q1": "rotating keys", "q2": "hotel days", "q3": "छुट्टी के दिन"}
    return "\n".join(system.search(questions).to_csv(index=False) for system in systems)


def test_bars_are_for_people(monkeypatch, capsys):
    monkeypatch.delenv("COURSE_QUIET", raising=False)
    dense().search(["leave"])
    BM25(DOCUMENTS)
    assert capsys.readouterr() == ("", "")
    monkeypatch.setenv("COURSE_QUIET", "0")
    BM25(DOCUMENTS)
    assert "BM25S" in capsys.readouterr().err
