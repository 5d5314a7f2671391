"""Boosted oblivious trees, evaluated with numpy, and the file that a trained model is kept in.

Every node of one level of an oblivious tree asks the same question, so a tree of six levels is six questions whose answers are
the bits of the number of a leaf. All questions are asked of all blocks at once, those of several trees only once.

A model file is one line of JSON, which says how it was made and what arrays follow, and the bytes of these arrays, deflated.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trasmallo.values.arrays import Array

Arrays = dict[str, Array]

# The answers of so many blocks are held at once: they fit in a cache of 2 MB.
_AT_ONCE = 256
_MAX_MODEL = 1 << 24
"""Bytes of a model, unpacked. Judgement: a bound on what a damaged file may unpack to."""


class Trees:
    """A sum of oblivious trees; `feature` and `threshold` have a row a level and a column a tree, `leaf` a row a tree."""

    def __init__(self, feature: Array, threshold: Array, leaf: Array, bias: float) -> None:
        self._depth, self._count = feature.shape
        asked = np.rec.fromarrays([feature.ravel(), threshold.astype(np.float32).ravel()])
        questions, question = np.unique(asked, return_inverse=True)
        self._question = question.reshape(feature.shape)
        self._feature = questions["f0"].astype(np.intp)
        self._threshold = questions["f1"].reshape(-1, 1)
        # In double precision the sums of leaves, which have few digits, are exact in any order, here and in a browser.
        self._leaf = leaf.astype(np.float64).ravel()
        self._first = (np.arange(self._count, dtype=np.int32) << self._depth)[:, None]
        self._bias = float(bias)

    def __call__(self, rows: NDArray[np.float32]) -> NDArray[np.float64]:
        """The probability of each column of a matrix with a row a feature."""
        parts = [self._sum(rows[:, start : start + _AT_ONCE]) for start in range(0, rows.shape[1], _AT_ONCE)]
        return 1 / (1 + np.exp(-(np.concatenate(parts) + self._bias)))

    def _sum(self, rows: NDArray[np.float32]) -> NDArray[np.float64]:
        answers = (rows.take(self._feature, axis=0) > self._threshold).view(np.uint8)
        leaf = answers[self._question[-1]]
        for level in map(answers.__getitem__, self._question[-2::-1]):
            leaf += leaf
            leaf |= level
        # Every leaf is there; "clip" saves looking whether it is.
        found: NDArray[np.float64] = np.add.reduce(self._leaf.take(leaf + self._first, mode="clip"), axis=0)
        return found


def pack(header: Mapping[str, object], arrays: Arrays) -> bytes:
    """The bytes of a model file."""
    shapes = {name: [array.dtype.str, list(array.shape)] for name, array in arrays.items()}
    line = json.dumps({**header, "arrays": shapes}, ensure_ascii=False)
    return line.encode() + b"\n" + zlib.compress(b"".join(array.tobytes() for array in arrays.values()), 9)


def unpack(content: bytes) -> tuple[dict[str, Any], Arrays]:
    """The header and the arrays of a model file."""
    line, _, packed = content.partition(b"\n")
    header: dict[str, Any] = json.loads(line)
    body, at, arrays = zlib.decompressobj().decompress(packed, _MAX_MODEL), 0, {}
    for name, (kind, shape) in header["arrays"].items():
        size = int(np.prod(shape)) * np.dtype(kind).itemsize
        arrays[name] = np.frombuffer(body[at : at + size], dtype=kind).reshape(shape)
        at += size
    return header, arrays
