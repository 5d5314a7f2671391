"""Commands of the timetable."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from support.command_line import Done
from trasmallo.project.lock import hold
from trasmallo.project.project import Project

Command = Callable[..., Done]


@pytest.fixture(autouse=True)
def own_timetable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No test touches the timetable of who runs it."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("TZ", "UTC")
    return tmp_path / "data" / "trasmallo" / "timetable.sqlite"


def test_from_empty_to_listed_to_off_to_gone(trasmallo: Command, tmp_path: Path) -> None:
    assert trasmallo("schedule", "--list", "--json").rows() == []
    project = Project.new(tmp_path / "p").folder
    told = trasmallo("schedule", project, "--at", "mon,thu 04:30", "--zone", "Europe/Madrid")
    assert told.code == 0
    assert told.out.startswith(f"{project}: mon,thu 04:30, next 20")
    assert told.out.endswith(" 04:30.\n"), "in its own zone"
    (entry,) = trasmallo("schedule", "--list", "--json").rows()
    assert (entry["folder"], entry["when"], entry["zone"], entry["missed"], entry["on"]) == (
        str(project), "mon,thu 04:30", "Europe/Madrid", "catch-up", True,
    )  # fmt: skip
    assert "mon,thu" in trasmallo("schedule", "--list").out
    assert trasmallo("schedule", project, "--off").out == f"{project}: mon,thu 04:30, off.\n"
    assert trasmallo("schedule", project, "--on", "--missed", "skip", "--json").value()["missed"] == "skip"
    assert trasmallo("schedule", project, "--every", "6h", "--quiet") == Done(0, "", "")
    assert trasmallo("schedule", project, "--json").value()["when"] == "every 6h"
    assert trasmallo("schedule", project, "--remove").out == f"{project} is off the timetable.\n"
    assert trasmallo("schedule", "--list", "--json").rows() == []
    assert trasmallo("schedule", "--history", "--json").rows() == []


def test_a_revisit_with_its_budget(trasmallo: Command, tmp_path: Path) -> None:
    project = Project.new(tmp_path / "p").folder
    told = trasmallo("schedule", project, "--every", "6h", "--revisit", "--budget", "500/day")
    assert told.out.startswith(f"{project}: revisit of 500/day, every 6h, next 20")
    (entry,) = trasmallo("schedule", "--list", "--json").rows()
    assert (entry["work"], entry["budget"]) == ("revisit", "500/day")
    assert "revisit" in trasmallo("schedule", "--list").out
    assert trasmallo("schedule", project, "--every", "1d", "--revisit", "--budget", "50").out.startswith(
        f"{project}: revisit of 50 visits, every 1d, "
    )


def test_another_file(trasmallo: Command, tmp_path: Path, own_timetable: Path) -> None:
    Project.new(tmp_path / "p")
    file = tmp_path / "mine.sqlite"
    trasmallo("schedule", tmp_path / "p", "--every", "1d", "--timetable", file)
    assert file.exists()
    assert not own_timetable.exists()


@pytest.mark.parametrize(
    ("arguments", "repair"),
    [
        (["p", "--at", "soon"], "write it like '03:00' (daily)"),
        (["p", "--every", "6"], "write it like 30m, 6h"),
        (["p", "--at", "03:00", "--every", "6h"], "give one of them"),
        (["p", "--at", "03:00", "--zone", "Mars"], "give a name such as Europe/Madrid"),
        (["p", "--at", "2001-01-01 03:00"], "give a time to come"),
        (["p", "--off"], "put it there with: trasmallo schedule p --at 03:00"),
        (["none", "--at", "03:00"], "trasmallo new"),
        (["p", "--at", "03:00", "--budget", "500"], "add --revisit"),
        (["p", "--at", "03:00", "--revisit", "--budget", "many"], "write a number of visits"),
        (["p", "--revisit"], "give --at or --every too"),
    ],
)
def test_bad_input(
    trasmallo: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], repair: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Project.new(tmp_path / "p")
    done = trasmallo("schedule", *arguments)
    assert done.code == 2
    assert repair in done.refusal()


def test_a_second_scheduler_is_refused(trasmallo: Command, own_timetable: Path) -> None:
    own_timetable.parent.mkdir(parents=True)
    with hold(own_timetable.parent):
        done = trasmallo("scheduler", "--once")
    assert done.code == 1
    assert "already runs the timetable" in done.refusal()


def test_nothing_due_is_nothing_to_do(trasmallo: Command) -> None:
    assert trasmallo("scheduler", "--once") == Done(0, "", "")
