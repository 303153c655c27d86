"""Readers on hostile files: refused with a ValueError that names the file, or the numbers that a naive reader finds.

The naive reader is written here, line by line, and knows only what the README promises of TREC text.
"""

import math
import re
import warnings
from itertools import pairwise
from pathlib import Path
from unittest.mock import patch

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from course_utils import evaluate
from course_utils.formats import _pieces, read_qrels, read_run, scan_run, write_qrels, write_run
from course_utils.formats._text import blocks
from course_utils.schema import CourseWarning

bounded = settings(max_examples=150, deadline=None, database=None, derandomize=True)
PLAIN = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)


def naive_run(text):
    """{(query, document): score} of text that is TREC all through; None if any line is not."""
    found = {}
    for line in re.split(r"\r\n|\r|\n", text.removeprefix("\ufeff")):
        fields = [field for field in re.split(r"[ \t]+", line.strip(" \t")) if field]
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        numeric = len(fields) >= 6 and re.fullmatch(r"[+-]?\d+(\.0*)?", fields[3], re.ASCII)
        if not numeric or not PLAIN.fullmatch(fields[4]) or math.isinf(float(fields[4])):
            return None
        if (fields[0], fields[2]) in found or (len(fields) > 6 and PLAIN.fullmatch(fields[5])):
            return None
        found[fields[0], fields[2]] = float(fields[4])
    return found or None


def naive_qrels(text):
    found = {}
    for line in re.split(r"\r\n|\r|\n", text.removeprefix("\ufeff")):
        fields = [field for field in re.split(r"[ \t]+", line.strip(" \t")) if field]
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        if len(fields) != 4 or not re.fullmatch(r"[+-]?\d+(\.0*)?", fields[3], re.ASCII):
            return None
        grade = int(fields[3].split(".")[0])
        if abs(grade) > 2**53 or found.setdefault((fields[0], fields[2]), grade) != grade:
            return None
    return found or None


