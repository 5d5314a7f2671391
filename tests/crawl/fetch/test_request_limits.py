from __future__ import annotations

from trasmallo.crawl.fetch.request_limits import RequestLimits


def test_the_clock_is_looked_at_often_enough_for_the_shortest_limit() -> None:
    assert RequestLimits().tick == 0.25
    assert RequestLimits(idle=0.2).tick == 0.05
