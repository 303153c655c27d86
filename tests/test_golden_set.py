"""Golden sets: loading from every kind of file, fingerprints, subsets, pool, split, agreement."""

import shutil
import warnings
from dataclasses import FrozenInstanceError, replace

import numpy as np
import pandas as pd
import pytest

from course_utils import paths
from course_utils.golden_set import (
    GoldenSet,
    agreement,
    draw_split,
    judged_at,
    load_golden_set,
    pairs,
    pool,
    read_annotations,
    validate,
)
from course_utils.schema import CourseWarning
from golden import documents, golden_set, qrels, questions

DOCUMENTS = "doc_id,title,text\nd1,Urlaub,Alle haben 24 Tage.\nd2,Essen,Um zwölf.\n"
QUESTIONS = "query_id,text,answerable\nq1,wie viel Urlaub für Ärzte?,TRUE\nq2,wo ist Größe S?,FALSE\n"
JUDGEMENTS = "query_id,doc_id,relevance\nq1,d1,2\nq2,d2,0\n"


def folder_with(folder, **files):
    """Write a CSV golden set with some of its files replaced: text, or bytes as they are."""
    for name, content in (
        {"documents": DOCUMENTS, "questions": QUESTIONS, "judgements": JUDGEMENTS} | files
    ).items():
        data = content if isinstance(content, bytes) else content.encode()
        (folder / f"{name}.csv").write_bytes(data)
    return folder


@pytest.fixture
def plain(tmp_path):
    folder = tmp_path / "plain"
    folder.mkdir()
    return load_golden_set(folder_with(folder))


def test_what_is_left_out_has_a_default(plain):
    row = plain.questions.iloc[0].to_dict()
    assert row == {
        "query_id": "q1", "text": "wie viel Urlaub für Ärzte?", "type": "unspecified", "lang": "en", "script": "Latn",
        "answerable": True, "unanswerable_kind": "", "split": "dev", "need": "", "twin_of": "", "showcase": False,
    }  # fmt: skip
    assert plain.documents.iloc[0][["status", "region", "roles"]].to_list() == ["current", "all", "all"]
    assert plain.grades("q1") == {"d1": 2}


def test_an_empty_cell_is_as_good_as_a_missing_column(tmp_path, plain):
    text = "query_id,text,answerable,type,split,showcase\nq1,wie viel Urlaub für Ärzte?,TRUE,,,\n"
    text += "q2,wo ist Größe S?,FALSE,,,\n"
    assert load_golden_set(folder_with(tmp_path, questions=text)).fingerprint == plain.fingerprint


DIALECTS = {
    "byte order mark and CRLF": ("\ufeff" + QUESTIONS.replace("\n", "\r\n")).encode(),
    "old Mac line ends": QUESTIONS.replace("\n", "\r").encode(),
    "semicolons": QUESTIONS.replace(",", ";").encode(),
    "semicolons, said in the first line": ("sep=;\n" + QUESTIONS.replace(",", ";")).encode(),
    "tabs": QUESTIONS.replace(",", "\t").encode(),
    "Unicode text of Excel": QUESTIONS.replace(",", "\t").encode("utf-16"),
    "quotes everywhere": (
        "\n".join('"' + line.replace(",", '","') + '"' for line in QUESTIONS.split("\n")[:3])
    ).encode(),
    "no last line end": QUESTIONS.rstrip().encode(),
    "other order and case": "Answerable , TEXT,Query ID\nTrue,wie viel Urlaub für Ärzte?,q1\n"
    "False,wo ist Größe S?,q2\n".encode(),
    "blank rows and columns": QUESTIONS.replace("\n", ",,\n").encode() + b",,,,\n\n  , ,\n",
    "spaces and no-break spaces": QUESTIONS.replace(",", " ,\u00a0").encode(),
    "words of a German Excel": QUESTIONS.replace("TRUE", "WAHR").replace("FALSE", "FALSCH").encode(),
    "yes and no": QUESTIONS.replace("TRUE", "yes").replace("FALSE", "No").encode(),
    "oui et non": QUESTIONS.replace("TRUE", "Oui").replace("FALSE", "non").encode(),
    "one and zero": QUESTIONS.replace("TRUE", "1").replace("FALSE", "0").encode(),
}


