"""Near copies by MinHash: the share of word 5-grams that two texts have in common, estimated from small signatures.

A signature has 128 minima of one permutation, empty ones filled (P. Li, A. Owen, C.-H. Zhang, "One permutation hashing", 2012;
A. Shrivastava, "Optimal densification for fast and accurate minwise hashing", 2017), 16 bits of each (P. Li, A. C. König,
"b-bit minwise hashing", 2010). Texts that agree on one of 42 bands of three minima are compared by all of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

import numpy as np
import xxhash

from trasmallo.clean.copies import discovery
from trasmallo.clean.copies.discovery import Pairs, Shares
from trasmallo.clean.copies.shingles import Hashed, Hashes, Places, batches, ngrams, remix, words
from trasmallo.values.arrays import Array

NGRAM = 5
"""Words of an n-gram. Judgement, as in the literature: fewer repeat by chance."""
MINIMA = 128
"""Minima of a signature: an estimate errs by some 0.04."""
ROWS = 3
"""Minima of a band: texts of a similarity of 0.45 share one of 42 bands with a probability of 98 %."""
BANDS = MINIMA // ROWS
SIGNATURE = np.dtype([("exact", "<u8", 2), ("words", "<u4"), ("minima", "<u2", MINIMA)])
"""What is kept of a text, 276 bytes: the xxh3-128 of its words' hashes, the number of its words, and the minima."""
Signatures = Array

_BIN = np.uint64(64 - MINIMA.bit_length() + 1)
"""How far a hash is shifted to tell its bin."""
_EMPTY = np.uint64(0xFFFFFFFFFFFFFFFF)
"""A bin without a hash."""
_ALMOST = 1 - 0.5 / MINIMA
"""All minima are the same, but the words are not."""
_PAIRS = 1 << 14
"""Pairs that are compared together; each takes half a kilobyte meanwhile."""


def sign(texts: Iterable[str]) -> Signatures:
    """The signature of each text, the same on every machine."""
    signed = [_sign_batch(batch) for batch in batches(texts)]
    return np.concatenate([np.zeros(0, dtype=SIGNATURE), *signed])


def _sign_batch(batch: list[str]) -> Signatures:
    hashed = words(batch)
    signed = np.zeros(len(batch), dtype=SIGNATURE)
    digests = b"".join(xxhash.xxh3_128_digest(values.data) for values in hashed.each())
    signed["exact"] = np.frombuffer(digests, dtype="<u8").reshape(-1, 2)
    signed["words"] = hashed.sizes
    signed["minima"] = minima(ngrams(hashed, NGRAM)).astype(np.uint16)
    return signed


def minima(hashed: Hashed) -> Hashes:
    """The least hash in each of 128 bins; an empty bin borrows from a full one that chance, the same for all texts, picks."""
    number = len(hashed.bounds) - 1
    least = np.full(number * MINIMA, _EMPTY)
    bins = hashed.texts * MINIMA
    bins += (hashed.values >> _BIN).astype(np.intp)
    np.minimum.at(least, bins, hashed.values)
    rows = least.reshape(number, MINIMA)
    sparse = np.flatnonzero((rows == _EMPTY).any(axis=1) & (hashed.sizes > 0))
    rows[sparse] = _filled(rows[sparse])
    return rows


def _filled(least: Hashes) -> Hashes:
    full = least != _EMPTY
    missing = ~full
    result = least.copy()
    for donors in _donors():
        borrowed = missing & full[:, donors]
        np.copyto(result, least[:, donors], where=borrowed)
        missing &= ~borrowed
        if not missing.any():
            break
    return result


@cache
def _donors() -> Places:
    """A row a try: the bin that each bin asks then; over all tries every bin asks every bin."""
    generator = np.random.Generator(np.random.PCG64(20121))
    return np.array([generator.permutation(MINIMA) for _ in range(MINIMA)], dtype=np.intp).T.copy()


def estimate(signed: Signatures, one: Places, other: Places) -> Shares:
    """The estimated overlap, pair by pair: 1 for the same words, else below; 0 without words. Its standard error is 0.04."""
    equal = np.empty(len(one), dtype=np.float64)
    for start in range(0, len(one), _PAIRS):
        first, second = signed[one[start : start + _PAIRS]], signed[other[start : start + _PAIRS]]
        equal[start : start + _PAIRS] = compare(first, second)
    return equal


def compare(first: Signatures, second: Signatures) -> Shares:
    """The same for two arrays of signatures, row by row; one row of either may stand for many."""
    share: Shares = np.count_nonzero(first["minima"] == second["minima"], axis=-1) / MINIMA
    np.minimum(share, _ALMOST, out=share)
    share[(first["exact"] == second["exact"]).all(axis=-1)] = 1.0
    share[(first["words"] == 0) | (second["words"] == 0)] = 0.0
    return share


def keys(signed: Signatures, band: int, bands: int = 1) -> Hashes:
    """The keys of so many bands from this one on, a row a text."""
    rows = signed["minima"][:, band * ROWS : (band + bands) * ROWS].astype(np.uint64).reshape(-1, bands, ROWS)
    packed = rows[:, :, 0] | rows[:, :, 1] << np.uint64(16) | rows[:, :, 2] << np.uint64(32)
    # The number of the band keeps equal minima of different bands apart.
    return remix(packed | np.arange(band, band + bands, dtype=np.uint64) << np.uint64(48), 0)


def all_pairs(signed: Signatures, least: float) -> Pairs:
    """Every two texts that are estimated to be so similar; of texts with the same words only the first meets others."""
    first = discovery.firsts_of(signed["exact"])
    worded = signed["words"] > 0
    distinct = np.flatnonzero((first == np.arange(len(first))) & worded)
    near = discovery.compare_all(_candidates(signed, distinct), lambda one, other: estimate(signed, one, other), least)
    return discovery.with_exact(np.where(worded, first, np.arange(len(first))), near)


def _candidates(signed: Signatures, distinct: Places) -> Iterator[tuple[Places, Places]]:
    for band in range(BANDS):
        yield discovery.neighbours(discovery.file(keys(signed, band)[distinct, 0], distinct))
