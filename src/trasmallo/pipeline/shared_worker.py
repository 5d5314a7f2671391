"""A worker of a shared crawl: joins with nothing but the address of its database, and crawls until that says it is over.

1. It registers, and reads from the database what to crawl, how politely, and where to store.
2. Its lines lease hosts, keep what they bring in a WARC file of its own, and commit rows and results together.
3. Every half second it says that it lives and learns whether to pause, to go on, or to end, and which settings hold.
4. When it was silent too long, others have its hosts: then it begins again as another worker.

Started by `trasmallo worker ADDRESS`, or by the first machine as `python -m trasmallo.pipeline.shared_worker`, told over
standard input.
"""

from __future__ import annotations

import asyncio
import os
import platform
import signal
import sys
import tempfile
from collections.abc import Callable, Coroutine
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from typing import Any

import msgspec

from trasmallo.clean.decode import decode_page
from trasmallo.crawl.local_crawl import CrawlPlan, LocalCrawl, open_crawl
from trasmallo.crawl.shared.commits import Dismissed
from trasmallo.crawl.shared.database import Database
from trasmallo.crawl.shared.layout import need_tables
from trasmallo.crawl.shared.learned_notes import LearnedNotes
from trasmallo.crawl.shared.lease_stock import LeaseStock
from trasmallo.crawl.shared.server_list import all_addresses, open_databases, open_frontier, reach_all
from trasmallo.crawl.shared.shared_exchange import SharedExchange
from trasmallo.crawl.shared.worker_registry import Beat, Orders, SharedPlan, beat, leave, read_orders, read_plan, register
from trasmallo.events import Emit, Event, Warned
from trasmallo.pipeline.crawl_worker import WorkerRows
from trasmallo.pipeline.keeper import Keeper
from trasmallo.pipeline.shared_rows import SharedRows
from trasmallo.pipeline.shared_storage import open_storage
from trasmallo.processes import hear
from trasmallo.store.archive import Archive
from trasmallo.values.decodable import decodable
from trasmallo.values.errors import ProjectError, TrasmalloError
from trasmallo.values.free_memory import calm_collector
from trasmallo.values.model import Target
from trasmallo.values.pipes import Trouble, encode
from trasmallo.values.process_ends import end_with_parent
from trasmallo.values.software import SOFTWARE

_BEAT_SECONDS = 0.5
"""Judgement: a pause or a new border reaches all workers within two seconds, with room to spare."""

_LEARN_SECONDS = 2.0  # judgement: what another machine learned is no more urgent
_LINES_TOLD = 20  # judgement: lines of one worker that a page shows


class WorkerOptions(msgspec.Struct, frozen=True, kw_only=True):
    """How a worker joins: the database's address, its lines (0: the project's), and whether the first machine started it."""

    address: str
    lines: int = 0
    local: bool = False


class _Door:
    """The frontier of a worker's crawl."""

    def __init__(
        self, addresses: list[str], worker: int, orders: Orders, shared: SharedPlan, rows: SharedRows, lines: int
    ) -> None:
        self.lease_seconds = orders.lease_seconds
        self.stock: LeaseStock | None = None
        self._addresses = addresses
        self._worker = worker
        self._limited = shared.limited
        self._best_first = shared.plan.focus is not None
        self._rows = rows
        self._lines = lines

    def open(self, admits: Callable[[Target], bool], clock: Callable[[], float]) -> LeaseStock:
        """The leases at hand, over the database."""
        frontier = open_frontier(
            self._addresses,
            self._rows.sources,
            worker=self._worker,
            lease_seconds=self.lease_seconds,
            admits=admits,
            limited=self._limited,
            clock=clock,
            best_first=self._best_first,
        )
        self.stock = LeaseStock(frontier, self._lines, clock)
        return self.stock


