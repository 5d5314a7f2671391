"""Replay of a crawl into an empty frontier, from what it stored: what was asked for is done, what it led to waits.

Nothing is asked of anybody. The frontiers are those of the workers of a run, each with its share of the hosts and a policy of
its own, whose ranker learns from the pages again. Rounds follow each other as links do; a round lends every host once, so the
queue of the largest host is in memory.

Sitemaps come from the robots.txt files that were stored. A usual place of one is asked for before any page of its host, and is
stored only if a sitemap is there: one that is not stored was in vain if a later place or a page of the host is, and waits else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import count

import msgspec

from trasmallo.crawl.exchange import worker_of
from trasmallo.crawl.frontier import Frontier, Lease, Result, Write
from trasmallo.crawl.link_policy import GUESSED, LinkPolicy
from trasmallo.crawl.robots import Robots
from trasmallo.crawl.robots_rules import rules_in
from trasmallo.values.model import Failure, Fetch, Outcome, Response, Target, seed_target

Stored = Callable[[str], tuple[Fetch, Response | Failure] | None]
"""What a run stored for a URL, and the answer; None when it never asked."""

Rules = Callable[[str], Response | None]
"""The answer that gave a run the rules of a host; None when nobody asked for them, or in vain."""

_HOSTS_AT_ONCE = 64  # judgement: hosts lent together
_WHOLE_QUEUE = 1 << 40  # more than any host has
_AT_ONCE = 1_000  # judgement: addresses added together


class Replay:
    """Brings the frontiers of a run to where the run was; each has its policy."""

    def __init__(self, frontiers: Sequence[Frontier], policies: Sequence[LinkPolicy], stored: Stored, rules: Rules) -> None:
        self._frontiers = frontiers
        self._policies = policies
        self._stored = stored
        self._rules = rules
        self._robots: dict[str, Robots] = {}
        self._visited: set[str] = set()
        self.done = 0

    async def run(self, seeds: Iterable[str], asked: Iterable[Fetch]) -> None:
        """Follow the links from the seeds, then from what else was asked for: sitemaps, and what another scope let through."""
        await self._add(map(seed_target, seeds))
        rounds = count(1)
        while await self._round(float(next(rounds))):
            pass
        await self._add(_target(Target(fetch.url), fetch) for fetch in asked)
        while await self._round(float(next(rounds))):
            pass
        for frontier in self._frontiers:
            await frontier.control(Write(to_disk=True))

    async def _add(self, targets: Iterator[Target]) -> None:
        waiting: dict[int, list[Target]] = {}
        for number, target in enumerate(targets, 1):
            waiting.setdefault(worker_of(target.url, len(self._frontiers)), []).append(target)
            if number % _AT_ONCE == 0:
                await self._hand_over(waiting)
        await self._hand_over(waiting)

    async def _hand_over(self, waiting: dict[int, list[Target]]) -> None:
        for worker, targets in waiting.items():
            await self._frontiers[worker].add(targets)
        waiting.clear()

    async def _round(self, now: float) -> int:
        """Lend every host once; how many addresses were done. No host is due again before the next round."""
        before = self.done
        for frontier, policy in zip(self._frontiers, self._policies, strict=True):
            while leases := (await frontier.lease(now, _HOSTS_AT_ONCE, _WHOLE_QUEUE)).leases:
                for lease in leases:
                    await self._finish(frontier, policy, lease, due=now + 0.5)
        return self.done - before

    async def _finish(self, frontier: Frontier, policy: LinkPolicy, lease: Lease, due: float) -> None:
        results: list[Result] = []
        found = self._sitemaps(lease)
        for target in lease.targets:
            stored = self._stored(target.url)
            if stored is not None:
                fetch, answer = stored
                results.append(Result(target.url, fetch.outcome))
                found += policy.of(_target(target, fetch), answer, fetch)[0]
                if target.priority != GUESSED:
                    self._visited.add(lease.host)
            elif target.priority == GUESSED and (following := self._after_vain(target, lease.host)) is not None:
                results.append(Result(target.url, Outcome.OUT_OF_SCOPE))
                found += following
        await frontier.finish(lease, results, (), due)
        await self._add(iter(found))
        self.done += len(results)

    def _sitemaps(self, lease: Lease) -> list[Target]:
        """Where the rules of a host led when it was first asked; nothing later, and where it never was."""
        if lease.host in self._robots or (answer := self._rules(lease.host)) is None:
            return []
        robots = self._robots[lease.host] = rules_in(answer)
        return self._policies[0].sitemaps(robots, lease.host, lease.targets[0].seed)

    def _after_vain(self, guess: Target, host: str) -> list[Target] | None:
        """Where a sitemap was looked for after a place that had none; None when nobody may have looked there yet."""
        following = self._policies[0].next_guess(self._robots[host], guess)
        if host in self._visited or any(self._was_tried(target, host) for target in following):
            return following
        return None

    def _was_tried(self, guess: Target, host: str) -> bool:
        return self._stored(guess.url) is not None or self._after_vain(guess, host) is not None


def _target(target: Target, fetch: Fetch) -> Target:
    """A target as it was when it was asked for, where its row tells: what it leads to has the same seed then."""
    origin = fetch.origin
    if origin.depth is None:
        return target
    return msgspec.structs.replace(target, depth=origin.depth, via=origin.via, seed=origin.seed, reached=origin.reached)
