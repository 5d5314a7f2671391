"""Log of the exclusions and inclusions that a crawl's queue was last held against, in a file beside it.

The file outlives a kill, so a crawl that is resumed under other rules drops what they exclude, once.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from trasmallo.crawl.frontier import DropExcluded, Frontier, Write
from trasmallo.crawl.scope import Scope
from trasmallo.events import Discarded, Emit
from trasmallo.values.atomic_files import write_whole
from trasmallo.values.errors import REBUILD, StoreDamaged
from trasmallo.values.sealed_json import decode_sealed, encode_sealed

_MOST_DROPS = 10_000
"""Causes that are kept. Judgement: more than a person makes rules."""


class Exclusion(msgspec.Struct):
    """Addresses that waited and were dropped for one cause, with the first of them as an example."""

    cause: str
    example: str
    at: float
    number: int = 0


class _Kept(msgspec.Struct):
    exclude: frozenset[str] = frozenset()
    include: frozenset[str] = frozenset()
    changed: bool = False
    dropped: list[Exclusion] = []


class ScopeLog:
    """Exclusions and inclusions of one frontier, and what they dropped so far."""

    def __init__(
        self, path: Path, scope: Scope, frontier: Frontier, emit: Emit, clock: Callable[[], float] = time.time
    ) -> None:
        self._path = path
        self._scope = scope
        self._frontier = frontier
        self._emit = emit
        self._clock = clock
        self._kept = _read(path)

    async def open(self, exclude: Sequence[str], include: Sequence[str]) -> None:
        """Begin a session under these rules; a queue from before is held against them when they are narrower."""
        if self._kept is None:
            self._kept = _Kept(frozenset(exclude), frozenset(include))
            self._save()
        elif (self._kept.exclude, self._kept.include) != (frozenset(exclude), frozenset(include)):
            await self.change(exclude, include)
        self._scope.changed = self._kept.changed

    async def change(self, exclude: Sequence[str], include: Sequence[str]) -> None:
        """From now on these rules; what waits and is excluded now is dropped and told. Reads the whole queue for that."""
        kept = self._kept or _Kept()
        narrower = _narrower(kept, frozenset(exclude), frozenset(include))
        self._scope.exclude(exclude)
        self._scope.include(include)
        self._scope.changed = True
        if narrower:
            kept.dropped = (kept.dropped + await self._drop(exclude, include))[:_MOST_DROPS]
        kept.exclude, kept.include, kept.changed = frozenset(exclude), frozenset(include), True
        self._kept = kept
        self._save()

    async def _drop(self, exclude: Sequence[str], include: Sequence[str]) -> list[Exclusion]:
        rule = DropExcluded(tuple(exclude), tuple(include), tuple(self._scope.seeds))
        dropped = (await self._frontier.control(rule)).causes
        await self._frontier.control(Write(to_disk=True))
        for each in dropped:
            self._emit(Discarded(number=each.number, cause=each.cause))
        return [Exclusion(each.cause, each.example, self._clock(), each.number) for each in dropped]

    def _save(self) -> None:
        assert self._kept is not None, "opened"
        write_whole(self._path, encode_sealed(self._kept))


def read_dropped(path: Path) -> list[Exclusion]:
    """What the rules of another process dropped, as it last wrote it down."""
    kept = _read(path)
    return kept.dropped if kept else []


def _narrower(kept: _Kept, exclude: frozenset[str], include: frozenset[str]) -> bool:
    if exclude - kept.exclude:
        return True
    return bool(include) and not (kept.include and kept.include <= include)


def _read(path: Path) -> _Kept | None:
    """None when there is none yet; the queue is then taken for what the rules allow."""
    try:
        return decode_sealed(path.read_bytes(), _Kept)
    except FileNotFoundError:
        return None
    except msgspec.DecodeError as error:
        raise StoreDamaged("{path} is damaged ({error})", REBUILD, path=path, error=error) from None
