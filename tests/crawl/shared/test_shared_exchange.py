"""Leases end beside the lines, and an end that fails is told."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from trasmallo.crawl.shared.shared_exchange import SharedExchange
from trasmallo.values.model import Target


def test_no_line_waits_for_the_end_of_its_lease() -> None:
    async def run() -> None:
        exchange, gate, done, ended = SharedExchange(), asyncio.Event(), asyncio.Event(), []

        async def finish(own: Sequence[Target]) -> None:
            await gate.wait()
            ended.extend(own)
            done.set()

        await exchange.settle([Target("http://a.example/")], finish)
        assert (exchange.open, exchange.owns("http://b.example/"), ended) == (True, True, [])
        gate.set()
        await done.wait()
        assert ended

    asyncio.run(run())


def test_an_end_that_fails_is_told() -> None:
    async def run() -> None:
        exchange = SharedExchange()

        async def finish(_own: Sequence[Target]) -> None:
            raise RuntimeError("gone")

        await exchange.settle([], finish)
        with pytest.raises(RuntimeError, match="gone"):
            await exchange.failure

    asyncio.run(run())
