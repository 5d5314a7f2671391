"""A worker: the crawl of a share of the hosts, with its own frontier, connections and lines.

Rows, events and links of other workers go to the coordinator (`sender`). It ends when its input ends, so it never outlives the
coordinator; what was not settled by then is asked for again by the next session.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

import msgspec

from trasmallo.crawl.discover import Decode
from trasmallo.crawl.frontier import Write
from trasmallo.crawl.local_crawl import LocalCrawl, open_crawl
from trasmallo.crawl.storage import PageStorage
from trasmallo.crawl.workers.messages import (
    Allow,
    End,
    Found,
    Leave,
    Letter,
    Links,
    NewScope,
    Pause,
    Search,
    Settled,
    Start,
    State,
    decode_letter,
    unpack,
)
from trasmallo.crawl.workers.sender import Outbox
from trasmallo.events import Emit, Event, LineChanged
from trasmallo.processes import hear
from trasmallo.values.model import Target
from trasmallo.values.run_status import LineStatus

_HOSTS_TOLD = 50
_LINES_TOLD = 50
_Line = TypeVar("_Line", bound=LineStatus)


class Share:
    """Takes the hall's letters, and tells where this share of the crawl stands."""

    def __init__(self, crawl: LocalCrawl, outbox: Outbox, start: Start, tell: Callable[[Found], None]) -> None:
        self._crawl = crawl
        self._tell = tell
        self._outbox = outbox
        self._heard = 0
        self._asked = False
        self._hosts_due = True
        self._first_line = start.first_line
        self._lines_told = max(1, _LINES_TOLD // start.shares)
        self._over = False
        self._left = asyncio.Event()
        outbox.state = self.state
        if start.limited:
            crawl.crawler.most_pages = crawl.crawler.counts.obtained

    async def run(self) -> None:
        """Crawl to the end, then keep what others still find for us until all are over."""
        await self._crawl.run()
        self._over = True
        self._outbox.hasten()
        await self._left.wait()

    async def take(self, letter: Letter) -> None:
        """Do what the hall says; only then does it count as heard."""
        if isinstance(letter, Links):
            await self._crawl.frontier.add(self._wanted(unpack(letter.targets)))
            await self._crawl.frontier.control(Write())
            self._outbox.acknowledge(letter.number)
        elif isinstance(letter, Allow):
            self._crawl.crawler.most_pages = (self._crawl.crawler.most_pages or 0) + letter.pages
            self._asked = False
            self._outbox.hasten()
        elif isinstance(letter, NewScope):
            await self._crawl.change_scope(letter.exclude, letter.include)
        elif isinstance(letter, Pause):
            self._crawl.pause(paused=letter.paused)
        elif isinstance(letter, Search):
            self._tell(Found(letter.number, await self._crawl.search(letter.wanted)))
        elif isinstance(letter, End):
            self._outbox.open = False
            (self._crawl.crawler.stop if letter.at_once else self._crawl.crawler.close)()
        elif isinstance(letter, Settled):
            await self._outbox.settled(letter.number)
        elif isinstance(letter, Leave):
            self._left.set()
        self._heard += 1
        self._crawl.crawler.wake()

    def _wanted(self, targets: list[Target]) -> list[Target]:
        """What others sent, without what they found before they heard of another border."""
        scope = self._crawl.crawler.scope
        return [target for target in targets if not scope.drops(target.url)] if scope.changed else targets

    async def beat(self) -> None:
        """Once a second: write the journal, and show the hosts."""
        await self._crawl.sync()
        self._hosts_due = True
        self._outbox.hasten()

    async def state(self) -> State:
        """For a report that holds all there was to say; asks for pages and gives them back."""
        heard = self._heard  # before the queue is looked at, so that it holds all that these letters brought
        shown, self._hosts_due = self._hosts_due, False
        hosts = await self._crawl.hosts(_HOSTS_TOLD) if shown else None
        standing = await self._crawl.standing()
        idle = not standing.waiting
        wants, returned = self._quota(idle)
        return State(
            standing=standing,
            heard=heard,
            idle=idle,
            busy=self._crawl.crawler.busy,
            wants=wants,
            returned=returned,
            hosts=hosts,
            over=self._over,
            lines=self._lines() if shown else None,
        )

    def _lines(self) -> list[LineStatus]:
        return [_numbered(line, self._first_line) for line in self._crawl.lines(self._lines_told)]

    def _quota(self, idle: bool) -> tuple[bool, int]:
        crawler = self._crawl.crawler
        if crawler.most_pages is None:
            return False, 0
        left = crawler.most_pages - crawler.counts.obtained - crawler.busy
        if idle:
            crawler.most_pages -= left
            return False, left
        wants = left <= len(crawler.lines) and not self._asked
        self._asked |= wants
        return wants, 0


Send = Callable[[msgspec.Struct], None]


async def crawl_share(
    start: Start, letters: asyncio.StreamReader, send: Send, storage: PageStorage, outbox: Outbox, decode: Decode
) -> None:
    """Crawl until the coordinator says that it is over, or is gone."""
    async with open_crawl(start.plan, storage, decode, _shown(outbox, start), outbox) as crawl:
        share = Share(crawl, outbox, start, send)
        crawling = asyncio.create_task(share.run())
        # The seeds are in the frontier before this report is due, so nobody takes us for idle.
        outbox.hasten()
        others = [asyncio.create_task(each) for each in (_listen(share, letters), _beat(share), outbox.run())]
        try:
            done, _ = await asyncio.wait([crawling, *others], return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
            await outbox.flush()
        finally:
            for task in (crawling, *others):
                task.cancel()
            await asyncio.gather(crawling, *others, return_exceptions=True)


def _shown(outbox: Outbox, start: Start) -> Emit:
    """Events as the hall wants them: lines numbered over all shares, or not told at all when they are too many."""

    def emit(event: Event) -> None:
        if not isinstance(event, LineChanged):
            outbox.emit(event)
        elif start.shows_lines:
            outbox.emit(_numbered(event, start.first_line))

    return emit


def _numbered(line: _Line, first: int) -> _Line:
    """A line as the hall numbers it, over all shares."""
    return msgspec.structs.replace(line, line=line.line + first)


async def _listen(share: Share, letters: asyncio.StreamReader) -> None:
    """Take letters until the hall is gone."""
    with suppress(asyncio.IncompleteReadError, OSError):
        while True:
            await share.take(decode_letter(await hear(letters)))


async def _beat(share: Share) -> None:
    while True:
        await asyncio.sleep(1.0)
        await share.beat()
