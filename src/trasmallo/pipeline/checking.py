"""Check of a project's files: every one is read and compared with what was written, and none is changed.

Sources cannot be made of anything else: the project file, the lists, verdicts, decisions, marks, queries and line groups of the
user, the archive, and snapshots, whose runs may have been made again since. All others are derived: `repair` makes them again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Literal

import msgspec

from trasmallo.config import StudyConfig
from trasmallo.crawl.files.manifest import FILE_NAME as SOURCES
from trasmallo.crawl.files.manifest import Manifest
from trasmallo.crawl.frontier.soundness import frontier_damage
from trasmallo.crawl.mail.imap import ImapState
from trasmallo.crawl.marks import FILE_NAME as MARKS
from trasmallo.crawl.marks import read_marks
from trasmallo.crawl.scope_log import read_dropped
from trasmallo.crawl.trap_filter import read_report
from trasmallo.pipeline.archive_rows import ORIGINALS, RUNS, is_page, originals_in, runs_in
from trasmallo.pipeline.mail_servers import ACCOUNTS
from trasmallo.pipeline.topics import read_topics
from trasmallo.pipeline.visit_checkpoint import read_checkpoint
from trasmallo.results.database.tables import Tables
from trasmallo.results.originals import is_original
from trasmallo.results.search.indexing import FINISHED, index_gap
from trasmallo.results.snapshots import snapshot_damage, snapshot_folders
from trasmallo.store import digests, run_folders
from trasmallo.store.archive import ArchiveReader
from trasmallo.store.catalog import Catalog
from trasmallo.store.index.folder import why_unusable
from trasmallo.store.kept_queries import query_history, saved_queries
from trasmallo.store.left_out_sites import left_out_sites
from trasmallo.store.line_groups import group_names, read_group
from trasmallo.store.parts import finished_parts
from trasmallo.store.result_soundness import require_results
from trasmallo.store.rights import read_rights
from trasmallo.store.run_folders import QUEUED, REVISIT, Run
from trasmallo.store.run_folders import Manifest as RunManifest
from trasmallo.store.subcorpora import saved_scopes
from trasmallo.store.warc import WarcRecord
from trasmallo.study import verdicts
from trasmallo.study.entities import annotated_documents, decisions, own_kinds
from trasmallo.study.word_lists import resolve_lists
from trasmallo.values.errors import REBUILD, StoreDamaged, StoreTooNew, TrasmalloError
from trasmallo.values.model import Fetch

Kind = Literal["archive", "catalog", "sources", "visits", "run", "frontier", "results", "index", "lists", "jobs", "snapshot"]


class Finding(msgspec.Struct, frozen=True):
    """Something that is not as it was written: of which kind, what, and how to repair it.

    `run` is the run or snapshot that it belongs to, "" for the project.
    """

    kind: Kind
    run: str
    problem: str
    repair: str


class ArchiveFacts(msgspec.Struct):
    """What the archive says when all of it was read: its damage, and how many answers of pages it holds.

    `originals` is how often a row of a file or message was written down; a kill may have kept the last ones from the catalog.
    `runs` is what each run last said of itself, at the times in `told`.
    """

    runs: dict[str, RunManifest] = {}
    told: dict[str, float] = {}
    damage: list[TrasmalloError] = []
    answers: int = 0
    originals: int = 0

    def take_runs(self, record: WarcRecord) -> None:
        """Note what a record says of runs; those of several files come in no order."""
        for manifest in runs_in(record):
            if record.at >= self.told.get(manifest.name, 0.0):
                self.runs[manifest.name], self.told[manifest.name] = manifest, record.at


def check_project(folder: Path, study: StudyConfig, facts: ArchiveFacts | None = None) -> Iterator[Finding]:
    """All that is wrong with the files of a project; raises StoreTooNew for those of a later version.

    `facts` are those of its archive, None when that must be read first.
    """
    store = folder / "store"
    facts = facts or read_archive(store / "archive")
    yield from (_finding("archive", "", damage) for damage in facts.damage)
    yield from catalog_damage(store, facts)
    yield from source_damage(store)
    yield from visit_damage(store)
    runs = folder / "runs"
    for name in sorted(facts.runs.keys() | _run_names(runs)):
        yield from _check_run(runs / name)
    for frozen in snapshot_folders(folder):
        yield from _check_snapshot(frozen)
    yield from (_finding("lists", "", damage) for damage in _list_damage(folder, study))


def read_archive(folder: Path) -> ArchiveFacts:
    """Read the whole archive, digests included."""
    facts = ArchiveFacts()
    if not folder.is_dir():
        return facts
    try:
        with ArchiveReader(folder) as archive:
            for _, record in archive.records(verify=True, on_damage=facts.damage.append):
                facts.answers += is_page(record)
                if record.kind == "metadata" and record.url == RUNS:
                    facts.take_runs(record)
                elif record.kind == "metadata" and record.url == ORIGINALS:
                    facts.originals += len(originals_in(record)[1])
    except StoreDamaged as damage:
        facts.damage.append(damage)
    return facts


def catalog_damage(store: Path, facts: ArchiveFacts) -> Iterator[Finding]:
    """What is wrong with the catalog: it must open, every row be whole, and lead to where the archive has something.

    Where the archive has nothing, it is the archive that has lost something: the catalog is all that tells of it.
    """
    if not (store / "catalog").exists() and not facts.answers + facts.originals:
        return
    sizes = {path.name: path.stat().st_size for path in (store / "archive").glob("*.warc.gz")}
    rows = lost = 0
    restricted = dict[str, bool]()
    try:
        with Catalog(store / "catalog", read_only=True) as catalog:
            catalog.verify()
            for fetch in catalog.every():
                rows += fetch.locator is not None
                lost += not _is_there(fetch, sizes)
                if fetch.access is not None or fetch.url in restricted:
                    restricted[fetch.url] = fetch.access is not None
        _require_rights(store, (url for url, is_restricted in restricted.items() if is_restricted))
    except StoreTooNew:
        raise
    except TrasmalloError as damage:
        yield _finding("catalog", "", damage)
        return
    missing = facts.answers - rows if rows else facts.answers + facts.originals
    if missing > 0:
        without = StoreDamaged("{number:,} stored pages have no row in the catalog", REBUILD, number=missing)
        yield _finding("catalog", "", without)
    if lost:
        repair = "put the files back from a copy, or go on without what is lost: trasmallo repair DIR --accept-loss"
        gone = StoreDamaged("{number:,} rows of the catalog lead to pages that the archive does not hold", repair, number=lost)
        yield _finding("archive", "", gone)


def _require_rights(store: Path, restricted: Iterable[str]) -> None:
    """Raise StoreDamaged where a document that not everybody may read has no rights beside the catalog."""
    rights = read_rights(store)
    if lost := next((url for url in restricted if url not in rights), ""):
        raise StoreDamaged("the rights of {url} are not beside the catalog", REBUILD, url=lost)


def source_damage(store: Path) -> Iterator[Finding]:
    """What is wrong with what the passes over folders and mailboxes remember."""
    try:
        Manifest(store / SOURCES)
    except StoreTooNew:
        raise
    except StoreDamaged as damage:
        yield _finding("sources", "", damage)
    for path in sorted(store.glob(ACCOUNTS)):
        if ImapState(path).is_lost:
            yield _finding("sources", "", StoreDamaged("{path} is damaged", REBUILD, path=path))


def visit_damage(store: Path) -> Iterator[Finding]:
    """What is wrong with what plans have learnt of visits."""
    try:
        read_checkpoint(store)
    except StoreDamaged as damage:
        yield _finding("visits", "", damage)


def _is_there(fetch: Fetch, sizes: dict[str, int]) -> bool:
    place = fetch.locator
    return place is None or is_original(place) or place.offset + place.length <= sizes.get(place.file, 0)


def _run_names(folder: Path) -> set[str]:
    """The folders that hold or held a run; one that was begun and never held anything does not count."""
    return {path.name for path in folder.iterdir() if run_folders.has_begun(path)} if folder.is_dir() else set()


def _check_run(folder: Path) -> Iterator[Finding]:
    name = folder.name
    try:
        run = run_folders.open_run(folder)
        run.status()
    except StoreTooNew:
        raise
    except TrasmalloError as damage:
        yield _finding("run", name, damage)
        return
    if run.manifest.thinned:
        return  # its results are gone because nobody wants them
    if run.manifest.kind in QUEUED and not (run.manifest.kind == REVISIT and run.manifest.crawled):
        yield from (_finding("frontier", name, damage) for damage in _queue_damage(run))
    damaged = [_finding("results", name, damage) for damage in _result_damage(run)]
    yield from damaged
    if run.finished and run.manifest.indexed and (cause := _index_damage(run, tables_too=not damaged)):
        yield Finding("index", name, f"{run.folder / FINISHED}: {cause}", REBUILD)


def _check_snapshot(folder: Path) -> Iterator[Finding]:
    damaged = [_finding("snapshot", folder.name, damage) for damage in snapshot_damage(folder)]
    yield from damaged
    if damaged:
        return
    run = run_folders.open_run(folder)
    if run.manifest.indexed and (cause := _index_damage(run, tables_too=True)):
        yield Finding("index", folder.name, f"{folder / FINISHED}: {cause}", REBUILD)


def _index_damage(run: Run, *, tables_too: bool) -> str:
    """Why the index of a finished run must be built again, be it that the tables have other documents; "" when it need not."""
    cause = why_unusable(run.folder / FINISHED)
    if cause or not tables_too:
        return cause
    with Tables(run) as tables:
        return index_gap(run.folder / FINISHED, tables) or ""


def _queue_damage(run: Run) -> Iterator[TrasmalloError]:
    for worker, folder in enumerate(run.frontiers):
        yield from frontier_damage(folder)
        try:
            read_dropped(run.scope_log_of(worker))
            read_report(run.traps_of(worker))
        except StoreDamaged as damage:
            yield damage


def _result_damage(run: Run) -> Iterator[TrasmalloError]:
    """Damage in the tables of a finished run, or in the parts of one that goes on."""
    if run.manifest.unread:
        yield StoreDamaged("a repair of {name} was cut short before all of its pages were read", REBUILD, name=run.name)
    try:
        require_results(run)
    except StoreDamaged as damage:
        yield damage
    yield from digests.damaged_files(run.folder)
    for parts in (run.parts, run.studying, run.studied):
        for part in finished_parts(parts):
            yield from digests.damaged_files(part)
    yield from digests.damaged_files(run.carried)


def _list_damage(folder: Path, study: StudyConfig) -> Iterator[TrasmalloError]:
    readings: tuple[Callable[[], object], ...] = (
        lambda: verdicts.load(folder),
        lambda: resolve_lists(study, folder),
        lambda: left_out_sites(folder),
        lambda: saved_scopes(folder),
        lambda: decisions.load(folder),
        lambda: own_kinds.load(folder / own_kinds.FILE_NAME),
        lambda: annotated_documents.load(folder),
        lambda: read_topics(folder),
        lambda: list(read_marks(folder / MARKS)),
        lambda: saved_queries(folder),
        lambda: query_history(folder),
        *(partial(read_group, folder, name) for name in group_names(folder)),
    )
    for read in readings:
        try:
            read()
        except TrasmalloError as error:
            yield error


def _finding(kind: Kind, run: str, error: TrasmalloError) -> Finding:
    return Finding(kind, run, error.problem, error.repair)
