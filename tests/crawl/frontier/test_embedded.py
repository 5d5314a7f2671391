"""The embedded frontier behind the interface: leases that end, pages of entries, commands."""

from __future__ import annotations

from collections.abc import Coroutine, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest

from support.leasing import pages
from trasmallo.crawl.frontier import Close, EmbeddedFrontier, Lease, Result
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


def test_leases_of_a_process_alone_do_not_end(tmp_path: Path) -> None:
    frontier = EmbeddedFrontier(tmp_path)
    do(frontier.add(pages("a.example", 1)))
    lease = lend(frontier, 0.0)
    assert do(frontier.extend([lease.token], 10.0)) == ()
    assert do(frontier.lease(1e9)).leases == ()
    do(frontier.control(Close()))
    do(frontier.control(Close()))


def test_hosts_that_are_due_go_by_what_they_have_first(tmp_path: Path) -> None:
    targets = [Target("http://dull.example/", priority=900), Target("http://good.example/", priority=200)]
    orders = {}
    for best_first in (False, True):
        frontier = EmbeddedFrontier(tmp_path / str(best_first), best_first=best_first)
        do(frontier.add(targets))
        orders[best_first] = [lend(frontier, 0.0).host for _ in targets]
        do(frontier.control(Close()))
    assert orders == {
        False: ["http://dull.example", "http://good.example"],
        True: ["http://good.example", "http://dull.example"],
    }
