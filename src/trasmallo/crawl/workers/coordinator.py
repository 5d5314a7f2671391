"""The hall's part in a crawl of several processes: it writes their rows, hands on their links, and knows when all is done.

It is a star: shares speak only to the hall. Links on the way are kept here until their owner has them in its journal, and are
handed over again when that process was lost; then the report that brought them is settled.

The crawl is over when every share is idle and has heard all that was said to it: an idle share becomes active only by a letter,
and what it sent before its last report has come before that report, so nothing can be on the way.
The limit of pages is exact: a share asks only for pages that it was allowed, and gives back what it cannot use.
"""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import Callable, Sequence
from contextlib import suppress

import msgspec

from trasmallo.config import CrawlConfig
from trasmallo.crawl.crawl_limits import limit_reached
from trasmallo.crawl.local_crawl import Standing
from trasmallo.crawl.queue_search import QueueAnswer, QueueQuestion
from trasmallo.crawl.workers.messages import (
    Allow,
    End,
    Found,
    Leave,
    Letter,
    Links,
    NewScope,
    Pause,
    Report,
    Search,
    Settled,
    State,
)
from trasmallo.events import Emit, Waiting
from trasmallo.values.model import Fetch
from trasmallo.values.run_status import HostStatus, LineStatus

_LARGEST_ALLOWANCE = 256
_SECONDS_TO_SEARCH = 2.0

Deliver = Callable[[Letter], None]


class _Parcel(msgspec.Struct, frozen=True):
    """Links on the way: whose report brought them, and which life of that share's process."""

    origin: int
    life: int
    report: int
    targets: msgspec.Raw


class _Place(msgspec.Struct):
    """A share as the hall sees it. `awaited` has the number of parcels that each of its reports still waits for."""

    deliver: Deliver | None = None
    life: int = 0
    said: int = 0
    state: State | None = None
    allowed: int = 0
    wants: bool = False
    received_before: int = 0
    hosts: list[HostStatus] = []
    lines: list[LineStatus] = []
    inbox: dict[int, _Parcel] = {}
    awaited: dict[int, int] = {}

    @property
    def standing(self) -> Standing:
        """Its last counts, none before the first report."""
        return self.state.standing if self.state else Standing()

    @property
    def at_rest(self) -> bool:
        """Whether it was idle after all that was said to it."""
        return self.state is not None and self.state.idle and self.state.heard == self.said

    def say(self, letter: Letter) -> None:
        """Deliver a letter, if somebody is there."""
        if self.deliver is not None:
            self.said += 1
            self.deliver(letter)


class _Search:
    """A question to all shares: how many have not answered, and what the others said."""

    def __init__(self, left: int, done: asyncio.Event) -> None:
        self.left = left
        self.done = done
        self.answers: list[QueueAnswer] = []

    def take(self, seen: QueueAnswer) -> None:
        self.answers.append(seen)
        self.left -= 1
        if not self.left:
            self.done.set()


