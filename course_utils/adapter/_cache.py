"""What was answered before, in a file to which a line is added for each answer."""

import json
from math import isfinite
from pathlib import Path
from typing import Any, NamedTuple

from course_utils.adapter._ranked import Answer

HEAD = b'{"question": '


class Kept(NamedTuple):
    """An answer, and the seconds it took when it was asked for."""

    answer: Answer
    seconds: float


class Cache:
    r"""Answers of one system at one depth.

    A line is written in one go, so a process that is killed leaves whole lines, or one torn line at the end, which
    counts for nothing and is not added to.

    Parameters
    ----------
    path
        A file, or a folder (a name without an ending), in which the file is `answers.jsonl`. None: nothing is kept.
    system, k
        Whose answers: those of other systems and depths in the file are left alone.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     Cache(folder, "bm25", 10).put("days off?", Answer([("d1", 0.5)], []), 0.2)
    ...     Cache(folder, "bm25", 10).get("days off?"), Cache(folder, "bm25", 5).get("days off?")
    (Kept(answer=Answer(pairs=[('d1', 0.5)], notes=[]), seconds=0.2), None)
    """

    def __init__(self, path: str | Path | None, system: str, k: int) -> None:
        self._key, self._kept = {"system": system, "k": k}, dict[str, Kept]()
        self._file = None if path is None else _file(Path(path).expanduser())
        if self._file is not None and self._file.exists():
            self._kept = self._read(self._file)

    def get(self, text: str) -> Kept | None:
        """Return what was answered to this text, if anything was."""
        return self._kept.get(text)

    def put(self, text: str, answer: Answer, seconds: float) -> None:
        """Keep one answer."""
        if self._file is None:
            return
        told = {"answer": answer.pairs, "notes": answer.notes, "seconds": seconds}
        line = json.dumps({"question": text, **self._key, **told}).encode() + b"\n"
        self._file.parent.mkdir(parents=True, exist_ok=True)
        with self._file.open("a+b", buffering=0) as file:
            whole = b"\n" + line if _is_torn(file) else line
            if file.write(whole) != len(whole):
                raise OSError(f"{self._file}: the disk is full; the answers before this one are kept")

    def _read(self, file: Path) -> dict[str, Kept]:
        content = file.read_bytes()
        first = content.split(b"\n", 1)[0]
        if not (first.startswith(HEAD) or HEAD.startswith(first)):
            raise ValueError(f"{file} is no cache of answers: name another file, or a folder")
        found = filter(None, map(self._line, content.split(b"\n")))
        return dict(found)  # the last one counts

    def _line(self, line: bytes) -> tuple[str, Kept] | None:
        """Read a line; one that is torn, or of another system, gives nothing."""
        try:
            told = json.loads(line)
            pairs = [(one, score) for one, score in told["answer"]]
            kept = Kept(Answer(pairs, list(told["notes"])), float(told["seconds"]))
            ours = {name: told[name] for name in self._key} == self._key
        except (ValueError, KeyError, TypeError):
            return None
        right = all(isinstance(d, str) and isinstance(s, float) and isfinite(s) for d, s in pairs)
        return (told["question"], kept) if ours and right else None


def _file(path: Path) -> Path:
    folder = path.is_dir() or not (path.suffix or path.exists())
    return path / "answers.jsonl" if folder else path


def _is_torn(file: Any) -> bool:
    """Tell whether the last line has no end; what is written goes to the end of the file, wherever we look."""
    if not file.seek(0, 2):
        return False
    file.seek(-1, 2)
    return bool(file.read(1) != b"\n")
