"""With one line the order of a crawl is the same, however often it is killed."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.command_line import call, fetched, start, wait_for
from support.crosslinked_web import CrosslinkedWeb
from trasmallo.events import Fetched, read_events
from trasmallo.project.project import Project
from trasmallo.store import run_folders

PAGES = 90


@pytest.fixture(scope="module")
def web() -> Iterator[CrosslinkedWeb]:
    with CrosslinkedWeb() as web:
        yield web


def made(folder: Path, web: CrosslinkedWeb, *, focused: bool) -> Project:
    project = Project.new(folder, [web.url(0), web.url(1)], lines=1, delay=0.01, address_delay=0.0, pages=PAGES, sitemaps=False)
    if focused:
        project.topic("vela", "barco")
    return project


def order(project: Project) -> list[str]:
    """Pages as they came; what a kill left unfinished comes once more, out of the archive."""
    run = run_folders.find(project.runs)[-1]
    return list(dict.fromkeys(event.url for _, event in read_events(run.events) if isinstance(event, Fetched)))


def crawl(project: Project, *, killed_at: int = 0) -> None:
    with start("crawl", "--into", project.folder, "--quiet") as process:
        if killed_at:
            wait_for(lambda: fetched(project) >= killed_at, process)
            process.send_signal(signal.SIGKILL)
        _, errors = process.communicate()
    assert process.returncode == (-signal.SIGKILL if killed_at else 0), errors


@pytest.mark.parametrize("focused", [False, True], ids=["importance", "topic"])
def test_kills_do_not_change_the_order(web: CrosslinkedWeb, tmp_path: Path, focused: bool) -> None:
    quiet, troubled = made(tmp_path / "quiet", web, focused=focused), made(tmp_path / "troubled", web, focused=focused)
    crawl(quiet)
    for pages in (9, 31, 58):
        crawl(troubled, killed_at=pages)
    crawl(troubled)
    assert len(order(quiet)) == PAGES
    assert order(quiet) != sorted(order(quiet), key=lambda url: int(url.rpartition("/")[2]))
    assert order(troubled) == order(quiet)


def test_who_stops_and_goes_on_finds_the_same_order(web: CrosslinkedWeb, tmp_path: Path) -> None:
    quiet, stopped = made(tmp_path / "quiet", web, focused=False), made(tmp_path / "stopped", web, focused=False)
    crawl(quiet)
    assert call("crawl", "--into", stopped.folder, "--pages", 40, "--quiet").code == 0
    crawl(stopped)
    assert order(stopped) == order(quiet)
