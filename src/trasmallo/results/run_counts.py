"""Counts of a run as every door tells them: what it wrote down, or, when it had no time to, what its files hold."""

from __future__ import annotations

import time
from pathlib import Path

import msgspec

from trasmallo.results.database.tables import Tables
from trasmallo.store import run_folders
from trasmallo.store.catalog import Catalog
from trasmallo.store.run_folders import CRAWL, Run
from trasmallo.values.errors import REBUILD, StoreDamaged
from trasmallo.values.model import Drop, Outcome
from trasmallo.values.run_status import CrawlLeft, RunCounts, RunStatus, addresses_left, count_run


def status_now(run: Run, store: Path, *, working: bool) -> RunStatus:
    """Where a run stands: as whoever is `working` on it last told, or as its last session left it, be it that it was killed."""
    status = run.status()
    if working or status.ended:
        return status
    return msgspec.structs.replace(status, counts=recount(run, store))


def write_counts(run: Run, store: Path, *, anew: bool = False) -> None:
    """Write down what the files of a run hold, as the last word of a session; `anew` counts the bytes of its rows, too."""
    status = run.status()
    counts = recount(run, store, received=None if anew or not status.at else status.counts.received)
    at = status.at or time.time()
    run.write_status(msgspec.structs.replace(status, at=at, counts=counts, reading=(), agents=(), ended=True))


def recount(run: Run, store: Path, *, received: int | None = None) -> RunCounts:
    """The counts of a run by its rows in the catalog and its tables; what waits is known as it was last told.

    Without `received` the bytes are counted in the rows, too.
    """
    told = run.status().counts
    outcomes: dict[Outcome, int] = {}
    if has_catalog(store):
        with Catalog(store / "catalog", read_only=True) as catalog:
            outcomes = catalog.outcomes(run.name)
            received = catalog.received(run.name) if received is None else received
    known, waiting = addresses_left(told, sum(outcomes.values()))
    pages, copies = pages_in_tables(run)
    return count_run(outcomes=outcomes, known=known, waiting=waiting, received=received or 0, pages=pages, copies=copies)


def crawl_left(run: Run) -> CrawlLeft | None:
    """The crawl before the latest `run` that would go on if the project was run again; None where nothing of it waits.

    A revisit, an import and what else comes later have queues of their own, or none.
    """
    runs = run_folders.find(run.project / "runs")
    crawls = [each for each in runs if each.manifest.kind == CRAWL]
    if not crawls or runs[-1].name != run.name or crawls[-1].name == run.name:
        return None
    crawl = crawls[-1]
    waiting = crawl.status().counts.waiting
    goes_on = crawl.manifest.ended or not crawl.finished
    return CrawlLeft(crawl.name, waiting, crawl.manifest.ended) if goes_on and waiting else None


def pages_in_tables(run: Run) -> tuple[dict[str, int], int]:
    """Pages of the tables by why they were left out, "" for texts, and how many of these are copies."""
    with Tables(run) as tables:
        pages = tables.tally("pages", "drop")
    copies = pages.pop(Drop.COPY, 0)
    return pages | {"": pages.get("", 0) + copies}, copies


def need_catalog(store: Path) -> None:
    """Raise StoreDamaged when pages are stored and the catalog of them is gone."""
    if not (store / "catalog" / "CURRENT").exists() and any((store / "archive").glob("*.warc.gz")):
        raise StoreDamaged("the catalog {folder} is missing", REBUILD, folder=store / "catalog")


def has_catalog(store: Path) -> bool:
    """Whether there is one to be read; a run that has just begun has made its folder and nothing more."""
    need_catalog(store)
    return (store / "catalog" / "CURRENT").exists()
