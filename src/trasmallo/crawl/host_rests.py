"""How long each host is left alone: for its rules, its machine, what it asked for, and its troubles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from trasmallo.config import CrawlConfig
from trasmallo.crawl.ip_politeness import IpPoliteness
from trasmallo.crawl.live import Manners
from trasmallo.crawl.outcomes import wait_asked_for
from trasmallo.crawl.robots import Robots
from trasmallo.crawl.robots_rules import RobotsRules
from trasmallo.values.model import Failure, Outcome, Response
from trasmallo.values.urls import host_key

_LONGEST_BACKOFF = 600.0  # judgement: seconds; a host in trouble is left alone for ten minutes
_TOGETHER = 1.0  # judgement: seconds between answers to lines that asked a host at the same time
_MOST_BLOCKS = 5
"""Challenges, or 429, in a row after which a host is asked no more in this session. Judgement: with twice the rest after each,
half an hour at the usual `retry_after`; and ten thousand addresses of such a host would take weeks."""


class HostRests:
    """What a crawler knows about when to ask each host; `address_rests` has the machines behind them."""

    def __init__(
        self, config: CrawlConfig, robots: RobotsRules, address_rests: IpPoliteness, clock: Callable[[], float]
    ) -> None:
        self._config = config
        self._robots = robots
        self._address_rests = address_rests
        self._clock = clock
        self._troubles: Counter[str] = Counter()
        self._blocks: Counter[str] = Counter()
        self._blocked_at: dict[str, float] = {}
        self._held_until: dict[str, float] = {}
        self._again_at: dict[str, float] = {}

    def after_answer(self, robots: Robots | None) -> float:
        """Seconds between an answer and the next request, as the project and the host's rules, if known, want them."""
        asked = (robots.delay(self._robots.agent) if robots else None) or 0.0
        return max(self._config.delay, min(asked, self._config.longest_delay))

    def due(self, host: str, rest: float) -> float:
        """When a host may be asked again: in trouble it rests twice as long after each failure, up to ten minutes."""
        troubles = self._troubles.get(host, 0)
        longer = rest if not troubles else min(_LONGEST_BACKOFF, max(rest, 0.5) * 2 ** min(troubles, 12))
        return self.not_before(host, self._clock() + longer)

    def not_before(self, host: str, due: float) -> float:
        """A time at which a host may be asked, later where it asked for that."""
        return max(due, self._held_until.get(host, 0.0))

    def retry_at(self, url: str, answer: Response | Failure, outcome: Outcome, attempts: int) -> float:
        """When to try again, 0 for never: later each time, and not before the server asked us to, nor the rest of its host."""
        asked = wait_asked_for(answer, outcome, answer.at)
        if asked is None:
            return 0.0
        host = host_key(url)
        if outcome is Outcome.CHALLENGE:
            asked = max(asked, self._config.retry_after * float(2 ** min(self._blocks[host], _MOST_BLOCKS)))
        if asked:
            self._held_until[host] = self._clock() + asked
        if attempts >= self._config.retries:
            return 0.0
        self._again_at[host] = self._clock() + max(asked, self._config.retry_after * float(2**attempts))
        return self._again_at[host]

    def count_trouble(self, host: str) -> None:
        """A host failed once more."""
        self._troubles[host] += 1

    def count_block(self, host: str) -> bool:
        """A host asked to be left alone; whether it did so for the first time since it gave anything.

        Answers to requests that were under way together count once.
        """
        if self._clock() - self._blocked_at.get(host, 0.0) < _TOGETHER:
            return False
        self._blocked_at[host] = self._clock()
        self._blocks[host] += 1
        return self._blocks[host] == 1

    def leaves_alone(self, host: str) -> str:
        """Why a host is asked no more in this session, "" when it may be asked."""
        blocks = self._blocks.get(host, 0)
        return f"this host asked {blocks} times in a row to be left alone" if blocks >= _MOST_BLOCKS else ""

    def end_trouble(self, host: str) -> None:
        """A host gave what it was asked for."""
        self._troubles.pop(host, None)
        if self._blocks.pop(host, None):
            self._blocked_at.pop(host, None)

    def standing(self, host: str) -> tuple[int, int]:
        """How often a host failed and asked to be left alone in a row, for the worker that holds it next."""
        return self._troubles.get(host, 0), self._blocks.get(host, 0)

    def restore(self, host: str, troubles: int, blocks: int) -> None:
        """Take over how a host stood with the worker that held it before."""
        for counter, number in ((self._troubles, troubles), (self._blocks, blocks)):
            counter.pop(host, None)
            if number:
                counter[host] = number
        if blocks:
            self._blocked_at[host] = self._clock()

    def is_troubled(self, host: str) -> bool:
        """Whether the last request to a host failed."""
        return bool(self._troubles.get(host))

    def manners(self, host: str, now: float, *, at_work: bool, free: bool) -> Manners:
        """What is known of a host, for who looks at the crawl."""
        robots = self._robots.known(host, now)
        return Manners(
            delay=self._config.delay,
            rest=self.after_answer(robots),
            troubles=self._troubles.get(host, 0),
            blocks=self._blocks.get(host, 0),
            held_until=self._held_until.get(host, 0.0),
            machine_until=self._address_rests.free_at(host),
            again_at=self._again_at.get(host, 0.0),
            rules_known=robots is not None,
            at_work=at_work,
            free=free,
        )
