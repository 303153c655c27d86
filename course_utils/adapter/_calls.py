"""Ask every question, several at a time; what takes too long is left behind."""

import inspect
import time
from collections import deque
from collections.abc import Callable, Generator, Mapping
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Any, Protocol

from course_utils.adapter._lanes import Loop, Outcome, Threads, call

POLL = 0.5  # seconds; on Windows nothing interrupts a wait
Search = Callable[[str], Any]
Done = SimpleQueue[tuple[str, Outcome]]


class Lane(Protocol):
    """How questions are asked at the same time."""

    done: Done

    def start(self, query: str, text: str) -> Any:
        """Ask one; its outcome arrives in `done`."""

    def leave(self, job: Any) -> str:
        """Leave one behind; return what to add to the message."""

    def close(self) -> None:
        """Leave everything behind."""


def call_all(
    search: Search, texts: Mapping[str, str], parallel: int = 1, timeout: float | None = None
) -> Generator[tuple[str, Outcome]]:
    """Give (query_id, outcome) as the answers come in.

    Examples
    --------
    >>> [(query, outcome.value) for query, outcome in call_all(str.split, {"q1": "d1 d2"})]
    [('q1', ['d1', 'd2'])]
    """
    if is_async(search):
        yield from _dispatch(Loop(search), texts, parallel, timeout)
    elif parallel > 1 or timeout is not None:
        yield from _dispatch(Threads(search), texts, parallel, timeout)
    else:  # in the caller's own thread: a sqlite connection is bound to it
        for query, text in texts.items():
            yield query, call(search, text)


def is_async(search: Any) -> bool:
    """Tell an async function, also as a method, a partial or an object that can be called.

    Examples
    --------
    >>> is_async(len)
    False
    """
    return inspect.iscoroutinefunction(search) or inspect.iscoroutinefunction(
        getattr(search, "__call__", None)  # noqa: B004
    )


def _dispatch(
    lane: Lane, texts: Mapping[str, str], parallel: int, timeout: float | None
) -> Generator[tuple[str, Outcome]]:
    waiting, running = deque(texts.items()), dict[str, tuple[float, Any]]()
    try:
        while waiting or running:
            while waiting and len(running) < parallel:
                query, text = waiting.popleft()
                running[query] = time.perf_counter(), lane.start(query, text)
            for query, outcome in _arrived(lane.done, _patience(running, timeout)):
                if running.pop(query, None):  # else it was left behind
                    yield query, outcome
            for query, (started, job) in _late(running, timeout):
                del running[query]
                late = TimeoutError(f"no answer within {timeout:g} s{lane.leave(job)}")
                yield query, Outcome(None, late, time.perf_counter() - started)
    finally:
        lane.close()


def _patience(running: Mapping[str, tuple[float, Any]], timeout: float | None) -> float:
    if timeout is None:
        return POLL
    first = min(started for started, _ in running.values())
    return min(max(first + timeout - time.perf_counter(), 0.001), POLL)


def _arrived(done: Done, patience: float) -> list[tuple[str, Outcome]]:
    """Wait for one outcome, then take all that are there: what has arrived is never late."""
    arrived = []
    with suppress(Empty):
        arrived.append(done.get(timeout=patience))
        while True:
            arrived.append(done.get_nowait())
    return arrived


def _late(
    running: Mapping[str, tuple[float, Any]], timeout: float | None
) -> list[tuple[str, tuple[float, Any]]]:
    now = time.perf_counter()
    return [(q, job) for q, job in running.items() if timeout is not None and now - job[0] >= timeout]
