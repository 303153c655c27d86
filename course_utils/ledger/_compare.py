"""What differs between two records: configuration, versions, data, scores."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from course_utils.ledger._record import Record
from course_utils.schema import plural
from course_utils.significance import bootstrap_mean

DATA = {"corpus": "corpora", "questions": "questions", "qrels": "judgements"}


@dataclass(frozen=True, eq=False)
class Comparison:
    """Two records side by side; `print` shows it.

    Parameters
    ----------
    config, versions, fingerprints
        What differs: columns a and b, a row per name; empty if nothing does.
    scores
        A row per measure: a, b, difference (b - a) with its 95% bootstrap interval, n questions in both means.
    status
        Questions whose status differs: columns a and b.
    names
        Ids of both records.
    """

    config: pd.DataFrame
    versions: pd.DataFrame
    fingerprints: pd.DataFrame
    scores: pd.DataFrame
    status: pd.DataFrame
    names: tuple[str, str]

    def __str__(self) -> str:
        parts = [f"a = {self.names[0]}, b = {self.names[1]}"]
        for title in ("config", "versions", "fingerprints"):
            table = getattr(self, title)
            parts.append(f"{title}: {'the same' if table.empty else ''}".rstrip())
            parts += [] if table.empty else [table.to_string(index_names=False)]
        parts.append(self.scores.to_string(float_format="%.3f", na_rep="-"))
        parts.append(f"Status differs for {plural(len(self.status), 'question')}. Twins are drawn together.")
        return "\n".join(parts)


def compare(a: Record, b: Record, *, across: bool = False) -> Comparison:
    """Say what differs between two records.

    Parameters
    ----------
    a, b
        Records; differences are b minus a.
    across
        Compare records of different corpora, questions or judgements too, over the questions that both have.

    Returns
    -------
    Comparison
        Tables of what differs.

    Raises
    ------
    ValueError
        Different corpora, questions or judgements, unless `across`; no question or no measure in common.

    Examples
    --------
    >>> from course_utils.golden_set import GoldenSet
    >>> from course_utils.ledger import measure
    >>> golden = GoldenSet(
    ...     documents=pd.DataFrame({"doc_id": ["d1", "d2"], "text": ["a", "b"]}),
    ...     questions=pd.DataFrame({"query_id": ["q1"], "text": ["a?"], "answerable": [True]}),
    ...     qrels=pd.DataFrame({"query_id": ["q1"], "doc_id": ["d1"], "relevance": [2]}),
    ... )
    >>> a = measure({"k1": 1.2}, golden, {"q1": {"d1": 1.0}}, measures="RR")
    >>> b = measure({"k1": 0.9}, golden, {"q1": {"d2": 2.0, "d1": 1.0}}, measures="RR")
    >>> compare(a, b).config.to_dict("index")
    {'k1': {'a': 1.2, 'b': 0.9}}
    """
    other = other_data(a, b)
    if other and not across:
        raise ValueError(
            f"records {a.id} and {b.id} have different {' and '.join(other)}: their scores do not belong in one "
            "table. Record both on the same data, or pass across=True (--across)"
        )
    return Comparison(
        config=_differences(_flat(_said(a)), _flat(_said(b))),
        versions=_differences(a.versions, b.versions),
        fingerprints=_differences(_flat(a.fingerprints), _flat(b.fingerprints)).map(
            lambda one: str(one)[:12]
        ),
        scores=_scores(a, b),
        status=_status(a, b),
        names=(a.id, b.id),
    )


def other_data(a: Record, b: Record) -> list[str]:
    """Name the parts of the data that differ.

    Examples
    --------
    >>> one = Record("", {}, None, {}, {"corpus": "1"}, {}, "", {}, [])
    >>> other_data(one, Record("", {}, None, {}, {"corpus": "2"}, {}, "", {}, []))
    ['corpora']
    """
    return [word for part, word in DATA.items() if a.fingerprints.get(part) != b.fingerprints.get(part)]


def paired(a: Record, b: Record, measure: str) -> pd.DataFrame:
    """Return a, b, original and type of the questions where both have the measure.

    Examples
    --------
    >>> rows = [{"query_id": "q1", "RR": 0.5, "original": "q1", "type": "x"}]
    >>> one = Record("", {}, None, {"measures": ["RR"]}, {}, {}, "", {}, rows)
    >>> paired(one, one, "RR").to_dict("index")
    {'q1': {'a': 0.5, 'b': 0.5, 'original': 'q1', 'type': 'x'}}
    """
    left, right = a.scores, b.scores
    table = pd.DataFrame({"a": left[measure], "b": right[measure]})
    table[["original", "type"]] = left[["original", "type"]].reindex(table.index)
    return table.dropna(subset=["a", "b"])


def shared(a: Record, b: Record) -> list[str]:
    """Return the measures that both records have.

    Examples
    --------
    >>> one = Record("", {}, None, {"measures": ["RR", "AP"]}, {}, {}, "", {}, [])
    >>> shared(one, Record("", {}, None, {"measures": ["AP"]}, {}, {}, "", {}, []))
    ['AP']
    """
    names = [name for name in a.measures if name in b.measures]
    if not names:
        raise ValueError(f"no measure in common: {a.id} has {a.measures}, {b.id} has {b.measures}")
    return names


def _scores(a: Record, b: Record) -> pd.DataFrame:
    rows = {}
    for name in shared(a, b):
        pair = paired(a, b, name)
        if pair.empty:
            raise ValueError(f"records {a.id} and {b.id} have no answerable question in common")
        gap = pair["b"] - pair["a"]
        several = pair["original"].nunique() > 1
        low, high = bootstrap_mean(gap, groups=pair["original"]) if several else (float("nan"),) * 2
        means = {"a": pair["a"].mean(), "b": pair["b"].mean(), "difference": gap.mean()}
        rows[name] = {**means, "low": low, "high": high, "n": len(pair)}
    return pd.DataFrame.from_dict(rows, orient="index")


def _status(a: Record, b: Record) -> pd.DataFrame:
    both = pd.DataFrame({"a": a.scores["status"], "b": b.scores["status"]}).dropna()
    return both[both["a"] != both["b"]]


def _said(one: Record) -> dict[str, Any]:
    return {**one.config, "seed": one.seed, **{f"({name})": value for name, value in one.settings.items()}}


def _flat(content: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for key, value in content.items():
        inner = isinstance(value, Mapping) and value
        flat |= _flat(value, f"{prefix}{key}.") if inner else {f"{prefix}{key}": value}
    return flat


def _differences(a: Mapping[str, Any], b: Mapping[str, Any]) -> pd.DataFrame:
    names = [name for name in sorted(a.keys() | b.keys()) if a.get(name, "-") != b.get(name, "-")]
    columns = {side: [one.get(name, "-") for name in names] for side, one in (("a", a), ("b", b))}
    return pd.DataFrame(columns, index=pd.Index(names, dtype="str"), dtype=object)
