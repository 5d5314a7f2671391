"""One sitting of a run: crawl and read together in one asyncio loop, until done, stopped or killed.

1. Pages that an earlier sitting stored but nobody read yet are queued first.
2. The crawler brings pages; each is stored before it counts, then goes to the readers.
3. When the downloads end (done, a limit, or *stop downloads*), the readers finish what is there.
4. *Finish* ends both at once; whatever was stored is read by the next sitting.
"""

from __future__ import annotations

import asyncio
import itertools
import signal
import threading
import time
from collections.abc import Callable, Coroutine, Sequence
from contextlib import AsyncExitStack
from typing import Any

import msgspec

from trasmallo.config import Config
from trasmallo.crawl.crawler import Counts, Crawler
from trasmallo.crawl.fetch import Fetcher, Limits, find_home
from trasmallo.crawl.frontier import EmbeddedFrontier
from trasmallo.crawl.gate import Gate
from trasmallo.crawl.rules import Rules
from trasmallo.errors import disk_errors
from trasmallo.events import Emit, Progress
from trasmallo.model import Fetch
from trasmallo.project.keeper import Keeper
from trasmallo.project.messages import Setup
from trasmallo.project.parts import documents_done, merge_parts, next_serial, remove_drafts
from trasmallo.project.pending import Pending
from trasmallo.project.readers import Readers
from trasmallo.project.reading import decode_page
from trasmallo.project.runs import Run
from trasmallo.store.archive import Archive
from trasmallo.store.catalog import Catalog
from trasmallo.urls import host

AGENT = "trasmallo"
"""The product token that robots.txt files address."""

_BEATS_A_SECOND = 5
_HOSTS_WRITTEN = 50
_SECONDS_TO_TIDY = 5.0


