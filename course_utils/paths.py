"""Where the course keeps its files, however it was installed or opened."""

import os
from pathlib import Path

_LANDMARK = Path("assets", "quizzes")


def root() -> Path:
    """Return the folder of the course: the one that holds ``assets`` and ``notebooks``.

    It is ``COURSE_ROOT`` if that is set, else the folder that holds the package, else the first
    folder above the current one that looks like the course.

    Returns
    -------
    Path
        An absolute path.

    Raises
    ------
    FileNotFoundError
        If no such folder is found.

    Examples
    --------
    >>> (root() / "course.py").name
    'course.py'
    """
    if "COURSE_ROOT" in os.environ:
        return Path(os.environ["COURSE_ROOT"]).resolve()
    here = Path(__file__).resolve().parent.parent
    for folder in (here, Path.cwd(), *Path.cwd().parents):
        if (folder / _LANDMARK).is_dir():
            return folder
    raise FileNotFoundError(
        f"the course's data was not found: expected a folder {_LANDMARK} in {here}, in {Path.cwd()} or above it. "
        "Start from the course's folder, or set COURSE_ROOT to it."
    )


def assets(*parts: str) -> Path:
    """Return the path of a file or folder below ``assets``.

    Parameters
    ----------
    *parts : str
        Names below ``assets``.

    Returns
    -------
    Path
        The path; it may or may not exist.

    Examples
    --------
    >>> assets("quizzes", "03.json").name
    '03.json'
    """
    return root().joinpath("assets", *parts)


def state_folder() -> Path:
    """Return the folder that keeps a learner's guesses and answers; it need not exist yet.

    It is ``COURSE_STATE`` if that is set (the build and the tests use an empty folder), else
    ``work/.state`` in the course's folder.

    Returns
    -------
    Path
        The folder.

    Examples
    --------
    >>> isinstance(state_folder(), Path)
    True
    """
    if "COURSE_STATE" in os.environ:
        return Path(os.environ["COURSE_STATE"])
    return root() / "work" / ".state"
