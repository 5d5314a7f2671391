"""One session: what it counts, how it ends, and whose error it raises."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from support.command_line import hurried
from trasmallo.clean.copies.signatures import sign
from trasmallo.demo.site import Site
from trasmallo.events import CrawlEnded, Event, Progress, Studied, Warned
from trasmallo.pipeline import parts_upkeep
from trasmallo.pipeline.control_files import watch
from trasmallo.pipeline.parts_upkeep import UPKEEP_SECONDS
from trasmallo.pipeline.session import Session
from trasmallo.pipeline.staleness import start_run
from trasmallo.project.project import Project
from trasmallo.results.rows import PageRow, TextRow
from trasmallo.store.archive import Archive
from trasmallo.store.catalog import Catalog
from trasmallo.store.parts import document_id, finished_parts, write_part
from trasmallo.store.run_folders import Run
from trasmallo.values.errors import StoreFull
from trasmallo.values.model import Outcome
from trasmallo.values.run_status import AgentStatus
from trasmallo.values.software import SOFTWARE


class Stage:
    """A session at hand with its real stores."""

    def __init__(self, project: Project, archive: Archive, catalog: Catalog, upkeep_seconds: float) -> None:
        self.told: list[Event] = []
        self.hook: Callable[[Event], None] = self.told.append
        self.run: Run = start_run(project.runs, project.config, "crawl", SOFTWARE)
        self.catalog = catalog
        self.session = Session(
            config=project.config,
            run=self.run,
            archive=archive,
            catalog=catalog,
            emit=lambda event: self.hook(event),
            software=SOFTWARE,
            folder=project.folder,
            upkeep_seconds=upkeep_seconds,
        )


@contextmanager
def staged(site: Site, folder: Path, *, upkeep_seconds: float = UPKEEP_SECONDS, **crawl: int) -> Iterator[Stage]:
    project = hurried(folder, site.seeds, pages=6, **crawl)
    with Archive(project.store / "archive", software=SOFTWARE) as archive, Catalog(project.store / "catalog") as catalog:
        yield Stage(project, archive, catalog, upkeep_seconds)


@pytest.fixture
def stage(site: Site, tmp_path: Path) -> Iterator[Stage]:
    with staged(site, tmp_path) as stage:
        yield stage


@pytest.fixture
def kept_up(site: Site, tmp_path: Path) -> Iterator[Stage]:
    """The stage of a session that looks at new parts without a pause."""
    with staged(site, tmp_path, upkeep_seconds=0.0) as stage:
        yield stage


def last_progress(stage: Stage) -> Progress:
    return [event for event in stage.told if isinstance(event, Progress)][-1]


def test_crawl_and_read_together(stage: Stage) -> None:
    assert stage.session.work(crawl=True, read=True)
    progress = last_progress(stage)
    assert (progress.obtained, progress.studied + progress.dropped) == (6, 6)
    assert sum(isinstance(event, Studied) for event in stage.told) == progress.studied
    assert finished_parts(stage.run.parts)


def test_what_each_process_does_is_written_down(stage: Stage) -> None:
    """The crawl is in this process, which coordinates when it is over; pages are read in another."""
    seen: list[AgentStatus] = []
    watch(stage.run)
    stage.hook = lambda _event: seen.extend(stage.run.status().agents)
    assert stage.session.work(crawl=True, read=True)
    own = {agent.work for agent in seen if agent.process == os.getpid()}
    others = {agent.work for agent in seen if agent.process != os.getpid()}
    assert own <= {"fetching", "waiting", "coordinating"}
    assert "coordinating" in own
    assert others
    assert others <= {"reading", "studying", "waiting"}
    assert stage.run.status().agents == (), "nobody is at work"


def test_only_crawling_reads_nothing(stage: Stage) -> None:
    assert stage.session.work(crawl=True, read=False)
    assert stage.catalog.outcomes(stage.run.name)[Outcome.FETCHED] == 6
    assert finished_parts(stage.run.parts) == []


def test_stopping_is_left_for_another_session(stage: Stage) -> None:
    """Ctrl-C at the first event of the crawl."""

    def interrupt(event: Event) -> None:
        if not isinstance(event, Progress) and not stage.session.stopped:
            stage.session.interrupt()

    stage.hook = interrupt
    assert not stage.session.work(crawl=True, read=True)
    assert stage.catalog.outcomes(stage.run.name).get(Outcome.FETCHED, 0) < 6


def test_a_disk_that_fills_up_under_the_reports_ends_the_crawl(stage: Stage) -> None:
    (stage.run.folder / "progress.json.new").symlink_to("/dev/full")
    with pytest.raises(StoreFull, match="the disk is full"):
        stage.session.work(crawl=True, read=False)


def test_why_the_downloads_ended(stage: Stage) -> None:
    assert stage.session.work(crawl=True, read=False)
    assert stage.session.ended == "the limit of 6 pages is reached"
    assert CrawlEnded(cause=stage.session.ended) in stage.told


def test_a_project_without_room_stops_and_says_how_to_go_on(site: Site, tmp_path: Path) -> None:
    with staged(site, tmp_path, free_megabytes=10**12) as stage:
        assert not stage.session.work(crawl=True, read=True)
        assert stage.session.ended.startswith("fewer than 1,000,000,000,000 megabytes are free")
        (warning,) = [event.message for event in stage.told if isinstance(event, Warned)]
        assert warning.endswith("free some space, or lower `free_megabytes`, and run the same command again")
        assert stage.catalog.outcomes(stage.run.name) == {}


def test_bytes_are_counted_over_all_sessions(site: Site, tmp_path: Path) -> None:
    project = hurried(tmp_path, site.seeds, pages=3)
    project.crawl()
    first = project.status().progress.received
    project = Project.open(tmp_path, pages=6)
    project.crawl()
    assert project.status().progress.received > first > 0


def test_parts_are_merged_while_the_run_goes_on(kept_up: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    merged: list[Path] = []
    monkeypatch.setattr(parts_upkeep, "merge_parts", merged.append)
    kept_up.session.work(crawl=True, read=False)
    assert set(merged) == {kept_up.run.parts}


def finish_from_thread(running: Session) -> None:
    assert running._main is not None
    running._main.get_loop().call_soon_threadsafe(running.finish)


def test_copies_are_known_while_the_run_goes_on(kept_up: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    text = " ".join(f"palabra{number} y otra" for number in range(200))
    for url in ("http://a.es/", "http://a.es/copia"):
        page = PageRow(document_id(url), url, "a.es", 0.0, "", "es", "utf-8", "text/html", 1, "")
        write_part(kept_up.run.parts, page.document, {"pages": [page], "texts": [TextRow(page.document, text, sign(text))]})
    monkeypatch.setattr(parts_upkeep, "merge_parts", lambda _parts: finish_from_thread(kept_up.session))
    kept_up.session.work(crawl=True, read=True)
    assert last_progress(kept_up).copies == 1


def test_a_task_that_nobody_ended_is_an_error_and_no_stop(stage: Stage) -> None:
    def cancel(event: Event) -> None:
        if isinstance(event, CrawlEnded):
            raise asyncio.CancelledError

    stage.hook = cancel
    with pytest.raises(asyncio.CancelledError):
        stage.session.work(crawl=True, read=True)
    assert not stage.session.stopped
