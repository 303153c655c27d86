"""The first line of each notebook: warnings that read the same on every machine."""

import warnings


def start() -> None:
    r"""Make a notebook's warnings short and reproducible: the category and the message, no path, no line number.

    Returns
    -------
    None

    Examples
    --------
    >>> before = warnings.formatwarning
    >>> start()
    >>> warnings.formatwarning("two documents are tied", UserWarning, "cell.py", 3)
    'UserWarning: two documents are tied\n'
    >>> warnings.formatwarning = before
    """
    warnings.formatwarning = _short


def _short(
    message: Warning | str, category: type[Warning], filename: str, lineno: int, line: str | None = None
) -> str:
    return f"{category.__name__}: {message}\n"
