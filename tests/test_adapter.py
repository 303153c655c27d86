"""Asking your own system: what it may return, what is recorded when it breaks, and what is never lost."""

import asyncio
import functools
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections import namedtuple
from dataclasses import dataclass
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace
from urllib.parse import parse_qs, quote, urlsplit
from urllib.request import urlopen
from uuid import UUID

import numpy as np
import pandas as pd
import pytest

from course_utils import ledger, report
from course_utils.__main__ import main
from course_utils.abstention import outcomes, scored
from course_utils.adapter import Answers, ask, failed_file, failures, read_failed
from course_utils.formats import read_run
from course_utils.schema import CourseWarning
from golden import changed, golden_set
from sources import ROOT

THREE = {"q1": "one", "q2": "two", "q3": "three"}


def quiet(search, questions=THREE, k=10, **options):
    return ask(search, questions, k, progress=False, **options)


def of_one(result, k=10):
    """Return the list made of one result, as (id, score)."""
    run = quiet(lambda question: result, {"q1": "one"}, k).run
    return list(zip(run["doc_id"], run["score"], strict=True))


@dataclass
class ScoredPoint:
    """A result of Qdrant's client."""

    id: int
    score: float
    payload: dict
    version: int = 0


Hit = namedtuple("Hit", "text doc_id score")
PAIRS = [("d7", 0.75), ("d3", 0.5)]

SHAPES = {
    "pairs": PAIRS,
    "pairs as lists": [list(pair) for pair in PAIRS],
    "a generator": (pair for pair in PAIRS),
    "a zip": zip(*zip(*PAIRS, strict=True), strict=True),
    "a dict": {"d3": 0.5, "d7": 0.75},
    "a Series": pd.Series({"d7": 0.75, "d3": 0.5}),
    "a DataFrame": pd.DataFrame(PAIRS, columns=["docno", "score"]).assign(rank=[1, 2]),
    "a retriever's frame": pd.DataFrame(PAIRS, columns=["doc_id", "score"]).assign(query_id="q9"),
    "dicts": [{"id": "d7", "score": 0.75, "metadata": {}}, {"id": "d3", "score": 0.5, "metadata": {}}],
    "hits of a search engine": [{"_id": "d7", "_score": 0.75}, {"_id": "d3", "_score": 0.5}],
    "objects": [SimpleNamespace(id=one, score=score) for one, score in PAIRS],
    "named tuples": [Hit("…", one, score) for one, score in PAIRS],
    "rows of a database": [("d7", Decimal("0.75")), ("d3", Decimal("0.5"))],
    "NumPy's own types": [(np.str_("d7"), np.float32(0.75)), (np.str_("d3"), np.array(0.5))],
}


@pytest.mark.parametrize("result", SHAPES.values(), ids=SHAPES)
def test_shapes_with_scores(result):
    assert of_one(result) == PAIRS


BARE = {
    "a list": ["d7", "d3"],
    "a tuple": ("d7", "d3"),
    "an array": np.array(["d7", "d3"]),
    "a Series of text": pd.Series(["d7", "d3"]),
    "an index": pd.Index(["d7", "d3"]),
    "dicts without scores": [{"id": "d7"}, {"id": "d3"}],
}


@pytest.mark.parametrize("result", BARE.values(), ids=BARE)
def test_ids_alone_get_scores_that_keep_their_order(result):
    assert of_one(result) == [("d7", 10.0), ("d3", 9.0)]


def test_ids_become_text():
    assert of_one([7, np.int64(3)]) == [("7", 10.0), ("3", 9.0)]
    assert of_one([ScoredPoint(7, 0.9, {}), ScoredPoint(3, 0.4, {})]) == [("7", 0.9), ("3", 0.4)]
    assert of_one([UUID(int=7)]) == [("00000000-0000-0000-0000-000000000007", 10.0)]


class QueryResponse:
    """What Qdrant's client returns: not the list, but something that has it."""

    points = (ScoredPoint(7, 0.9, {}),)


