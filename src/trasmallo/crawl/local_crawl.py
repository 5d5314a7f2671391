"""A crawl in this process: frontier, trap filter, fetcher and crawler put together, and taken apart again."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import NamedTuple, Protocol

import msgspec

from trasmallo.config import CrawlConfig
from trasmallo.crawl.browser.rendering import Renderer, open_renderer
from trasmallo.crawl.crawl_limits import counts_of
from trasmallo.crawl.crawler import Crawler
from trasmallo.crawl.deep_web_report import DeepWebLog
from trasmallo.crawl.discover import Decode
from trasmallo.crawl.earlier_runs import EarlierRuns
from trasmallo.crawl.exchange import Alone, Exchange
from trasmallo.crawl.fetch import (
    Addresses,
    Fetcher,
    Misfortune,
    Permissions,
    RequestLimits,
    Resolver,
    is_local_name,
    is_private,
    places,
)
from trasmallo.crawl.focus_ranker import FocusPlan
from trasmallo.crawl.forms.form_book import FormBook
from trasmallo.crawl.frontier import Close, EmbeddedFrontier, Frontier, FrontierStats, Write
from trasmallo.crawl.held_leases import LEASE_SECONDS
from trasmallo.crawl.host_memory import HostMemory
from trasmallo.crawl.judgement import AnswerJudge
from trasmallo.crawl.live import LineActivity, describe_process
from trasmallo.crawl.logins.credentials import Login, read_logins
from trasmallo.crawl.logins.session import Session
from trasmallo.crawl.queue_search import QueueAnswer, QueueQuestion, search_queue
from trasmallo.crawl.rankers import open_ranker
from trasmallo.crawl.ranking import move_waiting
from trasmallo.crawl.relearning import relearn, unfinished_pages
from trasmallo.crawl.retries import RetryRequests
from trasmallo.crawl.revisit.visit_list import listed_visits
from trasmallo.crawl.robots_cache import RobotsCache
from trasmallo.crawl.robots_rules import RobotsRules
from trasmallo.crawl.scope_log import ScopeLog
from trasmallo.crawl.steady_clock import SteadyClock
from trasmallo.crawl.storage import PageStorage
from trasmallo.crawl.trap_filter import TrapFilter
from trasmallo.events import Emit
from trasmallo.values.local_addresses import is_local
from trasmallo.values.model import Outcome, Response, Target
from trasmallo.values.private_places import PrivatePlace, place_of
from trasmallo.values.run_status import AgentStatus, HostStatus, LineStatus

AGENT = "trasmallo"
"""The product token that robots.txt files address."""

_LAST_HOSTS = 50  # judgement: hosts that a page shows
_ALONE = Alone()
_NO_RETRIES = RetryRequests("", CrawlConfig())


class CrawlPlan(msgspec.Struct, frozen=True, kw_only=True):
    """What a crawl is to do and where its state is; its run began at `began` and had `received` so many bytes before.

    With `recount` its pages are counted by their rows, for a limit after a session that was killed. `private` may be asked
    though not public; in the folder `retries` lie requests to ask for addresses once more, in the file `clock` when the last
    session ended, as the crawl counts time. With `conditional` pages that earlier runs stored are asked for if they have
    changed. The file `visits` has the addresses to ask for, of a crawl that visits pages again ("" for one that does not).
    `focus` says what it keeps to.
    """

    config: CrawlConfig
    frontier: str = ""
    traps: str = ""
    scope_log: str = ""
    robots: str = ""
    probes: str = ""
    labels: str = ""
    logins: str = ""
    software: str = ""
    private: tuple[PrivatePlace, ...] = ()
    began: float = 0.0
    in_order: bool = False
    received: int = 0
    recount: bool = False
    retries: str = ""
    clock: str = ""
    conditional: bool = False
    visits: str = ""
    focus: FocusPlan | None = None


class CrawlCounts(msgspec.Struct, frozen=True):
    """Where a crawl stands: addresses known and waiting, how the others ended, bytes received in all.

    `known` leaves out those that ended as out of scope: most of them nobody asked for, such as sitemaps that might have been at
    a usual place, or addresses that waited when they were excluded. Whoever has the rows knows the others.
    """

    known: int = 0
    waiting: int = 0
    obtained: int = 0
    failed: int = 0
    received: int = 0


class SharedFrontier(Protocol):
    """What gives a worker its door to a frontier that many share; its leases last `lease_seconds` unless extended."""

    lease_seconds: float

    def open(self, admits: Callable[[Target], bool], clock: Callable[[], float]) -> Frontier:
        """The frontier, for a crawl that admits targets so and counts time by `clock`."""


class Crawl(Protocol):
    """A crawl as a session sees it, in one process or in several."""

    async def run(self) -> None:
        """Crawl until nothing is left, a limit is reached, or `stop` is called; cancelling it loses nothing stored."""

    def stop(self) -> None:
        """End the downloads; nothing happens when they have ended."""

    async def counts(self) -> CrawlCounts:
        """The counts now, or the last ones when it is over."""

    def lines(self, limit: int) -> list[LineStatus]:
        """What the first lines are doing; none when it is over."""

    def agents(self) -> list[AgentStatus]:
        """What each of its processes is doing, this one among them as long as it crawls; none when it is over."""

    async def hosts(self, limit: int) -> list[HostStatus]:
        """Hosts at work, then those with the longest queues, and why they wait; when it is over, those whose addresses wait."""

    def limit(self) -> str:
        """The limit that ended the crawl, in words; "" while it goes on and when none did."""

    def offline(self) -> str:
        """That there is no network, in words, if the crawl ended because of that; "" else."""

    async def sync(self) -> None:
        """To be called once a second, so that a power cut costs no more than that."""

    async def change_scope(self, exclude: Sequence[str], include: Sequence[str]) -> None:
        """From now on other exclusions and inclusions; addresses that wait and are excluded now are dropped."""

    def pause(self, *, paused: bool) -> None:
        """Begin nothing new until told to go on."""

    async def search(self, question: QueueQuestion) -> QueueAnswer:
        """What waits in the queue; nothing when it is over."""


class LocalCrawl:
    """One crawler and its frontier."""

    def __init__(
        self,
        crawler: Crawler,
        frontier: Frontier,
        scope_log: ScopeLog,
        retries: RetryRequests = _NO_RETRIES,
        clock: SteadyClock | None = None,
    ) -> None:
        self.crawler = crawler
        self.frontier = frontier
        self._scope_log = scope_log
        self._retries = retries
        self._clock = clock or SteadyClock()
        self._last: CrawlCounts | None = None
        self._last_hosts: list[HostStatus] = []

    async def run(self) -> None:
        """Crawl to the end."""
        await self._retries.take(self.crawler, self.frontier)
        await self.crawler.run()

    def stop(self) -> None:
        """End the downloads."""
        if self._last is None:
            self.crawler.stop()

    async def counts(self) -> CrawlCounts:
        """The counts now, or the last ones."""
        if self._last is not None:
            return self._last
        stats, counts = await self.frontier.stats(), self.crawler.counts
        waiting = stats.queued + stats.leased
        known = stats.known - stats.outcomes.get(Outcome.OUT_OF_SCOPE, 0)
        return CrawlCounts(known, waiting, counts.obtained, counts.failed, counts.received)

    def lines(self, limit: int) -> list[LineStatus]:
        """The lines of the live view."""
        return [] if self._last is not None else [_shown(line) for line in self.crawler.lines[:limit]]

    def agents(self) -> list[AgentStatus]:
        """The process we are in, as long as it crawls."""
        return [] if self._last is not None else [describe_process(os.getpid(), self.lines(len(self.crawler.lines)))]

    async def hosts(self, limit: int) -> list[HostStatus]:
        """The hosts of the live view."""
        return self._last_hosts[:limit] if self._last is not None else await self.crawler.hosts(limit)

    def limit(self) -> str:
        """The limit that ended the crawl."""
        return self.crawler.limit

    def offline(self) -> str:
        """That there is no network."""
        return self.crawler.offline

    def tell(self) -> tuple[bytes, ...]:
        """What other workers should know of what was learned here."""
        return self.crawler.ranker.tell() if self.crawler.ranker is not None else ()

    def hear(self, told: Sequence[bytes]) -> None:
        """Learn what other workers told."""
        if self.crawler.ranker is not None:
            self.crawler.ranker.hear(told)

    def ended(self) -> str:
        """Why it asks for no more by what its pages are about, whatever others bring; "" while it does."""
        return self.crawler.ranker.ended if self.crawler.ranker is not None else ""

    async def sync(self) -> None:
        """Have the frontier's journal written, and what was wished for taken up."""
        if self._last is None:
            await self._retries.take(self.crawler, self.frontier)
            await move_waiting(self.frontier, self.crawler.ranker)
            if self.crawler.ranker is not None:
                self.crawler.ranker.report()
            await self.crawler.keep_leases()
            self._clock.note()
            await self.frontier.control(Write(to_disk=True))

    async def change_scope(self, exclude: Sequence[str], include: Sequence[str]) -> None:
        """Move the border, and drop what is outside."""
        if self._last is None:
            await self._scope_log.change(exclude, include)
            self.crawler.wake()

    def pause(self, *, paused: bool) -> None:
        """Have the crawler pause."""
        self.crawler.pause(paused=paused)

    async def search(self, question: QueueQuestion) -> QueueAnswer:
        """Look through the frontier."""
        return QueueAnswer() if self._last is not None else await search_queue(self.frontier, question, self.crawler.ranker)

    async def close(self) -> None:
        """Let go of the frontier; the last counts stay, and the longest queues."""
        self._last_hosts = [host for host in await self.hosts(_LAST_HOSTS) if host.queued]
        self._last = await self.counts()
        self._clock.note()
        await self.frontier.control(Close())


