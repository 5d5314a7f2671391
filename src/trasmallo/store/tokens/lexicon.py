"""The distinct strings of a column, numbered from frequent to rare; of equally frequent ones the first in byte order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from trasmallo.store.tokens.sections import Sections, Writer
from trasmallo.values.arrays import Array

Numbers = NDArray[np.unsignedinteger]

_WORD = 8  # bytes of a 64-bit number
_CONTINUATION = 0x80  # UTF-8: a byte inside a character
_UPPER_TWO_BITS = 0xC0  # UTF-8: the bits that tell it
_SECTIONS = ("text", "bounds", "order", "count")


class Lexicon:
    """A lexicon of a file, mapped: a string is looked for in about 20 steps, without reading the others."""

    def __init__(self, sections: Sections, name: str) -> None:
        names = [f"{name}.{section}" for section in _SECTIONS]
        sections.verify(names)
        self._text, self._bounds, self._order, self.counts = map(sections.array, names)
        self._view: memoryview = self._text.data

    def __len__(self) -> int:
        return len(self.counts)

    def __getitem__(self, number: int) -> str:
        return self.raw(number).decode("utf-8", "surrogatepass")

    def raw(self, number: int) -> bytes:
        """A string in UTF-8."""
        return bytes(self._view[self._bounds.item(number) : self._bounds.item(number + 1)])

    def find(self, text: str) -> int | None:
        """The number of a string, None when it is not there."""
        sought = encoded(text)
        low, high = 0, len(self)
        while low < high:
            middle = (low + high) // 2
            if self.raw(int(self._order[middle])) < sought:
                low = middle + 1
            else:
                high = middle
        number = int(self._order[low]) if low < len(self) else -1
        return number if number >= 0 and self.raw(number) == sought else None

    def texts(self, numbers: Iterable[int]) -> list[str]:
        """The strings of these numbers."""
        return [self[number] for number in numbers]

    def all_texts(self) -> list[str]:
        """All strings in the order of their numbers; the fast way to see every one."""
        text, bounds = self.joined()
        return [text[begin:end] for begin, end in pairwise(bounds.tolist())]

    def raws(self) -> list[bytes]:
        """The same in UTF-8."""
        text = self._text.tobytes()
        return [text[begin:end] for begin, end in pairwise(self._bounds.tolist())]

    @property
    def in_order(self) -> Numbers:
        """The numbers in the order of their strings' bytes, which is that of their characters."""
        return self._order

    def mask(self, holds: Callable[[str], bool]) -> NDArray[np.bool_]:
        """For each number whether something holds for its string: the form in which studies take lists of words."""
        return np.fromiter(map(holds, self.all_texts()), dtype=np.bool_, count=len(self))

    def joined(self) -> tuple[str, NDArray[np.int64]]:
        """All strings one after the other, and their bounds in characters: the form in which expressions are matched."""
        bounds = np.concatenate((np.zeros(1, np.int64), np.cumsum(self.lengths)))
        return self._text.tobytes().decode("utf-8", "surrogatepass"), bounds

    @cached_property
    def lengths(self) -> NDArray[np.int64]:
        """For each number the length of its string in characters."""
        more = np.flatnonzero((self._text & _UPPER_TWO_BITS) == _CONTINUATION)
        holders = np.searchsorted(self._bounds[1:], more.astype(np.uint64), side="right")
        lengths: NDArray[np.int64] = np.diff(self._bounds).astype(np.int64) - np.bincount(holders, minlength=len(self))
        return lengths


def encoded(text: str) -> bytes:
    """A string as a lexicon keeps it; half a surrogate pair is no reason to lose a document."""
    return text.encode("utf-8", "surrogatepass")


def in_byte_order(texts: Sequence[bytes]) -> NDArray[np.intp]:
    """The places of strings in the order of their bytes: numbers are sorted, and only what begins alike is looked at."""
    begins = np.array(texts, f"S{2 * _WORD}").view(">u8").reshape(-1, 2).astype(np.uint64)
    order = np.lexsort((begins[:, 1], begins[:, 0]))
    alike = np.pad((begins[order[1:]] == begins[order[:-1]]).all(axis=1), 1)
    for first, last in zip(np.flatnonzero(alike[1:] > alike[:-1]), np.flatnonzero(alike[1:] < alike[:-1]), strict=True):
        order[first : last + 1] = sorted(order[first : last + 1].tolist(), key=texts.__getitem__)
    return order


class OrderedStrings:
    """Strings in their final order: `number[i]` is what the i-th string given is called from now on."""

    def __init__(self, texts: Sequence[bytes], counts: NDArray[np.int64]) -> None:
        by_bytes = in_byte_order(texts)
        by_count = by_bytes[np.argsort(-counts[by_bytes], kind="stable")]
        self.number = np.empty(len(texts), dtype=np.uint32)
        self.number[by_count] = np.arange(len(texts), dtype=np.uint32)
        self._order = self.number[by_bytes]
        self._counts = counts[by_count]
        self._texts = [texts[index] for index in by_count.tolist()]

    def write(self, writer: Writer, name: str) -> None:
        """Write the sections that a `Lexicon` reads, and let go of the strings."""
        lengths = np.fromiter(map(len, self._texts), dtype=np.uint64, count=len(self._texts))
        bounds = np.concatenate((np.zeros(1, dtype=np.uint64), np.cumsum(lengths)))
        text = np.frombuffer(b"".join(self._texts), dtype=np.uint8)
        self._texts.clear()
        arrays: list[Array] = [text, bounds, self._order, self._counts.astype(np.uint64)]
        for section, values in zip(_SECTIONS, arrays, strict=True):
            writer.add(f"{name}.{section}", values)
