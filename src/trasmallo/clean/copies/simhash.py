"""Near copies by simhash: texts with alike word 3-grams have alike bits.

M. Charikar, "Similarity estimation techniques from rounding algorithms", 2002; G. S. Manku, A. Jain, A. Das Sarma, "Detecting
near-duplicates for web crawling", 2007. The share of bits that differ estimates the angle between two texts' counts of n-grams.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from trasmallo.clean.copies import discovery
from trasmallo.clean.copies.discovery import Pairs, Shares
from trasmallo.clean.copies.shingles import Hashed, Hashes, Places, batches, ngrams, remix, words
from trasmallo.values.errors import UsageError

NGRAM = 3
"""Words of an n-gram. Judgement."""
BITS = 384
"""Bits of a signature, a multiple of 64. Judgement: more bits err less and take more room."""
_TILE = 1 << 10
"""Signatures that are compared at once with as many others; they stay in the processor's cache."""
_SLICE = 1 << 14
"""N-grams that are counted at once."""


def sign(texts: Iterable[str], bits: int = BITS) -> Hashes:
    """The simhash of each text, a row of 64-bit numbers; zeros for a text without words."""
    check(bits)
    signed = [_sign_batch(ngrams(words(batch), NGRAM), bits // 64) for batch in batches(texts)]
    return np.concatenate([np.zeros((0, bits // 64), dtype=np.uint64), *signed])


def check(bits: int) -> None:
    """Raises UsageError for a size that a simhash does not have."""
    if bits not in range(64, BITS + 1, 64):
        raise UsageError("a simhash has no {bits} bits", "choose a multiple of 64 from 64 to {most}", bits=bits, most=BITS)


def _sign_batch(hashed: Hashed, lanes: int) -> Hashes:
    mixed = [remix(hashed.values, lane) for lane in range(lanes)]
    bits = np.stack(mixed, axis=1).astype("<u8")
    texts = (bits[start:end] for start, end in pairwise(hashed.bounds))
    return np.array([_majority(each) for each in texts], dtype=np.uint64).reshape(-1, lanes)


def _majority(features: Hashes) -> NDArray[np.uint64]:
    """Each bit as most features have it."""
    ones = np.zeros(features.shape[1] * 64, dtype=np.int64)
    for start in range(0, len(features), _SLICE):
        part = np.ascontiguousarray(features[start : start + _SLICE])
        ones += np.unpackbits(part.view(np.uint8), axis=1).sum(axis=0, dtype=np.int64)
    return np.packbits(2 * ones > len(features)).view("<u8")


def similarity(different: NDArray[np.integer], bits: int) -> Shares:
    """The estimated cosine of two texts' counts, of which so many bits differ; 0 at a right angle and beyond."""
    return np.cos(np.minimum(different / bits, 0.5) * np.pi)


def compare(signed: Hashes, one: Places, other: Places) -> Shares:
    """The estimated cosine, pair by pair; 0 for texts without words."""
    first, second = signed[one], signed[other]
    shares = similarity(np.bitwise_count(first ^ second).sum(axis=1, dtype=np.int64), signed.shape[1] * 64)
    return np.where(first.any(axis=1) & second.any(axis=1), shares, 0.0)


def all_pairs(signed: Hashes, least: float) -> Pairs:
    """Every two texts that are estimated to be so similar; of texts with the same bits only the first is compared with others.

    Compares all with all, n^2 / 2 pairs, some 100 million a second: for up to some ten thousand texts.
    """
    everyone = np.arange(len(signed))
    worded = signed.any(axis=1)
    first = discovery.firsts_of(np.stack((signed[:, 0], np.bitwise_xor.reduce(signed[:, 1:], axis=1)), axis=1))
    distinct = np.flatnonzero((first == everyone) & worded)
    near = discovery.compare_all(_close(signed, distinct, least), lambda one, other: compare(signed, one, other), least)
    return discovery.with_exact(np.where(worded, first, everyone), near)


def _close(signed: Hashes, distinct: Places, least: float) -> Iterator[tuple[Places, Places]]:
    """Pairs of which no more bits differ than the similarity allows, tile by tile."""
    most = int(np.arccos(np.clip(least, 0.0, 1.0)) / np.pi * signed.shape[1] * 64) + 1
    for top in range(0, len(distinct), _TILE):
        lower = distinct[top : top + _TILE]
        for left in range(0, top + 1, _TILE):
            upper = distinct[left : left + _TILE]
            rows, columns = np.nonzero(_differences(signed[lower], signed[upper]) <= most)
            before = upper[columns] < lower[rows]
            yield upper[columns[before]], lower[rows[before]]


def _differences(rows: Hashes, columns: Hashes) -> NDArray[np.uint16]:
    """How many bits differ, every row against every column."""
    count = np.zeros((len(rows), len(columns)), dtype=np.uint16)
    for lane in range(rows.shape[1]):
        count += np.bitwise_count(rows[:, lane, None] ^ columns[None, :, lane])
    return count
