"""Near copies by fingerprints: of all word 5-grams those whose hash is 0 modulo p stand for the text.

U. Manber, "Finding similar files in a large file system", 1994; W. B. Croft, D. Metzler, T. Strohman, "Search Engines", 3.7.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from trasmallo.clean.copies import discovery
from trasmallo.clean.copies.discovery import Pairs, Shares
from trasmallo.clean.copies.shingles import Hashed, Hashes, Places, batches, ngrams, remix, words

NGRAM = 5
"""Words of an n-gram, as for MinHash."""
MODULUS = 4
"""One of so many n-grams is kept, as in the example of Croft and others."""
_COMPARED = 4
"""Texts have many keys here, so that a few who share each are enough."""


def sign(texts: Iterable[str], modulus: int = MODULUS) -> Hashed:
    """The fingerprints of each text, sorted, each once: a share of 1 / `modulus` of its n-grams, and one at least."""
    found = [select(each, modulus) for batch in batches(texts) for each in ngrams(words(batch), NGRAM).each()]
    bounds = np.cumsum([0, *map(len, found)], dtype=np.intp)
    return Hashed(np.concatenate([np.zeros(0, dtype=np.uint64), *found]), bounds)


def select(hashes: Hashes, modulus: int) -> Hashes:
    """Those of the hashes that are 0 modulo p; the least where none is, so that short texts have one too."""
    chosen = hashes[hashes % np.uint64(modulus) == 0]
    return np.unique(chosen if len(chosen) else hashes)[: len(chosen) or 1]


def overlap(one: Hashes, other: Hashes) -> float:
    """Jaccard of two sets, each sorted and without repetition; 0 for nothing."""
    common = len(np.intersect1d(one, other, assume_unique=True))
    return common / max(1, len(one) + len(other) - common)


def compare(signed: Hashed, one: Places, other: Places) -> Shares:
    """The overlap of fingerprints, pair by pair."""
    sets = list(signed.each())
    return np.array([overlap(sets[a], sets[b]) for a, b in zip(one, other, strict=True)], dtype=np.float64)


def all_pairs(signed: Hashed, least: float) -> Pairs:
    """Every two texts whose fingerprints overlap so much."""
    sizes = signed.sizes
    entries = discovery.file(remix(signed.values, 0), signed.texts)
    first, second = discovery.neighbours(entries, _COMPARED)
    pairs, counts = np.unique(np.minimum(first, second) * len(sizes) + np.maximum(first, second), return_counts=True)
    one, other = np.divmod(pairs, max(1, len(sizes)))
    # As many in common make the overlap; half of them is enough here, since not all who share one were paired.
    enough = counts >= least / (1 + least) * (sizes[one] + sizes[other]) / 2
    return discovery.compare_all(_once(one[enough], other[enough]), lambda a, b: compare(signed, a, b), least)


def _once(one: Places, other: Places) -> Iterator[tuple[Places, Places]]:
    yield one, other
