"""A crawl that many machines share, as its first machine sees it: it publishes it, collects the rows of all, and ends it.

The first machine has workers of its own, which are processes like those of any other machine. Rows come from the database
into the project's catalog, and pages to its readers, while the crawl runs; WARC files come from the storage. The end is
a query: nothing is queued and nothing lent.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from itertools import count
from pathlib import Path

import msgspec

from trasmallo.config import ClusterConfig, CrawlConfig
from trasmallo.crawl.crawl_limits import counts_of, limit_reached
from trasmallo.crawl.focus_ranker import FocusPlan
from trasmallo.crawl.frontier import Close, Retry
from trasmallo.crawl.live import describe_host, describe_process, plain_manners
from trasmallo.crawl.local_crawl import CrawlCounts, CrawlPlan
from trasmallo.crawl.marks import MarksFile, last_marks
from trasmallo.crawl.queue_search import QueueAnswer, QueueQuestion, search_queue
from trasmallo.crawl.retries import RetryRequests
from trasmallo.crawl.scope import Scope
from trasmallo.crawl.scope_log import ScopeLog
from trasmallo.crawl.shared.collection import (
    WorkerRecord,
    give_up,
    join_records,
    note_collected,
    read_all_workers,
    read_rows,
)
from trasmallo.crawl.shared.database import Database, connect_once
from trasmallo.crawl.shared.layout import Claim, prepare_tables
from trasmallo.crawl.shared.postgres_frontier import LEASE_SECONDS
from trasmallo.crawl.shared.server_list import addresses_of, open_databases, open_frontier
from trasmallo.crawl.shared.several_servers import SharedFrontier
from trasmallo.crawl.shared.worker_registry import (
    Publication,
    SharedPlan,
    allow_pages,
    change_plan,
    order,
    publish,
    register,
)
from trasmallo.events import Emit, Failed, Fetched, Redirected, Refused, Warned
from trasmallo.pipeline.local_workers import LocalWorkers
from trasmallo.pipeline.shared_storage import Storage, open_storage
from trasmallo.store.archive import Archive
from trasmallo.store.catalog import Catalog
from trasmallo.store.run_folders import Run
from trasmallo.values.atomic_files import write_whole
from trasmallo.values.errors import ConfigError, ProjectError, disk_errors
from trasmallo.values.model import Fetch, Outcome, Target, seed_target
from trasmallo.values.run_status import AgentStatus, HostStatus, LineStatus
from trasmallo.values.software import SOFTWARE

_COLLECT_SECONDS = 0.25  # judgement: pages are read soon after they came
_MOST_ROWS = 2_000  # judgement: rows put into the catalog at once
_SILENT = 2.0
"""Times the length of a lease after which a silent worker is given up: its hosts are others' by then."""

_SECONDS_TO_END = 5.0
"""Judgement: what a worker may take to end when the crawl is over, before its file is cut where its last commit ends."""

_COUNTING = 9.0  # judgement: times as long as counting took until it is done again
_SHOWN = 50  # judgement: hosts and lines of a page


