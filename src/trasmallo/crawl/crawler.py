"""The crawler: lines that take a host from the frontier, ask for its pages politely, and bring back what they find.

1. A free line takes a lease: a host that is due, with some of its targets.
2. The rules of the host are asked for once a day; a refused target ends as `robots`.
3. The fetcher brings an answer or a failure. Those that came at about the same time are kept and read together (`Desk`);
   only when `keep` has stored it is a target finished.
4. Links, entries of sitemaps and feeds and redirects that belong to the crawl go back to the frontier.
5. The host rests: the window starts when the answer has arrived, and is longer for a host that errs or asks for it.

With several processes, 4 goes through the `Exchange`: a lease ends when all it brought is safe, and no line waits for that.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from itertools import chain
from typing import Protocol

import msgspec

from trasmallo.config import CrawlConfig
from trasmallo.crawl.answers import outcome_of, wait_asked_for
from trasmallo.crawl.desk import Desk
from trasmallo.crawl.discover import Decode, Discovery, discover
from trasmallo.crawl.exchange import Alone, Exchange
from trasmallo.crawl.frontier import Frontier, Lease, Result
from trasmallo.crawl.machines import Machines
from trasmallo.crawl.offered import Offered
from trasmallo.crawl.robots import Robots
from trasmallo.crawl.rules import Rules
from trasmallo.crawl.scope import Scope
from trasmallo.events import Emit, Failed, Fetched, LineChanged, Redirected, Refused, Waiting
from trasmallo.model import Failure, Fetch, Outcome, Response, Target
from trasmallo.urls import host_key

_URLS_A_LEASE = 16
"""Targets a line takes at once when hosts need no rest; fewer journal entries, same politeness (they are asked one by one)."""

_LONGEST_BACKOFF = 600.0
_MOST_HOPS = 10
_MOST_UNSETTLED = 256
"""Leases that wait to be safe; more would only hide that somebody is slow."""

_MOST_TOGETHER = 32
"""Answers that are worked on at once, some 20 ms."""

_ALONE = Alone()


class Fetching(Protocol):
    """What brings answers: `fetch.Fetcher`, or the tests' fake web."""

    async def get(self, url: str, *, progress: Callable[[int, int], None] | None = None) -> Response | Failure:
        """One answer or failure, redirects not followed."""


Keep = Callable[[Target, Response | Failure, Outcome, str], Fetch]
"""Stores an answer and its row; called before the target is finished in the frontier."""


Together = Callable[[], AbstractContextManager[None]]
"""What is kept inside is stored at once when it ends, and is safe only then."""


Recall = Callable[[str], tuple[Response, Fetch] | None]
"""What an earlier sitting of this crawl stored for a URL and could not finish; None when it must be asked for."""


class Arrival(msgspec.Struct, frozen=True):
    """What a line brought: an answer after some `attempts` in vain, and its Fetch when it was kept before."""

    target: Target
    answer: Response | Failure
    attempts: int = 0
    kept: Fetch | None = None


class Taken(msgspec.Struct, frozen=True):
    """What became of an arrival: how it ended, where it leads, and links as written that need no second look."""

    result: Result
    found: Sequence[Target] = ()
    written: Sequence[str] = ()


class Line(msgspec.Struct):
    """What one line is doing now; read by live views."""

    number: int
    state: str = "ready"
    url: str = ""
    received: int = 0
    expected: int = 0


class Counts(msgspec.Struct):
    """What the crawl has brought so far, earlier sittings included."""

    obtained: int = 0
    failed: int = 0
    received: int = 0


