"""Measure this package beside the field's evaluators: what `python3 course.py bench` does.

Every measurement runs in a process of its own, on data it has made and after a run on little data that loads and
compiles everything. A round takes all tools in turn; the table shows medians over rounds, and of each tool's time
over ours the median of the ratios within a round. Values of all tools must agree to 1e-9.
"""

import argparse
import gc
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from contextlib import suppress
from datetime import date
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT)]

from benchmarks import data  # noqa: E402
from benchmarks.tools import TOOLS, ours_arrays  # noqa: E402

PACKAGES = ("numpy", "pandas", "pytrec-eval-terrier", "ir-measures", "ranx")
SLOW = {"ranx", "ir_measures"}  # measured in the first round only
HEAD = ("input", "tool", "CPU s", "x ours", "MB")


def inputs(kind: str, tool: str, n: int, folder: Path) -> tuple[Any, ...]:
    """Make what a tool of this kind is given."""
    if kind == "arrays":
        return (data.arrays(n),)
    if kind == "text":
        return (data.files(n, folder),)
    if kind == "dicts":
        return data.dicts(n)
    qrels, run = data.frames(n)
    ids = ["query_id", "doc_id"]
    return qrels, run.astype(dict.fromkeys(ids, "category")) if "categories" in tool else run


def peak() -> float:
    """Return the most memory held since the last call, in MB; NaN where the system does not tell (not Linux)."""
    with suppress(OSError):
        status = dict(
            line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines() if ":" in line
        )
        Path("/proc/self/clear_refs").write_text("5")
        return int(status["VmHWM"].split()[0]) / 1024
    return float("nan")


def measure(kind: str, tool: str, n: int, folder: Path) -> None:
    """Measure one tool once, in this process, and print the result as JSON."""
    warnings.simplefilter("ignore")
    function = TOOLS[kind][tool]
    function(*inputs(kind, tool, 200, folder))
    given = inputs(kind, tool, n, folder)
    gc.collect()
    peak()
    before, start = peak(), time.process_time()
    values = function(*given)
    seconds = time.process_time() - start
    memory = peak() - before
    if values is not None:
        np.save(folder / f"{kind}-{tool}.npy", values)
    print("RESULT", json.dumps({"seconds": seconds, "megabytes": memory}))


def in_a_process(kind: str, tool: str, n: int, folder: Path) -> dict[str, float]:
    """Measure one tool once, in a process of its own."""
    command = [sys.executable, __file__, "--one", kind, tool, str(n), str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ | {"OMP_NUM_THREADS": "1"})
    told = [line for line in done.stdout.splitlines() if line.startswith("RESULT ")]
    if done.returncode or not told:
        raise SystemExit(f"{kind}, {tool}: failed\n{done.stderr[-2000:]}")
    return json.loads(told[0].removeprefix("RESULT "))


def compare(n: int, rounds: int, folder: Path) -> list[tuple[str, str, float, float, float]]:
    """Return a row per tool: kind, tool, CPU seconds, times ours, MB; refuse values that differ."""
    rows = []
    for kind, tools in TOOLS.items():
        found: dict[str, list[dict[str, float]]] = {tool: [] for tool in tools}
        for number in range(rounds):
            for tool in tools:
                if number == 0 or tool not in SLOW:
                    print(
                        f"\r{kind}, {tool}, round {number + 1} of {rounds}".ljust(70), end="", file=sys.stderr
                    )
                    found[tool].append(in_a_process(kind, tool, n, folder))
        first, *_ = found
        for tool, results in found.items():
            ratios = [
                one["seconds"] / own["seconds"] for one, own in zip(results, found[first], strict=False)
            ]
            cost, memory = (
                statistics.median(one[key] for one in results) for key in ("seconds", "megabytes")
            )
            rows.append((kind, tool, cost, statistics.median(ratios), memory))
            same(folder / f"{kind}-{first}.npy", folder / f"{kind}-{tool}.npy")
    print(file=sys.stderr)
    return rows


def same(ours: Path, theirs: Path) -> None:
    """Refuse values that differ by more than 1e-9."""
    if theirs.exists() and not np.allclose(np.load(ours), np.load(theirs), rtol=0, atol=1e-9):
        raise SystemExit(f"{theirs.stem} gives other values than {ours.stem}")


