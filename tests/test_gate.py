"""The gate: each rule alone, its noise band, its false alarms, and the command line."""

import json
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from course_utils import ledger
from course_utils.__main__ import main
from course_utils.ledger._cells import Cell, band, number_of_tests
from golden import changed, documents, golden_set, qrels, questions
from sources import ROOT


def run(lost=(), answered=()):
    """Return a run that answers each answerable question but the lost ones, and none of the others."""
    right = [n for n in range(60) if n % 6 != 5 and f"q{n}" not in lost]
    return {**{f"q{n}": {f"d{n % 50}": 1.0} for n in right}, **{query: {"d7": 1.0} for query in answered}}


def record(name="a", golden=None, **wrong):
    failed = wrong.pop("failed", ())
    return ledger.measure({"name": name}, golden or golden_set(), run(**wrong), failed=failed)


def codes(gate):
    return gate.findings["code"].unique().tolist()


KEYWORD = [f"q{n}" for n in range(0, 60, 2)]
PARAPHRASE = [f"q{n}" for n in range(1, 60, 2) if n % 6 != 5]


def test_nothing_seen_passes_and_never_says_that_nothing_is_there():
    gate = ledger.gate(record("b"), record("a"))
    assert gate.passed and codes(gate) == []
    text = str(gate)
    assert text.startswith("Gate passed.\n") and "Seen: 0 of 12 means dropped" in text
    assert "Smaller drops go unseen" in text and "no regression" not in text.lower()


def test_a_gate_that_can_test_nothing_fails():
    gate = ledger.gate(record("b"), record("a"), min_n=51)
    assert not gate.passed and codes(gate) == ["n"]
    assert str(gate) == (
        "Gate failed: n.\n  n [last] no mean is over 51 questions or more, so none was tested\nSeen: no mean at all."
    )


def test_a_drop_overall_fails():
    gate = ledger.gate(record("b", lost=KEYWORD[:8] + PARAPHRASE[:8]), record("a"))
    assert codes(gate) == ["drop"]
    row = gate.cells.set_index(["measure", "type"]).loc[("RR@10", "all")]
    assert (row["n"], row["before"]) == (50, 1.0) and row["difference"] == pytest.approx(-16 / 50)
    assert 0 < row["band"] < 16 / 50
    assert "drop [last] RR@10 in all: 1.000 -> 0.680, a drop of 0.320" in str(gate)


def test_a_drop_within_the_noise_passes_and_is_shown():
    gate = ledger.gate(record("b", lost=KEYWORD[:4]), record("a"))
    assert gate.passed
    assert "Largest drop that did not count: Recall@10 in keyword, 1.000 -> 0.867 [last] (n=30)" in str(gate)


def test_a_drop_in_one_type_fails_though_the_mean_rises():
    before = record("a", lost=KEYWORD[:20])
    gate = ledger.gate(record("b", lost=PARAPHRASE[:12]), before, measures=["RR@10"])
    assert gate.cells.set_index("type").loc["all", "difference"] > 0
    assert gate.cells.loc[gate.cells["drop"], "type"].tolist() == ["paraphrase"] and codes(gate) == ["drop"]


@pytest.mark.parametrize(("size", "there"), [(8, True), (7, False)])
def test_a_type_is_tested_from_eight_questions_on(size, there):
    rare = PARAPHRASE[:size]
    asked = questions()
    golden = golden_set(
        questions=asked.assign(type=["rare" if q in rare else "keyword" for q in asked["query_id"]])
    )
    gate = ledger.gate(record("b", golden, lost=rare), record("a", golden), measures=["RR@10"])
    assert ("rare" in set(gate.cells["type"])) == there


def test_a_smaller_minimum_may_be_asked_for():
    assert len(ledger.gate(record("b"), record("a"), min_n=25).cells) == 8


def test_ten_small_drops_are_seen_against_the_fixed_reference():
    lost = KEYWORD[:8] + PARAPHRASE[:8]
    last, now = record("last", lost=lost[:14]), record("now", lost=lost)
    assert ledger.gate(now, last).passed
    gate = ledger.gate(now, last, fixed=record("first"))
    assert set(gate.findings["against"]) == {"fixed"} and codes(gate) == ["drop"]


