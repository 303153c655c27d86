"""Vectors that were made once and stored, so that dense search needs no model.

A vector is stored as ``round(4000 * unit vector)`` in int16. Every product of two such vectors, and every partial
sum of one, is a whole number below 2**24, which float32 holds exactly: scores are the same on every CPU.
A vector is found by the fingerprint of its text, so a text that changed has none.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from course_utils import paths
from course_utils.retrievers._text import TEXT_RULE, fingerprint

SCALE = 4000
KINDS = ("documents", "passages", "questions")
REBUILD = "rebuild them: python -m course_utils.retrievers.build (it needs the encoder: python3 course.py add encoder)"
Whole = npt.NDArray[np.int16]


def quantise(vectors: Any) -> Whole:
    """Return unit vectors times 4000 as int16.

    Parameters
    ----------
    vectors
        Float array, a row per text; a row need not have length 1.

    Returns
    -------
    numpy.ndarray
        int16, of the same shape.

    Raises
    ------
    ValueError
        The array has no rows and columns, or a row is zero or not finite.

    Examples
    --------
    >>> quantise([[3.0, 4.0]]).tolist()
    [[2400, 3200]]
    """
    rows = np.asarray(vectors, dtype=np.float64)
    if rows.ndim != 2:
        raise ValueError(f"vectors have the shape {rows.shape}; expected (texts, dimensions)")
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    for row in np.flatnonzero(~(np.isfinite(lengths) & (lengths > 0)))[:1]:
        raise ValueError(f"vector {row} has the length {lengths[row, 0]}; expected a finite one above 0")
    whole: Whole = np.rint(SCALE * rows / lengths).astype(np.int16)
    return whole


@dataclass(frozen=True)
class Store:
    """One model's stored vectors: `Store("e5")`.

    Examples
    --------
    >>> Store("e6").manifest
    Traceback (most recent call last):
    ValueError: there are no stored vectors 'e6': use one of e5, minilm, or give an encoder
    """

    name: str
    folder: Path | None = None

    @property
    def place(self) -> Path:
        """The folder that holds the vectors."""
        return self.folder or paths.assets("vectors")

    @cached_property
    def manifest(self) -> dict[str, Any]:
        """What the vectors were made with; refused if the rules of this package have changed since."""
        path = self.place / "manifest.json"
        if not path.is_file():
            raise ValueError(f"there are no stored vectors in {self.place.name}/; {REBUILD}")
        manifest: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        if self.name not in manifest["models"]:
            known = ", ".join(manifest["models"])
            raise ValueError(
                f"there are no stored vectors {self.name!r}: use one of {known}, or give an encoder"
            )
        for rule, now in (("text_rule", TEXT_RULE), ("scale", SCALE)):
            if manifest[rule] != now:
                raise ValueError(
                    f"the stored vectors have the {rule} {manifest[rule]!r}; now it is {now!r}: {REBUILD}"
                )
        return manifest

    @property
    def encoder(self) -> str | None:
        """The name of the encoder that makes further vectors of this kind, if there is one."""
        return self._model["encoder"]  # type: ignore[no-any-return]

    @property
    def _model(self) -> dict[str, Any]:
        return self.manifest["models"][self.name]  # type: ignore[no-any-return]

    def ids(self, kind: str) -> pd.DataFrame:
        """Return id and fingerprint of everything stored of a kind, in the order of the vectors."""
        made = self.manifest[kind]["sha256"]
        text = (self.place / f"{kind}.tsv").read_text(encoding="utf-8")
        if hash_of_ids(text) != made:
            raise ValueError(f"{kind}.tsv is not the file that manifest.json speaks of; {REBUILD}")
        return pd.DataFrame([line.split("\t") for line in text.splitlines()], columns=["id", "fingerprint"])

    def rows(self, kind: str, texts: Sequence[str]) -> tuple[Whole, npt.NDArray[np.bool_]]:
        """Return a vector per text, and which of the texts have one; the others' rows are zero."""
        prints = self.ids(kind)["fingerprint"]
        matrix = np.load(self.place / f"{kind}.{self.name}.npy")
        if matrix.dtype != np.int16 or len(matrix) != len(prints):
            raise ValueError(
                f"{kind}.{self.name}.npy has {len(matrix)} rows for {len(prints)} ids; {REBUILD}"
            )
        place = {mark: row for row, mark in enumerate(prints)}
        rows = np.array([place.get(fingerprint(text), -1) for text in texts], dtype=np.intp)
        return np.where((rows >= 0)[:, None], matrix[rows], np.int16(0)), rows >= 0

    def all_rows(self, kind: str, texts: pd.Series) -> Whole:
        """Return a vector per text; a text without one is an error that says how to rebuild."""
        vectors, there = self.rows(kind, list(texts))
        stale = texts.index[~there]
        if len(stale):
            raise ValueError(
                f"the stored vectors {self.name!r} are stale: {len(stale)} of {len(texts)} {kind} have none for their "
                f"present text, the first is {stale[0]}; {REBUILD}, or give an encoder and vectors=None"
            )
        return vectors


def hash_of_ids(text: str) -> str:
    r"""Return the SHA-256 of an ids file; line ends do not matter.

    Examples
    --------
    >>> hash_of_ids("a\tb\r\n") == hash_of_ids("a\tb\n")
    True
    """
    return hashlib.sha256(text.replace("\r\n", "\n").encode()).hexdigest()
