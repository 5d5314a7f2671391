"""The crawl of a run: in this process, or in as many workers as the run began with."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

import msgspec

from trasmallo.crawl.local_crawl import Plan
from trasmallo.crawl.workers.coordinator import Post
from trasmallo.crawl.workers.messages import Start
from trasmallo.crawl.workers.worker_crawl import SharedCrawl
from trasmallo.events import Emit
from trasmallo.store.archive import Archive
from trasmallo.store.catalog import Catalog
from trasmallo.store.run_folders import Run
from trasmallo.values.model import Fetch

_PROGRAM = "trasmallo.pipeline.crawl_worker"
_LINES_SHOWN = 20


def deal(plan: Plan, run: Run, archive: Archive, catalog: Catalog) -> list[Start]:
    """What each process of a run is to do; each has a line at least, so there may be more of them than configured."""
    shares, lines = run.manifest.processes, plan.config.lines
    starts: list[Start] = []
    first = 0
    for share in range(shares):
        own = max(1, lines // shares + (share < lines % shares))
        # Shares do not tell each other which machines they ask, so each asks one as much less often.
        rest = plan.config.address_delay * shares
        config = msgspec.structs.replace(plan.config, lines=own, pages=0, megabytes=0, minutes=0, address_delay=rest)
        # Bytes of earlier sittings are counted once, by the hall.
        places = _places(run, share) | {"in_order": False, "received": 0}
        start = Start(
            msgspec.structs.replace(plan, config=config, **places),
            run.name,
            share,
            shares,
            str(archive.folder),
            str(catalog.folder) if catalog.count else "",
            archive.roll_at,
            limited=bool(plan.config.pages),
            first_line=first,
            shows_lines=lines <= _LINES_SHOWN,
        )
        starts.append(start)
        first += own
    return starts


def _places(run: Run, share: int) -> dict[str, Any]:
    places = {"frontier": run.frontier_of, "traps": run.traps_of, "border": run.border_of, "rules": run.rules_of}
    places["again"] = run.again_of
    return {name: str(place(share)) for name, place in places.items()}


@asynccontextmanager
async def open_shares(
    plan: Plan, run: Run, archive: Archive, catalog: Catalog, obtained: Callable[[Fetch], None], emit: Emit
) -> AsyncIterator[SharedCrawl]:
    """The crawl of a run in as many processes as it began with."""

    def keep(rows: Sequence[Fetch]) -> None:
        catalog.put_many(rows, run.name)
        for fetch in rows:
            if fetch.outcome.obtained and fetch.locator is not None:
                obtained(fetch)

    post = Post(run.manifest.processes, plan.config, keep, emit, received=plan.received)
    yield SharedCrawl(_PROGRAM, deal(plan, run, archive, catalog), post, emit)
