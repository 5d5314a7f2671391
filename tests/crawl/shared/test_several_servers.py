"""Hosts divided among servers: what is found for another one arrives, whoever dies, and nothing ends before it did."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from support.leasing import pages
from support.postgres import Server, running_server
from support.shared_tables import CLAIM, value
from trasmallo.crawl.frontier import Close, DropExcluded, Result
from trasmallo.crawl.shared.database import Database
from trasmallo.crawl.shared.layout import prepare_tables
from trasmallo.crawl.shared.queued_targets import Share
from trasmallo.crawl.shared.server_list import open_databases, open_frontier
from trasmallo.crawl.shared.several_servers import SeveralServers
from trasmallo.crawl.shared.worker_registry import register
from trasmallo.values.model import Outcome, Target

HOSTS = [next(f"h{n}.example" for n in range(99) if Share(of=2).server_of(f"http://h{n}.example/") == side) for side in (0, 1)]
Work = Callable[[list[Database], SeveralServers], Awaitable[Any]]


@pytest.fixture
def two(postgres: Server, database: str) -> list[str]:
    return [database, postgres.make_database()]


async def _join(databases: list[Database], addresses: list[str], **options: Any) -> SeveralServers:
    worker = 0
    for opened in databases:
        worker = await register(opened, name="tester", lines=2, local=False, worker=worker)
    frontier = open_frontier(addresses, worker=worker, **options)
    assert isinstance(frontier, SeveralServers)
    return frontier


def with_servers(addresses: list[str], work: Work, **options: Any) -> Any:
    async def run() -> Any:
        async with open_databases(addresses) as databases:
            for opened in databases:
                await prepare_tables(opened, CLAIM)
            frontier = await _join(databases, addresses, **options)
            try:
                return await work(databases, frontier)
            finally:
                await frontier.control(Close())

    return asyncio.run(run())


async def _finish_first(frontier: SeveralServers, found: list[Target]) -> None:
    """End the one lease there is, which found something."""
    (lease,) = (await frontier.lease(0.0)).leases
    await frontier.finish(lease, [Result(target.url, Outcome.FETCHED) for target in lease.targets], found, 0.0)


def test_what_is_found_for_another_server_is_queued_there(two: list[str]) -> None:
    async def work(databases: list[Database], frontier: SeveralServers) -> None:
        await frontier.add(pages(HOSTS[0], 1))
        await _finish_first(frontier, [*pages(HOSTS[1], 3), *pages(HOSTS[0], 2)])
        assert await value(databases[0], "select count(*) from trasmallo_queue") == 1, "the other one was there before"
        assert await frontier.has_work()
        while (await frontier.stats()).queued != 4:
            await frontier.lease(0.0, 0)
        assert await value(databases[1], "select count(*) from trasmallo_queue") == 3
        assert [await value(opened, "select count(*) from trasmallo_outbox") for opened in databases] == [0, 0]

    with_servers(two, work)


def test_what_a_dead_worker_did_not_relay_is_relayed_by_another(two: list[str]) -> None:
    async def work(databases: list[Database], frontier: SeveralServers) -> None:
        await frontier.add(pages(HOSTS[0], 1))
        (lease,) = (await frontier.lease(0.0)).leases
        # The worker dies when its transaction is over: what relays is never called again.
        await frontier._servers[0].finish(lease, [Result(lease.targets[0].url, Outcome.FETCHED)], pages(HOSTS[1], 2), 0.0)
        assert await value(databases[0], "select count(*) from trasmallo_outbox") == 1
        other = await _join(databases, two, lease_seconds=0.1)
        assert await other.has_work(), "nothing is queued, but something is under way"
        async with asyncio.timeout(20):
            while not (leases := (await other.lease(0.0, 2, 2)).leases):
                pass  # the database's clock is what passes
        assert [target.url for target in leases[0].targets] == [target.url for target in pages(HOSTS[1], 2)]
        for _ in range(2):
            await other._relay_to(1, everything=True)  # again does no harm
        await other.control(Close())

    with_servers(two, work)


def test_a_crawl_ends_when_no_server_has_work(two: list[str]) -> None:
    async def work(_databases: list[Database], frontier: SeveralServers) -> None:
        assert not await frontier.has_work()
        await frontier.add([*pages(HOSTS[0], 1), *pages(HOSTS[1], 1)])
        for _ in range(2):
            assert await frontier.has_work()
            await _finish_first(frontier, [])
        assert not await frontier.has_work()
        assert (await frontier.stats()).done == 2

    with_servers(two, work)


def test_a_server_that_is_away_keeps_nobody_from_the_hosts_of_the_others(database: str) -> None:
    with running_server() as other:
        addresses = [database, other.make_database()]

        async def work(_databases: list[Database], frontier: SeveralServers) -> None:
            await frontier.add([*pages(HOSTS[0], 1), *pages(HOSTS[1], 1)])
            held = (await frontier.lease(0.0, 2)).leases
            there = next(lease for lease in held if HOSTS[1] in lease.host)
            here = next(lease for lease in held if HOSTS[0] in lease.host)
            await asyncio.to_thread(other.kill)
            await frontier.finish(here, [], [], 0.0)
            assert [lease.host for lease in (await frontier.lease(0.0, 2)).leases] == [here.host]
            assert await frontier.extend([there.token], 10.0) == (there.token,), "it cannot be kept"
            await asyncio.to_thread(other.start)
            assert (await frontier.stats()).known == 2, "nothing is lost"

        with_servers(addresses, work, lease_seconds=3.0)


def test_what_is_excluded_is_dropped_on_all_servers_also_what_is_under_way(two: list[str]) -> None:
    async def work(databases: list[Database], frontier: SeveralServers) -> None:
        await frontier.add([*pages(HOSTS[0], 3), *pages(HOSTS[1], 2)])
        (lease,) = (await frontier._servers[0].lease(0.0)).leases
        found = [Target(f"http://{HOSTS[1]}/later/{number}") for number in range(4)]
        await frontier._servers[0].finish(lease, [Result(lease.targets[0].url, Outcome.FETCHED)], found, 0.0)
        reply = await frontier.control(DropExcluded(exclude=(".example",)))
        assert reply.number == 2 + 2 + 4
        assert [cause.number for cause in reply.causes] == [8]
        assert [await value(opened, "select count(*) from trasmallo_queue") for opened in databases] == [0, 0]

    with_servers(two, work)
