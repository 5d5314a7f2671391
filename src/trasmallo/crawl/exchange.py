"""Whose a host is, and how links reach the process that owns theirs: the seam at which one crawl becomes many.

A host belongs to one worker for the whole crawl, by its hash, so politeness, robots.txt and the seen set need no agreement
between processes. A crawler knows only `Exchange`; `Alone` is the crawl in one process, `workers.sender` the one in several on
a machine. A distributed engine takes over by another `Exchange`: three methods, and one promise, that `finish` is called only
when the pages kept and the links handed over before that call would survive the death of any process.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol

from trasmallo.values.model import Target
from trasmallo.values.urls import host_hash, host_key

Finish = Callable[[Sequence[Target]], Awaitable[None]]
"""Ends a lease in the frontier, with the discovered targets that are our own."""


class Exchange(Protocol):
    """What a crawler asks when a lease ends, and before it believes that it is done."""

    @property
    def open(self) -> bool:
        """Whether others may still send targets: then a crawler with nothing to do waits instead of ending."""

    def owns(self, url: str) -> bool:
        """Whether the URL's host belongs to this crawler."""

    async def settle(self, found: Sequence[Target], finish: Finish) -> None:
        """Send the targets of others to them; call `finish` with our own as soon as all is safe, at once or later, in order."""


class Alone:
    """The exchange of a crawl in one process: everything is its own, and safe."""

    open = False

    def owns(self, _url: str) -> bool:
        """Always."""
        return True

    async def settle(self, found: Sequence[Target], finish: Finish) -> None:
        """Finish at once."""
        await finish(found)


def worker_of(url: str, workers: int) -> int:
    """The worker, from 0, that a canonical URL's host belongs to; the same on every machine."""
    return host_hash(host_key(url)) % workers
