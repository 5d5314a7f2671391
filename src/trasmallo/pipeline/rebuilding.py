"""Rebuilding what follows from the archive: the catalog, what runs say of themselves, and the frontier of a crawl."""

from __future__ import annotations

import asyncio
import shutil
from collections import Counter
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path

import msgspec

from trasmallo.clean.decode import decode_page
from trasmallo.config import Config
from trasmallo.crawl.fetch.permissions import Permissions
from trasmallo.crawl.frontier import Close, EmbeddedFrontier, FrontierStats
from trasmallo.crawl.link_policy import LinkPolicy
from trasmallo.crawl.local_crawl import AGENT, find_private
from trasmallo.crawl.outcomes import location_of
from trasmallo.crawl.rankers import open_ranker
from trasmallo.crawl.ranking import Ranker, move_waiting
from trasmallo.crawl.replay import Replay, Rules, Stored
from trasmallo.crawl.robots_rules import MOST_RULES_HOPS
from trasmallo.crawl.scope import Scope
from trasmallo.crawl.trap_filter import TrapFilter
from trasmallo.events import Emit
from trasmallo.pipeline.archive_rows import (
    ORIGINALS,
    OUTCOMES,
    RULES,
    RULES_ROLE,
    answer_of,
    failures_in,
    is_page,
    originals_in,
    row_of_record,
)
from trasmallo.pipeline.topics import plan_focus
from trasmallo.store.archive import ArchiveReader
from trasmallo.store.catalog import Catalog
from trasmallo.store.rights import remove_rights, replace_rights
from trasmallo.store.run_folders import Run
from trasmallo.store.warc import WarcRecord
from trasmallo.values.atomic_files import remove
from trasmallo.values.errors import StoreError, disk_errors
from trasmallo.values.local_addresses import is_local
from trasmallo.values.model import Failure, Fetch, Locator, Outcome, Response

_AT_ONCE = 1_000  # judgement: rows written together, some 300 kB
_MOST_HOSTS = 50  # judgement: hosts of a worker that a page shows


class CatalogRebuilt(msgspec.Struct, frozen=True):
    """How many rows were made, and how many answers refer to others that are lost."""

    rows: int
    lost: int


