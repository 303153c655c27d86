"""The ledger: one record per experiment, drift, a full disk, two at once, kill -9."""

import json
import os
import re
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from course_utils import ledger
from course_utils.ledger import _files
from course_utils.schema import CourseWarning
from golden import changed, golden_set, qrels, questions
from sources import ROOT

WRITER = """
import sys
sys.path.insert(0, sys.argv[1] + "/tests")
from course_utils import ledger
from golden import golden_set
golden, folder, name, count = golden_set(), sys.argv[2], sys.argv[3], int(sys.argv[4])
run = {f"q{n}": {f"d{n % 50}": 1.0} for n in range(0, 60, 2)}
print("ready", flush=True)
for number in range(count):
    print(ledger.record(folder, {"name": name, "number": number}, golden, run, measures="RR@10").id, flush=True)
"""


def run(step=2):
    return {f"q{n}": {f"d{n % 50}": 1.0, "d7": 0.5} for n in range(0, 60, step)}


def writer(folder, name, count):
    command = [sys.executable, "-c", WRITER, str(ROOT), str(folder), name, str(count)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)


def test_a_record_says_what_was_done_and_what_came_out(tmp_path):
    one = ledger.record(tmp_path, {"k1": 1.2}, golden_set(), run(), seed=7)
    assert one.summary["all"]["RR@10"] == pytest.approx(30 / 50)
    assert (one.summary["all"]["n"], one.summary["by_type"]["keyword"]["n"]) == (50, 30)
    assert one.summary["unanswerable"] == {"n": 10, "false answers": 0, "declined": 10, "failed": 0}
    assert one.fingerprints["corpus"] == golden_set().fingerprints["documents"]
    assert (one.seed, one.versions["numpy"]) == (7, np.__version__)
    assert one.scores.loc["q5", ["status", "original", "type"]].tolist() == ["declined", "q5", "paraphrase"]
    assert np.isnan(one.scores.loc["q5", "RR@10"]) and one.scores.loc["q0", "RR@10"] == 1


def test_it_comes_back_from_its_file_as_it_was(tmp_path):
    one = ledger.record(tmp_path, {"k1": 1.2}, golden_set(), run())
    assert ledger.load(tmp_path) == ledger.load(tmp_path, one.id[:6]) == one
    assert str(ledger.load(tmp_path).summary) == str(one.summary)  # in the same order too


def test_the_file_is_made_for_git(tmp_path):
    one = ledger.record(tmp_path, {"z": 1, "a": "ü"}, golden_set(), run())
    raw = (tmp_path / f"{one.id}.json").read_bytes()
    text = raw.decode("utf-8")
    assert text.endswith("}\n") and b"\r" not in raw and '"ü"' in text
    assert sum(line.startswith('  {"') and '"query_id"' in line for line in text.splitlines()) == 60
    content = json.loads(text)
    assert list(content) == sorted(content) and list(content["config"]) == ["a", "z"]
    ids = [row["query_id"] for row in content["questions"]]
    assert ids == sorted(ids) and list(content["questions"][0]) == sorted(content["questions"][0])


def test_one_question_changes_one_line_of_the_questions(tmp_path):
    better = {**run(), "q1": {"d1": 1.0}}
    files = [ledger.record(tmp_path, {"v": v}, golden_set(), r).id for v, r in ((1, run()), (2, better))]
    a, b = ((tmp_path / f"{name}.json").read_text().splitlines() for name in files)
    assert sum('"query_id"' in line and line not in a for line in b) == 1


def test_the_ledger_is_a_frame(tmp_path):
    for k1 in (0.9, 1.2):
        ledger.record(tmp_path, {"k1": k1}, golden_set(), run())
    (tmp_path / "baseline.json").write_text("{}")
    frame = ledger.read(tmp_path)
    assert frame["config.k1"].tolist() == [0.9, 1.2]
    assert frame["n"].tolist() == [50, 50] and frame["false answers"].tolist() == [0, 0]
    assert frame["created"].is_monotonic_increasing and frame.index.name == "id"


