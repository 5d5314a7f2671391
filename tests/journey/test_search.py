"""Documents are found while the crawl still runs, after it was killed, and when it has ended."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from support.command_line import hurried, start, wait_for
from trasmallo.demo.site import Site
from trasmallo.project.project import Project
from trasmallo.results.search.indexing import FINISHED, LIVE
from trasmallo.store import run_folders
from trasmallo.store.index.folder import read_stamp
from trasmallo.store.parts import finished_parts
from trasmallo.store.run_cache import cache_of
from trasmallo.values.errors import UsageError


def number_found(project: Project) -> int:
    """Documents in the index that is there now."""
    try:
        return int(project.find("-zzzz", groups=None, copies=True).total) if run_folders.find(project.runs) else 0
    except UsageError:
        return 0


@pytest.mark.slow
def test_a_run_is_searched_while_it_goes_on_and_after_a_kill(site: Site, finished: Project, tmp_path: Path) -> None:
    project = hurried(tmp_path / "project", site.seeds, delay=0.5)
    with start("run", project.folder, "--quiet") as process:
        wait_for(lambda: number_found(project) >= 3, process)
        assert project.find("mar palabra puerto museo").total
        process.send_signal(signal.SIGKILL)
        process.communicate()
    run = run_folders.latest(project.runs)
    assert number_found(project) == sum((part / "texts.jsonl").read_bytes().count(b"\n") for part in finished_parts(run.parts))
    stamp = read_stamp(cache_of(run) / LIVE)
    assert stamp is not None
    assert set(stamp.taken) == {part.name for part in finished_parts(run.parts)}

    Project.open(project.folder, delay=0.0).run()
    assert (run.folder / FINISHED).exists()
    assert number_found(project) == number_found(finished)
    for query in ("trasmallo", "title:palabras", '"la mar"'):
        assert project.find(query).total == finished.find(query).total
    assert not (cache_of(run) / LIVE).exists()