def test_a_must_not_lose_question_is_lost():
    gate = ledger.gate(record("b", lost=["q3"]), record("a"), must_not_lose=["q3", "q4"])
    assert gate.findings[["code", "message"]].to_numpy().tolist() == [
        ["lost", "must not lose q3: now declined"]
    ]


def test_an_unanswerable_question_is_lost_when_it_is_answered():
    gate = ledger.gate(record("b", answered=["q5"]), record("a", answered=["q11"]), must_not_lose=["q5"])
    assert codes(gate) == ["lost"]
    assert "Newly answered without an answer, against the last record: q5." in str(gate)


def test_what_was_never_held_is_not_lost_but_the_fixed_reference_remembers():
    last, now = record("a", lost=["q3"]), record("b", lost=["q3", "q4"])
    assert ledger.gate(now, last, must_not_lose=["q3"]).passed
    gate = ledger.gate(now, last, fixed=record("first"), must_not_lose=["q3"])
    assert gate.findings[["code", "against"]].to_numpy().tolist() == [["lost", "fixed"]]


def test_n_changes_when_a_judgement_goes_though_the_mean_rises():
    hole = golden_set(qrels=changed(qrels(), 0, relevance=0))
    before = record("a", lost=["q0"])
    with pytest.warns(UserWarning, match="1 answerable question has no relevant document"):
        now = ledger.measure({}, hole, run(lost=["q0"]) | {"q0": {"d9": 1.0}})
    assert now.summary["all"]["RR@10"] > before.summary["all"]["RR@10"]
    assert codes(ledger.gate(now, before, across=True)) == ["n"]
    gate = ledger.gate(now, before)
    assert codes(gate) == ["data", "n"]
    assert "RR@10 is over 49 questions, was over 50: now without q0" in str(gate)


def test_n_changes_when_an_unanswerable_question_goes():
    fewer = golden_set(questions=questions()[lambda q: q["query_id"] != "q5"])
    gate = ledger.gate(record("b", fewer), record("a"), across=True)
    assert codes(gate) == ["n"] and "59 questions were asked, were 60" in str(gate)


def test_other_questions_of_the_same_number_fail_too():
    other = record("b")
    rows = [{**row, "query_id": "new"} if row["query_id"] == "q3" else row for row in other.questions]
    gate = ledger.gate(replace(other, questions=rows), record("a"))
    assert codes(gate) == ["n"] and "over 50 questions, was over 50: now without q3, with new" in str(gate)


def test_other_judgements_fail():
    other = golden_set(qrels=changed(qrels(), 0, relevance=1))
    assert codes(ledger.gate(record("b", other), record("a"))) == ["data"]


def test_one_more_false_answer_fails():
    gate = ledger.gate(record("b", answered=["q5", "q11"]), record("a", answered=["q17"]))
    assert codes(gate) == ["false-answers"]
    assert "2 false answers, were 1; new: q11, q5" in str(gate)


def test_a_question_that_breaks_is_not_taken_for_declined():
    gate = ledger.gate(record("b", failed=["q5"]), record("a", answered=["q5"]))
    assert codes(gate) == ["failed"] and "1 question failed, were 0; new: q5" in str(gate)


def test_the_band_is_the_sign_flip_test():
    """Against a count over all 2^10 ways: beyond the band is p <= level, and nothing else."""
    moves = np.random.default_rng(3).normal(-0.15, 0.3, 10)
    sums = np.array([np.dot(signs, moves) for signs in product((1, -1), repeat=10)])
    for level in (0.01, 0.05, 0.1, 0.2, 0.4):
        edge = band(Cell("", "", "", 12, 0, 0, moves), level)
        for total in np.unique(sums)[::37]:
            assert (total / 12 < -edge - 1e-12) == (np.mean(sums <= total + 1e-12) <= level)


