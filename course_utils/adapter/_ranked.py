"""From what was found to a list as a run holds it: best first, once each, k at most."""

from itertools import pairwise
from math import isclose
from typing import Any, NamedTuple

from course_utils.adapter._shapes import Found, read

# A run file holds six decimals. Rounding before the order is made keeps file and memory the same list.
DECIMALS = 6
UNORDERED, CROWDED = "unordered", "crowded"


class Answer(NamedTuple):
    """A ranked list, and what is odd about it and no error."""

    pairs: list[tuple[str, float]]
    notes: list[str]


def ranked(result: Any, k: int) -> Answer:
    """Return the k best as (id, score); order is by score, then id, both descending, as everywhere.

    Ids without scores get k, k - 1, ... so that the order stays.

    Examples
    --------
    >>> ranked(["d7", "d3"], 10)
    Answer(pairs=[('d7', 10.0), ('d3', 9.0)], notes=[])
    >>> ranked([("d7", 0.1), ("d3", 0.4)], 10)
    Traceback (most recent call last):
    ValueError: scores rise along the list: these look like distances, where small is good. Return -distance
    """
    found = read(result)
    _check_once(found.ids)
    if found.scores is None:
        return Answer([(one, float(k - place)) for place, one in enumerate(found.ids[:k])], [])
    _check_not_distances(found, found.scores)
    rounded = [round(score, DECIMALS) + 0.0 for score in found.scores]
    pairs = sorted(zip(found.ids, rounded, strict=True), key=lambda pair: (pair[1], pair[0]), reverse=True)
    return Answer(pairs[:k], _notes(found, found.scores))


def _check_once(ids: list[str]) -> None:
    places: dict[str, int] = {}
    for place, one in enumerate(ids, start=1):
        if (first := places.setdefault(one, place)) != place:
            raise ValueError(
                f"{one} is returned twice (places {first} and {place}). If these are chunks, keep the best one of each "
                "document: list(dict.fromkeys(ids)), or with scores dict(reversed(pairs))"
            )


def _check_not_distances(found: Found, scores: list[float]) -> None:
    rises = any(after > before for before, after in pairwise(scores))
    falls = any(after < before for before, after in pairwise(scores))
    if found.ordered and rises and not falls:
        raise ValueError(
            "scores rise along the list: these look like distances, where small is good. Return -distance"
        )


def _notes(found: Found, scores: list[float]) -> list[str]:
    falling = sorted(scores, reverse=True)
    crowded = any(
        round(high, DECIMALS) == round(low, DECIMALS) and not isclose(high, low, rel_tol=1e-5)
        for high, low in pairwise(falling)
    )
    odd = {UNORDERED: found.ordered and falling != scores, CROWDED: crowded}
    return [note for note, there in odd.items() if there]