class Post:
    """Takes the reports of all shares. `keep` writes rows before their events are told and the report is settled.

    `received` are the bytes of earlier sittings; `limit` is the one that ended the crawl, in words.
    """

    def __init__(
        self,
        shares: int,
        config: CrawlConfig,
        keep: Callable[[Sequence[Fetch]], None],
        emit: Emit,
        clock: Callable[[], float] = time.monotonic,
        received: int = 0,
        seconds_to_search: float = _SECONDS_TO_SEARCH,
    ) -> None:
        self.limit = ""
        self._seconds_to_search = seconds_to_search
        self._received_before = received
        self._places = [_Place() for _ in range(shares)]
        self._config = config
        self._keep = keep
        self._emit = emit
        self._clock = clock
        self._began = clock()
        self._numbers = itertools.count(1)
        self._scope: NewScope | None = None
        self._pause: Pause | None = None
        self._searches: dict[int, _Search] = {}
        self._end: End | None = None
        self._dismissed = False

    def join(self, share: int, deliver: Deliver) -> None:
        """A process for this share has begun; links that the one before it may have lost are handed over again."""
        place = self._places[share]
        place.received_before += place.standing.received
        place.deliver, place.life, place.said, place.state = deliver, place.life + 1, 0, None
        place.wants, place.awaited = False, {}
        if self._scope is not None:
            place.say(self._scope)
        if self._pause is not None:
            place.say(self._pause)
        for number, parcel in place.inbox.items():
            place.say(Links(number, parcel.targets))
        if self._end is not None:
            place.say(self._end)
        if self._dismissed:
            place.say(Leave())

    def leave(self, share: int) -> None:
        """Nobody listens for this share any more."""
        self._places[share].deliver = None

    def take(self, share: int, report: Report) -> None:
        """Do all that a report asks for."""
        place = self._places[share]
        if report.rows:
            self._keep(report.rows)
        self._tell(share, report)
        for number in report.safe:
            self._arrived(place.inbox.pop(number, None))
        if report.number:
            self._send_on(share, report)
        self._note(place, report.state)
        self._allow()
        self.look()
        if all(other.state is not None and other.state.over for other in self._places):
            self._dismiss()

    def look(self) -> None:
        """End the crawl when all shares are at rest, or at a limit."""
        if self._end is not None:
            return
        self.limit = self._limit_reached()
        if self.limit or all(place.at_rest for place in self._places):
            self.end(at_once=False)

    def end(self, *, at_once: bool) -> None:
        """Have all shares end."""
        if self._end is None or (at_once and not self._end.at_once):
            self._end = End(at_once)
            for place in self._places:
                place.say(self._end)

    def change_scope(self, exclude: Sequence[str], include: Sequence[str]) -> None:
        """Have all shares keep to other exclusions and inclusions, those too that begin later."""
        self._scope = NewScope(tuple(exclude), tuple(include))
        for place in self._places:
            place.say(self._scope)

    def pause(self, *, paused: bool) -> None:
        """Have all shares pause or go on, those too that begin later."""
        self._pause = Pause(paused)
        for place in self._places:
            place.say(self._pause)

    async def search(self, wanted: QueueQuestion) -> QueueAnswer:
        """What waits in the queues of all shares that answer within a moment."""
        there = [place for place in self._places if place.deliver is not None]
        number = next(self._numbers)
        asked = self._searches[number] = _Search(len(there), asyncio.Event())
        for place in there:
            place.say(Search(number, wanted))
        try:
            with suppress(TimeoutError):
                async with asyncio.timeout(self._seconds_to_search if there else 0):
                    await asked.done.wait()
        finally:
            del self._searches[number]
        seen = sum(asked.answers, QueueAnswer())
        return msgspec.structs.replace(seen, found=seen.found[: wanted.limit], complete=seen.complete and not asked.left)

    def found(self, answer: Found) -> None:
        """Take what a share found; nobody may wait for it any more."""
        asked = self._searches.get(answer.number)
        if asked is not None:
            asked.take(answer.seen)

    def _dismiss(self) -> None:
        """Let all go: whoever went before might be the owner of links that another one still waits to have kept."""
        if not self._dismissed:
            self._dismissed = True
            for place in self._places:
                place.say(Leave())

    def standing(self) -> Standing:
        """The sum of all shares."""
        standings = [place.standing for place in self._places]
        sums = Standing(*(sum(column) for column in zip(*map(msgspec.structs.astuple, standings), strict=True)))
        before = self._received_before + sum(place.received_before for place in self._places)
        return msgspec.structs.replace(sums, received=sums.received + before)

    def lines(self, limit: int) -> list[LineStatus]:
        """The lines of all shares, as far as they tell of them."""
        return sorted((line for place in self._places for line in place.lines), key=lambda line: line.line)[:limit]

    def hosts(self, limit: int) -> list[HostStatus]:
        """Hosts at work in all shares, then those with the longest queues."""
        hosts = [host for place in self._places for host in place.hosts]
        return sorted(hosts, key=lambda host: (not host.leased, -host.queued))[:limit]

    def _tell(self, share: int, report: Report) -> None:
        others = [place.state for place in self._places if place is not self._places[share] and place.state]
        for event in report.events:
            # One share that waits is no news while another downloads.
            if not isinstance(event, Waiting) or not any(state.busy for state in others):
                self._emit(event)

    def _send_on(self, share: int, report: Report) -> None:
        place = self._places[share]
        for owner, targets in report.links.items():
            number = next(self._numbers)
            self._places[owner].inbox[number] = _Parcel(share, place.life, report.number, targets)
            self._places[owner].say(Links(number, targets))
        if report.links:
            place.awaited[report.number] = len(report.links)
        else:
            place.say(Settled(report.number))

    def _arrived(self, parcel: _Parcel | None) -> None:
        """One parcel less that a report waits for, if the process that sent it still lives."""
        if parcel is None or parcel.life != self._places[parcel.origin].life:
            return
        origin = self._places[parcel.origin]
        origin.awaited[parcel.report] -= 1
        if not origin.awaited[parcel.report]:
            del origin.awaited[parcel.report]
            origin.say(Settled(parcel.report))

    def _note(self, place: _Place, state: State) -> None:
        if place.state is None:
            place.allowed = state.standing.obtained
        place.state = state
        place.allowed -= state.returned
        place.wants |= state.wants
        if state.hosts is not None:
            place.hosts = state.hosts
        if state.lines is not None:
            place.lines = state.lines

    def _allow(self) -> None:
        """Give pages to those who want some: large portions first, small ones when few are left."""
        if not self._config.pages or any(place.state is None for place in self._places):
            return
        for place in self._places:
            left = self._config.pages - sum(other.allowed for other in self._places)
            if place.wants and left > 0:
                portion = max(1, min(left // (2 * len(self._places)), _LARGEST_ALLOWANCE))
                place.wants = False
                place.allowed += portion
                place.say(Allow(portion))

    def _limit_reached(self) -> str:
        config, standing = self._config, self.standing()
        seconds = self._clock() - self._began
        return limit_reached(config, config.pages or None, standing.obtained, standing.received, seconds)
