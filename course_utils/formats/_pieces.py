"""A run read piece by piece, each with whole lists: quick where the lines are well-formed, careful elsewhere."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import pandas as pd

from course_utils.formats._fast import FACTOR, Ints, read_block
from course_utils.formats._ranks import RankCheck
from course_utils.formats._rows import Row, is_trec, read_rows, trec_run
from course_utils.formats._text import SILENT, blocks, lines_of, numbered_lines
from course_utils.schema import DOC_ID, QUERY_ID, SCORE, Block

Piece = Block | pd.DataFrame


class RunFile:
    """A run that stays in its file; each walk over it gives frames, each with whole lists."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __iter__(self) -> Iterator[pd.DataFrame]:
        return map(as_frame, self.blocks())

    def blocks(self) -> Iterator[Piece]:
        """Give the pieces as they were read; `evaluate` needs no more."""
        check = RankCheck()
        for piece, ranks in pieces(self.path):
            check.look(piece, ranks)
            yield piece
        check.warn(self.path)

    def read(self) -> pd.DataFrame:
        """Read the whole run; only where a list may hold a document twice, every line is looked at."""
        check, names, doubt = RankCheck(), set[str](), False
        frames, columns = list[pd.DataFrame](), list[Ints]()
        for piece, ranks in pieces(self.path):
            due = len(names) + len(heads := _heads(piece))
            names.update(heads)
            doubt |= may_repeat(piece) or len(names) < due
            check.look(piece, ranks)
            frames.append(as_frame(piece))
            columns.append(ranks)
        run = pd.concat(frames, ignore_index=True)
        if doubt:
            _refuse_copies(read_rows(numbered_lines(self.path), self.path, SCORE), self.path)
            check = RankCheck()  # a list may stand in several pieces
            check.look(run, np.concatenate(columns))
        check.warn(self.path)
        return run


def pieces(path: Path) -> Iterator[tuple[Piece, Ints]]:
    r"""Give pieces of a run with their ranks (0: no rank); well-formed lines come as a block.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "a.run")
    ...     _ = path.write_text("q1 Q0 d1 1 7.5 my own tag\n")
    ...     [(piece.to_dict("list"), ranks.tolist()) for piece, ranks in pieces(path)]
    [({'query_id': ['q1'], 'doc_id': ['d1'], 'score': [7.5]}, [1])]
    """
    empty, silent = True, False
    for number, text in blocks(path):
        silent |= number == 1 and text.startswith(SILENT.encode())
        quick = read_block(text)
        lines = [] if quick else lines_of(text, path, number)
        if number == 1 and lines and not is_trec(lines[0][1]):
            yield _careful(read_rows(numbered_lines(path), path, SCORE))
            return
        if quick or lines:
            empty = False
            yield quick or _careful(trec_run(lines, path))
    if silent and empty:
        yield _careful([])
    elif empty:
        raise ValueError(f"{path} has no line of data")


def _careful(rows: Iterable[Row]) -> tuple[pd.DataFrame, Ints]:
    listed = list(rows)
    ranks = np.array([row.rank or 0 for row in listed], dtype=object)  # some ranks are larger than int64
    return frame_of_rows(listed, SCORE, "float64"), ranks


def frame_of_rows(rows: Iterable[Row], value: str, dtype: str) -> pd.DataFrame:
    """Make a frame of rows.

    Examples
    --------
    >>> frame_of_rows([Row(1, "q1", "d1", 2)], "relevance", "int64").to_dict("list")
    {'query_id': ['q1'], 'doc_id': ['d1'], 'relevance': [2]}
    """
    listed = list(rows)
    ids = {QUERY_ID: [row.query for row in listed], DOC_ID: [row.document for row in listed]}
    texts = {name: pd.Series(one, dtype="str") for name, one in ids.items()}
    return pd.DataFrame({**texts, value: pd.Series([row.value for row in listed], dtype=dtype)})


def as_frame(piece: Piece) -> pd.DataFrame:
    r"""Make a frame of a piece.

    Examples
    --------
    >>> as_frame(read_block(b"q1 Q0 d1 1 7.5 a\n")[0]).to_dict("list")
    {'query_id': ['q1'], 'doc_id': ['d1'], 'score': [7.5]}
    """
    if isinstance(piece, pd.DataFrame):
        return piece
    ids = {QUERY_ID: piece.query_of_rows(), DOC_ID: piece.texts(slice(None))}
    return pd.DataFrame(
        {name: pd.Series(one, dtype="str") for name, one in ids.items()} | {SCORE: piece.scores}
    )


def may_repeat(piece: Piece) -> bool:
    r"""Whether a list of the piece may hold a document twice; of a block, long ids are only known by their keys.

    Examples
    --------
    >>> may_repeat(read_block(b"q1 Q0 d1 1 7.5 a\nq1 Q0 d1 2 7 a\n")[0])
    True
    """
    if isinstance(piece, pd.DataFrame):
        return bool(piece.duplicated([QUERY_ID, DOC_ID]).any())
    owner = np.repeat(np.arange(len(piece.lengths), dtype=np.uint64), piece.lengths)
    pairs = np.sort(piece.keys * FACTOR ^ owner)
    return bool(np.any(pairs[1:] == pairs[:-1]))


def _heads(piece: Piece) -> list[str]:
    """Query of each list; one that comes back in a block is there twice."""
    return list(piece.queries) if isinstance(piece, Block) else list(piece[QUERY_ID].unique())


def _refuse_copies(rows: Iterable[Row], file: Path) -> None:
    seen: dict[tuple[str, str], int] = {}
    for row in rows:
        first = seen.setdefault((row.query, row.document), row.line)
        if first != row.line:
            lines = f"lines {first} and {row.line}"
            raise ValueError(f"{file}: {row.query} returns {row.document} twice ({lines}); keep one")
