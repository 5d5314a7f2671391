"""Near copies as texts come: an index that grows with a crawl and answers for each text what is like it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from trasmallo.clean.copies import discovery, minhash
from trasmallo.clean.copies.discovery import Entries, Pairs, Shares
from trasmallo.clean.copies.minhash import BANDS, SIGNATURE, Signatures
from trasmallo.clean.copies.shingles import Places


class Index:
    """MinHash signatures of texts, numbered in the order they came, and where each would be found.

    Takes about 700 bytes a text. Give it some hundred texts at a time rather than one by one: entries are kept in sorted runs,
    each at least twice as long as the next, that are merged as they grow.
    """

    def __init__(self, least: float) -> None:
        self.least = least
        self._signed = np.zeros(0, dtype=SIGNATURE)
        self._number = 0
        self._runs: list[Entries] = []

    def __len__(self) -> int:
        return self._number

    def add(self, signed: Signatures) -> Pairs:
        """Take texts in; the pairs that each of them makes with those before it."""
        old = self._keep(signed)
        entries = _file(signed, np.arange(old, self._number))
        found = discovery.compare_all(self._candidates(entries), self._compare, self.least)
        self._runs.append(entries)
        while len(self._runs) > 1 and len(self._runs[-2]) < 2 * len(self._runs[-1]):
            merged = np.concatenate((self._runs.pop(), self._runs.pop()))
            merged.sort()
            self._runs.append(merged)
        return found

    def like(self, signed: Signatures) -> list[tuple[int, float]]:
        """The texts in the index that are like one that is not, an array of one signature; the most alike first."""
        entries = _file(signed, np.zeros(len(signed), dtype=np.intp))
        hits = [discovery.shared(run, entries)[0] for run in self._runs]
        numbers = np.unique(np.concatenate([np.zeros(0, dtype=np.intp), *hits]))
        shares = minhash.compare(self._signed[numbers], signed)
        order = np.lexsort((numbers, -shares))
        return [(int(numbers[place]), float(shares[place])) for place in order if shares[place] >= self.least]

    def _keep(self, signed: Signatures) -> int:
        old, self._number = self._number, self._number + len(signed)
        if self._number > len(self._signed):
            room = np.zeros(max(self._number, 2 * old) - old, dtype=SIGNATURE)
            self._signed = np.concatenate((self._signed[:old], room))
        self._signed[old : self._number] = signed
        return old

    def _candidates(self, entries: Entries) -> Iterator[tuple[Places, Places]]:
        yield discovery.neighbours(entries)
        for run in self._runs:
            yield discovery.shared(run, entries)

    def _compare(self, one: Places, other: Places) -> Shares:
        return minhash.estimate(self._signed, one, other)


def _file(signed: Signatures, numbers: Places) -> Entries:
    """The entries of all bands; texts without words have none."""
    worded = signed["words"] > 0
    keys = minhash.keys(signed[worded], 0, BANDS)
    return discovery.file(keys.ravel(), np.repeat(numbers[worded], BANDS))
