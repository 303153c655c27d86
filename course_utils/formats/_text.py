"""Files as numbered lines of text, whatever editor or tool they come from; and files written whole or not."""

import gzip
import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

LINE_END = re.compile(r"\r\n|\n|\r")
GZIP, UTF8_BOM = b"\x1f\x8b", b"\xef\xbb\xbf"
UTF16 = (b"\xff\xfe", b"\xfe\xff")

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
    data = path.read_bytes()
    if not data.startswith(GZIP):
        return data
    try:
        return gzip.decompress(data)
    except (OSError, EOFError) as error:
        raise ValueError(f"{path} is a broken gzip file ({error}); copy it again") from error


def numbered_lines(path: Path) -> Iterator[Line]:
    r"""Give (line number, text) of each line that is neither blank nor a `#` comment.

    A byte order mark is dropped; CR, LF and CRLF all end a line.

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
    lines = LINE_END.split(_decoded(read_bytes(path), path))
    used = [(n, line) for n, line in enumerate(lines, start=1) if line.strip() and line.lstrip()[0] != "#"]
    if not used:
        raise ValueError(f"{path} has no line of data")
    yield from used


def _decoded(data: bytes, path: Path) -> str:
    if data.startswith(UTF16) or b"\0" in data:
        raise ValueError(f"{path} is UTF-16 or no text (found {data[:4]!r}); save it as UTF-8")
    data = data.removeprefix(UTF8_BOM)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        number = len(LINE_END.split(data[: error.start].decode("utf-8")))
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
