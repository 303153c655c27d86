"""The one door: what comes out is always of one shape, what has no right value is refused."""

import numpy as np
import pandas as pd
import pytest

from course_utils.schema import CourseWarning, check_qrels, check_questions, check_run

QRELS = pd.DataFrame({"query_id": ["q1", "q1", "q2"], "doc_id": ["a", "b", "a"], "relevance": [2, 0, 1]})


def frame(**columns):
    whole = {"query_id": ["q1", "q1"], "doc_id": ["a", "b"], "relevance": [1, 0], "score": [0.9, 0.1]}
    return pd.DataFrame(whole | columns)


def refusal(check, *arguments):
    with pytest.raises(ValueError) as error:
        check(*arguments)
    return str(error.value)


def test_frame_and_dict_give_the_same():
    as_dict = {"q1": {"a": 2, "b": 0}, "q2": {"a": 1}}
    pd.testing.assert_frame_equal(check_qrels(as_dict), check_qrels(QRELS))


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"q1": {"a": 1.0}},
        {1: {7: np.int64(1)}},
        frame(),
        frame(query_id=[1, 1], doc_id=np.array([3, 4])),
        frame(doc_id=pd.Categorical(["a", "b"]), relevance=pd.array([1, 0], dtype="Int64")),
        frame().set_index(pd.Index([7, 7])),
        QRELS.iloc[::-1],
    ],
)
def test_what_comes_out_has_one_shape(given):
    clean = check_qrels(given)
    assert list(clean.columns) == ["query_id", "doc_id", "relevance"]
    assert clean.dtypes.astype(str).tolist() == ["str", "str", "int64"]
    assert list(clean.index) == list(range(len(clean)))


def test_scores_become_float64():
    for scores in ([1, 2], [True + 1, 0.5], np.array([1, 2], dtype=np.float32)):
        assert check_run(frame(score=scores))["score"].dtype == np.float64
    assert check_run({"q1": {"a": -3, "b": np.float32(0.5)}})["score"].to_list() == [-3.0, 0.5]


def test_inputs_are_not_changed():
    given, before = frame(relevance=[1.0, 0.0]), frame(relevance=[1.0, 0.0])
    check_qrels(given)
    check_run(given)
    check_questions(pd.DataFrame({"query_id": ["q1"], "text": ["when?"]}))
    pd.testing.assert_frame_equal(given, before)