class _RowWriter:
    """Puts rows into a catalog, many at a time, in the order in which they come."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._run = ""
        self._rows: list[Fetch] = []
        self.number = 0

    def put(self, run: str, fetch: Fetch) -> None:
        if run != self._run or len(self._rows) >= _AT_ONCE:
            self.flush()
            self._run = run
        self._rows.append(fetch)
        self.number += 1

    def flush(self) -> None:
        if self._rows:
            self._catalog.put_many(self._rows, self._run)
            self._rows = []


def rebuild_catalog(store: Path) -> CatalogRebuilt:
    """Make the catalog of a store anew from its archive, beside the one that is there until it is whole.

    Damage is passed over: who calls knows of it from the check.
    """
    draft = store / "catalog.new"
    remove(draft)
    remove_rights(draft)
    with ArchiveReader(store / "archive") as archive, Catalog(draft) as catalog:
        rebuilt = _fill(archive, catalog)
    with disk_errors(store):
        # The rights come first: without its rows nothing can be asked for, without its rights everybody could.
        replace_rights(store / "catalog", draft)
        remove(store / "catalog")
        draft.rename(store / "catalog")
    return rebuilt


def _fill(archive: ArchiveReader, catalog: Catalog) -> CatalogRebuilt:
    writer, unresolved = _RowWriter(catalog), list[tuple[Locator, WarcRecord]]()
    for place, record in archive.by_time(on_damage=lambda _damage: None):
        if record.kind == "metadata" and record.url == OUTCOMES:
            run, rows = failures_in(record)
            for fetch in rows:
                writer.put(run, fetch)
        elif record.kind == "metadata" and record.url == ORIGINALS:
            run, rows = originals_in(record)
            for fetch in rows:
                writer.put(run, fetch)
        elif is_page(record) and not _take_answer(place, record, writer, catalog):
            unresolved.append((place, record))
    # Clocks may have been set meanwhile.
    lost = sum(not _take_answer(place, record, writer, catalog) for place, record in unresolved)
    writer.flush()
    return CatalogRebuilt(writer.number, lost)


def _take_answer(place: Locator, record: WarcRecord, writer: _RowWriter, catalog: Catalog) -> bool:
    if record.kind == "revisit":
        writer.flush()  # what it refers to may be among the last rows
    fetch = row_of_record(record, place, catalog)
    if fetch is not None:
        writer.put(record.run, fetch)
    return fetch is not None


def rebuild_frontier(run: Run, until: float, config: Config, store: Path, emit: Emit) -> FrontierStats:
    """Make the frontier of a run anew from its stored pages, without asking anybody; its counts over all workers.

    `until` is when the next run began: pages that were asked for later are not its own.
    """
    shutil.rmtree(run.frontier, ignore_errors=True)
    for worker in range(run.manifest.processes):
        run.traps_of(worker).unlink(missing_ok=True)
        run.scope_log_of(worker).unlink(missing_ok=True)
    with ArchiveReader(store / "archive") as archive, Catalog(store / "catalog", read_only=True) as catalog:
        rules = _StoredRules(run, until, archive)
        return asyncio.run(_replay(run, config, _Stored(run, until, archive, catalog), rules, catalog, emit))


async def _replay(run: Run, config: Config, stored: Stored, rules: Rules, catalog: Catalog, emit: Emit) -> FrontierStats:
    crawl = config.crawl
    async with AsyncExitStack() as stack:
        permissions, focus = Permissions(await find_private(crawl)), plan_focus(run.project, config)
        frontiers, policies, rankers = list[EmbeddedFrontier](), list[LinkPolicy](), list[Ranker]()
        for worker in range(run.manifest.processes):
            traps = TrapFilter(run.traps_of(worker), crawl, emit)
            stack.callback(traps.save)
            frontiers.append(EmbeddedFrontier(run.frontier_of(worker), admits=traps.admits))
            stack.push_async_callback(frontiers[-1].control, Close())
            ranker = open_ranker(run.frontier_of(worker), crawl, focus, decode_page)
            stack.callback(ranker.save)
            rankers.append(ranker)
            policies.append(LinkPolicy(crawl, Scope(crawl), AGENT, decode_page, emit, permissions, ranker=ranker))
        await Replay(frontiers, policies, stored, rules).run(
            crawl.seeds, (row for row in catalog.of_run(run.name) if not is_local(row.url))
        )
        for frontier, ranker in zip(frontiers, rankers, strict=True):
            await move_waiting(frontier, ranker)
        return _sum([await frontier.stats(_MOST_HOSTS) for frontier in frontiers])


def _sum(stats: Sequence[FrontierStats]) -> FrontierStats:
    return FrontierStats(
        known=sum(each.known for each in stats),
        queued=sum(each.queued for each in stats),
        leased=0,
        done=sum(each.done for each in stats),
        hosts=sum(each.hosts for each in stats),
        retries=0,
        outcomes=dict(sum((Counter(each.outcomes) for each in stats), Counter())),
        busiest=tuple(host for each in stats for host in each.busiest),
    )


class _Stored:
    """What a run stored for an address: the row, and the answer as the archive has it."""

    def __init__(self, run: Run, until: float, archive: ArchiveReader, catalog: Catalog) -> None:
        self._began, self._until = run.manifest.began, until
        self._archive = archive
        self._catalog = catalog

    def __call__(self, url: str) -> tuple[Fetch, Response | Failure] | None:
        found = (row for row in self._catalog.versions(url) if row.outcome is not Outcome.ENTRY)
        rows = [row for row in found if self._began <= row.at < self._until]
        if not rows:
            return None
        fetch = next((row for row in reversed(rows) if row.outcome.obtained), rows[0])  # as `Catalog.of_run` has it
        return fetch, self._answer(fetch)

    def _answer(self, fetch: Fetch) -> Response | Failure:
        failure = Failure(fetch.url, fetch.at, fetch.outcome, fetch.cause)
        if fetch.locator is None:
            return failure
        try:
            record = self._archive.read(fetch.locator)
        except StoreError:
            return failure
        content = record.content()
        if content is None:
            return failure
        answer = answer_of(record, record.body, content)
        return msgspec.structs.replace(answer, url=fetch.url, at=fetch.at, status=fetch.status)


class _StoredRules:
    """The robots.txt files that a run was given, by the hosts that they are for; some 300 bytes of memory each."""

    def __init__(self, run: Run, until: float, archive: ArchiveReader) -> None:
        self._archive = archive
        began = run.manifest.began
        self._places = {
            record.url: place
            for place, record in archive.records(on_damage=lambda _damage: None)
            if record.role == RULES_ROLE and record.run == run.name and began <= record.at < until
        }

    def __call__(self, host: str) -> Response | None:
        url = host + RULES
        for _ in range(MOST_RULES_HOPS):
            place = self._places.get(url)
            if place is None:
                return None
            record = self._archive.read(place)
            answer = answer_of(record, record.body, record.content() or b"")
            if not 300 <= answer.status < 400:
                return answer
            url = location_of(answer)
        return None