def test_the_same_experiment_again_is_the_same_record(tmp_path):
    first = ledger.record(tmp_path, {"k1": 1.2, "b": 0.75}, golden_set(), run())
    before = (tmp_path / f"{first.id}.json").read_bytes()
    again = ledger.record(tmp_path, {"b": 0.75, "k1": 1.2}, golden_set(), run())
    assert again == first
    assert [file.name for file in tmp_path.iterdir()] == [f"{first.id}.json"]
    assert (tmp_path / f"{first.id}.json").read_bytes() == before


def vectors(value):
    return {"documents": np.full((2, 3), value, np.float32)}


OTHER = {
    "config": {"config": {"k1": 1.3}},
    "seed": {"seed": 1},
    "measures": {"measures": ["RR"]},
    "threshold": {"threshold": 0.1},
    "vectors": {"vectors": vectors(2)},
    "judgements": {"golden_set": golden_set(qrels=changed(qrels(), 0, relevance=1))},
    "questions": {"golden_set": golden_set(questions=changed(questions(), 0, text="other"))},
}


@pytest.mark.parametrize("change", OTHER.values(), ids=OTHER)
def test_whatever_is_done_otherwise_is_another_record(change):
    usual = {"config": {"k1": 1.2}, "golden_set": golden_set(), "run": run(), "vectors": vectors(1)}
    assert ledger.measure(**usual).id == ledger.measure(**usual).id
    assert ledger.measure(**{**usual, **change}).id != ledger.measure(**usual).id


def test_scores_and_versions_are_not_part_of_the_id():
    one = ledger.measure({}, golden_set(), run())
    assert ledger.measure({}, golden_set(), run(step=4)).id == one.id


def test_other_scores_for_the_same_experiment_are_drift(tmp_path):
    first = ledger.record(tmp_path, {"k1": 1.2}, golden_set(), run())
    before = (tmp_path / f"{first.id}.json").read_bytes()
    with pytest.raises(
        ledger.DriftError, match=r"drift: .* 15 questions, most for q\d+ .* all the same"
    ) as caught:
        ledger.record(tmp_path, {"k1": 1.2}, golden_set(), run(step=4))
    assert isinstance(caught.value, ValueError)
    assert caught.value.stored == first and caught.value.found.summary["all"]["RR@10"] < 0.5
    assert (tmp_path / f"{first.id}.json").read_bytes() == before


def test_another_status_is_drift_too(tmp_path):
    ledger.record(tmp_path, {}, golden_set(), run())
    answered = {**run(), "q5": {"d5": 1.0}}
    with pytest.raises(ledger.DriftError, match=r"1 question, most for q5 \(declined -> "):
        ledger.record(tmp_path, {}, golden_set(), answered)


def test_noise_of_the_last_bits_is_no_drift(tmp_path):
    found = ledger.measure({}, golden_set(), run())
    from course_utils.ledger._store import keep

    keep(tmp_path, found)
    rows = [{**row, "nDCG@10": row["nDCG@10"] and row["nDCG@10"] - 1e-9} for row in found.questions]
    assert keep(tmp_path, replace(found, questions=rows)) == found


def test_a_failed_question_is_not_declined(tmp_path):
    one = ledger.record(tmp_path, {}, golden_set(), run(), failed=["q5", "q1"])
    assert one.summary["unanswerable"] == {"n": 10, "false answers": 0, "declined": 9, "failed": 1}
    assert one.scores.loc["q1", ["status", "RR@10"]].tolist() == ["failed", 0.0]


def test_showcase_questions_are_left_out_and_unknown_ones_are_told():
    shown = questions().assign(showcase=[n < 2 for n in range(60)])
    one = ledger.measure({}, golden_set(questions=shown), run())
    assert one.summary["all"]["n"] == 48 and "q0" not in one.scores.index
    with pytest.warns(CourseWarning, match="1 question of the run left out"):
        ledger.measure({}, golden_set(), {**run(), "x9": {"d1": 1.0}})


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({"k1": float("nan")}, "config.k1 is nan"),
        ({"a": {1: 2}}, "config.a: the key 1 is a int"),
        ({"a": [{2, 3}]}, r"config.a\[0\] is a set"),
    ],
)
def test_a_configuration_that_would_not_come_back_is_refused(config, message):
    with pytest.raises(ValueError, match=message):
        ledger.measure(config, golden_set(), run())


