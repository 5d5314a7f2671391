"""What a run has brought, also before there is anything."""

from __future__ import annotations

from pathlib import Path

from trasmallo.config import Config
from trasmallo.pipeline.staleness import start_run
from trasmallo.project.project import Project
from trasmallo.results.summary import ProjectStatus, status, summarise
from trasmallo.values.run_status import RunCounts


def test_a_run_that_has_nothing_yet(tmp_path: Path) -> None:
    run = start_run(tmp_path / "runs", Config(), "crawl", "trasmallo/0")
    summary = summarise(run, tmp_path / "store")
    assert (summary.state, summary.pages, summary.words, summary.outcomes) == ("running", 0, 0, {})
    assert status(run, tmp_path / "store", 0) == ProjectStatus(
        run=run.name,
        state="interrupted",
        ended="",
        process=0,
        outcomes={},
        progress=RunCounts(),
        at=0.0,
        waiting="",
        paused=False,
        stopping=False,
        reading=(),
        lines=(),
        hosts=(),
    )
    assert status(run, tmp_path / "store", 7).state == "running"


def test_the_last_counts_stay(finished: Project) -> None:
    progress = finished.status().progress
    summary = finished.summary()
    assert progress.obtained == summary.pages
    assert progress.studied + progress.dropped == summary.pages
    assert (progress.waiting, finished.status().process) == (0, 0)
