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
from typing import Protocol

import msgspec

from trasmallo.config import CrawlConfig
from trasmallo.crawl.exchange import worker_of
from trasmallo.crawl.frontier import Frontier, Write
from trasmallo.values.atomic_files import write_whole
from trasmallo.values.decodable import UNDECODABLE, decodable
from trasmallo.values.errors import disk_errors
from trasmallo.values.model import NO_ORIGIN, Fetch, Origin, Outcome, Target, seed_target

_SETTLED = (Outcome.REDIRECTED, Outcome.OUT_OF_SCOPE, Outcome.HOST_LIMIT)
FAILED = tuple(outcome for outcome in Outcome if not outcome.readable and outcome not in _SETTLED)
"""Outcomes that another asking may change; whoever refused is asked for leave again."""

_SUFFIX = ".json"


class _Ended(msgspec.Struct, frozen=True, array_like=True):
    """An address that failed, how, and where it comes from; requests of earlier versions do not tell that."""

    url: str
    outcome: Outcome
    origin: Origin = NO_ORIGIN


def request_retries(folders: Sequence[Path], failed: Iterable[Fetch]) -> None:
    """Have a crawl ask for these again, each by the worker that owns its host; `folders` has one for each worker."""
    by_worker: dict[int, list[_Ended]] = {}
    for fetch in failed:
        by_worker.setdefault(worker_of(fetch.url, len(folders)), []).append(_Ended(fetch.url, fetch.outcome, fetch.origin))
    for worker, ended in by_worker.items():
        folder = folders[worker]
        path = folder / f"{time.time_ns()}-{os.getpid()}{_SUFFIX}"
        with disk_errors(path):
            folder.mkdir(exist_ok=True)
        write_whole(path, msgspec.json.encode(ended))


def requested_retries(folders: Iterable[Path]) -> set[str]:
    """The addresses that wait for their crawl to take them up."""
    return {each.url for folder in folders for _, ended in _requests(folder) for each in ended}


class Retrying(Protocol):
    """Who asks for addresses once more."""

    async def retry(self, ended: Sequence[tuple[Target, Outcome]]) -> int:
        """Queue targets that ended so; how many of them wait now."""


class RetryRequests:
    """The requests as their crawl takes them up."""

    def __init__(self, folder: str, config: CrawlConfig) -> None:
        self._folder = Path(folder) if folder else None
        self._seeds = frozenset(config.seeds)
        # Where it is not known how far a page is from a seed, no links are followed beyond what `depth` allows any.
        self._depth = max(config.depth, 0)

    async def take(self, crawler: Retrying, frontier: Frontier) -> None:
        """Queue what was requested since the last look."""
        for path, ended in _requests(self._folder) if self._folder else ():
            await crawler.retry([(self._target(each), each.outcome) for each in ended])
            await frontier.control(Write())
            path.unlink(missing_ok=True)

    def _target(self, ended: _Ended) -> Target:
        if ended.url in self._seeds:
            return seed_target(ended.url)
        origin = ended.origin
        return Target(
            ended.url,
            self._depth if origin.depth is None else origin.depth,
            via=origin.via,
            # Whether a public page leads there is not kept; what was private stays out unless it is public now.
            from_public=ended.outcome is Outcome.PRIVATE,
            seed=origin.seed,
            reached=origin.reached,
        )


def _requests(folder: Path) -> Iterator[tuple[Path, list[_Ended]]]:
    """Requests in their order; what cannot be read is none."""
    with suppress(FileNotFoundError):
        for name in sorted(entry.name for entry in os.scandir(folder) if entry.name.endswith(_SUFFIX)):
            with suppress(OSError, *UNDECODABLE):
                yield folder / name, msgspec.json.decode((folder / name).read_bytes(), type=decodable(list[_Ended]))
