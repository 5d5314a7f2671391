"""Waits for an event that end after a time."""

from __future__ import annotations

import asyncio

from trasmallo.crawl.event_waits import wait_within


async def never(_seconds: float) -> None:
    await asyncio.get_running_loop().create_future()


async def at_once(_seconds: float) -> None:
    return


def test_it_ends_with_the_event_or_with_the_time() -> None:
    async def check() -> None:
        event = asyncio.Event()
        await wait_within(event, 5.0, at_once)
        asyncio.get_running_loop().call_soon(event.set)
        await wait_within(event, 5.0, never)
        await wait_within(event, None, never)

    asyncio.run(check())
