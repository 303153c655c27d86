"""The start script, the learner's workspace and the gate, without any download."""

import ast
import importlib.util
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[1]
SOURCE = (ROOT / "course.py").read_text(encoding="utf-8")
PYTHON = getattr(sys, "_base_executable", sys.executable)


def load(path: Path) -> ModuleType:
    """Import a script that is not on the path."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    """A small course whose path has a space and Devanagari letters; its gate prints what it got."""
    folder = tmp_path / "my course" / "पाठ"
    for name in (".ci", "notebooks", "course_utils"):
        (folder / name).mkdir(parents=True)
    shutil.copy(ROOT / "course.py", folder)
    for lock in ("requirements.lock", "requirements-dev.lock"):
        (folder / lock).write_text(f"# {lock}\n")
    (folder / ".ci/gate.py").write_text("import sys, course_utils; print('gate', sys.argv[1:])")
    (folder / "notebooks/workspace.py").write_text("print('lab')")
    (folder / "course_utils/__init__.py").write_text("")
    return folder


@pytest.fixture
def course(repo: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The start script of the small course; it makes no real environment unless a test asks for it."""
    module = load(repo / "course.py")
    monkeypatch.setattr(module, "find_uv", lambda: "")
    monkeypatch.setattr(module, "works", lambda command: Path(command[0]).exists())
    return module


@pytest.fixture
def done(course: ModuleType, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Replace the slow parts of the set-up by notes of what was done."""
    notes: list[str] = []

    def make_venv() -> None:
        notes.append("make")
        course.PYTHON.parent.mkdir(parents=True, exist_ok=True)
        course.PYTHON.touch()

    monkeypatch.setattr(course, "make_venv", make_venv)
    monkeypatch.setattr(course, "install", notes.append)
    return notes


def start(repo: Path, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run the start script as a user does, without the variables of the environment that runs the tests."""
    env = {"PATH": os.defpath, "HOME": str(repo), "PYTHONUTF8": "1"} | variables
    command = [PYTHON, str(repo / "course.py"), *words]
    return subprocess.run(command, env=env, capture_output=True, encoding="utf-8", timeout=60)


def test_is_short_and_readable_by_python_3_6() -> None:
    ast.parse(SOURCE, feature_version=(3, 6))
    assert len(SOURCE.splitlines()) < 200


def test_imports_only_the_standard_library() -> None:
    nodes = [node for node in ast.walk(ast.parse(SOURCE)) if isinstance(node, ast.Import | ast.ImportFrom)]
    names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    names |= {str(node.module) for node in nodes if isinstance(node, ast.ImportFrom)}
    assert {name.split(".")[0] for name in names} <= sys.stdlib_module_names


def test_old_python_gets_one_sentence(
    course: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 8, 18))
    monkeypatch.setattr(sys, "version", "3.8.18 (default)")
    monkeypatch.setattr(sys, "argv", ["course.py", "lab"])
    monkeypatch.setattr(shutil, "which", lambda name: None)
    assert course.main() == 2
    assert capsys.readouterr().err == (
        "course.py: the course needs Python 3.11, 3.12, 3.13, 3.14, and this is 3.8.18:"
        " get one from https://www.python.org\n"
    )


