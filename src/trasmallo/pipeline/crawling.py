"""The crawl of a run: in this process, or in as many workers as the run began with."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager

import msgspec

from trasmallo.crawl.local_crawl import CrawlPlan
from trasmallo.crawl.workers.coordinator import Coordinator
from trasmallo.crawl.workers.messages import Start
from trasmallo.crawl.workers.worker_crawl import WorkerCrawl
from trasmallo.events import Emit
from trasmallo.store.archive import Archive
from trasmallo.store.catalog import Catalog
from trasmallo.store.run_folders import Run
from trasmallo.values.model import Fetch

_PROGRAM = "trasmallo.pipeline.crawl_worker"
_LINES_SHOWN = 20
"""Lines whose every change is told. Judgement: as many as a person can watch."""


def deal(plan: CrawlPlan, run: Run, archive: Archive, catalog: Catalog) -> list[Start]:
    """What each worker of a run is to do; each has a line at least, so there may be more of them than configured."""
    workers, lines = run.manifest.processes, plan.config.lines
    own = [max(1, lines // workers + (worker < lines % workers)) for worker in range(workers)]
    return [
        Start(
            plan=_plan_of(worker, own[worker], plan, run),
            run=run.name,
            worker=worker,
            workers=workers,
            archive=str(archive.folder),
            catalog=str(catalog.folder) if catalog.count else "",
            roll_at=archive.roll_at,
            limited=bool(plan.config.pages),
            first_line=sum(own[:worker]),
            shows_lines=lines <= _LINES_SHOWN,
        )
        for worker in range(workers)
    ]


def _plan_of(worker: int, lines: int, plan: CrawlPlan, run: Run) -> CrawlPlan:
    # Workers do not tell each other which machines they ask, so each asks one as much less often.
    rest = plan.config.address_delay * run.manifest.processes
    config = msgspec.structs.replace(plan.config, lines=lines, pages=0, megabytes=0, minutes=0, address_delay=rest)
    # Bytes of earlier sessions are counted once, by the coordinator.
    return msgspec.structs.replace(place(plan, run, worker), config=config, in_order=False, received=0)


def place(plan: CrawlPlan, run: Run, worker: int) -> CrawlPlan:
    """The plan with the places in a run's folder where a worker keeps its state."""
    return msgspec.structs.replace(
        plan,
        frontier=str(run.frontier_of(worker)),
        traps=str(run.traps_of(worker)),
        scope_log=str(run.scope_log_of(worker)),
        robots=str(run.robots_of(worker)),
        probes=str(run.probes_of(worker)),
        labels=str(run.labels_of(worker)),
        retries=str(run.retries_of(worker)),
        clock=str(run.clock_of(worker)),
    )


@asynccontextmanager
async def open_workers(
    plan: CrawlPlan, run: Run, archive: Archive, catalog: Catalog, obtained: Callable[[Fetch], None], emit: Emit
) -> AsyncIterator[WorkerCrawl]:
    """The crawl of a run in as many processes as it began with."""

    def keep(rows: Sequence[Fetch]) -> None:
        catalog.put_many(rows, run.name)
        for fetch in rows:
            if fetch.outcome.obtained and fetch.locator is not None:
                obtained(fetch)

    coordinator = Coordinator(run.manifest.processes, plan.config, keep, emit, received=plan.received)
    yield WorkerCrawl(_PROGRAM, deal(plan, run, archive, catalog), coordinator, emit)
