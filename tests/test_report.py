"""The report: its numbers are those of the tables, hostile text stays text, the page is whole and accessible."""

import re
from html.parser import HTMLParser

import pandas as pd
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

from course_utils import abstention, evaluate, load_golden_set, paths, plots, read_run, report, summarize
from course_utils.__main__ import main
from golden import changed, documents, golden_set, qrels, questions
from test_browser import QUIETLY, chromium

HANDBOOK = load_golden_set()
DEV = HANDBOOK.subset(split="dev", showcase=False)
FILES = {name: paths.assets("runs", f"{name}.run") for name in ("bm25", "hybrid")}
RUNS = {name: read_run(path) for name, path in FILES.items()}
SCORES = {name: report.score(run, DEV) for name, run in RUNS.items()}


@pytest.fixture(scope="module")
def html():
    return report.page(RUNS, DEV, causes={"q101": "exact identifier"})


class Cells(HTMLParser):
    """Collect the rows of each table as lists of texts, by caption."""

    def __init__(self, html):
        super().__init__()
        self.tables, self.row, self.tag = {}, [], ""
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.tag = tag
        if tag == "tr":
            self.row = []
        if tag in ("td", "th"):
            self.row.append("")

    def handle_data(self, data):
        if self.tag == "caption" and data.strip():
            self.rows = self.tables.setdefault(data, [])
        elif self.row:
            self.row[-1] += data

    def handle_endtag(self, tag):
        self.tag = ""
        if tag == "tr":
            self.rows.append(self.row)
            self.row = []


def small_run(query="q0", doc="d0"):
    return pd.DataFrame({"query_id": [query], "doc_id": [doc], "score": [1.0]})


def test_means_are_those_of_evaluate_over_stated_answerable_questions():
    counted = DEV.subset(answerable=True)
    mine = RUNS["bm25"][RUNS["bm25"]["query_id"].isin(counted.texts.index)]
    direct = summarize(evaluate(counted.qrels, mine), by=counted.types)
    table = report.by_type(SCORES["bm25"], DEV)
    assert table["mean"].drop("all").sort_index().tolist() == pytest.approx(direct["nDCG@10"].tolist())
    assert table["n"].drop("all").sort_index().tolist() == direct["n"].tolist()
    assert (table["n"] + table["n_undefined"])["all"] == len(DEV.questions)
    assert (table["low"] <= table["mean"]).all() and (table["mean"] <= table["high"]).all()


def test_the_page_has_the_numbers_of_the_tables(html):
    shown = Cells(html).tables
    by_type = {name: report.by_type(scores, DEV) for name, scores in SCORES.items()}
    rows = {row[0]: row[1:] for row in shown["nDCG@10 by type: mean and 95% interval"]}
    assert rows["type"] == ["bm25", "hybrid", "n", "not in the means"]
    for kind, row in by_type["hybrid"].iterrows():
        assert rows[kind][1] == f"{row['mean']:.2f} ({row['low']:.2f} to {row['high']:.2f})"
        assert rows[kind][2:] == [f"{row['n']:.0f}", f"{row['n_undefined']:.0f}"]
    rates = abstention.rates(abstention.outcomes(report._tables.kept(RUNS["bm25"], DEV), DEV), DEV)
    bm25 = shown["Rates with counts and 95% intervals"][1]
    assert bm25[1].endswith(f"{rates.at['false answers', 'count']} of {rates.at['false answers', 'n']}")
    movers = report.movers(SCORES["bm25"], SCORES["hybrid"], DEV)
    told = shown["Biggest movers, bm25 to hybrid"][1:]
    assert [row[0] for row in told] == movers.index.tolist()
    assert [row[3] for row in told] == [f"{change:.2f}" for change in movers["change"]]
    assert shown["Causes, as assigned by a reader"][1] == ["exact identifier", "1", "1", "q101"]


def test_the_page_tells_what_became_of_the_questions_and_how_much_was_judged(html):
    shown = Cells(html).tables
    counts = abstention.table(abstention.outcomes(report._tables.kept(RUNS["bm25"], DEV), DEV), DEV)
    told = shown["What became of the questions"]
    assert told[0][1:] == ["answered right", "answered wrong", "declined", "n"]
    assert told[1] == ["bm25, answerable", *map(str, counts.loc["answerable"])]
    assert told[2] == ["bm25, unanswerable", *map(str, counts.loc["unanswerable"])]
    means = shown["Means by system"]
    judged = report.page({"A": small_run(doc="d30")}, golden_set(qrels=qrels().query("relevance > 0")))
    assert means[1][means[0].index("Judged@10")] == "1.00"
    rows = Cells(judged).tables["Means by system"]
    assert rows[1][rows[0].index("Judged@10")] == "0.00"