@pytest.mark.parametrize("data", DIALECTS.values(), ids=DIALECTS)
def test_every_dialect_of_a_spreadsheet_is_the_same_set(tmp_path, plain, data):
    assert load_golden_set(folder_with(tmp_path, questions=data)).fingerprint == plain.fingerprint


def test_windows_text_is_read_with_a_warning_that_shows_a_line(tmp_path, plain):
    with pytest.warns(
        CourseWarning, match=r"questions.csv is not UTF-8.*Check line 2: 'q1,wie viel Urlaub für Ärzte"
    ):
        golden = load_golden_set(folder_with(tmp_path, questions=QUESTIONS.encode("cp1252")))
    assert golden.fingerprint == plain.fingerprint


def test_a_text_may_hold_separators_quotes_and_line_breaks(tmp_path):
    text = 'doc_id,text\nd1,"one, ""two""\nthree; four"\nd2,five\n'
    golden = load_golden_set(folder_with(tmp_path, documents=text))
    assert golden.documents["text"].to_list() == ['one, "two"\nthree; four', "five"]


def test_the_line_is_that_of_the_file_also_after_a_text_of_several_lines(tmp_path):
    text = 'doc_id,text\nd1,"one\ntwo\n\nthree"\n\n,four\n'
    with pytest.raises(ValueError, match="documents.csv, line 7: doc_id is empty"):
        load_golden_set(folder_with(tmp_path, documents=text))


def test_a_row_without_a_grade_is_not_judged_yet(tmp_path):
    text = 'query_id,doc_id,Grade,note\nq1,d1,2,\nq1,d2,,later\nq2,d2,"0,0",\n'
    with pytest.warns(CourseWarning, match="1 row without a grade left out.*judgements.csv, line 3"):
        golden = load_golden_set(folder_with(tmp_path, judgements=text))
    assert golden.qrels["relevance"].to_list() == [2, 0]


def test_judgements_may_hold_only_the_first_line_until_somebody_judges(tmp_path):
    golden = load_golden_set(folder_with(tmp_path, judgements="query_id;doc_id;relevance;note\r\n"))
    assert golden.qrels.columns[:3].to_list() == ["query_id", "doc_id", "relevance"]
    assert len(golden.qrels) == 0 and golden.qrels["relevance"].dtype == "int64"


def test_a_row_pasted_from_a_file_with_another_separator_is_no_row_to_fill_in(tmp_path):
    text = "query_id;doc_id;relevance;note\nq1;d1;2;a, b, c\nq2;;;\nq1,d2,0,\n"
    with pytest.raises(ValueError, match="judgements.csv, line 4: 'q1,d2,0,' is one cell.*semicolon.*comma"):
        load_golden_set(folder_with(tmp_path, judgements=text))


REFUSED = {
    "questions": {
        "no column for the text": ("query_id,question,answerable\nq1,a,TRUE\n", "no column text; found query_id"),
        "no line at all": ("", "questions.csv is empty"),
        "a column twice": ("query_id,text,text\nq1,a,b\n", "has the column text twice"),
        "an id missing": ("query_id,text\nq1,a\n,b\n", "questions.csv, line 3: query_id is empty"),
        "neither true nor false": ("query_id,text,answerable\nq1,a,maybe\n", "line 2: answerable is 'maybe'"),
        "a comma without quotes": ("query_id,text\nq1,a\nq2,well, why\n", r"line 3: cell 3 \('why'\).*comma"),
        "a quote left open": ('query_id,text\nq1,a\nq2,"b\nq3,c\n', "line 3: a quote is never closed"),
        "a formula": ("query_id,text\nq1,#NAME?\n", "line 2: text is #NAME.: Excel took the text for a formula"),
        "a workbook": (b"PK\x03\x04 and more", "is an Excel or LibreOffice workbook"),
        "no text": (b"query_id\0,text\n", "questions.csv is no text"),
        "no Windows text either": (b"query_id,text\nq1,\x81\x8d\n", "line 2: byte 0x81 is neither UTF-8 nor Windows"),
    },
    "judgements": {
        "a word for a grade": ("query_id,doc_id,relevance\nq1,d1,high\n", "line 2: relevance is 'high'; expected 0"),
        "half a grade": ("query_id,doc_id,relevance\nq1,d1,1.5\n", "line 2: relevance is '1.5'; expected 0"),
    },
}  # fmt: skip
CASES = {what: (part, *case) for part, cases in REFUSED.items() for what, case in cases.items()}