def test_other_names_are_told_with_the_renaming():
    renamed = frame().rename(columns={"query_id": "qid", "doc_id": "docno", "relevance": "label"})
    assert refusal(check_qrels, renamed) == (
        "qrels has no column query_id, doc_id, relevance; found qid, docno, label, score. "
        "Rename: qrels.rename(columns={'qid': 'query_id', 'docno': 'doc_id', 'label': 'relevance'})"
    )
    assert refusal(check_run, frame()[["query_id", "doc_id"]]) == (
        "run has no column score; found query_id, doc_id. Expected query_id, doc_id, score"
    )


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("qrels.txt", "qrels is a path ('qrels.txt'); read it first, with read_qrels or read_run"),
        ([("q1", "a", 1)], "qrels is a list; expected a DataFrame with query_id, doc_id, relevance or"),
        ({"q1": ["a"]}, "qrels: query 'q1' holds a list; expected {doc_id: relevance}"),
        (frame(doc_id=["a", None]), "qrels: doc_id is missing in row 1"),
        (frame(doc_id=["", "b"]), "qrels: doc_id is empty in row 0"),
        (frame(query_id=["q1", 1]), "qrels: query_id mixes text ('q1') and numbers (1); make all text"),
        (frame(doc_id=[1.0, 2.0]), "qrels: doc_id holds float (1.0); ids are text or whole numbers"),
        (frame(doc_id=[True, False]), "qrels: doc_id holds bool (True); ids are text or whole numbers"),
        (frame(relevance=[0.5, 1]), "relevance in row 0 is 0.5: not a whole number (rescale, e.g. x2)"),
        (frame(relevance=[True, False]), "qrels: relevance holds bool (True) in row 0; expected a number"),
        (frame(relevance=[1, True]), "qrels: relevance holds bool (True) in row 1; expected a number"),
        (frame(relevance=["1", "0"]), "qrels: relevance holds str ('1') in row 0; expected a number"),
        (frame(relevance=[1, np.nan]), "qrels: relevance in row 1 is nan; expected a whole number"),
        (frame(relevance=pd.array([1, None], dtype="Int64")), "qrels: relevance in row 1 is nan"),
        (frame(relevance=[1, np.inf]), "qrels: relevance in row 1 is inf; expected a whole number"),
        (frame(relevance=[10**30, 1]), "qrels: relevance in row 0 is 1e+30; expected a whole number"),
        (frame(relevance=[10**400, 1]), "qrels: relevance holds int (1000"),
        (pd.concat([QRELS, QRELS], axis=1), "qrels has the column query_id twice; keep one"),
    ],
)
def test_bad_judgements_are_refused(given, message):
    assert message in refusal(check_qrels, given)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (frame(score=[np.nan, 1]), "run: q1: score of a is NaN; expected a finite number"),
        (frame(score=[None, 1]), "run: q1: score of a is NaN; expected a finite number"),
        ({"q1": {"a": 1.0, "b": -np.inf}}, "run: q1: score of b is -inf; expected a finite number"),
        (frame(score=["0.9", "0.1"]), "run: score holds str ('0.9') in row 0; expected a number"),
        (frame(score=[1, 1j]), "run: score holds complex ((1+0j)) in row 0; expected a number"),
        (frame(doc_id=["a", "a"]), "run: q1 returns a twice (rows 0 and 1); keep one, usually the better"),
    ],
)
def test_bad_runs_are_refused(given, message):
    assert message in refusal(check_run, given)


def test_two_grades_for_one_document_are_refused():
    both = pd.concat([QRELS, QRELS.assign(relevance=[2, 0, 0])])
    assert refusal(check_qrels, both) == (
        "qrels: q2 a judged twice with grades 1 (row 2) and 0 (row 5); keep the right one"
    )


def test_the_same_judgement_twice_is_kept_once_with_a_warning():
    with pytest.warns(CourseWarning, match="^qrels: 3 duplicate judgements with the same grade, kept once$"):
        clean = check_qrels(pd.concat([QRELS, QRELS]))
    pd.testing.assert_frame_equal(clean, check_qrels(QRELS))


def test_the_warning_points_at_this_file():
    with pytest.warns(CourseWarning) as caught:
        check_qrels(pd.concat([QRELS, QRELS]))
    assert caught[0].filename == __file__


def test_questions_in_every_form():
    expected = [("q1", "when?"), ("q2", "who?")]
    forms = [
        dict(expected),
        pd.Series(dict(expected)),
        ["when?", "who?"],
        pd.DataFrame(expected, columns=["query_id", "text"], index=[5, 5]),
    ]
    for form in forms:
        clean = check_questions(form)
        assert list(clean.itertuples(index=False, name=None)) == expected
        assert clean.dtypes.astype(str).tolist() == ["str", "str"]


def test_further_columns_of_questions_are_kept():
    given = pd.DataFrame({"type": ["keyword"], "text": ["when?"], "query_id": ["q1"]})
    assert check_questions(given).to_dict("list") == {
        "query_id": ["q1"],
        "text": ["when?"],
        "type": ["keyword"],
    }


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("when?", "questions is a str; expected {query_id: text}, a Series, a list of texts or a DataFrame"),
        ({"q1": " "}, "questions: q1 has the text ' '; expected words"),
        ({"q1": None}, "questions: q1 has the text None; expected words"),
        (pd.Series(["a", "b"], index=["q1", "q1"]), "questions: q1 stands twice; ids must be unique"),
        (
            pd.DataFrame({"qid": ["q1"], "text": ["a"]}),
            "Rename: questions.rename(columns={'qid': 'query_id'})",
        ),
    ],
)
def test_bad_questions_are_refused(given, message):
    assert message in refusal(check_questions, given)
