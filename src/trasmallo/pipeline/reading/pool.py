"""The session's side of the worker processes: hands out batches, watches the clock, and survives whatever a page does.

A page that a worker did not survive is read again alone, by a fresh one. When that needs too much time or memory, the page is
dropped with the cause. When that dies too, somebody may have killed it: see `deaths`.
"""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path

import msgspec

from trasmallo.events import Dropped, Emit, Studied
from trasmallo.pipeline.analysis.document import dropped_row
from trasmallo.pipeline.analysis.items import Item, StoredText
from trasmallo.pipeline.reading.deaths import MOST_DEATHS, Deaths
from trasmallo.pipeline.reading.messages import (
    CONVERTER_KILLED,
    OUT_OF_MEMORY,
    Asked,
    Batch,
    Began,
    PageSummary,
    PartDone,
    Said,
    Setup,
    TextBatch,
    decode_said,
)
from trasmallo.pipeline.reading.pending import BatchSource
from trasmallo.processes import first_trouble, hear, pipe_to, start_program
from trasmallo.results.registry import FromParts, made_by
from trasmallo.results.rows import PageRow
from trasmallo.store.parts import provisional_name, write_part
from trasmallo.values.errors import ProjectError
from trasmallo.values.model import Drop, Fetch
from trasmallo.values.pipes import Trouble, encode
from trasmallo.values.process_ends import ending, memory_kills
from trasmallo.values.run_status import PageInReading

_LARGEST_BATCH = 64  # judgement: pages that a kill costs at most, a few seconds of work
_FALSE_STARTS = 3  # judgement: more in a row are no accident
_KILLED_STARTS = 10  # judgement: in a row; who kills that many has a reason
_DYING = 5.0  # judgement: seconds until a dying process has told how
_STARTING = 60.0
"""Seconds a fresh worker may take to import what it needs, on top of the first page's time."""


class ReaderCounts(msgspec.Struct):
    """Pages since the readers began, by why they gave no document; "" for those that did."""

    pages: Counter[str] = msgspec.field(default_factory=Counter)

    @property
    def studied(self) -> int:
        """Documents."""
        return self.pages[""]

    @property
    def dropped(self) -> int:
        """Pages that gave none."""
        return self.pages.total() - self.studied


