"""Files from every editor and tool: read rightly or refused with file and line, and written exactly."""

import gzip
import re
from unittest.mock import patch

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from course_utils import formats
from course_utils.formats import _pieces, _ranks, read_qrels, read_run, write_qrels, write_run
from course_utils.schema import CourseWarning

bounded = settings(max_examples=200, deadline=None, database=None, derandomize=True)
QRELS = "q1 0 d1 1\nq1 0 d2 0\nq2 0 d3 2\n"
RUN = "q1 Q0 d2 1 0.9 t\nq1 Q0 d1 2 0.8 t\nq2 Q0 d3 1 -7e-1 t\n"
QRELS_ROWS = [("q1", "d1", 1), ("q1", "d2", 0), ("q2", "d3", 2)]
RUN_ROWS = [("q1", "d2", 0.9), ("q1", "d1", 0.8), ("q2", "d3", -0.7)]


def rows(table):
    return list(table.itertuples(index=False, name=None))


@pytest.fixture
def file(tmp_path):
    def write(content):
        path = tmp_path / "file.txt"
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write


DISGUISES = {
    "plain": lambda text: text.encode(),
    "byte order mark": lambda text: b"\xef\xbb\xbf" + text.encode(),
    "CRLF": lambda text: text.replace("\n", "\r\n").encode(),
    "CR only": lambda text: text.replace("\n", "\r").encode(),
    "tabs": lambda text: text.replace(" ", "\t").encode(),
    "double and trailing blanks": lambda text: text.replace(" ", "  ").replace("\n", " \n").encode(),
    "leading blanks": lambda text: b"  " + text.encode(),
    "blank lines": lambda text: ("\n" + text.replace("\n", "\n\n")).encode(),
    "comment lines": lambda text: ("# made in May\n" + text + "  # end\n").encode(),
    "no last newline": lambda text: text.rstrip("\n").encode(),
    "gzip": lambda text: gzip.compress(text.encode()),
    "gzip, mark and CRLF": lambda text: gzip.compress(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode()),
}


@pytest.mark.parametrize("disguise", DISGUISES)
def test_every_disguise_of_a_file_is_read_rightly(file, disguise):
    assert rows(read_qrels(file(DISGUISES[disguise](QRELS)))) == QRELS_ROWS
    assert rows(read_run(file(DISGUISES[disguise](RUN)))) == RUN_ROWS


def test_what_is_read_has_the_shape_of_the_schema(file):
    assert read_qrels(file(QRELS)).dtypes.astype(str).tolist() == ["str", "str", "int64"]
    for disguise in ("plain", "CRLF"):  # the quick and the careful way
        assert read_run(file(DISGUISES[disguise](RUN))).dtypes.astype(str).tolist() == [
            "str",
            "str",
            "float64",
        ]


@pytest.mark.parametrize(
    "text",
    [
        "query-id\tcorpus-id\tscore\nq1\td1\t1\nq1\td2\t0\nq2\td3\t2\n",
        "query_id,doc_id,relevance\nq1,d1,1\nq1,d2,0\nq2,d3,2\n",
        'relevance;doc_id;note;qid\n1;d1;"a; b";q1\n0;d2;;q1\n2;d3;;q2\n',
        "query_id doc_id relevance\nq1 d1 1.0\nq1 d2 0\nq2 d3 2\n",
        '{"query_id": "q1", "doc_id": "d1", "relevance": 1}\n{"query_id": "q1", "doc_id": "d2", "relevance": 0}\n'
        '{"doc_id": "d3", "query_id": "q2", "relevance": 2.0}\n',
    ],
)
def test_tables_and_json_lines_are_read(file, text):
    assert rows(read_qrels(file(text))) == QRELS_ROWS
    assert rows(read_run(file(text.replace("relevance", "score")))) == [
        (q, d, float(v)) for q, d, v in QRELS_ROWS
    ]


