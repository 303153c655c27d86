"""Names of measures: "nDCG@10", "Recall(rel=2)@10", "RR", and the other spellings in use."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from course_utils.measures import check_gain, check_k

ALIASES = {
    "Recall": ["recall", "r"],
    "Precision": ["precision", "p"],
    "Success": ["success", "hit", "hits", "hitrate", "hit_rate"],
    "RR": ["rr", "mrr"],
    "AP": ["ap", "map"],
    "nDCG": ["ndcg"],
}
KIND = {alias: kind for kind, aliases in ALIASES.items() for alias in aliases}
GAINS = {"lin": "linear", "linear": "linear", "exp": "exponential", "exponential": "exponential"}
WHOLE_LIST = ("RR", "AP")  # these have a meaning without a cutoff
PATTERN = re.compile(r"\s*([A-Za-z_]+)\s*(?:\(([^)]*)\))?\s*(?:@\s*(\S+))?\s*")
ABSENT = 2**31  # rank of a judged document that was not retrieved
EXISTING = "Recall@k, Precision@k, Success@k, RR@k, RR, AP@k, AP, nDCG@k"


class Measure(NamedTuple):
    """One measure to compute; `rel` never touches nDCG and `gain` touches nothing else."""

    kind: str
    k: int | None
    rel: int
    gain: str

    @property
    def name(self) -> str:
        """Canonical name: a departure from the default stands in it, and so does the cutoff.

        Examples
        --------
        >>> Measure("nDCG", 10, 1, "exponential").name, Measure("RR", None, 2, "linear").name
        ('nDCG(exp)@10', 'RR(rel=2)')
        """
        option = f"(rel={self.rel})" if self.rel != 1 else ""
        if self.kind == "nDCG":
            option = "(exp)" if self.gain == "exponential" else ""
        return f"{self.kind}{option}" + (f"@{self.k}" if self.k else "")

    @property
    def depth(self) -> int:
        """Largest rank that counts; without a cutoff, any rank of a retrieved document."""
        return self.k or ABSENT - 1


def parse_measures(names: Iterable[str] | str, rel: int = 1, gain: str = "linear") -> list[Measure]:
    """Return the measures in the given order, each once; what stands in a name wins over `rel` and `gain`.

    Examples
    --------
    >>> [measure.name for measure in parse_measures(["R@5", "MRR@10", "ndcg@10"], gain="exponential")]
    ['Recall@5', 'RR@10', 'nDCG(exp)@10']
    >>> parse_measures(["F1@10"])
    Traceback (most recent call last):
    ValueError: unknown measure 'F1@10'; there are Recall@k, Precision@k, Success@k, RR@k, RR, AP@k, AP, nDCG@k
    """
    check_gain(gain)
    if isinstance(rel, bool) or not isinstance(rel, int) or rel < 1:
        raise ValueError(f"rel must be a whole number >= 1 (the lowest grade that is relevant), got {rel!r}")
    listed = [names] if isinstance(names, str) else list(names)
    if not listed:
        raise ValueError(f"no measure is asked for; there are {EXISTING}")
    measures = {measure.name: measure for measure in (_parse(name, rel, gain) for name in listed)}
    return list(measures.values())


def _parse(name: str, rel: int, gain: str) -> Measure:
    match = PATTERN.fullmatch(name) if isinstance(name, str) else None
    kind = KIND.get(match[1].lower()) if match else None
    if match is None or kind is None:
        raise ValueError(f"unknown measure {name!r}; there are {EXISTING}")
    if match[2] is not None and kind == "nDCG":
        gain = GAINS.get(match[2].strip(), "")
    elif match[2] is not None:
        option = re.fullmatch(r"\s*rel\s*=\s*([1-9]\d*)\s*", match[2])
        rel = int(option[1]) if option else 0
    if not gain or not rel:
        raise ValueError(f"unknown option in {name!r}; write nDCG(exp)@10 or Recall(rel=2)@10")
    return Measure(kind, _cutoff(match[3], kind), 1 if kind == "nDCG" else rel, gain)


def _cutoff(text: str | None, kind: str) -> int | None:
    if text is None and kind not in WHOLE_LIST:
        raise ValueError(f"{kind} needs a cutoff, e.g. {kind}@10")
    if text is not None and not re.fullmatch(r"[+-]?\d+", text):
        raise ValueError(f"k must be a whole number >= 1, got {text}")
    return check_k(None if text is None else int(text))