class Sitting:
    """Crawls and reads for one run. `stop_downloads` and `finish` may be called from a signal handler of the loop."""

    def __init__(self, config: Config, run: Run, archive: Archive, catalog: Catalog, emit: Emit, software: str) -> None:
        self._config = config
        self._run = run
        self._archive = archive
        self._catalog = catalog
        self._emit = emit
        self._software = software
        self._studied_before = 0
        self._stored_before = 0
        self._queues = (0, 0)
        self._crawler: Crawler | None = None
        self._frontier: EmbeddedFrontier | None = None
        self._main: asyncio.Task[None] | None = None
        self._finishing = False
        self.stopped = False

    def work(self, *, crawl: bool, read: bool) -> bool:
        """Sit until done; False when something was left for another sitting."""
        _run_loop(self._work(crawl=crawl, read=read))
        return not self.stopped

    def interrupt(self) -> None:
        """Ctrl-C: once stops the downloads, twice finishes."""
        if self.stopped or self._crawler is None:
            self.finish()
        else:
            self.stop_downloads()

    def stop_downloads(self) -> None:
        """Fetch no more; read what is there."""
        self.stopped = True
        if self._crawler is not None:
            self._crawler.stop()

    def finish(self) -> None:
        """End now; nothing stored is lost."""
        self.stopped = True
        if self._main is not None and not self._finishing:
            self._finishing = True
            self._main.cancel()

    async def _work(self, *, crawl: bool, read: bool) -> None:
        self._main = asyncio.current_task()
        handled = _handle_signals(self.interrupt, self.finish)
        readers, keeping = self._readers(read=read)
        reading = asyncio.create_task(readers.run())
        others = [asyncio.create_task(self._beat(readers)), asyncio.create_task(self._tidy())]
        try:
            if crawl:
                await self._crawl(keeping, [reading, *others])
            readers.close()
            await _first_end(reading, others)
        except asyncio.CancelledError:
            self.stopped = True
        finally:
            await _end(reading, *others)
            self._write_down(self._report(readers))
            for number in handled:
                asyncio.get_running_loop().remove_signal_handler(number)

    def _readers(self, *, read: bool) -> tuple[Readers, Callable[[Fetch], None]]:
        """The readers, and who is to be told of each new page: nobody when pages are only stored."""
        parts = self._run.parts
        remove_drafts(parts)
        done = set(documents_done(parts))
        self._studied_before = len(done)
        self._stored_before = _number_obtained(self._catalog, self._run.name)
        serials, stamp = itertools.count(next_serial(parts)), int(time.time())
        clean, study = self._config.clean, self._config.study
        setup = Setup(str(self._archive.folder), str(parts), self._config.language, AGENT, clean, study)
        pending = Pending(self._catalog, self._run.name, done)
        workers = clean.workers if read else None
        readers = Readers(setup, workers, self._emit, lambda: f"{next(serials):08d}-{stamp}", pending)
        return readers, pending.add if read else _forget

    async def _crawl(self, keeping: Callable[[Fetch], None], others: Sequence[asyncio.Task[None]]) -> None:
        """The crawl, which ends early when one of the others fails: its error is the project's."""
        async with AsyncExitStack() as stack:
            crawler = await self._open_crawl(stack, keeping)
            crawling = asyncio.create_task(crawler.run())
            try:
                await _first_end(crawling, others)
            finally:
                await _end(crawling)

    async def _open_crawl(self, stack: AsyncExitStack, keeping: Callable[[Fetch], None]) -> Crawler:
        crawl = self._config.crawl
        gate = Gate(self._run.traps, crawl, self._emit)
        stack.callback(gate.save)
        self._frontier = EmbeddedFrontier(self._run.frontier, in_order=crawl.lines == 1, admits=gate.admits)
        stack.callback(self._close_frontier)
        limits = Limits(first_byte=crawl.timeout, body_bytes=int(crawl.page_megabytes * 1_000_000))
        seeds = frozenset(map(host, crawl.seeds))
        fetcher = Fetcher(user_agent(crawl.contact, self._software), limits=limits, private=seeds | await find_home(seeds))
        stack.push_async_callback(fetcher.close)
        keeper = Keeper(self._archive, self._catalog, self._run.name, keeping)
        rules = Rules(fetcher, AGENT, time.time, keeper.keep_rules)
        self._crawler = Crawler(
            crawl,
            frontier=self._frontier,
            fetcher=fetcher,
            keep=keeper.keep,
            emit=self._emit,
            rules=rules,
            decode=decode_page,
        )
        return self._crawler

    def _close_frontier(self) -> None:
        """The last counts stay for the reports while the readers finish."""
        frontier, self._queues = self._frontier, self._known_and_waiting()
        self._frontier = None
        if frontier is not None:
            frontier.close()

    async def _tidy(self) -> None:
        """Keep the number of parts small, in a thread: files are copied."""
        while True:
            await asyncio.sleep(_SECONDS_TO_TIDY)
            await asyncio.to_thread(merge_parts, self._run.parts)

    async def _beat(self, readers: Readers) -> None:
        """Wake the readers, report, and have the frontier's journal written once a second."""
        for beat in itertools.count():
            readers.wake()
            progress = self._report(readers)
            if beat % _BEATS_A_SECOND == 0:
                self._write_down(progress)
                if self._frontier is not None:
                    self._frontier.sync()
            await asyncio.sleep(1 / _BEATS_A_SECOND)

    def _report(self, readers: Readers) -> Progress:
        counts = self._crawler.counts if self._crawler else Counts(obtained=self._stored_before)
        known, waiting = self._known_and_waiting()
        progress = Progress(
            known=known,
            waiting=waiting,
            obtained=counts.obtained,
            failed=counts.failed,
            studied=self._studied_before + readers.counts.studied,
            dropped=readers.counts.dropped,
            received=counts.received,
        )
        self._emit(progress)
        return progress

    def _known_and_waiting(self) -> tuple[int, int]:
        if self._frontier is None:
            return self._queues
        stats = self._frontier.stats()
        return stats.known, stats.queued + stats.leased

    def _write_down(self, progress: Progress) -> None:
        """For `status` in another process: the counts and the longest queues, replaced once a second."""
        hosts = self._frontier.hosts(_HOSTS_WRITTEN) if self._frontier else []
        path = self._run.folder / "progress.json"
        with disk_errors(path):
            draft = path.with_suffix(".new")
            draft.write_bytes(msgspec.json.encode({"counts": msgspec.structs.asdict(progress), "hosts": hosts}))
            draft.replace(path)


def user_agent(contact: str, software: str) -> str:
    """Who asks, and where to complain: "trasmallo/0.1 (+https://example.org/about)"."""
    return f"{software} (+{contact})" if contact else software


def _run_loop(work: Coroutine[Any, Any, None]) -> None:
    import uvloop

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(work)


def _handle_signals(interrupt: Callable[[], None], finish: Callable[[], None]) -> list[signal.Signals]:
    """Take over Ctrl-C and termination where that is possible: in the main thread."""
    if threading.current_thread() is not threading.main_thread():
        return []
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGINT, interrupt)
    loop.add_signal_handler(signal.SIGTERM, finish)
    return [signal.SIGINT, signal.SIGTERM]


async def _first_end(work: asyncio.Task[None], others: Sequence[asyncio.Task[None]]) -> None:
    """Wait for the work, or for the failure of one of the others, which is raised."""
    running = {work, *others}
    while not work.done():
        done, running = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    work.result()


async def _end(*tasks: asyncio.Task[None]) -> None:
    """Cancel what still runs; what failed was told where it was waited for."""
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def _number_obtained(catalog: Catalog, run: str) -> int:
    return sum(count for outcome, count in catalog.outcomes(run).items() if outcome.obtained)


def _forget(_fetch: Fetch) -> None:
    """A page that is only stored; the catalog remembers it."""
