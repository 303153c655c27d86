"""Give the learner copies to work in, and open JupyterLab on them.

The copies are in `work/`, beside `notebooks/`, so that a link to `../assets` holds in both. A file that
is there is never written to: a newer edition arrives beside it, as `NN_name.new.ipynb`.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LESSONS = "[0-9][0-9]_*.ipynb"
MARKER = ".course-language"
START_PAGE = "work/00_start_here.ipynb"
QUIET = {"@jupyterlab/apputils-extension:notification": {"fetchNews": "false", "checkForUpdates": False}}


def write_atomically(path: Path, content: bytes) -> None:
    """Write a file so that it is there whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f".{path.name}.part")
    unfinished.write_bytes(content)
    unfinished.replace(path)


def shipped_lessons(shipped: Path) -> Iterator[Path]:
    """Yield the learner notebooks of every language; a folder with a marker file is a language."""
    yield from sorted(shipped.glob(LESSONS))
    for marker in sorted(shipped.glob(f"*/{MARKER}")):
        yield from sorted(marker.parent.glob(LESSONS))


def candidates(path: Path) -> Iterator[Path]:
    """Yield the names under which editions of a notebook arrive: x.ipynb, x.new.ipynb, x.new-2.ipynb ..."""
    yield path
    yield path.with_suffix(".new.ipynb")
    number = 2
    while True:
        yield path.with_suffix(f".new-{number}.ipynb")
        number += 1


def hand_out(source: Path, target: Path, editions: list[str]) -> Path | None:
    """Copy one notebook to where nothing is yet; None if the learner has this edition already.

    `editions` are the hashes of the editions that this learner was given before.
    """
    content = source.read_bytes()
    if target.exists() and hashlib.sha256(content).hexdigest() in editions:
        return None
    for path in candidates(target):
        if not path.exists():
            write_atomically(path, content)
            return path
        if path.read_bytes() == content:
            return None
    raise AssertionError("candidates never end")


def read_state(path: Path) -> dict[str, list[str]]:
    """Read which editions were handed out; a lost or damaged record is an empty one."""
    try:
        state = json.loads(path.read_text(encoding="utf-8"))
        return {name: [str(edition) for edition in editions] for name, editions in state.items()}
    except (OSError, ValueError, AttributeError, TypeError):
        return {}


def refresh(shipped: Path, work: Path) -> list[Path]:
    """Copy to `work` what is new in `shipped`, overwrite nothing, and return the new files."""
    record = work / ".state" / "shipped.json"
    state, new = read_state(record), []
    for source in shipped_lessons(shipped):
        name = source.relative_to(shipped).as_posix()
        copy = hand_out(source, work / name, state.get(name, []))
        edition = hashlib.sha256(source.read_bytes()).hexdigest()
        state[name] = [*(old for old in state.get(name, []) if old != edition), edition]
        new += [copy] if copy else []
    for marker in shipped.glob(f"*/{MARKER}"):
        if not (target := work / marker.relative_to(shipped)).exists():
            write_atomically(target, marker.read_bytes())
    write_atomically(record, json.dumps(state, indent=1, sort_keys=True).encode())
    return new


def report(new: list[Path], work: Path) -> list[str]:
    """Return what to tell the learner about the files that arrived."""
    beside = [path for path in new if ".new" in path.suffixes[0]]
    lines = [f"{len(new) - len(beside)} notebooks copied to {work.name}/."] if len(new) > len(beside) else []
    return lines + [f"A newer edition is beside yours: {p.relative_to(work.parent)}" for p in beside]


def main(options: list[str]) -> int:
    """Fill `work/` and start JupyterLab on it, with the repository as its root."""
    for line in report(refresh(ROOT / "notebooks", ROOT / "work"), ROOT / "work"):
        print(line, flush=True)
    # The question about news is off for this environment only; the user's own settings stay as they are.
    settings = Path(sys.prefix, "share/jupyter/lab/settings/overrides.json")
    if not settings.exists():
        write_atomically(settings, json.dumps(QUIET).encode())
    os.chdir(ROOT)
    from jupyterlab.labapp import LabApp  # late: all the rest needs the standard library only

    page = [f"--ServerApp.root_dir={ROOT}", f"--LabApp.default_url=/lab/tree/{START_PAGE}"]
    LabApp.launch_instance([*page, *options])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