@pytest.mark.parametrize(("part", "content", "message"), CASES.values(), ids=CASES)
def test_what_cannot_be_read_is_refused_with_its_place(tmp_path, part, content, message):
    with pytest.raises(ValueError, match=message):
        load_golden_set(folder_with(tmp_path, **{part: content}))


def test_a_missing_file_names_what_is_there(tmp_path):
    (folder_with(tmp_path) / "questions.csv").rename(tmp_path / "questions.xlsx")
    with pytest.raises(
        ValueError, match=r"no questions.jsonl or questions.csv; found .*questions.xlsx.*CSV UTF-8"
    ):
        load_golden_set(tmp_path)
    with pytest.raises(ValueError, match="is no folder"):
        load_golden_set(tmp_path / "nowhere")


def test_two_files_for_one_thing_are_refused(tmp_path):
    (folder_with(tmp_path) / "qrels.txt").write_text("q1 0 d1 2\n")
    with pytest.raises(ValueError, match=r"holds qrels.txt and judgements.csv: which one counts"):
        load_golden_set(tmp_path)


def as_jsonl(folder, golden):
    """Write a set as the course ships its own, rows reversed and lines ending as on Windows."""
    for name in ("documents", "questions"):
        text = getattr(golden, name)[::-1].to_json(orient="records", lines=True, force_ascii=False)
        (folder / f"{name}.jsonl").write_bytes(text.replace("\n", "\r\n").encode())
    rows = golden.qrels[::-1].itertuples(index=False)
    (folder / "qrels.txt").write_text("".join(f"{query}\t0\t{doc} {grade}\n" for query, doc, grade in rows))
    return folder


def test_the_fingerprint_does_not_depend_on_format_row_order_or_line_ends(tmp_path, plain):
    assert load_golden_set(as_jsonl(tmp_path, plain)).fingerprint == plain.fingerprint


def test_json_lines_may_have_a_byte_order_mark_and_are_refused_with_their_line(tmp_path, plain):
    path = as_jsonl(tmp_path, plain) / "questions.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert load_golden_set(tmp_path).fingerprint == plain.fingerprint
    for line, message in (
        ('{"query_id": "q3"', "line 2: not JSON"),
        ('"q3"', "line 2: found .*one object per line"),
    ):
        path.write_text(path.read_text(encoding="utf-8-sig").splitlines()[0] + "\n" + line, encoding="utf-8")
        with pytest.raises(ValueError, match=f"questions.jsonl, {message}"):
            load_golden_set(tmp_path)


def test_two_grades_in_a_trec_file_are_a_finding_and_not_the_end(tmp_path, plain):
    with (as_jsonl(tmp_path, plain) / "qrels.txt").open("a") as file:
        file.write("q1 0 d1 0\n")
    assert "conflicting-labels" in list(validate(load_golden_set(tmp_path))["code"])


def test_a_fingerprint_stays_what_it_was():
    """It stands in learners' ledgers: if it changes, every stored comparison is lost."""
    one = GoldenSet(
        documents=pd.DataFrame({"doc_id": ["d1"], "text": ["a\r\nb"]}),
        questions=pd.DataFrame({"query_id": ["q1"], "text": ["क?"], "answerable": [True]}),
        qrels=pd.DataFrame({"query_id": ["q1"], "doc_id": ["d1"], "relevance": [1]}),
    )
    assert one.fingerprint[:16] == "ce9d286e085a8323"


@pytest.mark.parametrize(
    ("part", "frame"),
    [
        ("documents", documents().replace("Page 3", "Page three")),
        ("questions", questions().replace("q7", "q70")),
        ("questions", questions().assign(split="dev")),
        ("qrels", qrels().assign(relevance=1)),
        ("qrels", qrels()[1:]),
    ],
)
def test_any_change_of_content_changes_the_fingerprint_of_its_part_alone(part, frame):
    clean, other = golden_set(), golden_set(**{part: frame})
    assert other.fingerprint != clean.fingerprint
    assert [p for p in clean.fingerprints if clean.fingerprints[p] != other.fingerprints[p]] == [part]


