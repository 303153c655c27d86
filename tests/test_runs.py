"""The shipped runs are what the shipped systems give."""

from course_utils.retrievers import systems
from course_utils.retrievers.build import read_jsonl
from sources import ROOT
from test_course import load


def test_shipped_runs_are_what_the_systems_give():
    """Made from scratch, byte by byte."""
    runs = load(ROOT / ".ci/runs.py")
    assert runs.main(["--check"]) == 0


def test_a_shipped_run_that_changed_is_named(tmp_path, monkeypatch, capsys):
    runs = load(ROOT / ".ci/runs.py")
    monkeypatch.setattr(runs, "make", lambda folder: [])
    assert runs.main(["--check"]) == 1
    assert capsys.readouterr().err.splitlines()[0] == (
        "assets/runs/bm25.run is not what the systems give now: python .ci/runs.py"
    )


def test_an_archived_page_can_be_left_out_of_the_index():
    documents = read_jsonl("corpus", "handbook.jsonl")
    current = documents[documents["status"] == "current"]
    questions = read_jsonl("golden_set", "questions.jsonl")[:5]
    assert 0 < len(current) < len(documents)
    for system in systems(current).values():
        assert set(system.search(questions)["doc_id"]) <= set(current["doc_id"])
