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
    """The classifier; what is looked up for each letter is a list, or mapped memory that is as fast."""
    from py3langid.langid import LanguageIdentifier

    made = LanguageIdentifier(
        np.asarray(arrays["ptc"]),
        np.asarray(arrays["pc"]),
        arrays["classes"].tolist(),
        memoryview(arrays["nextmove"]),
        arrays["output"].tolist(),
        tk_row=arrays["row"].tolist(),
    )
    found: Classify = made.classify
    return found
