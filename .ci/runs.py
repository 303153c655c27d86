"""Make the shipped runs again: every system's results for all questions, in assets/runs (--check writes nothing)."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from course_utils import formats, paths
from course_utils.retrievers import systems
from course_utils.retrievers.build import read_jsonl

# As deep as a system allows: the hybrid and RRF end with their candidates.
DEPTH = 50


def make(folder: Path) -> list[Path]:
    """Write a run file per system into the folder and return their paths."""
    documents, questions = read_jsonl("corpus", "handbook.jsonl"), read_jsonl("golden_set", "questions.jsonl")
    folder.mkdir(parents=True, exist_ok=True)
    files = []
    for name, system in systems(documents).items():
        files.append(folder / f"{name}.run")
        formats.write_run(system.search(questions, k=DEPTH), files[-1], tag=name)
    return files


def main(words: list[str]) -> int:
    """Make the runs; with --check compare them with the shipped ones, byte by byte."""
    shipped = paths.assets("runs")
    if words != ["--check"]:
        make(shipped)
        return 0
    with tempfile.TemporaryDirectory() as folder:
        made = {path.name: path.read_bytes() for path in make(Path(folder))}
    there = {path.name: path.read_bytes() for path in shipped.glob("*.run")}
    differ = sorted(name for name in made.keys() | there.keys() if made.get(name) != there.get(name))
    for name in differ:
        print(f"assets/runs/{name} is not what the systems give now: python .ci/runs.py", file=sys.stderr)
    return int(bool(differ))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
