"""What lesson 13 tells a learner to type, typed in a clean folder."""

import re
import shutil

import pytest

from course_utils import paths
from course_utils.__main__ import main
from sources import cells


def source(key):
    return next(cell.source for cell in cells("13") if cell.id == key)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    shutil.copytree(paths.assets("examples", "workshop"), tmp_path / "work" / "my_set")
    shutil.copy(paths.assets("templates", "search.py"), tmp_path / "work" / "my_set")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_six_commands_of_the_lesson_work_one_after_another(folder, capsys):
    lines = re.findall(r"^python3 course\.py (.+)$", source("commands"), flags=re.M)
    assert [line.split()[0] for line in lines] == ["validate", "ask", "evaluate", "report", "record", "gate"]
    told = {}
    for line in lines:
        words = [told["record"].strip() if word == "ID" else word for word in line.split()]
        assert main(words) == 0, line
        told[words[0]] = capsys.readouterr().out
    assert "0 errors, 0 warnings" in told["validate"]
    assert "56 questions: 55 answered, 1 declined, 0 failed" in told["ask"]
    assert re.search(r"^ +paraphrase .* 6 +1$", told["evaluate"], flags=re.M)
    assert "34 questions" in told["report"] and (folder / "work" / "report.html").stat().st_size > 10_000
    assert "Gate passed." in told["gate"]


def test_templates_are_copied_and_never_over_a_file_that_is_there(tmp_path, capsys):
    space = {"paths": paths}
    exec(source("copy-templates"), space)
    assert capsys.readouterr().out == "No folder named yet.\n"
    mine = tmp_path / "my_set"
    mine.mkdir()
    (mine / "questions.csv").write_text("a week of work")
    for _ in range(2):
        space["copy_templates"](mine)
    assert capsys.readouterr().out.count("there already") == 5
    assert (mine / "questions.csv").read_text() == "a week of work"
    for name in ("documents.csv", "judgements.csv", "search.py"):
        assert (mine / name).read_bytes() == paths.assets("templates", name).read_bytes()


def test_the_rubric_has_its_rows_and_three_levels():
    rubric = paths.assets("templates", "capstone-rubric.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| \*\*(\d)\. [^|]+\*\* \|(.+)\|$", rubric, flags=re.M)
    assert [number for number, _ in rows] == list("1234567")
    assert all(row.count("|") == 2 for _, row in rows)
    assert len(rubric.split()) < 800
