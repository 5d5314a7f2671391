"""What each run put, as the catalog keeps it: fetches put together share one entry, nine bytes each.

    run, number of the first fetch → hash of the URL and code of the outcome, for each fetch in order

Numbers grow, so entries are written at the table's end, the cheapest place; which fetch of a URL counts is found out when the
run is read: the first that obtained it, since that one may have been read already, else the last. A run obtains a page twice
when it was killed just after it had stored it, and could not find it again.
"""

from __future__ import annotations

import struct
from array import array
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from trasmallo.values.errors import REBUILD, StoreDamaged

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

NUMBER_BYTES = 5  # a fetch's number, up to a million million
MARK_BYTES = 9  # hash of the URL, 8 bytes, and code of the outcome
_RUN = struct.Struct(">I")


class CountedFetches(NamedTuple):
    """The fetch that counts of each URL of a run, in order of arrival: its number, its outcome's code, and the URL's hash."""

    numbers: NDArray[np.int64]
    codes: NDArray[np.uint8]
    urls: NDArray[np.uint64]


def run_key(run: int) -> bytes:
    """What the keys of a run's entries begin with; a number of `NUMBER_BYTES` follows."""
    return _RUN.pack(run)


def counted_fetches(entries: Iterable[tuple[bytes, bytes]], obtained: Sequence[int]) -> CountedFetches:
    """The fetch that counts of each URL among the entries of one run; takes about 80 bytes of memory a fetch.

    `obtained` are the codes of outcomes that brought a page.
    """
    import numpy as np

    firsts, lengths, marks = array("q"), array("q"), bytearray()
    for key, value in entries:
        if not value or len(value) % MARK_BYTES:
            raise StoreDamaged("an entry of a run in the catalog is cut short", REBUILD)
        firsts.append(int.from_bytes(key[-NUMBER_BYTES:], "big"))
        lengths.append(len(value) // MARK_BYTES)
        marks += value
    counts = np.frombuffer(lengths, np.int64)
    places = np.arange(len(marks) // MARK_BYTES)
    numbers = places + np.repeat(np.frombuffer(firsts, np.int64) - np.cumsum(counts) + counts, counts)
    fields = np.frombuffer(marks, np.dtype([("url", "<u8"), ("code", "u1")]))
    ranks = np.where(np.isin(fields["code"], obtained), 2 * len(places) - places, places)
    order = np.lexsort((ranks, fields["url"]))
    urls = fields["url"][order]
    is_last = np.ones(len(urls), bool)
    is_last[:-1] = urls[1:] != urls[:-1]
    counted = np.sort(order[is_last])
    return CountedFetches(numbers[counted], fields["code"][counted], fields["url"][counted])


def all_numbers(entries: Iterable[tuple[bytes, bytes]]) -> Iterator[int]:
    """The numbers of all fetches of one run, of those too that others of the same URL followed."""
    for key, value in entries:
        first = int.from_bytes(key[-NUMBER_BYTES:], "big")
        yield from range(first, first + len(value) // MARK_BYTES)
