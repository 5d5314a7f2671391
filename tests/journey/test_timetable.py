"""The real scheduler runs real projects on the loopback site, is killed, and goes on."""

from __future__ import annotations

import signal
import time
from pathlib import Path

from support.command_line import fetched, hurried, start, wait_for
from trasmallo.demo.site import Site
from trasmallo.project.project import Project
from trasmallo.project.timetable import Timetable
from trasmallo.store import run_folders

HOUR = 3_600.0


def scheduled(file: Path, *projects: Project) -> Timetable:
    """A timetable on which these projects have been due for some minutes."""
    table = Timetable(file)
    for number, project in enumerate(projects):
        table.add(project.folder, "every 12h", time.time() - 12 * HOUR - 600 + number)
    return table


def test_killed_and_stopped_it_goes_on_one_at_a_time(site: Site, tmp_path: Path) -> None:
    first, second = (hurried(tmp_path / name, site.seeds, delay=0.1, pages=24) for name in ("first", "second"))
    table = scheduled(tmp_path / "data" / "timetable.sqlite", first, second)
    arguments = ("scheduler", "--timetable", table.path, "--json")

    with start(*arguments) as killed:
        wait_for(lambda: fetched(first) >= 8, killed)
        assert fetched(second) == 0, "one at a time"
        killed.send_signal(signal.SIGKILL)
        killed.communicate()
    assert first.worker(), "the run goes on by itself"

    with start(*arguments) as stopped:
        wait_for(lambda: fetched(second) >= 8, stopped)
        assert not first.worker(), "the second began when the first had ended"
        stopped.send_signal(signal.SIGINT)
        out, err = stopped.communicate()
    assert (stopped.returncode, err) == (0, "")
    assert '"ended"' in out
    assert [(Path(past.folder).name, past.state) for past in table.history()] == [("second", "stopped"), ("first", "finished")]

    with start(*arguments, "--once") as last:
        _, err = last.communicate()
    assert (last.returncode, err) == (0, "")
    assert [past.state for past in table.history()] == ["finished", "stopped", "finished"]
    assert table.unended() == []
    for project in (first, second):
        assert [run.manifest.state for run in run_folders.find(project.runs)] == ["finished"], (
            "what was stopped was gone on with"
        )
        assert project.summary().outcomes["fetched"] >= 24