CHROMA = {"ids": [["d7", "d3"]], "distances": [[0.1, 0.4]], "documents": [["…", "…"]]}
REFUSED = {
    "None": (None, "the function returned None; expected a list of ids"),
    "text": ("d7", "the function returned a str ('d7'); expected a list"),
    "a set": ({"d7"}, "the function returned a set"),
    "a response": (QueryResponse(), "return its .points"),
    "Chroma's dict": (CHROMA, 'list(zip(r["ids"][0], (-d for d in r["distances"][0])))'),
    "a service's dict": ({"took": 3, "hits": []}, "a dict with took, hits; expected {id: score} or the list"),
    "FAISS's arrays": ((np.array([[0.9, 0.4]]), np.array([[7, 3]])), "[(doc_ids[i], d) for i, d in zip(I[0], D[0])"),
    "FAISS's positions": (np.array([[7, 3]]), "the function returned an array of shape (1, 2); expected one row"),
    "FAISS's filling": ([7, -1], "result 2: the id is -1. FAISS fills up with -1"),
    "distances in pairs": ([("d7", 0.1), ("d3", 0.4)], "scores rise along the list: these look like distances"),
    "distances in dicts": ([{"id": "d7", "distance": 0.1}], "result 1 has a distance, of which small is good"),
    "a row of three": ([("d7", "text", 0.1)], "result 1 has 3 parts; expected two, (id, score)"),
    "score first": ([(0.9, "d7")], "result 1: the id is a float (0.9)"),
    "scores alone": (np.array([0.9, 0.4]), "result 1 is a float64"),
    "no id": ([{"name": "d7"}], "without doc_id or document_id or"),
    "a frame without ids": (pd.DataFrame({"name": ["d7"]}), "without doc_id or document_id or"),
    "two ids": ([{"id": "c1", "doc_id": "d7"}], "result 1 has doc_id and id: which one counts?"),
    "some scores": ([{"id": "d7", "score": 1}, {"id": "d3"}], "result 2 has no score and others have"),
    "no number": ([("d7", "0.9")], "result 1: the score is a str ('0.9')"),
    "no score": ([{"id": "d7", "score": None}], "result 1: the score is a NoneType"),
    "NaN": ([("d7", float("nan"))], "result 1: the score is a float (nan); expected a finite number"),
    "infinity": ({"d7": float("inf")}, "the score is a float (inf); expected a finite number"),
    "True": ([("d7", True)], "result 1: the score is a bool (True)"),
    "an empty id": (["d7", " "], "result 2: the id is a str (' ')"),
    "ids or scores": (pd.Series([7, 3]), "are they ids or scores?"),
    "chunks": (["d7", "d3", "d7"], "d7 is returned twice (places 1 and 3). If these are chunks"),
    "several questions": (pd.DataFrame({"query_id": ["q1", "q2"], "doc_id": ["d7", "d3"]}), "of several questions"),
    "a coroutine": ("await", "pass an async def itself"),
}  # fmt: skip


@pytest.mark.parametrize(("result", "message"), REFUSED.values(), ids=REFUSED)
def test_other_shapes_are_refused_with_what_to_do(result, message):
    async def later():
        return ["d7"]

    with pytest.raises(ValueError) as error:
        quiet(
            lambda question: later() if isinstance(result, str) and result == "await" else result,
            {"q1": "one"},
        )
    assert message in str(error.value)
    assert str(error.value).startswith("the only question failed. q1: ")


def test_what_the_messages_advise_works():
    r, doc_ids = CHROMA, np.array(["d0", "d1", "d2", "d3"])
    assert of_one(list(zip(r["ids"][0], (-d for d in r["distances"][0]), strict=True))) == [
        ("d7", -0.1),
        ("d3", -0.4),
    ]
    D, I = np.array([[0.9, 0.4, -3e38]], dtype="float32"), np.array([[3, 1, -1]])  # noqa: E741
    found = [(doc_ids[i], d) for i, d in zip(I[0], D[0], strict=True) if i >= 0]
    assert of_one(found) == [("d3", 0.9), ("d1", 0.4)]
    chunks = [("d7", 0.9), ("d3", 0.8), ("d7", 0.2)]
    assert of_one(dict(reversed(chunks))) == [("d7", 0.9), ("d3", 0.8)]


def test_ties_fall_as_in_a_run_and_the_cut_comes_after_the_order():
    assert of_one({"a": 0.5, "b": 0.5, "c": 0.9, "d": 0.1}, k=2) == [("c", 0.9), ("b", 0.5)]
    assert of_one(["a", "b", "c"], k=2) == [("a", 2.0), ("b", 1.0)]


def test_a_list_whose_order_contradicts_its_scores_is_told():
    with pytest.warns(
        CourseWarning, match=r"3 questions \(for instance q1\): the order of the list contradicts"
    ):
        run = quiet(lambda question: [("a", 0.5), ("b", 0.9), ("c", 0.1)]).run
    assert run["doc_id"].tolist()[:3] == ["b", "a", "c"]


def test_scores_too_close_for_a_run_file_are_told():
    with pytest.warns(CourseWarning, match="differ only after the sixth decimal"):
        quiet(lambda question: [("a", 3e-8), ("b", 1e-8)])
    quiet(lambda question: [("a", 0.30000000000000004), ("b", 0.3)])  # the same, computed twice: no warning


def fragile(question):
    """Answer one question, decline one and break at one."""
    if question == "two":
        raise ConnectionError("no route\nto host")
    return ["d7"] if question == "one" else []


def test_what_fails_is_recorded_and_has_not_declined():
    with pytest.warns(
        CourseWarning, match=r"1 of 3 questions failed \(for instance q2: ConnectionError: no route"
    ):
        answers = quiet(fragile)
    assert repr(answers) == "Answers(3 questions: 1 answered, 1 declined, 1 failed)"
    assert answers.run.to_dict("list") == {"query_id": ["q1"], "doc_id": ["d7"], "score": [10.0]}
    assert answers.failed.to_dict("list") == {
        "query_id": ["q2"],
        "error": ["ConnectionError: no route to host"],
    }
    assert answers.declined == ["q3"]
    assert answers.seconds.index.tolist() == ["q1", "q2", "q3"] and answers.seconds.between(0, 10).all()


