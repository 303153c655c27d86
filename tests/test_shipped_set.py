"""The shipped golden set with its labels: complete, consistent, and as its documents say."""

import re
from dataclasses import replace
from statistics import mean, median

import pandas as pd
import pytest
from sklearn.metrics import cohen_kappa_score

from course_utils import paths
from course_utils.formats import read_run
from course_utils.golden_set import judged_at, load_golden_set, pool, validate
from sources import ROOT
from test_course import load

STOP_WORDS = set(
    re.findall(
        r"\w+",
        """a an the of to in on for and or is are be do does did i my me we our us you your it its this that what
        which who how when where why can may with at by from as if have has had get got not no so any there about
        after before up out will would should must am was were been he she they them their one all into than then
        s t m re ve please kindly hey""",
    )
)


def read(*parts):
    return paths.assets(*parts).read_text(encoding="utf-8")


def cells(text, first):
    """Return the cells of the row of a table that starts with this cell."""
    (row,) = re.findall(rf"^\| {re.escape(first)} \|.*\|$", text, flags=re.MULTILINE)
    return [cell.strip() for cell in row.strip("|").split("|")]


GOLDEN = load_golden_set()
RUNS = {file.stem: read_run(file) for file in sorted(paths.assets("runs").glob("*.run"))}
QUESTIONS = GOLDEN.questions.set_index("query_id")
GRADES = {query: GOLDEN.grades(query) for query in QUESTIONS.index}
NOTES = {
    judge: dict(zip(zip(rows["query_id"], rows["doc_id"], strict=True), rows["grade"], strict=True))
    for judge, rows in GOLDEN.annotations.groupby("annotator")
}
CARD, OUTCOMES = read("README.md"), read("golden_set", "OUTCOMES.md")


# --- the judgements -------------------------------------------------------------------------------


def test_validate_finds_nothing():
    assert validate(GOLDEN).to_dict("records") == []


def test_no_document_near_the_top_of_a_run_is_unjudged():
    """Twins included, and said twice: by what is left to judge, and by the share that is judged."""
    assert set(RUNS) == {"bm25", "dense", "hybrid", "minilm", "passages", "rrf"}
    assert pool(RUNS, GOLDEN).empty
    for run in RUNS.values():
        assert (judged_at(run, GOLDEN).dropna() == 1).all()
    assert judged_at(RUNS["dense"], GOLDEN).notna().all()


def test_answerable_means_that_some_grade_is_above_zero():
    assert {
        query: max(grades.values()) > 0 for query, grades in GRADES.items()
    } == GOLDEN.answerable.to_dict()


def test_twins_share_their_judgements():
    twins = QUESTIONS.loc[QUESTIONS["twin_of"] != "", "twin_of"]
    assert len(twins) == 30
    assert all(GRADES[twin] == GRADES[original] for twin, original in twins.items())


def test_the_first_pass_covers_every_judgement():
    judged = {(q, d) for q, grades in GRADES.items() if not QUESTIONS["twin_of"][q] for d in grades}
    assert set(NOTES["first"]) == judged


def test_the_second_pass_covers_the_pools_of_its_needs():
    needs = {query for query, _ in NOTES["second"]}
    assert len(needs) >= 40
    assert {(QUESTIONS["type"][q], QUESTIONS["answerable"][q]) for q in needs} == {
        (kind, answer) for kind in QUESTIONS["type"].unique() for answer in (True, False)
    }
    missing = replace(
        GOLDEN, qrels=GOLDEN.annotations.query("annotator == 'second'").rename(columns={"grade": "relevance"})
    )
    left = pool(RUNS, missing)
    assert not set(left["query_id"]) & needs


def test_every_disagreement_is_adjudicated_with_a_reason():
    differ = {pair for pair, grade in NOTES["second"].items() if NOTES["first"].get(pair) != grade}
    decided = GOLDEN.annotations.query("annotator == 'adjudicated'")
    assert set(NOTES["adjudicated"]) == differ
    assert (decided["note"].str.len() > 20).all()


