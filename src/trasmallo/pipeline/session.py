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
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import msgspec

from trasmallo.config import FILE_NAME, Config
from trasmallo.crawl.local_crawl import AGENT, Crawl, Plan, Standing, find_private, open_crawl
from trasmallo.crawl.queue_search import QueueQuestion
from trasmallo.events import CrawlEnded, Emit, LineChanged, Progress, ScopeChanged, Waiting, Warned
from trasmallo.pipeline.analysis.document import decode_page
from trasmallo.pipeline.control_files import Window
from trasmallo.pipeline.crawling import open_shares
from trasmallo.pipeline.disk_limits import DiskLimits
from trasmallo.pipeline.duplicates import ArrivingCopies
from trasmallo.pipeline.keeper import Keeper, find_orphans
from trasmallo.pipeline.reading.messages import Setup
from trasmallo.pipeline.reading.pending import Pending
from trasmallo.pipeline.reading.pool import Readers
from trasmallo.pipeline.reading.stored_texts import StoredTexts
from trasmallo.pipeline.settings_watch import SettingsWatch
from trasmallo.pipeline.watchdog import Watchdog
from trasmallo.results.search.indexing import LiveIndex
from trasmallo.store.archive import Archive
from trasmallo.store.catalog import Catalog
from trasmallo.store.parts import documents_done, merge_parts, next_serial, remove_drafts
from trasmallo.store.run_folders import Run
from trasmallo.study.morphology import prepare
from trasmallo.study.word_lists import resolve_lists
from trasmallo.values.model import Fetch
from trasmallo.values.run_status import HostStatus, LineStatus, PageInReading, RunCounts, RunStatus

_BEATS_A_SECOND = 5
_HOSTS_WRITTEN = 50
_LINES_WRITTEN = 50
_SECONDS_TO_TEND = 5.0
_BEATS_A_NOTE = 25
_LOOK_SHARE = 50
"""Looking at the disk may take one part in so many of the processor's time."""


