"""A crawl whose border is moved by a second command while it runs, in one process and in several."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from support.command_line import Done, fetched, hurried, start, wait_for
from trasmallo.config import FILE_NAME
from trasmallo.crawl.exchange import worker_of
from trasmallo.demo.site import Site
from trasmallo.events import Discarded, ScopeChanged, Warned, read_events
from trasmallo.project.project import Project
from trasmallo.store import run_folders

Command = Callable[..., Done]


def happened(project: Project, kind: type) -> list[object]:
    found = run_folders.find(project.runs)
    events = read_events(found[-1].events) if found and found[-1].events.exists() else []
    return [event for _, event in events if isinstance(event, kind)]


@pytest.mark.parametrize("several", [False, True])
def test_a_running_crawl_keeps_to_what_another_command_excludes(
    site: Site, tmp_path: Path, trasmallo: Command, several: bool
) -> None:
    processes = next(number for number in range(2, 9) if len({worker_of(seed, number) for seed in site.seeds}) > 1)
    options = {"lines": 8, "processes": processes} if several else {"lines": 3}
    project = hurried(tmp_path / "p", site.seeds, delay=0.5, **options)
    with start("crawl", "--into", project.folder, "--exclude", "nada-de-esto", "--json") as process:
        wait_for(lambda: fetched(project) >= 4, process)
        assert trasmallo("exclude", project.folder, "/").code == 0
        wait_for(lambda: happened(project, ScopeChanged), process)
        _, err = process.communicate(timeout=30)
    assert (process.returncode, err) == (0, "")
    (changed,) = happened(project, ScopeChanged)
    assert changed == ScopeChanged(exclude=("nada-de-esto", "/"), include=())
    dropped = [event.number for event in happened(project, Discarded) if isinstance(event, Discarded)]
    assert sum(dropped) > 0
    status = project.status().progress
    assert status.waiting == 0
    told = [row for row in project.incidents() if "such addresses that waited" in row.cause]
    assert sum(int(row.cause.rpartition(": ")[2].split()[0]) for row in told) == sum(dropped)


def test_a_resumed_crawl_drops_what_was_excluded_meanwhile(site: Site, tmp_path: Path, trasmallo: Command) -> None:
    project = hurried(tmp_path / "p", site.seeds, pages=5)
    project.crawl()
    assert project.status().progress.waiting > 0
    asked = len(site.requests)
    assert trasmallo("exclude", project.folder, "http").code == 0
    assert trasmallo("crawl", "--into", project.folder, "--pages", 100, "--quiet") == Done(0, "", "")
    assert len(site.requests) == asked
    assert project.status().progress.waiting == 0


def test_a_broken_project_file_is_told_and_the_crawl_goes_on(site: Site, tmp_path: Path) -> None:
    project = hurried(tmp_path / "p", site.seeds[:1], delay=0.2, lines=2)
    with start("crawl", "--into", project.folder, "--quiet") as process:
        wait_for(lambda: fetched(project) >= 2, process)
        file = project.folder / FILE_NAME
        file.write_text(file.read_text(encoding="utf-8").replace("exclude = []", 'exclude = [""]'), encoding="utf-8")
        wait_for(lambda: happened(project, Warned), process)
        before = fetched(project)
        wait_for(lambda: fetched(project) > before, process)
        process.terminate()
        _, err = process.communicate(timeout=30)
    (line,) = err.splitlines()
    assert line.startswith(f"trasmallo: {file}: `crawl.exclude` has '', which every address matches: write a part of")
    assert line.endswith("; the crawl goes on with the old rules")
