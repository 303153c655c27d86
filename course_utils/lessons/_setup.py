"""The set-up check of lesson 00: each line is fine, or says what to do."""

import sys
from importlib.metadata import PackageNotFoundError, version

from course_utils import paths, registry
from course_utils.i18n import text
from course_utils.lessons._content import Feedback

_PACKAGES = ("numpy", "pandas", "matplotlib", "scipy", "scikit-learn", "faiss-cpu", "bm25s")
_PYTHONS = range(11, 15)


def check_setup() -> Feedback:
    """Check the Python version, the packages and the data files; no version is printed where all is well.

    Returns
    -------
    Feedback
        A line per part; ``status`` is ``right`` or ``wrong``.

    Examples
    --------
    >>> check_setup().status
    'right'
    """
    packages = [problem for problem in map(_package, _PACKAGES) if problem]
    data = [text("setup.data.wrong", problem=problem) for problem in registry.damaged()]
    lines = [_python() or text("setup.python")]
    lines += packages or [text("setup.packages", n=len(_PACKAGES))]
    lines += data or [text("setup.data")]
    status = "wrong" if _python() or packages or data else "right"
    return Feedback(status, "\n".join([*lines, text("setup.offline")]))


def _python() -> str:
    if sys.version_info[0] == 3 and sys.version_info[1] in _PYTHONS:
        return ""
    return text("setup.python.wrong", found=sys.version.split()[0])


def _package(name: str) -> str:
    try:
        found = version(name)
    except PackageNotFoundError:
        return text("setup.package.missing", name=name)
    locked = _locked(name)
    return (
        ""
        if found in locked or not locked
        else text("setup.package.other", name=name, found=found, expected=locked[0])
    )


def _locked(name: str) -> list[str]:
    """Return the versions that the lock file allows; none if the package was installed without it."""
    lock = paths.root() / "requirements.lock"
    lines = lock.read_text(encoding="utf-8").splitlines() if lock.is_file() else []
    return [line.split("==")[1].split()[0] for line in lines if line.startswith(f"{name}==")]