def _shown(line: LineActivity) -> LineStatus:
    return LineStatus(
        line=line.number,
        state=line.state,
        url=line.url,
        received=line.received,
        expected=line.expected,
        cause=line.cause,
        since=line.since,
    )


@asynccontextmanager
async def open_crawl(
    plan: CrawlPlan,
    storage: PageStorage,
    decode: Decode,
    emit: Emit,
    exchange: Exchange = _ALONE,
    shared: SharedFrontier | None = None,
) -> AsyncIterator[LocalCrawl]:
    """A crawl that is ready to run; at the end all it holds is closed. With `shared` its frontier is one of many workers."""
    config, clock = plan.config, SteadyClock(plan.clock)
    memory = HostMemory() if shared else None
    async with AsyncExitStack() as stack:
        queue = await _open_queue(stack, plan, emit, clock, shared)
        asking = _open_asking(stack, plan, storage, emit, clock, memory)
        judge = stack.enter_context(AnswerJudge(_path(plan.probes), probes=config.probe_missing))
        # One that was killed before its frontier wrote anything has stored pages all the same.
        known = bool(queue.stats.known) or (shared is None and any(True for _ in storage.earlier()))
        # Those who come back to a crawl in order find it as they left it; visits have an order of their own.
        in_order = plan.in_order and known and not plan.visits
        unfinished = await unfinished_pages(queue.frontier, storage) if in_order else None
        ranker = open_ranker(Path(plan.frontier), config, plan.focus, decode, unfinished=unfinished, owns=exchange.owns)
        stack.callback(ranker.save)
        crawler = Crawler(
            config,
            frontier=queue.frontier,
            fetcher=asking.session,
            keep=storage.keep,
            together=storage.together,
            emit=emit,
            robots=asking.robots,
            renderer=asking.renderer,
            book=asking.book,
            decode=decode,
            exchange=exchange,
            recall=storage.recall if known else None,
            counts=counts_of(queue.stats.outcomes, received=plan.received),
            permissions=Permissions(plan.private),
            clock=clock,
            traps=queue.traps,
            earlier=_earlier_runs(plan, storage),
            visits=_visits(plan, storage, exchange) if plan.visits else () if shared else None,
            judge=judge,
            ranker=ranker,
            memory=memory,
            lease_seconds=shared.lease_seconds if shared else LEASE_SECONDS,
        )
        if known:
            _recount(crawler, plan, storage, exchange)
        if unfinished is not None and plan.focus is None:
            policy, frontier = crawler.link_policy, queue.frontier
            await relearn(storage, unfinished, link_policy=policy, ranker=ranker, frontier=frontier, emit=emit)
        scope_log = ScopeLog(Path(plan.scope_log), crawler.scope, queue.frontier, emit)
        await scope_log.open(config.exclude, config.include)
        crawl = LocalCrawl(crawler, queue.frontier, scope_log, RetryRequests(plan.retries, config), clock)
        stack.push_async_callback(crawl.close)
        yield crawl


