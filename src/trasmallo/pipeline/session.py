"""Session of a run: crawl and read together in one asyncio loop, until done, stopped or killed.

1. Pages that an earlier session stored but nobody read yet are queued first.
2. The crawler brings pages; each is stored before it counts, then goes to the readers.
3. When the downloads end (done, a limit, or *stop downloads*), the readers finish what is there.
4. *Finish* ends both at once; whatever was stored is read by the next session.

Beside them `StatusReport` tells where the run stands, `ControlListener` takes up what other processes want, `PartsUpkeep` keeps
the results in order, and `DiskGuard` ends the downloads before the disk is full.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import signal
import threading
import time
from collections.abc import Callable, Coroutine, Sequence
from contextlib import AbstractAsyncContextManager
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from trasmallo.clean.decode import decode_page
from trasmallo.config import Config
from trasmallo.crawl.crawl_limits import extended
from trasmallo.crawl.frontier.soundness import make_room, need_frontiers
from trasmallo.crawl.local_crawl import AGENT, Crawl, CrawlPlan, find_private, open_crawl
from trasmallo.crawl.logins.credentials import logins_file
from trasmallo.events import CrawlEnded, Emit, Waiting
from trasmallo.pipeline.balance import Balancer, number_of_agents
from trasmallo.pipeline.collection_state import KnownPages, has_newer, stored_pages
from trasmallo.pipeline.control_listener import ControlListener
from trasmallo.pipeline.crawling import open_workers, place
from trasmallo.pipeline.disk_limits import DiskGuard, DiskLimits
from trasmallo.pipeline.executors.interface import Executor
from trasmallo.pipeline.executors.processes import ProcessExecutor
from trasmallo.pipeline.keeper import Keeper, find_orphans
from trasmallo.pipeline.parts_upkeep import UPKEEP_SECONDS, PartsUpkeep
from trasmallo.pipeline.reading.deaths import Deaths
from trasmallo.pipeline.reading.messages import Setup
from trasmallo.pipeline.reading.pending import Pending
from trasmallo.pipeline.reading.pool import ReaderCounts, Readers
from trasmallo.pipeline.reading.stored_texts import StoredTexts
from trasmallo.pipeline.shared_crawl import need_cluster, open_shared
from trasmallo.pipeline.status_report import PagesRead, StatusReport, pages_arriving, pages_made_again
from trasmallo.pipeline.topics import plan_focus
from trasmallo.results.run_counts import pages_in_tables
from trasmallo.store.archive import Archive
from trasmallo.store.catalog import Catalog
from trasmallo.store.parts import documents_done, next_serial, remove_drafts, tally_drops
from trasmallo.store.run_folders import REVISIT, Run
from trasmallo.study.morphology import prepare
from trasmallo.study.word_lists import needs_lexicon, resolve_lists
from trasmallo.values.local_addresses import is_local
from trasmallo.values.model import Fetch
from trasmallo.values.run_status import AgentStatus

_BEATS_A_SECOND = 5
"""How often a session looks around. Judgement: what people see moves without a jerk, and a look costs some system calls."""

_MOST_PLACES = 256  # judgement: batches that a cluster reads at once; more machines than that find work in other projects

_BEATS_A_NOTE = 25
"""A point of the run's curves every five seconds. Judgement: 17,000 points a day."""