def test_systems_that_answer_everything_or_nothing_are_visibly_bad():
    golden = golden_set()
    ten = pd.DataFrame([(q, f"d{n}", -float(n)) for q in golden.texts.index for n in range(40, 50)],
                       columns=["query_id", "doc_id", "score"])  # fmt: skip
    shown = Cells(report.page({"ten": ten, "silent": ten[:0]}, golden)).tables
    rates = {row[0]: row[1:] for row in shown["Rates with counts and 95% intervals"]}
    assert rates["ten"][0].endswith("10 of 10") and rates["silent"][0].endswith("0 of 10")
    assert rates["silent"][1].endswith("10 of 10") and rates["silent"][2].endswith("50 of 50")
    counts = {row[0]: row[1:] for row in shown["What became of the questions"]}
    assert counts["silent, answerable"] == ["0", "0", "50", "50"]
    means = {row[0]: row[1:] for row in shown["Means by system"]}
    assert means["silent"][:5] == ["0.00"] * 5 and means["silent"][5] == "no value"


def test_every_table_of_means_has_n(html):
    for caption, rows in Cells(html).tables.items():
        if "mean" in caption.casefold():
            assert "n" in rows[0], caption


def test_two_runs_over_one_question_are_drawn_without_a_warning():
    golden = load_golden_set(paths.assets("templates")).subset(split="dev")
    run = {"q1": {"leave-annual": 1.0}}
    assert "1 equal" in report.page({"A": run, "B": run}, golden)


def test_the_lists_stand_side_by_side_with_grades_in_words(html):
    first = report.worst(SCORES["bm25"], DEV).index[0]
    rows = Cells(html).tables[f"{first}: lists side by side"]
    listed = report.side_by_side(first, RUNS, DEV)
    assert rows[0] == ["rank", "bm25", "hybrid"] and len(rows) == 11
    words = {2: "2, answers", 1: "1, part", 0: "0, no use"}
    for _, row in listed.iterrows():
        entry = rows[row["rank"]][rows[0].index(row["system"])]
        assert entry.startswith(words[row["grade"]]) and row["doc_id"] in entry


def test_what_nobody_judged_is_not_called_a_zero():
    runs = {"A": small_run(doc="d7"), "B": small_run(query="q1", doc="d1")}
    assert report.side_by_side("q0", runs, golden_set())["grade"].isna().tolist() == [True]
    html = report.page(runs, golden_set(), count=1)
    assert "not judged" in html and "nothing returned" in html


def test_what_has_no_value_is_never_shown_as_zero():
    asked = questions()
    asked["type"] = asked["type"].where(asked["answerable"], "nothing answers")
    golden = golden_set(questions=asked)
    table = report.by_type(report.score(small_run(), golden), golden)
    assert table.loc["nothing answers", ["mean", "low", "high"]].isna().all()
    assert table.at["nothing answers", "n"] == 0
    rows = Cells(report.page({"A": small_run()}, golden)).tables["nDCG@10 by type: mean and 95% interval"]
    assert next(row for row in rows if row[0] == "nothing answers")[1:] == ["no value", "0", "10"]


def test_twins_are_resampled_with_their_original():
    asked = questions()
    asked["twin_of"] = [f"q{n - 30}" if n >= 30 else "" for n in range(60)]
    run = pd.concat(small_run(f"q{n}", f"d{n % 50}") for n in range(60) if n % 30 < 12)
    twins, apart = golden_set(questions=asked), golden_set()
    widths = [t["high"] - t["low"] for t in (report.by_type(report.score(run, g), g) for g in (twins, apart))]
    assert widths[0]["all"] > 1.2 * widths[1]["all"]


def test_hostile_text_stays_text():
    bad = '<script>alert("x")</script>&<img src=http://x.y/z onerror=1>'
    golden = golden_set(
        questions=changed(changed(questions(), 0, text=bad, type=bad, lang='"><b>'), 1, text=bad),
        documents=changed(documents(), 3, title=bad, text=bad),
    )
    html = report.page({bad: small_run(doc="d3"), "B": small_run("q1", "d1")}, golden, count=3)
    assert "<script" not in html and "<b>" not in html and "<img src=http" not in html
    assert "&lt;script&gt;" in html