class _Queue(NamedTuple):
    """What waits, as it was left, and what keeps traps out of it."""

    frontier: Frontier
    stats: FrontierStats
    traps: TrapFilter


async def _open_queue(
    stack: AsyncExitStack, plan: CrawlPlan, emit: Emit, clock: SteadyClock, shared: SharedFrontier | None
) -> _Queue:
    trap_filter = TrapFilter(Path(plan.traps), plan.config, emit)
    stack.callback(trap_filter.save)
    frontier = shared.open(trap_filter.admits, clock) if shared else _embedded(plan, trap_filter)
    stack.push_async_callback(frontier.control, Close())
    return _Queue(frontier, FrontierStats.none() if shared else await frontier.stats(), trap_filter)


class _Asking(NamedTuple):
    """What a crawl asks with: sessions on hosts, their rules, a browser, and the forms that are found on the way."""

    session: Session
    robots: RobotsRules
    renderer: Renderer
    book: FormBook


def _open_asking(
    stack: AsyncExitStack, plan: CrawlPlan, storage: PageStorage, emit: Emit, clock: SteadyClock, memory: HostMemory | None
) -> _Asking:
    config, fetcher = plan.config, _open_fetcher(plan)
    stack.push_async_callback(fetcher.close)
    cache = stack.enter_context(RobotsCache(Path(plan.robots), storage))
    robots = _robots_rules(config, fetcher, clock, cache, memory)
    session = _open_session(plan, fetcher, robots, emit)
    book = FormBook(config.forms, config.form_requests)
    log = DeepWebLog(_path(plan.frontier), book)
    stack.callback(log.save)
    renderer = open_renderer(config, fetcher, session, robots, _path(plan.labels), log.listening(emit))
    stack.push_async_callback(renderer.close)
    return _Asking(session, robots, renderer, book)


