"""A process that crawls a share of the hosts: its own frontier, archive files, connections and lines.

Started as `python -m trasmallo.crawl.workers.worker`; told over standard input, reports over standard output. Rows, events
and links of other shares go to the hall (`outbox`). It ends when its input ends, so it never outlives the hall; what was not
settled by then is asked for again by the next sitting.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import msgspec

from trasmallo.crawl.local_crawl import LocalCrawl, open_crawl
from trasmallo.crawl.queue_search import search
from trasmallo.crawl.workers.messages import (
    Allow,
    End,
    Ended,
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
from trasmallo.pipeline.keeper import Keeper, find_orphans
from trasmallo.pipeline.reading.messages import Trouble, encode
from trasmallo.processes import hear
from trasmallo.store.archive import Archive
from trasmallo.store.catalog import Catalog
from trasmallo.values.errors import ProjectBusy, StoreError, TrasmalloError, disk_errors
from trasmallo.values.model import Fetch, Target

_HOSTS_TOLD = 50
_LINES_TOLD = 50
_DIGESTS = 20_000
"""Payloads stored lately that a copy is recognised by; about 600 bytes each."""

_PATIENCE = 20.0
"""Seconds that a process whose hall was killed may take to let go of its files."""


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

    def take(self, letter: Letter) -> None:
        """Do what the hall says."""
        self._heard += 1
        if isinstance(letter, Links):
            self._crawl.frontier.add(self._wanted(unpack(letter.targets)))
            self._crawl.frontier.write()
            self._outbox.acknowledge(letter.number)
        elif isinstance(letter, Allow):
            self._crawl.crawler.most_pages = (self._crawl.crawler.most_pages or 0) + letter.pages
            self._asked = False
            self._outbox.hasten()
        elif isinstance(letter, NewScope):
            self._crawl.change_scope(letter.exclude, letter.include)
        elif isinstance(letter, Pause):
            self._crawl.pause(paused=letter.paused)
        elif isinstance(letter, Search):
            self._tell(Found(letter.number, search(self._crawl.frontier, letter.wanted)))
        elif isinstance(letter, End):
            self._outbox.open = False
            (self._crawl.crawler.stop if letter.at_once else self._crawl.crawler.close)()
        elif isinstance(letter, Settled):
            self._outbox.settled(letter.number)
        elif isinstance(letter, Leave):
            self._left.set()
        self._crawl.crawler.wake()

    def _wanted(self, targets: list[Target]) -> list[Target]:
        """What others sent, without what they found before they heard of another border."""
        scope = self._crawl.crawler.scope
        return [target for target in targets if not scope.drops(target.url)] if scope.changed else targets

    def beat(self) -> None:
        """Once a second: write the journal, and show the hosts."""
        self._crawl.sync()
        self._hosts_due = True
        self._outbox.hasten()

    def state(self) -> State:
        """For a report that holds all there was to say; asks for pages and gives them back."""
        standing = self._crawl.standing()
        idle = not standing.waiting
        hosts, lines = (self._crawl.hosts(_HOSTS_TOLD), self._lines()) if self._hosts_due else (None, None)
        self._hosts_due = False
        wants, returned = self._quota(idle)
        return State(standing, self._heard, idle, self._crawl.crawler.busy, wants, returned, hosts, self._over, lines)

    def _lines(self) -> list[LineChanged]:
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


class ShareRows:
    """The rows of a share: new ones go to the hall, earlier ones are remembered or read in the catalog as it was before."""

    def __init__(self, put: Callable[[Fetch], None], catalog: Catalog | None) -> None:
        self._put = put
        self._catalog = catalog
        self._stored: dict[str, Fetch] = {}

    def put_many(self, fetches: Sequence[Fetch], _run: str) -> None:
        """Send rows to the hall, which is the catalog's only writer."""
        for fetch in fetches:
            self._remember(fetch)
            self._put(fetch)

    def _remember(self, fetch: Fetch) -> None:
        if fetch.locator is not None and fetch.digest not in self._stored:
            if len(self._stored) >= _DIGESTS:
                del self._stored[next(iter(self._stored))]
            self._stored[fetch.digest] = fetch

    def versions(self, url: str) -> Iterator[Fetch]:
        """Rows of a URL from before this sitting, newest first."""
        if self._catalog is not None:
            # The writer may have removed files under us; a version that is not found costs one more download.
            with suppress(StoreError):
                yield from self._catalog.versions(url)

    def of_run(self, run: str) -> Iterator[Fetch]:
        """Rows of a run from before this sitting."""
        return iter(()) if self._catalog is None else self._catalog.of_run(run)

    def with_digest(self, digest: str) -> Fetch | None:
        """A stored payload: of this share lately, or of any before this sitting."""
        if digest in self._stored or self._catalog is None:
            return self._stored.get(digest)
        try:
            return self._catalog.with_digest(digest)
        except StoreError:
            return None


