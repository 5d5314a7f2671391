"""Which lines are at work on a host, on a web in memory whose clock jumps."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from support.fake_crawl import ROOT, Crawl, link
from support.fake_web import FakeWeb
from trasmallo.config import CrawlConfig
from trasmallo.crawl.crawl_limits import HostLimits
from trasmallo.crawl.frontier import Lease
from trasmallo.crawl.host_rests import HostRests
from trasmallo.crawl.host_turns import HostTurns
from trasmallo.crawl.ip_politeness import IpPoliteness
from trasmallo.crawl.robots_rules import RobotsRules
from trasmallo.values.model import Outcome, Target

HOST = ROOT[:-1]
NOW = 100.0


def turns(lines: int, lines_per_host: int = 1) -> tuple[HostTurns, IpPoliteness]:
    config = CrawlConfig(seeds=(ROOT,), lines=lines, lines_per_host=lines_per_host, delay=3.0)
    machines, robots = IpPoliteness(1.0), RobotsRules(FakeWeb(), "trasmallo", lambda: NOW)
    rests = HostRests(config, robots, machines, lambda: NOW)
    return HostTurns(config, robots, rests=rests, machines=machines, limits=HostLimits(config), clock=lambda: NOW), machines


def lease(due: float = 0.0) -> Lease:
    return Lease(1, HOST, (Target(ROOT),), due=due)


@pytest.mark.parametrize(("lines", "sleeps"), [(1, True), (2, False)])
def test_a_single_line_sleeps_until_its_turn_and_one_of_several_gives_the_host_back(lines: int, sleeps: bool) -> None:
    made, machines = turns(lines)
    assert made.wait(lease(due=NOW - 5)) == (0.0, sleeps)
    assert made.wait(lease(due=NOW + 2)) == (2.0, sleeps)
    machines.learn(HOST, "192.0.2.1", NOW + 6)
    assert made.wait(lease(due=NOW + 2)) == (7.0, sleeps)


def test_a_host_whose_rules_are_not_known_has_one_line_until_that_leaves() -> None:
    made, _ = turns(4, lines_per_host=4)
    made.come(HOST)
    assert made.wait(lease()) == (0.0, False)
    made.come(HOST)
    assert made.wait(lease()) == (3.0, False)
    made.leave(HOST)
    assert made.wait(lease()) == (0.0, False)


def one_site(pages: int, robots: str = "", latency: float = 1.0) -> FakeWeb:
    """A host with so many pages, all of them linked from the first."""
    web = FakeWeb(latency=latency)
    web.page(ROOT, link(*(f"/{number}" for number in range(pages))))
    for number in range(pages):
        web.page(f"{ROOT}{number}", "x")
    if robots:
        web.page(f"{ROOT}robots.txt", robots, headers={"Content-Type": "text/plain"})
    return web


@pytest.mark.parametrize(("lines_per_host", "most"), [(1, 1), (3, 3), (50, 5)])
def test_lines_on_one_host_are_those_that_the_user_allows(tmp_path: Path, lines_per_host: int, most: int) -> None:
    web = one_site(20)
    crawl = Crawl(tmp_path, web, lines=5, lines_per_host=lines_per_host, delay=0.0).go()
    assert web.most_open[ROOT[:-1]] == most
    asked = [visit.url for visit in web.visits]
    assert len(asked) == len(set(asked)) == 22, "each once, with robots.txt"
    assert {fetch.outcome for fetch in crawl.kept.values()} == {Outcome.FETCHED}
    assert max(visit.end for visit in web.visits) - min(visit.start for visit in web.visits) < 22 / most + 3


def test_several_lines_rest_after_each_answer_as_one_does(tmp_path: Path) -> None:
    web = one_site(12)
    Crawl(tmp_path, web, lines=4, lines_per_host=4, delay=2.0, address_delay=0.0).go()
    assert web.most_open[ROOT[:-1]] == 4
    starts = sorted({visit.start for visit in web.visits})
    for start in starts[1:]:
        earlier = max(visit.end for visit in web.visits if visit.start < start)
        assert start - earlier >= 2.0 - 1e-6, "nothing is asked before the host has rested"


@pytest.mark.parametrize("robots", ["User-agent: *\nCrawl-delay: 3", "User-agent: trasmallo\nCrawl-delay: 3\nAllow: /"])
def test_a_crawl_delay_is_obeyed_whatever_the_lines(tmp_path: Path, robots: str) -> None:
    web = one_site(8, robots)
    Crawl(tmp_path, web, lines=5, lines_per_host=5, delay=0.0).go()
    assert web.most_open[ROOT[:-1]] == 1
    pages = sorted(visit for visit in web.visits if not visit.url.endswith("robots.txt"))
    times = sorted((visit.start, visit.end) for visit in pages)
    assert len(times) == 9
    assert all(after[0] - before[1] >= 3.0 - 1e-6 for before, after in pairwise(times))


def test_limits_of_a_host_are_kept_with_many_lines(tmp_path: Path) -> None:
    web = one_site(12)
    crawl = Crawl(tmp_path, web, lines=5, lines_per_host=5, delay=0.0, pages_per_host=4).go()
    assert sum(fetch.outcome is Outcome.FETCHED for fetch in crawl.kept.values()) == 4


def test_a_host_in_trouble_is_asked_by_one_line(tmp_path: Path) -> None:
    web = one_site(6)
    for number in range(6):
        web.page(f"{ROOT}{number}", status=503)
    Crawl(tmp_path, web, lines=5, lines_per_host=5, delay=0.0, retries=1, retry_after=1.0).go()
    again = sorted(visit.start for visit in web.visits if visit.url[len(ROOT) :].isdigit())[6:]
    assert all(after - before >= 1.0 for before, after in pairwise(again))
