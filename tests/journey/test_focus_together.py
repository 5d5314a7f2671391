"""Processes of one crawl with a topic learn from each other's pages."""

from __future__ import annotations

from pathlib import Path

from support.command_line import call
from support.crosslinked_web import CrosslinkedWeb
from trasmallo.crawl.focus_log import FocusLog
from trasmallo.project.project import Project
from trasmallo.store import run_folders


def test_each_process_hears_of_pages_that_another_has_seen(tmp_path: Path) -> None:
    with CrosslinkedWeb() as web:
        seeds = [web.url(0), web.url(1)]
        project = Project.new(tmp_path / "p", seeds, lines=4, processes=2, delay=0.05, address_delay=0.0, sitemaps=False)
        project.topic("vela", "barco")
        done = call("crawl", "--into", project.folder, "--quiet")
        assert done.code == 0, done.err
    frontiers = run_folders.find(project.runs)[-1].frontiers
    assert len(frontiers) == 2
    seen = [{note.url: note.told for note in FocusLog(folder).read()} for folder in frontiers]
    own = [{url for url, told in notes.items() if not told} for notes in seen]
    told = [{url for url, told in notes.items() if told} for notes in seen]
    assert not own[0] & own[1]
    assert told[0] | told[1], "somebody heard of something"
    assert told[0] <= own[1]
    assert told[1] <= own[0]
    assert project.focus().pages == len(own[0]) + len(own[1]), "each counts its own pages"
