from __future__ import annotations

from trasmallo.crawl.fetch.request_limits import Limits


def test_the_clock_is_looked_at_often_enough_for_the_shortest_limit() -> None:
    assert Limits().tick == 0.25
    assert Limits(idle=0.2).tick == 0.05