class Readers:
    """Worker processes that read what is pending: 0 `workers` is one a core, None is none. `next_part` names parts."""

    def __init__(
        self,
        setup: Setup,
        workers: int | None,
        emit: Emit,
        next_part: Callable[[], str],
        pending: BatchSource,
        deaths: Deaths | None = None,
    ) -> None:
        self.counts = ReaderCounts()
        self._setup = setup
        self._workers = 0 if workers is None else workers or os.cpu_count() or 1
        self._emit = emit
        self._next_part = next_part
        self._pending = pending
        self._again: deque[Item] = deque()
        self._alone: deque[Item] = deque()
        self._suspects: set[str] = set()
        self._deaths = deaths or Deaths()
        self._given_up: list[tuple[Item, _Died]] = []
        self._wake = asyncio.Event()
        self._closing = False
        self._busy = 0
        self._false_starts = self._killed_starts = 0
        self._at_work: list[_Worker] = []

    def now(self) -> list[PageInReading]:
        """What is being read."""
        return [worker.reading for worker in self._at_work if worker.reading is not None]

    def wake(self) -> None:
        """Look again whether something is pending."""
        self._wake.set()

    def close(self) -> None:
        """No more pages will come; `run` ends when nothing is pending."""
        self._closing = True
        self.wake()

    async def run(self) -> None:
        """Work until closed and nothing is pending; cancelling it kills the workers and loses no finished part."""
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(self._workers):
                    group.create_task(self._keep_reading())
        except BaseExceptionGroup as troubles:
            raise first_trouble(troubles) from None
        self._drop_given_up()

    async def _keep_reading(self) -> None:
        worker: _Worker | None = None
        try:
            while pages := await self._next_pages():
                try:
                    if worker and pages[0].url in self._suspects:
                        await worker.end()
                        worker = None
                    worker = worker or await _Worker.start(self._setup)
                    if not await self._read(worker, pages):
                        worker = None
                    elif worker.worn:
                        await worker.end()
                        worker = None
                finally:
                    self._busy -= 1
                    self.wake()
        finally:
            if worker:
                await worker.end()

    async def _next_pages(self) -> tuple[Item, ...]:
        """What one worker reads next; empty when it is over, which it is not while another may give pages back."""
        while True:
            self._wake.clear()
            if pages := self._share():
                self._busy += 1
                return pages
            if self._pending.behind:
                await asyncio.sleep(0)
            elif self._closing and not self._busy:
                self.wake()
                return ()
            else:
                await self._wake.wait()

    def _share(self) -> tuple[Item, ...]:
        """A share of what waits, so that all workers have something to do."""
        if self._alone:
            return (self._alone.popleft(),)
        if self._again:
            return tuple(self._again.popleft() for _ in range(min(_LARGEST_BATCH, len(self._again))))
        waiting = self._pending.at_hand
        share = _LARGEST_BATCH // 2 if self._pending.behind else -(-waiting // self._workers)
        return self._set_apart(self._pending.take(max(1, min(share, _LARGEST_BATCH))))

    def _set_apart(self, pages: tuple[Item, ...]) -> tuple[Item, ...]:
        """What may be read together; a page at which an earlier session lost processes is read alone."""
        for page in pages:
            if self._deaths.at(page.url):
                self._read_alone(page)
        together = tuple(page for page in pages if page.url not in self._suspects)
        return together or ((self._alone.popleft(),) if self._alone else ())

    def _read_alone(self, page: Item) -> None:
        self._suspects.add(page.url)
        self._alone.append(page)

    async def _read(self, worker: _Worker, pages: tuple[Item, ...]) -> bool:
        """Have a batch read; False when the worker did not survive it."""
        self._at_work.append(worker)
        part = self._next_part()
        try:
            done = await worker.read(_batch(part, pages))
        except _NotStarted as failure:
            self._after_false_start(pages, failure)
            return False
        except _Died as death:
            written = Path(self._setup.parts) / part
            if written.exists():
                self._acquit(pages)
                self._tell(_summaries(written))
            else:
                self._after_death(pages, death)
            return False
        finally:
            self._at_work.remove(worker)
        self._false_starts = self._killed_starts = 0
        self._acquit(pages)
        self._tell(done.summaries)
        return True

    def _after_false_start(self, pages: tuple[Item, ...], failure: _NotStarted) -> None:
        """When none starts, no page is to blame."""
        self._false_starts += not failure.killed
        self._killed_starts += failure.killed
        if self._false_starts >= _FALSE_STARTS or self._killed_starts >= _KILLED_STARTS:
            raise self._no_start(failure)
        for page in pages:
            (self._alone if page.url in self._suspects else self._again).append(page)

    def _no_start(self, failure: _NotStarted) -> ProjectError:
        if failure.killed:
            return ProjectError(
                "processes that read pages are killed before they begin ({failure})",
                "find out who kills them, or whether memory is short, then run again; all that was stored is there",
                failure=failure,
            )
        if failure.needs_memory:
            return ProjectError(
                "{megabytes} MB are too little for a process that reads pages",
                "give it more with megabytes in [clean], then run again",
                megabytes=self._setup.clean.megabytes,
            )
        return ProjectError(
            "no process that reads pages can start ({failure})", "install trasmallo again, then run again", failure=failure
        )

    def _after_death(self, pages: tuple[Item, ...], death: _Died) -> None:
        """Every page has a second chance; the one it happened at gets it alone."""
        culprit = pages[min(death.index, len(pages) - 1)]
        if culprit.url not in self._suspects:
            self._read_alone(culprit)
        elif death.is_the_pages:
            self._acquit((culprit,))
            self._drop(self._next_part(), [(culprit, death)])
        elif self._deaths.add(culprit.url) < MOST_DEATHS:
            self._read_alone(culprit)
        else:
            self._given_up.append((culprit, death))
        self._again.extend(page for page in pages if page is not culprit)

    def _acquit(self, pages: tuple[Item, ...]) -> None:
        """What becomes of these pages is no longer open."""
        for page in pages:
            self._suspects.discard(page.url)
            self._deaths.forget(page.url)

    def _drop_given_up(self) -> None:
        """Pages at which processes died again and again count as dropped, until the next session reads them once more."""
        if self._given_up:
            self._drop(provisional_name(self._next_part()), self._given_up)

    def _drop(self, part: str, lost: list[tuple[Item, _Died]]) -> None:
        rows: list[msgspec.Struct] = [dropped_row(page, death.drop, death.cause) for page, death in lost]
        tables: dict[str, list[msgspec.Struct]] = {name: [] for name in made_by(FromParts)}
        write_part(Path(self._setup.parts), part, tables | {"pages": rows})
        self._tell(PageSummary(page.url, "", 0, death.drop, death.cause) for page, death in lost)

    def _tell(self, summaries: Iterable[PageSummary]) -> None:
        for summary in summaries:
            self.counts.pages[summary.drop] += 1
            if summary.drop:
                self._emit(Dropped(url=summary.url, reason=summary.drop, cause=summary.cause))
            else:
                self._emit(Studied(url=summary.url, title=summary.title, words=summary.words))


class _NotStarted(Exception):
    """A worker ended before it turned to its first page; the message is its last line, or how it was `killed`."""

    def __init__(self, code: int | None, lines: list[str]) -> None:
        self.killed = code is not None and code < 0
        self.needs_memory = code == OUT_OF_MEMORY or "".join(lines[-1:]).startswith("MemoryError")
        super().__init__(ending(code) if self.killed or not lines else lines[-1])


