"""The files of a ledger: written whole or not at all, never over another one, and checked when read."""

import errno
import json
import os
import re
import secrets
import time
from pathlib import Path

from course_utils.ledger._json import digest, to_text
from course_utils.ledger._record import Record, id_of

NAME = re.compile(r"[0-9a-f]{16}\.json")
CHECKSUM = "sha256"
HOUR = 3600
# What systems without hard links (FAT, some network drives) answer.
NO_LINKS = {errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL}


def write(path: Path, record: Record) -> bool:
    """Write a record under a name that nobody has yet; return False if somebody was faster.

    All of it goes to a temporary file beside it first, down to the disk, and only then gets its name. A process
    that is killed leaves the record, or no record and a temporary file, which the next one sweeps away.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "a.json")
    ...     bare = Record("", {}, None, {}, {}, {}, "", {}, [])
    ...     write(path, bare), write(path, bare), len(list(path.parent.iterdir()))
    (True, False, 1)
    """
    text = to_text({**record.content, CHECKSUM: digest(record.content)})
    draft = path.with_name(f".{path.stem}.{secrets.token_hex(8)}.tmp")
    try:
        with draft.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        won = _name(draft, path)
    finally:
        draft.unlink(missing_ok=True)
    _sync(path.parent)
    return won


def _name(draft: Path, path: Path) -> bool:
    try:
        os.link(draft, path)
    except FileExistsError:
        return False
    except OSError as error:
        if error.errno not in NO_LINKS:
            raise
        # Without links there is no name-if-free: two that record the same in the same instant may both write.
        if path.exists():
            return False
        draft.replace(path)
    return True


def _sync(folder: Path) -> None:
    """Bring the new name down to the disk too; Windows cannot open a folder, and does so by itself."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def sweep(folder: Path) -> None:
    """Remove what processes left that were killed more than an hour ago.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     draft = Path(folder, ".0123456789abcdef.00.tmp")
    ...     draft.touch()
    ...     os.utime(draft, (0, 0))
    ...     sweep(Path(folder))
    ...     draft.exists()
    False
    """
    for draft in folder.glob(".*.tmp"):
        try:
            if time.time() - draft.stat().st_mtime > HOUR:
                draft.unlink()
        except FileNotFoundError:  # its own process, or another sweep, was faster
            continue


def read_file(path: Path) -> Record:
    """Read one record and check that nobody edited it.

    Examples
    --------
    >>> read_file(Path("no.json"))
    Traceback (most recent call last):
    ValueError: there is no record no.json
    """
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        checksum = content.pop(CHECKSUM)
        found = Record(**content)
    except FileNotFoundError:
        raise ValueError(f"there is no record {path}") from None
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"{path} is no record: {error}. Take it back from git, or move it away") from error
    if checksum != digest(content) or found.id != id_of(found) or path.stem != found.id:
        raise ValueError(f"{path} was edited after it was recorded. Take it back from git, or move it away")
    return found


def files_of(home: Path) -> list[Path]:
    """List the records of a ledger.

    Examples
    --------
    >>> files_of(Path("nowhere"))
    Traceback (most recent call last):
    ValueError: there is no ledger nowhere
    """
    if not home.is_dir():
        raise ValueError(f"there is no ledger {home}")
    return sorted(file for file in home.iterdir() if NAME.fullmatch(file.name))