class SharedCrawl:
    """The crawl of a run on all machines, for the session of the first; `obtained` is told of each page that can be read."""

    def __init__(
        self,
        *,
        plan: CrawlPlan,
        run: Run,
        archive: Archive,
        catalog: Catalog,
        obtained: Callable[[Fetch], None],
        emit: Emit,
        databases: Sequence[Database],
        frontier: SharedFrontier,
        shared: SharedPlan,
        storage: Storage,
        workers: LocalWorkers,
        lease_seconds: float,
    ) -> None:
        self._config = plan.config
        self._plan = plan
        self._run = run
        self._archive = archive
        self._catalog = catalog
        self._obtained = obtained
        self._emit = emit
        self._databases = databases
        self._database = databases[0]
        self._frontier = frontier
        self._shared = shared
        self._storage = storage
        self._workers = workers
        self._lease_seconds = lease_seconds
        self._scope_log = ScopeLog(run.scope_log_of(0), Scope(plan.config), frontier, emit)
        self._retries = [RetryRequests(str(folder), plan.config) for folder in run.retry_folders]
        self._records: list[WorkerRecord] = []
        self._looked: set[tuple[int, int]] = set()
        self._counts = CrawlCounts()
        self._hosts: list[HostStatus] = []
        self._limit = ""
        self._began = time.monotonic()
        self._next_count = 0.0
        self._stopping = False
        self._paused: bool | None = None
        self._ended = False
        self._marks = MarksFile(Path(plan.focus.marks)) if plan.focus is not None and plan.focus.marks else None

    async def run(self) -> None:
        """Crawl until nothing is left, a limit is reached or `stop` is called; then all workers are told."""
        await self._scope_log.open(self._config.exclude, self._config.include)
        await self._frontier.add(list(map(seed_target, self._config.seeds)))
        await self.sync()  # what is to be asked for again is work, though nothing else may be left
        own = asyncio.create_task(self._workers.run())
        try:
            for turn in count():
                await self._collect()
                if turn % 2 == 0:
                    await self._tend()
                if self._stopping or self._limit or not await self._frontier.has_work():
                    break
                if own.done():
                    own.result()
                await asyncio.sleep(_COLLECT_SECONDS)
            await self._finish()
        finally:
            if not self._ended:
                await asyncio.shield(self._tell_end_soon())
            own.cancel()
            await asyncio.gather(own, return_exceptions=True)
            self._ended = True

    def stop(self) -> None:
        """End the downloads on all machines."""
        self._stopping = True

    async def counts(self) -> CrawlCounts:
        """The counts of all machines as they were counted last, half a second ago unless hosts are very many."""
        return self._counts

    @property
    def obtained(self) -> int:
        """Pages of all machines."""
        return self._counts.obtained

    def lines(self, limit: int) -> list[LineStatus]:
        """The lines of all workers, as far as they tell of them, numbered over all."""
        if self._ended:
            return []
        shown: list[LineStatus] = []
        first = 0
        for record in self._living():
            shown += [msgspec.structs.replace(line, line=first + line.line) for line in record.shown]
            first += record.lines
        return shown[:limit]

    def agents(self) -> list[AgentStatus]:
        """The process we are in, and those of this machine that crawl."""
        if self._ended:
            return []
        coordinating = AgentStatus(process=os.getpid(), work="coordinating", since=self._plan.began)
        own = [record for record in self._living() if self._workers.owns(record.process, local=record.local)]
        return [coordinating, *(describe_process(record.process, record.shown) for record in own)]

    async def hosts(self, limit: int) -> list[HostStatus]:
        """Hosts at work, then those with the longest queues."""
        return self._hosts[:limit]

    def limit(self) -> str:
        """The limit that ended the crawl."""
        return self._limit

    def offline(self) -> str:
        """Never: another machine may have a network."""
        return ""

    async def sync(self) -> None:
        """Take up what was wished for; the database writes for itself."""
        if not self._ended:
            for retries in self._retries:
                await retries.take(self, self._frontier)

    async def retry(self, ended: Sequence[tuple[Target, Outcome]]) -> int:
        """Ask once more for targets that ended so; how many of them wait now."""
        return (await self._frontier.control(Retry(tuple(ended)))).number

    async def change_scope(self, exclude: Sequence[str], include: Sequence[str]) -> None:
        """Publish another border, then drop what is outside."""
        if self._ended:
            return
        config = msgspec.structs.replace(self._shared.plan.config, exclude=tuple(exclude), include=tuple(include))
        self._shared = msgspec.structs.replace(self._shared, plan=msgspec.structs.replace(self._shared.plan, config=config))
        await change_plan(self._database, self._shared)
        await self._scope_log.change(exclude, include)

    def pause(self, *, paused: bool) -> None:
        """Have all machines pause, or go on."""
        self._paused = paused

    async def search(self, question: QueueQuestion) -> QueueAnswer:
        """Look through the queue in the database."""
        return QueueAnswer() if self._ended else await search_queue(self._frontier, question)

    def _living(self) -> list[WorkerRecord]:
        return [record for record in self._records if not (record.ended or record.gone)]

    async def _tend(self) -> None:
        """Pass a pause on, count, and give up workers that are gone."""
        if self._paused is not None:
            paused, self._paused = self._paused, None
            await order(self._database, "paused" if paused else "running")
        if self._marks is not None and self._marks.has_changed():
            await self._publish_marks(self._marks)
        for record in self._living():
            if record.silent > _SILENT * self._lease_seconds and not self._workers.owns(record.process, local=record.local):
                await self._dismiss(record)
        if self._ended or time.monotonic() >= self._next_count:
            await self._count()

    async def _publish_marks(self, marks: MarksFile) -> None:
        """Tell all workers what the user marks."""
        plan = self._shared.plan
        if plan.focus is None:
            return
        focus = msgspec.structs.replace(plan.focus, said=last_marks(marks.read()))
        if focus != plan.focus:
            self._shared = msgspec.structs.replace(self._shared, plan=msgspec.structs.replace(plan, focus=focus))
            await change_plan(self._database, self._shared)

    async def _count(self) -> None:
        """Count addresses and hosts, in a tenth of the time at most: it reads all hosts, and there may be millions."""
        asked = time.monotonic()
        stats, now = await self._frontier.stats(_SHOWN), time.time()
        self._next_count = time.monotonic() + _COUNTING * (time.monotonic() - asked)
        counts, received = counts_of(stats.outcomes), sum(record.received for record in self._records)
        known = stats.known - stats.outcomes.get(Outcome.OUT_OF_SCOPE, 0)
        self._counts = CrawlCounts(known, stats.queued + stats.leased, counts.obtained, counts.failed, received)
        self._hosts = [describe_host(state, plain_manners(self._config, leased=state.leased), now) for state in stats.busiest]
        seconds = time.monotonic() - self._began
        self._limit = limit_reached(self._config, self._config.pages or None, counts.obtained, received, seconds)

    async def _dismiss(self, record: WorkerRecord) -> None:
        self._emit(Warned(message=f"the worker {record.name} ({record.process}) was not heard of: others go on with its hosts"))
        ends = [end for database in self._databases if (end := await give_up(database, record.worker))]
        if len(ends) == len(self._databases):
            await asyncio.to_thread(self._storage.cut, record.worker, *max(ends))

    async def _collect(self) -> bool:
        """Take new rows of all workers into the catalog; whether there were any."""
        servers = await read_all_workers(self._databases)
        self._records = join_records(servers)
        found = False
        for number, records in enumerate(servers):
            for record in records:
                found |= await self._collect_from(number, record)
        return found

    async def _collect_from(self, number: int, record: WorkerRecord) -> bool:
        """Take the new rows of one worker from one server."""
        database, start = self._databases[number], record.collected
        while start < record.rows and (rows := await read_rows(database, record.worker, start, _MOST_ROWS)):
            await self._show([fetch for _, fetch in rows])
            self._put((number, record.worker), [fetch for _, fetch in rows])
            start = rows[-1][0]
            await note_collected(database, record.worker, start)
        return start > record.collected

    async def _show(self, rows: Sequence[Fetch]) -> None:
        """Have the records of rows in the project's archive."""
        needed: dict[str, int] = {}
        for place in (fetch.locator for fetch in rows if fetch.locator is not None):
            needed[place.file] = max(needed.get(place.file, 0), place.offset + place.length)
        for name, size in needed.items():
            await asyncio.to_thread(self._storage.show, self._archive.folder, name, size)

    def _put(self, worker: tuple[int, int], rows: Sequence[Fetch]) -> None:
        if worker not in self._looked:
            # A session that was killed may have put them and not said so.
            self._looked.add(worker)
            rows = [fetch for fetch in rows if not self._has(fetch)]
        self._catalog.put_many(rows, self._run.name)
        for fetch in rows:
            self._emit_row(fetch)
            if fetch.outcome.readable and fetch.locator is not None:
                self._obtained(fetch)

    def _has(self, fetch: Fetch) -> bool:
        return any(known.at == fetch.at for known in self._catalog.versions(fetch.url))

    def _emit_row(self, fetch: Fetch) -> None:
        if fetch.outcome.obtained:
            self._emit(Fetched(url=fetch.url, status=fetch.status, size=fetch.size, media=fetch.media, digest=fetch.digest))
        elif fetch.outcome is Outcome.REDIRECTED:
            self._emit(Redirected(url=fetch.url, location=fetch.location))
        elif fetch.outcome is Outcome.OFF_TOPIC:
            self._emit(Refused(url=fetch.url, cause=fetch.cause))
        else:
            self._emit(Failed(url=fetch.url, outcome=fetch.outcome, cause=fetch.cause, again_at=0.0))

    async def _finish(self) -> None:
        """Tell all workers that it is over, wait for the last rows, and cut what the dead left torn."""
        await self._tell_end()
        end = time.monotonic() + _SECONDS_TO_END
        while await self._collect() or self._living():
            if time.monotonic() > end:
                break
            await asyncio.sleep(_COLLECT_SECONDS)
        for record in self._living():
            await self._dismiss(record)
        await self._collect()
        for record in self._records:
            await asyncio.to_thread(self._storage.complete, self._archive.folder, record.worker, record.file, record.size)
        await self._tend()

    async def _tell_end_soon(self) -> None:
        """Tell it if the database answers: it may be what failed, and whoever gives up does not wait for it."""
        with suppress(ProjectError, TimeoutError):
            async with asyncio.timeout(_SECONDS_TO_END):
                await self._tell_end()

    async def _tell_end(self) -> None:
        over = not (self._stopping or self._limit) and not await self._frontier.has_work()
        await order(self._database, "finished" if over else "stopped")
        self._ended = True


