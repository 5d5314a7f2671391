"""The stages of a project's runs: crawl, clean, study, import, each resumed where it was interrupted.

Whoever calls them holds the project's lock.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from trasmallo.config import Config
from trasmallo.crawl.retries import requested_retries
from trasmallo.crawl.workers.worker_crawl import number_of_processes
from trasmallo.events import Bus, EventFile, RunEnded, RunStarted, Warned
from trasmallo.pipeline import restudy
from trasmallo.pipeline.completion import complete, forget_results, forget_tables, remove_parts
from trasmallo.pipeline.importing import open_foreign, take_in
from trasmallo.pipeline.reading.stored_texts import StoredTexts
from trasmallo.pipeline.session import Session
from trasmallo.pipeline.staleness import adopt, stale_stage, start_run
from trasmallo.results.database.tables import Tables
from trasmallo.results.summary import Summary, summarise
from trasmallo.store import run_folders
from trasmallo.store.archive import Archive
from trasmallo.store.catalog import Catalog
from trasmallo.store.run_folders import Run
from trasmallo.values.errors import UsageError
from trasmallo.values.software import SOFTWARE


class Stages:
    """The work on the project in `folder`; its events go to `bus`."""

    def __init__(self, folder: Path, config: Config, bus: Bus) -> None:
        self._folder = folder
        self._config = config
        self._bus = bus
        self._runs = folder / "runs"
        self._store = folder / "store"

    def crawl(self, *, new: bool, read: bool) -> Summary:
        """Crawl, and read what arrives; an interrupted run goes on unless a `new` one is wanted."""
        run = self._resumed(new=new)
        stale = stale_stage(run, self._config) == "study" or not run.parts.exists()
        if read and stale and not self._study_again(run):
            return self._as_before(run)
        return self._work(run, crawl=True, read=read)

    def clean(self) -> Summary:
        """Read and study all pages of the latest run again."""
        return self._read_again(run_folders.latest(self._runs))

    def study(self) -> Summary:
        """Study the stored texts of the latest run again; pages are read again only when [clean] has changed since."""
        run = run_folders.latest(self._runs)
        restudy.take_over(run)
        self._need_texts(run)
        if stale_stage(run, self._config) != "clean":
            return self._work(run, crawl=False, read=True) if self._study_again(run) else self._as_before(run)
        self._bus.emit(Warned(message="[clean] has changed: the pages are read again before they are studied"))
        return self._read_again(run)

    def import_file(self, path: Path) -> Summary:
        """Take in the pages of a collection or a folder as a run of its own, and study them."""
        pages = open_foreign(path)
        run = start_run(self._runs, self._config, "import", SOFTWARE)
        with self._listening(run), self._stores() as (archive, catalog):
            take_in(pages, archive, catalog, run.name, self._bus.emit)
        run.manifest.crawled = True
        return self._work(run, crawl=False, read=True)

    def _read_again(self, run: Run) -> Summary:
        run.mark("stopped")
        forget_results(run)
        return self._work(run, crawl=False, read=True)

    def _need_texts(self, run: Run) -> None:
        with Tables(run, self._config.study) as tables:
            if not tables.number("pages"):
                raise UsageError(
                    "no page of {name} has been read yet",
                    "read them with: trasmallo clean {folder}",
                    name=run.name,
                    folder=self._folder,
                )

    def _study_again(self, run: Run) -> bool:
        """Bring the results of a run under the present [study], from its texts; False when that was interrupted."""
        if restudy.begin(run, self._config):
            with self._listening(run), self._stores() as (archive, catalog), restudy.open_texts(run) as texts:
                self._bus.emit(RunStarted(run=run.name, resumed=True))
                session = self._session(run, archive, catalog, texts)
                if not session.work(crawl=False, read=True):
                    self._bus.emit(RunEnded(run=run.name, state=run.manifest.state))
                    return False
        restudy.end(run)
        return True

    def _as_before(self, run: Run) -> Summary:
        ended = "the study was stopped: these are the results before it, and the same command goes on"
        return msgspec.structs.replace(summarise(run, self._store, self._config.study), ended=ended)

    def _resumed(self, *, new: bool) -> Run:
        """The run that was interrupted or has addresses to try again, or a new one; what was cleaned otherwise is forgotten."""
        found = [run for run in run_folders.find(self._runs) if run.manifest.kind == "crawl"]
        if new or not found or (found[-1].finished and not requested_retries(found[-1].retry_folders)):
            return start_run(self._runs, self._config, "crawl", SOFTWARE, number_of_processes(self._config.crawl))
        run = found[-1]
        if run.finished:
            remove_parts(run)  # a kill may have left some of them
            run.mark("stopped")
        run.manifest.crawled = False
        restudy.take_over(run)
        if run.parts.exists():
            forget_tables(run)
        if stale_stage(run, self._config) == "clean":
            forget_results(run)
        return run

    def _work(self, run: Run, *, crawl: bool, read: bool) -> Summary:
        resumed = run.events.exists()
        if read:
            adopt(run, self._config)
        run.mark("running")
        with self._listening(run):
            self._bus.emit(RunStarted(run=run.name, resumed=resumed))
            finished = self._run_session(run, crawl=crawl, read=read)
            run.mark("finished" if finished else "stopped")
            if finished:
                remove_parts(run)
            self._bus.emit(RunEnded(run=run.name, state=run.manifest.state))
        return summarise(run, self._store, self._config.study)

    def _session(self, run: Run, archive: Archive, catalog: Catalog, texts: StoredTexts | None = None) -> Session:
        return Session(
            config=self._config,
            run=run,
            archive=archive,
            catalog=catalog,
            emit=self._bus.emit,
            software=SOFTWARE,
            folder=self._folder,
            texts=texts,
        )

    def _run_session(self, run: Run, *, crawl: bool, read: bool) -> bool:
        """One session, and what is made of the results so far; whether nothing is left to do."""
        with self._stores() as (archive, catalog):
            session = self._session(run, archive, catalog)
            done = session.work(crawl=crawl, read=read)
        if crawl:
            run.manifest.ended = session.ended
        run.manifest.crawled |= crawl and done
        finished = read and done and run.manifest.crawled
        if read:
            complete(run, self._config, self._bus.emit, finished=finished)
            run.manifest.studying = ""
        return finished

    @contextmanager
    def _stores(self) -> Iterator[tuple[Archive, Catalog]]:
        roll_at = self._config.store.megabytes * 1_000_000
        with (
            Archive(self._store / "archive", software=SOFTWARE, roll_at=roll_at) as archive,
            Catalog(self._store / "catalog") as catalog,
        ):
            yield archive, catalog

    @contextmanager
    def _listening(self, run: Run) -> Iterator[None]:
        """Write the run's events while the block lasts."""
        file = EventFile(run.events)
        end = self._bus.listen(file)
        try:
            yield
        finally:
            end()
            file.close()
