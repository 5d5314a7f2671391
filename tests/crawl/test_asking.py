"""Requests of a line, on a web in memory whose clock jumps."""

from __future__ import annotations

import base64
import hashlib
from itertools import chain, pairwise

import msgspec
import pytest

from support.fake_crawl import ROOT
from support.fake_web import EPOCH, FakeWeb, run
from trasmallo.config import CrawlConfig
from trasmallo.crawl.asking import Asker
from trasmallo.crawl.frontier import Lease
from trasmallo.crawl.head_requests import SMALLEST, is_seen_whole
from trasmallo.crawl.held_leases import HeldLeases, LeaseOver
from trasmallo.crawl.host_rests import HostRests
from trasmallo.crawl.intake import Arrival
from trasmallo.crawl.ip_politeness import IpPoliteness
from trasmallo.crawl.live import LineActivity
from trasmallo.crawl.network_watch import watch_network
from trasmallo.crawl.robots import Robots
from trasmallo.crawl.robots_rules import RobotsRules
from trasmallo.events import Event
from trasmallo.values.model import Fetch, Outcome, Response, Target

HOST = ROOT[:-1]
TARGET = Target(ROOT + "largo")


class Asking:
    """One line that asks a fake web; `shown` is what it was said to do."""

    def __init__(self, web: FakeWeb, delay: float = 0.0) -> None:
        self.line, self.shown = LineActivity(1), list[tuple[str, str]]()
        self.lease = Lease(1, HOST, (TARGET,), until=EPOCH + 1_000.0)
        config, events = CrawlConfig(seeds=(ROOT,), delay=delay), list[Event]()
        machines, robots = IpPoliteness(0.0), RobotsRules(web, "trasmallo", web.clock)
        self.held = HeldLeases(web.clock)
        self.asker = Asker(
            web,
            robots,
            rests=HostRests(config, robots, machines, web.clock),
            machines=machines,
            network=watch_network(config, events.append, web.clock, private=True),
            held=self.held,
            show=self._show,
            clock=web.clock,
        )

    def _show(self, line: LineActivity, state: str, url: str) -> None:
        line.state, line.url = state, url
        self.shown.append((state, url))

    async def rules(self) -> Robots:
        self.held.take(self.lease)
        self.held.begin(self.lease.token, self.line)
        return await self.asker.rules(self.lease, self.line)

    async def again(self, known: Fetch | None) -> Arrival:
        await self.rules()
        return await self.asker.again(TARGET, known, self.line, attempts=2)


def known(etag: str = "", digest: str = "sha1:X") -> Fetch:
    return Fetch(TARGET.url, 1.0, Outcome.FETCHED, 200, digest=digest, size=SMALLEST, etag=etag)


def asked(web: FakeWeb) -> list[str]:
    return [visit.method for visit in web.visits if visit.url == TARGET.url]


def test_a_page_that_was_never_seen_is_asked_for_without_conditions() -> None:
    web = FakeWeb()
    web.page(TARGET.url)
    asking = Asking(web)
    arrival = run(asking.again(None))
    assert (arrival.attempts, arrival.judged, arrival.target) == (2, None, TARGET)
    assert isinstance(arrival.answer, Response) and arrival.answer.status == 200
    assert asked(web) == ["GET"] and not web.visits[-1].headers
    assert asking.shown == [("downloading", HOST + "/robots.txt"), ("downloading", TARGET.url)]
    assert (asking.line.state, asking.line.asked) == ("keeping", True)


def test_a_page_with_a_validator_is_asked_whether_it_changed() -> None:
    web = FakeWeb()
    web.page(TARGET.url, headers={"ETag": '"a"'})
    arrival = run(Asking(web).again(known(etag='"a"')))
    assert isinstance(arrival.answer, Response) and arrival.answer.status == 304


@pytest.mark.parametrize(("size", "methods"), [(SMALLEST, ["HEAD"]), (SMALLEST + 1, ["HEAD", "GET"])])
def test_a_large_page_without_validators_is_looked_at_first_and_asked_for_after_a_rest(size: int, methods: list[str]) -> None:
    web = FakeWeb()
    web.page(TARGET.url, b"x" * size, headers={"Content-Length": str(size)})
    asking = Asking(web, delay=7.0)
    arrival = run(asking.again(known()))
    assert asked(web) == methods
    assert (arrival.judged is not None) is (methods == ["HEAD"])
    visits = [visit for visit in web.visits if visit.url == TARGET.url]
    assert all(later.start - earlier.end >= 7.0 - 1e-6 for earlier, later in pairwise(visits))
    assert (("waiting", TARGET.url) in asking.shown) is (len(methods) == 2)


def test_pages_that_are_asked_for_whole_do_not_say_that_their_host_hears_no_conditions() -> None:
    web, body = FakeWeb(), b"x" * SMALLEST
    digest = "sha1:" + base64.b32encode(hashlib.sha1(body).digest()).decode()
    paths = [f"{ROOT}{number}" for number in range(200)]
    versions = [msgspec.structs.replace(known(etag='"a"', digest=digest), url=path) for path in paths]
    whole = [version for version in versions if is_seen_whole(version, EPOCH)]
    others = [version for version in versions if version not in whole]
    turns = list(chain.from_iterable(zip(whole[::2], whole[1::2], others, strict=False)))
    for version in turns:
        web.page(version.url, body, headers={"ETag": '"a"'})
    asking = Asking(web)

    async def ask() -> None:
        await asking.rules()
        for version in turns:
            await asking.asker.again(Target(version.url), version, asking.line, attempts=0)

    run(ask())
    assert len(turns) >= 15
    assert {visit.method for visit in web.visits} == {"GET"}


def test_a_page_behind_a_fragment_keeps_its_name() -> None:
    web = FakeWeb()
    web.page(ROOT + "app")
    asking = Asking(web)

    async def ask() -> str:
        await asking.rules()
        return (await asking.asker.page(Target(ROOT + "app#!/uno"), asking.line)).url

    assert run(ask()) == ROOT + "app#!/uno"
    assert web.visits[-1].url == ROOT + "app"


def test_nothing_is_asked_when_the_lease_is_over() -> None:
    web = FakeWeb()
    web.page(TARGET.url)
    asking = Asking(web)
    asking.lease = Lease(1, HOST, (TARGET,), until=EPOCH)
    with pytest.raises(LeaseOver):
        run(asking.again(None))
    assert not asked(web)
