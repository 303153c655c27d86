"""`GoldenSet`: documents, questions and judgements that belong together and do not change unnoticed."""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pandas as pd

from course_utils.golden_set._fields import ANNOTATIONS, clean, is_blank
from course_utils.schema import DOC_ID, QUERY_ID, RELEVANCE, TEXT


def _no_annotations() -> pd.DataFrame:
    return pd.DataFrame(columns=list(ANNOTATIONS))


@dataclass(frozen=True, eq=False, repr=False)
class GoldenSet:
    """Documents, questions and judgements.

    Parameters
    ----------
    documents
        doc_id, text, and optionally title, section, status, updated, region, roles.
    questions
        query_id, text, and optionally type, lang, script, answerable, unanswerable_kind, split, need, twin_of,
        showcase. Whether a question is answerable is stated here and never inferred from the judgements.
    qrels
        query_id, doc_id, relevance (0, 1 or 2).
    annotations
        What each judge said before adjudication: query_id, doc_id, annotator, grade, reason, note. They are
        not part of the fingerprint.
    folder
        Where it came from; its `runs` and `vectors` are looked at by `validate`.

    Notes
    -----
    Frames are taken over as copies with clean types. `validate` says what is wrong with them: only what cannot
    be read (a missing column, an empty id, a grade that is no number) is refused here.

    Examples
    --------
    >>> golden = GoldenSet(
    ...     documents=pd.DataFrame({"doc_id": ["d1", "d2"], "text": ["Leave is 24 days.", "Lunch is at noon."]}),
    ...     questions=pd.DataFrame({"query_id": ["q1"], "text": ["days off?"], "answerable": [True]}),
    ...     qrels=pd.DataFrame({"query_id": ["q1"], "doc_id": ["d1"], "relevance": [2]}),
    ... )
    >>> golden.grades("q1")
    {'d1': 2}
    """

    documents: pd.DataFrame
    questions: pd.DataFrame
    qrels: pd.DataFrame
    annotations: pd.DataFrame = field(default_factory=_no_annotations)
    folder: Path | None = None

    def __post_init__(self) -> None:
        for part in ("documents", "questions", "qrels", "annotations"):
            object.__setattr__(self, part, clean(getattr(self, part), part))

    def __repr__(self) -> str:
        sizes = (
            f"{len(self.documents)} documents, {len(self.questions)} questions, {len(self.qrels)} judgements"
        )
        return f"GoldenSet({sizes}, fingerprint {self.fingerprint[:12]})"

    @property
    def fingerprints(self) -> dict[str, str]:
        """SHA-256 of each part, so that a difference can be named.

        They are computed at each access: a frame that was edited in place has another fingerprint.
        """
        return {part: _hash(getattr(self, part)) for part in ("documents", "questions", "qrels")}

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the content, whatever the order of rows, the line ends and the file format."""
        return hashlib.sha256(json.dumps(self.fingerprints, sort_keys=True).encode()).hexdigest()

    @property
    def answerable(self) -> pd.Series:
        """What each question states: a Series of True and False with query_id as index."""
        return self._by_query("answerable")

    @property
    def texts(self) -> pd.Series:
        """Text of each question, with query_id as index: what a retriever's `search` takes."""
        return self._by_query(TEXT)

    @property
    def types(self) -> pd.Series:
        """Type of each question, with query_id as index: what `summarize(by=)` takes."""
        return self._by_query("type")

    @property
    def originals(self) -> pd.Series:
        """Question that each one is a twin of, or itself: the groups to resample, since twins are not new."""
        twin_of = self._by_query("twin_of")
        return twin_of.where(twin_of != "", twin_of.index.to_series()).rename("original")

    def grades(self, query_id: str) -> dict[str, int]:
        """Return the judgements of one question as `{doc_id: grade}`; empty if there are none.

        Parameters
        ----------
        query_id
            The question, which must be one of the set.
        """
        if query_id not in set(self.questions[QUERY_ID]):
            raise ValueError(f"there is no question {query_id!r} in this golden set")
        rows = self.qrels[self.qrels[QUERY_ID] == query_id]
        return {str(doc): int(grade) for doc, grade in zip(rows[DOC_ID], rows[RELEVANCE], strict=True)}

    def subset(
        self,
        *,
        split: str | Iterable[str] | None = None,
        type: str | Iterable[str] | None = None,
        lang: str | Iterable[str] | None = None,
        script: str | Iterable[str] | None = None,
        answerable: bool | None = None,
        showcase: bool | None = None,
    ) -> "GoldenSet":
        """Return the questions that meet every condition, with their judgements and all documents.

        Parameters
        ----------
        split, type, lang, script
            A value or several.
        answerable, showcase
            True or False. Showcase questions are in no mean: `subset(showcase=False)`.

        Raises
        ------
        ValueError
            No question has the value, or none meets all conditions.
        """
        wanted = {"split": split, "type": type, "lang": lang, "script": script}
        flags = {"answerable": answerable, "showcase": showcase}
        given = {column: _values(value) for column, value in {**wanted, **flags}.items() if value is not None}
        keep = pd.Series(True, index=self.questions.index)
        for column, values in given.items():
            keep &= self._has(column, values)
        if not keep.any():
            asked = ", ".join(f"{column} {' or '.join(map(str, values))}" for column, values in given.items())
            raise ValueError(f"no question has {asked} at the same time")
        return self._with(self.questions[keep])

    def _has(self, column: str, values: list[Any]) -> pd.Series:
        there = self.questions[column].dropna().unique().tolist()
        for value in values:
            if value not in there:
                found = ", ".join(sorted(map(str, there))) or "nothing"
                raise ValueError(f"no question has {column} {value!r}; there is {found}")
        return self.questions[column].isin(values)

    def _with(self, questions: pd.DataFrame) -> "GoldenSet":
        qrels, annotations = (
            frame[frame[QUERY_ID].isin(questions[QUERY_ID])] for frame in (self.qrels, self.annotations)
        )
        return replace(self, questions=questions, qrels=qrels, annotations=annotations)

    def _by_query(self, column: str) -> pd.Series:
        return self.questions.set_index(QUERY_ID)[column]


def _values(value: Any) -> list[Any]:
    return [value] if isinstance(value, str | bool) else list(value)


def _hash(frame: pd.DataFrame) -> str:
    """Hash the rows in a fixed order, each with its columns in a fixed order and without its empty cells."""
    columns = sorted(map(str, frame.columns))
    rows = sorted(
        json.dumps([[c, _canon(v)] for c, v in zip(columns, row, strict=True) if not is_blank(v)])
        for row in frame[columns].itertuples(index=False, name=None)
    )
    return hashlib.sha256("\n".join(rows).encode()).hexdigest()


def _canon(value: Any) -> str:
    return str(value).replace("\r\n", "\n").replace("\r", "\n")
