"""When each host is asked again, on a web in memory whose clock jumps."""

from __future__ import annotations

import asyncio
from itertools import pairwise
from pathlib import Path

import pytest

from support.fake_crawl import ROOT, Crawl, link
from support.fake_web import EPOCH, FakeWeb, run
from trasmallo.crawl.frontier import Close, EmbeddedFrontier
from trasmallo.events import Failed, Refused, Waiting
from trasmallo.values.model import Outcome, Target
from trasmallo.values.run_status import HostStatus


def test_a_host_rests_after_each_answer_and_is_asked_one_by_one(tmp_path: Path, web: FakeWeb) -> None:
    web.latency = 3.0
    Crawl(tmp_path, web, delay=2.0, lines=10).go()
    visits = [visit for visit in web.visits if visit.url.startswith(ROOT)]
    assert len(visits) == 5
    assert all(later.start - earlier.end >= 2.0 - 1e-6 for earlier, later in pairwise(visits))
    assert set(web.most_open.values()) == {1}


def test_hosts_of_one_machine_are_asked_one_after_the_other(tmp_path: Path) -> None:
    web = FakeWeb()
    seeds = tuple(f"http://h{number}.test/" for number in range(10))
    for seed in seeds:
        web.page(seed, link("/a", "/b"))
        web.page(seed + "a")
        web.page(seed + "b")
    Crawl(tmp_path, web, seeds=seeds, lines=10, delay=5.0, address_delay=2.0).go()
    starts = sorted(visit.start for visit in web.visits if visit.url.endswith(("/a", "/b")))
    assert len(starts) == 20
    assert all(later - earlier >= 2.0 - 1e-6 for earlier, later in pairwise(starts))


def test_a_crawl_delay_is_honoured_up_to_the_cap(tmp_path: Path, web: FakeWeb) -> None:
    web.page(ROOT + "robots.txt", "User-agent: *\nCrawl-delay: 3000")
    Crawl(tmp_path, web, delay=1.0, longest_delay=20.0).go()
    visits = [visit for visit in web.visits if visit.url.startswith(ROOT) and "robots" not in visit.url]
    rests = [later.start - earlier.end for earlier, later in pairwise(visits)]
    assert all(20.0 <= rest < 21.0 for rest in rests)


def test_failures_are_tried_again_later_and_not_for_ever(tmp_path: Path, web: FakeWeb) -> None:
    web.failure(ROOT + "b", Outcome.TIMED_OUT, "no answer")
    crawl = Crawl(tmp_path, web, retries=2, retry_after=100.0).go()
    tries = [visit for visit in web.visits if visit.url == ROOT + "b"]
    assert len(tries) == 3
    assert tries[1].start - tries[0].end >= 100
    assert tries[2].start - tries[1].end >= 200
    assert [event.again_at > 0 for event in crawl.heard(Failed)] == [True, True, False]
    assert crawl.heard(Waiting), "nobody may wait in silence"


def test_missing_pages_are_not_tried_again(tmp_path: Path, web: FakeWeb) -> None:
    web.page(ROOT + "c", link("/gone"))
    crawl = Crawl(tmp_path, web).go()
    assert crawl.asked(ROOT + "gone") == 1
    assert crawl.kept[ROOT + "gone"].outcome is Outcome.MISSING


def test_retry_after_is_obeyed(tmp_path: Path, web: FakeWeb) -> None:
    web.page(ROOT + "b", status=503, headers={"Retry-After": "5000"})
    Crawl(tmp_path, web, retries=1, retry_after=1.0).go()
    tries = [visit for visit in web.visits if visit.url == ROOT + "b"]
    assert tries[1].start - tries[0].end >= 5000


def test_retry_after_holds_the_whole_host(tmp_path: Path, web: FakeWeb) -> None:
    web.page(ROOT + "b", status=429, headers={"Retry-After": "600"})
    Crawl(tmp_path, web, retries=0, lines=3).go()
    (refused,) = [visit for visit in web.visits if visit.url == ROOT + "b"]
    others = [visit.start for visit in web.visits if visit.url.startswith(ROOT) and visit.start > refused.start]
    assert others
    assert min(others) - refused.end >= 600


