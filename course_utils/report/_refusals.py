"""What became of the questions: answered right or wrong, declined or failed, apart from every mean."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from course_utils import abstention
from course_utils.abstention._questions import ids_of
from course_utils.golden_set import GoldenSet
from course_utils.report._html import cell, interval, paragraph, table

RATES = ["false answers", "abstention rate", "over-refusal"]
TOLD = (
    "False answers and abstention are over the unanswerable questions, over-refusal over the answerable ones."
)
BROKE = " Failed is over all questions: the system broke there, which is no refusal, and 0 in every mean."
UNSTATED = "Some questions do not say whether they are answerable, so nothing is counted here."


def refusals(runs: Mapping[str, pd.DataFrame], golden: GoldenSet, failed: Mapping[str, Any]) -> list[str]:
    """Write the counts and the rates of each system; `failed` names the questions at which one broke."""
    if golden.questions["answerable"].isna().any():
        return [paragraph(UNSTATED)]
    for name in failed.keys() - runs.keys():
        raise ValueError(f"failed names {name!r}, which is no run; there is {', '.join(runs)}")
    broken = {name: [q for q in ids_of(ids) if q in golden.texts.index] for name, ids in failed.items()}
    found = {
        name: abstention.outcomes(run, golden, failed=broken.get(name, ())) for name, run in runs.items()
    }
    broke = any(broken.values())
    return [
        _counts({name: abstention.table(one, golden) for name, one in found.items()}),
        paragraph(TOLD + (BROKE if broke else "")),
        _rates({name: abstention.rates(one, golden) for name, one in found.items()}, broke),
    ]


def _counts(tables: Mapping[str, pd.DataFrame]) -> str:
    """Write a row per system and kind of question; a system that never failed has 0 where another has."""
    head = max((list(one.columns) for one in tables.values()), key=len)
    rows = [
        (f"{name}, {kind}", [cell(int(count)) for count in counts])
        for name, one in tables.items()
        for kind, counts in zip(one.index, one.reindex(columns=head, fill_value=0).to_numpy(), strict=True)
    ]
    return table("What became of the questions", ["system and questions", *head], rows)


def _rates(tables: Mapping[str, pd.DataFrame], broke: bool) -> str:
    chosen = [*RATES, *(["failed"] if broke else [])]
    rows = [(name, [_rate(one.T[rate]) for rate in chosen]) for name, one in tables.items()]
    return table("Rates with counts and 95% intervals", ["system", *chosen], rows)


def _rate(row: pd.Series) -> str:
    if not row["n"]:
        return cell("no value (n = 0)")
    return cell(f"{interval(row['rate'], row['low'], row['high'])}, {int(row['count'])} of {int(row['n'])}")
