"""What answers questions about runs, kept open between them: opening costs more than asking.

At most `MOST` things are open at once, each lent to one asker at a time; the one that nobody asked for longest is closed first.
Each is opened anew when its run has changed on disk.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

from trasmallo.project.project import Project
from trasmallo.store import run_folders

MOST = 16
PATIENCE = 2.0
"""Seconds to wait for a thing that is lent to somebody else; then another one is opened for this question alone."""

_TELLING = ("run.json", "parts", "copies.jsonl", "pages.parquet", "tokens.columns")
"""Files of a run that change when its results do."""

_Key = tuple[str, Path]
_Open = Callable[[], AbstractContextManager[Any]]


class Lender:
    """Lends what answers questions; use one for all askers of a program."""

    def __init__(self) -> None:
        self._things: OrderedDict[_Key, _Thing] = OrderedDict()
        self._lock = threading.Lock()

    def tables(self, project: Project, run: str = "") -> AbstractContextManager[Any]:
        """The tables of a run (`results.database.tables.Tables`), the latest unless named."""
        from trasmallo.results.database.tables import Tables

        found = run_folders.named(project.runs, run)
        return self._lend(
            ("tables", found.folder), _stamp(found.folder), lambda: Tables(found, project.config.study, cached=True)
        )

    def finder(self, project: Project, run: str = "") -> AbstractContextManager[Any]:
        """What searches a run (`results.search.Finder`); it notices itself when its index changes."""
        found = run_folders.named(project.runs, run)
        stamp = (found.manifest.state, project.worker(), project.config.language)
        return self._lend(("finder", found.folder), stamp, lambda: _unclosed(project.finder(found.name)))

    def concordance(self, project: Project, run: str = "") -> AbstractContextManager[Any]:
        """The tokens of a run (`results.concordance.concordance.Concordance`)."""
        found = run_folders.named(project.runs, run)
        stamp = (*_stamp(found.folder), project.config.language)
        return self._lend(("concordance", found.folder), stamp, lambda: project.concordance(found.name))

    @contextmanager
    def documents(self, project: Project, run: str = "") -> Iterator[Any]:
        """The documents of a run one by one (`results.document.DocumentRoom`)."""
        from trasmallo.results.document import DocumentRoom

        with self.tables(project, run) as tables:
            tables.prepare("pages", "links", "copies", "measures", "texts")
            yield DocumentRoom(run_folders.named(project.runs, run), tables, project.store)

    def laws(self, project: Project, run: str = "", language: str = "", site: str = "") -> AbstractContextManager[Any]:
        """The laws of a run's words (`study.laws.Laws`), or of those in a language or of a site."""
        from trasmallo.results.laws import compute

        found = run_folders.named(project.runs, run)

        @contextmanager
        def computed() -> Iterator[Any]:
            with self.tables(project, found.name) as tables:
                laws = compute(tables, language=language, site=site)
            yield laws

        return self._lend((f"laws {language} {site}", found.folder), _stamp(found.folder), computed)

    def computed(self, project: Project, what: str, make: Callable[[], Any]) -> Any:
        """A value made of the latest run, made again when the run has changed; `what` names it."""
        found = run_folders.named(project.runs)
        stamp = (*_stamp(found.folder), _changed(found.progress), project.config)
        with self._lend((f"made {what}", found.folder), stamp, lambda: _unclosed(make())) as value:
            return value

    def close(self) -> None:
        """Close what nobody uses now."""
        with self._lock:
            things = list(self._things.values())
            self._things.clear()
        for thing in things:
            thing.close()

    @contextmanager
    def _lend(self, key: _Key, stamp: tuple[Any, ...], opener: _Open) -> Iterator[Any]:
        thing = self._thing(key)
        if not thing.lock.acquire(timeout=PATIENCE):
            with opener() as fresh:
                yield fresh
            return
        try:
            yield thing.opened(stamp, opener)
        finally:
            thing.lock.release()

    def _thing(self, key: _Key) -> _Thing:
        with self._lock:
            thing = self._things.setdefault(key, _Thing())
            self._things.move_to_end(key)
            old = [self._things.popitem(last=False)[1] for _ in range(len(self._things) - MOST)]
        for each in old:
            each.close()
        return thing


class _Thing:
    """Something that may be open, and who uses it."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self._stamp: tuple[Any, ...] = ()
        self._opened: AbstractContextManager[Any] | None = None
        self._value: Any = None

    def opened(self, stamp: tuple[Any, ...], opener: _Open) -> Any:
        """The thing itself, as it is now; whoever asks holds the lock."""
        if self._opened is None or stamp != self._stamp:
            self._end()
            opened = opener()
            self._value, self._opened, self._stamp = opened.__enter__(), opened, stamp
        return self._value

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
def _unclosed(value: Any) -> Iterator[Any]:
    yield value


def _stamp(folder: Path) -> tuple[int, ...]:
    """What differs when the results of a run do: when its files last changed."""
    return tuple(_changed(folder / name) for name in _TELLING)


def _changed(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except FileNotFoundError:
        return 0
