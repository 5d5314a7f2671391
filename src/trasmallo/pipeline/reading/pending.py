"""Pages that are stored and not read yet: the newest are at hand, the others are found again in the catalog.

Memory: at most 4,096 pages, and about 150 bytes for each page of the run (its id, and its place in the catalog's scan).
So a crawl may run ahead of its readers as far as the disk allows.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Protocol

from trasmallo.pipeline.analysis.items import Item
from trasmallo.store.parts import document_id
from trasmallo.values.model import Fetch

_AT_HAND = 4_096  # some 300 kB; see the memory in this module's docstring
_LOOKED_AT = 4_096
"""Rows of the catalog that one taking looks at, so that the loop is never kept for long."""


class BatchSource(Protocol):
    """Where readers take their batches from; everything is handed out once."""

    @property
    def behind(self) -> bool:
        """Whether there may be more than what is at hand."""

    @property
    def at_hand(self) -> int:
        """How much waits in memory."""

    def take(self, most: int) -> tuple[Item, ...]:
        """Up to `most` items; none while `behind` means to ask again."""


class Pending:
    """What the readers take their batches from; every document is handed out once, however often it was fetched.

    `stored` gives the pages that are stored, `is_known` says that a page is among the results of an earlier run as it is.
    """

    def __init__(
        self,
        stored: Callable[[], Iterator[Fetch]],
        done: Iterable[str],
        *,
        is_known: Callable[[Fetch], bool] = lambda _fetch: False,
        room: int = _AT_HAND,
        looked_at: int = _LOOKED_AT,
    ) -> None:
        self._room, self._looked_at = room, looked_at
        self._stored = stored
        self._is_known = is_known
        self._handed = {int(document, 16) for document in done}
        self._fresh: deque[Fetch] = deque()
        self._scan: Iterator[Fetch] | None = None
        self._left_out = True

    @property
    def behind(self) -> bool:
        """Whether the catalog may hold pages beside those at hand."""
        return self._left_out or self._scan is not None

    @property
    def at_hand(self) -> int:
        """Pages that wait in memory."""
        return len(self._fresh)

    def add(self, fetch: Fetch) -> None:
        """A page was stored; beyond what memory may hold, the catalog remembers it. What is known does not wait."""
        if self._is_known(fetch):
            return
        if len(self._fresh) < self._room:
            self._fresh.append(fetch)
        else:
            self._left_out = True

    def take(self, most: int) -> tuple[Fetch, ...]:
        """Up to `most` pages to read now; none while `behind` means to ask again."""
        taken: list[Fetch] = []
        for _ in range(self._looked_at):
            fetch = self._next() if len(taken) < most else None
            if fetch is None:
                break
            if self._is_new(fetch):
                taken.append(fetch)
        return tuple(taken)

    def _next(self) -> Fetch | None:
        """What the catalog holds goes first: of a page that a killed process had obtained before, that row counts."""
        if self._scan is None and self._left_out:
            self._scan, self._left_out = self._stored(), False
        fetch = next(self._scan, None) if self._scan else None
        if fetch is None:
            self._scan = None
            return self._fresh.popleft() if self._fresh else None
        return fetch

    def _is_new(self, fetch: Fetch) -> bool:
        key = int(document_id(fetch.url), 16)
        if key in self._handed or not fetch.outcome.readable or fetch.locator is None or self._is_known(fetch):
            return False
        self._handed.add(key)
        return True