def test_many_moves_take_the_normal_curve_and_agree_with_flipping():
    moves = np.random.default_rng(1).normal(0, 0.3, 500)
    flipped = band(Cell("", "", "", 500, 0, 0, moves), 0.05)
    curve = band(Cell("", "", "", 500, 0, 0, np.append(moves, 1e-6)), 0.05)
    assert flipped == pytest.approx(curve, rel=0.03)


def test_the_correction_counts_the_tests_that_could_fail():
    cells = [Cell("", "", "", 20, 1, 1, np.ones(size)) for size in (20, 20, 20, 4, 4, 0)]
    assert number_of_tests(cells, 0.05) == 3
    assert number_of_tests([Cell("", "", "", 20, 1, 1, np.ones(20))] * 56, 0.05) == 56


def test_twins_count_once():
    originals = questions().assign(twin_of=["" if n % 10 == 0 else f"q{n - n % 10}" for n in range(60)])
    lost = KEYWORD[:8] + PARAPHRASE[:8]
    alone = ledger.gate(record("b", lost=lost), record("a"))
    twins = golden_set(questions=originals)
    assert not alone.passed and ledger.gate(record("b", twins, lost=lost), record("a", twins)).passed


def test_false_alarms_stay_below_what_is_advertised():
    """Sixty A/A comparisons of noisy scores, two measures, three means, two references: at most 5% and luck."""
    rng, base = np.random.default_rng(0), record("a")

    def noisy(name):
        drawn = {q: rng.integers(0, 11, 2) / 10 for q in base.scores.index}
        rows = [
            {**row, "RR@10": drawn[row["query_id"]][0], "nDCG@10": drawn[row["query_id"]][1]}
            if row["answerable"] else row for row in base.questions
        ]  # fmt: skip
        return replace(base, id=name, questions=rows)

    alarms = sum(
        not ledger.gate(noisy("b"), noisy("a"), fixed=noisy("f"), measures=["RR@10", "nDCG@10"]).passed
        for _ in range(60)
    )
    assert alarms <= 8  # 5% are 3; more than 8 in one of 250 such tests


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"must_not_lose": ["q99"]}, "no record has this question"),
        ({"must_not_lose": "q1"}, "must_not_lose is text"),
        ({"measures": ["AP"]}, "no measure AP: the records share Recall@10"),
        ({"measures": []}, "no measure given"),
        ({"alpha": 0.5}, "alpha must lie"),
    ],
)
def test_what_cannot_be_judged_is_refused(options, message):
    with pytest.raises(ValueError, match=message):
        ledger.gate(record("b"), record("a"), **options)


def test_compare_says_what_differs():
    shown = ledger.compare(record("a"), record("b", lost=KEYWORD[:5]))
    assert shown.config.loc["name"].tolist() == ["a", "b"] and shown.versions.empty
    row = shown.scores.loc["RR@10"]
    assert row["difference"] == pytest.approx(-0.1) and row["low"] < -0.1 < row["high"] < 0 and row["n"] == 50
    assert shown.status.index.tolist() == sorted(KEYWORD[:5])
    assert "fingerprints: the same" in str(shown)


def test_compare_refuses_other_data_unless_told():
    other = golden_set(documents=changed(documents(), 0, text="new"), qrels=changed(qrels(), 0, relevance=1))
    with pytest.raises(ValueError, match="different corpora and judgements"):
        ledger.compare(record("a"), record("a", other))
    shown = ledger.compare(record("a"), record("a", other), across=True)
    assert shown.fingerprints.index.tolist() == ["corpus", "qrels"]


@pytest.fixture
def home(tmp_path):
    """Hold a golden set, a good and a bad run, and go there."""
    documents().to_csv(tmp_path / "documents.csv", index=False)
    questions().to_csv(tmp_path / "questions.csv", index=False)
    qrels().to_csv(tmp_path / "judgements.csv", index=False)
    for name, found in {"good": run(), "bad": run(lost=KEYWORD[:16])}.items():
        lines = [f"{query} Q0 {doc} 1 1.0 x" for query, docs in found.items() for doc in docs]
        (tmp_path / f"{name}.run").write_text("\n".join(lines) + "\n")
    return tmp_path


