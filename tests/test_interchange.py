"""The same data in every other tool's form and back: dicts, frames and files, against the installed peers."""

import io
import json

import ir_measures
import pandas as pd
import pytest
import pytrec_eval

from course_utils import evaluate
from course_utils.formats import read_beir, read_qrels, read_run, scan_run, write_beir, write_qrels, write_run
from course_utils.schema import check_qrels, check_run

QRELS = {"q1": {"d1": 2, "d2": 0, "d3": 1}, "q2": {"d4": 1}}
RUN = {"q1": {"d2": 0.75, "d1": 0.5, "d9": 0.25}, "q2": {"d4": 0.125}}
NAMES = ["Recall@2", "Precision@2", "nDCG@2"]


def as_dict(table):
    """A course frame as `{query: {document: value}}`, which pytrec_eval and ranx take."""
    value = table.columns[-1]
    return {
        query: dict(zip(rows["doc_id"], rows[value].tolist(), strict=True))
        for query, rows in table.groupby("query_id")
    }


def scores(qrels, run):
    return evaluate(qrels, run, NAMES).round(12).to_dict()


EXPECTED = scores(QRELS, RUN)


def test_frames_become_the_dicts_of_pytrec_eval_and_come_back():
    qrels, run = as_dict(check_qrels(QRELS)), as_dict(check_run(RUN))
    assert (qrels, run) == (QRELS, RUN)
    found = pytrec_eval.RelevanceEvaluator(qrels, {"recall.2", "P.2", "ndcg_cut.2"}).evaluate(run)
    for query, row in evaluate(qrels, run, NAMES).iterrows():
        theirs = [found[query][name] for name in ("recall_2", "P_2", "ndcg_cut_2")]
        assert row.tolist() == pytest.approx(theirs, abs=1e-9)


def test_pytrec_eval_reads_what_we_write_and_we_read_what_it_reads(tmp_path):
    write_run(RUN, tmp_path / "a.run")
    write_qrels(QRELS, tmp_path / "a.qrels")
    with (tmp_path / "a.run").open() as run, (tmp_path / "a.qrels").open() as qrels:
        theirs = pytrec_eval.parse_qrel(qrels), pytrec_eval.parse_run(run)
    assert theirs == (QRELS, RUN)
    assert (as_dict(read_qrels(tmp_path / "a.qrels")), as_dict(read_run(tmp_path / "a.run"))) == theirs


def test_ir_measures_takes_our_frames_and_dicts_and_gives_them_back():
    measures = [ir_measures.R @ 2, ir_measures.P @ 2, ir_measures.nDCG @ 2]
    means = evaluate(QRELS, RUN, NAMES).mean().tolist()
    for qrels, run in ((QRELS, RUN), (check_qrels(QRELS), check_run(RUN))):
        theirs = ir_measures.calc_aggregate(measures, qrels, run)
        assert [theirs[one] for one in measures] == pytest.approx(means, abs=1e-9)
    back = pd.DataFrame(ir_measures.read_trec_run(io.StringIO("q1 Q0 d2 1 0.75 t\nq2 Q0 d4 1 0.125 t\n")))
    assert back.columns.tolist() == ["query_id", "doc_id", "score"]
    assert check_run(back)["score"].tolist() == [0.75, 0.125]


def test_ir_measures_reads_what_we_write(tmp_path):
    write_run(RUN, tmp_path / "a.run")
    write_qrels(QRELS, tmp_path / "a.qrels")
    qrels = pd.DataFrame(ir_measures.read_trec_qrels(str(tmp_path / "a.qrels")))[
        ["query_id", "doc_id", "relevance"]
    ]
    run = pd.DataFrame(ir_measures.read_trec_run(str(tmp_path / "a.run")))
    assert scores(qrels, run) == EXPECTED


@pytest.mark.parametrize("ending", [".txt", ".txt.gz", ".csv", ".tsv", ".jsonl", ".jsonl.gz"])
def test_every_form_of_file_gives_the_same_scores(tmp_path, ending):
    run, qrels = tmp_path / f"run{ending}", tmp_path / f"qrels{ending}"
    write_run(RUN, run)
    write_qrels(QRELS, qrels)
    assert scores(read_qrels(qrels), read_run(run)) == EXPECTED
    assert scores(read_qrels(qrels), scan_run(run)) == EXPECTED


DOCUMENTS = pd.DataFrame(
    {"doc_id": ["d1", "d2"], "title": ["Leave", ""], "text": ["Twenty days.", "Der Schlüssel\n"]}
)
QUESTIONS = {"q1": "How many days off?", "q2": "कितने दिन?"}