def test_an_edited_record_is_refused(tmp_path):
    one = ledger.record(tmp_path, {}, golden_set(), run())
    file = tmp_path / f"{one.id}.json"
    file.write_text(file.read_text().replace('"RR@10": 0.0', '"RR@10": 1.0', 1))
    for read in (ledger.read, ledger.load):
        with pytest.raises(ValueError, match="was edited after it was recorded"):
            read(tmp_path)
    file.write_text("<<<<<<< HEAD\n")
    with pytest.raises(ValueError, match="is no record"):
        ledger.read(tmp_path)


def test_a_record_under_another_name_is_refused(tmp_path):
    one = ledger.record(tmp_path, {}, golden_set(), run())
    (tmp_path / f"{one.id}.json").rename(tmp_path / f"{'0' * 16}.json")
    with pytest.raises(ValueError, match="was edited"):
        ledger.read(tmp_path)


def test_a_record_that_is_not_there_is_said(tmp_path):
    ids = {ledger.record(tmp_path, {"n": n}, golden_set(), run()).id for n in range(2)}
    with pytest.raises(ValueError, match="has 0 records 'zz'; expected one. There is"):
        ledger.load(tmp_path, "zz")
    with pytest.raises(ValueError, match="has 2 records ''"):
        ledger.load(tmp_path, "")
    assert ledger.load(tmp_path).id in ids


def test_a_full_disk_leaves_the_ledger_as_it_was(tmp_path, monkeypatch):
    first = ledger.record(tmp_path, {"n": 1}, golden_set(), run())

    def full(handle):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(_files.os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        ledger.record(tmp_path, {"n": 2}, golden_set(), run())
    monkeypatch.undo()
    assert ledger.read(tmp_path).index.tolist() == [first.id]
    assert [file.name for file in tmp_path.glob("*.*")] == [f"{first.id}.json"]
    assert [file.name for file in tmp_path.glob(".*")] == []


def test_what_a_killed_process_left_is_ignored_and_swept_away_later(tmp_path):
    young, old = (tmp_path / f".0123456789abcdef.{name}.tmp" for name in ("young", "old"))
    for draft in (young, old):
        draft.write_text('{"half')
    os.utime(old, (0, 0))
    ledger.record(tmp_path, {}, golden_set(), run())
    assert young.exists() and not old.exists()
    assert len(ledger.read(tmp_path)) == 1


def test_a_record_that_came_in_between_is_not_overwritten(tmp_path, monkeypatch):
    """Another process names its file after this one looked and before this one names its own."""
    first = ledger.record(tmp_path, {}, golden_set(), run())
    monkeypatch.setattr(_files.Path, "exists", lambda path: False)
    assert ledger.record(tmp_path, {}, golden_set(), run()) == first
    with pytest.raises(ledger.DriftError):
        ledger.record(tmp_path, {}, golden_set(), run(step=4))


def test_a_disk_without_links_keeps_the_promise_one_at_a_time(tmp_path, monkeypatch):
    def no_links(*_):
        raise OSError(1, "Operation not permitted")

    monkeypatch.setattr(_files.os, "link", no_links)
    first = ledger.record(tmp_path, {}, golden_set(), run())
    assert ledger.record(tmp_path, {}, golden_set(), run()) == first
    assert not list(tmp_path.glob(".*"))


def test_two_processes_at_once_write_the_same_records_once(tmp_path):
    both = [writer(tmp_path, "same", 5) for _ in range(2)]
    told = [process.communicate()[0].split() for process in both]
    assert [process.returncode for process in both] == [0, 0]
    assert told[0] == told[1] and len(told[0]) == 6
    assert sorted(ledger.read(tmp_path).index) == sorted(told[0][1:])
    assert not list(tmp_path.glob(".*.tmp"))


def test_kill_9_loses_nothing_that_was_said_to_be_recorded(tmp_path):
    """Thirty kills, two writers at a time; all that they had recorded is there, and can be read."""
    command = [sys.executable, str(ROOT / "tests" / "kill_ledger.py"), str(tmp_path), "30"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert re.match(r"30 kills, [1-9]\d* records said, [1-9]\d* there, 0 lost", done.stdout)
