"""A small golden set without a fault, into which tests plant one."""

from itertools import product

import pandas as pd

from course_utils.golden_set import GoldenSet

# Each text is made of its own syllables, so that no two are alike.
SYLLABLES = ["".join(pair) for pair in product("bdfgklmnprstvz", "aeiou")]
TYPES = ("keyword", "paraphrase")


def words(number: int) -> str:
    """Return three words that no other number has."""
    return " ".join(SYLLABLES[number] + SYLLABLES[(number * step) % 70] * 2 for step in (3, 11, 17))


def documents() -> pd.DataFrame:
    """Fifty documents, d0 to d49."""
    rows = [{"doc_id": f"d{n}", "title": f"Page {n}", "text": f"All about {words(n)}."} for n in range(50)]
    return pd.DataFrame(rows)


def questions() -> pd.DataFrame:
    """Sixty questions, q0 to q59: two types, every sixth unanswerable, six of ten in dev."""
    rows = [
        {
            "query_id": f"q{n}",
            "text": words(n),
            "type": TYPES[n % 2],
            "answerable": n % 6 != 5,
            "split": "dev" if n % 10 < 6 else "test",
        }
        for n in range(60)
    ]
    return pd.DataFrame(rows)


def qrels() -> pd.DataFrame:
    """Question n is answered by document n (modulo 50) and judged on the next one too."""
    rows = [(f"q{n}", f"d{n % 50}", 2 if n % 6 != 5 else 0) for n in range(60)]
    rows += [(f"q{n}", f"d{(n + 1) % 50}", 0) for n in range(60)]
    return pd.DataFrame(rows, columns=["query_id", "doc_id", "relevance"])


def golden_set(**parts: pd.DataFrame) -> GoldenSet:
    """Return the set, with the given parts instead of its own."""
    return GoldenSet(**{"documents": documents(), "questions": questions(), "qrels": qrels(), **parts})


def changed(frame: pd.DataFrame, row: int, **cells: object) -> pd.DataFrame:
    """Return the frame with other cells in one row, and new columns where there were none."""
    frame = frame.astype(object)
    for column, value in cells.items():
        if column not in frame:
            frame[column] = None
        frame.loc[row, column] = value
    return frame


def with_rows(frame: pd.DataFrame, *rows: dict[str, object]) -> pd.DataFrame:
    """Return the frame with rows added."""
    return pd.concat([frame, pd.DataFrame(list(rows))], ignore_index=True)
