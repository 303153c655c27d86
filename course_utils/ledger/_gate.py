"""`gate`: what got worse since the last record, and since a fixed one."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import pandas as pd

from course_utils.ledger._cells import cells_of, number_of_tests, table
from course_utils.ledger._compare import shared
from course_utils.ledger._record import Record
from course_utils.ledger._rules import counts, data, lost, notes, unanswerable
from course_utils.schema import plural

LAST, FIXED = "last", "fixed"
MIN_N = 8
FINDINGS = ["code", "against", "message"]


@dataclass(frozen=True, eq=False)
class Gate:
    """What the gate saw; `print` shows it as a short table.

    Parameters
    ----------
    passed
        True if there is no finding. It means that nothing was seen, not that nothing is there.
    findings
        code (drop, lost, n, data, false-answers, failed), against (last, fixed), message.
    cells
        A row per mean that was tested: n, before, now, difference, band (NaN: too few questions moved for any drop
        to be more than noise), drop.
    alpha, tests
        One-sided level of the whole table, and the number of tests that it was divided by.
    notes
        What was seen and is no finding.
    """

    passed: bool
    findings: pd.DataFrame
    cells: pd.DataFrame
    alpha: float
    tests: int
    notes: tuple[str, ...]

    def __str__(self) -> str:
        codes = ", ".join(self.findings["code"].unique())
        lines = ["Gate passed." if self.passed else f"Gate failed: {codes}."]
        lines += [f"  {row.code} [{row.against}] {row.message}" for row in self.findings.itertuples()]
        shown = self.cells[(self.cells["type"] == "all") | self.cells["drop"]]
        marked = shown.assign(drop=shown["drop"].map({True: "yes", False: "no"}))
        if len(marked):
            lines.append(marked.to_string(index=False, float_format="%.3f", na_rep="-"))
        lines.append(self._seen())
        return "\n".join([*lines, *self.notes])

    def _seen(self) -> str:
        if self.cells.empty:
            return "Seen: no mean at all."
        blind, beyond = int(self.cells["band"].isna().sum()), self.cells["drop"]
        told = "\n".join(  # a sentence per line: a notebook breaks longer lines within a word
            [
                f"Seen: {int(beyond.sum())} of {plural(len(self.cells), 'mean')} dropped beyond the noise band "
                f"(one-sided {self.alpha:g} in all, Bonferroni for {plural(self.tests, 'test')}).",
                f"In {blind} so few questions moved that no drop could.",
                "Smaller drops go unseen: benchmarks/gate_power.py says how small.",
            ]
        )
        rest = self.cells[~beyond & (self.cells["difference"] < 0)]
        if rest.empty:
            return told
        row = rest.sort_values("difference").iloc[0]
        return told + (
            f"\nLargest drop that did not count: {row['measure']} in {row['type']}, {row['before']:.3f} -> "
            f"{row['now']:.3f} [{row['against']}] (n={row['n']})."
        )


def gate(
    candidate: Record,
    baseline: Record,
    *,
    fixed: Record | None = None,
    must_not_lose: Iterable[str] = (),
    measures: Iterable[str] | None = None,
    alpha: float = 0.05,
    min_n: int = MIN_N,
    across: bool = False,
) -> Gate:
    """Compare a record with the last one and with a fixed one, and say what got worse.

    It fails when

    - **drop**: a mean drops beyond its noise band, overall or in a type with at least `min_n` answerable questions.
      The band comes from flipping the signs of the moves (twins together), at one-sided `alpha` for all means
      of both references together (Bonferroni, without the means that could not fail; Holm would pass and fail
      exactly the same records, since both ask first for the smallest p);
    - **lost**: a must-not-lose question had the right outcome in a reference and has not now;
    - **n**: a mean is over another number of questions, other questions were asked, or no mean has `min_n` questions;
    - **data**: corpus, questions or judgements differ, unless `across`;
    - **false-answers**: more unanswerable questions were answered. One more is enough: no noise band;
    - **failed**: more questions failed, which must not look like declining.

    Parameters
    ----------
    candidate
        The new record.
    baseline
        The last record. Ten drops of .01 each are noise against the last one: hence `fixed`.
    fixed
        A reference that stays, for instance of the last release.
    must_not_lose
        Ids of questions. The right outcome is status right if answerable, declined if not.
    measures
        Those to test; fewer make narrower bands. By default all that the records share.
    alpha
        How often the means alone may stop a change that moves them by chance only.
    min_n
        Smallest type that is tested.
    across
        Allow other data, for questions that all have.

    Returns
    -------
    Gate
        `passed`, `findings`, `cells`; `print` shows a table.

    Raises
    ------
    ValueError
        No measure or question in common, an unknown must-not-lose question, alpha outside 0 to 0.5.

    Notes
    -----
    Measured on the handbook (150 answerable questions, four measures, both references) by
    `python benchmarks/gate_power.py --draws 1000 --power-draws 200`. Two re-runs that differ only by chance are stopped
    by a drop in 3.4% of 1,000 A/A draws if they differ as hybrid and rrf do, in 2.0% if as bm25 and dense do
    (advertised: at most 5%). The drop of Recall@10 that is caught in 80% of 200 draws: .060 and .119 overall, .25 and
    .32 in the type paraphrase alone (n = 31), .40 and .44 in keyword (n = 22). So name what you cannot afford to lose
    in `must_not_lose`. The rule "false-answers" has no band: as bm25 and dense differ, it fires in 39% of those draws.

    Examples
    --------
    >>> rows = [{"query_id": f"q{n}", "answerable": True, "original": f"q{n}", "status": "right", "type": "x",
    ...          "RR": 1.0} for n in range(20)]
    >>> before = Record("a", {}, None, {"measures": ["RR"]}, {}, {}, "", {}, rows)
    >>> worse = Record("b", {}, None, {"measures": ["RR"]}, {}, {}, "", {}, [{**row, "RR": 0.5} for row in rows])
    >>> gate(worse, before).findings["code"].unique().tolist()
    ['drop']
    >>> gate(before, before).passed
    True
    """
    if not 0 < alpha < 0.5:
        raise ValueError(f"alpha must lie between 0 and 0.5, got {alpha}")
    references = {LAST: baseline} | ({} if fixed is None or fixed.id == baseline.id else {FIXED: fixed})
    names = _names(candidate, list(references.values()), measures)
    wanted = _wanted(must_not_lose, candidate, references)
    cells, found, told = [], [], []
    for word, reference in references.items():
        cells += cells_of(word, reference, candidate, names, min_n)
        problems = [
            *([] if across else data(candidate, reference)),
            *counts(candidate, reference, names),
            *lost(candidate, reference, wanted),
            *unanswerable(candidate, reference),
        ]
        found += [(code, word, message) for code, message in problems]
        told += notes(word, candidate, reference)
    seen = table(cells, alpha)
    found += [("drop", str(row.against), _drop(row)) for row in seen[seen["drop"]].itertuples()]
    if not cells:
        found.append(("n", LAST, f"no mean is over {min_n} questions or more, so none was tested"))
    findings = pd.DataFrame(found, columns=FINDINGS)
    return Gate(findings.empty, findings, seen, alpha, number_of_tests(cells, alpha), tuple(told))


def _names(candidate: Record, references: list[Record], measures: Iterable[str] | None) -> list[str]:
    names = [name for name in candidate.measures if all(name in shared(candidate, one) for one in references)]
    wanted = names if measures is None else list(measures)
    missing = [name for name in wanted if name not in names]
    if missing or not wanted:
        raise ValueError(
            f"no measure {', '.join(missing) or 'given'}: the records share {', '.join(names) or 'none'}"
        )
    return wanted


def _wanted(must_not_lose: Iterable[str], candidate: Record, references: dict[str, Record]) -> list[str]:
    if isinstance(must_not_lose, str):
        raise ValueError(f'must_not_lose is text; expected a list of question ids: ["{must_not_lose}"]')
    wanted = list(must_not_lose)
    known = set(candidate.scores.index).union(*(one.scores.index for one in references.values()))
    for query in wanted:
        if query not in known:
            raise ValueError(
                f"must not lose {query!r}: no record has this question (showcase questions are left out)"
            )
    return wanted


def _drop(row: Any) -> str:
    return (
        f"{row.measure} in {row.type}: {row.before:.3f} -> {row.now:.3f}, a drop of {-row.difference:.3f}; "
        f"noise reaches {row.band:.3f} (n={row.n})"
    )