def test_one_result_of_the_wrong_shape_fails_alone():
    with pytest.warns(CourseWarning, match="q2: ValueError: the function returned None"):
        answers = quiet(lambda question: None if question == "two" else ["d7"])
    assert answers.failed["query_id"].tolist() == ["q2"] and answers.declined == []


def test_if_everything_fails_the_first_cause_is_shown():
    with pytest.raises(
        ValueError, match=r"all 3 questions failed. q1: ZeroDivisionError: division by zero"
    ) as error:
        quiet(lambda question: 1 / 0)
    assert isinstance(error.value.__cause__, ZeroDivisionError)


def test_a_function_that_exits_does_not_end_the_run():
    with pytest.warns(CourseWarning, match="SystemExit: 3"):
        answers = quiet(lambda question: sys.exit(3) if question == "two" else ["d7"])
    assert answers.failed["query_id"].tolist() == ["q2"]


@pytest.mark.parametrize(
    "questions",
    [
        THREE,
        pd.Series(THREE),
        pd.Series(THREE).rename_axis("query_id").rename("text").reset_index(),
        list(THREE.values()),
    ],
    ids=["dict", "Series", "frame", "list"],
)
def test_questions_come_in_every_form(questions):
    asked = []
    run = quiet(lambda question: asked.append(question) or ["d7"], questions).run
    assert asked == ["one", "two", "three"] and run["query_id"].tolist() == ["q1", "q2", "q3"]


@pytest.mark.parametrize(("options", "message"), [
    ({"search": "search"}, "search is a str; expected a function"),
    ({"questions": {}}, "there is no question"),
    ({"k": 0}, "k is 0; expected a whole number"),
    ({"parallel": 1.5}, "parallel is 1.5"),
    ({"timeout": 0}, "timeout is 0; expected seconds above 0"),
])  # fmt: skip
def test_arguments_that_cannot_be_used(options, message):
    with pytest.raises(ValueError, match=message):
        quiet(**{"search": fragile, **options})


# Time


async def later(question):
    """Answer the later the earlier it is asked."""
    await asyncio.sleep({"one": 0.06, "two": 0.03, "three": 0}[question])
    return [question]


def slow(question):
    """Answer the later the earlier it is asked, without async."""
    time.sleep({"one": 0.06, "two": 0.03, "three": 0}[question])
    return [question]


class Client:
    """An object that can be called, as some clients are."""

    async def __call__(self, question):
        return await later(question)


WAYS = {"threads": slow, "async": later, "partial": functools.partial(later), "object": Client()}


@pytest.mark.parametrize("search", WAYS.values(), ids=WAYS)
@pytest.mark.parametrize("parallel", [1, 2, 8])
def test_the_order_is_that_of_the_questions_whoever_is_first(search, parallel):
    answers = quiet(search, parallel=parallel, timeout=10)
    assert answers.run["query_id"].tolist() == ["q1", "q2", "q3"]
    assert answers.run["doc_id"].tolist() == ["one", "two", "three"]
    assert answers.seconds.index.tolist() == ["q1", "q2", "q3"]


@pytest.mark.parametrize("kind", ["threads", "async"])
def test_as_many_at_a_time_as_asked_for_and_no_more(kind):
    """Three must come together before one may go on, and a fourth must not be there."""
    now, most = set(), []
    together, meeting = threading.Barrier(3, timeout=20), asyncio.Barrier(3)

    def plain(question):
        now.add(question)
        most.append(len(now))
        together.wait()
        now.discard(question)
        return ["d7"]

    async def awaiting(question):
        now.add(question)
        most.append(len(now))
        await meeting.wait()
        now.discard(question)
        return ["d7"]

    quiet(plain if kind == "threads" else awaiting, [f"question {n}" for n in range(12)], parallel=3)
    assert max(most) == 3


def stuck_at_two(release):
    """Return a function, and an async one, that hang at the second question until they are released."""

    def plain(question):
        if question == "two":
            release.wait(60)
        return ["d7"]

    async def awaiting(question):
        if question == "two":
            await asyncio.sleep(60)
        return ["d7"]

    async def blocking(question):
        return plain(question)

    return {"thread": plain, "await": awaiting, "blocked loop": blocking}


@pytest.mark.parametrize("kind", ["thread", "await", "blocked loop"])
@pytest.mark.parametrize("parallel", [1, 3])
def test_a_timeout_returns_control_and_the_others_are_answered(kind, parallel):
    release = threading.Event()
    search, started = stuck_at_two(release)[kind], time.monotonic()
    try:
        with pytest.warns(CourseWarning, match=r"q2: TimeoutError: no answer within 1 s"):
            answers = quiet(search, timeout=1, parallel=parallel)
    finally:
        release.set()
    assert time.monotonic() - started < 30
    if (kind, parallel) != ("blocked loop", 3):  # there, q3 may wait for the loop that q2 holds up
        assert answers.run["query_id"].tolist() == ["q1", "q3"]
    assert ("holds up its event loop" in answers.failed["error"][0]) == (kind == "blocked loop")


