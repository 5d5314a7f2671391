"""Whose a host is."""

from __future__ import annotations

import asyncio
from collections import Counter

from trasmallo.crawl.exchange import Alone, worker_of
from trasmallo.values.model import Target


def test_all_pages_of_a_host_belong_to_one_worker() -> None:
    assert {worker_of(f"http://a.test:8080/{path}", 8) for path in ("", "b", "c?d=http://b.test/")} == {
        worker_of("http://a.test:8080/", 8)
    }


def test_the_worker_of_a_host_is_the_same_everywhere() -> None:
    hosts = ["http://a.test/", "https://a.test/", "http://b.test/", "http://example.org:8080/"]
    assert [worker_of(url, 8) for url in hosts] == [2, 4, 4, 7]


def test_workers_are_alike_in_size() -> None:
    sizes = Counter(worker_of(f"http://h{number}.test/", 4) for number in range(4_000))
    assert all(900 < sizes[worker] < 1_100 for worker in range(4))


def test_alone_all_is_ones_own_and_safe_at_once() -> None:
    finished: list[object] = []
    found = [Target("http://a.test/"), Target("http://b.test/")]

    async def finish(own: object) -> None:
        finished.append(own)

    asyncio.run(Alone().settle(found, finish))
    assert finished == [found]
    assert Alone().owns("http://c.test/")
    assert not Alone().open
