"""The room a project may take on its disk: a crawl ends well before nothing can be written any more."""

from __future__ import annotations

import asyncio
import os
import shutil
import time
from contextlib import suppress
from pathlib import Path

from trasmallo.config import CrawlConfig
from trasmallo.events import Emit, Warned

_MEGABYTE = 1_000_000  # decimal, as disks are sold
_BLOCK = 512
"""Bytes of what `st_blocks` counts (POSIX)."""

_LOOK_SHARE = 50
"""Looking at the disk may take one part in so many of the processor's time. Judgement."""


class DiskLimits:
    """The limits of one project's folder."""

    def __init__(self, folder: Path, config: CrawlConfig) -> None:
        self._folder = folder
        self._most = config.disk_megabytes
        self._least_free = config.free_megabytes

    def reached(self) -> tuple[str, str] | None:
        """Which limit is reached and how to go on; None when there is room. Looks at every file if the size has a limit."""
        if self._least_free and shutil.disk_usage(self._folder).free < self._least_free * _MEGABYTE:
            return (
                f"fewer than {self._least_free:,} megabytes are free on the disk of {self._folder}",
                "free some space, or lower `free_megabytes`, and run the same command again",
            )
        if self._most and size_of(self._folder) >= self._most * _MEGABYTE:
            return (
                f"{self._folder} has reached its limit of {self._most:,} megabytes on disk",
                "raise `disk_megabytes`, and run the same command again",
            )
        return None


class DiskGuard:
    """Looks at the disk while a crawl goes on. `cause` is the limit that was reached, "" before."""

    def __init__(self, limits: DiskLimits, emit: Emit) -> None:
        self.cause = ""
        self._limits = limits
        self._emit = emit
        self._look_seconds = 0.0

    async def look(self) -> bool:
        """Whether the disk has no more room for us, which is told."""
        reached = await asyncio.to_thread(self._measure)
        if reached is not None:
            self.cause = reached[0]
            self._emit(Warned(message=": ".join(reached)))
        return reached is not None

    async def watch(self) -> None:
        """Return when there is no more room; looks once a second, or less often when a look costs much."""
        while True:
            if await self.look():
                return
            await asyncio.sleep(max(1.0, _LOOK_SHARE * self._look_seconds))

    def _measure(self) -> tuple[str, str] | None:
        began = time.thread_time()
        try:
            return self._limits.reached()
        finally:
            self._look_seconds = time.thread_time() - began


def size_of(folder: Path) -> int:
    """Bytes that a folder takes on disk; files that go while one looks count for nothing."""
    size = 0
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                size += size_of(Path(entry))
            else:
                with suppress(OSError):
                    size += entry.stat(follow_symlinks=False).st_blocks * _BLOCK
    return size
