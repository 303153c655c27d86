"""Where a search function runs: a thread per question, or one event loop for all of them.

All threads are daemons: one that hangs keeps neither the run nor the interpreter from ending.
"""

import asyncio
import inspect
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from queue import SimpleQueue
from threading import Event, Thread
from typing import Any, NamedTuple

BLOCKED = 0.5  # seconds within which an event loop that works gives a sign
BLOCKS = ", and the function holds up its event loop: await inside it, or write def instead of async def"


class Outcome(NamedTuple):
    """What came of one question: a value, or an error."""

    value: Any
    error: BaseException | None
    seconds: float


def call(search: Callable[[str], Any], text: str, *, catch: Any = (Exception, SystemExit)) -> Outcome:
    """Ask one question here and now.

    Examples
    --------
    >>> call(str.split, "d1 d2").value
    ['d1', 'd2']
    >>> call(int, "d1").error
    ValueError("invalid literal for int() with base 10: 'd1'")
    """
    started = time.perf_counter()
    try:
        return Outcome(_settled(search(text)), None, time.perf_counter() - started)
    except catch as error:
        return Outcome(None, error, time.perf_counter() - started)


def _settled(value: Any) -> Any:
    """Draw a lazy result to its end while the clock runs, and refuse what would have to be awaited."""
    if inspect.isawaitable(value) or inspect.isasyncgen(value):
        if inspect.iscoroutine(value):
            value.close()
        raise TypeError(
            "the function returned something to await; pass an async def itself, not a call of it"
        )
    return list(value) if isinstance(value, Iterator) else value


class Threads:
    """A thread per question, so that one that hangs takes no place from the others."""

    def __init__(self, search: Callable[[str], Any]) -> None:
        self._search, self.done = search, SimpleQueue[tuple[str, Outcome]]()

    def start(self, query: str, text: str) -> None:
        """Ask one question."""
        Thread(target=self._run, args=(query, text), daemon=True).start()

    def _run(self, query: str, text: str) -> None:
        self.done.put((query, call(self._search, text, catch=BaseException)))

    def leave(self, job: None) -> str:
        """Leave one behind: a thread cannot be stopped, and ends when it ends."""
        return ""

    def close(self) -> None:
        """Leave all behind."""


class Loop:
    """One event loop in a thread of its own, since a notebook's main thread is running one already."""

    def __init__(self, search: Callable[[str], Any]) -> None:
        self._search, self.done = search, SimpleQueue[tuple[str, Outcome]]()
        self._begin()

    def _begin(self) -> None:
        self._loop, self._end = asyncio.new_event_loop(), asyncio.Event()
        self._thread = Thread(target=_turn, args=(self._loop, self._end), daemon=True)
        self._thread.start()

    def start(self, query: str, text: str) -> Any:
        """Ask one question."""
        return asyncio.run_coroutine_threadsafe(self._run(query, text), self._loop)

    async def _run(self, query: str, text: str) -> None:
        started, value, error = time.perf_counter(), None, None
        try:
            value = _settled(await self._search(text))
        except BaseException as raised:  # a KeyboardInterrupt here would end the loop for all
            error = raised
        self.done.put((query, Outcome(value, error, time.perf_counter() - started)))

    def leave(self, job: Any) -> str:
        """Cancel one; if the loop itself is stuck in it, take a new loop for the others."""
        job.cancel()
        heard = Event()
        self._loop.call_soon_threadsafe(heard.set)
        if heard.wait(BLOCKED):
            return ""
        self._stop()
        self._begin()
        return BLOCKS

    def close(self) -> None:
        """Cancel what runs and end the loop."""
        self._stop()
        self._thread.join(BLOCKED)

    def _stop(self) -> None:
        with suppress(RuntimeError):  # it has ended already
            self._loop.call_soon_threadsafe(self._end.set)


def _turn(loop: asyncio.AbstractEventLoop, end: asyncio.Event) -> None:
    """Run the loop until its end; the runner cancels what is left, and closes it."""
    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        runner.run(_wait(end))


async def _wait(end: asyncio.Event) -> None:
    await end.wait()
