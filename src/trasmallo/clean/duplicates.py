"""Copies of a text: exact ones by checksum, near ones by MinHash.

Two texts are near copies when their sets of word 5-grams overlap (Jaccard) by at least a threshold. A signature is 128 minima
of one permutation, densified (P. Li, A. Owen, C.-H. Zhang, "One permutation hashing", 2012; A. Shrivastava, "Optimal
densification for fast and accurate minwise hashing", 2017); texts that agree on one of 28 bands of four minima are compared.
Words are runs of letters and digits, lower-cased, so that layout and punctuation do not matter.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import cache
from itertools import combinations, product
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

import xxhash

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Minima = NDArray[np.uint32]

NGRAM = 5
MINIMA = 128
BANDS = 28
ROWS = 4
THRESHOLD = 0.7

_WORD = re.compile(r"[^\W_]+")
# Texts longer than this are compared by their beginning.
_MAX_WORDS = 200_000
_MAX_ALIKE = 64

Id = TypeVar("Id", bound=Hashable)


class Signature(NamedTuple):
    """What is kept of a text: `exact` is the checksum of its words (16 bytes), `minima` 128 little-endian 32-bit numbers."""

    exact: bytes
    minima: bytes


def words_of(text: str) -> list[str]:
    """The words that count when texts are compared."""
    return _WORD.findall(text[: 20 * _MAX_WORDS].lower())[:_MAX_WORDS]


def checksum(text: str) -> bytes:
    """Equal for texts with the same words in the same order (xxh3-128, 16 bytes)."""
    return _checksum(words_of(text))


def _checksum(words: list[str]) -> bytes:
    return xxhash.xxh3_128_digest(" ".join(words).encode("utf-8", "surrogatepass"))


class _Hashes(dict[str, int]):
    """The 64-bit hash of each word; texts repeat theirs, so they are remembered (about 20 MB at most)."""

    def __missing__(self, word: str) -> int:
        hashed = self[word] = xxhash.xxh3_64_intdigest(word.encode("utf-8", "surrogatepass"))
        return hashed


_HASHES = _Hashes()


def shingles(words: Sequence[str]) -> NDArray[np.uint64]:
    """The hashes of all word 5-grams, in order; of a shorter text the hash of its words."""
    import numpy as np

    if len(_HASHES) > _MAX_WORDS:
        _HASHES.clear()
    hashed = np.fromiter(map(_HASHES.__getitem__, words), dtype=np.uint64, count=len(words))
    length = min(NGRAM, len(words))
    mixed = np.zeros(len(words) - length + 1 if words else 0, dtype=np.uint64)
    for offset in range(length):
        mixed = mixed * np.uint64(0x9E3779B97F4A7C15) ^ hashed[offset : offset + len(mixed)] * np.uint64(0xC2B2AE3D27D4EB4F)
        mixed ^= mixed >> np.uint64(29)
    mixed *= np.uint64(0x94D049BB133111EB)
    mixed ^= mixed >> np.uint64(32)
    return mixed


def signature(text: str) -> Signature:
    """The signature of a text: 528 bytes, the same on every machine."""
    words = words_of(text)
    return Signature(_checksum(words), _minima(shingles(words)).astype("<u4").tobytes())


def _minima(hashes: NDArray[np.uint64]) -> Minima:
    """The least hash in each of 128 bins; an empty bin borrows from a full one that chance, the same for all texts, picks."""
    import numpy as np

    empty = np.uint32(0xFFFFFFFF)
    minima = np.full(MINIMA, empty, dtype=np.uint32)
    if not len(hashes):
        return minima
    bins = (hashes >> np.uint64(57)).astype(np.intp)
    np.minimum.at(minima, bins, (hashes & np.uint64(0xFFFFFFFE)).astype(np.uint32))
    full = minima != empty
    if full.all():
        return minima
    order = _donors()
    donors = order[np.arange(MINIMA), full[order].argmax(axis=1)]
    return np.where(full, minima, minima[donors])


@cache
def _donors() -> NDArray[np.intp]:
    """For each bin, all bins in a fixed random order."""
    import numpy as np

    generator = np.random.Generator(np.random.PCG64(20121))
    return np.array([generator.permutation(MINIMA) for _ in range(MINIMA)], dtype=np.intp)


def likeness(one: Signature, other: Signature) -> float:
    """The estimated overlap of two texts, 0 to 1; 1 for exact copies. Its standard error is about 0.04."""
    import numpy as np

    if one.exact == other.exact:
        return 1.0
    same = np.frombuffer(one.minima, "<u4") == np.frombuffer(other.minima, "<u4")
    return float(same.mean())


class NearCopies(Generic[Id]):
    """Finds the near copies of each text among those added before.

    Keeps about 2.8 kB a text: its signature and 28 band keys in one table. Of exact copies only the first is kept, and of more
    than 64 texts that share a band the first 64, so that a site of equal pages costs no more than another.
    """

    def __init__(self, threshold: float = THRESHOLD) -> None:
        self.threshold = threshold
        self._signatures: list[Signature] = []
        self._ids: list[Id] = []
        self._exact: dict[bytes, int] = {}
        self._bands: dict[int, int | list[int]] = {}

    def __len__(self) -> int:
        return len(self._ids)

    def add(self, identifier: Id, text: str) -> list[tuple[Id, float]]:
        """Take a text in; the earlier ones that are like it with their likeness, the most alike first.

        A text without words is like nothing and not taken in; an exact copy is only said to be like its first.
        """
        return self.add_signature(identifier, signature(text))

    def add_signature(self, identifier: Id, signed: Signature) -> list[tuple[Id, float]]:
        """The same for a text of which only the signature is at hand."""
        if signed.exact == _checksum([]):
            return []
        number = len(self._ids)
        first = self._exact.setdefault(signed.exact, number)
        if first != number:
            return [(self._ids[first], 1.0)]
        found: set[int] = set()
        for key in _band_keys(signed):
            found.update(self._enter(key, number))
        self._ids.append(identifier)
        self._signatures.append(signed)
        alike = [(likeness(signed, self._signatures[other]), other) for other in found]
        alike.sort(key=lambda pair: (-pair[0], pair[1]))
        return [(self._ids[other], estimate) for estimate, other in alike if estimate >= self.threshold]

    def _enter(self, key: int, number: int) -> list[int]:
        """Put a text under a band's key; those that were there. A list is only made for two, since most keys have one."""
        there = self._bands.setdefault(key, number)
        if there == number:
            return []
        others = [there] if isinstance(there, int) else there
        if len(others) < _MAX_ALIKE:
            self._bands[key] = [*others, number]
        return others


