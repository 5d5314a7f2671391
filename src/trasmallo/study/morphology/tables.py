"""The compiled lexicon: one file of tables that are mapped into memory, so that processes share them and loading costs nothing.

A form is found by its 64-bit hash: the lower bits name the first slot that may hold it, the upper 32 bits are compared. No
text of a form is kept. That a word outside the lexicon passes for one inside it happens once in some thousand million words.

Layout, little endian: magic, number of slots and of sets (uint32 each); a check (uint32) a slot, 0 when it is free; a set
number (uint32) a slot; the ends (uint32) of the sets in the rest, which holds each set as msgpack.
"""

from __future__ import annotations

import mmap
import struct
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np
from xxhash import xxh3_64_intdigest

MAGIC = b"TRLX0001"
_HEAD = struct.Struct("<8sII")
_FULLEST = 0.7


class Reading(NamedTuple):
    """What an analysis says of any form of its set; the lemma is the form without its last `cut` letters, then `add`."""

    cut: int
    add: str
    category: str
    features: str
    clitics: tuple[str, ...]
    by: str
    tag: str


Readings = tuple[Reading, ...]


class Tables:
    """A lexicon as it lies on disk or, where no disk can be written, in memory."""

    def __init__(self, data: mmap.mmap | bytes) -> None:
        magic, slots, sets = _HEAD.unpack_from(data)
        if magic != MAGIC:
            raise ValueError("not a compiled lexicon")
        view = memoryview(data)
        bounds = np.cumsum([_HEAD.size, 4 * slots, 4 * slots, 4 * sets]).tolist()
        self._checks = view[bounds[0] : bounds[1]].cast("I")
        self._numbers = view[bounds[1] : bounds[2]].cast("I")
        self._ends = view[bounds[2] : bounds[3]].cast("I")
        self._rest = view[bounds[3] :]
        self._mask = slots - 1
        self._decoder = msgspec.msgpack.Decoder(Readings)
        if len(self._rest) != (self._ends[-1] if sets else 0):
            raise ValueError("a compiled lexicon that was cut short")
        self.find = self._finder()
        """The readings of a form, empty when the lexicon does not have it."""

    @classmethod
    def open(cls, path: Path) -> Tables:
        """Map a file; raises OSError or ValueError when there is none, or another format."""
        with path.open("rb") as file:
            return cls(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))

    def _finder(self) -> Callable[[str], Readings]:
        """The search as a closure: local names, because every word of every text passes here."""
        checks, numbers, mask, decode = self._checks, self._numbers, self._mask, self._decode
        known: dict[int, Readings] = {}

        def find(form: str) -> Readings:
            try:
                digest = xxh3_64_intdigest(form.encode())
            except UnicodeEncodeError:
                return ()
            slot = digest & mask
            check = digest >> 32 or 1
            while (found := checks[slot]) != check:
                if not found:
                    return ()
                slot = (slot + 1) & mask
            number = numbers[slot]
            if number not in known:
                known[number] = decode(number)
            return known[number]

        return find

    def _decode(self, number: int) -> Readings:
        begin = self._ends[number - 1] if number else 0
        return self._decoder.decode(self._rest[begin : self._ends[number]])


def pack(forms: Mapping[str, Readings]) -> Iterator[bytes]:
    """The file of a lexicon, in pieces."""
    numbers: dict[Readings, int] = {}
    chosen = [numbers.setdefault(readings, len(numbers)) for readings in forms.values()]
    slots = 1 << int(len(forms) / _FULLEST).bit_length()
    checks, places = _placed(forms, chosen, slots)
    encoded = [msgspec.msgpack.encode(readings) for readings in numbers]
    yield _HEAD.pack(MAGIC, slots, len(encoded))
    yield checks.tobytes()
    yield places.tobytes()
    yield np.cumsum([len(piece) for piece in encoded], dtype=np.uint32).tobytes()
    yield b"".join(encoded)


def _placed(forms: Mapping[str, Readings], chosen: list[int], slots: int) -> tuple[np.ndarray, np.ndarray]:
    checks, places = [0] * slots, [0] * slots
    for form, number in zip(forms, chosen, strict=True):
        digest = xxh3_64_intdigest(form.encode())
        slot = digest & (slots - 1)
        while checks[slot]:
            slot = (slot + 1) & (slots - 1)
        checks[slot] = digest >> 32 or 1
        places[slot] = number
    return np.array(checks, "<u4"), np.array(places, "<u4")
