"""Kill writers of a ledger at random points, two at a time: `python tests/kill_ledger.py FOLDER [KILLS]`.

Each writer is a process that records as fast as it can and says each id once it is recorded. What was said before
the kill must be in the ledger, and the ledger must be readable, after each kill. Linux and macOS only.
"""

import os
import random
import signal
import sys
import time
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from course_utils import ledger
from course_utils.ledger._record import id_of
from course_utils.ledger._store import keep
from golden import golden_set


def write(folder, name, found, out):
    """Record one experiment after the other, for ever."""
    for number in range(10**9):
        other = replace(found, config={"name": name, "number": number})
        kept = keep(folder, replace(other, id=id_of(other)))
        os.write(out, f"{kept.id}\n".encode())


def start(folder, name, found):
    """Start a writer; return its process id and the end of the pipe on which it says what it recorded."""
    end, out = os.pipe()
    process = os.fork()
    if process == 0:
        os.close(end)
        write(folder, name, found, out)
    os.close(out)
    return process, end


def stop(process, end):
    """Kill a writer; return the ids that it had said."""
    os.kill(process, signal.SIGKILL)
    _, status = os.waitpid(process, 0)
    if os.WTERMSIG(status) != signal.SIGKILL:
        raise SystemExit(f"the writer ended by itself: {status}")
    with os.fdopen(end, "rb") as told:
        return {line.decode().strip() for line in told if line.endswith(b"\n")}


def main(folder, kills):
    """Kill, look, and print what was seen; writers of one pair record the same experiments."""
    chance, said = random.Random(0), set()
    found = ledger.measure({}, golden_set(), {f"q{n}": {f"d{n % 50}": 1.0} for n in range(0, 60, 2)})
    for number in range(0, kills, 2):
        pair = [start(folder, f"pair {number}", found) for _ in range(2)]
        time.sleep(chance.random() * 0.05)
        said = said.union(*(stop(*one) for one in pair))
        lost = said - {file.stem for file in folder.glob("*.json")}
        if lost:
            raise SystemExit(f"lost after {number + 2} kills: {sorted(lost)}")
    there = set(ledger.read(folder).index)  # reads and checks each record
    if not said <= there:
        raise SystemExit(f"unreadable: {sorted(said - there)}")
    drafts = len(list(folder.glob(".*.tmp")))
    print(f"{kills} kills, {len(said)} records said, {len(there)} there, 0 lost, {drafts} drafts left behind")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if sys.argv[2:] else 30)