def test_all_after_the_score_is_the_tag(file):
    assert rows(read_run(file("q1 Q0 d1 1 0.9 my own tag\n"))) == [("q1", "d1", 0.9)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "q1 Q0 d1 1 0.9 t\nq1 Q0 d2 2 0.8\n",
            "line 2: 5 fields, expected 6 (query_id Q0 doc_id rank score tag)",
        ),
        (
            QRELS,
            "line 1: 4 fields, expected 6 (query_id Q0 doc_id rank score tag); this looks like judgements",
        ),
        ("q1 Q0 d1 1 nan t\n", "line 1: score nan is not a finite number"),
        ("q1 Q0 d1 1 inf t\n", "line 1: score inf is not a finite number"),
        ("q1 Q0 d1 1 1e999 t\n", "line 1: score 1e999 is not a finite number"),
        ("q1 Q0 d1 1 0,9 t\n", "line 1: score 0,9 is not a finite number; write a decimal point"),
        ("q1 Q0 d1 1 1_0 t\n", "line 1: score 1_0 is not a finite number"),
        ("q1 Q0 d1 1 True t\n", "line 1: score True is not a finite number"),
        ("q1 Q0 d1 first 0.9 t\n", "line 1: rank 'first' is not a whole number"),
        (
            "q1 Q0 d1 1 0.9 t\nq1 Q0 d 2 1 0.8 t\n",
            "line 2: the score may be 1 or 0.8; an id must not hold a blank",
        ),
        ("q1 Q0 d 1 1 0.9 t\n", "line 1: the score may be 1 or 0.9; an id must not hold a blank"),
        (
            "q1 Q0 d2 1 0.9 t\nq1 Q0 d1 2 0.8 t\nq1 Q0 d2 3 0.1 t\n",
            "q1 returns d2 twice (lines 1 and 3); keep one",
        ),
        ("", " has no line of data"),
        ("\n# nothing yet\n", " has no line of data"),
        (RUN.encode("utf-16"), " is UTF-16 or no text (found b'\\xff\\xfeq\\x00'); save it as UTF-8"),
        (RUN.encode("utf-16-le"), " is UTF-16 or no text"),
        (
            RUN.replace("d1", "d\u00e9").encode("latin-1"),
            "line 2: byte 0xe9 is not UTF-8; save the file as UTF-8",
        ),
        (gzip.compress(RUN.encode(), mtime=0)[:-6], " is a broken gzip file"),
        ("query_id,doc_id,score\nq1,d1\n", "line 2: 2 fields, expected 3 (query_id, doc_id, score)"),
        ("query_id,doc_id,score\nq1,,0.5\n", "line 2: an id is empty"),
        ("query_id,doc_id,rank\nq1,d1,1\n", "line 1: no column score; found query_id, doc_id, rank"),
        ('{"query_id": "q1", "doc_id": 7, "score": 1}\n', "line 1: id 7; expected text"),
        ('{"query_id": "q1", "doc_id": "d1", "score": NaN}\n', "line 1: score nan is not a finite number"),
        ('{"query_id": "q1", "doc_id": "d1"\n', "line 1: no JSON"),
        ('{"query_id": "q1", "doc_id": "d1", "score": true}\n', "line 1: score True is not a number"),
    ],
)
def test_a_bad_run_is_refused_with_file_and_line(file, text, message):
    path = file(text)
    with pytest.raises(ValueError) as error:
        read_run(path)
    assert str(error.value).startswith(str(path))
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("q1 0 d1\n", "line 1: 3 fields, expected 4 (query_id 0 doc_id grade)"),
        (
            RUN,
            "line 1: 6 fields, expected 4 (query_id 0 doc_id grade); this looks like a run: read_run reads it",
        ),
        ("q1 0 a 0.5\nq1 0 b 1.0\n", "line 1: grade 0.5 is not a whole number (rescale, e.g. x2)"),
        ("q1 0 a True\n", "line 1: grade True is not a whole number"),
        ("q1 0 a 1e30\n", "line 1: grade 1e30 is not a whole number"),
        ("q1 0 a nan\n", "line 1: grade nan is not a whole number"),
        ("q1 0 d 1 1\n", "line 1: 5 fields, expected 4"),
        (
            "q1 0 d1 1\nq1 0 d2 0\nq1 0 d1 0\n",
            ": q1 d1 judged twice with grades 1 (line 1) and 0 (line 3); keep the right one",
        ),
    ],
)
def test_bad_judgements_are_refused_with_file_and_line(file, text, message):
    path = file(text)
    with pytest.raises(ValueError) as error:
        read_qrels(path)
    assert str(error.value).startswith(str(path))
    assert message in str(error.value)