def test_the_judgements_are_the_first_pass_and_the_adjudicated_ones():
    final = NOTES["first"] | NOTES["adjudicated"]
    assert {(q, d): GRADES[q][d] for q, d in final} == final


def test_all_documents_are_judged_for_ten_needs():
    assert (
        sum(len(GRADES[q]) == len(GOLDEN.documents) for q in QUESTIONS.index[QUESTIONS["twin_of"] == ""])
        == 10
    )


def test_relevant_documents_from_outside_the_pool_are_logged():
    rest = replace(GOLDEN, qrels=GOLDEN.qrels.query("relevance == 0"))
    inside = set(zip(*pool(RUNS, rest)[["query_id", "doc_id"]].to_numpy().T, strict=True))
    inside = {(GOLDEN.originals[query], document) for query, document in inside}
    relevant = {(q, d) for q, grades in GRADES.items() for d, grade in grades.items() if grade}
    outside = {(q, d) for q, d in relevant if (GOLDEN.originals[q], d) not in inside}
    logged = re.findall(
        r"^\| (q[^|]+) \| `([\w-]+)` \| ([12]) \|", read("golden_set", "CHANGES.md"), flags=re.MULTILINE
    )
    assert {(q, d) for queries, d, _ in logged for q in queries.split(", ")} == outside
    assert all(GRADES[q][d] == int(grade) for queries, d, grade in logged for q in queries.split(", "))


# --- planted faults -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def found():
    """What validate says of a copy with three faults: where, by code."""
    judged = GOLDEN.documents["doc_id"] == "leave-annual-allowance"
    copied = GOLDEN.documents.set_index("doc_id")["title"]["security-usb"]
    faulty = replace(
        GOLDEN,
        documents=GOLDEN.documents[~judged],
        questions=GOLDEN.questions.assign(
            text=GOLDEN.questions["text"].mask(GOLDEN.questions["query_id"] == "q005", copied)
        ),
        qrels=GOLDEN.qrels[GOLDEN.qrels["query_id"] != "q006"],
        folder=None,
    )
    findings = validate(faulty, runs={"hybrid": RUNS["hybrid"]})
    return findings.groupby("code")["where"].agg(list).to_dict()


def test_a_judged_document_that_left_the_corpus_is_found(found):
    assert found["unknown-document"] == ["leave-annual-allowance"]


def test_a_question_copied_from_a_title_is_found(found):
    assert found["copies-title"] == ["q005"]


def test_unjudged_documents_are_found(found):
    assert found["unjudged-documents"] == ["q006"]


# --- what the documents say -----------------------------------------------------------------------


@pytest.fixture(scope="module")
def outcomes():
    return load(ROOT / ".ci/outcomes.py")


def test_outcomes_and_data_card_are_what_the_files_give(outcomes):
    assert outcomes.main(["--check"]) == 0


def test_a_number_that_was_edited_is_named(outcomes, tmp_path, monkeypatch, capsys):
    edited = tmp_path / "README.md"
    edited.write_text(CARD.replace("| 5778 |", "| 5779 |"), encoding="utf-8")
    monkeypatch.setattr(outcomes, "FILES", [str(edited)])
    assert outcomes.main(["--check"]) == 1
    assert capsys.readouterr().err.startswith("README.md is not what the files in assets give now")
    assert outcomes.main([]) == 0 and edited.read_text(encoding="utf-8") == CARD


