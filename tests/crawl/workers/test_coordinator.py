"""Several shares of one crawl around the hall's post, on a web in memory: no process, no waiting, every order the same."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from support.fake_web import EPOCH, FakeWeb, run
from trasmallo.config import CrawlConfig
from trasmallo.crawl.crawler import Crawler, counts_of
from trasmallo.crawl.frontier import Close, EmbeddedFrontier
from trasmallo.crawl.local_crawl import LocalCrawl, Plan, Standing
from trasmallo.crawl.queue_search import QueueAnswer, QueuedUrl, QueueQuestion
from trasmallo.crawl.robots_rules import Rules
from trasmallo.crawl.scope_log import Border
from trasmallo.crawl.workers.coordinator import Post
from trasmallo.crawl.workers.messages import (
    Allow,
    End,
    Found,
    Letter,
    Links,
    NewScope,
    Pause,
    Report,
    Search,
    Settled,
    Start,
    State,
    decode_answer,
    decode_letter,
    pack,
)
from trasmallo.crawl.workers.sender import Outbox
from trasmallo.crawl.workers.worker import Share
from trasmallo.events import Discarded, Event, Fetched, Waiting
from trasmallo.values.model import Failure, Fetch, Outcome, Response, Target
from trasmallo.values.pipes import HEAD, encode
from trasmallo.values.run_status import HostStatus

HOSTS = 12
PAGES = 5
LINKS = pack([("http://b.test/", 0, 0, "", 0)])


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
    """A crawl of the ring in several shares, whose letters and reports take a moment and pass through their encoding."""

    def __init__(self, folder: Path, web: FakeWeb, shares: int, **config: Any) -> None:
        self.folder = folder
        self.web = web
        self.shares = shares
        settings: dict[str, Any] = {"seeds": ("http://h0.test/",), "scope": "any", "delay": 0.0, "lines": 4, "sitemaps": False}
        self.config = CrawlConfig(**settings | config)
        self.rows: list[Fetch] = []
        self.events: list[Event] = []
        self.ends: list[End] = []

    def go(self) -> Shared:
        run(self._go())
        return self

    async def _go(self) -> None:
        self.post = Post(self.shares, self.config, self.rows.extend, self._hear, clock=self.web.clock)
        await asyncio.gather(*(self._crawl(share) for share in range(self.shares)))

    async def _crawl(self, share: int) -> None:
        loop = asyncio.get_running_loop()
        frontier = EmbeddedFrontier(self.folder / str(share))
        outbox = Outbox(share, self.shares, lambda report: self._report(share, report))
        crawler = await self._crawler(frontier, outbox)
        plan = Plan(self.config, "", "", "", "", "")
        taker = Share(
            LocalCrawl(crawler, frontier, Border(self.folder / f"border{share}", crawler.scope, frontier, outbox.emit)),
            outbox,
            Start(plan, "", share, self.shares, "", "", 1, bool(self.config.pages)),
            lambda found: self.post.found(found),
        )

        def deliver(letter: Letter) -> None:
            if isinstance(letter, End):
                self.ends.append(letter)
            loop.call_later(
                0.01, lambda: tasks.append(loop.create_task(taker.take(decode_letter(encode(letter)[HEAD.size :]))))
            )

        self.post.join(share, deliver)
        outbox.hasten()
        tasks = [asyncio.create_task(outbox.run())]
        try:
            await taker.run()
        finally:
            tasks[0].cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await frontier.control(Close())

    async def _crawler(self, frontier: EmbeddedFrontier, outbox: Outbox) -> Crawler:
        def keep(target: Target, answer: Response | Failure, outcome: Outcome, cause: str) -> Fetch:
            fetch = Fetch(target.url, answer.at, outcome, getattr(answer, "status", 0), size=1_000_000, cause=cause)
            outbox.put(fetch)
            return fetch

        config = msgspec.structs.replace(self.config, pages=0, megabytes=0, minutes=0)
        return Crawler(
            config,
            frontier=frontier,
            fetcher=self.web,
            keep=keep,
            emit=outbox.emit,
            rules=Rules(self.web, "trasmallo", self.web.clock),
            decode=lambda content, _charset: (content.decode("latin-1"), "windows-1252"),
            exchange=outbox,
            clock=self.web.clock,
            counts=counts_of((await frontier.stats()).outcomes),
        )

    def _report(self, share: int, report: Report) -> None:
        answer = decode_answer(encode(report)[HEAD.size :])
        assert isinstance(answer, Report)
        asyncio.get_running_loop().call_later(0.01, self.post.take, share, answer)

    def _hear(self, event: Event) -> None:
        if isinstance(event, Fetched):
            assert event.url in {row.url for row in self.rows}, "what is told is written"
        self.events.append(event)

    @property
    def obtained(self) -> list[str]:
        return sorted(row.url for row in self.rows if row.outcome.obtained)


@pytest.mark.parametrize("shares", [2, 3, 8])
def test_every_page_is_asked_for_once_by_the_owner_of_its_host(tmp_path: Path, web: FakeWeb, shares: int) -> None:
    crawl = Shared(tmp_path, web, shares).go()
    assert crawl.obtained == sorted(f"http://h{number}.test/{page or ''}" for number in range(HOSTS) for page in range(PAGES))
    urls = [visit.url for visit in web.visits]
    assert len(urls) == len(set(urls))
    assert crawl.ends == [End(False)] * shares
    assert set(web.most_open.values()) == {1}
    standing = crawl.post.standing()
    assert (standing.known, standing.waiting, standing.obtained) == (HOSTS * PAGES, 0, HOSTS * PAGES)


@pytest.mark.parametrize("pages", [1, 7, 30, 59, 60, 61])
@pytest.mark.parametrize("shares", [2, 3])
def test_the_limit_of_pages_is_exact(tmp_path: Path, web: FakeWeb, shares: int, pages: int) -> None:
    crawl = Shared(tmp_path, web, shares, pages=pages).go()
    assert len(crawl.obtained) == min(pages, HOSTS * PAGES)


def test_a_limit_of_pages_counts_earlier_sittings(tmp_path: Path, web: FakeWeb) -> None:
    first = Shared(tmp_path, web, 2, pages=20).go()
    second = Shared(tmp_path, web, 2, pages=33).go()
    assert len(first.obtained) == 20
    assert len(second.obtained) == 13
    assert not set(first.obtained) & set(second.obtained)


def test_the_limit_of_bytes_ends_all_shares(tmp_path: Path, web: FakeWeb) -> None:
    crawl = Shared(tmp_path, web, 2, megabytes=10, delay=1.0).go()
    assert 10 <= len(crawl.obtained) <= 20


def test_the_limit_of_time_ends_all_shares(tmp_path: Path, web: FakeWeb) -> None:
    crawl = Shared(tmp_path, web, 2, minutes=1, delay=50.0).go()
    assert crawl.post.limit == "the limit of 1 minutes is reached"
    assert 0 < len(crawl.obtained) < HOSTS * PAGES


def test_all_shares_drop_what_is_excluded_while_they_crawl(tmp_path: Path, web: FakeWeb) -> None:
    crawl = Shared(tmp_path, web, 3, delay=1.0)

    async def exclude_in_the_middle() -> None:
        asyncio.get_running_loop().call_later(12.0, lambda: crawl.post.change_scope(["/2"], []))
        await crawl._go()

    run(exclude_in_the_middle())
    asked = [visit for visit in web.visits if visit.url.endswith("/2")]
    assert asked
    assert max(visit.start for visit in asked) < EPOCH + 12.1
    assert set(crawl.obtained) >= {f"http://h{number}.test/{page}" for number in range(HOSTS) for page in ("", "1")}
    dropped = [event for event in crawl.events if isinstance(event, Discarded)]
    assert sum(event.number for event in dropped) >= 1
    assert {event.cause for event in dropped} == {"excluded by '/2'"}


class Desk:
    """A post with two shares that are played by the test."""

    def __init__(self) -> None:
        self.kept: list[Fetch] = []
        self.events: list[Event] = []
        self.post = Post(2, CrawlConfig(pages=100), self._keep, self.events.append)
        self.letters: list[list[Letter]] = [[], []]
        for share in (0, 1):
            self.join(share)

    def _keep(self, rows: Sequence[Fetch]) -> None:
        self.kept += rows

    def join(self, share: int) -> list[Letter]:
        """A new process; what it is told at once."""
        self.letters[share] = []
        self.post.join(share, self.letters[share].append)
        return self.letters[share]

    def report(self, share: int, number: int = 0, state: State = State(heard=-1), **report: Any) -> None:  # noqa: B008 - frozen
        self.post.take(share, Report(number, state, **report))


def test_a_share_that_begins_later_hears_of_the_border_before_its_links() -> None:
    desk = Desk()
    desk.report(0, 1, links={1: LINKS})
    desk.post.change_scope(["x"], ["/y/*"])
    assert desk.letters[0][-1] == NewScope(("x",), ("/y/*",))
    assert desk.join(1) == [NewScope(("x",), ("/y/*",)), Links(1, LINKS)]


def test_a_report_is_settled_when_its_links_are_safe() -> None:
    desk = Desk()
    desk.report(0, 1, links={1: LINKS})
    assert desk.letters == [[], [Links(1, LINKS)]]
    desk.report(0, 2)
    assert desk.letters[0] == [Settled(2)]
    desk.report(1, safe=(1,))
    assert desk.letters[0] == [Settled(2), Settled(1)]


def test_links_on_the_way_to_a_process_that_died_are_handed_to_the_next() -> None:
    desk = Desk()
    desk.report(0, 1, links={1: LINKS})
    desk.post.leave(1)
    desk.report(0, 2, links={1: LINKS})
    assert desk.join(1) == [Links(1, LINKS), Links(2, LINKS)]
    desk.report(1, safe=(1, 2))
    assert desk.letters[0] == [Settled(1), Settled(2)]


def test_a_new_process_is_not_told_of_the_reports_of_the_one_before() -> None:
    desk = Desk()
    desk.report(0, 1, links={1: LINKS})
    assert desk.join(0) == []
    desk.report(0, 1, links={1: LINKS})
    desk.report(1, safe=(1,))
    assert desk.letters[0] == []
    desk.report(1, safe=(2,))
    assert desk.letters[0] == [Settled(1)]


def test_an_idle_report_counts_only_after_all_that_was_said() -> None:
    desk = Desk()
    desk.report(1, state=State(idle=True))
    desk.report(0, 1, links={1: LINKS}, state=State(idle=False))
    desk.report(1, safe=(1,), state=State(idle=False, heard=1))
    desk.report(0, state=State(idle=True, heard=1))
    assert End(False) not in desk.letters[0] + desk.letters[1]
    desk.report(1, state=State(idle=True, heard=1))
    assert desk.letters == [[Settled(1), End(False)], [Links(1, LINKS), End(False)]]


def test_pages_that_a_dead_process_was_allowed_are_free_again() -> None:
    desk = Desk()
    desk.report(1, state=State(heard=-1))
    desk.report(0, state=State(Standing(obtained=40), heard=-1, wants=True))
    assert desk.letters[0] == [Allow(15)]
    desk.join(0)
    desk.report(0, state=State(Standing(obtained=42), heard=-1, wants=True))
    assert desk.letters[0] == [Allow(14)]
    desk.report(0, state=State(Standing(obtained=42), heard=-1, wants=True, returned=14))
    assert desk.letters[0] == [Allow(14), Allow(14)]


def test_one_that_waits_is_no_news_while_another_downloads() -> None:
    desk = Desk()
    waiting = Waiting(cause="a.test rests", until=1.0)
    desk.report(1, state=State(busy=2))
    desk.report(0, events=(waiting,))
    assert desk.events == []
    desk.report(1, state=State(busy=0))
    desk.report(0, events=(waiting,))
    assert desk.events == [waiting]


def test_hosts_at_work_come_first_then_the_longest_queues() -> None:
    desk = Desk()
    hosts = [
        HostStatus(host=name, queued=queued, reason="", leased=leased)
        for name, queued, leased in (("a", 1, True), ("b", 5, False), ("c", 9, False))
    ]
    desk.report(0, state=State(hosts=hosts[:2]))
    desk.report(1, state=State(hosts=hosts[2:]))
    desk.report(1, state=State(hosts=None))
    assert [host.host for host in desk.post.hosts(2)] == ["a", "c"]


def test_bytes_of_a_process_that_died_still_count() -> None:
    desk = Desk()
    desk.report(0, state=State(Standing(received=5)))
    desk.join(0)
    desk.report(0, state=State(Standing(received=2)))
    assert desk.post.standing().received == 7


def test_who_comes_late_is_told_that_it_is_over() -> None:
    desk = Desk()
    desk.post.end(at_once=False)
    desk.post.end(at_once=True)
    desk.post.end(at_once=False)
    assert desk.letters[1] == [End(False), End(True)]
    assert desk.join(0) == [End(True)]


class Told:
    """A share that keeps its letters, and answers searches when it is told to."""

    def __init__(self, post: Post, share: int, seen: QueueAnswer | None = None) -> None:
        self.letters: list[Letter] = []
        self._post, self._seen = post, seen
        post.join(share, self.take)

    def take(self, letter: Letter) -> None:
        self.letters.append(letter)
        if isinstance(letter, Search) and self._seen is not None:
            self._post.found(Found(letter.number, self._seen))


def quiet_post(shares: int, **options: float) -> Post:
    return Post(shares, CrawlConfig(), lambda _rows: None, lambda _event: None, **options)  # type: ignore[arg-type]


def test_all_shares_are_asked_what_waits() -> None:
    post = quiet_post(2)
    Told(post, 0, QueueAnswer((QueuedUrl("http://a/"), QueuedUrl("http://b/")), 2, 5))
    Told(post, 1, QueueAnswer((QueuedUrl("http://c/"),), 1, 3))
    seen = asyncio.run(post.search(QueueQuestion(limit=2)))
    assert seen == QueueAnswer((QueuedUrl("http://a/"), QueuedUrl("http://b/")), 3, 8)


def test_a_share_that_does_not_answer_is_not_waited_for() -> None:
    post = quiet_post(2, seconds_to_search=0.01)
    Told(post, 0, QueueAnswer((), 1, 5))
    Told(post, 1)
    assert asyncio.run(post.search(QueueQuestion())) == QueueAnswer((), 1, 5, complete=False)
    post.found(Found(99, QueueAnswer()))
    assert asyncio.run(quiet_post(2).search(QueueQuestion())) == QueueAnswer()


def test_a_share_that_begins_later_hears_of_the_pause() -> None:
    post = quiet_post(2)
    early = Told(post, 0)
    post.pause(paused=True)
    late = Told(post, 1)
    assert early.letters == late.letters == [Pause(True)]