def test_why_hosts_wait_is_known(tmp_path: Path) -> None:
    web = FakeWeb()
    seeds = {name: f"http://{name}.test/" for name in ("calm", "slow", "sick", "held", "open", "next")}
    for seed in seeds.values():
        web.page(seed, link("/1", "/2"))
    web.page(seeds["slow"] + "robots.txt", "User-agent: *\nCrawl-delay: 50")
    web.failure(seeds["sick"], Outcome.TIMED_OUT)
    web.page(seeds["held"], status=503, headers={"Retry-After": "5000"})
    web.page(seeds["open"] + "1", latency=1_000.0)
    crawl = Crawl(tmp_path, web, seeds=tuple(seeds.values()), delay=20.0, address_delay=0.0, lines=20, scope="host")

    async def look() -> dict[str, HostStatus]:
        frontier = EmbeddedFrontier(tmp_path)
        crawler = await crawl.crawler(frontier)
        running = asyncio.create_task(crawler.run())
        await asyncio.sleep(50.0)
        await frontier.add([Target("http://new.test/")])
        found = {host.host[7:].removesuffix(".test"): host for host in await crawler.hosts(20)}
        crawler.stop()
        await running
        await frontier.control(Close())
        return found

    found = run(look())
    now = EPOCH + 50
    assert {name: host.reason for name, host in found.items()} == {
        "calm": "rests (delay of 20 s)",
        "slow": "rests (Crawl-delay of 50 s)",
        "sick": "backs off after 1 failures in a row",
        "held": "asked us to wait (Retry-After)",
        "open": "is being asked",
        "next": "rests (delay of 20 s)",
        "new": "its robots.txt is to be asked for first",
    }
    assert found["held"].until == pytest.approx(now + 5_000, abs=50)
    assert now < found["calm"].until < now + 20
    assert (found["calm"].queued, found["calm"].last_outcome) == (1, Outcome.MISSING)


def test_addresses_that_are_not_asked_for_cost_no_rest(tmp_path: Path) -> None:
    web = FakeWeb()
    web.page(ROOT, link(*(f"/no/{number}" for number in range(500)), "/yes"))
    web.page(ROOT + "robots.txt", "User-agent: *\nDisallow: /no/")
    web.page(ROOT + "yes")
    crawl = Crawl(tmp_path, web, delay=10.0, lines=1).go()
    assert crawl.kept[ROOT + "no/499"].outcome is Outcome.ROBOTS
    starts = [visit.start for visit in web.visits]
    assert [later - earlier for earlier, later in pairwise(starts)] == pytest.approx([10.1, 10.1], abs=0.1)


def test_a_host_in_trouble_rests_longer(tmp_path: Path) -> None:
    web = FakeWeb()
    web.page(ROOT, link(*(f"/{number}" for number in range(6))))
    for number in range(6):
        web.failure(f"{ROOT}{number}", Outcome.TIMED_OUT)
    Crawl(tmp_path, web, delay=1.0, retries=1, retry_after=1.0).go()
    visits = [visit for visit in web.visits if visit.url[len(ROOT) :].isdigit()]
    rests = [later.start - earlier.end for earlier, later in pairwise(visits[:6])]
    assert rests == sorted(rests)
    assert rests[-1] >= 16


def test_too_many_requests_in_a_row_end_the_host_of_a_session(tmp_path: Path, web: FakeWeb) -> None:
    web.page(ROOT, link(*(f"/x{number}" for number in range(12))))
    for number in range(12):
        web.page(f"{ROOT}x{number}", status=429)
    crawl = Crawl(tmp_path, web, retries=0).go()
    outcomes = [fetch.outcome for fetch in crawl.kept.values()]
    assert (outcomes.count(Outcome.BLOCKED), outcomes.count(Outcome.LEFT_ALONE)) == (5, 7)
    assert [event.cause for event in crawl.heard(Refused)] == ["this host asked 5 times in a row to be left alone"]


def test_lines_that_ask_together_are_refused_once(tmp_path: Path, web: FakeWeb) -> None:
    web.page(ROOT, link(*(f"/x{number}" for number in range(12))))
    for number in range(12):
        web.page(f"{ROOT}x{number}", status=429 if number < 6 else 200)
    crawl = Crawl(tmp_path, web, retries=0, delay=0.0, address_delay=0.0, lines=8, lines_per_host=6).go()
    assert Outcome.LEFT_ALONE not in {fetch.outcome for fetch in crawl.kept.values()}
