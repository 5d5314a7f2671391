"""Several workers on one frontier: each host with one of them, and clocks that differ."""

from __future__ import annotations

import asyncio

import pytest

from support.leasing import pages
from support.shared_tables import join, value, with_tables
from trasmallo.crawl.frontier import Close, LeaseLost, Reprioritise, Result
from trasmallo.crawl.shared.database import Database
from trasmallo.values.model import Outcome, Target


def test_no_host_is_lent_to_two_workers_and_nothing_is_lost(database: str) -> None:
    async def work(opened: Database) -> None:
        first, second = await join(opened, database), await join(opened, database)
        targets = [target for number in range(30) for target in pages(f"h{number}.example", 4)]
        assert sum(await asyncio.gather(first.add(targets[:80]), second.add(targets[40:]))) == 120
        asked: list[str] = []
        while await first.has_work():
            replies = await asyncio.gather(*(worker.lease(0.0, 7, 2) for worker in (first, second)))
            hosts = [lease.host for reply in replies for lease in reply.leases]
            assert len(hosts) == len(set(hosts))
            for worker, reply in zip((first, second), replies, strict=True):
                await asyncio.gather(
                    *(
                        worker.finish(lease, [Result(t.url, Outcome.FETCHED) for t in lease.targets], [], 0.0)
                        for lease in reply.leases
                    )
                )
                asked += [target.url for lease in reply.leases for target in lease.targets]
        assert sorted(asked) == sorted(target.url for target in targets)
        stats = await second.stats()
        assert (stats.known, stats.done, stats.queued, stats.leased) == (120, 120, 0, 0)
        await first.control(Close())
        await second.control(Close())

    asyncio.run(with_tables(database, work))


def test_a_clock_that_is_wrong_by_an_hour_changes_no_rest(database: str) -> None:
    async def work(opened: Database) -> None:
        wrong = await join(opened, database, clock=lambda: 1e6)
        right = await join(opened, database, clock=lambda: 1e6 + 3600)
        await wrong.add(pages("a.example", 2))
        (lease,) = (await wrong.lease(1e6)).leases
        await wrong.finish(lease, [Result(lease.targets[0].url, Outcome.FETCHED)], [], 1e6 + 50.0)
        reply = await right.lease(1e6 + 3600)
        assert reply.leases == ()
        assert reply.next_due is not None
        assert 40.0 < reply.next_due - (1e6 + 3600) <= 50.0
        await wrong.control(Close())
        await right.control(Close())

    asyncio.run(with_tables(database, work))


def test_a_lease_that_ran_out_is_anothers_and_its_end_counts_no_more(database: str) -> None:
    async def work(opened: Database) -> None:
        dead, heir = await join(opened, database, lease_seconds=0.0), await join(opened, database)
        await dead.add(pages("a.example", 1))
        (lost,) = (await dead.lease(0.0)).leases
        (taken,) = (await heir.lease(0.0)).leases
        assert taken.targets == lost.targets
        with pytest.raises(LeaseLost):
            await dead.finish(lost, [Result(lost.targets[0].url, Outcome.FETCHED)], pages("b.example", 3), 0.0)
        assert await value(opened, "select count(*) from trasmallo_queue") == 1
        assert await heir.extend([taken.token], 99.0) == ()
        await dead.control(Close())
        await heir.control(Close())

    asyncio.run(with_tables(database, work))


def test_what_a_worker_knew_of_a_host_travels_with_its_lease(database: str) -> None:
    async def work(opened: Database) -> None:
        one, other = await join(opened, database), await join(opened, database)
        await one.add(pages("a.example", 3))
        (lease,) = (await one.lease(0.0)).leases
        await one.finish(lease, [], [], 0.0, b"known")
        (again,) = (await one.lease(0.0)).leases
        assert again.state == b"", "its own memory is better"
        await one.finish(again, [], [], 0.0)
        (handed,) = (await other.lease(0.0)).leases
        assert handed.state == b"known"
        await one.control(Close())
        await other.control(Close())

    asyncio.run(with_tables(database, work))


def test_a_budget_of_pages_is_exact_whoever_leases(database: str) -> None:
    async def work(opened: Database) -> None:
        await opened.run(lambda connection: connection.execute("update trasmallo_crawl set allowance = 5"))
        one, other = await join(opened, database, limited=True), await join(opened, database, limited=True)
        await one.add([target for number in range(9) for target in pages(f"h{number}.example", 3)])
        obtained = 0
        for turn in range(12):
            worker = (one, other)[turn % 2]
            for lease in (await worker.lease(0.0, 3, 2)).leases:
                outcome = Outcome.MISSING if turn == 0 else Outcome.FETCHED
                await worker.finish(lease, [Result(target.url, outcome) for target in lease.targets], [], 0.0)
                obtained += len(lease.targets) * outcome.obtained
        assert obtained == 5
        assert one.budget_spent
        await one.control(Close())
        await other.control(Close())

    asyncio.run(with_tables(database, work))


def test_the_budget_that_a_dead_worker_held_comes_back(database: str) -> None:
    async def work(opened: Database) -> None:
        await opened.run(lambda connection: connection.execute("update trasmallo_crawl set allowance = 2"))
        dead, heir = await join(opened, database, limited=True, lease_seconds=0.0), await join(opened, database, limited=True)
        await dead.add([*pages("a.example", 2), *pages("b.example", 2)])
        assert len((await dead.lease(0.0, 2)).leases) == 2
        assert (await heir.lease(0.0, 2)).leases == (), "all pages that may be obtained are lent"
        leases = (await heir.lease(0.0, 2)).leases
        assert len(leases) == 2
        for lease in leases:
            await heir.finish(lease, [Result(lease.targets[0].url, Outcome.FETCHED)], [], 0.0)
        assert await value(opened, "select allowance from trasmallo_crawl") == 0
        await dead.control(Close())
        await heir.control(Close())

    asyncio.run(with_tables(database, work))


def test_hosts_that_are_due_go_by_what_they_have_first(database: str) -> None:
    """As in the embedded frontier; a host is chosen by its best address, also when that was moved since."""
    urls = {name: f"http://{name}.example/" for name in ("dull", "good", "better")}
    targets = [Target(urls["dull"], priority=900), Target(urls["good"], priority=200), Target(urls["better"], priority=700)]

    async def work(opened: Database) -> None:
        frontier, other = await join(opened, database, best_first=True), await join(opened, database)
        await frontier.add(targets)
        await frontier.control(Reprioritise({urls["better"]: 100}))
        together = (await frontier.lease(0.0, 3)).leases
        assert [lease.targets[0].url for lease in together] == [urls["better"], urls["good"], urls["dull"]]
        for lease in together:
            await frontier.finish(lease, [], [], 0.0)
        first = [(await frontier.lease(0.0)).leases[0].targets[0].url for _ in range(2)]
        assert first == [urls["better"], urls["good"]]
        assert (await other.lease(0.0)).leases[0].targets[0].url == urls["dull"]
        assert (await frontier.lease(0.0)).leases == ()
        await frontier.control(Close())
        await other.control(Close())

    asyncio.run(with_tables(database, work))
