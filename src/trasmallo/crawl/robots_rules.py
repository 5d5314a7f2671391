"""Rules of each host, from its robots.txt: asked for once a day, redirects followed; unreachable means wait (RFC 9309, 2.3)."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Protocol

import msgspec

from trasmallo.crawl.fetch import is_private
from trasmallo.crawl.network_watch import PROBE_SECONDS
from trasmallo.crawl.outcomes import location_of
from trasmallo.crawl.robots import Robots, Verdict
from trasmallo.values.model import Failure, Outcome, Response
from trasmallo.values.urls import host as host_of
from trasmallo.values.urls import host_key

_A_DAY = 24 * 3600.0  # RFC 9309, 2.4: no longer than 24 hours
_SOON = 600.0  # judgement: seconds after which an unreachable robots.txt is asked for again
MOST_RULES_HOPS = 6
"""Answers on the way to the rules of a host: RFC 9309, 2.3.1.2, wants five redirects followed at least."""

_MOST_HOSTS = 20_000
"""Rules kept in memory; a small robots.txt takes about 2 kB, so 40 MB at the most. The oldest are asked for again."""


class Fetching(Protocol):
    """What brings answers."""

    async def get(self, url: str, *, from_public: bool = False) -> Response | Failure:
        """One answer or failure, redirects not followed; `from_public` when nothing private may be asked."""


Watch = Callable[[str, Response], None]
"""Sees every answer on the way to the rules of a host."""

Hear = Callable[[Response], None]
"""Hears every answer that was really asked for."""

Recall = Callable[[str], Response | None]
"""The last of those answers that an earlier session saw for a host, None without one."""


class RobotsRules:
    """The rules of all hosts; `agent` is the product token that robots.txt files address.

    A server that could not be had is asked again after `retry_after` seconds, as its pages are; without a network, as soon as
    that is looked for.
    """

    def __init__(
        self,
        fetcher: Fetching,
        agent: str,
        clock: Callable[[], float] = time.time,
        watch: Watch | None = None,
        recall: Recall | None = None,
        retry_after: float = _SOON,
    ) -> None:
        self.agent = agent
        self._fetcher = fetcher
        self._clock = clock
        self._watch = watch
        self._recall = recall
        self._retry_after = min(retry_after, _SOON)
        self._kept: OrderedDict[str, tuple[float, Robots]] = OrderedDict()

    def known(self, host: str, now: float) -> Robots | None:
        """The rules of a host, None when they must be asked for."""
        until, robots = self._kept.get(host, (0.0, None))
        return robots if now < until else None

    async def verdict(self, url: str) -> Verdict:
        """Whether an address may be asked for, with the line that decides; its host's rules are asked for where need be."""
        host = host_key(url)
        robots = self.known(host, self._clock()) or await self.ask(host)
        return robots.verdict(url, self.agent)

    async def ask(self, host: str, *, from_public: bool = False, hear: Hear | None = None) -> Robots:
        """Remember the rules of a host as an earlier session saw them today, or fetch them; `hear` is told of each answer then.

        With `from_public` nothing private is asked; that it was not is no news of the host, and is forgotten.
        """
        now, recalled = self._clock(), self._recalled(host)
        answer = recalled or await self._follow(host, hear, from_public=from_public)
        if isinstance(answer, Failure):
            robots = Robots.unreachable(answer)
            if not from_public or answer.outcome is not Outcome.PRIVATE:
                soon = min(self._retry_after, PROBE_SECONDS) if answer.outcome is Outcome.NO_NETWORK else self._retry_after
                self._remember(host, robots, now + soon)
            return robots
        robots = rules_in(answer)
        since = min(now, recalled.at) if recalled else now
        self._remember(host, robots, since + (_A_DAY if _is_dependable(answer) else _SOON))
        return robots

    def _recalled(self, host: str) -> Response | None:
        answer = self._recall(host) if self._recall else None
        if answer is None or not _is_dependable(answer) or 300 <= answer.status < 400:
            return None
        return answer if self._clock() < answer.at + _A_DAY else None

    async def _follow(self, host: str, hear: Hear | None, *, from_public: bool) -> Response | Failure:
        """At least five redirects are followed; what lies behind more counts as not there."""
        url = host + "/robots.txt"
        for _ in range(MOST_RULES_HOPS):
            answer = await self._fetcher.get(url, from_public=from_public)
            if isinstance(answer, Failure):
                return answer if host_key(url) == host else _elsewhere(answer)
            if hear:
                hear(answer)
            from_public = from_public or _is_public(answer)
            if self._watch:
                self._watch(host, answer)
            if not 300 <= answer.status < 400:
                return answer
            url = location_of(answer)
            if not url:
                break
        return Response(url=url, at=self._clock(), status=404, reason="", headers=(), body=b"", content=b"")

    def _remember(self, host: str, robots: Robots, until: float) -> None:
        self._kept[host] = (until, robots)
        self._kept.move_to_end(host)
        while len(self._kept) > _MOST_HOSTS:
            self._kept.popitem(last=False)


def rules_in(answer: Response) -> Robots:
    """The rules that an answer to the request for a robots.txt gives."""
    robots = Robots.for_status(answer.status, answer.content)
    robots.public = _is_public(answer)
    return robots


def _is_public(answer: Response) -> bool:
    """Whether an answer came from a public address, or from behind a proxy, which comes to the same."""
    return not (answer.address and is_private(answer.address))


def _elsewhere(failure: Failure) -> Failure:
    """A failure at the end of a redirect, told of the host that redirects."""
    return msgspec.structs.replace(failure, cause=f"robots.txt leads to {host_of(failure.url)}: {failure.cause}")


def _is_dependable(answer: Response | Failure) -> bool:
    return isinstance(answer, Response) and answer.status < 500 and answer.status != 429
