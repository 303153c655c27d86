"""The second collection in ``assets/examples/workshop``: filled in like the templates, and as its page says."""

import re

import pandas as pd
import pytest

from course_utils import load_golden_set, paths, validate
from course_utils.golden_set import judged_at
from course_utils.retrievers import BM25

FOLDER = paths.assets("examples", "workshop")
GOLDEN = load_golden_set(FOLDER)
CARD = (FOLDER / "README.md").read_text(encoding="utf-8")


def words(text):
    return re.findall(r"\w+(?:['’]\w+)?", text.lower())


def runs_of_four(text):
    found = words(text)
    return {tuple(found[at : at + 4]) for at in range(len(found) - 3)}


@pytest.mark.parametrize("name", ["documents.csv", "questions.csv", "judgements.csv"])
def test_the_files_have_the_columns_of_the_templates(name):
    template, filled = (
        pd.read_csv(path / name, encoding="utf-8-sig") for path in (paths.assets("templates"), FOLDER)
    )
    assert list(filled.columns) == list(template.columns)


def test_validate_finds_nothing_at_its_usual_limits():
    assert validate(GOLDEN).to_dict("records") == []


def test_it_has_what_a_golden_set_should_have():
    questions = GOLDEN.questions
    assert questions["type"].value_counts().min() >= 8
    assert questions[questions["answerable"]]["type"].value_counts().min() >= 8
    assert 0.1 <= 1 - questions["answerable"].mean() <= 0.2
    assert questions.loc[~questions["answerable"], "unanswerable_kind"].nunique() >= 3
    assert (questions["need"].str.len() > 20).all()
    assert set(questions["split"]) == {"dev", "test"}


def test_pages_are_short_and_no_question_copies_one():
    pages = GOLDEN.documents["title"] + " " + GOLDEN.documents["text"]
    assert GOLDEN.documents["text"].str.split().str.len().between(40, 120).all()
    copied = set().union(*map(runs_of_four, pages))
    assert [text for text in GOLDEN.texts if runs_of_four(text) & copied] == []


def test_the_first_ten_of_bm25_are_judged_and_the_zeros_are_written():
    run = BM25(GOLDEN.documents).search(GOLDEN.texts, k=10)
    assert (judged_at(run, GOLDEN).dropna() == 1).all()
    assert (GOLDEN.qrels["relevance"] == 0).mean() > 0.9


def test_no_archived_page_answers():
    archived = GOLDEN.documents.loc[GOLDEN.documents["status"] == "archived", "doc_id"]
    assert len(archived) == 3
    assert (GOLDEN.qrels.loc[GOLDEN.qrels["doc_id"].isin(archived), "relevance"] == 0).all()


def test_its_page_counts_what_is_there():
    documents, questions, grades = GOLDEN.documents, GOLDEN.questions, GOLDEN.qrels["relevance"]
    lengths = documents["text"].str.split().str.len()
    status, split = documents["status"].value_counts(), questions["split"].value_counts()
    nothing = int((~questions["answerable"]).sum())
    assert (
        f"{len(documents)} pages, {status['current']} current and {status['archived']} archived, "
        f"{lengths.min()} to {lengths.max()} words each"
    ) in CARD
    assert (
        f"{len(questions)} questions of {questions['type'].nunique()} types, {nothing} of them "
        f"({nothing / len(questions):.0%}) unanswerable; {split['dev']} in dev, {split['test']} in test"
    ) in CARD
    assert (
        f"{len(grades)} judgements: {(grades == 2).sum()} of grade 2, {(grades == 1).sum()} of grade 1"
        in CARD
    )
    relevant = GOLDEN.qrels[grades > 0]["query_id"].value_counts()
    assert f"{(relevant <= 2).sum()} of {len(relevant)} answerable questions have at most two" in CARD
