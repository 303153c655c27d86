"""`ask`: put every question to a search function, and lose nothing of what comes back."""

import inspect
import os
import sys
from collections.abc import Iterable, Mapping, Sequence, Sized
from contextlib import closing
from hashlib import sha256
from numbers import Integral
from pathlib import Path
from typing import Any

import pandas as pd

from course_utils.adapter._answers import ERROR, Answers
from course_utils.adapter._cache import Cache
from course_utils.adapter._calls import Search, call_all
from course_utils.adapter._lanes import Outcome
from course_utils.adapter._ranked import CROWDED, UNORDERED, Answer, ranked
from course_utils.schema import DOC_ID, QUERY_ID, SCORE, TEXT, check_questions, plural, warn

LENGTH = 200  # of an error's message
NOTES = {
    UNORDERED: "the order of the list contradicts its scores: the scores decide",
    CROWDED: "scores differ only after the sixth decimal, where a run file ends: return them times 1,000",
}
Questions = pd.DataFrame | pd.Series | Mapping[Any, str] | Sequence[str]


def ask(
    search: Search,
    questions: Questions,
    k: int = 10,
    *,
    cache: str | Path | None = None,
    cache_key: str | None = None,
    timeout: float | None = None,
    parallel: int = 1,
    progress: bool = True,
) -> Answers:
    """Put every question to your search function; return a run, and what failed.

    Parameters
    ----------
    search
        A function, `def` or `async def`, that takes the text of one question and returns what it found: the shapes are
        listed in `course_utils.adapter`. An empty list means that it declines. None, an exception, a duplicate and a
        shape that is not listed are errors of that question: they are recorded, and the next question is asked.
    questions
        `{query_id: text}`, a Series (`golden.texts`), a list, or a DataFrame with query_id and text
        (`golden.questions`).
    k
        How many documents of each list are kept, after they were put in order.
    cache
        A folder or file. What was answered is kept there and not asked again; failures are asked again. A question
        is known by its text, `k` and `cache_key`. **A system that changed needs another `cache_key` or cache.**
    cache_key
        Name and version of the system. By default the name and the source of a plain function: one that you edit is
        asked again, but what it calls, or an index that it holds, is not seen.
    timeout
        Seconds for one question; it then counts as failed. A thread cannot be stopped: it is left behind, and holds
        up neither the next question nor the end of the program.
    parallel
        How many questions are asked at a time. The result does not depend on who answers first.
    progress
        Show a bar on the error stream. `COURSE_QUIET=1` hides it everywhere.

    Returns
    -------
    Answers
        `run`, `failed`, `declined`, `seconds`.

    Raises
    ------
    ValueError
        Every question failed (the first cause is told), or an argument cannot be used.
    OSError
        The cache cannot be written. What it has is kept.

    Warns
    -----
    CourseWarning
        Some questions failed; the order of a list contradicts its scores; scores are too close for a run file.

    Notes
    -----
    Stopped with Ctrl-C, it returns control at once, and what was answered is in the cache.

    Without `timeout`, and with `parallel=1`, a plain function runs in your own thread. Else it runs in other threads,
    several at once if `parallel` says so. An async function runs in an event loop of its own thread, one for all
    questions, also in a notebook: make its client inside the function, or where no loop is running.

    Examples
    --------
    >>> def search(question):
    ...     if "cat" in question:
    ...         return []
    ...     return [("leave-annual", 0.9), ("leave-2024", 0.4)]
    >>> answers = ask(search, {"q1": "days off?", "q2": "who feeds the cat?"}, progress=False)
    >>> answers
    Answers(2 questions: 1 answered, 1 declined, 0 failed)
    >>> answers.run
      query_id        doc_id  score
    0       q1  leave-annual    0.9
    1       q1    leave-2024    0.4
    """
    texts = _texts(search, questions)
    depth = _whole(k, "k")
    lanes, limit = _whole(parallel, "parallel"), _seconds(timeout)
    store = Cache(cache, _key(search, cache_key) if cache else "", depth)
    found, seconds, errors = dict[str, Answer](), dict[str, float](), dict[str, BaseException]()
    for query, kept in ((query, store.get(text)) for query, text in texts.items()):
        if kept:
            found[query], seconds[query] = kept
    waiting = {query: text for query, text in texts.items() if query not in found}
    with closing(call_all(search, waiting, lanes, limit)) as calls, _bar(progress, len(waiting)) as bar:
        for query, outcome in calls:
            seconds[query] = outcome.seconds
            answer = _answer(outcome, depth)
            if isinstance(answer, Answer):
                found[query] = answer
                store.put(texts[query], answer, outcome.seconds)
            else:
                errors[query] = answer
                bar.set_postfix_str(f"{len(errors)} failed, the last: {_line(answer):.60}", refresh=False)
            bar.update()
    _tell(list(texts), found, errors)
    return _answers(list(texts), found, errors, seconds)