class Session:
    """Crawls and reads for one run. `stop_downloads` and `finish` may be called from a signal handler of the loop.

    `ended` says why the downloads ended before nothing was left, `offline` that it was for want of a network. With `texts` it
    studies these again instead of reading pages; with `beside` it reads all pages again. Both write beside the results that are
    there. With `again` it reads these pages and no others, with `whole` those of all runs of the collection. `executor` finds
    places for those who read: processes of this machine unless told otherwise.
    """

    def __init__(
        self,
        *,
        config: Config,
        run: Run,
        archive: Archive,
        catalog: Catalog,
        emit: Emit,
        software: str,
        folder: Path,
        texts: StoredTexts | None = None,
        beside: bool = False,
        again: Sequence[Fetch] = (),
        whole: bool = False,
        executor: Executor | None = None,
        upkeep_seconds: float = UPKEEP_SECONDS,
    ) -> None:
        self.stopped = False
        self.ended = self.offline = ""
        self._config = config
        self._folder = folder
        self._run = run
        self._texts = texts
        self._beside = beside or texts is not None
        self._again = again
        self._whole = whole or self._beside
        self._executor = executor or ProcessExecutor(number_of_agents(config))
        self._upkeep_seconds = upkeep_seconds
        self._archive = archive
        self._catalog = catalog
        self._emit = emit
        self._software = software
        self._control = ControlListener(folder, run, config.crawl, emit)
        self._disk = DiskGuard(DiskLimits(folder, config.crawl), emit)
        self._crawl: Crawl | None = None
        self._main: asyncio.Task[None] | None = None
        self._finishing = False
        self._crawled_at = 0.0

    def work(self, *, crawl: bool, read: bool) -> bool:
        """Work until done; False when something was left for another session."""
        if read:
            self._executor.size()  # connects, which may take seconds, before anybody waits for this process
        parts = self._run.studying if self._beside else self._run.parts
        analyses, seconds = read and not self._beside, self._upkeep_seconds
        upkeep = PartsUpkeep(self._run, parts, self._config.clean.copies, analyses=analyses, seconds=seconds)
        _run_loop(self._work(parts, upkeep, crawl=crawl, read=read))
        return not self.stopped

    def interrupt(self) -> None:
        """Ctrl-C: once stops the downloads, twice finishes."""
        if self.stopped or self._crawl is None:
            self.finish()
        else:
            self.stop_downloads()

    def stop_downloads(self) -> None:
        """Fetch no more; read what is there."""
        self.stopped = True
        if self._crawl is not None:
            self._crawl.stop()

    def finish(self) -> None:
        """End now; nothing stored is lost."""
        self.stopped = True
        if self._main is not None and not self._finishing:
            self._finishing = True
            self._main.cancel()

    async def _work(self, parts: Path, upkeep: PartsUpkeep, *, crawl: bool, read: bool) -> None:
        self._main = asyncio.current_task()
        handled = _handle_signals(self.interrupt, self.finish)
        self._control.open()
        remove_drafts(parts)
        done = set(documents_done(parts))
        # Asked before the first report, which would be read instead.
        told = self._run.status()
        tally = self._catalog.follow(self._run.name, told.counts.received if told.ended else None)
        readers, keeping = self._readers(parts, done, crawl=crawl, read=read)
        pages = self._pages(parts, readers.counts, upkeep)
        report = StatusReport(self._run, self._emit, told=told, tally=tally, read=pages, reading=read)
        reading = asyncio.create_task(self._read(readers, read=read))
        balancer = self._balancer() if read else None
        others = [asyncio.create_task(self._beat(report, readers, balancer)), asyncio.create_task(upkeep.run())]
        try:
            if crawl:
                plan = await self._plan(tally.received, killed=not told.ended)
                await self._crawl_pages(plan, keeping, [reading, *others])
            readers.close()
            await _first_end(reading, others)
        except asyncio.CancelledError:
            if not self._finishing:
                raise  # nobody wished for an end: a mistake must not look like one
            self.stopped = True
        finally:
            await _end(reading, *others)
            await report.look_at_hosts(self._crawl)
            counts = await report.count(self._crawl)
            report.write(self._crawl, counts, (), (), paused=self._control.paused, stopping=self.stopped)
            for number in handled:
                asyncio.get_running_loop().remove_signal_handler(number)

    def _balancer(self) -> Balancer | None:
        """Who says how many read; nobody where the project's file does."""
        if self._config.clean.workers and not self._executor.shared:
            return None
        return Balancer(self._executor.size())

    def _pages(self, parts: Path, readers: ReaderCounts, upkeep: PartsUpkeep) -> Callable[[], PagesRead]:
        """What tells the pages of the results now."""
        before = tally_drops(parts)
        if self._beside:
            return pages_made_again(pages_in_tables(self._run), before, readers)
        return pages_arriving(before, readers, lambda: upkeep.copies)

    async def _read(self, readers: Readers, *, read: bool) -> None:
        """Have the readers work; the lexicon they share is compiled before, since a page has not the time for it."""
        if read and needs_lexicon(self._config.study):
            await asyncio.to_thread(prepare, self._config.language, self._tell_compiling)
        await readers.run()

    def _tell_compiling(self, done: int, total: int) -> None:
        cause = f"the lexicon of {self._config.language} is compiled, once for all projects: {100 * done // max(total, 1)} %"
        self._emit(Waiting(cause=cause, until=0))

    def _readers(self, parts: Path, done: set[str], *, crawl: bool, read: bool) -> tuple[Readers, Callable[[Fetch], None]]:
        """The readers, and who is to be told of each new page: nobody when pages are only stored."""
        serials, stamp = itertools.count(next_serial(parts)), int(time.time())
        clean, study = self._config.clean, resolve_lists(self._config.study, self._folder)
        setup = Setup(
            archive=str(self._archive.folder),
            parts=str(parts),
            language=self._config.language,
            agent=AGENT,
            clean=clean,
            study=study,
        )
        pending = self._pending(done, crawl=crawl)
        source = self._texts.without(done) if self._texts else pending
        places = _MOST_PLACES if self._executor.shared else number_of_agents(self._config)
        workers = (0 if self._executor.shared else clean.workers) or places if read else None
        deaths, start = Deaths(self._run.deaths), self._executor.start_reader
        readers = Readers(
            setup,
            workers=workers,
            emit=self._emit,
            next_part=lambda: f"{next(serials):08d}-{stamp}",
            pending=source,
            deaths=deaths,
            start=start,
        )
        return readers, pending.add if read else _forget

    def _pending(self, done: set[str], *, crawl: bool) -> Pending:
        """The pages to be read: those that are named, all of the collection, or what this run obtains and is not known.

        What feeds said in the place of pages waits for the end of a `crawl`, which may bring these.
        """
        if self._again:
            return Pending(lambda: iter(self._again), done)
        stored = partial(stored_pages, self._run, self._catalog, whole=self._whole)
        if crawl:
            stored = partial(self._catalog.of_run, self._run.catalogued)
        if self._whole or not self._run.manifest.base:
            return Pending(stored, done)
        carried = self._run.carried.exists()
        return Pending(stored, done, is_known=KnownPages(self._run) if carried else partial(has_newer, catalog=self._catalog))

    async def _crawl_pages(
        self, plan: CrawlPlan, keeping: Callable[[Fetch], None], others: Sequence[asyncio.Task[None]]
    ) -> None:
        """The crawl, which ends early when one of the others fails: its error is the project's."""
        if await self._disk.look():
            self._stop_for_disk()
            return
        if not self._run.manifest.shared:
            if self._has_asked():
                need_frontiers(self._run.frontiers)
            make_room(self._run.frontiers)
        async with self._open_crawl(plan, keeping) as self._crawl:
            crawling, guard = asyncio.create_task(self._crawl.run()), asyncio.create_task(self._guard_disk())
            try:
                await _first_end(crawling, [*others, guard])
            finally:
                await _end(crawling, guard)
                self.offline = self._crawl.offline()
                self.ended = self.ended or self._crawl.limit() or self.offline or ("stopped" if self.stopped else "")
                self.stopped = self.stopped or bool(self.offline)
                self._emit(CrawlEnded(cause=self.ended))

    def _has_asked(self) -> bool:
        """Whether anything of the web was asked for in this run: rows of files say nothing about its frontier."""
        return any(not is_local(fetch.url) for fetch in self._catalog.all_of_run(self._run.name))

    async def _guard_disk(self) -> None:
        await self._disk.watch()
        self._stop_for_disk()

    def _stop_for_disk(self) -> None:
        """End the downloads; the run can be resumed when there is room."""
        self.ended = self._disk.cause
        self.stop_downloads()

    async def _plan(self, received: int, *, killed: bool) -> CrawlPlan:
        """What the crawl is to do, after sessions that received so many bytes, the last of which may have been killed."""
        crawl = self._config.crawl
        plan = CrawlPlan(
            config=extended(crawl, *msgspec.structs.astuple(self._run.manifest.limits_from)),
            software=self._software,
            logins=str(logins_file(self._folder)),
            private=await find_private(crawl),
            began=self._run.manifest.began,
            in_order=crawl.lines == 1,
            received=received,
            recount=killed and bool(crawl.pages),
            conditional=bool(self._run.manifest.base),
            focus=plan_focus(self._folder, self._config) if self._run.manifest.kind != REVISIT else None,
            visits=str(self._run.visits) if self._run.manifest.kind == REVISIT else "",
        )
        return place(plan, self._run, 0)

    def _open_crawl(self, plan: CrawlPlan, keeping: Callable[[Fetch], None]) -> AbstractAsyncContextManager[Crawl]:
        """The crawl here, in as many processes as the run began with, or on all machines that join."""
        if self._run.manifest.shared:
            cluster, name = need_cluster(self._config.cluster), self._config.name
            return open_shared(
                plan,
                run=self._run,
                archive=self._archive,
                catalog=self._catalog,
                obtained=keeping,
                emit=self._emit,
                cluster=cluster,
                name=name,
            )
        if self._run.manifest.processes > 1:
            return open_workers(plan, self._run, self._archive, self._catalog, keeping, self._emit)
        keeper = Keeper(self._archive, self._catalog, self._run.name, keeping, self._run.manifest.began)
        keeper.adopt(find_orphans(self._archive, self._catalog))
        return open_crawl(plan, keeper, decode_page, self._emit)

    def _coordinating(self) -> AgentStatus:
        """What is said of the process we are in when it does not crawl, or no more."""
        self._crawled_at = self._crawled_at or time.time()
        return AgentStatus(process=os.getpid(), work="coordinating", since=self._crawled_at)

    async def _beat(self, report: StatusReport, readers: Readers, balancer: Balancer | None) -> None:
        """Balance and wake the readers, report, listen, and have the frontier's journal written once a second."""
        for beat in itertools.count():
            crawling = self._crawl.agents() if self._crawl is not None else []
            if balancer is not None:
                balancer.agents = self._executor.size()
                readers.wanted = balancer.readers(readers.work, (agent.process for agent in crawling))
            readers.wake()
            progress = await report.count(self._crawl)
            report.show_downloads(self._crawl)
            if self._crawl is not None:
                self._control.listen(self._crawl, stopped=self.stopped)
            if each_second := beat % _BEATS_A_SECOND == 0:
                await report.look_at_hosts(self._crawl)
            if each_second or self._control.is_watched(time.time()):
                agents = [*(crawling or [self._coordinating()]), *readers.agents()]
                paused, stopping = self._control.paused, self.stopped
                report.write(self._crawl, progress, readers.now(), agents, paused=paused, stopping=stopping)
            if beat % _BEATS_A_NOTE == 0:
                self._control.note(progress)
            if each_second and self._crawl is not None:
                await self._crawl.sync()
                await self._control.follow_settings(self._crawl)
            await asyncio.sleep(1 / _BEATS_A_SECOND)


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


def _forget(_fetch: Fetch) -> None:
    """A page that is only stored; the catalog remembers it."""