async def crawl_share(start: Start, letters: asyncio.StreamReader, send: Callable[[msgspec.Struct], None]) -> None:
    """Crawl until the hall says that it is over, or is gone."""
    with ExitStack() as stack:
        archive, catalog = _stores(start, stack)
        outbox = Outbox(start.share, start.shares, send, asyncio.get_running_loop().call_later)
        rows = ShareRows(outbox.put, catalog)
        keeper = Keeper(archive, rows, start.run, lambda _fetch: None, start.plan.began)
        if catalog is not None:
            keeper.adopt(find_orphans(archive, catalog))
        async with open_crawl(start.plan, keeper, _shown(outbox, start), outbox) as crawl:
            share = Share(crawl, outbox, start, send)
            crawling = asyncio.create_task(share.run())
            # The seeds are in the frontier before this report is due, so nobody takes us for idle.
            outbox.hasten()
            others = [asyncio.create_task(_listen(share, letters)), asyncio.create_task(_beat(share))]
            try:
                done, _ = await asyncio.wait([crawling, *others], return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    task.result()
                outbox.flush()
            finally:
                for task in (crawling, *others):
                    task.cancel()
                await asyncio.gather(crawling, *others, return_exceptions=True)
    send(Ended())


def _stores(start: Start, stack: ExitStack) -> tuple[Archive, Catalog | None]:
    """The archive's files of this share, held by nobody else, and the catalog of earlier sittings if there is one."""
    folder = Path(start.archive)
    prefix = f"trasmallo-{start.share + 1}"
    stack.enter_context(_held(folder / f".{prefix}.lock"))
    archive = stack.enter_context(
        Archive(folder, software=start.plan.software, roll_at=start.roll_at, prefix=prefix),
    )
    if not start.catalog:
        return archive, None
    return archive, stack.enter_context(Catalog(Path(start.catalog), read_only=True))


@contextmanager
def _held(path: Path) -> Iterator[None]:
    """Hold the files of a share; the process of a hall that was killed lets go of them in a moment."""
    with disk_errors(path):
        file = path.open("a")
    with file:
        deadline = time.monotonic() + _PATIENCE
        while not _locked(file.fileno()):
            if time.monotonic() > deadline:
                raise ProjectBusy(f"another program uses {path.parent}", "wait until it has ended, or stop it")
            time.sleep(0.02)
        yield


def _locked(file: int) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _shown(outbox: Outbox, start: Start) -> Emit:
    """Events as the hall wants them: lines numbered over all shares, or not told at all when they are too many."""

    def emit(event: Event) -> None:
        if not isinstance(event, LineChanged):
            outbox.emit(event)
        elif start.shows_lines:
            outbox.emit(_numbered(event, start.first_line))

    return emit


def _numbered(line: LineChanged, first: int) -> LineChanged:
    """A line as the hall numbers it, over all shares."""
    return msgspec.structs.replace(line, line=line.line + first)


async def _listen(share: Share, letters: asyncio.StreamReader) -> None:
    """Take letters until the hall is gone."""
    with suppress(asyncio.IncompleteReadError, OSError):
        while True:
            share.take(decode_letter(await hear(letters)))


async def _beat(share: Share) -> None:
    while True:
        await asyncio.sleep(1.0)
        share.beat()


class _PipeEnd(asyncio.Protocol):
    """Knows when all that was written has gone, or nobody is there to read it."""

    def __init__(self) -> None:
        self.lost = asyncio.Event()

    def connection_lost(self, _exc: Exception | None) -> None:
        """The pipe is closed."""
        self.lost.set()


async def _serve(answers: int) -> None:
    """Crawl for one hall, which is told of our troubles."""
    loop = asyncio.get_running_loop()
    letters = asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(letters), sys.stdin)
    pipe, end = await loop.connect_write_pipe(_PipeEnd, os.fdopen(answers, "wb"))

    def send(message: msgspec.Struct) -> None:
        if not pipe.is_closing():
            pipe.write(encode(message))

    try:
        start = decode_letter(await hear(letters))
        assert isinstance(start, Start)
        await crawl_share(start, letters, send)
    except TrasmalloError as error:
        send(Trouble(type(error).__name__, error.problem, error.repair))
    finally:
        pipe.close()
        await end.lost.wait()


def main() -> None:
    """Serve one hall."""
    import uvloop

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the hall, which decides what becomes of us
    answers = os.dup(1)
    os.dup2(2, 1)  # a library that prints must not speak to the hall
    with suppress(asyncio.IncompleteReadError), asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(_serve(answers))


if __name__ == "__main__":
    main()