def outcome(read, path):
    """What a reader says of a file: {(query, document): number}, or None if it refuses; anything else fails."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", CourseWarning)
            table = read(path)
    except ValueError as error:
        assert str(error).startswith(str(path)), "a refusal names the file"
        return None
    query, document, number = (table[column].tolist() for column in table.columns)
    return dict(zip(zip(query, document, strict=True), number, strict=True))


def read_scanned(path):
    return pd.concat(scan_run(path)) if naive_run(path.read_bytes().decode()) else read_run(path)


ODD = [
    "0",
    "-0",
    ".5",
    "5.",
    "+1",
    "1e3",
    "1E-3",
    "1e999",
    "007",
    "nan",
    "inf",
    "True",
    "1_0",
    "0x1",
    "1,5",
    "\u00bd",
]
ODD += ["\u0661", "NA", "--1", "1e"]
GRADES = [
    "0",
    "1",
    "2",
    "-1",
    "+1",
    "1.0",
    "1.",
    "0.5",
    "1e0",
    "x",
    "9007199254740992",
    "9007199254740993",
    "00",
    "-",
]
ids = st.sampled_from(
    ["q1", "q2", "d1", "d22", "d-long-0001", "d-long-0002", "7", "é", "क", "a#b", '"', "a,b"]
)
numbers = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.floats(-9, 9).map("{:.6f}".format),
    st.floats(-9, 9).map("{:.20f}".format),
    st.integers(-(10**25), 10**25).map(str),
    st.sampled_from(ODD),
)
ranks = st.one_of(
    st.integers(0, 30).map(str), st.sampled_from(["1.0", "x", "-3", "99999999999999999999", "1e1", "+2"])
)
gap = st.sampled_from([" ", " ", " ", " ", "\t", "  ", "\u00a0", "\x0c"])
ends = st.sampled_from(["\n", "\n", "\n", "\n", "\r\n", "\r", "\n\n", "\n# note\n", ""])


@st.composite
def lines(draw, fields, plain):
    """A file of up to ten lines; if `plain`, one blank parts the fields and every line ends in LF."""
    text = draw(st.sampled_from(["", "", "", "\ufeff", "# c\n"])) if not plain else ""
    for _ in range(draw(st.integers(0, 10))):
        words = [draw(field) for field in fields]
        text += words[0] + "".join((" " if plain else draw(gap)) + word for word in words[1:])
        text += "\n" if plain else draw(ends)
    return text


tag = st.sampled_from(["t", "t", "t", "my tag", "7 8", ""])
run_fields = [ids, st.sampled_from(["Q0", "0"]), ids, ranks, numbers, tag]
whole_fields = [ids, st.just("Q0"), ids, st.integers(1, 9).map(str), st.floats(-9, 9).map(repr), st.just("t")]
grades = st.sampled_from(GRADES)
qrels_fields = [ids, st.just("0"), ids, grades]


@bounded
@given(
    st.one_of(lines(run_fields, plain=False), lines(run_fields, plain=True), lines(whole_fields, plain=True))
)
def test_a_run_is_refused_or_what_a_naive_reader_finds(tmp_path_factory, text):
    path = tmp_path_factory.getbasetemp() / "naive.run"
    path.write_bytes(text.encode())
    expected = naive_run(text)
    assert outcome(read_run, path) == expected
    assert outcome(read_scanned, path) == expected


@bounded
@given(st.one_of(lines(qrels_fields, plain=False), lines(qrels_fields, plain=True)))
def test_judgements_are_refused_or_what_a_naive_reader_finds(tmp_path_factory, text):
    path = tmp_path_factory.getbasetemp() / "naive.txt"
    path.write_bytes(text.encode())
    assert outcome(read_qrels, path) == naive_qrels(text)


@bounded
@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(1, 99)), max_size=30), st.integers(1, 64))
def test_blocks_are_the_file_and_cut_no_list_in_two(tmp_path_factory, rows, size):
    path = tmp_path_factory.getbasetemp() / "blocks.run"
    path.write_bytes(b"".join(b"%s Q0 d%d\n" % (query.encode(), number) for query, number in rows))
    found = list(blocks(path, size))
    assert b"".join(text for _, text in found) == path.read_bytes()
    before = 1
    for number, text in found:
        assert number == before
        before += text.count(b"\n")
    for (_, left), (_, right) in pairwise(found):
        assert left.splitlines()[-1].split()[0] != right.splitlines()[0].split()[0]


judged = st.dictionaries(
    st.sampled_from(["q1", "q2", "q3"]), st.dictionaries(ids, st.integers(-1, 3), min_size=1), min_size=1
)


@bounded
@given(judged, lines(whole_fields, plain=True), st.integers(1, 200))
def test_a_scanned_run_is_scored_as_one_that_was_read(tmp_path_factory, qrels, text, size):
    path = tmp_path_factory.getbasetemp() / "scan.run"
    path.write_bytes(text.encode())

    def said(load):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                table = evaluate(qrels, load(path), ["Recall@2", "RR", "nDCG@3"])
                return table.to_csv(), sorted({str(one.message) for one in caught})
            except ValueError as error:
                return str(error)

    with patch.object(_pieces, "blocks", lambda file: blocks(file, size)):
        assert said(scan_run) == said(read_run)


exact = st.text(st.characters(codec="utf-8", exclude_categories=["Z", "C"]), min_size=1, max_size=12)
names = exact.filter(lambda one: one[0] not in "#{")


@pytest.mark.parametrize("ending", [".csv", ".tsv", ".jsonl", ".csv.gz"])
@settings(bounded, max_examples=60)
@given(
    run=st.dictionaries(
        names,
        st.dictionaries(exact.filter(lambda one: one[0] != "#"), st.floats(-1e300, 1e300), min_size=1),
        min_size=1,
        max_size=3,
    )
)
def test_tables_come_back_to_the_last_bit(tmp_path_factory, ending, run):
    path = Path(tmp_path_factory.getbasetemp(), "again" + ending)
    write_run(run, path)
    flat = {(query, document): score for query, row in run.items() for document, score in row.items()}
    assert outcome(read_run, path) == flat
    grades = {query: dict.fromkeys(row, 2) for query, row in run.items()}
    write_qrels(grades, path)
    assert outcome(read_qrels, path) == dict.fromkeys(flat, 2)