def need_cluster(cluster: ClusterConfig) -> ClusterConfig:
    """The settings of a run that other machines share; raises ConfigError when they were taken away."""
    if not cluster.frontier:
        raise ConfigError(
            "this run has its queue in a database, which the project file no longer names",
            "name it again as `frontier` in [cluster], or start another run with: trasmallo run DIR --new",
        )
    return cluster


def project_id(folder: Path) -> str:
    """What tells a project from all others, in a file of its own."""
    path = folder / "store" / "cluster"
    if not path.exists():
        with disk_errors(path):
            path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, os.urandom(16).hex().encode(), contested=True)
    with disk_errors(path):
        return path.read_text("ascii").strip()


@asynccontextmanager
async def open_shared(
    plan: CrawlPlan,
    *,
    run: Run,
    archive: Archive,
    catalog: Catalog,
    obtained: Callable[[Fetch], None],
    emit: Emit,
    cluster: ClusterConfig,
    name: str,
    lease_seconds: float = LEASE_SECONDS,
) -> AsyncIterator[SharedCrawl]:
    """The crawl of a run on all machines that join; at the end all it holds is closed."""
    addresses = addresses_of(cluster.frontier)
    for address in addresses:
        await connect_once(address)
    async with open_databases(addresses) as databases:
        storage = await asyncio.to_thread(open_storage, cluster.storage)
        claim = Claim(project=project_id(run.project), name=name, software=SOFTWARE)
        for database in databases:
            await prepare_tables(database, claim)
        if plan.focus is not None and plan.focus.harvest:
            emit(Warned(message="`harvest` does not end a crawl that several machines share: give it another limit"))
        limited = bool(plan.config.pages) and len(addresses) == 1
        shared = SharedPlan(plan=_published(plan), run=run.name, roll_at=archive.roll_at, limited=limited)
        worker = await _publish(databases, shared, cluster.storage, lease_seconds)
        frontier = open_frontier(addresses, worker=worker, lease_seconds=lease_seconds)
        try:
            if limited:
                await allow_pages(databases[0], plan.config.pages)
            yield SharedCrawl(
                plan=plan,
                run=run,
                archive=archive,
                catalog=catalog,
                obtained=obtained,
                emit=emit,
                databases=databases,
                frontier=frontier,
                shared=shared,
                storage=storage,
                workers=LocalWorkers(addresses[0], _lines(plan.config, run.manifest.processes), emit),
                lease_seconds=lease_seconds,
            )
        finally:
            await frontier.control(Close())


async def _publish(databases: Sequence[Database], shared: SharedPlan, storage: str, lease_seconds: float) -> int:
    """Tell all servers of a crawl, the first one last, since workers begin when it says so; the number of the first machine."""
    worker = 0
    for place in reversed(range(len(databases))):
        publication = Publication(
            shared=shared,
            storage=storage,
            lease_seconds=lease_seconds,
            limited=shared.limited,
            servers=tuple(database.shown for database in databases),
            place=place,
        )
        await publish(databases[place], publication)
        worker = await register(databases[place], name="", lines=0, local=True, worker=worker)
    return worker


def _published(plan: CrawlPlan) -> CrawlPlan:
    """The plan without the paths of this machine."""
    focus = None
    if plan.focus is not None:
        said = last_marks(MarksFile(Path(plan.focus.marks)).read()) if plan.focus.marks else {}
        focus = FocusPlan(setup=plan.focus.setup, topicality=plan.focus.topicality, said=said)
    return CrawlPlan(config=plan.config, software=plan.software, private=plan.private, began=plan.began, focus=focus)


def _lines(config: CrawlConfig, processes: int) -> list[int]:
    """The lines of each process of this machine."""
    return [max(1, config.lines // processes + (number < config.lines % processes)) for number in range(processes)]
