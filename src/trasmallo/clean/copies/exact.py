"""Exact copies by checksum: the same words in the same order.

The xxh3-128 decides. The two older sums are here to learn from: a CRC-32 is shared by chance once there are some ten thousand
texts, and the sum of the bytes by any two texts whose letters are the same in another order.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterable

import numpy as np
import xxhash

from trasmallo.clean.copies import discovery
from trasmallo.clean.copies.discovery import Pairs
from trasmallo.clean.copies.shingles import Hashes, batches, words

_WORD = re.compile(r"[^\W_]+")
Sum = Callable[[bytes], int]


def byte_sum(data: bytes) -> int:
    """The sum of all bytes, modulo 2^32."""
    return int(np.frombuffer(data, dtype=np.uint8).sum(dtype=np.uint32))


SUMS: dict[str, Sum] = {"xxh3": xxhash.xxh3_128_intdigest, "crc32": zlib.crc32, "bytesum": byte_sum}
"""Checksums of bytes."""


def digest(texts: Iterable[str]) -> Hashes:
    """The xxh3-128 of each text's words in two halves, a row a text; zeros for a text without words."""
    found = [
        xxhash.xxh3_128_digest(each.data) if len(each) else bytes(16)
        for batch in batches(texts)
        for each in words(batch).each()
    ]
    return np.frombuffer(b"".join(found), dtype="<u8").reshape(-1, 2)


def sums(texts: Iterable[str], name: str) -> Hashes:
    """The same with one of the older sums, of the words in UTF-8 with a space between them."""
    found = [" ".join(_WORD.findall(text.lower())).encode("utf-8", "surrogatepass") for text in texts]
    values = [[SUMS[name](data) + 1 if data else 0, 0] for data in found]
    return np.array(values, dtype=np.uint64).reshape(-1, 2)


def all_pairs(digests: Hashes) -> Pairs:
    """Every text with the first that has its digest; texts without words are copies of nothing."""
    first = discovery.firsts_of(digests)
    nothing = discovery.Pairs(np.zeros(0, dtype=np.intp), np.zeros(0, dtype=np.intp), np.zeros(0))
    return discovery.with_exact(np.where(digests.any(axis=1), first, np.arange(len(first))), nothing)
