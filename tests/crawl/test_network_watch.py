"""What a crawl does without a network, on a web in memory whose clock jumps."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from support.fake_crawl import ROOT, Crawl, link
from support.fake_web import FakeWeb, run
from trasmallo.crawl.crawler import Crawler
from trasmallo.crawl.fetch import Permissions, places
from trasmallo.crawl.frontier import Close, EmbeddedFrontier
from trasmallo.crawl.network_watch import ENOUGH_HOSTS, LOST, NONE, PROBE_SECONDS, NetworkWatch
from trasmallo.events import Announced, Event, Failed, Waiting
from trasmallo.values.model import Failure, Outcome, Response

CAUSE = "no name can be looked up from here, a.test neither"


class Offline(FakeWeb):
    """A web whose network comes and goes: `is_there` tells whether it is there at a time since the start."""

    def __init__(self, is_there: Callable[[float], bool], local: str = "") -> None:
        super().__init__()
        self._is_there = is_there
        self._local = local
        self._began = 0.0

    async def get(self, url: str, **options: object) -> Response | Failure:  # type: ignore[override]
        answer = await super().get(url, **options)  # type: ignore[arg-type]
        self._began = self._began or self.visits[0].start
        if self._local and url.startswith(self._local):
            return _moved(answer, "10.0.0.1")
        if not self._is_there(self.clock() - self._began):
            return Failure(url, self.clock(), Outcome.NO_NETWORK, CAUSE)
        return _moved(answer, "93.184.216.34")


def _moved(answer: Response | Failure, address: str) -> Response | Failure:
    assert isinstance(answer, Response)
    return Response(
        answer.url, answer.at, answer.status, answer.reason, answer.headers, answer.body, answer.content, address=address
    )


class Session:
    """One session of a crawl: how it ended, how long it took, and what waits afterwards."""

    def __init__(self, crawl: Crawl, private: str = "") -> None:
        self.crawl = crawl
        self._private = private
        run(self._go())

    async def _go(self) -> None:
        began = self.crawl.web.clock()
        frontier = EmbeddedFrontier(self.crawl.folder, in_order=self.crawl.config.lines == 1)
        try:
            crawler: Crawler = await self.crawl.crawler(
                frontier, permissions=Permissions(places(self._private) if self._private else ())
            )
            await crawler.run()
            self.offline = crawler.offline
            self.seconds = self.crawl.web.clock() - began
            self.stats = await frontier.stats()
        finally:
            await frontier.control(Close())


def seeds(number: int) -> tuple[str, ...]:
    return tuple(f"http://h{host}.test/{page}" for host in range(number) for page in range(3))


def web_of(web: FakeWeb, *urls: str) -> FakeWeb:
    for url in urls:
        web.page(url)
    return web


@pytest.mark.parametrize("lines", [1, 4])
@pytest.mark.parametrize("hosts", [1, 3, 200])
def test_a_crawl_whose_first_addresses_find_no_network_ends_soon_and_keeps_its_queue(
    tmp_path: Path, hosts: int, lines: int
) -> None:
    web = web_of(Offline(lambda _: False), *seeds(hosts))
    crawl = Crawl(tmp_path, web, seeds=seeds(hosts), lines=lines, retries=2, retry_after=60.0, delay=1.0)
    session = Session(crawl)
    assert session.offline == NONE
    assert session.seconds < 10
    assert (session.stats.queued, session.stats.done, session.stats.retries) == (3 * hosts, 0, 0)
    assert not crawl.kept and not crawl.heard(Failed), "no server is to blame"
    assert len(web.visits) <= ENOUGH_HOSTS + 4

    online = web_of(Offline(lambda _: True), *seeds(hosts))
    later = Crawl(tmp_path, online, seeds=seeds(hosts), lines=4, delay=0.0)
    assert Session(later).offline == ""
    assert later.obtained == set(seeds(hosts)), "the next session asks for all of them"


def test_one_dead_server_is_no_lack_of_a_network(tmp_path: Path) -> None:
    web = FakeWeb()
    web.failure(ROOT + "robots.txt", Outcome.NO_HOST, "a.test does not exist")
    session = Session(Crawl(tmp_path, web, retries=2, retry_after=100.0))
    assert (session.offline, session.stats.queued) == ("", 0)
    assert session.crawl.kept[ROOT].outcome is Outcome.NO_HOST


@pytest.mark.parametrize("lines", [1, 4])
def test_servers_of_a_private_network_are_asked_though_there_is_no_other(tmp_path: Path, lines: int) -> None:
    addresses = (*(f"http://h{host}.test/" for host in range(ENOUGH_HOSTS + 2)), ROOT)
    web = web_of(Offline(lambda _: False, local=ROOT), *addresses)
    crawl = Crawl(tmp_path, web, seeds=addresses, lines=lines, retries=1, retry_after=20.0)
    session = Session(crawl, private="a.test")
    assert (session.offline, session.stats.queued) == ("", 0)
    assert crawl.obtained == {ROOT}
    assert {fetch.outcome for url, fetch in crawl.kept.items() if url != ROOT} == {Outcome.NO_NETWORK}, "as if they were dead"


@pytest.mark.parametrize("lines", [1, 4])
def test_a_network_that_vanishes_is_waited_for(tmp_path: Path, lines: int) -> None:
    web = Offline(lambda seconds: not 10 < seconds < 70)
    pages = [f"/{number}" for number in range(30)]
    web_of(web, *(ROOT + page[1:] for page in pages)).page(ROOT, link(*pages))
    crawl = Crawl(tmp_path, web, lines=lines, retries=2, retry_after=60.0, delay=1.0)
    session = Session(crawl)
    assert session.offline == ""
    assert crawl.obtained == {ROOT, *(ROOT + page[1:] for page in pages)}
    assert not crawl.heard(Failed), "nothing counts as tried"
    vain = [visit for visit in web.visits if 10 < visit.start - web.visits[0].start < 70]
    assert len(vain) <= 60 / PROBE_SECONDS + 1, "one look at a time"
    assert next(event.cause for event in crawl.heard(Waiting)) == f"{LOST}, it is looked for again every 5 s: {CAUSE}"
    assert [event.message for event in crawl.heard(Announced)] == ["the network is back, the crawl goes on"]


def test_a_network_is_not_waited_for_longer_than_one_address_would_be_tried(tmp_path: Path) -> None:
    web = Offline(lambda seconds: seconds < 10)
    pages = [f"/{number}" for number in range(30)]
    web_of(web, *(ROOT + page[1:] for page in pages)).page(ROOT, link(*pages))
    session = Session(Crawl(tmp_path, web, lines=4, retries=2, retry_after=60.0, delay=1.0))
    assert session.offline == LOST
    assert 190 <= session.seconds <= 210, "10 seconds with a network, 60 + 120 without"
    assert session.stats.queued == 31 - len(session.crawl.obtained)


def test_many_hosts_are_enough_only_where_nothing_private_may_answer() -> None:
    told: list[Event] = []
    for enough, verdict in ((2, NONE), (sys.maxsize, "")):
        watch = NetworkWatch(told.append, lambda: 100.0, patience=60.0, enough=enough)
        for host in ("http://a.test", "http://b.test"):
            assert watch.is_to_blame(host, Failure(host + "/", 0.0, Outcome.NO_NETWORK, CAUSE))
        watch.give_up(nobody_due=False)
        assert watch.given_up == verdict
    assert not told, "that there is none at all is told when the crawl ends"
