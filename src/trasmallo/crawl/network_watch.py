"""Whether a crawl has a network: without one it waits, or ends with its queue as it was, and blames no server."""

from __future__ import annotations

import sys
from collections.abc import Callable

from trasmallo.config import CrawlConfig
from trasmallo.crawl.fetch import is_private
from trasmallo.events import Announced, Emit, Waiting
from trasmallo.values.model import Failure, Outcome, Response

PROBE_SECONDS = 5.0
"""Seconds between two looks whether the network is back. Judgement: a person who plugs it in sees that it was noticed."""

ENOUGH_HOSTS = 16
"""Hosts in vain after which no more are tried. Judgement: where no name server answers, each takes as long as a connection."""

NONE = "there is no network"
LOST = "the network was lost"


class NetworkWatch:
    """What the answers of one session tell of the network.

    A crawl that had a network waits `patience` seconds for it. One that never heard anybody gives up when so many hosts are
    `enough`, or nobody else is to be asked; with 0 it never does. Where only servers of private networks were heard, the public
    ones fail as those do that are dead.
    """

    def __init__(self, emit: Emit, clock: Callable[[], float], *, patience: float, enough: int) -> None:
        self.given_up = ""
        self._probe_at = 0.0
        self._emit = emit
        self._clock = clock
        self._patience = patience
        self._enough = enough
        self._heard_private = self._heard_public = False
        self._lost_at = 0.0
        self._in_vain: set[str] = set()

    @property
    def is_lost(self) -> bool:
        """Whether one line at a time looks if the network is back, and all others wait."""
        return bool(self._lost_at) and (self._heard_public or (self._is_silent and self._has_enough))

    @property
    def not_before(self) -> float:
        """When the network is looked for again, 0 when it is not lost."""
        return self._probe_at if self.is_lost else 0.0

    @property
    def _is_silent(self) -> bool:
        return not (self._heard_public or self._heard_private)

    @property
    def _has_enough(self) -> bool:
        return len(self._in_vain) >= self._enough

    def hear(self, answer: Response) -> None:
        """Somebody answered; a server of a private network tells nothing of the public one."""
        if answer.address and is_private(answer.address):
            self._heard_private = True
            return
        if self._lost_at and self._heard_public:
            self._emit(Announced(message="the network is back, the crawl goes on"))
        self._heard_public = True
        self._lost_at, self._probe_at, self.given_up = 0.0, 0.0, ""
        self._in_vain.clear()

    def is_to_blame(self, host: str, failure: Failure) -> bool:
        """Whether a failure tells of the network only: then its address goes back to the queue as it was."""
        if failure.outcome is not Outcome.NO_NETWORK or not (self._heard_public or (self._is_silent and self._enough)):
            return False
        now = self._clock()
        if not self._lost_at:
            self._lost_at = now
            if self._heard_public:
                cause = f"{LOST}, it is looked for again every {PROBE_SECONDS:g} s: {failure.cause}"
                self._emit(Waiting(cause=cause, until=now + self._patience))
        if self._is_silent:
            self._in_vain.add(host)
        self._probe_at = now + PROBE_SECONDS
        return True

    def give_up(self, *, nobody_due: bool) -> bool:
        """Whether to ask nobody else, when no line is at work: `given_up` says why."""
        if not self._lost_at:
            return False
        if self._is_silent and (nobody_due or self._has_enough):
            self.given_up = NONE
        elif self._heard_public and self._clock() - self._lost_at >= self._patience:
            self.given_up = LOST
        return bool(self.given_up)


def watch_network(config: CrawlConfig, emit: Emit, clock: Callable[[], float], *, private: bool) -> NetworkWatch:
    """The watch of a crawl: it waits as long as one address would be tried again.

    Where private servers may be asked, these are tried before anybody gives up. Asked in order, the first address waits, and
    all others behind it.
    """
    patience = config.retry_after * (2**config.retries - 1)
    enough = sys.maxsize if private else ENOUGH_HOSTS
    if config.lines == 1:
        enough = 0 if private else 1
    return NetworkWatch(emit, clock, patience=patience, enough=enough)
