"""Files of trained models: data with a digest, never code.

A file is zstandard over one message: the name of the form, the digest of the body, the body. What was cut, changed or written
by another program is refused with the reason.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Literal

import msgspec
import zstandard

from trasmallo.values import bounded_zstd
from trasmallo.values.atomic_files import write_whole
from trasmallo.values.decodable import decodable
from trasmallo.values.errors import DocumentError

_FORM = "trasmallo entities 1"
_LARGEST = 256_000_000
"""Bytes of an unpacked model at most; ours has some three million. Judgement."""


class SequenceModel(msgspec.Struct, frozen=True, kw_only=True, tag="log-linear"):
    """A log-linear model of label sequences: weights of texts about words, and of one label after another.

    `weights` are int8, a row a text of `attributes`, a column a label, times `scale`. `transitions` are rows from, columns to.
    """

    language: str
    made_from: str
    labels: tuple[str, ...]
    attributes: tuple[str, ...]
    weights: bytes
    scale: float
    transitions: tuple[tuple[float, ...], ...]


class MarkovModel(msgspec.Struct, frozen=True, kw_only=True, tag="hidden Markov"):
    """A hidden Markov model as counts: of pairs and triples of states, of words and of looks in each state.

    Keys of `words` and `looks` are words and looks, the values counts a state; "" stands before and after a sentence.
    `after` has the pairs of states round a word in small letters: its own, and that of the next word. `clues` counts states as
    `words` does, of what stands around words and how they are spelt.
    """

    language: str
    made_from: str
    labels: tuple[str, ...]
    pairs: dict[str, int]
    triples: dict[str, int]
    words: dict[str, tuple[int, ...]]
    looks: dict[str, tuple[int, ...]]
    small: dict[str, int]
    after: dict[str, dict[str, int]] = {}
    clues: dict[str, tuple[int, ...]] = {}


Model = SequenceModel | MarkovModel
ModelKind = Literal["log-linear", "hidden Markov"]


class _Sealed(msgspec.Struct, frozen=True):
    form: str
    digest: str
    body: bytes


def save(model: Model, path: Path) -> str:
    """Write a model; returns its digest."""
    body = msgspec.msgpack.encode(model)
    digest = hashlib.sha256(body).hexdigest()
    write_whole(path, zstandard.compress(msgspec.msgpack.encode(_Sealed(_FORM, digest, body)), 19))
    return digest


def load(path: Path) -> Model:
    """Read a model; raises DocumentError for a file that is none, or is damaged."""
    try:
        return unpack(path.read_bytes(), path)
    except OSError as error:
        raise DocumentError(
            "cannot read {path} ({error})", "name a model that entities train has written", path=path, error=error
        ) from None


def _check(sealed: _Sealed) -> None:
    if sealed.form != _FORM or hashlib.sha256(sealed.body).hexdigest() != sealed.digest:
        raise ValueError("its digest is another one")


def unpack(content: bytes, path: Path | str) -> Model:
    """A model from the content of its file, which is called `path`; raises DocumentError as `load` does."""
    try:
        packed = bounded_zstd.decompress(content, _LARGEST)
        sealed = msgspec.msgpack.decode(packed, type=decodable(_Sealed))
        _check(sealed)
        model: Model = msgspec.msgpack.decode(sealed.body, type=decodable(Model))
    except (ValueError, zstandard.ZstdError, msgspec.MsgspecError) as error:
        raise DocumentError(
            "{path} is no model of entities ({error})", "train one with entities train FILE -o {path}", path=path, error=error
        ) from None
    return model