@pytest.mark.parametrize(
    ("row", "one", "other"), [("first and second", "first", "second"), ("final and model", "final", "model")]
)
def test_printed_agreement_is_computed_here_in_another_way(row, one, other):
    notes = NOTES | {"final": {(q, d): grade for q, grades in GRADES.items() for d, grade in grades.items()}}
    both = sorted(set(notes[one]) & set(notes[other]))
    a, b = ([notes[judge][pair] for pair in both] for judge in (one, other))
    relevant = sum(x > 0 and y > 0 for x, y in zip(a, b, strict=True))
    numbers = [
        mean(x == y for x, y in zip(a, b, strict=True)),
        *(cohen_kappa_score(a, b, weights=weights) for weights in (None, "linear", "quadratic")),
        2 * relevant / (sum(x > 0 for x in a) + sum(y > 0 for y in b)),
    ]
    counts = [str(len({query for query, _ in both})), str(len(both))]
    assert cells(OUTCOMES, row)[1:] == counts + [f"{number:.3f}".removeprefix("0") for number in numbers]


def test_the_best_system_is_neither_too_good_nor_too_bad(outcomes):
    english = outcomes.group("English, all")
    assert len(english) == 126
    assert 0.5 < max(one.loc[english, "nDCG@10"].mean() for one in outcomes.scores().values()) < 0.95


def test_the_card_counts_documents():
    documents = GOLDEN.documents
    lengths = [len(text.split()) for text in documents["text"]]
    status = documents["status"].value_counts()
    assert f"{status['current']} pages are current, {status['archived']} archived" in CARD
    assert f"{(documents['region'] != 'all').sum()} hold for one country only" in CARD
    assert (
        f"Lengths: {min(lengths)} to {max(lengths):,} words, median {median(lengths)}, {sum(lengths):,} in all; "
        f"{sum(n >= 800 for n in lengths)} pages have 800 words or more, "
        f"{sum(n <= 40 for n in lengths)} have 40 or fewer"
    ) in CARD
    for section, count in documents["section"].value_counts().items():
        assert f"| {section} | {count} |" in CARD


def test_the_card_counts_questions():
    english = QUESTIONS[QUESTIONS["lang"] == "en"]
    for name, rows in english.groupby("type"):
        numbers = [rows["answerable"].sum(), (~rows["answerable"]).sum(), len(rows)]
        numbers += [(rows["split"] == split).sum() for split in ("dev", "test")]
        assert cells(CARD, name)[1:] == [str(n) for n in numbers]
    for kind, count in english.loc[~english["answerable"], "unanswerable_kind"].value_counts().items():
        assert f"{kind.replace('_', ' ')} {count}" in CARD
    lengths = [len(text.split()) for text in QUESTIONS["text"]]
    assert f"Questions have {min(lengths)} to {max(lengths)} words, median {median(lengths):.0f}." in CARD


def content(text):
    return set(re.findall(r"[\w\u0900-\u0963\u0966-\u097F]+", text.lower())) - STOP_WORDS


def test_the_card_shows_the_word_overlap():
    pages = [
        content(f"{title} {text}")
        for title, text in zip(GOLDEN.documents["title"], GOLDEN.documents["text"], strict=True)
    ]
    asked = QUESTIONS["text"].map(content)
    overlap = pd.Series(
        {query: max(len(own & page) / len(own) for page in pages) for query, own in asked.items()}
    )
    english = QUESTIONS["lang"] == "en"
    columns = [english & QUESTIONS["answerable"], english & ~QUESTIONS["answerable"]]
    columns += [~english & (QUESTIONS["script"] == script) for script in ("Deva", "Latn", "Mixed")]
    rows = ["below .2", ".2 to .4", ".4 to .6", ".6 to .8", ".8 to 1", "exactly 1"]
    for low, row in zip((0, 0.2, 0.4, 0.6, 0.8, 1), rows, strict=True):
        high = 1 if row == ".8 to 1" else low + 0.2
        inside = (overlap >= round(low, 1)) & (overlap < round(high, 1))
        assert cells(CARD, row)[1:] == [str((inside & column).sum()) for column in columns]
    assert cells(CARD, "mean")[1:] == [
        f"{overlap[column].mean():.2f}".removeprefix("0") for column in columns
    ]
    for name, rows in overlap[columns[0]].groupby(QUESTIONS["type"]):
        assert f"{name} {rows.mean():.2f}".replace("0.", ".") in CARD