def test_a_frame_edited_in_place_is_noticed():
    golden = golden_set()
    before = golden.fingerprint
    golden.qrels.loc[0, "relevance"] = 1
    assert golden.fingerprint != before


def test_a_set_is_frozen_and_keeps_its_own_copy():
    given = qrels()
    golden = golden_set(qrels=given)
    given.loc[0, "relevance"] = 0
    assert golden.grades("q0")["d0"] == 2
    with pytest.raises(FrozenInstanceError):
        golden.qrels = given


def test_a_subset_keeps_all_documents_and_its_own_judgements():
    part = golden_set().subset(split="test", type=["keyword"], answerable=True)
    assert len(part.questions) == 12 and set(part.questions["split"]) == {"test"} and part.answerable.all()
    assert len(part.documents) == 50
    assert set(part.qrels["query_id"]) == set(part.questions["query_id"])


def test_showcase_questions_can_be_left_out():
    golden = golden_set(questions=questions().assign(showcase=[n < 3 for n in range(60)]))
    assert len(golden.subset(showcase=False).questions) == 57
    assert list(golden.subset(showcase=True).questions["query_id"]) == ["q0", "q1", "q2"]


def test_a_subset_of_nothing_is_refused():
    with pytest.raises(ValueError, match="no question has split 'tset'; there is dev, test"):
        golden_set().subset(split="tset")
    with pytest.raises(ValueError, match="no question has split test, type noisy at the same time"):
        golden_set(questions=questions().replace("keyword", "noisy").assign(
            split=["dev" if n % 2 == 0 else "test" for n in range(60)])).subset(split="test", type="noisy")  # fmt: skip


def test_small_views_are_indexed_by_query():
    golden = golden_set(questions=questions().assign(twin_of=["", "q0"] + [""] * 58))
    assert golden.texts["q0"] == questions()["text"][0]
    assert golden.types["q1"] == "paraphrase"
    assert not golden.answerable["q5"]
    assert golden.originals[["q0", "q1", "q2"]].to_list() == ["q0", "q0", "q2"]
    with pytest.raises(ValueError, match="there is no question 'q99'"):
        golden.grades("q99")


def test_ids_in_code_may_be_whole_numbers_and_judgements_a_dict():
    golden = golden_set(questions=pd.DataFrame({"query_id": [7], "text": ["why"]}), qrels={7: {12: 1}})
    assert golden.grades("7") == {"12": 1}
    assert golden.answerable.isna().all()


def test_the_pool_is_what_any_run_has_near_the_top_and_nobody_judged():
    runs = {
        "a": {"q0": {"d0": 9.0, "d7": 8.0, "d8": 7.0}, "elsewhere": {"d1": 1.0}},
        "b": {"q1": {"d9": 1.0}, "q0": {"d8": 5.0, "d7": 5.0, "d6": 1.0}},
    }
    assert pool(runs, golden_set(), depth=2).to_dict("list") == {
        "query_id": ["q0", "q0", "q1"],
        "doc_id": ["d7", "d8", "d9"],
        "n_systems": [2, 1, 1],
    }
    assert pool({}, golden_set()).empty


def test_the_pool_follows_the_order_of_the_convention():
    """A tie: the larger id comes first."""
    assert pool({"a": {"q0": {"d8": 1.0, "d7": 1.0}}}, golden_set(), depth=1)["doc_id"].to_list() == ["d8"]


def test_a_run_without_a_name_is_refused():
    with pytest.raises(ValueError, match="pass {'bm25': run}, not the run itself"):
        pool({"q0": {"d0": 1.0}}, golden_set())
    with pytest.raises(ValueError, match="depth must be a whole number >= 1, got 0"):
        pool({"a": {"q0": {"d0": 1.0}}}, golden_set(), depth=0)


def test_judged_at_counts_what_was_returned():
    judged = judged_at({"q0": {"d0": 3.0, "d1": 2.0, "d7": 1.0}, "q1": {"d7": 1.0}}, golden_set())
    assert judged["q0"] == pytest.approx(2 / 3) and judged["q1"] == 0 and np.isnan(judged["q2"])
    assert judged.name == "Judged@10" and len(judged) == 60


