"""All pairs of alike texts without comparing every text with every other.

Each text is filed under a few keys; only texts that share a key are compared. An entry is one number, the key's 32 bits above
the text's, so that sorting plain numbers brings those who share a key together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import combinations, product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from trasmallo.clean.copies.shingles import Hashes, Places

Entries = NDArray[np.uint64]
Shares = NDArray[np.float64]
Compare = Callable[[Places, Places], Shares]
"""The similarity of texts, pair by pair."""

COMPARED = 16
"""Of those who share a key, each is compared with the first so many: a site of equal pages costs no more than another."""
_WAITING = 1 << 21
"""Candidates that are gathered before they are compared; 16 bytes each."""
_CROWD = 300
"""Of more texts that are the same, each is only paired with their first."""
_TEXT = np.uint64(0xFFFFFFFF)
"""The bits of a candidate that number its text."""
_KEY = np.uint64(32)
"""How far its other bits are shifted."""


class Pairs(NamedTuple):
    """Alike texts by their numbers, `first` < `second`, in that order."""

    first: Places
    second: Places
    similarity: Shares


class Pair(NamedTuple):
    """Two alike texts by their numbers, `first` < `second`; `similarity` goes from 0 to 1."""

    first: int
    second: int
    similarity: float


def file(keys: Hashes, texts: Places) -> Entries:
    """Entries, sorted; of a key only its upper half counts."""
    entries = (keys & ~_TEXT) | texts.astype(np.uint64)
    entries.sort()
    return entries


def neighbours(entries: Entries, most: int = COMPARED) -> tuple[Places, Places]:
    """Pairs of texts that share a key, given sorted entries; a pair may come several times. `most` are compared with each."""
    keys = entries >> _KEY
    later = np.flatnonzero(keys[1:] == keys[:-1]) + 1
    begins = np.diff(later, prepend=-1) != 1
    leader = np.maximum.accumulate(np.where(begins, later - 1, 0))
    texts = (entries & _TEXT).astype(np.intp)
    firsts, seconds = [], []
    for rank in range(most):
        beyond = later - leader > rank
        later, leader = later[beyond], leader[beyond]
        if not len(later):
            break
        firsts.append(texts[leader + rank])
        seconds.append(texts[later])
    return _joined(firsts), _joined(seconds)


def shared(older: Entries, newer: Entries) -> tuple[Places, Places]:
    """The same between texts of two sets of entries: (of the older, of the newer)."""
    keys = newer & ~_TEXT
    begin = np.searchsorted(older, keys)
    end = np.searchsorted(older, keys | _TEXT, side="right")
    found = np.flatnonzero(end > begin)
    texts = (older & _TEXT).astype(np.intp) if len(found) else np.zeros(0, dtype=np.intp)
    firsts, seconds = [], []
    for rank in range(COMPARED):
        found = found[end[found] - begin[found] > rank]
        if not len(found):
            break
        firsts.append(texts[begin[found] + rank])
        seconds.append((newer[found] & _TEXT).astype(np.intp))
    return _joined(firsts), _joined(seconds)


def _joined(pieces: list[Places]) -> Places:
    return np.concatenate(pieces) if pieces else np.zeros(0, dtype=np.intp)


def compare_all(candidates: Iterable[tuple[Places, Places]], compare: Compare, least: float) -> Pairs:
    """The candidates that are at least so similar, each once."""
    kept: list[Entries] = []
    shares: list[Shares] = []
    waiting: list[Entries] = []

    def flush() -> None:
        numbers = np.unique(np.concatenate([np.zeros(0, dtype=np.uint64), *waiting]))
        waiting.clear()
        similarity = compare((numbers >> _KEY).astype(np.intp), (numbers & _TEXT).astype(np.intp))
        alike = similarity >= least
        kept.append(numbers[alike])
        shares.append(similarity[alike])

    for one, other in candidates:
        differ = one != other
        low, high = np.minimum(one, other)[differ], np.maximum(one, other)[differ]
        waiting.append(low.astype(np.uint64) << _KEY | high.astype(np.uint64))
        if sum(map(len, waiting)) > _WAITING:
            flush()
    flush()
    numbers, places = np.unique(np.concatenate(kept), return_index=True)
    return Pairs((numbers >> _KEY).astype(np.intp), (numbers & _TEXT).astype(np.intp), np.concatenate(shares)[places])


def firsts_of(digests: Hashes) -> Places:
    """For each text the number of the first one with the same digest, which may be its own; digests are rows of two halves."""
    number = len(digests)
    _, places, inverse = np.unique(digests[:, 0], return_index=True, return_inverse=True)
    first = places[inverse] if number else np.zeros(0, dtype=np.intp)
    # Should half a digest ever be shared by chance, the later text counts as one of its own.
    return np.where(digests[first, 1] == digests[:, 1], first, np.arange(number))


def with_exact(first: Places, near: Pairs) -> Pairs:
    """Pairs of unlike digests, joined by those of every text with the first of its digest."""
    copies = np.flatnonzero(first != np.arange(len(first)))
    one, other = np.concatenate((near.first, first[copies])), np.concatenate((near.second, copies))
    similarity = np.concatenate((near.similarity, np.ones(len(copies))))
    order = np.lexsort((other, one))
    return Pairs(one[order], other[order], similarity[order])


def expand(pairs: Pairs) -> Iterator[Pair]:
    """Every two of those that are the same, and every two of alike ones, where the pairs name one of each kind only."""
    groups, near = _grouped(zip(*(column.tolist() for column in pairs), strict=True))
    found = [Pair(one, other, 1.0) for group in groups.values() for one, other in _within(group)]
    for (first, second), similarity in near.items():
        one, other = groups.get(first, [first]), groups.get(second, [second])
        both = product(one, other) if len(one) * len(other) <= _CROWD**2 else [(first, second)]
        found.extend(Pair(min(pair), max(pair), similarity) for pair in both)
    return iter(sorted(found))


def _grouped(rows: Iterable[tuple[int, int, float]]) -> tuple[dict[int, list[int]], dict[tuple[int, int], float]]:
    """The groups of equal texts by their first, and what is alike of the rest, as pairs of firsts."""
    leader: dict[int, int] = {}
    alike: list[tuple[int, int, float]] = []
    for first, second, similarity in rows:
        if similarity == 1.0:
            leader.setdefault(second, leader.get(first, first))
        else:
            alike.append((first, second, similarity))
    groups: dict[int, list[int]] = {}
    for member, first in sorted(leader.items()):
        groups.setdefault(first, [first]).append(member)
    near = {}
    for one, other, similarity in alike:
        first, second = sorted((leader.get(one, one), leader.get(other, other)))
        near[first, second] = similarity
    return groups, near


def _within(group: list[int]) -> Iterable[tuple[int, int]]:
    return combinations(group, 2) if len(group) <= _CROWD else product(group[:1], group[1:])


def originals(pairs: Pairs, number: int) -> tuple[list[int], list[float]]:
    """For each text the one that represents it and how similar they are; a text that is no copy represents itself.

    The first of a group represents it, and every copy is itself as similar to its original as the pairs demand: likeness is
    not passed on from copy to copy, only sameness is.
    """
    original = list(range(number))
    similarity = [1.0] * number
    order = np.lexsort((pairs.first, -pairs.similarity, pairs.second))
    rows = zip(pairs.first[order].tolist(), pairs.second[order].tolist(), pairs.similarity[order].tolist(), strict=True)
    for earlier, later, share in rows:
        if original[later] == later and (original[earlier] == earlier or share == 1.0):
            original[later] = original[earlier]
            similarity[later] = share if original[earlier] == earlier else similarity[earlier]
    return original, similarity
