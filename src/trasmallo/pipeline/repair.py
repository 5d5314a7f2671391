"""Repair of a project: whatever follows from the project file and the archive is made again where it is damaged or lost."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from trasmallo.config import Config
from trasmallo.crawl.files.manifest import FILE_NAME as SOURCES
from trasmallo.crawl.frontier import FrontierStats
from trasmallo.events import Emit
from trasmallo.pipeline.archive_rows import append_run
from trasmallo.pipeline.checking import ArchiveFacts, Finding, check_project, read_archive
from trasmallo.pipeline.completion import forget_results
from trasmallo.pipeline.feed_entries import EntryTaker
from trasmallo.pipeline.mail_servers import ACCOUNTS
from trasmallo.pipeline.rebuilding import rebuild_catalog, rebuild_frontier
from trasmallo.pipeline.visit_checkpoint import forget_checkpoint
from trasmallo.pipeline.visit_history import note_texts_of_tables
from trasmallo.results.database.tables import Tables
from trasmallo.results.run_counts import write_counts
from trasmallo.results.search.indexing import build_index, forget_index
from trasmallo.results.snapshots import mend_snapshot, snapshot_folders
from trasmallo.store import run_folders
from trasmallo.store.archive import Archive, ArchiveReader
from trasmallo.store.catalog import Catalog
from trasmallo.store.run_folders import QUEUED, REVISIT, Manifest, Run
from trasmallo.values.errors import StoreDamaged, StoreError
from trasmallo.values.model import Outcome
from trasmallo.values.run_status import HostStatus, RunStatus, count_run
from trasmallo.values.software import SOFTWARE

_NOT_FROZEN_AGAIN = "nothing has it any more as it was: bring its folder back from a copy, or let it go with --remove"


class RepairStep(msgspec.Struct, frozen=True):
    """Something that was made again: of which kind and run, and what came of it."""

    kind: str
    run: str
    done: str


class Repair:
    """Makes the derived files of a project again. `read_again` reads all pages of a run and makes its results."""

    def __init__(self, folder: Path, config: Config, emit: Emit, read_again: Callable[[Run], None]) -> None:
        self._folder = folder
        self._store = folder / "store"
        self._runs = folder / "runs"
        self._config = config
        self._emit = emit
        self._read_again = read_again
        self._facts = ArchiveFacts()
        self._steps: list[RepairStep] = []

    def run(self, *, accept_loss: bool) -> list[RepairStep]:
        """Repair all that is found; what the archive has lost for good needs a yes, before anything is changed."""
        self._facts = read_archive(self._store / "archive")
        findings = list(check_project(self._folder, self._config.study, self._facts))
        _refuse_losses(findings, accept_loss=accept_loss)
        rows_changed = bool(_of(findings, "catalog") or (accept_loss and _of(findings, "archive")))
        if _of(findings, "visits"):
            self._forget_visits()
        if rows_changed:
            forget_checkpoint(self._store)
            self._mend_catalog()
        if _of(findings, "sources"):
            self._forget_sources()
        # All say again what they are before any is read: later ones build upon those before them.
        for run in [self._mend_manifest(name) for name in sorted({finding.run for finding in _of(findings, "run")})]:
            self._mend_run(run)
        for run in run_folders.with_results(self._runs):
            own = [finding for finding in findings if finding.run == run.name]
            self._mend_results(run, own)
            if rows_changed and run.finished:
                self._note(run)
            if own or rows_changed:
                write_counts(run, self._store, anew=True)
        self._mend_snapshots(findings)
        return self._steps

    def _mend_snapshots(self, findings: Sequence[Finding]) -> None:
        """Frozen results: what their runs have as it was is put back, now that these are sound, and the index made again."""
        for folder in snapshot_folders(self._folder):
            own = [finding for finding in findings if finding.run == folder.name]
            if _of(own, "snapshot"):
                whole = mend_snapshot(folder, self._runs)
                self._did("snapshot", folder.name, "files that its run has as they were" if whole else _NOT_FROZEN_AGAIN)
            if _of(own, "index"):
                self._mend_index(run_folders.open_run(folder))

    def _note(self, run: Run) -> None:
        """Keep again what later runs ask of a run and the rows of its pages do not tell."""
        with Catalog(self._store / "catalog") as catalog, ArchiveReader(self._store / "archive") as archive:
            note_texts_of_tables(run, catalog)
            if self._config.crawl.entries:
                EntryTaker(run_folders.lineage(run), archive, catalog).take()

    def _mend_catalog(self) -> None:
        rebuilt = rebuild_catalog(self._store)
        lost = f"; {rebuilt.lost:,} could not be resolved" if rebuilt.lost else ""
        self._did("catalog", "", f"{rebuilt.rows:,} rows from the archive{lost}")

    def _forget_sources(self) -> None:
        """Without what the last pass remembers, the next one compares with what the catalog has."""
        (self._store / SOURCES).unlink(missing_ok=True)
        for path in self._store.glob(ACCOUNTS):
            path.unlink()
        self._did("sources", "", "the next run compares all folders and mailboxes with the catalog")

    def _forget_visits(self) -> None:
        """What plans have learnt is in the catalog: the next one learns it again."""
        forget_checkpoint(self._store)
        self._did("visits", "", "the next plan of visits learns from all rows of the catalog")

    def _mend_manifest(self, name: str) -> Run:
        """What a run says of itself where that is damaged, which the archive tells; its results count no more."""
        manifest = self._facts.runs.get(name) or self._guessed(name)
        run = Run(self._runs / name, manifest)
        run.folder.mkdir(parents=True, exist_ok=True)
        run.parts.mkdir(exist_ok=True)
        run.write_status(RunStatus())
        manifest.state, manifest.unread = "stopped", True  # so that a repair that is killed goes on
        run.save()
        forget_results(run)
        return run

    def _mend_run(self, run: Run) -> None:
        """The rest of a run whose manifest or status was damaged."""
        if run.manifest.kind in QUEUED:
            self._mend_frontier(run)
        self._mend_tables(run)
        source = "the archive" if run.name in self._facts.runs else "its name"
        self._did("run", run.name, f"what it says of itself, from {source}")

    def _guessed(self, name: str) -> Manifest:
        """A run of the first version, which the archive does not describe: a crawl that began when its name says."""
        began = run_folders.time_in(name)
        if not began:
            raise StoreError("nothing tells what {name} was", "move {folder} away", name=name, folder=self._runs / name)
        return Manifest(name, "crawl", began, software=SOFTWARE, crawled=True)

    def _mend_results(self, run: Run, findings: Sequence[Finding]) -> None:
        if _of(findings, "run"):
            return
        if _of(findings, "frontier"):
            self._mend_frontier(run)
        if _of(findings, "results"):
            forget_results(run)
            self._mend_tables(run)
        elif _of(findings, "index"):
            self._mend_index(run)

    def _mend_index(self, run: Run) -> None:
        forget_index(run)
        with Tables(run, self._config.study, frugal=True) as tables:
            build_index(run, tables, self._emit, "the index was damaged")
        self._did("index", run.name, "the search index, from the tables")

    def _mend_frontier(self, run: Run) -> None:
        if run.manifest.kind == REVISIT:
            run.manifest.crawled = True
            run.save()
            self._did("frontier", run.name, "visits that were left are planned again by the next revisit")
            return
        stats = rebuild_frontier(run, self._end(run), self._config, self._store, self._emit)
        self._write_status(run, stats)
        self._did("frontier", run.name, f"{stats.done:,} addresses done and {stats.queued:,} that wait, from the archive")

    def _end(self, run: Run) -> float:
        """When the next run began; one of the first version, which the archive does not describe, is not told apart."""
        begins = (manifest.began for manifest in self._facts.runs.values())
        return min((began for began in begins if began > run.manifest.began), default=math.inf)

    def _write_status(self, run: Run, stats: FrontierStats) -> None:
        """Where the crawl stands, as a session would have written it down; what was read is counted with the results."""
        with Catalog(self._store / "catalog", read_only=True) as catalog:
            outcomes, received = catalog.outcomes(run.name), catalog.received(run.name)
        unasked = stats.outcomes.get(Outcome.OUT_OF_SCOPE, 0) - outcomes.get(Outcome.OUT_OF_SCOPE, 0)
        known = stats.known - unasked
        counts = count_run(outcomes=outcomes, known=known, waiting=stats.queued, received=received, pages={}, copies=0)
        hosts = (HostStatus(host=each.host, queued=each.queued, reason="") for each in stats.busiest if each.queued)
        run.write_status(RunStatus(at=time.time(), counts=counts, hosts=tuple(hosts)))

    def _mend_tables(self, run: Run) -> None:
        self._read_again(run)
        self._did("results", run.name, "tables, tokens and index, from the archive")

    def _did(self, kind: str, run: str, done: str) -> None:
        self._steps.append(RepairStep(kind, run, done))


def describe_run(archive: Archive, run: Run, *, completed: bool = False) -> None:
    """Let the archive say what a run says of itself, and that it is `completed` where that is about to be so."""
    told = msgspec.structs.replace(run.manifest, completed=completed or run.manifest.completed)
    append_run(archive, told, time.time())


def _of(findings: Sequence[Finding], kind: str) -> list[Finding]:
    return [finding for finding in findings if finding.kind == kind]


def _refuse_losses(findings: Sequence[Finding], *, accept_loss: bool) -> None:
    lost = _of(findings, "archive")
    if lost and not accept_loss:
        repair = "put the file back from a copy, or go on without what is lost: trasmallo repair DIR --accept-loss"
        raise StoreDamaged("{problem}", repair, problem=lost[0].problem)