def growth(n: int) -> list[tuple[int, float]]:
    """Return the cost of `evaluate_ids` at a tenth, once and ten times the size, each the best of three."""
    costs = []
    for size in (n // 10, n, 10 * n):
        made, seconds = data.arrays(size), []
        for _ in range(3):
            start = time.process_time()
            ours_arrays(made)
            seconds.append(time.process_time() - start)
        costs.append((size, min(seconds)))
    return costs


def heading(n: int, rounds: int) -> str:
    """Say what was measured, when, and on what."""
    versions = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    machine = f"{platform.machine()}, {os.cpu_count()} CPUs, {platform.system()}, Python {platform.python_version()}"
    count = f"{n:,} queries, 100 documents each; medians of {rounds} rounds ({' and '.join(sorted(SLOW))}: 1 round)"
    return f"{count}; {date.today():%d %B %Y}. {machine}; {versions}."


def told_growth(costs: list[tuple[int, float]]) -> str:
    """Say what `evaluate_ids` costs at each size."""
    return f"evaluate_ids: {'; '.join(f'{size:,} queries {seconds:.3g} s' for size, seconds in costs)}."


def table(rows: list[tuple[str, str, float, float, float]]) -> str:
    """Return the rows as a Markdown table."""
    lines = ["| " + " | ".join(HEAD) + " |", "|---|---|--:|--:|--:|"]
    for kind, tool, seconds, ratio, memory in rows:
        lines.append(f"| {kind} | {tool} | {seconds:.3g} | {ratio:.2g} | {memory:.0f} |")
    return "\n".join(lines)


def figure(rows: list[tuple[str, str, float, float, float]], n: int, path: Path) -> None:
    """Draw CPU seconds per tool on a logarithmic scale, ours darker; the numbers stand beside the bars."""
    from matplotlib.figure import Figure

    fig = Figure(figsize=(7, 0.32 * len(rows) + 1), layout="constrained", dpi=110)
    ax = fig.subplots()
    names, costs = [f"{tool}   [{kind}]" for kind, tool, *_ in rows], [row[2] for row in rows]
    mine = ["evaluate" in tool for _, tool, *_ in rows]
    bars = ax.barh(names, costs, color=["#0072b2" if one else "#8c8c8c" for one in mine])
    ax.bar_label(bars, [f"{cost:.3g} s" for cost in costs], padding=3)
    ax.set(xscale="log", xlabel="CPU seconds, logarithmic", title=f"{n:,} queries, 100 documents each")
    ax.invert_yaxis()
    ax.margins(x=0.15)
    ax.spines[["top", "right"]].set_visible(False)
    fig.savefig(path, metadata={"Software": None})


def main() -> None:
    """Print the table, and write it and the figure into a folder."""
    parser = argparse.ArgumentParser(
        prog="course.py bench", description="Measure beside the field's evaluators."
    )
    parser.add_argument("--quick", action="store_true", help="2,000 queries instead of 100,000; one round")
    parser.add_argument("--queries", type=int, help="how many queries, of 100 documents each")
    parser.add_argument("--rounds", type=int, help="how many rounds (3)")
    parser.add_argument("--out", type=Path, default=ROOT / "work" / "bench", help="where table and figure go")
    asked = parser.parse_args()
    n = asked.queries or (2_000 if asked.quick else 100_000)
    rounds = asked.rounds or (1 if asked.quick else 3)
    with tempfile.TemporaryDirectory(prefix="course-bench-") as folder:
        rows = compare(n, rounds, Path(folder))
    text = f"{heading(n, rounds)}\n\n{table(rows)}\n\n{told_growth(growth(n))}\n"
    print(text)
    asked.out.mkdir(parents=True, exist_ok=True)
    (asked.out / "bench.md").write_text(text, encoding="utf-8")
    figure(rows, n, asked.out / "bench.png")
    print(f"written: {asked.out / 'bench.md'} and bench.png")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        measure(sys.argv[2], sys.argv[3], int(sys.argv[4]), Path(sys.argv[5]))
    else:
        main()
