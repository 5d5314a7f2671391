from __future__ import annotations

import math

from trasmallo.crawl.frontier.hosts import NO_OUTCOME, OUTCOMES, HostTable, last_in_codes
from trasmallo.values.model import Outcome


def table(*names: str) -> HostTable:
    hosts = HostTable()
    for name in names:
        hosts.number(name)
    return hosts


def test_turns_go_by_time_then_by_offer() -> None:
    hosts = table("a", "b", "c")
    for host, when in ((2, 5.0), (0, 1.0), (1, 1.0)):
        hosts.offer(host, when)
    assert [hosts.lease(9.0) for _ in range(4)] == [0, 1, 2, None]


def test_a_turn_is_never_before_the_host_is_due() -> None:
    hosts = table("a")
    hosts.due[0] = 8.0
    hosts.offer(0, 0.0)
    assert hosts.lease(7.9) is None
    assert hosts.next_turn() == 8.0


def test_an_earlier_offer_replaces_a_later_one() -> None:
    hosts = table("a")
    hosts.offer(0, 9.0)
    hosts.offer(0, 4.0)
    hosts.offer(0, 6.0)
    assert hosts.next_turn() == 4.0
    assert hosts.lease(4.0) == 0
    hosts.release(0)
    assert hosts.next_turn() == math.inf


def test_a_leased_host_gets_no_turn_until_released() -> None:
    hosts = table("a")
    hosts.offer(0, 0.0)
    assert hosts.lease(0.0) == 0
    hosts.offer(0, 0.0)
    assert hosts.is_leased(0)
    assert hosts.lease(1e9) is None
    hosts.release(0)
    hosts.offer(0, 3.0)
    assert hosts.next_turn() == 3.0


def test_numbers_are_kept_with_their_columns() -> None:
    hosts = table("a", "b")
    hosts.due[1], hosts.queued[1], hosts.last[1] = 2.5, 7, 3
    again = HostTable(hosts.names, hosts.due.tobytes(), hosts.queued.tobytes(), bytes(hosts.last))
    assert (again.find("b"), again.find("c"), len(again)) == (1, None, 2)
    assert (again.due[1], again.queued[1], again.last[1]) == (2.5, 7, 3)
    again.offer(1, 0.0)
    assert again.next_turn() == 2.5


def test_the_busiest_have_the_longest_queues() -> None:
    hosts = table("a", "b", "c", "d")
    for host, queued in enumerate((3, 0, 9, 3)):
        hosts.queued[host] = queued
    assert [state.host for state in hosts.busiest((), 9)] == [hosts.names[number] for number in (2, 0, 3)]
    assert [state.host for state in hosts.busiest((3,), 2)] == [hosts.names[number] for number in (3, 2)]


def test_of_hosts_that_are_due_the_one_with_the_best_place_is_lent() -> None:
    hosts, places = table("a", "b", "c", "d"), {0: 30, 1: 10, 2: 10, 3: 1}
    for host, when in ((0, 0.0), (2, 1.0), (1, 1.0), (3, 5.0)):
        hosts.offer(host, when)
    assert [hosts.lease(2.0, places.__getitem__) for _ in range(3)] == [2, 1, 0]
    assert hosts.lease(2.0, places.__getitem__) is None
    assert hosts.next_turn() == 5.0


def test_a_host_that_was_compared_keeps_its_turn_until_it_is_held() -> None:
    hosts = table("a", "b")
    hosts.offer(0, 0.0)
    hosts.offer(1, 1.0)
    assert hosts.lease(2.0, lambda host: 1 - host) == 1
    assert hosts.next_turn() == 0.0
    hosts.hold(0)
    assert hosts.lease(2.0, lambda host: host) is None
    assert hosts.next_turn() == math.inf


def test_outcomes_keep_their_meaning_when_they_get_other_codes() -> None:
    hosts = HostTable(["a.es", "b.es"], bytes(16), bytes(16), bytes([NO_OUTCOME, NO_OUTCOME]))
    hosts.note(0, 4.0, Outcome.ROBOTS)
    hosts.note(1, 5.0, None)
    assert list(hosts.due) == [4.0, 5.0]
    assert [OUTCOMES[hosts.last[0]], hosts.last[1]] == [Outcome.ROBOTS, NO_OUTCOME]
    names = [Outcome.ROBOTS, Outcome.FETCHED]
    read = last_in_codes(bytes([0, 1, NO_OUTCOME]), names)
    assert [OUTCOMES[read[0]], OUTCOMES[read[1]], read[2]] == [*names, NO_OUTCOME]
    assert last_in_codes(bytes(hosts.last), []) == bytes(hosts.last)
