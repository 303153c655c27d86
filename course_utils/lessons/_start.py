"""The first line of each notebook: warnings that read the same on every machine, tables that show whole sentences."""

import sys
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
    if "pandas" in sys.modules:  # never load it for this alone
        sys.modules["pandas"].options.display.max_colwidth = None


def _short(
    message: Warning | str, category: type[Warning], filename: str, lineno: int, line: str | None = None
) -> str:
    return f"{category.__name__}: {message}\n"
