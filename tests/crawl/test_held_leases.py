"""Leases are used for the first part of their time, and given up before another worker may have their hosts."""

from __future__ import annotations

import asyncio

import pytest

from trasmallo.crawl.frontier import Lease
from trasmallo.crawl.held_leases import USABLE, HeldLeases, LeaseOver
from trasmallo.crawl.live import LineActivity


class Extending:
    """A frontier that has lost some leases."""

    def __init__(self, *lost: int) -> None:
        self.lost = lost

    async def extend(self, tokens: tuple[int, ...], _until: float) -> tuple[int, ...]:
        return tuple(token for token in tokens if token in self.lost)


def test_a_host_is_asked_in_the_first_part_of_a_lease() -> None:
    async def run() -> None:
        now = [0.0]
        held, line = HeldLeases(lambda: now[0], 100.0), LineActivity(1)
        held.take(Lease(7, "http://a.example", (), until=80.0))
        held.begin(7, line)
        now[0] = 79.0
        held.need(line)
        await held.extend(Extending())  # type: ignore[arg-type]
        now[0] = 79.0 + USABLE * 100 - 1
        held.need(line)
        now[0] += 2
        with pytest.raises(LeaseOver):
            held.need(line)
        held.drop(7)
        held.need(line)

    asyncio.run(run())


@pytest.mark.parametrize("lost", [True, False])
def test_a_download_is_given_up_when_its_lease_is_lost_or_over(lost: bool) -> None:
    async def run() -> None:
        now = [0.0]
        held, line = HeldLeases(lambda: now[0], 100.0), LineActivity(1, state="downloading")
        held.take(Lease(7, "http://a.example", (), until=80.0))

        async def serve() -> bool:
            held.begin(7, line)
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                return held.is_late(7)
            return False

        task = asyncio.create_task(serve())
        await asyncio.sleep(0)
        now[0] = 85.0
        held.end_late()
        assert not task.cancelling(), "an answer may still come"
        if lost:
            await held.extend(Extending(7))  # type: ignore[arg-type]
        else:
            now[0] = 95.1
            held.end_late()
        assert await task

    asyncio.run(run())