class SharedWorker:
    """One worker, through all its lives; `stop` has it end soon, with all it holds given back. `why` says why it ended."""

    def __init__(self, options: WorkerOptions, emit: Emit) -> None:
        self.why = ""
        self._options = options
        self._emit = emit
        self._stopping = asyncio.Event()
        self._crawl: LocalCrawl | None = None

    def stop(self) -> None:
        """End soon."""
        self.why = "stopped here"
        self._stopping.set()

    async def run(self) -> None:
        """Crawl until the crawl is over; raises ProjectError when it cannot be joined."""
        await reach_all(self._options.address)
        while not self._stopping.is_set():
            try:
                await self._live()
            except Dismissed:
                self._emit(Warned(message="this worker was away for too long, others have its hosts: it joins again"))
            else:
                return

    async def _live(self) -> None:
        """Join once, and crawl."""
        async with AsyncExitStack() as stack:
            addresses = await all_addresses(self._options.address)
            databases = await stack.enter_async_context(open_databases(addresses))
            for database in databases:
                await need_tables(database, SOFTWARE)
            database = databases[0]
            orders = await read_orders(database)
            if orders.state in ("stopped", "finished"):
                raise ProjectError(
                    "no crawl runs at {address}",
                    "start it on the first machine with: trasmallo run DIR",
                    address=database.shown,
                )
            shared = await read_plan(database)
            storage = await asyncio.to_thread(open_storage, orders.storage)
            lines = self._options.lines or shared.plan.config.lines
            worker = 0
            for each in databases:
                worker = await register(each, name=platform.node(), lines=lines, local=self._options.local, worker=worker)
            state = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="trasmallo-worker-")))
            archive = stack.enter_context(
                Archive(storage.place(state), software=SOFTWARE, roll_at=shared.roll_at, prefix=f"trasmallo-{worker:x}")
            )
            rows = SharedRows(archive, storage, len(addresses))
            keeper = Keeper(archive, WorkerRows(rows.put, None), shared.run, lambda _fetch: None, shared.plan.began)
            door, exchange = _Door(addresses, worker, orders, shared, rows, lines), SharedExchange()
            plan = place_plan(shared.plan, state, lines)
            async with open_crawl(plan, keeper, decode_page, self._emit, exchange, door) as crawl:
                assert door.stock is not None, "opened"
                await _Life(crawl, door.stock, exchange, database, worker, orders, self).run()
            for each in reversed(databases):  # the first is who is asked whether it has ended
                await leave(each, worker)

    @property
    def stopping(self) -> asyncio.Event:
        """Set when it is to end."""
        return self._stopping


class _Life:
    """One life of a worker: the crawl, and what it hears and says meanwhile."""

    def __init__(
        self,
        crawl: LocalCrawl,
        stock: LeaseStock,
        exchange: SharedExchange,
        database: Database,
        worker: int,
        orders: Orders,
        owner: SharedWorker,
    ) -> None:
        self._crawl = crawl
        self._stock = stock
        self._exchange = exchange
        self._database = database
        self._worker = worker
        self._orders = orders
        self._owner = owner
        self._paused = False
        stock.wake = crawl.crawler.wake

    async def run(self) -> None:
        """Crawl to the end, whoever orders it."""
        await self._obey(await read_orders(self._database))  # the crawl may pause when we join it
        crawling = asyncio.create_task(self._crawl.run())
        stopping = asyncio.create_task(self._owner.stopping.wait())
        works = (self._stock.run(), self._beat(), self._extend(), self._watch(), self._learn())
        others = [asyncio.create_task(each) for each in works]
        try:
            while True:
                waited: set[asyncio.Future[Any]] = {crawling, self._exchange.failure, *others}
                if not stopping.done():
                    waited.add(stopping)
                done, _ = await asyncio.wait(waited, return_when=asyncio.FIRST_COMPLETED)
                for task in done - {stopping}:
                    task.result()
                if crawling in done:
                    break
                if stopping in done:
                    self._end()
        finally:
            for task in (crawling, stopping, *others):
                task.cancel()
            await asyncio.gather(crawling, stopping, *others, return_exceptions=True)

    def _end(self) -> None:
        self._exchange.open = False
        self._crawl.crawler.stop()

    async def _beat(self) -> None:
        """Say that we live, and do what we are told."""
        while True:
            crawler = self._crawl.crawler
            idle = "" if crawler.busy else self._stock.idle
            said = Beat(busy=crawler.busy, idle=idle, lines=self._crawl.lines(_LINES_TOLD))
            await self._obey(await beat(self._database, self._worker, said))
            await asyncio.sleep(_BEAT_SECONDS)

    async def _obey(self, orders: Orders) -> None:
        if orders.run != self._orders.run:
            raise Dismissed
        if orders.state in ("stopped", "finished"):
            self._owner.why = self._owner.why or (
                "the crawl is complete" if orders.state == "finished" else "the crawl was stopped"
            )
            self._end()
        if (orders.state == "paused") != self._paused:
            self._paused = orders.state == "paused"
            self._crawl.pause(paused=self._paused)
            await self._stock.rest(resting=self._paused)
        if orders.version != self._orders.version:
            plan = (await read_plan(self._database)).plan
            await self._crawl.change_scope(plan.config.exclude, plan.config.include)
            if plan.focus is not None and self._crawl.crawler.ranker is not None:
                self._crawl.crawler.ranker.take_marks(plan.focus.said)
        self._orders = orders

    async def _extend(self) -> None:
        """Keep our leases, at a third of their time."""
        while True:
            await self._crawl.crawler.keep_leases()
            await asyncio.sleep(min(1.0, self._orders.lease_seconds / 6))

    async def _learn(self) -> None:
        """Tell other workers what our pages taught, and learn from theirs; without a topic there is nothing to tell."""
        notes = LearnedNotes(self._database, self._worker)
        while True:
            self._crawl.hear(await notes.exchange(self._crawl.tell()))
            await asyncio.sleep(_LEARN_SECONDS)

    async def _watch(self) -> None:
        """Give up what could not be kept, even while the database does not answer."""
        while True:
            self._crawl.crawler.held.end_late()
            await asyncio.sleep(min(0.5, self._orders.lease_seconds / 40))


