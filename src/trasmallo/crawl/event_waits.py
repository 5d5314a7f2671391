"""Waits for an event that end after a time, by a clock that tests may replace."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable


async def wait_within(event: asyncio.Event, seconds: float | None, sleep: Callable[[float], Awaitable[None]]) -> None:
    """Wait until an event is set, or so many seconds are over; None waits for the event alone."""
    if seconds is None:
        await event.wait()
        return
    waits = [asyncio.ensure_future(event.wait()), asyncio.ensure_future(sleep(seconds))]
    try:
        await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for wait in waits:
            wait.cancel()
