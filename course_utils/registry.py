"""The hash of every data file, so that a number never comes from a file that changed unnoticed.

``assets/registry.txt`` has one line per file, ``sha256  path``, written by ``python3 course.py build``.
"""

import hashlib
from collections.abc import Iterator
from pathlib import Path

from course_utils import paths

_FOLDERS = ("corpus", "examples", "figures", "golden_set", "runs", "templates", "vectors")


def current() -> str:
    """Return what the registry must hold for the files as they are.

    Returns
    -------
    str
        One line per data file, ordered by path.

    Examples
    --------
    >>> current().splitlines()[0].split("  ")[1].startswith("assets/")
    True
    """
    lines = [f"{hash_of(path)}  {path.relative_to(paths.root()).as_posix()}" for path in _files()]
    return "\n".join(lines) + "\n"


def problems() -> list[str]:
    """Compare the files with the registry.

    Returns
    -------
    list of str
        One sentence for each file that changed, is missing or is not registered; empty if all is well.

    Examples
    --------
    >>> problems()
    []
    """
    found = _by_path(current())
    return damaged() + [f"{p} is not in assets/registry.txt" for p in found if p not in _registered()]


def damaged() -> list[str]:
    """Name the registered files that changed or are missing; a file more than registered does no harm.

    Returns
    -------
    list of str
        One sentence for each; empty if all is well.

    Examples
    --------
    >>> damaged()
    []
    """
    found, registered = _by_path(current()), _registered()
    changed = [f"{p} changed" for p in found if p in registered and found[p] != registered[p]]
    return changed + [f"{p} is missing" for p in registered if p not in found]


def hash_of(path: Path) -> str:
    """Return the SHA-256 of a file; line ends of text files do not matter.

    Parameters
    ----------
    path : Path
        The file.

    Returns
    -------
    str
        64 hexadecimal digits.

    Examples
    --------
    >>> len(hash_of(paths.assets("figures", "map.svg")))
    64
    """
    content = path.read_bytes()
    # A checkout on Windows may turn \n into \r\n; a binary file holds a zero byte and stays as it is.
    return hashlib.sha256(content if b"\0" in content else content.replace(b"\r\n", b"\n")).hexdigest()


def _files() -> Iterator[Path]:
    for folder in _FOLDERS:
        yield from sorted(
            path for path in paths.assets(folder).rglob("*") if path.is_file() and path.name[0] != "."
        )


def _registered() -> dict[str, str]:
    return _by_path(paths.assets("registry.txt").read_text(encoding="utf-8"))


def _by_path(lines: str) -> dict[str, str]:
    return {path: digest for digest, path in (line.split("  ", 1) for line in lines.splitlines() if line)}