class _Died(Exception):
    """A worker was lost at a page; `is_the_pages` is whether that is the page's own doing, and would happen again."""

    def __init__(self, index: int, drop: Drop, cause: str, *, is_the_pages: bool = False) -> None:
        super().__init__(cause)
        self.index = index
        self.drop = drop
        self.cause = cause
        self.is_the_pages = is_the_pages


class _Worker:
    """One worker process and its pipes."""

    def __init__(self, process: asyncio.subprocess.Process, seconds: float) -> None:
        self._process = process
        self._seconds = seconds
        self._patience = seconds + _STARTING
        self._began = False
        self._memory_kills = memory_kills()
        self.worn = False
        self.reading: PageInReading | None = None

    @classmethod
    async def start(cls, setup: Setup) -> _Worker:
        worker = cls(await start_program("trasmallo.pipeline.reading.worker", heard=True), setup.clean.seconds)
        with suppress(BrokenPipeError):  # killed at once; the first batch will tell how
            worker._say(setup)
        return worker

    @property
    def _pipe_in(self) -> asyncio.StreamWriter:
        return pipe_to(self._process)

    async def read(self, batch: Batch | TextBatch) -> PartDone:
        """The end of a batch; raises _Died with the page at which the worker was lost."""
        index = 0
        try:
            self._say(batch)
            await self._pipe_in.drain()
            while True:
                # Not wait_for: in Python 3.11 it forgets a cancellation that comes together with the answer.
                async with asyncio.timeout(self._patience):
                    said = await self._hear()
                if isinstance(said, PartDone):
                    self.worn = said.worn
                    return said
                index, self._patience, self._began = _page_of(said), self._seconds, True
                if index < len(batch.pages):
                    self.reading = PageInReading(batch.pages[index].url, time.time(), len(batch.pages) - index - 1)
        except TimeoutError:
            await self.kill()
            raise _Died(index, Drop.TOO_SLOW, f"more than {self._seconds:g} s", is_the_pages=True) from None
        except (asyncio.IncompleteReadError, OSError):
            await self._last_breath()
            raise await self._death(index) from None
        except msgspec.DecodeError as nonsense:
            await self.kill()
            raise _Died(index, Drop.BROKEN, f"the reading process talked nonsense ({nonsense})") from None
        except BaseException:
            await self.kill()
            raise
        finally:
            self.reading = None

    def _say(self, message: Asked) -> None:
        """Ask the worker; raises BrokenPipeError when it is gone, where the loop's own pipe would raise something else."""
        if self._pipe_in.is_closing():
            raise BrokenPipeError
        self._pipe_in.write(encode(message))

    async def _hear(self) -> Said:
        return decode_said(await hear(self._process.stdout))

    async def _last_breath(self) -> None:
        """Its pipe is closed, so it is dying; how it does is worth a moment."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_DYING):
                await self._process.wait()
        await self.kill()

    async def _death(self, index: int) -> _Died | _NotStarted:
        code = self._process.returncode
        if not self._began:
            assert self._process.stderr is not None
            lines = (await self._process.stderr.read()).decode(errors="replace").strip().splitlines()
            return _NotStarted(code, lines)
        if code == OUT_OF_MEMORY:
            return _Died(index, Drop.TOO_BIG, "more memory than a reading process may have", is_the_pages=True)
        if code == CONVERTER_KILLED:
            return _Died(index, Drop.BROKEN, "the converter was killed")
        if code != -signal.SIGKILL:
            return _Died(index, Drop.BROKEN, f"the reading process died ({ending(code)})")
        if memory_kills() > self._memory_kills:
            return _Died(index, Drop.TOO_BIG, "the system killed the reading process for want of memory")
        return _Died(index, Drop.BROKEN, "the reading process was killed")

    async def end(self) -> None:
        """Let it go: it ends when its input does."""
        self._pipe_in.close()
        await self._process.wait()

    async def kill(self) -> None:
        """End it at once."""
        if self._process.returncode is None:
            with suppress(ProcessLookupError):
                self._process.kill()
        self._pipe_in.close()
        await self._process.wait()


def _batch(name: str, items: tuple[Item, ...]) -> Batch | TextBatch:
    """All of them are of one kind: pages are pending, or texts."""
    texts = tuple(item for item in items if isinstance(item, StoredText))
    return TextBatch(name, texts) if texts else Batch(name, tuple(item for item in items if isinstance(item, Fetch)))


def _summaries(part: Path) -> Iterator[PageSummary]:
    """What a worker wrote and did not live to tell."""
    for line in (part / "pages.jsonl").read_bytes().splitlines():
        page = msgspec.json.decode(line, type=PageRow)
        yield PageSummary(page.url, page.title, page.words, page.drop, page.cause)


def _page_of(said: Began | Trouble) -> int:
    """The page a worker turned to; its troubles are ours."""
    if isinstance(said, Trouble):
        said.throw()
    return said.index
