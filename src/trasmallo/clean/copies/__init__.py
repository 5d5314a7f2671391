"""Copies and near copies among texts: exact ones by checksum, near ones by fingerprints, simhash or MinHash.

    signed = METHODS["minhash"].sign(texts)         # small, can be kept
    METHODS["minhash"].pairs(signed, 0.5)           # discovery: all pairs
    METHODS["minhash"].compare(signed, one, other)  # search: chosen pairs

Give the main text of pages, not all of it: the menus of a site make its pages alike.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from trasmallo.clean.copies import exact, fingerprints, minhash, simhash
from trasmallo.clean.copies.discovery import Pair, Pairs, Shares, expand
from trasmallo.clean.copies.shingles import Places
from trasmallo.values.arguments import check_texts, check_type
from trasmallo.values.errors import UsageError

_MARGIN = 0.15
"""An estimate errs by some 0.04; what it puts so little below the threshold is looked at as well."""


Signed = Any
"""What a method keeps of some texts, in a form of its own: rows of an array, or hashes with their texts."""


class CopyMethod(NamedTuple):
    """A way to find copies: `least` is the similarity from which on it calls texts copies, unless told otherwise."""

    least: float
    sign: Callable[[Iterable[str]], Signed]
    pairs: Callable[[Signed, float], Pairs]
    compare: Callable[[Signed, Places, Places], Shares]


def _same(digests: Signed, one: Places, other: Places) -> Shares:
    same: Shares = ((digests[one] == digests[other]).all(axis=1) & digests[one].any(axis=1)).astype(np.float64)
    return same


def _exact_pairs(digests: Signed, least: float) -> Pairs:  # noqa: ARG001 - a checksum knows no degrees
    return exact.all_pairs(digests)


METHODS = {
    "minhash": CopyMethod(0.45, minhash.sign, minhash.all_pairs, minhash.estimate),
    "simhash": CopyMethod(0.7, simhash.sign, simhash.all_pairs, simhash.compare),
    "fingerprint": CopyMethod(0.45, fingerprints.sign, fingerprints.all_pairs, fingerprints.compare),
    "exact": CopyMethod(1.0, exact.digest, _exact_pairs, _same),
    "crc32": CopyMethod(1.0, partial(exact.sums, name="crc32"), _exact_pairs, _same),
    "bytesum": CopyMethod(1.0, partial(exact.sums, name="bytesum"), _exact_pairs, _same),
}
"""The ways to find copies by their names. The default is the first; the last two are for teaching.

The thresholds were tuned on one half of what `benchmarks/copies.py` makes.
"""


def choose(name: str, *, bits: int = simhash.BITS) -> CopyMethod:
    """The method of this name, a simhash of so many bits; raises UsageError for an unknown one."""
    check_texts(method=name)
    if name not in METHODS:
        raise UsageError("unknown method {name!r}", "choose one of {methods}", name=name, methods=", ".join(METHODS))
    if name != "simhash":
        return METHODS[name]
    simhash.check(bits)
    return METHODS[name]._replace(sign=partial(simhash.sign, bits=bits))


def _listed(texts: Iterable[str]) -> list[str]:
    """The texts; a text alone, which is a series of letters, and what is no text raise UsageError."""
    if isinstance(texts, str | bytes):
        raise UsageError("`texts` is of the type {texts}", "give a list of texts", texts=type(texts).__name__)
    check_type("texts", texts, Iterable, "a list of texts")
    kept = list(texts)
    for number, text in enumerate(kept):
        check_type(f"texts[{number}]", text, str, "a text")
    return kept


def duplicates(texts: Iterable[str], least: float | None = None, method: str = "minhash") -> list[Pair]:
    """All pairs of copies and near copies among texts, in order; texts without words are like nothing.

    With `method` "minhash" similarity is the true share of word 5-grams in common; "fingerprint" takes a sample of them,
    "simhash" estimates the cosine of 3-grams, "exact" finds the same words. Pairs below `least` are left out, None is the
    method's own threshold. In a crowd of more than 300 equal texts, each is only paired with the first.
    """
    chosen, kept = choose(method), _listed(texts)
    least = chosen.least if least is None else least
    check_type("least", least, (int, float), "a number above 0, and 1 at most")
    if not 0 < least <= 1:
        raise UsageError("a similarity of {least} is out of range", "give a number above 0, and 1 at most", least=least)
    if method != "minhash":
        return list(expand(chosen.pairs(chosen.sign(kept), least)))
    found = chosen.pairs(chosen.sign(kept), max(_MARGIN, least - _MARGIN))
    return list(expand(_verified(kept, found, least)))


def _verified(texts: list[str], found: Pairs, least: float) -> Pairs:
    """The pairs with their true overlap; those below the least are left out."""
    involved, places = np.unique(np.concatenate((found.first, found.second)), return_inverse=True)
    sets = fingerprints.sign((texts[number] for number in involved), modulus=1)
    overlap = fingerprints.compare(sets, *np.split(places, 2))
    kept = overlap >= least
    return Pairs(found.first[kept], found.second[kept], overlap[kept])
