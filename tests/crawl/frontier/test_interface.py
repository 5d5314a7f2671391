"""What every frontier promises: leases that end, order, retries, counts, pages of entries, commands."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from support.leasing import pages
from trasmallo.crawl.frontier import DropExcluded, EntryFilter, Frontier, Lease, LeaseLost, Reprioritise, Result, Retry, Write
from trasmallo.crawl.frontier.interface import Cause, Close, Command, ControlReply
from trasmallo.values.model import Outcome, Reached, Target


def fetched(lease: Lease) -> list[Result]:
    return [Result(target.url, Outcome.FETCHED) for target in lease.targets]


def lend(do: Any, frontier: Frontier, now: float) -> Lease:
    (lease,) = do(frontier.lease(now)).leases
    return lease


def test_what_is_due_next_is_told_when_nothing_is_lent(frontier: Frontier, do: Any) -> None:
    assert do(frontier.lease(0.0)).next_due is None
    do(frontier.add(pages("a.example", 2)))
    asked = do(frontier.lease(5.0, hosts=0))
    assert (asked.leases, asked.next_due) == ((), 5.0)
    lease = lend(do, frontier, 5.0)
    assert do(frontier.finish(lease, fetched(lease), pages("b.example", 1), due=9.0)) == 1
    assert do(frontier.lease(6.0)).leases[0].host == "http://b.example"
    assert do(frontier.lease(6.0)).next_due == 9.0


def test_a_target_travels_whole_and_once(frontier: Frontier, do: Any) -> None:
    target = Target("http://a.example/ñ%20", 3, -7, "http://b.example/", 2, True, "http://seed.example/", Reached.LINK)
    assert do(frontier.add([target, target])) == 1
    assert do(frontier.add([msgspec.structs.replace(target, depth=1)])) == 0
    lease = lend(do, frontier, 1.0)
    assert (lease.host, lease.targets, lease.attempts) == ("http://a.example", (target,), (0,))
    assert do(frontier.finish(lease, fetched(lease), [target], 1.0)) == 0, "what is done stays known"
    assert do(frontier.lease(2.0)).next_due is None


def test_targets_come_by_priority_depth_and_arrival(frontier: Frontier, do: Any) -> None:
    given = [("late", 2, 0), ("deep", 1, 5), ("first", 1, 1), ("second", 1, 1), ("urgent", -3, 9)]
    do(frontier.add([Target(f"http://a.example/{name}", depth, priority) for name, priority, depth in given]))
    (lease,) = do(frontier.lease(0.0, 1, 10)).leases
    assert [target.url.rpartition("/")[2] for target in lease.targets] == ["urgent", "first", "second", "deep", "late"]


def test_a_host_is_lent_once_and_rests_until_due(frontier: Frontier, do: Any) -> None:
    do(frontier.add(pages("a.example", 3)))
    lease = lend(do, frontier, 0.0)
    assert do(frontier.lease(0.0, 5)).leases == ()
    do(frontier.finish(lease, fetched(lease), [], 4.0))
    assert do(frontier.lease(3.9, 5)).leases == ()
    assert lend(do, frontier, 4.0).targets[0].url == "http://a.example/1"


def test_a_new_target_does_not_shorten_a_rest(frontier: Frontier, do: Any) -> None:
    do(frontier.add(pages("a.example", 1)))
    lease = lend(do, frontier, 0.0)
    do(frontier.finish(lease, fetched(lease), [], 50.0))
    assert do(frontier.add([Target("http://a.example/new")])) == 1
    reply = do(frontier.lease(10.0))
    assert (reply.leases, reply.next_due) == ((), 50.0)


def test_what_has_no_result_is_lent_again_first(frontier: Frontier, do: Any) -> None:
    do(frontier.add(pages("a.example", 4)))
    (lease,) = do(frontier.lease(0.0, 1, 3)).leases
    do(frontier.finish(lease, fetched(lease)[:1], [], 1.0))
    (again,) = do(frontier.lease(1.0, 1, 3)).leases
    assert [target.url[-1] for target in again.targets] == ["1", "2", "3"]
    stats = do(frontier.stats())
    assert (stats.known, stats.queued, stats.leased, stats.done) == (4, 0, 3, 1)


def test_a_failed_target_waits_while_others_go_on(frontier: Frontier, do: Any) -> None:
    do(frontier.add(pages("a.example", 2)))
    lease = lend(do, frontier, 0.0)
    do(frontier.finish(lease, [Result(lease.targets[0].url, Outcome.TIMED_OUT, 60.0)], [], 1.0))
    other = lend(do, frontier, 1.0)
    assert other.targets[0].url.endswith("/1")
    do(frontier.finish(other, fetched(other), [], 2.0))
    waiting = do(frontier.lease(3.0))
    assert (waiting.leases, waiting.next_due) == ((), 60.0)
    again = lend(do, frontier, 60.0)
    assert (again.targets[0].url[-1], again.attempts) == ("0", (1,))
    stats = do(frontier.stats())
    assert (stats.retries, stats.outcomes) == (1, {Outcome.FETCHED: 1})


def test_a_host_that_waits_for_a_retry_is_asked_for_what_is_new(frontier: Frontier, do: Any) -> None:
    do(frontier.add(pages("a.example", 1)))
    lease = lend(do, frontier, 0.0)
    do(frontier.finish(lease, [Result(lease.targets[0].url, Outcome.TIMED_OUT, 60.0)], [], 5.0))
    do(frontier.add([Target("http://a.example/new")]))
    assert lend(do, frontier, 5.0).targets[0].url == "http://a.example/new"


def test_a_lease_that_nobody_extends_is_lent_again(frontier: Frontier, do: Any) -> None:
    do(frontier.add(pages("a.example", 1)))
    lost = lend(do, frontier, 0.0)
    assert do(frontier.lease(99.0)).leases == ()
    again = lend(do, frontier, 100.0)
    assert again.targets == lost.targets
    with pytest.raises(LeaseLost, match="has ended"):
        do(frontier.finish(lost, fetched(lost), pages("c.example", 2), 0.0))
    do(frontier.finish(again, fetched(again), [], 0.0))
    stats = do(frontier.stats())
    assert (stats.outcomes, stats.known) == ({Outcome.FETCHED: 1}, 1), "what a lost lease found is not queued"


def test_a_lease_that_is_extended_is_kept_and_one_that_is_lost_is_told(frontier: Frontier, do: Any) -> None:
    do(frontier.add([*pages("a.example", 1), *pages("b.example", 1)]))
    slow, dead = sorted(do(frontier.lease(0.0, hosts=2)).leases, key=lambda lease: lease.host)
    assert do(frontier.extend([slow.token], 250.0)) == ()
    assert do(frontier.extend([slow.token], 120.0)) == (), "never shorter"
    assert lend(do, frontier, 200.0).targets == dead.targets
    assert do(frontier.extend([slow.token, dead.token], 300.0)) == (dead.token,)
    do(frontier.finish(slow, fetched(slow), [], 0.0))


def test_results_of_other_urls_are_refused(frontier: Frontier, do: Any) -> None:
    do(frontier.add(pages("a.example", 1)))
    lease = lend(do, frontier, 0.0)
    with pytest.raises(ValueError, match="does not hold"):
        do(frontier.finish(lease, [Result("http://a.example/other", Outcome.FETCHED)], [], 0.0))


def test_entries_come_in_pages(frontier: Frontier, do: Any) -> None:
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


def test_what_a_rule_excludes_is_dropped_with_its_causes(frontier: Frontier, do: Any) -> None:
    do(frontier.add([Target(f"http://a.example/{name}") for name in ("", "Sport/1", "sport/2", "news/1")]))
    reply = do(frontier.control(DropExcluded(("sport",), ("/news/*",), ("http://a.example/",))))
    assert reply == ControlReply(2, (Cause("excluded by 'Sport'", "http://a.example/Sport/1", 2),))
    stats = do(frontier.stats())
    assert (stats.queued, stats.outcomes) == (2, {Outcome.OUT_OF_SCOPE: 2})
    assert do(frontier.control(DropExcluded(("sport",)))) == ControlReply()
    do(frontier.control(DropExcluded(("example",))))
    assert do(frontier.lease(9.0)) == do(frontier.lease(9.0)), "a host whose queue was dropped has no turn"
    assert do(frontier.lease(9.0)).next_due is None


def test_targets_that_ended_come_again_with_how_they_had_ended(frontier: Frontier, do: Any) -> None:
    (target,) = pages("a.example", 1)
    do(frontier.add([target]))
    lease = lend(do, frontier, 0.0)
    do(frontier.finish(lease, [Result(target.url, Outcome.MISSING)], [], 0.0))
    reply = do(frontier.control(Retry(((target, Outcome.MISSING),))))
    assert reply == ControlReply(1, outcomes={Outcome.MISSING: 1})
    assert do(frontier.control(Retry(((target, Outcome.MISSING),)))).number == 0, "it waits already"
    assert lend(do, frontier, 1.0).attempts == (1,)


def test_what_waits_can_be_moved_and_what_is_lent_stays(frontier: Frontier, do: Any) -> None:
    do(frontier.add([*pages("a.example", 5), *pages("b.example", 1)]))
    leases = {lease.host: lease for lease in do(frontier.lease(0.0, hosts=2)).leases}
    lent = leases["http://a.example"]
    moved = {f"http://a.example/{name}": priority for name, priority in [("0", -9), ("4", -5), ("2", 0), ("3", -5), ("x", 1)]}
    assert do(frontier.control(Reprioritise(moved))) == ControlReply(2), "not what is lent, as before or unknown"
    do(frontier.finish(lent, fetched(lent), [], 0.0))
    (rest,) = do(frontier.lease(0.0, 1, 9)).leases
    assert [target.url[-1] for target in rest.targets] == ["3", "4", "1", "2"]
    assert [target.priority for target in rest.targets] == [-5, -5, 0, 0]
    assert do(frontier.stats()).known == 6


def test_the_busiest_hosts_are_told_with_their_last_outcome(frontier: Frontier, do: Any) -> None:
    do(frontier.add([*pages("a.example", 3), *pages("b.example", 5)]))
    while (lease := lend(do, frontier, 0.0)).host != "http://a.example":
        pass
    do(frontier.finish(lease, [Result(lease.targets[0].url, Outcome.MISSING)], [], 7.0))
    told = {state.host: state for state in do(frontier.stats(5)).busiest}
    resting = told["http://a.example"]
    assert (resting.queued, resting.due, resting.leased, resting.last_outcome) == (2, 7.0, False, Outcome.MISSING)
    assert told["http://b.example"].last_outcome is None


def test_commands_and_replies_can_travel() -> None:
    decode = msgspec.msgpack.Decoder(Command).decode
    for command in (
        DropExcluded(("a",), ("b",), ("c",)),
        Retry(((Target("http://a/"), Outcome.MISSING),)),
        Reprioritise({"http://a/": 3}),
        Write(True),
        Close(),
    ):
        assert decode(msgspec.msgpack.encode(command)) == command
    reply = ControlReply(3, (Cause("c", "http://a/", 3),), {Outcome.MISSING: 1})
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(reply), type=ControlReply) == reply
