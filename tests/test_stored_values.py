"""The values of ir_measures that lesson 08 stores, made again; and the lesson's lines for other tools, run."""

import json
import re

import ir_measures
import pandas as pd
import pytest
import pytrec_eval

from course_utils import evaluate
from peers import ir_measure
from sources import ROOT, cells

STORED = json.loads((ROOT / "assets" / "examples" / "ir_measures_values.json").read_text(encoding="utf-8"))
DATA = STORED["qrels"], STORED["run"]
BY_NAME = {ir_measure(theirs): name for name, theirs in STORED["names"].items()}


def test_ir_measures_still_says_the_same_for_every_question():
    said = list(ir_measures.iter_calc(list(BY_NAME), *DATA))
    assert len(said) == len(BY_NAME) * len(STORED["qrels"])
    for one in said:
        assert STORED["values"][BY_NAME[one.measure]][one.query_id] == pytest.approx(one.value, abs=1e-12)


def test_ir_measures_still_says_the_same_on_average():
    means = ir_measures.calc_aggregate(list(BY_NAME), *DATA)
    assert STORED["means"] == pytest.approx({BY_NAME[measure]: mean for measure, mean in means.items()})


def test_the_course_differs_only_where_the_lesson_says_so():
    ours = evaluate(*DATA, list(BY_NAME.values()))
    differ = {
        (query, name)
        for name, values in STORED["values"].items()
        for query, value in values.items()
        if ours.loc[query, name] != pytest.approx(value, abs=1e-9)
    }
    assert differ == {("q3", name) for name in STORED["values"]} | {("q4", "RR@5")}
    assert ours.loc["q3"].isna().all()


def test_the_lines_for_other_tools_run_as_printed():
    """Those for ranx are not run: it is not among the tools of the tests."""
    (cell,) = [cell for cell in cells("08") if cell.id == "hand-over"]
    first, second, _ = re.findall(r"```python\n(.*?)```", cell.source, re.S)
    space = {
        "qrels": pd.DataFrame({"query_id": ["q1", "q1"], "doc_id": ["a", "b"], "relevance": [2, 1]}),
        "run": pd.DataFrame({"query_id": ["q1", "q1"], "doc_id": ["x", "b"], "score": [2.0, 1.0]}),
    }
    ours = evaluate(space["qrels"], space["run"], ["nDCG@10", "Recall@10"]).iloc[0].tolist()
    exec(first.replace("ir_measures.calc", "means = ir_measures.calc"), space)
    names = [ir_measure(name) for name in ("nDCG@10", "R@10")]
    assert [space["means"][name] for name in names] == pytest.approx(ours)
    exec(second.replace("pytrec_eval.Rel", "scores = pytrec_eval.Rel"), space)
    assert space["pytrec_eval"] is pytrec_eval
    assert [space["scores"]["q1"][name] for name in ("ndcg_cut_10", "recall_10")] == pytest.approx(ours)