def test_nothing_is_fetched_and_nothing_runs(html):
    assert not re.search(r"<script|<link|@import|url\(|\son\w+=|(?:src|href)=\"(?!data:image/png)", html)
    assert all(len(alt) > 60 for alt in re.findall(r'<img alt="([^"]*)"', html))
    assert html.count("<img") == html.count("<figure>") == 3


def test_the_title_says_which_split(tmp_path, capsys):
    out = tmp_path / "report.html"
    for words, title in (
        ([], "dev split, 113 questions"),
        (["--split", "test"], "test split, "),
        (["--split", "all"], "splits dev and test together, "),
    ):
        assert main(["report", str(FILES["bm25"]), "--out", str(out), "--count", "1", *words]) == 0
        html = out.read_text(encoding="utf-8")
        assert f"<title>Retrieval report: {title}" in html
        assert ("The test split was opened" in html) == bool(words)
    assert capsys.readouterr().err == ""


def test_a_page_that_cannot_be_made_leaves_the_old_one(tmp_path, capsys):
    out, causes = tmp_path / "report.html", tmp_path / "causes.csv"
    out.write_text("old")
    causes.write_text("query_id,cause\nq1,bad luck\n")
    asked = ["report", str(FILES["bm25"]), "--out", str(out)]
    assert main([*asked, "--causes", str(causes)]) == 2
    assert "q1 has the cause 'bad luck'; expected one of vocabulary gap" in capsys.readouterr().err
    assert main([*asked, "--measure", "F1@10"]) == 2
    assert out.read_text() == "old" and sorted(p.name for p in tmp_path.iterdir()) == [
        "causes.csv",
        "report.html",
    ]


def test_movers_leave_out_what_did_not_move_or_has_no_value():
    moved = report.movers(SCORES["bm25"], SCORES["hybrid"], DEV, count=500)
    assert (moved["change"] != 0).all() and moved["change"].is_monotonic_increasing
    assert DEV.answerable[moved.index].all()


def test_a_hole_in_the_judgements_is_told_and_is_in_no_mean():
    golden = golden_set(qrels=changed(qrels(), 0, relevance=0))
    with pytest.warns(UserWarning, match="1 answerable question without a relevant document.*q0"):
        scores = report.score(small_run(), golden)
    assert scores.loc["q0"].isna().all()


def test_causes_are_counted_and_a_file_is_checked(tmp_path):
    counted = report.count_causes({"q2": "ambiguous", "q1": "language", "q3": "language"})
    assert counted["count"].to_dict() == {"language": 2, "ambiguous": 1} and set(counted["n"]) == {3}
    file = tmp_path / "causes.csv"
    file.write_text("query_id,cause\nq1,language\nq1,other\n")
    with pytest.raises(ValueError, match="question q1 twice"):
        report.read_causes(file)
    file.write_text("id,cause\nq1,language\n")
    with pytest.raises(ValueError, match="no column query_id; found id, cause"):
        report.read_causes(file)


def test_a_run_of_other_questions_is_refused():
    with pytest.raises(ValueError, match="answers none of the 60 questions.*found x1"):
        report.page({"A": small_run("x1")}, golden_set())


def test_the_heat_map_writes_every_number_and_n():
    _, (ax,) = plots.axes()
    plots.heat(ax, pd.DataFrame({"A": [0.504, float("nan")], "n": [3, 0]}, index=["x", "y"]))
    assert [t.get_text() for t in ax.texts] == ["0.50", "–"]
    assert [t.get_text() for t in ax.get_yticklabels()] == ["x (3)", "y (0)"]


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_has_no_accessibility_fault(scheme, html, tmp_path):
    file = tmp_path / "report.html"
    file.write_text(html, encoding="utf-8")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=QUIETLY)
        view = browser.new_page(color_scheme=scheme, java_script_enabled=True)
        asked = []
        view.on("request", lambda request: asked.append(request.url))
        view.goto(file.as_uri())
        found = Axe().run(view).response["violations"]
        dark = view.evaluate("getComputedStyle(document.body).backgroundColor") != "rgb(255, 255, 255)"
        browser.close()
    assert not found, [(v["id"], v["nodes"][0]["html"][:200]) for v in found]
    assert dark == (scheme == "dark")
    assert all(url.startswith(("file:", "data:")) for url in asked)
