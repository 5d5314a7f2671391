"""Copies and near copies among texts: exact ones by checksum, near ones by fingerprints, simhash or MinHash.

    signed = METHODS["minhash"].sign(texts)         # small, can be kept
    METHODS["minhash"].pairs(signed, 0.5)           # discovery: all pairs
    METHODS["minhash"].compare(signed, one, other)  # search: chosen pairs

Give the main text of pages, not all of it: the menus of a site make its pages alike.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import combinations, product
from typing import Any, NamedTuple

import numpy as np

from trasmallo.clean.copies import exact, fingerprints, minhash, simhash
from trasmallo.clean.copies.discovery import Pairs, Shares, firsts_of
from trasmallo.clean.copies.shingles import Places
from trasmallo.errors import UsageError

_MARGIN = 0.15
"""An estimate errs by some 0.04; what it puts so little below the threshold is looked at as well."""
_LARGEST_GROUP = 300
"""Of more texts with the same words, each is only paired with their first."""


class Method(NamedTuple):
    """A way to find copies: `least` is the similarity from which on it calls texts copies, unless told otherwise."""

    least: float
    sign: Callable[[Iterable[str]], Any]
    pairs: Callable[[Any, float], Pairs]
    compare: Callable[[Any, Places, Places], Shares]


class Pair(NamedTuple):
    """Two alike texts by their numbers, `first` < `second`; `similarity` goes from 0 to 1."""

    first: int
    second: int
    similarity: float


def _same(digests: Any, one: Places, other: Places) -> Shares:
    same: Shares = ((digests[one] == digests[other]).all(axis=1) & digests[one].any(axis=1)).astype(np.float64)
    return same


def _exact_pairs(digests: Any, least: float) -> Pairs:  # noqa: ARG001 - a checksum knows no degrees
    return exact.all_pairs(digests)


METHODS = {
    "minhash": Method(0.45, minhash.sign, minhash.all_pairs, minhash.estimate),
    "simhash": Method(0.7, simhash.sign, simhash.all_pairs, simhash.compare),
    "fingerprint": Method(0.45, fingerprints.sign, fingerprints.all_pairs, fingerprints.compare),
    "exact": Method(1.0, exact.digest, _exact_pairs, _same),
    "crc32": Method(1.0, partial(exact.sums, name="crc32"), _exact_pairs, _same),
    "bytesum": Method(1.0, partial(exact.sums, name="bytesum"), _exact_pairs, _same),
}
"""The ways to find copies by their names. The default is the first; the last two are for teaching.

The thresholds were tuned on one half of what `benchmarks/copies.py` makes.
"""


def choose(name: str, *, bits: int = simhash.BITS) -> Method:
    """The method of this name, a simhash of so many bits; raises UsageError for an unknown one."""
    if name not in METHODS:
        raise UsageError(f"unknown method {name!r}", f"choose one of {', '.join(METHODS)}")
    if name != "simhash":
        return METHODS[name]
    simhash.check(bits)
    return METHODS[name]._replace(sign=partial(simhash.sign, bits=bits))


def duplicates(texts: Iterable[str], least: float | None = None, method: str = "minhash") -> list[Pair]:
    """All pairs of copies and near copies among texts, in order; texts without words are like nothing.

    With `method` "minhash" similarity is the true share of word 5-grams in common; "fingerprint" takes a sample of them,
    "simhash" estimates the cosine of 3-grams, "exact" finds the same words. Pairs below `least` are left out, None is the
    method's own threshold. In a group of more than 300 exact copies, each is only paired with the first.
    """
    chosen, kept = choose(method), list(texts)
    least = chosen.least if least is None else least
    if not 0 < least <= 1:
        raise UsageError(f"a similarity of {least} is out of range", "give a number above 0, and 1 at most")
    groups = _groups(kept)
    near = _near([kept[number] for number in groups], chosen, least)
    return sorted(_expanded(list(groups.values()), near))


def _groups(texts: list[str]) -> dict[int, list[int]]:
    """The numbers of texts with the same words, by the first of them; texts without words are left out."""
    digests = exact.digest(texts)
    first = firsts_of(digests).tolist()
    groups: dict[int, list[int]] = {}
    for number in np.flatnonzero(digests.any(axis=1)).tolist():
        groups.setdefault(first[number], []).append(number)
    return groups


def _near(texts: list[str], method: Method, least: float) -> Pairs:
    if method is not METHODS["minhash"]:
        return method.pairs(method.sign(texts), least)
    found = method.pairs(method.sign(texts), max(_MARGIN, least - _MARGIN))
    involved, places = np.unique(np.concatenate((found.first, found.second)), return_inverse=True)
    sets = fingerprints.sign((texts[number] for number in involved), modulus=1)
    overlap = fingerprints.compare(sets, *np.split(places, 2))
    kept = overlap >= least
    return Pairs(found.first[kept], found.second[kept], overlap[kept])


def _expanded(groups: list[list[int]], near: Pairs) -> Iterator[Pair]:
    """Every two of the same group, and every two of different groups that are alike."""
    for group in groups:
        leading = group if len(group) <= _LARGEST_GROUP else group[:1]
        yield from (Pair(one, other, 1.0) for one, other in combinations(leading, 2))
        yield from (Pair(group[0], other, 1.0) for other in group[len(leading) :])
    for first, second, similarity in zip(*(column.tolist() for column in near), strict=True):
        one, other = groups[first], groups[second]
        both = product(one, other) if len(one) * len(other) <= _LARGEST_GROUP**2 else [(one[0], other[0])]
        yield from (Pair(min(pair), max(pair), similarity) for pair in both)