def kept(home, name, capsys, *more):
    words = [
        "record",
        str(home / f"{name}.run"),
        "--golden-set",
        str(home),
        "--ledger",
        str(home / "ledger"),
        *more,
    ]
    assert main(words) == 0
    return capsys.readouterr().out.strip()


def test_record_compare_and_gate_as_words(home, capsys):
    (home / "config.json").write_text('{"k1": 1.2}')
    good = kept(home, "good", capsys, "--config", str(home / "config.json"))
    bad = kept(home, "bad", capsys)
    where = ["--ledger", str(home / "ledger")]
    assert main(["compare", good, bad, *where]) == 0
    assert f"a = {good}, b = {bad}" in capsys.readouterr().out
    assert main(["gate", bad, "--baseline", good, *where]) == 1
    assert capsys.readouterr().out.startswith("Gate failed: drop.\n")
    assert main(["gate", good[:7], "--baseline", bad, "--must-not-lose", "q1", *where]) == 0
    assert capsys.readouterr().out.startswith("Gate passed.\n")
    assert main(["gate", "last", "--baseline", bad, "--fixed", good, *where]) == 1
    assert "[fixed]" in capsys.readouterr().out


def test_a_baseline_file(home, capsys):
    good, bad = kept(home, "good", capsys), kept(home, "bad", capsys)
    file = home / "baseline.json"
    words = ["gate", bad, "--baseline", str(file), "--ledger", str(home / "ledger")]
    file.write_text(json.dumps({"last": bad, "must_not_lose": ["q0"]}))
    assert main(words) == 0
    file.write_text(json.dumps({"last": bad, "fixed": good, "must_not_lose": ["q0"], "measures": ["RR@10"]}))
    assert main(words) == 1
    assert "lost [fixed] must not lose q0" in capsys.readouterr().out
    file.write_text(json.dumps({"last": bad, "fixd": good}))
    assert main(words) == 2
    assert "unknown fixd; expected" in capsys.readouterr().err


def test_drift_is_unusable_input(home, capsys):
    kept(home, "good", capsys)
    (home / "good.run").write_text((home / "bad.run").read_text())
    words = ["record", str(home / "good.run"), "--golden-set", str(home), "--ledger", str(home / "ledger")]
    assert main(words) == 2
    assert capsys.readouterr().err.startswith("course.py: drift: record ")


@pytest.mark.parametrize(
    "words",
    [
        ["gate", "last", "--baseline", "zz"],
        ["gate", "last", "--baseline", "no.json"],
        ["gate", "last", "--baseline", "last", "--measures", "F1"],
        ["compare", "last", "zz"],
    ],
)
def test_what_is_unusable_is_said_in_one_line(home, capsys, words):
    kept(home, "good", capsys)
    assert main([*words, "--ledger", str(home / "ledger")]) == 2
    captured = capsys.readouterr()
    assert captured.err.count("\n") == 1 and captured.out == ""


def test_the_ci_example_uses_words_that_exist(home, capsys):
    """Run the lines of the example as they stand, with the learner's names."""
    text = (ROOT / "assets" / "templates" / "ci-gate.yml").read_text(encoding="utf-8")
    lines = [
        line.split("course.py ", 1)[1]
        for line in text.splitlines()
        if "course.py " in line and "#" not in line
    ]
    assert [line.split()[0] for line in lines] == ["validate", "ask", "record", "gate"]
    texts = golden_set().texts
    answers = {texts[query]: list(docs) for query, docs in run().items()}
    (home / "search.py").write_text(
        f"ANSWERS = {answers}\ndef search(question):\n    return ANSWERS.get(question, [])\n"
    )
    names = {
        "search.py:search": "search.py:search",
        "results/new.run": "good.run",
        "search.json": "c.json",
        "golden_set": ".",
        "ledger/baseline.json": "b.json",
    }
    (home / "c.json").write_text("{}")
    good = kept(home, "good", capsys)
    (home / "b.json").write_text(json.dumps({"last": good}))
    for line in lines:
        words = [
            str(home / names.get(word, word)) if word in (*names, "ledger") else word for word in line.split()
        ]
        assert main(words) == 0, capsys.readouterr()