def test_a_beir_folder_comes_back_as_it_was(tmp_path):
    write_beir(tmp_path / "set", DOCUMENTS, QUESTIONS, QRELS)
    found = read_beir(tmp_path / "set")
    pd.testing.assert_frame_equal(found.documents, DOCUMENTS)
    assert dict(zip(found.questions["query_id"], found.questions["text"], strict=True)) == QUESTIONS
    assert as_dict(found.qrels) == QRELS
    assert scores(found.qrels, RUN) == EXPECTED


def test_a_beir_folder_is_what_beir_writes(tmp_path):
    write_beir(tmp_path, DOCUMENTS, QUESTIONS, QRELS, split="dev")
    first = json.loads((tmp_path / "corpus.jsonl").read_text(encoding="utf-8").splitlines()[0])
    assert first == {"_id": "d1", "title": "Leave", "text": "Twenty days."}
    assert (tmp_path / "qrels" / "dev.tsv").read_text().splitlines()[:2] == [
        "query-id\tcorpus-id\tscore",
        "q1\td1\t2",
    ]
    (tmp_path / "corpus.jsonl").write_text('{"_id": "d1", "text": "no title", "metadata": {"url": 1}}\n')
    assert read_beir(tmp_path, split="dev").documents.to_dict("list") == {
        "doc_id": ["d1"],
        "title": [""],
        "text": ["no title"],
    }


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"_id": "q1"', "line 2: no JSON"),
        ("[1]", "line 2: list, expected an object"),
        ('{"_id": 7, "text": "a"}', "line 2: expected the texts _id, text"),
        ('{"_id": "q1"}', "line 2: expected the texts _id, text"),
        ('{"_id": "q0", "text": "again"}', "q0 stands twice"),
    ],
)
def test_a_bad_line_of_a_beir_folder_is_refused_with_its_place(tmp_path, line, message):
    write_beir(tmp_path, DOCUMENTS, QUESTIONS, QRELS)
    path = tmp_path / "queries.jsonl"
    path.write_text(f'{{"_id": "q0", "text": "a"}}\n{line}\n')
    with pytest.raises(ValueError, match=message) as error:
        read_beir(tmp_path)
    assert str(error.value).startswith(str(path))


def test_documents_without_texts_are_refused(tmp_path):
    with pytest.raises(ValueError, match="expected a DataFrame with doc_id, text"):
        write_beir(tmp_path, DOCUMENTS.drop(columns="text"), QUESTIONS, QRELS)


def pieces():
    yield pd.DataFrame({"query_id": ["q1"] * 3, "doc_id": ["d2", "d1", "d9"], "score": [0.75, 0.5, 0.25]})
    yield pd.DataFrame({"query_id": ["q2"], "doc_id": ["d4"], "score": [0.125]})


def test_a_run_may_come_in_pieces():
    assert scores(QRELS, pieces()) == EXPECTED


def test_a_query_in_two_pieces_is_refused_where_the_pieces_cannot_be_had_again():
    with pytest.raises(ValueError, match="a query comes back in a later piece; give all its rows in one"):
        evaluate(QRELS, iter([*pieces(), next(pieces())]))


def test_a_scanned_file_with_a_fault_is_refused_with_file_and_line(tmp_path):
    path = tmp_path / "a.run"
    path.write_text("q1 Q0 d2 1 0.9 t\nq2 Q0 d4 1 0.9 t\nq1 Q0 d2 2 0.8 t\n")
    with pytest.raises(ValueError, match=r"a\.run: q1 returns d2 twice \(lines 1 and 3\); keep one"):
        evaluate(QRELS, scan_run(path))
    path.write_text("q1 Q0 d2 1 nan t\n")
    with pytest.raises(ValueError, match=r"a\.run, line 1: score nan is not a finite number"):
        evaluate(QRELS, scan_run(path))


def test_long_ids_that_share_a_key_are_told_apart(tmp_path, monkeypatch):
    monkeypatch.setattr(
        "course_utils.formats._fast._keys", lambda words: words[0]
    )  # the first eight bytes only
    path = tmp_path / "a.run"
    path.write_text("q1 Q0 document-2 1 0.9 t\nq1 Q0 document-1 2 0.8 t\n")
    assert evaluate({"q1": {"document-1": 1}}, scan_run(path), ["RR"]).loc["q1", "RR"] == 0.5
    path.write_text("q1 Q0 document-2 1 0.9 t\n")
    assert evaluate({"q1": {"document-1": 1}}, scan_run(path), ["RR"]).loc["q1", "RR"] == 0
