"""Plays the demo: serves the sample web, runs a project against it, and looks up its invented words."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import msgspec

from trasmallo import config
from trasmallo.demo.content import Neologism
from trasmallo.demo.site import Site
from trasmallo.events import Bus
from trasmallo.project.project import Project, Summary

_DELAY = 0.05
"""Seconds between requests to a host; these hosts are our own."""


class Played(msgspec.Struct, frozen=True):
    """What the demo found: the run's summary, and the site's invented words as (word, occurrences, meaning)."""

    summary: Summary
    words: tuple[tuple[str, int, str], ...]


def play(folder: Path, watch: Callable[[Bus], AbstractContextManager[None]]) -> Played:
    """Run the sample project anew in `folder`; `watch` shows its progress."""
    with Site() as site:
        project = make_project(folder, site.seeds)
        with watch(project.bus):
            summary = project.run(new=True)
        return Played(summary, _invented(project, site.truth().neologisms))


def make_project(folder: Path, seeds: tuple[str, ...], **crawl: object) -> Project:
    """The sample project on these hosts; an earlier one in the folder goes."""
    if (folder / config.FILE_NAME).exists():
        shutil.rmtree(folder)
    Project.new(folder, seeds, name="demo")
    project = Project.open(folder, **({"delay": _DELAY, "retry_after": 0.5, "retries": 1} | crawl))
    config.write(project.config, folder / config.FILE_NAME)
    return project


def _invented(project: Project, invented: tuple[Neologism, ...]) -> tuple[tuple[str, int, str], ...]:
    counts = {row["word"]: row["count"] for row in project.table("words")}
    found = [(word.word, sum(counts.get(form, 0) for form in word.forms), word.meaning) for word in invented]
    return tuple(sorted(found, key=lambda row: (-row[1], row[0])))
