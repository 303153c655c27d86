"""What the measures accept: cutoffs, grades, gains and lists of ids, each refused with what was expected."""

from collections.abc import Hashable, Iterable, Mapping
from math import isfinite
from numbers import Integral, Real

LARGEST_EXPONENT = 500  # 2^grade, summed and divided, must stay an ordinary float


def check_k(k: int | None) -> int | None:
    """Return the cutoff `k` as an int (None: no cutoff) or raise `ValueError`.

    Examples
    --------
    >>> check_k(10)
    10
    >>> check_k(0)
    Traceback (most recent call last):
    ValueError: k must be a whole number >= 1, got 0
    """
    if k is None:
        return None
    if isinstance(k, bool) or not isinstance(k, Integral) or k < 1:
        raise ValueError(f"k must be a whole number >= 1, got {k!r}")
    return int(k)


def check_grade(grade: float) -> int:
    """Return a grade as an int, or raise `ValueError`: 1.0 is whole; 0.5, NaN, True and "1" are refused.

    Examples
    --------
    >>> check_grade(2.0)
    2
    >>> check_grade(0.5)
    Traceback (most recent call last):
    ValueError: grade 0.5 is not a whole number (rescale, e.g. x2)
    """
    if isinstance(grade, str) or not isinstance(grade, Real) or isinstance(grade, bool):
        raise ValueError(f"grade {grade!r} is not a number; expected a whole number such as 0, 1 or 2")
    if not isfinite(grade):
        raise ValueError(f"grade {grade} is not a whole number")
    if grade != int(grade):
        raise ValueError(f"grade {grade} is not a whole number (rescale, e.g. x2)")
    return int(grade)


def check_gain(gain: str) -> str:
    """Return the name of a gain, or raise `ValueError` that lists the two that exist.

    Examples
    --------
    >>> check_gain("exp")
    Traceback (most recent call last):
    ValueError: gain must be "linear" or "exponential", got 'exp'
    """
    if gain not in ("linear", "exponential"):
        raise ValueError(f'gain must be "linear" or "exponential", got {gain!r}')
    return gain


def gain_of(grade: float, gain: str) -> int:
    """Gain of one document: the grade itself or 2^grade - 1; a grade <= 0 gains nothing.

    Examples
    --------
    >>> gain_of(3, "linear"), gain_of(3, "exponential"), gain_of(-1, "exponential")
    (3, 7, 0)
    """
    positive = max(check_grade(grade), 0)
    if check_gain(gain) == "linear":
        return positive
    if positive > LARGEST_EXPONENT:
        raise ValueError(f'grade {positive} is too large for gain="exponential" (2^grade); use "linear"')
    return int(2**positive) - 1


def prepare(
    retrieved: Iterable[Hashable], relevant: Iterable[Hashable], k: int | None
) -> tuple[list[Hashable], set[Hashable]]:
    """Check both sides; give the first `k` ids as a list and the relevant ids as a set.

    Examples
    --------
    >>> prepare(("d7", "d1"), iter(["d1", "d1"]), k=1)
    (['d7'], {'d1'})
    """
    if isinstance(retrieved, set | frozenset):
        raise ValueError("retrieved is a set, which has no order; pass a list, best first")
    top, wanted = _ids(retrieved, "retrieved"), set(_ids(relevant, "relevant"))
    kinds = [{isinstance(one, str) for one in side} for side in (top, wanted)]
    if all(kinds) and kinds[0].isdisjoint(kinds[1]):
        raise ValueError(
            f"retrieved holds {top[0]!r} but relevant holds {next(iter(wanted))!r}: ids of different types "
            "never match; make both text, e.g. [str(d) for d in retrieved]"
        )
    return top[: check_k(k)], wanted


def _ids(ids: Iterable[Hashable], name: str) -> list[Hashable]:
    """Return the ids as a list; text, mappings, nested lists and things without items are refused."""
    if isinstance(ids, str | bytes | Mapping) or not hasattr(ids, "__iter__"):
        raise ValueError(
            f"{name} must be a list of document ids, got {type(ids).__name__} {ids!r:.40}; "
            'a single id goes in a list: ["d1"]'
        )
    found = list(ids)
    for one in found:
        if not isinstance(one, Hashable):
            raise ValueError(f"{name} must hold document ids, found {type(one).__name__} {one!r:.40}")
    return found
