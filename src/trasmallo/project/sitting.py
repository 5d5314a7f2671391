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
from collections.abc import Callable, Coroutine, Iterable
from contextlib import AsyncExitStack, suppress
from typing import Any

import msgspec

from trasmallo.config import Config
from trasmallo.crawl.crawler import Counts, Crawler
from trasmallo.crawl.fetch import Fetcher, Limits, find_home
from trasmallo.crawl.frontier import EmbeddedFrontier
from trasmallo.crawl.rules import Rules
from trasmallo.errors import disk_errors
from trasmallo.events import Emit, Progress
from trasmallo.model import Fetch
from trasmallo.project.keeper import Keeper
from trasmallo.project.messages import Setup
from trasmallo.project.parts import document_id, documents_done, finished_parts, remove_drafts
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


class Sitting:
    """Crawls and reads for one run. `stop_downloads` and `finish` may be called from a signal handler of the loop."""

    def __init__(self, config: Config, run: Run, archive: Archive, catalog: Catalog, emit: Emit, software: str) -> None:
        self._config = config
        self._run = run
        self._archive = archive
        self._catalog = catalog
        self._emit = emit
        self._software = software
        self._fresh: list[Fetch] = []
        self._studied_before = 0
        self._unread_at_start = 0
        self._queues = (0, 0)
        self._crawler: Crawler | None = None
        self._frontier: EmbeddedFrontier | None = None
        self._main: asyncio.Task[None] | None = None
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
        if self._main is not None:
            self._main.cancel()

    async def _work(self, *, crawl: bool, read: bool) -> None:
        self._main = asyncio.current_task()
        handled = _handle_signals(self.interrupt, self.finish)
        readers = self._readers(self._config.clean.workers if read else None)
        reading = asyncio.create_task(readers.run())
        beating = asyncio.create_task(self._beat(readers))
        try:
            if read:
                await readers.put(self._unread())
            if crawl:
                await self._crawl(reading)
            await self._hand_over(readers)
            await readers.close()
            await reading
        except asyncio.CancelledError:
            self.stopped = True
        finally:
            await _end(reading, beating)
            self._write_down(self._report(readers))
            for number in handled:
                asyncio.get_running_loop().remove_signal_handler(number)

    def _readers(self, workers: int | None) -> Readers:
        remove_drafts(self._run.parts)
        serials = itertools.count(len(finished_parts(self._run.parts)) + 1)
        stamp = int(time.time())
        setup = Setup(
            str(self._archive.folder),
            str(self._run.parts),
            self._config.language,
            AGENT,
            self._config.clean,
            self._config.study,
        )
        return Readers(setup, workers, self._emit, lambda: f"{next(serials):08d}-{stamp}")

    def _unread(self) -> Iterable[Fetch]:
        """Pages of this run that are stored and have no rows yet."""
        done = set(documents_done(self._run.parts))
        unread = [
            fetch
            for fetch in self._catalog.of_run(self._run.name)
            if fetch.outcome.obtained and fetch.locator is not None and document_id(fetch.url) not in done
        ]
        self._studied_before, self._unread_at_start = len(done), len(done) + len(unread)
        return unread

    async def _crawl(self, reading: asyncio.Task[None]) -> None:
        """The crawl, which ends early when the readers fail: their error is the project's."""
        async with AsyncExitStack() as stack:
            crawler = await self._open_crawl(stack)
            crawling = asyncio.create_task(crawler.run())
            try:
                await asyncio.wait({crawling, reading}, return_when=asyncio.FIRST_COMPLETED)
                if reading.done():
                    await reading
                await crawling
            finally:
                await _end(crawling)

    async def _open_crawl(self, stack: AsyncExitStack) -> Crawler:
        crawl = self._config.crawl
        self._frontier = EmbeddedFrontier(self._run.frontier, in_order=crawl.lines == 1)
        stack.callback(self._close_frontier)
        limits = Limits(first_byte=crawl.timeout, body_bytes=int(crawl.page_megabytes * 1_000_000))
        seeds = frozenset(map(host, crawl.seeds))
        fetcher = Fetcher(user_agent(crawl.contact, self._software), limits=limits, private=seeds | await find_home(seeds))
        stack.push_async_callback(fetcher.close)
        keeper = Keeper(self._archive, self._catalog, self._run.name, self._fresh.append)
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

    async def _hand_over(self, readers: Readers) -> None:
        fresh, self._fresh[:] = list(self._fresh), []
        await readers.put(fresh)

    async def _beat(self, readers: Readers) -> None:
        """Hand pages to the readers, report, and have the frontier's journal written once a second."""
        for beat in itertools.count():
            await self._hand_over(readers)
            progress = self._report(readers)
            if beat % _BEATS_A_SECOND == 0:
                self._write_down(progress)
                if self._frontier is not None:
                    self._frontier.sync()
            await asyncio.sleep(1 / _BEATS_A_SECOND)

    def _report(self, readers: Readers) -> Progress:
        counts = self._crawler.counts if self._crawler else Counts(obtained=self._unread_at_start)
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
            draft.write_bytes(msgspec.json.encode({"counts": progress, "hosts": hosts}))
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


async def _end(*tasks: asyncio.Task[None]) -> None:
    for task in tasks:
        task.cancel()
    for task in tasks:
        with suppress(asyncio.CancelledError):
            await task
