"""Pool of opened results: what answers questions about runs stays open between them, since opening costs more than asking.

At most `MOST` are open at once, each used by one visit at a time; the one that nobody asked for longest is closed first.
Each is opened anew when its run has changed on disk.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, cast

from trasmallo.project.project import Project
from trasmallo.store import run_folders

if TYPE_CHECKING:
    from trasmallo.results.concordance.concordance import Concordance
    from trasmallo.results.database.tables import Tables
    from trasmallo.results.document import DocumentRoom
    from trasmallo.results.search.finder import Finder
    from trasmallo.study.laws import Laws

MOST = 16
"""Results that are open at once. Judgement: some projects with tables, index and tokens each."""

PATIENCE = 2.0
"""Seconds to wait for a result that another visit uses; then another one is opened for this question alone. Judgement."""

_TELLING = ("run.json", "parts", "copies.jsonl", "pages.parquet", "tokens.columns")
"""Files of a run that change when its results do."""

_Key = tuple[str, Path]
_Stamp = tuple[object, ...]
_T = TypeVar("_T")


class ResultPool:
    """Results of runs, opened when they are first asked for; one pool serves all visits of an app."""

    def __init__(self) -> None:
        self._slots: OrderedDict[_Key, _Slot] = OrderedDict()
        self._lock = threading.Lock()

    def tables(self, project: Project, run: str = "") -> AbstractContextManager[Tables]:
        """The tables of a run, the latest unless named."""
        from trasmallo.results.database.tables import Tables

        found = run_folders.named(project.runs, run)
        return self._used(
            ("tables", found.folder), _stamp(found.folder), lambda: Tables(found, project.config.study, cached=True)
        )

    def finder(self, project: Project, run: str = "") -> AbstractContextManager[Finder]:
        """What searches a run; it notices itself when its index changes."""
        found = run_folders.named(project.runs, run)
        stamp = (found.manifest.state, project.worker(), project.config.language)
        return self._used(("finder", found.folder), stamp, lambda: _unclosed(project.finder(found.name)))

    def concordance(self, project: Project, run: str = "") -> AbstractContextManager[Concordance]:
        """The tokens of a run."""
        found = run_folders.named(project.runs, run)
        stamp = (*_stamp(found.folder), project.config.language)
        return self._used(("concordance", found.folder), stamp, lambda: project.concordance(found.name))

    @contextmanager
    def documents(self, project: Project, run: str = "") -> Iterator[DocumentRoom]:
        """The documents of a run one by one."""
        from trasmallo.results.document import DocumentRoom

        with self.tables(project, run) as tables:
            tables.prepare("pages", "links", "copies", "measures", "texts")
            yield DocumentRoom(run_folders.named(project.runs, run), tables, project.store)

    def laws(self, project: Project, run: str = "", language: str = "", site: str = "") -> AbstractContextManager[Laws]:
        """The laws of a run's words, or of those in a language or of a site."""
        from trasmallo.results.laws import compute

        found = run_folders.named(project.runs, run)

        @contextmanager
        def computed() -> Iterator[Laws]:
            with self.tables(project, found.name) as tables:
                laws = compute(tables, language=language, site=site)
            yield laws

        return self._used((f"laws {language} {site}", found.folder), _stamp(found.folder), computed)

    def computed(self, project: Project, what: str, make: Callable[[], _T]) -> _T:
        """A value made of the latest run, made again when the run has changed; `what` names it."""
        found = run_folders.named(project.runs)
        stamp = (*_stamp(found.folder), _changed(found.progress), project.config)
        with self._used((f"made {what}", found.folder), stamp, lambda: _unclosed(make())) as value:
            return value

    def close(self) -> None:
        """Close what nobody uses now."""
        with self._lock:
            slots = list(self._slots.values())
            self._slots.clear()
        for slot in slots:
            slot.close()

    @contextmanager
    def _used(self, key: _Key, stamp: _Stamp, opener: Callable[[], AbstractContextManager[_T]]) -> Iterator[_T]:
        slot = self._slot(key)
        if not slot.lock.acquire(timeout=PATIENCE):
            with opener() as fresh:
                yield fresh
            return
        try:
            yield slot.opened(stamp, opener)
        finally:
            slot.lock.release()

    def _slot(self, key: _Key) -> _Slot:
        with self._lock:
            slot = self._slots.setdefault(key, _Slot())
            self._slots.move_to_end(key)
            old = [self._slots.popitem(last=False)[1] for _ in range(len(self._slots) - MOST)]
        for each in old:
            each.close()
        return slot


class _Slot:
    """Place of one result that may be open, with the lock of whoever uses it."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self._stamp: _Stamp = ()
        self._opened: AbstractContextManager[object] | None = None
        self._value: object = None

    def opened(self, stamp: _Stamp, opener: Callable[[], AbstractContextManager[_T]]) -> _T:
        """The result as it is now; whoever asks holds the lock, and asks a slot for one kind of result only."""
        if self._opened is None or stamp != self._stamp:
            self._end()
            opened = opener()
            self._value, self._opened, self._stamp = opened.__enter__(), opened, stamp
        return cast("_T", self._value)

    def close(self) -> None:
        """Close it unless somebody uses it, who will leave it to the collector."""
        if self.lock.acquire(blocking=False):
            try:
                self._end()
            finally:
                self.lock.release()

    def _end(self) -> None:
        opened, self._opened, self._value = self._opened, None, None
        if opened is not None:
            opened.__exit__(None, None, None)


@contextmanager
def _unclosed(value: _T) -> Iterator[_T]:
    yield value


def _stamp(folder: Path) -> tuple[int, ...]:
    """What differs when the results of a run do: when its files last changed."""
    return tuple(_changed(folder / name) for name in _TELLING)


def _changed(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except FileNotFoundError:
        return 0