def _texts(search: Any, questions: Questions) -> dict[str, str]:
    if not callable(search):
        raise ValueError(
            f"search is a {type(search).__name__}; expected a function that takes the text of a question"
        )
    if isinstance(questions, Sized) and not len(questions):
        raise ValueError("there is no question; expected at least one")
    asked = check_questions(questions)
    return dict(zip(asked[QUERY_ID], asked[TEXT], strict=True))


def _whole(value: Any, name: str) -> int:
    if isinstance(value, bool) or not isinstance(value, Integral) or value < 1:
        raise ValueError(f"{name} is {value!r}; expected a whole number of at least 1")
    return int(value)


def _seconds(timeout: Any) -> float | None:
    if timeout is not None and (
        isinstance(timeout, bool) or not isinstance(timeout, int | float) or not timeout > 0
    ):
        raise ValueError(f"timeout is {timeout!r}; expected seconds above 0, or None")
    return None if timeout is None else float(timeout)


def _key(search: Any, given: str | None) -> str:
    """Name the system; of a partial or an object the settings cannot be seen, and two of them are not the same."""
    if given is not None:
        return given
    try:
        if (
            inspect.isfunction(search) and search.__code__.co_filename != "<string>"
        ):  # made of text: no file has it
            return f"{search.__qualname__} {sha256(inspect.getsource(search).encode()).hexdigest()[:12]}"
    except OSError:  # typed in a plain console
        pass
    raise ValueError(
        f"the source of search ({type(search).__name__}) cannot be read, so a changed one would get old answers; "
        "expected cache_key=, a name and version of the system"
    )


def _answer(outcome: Outcome, k: int) -> Answer | BaseException:
    if outcome.error is not None:
        return outcome.error
    try:
        return ranked(outcome.value, k)
    except Exception as error:  # also what a strange object raises when it is looked at
        return error


def _line(error: BaseException) -> str:
    message = " ".join(str(error).split())
    kind = type(error).__name__
    return f"{kind}: {message}"[:LENGTH] if message else kind


def _bar(progress: bool, total: int) -> Any:
    from tqdm import tqdm

    hidden = not progress or not total or os.environ.get("COURSE_QUIET") == "1"
    return tqdm(total=total, desc="Asking", unit="question", disable=hidden, file=sys.stderr)


def _tell(queries: list[str], found: Mapping[str, Answer], errors: Mapping[str, BaseException]) -> None:
    """Warn of what failed and of what is odd; refuse to go on if there is nothing but failures."""
    broken = [query for query in queries if query in errors]
    if len(broken) == len(queries):
        first = errors[broken[0]]
        all_of_them = "the only question" if len(queries) == 1 else f"all {len(queries):,} questions"
        raise ValueError(f"{all_of_them} failed. {broken[0]}: {_line(first)}") from first
    if broken:
        warn(
            f"{len(broken):,} of {plural(len(queries), 'question')} failed (for instance {broken[0]}: "
            f"{_line(errors[broken[0]])}); `failed` lists them; they count neither as answered nor as declined"
        )
    for note, message in NOTES.items():
        odd = [query for query in queries if query in found and note in found[query].notes]
        if odd:
            warn(f"{plural(len(odd), 'question')} (for instance {odd[0]}): {message}")


def _answers(
    queries: Iterable[str],
    found: Mapping[str, Answer],
    errors: Mapping[str, BaseException],
    seconds: Mapping[str, float],
) -> Answers:
    order = list(queries)
    rows = [(query, *pair) for query in order if query in found for pair in found[query].pairs]
    run = pd.DataFrame(rows, columns=[QUERY_ID, DOC_ID, SCORE]).astype(
        {QUERY_ID: "str", DOC_ID: "str", SCORE: "float64"}
    )
    failed = [(query, _line(errors[query])) for query in order if query in errors]
    declined = [query for query in order if query in found and not found[query].pairs]
    index = pd.Index(order, dtype="str", name=QUERY_ID)
    times = pd.Series([seconds[query] for query in order], index=index, name="seconds", dtype="float64")
    return Answers(run, pd.DataFrame(failed, columns=[QUERY_ID, ERROR], dtype="str"), declined, times)