class Sitting:
    """Crawls and reads for one run. `stop_downloads` and `finish` may be called from a signal handler of the loop.

    `ended` says why the downloads ended before nothing was left. With `texts` it studies these again instead of reading pages.
    """

    def __init__(
        self,
        config: Config,
        run: Run,
        archive: Archive,
        catalog: Catalog,
        emit: Emit,
        software: str,
        folder: Path,
        texts: StoredTexts | None = None,
        tend_every: float = _SECONDS_TO_TEND,
    ) -> None:
        self._tend_every = tend_every
        self._config = config
        self._folder = folder
        self._watch = SettingsWatch(folder / FILE_NAME, config.crawl)
        self._disk = DiskLimits(folder, config.crawl)
        self._run = run
        self._texts = texts
        self._parts = run.studying if texts else run.parts
        self._archive = archive
        self._catalog = catalog
        self._emit = emit
        self._software = software
        self._reading = False
        self._studied_before = 0
        self._stored_before = 0
        self._received_before = 0
        self._crawl: Crawl | None = None
        self._arrivals: ArrivingCopies | None = None
        self._index = LiveIndex(run)
        self._look_seconds = 0.0
        self._watchdog = Watchdog(emit)
        self._window = Window(run)
        self._paused = False
        self._answering: set[asyncio.Task[None]] = set()
        # Finding the longest queues looks at every host, so it is done once a second however often we write.
        self._hosts: list[HostStatus] = []
        self._shown: dict[int, LineStatus] = {}
        self._main: asyncio.Task[None] | None = None
        self._finishing = False
        self.stopped = False
        self.ended = ""

    def work(self, *, crawl: bool, read: bool) -> bool:
        """Sit until done; False when something was left for another sitting."""
        try:
            _run_loop(self._work(crawl=crawl, read=read))
            if read and self.stopped:
                self._index.follow()
        finally:
            self._index.close()
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

    async def _work(self, *, crawl: bool, read: bool) -> None:
        self._main = asyncio.current_task()
        self._reading = read
        handled = _handle_signals(self.interrupt, self.finish)
        self._window.open()
        readers, keeping = self._readers(read=read)
        reading = asyncio.create_task(self._read(readers))
        others = [asyncio.create_task(self._beat(readers)), asyncio.create_task(self._tend_parts())]
        try:
            if crawl:
                await self._catch(keeping, [reading, *others])
            readers.close()
            await _first_end(reading, others)
        except asyncio.CancelledError:
            self.stopped = True
        finally:
            await _end(reading, *others)
            self._hosts = await self._crawl.hosts(_HOSTS_WRITTEN) if self._crawl else []
            self._write_down(await self._report(readers), ())
            for number in handled:
                asyncio.get_running_loop().remove_signal_handler(number)

    async def _read(self, readers: Readers) -> None:
        """Have the readers work; the lexicon they share is compiled before, since a page has not the time for it."""
        if self._reading and self._config.study.morphology:
            await asyncio.to_thread(prepare, self._config.language, self._tell_compiling)
        await readers.run()

    def _tell_compiling(self, done: int, total: int) -> None:
        cause = f"the lexicon of {self._config.language} is compiled, once for all projects: {100 * done // max(total, 1)} %"
        self._emit(Waiting(cause=cause, until=0))

    def _readers(self, *, read: bool) -> tuple[Readers, Callable[[Fetch], None]]:
        """The readers, and who is to be told of each new page: nobody when pages are only stored."""
        parts = self._parts
        remove_drafts(parts)
        done = set(documents_done(parts))
        self._studied_before = len(done)
        self._stored_before = _number_obtained(self._catalog, self._run.name)
        # Asked before the first report, which would be read instead.
        self._received_before = _received(self._run)
        serials, stamp = itertools.count(next_serial(parts)), int(time.time())
        clean, study = self._config.clean, resolve_lists(self._config.study, self._folder)
        setup = Setup(str(self._archive.folder), str(parts), self._config.language, AGENT, clean, study)
        pending = Pending(self._catalog, self._run.name, done)
        source = self._texts.without(done) if self._texts else pending
        workers = clean.workers if read else None
        readers = Readers(setup, workers, self._emit, lambda: f"{next(serials):08d}-{stamp}", source)
        return readers, pending.add if read else _forget

    async def _catch(self, keeping: Callable[[Fetch], None], others: Sequence[asyncio.Task[None]]) -> None:
        """The crawl, which ends early when one of the others fails: its error is the project's."""
        if await self._look_at_disk():
            return
        plan = await self._plan()
        async with self._open_crawl(plan, keeping) as self._crawl:
            crawling, guard = asyncio.create_task(self._crawl.run()), asyncio.create_task(self._guard_disk())
            try:
                await _first_end(crawling, [*others, guard])
            finally:
                await _end(crawling, guard)
                self.ended = self.ended or self._crawl.limit() or ("stopped" if self.stopped else "")
                self._emit(CrawlEnded(cause=self.ended))

    async def _guard_disk(self) -> None:
        """Look at the disk once a second, or less often when a look costs much."""
        while True:
            if await self._look_at_disk():
                return
            await asyncio.sleep(max(1.0, _LOOK_SHARE * self._look_seconds))

    async def _look_at_disk(self) -> bool:
        """Whether the disk has no more room for us; then the downloads end, and the run can be resumed."""
        reached = await asyncio.to_thread(self._measure_disk)
        if reached is not None:
            self.ended = reached[0]
            self._emit(Warned(message=": ".join(reached)))
            self.stop_downloads()
        return reached is not None

    def _measure_disk(self) -> tuple[str, str] | None:
        """The limit that is reached, and how to go on; runs in a thread."""
        began = time.thread_time()
        try:
            return self._disk.reached()
        finally:
            self._look_seconds = time.thread_time() - began

    async def _plan(self) -> Plan:
        run, crawl = self._run, self._config.crawl
        places = str(run.frontier_of(0)), str(run.traps_of(0)), str(run.border_of(0)), str(run.rules_of(0))
        private, in_order, again = await find_private(crawl), crawl.lines == 1, str(run.again_of(0))
        return Plan(crawl, *places, self._software, private, run.manifest.began, in_order, self._received_before, again)

    def _open_crawl(self, plan: Plan, keeping: Callable[[Fetch], None]) -> AbstractAsyncContextManager[Crawl]:
        """The crawl here, or in as many processes as the run began with."""
        if self._run.manifest.processes > 1:
            return open_shares(plan, self._run, self._archive, self._catalog, keeping, self._emit)
        keeper = Keeper(self._archive, self._catalog, self._run.name, keeping, self._run.manifest.began)
        keeper.adopt(find_orphans(self._archive, self._catalog))
        return open_crawl(plan, keeper, decode_page, self._emit)

    async def _tend_parts(self) -> None:
        """Look for copies in new parts, make these findable and keep their number small, in a thread: files are read."""
        least = self._config.clean.copies if self._reading and not self._texts else 0
        if least:
            self._arrivals = await asyncio.to_thread(ArrivingCopies, self._run, least)
        while True:
            await asyncio.sleep(self._tend_every)
            if self._arrivals is not None:
                await asyncio.to_thread(self._arrivals.look)
            if self._reading and not self._texts:
                await asyncio.to_thread(self._index.follow)
            await asyncio.to_thread(merge_parts, self._parts)

    async def _beat(self, readers: Readers) -> None:
        """Wake the readers, report, and have the frontier's journal written once a second."""
        for beat in itertools.count():
            readers.wake()
            progress = await self._report(readers)
            self._show_downloads()
            self._listen()
            if beat % _BEATS_A_SECOND == 0:
                self._hosts = await self._crawl.hosts(_HOSTS_WRITTEN) if self._crawl else []
            if beat % _BEATS_A_SECOND == 0 or self._window.is_watched(time.time()):
                self._write_down(progress, readers.now())
            if beat % _BEATS_A_NOTE == 0:
                self._window.note(progress)
            if beat % _BEATS_A_SECOND == 0 and self._crawl is not None:
                await self._crawl.sync()
                await self._follow_settings(self._crawl)
            await asyncio.sleep(1 / _BEATS_A_SECOND)

    def _listen(self) -> None:
        """Pause or go on as others wish, and answer what they ask."""
        paused = self._window.is_paused() and not self.stopped
        if self._crawl is None:
            return
        if paused != self._paused:
            self._paused = paused
            self._crawl.pause(paused=paused)
        for path, wanted in self._window.questions():
            task = asyncio.create_task(self._answer(self._crawl, path, wanted))
            self._answering.add(task)
            task.add_done_callback(self._answering.discard)

    async def _answer(self, crawl: Crawl, path: Path, wanted: QueueQuestion) -> None:
        self._window.answer(path, await crawl.search(wanted))

    async def _follow_settings(self, crawl: Crawl) -> None:
        """Take up what was changed in the project file: the border of the crawl, and nothing else."""
        changed = self._watch.look(lambda message: self._emit(Warned(message=message)))
        if changed is not None:
            self._emit(ScopeChanged(exclude=changed.exclude, include=changed.include))
            await crawl.change_scope(changed.exclude, changed.include)

    async def _report(self, readers: Readers) -> Progress:
        before = Standing(obtained=self._stored_before, received=self._received_before)
        crawl = await self._crawl.standing() if self._crawl else before
        progress = Progress(
            known=crawl.known,
            waiting=crawl.waiting,
            obtained=crawl.obtained,
            failed=crawl.failed,
            studied=self._studied_before + readers.counts.studied,
            dropped=readers.counts.dropped,
            received=crawl.received,
            copies=self._arrivals.found if self._arrivals else 0,
        )
        self._emit(progress)
        return progress

    def _show_downloads(self) -> None:
        """Tell how far the downloads have come, of the few lines that a person can watch."""
        for line in self._crawl.lines(_LINES_WRITTEN) if self._crawl else ():
            if line.state == "downloading" and line.received and line != self._shown.get(line.line):
                self._shown[line.line] = line
                self._emit(LineChanged(**msgspec.structs.asdict(line)))

    def _write_down(self, progress: Progress, reading: Sequence[PageInReading]) -> None:
        """For `status` in another process: the counts, the lines and the longest queues, once a second or while watched."""
        hosts = self._hosts
        lines = self._crawl.lines(_LINES_WRITTEN) if self._crawl else []
        if not self._paused:
            self._watchdog.look(progress, lines, hosts, reading=self._reading)
        status = RunStatus(
            at=time.time(),
            counts=RunCounts(**msgspec.structs.asdict(progress)),
            lines=tuple(lines),
            hosts=tuple(hosts),
            waiting="" if self._paused else self._watchdog.cause,
            paused=self._paused,
            stopping=self.stopped,
            reading=tuple(reading),
        )
        self._run.write_status(status)


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


def _received(run: Run) -> int:
    """Bytes that earlier sittings of a run received, as they last wrote it down."""
    try:
        return run.status().counts.received
    except (OSError, msgspec.DecodeError):
        return 0


def _forget(_fetch: Fetch) -> None:
    """A page that is only stored; the catalog remembers it."""
