"""`validate`: nothing to say about a set without fault; each planted fault is found, with its level and place."""

from dataclasses import replace

import pandas as pd
import pytest

from course_utils.golden_set import validate
from course_utils.retrievers import Encoder, build, document_texts, question_texts
from golden import changed, documents, golden_set, qrels, questions, with_rows


def found(golden, **options):
    return [
        tuple(row) for row in validate(golden, **options)[["level", "code", "where"]].itertuples(index=False)
    ]


def test_a_set_without_fault_has_no_findings():
    table = validate(golden_set())
    assert list(table.columns) == ["level", "code", "where", "message"]
    assert table.empty


FAULTS = {
    "unknown document": (
        {"documents": documents().drop(0)},
        [("error", "unknown-document", "d0")],
    ),
    "unknown query": (
        {"qrels": with_rows(qrels(), {"query_id": "q99", "doc_id": "d1", "relevance": 0})},
        [("error", "unknown-query", "q99")],
    ),
    "answerable without a relevant document": (
        {"qrels": changed(qrels(), 0, relevance=0)},
        [("error", "answerable-without-document", "q0")],
    ),
    "unanswerable with a relevant document": (
        {"qrels": changed(qrels(), 5, relevance=1)},
        [("error", "unanswerable-with-document", "q5")],
    ),
    "answerable not stated for two": (
        {"questions": changed(changed(questions(), 3, answerable=None), 4, answerable="")},
        [("error", "answerable-missing", "q3, q4")],
    ),
    "answerable not stated at all": (
        {"questions": questions().drop(columns="answerable")},
        [("error", "answerable-missing", "questions")],
    ),
    "two grades for one document": (
        {"qrels": with_rows(qrels(), {"query_id": "q0", "doc_id": "d0", "relevance": 1})},
        [("error", "conflicting-labels", "q0, d0")],
    ),
    "one judgement twice": (
        {"qrels": with_rows(qrels(), {"query_id": "q0", "doc_id": "d0", "relevance": 2})},
        [("warning", "duplicate-judgement", "q0, d0")],
    ),
    "grade above the scale": (
        {"qrels": changed(qrels(), 0, relevance=3)},
        [("error", "grade-outside-scale", "q0, d0")],
    ),
    "grade below the scale": (
        {"qrels": changed(qrels(), 60, relevance=-1)},
        [("error", "grade-outside-scale", "q0, d1")],
    ),
    "one id for two questions": (
        {"questions": changed(questions(), 1, query_id="q0")},
        [("error", "duplicate-id", "q0"), ("error", "unknown-query", "q1")],
    ),
    "one id for two documents": (
        {"documents": with_rows(documents(), {"doc_id": "d0", "title": "Other", "text": "Something else."})},
        [("error", "duplicate-id", "d0")],
    ),
    "question without text": (
        {"questions": changed(questions(), 0, text="  ")},
        [("error", "empty-text", "q0")],
    ),
    "document without text": (
        {"documents": changed(documents(), 0, text=None)},
        [("error", "empty-text", "d0")],
    ),
    "none unanswerable": (
        {"questions": questions()[questions()["answerable"]], "qrels": qrels()[qrels()["query_id"].isin(
            questions().loc[questions()["answerable"], "query_id"])]},
        [("warning", "no-unanswerable", "questions")],
    ),
    "the same question but for its dress": (
        {"questions": changed(questions(), 2, text=f"  {questions()['text'][0].upper()}?? ")},
        [("error", "duplicate-question", "q0, q2")],
    ),
    "nearly the same question": (
        {"questions": changed(questions(), 2, text=questions()["text"][0] + " x")},
        [("warning", "near-duplicate-question", "q0, q2")],
    ),
    "nearly the same question in the other split": (
        {"questions": changed(questions(), 6, text=questions()["text"][0] + " x")},
        [("warning", "near-duplicate-question", "q0, q6"), ("warning", "split-leak", "q0, q6")],
    ),
    "one need in both splits": (
        {"questions": changed(changed(questions(), 0, need="Days off."), 6, need="days off")},
        [("error", "split-leak", "q0, q6")],
    ),
    "a question that is a title": (
        {"documents": changed(documents(), 9, title=questions()["text"][0].title() + "!")},
        [("warning", "copies-title", "q0")],
    ),
    "a question that holds a title": (
        {
            "documents": changed(documents(), 9, title="Lost and found"),
            "questions": changed(questions(), 0, text="where is the lost and found here"),
        },
        [("warning", "copies-title", "q0")],
    ),
    "a question with four words of a title": (
        {
            "documents": changed(documents(), 9, title="How to rotate a compromised API key safely"),
            "questions": changed(questions(), 0, text="must i rotate a compromised api thing"),
        },
        [("warning", "copies-title", "q0")],
    ),
    "a document that answers everything": (
        {"qrels": with_rows(qrels(), *({"query_id": f"q{n}", "doc_id": "d49", "relevance": 1}
                                       for n in range(42) if n % 6 < 2))},
        [("warning", "answers-everything", "d49")],
    ),
    "one page twice": (
        {"documents": changed(documents(), 1, title="PAGE 0", text=documents()["text"][0])},
        [("warning", "duplicate-document", "d0, d1")],
    ),
    "a split of another name": (
        {"questions": changed(questions(), 0, split="train")},
        [("error", "unknown-split", "split train")],
    ),
    "a single split": (
        {"questions": questions().assign(split="dev")},
        [("warning", "one-split", "questions")],
    ),
    "a language that is none": (
        {"questions": changed(questions().assign(lang="en"), 0, lang="englisch")},
        [("warning", "unknown-lang", "lang englisch")],
    ),
    "a script that is none": (
        {"questions": changed(questions().assign(script="Latn"), 0, script="latin")},
        [("warning", "unknown-script", "script latin")],
    ),
    "a kind that is none": (
        {"questions": changed(questions(), 5, unanswerable_kind="hard")},
        [("warning", "unknown-unanswerable-kind", "unanswerable_kind hard")],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("parts", "expected"), FAULTS.values(), ids=FAULTS)
def test_a_planted_fault_is_found_and_nothing_else(parts, expected):
    assert found(golden_set(**parts)) == expected


def twin(**cells):
    """The set with a twin of q0 in another language."""
    row = {"query_id": "t0", "text": "छुट्टी कितने दिन की है", "type": "keyword", "answerable": True}
    row |= {"split": "dev", "lang": "hi", "script": "Deva", "twin_of": "q0"} | cells
    asked = with_rows(questions().assign(lang="en", script="Latn", twin_of=""), row)
    labels = qrels()[qrels()["query_id"] == "q0"].assign(query_id="t0")
    return golden_set(questions=asked, qrels=pd.concat([qrels(), labels]))


def test_a_twin_may_be_worded_as_its_original_and_shares_its_judgements():
    assert found(twin(text=questions()["text"][0] + " x")) == []


def test_a_twin_in_another_split_leaks():
    assert found(twin(split="test")) == [("error", "split-leak", "q0, t0")]


def test_a_twin_judged_otherwise_is_a_conflict():
    golden = twin()
    other = golden.qrels.assign(
        relevance=golden.qrels["relevance"].where(golden.qrels["query_id"] != "t0", 1)
    )
    assert found(golden_set(questions=golden.questions, qrels=other)) == [
        ("error", "conflicting-labels", "t0")
    ]


@pytest.mark.parametrize("original", ["q99", "t0"])
def test_a_twin_of_nothing_is_found(original):
    assert ("error", "unknown-twin", "t0") in found(twin(twin_of=original))


def test_rules_of_thumb_are_warnings_and_can_be_set():
    codes = [("warning", "too-few-questions", "questions"), ("warning", "type-too-small", "type keyword"),
             ("warning", "type-too-small", "type paraphrase")]  # fmt: skip
    assert found(golden_set(), min_questions=61, min_per_type=31) == codes
    assert found(golden_set(), max_questions=59) == [("warning", "too-many-questions", "questions")]


def test_twins_do_not_fill_a_type():
    assert ("warning", "type-too-small", "type keyword") in found(twin(), min_per_type=31)


@pytest.mark.parametrize(("unanswerable", "expected"), [(5, 1), (6, 0), (12, 0), (13, 1)])
def test_the_share_of_unanswerable_questions_is_ten_to_twenty_percent(unanswerable, expected):
    asked = questions().assign(answerable=[n >= unanswerable for n in range(60)])
    labels = pd.DataFrame(
        [(f"q{n}", f"d{n % 50}", 2) for n in range(unanswerable, 60)], columns=qrels().columns
    )
    assert len(found(golden_set(questions=asked, qrels=labels))) == expected


def test_errors_come_first_and_messages_say_what_to_do():
    table = validate(
        golden_set(documents=changed(documents().drop(0), 1, title="Zuzu", text="Zuzu.")), max_questions=5
    )
    assert list(table["level"]) == ["error", "warning"]
    message = (
        "judged (q0, q50, q49; 2 as relevant, which no system can find), but there is no such document: "
    )
    assert table["message"][0].startswith(message)


def test_documents_of_a_run_that_nobody_judged():
    run = {"q0": {"d0": 3.0, "d30": 2.0, "d31": 1.0}, "q1": {f"d{n}": 100.0 - n for n in range(1, 30)}}
    table = validate(golden_set(), runs={"bm25": run})
    assert list(table["code"]) == ["unjudged-documents"] * 2
    assert table["message"][0].startswith("d30, d31 in the first 10 of a run, not judged")
    assert table["message"][1].startswith("d10, d3, d4, d5, d6 and 3 more in the first 10")


def test_runs_beside_the_set_are_looked_at(tmp_path):
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "bm25.run").write_text("q0 Q0 d30 1 2.0 bm25\n")
    assert found(replace(golden_set(), folder=tmp_path)) == [("warning", "unjudged-documents", "q0")]


def test_vectors_of_other_texts_are_stale(tmp_path):
    clean = golden_set()
    lengths = Encoder("lengths", *[lambda texts: [[len(text), 1] for text in texts]] * 2)
    texts = {"documents": document_texts(clean.documents), "questions": question_texts(clean.texts)}
    build.build(texts, {"e5": (lengths, {})}, tmp_path / "vectors")
    assert found(replace(clean, folder=tmp_path)) == []
    reworded = replace(clean, documents=changed(documents(), 0, text="Reworded."), folder=tmp_path)
    table = validate(reworded)
    assert list(table["code"]) == ["stale-vectors"]
    assert table["where"][0] == "vectors of e5, documents"
    assert "1 of 50 documents have none for their present text, the first is d0" in table["message"][0]


def test_what_is_no_golden_set_is_refused():
    with pytest.raises(ValueError, match="got a str; expected a GoldenSet"):
        validate("folder")


def test_the_input_stays_as_it_was():
    golden = golden_set(documents=documents().drop(0))
    before = golden.fingerprint
    validate(golden)
    assert golden.fingerprint == before
