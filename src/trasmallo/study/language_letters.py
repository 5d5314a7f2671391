"""The model that tells languages by letters (py3langid), unpacked once for a user and mapped by every later process.

py3langid unpacks its model anew in each process, half a CPU second and some 70 MB that no other process shares. Here its arrays
are kept in the cache folder as they are in memory. What cannot be kept, or is damaged, is unpacked as py3langid does.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from trasmallo.values.arrays import Array
from trasmallo.values.atomic_files import write_whole
from trasmallo.values.errors import StoreError, disk_errors
from trasmallo.values.scratch import cache_folder

Classify = Callable[[str], tuple[str, float]]
"""From a text to its most probable language and how probable that is."""

_FORMAT = "letters 1"
"""Changes with what is kept, so that files of another layout are not read."""
_ARRAYS = ("ptc", "pc", "classes", "nextmove", "row", "output")
"""What py3langid's own function gives, in its order."""


@cache
def classifier() -> Classify:
    """The classifier of this process."""
    from py3langid import langid

    packed = langid.MODEL_DIR / langid.MODEL_FILE
    try:
        return _made_of(mapped(packed))
    except (OSError, ValueError, StoreError, TypeError, AttributeError):
        # The inner side of another package may change, and a cache folder be read-only.
        found: Classify = langid.classify
        return found


def mapped(packed: Path) -> dict[str, Any]:
    """The arrays of a packed model, mapped; unpacked before where they are not there yet or damaged."""
    try:
        return _read(packed)
    except (OSError, ValueError):
        _unpack(packed)
        return _read(packed)


def _read(packed: Path) -> dict[str, Any]:
    found = {name: np.load(_place(packed, name), mmap_mode="r", allow_pickle=False) for name in _ARRAYS}
    if len(found["output"]) != len(found["row"]) or found["ptc"].shape[1] != len(found["classes"]):
        raise ValueError("the arrays of a model do not belong together")
    return found


def _place(packed: Path, name: str) -> Path:
    """Where an array is kept; another model has another place."""
    seen = packed.stat()
    made_from = f"{_FORMAT} {packed} {seen.st_size} {seen.st_mtime_ns}"
    return cache_folder() / f"languages-{hashlib.sha256(made_from.encode()).hexdigest()[:16]}-{name}.npy"


def _unpack(packed: Path) -> None:
    from py3langid.modelio import load_model

    for name, values in zip(_ARRAYS, load_model(packed), strict=True):
        content, place = io.BytesIO(), _place(packed, name)
        # Numbers of outputs come as a list: as narrow as the lists that are made of them again.
        np.save(content, np.asarray(values, np.int32) if name == "output" else np.asarray(values), allow_pickle=False)
        with disk_errors(place):
            place.parent.mkdir(parents=True, exist_ok=True)
        write_whole(place, content.getvalue(), contested=True)


def _made_of(arrays: Mapping[str, Any]) -> Classify:
    """The classifier; it counts the features of all letters of a text at once."""
    from py3langid.langid import LanguageIdentifier

    walk = FeatureWalk(arrays["nextmove"], arrays["row"], arrays["output"])

    class Identifier(LanguageIdentifier):  # type: ignore[misc]
        """The package's own, but for the way to the features."""

        def _raw_score(self, text: bytes) -> Array:
            features, times = walk.count(text)
            if not len(features):
                return super()._raw_score(b"")  # type: ignore[no-any-return]
            return np.log1p(times.astype(np.float32)) @ self.nb_ptc[features] + self.nb_pc  # type: ignore[no-any-return]

    made = Identifier(np.asarray(arrays["ptc"]), np.asarray(arrays["pc"]), arrays["classes"].tolist(), b"", (), tk_row=())
    found: Classify = made.classify
    return found


class FeatureWalk:
    """The features in a text, found for all its places at once.

    The automaton of the model (Aho and Corasick, 1975) is in the state of the longest piece it knows that ends where it has
    come to. So its state depends on no more octets than the longest piece has, and that of every place is had by as many steps
    from the beginning, each for all places together; few of them change after the first.
    """

    def __init__(self, moves: Array, row: Array, output: Array) -> None:
        self._moves, self._output = np.asarray(moves), np.asarray(output)
        self._row = np.asarray(row).astype(np.intp) << 8
        octets = np.arange(256)
        first = self._step(np.zeros(256, np.intp), octets)
        self._pairs = np.stack([self._step(np.full(256, state), octets) for state in first]).ravel()
        self._first = first

    def _step(self, states: Array, octets: Array) -> Array:
        found: Array = self._moves[self._row[states] + octets]
        return found

    def count(self, text: bytes) -> tuple[Array, Array]:
        """The features in the order in which they come first, and how often each does."""
        found = self._output[self._states(np.frombuffer(text, np.uint8).astype(np.intp))]
        features, first, times = np.unique(found[found >= 0], return_index=True, return_counts=True)
        order = np.argsort(first)
        return features[order], times[order]

    def _states(self, octets: Array) -> Array:
        """The state at each place: that of one octet, of two, and so on until no place changes."""
        states = self._first[octets]
        states[1:] = self._pairs[(octets[:-1] << 8) + octets[1:]]
        # An octet more says something new only where it did one place before.
        places = np.flatnonzero(states[:-1] != self._first[octets[:-1]]) + 1
        while len(places):
            later = self._step(states[places - 1], octets[places])
            changed = later != states[places]
            states[places] = later
            places = places[changed] + 1
            places = places[places < len(states)]
        return states
