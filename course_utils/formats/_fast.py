"""The quick way for a well-formed TREC run: pandas' C reader. In any doubt the careful way decides."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from course_utils.formats._text import GZIP
from course_utils.schema import DOC_ID, QUERY_ID, RUN_COLUMNS, SCORE

BLOCK = 1 << 22
COLUMNS = [QUERY_ID, "Q0", DOC_ID, "rank", SCORE, "tag", "more"]
TYPES: Any = {
    QUERY_ID: "category",
    "Q0": "category",
    DOC_ID: "category",
    "tag": "category",
    "more": "category",
}


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
            path, sep=r"\s+", header=None, names=COLUMNS, dtype=TYPES | {"rank": "int64", SCORE: "float64"},
            na_filter=False, quoting=3, encoding="utf-8", engine="c",
        )  # fmt: skip
    except (ValueError, OverflowError, pd.errors.ParserError):
        return None
    return None if _is_odd(table) else (_plain(table), table["rank"].to_numpy())


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
    codes = table[DOC_ID].cat.codes.to_numpy(np.int64)
    pairs = np.sort(table[QUERY_ID].cat.codes.to_numpy(np.int64) * (int(codes.max(initial=0)) + 1) + codes)
    return bool(
        table.empty
        or list(table["more"].cat.categories) != [""]
        or any("" in table[column].cat.categories for column in (QUERY_ID, DOC_ID, "tag"))
        or not np.isfinite(table[SCORE].to_numpy()).all()
        or np.any(pairs[1:] == pairs[:-1])
    )


def _plain(table: pd.DataFrame) -> pd.DataFrame:
    return table[RUN_COLUMNS].astype({QUERY_ID: "str", DOC_ID: "str"})
