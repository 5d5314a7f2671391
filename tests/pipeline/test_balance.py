"""Who fetches, who reads and who makes tables."""

from __future__ import annotations

import math
import os
import subprocess
import sys

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.waiting import until
from trasmallo.pipeline.balance import Balancer, CpuUsage, Load, Split, cpu_seconds, crawl_processes, split

seconds = st.one_of(st.floats(0, 1e6), st.just(math.inf))
loads = st.builds(
    Load,
    agents=st.integers(1, 64),
    shares=st.integers(0, 8),
    waiting=st.booleans(),
    fetching=st.floats(0, 70),
    work=seconds,
    tables=st.integers(0, 40),
)


class FakeClock:
    """A clock that is set by hand."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@given(loads)
def test_nobody_works_for_nothing_and_no_work_goes_without_somebody(load: Load) -> None:
    found = split(load)
    assert (found.fetch > 0) == load.waiting
    assert (found.read > 0) == (load.work > 0)
    assert (found.tables > 0) == (load.tables > 0 and not load.waiting and not load.work)
    assert found.read <= load.agents
    assert found.tables <= min(load.agents, load.tables)


@given(loads, seconds)
def test_more_work_never_wants_fewer(load: Load, work: float) -> None:
    less, more = sorted((load.work, work))
    assert split(msgspec.structs.replace(load, work=less)).read <= split(msgspec.structs.replace(load, work=more)).read


@given(loads, st.floats(0, 70))
def test_a_crawl_that_takes_more_cores_never_brings_more_readers(load: Load, fetching: float) -> None:
    less, more = sorted((load.fetching, fetching))
    assert split(msgspec.structs.replace(load, fetching=more)).read <= split(msgspec.structs.replace(load, fetching=less)).read


@pytest.mark.parametrize(
    ("load", "expected"),
    [
        (Load(agents=8, shares=2, waiting=True), Split(2, 0, 0)),
        (Load(agents=8, shares=2, waiting=True, work=0.1), Split(2, 1, 0)),
        (Load(agents=8, shares=2, waiting=True, fetching=2.0, work=100), Split(2, 6, 0)),
        (Load(agents=2, shares=2, waiting=True, fetching=1.9, work=10), Split(2, 1, 0)),
        (Load(agents=2, shares=2, waiting=True, fetching=1.9, work=100), Split(2, 2, 0)),
        (Load(agents=8, work=1_000), Split(0, 8, 0)),
        (Load(agents=8, work=6), Split(0, 2, 0)),
        (Load(agents=8, tables=5), Split(0, 0, 5)),
        (Load(agents=2, tables=5), Split(0, 0, 2)),
    ],
    ids=["nothing to read", "one page", "the crawl's cores are its own", "one at least", "far behind", "downloads ended",
         "a few pages left", "all is read", "few agents"],
)  # fmt: skip
def test_processes_go_where_the_work_is(load: Load, expected: Split) -> None:
    assert split(load) == expected


def test_one_process_that_crawls_serves_several_that_read() -> None:
    assert [crawl_processes(agents, read=True) for agents in (1, 2, 8, 16, 64)] == [1, 1, 1, 2, 8]
    assert [crawl_processes(agents, read=False) for agents in (1, 2, 8)] == [1, 2, 8]


def test_a_reader_more_comes_at_once_and_one_less_when_it_has_been_calm() -> None:
    clock = FakeClock()
    balancer = Balancer(4, clock)
    wanted = []
    for clock.now, work in zip([0.0, 1.0, 2.0, 10.9, 11.1, 30.0], [0.0, 100.0, 0.0, 6.0, 6.0, 0.0], strict=True):
        wanted.append(balancer.readers(work))
    assert wanted == [1, 4, 4, 4, 2, 1]


def test_what_nobody_has_counted_yet_starts_no_reader_that_stays() -> None:
    clock = FakeClock()
    balancer = Balancer(4, clock)
    wanted = []
    for clock.now, work in zip([0.0, 0.1, 0.2, 0.3], [math.inf, 0.25, 100.0, math.inf], strict=True):
        wanted.append(balancer.readers(work))
    assert wanted == [4, 1, 4, 4]


def test_what_a_process_uses_is_measured() -> None:
    busy = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    try:
        until(lambda: cpu_seconds(busy.pid) > 0.1, "a process at work")
        assert cpu_seconds(os.getpid()) > 0
        times = iter([0.0, 1.0, 1.5, 2.0])
        usage = CpuUsage(lambda: next(times))
        assert usage.of([busy.pid]) == 0, "it was not known before"
        seen = cpu_seconds(busy.pid)
        until(lambda: cpu_seconds(busy.pid) > seen + 0.1, "a process at work")
        assert usage.of([busy.pid]) == 0, "looked at a moment ago"
        assert usage.of([busy.pid]) > 0.05
    finally:
        busy.kill()
        busy.wait()
    assert cpu_seconds(busy.pid) == 0
