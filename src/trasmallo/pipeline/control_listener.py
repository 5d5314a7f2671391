"""Listener of a session: takes up what other processes want of it, through control files and the project file."""

from __future__ import annotations

import asyncio
from pathlib import Path

from trasmallo.config import FILE_NAME, CrawlConfig
from trasmallo.crawl.local_crawl import Crawl
from trasmallo.crawl.queue_search import QueueQuestion
from trasmallo.events import Emit, ScopeChanged, Warned
from trasmallo.pipeline.control_files import ControlFiles
from trasmallo.pipeline.settings_watch import SettingsWatch
from trasmallo.store.run_folders import Run
from trasmallo.values.run_status import RunCounts


class ControlListener:
    """Listens for one session. `paused` while the downloads are to pause."""

    def __init__(self, folder: Path, run: Run, config: CrawlConfig, emit: Emit) -> None:
        self.paused = False
        self._emit = emit
        self._files = ControlFiles(run)
        self._settings = SettingsWatch(folder / FILE_NAME, config)
        self._answering: set[asyncio.Task[None]] = set()

    def open(self) -> None:
        """Forget what was said to an earlier session."""
        self._files.open()

    def is_watched(self, now: float) -> bool:
        """Whether somebody looked a moment ago."""
        return self._files.is_watched(now)

    def note(self, progress: RunCounts) -> None:
        """Add a point to the run's curves."""
        self._files.note(progress)

    def listen(self, crawl: Crawl, *, stopped: bool) -> None:
        """Pause or go on as others want it, and answer what they ask."""
        paused = self._files.is_paused() and not stopped
        if paused != self.paused:
            self.paused = paused
            crawl.pause(paused=paused)
        for path, question in self._files.questions():
            task = asyncio.create_task(self._answer(crawl, path, question))
            self._answering.add(task)
            task.add_done_callback(self._answering.discard)

    async def follow_settings(self, crawl: Crawl) -> None:
        """Take up what was changed in the project file: exclusions and inclusions, and nothing else."""
        changed = self._settings.look(lambda message: self._emit(Warned(message=message)))
        if changed is not None:
            self._emit(ScopeChanged(exclude=changed.exclude, include=changed.include))
            await crawl.change_scope(changed.exclude, changed.include)

    async def _answer(self, crawl: Crawl, path: Path, question: QueueQuestion) -> None:
        self._files.answer(path, await crawl.search(question))
