"""The stages of a project's runs: crawl, clean, study, import, each resumed where it was interrupted.

Whoever calls them holds the project's lock.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

import msgspec

from trasmallo.config import Config
from trasmallo.crawl.crawl_limits import extended, limit_reached
from trasmallo.crawl.frontier.soundness import make_room
from trasmallo.crawl.network_watch import LOST
from trasmallo.crawl.retries import requested_retries
from trasmallo.crawl.revisit.budget import Budget
from trasmallo.crawl.revisit.visit_list import write_visits
from trasmallo.crawl.scope import Scope
from trasmallo.crawl.workers.worker_crawl import number_of_processes
from trasmallo.events import Announced, Bus, EventFile, RunEnded, RunStarted, Warned
from trasmallo.pipeline import restudy
from trasmallo.pipeline.balance import crawl_processes, number_of_agents
from trasmallo.pipeline.collection_state import (
    adopt_unchanged,
    carry,
    copies_without_tokens,
    put_back,
    stored_entries,
    taken_in,
    times_of_runs,
    write_gone,
)
from trasmallo.pipeline.completion import complete, forget_tables, remove_parts
from trasmallo.pipeline.duplicates import find_copies
from trasmallo.pipeline.executors.interface import Executor
from trasmallo.pipeline.executors.processes import ProcessExecutor
from trasmallo.pipeline.feed_entries import EntryTaker, write_entries
from trasmallo.pipeline.importing import open_foreign, refuse_own, take_in
from trasmallo.pipeline.keeper import Keeper
from trasmallo.pipeline.local_sources import LocalPass, MissingRoot, PassResult, has_changes, require_roots
from trasmallo.pipeline.mail_servers import ServerPass, has_news, require_accounts
from trasmallo.pipeline.pushes import take_pushes
from trasmallo.pipeline.reading.stored_texts import StoredTexts
from trasmallo.pipeline.repair import Repair, RepairStep, describe_run
from trasmallo.pipeline.revisiting import visits_of_run
from trasmallo.pipeline.session import Session
from trasmallo.pipeline.staleness import adopt, stale_stage, start_run
from trasmallo.pipeline.thinning import thin_out
from trasmallo.pipeline.visit_checkpoint import forget_settled
from trasmallo.pipeline.visit_history import note_texts
from trasmallo.results.database.tables import Tables
from trasmallo.results.run_counts import need_catalog, write_counts
from trasmallo.results.summary import Summary, summarise
from trasmallo.store import run_folders
from trasmallo.store.archive import Archive
from trasmallo.store.catalog import Catalog
from trasmallo.store.parts import document_id, documents_done
from trasmallo.store.pushed import forget_early, forget_pushes, pushes
from trasmallo.store.run_folders import CRAWL, FILES, IMPORT, PUSH, REVISIT, SELECTION, LimitStart, Run
from trasmallo.values.errors import NothingDue, ProjectError, StoreDamaged, UsageError
from trasmallo.values.local_addresses import is_local
from trasmallo.values.model import Fetch
from trasmallo.values.software import SOFTWARE

UNCHANGED = "nothing has changed"
"""What is said of a pass over folders and mailboxes that found all as it was."""

_HOUR = 3_600.0  # seconds: the project file counts `gone_after` in hours


class Stages:
    """The work on the project in `folder`; its events go to `bus`, and the `executor` finds places for work on the corpus."""

    def __init__(self, folder: Path, config: Config, bus: Bus, executor: Executor | None = None) -> None:
        self._executor = executor or ProcessExecutor(number_of_agents(config))
        self._folder = folder
        local = [seed for seed in config.crawl.seeds if is_local(seed)]
        web = tuple(seed for seed in config.crawl.seeds if not is_local(seed))
        self._whole_config, self._local = config, local
        self._missing: list[MissingRoot] = []
        self._passed_at = 0.0
        self._troubles: list[ProjectError] = []
        self._config = msgspec.structs.replace(config, crawl=msgspec.structs.replace(config.crawl, seeds=web))
        self._bus = bus
        self._runs = folder / "runs"
        self._store = folder / "store"

    def crawl(self, *, new: bool, read: bool) -> Summary:
        """Crawl, and read what arrives; a run that was interrupted or ended by a limit goes on unless a `new` one is wanted."""
        if read and not new and self._local and not self._config.crawl.seeds and run_folders.all_finished(self._runs):
            return self.take_files()
        run = self._resumed(new=new, read=read)
        if read and not self._bring_up_to_date(run):
            return self._as_before(run)
        return self._with_later(run, self._work(run, crawl=True, read=read))

    def _with_later(self, run: Run, summary: Summary) -> Summary:
        """What the collection holds when a run that went on is finished; later ones that were completed lack its pages."""
        now = run_folders.last_completed(self._runs)
        if not run.finished or now is None or now.name == run.name:
            return summary
        self._bus.emit(Announced(message=f"what {run.name} has brought is added to {now.name}, which is newer"))
        return msgspec.structs.replace(self.select_sites(takes=(run.name,)), ended=summary.ended)

    def take_files(self) -> Summary:
        """Take in what changed in the project's folders and mailboxes as a run of its own; none where nothing did."""
        last = [run for run in run_folders.find(self._runs)[-1:] if run.manifest.kind == FILES and not run.finished]
        whole, folder = self._whole_config, self._folder
        if not last and not has_changes(whole, folder) and not has_news(whole, folder):
            run = run_folders.current(self._runs)
            return msgspec.structs.replace(summarise(run, self._store, self._config.study), ended=UNCHANGED)
        run = last[0] if last else start_run(self._runs, self._config, FILES, SOFTWARE)
        if last:
            _reopen(run)
        if not self._bring_up_to_date(run):
            return self._as_before(run)
        return self._work(run, crawl=True, read=True)

    def revisit(self, budget: Budget | None) -> Summary:
        """Ask again for the pages that most need it, and read what has changed; an interrupted revisit goes on."""
        last = [run for run in run_folders.find(self._runs)[-1:] if run.manifest.kind == REVISIT and not run.finished]
        run = last[0] if last else self._planned(budget, time.time())
        if last:
            _reopen(run)
        if not self._bring_up_to_date(run):
            return self._as_before(run)
        return self._work(run, crawl=True, read=True)

    def _planned(self, budget: Budget | None, now: float) -> Run:
        """A new run with the visits that the budget allows."""
        visits = visits_of_run(self._folder, self._config, budget, now)
        if not visits:
            raise NothingDue(
                "no page of {folder} is due for a visit", "wait, or give a number of visits: --budget 100", folder=self._folder
            )
        processes = number_of_processes(self._config.crawl, crawl_processes(number_of_agents(self._config), read=True))
        run = start_run(self._runs, self._config, REVISIT, SOFTWARE, processes)
        known = sum(visit.row > 0 for visit in visits)
        # A limit of pages is one of the whole collection: what is visited again takes no room of it.
        run.manifest.limits_from = LimitStart(known - run_folders.current(self._runs).status().counts.obtained)
        write_visits(run.visits, visits)
        return run

    def _bring_up_to_date(self, run: Run) -> bool:
        """Have the results that are there made under the present settings; False when that was interrupted."""
        stale = stale_stage(run, self._config)
        if stale == "clean":
            return self._clean_again(run, accept_loss=False)
        return self._study_again(run) if stale == "study" or not run.parts.exists() else True

    def clean(self, *, accept_loss: bool = False) -> Summary:
        """Read and study all pages of the latest run again; fewer because of damage only where that is accepted."""
        return self._read_again(run_folders.latest(self._runs), accept_loss=accept_loss)

    def repair(self, *, accept_loss: bool = False) -> list[RepairStep]:
        """Make again whatever is damaged or lost and follows from the project file and the archive."""
        return Repair(self._folder, self._config, self._bus.emit, self._make_results).run(accept_loss=accept_loss)

    def _make_results(self, run: Run) -> None:
        """The results of a run that has none, from its stored pages."""
        crawled = run.manifest.crawled
        self._work(run, crawl=False, read=True)
        assert run.manifest.crawled == crawled, "nothing is downloaded"

    def study(self) -> Summary:
        """Study the stored texts of the latest run again; pages are read again only when [clean] has changed since."""
        run = run_folders.latest(self._runs)
        restudy.take_over(run)
        self._need_texts(run)
        if stale_stage(run, self._config) != "clean":
            return self._work(run, crawl=False, read=True) if self._study_again(run) else self._as_before(run)
        self._bus.emit(Warned(message="[clean] has changed: the pages are read again before they are studied"))
        return self._read_again(run, accept_loss=False)

    def import_file(self, path: Path) -> Summary:
        """Take in the pages of a collection or a folder as a run of its own, and study them."""
        refuse_own(path, self._folder)
        pages = open_foreign(path)
        run = start_run(self._runs, self._config, IMPORT, SOFTWARE)
        with self._listening(run), self._stores() as (archive, catalog):
            describe_run(archive, run)
            take_in(pages, archive, catalog, run.name, self._bus.emit)
        run.manifest.crawled = True
        return self._work(run, crawl=False, read=True)

    def take_pushes(self) -> Summary:
        """Take in what hubs pushed as a run of its own, and study what is new in it."""
        if not pushes(self._folder):
            raise NothingDue(
                "nothing that hubs pushed waits for {folder}",
                "wait until one pushes; `list DIR feeds` shows them",
                folder=self._folder,
            )
        run = start_run(self._runs, self._config, PUSH, SOFTWARE)
        with self._listening(run), self._stores() as (archive, catalog):
            describe_run(archive, run)
            taken = take_pushes(self._folder, Keeper(archive, catalog, run.name, lambda _fetch: None))
        run.manifest.crawled = True
        summary = self._work(run, crawl=False, read=True)
        if run.finished:
            forget_pushes(taken)
        return summary

    def select_sites(self, takes: tuple[str, ...] = ()) -> Summary:
        """Leave what belongs to sites that are taken out out of the results, and take in what is put back, as a run.

        It `takes` in the pages of other runs, too, which the results lack.
        """
        last = [run for run in run_folders.find(self._runs)[-1:] if run.manifest.kind == SELECTION and not run.finished]
        run = last[0] if last else start_run(self._runs, self._config, SELECTION, SOFTWARE)
        if last:
            _reopen(run)
        run.manifest.crawled = True
        run.manifest.takes = tuple(dict.fromkeys((*run.manifest.takes, *takes)))
        run.save()
        if not self._bring_up_to_date(run):
            return self._as_before(run)
        return self._work(run, crawl=False, read=True)

    def _read_again(self, run: Run, *, accept_loss: bool) -> Summary:
        return (
            self._work(run, crawl=False, read=True) if self._clean_again(run, accept_loss=accept_loss) else self._as_before(run)
        )

    def _clean_again(self, run: Run, *, accept_loss: bool) -> bool:
        """Read the pages of a run under the present settings, beside its results; False when that was interrupted."""
        if restudy.begin_reading(run, self._config):
            with self._listening(run), self._stores() as (archive, catalog):
                self._bus.emit(RunStarted(run=run.name, resumed=True))
                if not self._session(run, archive, catalog, beside=True).work(crawl=False, read=True):
                    self._bus.emit(RunEnded(run=run.name, state=run.manifest.state))
                    return False
        lost = 0 if accept_loss else restudy.pages_lost(run)
        if lost:
            raise StoreDamaged(
                "{number:,} pages of {name} can no longer be read, because the archive is damaged; the results before are kept",
                "put its files back from a copy, or go on without these pages: trasmallo clean {folder} --accept-loss",
                number=lost,
                name=run.name,
                folder=self._folder,
            )
        restudy.end(run)
        return True

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
        told = self._told_by_feeds(run)
        if restudy.begin(run, self._config, told):
            with self._listening(run), self._stores() as (archive, catalog), restudy.open_texts(run, told) as texts:
                self._bus.emit(RunStarted(run=run.name, resumed=True))
                session = self._session(run, archive, catalog, texts)
                if not session.work(crawl=False, read=True):
                    self._bus.emit(RunEnded(run=run.name, state=run.manifest.state))
                    return False
        restudy.end(run)
        return True

    def _told_by_feeds(self, run: Run) -> set[str]:
        """The documents of a run that feeds told in it: when it goes on they are read again after all pages."""
        with Catalog(self._store / "catalog", read_only=True) as catalog:
            return {document_id(fetch.url) for fetch in stored_entries(run, catalog)}

    def _as_before(self, run: Run) -> Summary:
        write_counts(run, self._store)
        ended = "the study was stopped: these are the results before it, and the same command goes on"
        return msgspec.structs.replace(summarise(run, self._store, self._config.study), ended=ended)

    def _resumed(self, *, new: bool, read: bool) -> Run:
        """The run that goes on, or a new one, which may be `read` meanwhile; what was cleaned otherwise is forgotten."""
        found = [run for run in run_folders.find(self._runs) if run.manifest.kind == CRAWL]
        left = 0 if new or not found else _left_by_a_limit(found[-1])
        if new or not found or (found[-1].finished and not left and not requested_retries(found[-1].retry_folders)):
            most = crawl_processes(number_of_agents(self._config), read=read)
            processes = number_of_processes(self._config.crawl, most)
            run = start_run(self._runs, self._config, CRAWL, SOFTWARE, processes)
            run.manifest.shared = bool(self._config.cluster.frontier)
            run.save()
            return run
        run = found[-1]
        if left:
            self._go_on(run, left)
        _reopen(run)
        return run

    def _go_on(self, run: Run, left: int) -> None:
        """Say that a run goes on after a limit; one that would end it at once, since nobody has raised it, counts anew."""
        brought, start = run.status().counts, run.manifest.limits_from
        limits = extended(self._config.crawl, start.obtained, start.received)
        anew = limit_reached(limits, limits.pages or None, brought.obtained, brought.received, 0.0)
        if anew:
            run.manifest.limits_from = LimitStart(brought.obtained, brought.received)
        waits = ("1 address waits" if left == 1 else f"{left:,} addresses wait") + (", and limits count anew" if anew else "")
        self._bus.emit(Announced(message=f"{run.name} goes on where {run.manifest.ended}: {waits} (--new starts another run)"))

    def _work(self, run: Run, *, crawl: bool, read: bool) -> Summary:
        resumed = run.events.exists()
        if read:
            adopt(run, self._config)
        run.mark("running")
        with self._listening(run):
            self._bus.emit(RunStarted(run=run.name, resumed=resumed))
            finished, offline = self._run_session(run, crawl=crawl, read=read)
            run.manifest.completed |= finished
            run.mark("finished" if finished else "stopped")
            if finished:
                remove_parts(run)
                forget_early(self._folder, self._passed_at)
                thin_out(self._runs, self._config.store.results_kept)
            write_counts(run, self._store)
            self._bus.emit(RunEnded(run=run.name, state=run.manifest.state))
        if offline:
            _tell_offline(run, offline)
        require_roots(self._missing)
        require_accounts(self._troubles)
        return summarise(run, self._store, self._config.study)

    def _session(
        self,
        run: Run,
        archive: Archive,
        catalog: Catalog,
        texts: StoredTexts | None = None,
        *,
        beside: bool = False,
        again: Sequence[Fetch] = (),
        whole: bool = False,
    ) -> Session:
        return Session(
            config=self._config,
            run=run,
            archive=archive,
            catalog=catalog,
            emit=self._bus.emit,
            software=SOFTWARE,
            folder=self._folder,
            texts=texts,
            beside=beside,
            again=again,
            whole=whole,
            executor=self._executor,
        )

    def _run_session(self, run: Run, *, crawl: bool, read: bool) -> tuple[bool, str]:
        """One session, and what is made of the results so far; whether nothing is left to do, and that there is no network."""
        if read:
            carry(run)
        with self._stores() as (archive, catalog):
            if crawl:
                describe_run(archive, run)
            passed = self._pass_over(run, archive, catalog) if crawl else PassResult()
            session = self._session(run, archive, catalog)
            web = crawl and run.manifest.kind != FILES and bool(self._config.crawl.seeds)
            if crawl and not web and run.manifest.kind != FILES:
                make_room(run.frontiers)  # a crawl of no web site has a queue too, an empty one
            done = session.work(crawl=web, read=read)
            if crawl:
                run.manifest.ended = session.ended or passed.ended
                run.manifest.crawled |= done
                describe_run(archive, run)
            finished = read and done and run.manifest.crawled and self._read_entries(run, archive, catalog)
            same = finished and self._is_same(run, catalog)
            finished = finished and (same or self._add_others(run, archive, catalog))
            if finished and not run.manifest.completed:
                describe_run(archive, run, completed=True)
        if read and not same:
            known = finished and run.carried.exists()
            complete(run, self._config, self._bus.emit, finished=finished, copies_known=known, executor=self._executor)
        if read:
            run.manifest.studying = ""
            run.manifest.unread &= not done
        return finished, session.offline

    def _pass_over(self, run: Run, archive: Archive, catalog: Catalog) -> PassResult:
        """Keep what changed in the project's folders and mailboxes, for the session to read; nothing where it only visits."""
        if not self._local or run.manifest.kind not in (CRAWL, FILES):
            return PassResult()
        keeper = Keeper(archive, catalog, run.name, lambda _fetch: None)
        config, emit = self._whole_config, self._bus.emit
        self._passed_at = time.time()
        passed = LocalPass(folder=self._folder, config=config, keeper=keeper, catalog=catalog, emit=emit).take()
        self._missing = passed.missing
        servers = ServerPass(
            folder=self._folder, config=config, keeper=keeper, catalog=catalog, emit=emit, documents=passed.documents
        )
        if not passed.ended:
            servers.take()
        passed.ended = passed.ended or servers.ended
        self._troubles = servers.troubles
        return passed

    def _read_entries(self, run: Run, archive: Archive, catalog: Catalog) -> bool:
        """Read what feeds say in the place of pages that were not obtained; False when that was interrupted.

        Where a limit ended the downloads, their pages still wait, and entries would be more than was wished.
        """
        refuses = Scope(self._config.crawl).drops
        wished = self._config.crawl.entries and not run.manifest.ended
        taken = EntryTaker(run_folders.lineage(run), archive, catalog, refuses).take() if wished else []
        # Those of a run that went on were left out before, since their pages might have been obtained meanwhile.
        done = set(documents_done(run.parts)).union(document_id(fetch.url) for fetch in taken)
        taken += [fetch for fetch in stored_entries(run, catalog) if document_id(fetch.url) not in done]
        write_entries(run, catalog, times_of_runs(run)[1])
        return not taken or self._session(run, archive, catalog, again=taken).work(crawl=False, read=True)

    def _is_same(self, run: Run, catalog: Catalog) -> bool:
        """Keep what a run in which all is read shows of its pages; whether the results before are its own as they are."""
        forget_settled(self._store, note_texts(run, catalog))
        if not run.manifest.base:
            return False
        write_gone(run, catalog, after=self._config.crawl.gone_after * _HOUR)
        return not taken_in(run, catalog) and adopt_unchanged(run, catalog)

    def _add_others(self, run: Run, archive: Archive, catalog: Catalog) -> bool:
        """Read what the results need beside the run's own pages; False when that was interrupted.

        Where it carries the results before, these are pages of sites that are put back, and documents that are no copies any
        more; else all pages before.
        """
        if not run.manifest.base:
            return True
        if not run.carried.exists():
            return self._session(run, archive, catalog, whole=True).work(crawl=False, read=True)
        restored = put_back(run, catalog) + taken_in(run, catalog)
        if restored and not self._session(run, archive, catalog, again=restored).work(crawl=False, read=True):
            return False
        find_copies(run, self._config.clean.copies)
        again = copies_without_tokens(run, catalog)
        return not again or self._session(run, archive, catalog, again=again).work(crawl=False, read=True)

    @contextmanager
    def _stores(self) -> Iterator[tuple[Archive, Catalog]]:
        roll_at = self._config.store.megabytes * 1_000_000
        need_catalog(self._store)
        with (
            Archive(self._store / "archive", software=SOFTWARE, roll_at=roll_at) as archive,
            Catalog(self._store / "catalog") as catalog,
        ):
            yield archive, catalog

    @contextmanager
    def _listening(self, run: Run) -> Iterator[None]:
        """Write the run's events while the block lasts."""
        file = EventFile(run.events)
        end = self._bus.listen(file, transient=False)
        try:
            yield
        finally:
            end()
            file.close()


def _reopen(run: Run) -> None:
    """Make ready to go on with a run; what a kill left of its end is forgotten."""
    if run.finished:
        remove_parts(run)  # a kill may have left some of them
        run.give_up_results()
    run.manifest.crawled = False
    restudy.take_over(run)
    if run.parts.exists():
        forget_tables(run)


def _tell_offline(run: Run, cause: str) -> NoReturn:
    none = "there is no network (addresses of {name} that wait: {number:,})"
    lost = "the network was lost (addresses of {name} that wait: {number:,})"
    raise ProjectError(
        lost if cause == LOST else none,
        "connect this machine to the network, and give the same command again",
        number=run.status().counts.waiting,
        name=run.name,
    )


def _left_by_a_limit(run: Run) -> int:
    """Addresses that wait since a limit ended the downloads of a run; 0 as long as its pages have not been read."""
    return run.status().counts.waiting if run.finished and run.manifest.ended else 0