class Crawler:
    """One crawl, from the frontier's first lease to its last."""

    def __init__(
        self,
        config: CrawlConfig,
        *,
        frontier: Frontier,
        fetcher: Fetching,
        keep: Keep,
        emit: Emit,
        rules: Rules,
        decode: Decode,
        together: Together = nullcontext,
        exchange: Exchange = _ALONE,
        recall: Recall | None = None,
        clock: Callable[[], float] = time.time,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.lines = [Line(number) for number in range(1, config.lines + 1)]
        self.scope = Scope(config)
        self.counts = _counts_so_far(frontier)
        self.most_pages = config.pages or None
        self._config = config
        self._frontier = frontier
        self._fetcher = fetcher
        self._keep = keep
        self._together = together
        self._recall = recall
        self._emit = emit
        self._rules = rules
        self._decode = decode
        self._exchange = exchange
        self._clock = clock
        self._sleep = sleep
        self._began = clock()
        self._busy = 0
        self._unsettled = 0
        self._stopping = False
        self._tasks: list[asyncio.Task[None]] = []
        self._turn = asyncio.Lock()
        self._changed = asyncio.Event()
        self._troubles: Counter[str] = Counter()
        self._pages_of: Counter[str] = Counter()
        self._desk = Desk(self._take_in, _MOST_TOGETHER)
        self._offered = Offered()
        self._machines = Machines(min(config.address_delay, config.delay))

    async def run(self) -> None:
        """Crawl until nothing is left, a limit is reached, or `stop` is called; every lease is given back."""
        self._frontier.add(Target(url) for url in self._config.seeds if self._exchange.owns(url))
        self._tasks = [asyncio.create_task(self._work(line)) for line in self.lines]
        try:
            await asyncio.gather(*self._tasks)
            while self._unsettled:
                self._changed.clear()
                await self._change_within(None)
        finally:
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)
            self._desk.close()
            self._frontier.sync()

    @property
    def busy(self) -> int:
        """Lines that are at work on a host."""
        return self._busy

    def wake(self) -> None:
        """Look again whether there is something to do: targets came from elsewhere, or a limit was changed."""
        self._changed.set()

    def close(self) -> None:
        """Begin with no other host; those that are being asked come to their end."""
        self._stopping = True
        self.wake()

    def stop(self) -> None:
        """End the downloads; what is on the way is given up and stays in the frontier."""
        self.close()
        for task, line in zip(self._tasks, self.lines, strict=True):
            if line.state == "downloading":
                task.cancel()

    async def _work(self, line: Line) -> None:
        while (lease := await self._next_lease(line)) is not None:
            try:
                await self._serve(lease, line)
            except asyncio.CancelledError:
                if not self._stopping:
                    raise
            finally:
                self._busy -= 1
                self._changed.set()
                self._show(line, "ready")

    async def _next_lease(self, line: Line) -> Lease | None:
        """The next host that is due; lines wait for it one behind the other. None when the crawl is over."""
        self._show(line, "waiting")
        async with self._turn:
            while not self._stopping:
                self._changed.clear()
                if self._may_start_another() and (leases := self._frontier.lease(self._clock(), 1, self._targets_a_lease)):
                    self._busy += 1
                    return leases[0]
                if not await self._wait_for_work():
                    break
            self._changed.set()
            return None

    async def _wait_for_work(self) -> bool:
        """Wait until a host is due or a line comes back; False when neither can happen any more."""
        due = None if self._at_a_limit() else self._frontier.next_due(self._clock())
        if due is None and not (self._busy or self._unsettled or self._exchange.open):
            return False
        seconds = None if due is None or not self._may_start_another() else max(0.0, due - self._clock())
        if self._busy == 0 and seconds is not None and seconds > 1:
            self._emit(Waiting(cause=self._what_we_wait_for(), until=due or 0.0))
        await self._change_within(seconds)
        return True

    async def _change_within(self, seconds: float | None) -> None:
        changed = asyncio.ensure_future(self._changed.wait())
        waits = [changed] if seconds is None else [changed, asyncio.ensure_future(self._sleep(seconds))]
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()

    def _what_we_wait_for(self) -> str:
        resting = [state for state in self._frontier.hosts(1) if state.queued]
        return f"{resting[0].host} rests, {resting[0].queued} addresses wait" if resting else "hosts rest"

    @property
    def _targets_a_lease(self) -> int:
        resting = self._config.delay > 0 or self._config.lines == 1 or self.most_pages is not None
        return 1 if resting else _URLS_A_LEASE

    def _may_start_another(self) -> bool:
        """Whether one more page would stay within the limits, whatever becomes of those on the way."""
        if self._at_a_limit() or self._unsettled >= _MOST_UNSETTLED:
            return False
        return self.most_pages is None or self.counts.obtained + self._busy < self.most_pages

    def _at_a_limit(self) -> bool:
        config = self._config
        return bool(
            (self.most_pages is not None and self.counts.obtained >= self.most_pages)
            or (config.megabytes and self.counts.received >= config.megabytes * 1_000_000)
            or (config.minutes and self._clock() - self._began >= config.minutes * 60)
        )

    async def _serve(self, lease: Lease, line: Line) -> None:
        """Ask for the targets of a lease one by one; whatever happens, the lease is given back with what was done."""
        taken: list[Taken] = []
        sitemaps: list[Target] = []
        rest = self._config.delay
        try:
            if wait := await self._wait_for_turn(lease):
                rest = wait
                return
            robots = self._rules.known(lease.host, self._clock())
            if robots is None:
                self._show(line, "downloading", lease.host + "/robots.txt")
                robots = await self._rules.ask(lease.host)
                sitemaps = self._sitemaps_of(robots, lease.host)
                return
            rest = self._rest(robots)
            for target, attempts in zip(lease.targets, lease.attempts, strict=True):
                taken.append(await self._visit(target, attempts, robots, line))
        finally:
            self._settle(lease, taken, sitemaps, self._clock() + self._backoff(lease.host, rest))

    def _settle(self, lease: Lease, taken: Sequence[Taken], sitemaps: Sequence[Target], due: float) -> None:
        """Give a lease back when what it brought is safe; until then the frontier lends its host to nobody."""
        results = [each.result for each in taken]
        found = [*sitemaps, *chain.from_iterable(each.found for each in taken)]

        def finish(own: Sequence[Target]) -> None:
            self._unsettled -= 1
            self._frontier.finish(lease, results, own, due)
            self._offered.settled(chain.from_iterable(each.written for each in taken))
            self._changed.set()

        self._unsettled += 1
        if results or found:
            self._exchange.settle(found, finish)
        else:
            finish(())

    async def _wait_for_turn(self, lease: Lease) -> float:
        """Seconds the host's machine must still rest, 0 for our turn; a single line waits here, to keep the order."""
        wait = max(lease.due, self._machines.free_at(lease.host)) - self._clock()
        if wait > 0 and self._config.lines > 1:
            return wait
        if wait > 0:
            await self._sleep(wait)
        self._machines.ask(lease.host, self._clock())
        return 0.0

    async def _visit(self, target: Target, attempts: int, robots: Robots, line: Line) -> Taken:
        if refusal := self._refusal(target, robots):
            return Taken(self._refused(target, *refusal))
        stored = self._recall(target.url) if self._recall and not attempts else None
        if stored:
            return await self._desk.bring(Arrival(target, stored[0], kept=stored[1]))
        self._show(line, "downloading", target.url)
        answer = await self._fetcher.get(target.url, progress=_progress_of(line))
        line.state = "keeping"
        return await self._desk.bring(Arrival(target, answer, attempts))

    def _take_in(self, arrivals: Sequence[Arrival]) -> list[Taken]:
        """Keep answers, then find where they lead."""
        with self._together():
            fetches = [
                arrival.kept or self._keep(arrival.target, arrival.answer, *outcome_of(arrival.answer)) for arrival in arrivals
            ]
        found = [self._found(arrival, fetch) for arrival, fetch in zip(arrivals, fetches, strict=True)]
        results = [self._conclude(arrival, fetch) for arrival, fetch in zip(arrivals, fetches, strict=True)]
        return [Taken(result, *leads) for result, leads in zip(results, found, strict=True)]

    def _conclude(self, arrival: Arrival, fetch: Fetch) -> Result:
        target, answer = arrival.target, arrival.answer
        if isinstance(answer, Response):
            self._machines.learn(host_key(target.url), answer.address, self._clock())
        retry_at = self._retry_at(answer, fetch.outcome, arrival.attempts) if arrival.kept is None else 0.0
        self._count(target, fetch, retry_at)
        return Result(target.url, fetch.outcome, retry_at)

    def _refusal(self, target: Target, robots: Robots) -> tuple[Outcome, str] | None:
        if not robots.allows(target.url, self._rules.agent):
            return Outcome.ROBOTS, robots.verdict(target.url, self._rules.agent).cause
        most = self._config.pages_per_host
        if most and self._pages_of[host_key(target.url)] >= most:
            return Outcome.OUT_OF_SCOPE, f"{most} pages of this host are obtained"
        return None

    def _refused(self, target: Target, outcome: Outcome, cause: str) -> Result:
        self._keep(target, Failure(target.url, self._clock(), outcome, cause), outcome, cause)
        self._emit(Refused(url=target.url, cause=cause))
        return Result(target.url, outcome)

    def _retry_at(self, answer: Response | Failure, outcome: Outcome, attempts: int) -> float:
        """When to try again, 0 for never: later each time, and not before the server asked us to."""
        asked = wait_asked_for(answer, outcome, self._clock())
        if asked is None or attempts >= self._config.retries:
            return 0.0
        return self._clock() + max(asked, self._config.retry_after * float(2**attempts))

    def _count(self, target: Target, fetch: Fetch, retry_at: float) -> None:
        key = host_key(target.url)
        self.counts.received += fetch.size
        if fetch.outcome.obtained:
            self.counts.obtained += 1
            self._pages_of[key] += 1
            self._troubles.pop(key, None)
            self._emit(Fetched(url=fetch.url, status=fetch.status, size=fetch.size, media=fetch.media, digest=fetch.digest))
        elif fetch.outcome is Outcome.REDIRECTED:
            self._emit(Redirected(url=fetch.url, location=fetch.location))
        else:
            self.counts.failed += not retry_at
            self._troubles[key] += bool(retry_at)
            self._emit(Failed(url=fetch.url, outcome=fetch.outcome, cause=fetch.cause, again_at=retry_at))

    def _found(self, arrival: Arrival, fetch: Fetch) -> tuple[Sequence[Target], Sequence[str]]:
        """Where an answer leads, and the links as written."""
        target, answer = arrival.target, arrival.answer
        if isinstance(answer, Failure):
            return (), ()
        if fetch.outcome is Outcome.REDIRECTED:
            return self._redirect(target, fetch), ()
        depth = target.depth + 1
        if fetch.outcome is not Outcome.FETCHED or 0 <= self._config.depth < depth:
            return (), ()
        host = host_key(target.url)
        discovery = discover(answer, self._rules.agent, self._decode, self._offered.of(host))
        self._offered.found(host, discovery.written)
        wanted = self._wanted(discovery)
        return [Target(url, depth, 0, target.url) for url in wanted if not self.scope.refuses(url)], discovery.written

    def _redirect(self, target: Target, fetch: Fetch) -> list[Target]:
        if target.hops >= _MOST_HOPS:
            self._emit(Refused(url=fetch.location, cause=f"more than {_MOST_HOPS} redirects"))
            return []
        cause = self.scope.refuses(fetch.location, redirected=True)
        if cause:
            self._emit(Refused(url=fetch.location, cause=cause))
            return []
        return [Target(fetch.location, target.depth, target.priority, target.url, target.hops + 1)]

    def _wanted(self, discovery: Discovery) -> tuple[str, ...]:
        switched_off = (discovery.kind == "feed" and not self._config.feeds) or (
            discovery.kind == "sitemap" and not self._config.sitemaps
        )
        return () if switched_off else discovery.urls

    def _sitemaps_of(self, robots: Robots, host: str) -> list[Target]:
        """Sitemaps go first: they name pages that no link does."""
        if not self._config.sitemaps:
            return []
        via = host + "/robots.txt"
        return [Target(url, 0, -1, via) for url in robots.sitemaps if not self.scope.refuses(url)]

    def _rest(self, robots: Robots) -> float:
        asked = robots.delay(self._rules.agent) or 0.0
        return max(self._config.delay, min(asked, self._config.longest_delay))

    def _backoff(self, host: str, rest: float) -> float:
        """A host in trouble rests twice as long after each failure, up to ten minutes."""
        troubles = self._troubles.get(host, 0)
        return rest if not troubles else min(_LONGEST_BACKOFF, max(rest, 0.5) * 2 ** min(troubles, 12))

    def _show(self, line: Line, state: str, url: str = "") -> None:
        line.state, line.url, line.received, line.expected = state, url, 0, 0
        self._emit(LineChanged(line=line.number, state=state, url=url))


def _progress_of(line: Line) -> Callable[[int, int], None]:
    def progress(received: int, expected: int) -> None:
        line.received, line.expected = received, expected

    return progress


def _counts_so_far(frontier: Frontier) -> Counts:
    """An interrupted crawl goes on counting towards its limits."""
    outcomes = frontier.stats().outcomes
    obtained = sum(count for outcome, count in outcomes.items() if outcome.obtained)
    passing = (Outcome.REDIRECTED, Outcome.ROBOTS, Outcome.OUT_OF_SCOPE)
    failed = sum(count for outcome, count in outcomes.items() if not outcome.obtained and outcome not in passing)
    return Counts(obtained, failed)
