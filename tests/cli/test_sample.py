"""The demo as a command."""

from __future__ import annotations

import os
import subprocess
import urllib.request
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from support.command_line import PROGRAM, Done
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


def test_the_demo_can_be_watched_in_the_browser(tmp_path: Path) -> None:
    environment = os.environ | {"XDG_DATA_HOME": str(tmp_path / "data")}
    command = [*PROGRAM, "demo", "--into", str(tmp_path / "demo"), "--serve", "--port", "0", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as process:
        assert process.stdout is not None
        told = msgspec.json.decode(process.stdout.readline())
        request = urllib.request.Request(
            told["address"].partition("/?")[0] + "/api/p/demo/live", headers={"Authorization": f"Bearer {told['token']}"}
        )
        with urllib.request.urlopen(request, timeout=20) as answer:
            live = msgspec.json.decode(answer.read())["live"]
        assert live["process"] > 0, "it is seen from its beginning"
        project = Project.open(tmp_path / "demo")
        project.stop(at_once=True)
        project.wait()
        process.terminate()
