"""The room a project may take on its disk: a crawl ends well before nothing can be written any more."""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from pathlib import Path

from trasmallo.config import CrawlConfig

_MEGABYTE = 1_000_000
_BLOCK = 512


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
