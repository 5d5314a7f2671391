"""The model of a tagger: weights of features for each category, and what training saw of single words.

Weights are bytes times a scale. A feature is found in `slots` by the lower bits of its hash; `keys` holds the whole hash.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import msgspec
import numpy as np
import zstandard
from numpy.typing import NDArray

from trasmallo.study import languages
from trasmallo.study.bounds import Whole

FILE = "tagger.model"
SLOT_BITS = 20
_LARGEST = 64_000_000
# Words summed up at once: two megabytes.
_AT_ONCE = 1024


class Convention(msgspec.Struct, frozen=True):
    """How one treebank annotates.

    `weights` are int8, a row a feature. `lemmas` and `features` are those of a "form category" where the analyses would say
    something else; `frequencies` count "lemma category"; `bundles` count "category features".
    """

    weights: bytes
    lemmas: dict[str, str]
    features: dict[str, str]
    frequencies: dict[str, int]
    bundles: dict[str, int]


class Model(msgspec.Struct, frozen=True):
    """What training learnt; the first convention is the default one.

    `keys` are the features' hashes (uint32). `candidates` are the only categories of frequent forms, `further` those that other
    forms have beside what the analyses say; `auxiliaries` are lemmas of verbs that are also auxiliary. `frequent` are words
    worth knowing beforehand, `openers` those that begin sentences.
    """

    made_from: str
    categories: tuple[str, ...]
    scale: float
    keys: bytes
    candidates: dict[str, tuple[str, ...]]
    further: dict[str, tuple[str, ...]]
    auxiliaries: frozenset[str]
    conventions: dict[str, Convention]
    frequent: tuple[str, ...] = ()
    openers: tuple[str, ...] = ()


def pack(model: Model) -> bytes:
    """The file of a model."""
    return zstandard.ZstdCompressor(level=19).compress(msgspec.msgpack.encode(model))


def unpack(data: bytes) -> Model:
    """The model in a file."""
    content = zstandard.ZstdDecompressor().decompress(data, max_output_size=_LARGEST)
    return msgspec.msgpack.decode(content, type=Model)


@cache
def load(code: str) -> Model | None:
    """The model of a language folder, None when it has none."""
    data = languages.content(code, FILE)
    return unpack(data) if data else None


class Weights:
    """Weights ready to look up, in units of the model's scale; row 0 stands for features that training never saw."""

    def __init__(self, keys: NDArray[np.uint32], rows: NDArray[np.int8]) -> None:
        self._keys = np.concatenate([np.zeros(1, np.uint32), keys])
        self._rows = np.concatenate([np.zeros((1, rows.shape[1]), np.int8), rows])
        self._slots = np.zeros(1 << SLOT_BITS, np.int32)
        self._slots[slots(keys)] = np.arange(1, len(keys) + 1)

    @classmethod
    def of(cls, model: Model, convention: Convention) -> Weights:
        """The weights of one convention of a model."""
        rows = np.frombuffer(convention.weights, np.int8).reshape(-1, len(model.categories))
        return cls(np.frombuffer(model.keys, np.uint32), rows)

    def sums(self, features: NDArray[np.uint32], owners: Whole, categories: Whole) -> NDArray[np.int32]:
        """For each pair of a row of features and a category the sum of the weights."""
        places = (self._found(features) * np.int32(self._rows.shape[1])).take(owners, axis=0)
        places += categories.astype(np.int32)[:, None]
        total: NDArray[np.int32] = self._rows.reshape(-1).take(places).sum(axis=1, dtype=np.int32)
        return total

    def partial_sums(self, features: NDArray[np.uint32], begins: Sequence[int]) -> NDArray[np.int16]:
        """The sums for stretches of the columns of features, which begin at the given ones: words, stretches, categories."""
        stretches = np.searchsorted(begins, np.arange(features.shape[1]), side="right") - 1
        # As a product of matrices, which is several times faster than sums of bytes, and exact for numbers so small.
        members = (stretches == np.arange(len(begins))[:, None]).astype(np.float32)
        sums = np.empty((len(features), len(begins), self._rows.shape[1]), np.int16)
        for begin in range(0, len(features), _AT_ONCE):
            some = slice(begin, begin + _AT_ONCE)
            sums[some] = members @ self._rows.take(self._found(features[some]), axis=0).astype(np.float32)
        return sums

    def _found(self, features: NDArray[np.uint32]) -> NDArray[np.int32]:
        found: NDArray[np.int32] = self._slots.take(slots(features))
        found[self._keys.take(found) != features] = 0
        return found


def slots(hashes: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """Where the features with these hashes are looked for."""
    return hashes & np.uint32((1 << SLOT_BITS) - 1)
