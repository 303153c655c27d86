"""Set the course up and start it: `python3 course.py lab` (Windows: `py course.py lab`).

Standard library only, and no syntax newer than Python 3.6: an old Python then answers with a sentence.
"""

import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import sysconfig
from functools import partial
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
STAMP = VENV / "course-stamp.json"
SUPPORTED = ((3, 11), (3, 12), (3, 13), (3, 14))
BASE, DEV, BENCH = "requirements.lock", "requirements-dev.lock", "requirements-bench.lock"
NEEDS = {"check": DEV, "build": DEV, "relock": DEV, "bench": BENCH}  # every other word needs BASE
say = partial(print, flush=True)  # at once, also where the output is collected in a file
QUIET = {"stdin": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
WORDS = {"lab": "notebooks/workspace.py", "build": "notebooks/build.py", "check": ".ci/gate.py"}
WORDS.update(relock=".ci/relock.py", bench="benchmarks/bench.py")
HELP = """\
usage: python3 course.py WORD ...   (Windows: py course.py WORD ...; the first start fills .venv, for a minute)

  lab [options]     open the course in JupyterLab, which gets the options (--no-browser, --port 8899)
  add encoder       install the model for questions of your own, 90 MB (check --with encoder tests it)
  check [steps]     run every test, or only these steps: format lint types build tests notebooks
  build [options]   make the notebooks again from notebooks/src
  bench [--quick]   measure this package beside the field's: speed, memory, equal values
  relock [options]  solve the lock files again from pyproject.toml (--upgrade for newer versions)

Your own system: validate, ask, pool, evaluate, report, record, compare, gate; each has --help."""


class SetupError(Exception):
    """What stops the set-up, in one sentence that says what to do."""


def works(command: list) -> bool:
    """Tell whether a command starts a supported Python (a shim may be there and start nothing)."""
    probe = [*command, "-c", "import sys; print(sys.version_info[0], sys.version_info[1])"]
    try:
        return tuple(map(int, subprocess.check_output(probe, timeout=30, **QUIET).split())) in SUPPORTED
    except (OSError, ValueError, subprocess.SubprocessError):
        return False


def find_python() -> list:
    """Return a command that starts a supported Python, for when this one is not."""
    names = [f"{major}.{minor}" for major, minor in SUPPORTED]
    for command in [["python" + name] for name in names] + [["py", "-" + name] for name in names]:
        if shutil.which(command[0]) and works(command):
            return command
    it, need = sys.version.split()[0], ", ".join(names)
    raise SetupError(f"the course needs Python {need}, and this is {it}: get one from https://www.python.org")


def find_uv() -> str:
    """Return the path of a uv that starts, or an empty string."""
    uv = shutil.which("uv")
    return uv if uv and subprocess.call([uv, "--version"], stdout=subprocess.DEVNULL, **QUIET) == 0 else ""


def child_env() -> dict:
    """Return the environment of everything started from here: the course's own Python comes first."""
    env = {name: value for name, value in os.environ.items() if name not in ("PYTHONHOME", "PYTHONPATH")}
    env.update(VIRTUAL_ENV=str(VENV), PATH=str(PYTHON.parent) + os.pathsep + env.get("PATH", ""))
    # Windows would read UTF-8 files in its code page; Jupyter would prefer a kernel from the user's home.
    return {"PYTHONUTF8": "1", "JUPYTER_PREFER_ENV_PATH": "1", **env}


def digest(lock: str) -> str:
    """Return the hash by which a changed lock file is noticed."""
    return hashlib.sha256((ROOT / lock).read_bytes()).hexdigest()


def installed() -> dict:
    """Return what a finished set-up wrote, {lock: hash}; empty if it did not finish, was moved or broke."""
    try:
        stamp = json.loads(STAMP.read_text(encoding="ascii"))
        return stamp["locks"] if stamp["root"] == str(ROOT) and works([str(PYTHON)]) else {}
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def set_up(lock: str) -> None:
    """Make `.venv` hold what the lock says; do nothing when it does already."""
    if not (ROOT / lock).is_file():
        raise SetupError(f"there is no {lock}: `python3 course.py help` says what can be added.")
    have = installed()
    if have.get(lock) == digest(lock):
        return
    say("Setting up the course in the folder .venv, which takes a minute or more ...")
    # Until the new stamp is written, the set-up counts as unfinished.
    STAMP.unlink() if have else make_venv()
    install(lock)
    # Every lock holds everything that the lock of the lessons holds, and takes nothing away.
    locks = dict(have, **{name: digest(name) for name in {lock, BASE}})
    STAMP.write_text(json.dumps({"root": str(ROOT), "locks": locks}), encoding="ascii")
    say("The course is set up.")


def make_venv() -> None:
    """Make `.venv` from nothing, on the path of which the repository is; an unfinished one goes."""
    command = [getattr(sys, "_base_executable", sys.executable), "-m", "venv", str(VENV)]  # never .venv's own
    if not find_spec("ensurepip"):  # Debian and Ubuntu take it out
        if not find_uv():
            raise SetupError("this Python cannot make an environment: apt install python3-venv")
        command.append("--without-pip")
    try:
        if VENV.exists():
            shutil.rmtree(str(VENV))
    except OSError as error:
        raise SetupError(f"close what uses the folder .venv, then start again ({error})") from None
    if subprocess.call(command):
        raise SetupError("Python could not make the folder .venv: the lines above say why.")
    packages = sysconfig.get_path("purelib", "venv", {"base": str(VENV)})
    # A relative line is ASCII wherever the repository is: Python 3.11 reads it in the local code page.
    Path(packages, "course.pth").write_text(os.path.relpath(str(ROOT), packages) + "\n", encoding="ascii")


def install(lock: str) -> None:
    """Install what the lock names, each file checked against its hash."""
    uv, wanted = find_uv(), ["install", "--require-hashes", "-r", str(ROOT / lock)]
    if uv:
        failed = subprocess.call([uv, "pip", *wanted, "--python", str(PYTHON)], env=child_env())
    else:
        total = sum(line[:1] != b" " for line in (ROOT / lock).read_bytes().splitlines())
        failed = pip_with_progress([str(PYTHON), "-m", "pip", *wanted], total)
    if failed:
        raise SetupError("the packages did not install: check the network or proxy, then try again.")


def pip_with_progress(command: list, total: int) -> int:
    """Run pip and show a counter instead of its hundreds of lines; show its last lines if it fails."""
    tail, seen, (step, end) = [], 0, (1, "\r") if sys.stdout.isatty() else (20, "\n")
    with subprocess.Popen(command, env=child_env(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as pip:
        for line in (raw.decode("utf-8", "replace").rstrip() for raw in pip.stdout):
            tail = [*tail, line][-12:]
            if line.startswith(("Collecting ", "Ignoring ", "Processing ", "Requirement already")):
                seen += 1
                if seen % step == 0:
                    say(f"  {seen} of {total} packages", end=end)
            elif line.startswith("Installing collected"):
                say("  all there, now installing: this can take a minute")
    if pip.returncode:
        say("\n".join(tail))
    return pip.returncode


def hand_over(command: list) -> int:
    """Become the command, so that Ctrl-C and exit codes are its own; Windows can only wait for it."""
    if os.name != "nt":
        os.execve(command[0], command, child_env())
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    return subprocess.call(command, env=child_env())


def run(words: list) -> int:
    """Do what the words ask and return the exit code."""
    if words in ([], ["add"]) or words[0] in ("help", "-h", "--help"):
        say(HELP)
        return 0
    if sys.version_info[:2] not in SUPPORTED:
        return subprocess.call([*find_python(), str(ROOT / "course.py"), *words])
    at = 0 if words[0] == "add" else [*words, "--with"].index("--with")  # names of further locks follow
    words, extras = words[:at], [f"requirements-{name}.lock" for name in words[at + 1 :]]
    word = "".join(words[:1])
    script = ROOT / WORDS.get(word, "course_utils/__main__.py")
    if word and not script.is_file():
        raise SetupError(f"there is no word '{word}': `python3 course.py help` lists them.")
    for lock in [*extras, NEEDS.get(word, BASE)]:
        set_up(lock)
    own = [str(script), *words[1:]] if word in WORDS else ["-P", "-m", "course_utils", *words]
    return hand_over([str(PYTHON), *own]) if word else 0


def main() -> int:
    """Run, and answer every expected trouble with one sentence."""
    try:
        return run(sys.argv[1:])
    except SetupError as error:
        print(f"course.py: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\nStopped: run the same command again.", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
