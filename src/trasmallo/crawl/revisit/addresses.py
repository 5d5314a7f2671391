"""Numbers of URLs and sites: each URL once, packed, found by its 64-bit digest.

The URL's own bytes, and 20 more: where it begins, its digest, its number in their order.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import xxhash

from trasmallo.values.arrays import Array, Whole
from trasmallo.values.urls import host


class Addresses:
    """URLs in the order in which they came."""

    KEPT = ("_text", "_begins", "_digests", "_numbers", "_sites")

    def __init__(self) -> None:
        self._text = bytearray()
        self._begins: Whole = np.zeros(1, np.int64)
        self._digests: Array = np.zeros(0, np.uint64)
        self._numbers: Array = np.zeros(0, np.int32)
        self._sites: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self._numbers)

    @property
    def sites(self) -> list[str]:
        """The hosts of the URLs, in the order of their numbers."""
        return list(self._sites)

    def __getitem__(self, number: int) -> str:
        return self._text[self._begins[number] : self._begins[number + 1]].decode("utf-8", "surrogatepass")

    def find(self, urls: Sequence[str]) -> Whole:
        """The number of each URL, -1 where it is not known."""
        digests = _digests(urls)
        if not len(self):
            return np.full(len(urls), -1)
        at = np.minimum(np.searchsorted(self._digests, digests), len(self) - 1)
        return np.where(self._digests[at] == digests, self._numbers[at], -1).astype(np.int64)

    def add(self, urls: Sequence[str]) -> Whole:
        """Add URLs that are different and not known; the number of each one's site, which is its host."""
        encoded = [url.encode("utf-8", "surrogatepass") for url in urls]
        self._text += b"".join(encoded)
        ends = np.cumsum([len(text) for text in encoded], dtype=np.int64) + self._begins[-1]
        numbers = np.arange(len(self), len(self) + len(urls), dtype=np.int32)
        self._begins = np.concatenate([self._begins, ends])
        digests = np.concatenate([self._digests, _digests(urls)])
        order = np.argsort(digests, kind="stable")
        self._digests, self._numbers = digests[order], np.concatenate([self._numbers, numbers])[order]
        return np.array([self._sites.setdefault(host(url), len(self._sites)) for url in urls], dtype=np.int64)


def _digests(urls: Sequence[str]) -> Array:
    return np.array([xxhash.xxh3_64_intdigest(url.encode("utf-8", "surrogatepass")) for url in urls], np.uint64)
