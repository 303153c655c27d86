"""The command line: exit codes, one-line messages, what is printed."""

import json
import subprocess
import sys

import pandas as pd
import pytest

from course_utils.__main__ import main
from golden import documents, qrels, questions
from sources import ROOT


@pytest.fixture
def folder(tmp_path):
    """A golden set without fault as CSV files, and a run beside it that answers half of it."""
    documents().to_csv(tmp_path / "documents.csv", index=False)
    questions().to_csv(tmp_path / "questions.csv", index=False)
    qrels().to_csv(tmp_path / "judgements.csv", index=False)
    lines = [f"q{n} Q0 d{n % 50} 1 1.0 half" for n in range(60) if n % 2 == 0]
    (tmp_path / "half.run").write_text("\n".join(lines))
    return tmp_path


def replace_in(path, old, new):
    path.write_text(path.read_text().replace(old, new))


def test_validate_a_set_without_fault(folder, capsys):
    assert main(["validate", str(folder)]) == 0
    out = capsys.readouterr().out
    assert out.startswith("GoldenSet(50 documents, 60 questions") and out.endswith("0 errors, 0 warnings\n")


def test_warnings_alone_are_no_failure(folder, capsys):
    replace_in(folder / "documents.csv", "Page 1,", "Page 0,")
    replace_in(folder / "documents.csv", documents()["text"][1], documents()["text"][0])
    assert main(["validate", str(folder)]) == 0
    assert capsys.readouterr().out.startswith("warning duplicate-document  [d0, d1]  the same title and text")


def test_an_error_is_a_failure(folder, capsys):
    replace_in(folder / "documents.csv", "d0,", "d100,")
    assert main(["validate", str(folder)]) == 1
    out = capsys.readouterr().out
    assert out.startswith("error   unknown-document  [d0]  judged (q0, q50, q49;")
    assert out.endswith("1 error, 0 warnings\n")


