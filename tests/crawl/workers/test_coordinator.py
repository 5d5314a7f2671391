"""Several workers of one crawl around the coordinator, on a web in memory: no process, no waiting, every order the same."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from support.fake_web import EPOCH, FakeWeb, run
from trasmallo.config import CrawlConfig
from trasmallo.crawl.crawl_limits import counts_of
from trasmallo.crawl.crawler import Crawler
from trasmallo.crawl.frontier import Close, EmbeddedFrontier
from trasmallo.crawl.local_crawl import CrawlCounts, CrawlPlan, LocalCrawl
from trasmallo.crawl.queue_search import QueueAnswer, QueuedUrl, QueueQuestion
from trasmallo.crawl.robots_rules import RobotsRules
from trasmallo.crawl.scope_log import ScopeLog
from trasmallo.crawl.workers.coordinator import Coordinator
from trasmallo.crawl.workers.messages import (
    Allow,
    End,
    Learned,
    Links,
    Message,
    NewScope,
    Pause,
    Report,
    SearchReply,
    SearchRequest,
    Settled,
    Start,
    WorkerState,
    decode_message,
    decode_reply,
    pack,
)
from trasmallo.crawl.workers.sender import Sender
from trasmallo.crawl.workers.worker import CrawlWorker
from trasmallo.events import Discarded, Event, Fetched, Waiting
from trasmallo.values.model import Failure, Fetch, Outcome, Reached, Response, Target
from trasmallo.values.pipes import HEAD, encode
from trasmallo.values.run_status import HostStatus

HOSTS = 12
PAGES = 5
LINKS = pack([("http://b.test/", 0, 0, "", 0, False, "", Reached.LINK)])


@pytest.fixture
def web() -> FakeWeb:
    """A ring of hosts: each page links to the next one of its host and to pages of the next host."""
    web = FakeWeb(latency=0.2)
    for number in range(HOSTS):
        following = f"http://h{(number + 1) % HOSTS}.test/"
        for page in range(PAGES):
            links = [f"/{page + 1}", following, f"{following}{page or ''}"] if page + 1 < PAGES else [following]
            web.page(f"http://h{number}.test/{page or ''}", "".join(f'<a href="{link}">x</a>' for link in links))
    return web


class Shared:
    """A crawl of the ring in several workers, whose messages and reports take a moment and pass through their encoding."""

    def __init__(self, folder: Path, web: FakeWeb, workers: int, **config: Any) -> None:
        self.folder = folder
        self.web = web
        self.workers = workers
        settings: dict[str, Any] = {"seeds": ("http://h0.test/",), "scope": "any", "delay": 0.0, "lines": 4, "sitemaps": False}
        self.config = CrawlConfig(**settings | config)
        self.rows: list[Fetch] = []
        self.events: list[Event] = []
        self.ends: list[End] = []

    def go(self) -> Shared:
        run(self._go())
        return self

    async def _go(self) -> None:
        self.coordinator = Coordinator(self.workers, self.config, self.rows.extend, self._hear, clock=self.web.clock)
        await asyncio.gather(*(self._crawl(worker) for worker in range(self.workers)))

    async def _crawl(self, worker: int) -> None:
        loop = asyncio.get_running_loop()
        frontier = EmbeddedFrontier(self.folder / str(worker))
        sender = Sender(worker, self.workers, lambda report: self._report(worker, report))
        crawler = await self._crawler(frontier, sender)
        plan = CrawlPlan(config=self.config)
        taker = CrawlWorker(
            LocalCrawl(crawler, frontier, ScopeLog(self.folder / f"border{worker}", crawler.scope, frontier, sender.emit)),
            sender,
            Start(
                plan=plan,
                run="",
                worker=worker,
                workers=self.workers,
                archive="",
                catalog="",
                roll_at=1,
                limited=bool(self.config.pages),
            ),
            lambda found: self.coordinator.found(found),
        )

        def deliver(message: Message) -> None:
            if isinstance(message, End):
                self.ends.append(message)
            loop.call_later(
                0.01, lambda: tasks.append(loop.create_task(taker.take(decode_message(encode(message)[HEAD.size :]))))
            )

        self.coordinator.join(worker, deliver)
        sender.hasten()
        tasks = [asyncio.create_task(sender.run())]
        try:
            await taker.run()
        finally:
            tasks[0].cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await frontier.control(Close())

    async def _crawler(self, frontier: EmbeddedFrontier, sender: Sender) -> Crawler:
        def keep(target: Target, answer: Response | Failure, outcome: Outcome, cause: str) -> Fetch:
            fetch = Fetch(target.url, answer.at, outcome, getattr(answer, "status", 0), size=1_000_000, cause=cause)
            sender.put(fetch)
            return fetch

        config = msgspec.structs.replace(self.config, pages=0, megabytes=0, minutes=0)
        return Crawler(
            config,
            frontier=frontier,
            fetcher=self.web,
            keep=keep,
            emit=sender.emit,
            robots=RobotsRules(self.web, "trasmallo", self.web.clock),
            decode=lambda content, _charset: (content.decode("latin-1"), "windows-1252"),
            exchange=sender,
            clock=self.web.clock,
            counts=counts_of((await frontier.stats()).outcomes),
        )

    def _report(self, worker: int, report: Report) -> None:
        answer = decode_reply(encode(report)[HEAD.size :])
        assert isinstance(answer, Report)
        asyncio.get_running_loop().call_later(0.01, self.coordinator.take, worker, answer)

    def _hear(self, event: Event) -> None:
        if isinstance(event, Fetched):
            assert event.url in {row.url for row in self.rows}, "what is told is written"
        self.events.append(event)

    @property
    def obtained(self) -> list[str]:
        return sorted(row.url for row in self.rows if row.outcome.obtained)


@pytest.mark.parametrize("workers", [2, 3, 8])
def test_every_page_is_asked_for_once_by_the_owner_of_its_host(tmp_path: Path, web: FakeWeb, workers: int) -> None:
    crawl = Shared(tmp_path, web, workers).go()
    assert crawl.obtained == sorted(f"http://h{number}.test/{page or ''}" for number in range(HOSTS) for page in range(PAGES))
    urls = [visit.url for visit in web.visits]
    assert len(urls) == len(set(urls))
    assert crawl.ends == [End(False)] * workers
    assert set(web.most_open.values()) == {1}
    counts = crawl.coordinator.counts()
    assert (counts.known, counts.waiting, counts.obtained) == (HOSTS * PAGES, 0, HOSTS * PAGES)


@pytest.mark.parametrize("pages", [1, 7, 30, 59, 60, 61])
@pytest.mark.parametrize("workers", [2, 3])
def test_the_limit_of_pages_is_exact(tmp_path: Path, web: FakeWeb, workers: int, pages: int) -> None:
    crawl = Shared(tmp_path, web, workers, pages=pages).go()
    assert len(crawl.obtained) == min(pages, HOSTS * PAGES)


def test_a_limit_of_pages_counts_earlier_sessions(tmp_path: Path, web: FakeWeb) -> None:
    first = Shared(tmp_path, web, 2, pages=20).go()
    second = Shared(tmp_path, web, 2, pages=33).go()
    assert len(first.obtained) == 20
    assert len(second.obtained) == 13
    assert not set(first.obtained) & set(second.obtained)


def test_the_limit_of_bytes_ends_all_workers(tmp_path: Path, web: FakeWeb) -> None:
    crawl = Shared(tmp_path, web, 2, megabytes=10, delay=1.0).go()
    assert 10 <= len(crawl.obtained) <= 20


def test_the_limit_of_time_ends_all_workers(tmp_path: Path, web: FakeWeb) -> None:
    crawl = Shared(tmp_path, web, 2, minutes=1, delay=50.0).go()
    assert crawl.coordinator.limit == "the limit of 1 minute is reached"
    assert 0 < len(crawl.obtained) < HOSTS * PAGES


def test_all_workers_drop_what_is_excluded_while_they_crawl(tmp_path: Path, web: FakeWeb) -> None:
    crawl = Shared(tmp_path, web, 3, delay=1.0)

    async def exclude_in_the_middle() -> None:
        asyncio.get_running_loop().call_later(12.0, lambda: crawl.coordinator.change_scope(["/2"], []))
        await crawl._go()

    run(exclude_in_the_middle())
    asked = [visit for visit in web.visits if visit.url.endswith("/2")]
    assert asked
    assert max(visit.start for visit in asked) < EPOCH + 12.1
    assert set(crawl.obtained) >= {f"http://h{number}.test/{page}" for number in range(HOSTS) for page in ("", "1")}
    dropped = [event for event in crawl.events if isinstance(event, Discarded)]
    assert sum(event.number for event in dropped) >= 1
    assert {event.cause for event in dropped} == {"excluded by '/2'"}


class Played:
    """A coordinator whose two workers are played by the test."""

    def __init__(self) -> None:
        self.kept: list[Fetch] = []
        self.events: list[Event] = []
        self.coordinator = Coordinator(2, CrawlConfig(pages=100), self._keep, self.events.append)
        self.messages: list[list[Message]] = [[], []]
        for worker in (0, 1):
            self.join(worker)

    def _keep(self, rows: Sequence[Fetch]) -> None:
        self.kept += rows

    def join(self, worker: int) -> list[Message]:
        """A new process; what it is told at once."""
        self.messages[worker] = []
        self.coordinator.join(worker, self.messages[worker].append)
        return self.messages[worker]

    def report(self, worker: int, number: int = 0, state: WorkerState = WorkerState(taken=-1), **report: Any) -> None:  # noqa: B008 - frozen
        self.coordinator.take(worker, Report(number=number, state=state, **report))


def test_a_worker_that_begins_later_hears_of_the_border_before_its_links() -> None:
    played = Played()
    played.report(0, 1, links={1: LINKS})
    played.coordinator.change_scope(["x"], ["/y/*"])
    assert played.messages[0][-1] == NewScope(("x",), ("/y/*",))
    assert played.join(1) == [NewScope(("x",), ("/y/*",)), Links(1, LINKS)]


def test_a_report_is_settled_when_its_links_are_safe() -> None:
    played = Played()
    played.report(0, 1, links={1: LINKS})
    assert played.messages == [[], [Links(1, LINKS)]]
    played.report(0, 2)
    assert played.messages[0] == [Settled(2)]
    played.report(1, safe=(1,))
    assert played.messages[0] == [Settled(2), Settled(1)]


def test_links_on_the_way_to_a_process_that_died_are_handed_to_the_next() -> None:
    played = Played()
    played.report(0, 1, links={1: LINKS})
    played.coordinator.leave(1)
    played.report(0, 2, links={1: LINKS})
    assert played.join(1) == [Links(1, LINKS), Links(2, LINKS)]
    played.report(1, safe=(1, 2))
    assert played.messages[0] == [Settled(1), Settled(2)]


def test_a_new_process_is_not_told_of_the_reports_of_the_one_before() -> None:
    played = Played()
    played.report(0, 1, links={1: LINKS})
    assert played.join(0) == []
    played.report(0, 1, links={1: LINKS})
    played.report(1, safe=(1,))
    assert played.messages[0] == []
    played.report(1, safe=(2,))
    assert played.messages[0] == [Settled(1)]


def test_an_idle_report_counts_only_after_all_that_was_said() -> None:
    played = Played()
    played.report(1, state=WorkerState(idle=True))
    played.report(0, 1, links={1: LINKS}, state=WorkerState(idle=False))
    played.report(1, safe=(1,), state=WorkerState(idle=False, taken=1))
    played.report(0, state=WorkerState(idle=True, taken=1))
    assert End(False) not in played.messages[0] + played.messages[1]
    played.report(1, state=WorkerState(idle=True, taken=1))
    assert played.messages == [[Settled(1), End(False)], [Links(1, LINKS), End(False)]]


def test_without_a_network_the_crawl_ends_when_nobody_has_something_else_to_ask() -> None:
    ends: list[Message] = []
    coordinator = Coordinator(2, CrawlConfig(), lambda _rows: None, lambda _event: None)
    for worker in range(2):
        coordinator.join(worker, ends.append)
    offline = WorkerState(counts=CrawlCounts(known=3, waiting=3), offline="there is no network")
    coordinator.take(0, Report(number=0, state=offline))
    coordinator.take(1, Report(number=0, state=WorkerState(counts=CrawlCounts(known=3, waiting=1), busy=1)))
    assert (coordinator.offline, ends) == ("", []), "the other one is at work"
    coordinator.take(1, Report(number=0, state=WorkerState(idle=True)))
    assert (coordinator.offline, ends) == ("there is no network", [End(at_once=False)] * 2)


def test_the_crawl_ends_when_all_that_are_at_work_found_too_little_for_their_topic() -> None:
    ends: list[object] = []
    coordinator = Coordinator(2, CrawlConfig(), lambda _rows: None, lambda _event: None)
    for worker in range(2):
        coordinator.join(worker, ends.append)
    poor = WorkerState(counts=CrawlCounts(known=3, waiting=3), ended="2% of the last 200 pages are on topic")
    coordinator.take(0, Report(number=0, state=poor))
    coordinator.take(1, Report(number=0, state=WorkerState(counts=CrawlCounts(known=3, waiting=1), busy=1)))
    assert (coordinator.limit, ends) == ("", []), "the other one is at work"
    coordinator.take(1, Report(number=0, state=WorkerState(idle=True)))
    assert (coordinator.limit, ends) == ("2% of the last 200 pages are on topic", [End(at_once=False)] * 2)


def test_pages_that_a_dead_process_was_allowed_are_free_again() -> None:
    played = Played()
    played.report(1, state=WorkerState(taken=-1))
    played.report(0, state=WorkerState(counts=CrawlCounts(obtained=40), taken=-1, wants=True))
    assert played.messages[0] == [Allow(15)]
    played.join(0)
    played.report(0, state=WorkerState(counts=CrawlCounts(obtained=42), taken=-1, wants=True))
    assert played.messages[0] == [Allow(14)]
    played.report(0, state=WorkerState(counts=CrawlCounts(obtained=42), taken=-1, wants=True, returned=14))
    assert played.messages[0] == [Allow(14), Allow(14)]


def test_one_that_waits_is_no_news_while_another_downloads() -> None:
    played = Played()
    waiting = Waiting(cause="a.test rests", until=1.0)
    played.report(1, state=WorkerState(busy=2))
    played.report(0, events=(waiting,))
    assert played.events == []
    played.report(1, state=WorkerState(busy=0))
    played.report(0, events=(waiting,))
    assert played.events == [waiting]


def test_hosts_at_work_come_first_then_the_longest_queues() -> None:
    played = Played()
    hosts = [
        HostStatus(host=name, queued=queued, reason="", leased=leased)
        for name, queued, leased in (("a", 1, True), ("b", 5, False), ("c", 9, False))
    ]
    played.report(0, state=WorkerState(hosts=hosts[:2]))
    played.report(1, state=WorkerState(hosts=hosts[2:]))
    played.report(1, state=WorkerState(hosts=None))
    assert [host.host for host in played.coordinator.hosts(2)] == ["a", "c"]


def test_bytes_of_a_process_that_died_still_count() -> None:
    played = Played()
    played.report(0, state=WorkerState(counts=CrawlCounts(received=5)))
    played.join(0)
    played.report(0, state=WorkerState(counts=CrawlCounts(received=2)))
    assert played.coordinator.counts().received == 7


def test_who_comes_late_is_told_that_it_is_over() -> None:
    played = Played()
    played.coordinator.end(at_once=False)
    played.coordinator.end(at_once=True)
    played.coordinator.end(at_once=False)
    assert played.messages[1] == [End(False), End(True)]
    assert played.join(0) == [End(True)]


class Told:
    """A worker that keeps its messages, and answers searches when it is told to."""

    def __init__(self, coordinator: Coordinator, worker: int, seen: QueueAnswer | None = None) -> None:
        self.messages: list[Message] = []
        self._coordinator, self._seen = coordinator, seen
        coordinator.join(worker, self.take)

    def take(self, message: Message) -> None:
        self.messages.append(message)
        if isinstance(message, SearchRequest) and self._seen is not None:
            self._coordinator.found(SearchReply(message.number, self._seen))


def quiet_coordinator(workers: int, seconds_to_search: float = 2.0) -> Coordinator:
    return Coordinator(workers, CrawlConfig(), lambda _rows: None, lambda _event: None, seconds_to_search=seconds_to_search)


def test_all_workers_are_asked_what_waits() -> None:
    coordinator = quiet_coordinator(2)
    Told(coordinator, 0, QueueAnswer((QueuedUrl("http://a/"), QueuedUrl("http://b/")), 2, 5))
    Told(coordinator, 1, QueueAnswer((QueuedUrl("http://c/"),), 1, 3))
    seen = asyncio.run(coordinator.search(QueueQuestion(limit=2)))
    assert seen == QueueAnswer((QueuedUrl("http://a/"), QueuedUrl("http://b/")), 3, 8)


def test_a_worker_that_does_not_answer_is_not_waited_for() -> None:
    coordinator = quiet_coordinator(2, seconds_to_search=0.01)
    Told(coordinator, 0, QueueAnswer((), 1, 5))
    Told(coordinator, 1)
    assert asyncio.run(coordinator.search(QueueQuestion())) == QueueAnswer((), 1, 5, complete=False)
    coordinator.found(SearchReply(99, QueueAnswer()))
    assert asyncio.run(quiet_coordinator(2).search(QueueQuestion())) == QueueAnswer()


def test_a_worker_that_begins_later_hears_of_the_pause() -> None:
    coordinator = quiet_coordinator(2)
    early = Told(coordinator, 0)
    coordinator.pause(paused=True)
    late = Told(coordinator, 1)
    assert early.messages == late.messages == [Pause(True)]


def test_what_one_worker_learned_is_told_to_the_others() -> None:
    played = Played()
    played.report(0, learned=(b"note",))
    assert played.messages == [[], [Learned((b"note",))]]
    played.coordinator.leave(0)
    played.report(1, learned=(b"other",))
    assert Learned((b"other",)) not in played.messages[0]
