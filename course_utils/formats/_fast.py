"""The quick way for a well-formed TREC run: pandas' C reader. In any doubt the careful way decides."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from course_utils.formats._text import GZIP
from course_utils.schema import DOC_ID, QUERY_ID, RUN_COLUMNS, SCORE

BLOCK = 1 << 22
COLUMNS = [QUERY_ID, "Q0", DOC_ID, "rank", SCORE, "tag", "more"]
TEXTS = [QUERY_ID, "Q0", DOC_ID, "tag", "more"]  # rank and score are left to be recognised: numbers, or odd


def read_well_formed(path: Path) -> tuple[pd.DataFrame, np.ndarray[Any, Any]] | None:
    r"""Return the run and its rank column, or None if any line needs the careful way.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "a.run")
    ...     _ = path.write_text("q1 Q0 d1 1 7.5 a\n# odd\n")
    ...     print(read_well_formed(path))
    None
    """
    if not _looks_plain(path):
        return None
    try:
        table = pd.read_csv(
            path, sep=r"\s+", header=None, names=COLUMNS, dtype=dict.fromkeys(TEXTS, "str"),
            na_filter=False, quoting=3, encoding="utf-8", engine="c",
        )  # fmt: skip
    except (ValueError, OverflowError, pd.errors.ParserError):
        return None
    if _is_odd(table):
        return None
    return table[RUN_COLUMNS].astype({SCORE: "float64"}), table["rank"].to_numpy()


def _looks_plain(path: Path) -> bool:
    """Six fields in the first line, no gzip, no NUL, no `#`, no quirk of blanks anywhere."""
    with path.open("rb") as file:
        first = file.readline()
        if first.startswith((GZIP, b"\xef\xbb\xbf", b"{")) or len(first.split()) != 6:
            return False
        file.seek(0)
        return not any(
            mark in block for block in iter(lambda: file.read(BLOCK), b"") for mark in b"\0#\r\v\f"
        )


def _is_odd(table: pd.DataFrame) -> bool:
    if table.empty or table["rank"].dtype.kind != "i" or table[SCORE].dtype.kind not in "iuf":
        return True
    short_or_long = (table["tag"] == "").any() or (table["more"] != "").any()
    return bool(short_or_long or not np.isfinite(table[SCORE].to_numpy()).all() or _repeats(table))


def _repeats(table: pd.DataFrame) -> bool:
    (owner, _), (document, known) = pd.factorize(table[QUERY_ID]), pd.factorize(table[DOC_ID])
    pairs = np.sort(owner * len(known) + document)
    return bool(np.any(pairs[1:] == pairs[:-1]))
