"""Entries of feeds for who searches while a run goes on: it makes documents of them only when all its pages are there.

Nothing is done until somebody asks. Then the feeds that the run has obtained so far are read from the archive, and what is new
in them is kept as parts in the run's cache, as what hubs push is (`pushes`); when the run has ended they are its documents.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import xxhash

from trasmallo.config import Config
from trasmallo.crawl.discover.discover import may_be_list
from trasmallo.pipeline.feed_entries import read_visit
from trasmallo.pipeline.pushes import rows_of_feed
from trasmallo.store import run_folders
from trasmallo.store.archive import ArchiveReader
from trasmallo.store.catalog import Catalog
from trasmallo.store.parts import write_part
from trasmallo.store.run_cache import make_cache
from trasmallo.store.run_folders import Run
from trasmallo.values.errors import StoreError
from trasmallo.values.model import Fetch, Outcome

_FOLDER = "told"
_SECONDS = 2.0
"""Between two looks at what a run has obtained. Judgement: who searches waits no longer for what is new."""
_MOST = 20
"""Feeds that are read at a look; others wait for the next. Judgement: some seconds."""


class EarlyEntries:
    """What feeds have told the run of a project that goes on; `clock` tells seconds that only grow."""

    def __init__(self, folder: Path, config: Config, clock: Callable[[], float] = time.monotonic) -> None:
        self._folder, self._config, self._clock = folder, config, clock
        self._known: dict[str, Path] = {}
        self._next_look = 0.0

    def __call__(self, asked: Run) -> dict[str, Path]:
        """Parts with the entries of feeds by their names, for who asks about a run; none where it is not that of now."""
        if self._clock() >= self._next_look:
            self._known = {}
            with suppress(StoreError, OSError):  # a run may end, or be repaired, under our eyes
                self._known = self._look(asked)
            self._next_look = self._clock() + _SECONDS
        return self._known

    def _look(self, asked: Run) -> dict[str, Path]:
        found = run_folders.find(self._folder / "runs")
        catalog, running = self._folder / "store" / "catalog", found[-1] if found else None
        if running is None or running.finished or not catalog.exists() or not self._config.crawl.entries:
            return {}
        if asked.name not in (running.name, getattr(run_folders.last_completed(self._folder / "runs"), "name", "")):
            return {}
        parts = make_cache(running) / _FOLDER
        with Catalog(catalog, read_only=True) as rows:
            visits = {_name(fetch): fetch for fetch in _feeds_of(rows, running)}
            new = [name for name in visits if not (parts / name).exists()][:_MOST]
            with ArchiveReader(self._folder / "store" / "archive") as archive:
                for name in new:
                    self._read(parts, name, visits[name], archive, rows)
        return {name: parts / name for name in visits if (parts / name).exists()}

    def _read(self, parts: Path, name: str, fetch: Fetch, archive: ArchiveReader, catalog: Catalog) -> None:
        """Keep what a visit to a feed told that is new; nothing of what is no feed."""
        visit = read_visit(fetch, archive)
        rows = rows_of_feed(visit.feed, visit.answer, self._config, catalog) if visit else {}
        parts.mkdir(exist_ok=True)
        write_part(parts, name, rows)


def _feeds_of(catalog: Catalog, run: Run) -> Iterator[Fetch]:
    """Visits of a run that may have brought a feed that was not known so."""
    return (fetch for fetch in catalog.all_of_run(run.name, may_be_list) if fetch.outcome is Outcome.FETCHED)


def _name(fetch: Fetch) -> str:
    return "told-" + xxhash.xxh3_64_hexdigest(f"{fetch.url} {fetch.at}".encode())