def test_findings_as_json(folder, capsys):
    replace_in(folder / "documents.csv", "d0,", "d100,")
    assert main(["validate", str(folder), "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert [finding["code"] for finding in told["findings"]] == ["unknown-document"]
    assert len(told["fingerprint"]) == 64


def test_evaluate_means_over_answerable_questions_with_n(folder, capsys):
    assert main(["evaluate", str(folder / "half.run"), "--golden-set", str(folder), "--json"]) == 0
    row = json.loads(capsys.readouterr().out)["runs"]["half"]["all"]
    assert (row["n"], row["n_undefined"]) == (50, 10)
    assert row["RR@10"] == pytest.approx(30 / 50)
    assert row["Judged@10"] == 1


def test_evaluate_by_type_in_a_split(folder, capsys):
    words = ["--measures", "R@5", "--by", "type", "--split", "test", "--json"]
    assert main(["evaluate", str(folder / "half.run"), "--golden-set", str(folder), *words]) == 0
    told = json.loads(capsys.readouterr().out)["runs"]["half"]
    assert told["keyword"] == {"Recall@5": 1.0, "Judged@10": 1.0, "n": 12, "n_undefined": 0}
    assert told["paraphrase"] == {"Recall@5": 0.0, "Judged@10": None, "n": 8, "n_undefined": 4}


def test_evaluate_prints_a_table_and_the_convention(folder, capsys):
    (folder / "other.run").write_text("q0 Q0 d0 1 1.0 other\n")
    runs = [str(folder / "half.run"), str(folder / "other.run")]
    assert main(["evaluate", *runs, "--golden-set", str(folder)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == [
        "Recall@10",
        "Precision@10",
        "RR@10",
        "nDCG@10",
        "Judged@10",
        "n",
        "n_undefined",
    ]
    assert lines[1].split()[:3] == ["half", "all", "0.600"] and lines[2].split()[:3] == [
        "other",
        "all",
        "0.020",
    ]
    assert lines[3].startswith("Order: score, then doc_id")


def test_showcase_questions_are_in_no_mean(folder, capsys):
    questions().assign(showcase=[n < 2 for n in range(60)]).to_csv(folder / "questions.csv", index=False)
    assert main(["evaluate", str(folder / "half.run"), "--golden-set", str(folder), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["runs"]["half"]["all"]["n"] == 48


def test_a_hole_in_the_judgements_is_told_and_not_taken_for_an_answer(folder, capsys):
    replace_in(folder / "judgements.csv", "q0,d0,2\n", "")
    assert main(["evaluate", str(folder / "half.run"), "--golden-set", str(folder), "--json"]) == 0
    captured = capsys.readouterr()
    assert captured.err == (
        "warning: 1 question in no mean: statement and judgements differ (for instance q0); run validate\n"
    )
    assert json.loads(captured.out)["runs"]["half"]["all"]["n"] == 49


def test_what_is_stated_unanswerable_is_in_no_mean_whatever_was_judged(folder, capsys):
    replace_in(folder / "judgements.csv", "q5,d5,0", "q5,d5,2")
    assert main(["evaluate", str(folder / "half.run"), "--golden-set", str(folder), "--json"]) == 0
    captured = capsys.readouterr()
    assert "statement and judgements differ (for instance q5)" in captured.err
    assert json.loads(captured.out)["runs"]["half"]["all"]["n"] == 50


def test_evaluate_with_judgements_alone(folder, capsys):
    (folder / "qrels.txt").write_text("q0 0 d0 1\nq2 0 d7 1\n")
    (folder / "two.run").write_text("q0 Q0 d0 1 1.0 two\nq2 Q0 d0 1 1.0 two\n")
    words = ["evaluate", str(folder / "two.run"), "--qrels", str(folder / "qrels.txt")]
    assert main([*words, "--measures", "RR", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "runs": {"two": {"all": {"RR": 0.5, "n": 2, "n_undefined": 0}}}
    }


def test_with_judgements_alone_a_run_stays_in_its_file_and_warns_once(folder, capsys, monkeypatch):
    (folder / "qrels.txt").write_text("q0 0 d0 1\n")
    (folder / "one.run").write_text("q0 Q0 d1 1 1.0 one\nq0 Q0 d0 2 2.0 one\nq9 Q0 d0 1 2.0 one\n")
    words = ["evaluate", str(folder / "one.run"), "--qrels", str(folder / "qrels.txt"), "--measures", "RR"]
    monkeypatch.setattr("course_utils.formats._pieces.RunFile.read", None)
    assert main(words) == 0
    captured = capsys.readouterr()
    assert captured.out.splitlines()[1].split() == ["one", "all", "1.000", "1", "0"]
    ranks, ignored = captured.err.splitlines()
    assert "rank" in ranks and ignored.startswith("warning: 1 of 2 queries in the run has no judgements")


def test_runs_of_one_name_are_told_apart_by_their_folder(folder, capsys):
    (folder / "b").mkdir()
    (folder / "b" / "half.run").write_text("q0 Q0 d0 1 1.0 other\n")
    files = [str(folder / "half.run"), str(folder / "b" / "half.run")]
    assert main(["evaluate", *files, "--golden-set", str(folder), "--json"]) == 0
    assert list(json.loads(capsys.readouterr().out)["runs"]) == files


def test_pool_writes_a_sheet_that_becomes_judgements(folder, capsys):
    (folder / "new.run").write_text("q1 Q0 d9 1 3.0 new\nq1 Q0 d1 2 2.0 new\nq0 Q0 d8 1 1.0 new\n")
    words = ["pool", str(folder / "new.run"), "--golden-set", str(folder)]
    assert main(words) == 1
    assert capsys.readouterr().out.endswith("2 documents to judge, for 2 questions\n")
    sheet = folder / "to_judge.csv"
    assert main([*words, "--out", str(sheet)]) == 1
    table = pd.read_csv(sheet)
    assert list(table.columns) == ["query_id", "doc_id", "relevance", "question", "need", "title"]
    assert table[["query_id", "doc_id", "title"]].to_numpy().tolist() == [
        ["q0", "d8", "Page 8"],
        ["q1", "d9", "Page 9"],
    ]
    judged = pd.concat([qrels(), table.assign(relevance=0)])[["query_id", "doc_id", "relevance"]]
    judged.to_csv(folder / "judgements.csv", index=False)
    capsys.readouterr()
    assert main(words) == 0
    assert capsys.readouterr().out == "0 documents to judge, for 0 questions\n"


UNUSABLE = {
    "no such folder": (["validate", "nowhere"], "course.py: nowhere is no folder; expected one with questions"),
    "no such word": (["measure"], "course.py: argument WORD: invalid choice: 'measure'"),
    "no word": ([], "course.py: the following arguments are required: WORD"),
    "no truth": (["evaluate", "{}/half.run"], "course.py: one of the arguments --golden-set --qrels is required"),
    "no such run": (["pool", "no.run", "--golden-set", "{}"], "course.py: no.run: No such file or directory"),
    "no such measure": (["evaluate", "{}/half.run", "--golden-set", "{}", "--measures", "F1"],
                        "course.py: unknown measure 'F1'"),
    "types of judgements": (["evaluate", "{}/half.run", "--qrels", "q.txt", "--by", "type"],
                            "course.py: --by and --split need --golden-set"),
    "no such split": (["evaluate", "{}/half.run", "--golden-set", "{}", "--split", "train"],
                      "course.py: argument --split: invalid choice: 'train'"),
    "foreign run": (["evaluate", "{}/foreign.run", "--golden-set", "{}"], "course.py: no query in common"),
    "no depth": (["pool", "{}/half.run", "--golden-set", "{}", "--depth", "0"], "course.py: depth must be a whole"),
}  # fmt: skip


@pytest.mark.parametrize(("words", "message"), UNUSABLE.values(), ids=UNUSABLE)
def test_unusable_input_is_said_in_one_line(folder, capsys, words, message):
    (folder / "foreign.run").write_text("x1 Q0 d0 1 1.0 foreign\n")
    assert main([word.replace("{}", str(folder)) for word in words]) == 2
    captured = capsys.readouterr()
    assert captured.err.startswith(message)
    assert captured.err.count("\n") == 1 and captured.out == ""


def test_a_broken_file_names_its_line(folder, capsys):
    replace_in(folder / "judgements.csv", "q0,d0,2", "q0,d0,two")
    assert main(["validate", str(folder)]) == 2
    assert (
        capsys.readouterr().err
        == "course.py: judgements.csv, line 2: relevance is 'two'; expected 0, 1 or 2\n"
    )


def test_the_module_starts_as_a_program(folder):
    command = [sys.executable, "-m", "course_utils", "validate", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.endswith("0 errors, 0 warnings\n")
    assert done.stderr == ""


def test_pool_without_a_folder_takes_the_handbook(capsys):
    assert main(["pool", str(ROOT / "assets" / "runs" / "bm25.run")]) == 0
    assert capsys.readouterr().out == "0 documents to judge, for 0 questions\n"


def test_pool_of_a_run_for_another_set_is_no_clean_bill(folder, capsys):
    (folder / "new.run").write_text("w1 Q0 d9 1 3.0 new\n")
    assert main(["pool", str(folder / "new.run"), "--golden-set", str(folder)]) == 2
    assert capsys.readouterr().err == (
        "course.py: new answers none of the 60 questions; expected ids such as q0, found w1: which golden set "
        "(--golden-set) is it for?\n"
    )