def test_the_same_judgement_twice_is_kept_once_with_a_warning(file):
    with pytest.warns(CourseWarning, match=": 3 duplicate judgements with the same grade, kept once$"):
        assert rows(read_qrels(file(QRELS + QRELS))) == QRELS_ROWS


@pytest.mark.parametrize("end", ["\n", "\r\n"])  # the quick and the careful way
def test_a_rank_column_that_contradicts_the_scores_is_a_warning(file, end):
    text = RUN.replace("0.9", "0.1").replace("\n", end)
    with pytest.warns(CourseWarning) as caught:
        assert read_run(file(text))["score"].to_list() == [0.1, 0.8, -0.7]
    assert [str(one.message).split(": ", 1)[1] for one in caught] == [
        "the rank column contradicts the scores in 1 of 2 queries (for instance q1); scores are used; "
        "if they are distances, negate them"
    ]


def test_equal_ranks_and_equal_scores_contradict_nothing(file):
    assert len(read_run(file("q1 Q0 a 0 0.1 t\nq1 Q0 b 0 0.9 t\nq2 Q0 a 1 0.5 t\nq2 Q0 b 2 0.5 t\n"))) == 4


def test_row_order_does_not_hide_a_right_rank(file):
    assert len(read_run(file("q1 Q0 b 2 0.1 t\nq2 Q0 c 1 0.5 t\nq1 Q0 a 1 0.9 t\n"))) == 3


def test_a_missing_file_is_said_as_such(tmp_path):
    with pytest.raises(FileNotFoundError):
        read_run(tmp_path / "none.run")


def test_runs_are_rounded_before_they_are_sorted(tmp_path):
    write_run({"q": {"a": 0.12345649, "b": 0.12345651, "c": -0.0000001}}, tmp_path / "a.run", tag="bm25")
    assert (tmp_path / "a.run").read_text() == (
        "q Q0 b 1 0.123457 bm25\nq Q0 a 2 0.123456 bm25\nq Q0 c 3 0.000000 bm25\n"
    )
    write_run({"q": {"a": 0.30000004, "b": 0.30000001}}, tmp_path / "a.run")
    assert [row[1] for row in rows(read_run(tmp_path / "a.run"))] == ["b", "a"]


