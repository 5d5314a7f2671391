"""The demo as a command."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from commands import Done
from trasmallo.demo import play
from trasmallo.demo.site import Site
from trasmallo.project.project import Project

Command = Callable[..., Done]


def test_the_demo_shows_what_it_found(
    trasmallo: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, finished: Project, site: Site
) -> None:
    found = play.Played(finished.summary(), (("barcoteca", 10, "Biblioteca que viaja en barco."),))
    monkeypatch.setattr(play, "play", lambda _folder, _watch: found)
    shown = trasmallo("demo", "--into", tmp_path / "d")
    assert shown.code == 0
    assert "barcoteca" in shown.out
    assert f"trasmallo list {tmp_path / 'd'} words" in shown.out.replace("\n", "")
    assert trasmallo("demo", "--into", tmp_path / "d", "--json").value()["words"][0][1] == 10
    assert trasmallo("demo", "--into", tmp_path / "d", "--quiet") == Done(0, "", "")


def test_the_demo_never_takes_a_project_of_the_users(trasmallo: Command, tmp_path: Path) -> None:
    Project.new(tmp_path, ["https://example.org/"])
    done = trasmallo("demo", "--into", tmp_path)
    assert done.code == 2
    assert done.refusal().endswith("choose another folder with --into")
