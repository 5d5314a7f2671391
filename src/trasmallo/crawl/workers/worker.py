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
    Dismiss,
    End,
    Learned,
    Links,
    Message,
    NewScope,
    Pause,
    SearchReply,
    SearchRequest,
    Settled,
    Start,
    WorkerState,
    decode_message,
    unpack,
)
from trasmallo.crawl.workers.sender import Sender
from trasmallo.events import Emit, Event, LineChanged
from trasmallo.processes import hear
from trasmallo.values.model import Target
from trasmallo.values.run_status import LineStatus

_HOSTS_TOLD = 50  # judgement: hosts that a page shows
_LINES_TOLD = 50  # judgement: lines that a page shows, of all workers together
_Line = TypeVar("_Line", bound=LineStatus)


class CrawlWorker:
    """Takes the coordinator's messages, and tells where this worker of the crawl stands."""

    def __init__(self, crawl: LocalCrawl, sender: Sender, start: Start, tell: Callable[[SearchReply], None]) -> None:
        self._crawl = crawl
        self._tell = tell
        self._sender = sender
        self._taken = 0
        self._asked = False
        self._hosts_due = True
        self._first_line = start.first_line
        self._lines_told = max(1, _LINES_TOLD // start.workers)
        self._over = False
        self._left = asyncio.Event()
        sender.state = self.state
        if start.limited:
            crawl.crawler.most_pages = crawl.crawler.counts.obtained

    async def run(self) -> None:
        """Crawl to the end, then keep what others still find for us until all are over."""
        await self._crawl.run()
        self._over = self._hosts_due = True
        self._sender.hasten()
        await self._left.wait()

    async def take(self, message: Message) -> None:
        """Do what the coordinator says; only then does it count as taken."""
        if isinstance(message, Links):
            await self._crawl.frontier.add(self._wanted(unpack(message.targets)))
            await self._crawl.frontier.control(Write())
            self._sender.acknowledge(message.number)
        elif isinstance(message, Allow):
            self._crawl.crawler.most_pages = (self._crawl.crawler.most_pages or 0) + message.pages
            self._asked = False
            self._sender.hasten()
        elif isinstance(message, NewScope):
            await self._crawl.change_scope(message.exclude, message.include)
        elif isinstance(message, Pause):
            self._crawl.pause(paused=message.paused)
        elif isinstance(message, Learned):
            self._crawl.hear(message.told)
        elif isinstance(message, SearchRequest):
            self._tell(SearchReply(message.number, await self._crawl.search(message.question)))
        elif isinstance(message, End):
            self._sender.open = False
            (self._crawl.crawler.stop if message.at_once else self._crawl.crawler.close)()
        elif isinstance(message, Settled):
            await self._sender.settled(message.number)
        elif isinstance(message, Dismiss):
            self._left.set()
        self._taken += 1
        self._crawl.crawler.wake()

    def _wanted(self, targets: list[Target]) -> list[Target]:
        """What others sent, without what they found before they taken of another border."""
        scope = self._crawl.crawler.scope
        return [target for target in targets if not scope.drops(target.url)] if scope.changed else targets

    async def beat(self) -> None:
        """Once a second: write the journal, tell what was learned, and show the hosts."""
        await self._crawl.sync()
        self._sender.teach(self._crawl.tell())
        self._hosts_due = True
        self._sender.hasten()

    async def state(self) -> WorkerState:
        """For a report that holds all there was to say; asks for pages and gives them back."""
        taken = self._taken  # before the queue is looked at, so that it holds all that these messages brought
        shown, self._hosts_due = self._hosts_due, False
        hosts = await self._crawl.hosts(_HOSTS_TOLD) if shown else None
        counts = await self._crawl.counts()
        idle, ended = not counts.waiting, self._crawl.ended()
        wants, returned = self._quota(idle or bool(ended))
        return WorkerState(
            counts=counts,
            taken=taken,
            idle=idle,
            busy=self._crawl.crawler.busy,
            wants=wants,
            returned=returned,
            hosts=hosts,
            over=self._over,
            lines=self._lines() if shown else None,
            offline=self._crawl.offline(),
            ended=ended,
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


async def run_worker(
    start: Start, messages: asyncio.StreamReader, send: Send, storage: PageStorage, sender: Sender, decode: Decode
) -> None:
    """Crawl until the coordinator says that it is over, or is gone."""
    async with open_crawl(start.plan, storage, decode, _shown(sender, start), sender) as crawl:
        worker = CrawlWorker(crawl, sender, start, send)
        crawling = asyncio.create_task(worker.run())
        # The seeds are in the frontier before this report is due, so nobody takes us for idle.
        sender.hasten()
        others = [asyncio.create_task(each) for each in (_listen(worker, messages), _beat(worker), sender.run())]
        try:
            done, _ = await asyncio.wait([crawling, *others], return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
            await sender.flush()
        finally:
            for task in (crawling, *others):
                task.cancel()
            await asyncio.gather(crawling, *others, return_exceptions=True)


def _shown(sender: Sender, start: Start) -> Emit:
    """Events as the coordinator wants them: lines numbered over all workers, or not told at all when they are too many."""

    def emit(event: Event) -> None:
        if not isinstance(event, LineChanged):
            sender.emit(event)
        elif start.shows_lines:
            sender.emit(_numbered(event, start.first_line))

    return emit


def _numbered(line: _Line, first: int) -> _Line:
    """A line as the coordinator numbers it, over all workers."""
    return msgspec.structs.replace(line, line=line.line + first)


async def _listen(worker: CrawlWorker, messages: asyncio.StreamReader) -> None:
    """Take messages until the coordinator is gone."""
    with suppress(asyncio.IncompleteReadError, OSError):
        while True:
            await worker.take(decode_message(await hear(messages)))


async def _beat(worker: CrawlWorker) -> None:
    while True:
        await asyncio.sleep(1.0)
        await worker.beat()