def test_old_python_hands_over_to_a_newer_one(course: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[list[str]] = []
    monkeypatch.setattr(sys, "version_info", (3, 8, 18))
    monkeypatch.setattr(shutil, "which", lambda name: name)
    monkeypatch.setattr(course, "works", lambda command: command == ["py", "-3.12"])
    monkeypatch.setattr(subprocess, "call", lambda command: calls.append(command) or 7)
    assert course.run(["lab", "--no-browser"]) == 7
    assert calls == [["py", "-3.12", str(course.ROOT / "course.py"), "lab", "--no-browser"]]


def test_a_command_that_is_no_supported_python_does_not_count(tmp_path: Path) -> None:
    module = load(ROOT / "course.py")
    assert module.works([PYTHON])
    assert not module.works([str(tmp_path / "python3.12")])
    assert not module.works([PYTHON, "-c", "print(3, 8)"])


def test_help_needs_no_set_up(repo: Path) -> None:
    for words in ([], ["help"], ["--help"]):
        result = start(repo, *words)
        assert result.returncode == 0 and result.stdout.startswith("usage: python3 course.py WORD")
    assert not (repo / ".venv").exists()


def test_unknown_word_without_a_command_line_is_an_error(repo: Path) -> None:
    result = start(repo, "chekc")
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr == "course.py: there is no word 'chekc': `python3 course.py help` lists them.\n"
    assert not (repo / ".venv").exists()


def test_each_set_is_installed_once(course: ModuleType, done: list[str]) -> None:
    for lock in (course.BASE, course.BASE, course.DEV, course.DEV, course.BASE):
        course.set_up(lock)
    assert done == ["make", course.BASE, course.DEV]


def test_encoder_is_added_once_and_takes_nothing_away(
    course: ModuleType, done: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    commands: list[list[str]] = []
    monkeypatch.setattr(course, "hand_over", lambda command: commands.append(command) or 5)
    (course.ROOT / "requirements-encoder.lock").write_text("# encoder\n")
    assert course.run(["check", "lint", "--with", "encoder"]) == 5
    assert [command[1:] for command in commands] == [[str(course.ROOT / ".ci/gate.py"), "lint"]]
    assert done == ["make", "requirements-encoder.lock", course.DEV]
    assert course.run(["add", "encoder"]) == 0
    assert course.run(["check"]) == 5
    assert done == ["make", "requirements-encoder.lock", course.DEV]


def test_only_what_has_a_lock_can_be_added(repo: Path) -> None:
    result = start(repo, "add", "nonsense")
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr == (
        "course.py: there is no requirements-nonsense.lock: `python3 course.py help` says what can be added.\n"
    )
    assert start(repo, "add").stdout.startswith("usage: ")
    assert not (repo / ".venv").exists()


def test_a_changed_lock_is_installed_into_the_same_environment(course: ModuleType, done: list[str]) -> None:
    course.set_up(course.BASE)
    (course.ROOT / course.BASE).write_text("# newer\n")
    course.set_up(course.BASE)
    assert done == ["make", course.BASE, course.BASE]


def test_an_interrupted_set_up_starts_anew(
    course: ModuleType, done: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(lock: str) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(course, "install", interrupted)
        with pytest.raises(KeyboardInterrupt):
            course.set_up(course.BASE)
    course.set_up(course.BASE)
    assert done == ["make", "make", course.BASE]


def test_an_interrupted_update_starts_anew(
    course: ModuleType, done: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_network(lock: str) -> None:
        raise course.SetupError("no network")

    course.set_up(course.BASE)
    with monkeypatch.context() as patch:
        patch.setattr(course, "install", no_network)
        with pytest.raises(course.SetupError):
            course.set_up(course.DEV)
    course.set_up(course.DEV)
    assert done == ["make", course.BASE, "make", course.DEV]


@pytest.mark.parametrize("damage", ["python gone", "moved", "stamp cut", "stamp of another kind"])
def test_a_broken_environment_is_made_anew(course: ModuleType, done: list[str], damage: str) -> None:
    course.set_up(course.BASE)
    if damage == "python gone":
        course.PYTHON.unlink()
    elif damage == "moved":
        course.STAMP.write_text(course.STAMP.read_text().replace(json.dumps(str(course.ROOT)), '"/old"'))
    else:
        course.STAMP.write_text('{"root": ' if damage == "stamp cut" else "[]")
    course.set_up(course.BASE)
    assert done == ["make", course.BASE] * 2


def test_missing_ensurepip_names_the_package(course: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(course, "find_spec", lambda name: None)
    with pytest.raises(course.SetupError, match=r"^this Python cannot .*: apt install python3-venv$"):
        course.make_venv()


def test_failed_download_is_one_sentence(course: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(course, "pip_with_progress", lambda command, total: 1)
    with pytest.raises(course.SetupError, match=r"^the packages did not install: check the network or proxy"):
        course.install(course.BASE)


def test_last_lines_of_a_failure_are_shown(course: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    lines = "import sys; print('Collecting a'); sys.exit('ERROR: no route to host')"
    assert course.pip_with_progress([PYTHON, "-c", lines], 1) == 1
    assert "ERROR: no route to host" in capsys.readouterr().out.splitlines()


def test_progress_counts_packages(course: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    lines = "print('Collecting a\\n' * 39 + 'Ignoring b: no\\nInstalling collected packages: a')"
    assert course.pip_with_progress([PYTHON, "-c", lines], 133) == 0
    assert capsys.readouterr().out.splitlines() == [
        "  20 of 133 packages",
        "  40 of 133 packages",
        "  all there, now installing: this can take a minute",
    ]


def test_real_environment_in_a_path_with_spaces_and_devanagari(repo: Path, tmp_path: Path) -> None:
    """Set up with an installer that downloads nothing, start again, forward a word, lose the interpreter."""
    uv = tmp_path / "uv"
    uv.write_text('#!/bin/sh\nprintf "uv %s\\n" "$*"\n')
    uv.chmod(0o755)
    path = os.pathsep.join([str(tmp_path), os.defpath])
    first = start(repo, "check", "lint", "a b", PATH=path)
    assert (first.returncode, first.stderr) == (0, "")
    assert f"-r {repo / 'requirements-dev.lock'} --python {repo / '.venv'}" in first.stdout
    assert first.stdout.splitlines()[-2:] == ["The course is set up.", "gate ['lint', 'a b']"]
    assert start(repo, "check").stdout == "gate []\n"
    forwarder = "import os, sys; print(sys.argv[1:], os.environ.get('PYTHONPATH')); sys.exit(3)"
    (repo / "course_utils/__main__.py").write_text(forwarder)
    forwarded = start(repo, "validate", "DIR", PYTHONPATH="/nonesuch")
    assert (forwarded.returncode, forwarded.stdout) == (3, "['validate', 'DIR'] None\n")
    load(repo / "course.py").PYTHON.unlink()
    repaired = start(repo, "lab", PATH=path)
    assert repaired.stdout.splitlines()[-2:] == ["The course is set up.", "lab"]


# The learner's workspace

workspace = load(ROOT / "notebooks/workspace.py")


@pytest.fixture
def refresh(tmp_path: Path) -> Callable[..., list[str]]:
    """Ship contents, {name: text}, give them to the learner, and return the names of the new files."""

    def ship(**editions: str) -> list[str]:
        shipped, work = tmp_path / "notebooks", tmp_path / "work"
        for name, text in editions.items():
            workspace.write_atomically(shipped / name.replace("__", "/"), text.encode())
        return [path.relative_to(work).as_posix() for path in workspace.refresh(shipped, work)]

    return ship


def test_only_learner_editions_are_copied(refresh: Callable[..., list[str]], tmp_path: Path) -> None:
    lesson, marker = "03_measure.ipynb", ".course-language"
    shipped = {lesson: "en", f"hi__{lesson}": "hi", f"hi__{marker}": "hi\n"}
    others = {f"solutions__{lesson}": "no", f"hi__solutions__{lesson}": "no", "src__03_measure.py": "no"}
    assert refresh(**shipped, **others) == [lesson, f"hi/{lesson}"]
    files = {path.relative_to(tmp_path / "work").as_posix() for path in (tmp_path / "work").rglob("*.*")}
    assert files == {lesson, "hi/" + lesson, "hi/" + marker, ".state", ".state/shipped.json"}
    assert refresh() == []


@pytest.mark.parametrize("learner", ["one", "my answers"])
def test_a_file_that_is_there_is_never_touched(
    refresh: Callable[..., list[str]], tmp_path: Path, learner: str
) -> None:
    lesson, work = "03_measure.ipynb", tmp_path / "work"
    refresh(**{lesson: "one"})
    (work / lesson).write_text(learner)
    assert refresh(**{lesson: "one"}) == []
    assert refresh(**{lesson: "two"}) == ["03_measure.new.ipynb"]
    (work / "03_measure.new.ipynb").write_text("answers in the second edition")
    assert refresh(**{lesson: "three"}) == ["03_measure.new-2.ipynb"]
    assert refresh(**{lesson: "three"}) == []
    contents = {path.name: path.read_text() for path in work.glob("*.ipynb")}
    assert contents == {
        "03_measure.ipynb": learner,
        "03_measure.new.ipynb": "answers in the second edition",
        "03_measure.new-2.ipynb": "three",
    }


def test_a_deleted_copy_comes_back_and_a_deleted_new_one_does_not(
    refresh: Callable[..., list[str]], tmp_path: Path
) -> None:
    lesson, work = "03_measure.ipynb", tmp_path / "work"
    refresh(**{lesson: "one"})
    (work / lesson).unlink()
    assert refresh() == [lesson]
    assert refresh(**{lesson: "two"}) == ["03_measure.new.ipynb"]
    (work / "03_measure.new.ipynb").unlink()
    assert refresh() == []


@pytest.mark.parametrize("record", ["", "[]", '{"03_measure.ipynb": 1}'])
def test_a_lost_record_costs_nothing(refresh: Callable[..., list[str]], tmp_path: Path, record: str) -> None:
    lesson, work = "03_measure.ipynb", tmp_path / "work"
    refresh(**{lesson: "one"})
    (work / ".state/shipped.json").write_text(record)
    assert refresh() == []
    (work / lesson).write_text("mine")
    (work / ".state/shipped.json").write_text(record)
    assert refresh() == ["03_measure.new.ipynb"]
    assert (work / lesson).read_text() == "mine"


def test_the_learner_is_told(tmp_path: Path) -> None:
    files = [tmp_path / "work" / name for name in ("00_a.ipynb", "03_b.ipynb", "04_c.new.ipynb")]
    assert workspace.report(files, tmp_path / "work") == [
        "2 notebooks copied to work/.",
        f"A newer edition is beside yours: {Path('work', '04_c.new.ipynb')}",
    ]
    assert workspace.report([], tmp_path / "work") == []


# The gate

gate = load(ROOT / ".ci/gate.py")


def test_gate_names_what_is_left_out() -> None:
    missing = gate.left_out(None, False, False)
    assert gate.command("tests", missing)[-2:] == ["-m", "not browser and not index and not encoder"]
    assert gate.command("tests", gate.left_out("chromium", True, True)) == [
        sys.executable,
        "-m",
        *gate.PYTEST,
    ]
    text = gate.summary([("format", "ok", 1.24), ("tests", "failed", 61.0)], missing)
    assert text.splitlines()[2:] == [
        "ok        format        1.2 s",
        "failed    tests        61.0 s",
        "left out  browser tests left out: no Chromium found",
        "left out  index tests left out: no package index",
        "left out  encoder tests left out: not installed (check --with encoder)",
        "1 passed, 1 failed",
    ]


def test_gate_goes_on_after_a_failure(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(gate, "command", lambda step, missing: [PYTHON, "-c", f"exit({step == 'format'})"])
    assert gate.main(["format", "lint"]) == 1
    assert capfd.readouterr().out.endswith("\n1 passed, 1 failed\n")
    assert gate.main(["lint"]) == 0
    assert gate.main(["lnit"]) == 2


def test_gate_shuts_out_the_settings_of_the_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JUPYTER_PATH", "/home/me")
    monkeypatch.setenv("COURSE_LANG", "hi")
    monkeypatch.delenv("CHROMIUM", raising=False)
    env = gate.isolated(tmp_path, None)
    assert [name for name in ("JUPYTER_PATH", "COURSE_LANG", "CHROMIUM") if name in env] == []
    assert Path(env["COURSE_STATE"]).is_relative_to(tmp_path) and not list(
        Path(env["COURSE_STATE"]).iterdir()
    )
    assert (env["MPLBACKEND"], env["OMP_NUM_THREADS"]) == ("agg", "1")


def test_gate_stopped_from_outside_ends_its_step() -> None:
    wait = "print('started', flush=True); time.sleep(60)"
    step = f"import time\ntry: {wait}\nexcept KeyboardInterrupt: print('ended')"
    driver = (
        f"import sys; sys.path.insert(0, {str(ROOT / '.ci')!r}); import gate\n"
        f"gate.command = lambda step, missing: [sys.executable, '-c', {step!r}]\n"
        "sys.exit(gate.main(['lint']))"
    )
    with subprocess.Popen([PYTHON, "-c", driver], stdout=subprocess.PIPE, encoding="utf-8") as process:
        assert process.stdout
        assert "started\n" in iter(process.stdout.readline, "")
        process.terminate()
        assert process.stdout.read() == "ended\n"
    assert process.returncode == 143
