"""The benchmark: its lock, its word, and that every tool gives the same values; nothing is timed here."""

import platform
import runpy
import subprocess
import sys

import numpy as np
import pytest
from packaging.requirements import Requirement

from benchmarks import bench, data
from benchmarks.tools import TOOLS
from sources import ROOT

PAIRS = [
    (kind, tool) for kind, tools in TOOLS.items() for tool in tools if "ranx" not in tool and "(" not in tool
]


def pins(name):
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    return {str(Requirement(line.removesuffix(" \\"))) for line in lines if not line.startswith(" ")}


def test_the_lock_adds_the_peers_and_changes_no_version_of_the_others():
    base, dev, own = map(pins, ("requirements.lock", "requirements-dev.lock", "requirements-bench.lock"))
    assert base < own
    names = {Requirement(pin).name for pin in dev}
    assert {pin for pin in own - dev if Requirement(pin).name in names} == set()
    assert {"ir-measures", "pytrec-eval-terrier", "ranx"} <= {Requirement(pin).name for pin in own - base}


@pytest.mark.parametrize(("kind", "tool"), PAIRS)
def test_every_tool_gives_the_same_values(tmp_path, kind, tool):
    values = TOOLS[kind][tool](*bench.inputs(kind, tool, 30, tmp_path))
    expected = TOOLS["arrays"]["evaluate_ids"](data.arrays(30))
    assert np.abs(values - expected).max() < 1e-9


def test_values_that_differ_stop_the_benchmark(tmp_path):
    np.save(tmp_path / "ours.npy", np.array([0.5]))
    np.save(tmp_path / "theirs.npy", np.array([0.5 + 1e-8]))
    with pytest.raises(SystemExit, match="theirs gives other values than ours"):
        bench.same(tmp_path / "ours.npy", tmp_path / "theirs.npy")


def test_table_and_figure(tmp_path):
    rows = [("dicts", "evaluate", 0.5, 1.0, 10.0), ("dicts", "pytrec_eval", 1.5, 3.0, 20.0)]
    assert bench.table(rows).splitlines()[2:] == [
        "| dicts | evaluate | 0.5 | 1 | 10 |",
        "| dicts | pytrec_eval | 1.5 | 3 | 20 |",
    ]
    bench.figure(rows, 1000, tmp_path / "bench.png")
    assert (tmp_path / "bench.png").read_bytes().startswith(b"\x89PNG")


def test_the_table_says_what_was_measured_and_where(monkeypatch):
    monkeypatch.setattr(bench, "PACKAGES", ("numpy",))
    told = bench.heading(2000, 3)
    assert told.startswith(
        "2,000 queries, 100 documents each; medians of 3 rounds (ir_measures and ranx: 1 round); "
    )
    assert told.endswith(f"Python {platform.python_version()}; numpy {np.__version__}.")
    assert (
        bench.told_growth([(10, 0.25), (1000, 2.5)])
        == "evaluate_ids: 10 queries 0.25 s; 1,000 queries 2.5 s."
    )


def test_one_measurement_runs_in_a_process_of_its_own(tmp_path):
    found = bench.in_a_process("dicts", "evaluate", 20, tmp_path)
    assert found["seconds"] > 0
    assert np.load(tmp_path / "dicts-evaluate.npy").shape == (20, 4)


def test_the_word_bench_starts_the_script():
    done = subprocess.run(
        [sys.executable, str(ROOT / "benchmarks" / "bench.py"), "--help"], capture_output=True, text=True
    )
    assert done.returncode == 0 and "--quick" in done.stdout
    course = runpy.run_path(str(ROOT / "course.py"))
    assert course["WORDS"]["bench"] == "benchmarks/bench.py"
    assert (ROOT / course["NEEDS"]["bench"]).is_file()
