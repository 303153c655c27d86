"""The tokeniser of BERT models: lower case, no accents, words cut into pieces of a fixed vocabulary."""

import unicodedata
from collections.abc import Iterator, Mapping

UNKNOWN, START, END = "[UNK]", "[CLS]", "[SEP]"
LONGEST = 100


def piece_ids(text: str, vocabulary: Mapping[str, int], limit: int) -> list[int]:
    """Return the numbers of a text's pieces between the start and the end mark, `limit` numbers at most.

    Examples
    --------
    >>> words = ["[UNK]", "[CLS]", "[SEP]", "key", "##s", ",", "api"]
    >>> piece_ids("API-Keys, à", {word: number for number, word in enumerate(words)}, 256)
    [1, 6, 0, 3, 4, 5, 0, 2]
    """
    pieces = [piece for word in _words(text) for piece in _pieces(word, vocabulary)]
    return [vocabulary[piece] for piece in [START, *pieces[: limit - 2], END]]


def _words(text: str) -> list[str]:
    letters = "".join(map(_spaced, text))
    bare = "".join(one for one in unicodedata.normalize("NFD", letters) if unicodedata.category(one) != "Mn")
    return "".join(f" {one} " if _is_mark(one) else one for one in bare.lower()).split()


def _spaced(one: str) -> str:
    """Drop control characters, and put spaces around Chinese ones, which are words by themselves."""
    if one in "\t\n\r" or one.isspace():
        return " "
    if one in "\0\ufffd" or unicodedata.category(one)[0] == "C":
        return ""
    return f" {one} " if "\u4e00" <= one <= "\u9fff" or "\u3400" <= one <= "\u4dbf" else one


def _is_mark(one: str) -> bool:
    return (one.isascii() and one.isprintable() and not one.isalnum() and one != " ") or (
        unicodedata.category(one)[0] == "P"
    )


def _pieces(word: str, vocabulary: Mapping[str, int]) -> list[str]:
    """Cut the longest known piece off the front, again and again; a word with a rest is unknown."""
    found = list(_longest(word, vocabulary)) if len(word) <= LONGEST else [""]
    return found if found[-1] else [UNKNOWN]


def _longest(word: str, vocabulary: Mapping[str, int]) -> Iterator[str]:
    start = 0
    while start < len(word):
        lead = "##" if start else ""
        ends = (end for end in range(len(word), start, -1) if lead + word[start:end] in vocabulary)
        end = next(ends, 0)
        if not end:
            yield ""
            return
        yield lead + word[start:end]
        start = end
