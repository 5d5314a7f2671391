"""Open leases: what each holds, and how many a host has."""

from __future__ import annotations

import pytest

from trasmallo.crawl.frontier.backlog import Entry
from trasmallo.crawl.frontier.interface import Lease, LeaseLost, Result
from trasmallo.crawl.frontier.lent import LentTargets
from trasmallo.crawl.frontier.queues import Taken
from trasmallo.values.model import Outcome


def taken(number: int) -> Taken:
    return 0, Entry(number, 0, 0, f"http://a.es/{number}", "", 0, 0.0), -1


def lease(token: int) -> Lease:
    return Lease(token, "http://a.es", (), (), 0.0)


def test_a_lease_holds_what_it_was_lent_until_it_ends() -> None:
    lent = LentTargets()
    first, second = lent.add(7, [taken(1), taken(2)]), lent.add(7, [taken(3)])
    assert (first in lent, len(lent), lent.hosts, lent.of_host(7), lent.of_host(8)) == (True, 2, [7], 2, 0)
    host, asked, rest = lent.match(lease(first), [Result("http://a.es/2", Outcome.FETCHED)])
    assert (host, [item[1].seq for item in asked], [item[1].seq for item in rest]) == (7, [2], [1])
    lent.end(first)
    assert (first in lent, second in lent, lent.of_host(7)) == (False, True, 1)
    lent.end(second)
    assert (len(lent), lent.hosts) == (0, [])


def test_results_of_others_are_refused() -> None:
    lent = LentTargets()
    token = lent.add(7, [taken(1)])
    with pytest.raises(ValueError, match="does not hold"):
        lent.match(lease(token), [Result("http://a.es/9", Outcome.FETCHED)])
    with pytest.raises(LeaseLost):
        lent.match(lease(token + 1), [])
