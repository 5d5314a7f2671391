"""The real scheduler runs real projects on the loopback site, is killed, and goes on."""

from __future__ import annotations

import signal
import time
from pathlib import Path

from support.command_line import call, fetched, hurried, start, wait_for
from support.editable_web import EditableWeb
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


def test_a_revisit_at_its_time_reads_what_changed(tmp_path: Path) -> None:
    with EditableWeb() as web:
        web.write("/", "Esta es la portada de un periódico que habla de muchas cosas distintas.", "/gatos")
        web.write("/gatos", "Los gatos duermen en los tejados de las casas viejas mientras llueve.")
        project = Project.new(tmp_path / "p", [web.url()], name="diario", delay=0.0, address_delay=0.0, sitemaps=False)
        project.run()
        web.visits()
        web.write("/gatos", "Los gatos pequeños juegan ahora con un ovillo azul sobre la alfombra nueva.")
        table = Timetable(tmp_path / "data" / "timetable.sqlite")
        table.add(project.folder, "every 12h", time.time() - 12 * HOUR - 600, work="revisit", budget="10")
        done = call("scheduler", "--timetable", table.path, "--once", "--json")
        assert (done.code, done.err) == (0, "")
        assert {(visit.path, visit.status) for visit in web.visits()} == {("/", 304), ("/gatos", 200)}
    (past,) = table.history()
    runs = run_folders.find(project.runs)
    assert (past.state, past.run) == ("finished", runs[-1].name)
    assert [run.manifest.kind for run in runs] == ["crawl", "revisit"]
    assert project.kwic("ovillo").hits