def test_a_function_that_hangs_does_not_keep_the_interpreter(tmp_path):
    code = (
        "import threading\nfrom course_utils.adapter import ask\n"
        "stuck = lambda question: threading.Event().wait() if question == 'two' else ['d7']\n"
        "print(ask(stuck, ['one', 'two'], timeout=1, progress=False))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.stdout == "Answers(2 questions: 1 answered, 0 declined, 1 failed)\n"
    assert done.returncode == 0


def test_an_async_function_works_where_a_loop_is_running_already():
    async def cell():
        return quiet(later, parallel=3)

    assert asyncio.run(cell()).run["doc_id"].tolist() == ["one", "two", "three"]


def test_an_async_client_is_shared_by_all_questions():
    loops = set()

    async def search(question):
        loops.add(asyncio.get_running_loop())
        return ["d7"]

    quiet(search, parallel=2)
    assert len(loops) == 1 and loops.pop().is_closed()


def test_a_plain_function_stays_in_the_thread_of_the_caller():
    threads = set()
    quiet(lambda question: threads.add(threading.current_thread()) or ["d7"])
    assert threads == {threading.current_thread()}


# The cache


def counting(asked, broken=()):
    def search(question):
        asked.append(question)
        if question in broken:
            raise OSError("down")
        return [("d7", 1 / 3), ("d3", 0.25)]

    return search


@pytest.mark.parametrize("name", ["folder", "file.jsonl"])
def test_what_was_answered_is_not_asked_again(tmp_path, name):
    asked = []
    first = quiet(counting(asked), cache=tmp_path / name)
    again = quiet(counting(asked), cache=tmp_path / name)
    assert asked == ["one", "two", "three"]
    assert again.run.equals(first.run) and again.seconds.equals(first.seconds)


def test_a_changed_question_k_or_system_is_asked_again(tmp_path):
    asked = []
    quiet(counting(asked), cache=tmp_path)
    quiet(counting(asked), {**THREE, "q2": "two, changed"}, cache=tmp_path)
    assert asked[3:] == ["two, changed"]
    quiet(counting(asked), {"q1": "one"}, k=5, cache=tmp_path)
    quiet(counting(asked), {"q1": "one"}, cache=tmp_path, cache_key="v2")
    quiet(counting(asked), {"q1": "one"}, k=5, cache=tmp_path)
    assert asked[4:] == ["one", "one"]


def test_an_edited_function_is_asked_again(tmp_path):
    def search(question):
        return ["d1"]

    before = search

    def search(question):
        return ["d2"]

    found = [quiet(one, cache=tmp_path).run["doc_id"].unique().tolist() for one in (before, search, before)]
    assert found == [["d1"], ["d2"], ["d1"]]


@pytest.mark.parametrize(
    "search", [functools.partial(str.split, maxsplit=3), Client(), eval("lambda text: []")]
)
def test_a_cache_needs_a_name_where_the_source_cannot_be_read(tmp_path, search):
    with pytest.raises(ValueError, match=r"so a changed one would get old answers; expected cache_key="):
        quiet(search, cache=tmp_path)
    assert not list(tmp_path.iterdir())


def test_failures_are_asked_again_and_what_declined_is_not(tmp_path):
    asked = []
    with pytest.warns(CourseWarning, match="1 of 3 questions failed"):
        quiet(counting(asked, broken={"two"}), cache=tmp_path)
    assert quiet(counting(asked), cache=tmp_path).failed.empty
    assert asked == ["one", "two", "three", "two"]
    nothing = [quiet(lambda question: [], cache=tmp_path, cache_key="empty").declined for _ in range(2)]
    assert nothing == [["q1", "q2", "q3"]] * 2


def test_a_torn_last_line_is_asked_again_and_spoils_nothing(tmp_path):
    asked, file = [], tmp_path / "answers.jsonl"
    quiet(counting(asked), cache=file)
    whole = file.read_bytes()
    for cut in (2, 5, 90):
        file.write_bytes(whole[:-cut])
        asked.clear()
        quiet(counting(asked), cache=file)
        assert asked == ["three"]
        quiet(counting(asked), cache=file)
        assert asked == ["three"]


@pytest.mark.parametrize("answer", ['[["d1", NaN]]', '[["d1", "x"]]', "[7]", "null"])
def test_a_line_that_cannot_be_an_answer_is_asked_again(tmp_path, answer):
    asked, file = [], tmp_path / "answers.jsonl"
    key = '{"question": "one", "system": "s", "k": 10, "notes": [], "seconds": 0.1, "answer": '
    file.write_text(f"{key}{answer}}}\n")
    quiet(counting(asked), {"q1": "one"}, cache=file, cache_key="s")
    assert asked == ["one"]


def test_a_file_that_is_no_cache_is_left_alone(tmp_path):
    file = tmp_path / "documents.csv"
    file.write_text("doc_id,text\n")
    with pytest.raises(ValueError, match="documents.csv is no cache of answers"):
        quiet(fragile, cache=file)
    assert file.read_text() == "doc_id,text\n"


KILLED = """
import os, signal, sys
from course_utils.adapter import ask
def search(question):
    if question == "question 7":
        os.kill(os.getpid(), signal.{signal})
    return [("d7", 0.5)]
async def later(question):
    return search(question)
try:
    ask({call}, [f"question {{n}}" for n in range(20)], cache=sys.argv[1], cache_key="s",
        progress=False, timeout={timeout})
except KeyboardInterrupt:
    print("stopped")
"""


@pytest.mark.skipif(os.name == "nt", reason="sends POSIX signals")
@pytest.mark.parametrize(
    ("name", "call", "timeout", "told"),
    [
        ("SIGKILL", "search", None, ""),
        ("SIGINT", "search", None, "stopped\n"),
        ("SIGINT", "search", 60, "stopped\n"),
        ("SIGINT", "later", 60, "stopped\n"),
    ],
    ids=["kill", "Ctrl-C", "Ctrl-C among threads", "Ctrl-C in a loop"],
)
def test_what_was_answered_before_a_kill_or_ctrl_c_is_kept(tmp_path, name, call, timeout, told):
    code = KILLED.format(signal=name, call=call, timeout=timeout)
    command = [sys.executable, "-c", code, str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.stdout == told
    assert done.returncode == (-signal.SIGKILL if name == "SIGKILL" else 0)
    asked = []
    quiet(counting(asked), [f"question {n}" for n in range(20)], cache=tmp_path, cache_key="s")
    assert asked[0] == "question 7" and len(asked) == 13


# A REST endpoint


class Service(BaseHTTPRequestHandler):
    """A search service with a bad day: an error, a slow answer, one that is no JSON, and one that declines."""

    def do_GET(self):
        question = parse_qs(urlsplit(self.path).query)["q"][0]
        body = b'{"hits": []}' if question == "nothing" else b'{"hits": [{"id": "d7", "score": 0.5}]}'
        if question == "slow":
            self.server.release.wait(20)
        if question == "broken":
            body = b"<html>"
        self.send_response(500 if question == "error" else 200)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        """Say nothing."""


@pytest.fixture
def service():
    """The address of the service, which runs as long as the test."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Service)
    server.daemon_threads, server.release = True, threading.Event()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.release.set()
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_rest_endpoint(service):
    def search(question):
        with urlopen(f"{service}/search?q={quote(question)}") as response:
            return [(hit["id"], hit["score"]) for hit in json.load(response)["hits"]]

    questions = {
        "q1": "fine",
        "q2": "error",
        "q3": "slow",
        "q4": "broken",
        "q5": "nothing",
        "q6": "naïve & Ω?",
    }
    with pytest.warns(CourseWarning, match="3 of 6 questions failed"):
        answers = quiet(search, questions, timeout=2, parallel=6)
    assert answers.run.to_dict("list") == {"query_id": ["q1", "q6"], "doc_id": ["d7"] * 2, "score": [0.5] * 2}
    assert answers.declined == ["q5"]
    errors = answers.failed.set_index("query_id")["error"]
    assert errors["q2"] == "HTTPError: HTTP Error 500: Internal Server Error"
    assert errors["q3"] == "TimeoutError: no answer within 2 s"
    assert errors["q4"].startswith("JSONDecodeError: Expecting value")


# Files


def some(failed=()):
    run = pd.DataFrame({"query_id": ["q1"], "doc_id": ["d7"], "score": [0.5]})
    broken = pd.DataFrame({"query_id": list(failed), "error": ['ValueError: "odd", really'] * len(failed)})
    return Answers(run, broken, [], pd.Series([0.1], index=["q1"]))


def test_a_run_and_what_failed_come_back(tmp_path):
    file = tmp_path / "new" / "my.run"
    some(["q2", "q3"]).write(file)
    assert read_run(file).equals(some().run)
    assert read_failed(tmp_path / "new" / "my.failed.csv").equals(some(["q2", "q3"]).failed)
    assert failures([file, tmp_path / "other.run"]) == [["q2", "q3"], []]
    some().write(file)
    assert [path.name for path in file.parent.iterdir()] == ["my.run"]


def test_a_system_that_declines_everything_is_written_and_read(tmp_path):
    answers = quiet(lambda question: [])
    answers.write(tmp_path / "silent.run")
    again = read_run(tmp_path / "silent.run")
    assert again.empty and list(again.columns) == ["query_id", "doc_id", "score"]
    assert (tmp_path / "silent.run").read_text().startswith("# no results")


def test_what_failed_is_named_for_its_run_alone():
    names = [failed_file(name).name for name in ("v1.2", "v1.3", "my.run", "my.run.gz", "my.jsonl")]
    assert names == ["v1.2.failed.csv", "v1.3.failed.csv", "my.failed.csv", "my.failed.csv", "my.failed.csv"]


@pytest.mark.parametrize(("content", "message"), [
    (b"question\nq1\n", "has no column query_id"),
    (b"query_id,error\nq1,a\nq1,b\n", "has question q1 twice"),
    (b"", "no CSV file with query_id"),
    (b"query_id\n\xff\xfe\n", "no CSV file with query_id"),
    (b"query_id,error\n,a\n", "query_id is empty in row 0"),
])  # fmt: skip
def test_a_file_of_failures_that_cannot_be_read(tmp_path, content, message):
    file = tmp_path / "my.failed.csv"
    file.write_bytes(content)
    with pytest.raises(ValueError, match=message):
        read_failed(file)


def test_a_file_of_failures_for_each_run(tmp_path):
    with pytest.raises(ValueError, match="there is no file no.csv"):
        failures(["a.run"], ["no.csv"])
    with pytest.raises(ValueError, match="1 file of failures for 2 runs; name one per run"):
        failures(["a.run", "b.run"], ["no.csv"])


def test_the_bar_tells_failures_and_can_be_hidden(capsys, monkeypatch):
    monkeypatch.delenv("COURSE_QUIET", raising=False)
    with pytest.warns(CourseWarning):
        ask(fragile, THREE)
    shown = capsys.readouterr()
    assert (
        "Asking: 100%" in shown.err and "1 failed, the last: ConnectionError" in shown.err and shown.out == ""
    )
    quiet(lambda question: ["d7"])
    assert capsys.readouterr().err == ""
    monkeypatch.setenv("COURSE_QUIET", "1")
    ask(lambda question: ["d7"], THREE)
    assert capsys.readouterr().err == ""


def of_golden_set(broken):
    """Answer each question of the small golden set with its document, and break at some."""
    golden = golden_set()
    where = {text: f"d{n % 50}" for n, text in enumerate(golden.texts)}
    return golden, quiet(lambda q: 1 / 0 if q in set(golden.texts[broken]) else [where[q]], golden.texts)


def test_the_frame_of_what_failed_is_taken_everywhere(tmp_path):
    with pytest.warns(CourseWarning, match="2 of 60 questions failed"):
        golden, answers = of_golden_set(["q5", "q7"])
    status = outcomes(answers.run, golden, failed=answers.failed).set_index("query_id")["status"]
    assert status[status == "failed"].index.tolist() == ["q5", "q7"]
    assert (
        outcomes(scored(answers.run, golden, failed=answers.failed), golden, failed=[])["status"]
        .eq("failed")
        .sum()
        == 2
    )
    kept = ledger.record(tmp_path, {}, golden, answers.run, failed=answers.failed)
    assert kept.summary["unanswerable"] == {"n": 10, "false answers": 9, "declined": 0, "failed": 1}
    html = report.page({"mine": answers.run}, golden, failed={"mine": answers.failed})
    assert "0.03 (0.01 to 0.11), 2 of 60" in html and "the system broke there" in html
    with pytest.raises(ValueError, match="failed names 'other', which is no run; there is mine"):
        report.page({"mine": answers.run}, golden, failed={"other": answers.failed})


def test_a_run_file_needs_no_adapter_and_gives_the_same(tmp_path):
    golden, answers = of_golden_set([])
    answers.write(tmp_path / "my.run")
    lines = (tmp_path / "my.run").read_text().splitlines()
    (tmp_path / "other.run").write_text("\n".join(lines[::-1]))
    kept = [ledger.measure({}, golden, run).scores for run in (answers.run, read_run(tmp_path / "other.run"))]
    assert kept[0].equals(kept[1]) and kept[0]["RR@10"].mean() == 1


def test_a_page_without_failures_does_not_speak_of_them():
    golden, answers = of_golden_set([])
    page = report.page({"mine": answers.run}, golden)
    assert page == report.page({"mine": answers.run}, golden, failed={"mine": answers.failed})
    assert "broke" not in page


def test_what_failed_and_does_not_count_is_left_out():
    with pytest.warns(CourseWarning, match="1 of 60 questions failed"):
        golden, answers = of_golden_set(["q7"])
    shown = golden_set(questions=changed(golden.questions, 7, showcase=True))
    assert "q7" not in ledger.measure({}, shown, answers.run, failed=answers.failed).scores.index
    with pytest.warns(CourseWarning, match=r"1 question that failed left out: the golden set lacks them"):
        ledger.measure({}, golden, answers.run, failed=["q99"])
    with pytest.raises(ValueError, match="failed is the text 'q7'"):
        ledger.measure({}, golden, answers.run, failed="q7")


# The command line


@pytest.fixture
def folder(tmp_path):
    """The templates, filled in as they are, as a golden set of one's own."""
    for file in (ROOT / "assets" / "templates").iterdir():
        shutil.copy(file, tmp_path)
    return tmp_path


def asked_of(folder, code, capsys, *more):
    """Write a search function, ask it, and return exit code, output and errors."""
    (folder / "mine.py").write_text(code)
    words = [
        "ask",
        f"{folder / 'mine.py'}:search",
        "--golden-set",
        str(folder),
        "--out",
        str(folder / "my.run"),
    ]
    code = main([*words, *more])
    return code, *capsys.readouterr()


BROKEN = """
def search(question):
    if "laptop" in question:
        raise ConnectionError("no route")
    return ["leave-annual"] if "holiday" in question else []
"""


def test_the_template_runs_and_is_measured(folder, capsys):
    words = ["--golden-set", str(folder)]
    assert main(["ask", f"{folder / 'search.py'}:search", *words, "--out", str(folder / "my.run")]) == 0
    assert capsys.readouterr().out == f"{folder / 'my.run'}: 3 questions: 2 answered, 1 declined, 0 failed\n"
    assert read_run(folder / "my.run")["query_id"].unique().tolist() == ["q1", "q3"]
    assert main(["evaluate", str(folder / "my.run"), *words]) == 0
    assert "failed" not in capsys.readouterr().out


def test_what_failed_is_written_beside_the_run_and_an_old_one_goes(folder, capsys):
    code, out, err = asked_of(folder, BROKEN, capsys)
    assert code == 1
    assert out.endswith("1 answered, 1 declined, 1 failed; see " + str(folder / "my.failed.csv") + "\n")
    assert err.startswith("warning: 1 of 3 questions failed (for instance q2: ConnectionError: no route)")
    assert (folder / "my.failed.csv").read_text() == "query_id,error\nq2,ConnectionError: no route\n"
    assert asked_of(folder, "def search(question): return ['leave-annual']", capsys)[0] == 0
    assert not (folder / "my.failed.csv").exists()


def test_every_word_counts_what_failed_as_failed(folder, capsys):
    asked_of(folder, BROKEN, capsys)
    words = [str(folder / "my.run"), "--golden-set", str(folder)]
    assert main(["evaluate", *words]) == 0
    assert capsys.readouterr().out.endswith(
        "my: 1 question failed: not declined, and 0 in the means they are in.\n"
    )
    assert main(["evaluate", *words, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["failed"] == {"my": ["q2"]}
    assert main(["evaluate", *words, "--split", "dev"]) == 0
    assert "failed" not in capsys.readouterr().out  # q2 is in test
    page = folder / "report.html"
    assert main(["report", *words, "--split", "all", "--out", str(page)]) == 0
    assert "0.33 (0.06 to 0.79), 1 of 3" in page.read_text(encoding="utf-8")
    assert main(["record", *words, "--ledger", str(folder / "ledger")]) == 0
    assert ledger.load(folder / "ledger").scores["status"].to_dict() == {
        "q1": "right",
        "q2": "failed",
        "q3": "declined",
    }


def test_the_gate_stops_what_fails_more(folder, capsys):
    words = [
        "record",
        str(folder / "my.run"),
        "--golden-set",
        str(folder),
        "--ledger",
        str(folder / "ledger"),
    ]
    for name, code in (("before", BROKEN.replace('"laptop" in question', "False")), ("after", BROKEN)):
        asked_of(folder, code, capsys)
        (folder / "config.json").write_text(json.dumps({"system": name}))
        assert main([*words, "--config", str(folder / "config.json")]) == 0
    baseline = ledger.read(folder / "ledger").index[0]
    assert main(["gate", "last", "--baseline", baseline, "--ledger", str(folder / "ledger")]) == 1
    assert "1 question failed, were 0; new: q2" in capsys.readouterr().out


def test_failures_of_another_place_and_of_another_split(folder, capsys):
    asked_of(folder, BROKEN, capsys)
    (folder / "my.failed.csv").rename(folder / "other.csv")
    words = ["record", str(folder / "my.run"), "--golden-set", str(folder), "--ledger"]
    assert main([*words, str(folder / "dev"), "--split", "dev", "--failed", str(folder / "other.csv")]) == 0
    assert "left out" not in capsys.readouterr().err
    assert ledger.load(folder / "dev").scores["status"].to_dict() == {"q1": "right", "q3": "declined"}
    assert main([*words, str(folder / "all"), "--failed", str(folder / "other.csv")]) == 0
    assert ledger.load(folder / "all").scores.loc["q2", "status"] == "failed"
    assert main([*words, str(folder / "none"), "--failed", str(folder / "no.csv")]) == 2
    assert capsys.readouterr().err.endswith("there is no file " + str(folder / "no.csv") + "\n")


def test_a_silent_system_goes_through_every_command(folder, capsys):
    code, told, _ = asked_of(folder, "def search(question): return []", capsys)
    assert code == 0 and "0 answered, 3 declined, 0 failed" in told
    run, place = str(folder / "my.run"), ["--golden-set", str(folder)]
    assert main(["evaluate", run, *place]) == 0
    assert "0.000" in capsys.readouterr().out
    assert main(["report", run, *place, "--out", str(folder / "page.html")]) == 0
    assert main(["record", run, *place, "--ledger", str(folder / "ledger")]) == 0
    assert set(ledger.load(folder / "ledger").scores["status"]) == {"declined"}
    assert main(["pool", run, *place]) == 0


def test_what_failed_and_yet_has_results_is_refused(folder, capsys):
    asked_of(folder, "def search(question): return ['leave-annual']", capsys)
    (folder / "my.failed.csv").write_text("query_id\nq1\n")
    words = [str(folder / "my.run"), "--golden-set", str(folder)]
    assert main(["record", *words, "--ledger", str(folder / "ledger")]) == 2
    assert "q1 is named in failed and has results in the run" in capsys.readouterr().err


CODE = {
    "no function": ("x = 1", "has no search; expected a function"),
    "not a function": ("search = 1", "search is a int; expected a function"),
    "a wrong line": ("import os\nimport nothing.x", "ModuleNotFoundError: No module named 'nothing' (mine.py, line 2)"),
    "a script": ("raise SystemExit(1)", "cannot be imported: SystemExit: 1 (mine.py, line 1)"),
    "always down": ("def search(question): raise OSError('down')", "all 3 questions failed. q1: OSError: down"),
}  # fmt: skip


@pytest.mark.parametrize(("code", "message"), CODE.values(), ids=CODE)
def test_a_search_function_that_cannot_be_used_is_told_in_one_line(folder, capsys, code, message):
    code, out, err = asked_of(folder, code, capsys)
    assert code == 2 and out == "" and err.count("\n") == 1
    assert message in err
    assert not (folder / "my.run").exists()


@pytest.mark.parametrize(
    "search", ["mine", "mine.py", "mine.py:", ":search", "no.py:search", "no_such_module:search"]
)
def test_a_name_that_leads_nowhere(folder, capsys, search):
    assert main(["ask", search, "--golden-set", str(folder), "--out", str(folder / "my.run")]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_file_without_its_ending_and_what_is_not_installed_are_told(folder, capsys):
    words = ["--golden-set", str(folder), "--out", str(folder / "my.run")]
    assert main(["ask", f"{folder / 'mine'}:search", *words]) == 2
    assert capsys.readouterr().err.endswith(
        f"of a file, write the ending, too: {folder / 'mine'}.py:FUNCTION\n"
    )
    assert asked_of(folder, "import no_such_client", capsys)[2].endswith("-m pip install ...\n")


def test_ids_that_no_document_has_are_told(folder, capsys):
    found = "['leave-annual#0', 'leave-annual'] if 'holiday' in question else []"
    code, _, err = asked_of(folder, f"def search(question): return {found}", capsys)
    assert code == 0 and err.count("\n") == 1
    assert (
        "1 of 2 ids in the run are no doc_id of the documents (for instance leave-annual#0; expected" in err
    )
    assert asked_of(folder, "def search(question): return ['leave-annual']", capsys)[2] == ""


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_the_template_reads_its_documents_as_a_spreadsheet_saves_them(folder, capsys, separator):
    table = pd.read_csv(folder / "documents.csv", encoding="utf-8-sig")
    path = folder / "documents.csv"
    table.to_csv(path, sep=separator, index=False, encoding="utf-8-sig", lineterminator="\r\n")
    path.write_bytes(path.read_bytes() + separator.encode() * 7 + b"\r\n")
    words = ["--golden-set", str(folder), "--out", str(folder / "my.run")]
    assert main(["ask", f"{folder / 'search.py'}:search", *words]) == 0
    assert capsys.readouterr() == (
        f"{folder / 'my.run'}: 3 questions: 2 answered, 1 declined, 0 failed\n",
        "",
    )


def test_a_function_of_a_module_finds_what_lies_beside_it(folder, capsys, monkeypatch):
    monkeypatch.chdir(folder)
    (folder / "my_helper.py").write_text("FOUND = ['leave-annual']")
    (folder / "my_system.py").write_text(
        "def search(question):\n    from my_helper import FOUND\n    return FOUND\n"
    )
    before = list(sys.path)
    for search in ("my_system:search", "my_system.py:search"):
        assert main(["ask", search, "--golden-set", ".", "--out", "new/my.run"]) == 0
        assert (folder / "new" / "my.run").exists()
    assert sys.path == before


def test_the_options_reach_the_function(folder, capsys):
    code = (
        "def search(question):\n    with open(__file__ + '.asked', 'a') as file:\n        file.write('x')\n"
        "    return ['a1', 'a2', 'a3']\n"
    )
    options = [
        "--k",
        "2",
        "--parallel",
        "2",
        "--timeout",
        "60",
        "--cache",
        str(folder / "cache"),
        "--cache-key",
        "v1",
    ]
    for _ in range(2):
        assert asked_of(folder, code, capsys, *options)[0] == 0
    assert (folder / "mine.py.asked").read_text() == "xxx"
    assert (folder / "cache" / "answers.jsonl").read_text().count('"system": "v1"') == 3
    assert len(read_run(folder / "my.run")) == 6


def test_ctrl_c_ends_the_word_with_its_own_code(folder, capsys):
    code, _, err = asked_of(folder, "def search(question): raise KeyboardInterrupt", capsys)
    assert (code, err) == (130, "course.py: stopped\n")


def test_the_lines_of_the_readme_do_what_they_say(folder):
    text = (ROOT / "README.md").read_text(encoding="utf-8").split("## Your own golden set")[1].split("## ")[0]
    code = text.split("```python\n")[1].split("```")[0]
    shutil.copytree(ROOT / "assets" / "templates", folder / "my_set")
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-W", "error::DeprecationWarning", "-c", code]
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert "keyword" in done.stdout and "no mean is over 8 questions" in done.stdout
    assert (folder / "report.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    assert ledger.load(folder / "ledger").scores["status"].to_dict() == {
        "q1": "right",
        "q3": "wrong",
    }
