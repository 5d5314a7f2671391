"""Changes of the project file while a crawl goes on, as additions to and removals from what the crawl was told."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from trasmallo import config
from trasmallo.values.errors import ConfigError


class SettingsWatch:
    """What was changed in the project file since the crawl began, as additions and removals to what the crawl was told.

    Options of the command line that won over the file stay in force, unless their texts are taken out of the file.
    """

    def __init__(self, path: Path, crawl: config.CrawlConfig) -> None:
        self._path = path
        self._crawl = crawl
        self._stamp = _stamp(path)
        self._doubtful: tuple[int, ...] = ()
        try:
            self._written = config.load(path).crawl
        except ConfigError:  # the command that began the crawl read it a moment ago
            self._written = crawl

    def look(self, warn: Callable[[str], None]) -> config.CrawlConfig | None:
        """The crawl's settings with the file's new texts; None when nothing changed. Costs a stat call.

        A file that cannot be read is given a second look, since its editor may be at work; then `warn` gets one line.
        """
        stamp = _stamp(self._path)
        if stamp == self._stamp or not stamp:
            return None
        try:
            written = config.load(self._path).crawl
        except ConfigError as error:
            if stamp == self._doubtful:
                self._stamp = stamp
                warn(f"{error}; the crawl goes on with the old rules")
            self._doubtful = stamp
            return None
        self._stamp = stamp
        return self._follow(written)

    def _follow(self, written: config.CrawlConfig) -> config.CrawlConfig | None:
        before, self._written = self._written, written
        crawl = msgspec.structs.replace(
            self._crawl,
            exclude=_followed(self._crawl.exclude, before.exclude, written.exclude),
            include=_followed(self._crawl.include, before.include, written.include),
        )
        changed = crawl != self._crawl
        self._crawl = crawl
        return crawl if changed else None


def _followed(now: Sequence[str], before: Sequence[str], written: Sequence[str]) -> tuple[str, ...]:
    gone, kept = set(before) - set(written), set(now)
    return (*(text for text in now if text not in gone), *(text for text in written if text not in kept))


def _stamp(path: Path) -> tuple[int, ...]:
    try:
        found = path.stat()
    except OSError:
        return ()
    return found.st_mtime_ns, found.st_size, found.st_ino
