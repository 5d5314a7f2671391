"""What each run put, as the catalog keeps it: fetches put together share one entry, nine bytes each.

    run, number of the first fetch → hash of the URL and code of the outcome, for each fetch in order

Numbers grow, so entries are written at the table's end, the cheapest place; that a later fetch of a URL takes the place of an
earlier one is found out when the run is read.
"""

from __future__ import annotations

import struct
from array import array
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from trasmallo.values.errors import REBUILD, StoreDamaged

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

NUMBER_BYTES = 5  # a fetch's number, up to a million million
MARK_BYTES = 9  # hash of the URL, 8 bytes, and code of the outcome
_RUN = struct.Struct(">I")


class LastFetches(NamedTuple):
    """The last fetch of each URL of a run in order of arrival: its number, the code of its outcome, and the hash of the URL."""

    numbers: NDArray[np.int64]
    codes: NDArray[np.uint8]
    urls: NDArray[np.uint64]


def run_key(run: int) -> bytes:
    """What the keys of a run's entries begin with; a number of `NUMBER_BYTES` follows."""
    return _RUN.pack(run)


def last_fetches(entries: Iterable[tuple[bytes, bytes]]) -> LastFetches:
    """The last fetch of each URL among the entries of one run; takes about 60 bytes of memory a fetch."""
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
    _, from_end = np.unique(fields["url"][::-1], return_index=True)
    last = np.sort(len(numbers) - 1 - from_end)
    return LastFetches(numbers[last], fields["code"][last], fields["url"][last])


def all_numbers(entries: Iterable[tuple[bytes, bytes]]) -> Iterator[int]:
    """The numbers of all fetches of one run, of those too that others of the same URL followed."""
    for key, value in entries:
        first = int.from_bytes(key[-NUMBER_BYTES:], "big")
        yield from range(first, first + len(value) // MARK_BYTES)