def test_a_split_is_stratified_repeatable_and_keeps_twins_together():
    asked = questions().assign(twin_of=["q1" if n == 0 else "" for n in range(60)])
    golden = draw_split(golden_set(questions=asked), test=0.4, seed=3)
    shares = golden.questions.assign(test=golden.questions["split"] == "test").groupby(
        ["type", "answerable"]
    )["test"]
    assert shares.mean().between(0.3, 0.5).all()
    assert (golden.questions["split"] == "test").sum() == pytest.approx(24, abs=1)
    by_query = golden.questions.set_index("query_id")["split"]
    assert by_query["q0"] == by_query["q1"]
    again = draw_split(golden_set(questions=asked[::-1]), test=0.4, seed=3).questions.set_index("query_id")[
        "split"
    ]
    assert again.sort_index().equals(by_query.sort_index())
    assert not draw_split(golden, seed=4).questions["split"].equals(golden.questions["split"])


def annotations(a, b):
    rows = [
        ("q1", f"d{n}", name, grade)
        for name, grades in (("A", a), ("B", b))
        for n, grade in enumerate(grades)
    ]
    return pd.DataFrame(rows, columns=["query_id", "doc_id", "annotator", "grade"])


def test_agreement_is_over_what_both_graded():
    both = annotations([2, 1, 0, 0, 2], [2, 2, 0, 0])
    assert pairs(both)[["A", "B"]].to_numpy().tolist() == [[2, 2], [1, 2], [0, 0], [0, 0]]
    told = agreement(both)
    assert told["n"] == 4 and told["raw agreement"] == 0.75 and told["positive agreement"] == 1
    assert told["kappa"] == pytest.approx(0.6)
    assert told["kappa, linear weights"] == pytest.approx(1 - 1 / (16 / 4))
    assert told["kappa, quadratic weights"] == pytest.approx(1 - 1 / (28 / 4))


def test_judges_are_named_when_there_are_more_than_two():
    three = pd.concat(
        [annotations([2, 0], [1, 0]), annotations([0, 0], [0, 0]).replace({"A": "C", "B": "D"})]
    )
    assert list(pairs(three, "B", "C").columns) == ["query_id", "doc_id", "B", "C"]
    with pytest.raises(ValueError, match="expected two judges; found A, B, C, D"):
        pairs(three)
    with pytest.raises(ValueError, match="asked for A and E; found A, B, C, D"):
        pairs(three, "A", "E")
    with pytest.raises(ValueError, match="A graded q1, d0 twice"):
        pairs(pd.concat([three, three]), "A", "B")


def test_annotations_come_with_the_set_and_stay_out_of_its_fingerprint(tmp_path, plain):
    text = (
        "query_id\tdoc_id\tannotator\tgrade\treason\tnote\nq1\td1\tA\t2\t\tfor us\nq2\td2\tB\t0\ttopical\t\n"
    )
    (folder_with(tmp_path) / "annotations.tsv").write_text(text)
    golden = load_golden_set(tmp_path)
    assert golden.annotations.equals(read_annotations(tmp_path / "annotations.tsv"))
    assert golden.annotations["reason"].to_list() == ["", "topical"]
    assert golden.fingerprint == plain.fingerprint
    assert golden.subset(answerable=False).annotations["annotator"].to_list() == ["B"]


def test_the_templates_load_and_are_right_but_for_their_size(tmp_path):
    for name in ("documents", "questions", "judgements"):
        shutil.copy(paths.assets("templates", f"{name}.csv"), tmp_path)
        assert (tmp_path / f"{name}.csv").read_bytes().startswith(b"\xef\xbb\xbf"), "Excel needs the mark"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        findings = validate(load_golden_set(tmp_path), min_questions=1, min_per_type=1)
    assert list(findings["code"]) == ["unanswerable-share"]


def test_the_repr_is_short_and_tells_the_sizes(plain):
    assert repr(plain).startswith("GoldenSet(2 documents, 2 questions, 2 judgements, fingerprint ")
    assert repr(replace(plain, documents=plain.documents[:1])).startswith("GoldenSet(1 documents")
