"""The demo's project, and whom it never harms."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest

from trasmallo.demo import play
from trasmallo.demo.play import make_project
from trasmallo.demo.site import Site
from trasmallo.events import Bus
from trasmallo.project.lock import hold
from trasmallo.project.project import Project
from trasmallo.values.errors import ProjectBusy, UsageError

SEEDS = ("http://127.0.0.1:1/",)


def test_it_is_made_anew_each_time(tmp_path: Path) -> None:
    first = make_project(tmp_path, SEEDS, pages=3)
    (tmp_path / "runs" / "old").mkdir(parents=True)
    (tmp_path / "notes.txt").write_text("mine")
    second = make_project(tmp_path, ("http://127.0.0.2:1/",))
    assert first.config.crawl.pages == 3
    assert second.config.crawl.seeds == ("http://127.0.0.2:1/",)
    assert Project.open(tmp_path).config == second.config
    assert not (tmp_path / "runs").exists()
    assert (tmp_path / "notes.txt").read_text() == "mine"


@pytest.mark.parametrize("seeds", [("https://example.org/",), (), (*SEEDS, "https://example.org/")])
def test_a_project_of_the_users_own_is_left_alone(tmp_path: Path, seeds: tuple[str, ...]) -> None:
    Project.new(tmp_path, seeds, name="demo")
    with pytest.raises(UsageError, match="choose another folder with --into$"):
        make_project(tmp_path, SEEDS)
    assert Project.open(tmp_path).config.crawl.seeds == seeds


def test_a_demo_at_work_is_left_alone(tmp_path: Path) -> None:
    make_project(tmp_path, SEEDS)
    with hold(tmp_path), pytest.raises(ProjectBusy):
        make_project(tmp_path, SEEDS)


def test_the_whole_play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    watched: list[Bus] = []

    def watch(bus: Bus) -> contextlib.nullcontext[None]:
        watched.append(bus)
        return contextlib.nullcontext()

    monkeypatch.setattr(play, "_DELAY", 0.0)
    monkeypatch.setattr(play, "Site", lambda: Site(drip=0.0))
    played = play.play(tmp_path / "demo", watch)
    assert played.summary.state == "finished"
    assert len(watched) == 1
    counts = [occurrences for _, occurrences, _ in played.words]
    assert counts == sorted(counts, reverse=True)
    assert counts[-1] > 0
