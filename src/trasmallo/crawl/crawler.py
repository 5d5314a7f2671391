"""The crawler: lines that take a host from the frontier, ask for its pages politely, and bring back what they find.

1. A free line takes a lease: a host that is due, with some of its targets.
2. The rules of the host are asked for once a day; a refused target ends as `robots`.
3. The fetcher brings an answer or a failure, which is judged (`judgement`); with a reason the host is asked once for an
   address that cannot exist. Those that came at about the same time are kept and read together (`Batcher`);
   only when `keep` has stored it is a target finished.
4. Links, entries of sitemaps and feeds and redirects that belong to the crawl go back to the frontier.
5. The host rests: the window starts when the answer has arrived, and is longer for a host that errs or asks for it.

With several processes, 4 goes through the `Exchange`: a lease ends when all it brought is safe, and no line waits for that.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import nullcontext
from itertools import chain

import msgspec

from trasmallo.config import CrawlConfig
from trasmallo.crawl.asking import NO_CONDITIONS, Asker
from trasmallo.crawl.batching import Batcher, all_made
from trasmallo.crawl.browser.rendering import Renderer
from trasmallo.crawl.crawl_limits import Counts, HostLimits, counts_of, limit_reached
from trasmallo.crawl.discover import Decode, holds_sitemap
from trasmallo.crawl.earlier_runs import EarlierRuns
from trasmallo.crawl.event_waits import wait_within
from trasmallo.crawl.exchange import Alone, Exchange
from trasmallo.crawl.fetch import Permissions
from trasmallo.crawl.fetching import Fetching, Recall
from trasmallo.crawl.forms.form_book import FormBook
from trasmallo.crawl.frontier import Frontier, Lease, LeaseLost, Result, Retry, Write
from trasmallo.crawl.held_leases import LEASE_SECONDS, HeldLeases, LeaseOver
from trasmallo.crawl.host_memory import HostMemory
from trasmallo.crawl.host_rests import HostRests
from trasmallo.crawl.host_turns import HostTurns
from trasmallo.crawl.intake import Arrival, Intake, Keep, TakenArrival, Together
from trasmallo.crawl.ip_politeness import IpPoliteness
from trasmallo.crawl.judgement import AnswerJudge, Judgement, rendered_as
from trasmallo.crawl.link_policy import GUESSED, LinkPolicy
from trasmallo.crawl.live import LineActivity, LineBoard, describe_host, state_after, waiting_for
from trasmallo.crawl.network_watch import PROBE_SECONDS, watch_network
from trasmallo.crawl.outcomes import outcome_of, wait_asked_for
from trasmallo.crawl.ranking import Ranker, move_waiting
from trasmallo.crawl.robots import Robots
from trasmallo.crawl.robots_rules import RobotsRules
from trasmallo.crawl.scope import Scope
from trasmallo.crawl.trap_filter import TrapFilter
from trasmallo.events import Emit, Waiting
from trasmallo.values.model import Failure, Outcome, Response, Target, seed_target
from trasmallo.values.run_status import HostStatus
from trasmallo.values.urls import host_key

_URLS_A_LEASE = 16  # targets a line takes when hosts need no rest: fewer journal entries, same politeness (asked one by one)
_AT_WORK = ("downloading", "waiting")
_LONG_WAIT = 5.0  # judgement: seconds of silence that a person wants explained
_MOST_UNSETTLED = 256  # leases that wait to be safe; more would only hide that somebody is slow
_MOST_TOGETHER = 32  # answers that are worked on at once, some 20 ms

_MAY_BE_SHELLS = frozenset({Outcome.FETCHED, Outcome.SOFT_404})
"""Outcomes of pages that scripts may fill; a site that is one page for its server says the same of every address."""

_ALONE, _NOTHING_PRIVATE = Alone(), Permissions()

_Visited = TakenArrival | asyncio.Future[TakenArrival]
"""What became of a target, or will have when what was handed in is kept."""


class Crawler:
    """One crawl, from the frontier's first lease to its last; it begins with `visits`, or else with the start addresses."""

    def __init__(
        self,
        config: CrawlConfig,
        *,
        frontier: Frontier,
        fetcher: Fetching,
        keep: Keep,
        emit: Emit,
        robots: RobotsRules,
        decode: Decode,
        together: Together = nullcontext,
        exchange: Exchange = _ALONE,
        recall: Recall | None = None,
        counts: Counts | None = None,
        permissions: Permissions = _NOTHING_PRIVATE,
        traps: TrapFilter | None = None,
        judge: AnswerJudge | None = None,
        clock: Callable[[], float] = time.time,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        earlier: EarlierRuns | None = None,
        visits: Sequence[Target] | None = None,
        ranker: Ranker | None = None,
        memory: HostMemory | None = None,
        lease_seconds: float = LEASE_SECONDS,
        renderer: Renderer | None = None,
        book: FormBook | None = None,
    ) -> None:
        self.lines = [LineActivity(number) for number in range(1, config.lines + 1)]
        self.scope = Scope(config)
        self.counts = counts or Counts()
        self.most_pages = config.pages or None
        self.host_limits = HostLimits(config)
        self.limit = ""
        self._config = config
        self._frontier = frontier
        self._recall, self._earlier = recall, earlier
        self._visits = [seed_target(url) for url in config.seeds] if visits is None else visits
        self._emit, self._robots, self._exchange = emit, robots, exchange
        self._clock, self._sleep = clock, sleep
        self._began = clock()
        self._busy = self._unsettled = 0
        self._memory = memory
        board = LineBoard(emit, clock)
        self._show, self._tell = board.show, board.tell
        self.held = HeldLeases(clock, lease_seconds)
        self._stopping = self._paused = False
        self._tasks: list[asyncio.Task[None]] = []
        self._turn, self._changed = asyncio.Lock(), asyncio.Event()
        self._traps, self.ranker, self._renderer = traps, ranker, renderer
        self._judge = judge or AnswerJudge(probes=config.probe_missing)
        self._ip_politeness = IpPoliteness(min(config.address_delay, config.delay))
        self._rests = HostRests(config, robots, self._ip_politeness, clock)
        self.link_policy = self._make_link_policy(decode, permissions, book)
        self._intake = self._make_intake(keep, together)
        self._batcher = Batcher(self._intake.take_in, _MOST_TOGETHER)
        self._network = watch_network(config, emit, clock, private=bool(permissions))
        self._asker = self._make_asker(fetcher)
        self._turns = HostTurns(
            config, robots, rests=self._rests, machines=self._ip_politeness, limits=self.host_limits, clock=clock
        )

    def _make_asker(self, fetcher: Fetching) -> Asker:
        return Asker(
            fetcher,
            self._robots,
            rests=self._rests,
            machines=self._ip_politeness,
            network=self._network,
            held=self.held,
            show=self._show,
            sleep=self._sleep,
            clock=self._clock,
        )

    def _make_link_policy(self, decode: Decode, permissions: Permissions, book: FormBook | None) -> LinkPolicy:
        return LinkPolicy(
            self._config,
            self.scope,
            self._robots.agent,
            decode,
            self._emit,
            permissions=permissions,
            traps=self._traps,
            # Nobody looks again whether there is a sitemap at a usual place: the first crawl did.
            guesses=self._earlier is None or not self._earlier.only_new,
            ranker=self.ranker,
            book=book,
            note_sitemap=self._renderer.note_sitemap if self._renderer else None,
        )

    def _make_intake(self, keep: Keep, together: Together) -> Intake:
        return Intake(
            keep=keep,
            together=together,
            link_policy=self.link_policy,
            rests=self._rests,
            counts=self.counts,
            host_limits=self.host_limits,
            emit=self._emit,
            clock=self._clock,
            earlier=self._earlier,
            ranker=self.ranker,
        )

    async def run(self) -> None:
        """Crawl until nothing is left, a limit is reached, or `stop` is called; every lease is given back."""
        await self._frontier.add([target for target in self._visits if self._exchange.owns(target.url)])
        self._tasks = [asyncio.create_task(self._work(line)) for line in self.lines]
        try:
            await asyncio.gather(*self._tasks)
            while self._unsettled:
                self._changed.clear()
                await self._changed.wait()
            self.limit = self._limit_reached()
        finally:
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)
            self._batcher.close()
            await self._frontier.control(Write(to_disk=True))

    @property
    def busy(self) -> int:
        """Lines that are at work on a host."""
        return self._busy

    @property
    def offline(self) -> str:
        """Why nobody is asked any more, though somebody waits to be: there is no network. "" while there is hope."""
        return self._network.given_up

    def wake(self) -> None:
        """Look again whether there is something to do: targets came from elsewhere, or a limit was changed."""
        self._changed.set()

    async def retry(self, ended: Sequence[tuple[Target, Outcome]]) -> int:
        """Ask once more for targets that ended so, as politely as for any other; how many of them wait now."""
        reply = await self._frontier.control(Retry(tuple(ended)))
        self.counts.failed -= counts_of(reply.outcomes).failed
        self.wake()
        return reply.number

    async def keep_leases(self) -> None:
        """Say that whoever holds a lease is at work on it; to be called every few seconds."""
        await self.held.extend(self._frontier)

    async def hosts(self, limit: int) -> list[HostStatus]:
        """Hosts at work, then those with the longest queues, with the reason why each waits."""
        now, stats = self._clock(), await self._frontier.stats(limit)
        at_work, free = {host_key(line.url) for line in self.lines if line.state in _AT_WORK}, self._busy < len(self.lines)
        return [
            describe_host(state, self._rests.manners(state.host, now, at_work=state.host in at_work, free=free), now)
            for state in stats.busiest
        ]

    def close(self) -> None:
        """Begin with no other host; those that are being asked come to their end."""
        self._stopping = True
        self.wake()

    def pause(self, *, paused: bool) -> None:
        """Begin with no other host until told to go on."""
        self._paused = paused
        self.wake()

    def stop(self) -> None:
        """End the downloads; what is on the way is given up and stays in the frontier."""
        self.close()
        for task, line in zip(self._tasks, self.lines, strict=False):  # no tasks before `run`
            if line.state == "downloading":
                task.cancel()

    async def _work(self, line: LineActivity) -> None:
        while (lease := await self._next_lease(line)) is not None:
            self.held.begin(lease.token, line)
            try:
                await self._serve(lease, line)
            except asyncio.CancelledError:
                if not (self._stopping or self.held.is_late(lease.token)):
                    raise
            finally:
                self.held.end(lease.token)
                self._busy -= 1
                self._changed.set()
                if line.state in _AT_WORK:
                    line.state, line.url = "ready", ""
                self._tell(line)
        self._show(line, "ended")

    async def _next_lease(self, line: LineActivity) -> Lease | None:
        """The next host that is due; lines wait for it one behind the other. None when the crawl is over."""
        if self._turn.locked():
            self._show(line, "waiting")
        async with self._turn:
            while not self._stopping:
                self._changed.clear()
                hosts = 1 if self._may_start_another() and self._clock() >= self._network.not_before else 0
                reply = await self._frontier.lease(self._clock(), hosts, self._targets_a_lease)
                if reply.leases:
                    self._busy += 1
                    return self._taken(reply.leases[0])
                if line.state != "waiting":
                    self._show(line, "waiting")
                if not await self._wait_for_work(reply.next_due):
                    break
            self._changed.set()
            return None

    def _taken(self, lease: Lease) -> Lease:
        self.held.take(lease)
        self._turns.come(lease.host)
        if self._memory is not None and lease.state:
            self._memory.restore(lease.host, lease.state, self._rests, self.host_limits)
        return lease

    async def _wait_for_work(self, next_due: float | None) -> bool:
        """Wait until a host is due or a line comes back; False when neither can happen any more."""
        due = None if self._limit_reached() else next_due
        # What changed while the frontier was asked may have brought something.
        if due is None and not (self._busy or self._unsettled or self._exchange.open or self._changed.is_set()):
            return False
        if self._has_no_network(next_due):
            return False
        seconds = None
        if due is not None and self._may_start_another():
            seconds = max(0.0, due - self._clock(), self._network.not_before - self._clock())
        if self._busy == 0 and seconds is not None and seconds > _LONG_WAIT:
            self._emit(Waiting(cause=waiting_for(await self.hosts(1)), until=due or 0.0))
        await wait_within(self._changed, seconds, self._sleep)
        return True

    def _has_no_network(self, next_due: float | None) -> bool:
        """Whether to end for want of a network; of several processes none does so alone."""
        if self._busy or self._unsettled:
            return False
        gives_up = self._network.give_up(nobody_due=next_due is None or next_due > self._clock())
        if gives_up and not self._exchange.open:
            self.close()
            return True
        return False

    @property
    def _targets_a_lease(self) -> int:
        one_by_one = self._config.delay > 0 or self._config.lines == 1 or self._config.lines_per_host > 1
        return 1 if one_by_one or self.most_pages is not None else _URLS_A_LEASE

    def _may_start_another(self) -> bool:
        """Whether one more page would stay within the limits, whatever becomes of those on the way."""
        if self._paused or self._limit_reached() or self._unsettled >= _MOST_UNSETTLED:
            return False
        if self._network.is_lost and self._busy:
            return False
        return self.most_pages is None or self.counts.obtained + self._busy < self.most_pages

    def _limit_reached(self) -> str:
        config, counts = self._config, self.counts
        ended = self.ranker.ended if self.ranker is not None else ""
        if ended or (self.most_pages is None and not (config.megabytes or config.minutes)):
            return ended
        return limit_reached(config, self.most_pages, counts.obtained, counts.received, self._clock() - self._began)

    async def _serve(self, lease: Lease, line: LineActivity) -> None:
        """Ask for the targets of a lease one by one; whatever happens, the lease is given back with what was done."""
        taken: list[_Visited] = []
        sitemaps: list[Target] = []
        rest = self._config.delay
        line.asked = False
        try:
            if self._stopping:
                return
            self.held.need(line)
            if wait := await self._wait_for_turn(lease, line):
                rest = wait
                return
            robots = self._robots.known(lease.host, self._clock())
            if robots is None:
                robots = await self._asker.rules(lease, line)
                if robots.failure is None:
                    sitemaps = self._wanted(self.link_policy.sitemaps(robots, lease.host, lease.targets[0].seed))
                    return
            rest = self._rests.after_answer(robots)
            if self._earlier is not None:
                self._earlier.prepare([target.url for target in lease.targets])
            for target, attempts in zip(lease.targets, lease.attempts, strict=True):
                visited = await self._visit(target, attempts, robots, line)
                if visited is None:
                    rest = PROBE_SECONDS
                    return
                taken.append(visited)
            await self._finish_held(taken)
        except LeaseOver:
            self._show(line, "ready")
        finally:
            # A host that was not asked needs no rest, or a long queue of refused addresses would take days.
            idle = bool(taken) and not line.asked
            due = self._rests.not_before(lease.host, self._clock()) if idle else self._rests.due(lease.host, rest)
            await self._settle(lease, all_made(taken), sitemaps, due)

    async def _finish_held(self, taken: Sequence[_Visited]) -> None:
        """Have what was handed in kept, since a lease ends; raises what its keeping did."""
        for each in taken:
            if isinstance(each, asyncio.Future):
                await self._batcher.work_soon(each)

    async def _settle(self, lease: Lease, taken: Sequence[TakenArrival], sitemaps: Sequence[Target], due: float) -> None:
        """Give a lease back when what it brought is safe; until then the frontier lends its host to nobody."""
        results = [each.result for each in taken]
        found = [*sitemaps, *chain.from_iterable(each.found for each in taken)]

        async def finish(own: Sequence[Target]) -> None:
            try:
                state = self._memory.pack(lease.host, self._rests, self.host_limits) if self._memory else b""
                await self._frontier.finish(lease, results, own, due, state)
                self.link_policy.settled(chain.from_iterable(each.written for each in taken))
                await move_waiting(self._frontier, self.ranker)
            except LeaseLost:
                # The targets are lent again, recalled from what was kept, and what they lead to is found once more.
                self.link_policy.forget()
            finally:
                self.held.drop(lease.token)
                self._turns.leave(lease.host)
                self._unsettled -= 1
                self._changed.set()

        self._unsettled += 1
        if results or found:
            await self._exchange.settle(found, finish)
        else:
            await finish(())

    def _wanted(self, found: list[Target]) -> list[Target]:
        return found if self._earlier is None else self._earlier.wanted(found)

    async def _wait_for_turn(self, lease: Lease, line: LineActivity) -> float:
        """Seconds the host's machine must still rest, 0 for our turn; a single line waits here, to keep the order."""
        wait, here = self._turns.wait(lease)
        if not here or not wait:
            return wait
        self._show(line, "waiting", lease.targets[0].url)
        await self._sleep(wait)
        return 0.0

    async def _visit(self, target: Target, attempts: int, robots: Robots, line: LineActivity) -> _Visited | None:
        """What became of a target; None when it goes back to the queue, since there is no network."""
        if refusal := self._refusal(target, robots):
            line.state, line.url, line.cause = state_after(refusal[0]), target.url, refusal[1]
            return TakenArrival(self._intake.refuse(target, *refusal))
        if robots.failure is not None:
            failure = msgspec.structs.replace(robots.failure, url=target.url, at=self._clock())
            line.url = target.url
            return await self._take(Arrival(target, failure, line, attempts))
        if self._traps and not self._traps.still_admits(target):
            return TakenArrival(Result(target.url, Outcome.OUT_OF_SCOPE))
        if target.priority == GUESSED:
            return await self._guess(target, attempts, robots, line)
        stored = self._recall(target.url) if self._recall and not attempts else None
        if stored:
            return await self._batcher.bring(Arrival(target, stored[0], line, kept=stored[1]))
        known = self._earlier.last_obtained(target.url) if self._earlier is not None else None
        return await self._take(await self._asker.again(target, known, line, attempts))

    async def _take(self, arrival: Arrival) -> _Visited | None:
        """Bring what was heard of a target to be kept; None when it tells of the network only.

        Nobody need wait for what says "as before": it is kept with what comes after it, at the latest when the lease ends.
        """
        answer, line = arrival.answer, arrival.line
        if isinstance(answer, Failure) and self._network.is_to_blame(host_key(answer.url), answer):
            line.state, line.cause = state_after(answer.outcome), answer.cause
            return None
        if arrival.judged is not None:
            return await self._batcher.bring(arrival)
        judged = self._judge.judge(arrival.target, answer)
        if probe := self._judge.probe_for(arrival.target, answer, judged, self._may_probe):
            await self._probe(msgspec.structs.replace(arrival.target, url=probe), line)
            judged = self._judge.judge(arrival.target, answer)
        arrival = msgspec.structs.replace(arrival, judged=judged)
        if self._renderer is not None and judged.outcome in _MAY_BE_SHELLS:
            arrival = await self._rendered(arrival, judged, self._renderer)
        if judged.outcome is Outcome.UNCHANGED:
            return self._batcher.hand_in(arrival)
        return await self._batcher.bring(arrival)

    async def _rendered(self, arrival: Arrival, judged: Judgement, renderer: Renderer) -> Arrival:
        """The same arrival after the scripts of its page, where they may show more; what they made is judged again."""
        answer, target = arrival.answer, arrival.target
        if isinstance(answer, Failure) or not (decision := renderer.wants(answer)).render:
            return arrival
        self._show(arrival.line, "downloading", target.url)
        answer, why = await renderer.render(target, answer, decision)
        arrival.line.state = "keeping"
        judged = rendered_as(why, self._judge.judge(target, answer)) if why else judged
        return msgspec.structs.replace(arrival, answer=answer, judged=judged)

    def _may_probe(self, url: str) -> bool:
        robots = self._robots.known(host_key(url), self._clock())
        return robots is not None and robots.allows(url, self._robots.agent) and not self.scope.refuses(url)

    async def _probe(self, target: Target, line: LineActivity) -> None:
        """Find out what a host says of an address that cannot exist, after its rest; what it says is no page of the crawl."""
        await self._asker.rest(target.url, line)
        self._judge.learn(target.url, await self._asker.page(target, line))

    async def _guess(self, target: Target, attempts: int, robots: Robots, line: LineActivity) -> _Visited | None:
        """Look for a sitemap where one may be. That none is there is no misfortune; then the next place is tried."""
        headers = self._earlier.conditions(target.url) if self._earlier is not None else NO_CONDITIONS
        answer = await self._asker.page(target, line, headers=headers)
        outcome, _ = outcome_of(answer)
        later = wait_asked_for(answer, outcome, answer.at) is not None
        if later or outcome is Outcome.REDIRECTED or (isinstance(answer, Response) and holds_sitemap(answer)):
            return await self._take(Arrival(target, answer, line, attempts))
        return TakenArrival(Result(target.url, Outcome.OUT_OF_SCOPE), self.link_policy.next_guess(robots, target))

    def _refusal(self, target: Target, robots: Robots) -> tuple[Outcome, str] | None:
        if self.scope.changed and (cause := self.scope.drops(target.url)):
            return Outcome.OUT_OF_SCOPE, cause
        if robots.failure is None and not robots.allows(target.url, self._robots.agent):
            return Outcome.ROBOTS, robots.verdict(target.url, self._robots.agent).cause
        if cause := self._rests.leaves_alone(host_key(target.url)):
            return Outcome.LEFT_ALONE, cause
        if self.host_limits.active and (cause := self.host_limits.refuses(host_key(target.url), self._clock())):
            return Outcome.HOST_LIMIT, cause
        return None
