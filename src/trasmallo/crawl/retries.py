"""Requests to ask once more for addresses that failed: a file each, in a folder of the run that its crawl looks into.

A crawl looks when it begins and once a second, so a request reaches one that runs, and else waits for the run to go on; a run
that was finished goes on for it. A request is removed when the frontier has it: a kill in between costs a second look only.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import msgspec

from trasmallo.config import CrawlConfig
from trasmallo.crawl.crawler import Crawler
from trasmallo.crawl.exchange import worker_of
from trasmallo.crawl.frontier import Frontier, Write
from trasmallo.values.atomic_files import write_whole
from trasmallo.values.errors import disk_errors
from trasmallo.values.model import Fetch, Outcome, Target

_SETTLED = (Outcome.REDIRECTED, Outcome.OUT_OF_SCOPE, Outcome.HOST_LIMIT)
FAILED = tuple(outcome for outcome in Outcome if not outcome.obtained and outcome not in _SETTLED)
"""Outcomes that another asking may change; whoever refused is asked for leave again."""

_SUFFIX = ".json"
_Ended = tuple[str, Outcome]


def request_retries(folders: Sequence[Path], failed: Iterable[Fetch]) -> None:
    """Have a crawl ask for these again, each by the worker that owns its host; `folders` has one for each worker."""
    by_worker: dict[int, list[_Ended]] = {}
    for fetch in failed:
        by_worker.setdefault(worker_of(fetch.url, len(folders)), []).append((fetch.url, fetch.outcome))
    for worker, ended in by_worker.items():
        folder = folders[worker]
        path = folder / f"{time.time_ns()}-{os.getpid()}{_SUFFIX}"
        with disk_errors(path):
            folder.mkdir(exist_ok=True)
        write_whole(path, msgspec.json.encode(ended))


def requested_retries(folders: Iterable[Path]) -> set[str]:
    """The addresses that wait for their crawl to take them up."""
    return {url for folder in folders for _, ended in _requests(folder) for url, _ in ended}


class RetryRequests:
    """The requests as their crawl takes them up."""

    def __init__(self, folder: str, config: CrawlConfig) -> None:
        self._folder = Path(folder) if folder else None
        self._seeds = frozenset(config.seeds)
        # How far a page is from a seed is not kept; of one that failed no links are followed beyond what `depth` allows any.
        self._depth = max(config.depth, 0)

    async def take(self, crawler: Crawler, frontier: Frontier) -> None:
        """Queue what was requested since the last look."""
        for path, ended in _requests(self._folder) if self._folder else ():
            await crawler.retry([(self._target(url, outcome), outcome) for url, outcome in ended])
            await frontier.control(Write())
            path.unlink(missing_ok=True)

    def _target(self, url: str, outcome: Outcome) -> Target:
        if url in self._seeds:
            return Target(url)
        # Who leads there is not kept either; what was private stays out unless it is public now.
        return Target(url, self._depth, from_public=outcome is Outcome.PRIVATE)


def _requests(folder: Path) -> Iterator[tuple[Path, list[_Ended]]]:
    """Requests in their order; what cannot be read is none."""
    with suppress(FileNotFoundError):
        for name in sorted(entry.name for entry in os.scandir(folder) if entry.name.endswith(_SUFFIX)):
            with suppress(OSError, msgspec.DecodeError):
                yield folder / name, msgspec.json.decode((folder / name).read_bytes(), type=list[_Ended])
