"""The compiled lexicon: one file of tables that are mapped into memory, so that processes share them and loading costs nothing.

A form is found by its 64-bit hash, whose lower bits give way to the number of its set of readings; these keys stand in order,
each where its upper bits say or as soon after it as there is room. So a form that is not there is missed as soon as another is
found. No text of a form is kept: of the 50 bits that are left in Spanish, a word outside the lexicon has those of one inside it
once in some thousand million words.

Layout, little endian: magic, number of sets (uint32), bytes of the filter (uint32), number of keys (uint64); the keys (uint64),
all bits set where there is none; the filter for words one letter away from others, see `fingerprints`; the ends (uint32) of the
sets in the rest, which holds each set as msgpack.
"""

from __future__ import annotations

import mmap
import struct
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray
from xxhash import xxh3_64_intdigest

from trasmallo.study.morphology.fingerprints import Prints, filter_of, fingerprints, passing
from trasmallo.values.decodable import decodable

MAGIC = b"TRLX0005"
_HEAD = struct.Struct("<8sIIQ")
_FULLEST = 0.7
"""Share of the slots that are filled at most, so that few keys are not where they belong. Judgement: usual in hashing."""
_NO_KEY = (1 << 64) - 1
"""An empty slot."""


class SetReading(NamedTuple):
    """What an analysis says of any form of its set; the lemma is the form without its last `cut` letters, then `add`."""

    cut: int
    add: str
    category: str
    features: str
    clitics: tuple[str, ...]
    by: str
    tag: str


Readings = tuple[SetReading, ...]


class LexiconTables:
    """A lexicon as it lies on disk or, where no disk can be written, in memory."""

    def __init__(self, data: mmap.mmap | bytes) -> None:
        magic, sets, filtering, keys = _HEAD.unpack_from(data)
        if magic != MAGIC:
            raise ValueError("not a compiled lexicon")
        view = memoryview(data)
        bounds = np.cumsum([_HEAD.size, 8 * keys, filtering, 4 * sets]).tolist()
        self._keys = view[bounds[0] : bounds[1]].cast("Q")
        self._filter = np.frombuffer(view[bounds[1] : bounds[2]], np.uint8)
        self._ends = view[bounds[2] : bounds[3]].cast("I")
        self._rest = view[bounds[3] :]
        self._decoder = msgspec.msgpack.Decoder(decodable(Readings))
        if len(self._rest) != (self._ends[-1] if sets else 0):
            raise ValueError("a compiled lexicon that was cut short")
        self.find = self._finder()
        """The readings of a form, empty when the lexicon does not have it."""

    @classmethod
    def open(cls, path: Path) -> LexiconTables:
        """Map a file; raises OSError or ValueError when there is none, or another format."""
        with path.open("rb") as file:
            return cls(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))

    def likely(self, prints: Prints) -> NDArray[np.int64]:
        """Which of the words with some fingerprints may be listed by themselves, not only made by rule."""
        return passing(self._filter, prints)

    def _finder(self) -> Callable[[str], Readings]:
        """The search as a closure: local names, because every word of every text passes here."""
        keys, decode, count = self._keys, self._decode, len(self._ends)
        known: list[Readings] = [()] * count
        shift, hashed = _parts(len(keys), count)

        def find(form: str) -> Readings:
            try:
                least = xxh3_64_intdigest(form.encode()) & hashed
            except UnicodeEncodeError:
                return ()
            slot = least >> shift
            while (found := keys[slot]) < least:
                slot += 1
            number = found - least
            if number >= count:
                return ()
            readings = known[number]
            if not readings:
                readings = known[number] = decode(number)
            return readings

        return find

    def _decode(self, number: int) -> Readings:
        begin = self._ends[number - 1] if number else 0
        return self._decoder.decode(self._rest[begin : self._ends[number]])


def pack(forms: Mapping[str, Readings]) -> Iterator[bytes]:
    """The file of a lexicon, in pieces."""
    numbers: dict[Readings, int] = {}
    chosen = [numbers.setdefault(readings, len(numbers)) for readings in forms.values()]
    keys = _placed(forms, chosen, len(numbers))
    named = [form for form, readings in forms.items() if form and any(one.by == "lexicon" for one in readings)]
    filtering = filter_of(fingerprints(named))
    encoded = [msgspec.msgpack.encode(readings) for readings in numbers]
    yield _HEAD.pack(MAGIC, len(encoded), len(filtering), len(keys))
    yield keys.tobytes()
    yield filtering.tobytes()
    yield np.cumsum([len(piece) for piece in encoded], dtype=np.uint32).tobytes()
    yield b"".join(encoded)


def _placed(forms: Mapping[str, Readings], chosen: list[int], sets: int) -> NDArray[np.uint64]:
    """The keys in their places; behind the last place that a hash can name there is room for those that were pushed on."""
    slots = 1 << max(int(len(forms) / _FULLEST).bit_length(), 1)
    shift, hashed = _parts(slots, sets)
    digests = np.fromiter((xxh3_64_intdigest(form.encode()) for form in forms), np.uint64, len(forms))
    keys = np.sort(digests & np.uint64(hashed) | np.array(chosen, np.uint64))
    order = np.arange(len(keys))
    places = np.maximum.accumulate((keys >> np.uint64(shift)).astype(np.int64) - order) + order
    placed = np.full(max(slots, places[-1] + 1 if len(places) else 0) + 1, _NO_KEY, np.uint64)
    placed[places] = keys
    return placed


def _parts(keys: int, sets: int) -> tuple[int, int]:
    """How far to shift a hash for its place among so many keys, and the bits of it that a key keeps."""
    return 65 - keys.bit_length(), _NO_KEY ^ (1 << sets.bit_length()) - 1
