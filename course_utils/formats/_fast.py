"""The quick way for lines of well-formed TREC text: whole arrays at once. In any doubt the careful way decides."""

from functools import partial
from io import BytesIO
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from course_utils.schema import DOC_ID, LARGEST_GRADE, QUERY_ID, RELEVANCE, Block

ODD = b"\0#\r\t\v\f"  # what lines may hold that only the careful way understands
WORD = 8  # bytes that numpy compares at once
MASKS = np.array([(1 << 8 * count) - 1 for count in range(WORD + 1)], dtype=np.uint64)
FACTOR = np.uint64(0x9E3779B97F4A7C15)
Ints = np.ndarray[Any, np.dtype[np.int64]]
Words = np.ndarray[Any, np.dtype[np.uint64]]


class Lines(NamedTuple):
    """Lines of text, and where their fields start and end: one row per line, one column per field."""

    text: bytes
    starts: Ints
    ends: Ints

    def cut(self, field: int) -> Any:
        """Texts of one field, in every line."""
        bounds = np.c_[self.starts[:, field], self.ends[:, field] + 1]  # with the blank behind
        lengths = np.diff(np.r_[0, bounds.ravel(), len(self.text)])
        wanted = np.repeat(np.arange(len(lengths)) % 2 == 1, lengths)
        text = np.frombuffer(self.text, dtype=np.uint8)[wanted].tobytes().decode("utf-8")
        return np.array(text[:-1].split(" "), dtype=object)

    def some(self, field: int, rows: Any) -> Any:
        """Texts of one field, in a few lines."""
        bounds = zip(self.starts[rows, field].tolist(), self.ends[rows, field].tolist(), strict=True)
        return np.array([self.text[start:end].decode("utf-8") for start, end in bounds], dtype=object)

    def words(self, field: int) -> list[Words]:
        """The bytes of one field, eight by eight, as numbers; shorter fields end in zeros."""
        start, length = self.starts[:, field], self.ends[:, field] - self.starts[:, field]
        longest = int(length.max(initial=0))
        padded = self.text + bytes(longest + WORD)
        every = np.ndarray(len(padded) - WORD + 1, dtype="<u8", buffer=padded, strides=(1,))
        return [
            every[start + done] & MASKS[np.clip(length - done, 0, WORD)] for done in range(0, longest, WORD)
        ]

    def numbers(self, fields: dict[str, int]) -> pd.DataFrame | None:
        """Read numeric fields with pandas' C reader, exact to the last bit; None if any is no number."""
        try:
            return pd.read_csv(
                BytesIO(self.text), sep=" ", header=None, usecols=list(fields.values()), names=list(fields),
                na_filter=False, quoting=3,
            )  # fmt: skip
        except (ValueError, OverflowError):
            return None


def read_lines(text: bytes, fields: int) -> Lines | None:
    r"""Find the fields of lines, if one blank parts that many in every line; None if in any doubt.

    Examples
    --------
    >>> read_lines(b"q1 0 d1 2\n", 4).cut(2).tolist()
    ['d1']
    >>> print(read_lines(b"q1 0 d1 2\n# odd\n", 4))
    None
    """
    if any(mark in text for mark in ODD) or text.startswith((b"{", b"\xef\xbb\xbf")) or text[-1:] != b"\n":
        return None
    data = np.frombuffer(text, dtype=np.uint8)
    ends = np.flatnonzero(data <= ord(" "))
    if len(ends) % fields:
        return None
    starts = np.empty_like(ends)
    starts[0], starts[1:] = 0, ends[:-1] + 1
    marks = data[ends].reshape(-1, fields)
    plain = (marks[:, :-1] == ord(" ")).all() and (marks[:, -1] == ord("\n")).all() and (starts < ends).all()
    return Lines(text, starts.reshape(-1, fields), ends.reshape(-1, fields)) if plain else None


def read_block(text: bytes) -> tuple[Block, Ints] | None:
    r"""Return lines of a run and their ranks, or None if any line needs the careful way.

    Examples
    --------
    >>> block, ranks = read_block(b"q1 Q0 d2 1 7.5 a\nq1 Q0 d1 2 7 a\n")
    >>> block.queries.tolist(), block.lengths.tolist(), block.scores.tolist(), block.texts([1]).tolist()
    (['q1'], [2], [7.5, 7.0], ['d1'])
    """
    lines = read_lines(text, 6)
    table = lines.numbers({"rank": 3, "score": 4}) if lines else None
    if (
        lines is None
        or table is None
        or table["rank"].dtype.kind != "i"
        or table["score"].dtype.kind not in "iuf"
    ):
        return None
    scores = table["score"].to_numpy(dtype=np.float64)
    if not np.isfinite(scores).all() or not _is_utf8(text):
        return None
    changes = np.any([word[1:] != word[:-1] for word in lines.words(0)], axis=0)
    first = np.flatnonzero(np.r_[True, changes])
    lengths = np.diff(np.r_[first, len(scores)])
    queries = pd.Index(lines.some(0, first), dtype="str")
    keys = _keys(lines.words(2))
    block = Block(queries, lengths, scores, keys, keys_of, partial(lines.some, 2))
    return block, table["rank"].to_numpy()


def keys_of(ids: Any) -> Words:
    """Give each id its key in a `Block`.

    Examples
    --------
    >>> keys_of(["a", "b", "a"]).tolist()
    [97, 98, 97]
    """
    coded = [one.encode("utf-8") for one in ids]
    ends = np.cumsum([len(one) for one in coded], dtype=np.int64)
    starts = np.r_[0, ends][: len(coded)]
    return _keys(Lines(b"".join(coded), starts[:, None], ends[:, None]).words(0))


def _keys(words: list[Words]) -> Words:
    """One number per field: short ones are their own, longer ones are mixed."""
    key = words[0] if words else np.zeros(0, dtype=np.uint64)
    for word in words[1:]:
        key = np.where(word == 0, key, (key ^ (key >> np.uint64(29))) * FACTOR ^ word)
    return key


def read_judgements(text: bytes) -> pd.DataFrame | None:
    r"""Return query_id, doc_id and relevance of each line, or None if any line needs the careful way.

    Examples
    --------
    >>> read_judgements(b"q1 0 d1 2\n").to_dict("list")
    {'query_id': ['q1'], 'doc_id': ['d1'], 'relevance': [2]}
    """
    lines = read_lines(text, 4)
    table = lines.numbers({RELEVANCE: 3}) if lines else None
    if lines is None or table is None or table[RELEVANCE].dtype.kind != "i" or not _is_utf8(text):
        return None
    if table[RELEVANCE].abs().max() > LARGEST_GRADE:
        return None
    texts = {name: pd.Series(lines.cut(at), dtype="str") for name, at in ((QUERY_ID, 0), (DOC_ID, 2))}
    frame = pd.DataFrame({**texts, RELEVANCE: table[RELEVANCE]})
    return None if frame.duplicated([QUERY_ID, DOC_ID]).any() else frame


def _is_utf8(text: bytes) -> bool:
    try:
        return bool(text.decode("utf-8"))
    except UnicodeDecodeError:
        return False
