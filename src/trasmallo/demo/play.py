"""The demo: serves the sample web, runs a project against it, and looks up its invented words."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Unpack

import msgspec

from trasmallo import config
from trasmallo.demo.content import Neologism
from trasmallo.demo.site import Site
from trasmallo.events import Bus
from trasmallo.project.lock import hold
from trasmallo.project.options import CrawlOptions
from trasmallo.project.project import Project
from trasmallo.results.summary import Summary
from trasmallo.values.errors import UsageError
from trasmallo.values.urls import host

_DELAY = 0.05
"""Seconds between requests to a host; these hosts are our own. Judgement: progress can be watched, and the demo ends soon."""


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


def make_project(folder: Path, seeds: tuple[str, ...], **crawl: Unpack[CrawlOptions]) -> Project:
    """The sample project on these hosts; an earlier one in the folder goes, but never a project of the user's own."""
    if (folder / config.FILE_NAME).exists():
        _remove_earlier(folder)
    hurried: CrawlOptions = {"delay": _DELAY, "retry_after": 0.5, "retries": 1}
    return Project.new(folder, seeds, name="demo", **(hurried | crawl))


def _remove_earlier(folder: Path) -> None:
    seeds = Project.open(folder).config.crawl.seeds
    if not seeds or not all(host(seed).startswith("127.") for seed in seeds):
        raise UsageError("{folder} holds a project that is not the demo's", "choose another folder with --into", folder=folder)
    with hold(folder):
        for name in ("runs", "store"):
            shutil.rmtree(folder / name, ignore_errors=True)
        (folder / config.FILE_NAME).unlink()


def _invented(project: Project, invented: tuple[Neologism, ...]) -> tuple[tuple[str, int, str], ...]:
    counts: Counter[str] = Counter()
    for row in project.table("words", columns=["word", "count"]):
        counts[str(row["word"])] += int(row["count"] or 0)
    found = [(word.word, sum(counts[form] for form in word.forms), word.meaning) for word in invented]
    return tuple(sorted(found, key=lambda row: (-row[1], row[0])))