def _path(place: str) -> Path | None:
    return Path(place) if place else None


def _open_session(plan: CrawlPlan, fetcher: Fetcher, robots: RobotsRules, emit: Emit) -> Session:
    def read_again() -> dict[str, Login]:
        return read_logins(Path(plan.logins)) if plan.logins else {}

    return Session(fetcher, read_again(), emit, read_again=read_again, robots=robots)


def _open_fetcher(plan: CrawlPlan) -> Fetcher:
    limits = RequestLimits(first_byte=plan.config.timeout, body_bytes=int(plan.config.page_megabytes * 1_000_000))
    return Fetcher(user_agent(plan.config.contact, plan.software), limits=limits, private=plan.private)


def _recount(crawler: Crawler, plan: CrawlPlan, storage: PageStorage, exchange: Exchange) -> None:
    """Count again what is stored, where that was lost or is counted by hosts."""
    if plan.recount:
        crawler.counts.count_stored(fetch for fetch in storage.earlier() if exchange.owns(fetch.url))
    if crawler.host_limits.active:
        crawler.host_limits.restore(fetch for fetch in storage.earlier() if exchange.owns(fetch.url))


def _embedded(plan: CrawlPlan, trap_filter: TrapFilter) -> Frontier:
    return EmbeddedFrontier(
        Path(plan.frontier),
        in_order=plan.in_order,
        admits=trap_filter.admits,
        leases_per_host=plan.config.lines_per_host,
        best_first=plan.focus is not None,
    )


def _robots_rules(
    config: CrawlConfig, fetcher: Fetcher, clock: SteadyClock, cache: RobotsCache, memory: HostMemory | None
) -> RobotsRules:
    """The rules of hosts, which are kept; with `memory` they are also handed over to other workers, and taken from these."""
    if memory is None:
        return RobotsRules(fetcher, AGENT, clock, watch=cache.keep, recall=cache.recall, retry_after=config.retry_after)

    def watch(host: str, answer: Response) -> None:
        cache.keep(host, answer)
        memory.note_rules(host, answer)

    return RobotsRules(fetcher, AGENT, clock, watch=watch, recall=memory.recall_rules, retry_after=config.retry_after)


def _visits(plan: CrawlPlan, storage: PageStorage, exchange: Exchange) -> list[Target]:
    """The visits of this crawl's own hosts; who stores pages is told which versions are stored."""
    own = [visit for visit in listed_visits(Path(plan.visits)) if exchange.owns(visit.url)]
    storage.expect({visit.url: visit.row for visit in own if visit.row})
    return [visit.target for visit in own]


def _earlier_runs(plan: CrawlPlan, storage: PageStorage) -> EarlierRuns | None:
    if not plan.conditional:
        return None
    return EarlierRuns(storage.prepare, storage.last_obtained, storage.reread, storage.knows, only_new=bool(plan.visits))


async def find_private(config: CrawlConfig, resolver: Resolver | None = None) -> tuple[PrivatePlace, ...]:
    """What may be asked on private networks: what `private` names, and of each private seed its own host and port.

    A seed is private when all its addresses are, as they are found now; it may be asked at these alone, so that a public
    name which is later said to be this machine stays out. One that is private by its name need not be found.
    """
    addresses = Addresses(resolver)
    seeds = sorted({place_of(seed) for seed in config.seeds if not is_local(seed)}, key=lambda place: (place.host, place.port))
    found = await asyncio.gather(*(_private_seed(addresses, seed) for seed in seeds))
    await addresses.close()
    return places(*config.private) + tuple(seed for seed in found if seed is not None)


async def _private_seed(addresses: Addresses, seed: PrivatePlace) -> PrivatePlace | None:
    """A seed's host and port with its addresses, None when it is public."""
    try:
        found = await addresses.find_all(seed.host)
    except Misfortune:
        return seed if is_local_name(seed.host) else None
    plain = tuple(address.partition("%")[0] for address in found)
    return msgspec.structs.replace(seed, addresses=plain) if all(map(is_private, found)) else None


def user_agent(contact: str, software: str) -> str:
    """Who asks, and where to complain: "trasmallo/0.1 (+https://example.org/about)"."""
    return f"{software} (+{contact})" if contact else software