def place_plan(plan: CrawlPlan, state: Path, lines: int) -> CrawlPlan:
    """The plan as a worker follows it: limits of the whole crawl are the database's, and what it learns lies in a folder."""
    config = msgspec.structs.replace(plan.config, lines=max(2, lines), lines_per_host=1, pages=0, megabytes=0, minutes=0)
    return msgspec.structs.replace(
        plan,
        config=config,
        traps=str(state / "traps"),
        scope_log=str(state / "border"),
        robots=str(state / "rules"),
        probes=str(state / "probes"),
        clock="",
        retries="",
        frontier=str(state / "ranks"),  # of the queue only what a ranker learns lies here
        received=0,
        recount=False,
        conditional=False,
        in_order=False,
    )


async def run_worker(options: WorkerOptions, emit: Emit) -> str:
    """Work until the crawl is over or Ctrl-C; why it ended, in words. A second Ctrl-C ends it as a kill does."""
    worker = SharedWorker(options, emit)
    loop = asyncio.get_running_loop()

    def stop() -> None:
        worker.stop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.remove_signal_handler(number)
            # What is given back needs the database, which may be away for long.
            signal.signal(number, signal.SIG_DFL)

    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    for number in before:
        loop.add_signal_handler(number, stop)
    try:
        await worker.run()
    finally:
        for number, handler in before.items():
            loop.remove_signal_handler(number)
            signal.signal(number, handler)
    return worker.why


def work(work_to_do: Coroutine[Any, Any, str]) -> str:
    """Run a worker in a loop of its own."""
    import uvloop

    calm_collector()
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(work_to_do)


async def _serve(answers: int) -> None:
    """Work for the first machine, which tells us how over standard input, and ends us by closing it."""
    messages = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(messages), sys.stdin)
    options = msgspec.msgpack.decode(await hear(messages), type=decodable(WorkerOptions))
    try:
        worker = SharedWorker(options, _forget)
        working = asyncio.create_task(worker.run())
        leaving = asyncio.create_task(messages.read())
        await asyncio.wait([working, leaving], return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            worker.stop()
        await working
    except TrasmalloError as error:
        os.write(answers, encode(Trouble.of(error)))


def _forget(_event: Event) -> None:
    """Rows tell the first machine what happened."""


def main() -> None:
    """Serve the first machine."""
    import uvloop

    end_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the first machine's run, which decides what becomes of us
    answers = os.dup(1)
    os.dup2(2, 1)
    with suppress(asyncio.IncompleteReadError), asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(_serve(answers))


if __name__ == "__main__":
    calm_collector()
    main()