@pytest.mark.parametrize(
    ("run", "tag", "message"),
    [
        ({}, "t", "nothing to write to "),
        ({"q": {"d 1": 1.0}}, "t", "doc_id 'd 1' cannot stand in a TREC file"),
        ({"q": {"d\u00a01": 1.0}}, "t", "cannot stand in a TREC file"),
        ({"#q": {"d": 1.0}}, "t", "query_id '#q' cannot stand in a TREC file"),
        ({"\ufeffq": {"d": 1.0}}, "t", "cannot stand in a TREC file"),
        ({"q": {"d": 1.0}}, "my tag", "tag 'my tag' must be one word"),
    ],
)
def test_what_a_file_cannot_hold_is_not_written(tmp_path, run, tag, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        write_run(run, tmp_path / "a.run", tag=tag)
    assert list(tmp_path.iterdir()) == []


def test_a_write_that_fails_leaves_the_old_file(tmp_path):
    path = tmp_path / "a.run"
    write_run({"q": {"d": 1.0}}, path)
    before = path.read_text()
    with (
        patch("pathlib.Path.replace", side_effect=OSError("disk full")),
        pytest.raises(OSError, match="disk full"),
    ):
        write_run({"q": {"d": 2.0}}, path)
    assert path.read_text() == before
    assert list(tmp_path.iterdir()) == [path]


def test_the_same_run_gives_the_same_bytes(tmp_path):
    for name in ("a.run.gz", "b.run.gz"):
        write_run({"q": {"d": 1.0}}, tmp_path / name)
    assert (tmp_path / "a.run.gz").read_bytes() == (tmp_path / "b.run.gz").read_bytes()
    assert rows(read_run(tmp_path / "a.run.gz")) == [("q", "d", 1.0)]


ids = st.text(st.characters(codec="utf-8", exclude_categories=["Z", "C"]), min_size=1, max_size=6)
queries = ids.filter(lambda one: one[0] not in "#{")
scores = st.floats(allow_nan=False, allow_infinity=False)


@bounded
@given(st.dictionaries(queries, st.dictionaries(ids, scores, min_size=1, max_size=6), min_size=1, max_size=4))
def test_runs_come_back_as_they_were(tmp_path_factory, run):
    path = tmp_path_factory.getbasetemp() / "again.run"
    write_run(run, path)
    expected = []
    for query, found in run.items():
        rounded = {document: float(f"{score:.6f}") for document, score in found.items()}
        order = sorted(rounded, key=lambda document: (rounded[document], document), reverse=True)
        expected += [(query, document, rounded[document]) for document in order]
    assert rows(read_run(path)) == expected


@bounded
@given(
    st.dictionaries(queries, st.dictionaries(ids, st.integers(-3, 2**53), min_size=1), min_size=1, max_size=4)
)
def test_judgements_come_back_as_they_were(tmp_path_factory, qrels):
    path = tmp_path_factory.getbasetemp() / "again.txt"
    write_qrels(qrels, path)
    assert rows(read_qrels(path)) == [(q, d, grade) for q, row in qrels.items() for d, grade in row.items()]


words = st.sampled_from(
    ["q1", "q2", "Q0", "0", "d1", "d2", "1", "2", "0.9", "-3", "1e3", "nan", "0,9", "t", "#", "", "\u00e9"]
)
spaces = st.sampled_from([" ", " ", " ", "\t", "  ", "\n", "\n", "\r\n", "\r", "\x0b", "\x00", "\ufeff"])
junk = st.lists(st.tuples(words, spaces), max_size=40).map(lambda parts: "".join(w + s for w, s in parts))
line = st.tuples(
    st.sampled_from(["q1", "q2"]), st.integers(1, 30), st.integers(-2, 30), st.sampled_from("tu")
)
almost = st.lists(line, max_size=8).map(
    lambda some: "".join(f"{q} Q0 d{d} {abs(s)} {s / 8} {t}\n" for q, d, s, t in some)
)


@bounded
@given(st.one_of(junk, st.tuples(almost, junk).map("".join), st.tuples(almost, junk, almost).map("".join)))
def test_the_quick_and_the_careful_way_agree_on_anything(tmp_path_factory, text):
    path = tmp_path_factory.getbasetemp() / "fuzz.run"
    path.write_bytes(text.encode())
    with patch.object(_pieces, "read_block", return_value=None):
        careful = outcome(path)
    assert outcome(path) == careful


@bounded
@given(st.one_of(st.binary(max_size=60), junk.map(str.encode)))
def test_any_bytes_are_read_or_refused(tmp_path_factory, data):
    path = tmp_path_factory.getbasetemp() / "fuzz.bin"
    path.write_bytes(data)
    for read in (read_run, read_qrels):
        said = outcome(path, read)
        assert isinstance(said, list) or said.startswith(str(path))


def outcome(path, read=read_run):
    """The rows, or the words of the refusal."""
    try:
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(formats, "warn", lambda message: None)
            patched.setattr(_ranks, "warn", lambda message: None)
            return rows(read(path))
    except ValueError as error:
        return str(error)


def test_the_quick_way_is_taken_for_a_plain_file(file):
    assert _pieces.read_block(RUN.encode()) is not None
    assert _pieces.read_block(RUN.replace("\n", "\r\n").encode()) is None
    assert isinstance(read_run(file(RUN)), pd.DataFrame)
