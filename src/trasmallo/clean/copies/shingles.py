"""The words of texts and their n-grams as 64-bit hashes, for many texts at once.

Words are runs of letters, digits and marks without regard to case, so that layout and punctuation do not matter; in scripts
written without spaces every character is a word. All hashes are the same on every machine.

A word's hash is a polynomial over random numbers of its letters, modulo 2^64. All words of a batch are had from one array of
products and its sums: the letter at place p counts its number times B^p, and a word that begins at s is brought home by B^-s.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import accumulate, pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Hashes = NDArray[np.uint64]
Places = NDArray[np.intp]

LONGEST = 1 << 20
"""Characters of a text that are looked at; a book has a million."""
_BATCH = 1 << 16
"""Characters that are hashed together: enough to forget what each call costs, few enough to stay in the processor's cache."""
_BASE = 0x9E3779B97F4A7C15
"""Base of the rolling hash: 2^64 over the golden ratio, odd."""
_MODULUS = 1 << 64
"""Hashes have 64 bits."""
_JOINED, _ALONE = 1, 2
"""Kinds of characters: of words, and words by themselves."""
# Han, kana, Thai, Lao, Tibetan, Myanmar and Khmer put no spaces between words; halves of surrogate pairs stand for rare Han.
_UNSPACED = (
    (0x0E00, 0x0FFF), (0x1000, 0x109F), (0x1780, 0x17FF), (0x2E80, 0x2FDF), (0x3005, 0x3007), (0x3021, 0x3029),
    (0x3041, 0x30FF), (0x31F0, 0x31FF), (0x3400, 0x9FFF), (0xF900, 0xFAFF), (0xFF66, 0xFF9F),
)  # fmt: skip


class Hashed(NamedTuple):
    """Hashes of several texts one after the other; those of text n are `values[bounds[n]:bounds[n + 1]]`."""

    values: Hashes
    bounds: Places

    @property
    def sizes(self) -> Places:
        """How many each text has."""
        return np.diff(self.bounds)

    @property
    def texts(self) -> Places:
        """The number of its text for every hash."""
        return np.repeat(np.arange(len(self.bounds) - 1), self.sizes)

    def each(self) -> Iterator[Hashes]:
        """Those of one text after the other."""
        return (self.values[start:end] for start, end in pairwise(self.bounds))


def batches(texts: Iterable[str]) -> Iterator[list[str]]:
    """The texts in lists that are worth one pass, each text cut to its longest."""
    batch: list[str] = []
    size = 0
    for text in texts:
        batch.append(text[:LONGEST])
        size += len(batch[-1]) + 1
        if size >= _BATCH:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def words(batch: Sequence[str]) -> Hashed:
    """The hashes of all words in order."""
    encoded = [text.encode("utf-16-le", "surrogatepass") for text in batch]
    ends = np.fromiter(accumulate(len(data) // 2 + 1 for data in encoded), dtype=np.intp, count=len(encoded))
    codes = np.frombuffer(b" \0".join([*encoded, b""]), dtype="<u2").astype(np.intp)
    numbers, kinds = _letters()
    kind = kinds.take(codes)
    begins = np.flatnonzero(kind[1:] > kind[:-1] & _JOINED) + 1
    if kind.size and kind[0]:
        begins = np.concatenate(([0], begins))
    bounds = np.concatenate(([0], np.searchsorted(begins, ends))).astype(np.intp)
    if not len(begins):
        return Hashed(np.zeros(0, dtype=np.uint64), bounds)
    power, inverse = _powers(1 << (len(codes) - 1).bit_length())
    products = numbers.take(codes)
    products *= power[: len(codes)]
    return Hashed(_mix(np.add.reduceat(products, begins) * inverse[begins]), bounds)


def ngrams(hashed: Hashed, length: int) -> Hashed:
    """The hashes of all word n-grams in order; a text that is shorter has one, of all its words, and an empty one none."""
    sizes = hashed.sizes
    sums = hashed.values
    short = np.flatnonzero((sizes > 0) & (sizes < length))
    whole = [_chain(hashed.values[hashed.bounds[text] : hashed.bounds[text + 1]], int(sizes[text])) for text in short]
    counts = np.where(sizes >= length, sizes - length + 1, (sizes > 0).astype(np.intp))
    bounds = np.concatenate(([0], np.cumsum(counts)))
    if len(sums) < length:
        return Hashed(np.concatenate([np.zeros(0, dtype=np.uint64), *whole]), bounds)
    kept = np.repeat(hashed.bounds[:-1] - bounds[:-1], counts) + np.arange(bounds[-1])
    values = _chain(sums, length)[np.minimum(kept, len(sums) - length)]
    for text, value in zip(short, whole, strict=True):
        values[bounds[text]] = value[0]
    return Hashed(values, bounds)


def _chain(values: Hashes, length: int) -> Hashes:
    """The hash of every stretch of so many neighbours."""
    number = len(values) - length + 1
    mixed = values[:number].copy()
    for offset in range(1, length):
        mixed *= np.uint64(_BASE)
        mixed += values[offset : offset + number]
    return _mix(mixed)


def _mix(values: Hashes) -> Hashes:
    """Every bit of the result depends on every bit (the finaliser of splitmix64, G. Steele and others, 2014). In place."""
    values ^= values >> np.uint64(30)
    values *= np.uint64(0xBF58476D1CE4E5B9)
    values ^= values >> np.uint64(27)
    values *= np.uint64(0x94D049BB133111EB)
    values ^= values >> np.uint64(31)
    return values


def remix(values: Hashes, seed: int) -> Hashes:
    """Other hashes of the same things, for another purpose."""
    return _mix(values + np.uint64(_BASE * (seed + 1) % _MODULUS))


@cache
def _letters() -> tuple[Hashes, NDArray[np.uint8]]:
    """For every UTF-16 unit the number that counts for it, 0 for a separator, and whether it joins its neighbours."""
    kinds = np.fromiter((_JOINED * _is_letter(chr(code)) for code in range(1 << 16)), dtype=np.uint8, count=1 << 16)
    for first, last in _UNSPACED:
        kinds[first : last + 1] *= _ALONE
    kinds[0xD800:0xE000] = _ALONE
    lower = np.fromiter(map(_lower, range(1 << 16)), dtype=np.uint64, count=1 << 16)
    return np.where(kinds > 0, remix(lower, 0), np.uint64(0)), kinds


def _is_letter(letter: str) -> bool:
    return letter.isalnum() or unicodedata.category(letter) in ("Mn", "Mc")


def _lower(code: int) -> int:
    """Letter by letter, so that a text keeps its length."""
    lower = chr(code).lower()
    return ord(lower) if len(lower) == 1 else code


@cache
def _powers(size: int) -> tuple[Hashes, Hashes]:
    """The powers of the base, and those of its inverse."""
    inverse = pow(_BASE, -1, _MODULUS)
    tables = [np.full(size, base, dtype=np.uint64) for base in (_BASE, inverse)]
    for table in tables:
        table[:1] = 1
        np.cumprod(table, out=table)
    return tables[0], tables[1]
