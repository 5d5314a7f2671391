"""Exchange of a worker whose frontier is in a database: every host may be its own, and leases end without a line waiting."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from trasmallo.crawl.exchange import Finish
from trasmallo.values.model import Target


class SharedExchange:
    """Ends leases beside the lines. `failure` completes with the error of one that could not be ended."""

    def __init__(self) -> None:
        self.open = True
        self.failure: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._tasks: set[asyncio.Task[None]] = set()

    def owns(self, _url: str) -> bool:
        """Always: whoever leases a host has it."""
        return True

    async def settle(self, found: Sequence[Target], finish: Finish) -> None:
        """Have a lease ended with the next transaction."""
        task = asyncio.ensure_future(_finish(finish, found))
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None and not self.failure.done():
            self.failure.set_exception(error)


async def _finish(finish: Finish, found: Sequence[Target]) -> None:
    await finish(found)
