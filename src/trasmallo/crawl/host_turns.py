"""Which lines are at work on a host, and how long one that comes to it has to wait for its turn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from trasmallo.config import CrawlConfig
from trasmallo.crawl.crawl_limits import HostLimits
from trasmallo.crawl.frontier import Lease
from trasmallo.crawl.host_rests import HostRests
from trasmallo.crawl.ip_politeness import IpPoliteness
from trasmallo.crawl.robots_rules import RobotsRules

_MOMENT = 0.05  # judgement: seconds after which it is looked again whether a host has a line to itself


class HostTurns:
    """The turns of lines at hosts; a host has one line, more only where the project says so and its rules do not object."""

    def __init__(
        self,
        config: CrawlConfig,
        robots: RobotsRules,
        *,
        rests: HostRests,
        machines: IpPoliteness,
        limits: HostLimits,
        clock: Callable[[], float],
    ) -> None:
        self._config, self._robots = config, robots
        self._rests, self._machines, self._limits = rests, machines, limits
        self._clock = clock
        self._lines: Counter[str] = Counter()

    def come(self, host: str) -> None:
        """A line begins with a host."""
        self._lines[host] += 1

    def leave(self, host: str) -> None:
        """A line is no longer at work on a host, and what it brought is safe."""
        self._lines[host] -= 1
        if not self._lines[host]:
            del self._lines[host]

    def wait(self, lease: Lease) -> tuple[float, bool]:
        """Seconds until a line's turn, 0 for now; and whether it may sleep so long, or has to give the host back.

        A single line sleeps, to keep the order; with several another host comes first.
        """
        wait = max(0.0, lease.due - self._clock(), self._machines.free_at(lease.host) - self._clock())
        if self._lines[lease.host] > 1 and self._wants_one_line(lease.host):
            return max(wait, self._config.delay, _MOMENT), False
        return wait, self._config.lines == 1

    def _wants_one_line(self, host: str) -> bool:
        """Whether a host is asked one address at a time, whatever `lines_per_host` allows."""
        robots = self._robots.known(host, self._clock())
        if robots is None or robots.failure is not None or robots.delay(self._robots.agent):
            return True
        return self._rests.is_troubled(host) or self._limits.active
