"""One sitting: what it counts, how it ends, and whose error it raises."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from support.command_line import hurried
from trasmallo.clean.copies.signatures import sign
from trasmallo.demo.site import Site
from trasmallo.events import CrawlEnded, Event, Progress, Studied, Warned
from trasmallo.pipeline import session
from trasmallo.pipeline.session import Sitting
from trasmallo.pipeline.staleness import start_run
from trasmallo.project.project import Project
from trasmallo.results.rows import PageRow, TextRow
from trasmallo.store.archive import Archive
from trasmallo.store.catalog import Catalog
from trasmallo.store.parts import document_id, finished_parts, write_part
from trasmallo.store.run_folders import Run
from trasmallo.values.errors import StoreFull
from trasmallo.values.model import Outcome
from trasmallo.values.software import SOFTWARE


class Desk:
    """A sitting at hand with its real stores."""

    def __init__(self, project: Project, archive: Archive, catalog: Catalog, tend_every: float = 5.0) -> None:
        self.told: list[Event] = []
        self.run: Run = start_run(project.runs, project.config, "crawl", SOFTWARE)
        self.catalog = catalog
        self.hear: Callable[[Event], None] = self.told.append
        self.sitting = Sitting(
            project.config,
            self.run,
            archive,
            catalog,
            lambda event: self.hear(event),
            SOFTWARE,
            project.folder,
            tend_every=tend_every,
        )


@pytest.fixture
def desk(site: Site, tmp_path: Path) -> Iterator[Desk]:
    project = hurried(tmp_path, site.seeds, pages=6)
    with Archive(project.store / "archive", software=SOFTWARE) as archive, Catalog(project.store / "catalog") as catalog:
        yield Desk(project, archive, catalog)


@pytest.fixture
def busy(site: Site, tmp_path: Path) -> Iterator[Desk]:
    """A sitting that tends its parts all the time."""
    project = hurried(tmp_path, site.seeds, pages=6)
    with Archive(project.store / "archive", software=SOFTWARE) as archive, Catalog(project.store / "catalog") as catalog:
        yield Desk(project, archive, catalog, tend_every=0.0)


def last_progress(desk: Desk) -> Progress:
    return [event for event in desk.told if isinstance(event, Progress)][-1]


def test_crawl_and_read_together(desk: Desk) -> None:
    assert desk.sitting.work(crawl=True, read=True)
    progress = last_progress(desk)
    assert (progress.obtained, progress.studied + progress.dropped) == (6, 6)
    assert sum(isinstance(event, Studied) for event in desk.told) == progress.studied
    assert finished_parts(desk.run.parts)


def test_only_crawling_reads_nothing(desk: Desk) -> None:
    assert desk.sitting.work(crawl=True, read=False)
    assert desk.catalog.outcomes(desk.run.name)[Outcome.FETCHED] == 6
    assert finished_parts(desk.run.parts) == []


def test_stopping_is_left_for_another_sitting(desk: Desk) -> None:
    """Ctrl-C at the first event of the crawl."""

    def interrupt(event: Event) -> None:
        if not isinstance(event, Progress) and not desk.sitting.stopped:
            desk.sitting.interrupt()

    desk.hear = interrupt
    assert not desk.sitting.work(crawl=True, read=True)
    assert desk.catalog.outcomes(desk.run.name).get(Outcome.FETCHED, 0) < 6


def test_a_disk_that_fills_up_under_the_reports_ends_the_crawl(desk: Desk) -> None:
    (desk.run.folder / "progress.json.new").symlink_to("/dev/full")
    with pytest.raises(StoreFull, match="the disk is full"):
        desk.sitting.work(crawl=True, read=False)


def test_why_the_downloads_ended(desk: Desk) -> None:
    assert desk.sitting.work(crawl=True, read=False)
    assert desk.sitting.ended == "the limit of 6 pages is reached"
    assert CrawlEnded(cause=desk.sitting.ended) in desk.told


def test_a_project_without_room_stops_and_says_how_to_go_on(site: Site, tmp_path: Path) -> None:
    project = hurried(tmp_path, site.seeds, pages=6, free_megabytes=10**12)
    with Archive(project.store / "archive", software=SOFTWARE) as archive, Catalog(project.store / "catalog") as catalog:
        desk = Desk(project, archive, catalog)
        assert not desk.sitting.work(crawl=True, read=True)
        assert desk.catalog.outcomes(desk.run.name) == {}
    assert desk.sitting.ended.startswith("fewer than 1,000,000,000,000 megabytes are free")
    (warning,) = [event.message for event in desk.told if isinstance(event, Warned)]
    assert warning.endswith("free some space, or lower `free_megabytes`, and run the same command again")


def test_bytes_are_counted_over_all_sittings(site: Site, tmp_path: Path) -> None:
    project = hurried(tmp_path, site.seeds, pages=3)
    project.crawl()
    first = project.status().progress.received
    project = Project.open(tmp_path, pages=6)
    project.crawl()
    assert project.status().progress.received > first > 0


def test_parts_are_merged_while_the_run_goes_on(busy: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    merged: list[Path] = []
    monkeypatch.setattr(session, "merge_parts", merged.append)
    busy.sitting.work(crawl=True, read=False)
    assert set(merged) == {busy.run.parts}


def finish_from_thread(sitting: Sitting) -> None:
    assert sitting._main is not None
    sitting._main.get_loop().call_soon_threadsafe(sitting.finish)


def test_copies_are_known_while_the_run_goes_on(busy: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    text = " ".join(f"palabra{number} y otra" for number in range(200))
    for url in ("http://a.es/", "http://a.es/copia"):
        page = PageRow(document_id(url), url, "a.es", 0.0, "", "es", "utf-8", "text/html", 1, "")
        write_part(busy.run.parts, page.document, {"pages": [page], "texts": [TextRow(page.document, text, sign(text))]})
    monkeypatch.setattr(session, "merge_parts", lambda _parts: finish_from_thread(busy.sitting))
    busy.sitting.work(crawl=True, read=True)
    assert last_progress(busy).copies == 1
