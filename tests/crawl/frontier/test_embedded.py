"""The embedded frontier behind the interface: leases that end, pages of entries, commands."""

from __future__ import annotations

from collections.abc import Coroutine, Iterator
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import pytest

from support.leasing import pages
from trasmallo.crawl.frontier import Close, DropExcluded, EmbeddedFrontier, EntryFilter, Lease, LeaseLost, Result, Retry, Write
from trasmallo.crawl.frontier.interface import Cause, Command, ControlReply
from trasmallo.values.model import Outcome, Target

T = TypeVar("T")


def do(work: Coroutine[Any, Any, T]) -> T:
    """The result of a call that never suspends."""
    try:
        work.send(None)
    except StopIteration as end:
        result: T = end.value
        return result
    raise AssertionError("it suspends, so others may come between the halves of a transaction")


@pytest.fixture
def frontier(tmp_path: Path) -> Iterator[EmbeddedFrontier]:
    opened = EmbeddedFrontier(tmp_path / "frontier", lease_seconds=100.0)
    yield opened
    do(opened.control(Close()))


def lend(frontier: EmbeddedFrontier, now: float) -> Lease:
    (lease,) = do(frontier.lease(now)).leases
    return lease


def fetched(lease: Lease) -> list[Result]:
    return [Result(target.url, Outcome.FETCHED) for target in lease.targets]


def test_what_is_due_next_is_told_when_nothing_is_lent(frontier: EmbeddedFrontier) -> None:
    assert do(frontier.lease(0.0)).next_due is None
    do(frontier.add(pages("a.example", 2)))
    asked = do(frontier.lease(5.0, hosts=0))
    assert (asked.leases, asked.next_due) == ((), 5.0)
    lease = lend(frontier, 5.0)
    assert do(frontier.finish(lease, fetched(lease), pages("b.example", 1), due=9.0)) == 1
    assert do(frontier.lease(6.0)).leases[0].host == "http://b.example"
    assert do(frontier.lease(6.0)).next_due == 9.0


def test_a_lease_that_nobody_extends_is_lent_again(frontier: EmbeddedFrontier) -> None:
    do(frontier.add(pages("a.example", 1)))
    lost = lend(frontier, 0.0)
    assert do(frontier.lease(99.0)).leases == ()
    again = lend(frontier, 100.0)
    assert again.targets == lost.targets
    with pytest.raises(LeaseLost, match="has ended"):
        do(frontier.finish(lost, fetched(lost), [], 0.0))
    do(frontier.finish(again, fetched(again), [], 0.0))
    assert do(frontier.stats()).outcomes == {Outcome.FETCHED: 1}


def test_a_lease_that_is_extended_is_kept_and_one_that_is_lost_is_told(frontier: EmbeddedFrontier) -> None:
    do(frontier.add([*pages("a.example", 1), *pages("b.example", 1)]))
    slow, dead = (lease for lease in do(frontier.lease(0.0, hosts=2)).leases)
    assert do(frontier.extend([slow.token], 250.0)) == ()
    assert do(frontier.extend([slow.token], 120.0)) == (), "never shorter"
    assert lend(frontier, 200.0).targets == dead.targets
    assert do(frontier.extend([slow.token, dead.token], 300.0)) == (dead.token,)
    do(frontier.finish(slow, fetched(slow), [], 0.0))


def test_leases_of_a_process_alone_do_not_end(tmp_path: Path) -> None:
    frontier = EmbeddedFrontier(tmp_path)
    do(frontier.add(pages("a.example", 1)))
    lease = lend(frontier, 0.0)
    assert do(frontier.extend([lease.token], 10.0)) == ()
    assert do(frontier.lease(1e9)).leases == ()
    do(frontier.control(Close()))
    do(frontier.control(Close()))


def test_entries_come_in_pages(frontier: EmbeddedFrontier) -> None:
    do(frontier.add([*pages("a.example", 7), *pages("b.example", 3)]))
    wanted, urls, cursor, read = EntryFilter(text="A.EXAMPLE", most_read=4), [], "", []
    while True:
        page = do(frontier.entries(wanted, cursor))
        urls += [target.url for target in page.entries]
        read.append(page.read)
        if not (cursor := page.cursor):
            break
    assert sorted(urls) == [target.url for target in pages("a.example", 7)]
    assert read == [4, 4, 2]
    first = do(frontier.entries(EntryFilter(host="http://a.example"), limit=2))
    assert ([target.url[-1] for target in first.entries], first.matching, first.cursor) == (["0", "1"], 7, "")


def test_what_a_rule_excludes_is_dropped_with_its_causes(frontier: EmbeddedFrontier) -> None:
    do(frontier.add([Target(f"http://a.example/{name}") for name in ("", "Sport/1", "sport/2", "news/1")]))
    reply = do(frontier.control(DropExcluded(("sport",), ("/news/*",), ("http://a.example/",))))
    assert reply == ControlReply(2, (Cause("excluded by 'Sport'", "http://a.example/Sport/1", 2),))
    assert do(frontier.stats()).queued == 2
    assert do(frontier.control(DropExcluded(("sport",)))) == ControlReply()


def test_targets_that_ended_come_again_with_how_they_had_ended(frontier: EmbeddedFrontier) -> None:
    (target,) = pages("a.example", 1)
    do(frontier.add([target]))
    lease = lend(frontier, 0.0)
    do(frontier.finish(lease, [Result(target.url, Outcome.MISSING)], [], 0.0))
    reply = do(frontier.control(Retry(((target, Outcome.MISSING),))))
    assert reply == ControlReply(1, outcomes={Outcome.MISSING: 1})
    assert lend(frontier, 1.0).attempts == (1,)


def test_commands_and_replies_can_travel() -> None:
    decode = msgspec.msgpack.Decoder(Command).decode
    for command in (
        DropExcluded(("a",), ("b",), ("c",)),
        Retry(((Target("http://a/"), Outcome.MISSING),)),
        Write(True),
        Close(),
    ):
        assert decode(msgspec.msgpack.encode(command)) == command
    reply = ControlReply(3, (Cause("c", "http://a/", 3),), {Outcome.MISSING: 1})
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(reply), type=ControlReply) == reply
