"""How often the gate cries wolf, and how large a drop it catches: `python benchmarks/gate_power.py [--draws 1000]`.

Design. Nothing is simulated but the coin. Two real systems of the course give every question two real outcomes
(scores and status). A *re-run* takes one of both per question by a coin; twins share the coin. So any two re-runs
are equally good in expectation, and differ as two real systems do: many zeros, some jumps of a whole point.

- **A/A**: the questions are drawn with replacement (needs, not questions: twins stay together), then candidate, last
  and fixed are three re-runs over that draw. Whatever the gate says there is a false alarm.
  Two pairs: close systems (hybrid and rrf), and far ones (bm25 and dense), which is as noisy as it gets.
- **Caught**: candidate, last and fixed are re-runs over the questions as they are, and in the candidate a share of
  the answerable questions loses everything (score 0, status wrong): everywhere, or in one type. Printed: the
  mean drop of Recall@10 at which the rule "drop" fires in 80% of the draws (by bisection).

The rule "false-answers" has no noise band, and is counted apart: under a coin it fires about every second time
that the two systems differ there at all. It is meant for deterministic systems with a threshold.
"""

import argparse
import sys
import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from course_utils.formats import read_run
from course_utils.golden_set import load_golden_set
from course_utils.ledger import gate, measure
from course_utils.schema import CourseWarning

RUNS = Path(__file__).parents[1] / "assets" / "runs"
PAIRS = {"close: hybrid, rrf": ("hybrid", "rrf"), "far: bm25, dense": ("bm25", "dense")}
STEP = 0.01
ENOUGH = 0.8


def outcome(name, golden):
    """Return the record of a system."""
    return measure({"system": name}, golden, read_run(RUNS / f"{name}.run"))


def rerun(pair, drawn, rng, name):
    """Take one of two outcomes of each drawn question; what was drawn twice becomes two questions."""
    sides = {}
    rows = []
    for place, position in drawn:
        row = pair[0].questions[position]
        coin = sides.setdefault((place, row["original"]), int(rng.integers(2)))
        taken, copy = pair[coin].questions[position], f"#{place}"
        rows.append({**taken, "query_id": taken["query_id"] + copy, "original": taken["original"] + copy})
    return replace(pair[0], id=name, questions=rows)


def by_need(record):
    """Return the positions of each original and its twins."""
    groups = {}
    for position, row in enumerate(record.questions):
        groups.setdefault(row["original"], []).append(position)
    return list(groups.values())


def draw(groups, rng):
    """Draw needs with replacement."""
    chosen = rng.integers(0, len(groups), len(groups))
    return [(place, position) for place, which in enumerate(chosen) for position in groups[which]]


def spoil(record, share, kind, rng):
    """Let a share of the answerable questions, of all or of one type, lose everything."""
    rows = []
    for row in record.questions:
        hit = row["answerable"] and kind in ("all", row["type"]) and rng.random() < share
        rows.append({**row, **dict.fromkeys(record.measures, 0.0), "status": "wrong"} if hit else row)
    return replace(record, questions=rows)


def false_alarms(pair, draws, **options):
    """Return the shares of A/A draws in which a mean "dropped", and in which false answers "rose"."""
    rng, groups = np.random.default_rng(0), by_need(pair[0])
    codes = []
    for _ in range(draws):
        drawn = draw(groups, rng)
        runs = {name: rerun(pair, drawn, rng, name) for name in ("candidate", "last", "fixed")}
        seen = gate(runs["candidate"], runs["last"], fixed=runs["fixed"], **options)
        codes.append(set(seen.findings["code"]))
    return [sum(code in one for one in codes) / draws for code in ("drop", "false-answers")]


def caught(pair, kind, draws, **options):
    """Return the mean drop of Recall@10 that is caught in 80% of the draws, and the share of questions lost."""
    low, high = 0.0, 1.0
    found = float("nan"), 0
    while high - low > STEP:
        share = (low + high) / 2
        hits, drop, n = spoiled(pair, kind, share, draws, **options)
        low, high = (low, share) if hits >= ENOUGH else (share, high)
        found = (drop, n) if hits >= ENOUGH else found
    return *found, high


def spoiled(pair, kind, share, draws, **options):
    """Return how often a drop is seen when a share loses everything, and the mean drop of Recall@10."""
    rng, hits, drops = np.random.default_rng(1), 0, []
    everyone = [(0, position) for position in range(len(pair[0].questions))]
    for _ in range(draws):
        runs = {name: rerun(pair, everyone, rng, name) for name in ("candidate", "last", "fixed")}
        seen = gate(spoil(runs["candidate"], share, kind, rng), runs["last"], fixed=runs["fixed"], **options)
        cell = seen.cells[(seen.cells["measure"] == "Recall@10") & (seen.cells["type"] == kind)]
        drops.append(-cell["difference"].mean())
        hits += "drop" in set(seen.findings["code"])
    return hits / draws, float(np.mean(drops)), int(cell["n"].iloc[0])


def main():
    """Print the rates."""
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--draws", type=int, default=1000, help="A/A draws (default 1000)")
    words.add_argument("--power-draws", type=int, default=60, help="draws per share lost (default 60)")
    asked = words.parse_args()
    warnings.simplefilter("ignore", CourseWarning)
    golden = load_golden_set()
    types = ("all", "paraphrase", "keyword")
    for label, names in PAIRS.items():
        pair = [outcome(name, golden) for name in names]
        for title, options in {"4 measures": {}, "Recall@10 alone": {"measures": ["Recall@10"]}}.items():
            alarms, rises = false_alarms(pair, asked.draws, **options)
            print(f"{label}; {title}: false alarms {alarms:.1%} (advertised: at most 5%); "
                  f"false answers 'rose' in {rises:.1%}", flush=True)  # fmt: skip
            for kind in types:
                drop, n, share = caught(pair, kind, asked.power_draws, **options)
                print(
                    f"  80% caught in {kind} (n={n}): a drop of Recall@10 by {drop:.3f}, {share:.0%} lost",
                    flush=True,
                )


if __name__ == "__main__":
    main()
