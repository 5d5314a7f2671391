"""The model of a tagger: weights of features for each category, and what training saw of single words.

Weights are bytes times a scale. A feature is found in `slots` by the lower bits of its hash; `keys` holds the whole hash.
A sentence of everyday language (`registers`) has other weights: those of the convention and what everyday language adds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache

import msgspec
import numpy as np
import zstandard
from numpy.typing import NDArray

from trasmallo.study import languages
from trasmallo.values import bounded_zstd
from trasmallo.values.decodable import decodable

FILE = "tagger.model"
SLOT_BITS = 20
"""Bits of a hash by which a feature is looked for: training keeps to features that have a slot for themselves."""
_LARGEST = 64_000_000
"""Bytes of an unpacked model at most; ours are far smaller. Judgement."""
_RAISED = 128
"""What is added to weights, which are bytes with a sign, so that none is negative."""
# Words summed up at once: a megabyte.
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
    worth knowing beforehand, `openers` those that begin sentences. `everyday` is what is added to the weights of every
    convention in everyday language, in their shape; nothing when it is empty.
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
    everyday: bytes = b""

    def verb_frequencies(self) -> dict[str, int]:
        """How often verbs are met, in all conventions together: the order of the verbs that a form may belong to."""
        return verb_frequencies(self.conventions.values())


def verb_frequencies(conventions: Iterable[Convention]) -> dict[str, int]:
    """How often verbs are met, in some conventions together."""
    found: Counter[str] = Counter()
    for convention in conventions:
        for named, times in convention.frequencies.items():
            lemma, _, category = named.rpartition(" ")
            if category == "VERB":
                found[lemma] += times
    return dict(found)


def pack(model: Model) -> bytes:
    """The file of a model."""
    return zstandard.ZstdCompressor(level=19).compress(msgspec.msgpack.encode(model))


def unpack(data: bytes) -> Model:
    """The model in a file."""
    content = bounded_zstd.decompress(data, _LARGEST)
    return msgspec.msgpack.decode(content, type=decodable(Model))


@cache
def load(code: str) -> Model | None:
    """The model of a language folder, None when it has none."""
    data = languages.load(code).content(FILE)
    return unpack(data) if data else None


Scores = NDArray[np.uint64]
"""A row of numbers of 16 bits, one a category and zeros up to a multiple of four, as words of the machine: these are added
and masked four at a time. Sums of bytes are too small to run over."""


def packed(rows: NDArray[np.uint16]) -> Scores:
    """Rows of numbers, one a category, as scores."""
    width = rows.shape[-1]
    whole = np.zeros((*rows.shape[:-1], width + -width % 4), np.uint16)
    whole[..., :width] = rows
    return whole.view(np.uint64)


def unpacked(scores: Scores) -> NDArray[np.uint16]:
    """The numbers of scores, with the zeros at their ends."""
    return scores.view(np.uint16)


class Weights:
    """Weights ready to look up, in units of the model's scale and raised by 128 so that none is negative.

    Row 0 stands for features that training never saw. The rows for everyday language follow all others; `everyday` is how
    many rows further they are.
    """

    def __init__(self, keys: NDArray[np.uint32], rows: NDArray[np.int8], added: NDArray[np.int8] | None = None) -> None:
        self._keys = np.concatenate([np.zeros(1, np.uint32), keys])
        self.everyday = len(self._keys)
        unseen = np.zeros((1, rows.shape[1]), np.int16)
        usual = np.concatenate([unseen, rows])
        everyday = usual if added is None else np.concatenate([unseen, rows.astype(np.int16) + added])
        self._rows = packed((np.concatenate([usual, everyday]) + _RAISED).clip(0, 2 * _RAISED - 1).astype(np.uint16))
        self._slots = np.zeros(1 << SLOT_BITS, np.min_scalar_type(2 * len(self._keys)))
        self._slots[slots(keys)] = np.arange(1, len(keys) + 1)

    @classmethod
    def of(cls, model: Model, convention: Convention) -> Weights:
        """The weights of one convention of a model."""
        rows, added = (
            np.frombuffer(weights, np.int8).reshape(-1, len(model.categories))
            for weights in (convention.weights, model.everyday)
        )
        return cls(np.frombuffer(model.keys, np.uint32), rows, added if len(added) else None)

    def further(self, everyday: Sequence[bool]) -> NDArray[np.unsignedinteger]:
        """How many rows further the weights of words are, given which of them are in everyday language."""
        return np.where(everyday, self.everyday, 0).astype(self._slots.dtype)

    def sums(self, features: NDArray[np.uint32], further: NDArray[np.unsignedinteger] | None = None) -> Scores:
        """The scores of each column of features, whose rows are so much `further`."""
        rows = self._found(features)
        if further is not None:
            rows += further
        found: Scores = self._rows.take(rows, axis=0).sum(axis=0)
        return found

    def partial_sums(
        self, features: NDArray[np.uint32], begins: Sequence[int], further: NDArray[np.unsignedinteger] | None = None
    ) -> Scores:
        """The scores of stretches of each row of features, which begin at the given columns: rows, stretches, scores."""
        sums = np.empty((len(features), len(begins), self._rows.shape[1]), np.uint64)
        for begin in range(0, len(features), _AT_ONCE):
            some = slice(begin, begin + _AT_ONCE)
            rows = self._found(features[some])
            if further is not None:
                rows += further[some, None]
            np.add.reduceat(self._rows.take(rows, axis=0), begins, axis=1, out=sums[some])
        return sums

    def _found(self, features: NDArray[np.uint32]) -> NDArray[np.unsignedinteger]:
        found: NDArray[np.unsignedinteger] = self._slots.take(slots(features))
        found *= self._keys.take(found) == features
        return found


def slots(hashes: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """Where the features with these hashes are looked for."""
    return hashes & np.uint32((1 << SLOT_BITS) - 1)
