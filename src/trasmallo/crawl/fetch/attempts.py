"""Attempts to connect to the addresses of a host: the next one begins when one fails, or is slow (RFC 8305, section 5).

So a family of addresses that leads nowhere costs a quarter of a second, not the time that a connection may take.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Awaitable, Callable, Sequence

from trasmallo.crawl.fetch.http import Connection

_STAGGER = 0.25  # RFC 8305, section 8: the recommended delay between attempts, in seconds

Open = Callable[[str], Awaitable[Connection]]
"""Connects to an address; raises OSError."""


async def first_open(addresses: Sequence[str], open_at: Open) -> Connection:
    """The connection to the first address that takes one; the other attempts are given up. Raises the last OSError.

    What a server says about TLS is its answer: nobody else is asked then.
    """
    if len(addresses) == 1:
        return await open_at(addresses[0])
    race = _Race(addresses, open_at)
    try:
        return await race.run()
    finally:
        await race.end()


class _Race:
    """Attempts that are under way, and the addresses that are still to be tried."""

    def __init__(self, addresses: Sequence[str], open_at: Open) -> None:
        self._waiting = list(addresses)
        self._open_at = open_at
        self._tasks: set[asyncio.Future[Connection]] = set()
        self._winner: asyncio.Future[Connection] | None = None

    async def run(self) -> Connection:
        problem: BaseException | None = None
        while self._waiting or self._tasks:
            if self._waiting:
                self._tasks.add(asyncio.ensure_future(self._open_at(self._waiting.pop(0))))
            patience = _STAGGER if self._waiting else None
            done, _ = await asyncio.wait(self._tasks, timeout=patience, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                problem = task.exception()
                if problem is None:
                    self._winner = task
                    return task.result()
                self._tasks.discard(task)
                if isinstance(problem, ssl.SSLError) or not isinstance(problem, OSError):
                    raise problem
        assert problem is not None, "a host has an address at least"
        raise problem

    async def end(self) -> None:
        """Give up the other attempts, and let go of a connection that came too late."""
        others = [task for task in self._tasks if task is not self._winner]
        for task in others:
            task.cancel()
        for late in await asyncio.gather(*others, return_exceptions=True):
            if isinstance(late, Connection):
                late.drop()