def _band_keys(signed: Signature) -> list[int]:
    size = 4 * ROWS
    return [xxhash.xxh3_64_intdigest(signed.minima[band * size : (band + 1) * size], seed=band) for band in range(BANDS)]


def pairs(texts: Iterable[str], threshold: float = THRESHOLD) -> list[tuple[int, int, float]]:
    """All pairs of near copies as (i, j, likeness) with i < j, in that order; likeness is the true overlap of 5-grams."""
    kept = list(texts)
    copies: dict[bytes, list[int]] = {}
    for number, text in enumerate(kept):
        if _WORD.search(text):
            copies.setdefault(checksum(text), []).append(number)
    found = [(one, other, 1.0) for same in copies.values() for one, other in combinations(same, 2)]
    firsts = {same[0]: same for same in copies.values()}
    for one, other, overlap in _near_pairs({first: kept[first] for first in firsts}, threshold):
        found.extend((*sorted(pair), overlap) for pair in product(firsts[one], firsts[other]))  # type: ignore[misc]
    return sorted(found)


def _near_pairs(texts: dict[int, str], threshold: float) -> Iterator[tuple[int, int, float]]:
    # The estimate errs by some 0.04, so a little below the threshold is looked at as well.
    candidates: NearCopies[int] = NearCopies(max(0.0, threshold - 0.15))
    hashes = cache(lambda number: shingles(words_of(texts[number])))
    for number, text in texts.items():
        for other, _ in candidates.add(number, text):
            overlap = _overlap(hashes(other), hashes(number))
            if overlap >= threshold:
                yield other, number, overlap


def _overlap(one: NDArray[np.uint64], other: NDArray[np.uint64]) -> float:
    """Jaccard of two sets."""
    import numpy as np

    one, other = np.unique(one), np.unique(other)
    common = len(np.intersect1d(one, other, assume_unique=True))
    return common / (len(one) + len(other) - common)


def groups(found: Iterable[tuple[Id, Id, float]]) -> list[list[Id]]:
    """The sets of texts that are connected by pairs; the first of each set, the least, represents it."""
    above: dict[Id, Id] = {}

    def root(member: Id) -> Id:
        while above.setdefault(member, member) != member:
            above[member] = above[above[member]]
            member = above[member]
        return member

    for one, other, _ in found:
        low, high = sorted((root(one), root(other)))  # type: ignore[type-var]
        above[high] = low
    sets: dict[Id, list[Id]] = {}
    for member in sorted(above):  # type: ignore[type-var]
        sets.setdefault(root(member), []).append(member)
    return [sets[first] for first in sorted(sets)]  # type: ignore[type-var]
