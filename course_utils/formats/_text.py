"""Files as numbered lines of text, whatever editor or tool they come from; and files written whole or not."""

import gzip
import os
import re
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

LINE_END = re.compile(r"\r\n|\n|\r")
GZIP, UTF8_BOM = b"\x1f\x8b", b"\xef\xbb\xbf"
UTF16 = (b"\xff\xfe", b"\xfe\xff")
SILENT = "# no results: nothing was returned for any question"  # all of a run that is empty on purpose

BLOCK = 1 << 20  # bytes read in one go: bounds the memory, not the result
Line = tuple[int, str]


def read_bytes(path: Path) -> bytes:
    """Return the contents of a file, unpacked if it is gzip (told by its first bytes, not by its name).

    Raises
    ------
    ValueError
        The gzip file is broken.

    Examples
    --------
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "a.run")
    ...     _ = path.write_bytes(gzip.compress(b"q1 0 d1 1"))
    ...     read_bytes(path)
    b'q1 0 d1 1'
    """
    return b"".join(_chunks(path, -1))


def blocks(path: Path, size: int = BLOCK) -> Iterator[tuple[int, bytes]]:
    r"""Give a file in blocks, each with the number of its first line; no list of a query is cut in two.

    Examples
    --------
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "a.run")
    ...     _ = path.write_bytes(b"q1 a\nq1 b\nq2 c\nq2 d\n")
    ...     list(blocks(path, size=16))
    [(1, b'q1 a\nq1 b\n'), (3, b'q2 c\nq2 d\n')]
    """
    number, rest, room = 1, b"", size
    for chunk in _chunks(path, size):
        rest += chunk
        cut = _last_list(rest) if len(rest) >= room else 0
        room = size if cut else max(size, 2 * len(rest))  # a long list is not looked through at each chunk
        if cut:
            yield number, rest[:cut]
            number, rest = number + rest.count(b"\n", 0, cut), rest[cut:]
    if rest:
        yield number, rest


def _chunks(path: Path, size: int) -> Iterator[bytes]:
    with path.open("rb") as file:
        packed = file.read(2) == GZIP
        file.seek(0)
        try:
            with gzip.open(file) if packed else file as source:
                while chunk := source.read(size):
                    yield chunk
        except (gzip.BadGzipFile, EOFError, zlib.error) as error:
            raise ValueError(f"{path} is a broken gzip file ({error}); copy it again") from error


def _last_list(block: bytes) -> int:
    """Where the lines of the last query begin; the last line may be there in part, and is passed over."""
    whole = block.rfind(b"\n") + 1
    start = block.rfind(b"\n", 0, max(whole - 1, 0)) + 1
    query = block[start:whole].split(None, 1)[:1]
    while start:
        before = block.rfind(b"\n", 0, start - 1) + 1
        if block[before:start].split(None, 1)[:1] != query:
            return start
        start = before
    return 0


def numbered_lines(path: Path) -> Iterator[Line]:
    r"""Give (line number, text) of each line of a file that is neither blank nor a `#` comment.

    Raises
    ------
    ValueError
        The file is UTF-16 or not UTF-8, or has no line of data.

    Examples
    --------
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "a.run")
    ...     _ = path.write_bytes(b"# judged in May\r\n\r\nq1 0 d1 1")
    ...     list(numbered_lines(path))
    [(3, 'q1 0 d1 1')]
    """
    used = lines_of(read_bytes(path), path)
    if not used:
        raise ValueError(f"{path} has no line of data")
    yield from used


def lines_of(data: bytes, path: Path, number: int = 1) -> list[Line]:
    r"""As `numbered_lines`, from bytes that begin with line `number` of the file.

    A byte order mark in front is dropped; CR, LF and CRLF all end a line.

    Examples
    --------
    >>> lines_of(b"q1 0 d1 1\r# end\r\nq2 0 d1 1", Path("a.run"), 7)
    [(7, 'q1 0 d1 1'), (9, 'q2 0 d1 1')]
    """
    lines = enumerate(LINE_END.split(_decoded(data, path, number)), start=number)
    return [(n, line) for n, line in lines if line.strip() and line.lstrip()[0] != "#"]


def _decoded(data: bytes, path: Path, number: int) -> str:
    if (data.startswith(UTF16) and number == 1) or b"\0" in data:
        raise ValueError(f"{path} is UTF-16 or no text (found {data[:4]!r}); save it as UTF-8")
    data = data.removeprefix(UTF8_BOM if number == 1 else b"")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        number += len(LINE_END.split(data[: error.start].decode("utf-8"))) - 1
        raise ValueError(
            f"{path}, line {number}: byte {data[error.start]:#x} is not UTF-8; save the file as UTF-8"
        ) from error


def write_whole(path: Path, text: str) -> None:
    r"""Write a file whole or not at all, as UTF-8 with LF; gzip if the name ends in .gz.

    Examples
    --------
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_whole(Path(folder, "a.run"), "one\n")
    ...     Path(folder, "a.run").read_text()
    'one\n'
    """
    data = text.encode("utf-8")
    if path.suffix == ".gz":
        data = gzip.compress(data, mtime=0)  # no time stamp: the same run gives the same bytes
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.name, suffix=".tmp")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        Path(temporary).chmod(0o644)
        Path(temporary).replace(path)
    except BaseException:
        with suppress(OSError):
            Path(temporary).unlink()
        raise
