"""What a line asks of a host: one request at a time, after the host's and its machine's rest, shown while it lasts.

Whoever learns from answers hears of each: the watch over the network, and what is known of machines behind hosts.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from types import MappingProxyType

import msgspec

from trasmallo.crawl.fetching import Fetching
from trasmallo.crawl.frontier import Lease
from trasmallo.crawl.head_requests import HeadRequests, Said, unchanged_by_head
from trasmallo.crawl.held_leases import HeldLeases
from trasmallo.crawl.host_rests import HostRests
from trasmallo.crawl.intake import Arrival
from trasmallo.crawl.ip_politeness import IpPoliteness
from trasmallo.crawl.live import LineActivity
from trasmallo.crawl.network_watch import NetworkWatch
from trasmallo.crawl.robots import Robots
from trasmallo.crawl.robots_rules import RobotsRules
from trasmallo.values.model import Failure, Fetch, Response, Target
from trasmallo.values.urls import host_key

NO_CONDITIONS: Mapping[str, str] = MappingProxyType({})
Show = Callable[[LineActivity, str, str], None]


class Asker:
    """All requests of a crawl for one line after the other; `rests` and `machines` say how long each host is left alone."""

    def __init__(
        self,
        fetcher: Fetching,
        robots: RobotsRules,
        *,
        rests: HostRests,
        machines: IpPoliteness,
        network: NetworkWatch,
        held: HeldLeases,
        show: Show,
        clock: Callable[[], float] = time.time,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._fetcher, self._robots = fetcher, robots
        self._rests, self._machines = rests, machines
        self._network, self._held, self._show = network, held, show
        self._clock, self._sleep = clock, sleep
        self._heads = HeadRequests()

    async def rules(self, lease: Lease, line: LineActivity) -> Robots:
        """The host's robots.txt, asked for now."""
        self._show(line, "downloading", lease.host + "/robots.txt")
        self._machines.ask(lease.host, self._clock())
        public = all(target.from_public for target in lease.targets)
        line.asked = True
        return await self._robots.ask(lease.host, from_public=public, hear=self._network.hear)

    async def page(
        self, target: Target, line: LineActivity, method: str = "GET", headers: Mapping[str, str] = NO_CONDITIONS
    ) -> Response | Failure:
        """What a server says of an address, or why it said nothing."""
        self._held.need(line)
        line.asked = True
        host = host_key(target.url)
        self._machines.ask(host, self._clock())
        self._show(line, "downloading", target.url)
        asked, mark, _ = target.url.partition("#")
        answer = await self._fetcher.get(
            asked, method=method, headers=headers, progress=line.progress, from_public=target.from_public
        )
        if mark:  # a page behind a fragment, by rule of its site
            answer = msgspec.structs.replace(answer, url=target.url)
        line.state = "keeping"
        if isinstance(answer, Response):
            self._network.hear(answer)
            self._machines.learn(host, answer.address, self._clock())
        return answer

    async def again(self, target: Target, known: Fetch | None, line: LineActivity, attempts: int) -> Arrival:
        """What a server says of a page of which something may be known: asked by HEAD first where that saves a download."""
        looked = known is not None and self._heads.is_worth(known, self._clock())
        if looked and known is not None and (seen := await self._look(target, known, line)) is not None:
            return msgspec.structs.replace(seen, attempts=attempts)
        conditions = self._heads.conditions(known, self._clock())
        answer = await self.page(target, line, headers=conditions)
        if conditions or looked:  # whoever is asked for a page whole says nothing of conditions
            self._heads.learn(known, answer, looked=looked)
        return Arrival(target, answer, line, attempts)

    async def _look(self, target: Target, known: Fetch, line: LineActivity) -> Arrival | None:
        """Ask by HEAD; None when the page must be asked for, before which the host rests."""
        answer = await self.page(target, line, method="HEAD")
        said = self._heads.read(known, answer)
        if said is not Said.ASK:
            return Arrival(target, answer, line, judged=unchanged_by_head(known) if said is Said.SAME else None)
        await self.rest(target.url, line)
        return None

    async def rest(self, url: str, line: LineActivity) -> None:
        """Wait as long as a host rests between two requests."""
        host = host_key(url)
        self._show(line, "waiting", url)
        rest = self._rests.after_answer(self._robots.known(host, self._clock()))
        await self._sleep(max(rest, self._machines.free_at(host) - self._clock()))
