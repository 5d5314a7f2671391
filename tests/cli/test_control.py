"""Commands that steer a run."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from support.command_line import Done, start, wait_for
from trasmallo import config, config_text
from trasmallo.project.project import Project
from trasmallo.store import run_folders

Command = Callable[..., Done]


def test_a_run_is_paused_looked_into_and_stopped(trasmallo: Command, unfinished: Project) -> None:
    settings = config.load(unfinished.folder / "trasmallo.toml")
    config_text.write(type(settings)(name="p", crawl=_slow(settings)), unfinished.folder / "trasmallo.toml")
    with start("run", unfinished.folder, "--quiet") as process:
        wait_for(lambda: unfinished.runs.exists() and _obtained(unfinished) > 1, process)
        assert "pauses" in trasmallo("pause", unfinished.folder).out
        wait_for(lambda: unfinished.status().paused, process)
        seen = trasmallo("pending", unfinished.folder, "html", "--json").rows()
        assert seen
        assert all("html" in waiting["url"] for waiting in seen)
        assert "addresses" in trasmallo("pending", unfinished.folder).out
        assert trasmallo("resume", unfinished.folder, "--json").value() == {"process": process.pid}
        wait_for(lambda: not unfinished.status().paused, process)
        assert "stops its downloads" in trasmallo("stop", unfinished.folder).out
        assert process.wait(30) == 0
    assert unfinished.status().state == "stopped"


def _slow(settings: config.Config) -> config.CrawlConfig:
    return msgspec.structs.replace(settings.crawl, delay=0.2)


def _obtained(project: Project) -> int:
    return project.status().progress.obtained if list(project.runs.glob("*/run.json")) else 0


@pytest.mark.parametrize("command", ["stop", "pause", "resume"])
def test_nobody_is_there(trasmallo: Command, unfinished: Project, command: str) -> None:
    done = trasmallo(command, unfinished.folder)
    assert done.code == 2
    assert "nobody works" in done.refusal()


def test_what_failed_is_to_be_tried_again(trasmallo: Command, finished: Project, tmp_path: Path) -> None:
    folder = tmp_path / "copy"
    shutil.copytree(finished.folder, folder)
    missing = [incident for incident in finished.incidents() if incident.what == "missing"]
    told = trasmallo("retry", folder, "--what", "missing", "--json").value()
    assert told == {"run": run_folders.latest(finished.runs).name, "addresses": len(missing), "process": 0}
    said = trasmallo("retry", folder, missing[0].url).out
    assert said == f"Addresses of {told['run']} to be tried again: 1. Go on with: trasmallo run {folder}\n"
    assert "see what has with: trasmallo incidents" in trasmallo("retry", folder, "--text", "nothing like this").refusal()
    assert trasmallo("retry", folder, "--quiet").out == ""
