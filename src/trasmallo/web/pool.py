"""Pool of opened results: what answers questions about runs stays open between them, since opening costs more than asking.

At most `MOST` are open at once, each used by one visit at a time; the one that nobody asked for longest is closed first. When
another is opened, so is what nobody has asked for in `IDLE` seconds, and what is open of runs that were removed: it holds
memory, and room on the disk. Each is opened anew when its run has changed on disk. A run that goes on changes all the time:
there a question is answered from what is open, as long as that is not older than `OLDEST`, while another thread opens what is
there now. So is one that answers from DuckDB when it has answered `WORN` questions: each leaves some kB behind in the database,
until that is closed.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast

from trasmallo.project.project import Project
from trasmallo.store import digests
from trasmallo.store.run_folders import Run
from trasmallo.values.free_memory import Returning

if TYPE_CHECKING:
    from trasmallo.results.concordance.concordance import Concordance
    from trasmallo.results.database.tables import Tables
    from trasmallo.results.document import DocumentRoom
    from trasmallo.results.examples import Examples
    from trasmallo.results.search.finder import Finder
    from trasmallo.study.laws import Laws

MOST = 16
"""Results that are open at once. Judgement: some projects with tables, index and tokens each."""

IDLE = 300.0
"""Seconds after which what nobody asks for is closed: mostly results of a run that another has followed, some 8 MB and 20
threads a run. Judgement: who comes back to a page later waits once more for its opening."""

PATIENCE = 2.0
"""Seconds to wait for a result that another visit uses; then another one is opened for this question alone. Judgement."""

OLDEST = 60.0
"""Seconds after which an answer about a run that goes on is too old to be given. Judgement: longer than an opening takes."""

REST = 4.0
"""How many times longer than an opening took the next one waits, so that it takes a fifth of a core. Judgement."""

WORN = 200
"""Questions after which a database is opened anew. DuckDB 2.0 keeps what it knows of each block that it had in memory, until
some ten thousand are gone, up to 35 MB a database. Measured were 13 kB for a page of a concordance and 1 kB for one of a
table, so this keeps a database below 3 MB. What an opening costs was not measured by itself."""

_TELLING = ("run.json", "parts", "copies.jsonl", "pages.parquet", "tokens.columns")
"""Files of a run that change when its results do."""

_returning = Returning()

_Key = tuple[str, Path]
_Stamp = tuple[object, ...]
_T = TypeVar("_T")


class ResultPool:
    """Results of runs, opened when they are first asked for; one pool serves all visits of an app."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._slots: OrderedDict[_Key, _Slot] = OrderedDict()
        self._lock = threading.Lock()

    def tables(self, project: Project, run: str = "") -> AbstractContextManager[Tables]:
        """The tables of a run, the latest unless named."""
        return self._tables(project, project.run_named(run))

    def _tables(self, project: Project, found: Run) -> AbstractContextManager[Tables]:
        from trasmallo.results.database.tables import Tables

        opener = lambda: Tables(found, project.config.study, cached=True)  # noqa: E731 - as the others
        wish = _Wish(("tables", found.folder), _stamp(found.folder), project.worker(), Tables.prepare_like, wears=True)
        return self._used(wish, opener)

    def finder(self, project: Project, run: str = "") -> AbstractContextManager[Finder]:
        """What searches a run; it notices itself when its index changes."""
        found = project.run_named(run)
        stamp = (found.manifest.state, project.worker(), project.config.language)
        return self._used(_Wish(("finder", found.folder), stamp), lambda: _unclosed(project.finder_of(found, later=True)))

    def concordance(self, project: Project, run: str = "") -> AbstractContextManager[Concordance]:
        """The tokens of a run."""
        found = project.run_named(run)
        stamp = (*_stamp(found.folder), project.config.language)
        wish = _Wish(("concordance", found.folder), stamp, project.worker(), wears=True)
        return self._used(wish, lambda: project.concordance_of(found))

    @contextmanager
    def documents(self, project: Project, run: str = "") -> Iterator[DocumentRoom]:
        """The documents of a run one by one."""
        from trasmallo.results.document import DocumentRoom

        found = project.run_named(run)
        with self._tables(project, found) as tables:
            tables.prepare("pages", "links", "copies", "measures", "texts")
            yield DocumentRoom(found, tables, found.project / "store", project.config.study.readings)

    def laws(self, project: Project, run: str = "", language: str = "", site: str = "") -> AbstractContextManager[Laws]:
        """The laws of a run's words, or of those in a language or of a site."""
        from trasmallo.results.laws import compute

        found = project.run_named(run)

        @contextmanager
        def computed() -> Iterator[Laws]:
            with self._tables(project, found) as tables:
                laws = compute(tables, language=language, site=site)
            yield laws

        return self._used(_Wish((f"laws {language} {site}", found.folder), _stamp(found.folder), project.worker()), computed)

    def computed(self, project: Project, what: str, make: Callable[[], _T]) -> _T:
        """A value made of the latest run, made again when the run has changed; `what` names it.

        Where rights changed while it was made, it is not kept: it would be another asker's.
        """
        found = project.run_named()
        stamp = (*_stamp(found.folder), _changed(found.progress), project.config)

        @contextmanager
        def made() -> Iterator[_T]:
            value = make()
            if project.run_named().folder != found.folder:
                raise _RightsChanged
            yield value

        wish = _Wish((f"made {what}", found.folder), stamp, project.worker())
        with suppress(_RightsChanged), self._used(wish, made) as value:
            return value
        return make()

    def examples(self, project: Project) -> Examples:
        """What can be asked of the latest run, in its own words."""
        from trasmallo.results.examples import find_examples

        def found() -> Examples:
            with self.tables(project) as tables:
                return find_examples(tables, project.config.language)

        return self.computed(project, "examples", found)

    def close(self) -> None:
        """Close all; what somebody uses now is closed by them."""
        with self._lock:
            slots = list(self._slots.values())
            self._slots.clear()
        for slot in slots:
            slot.close()

    @contextmanager
    def _used(self, wish: _Wish, opener: Callable[[], AbstractContextManager[_T]]) -> Iterator[_T]:
        slot = self._slot(wish.key)
        if not slot.lock.acquire(timeout=PATIENCE):
            with opener() as fresh:
                yield fresh
            return
        try:
            yield slot.opened(wish, opener)
        finally:
            slot.lock.release()
            if slot.is_over:
                slot.close()
            _returning.now()

    def _slot(self, key: _Key) -> _Slot:
        with self._lock:
            old = {} if key in self._slots else self._pop_removed() | self._pop_idle()
            slot = self._slots.setdefault(key, _Slot())
            slot.asked_at = self._clock()
            self._slots.move_to_end(key)
            old |= dict(self._slots.popitem(last=False) for _ in range(len(self._slots) - MOST))
            open_folders = {folder for _, folder in self._slots}
        for (_, folder), each in old.items():
            each.close()
            if folder not in open_folders:
                digests.forget(folder)
        return slot

    def _pop_removed(self) -> dict[_Key, _Slot]:
        """Take out what is open of runs that somebody removed; the lock is held."""
        folders = {folder for _, folder in self._slots}
        removed = {folder for folder in folders if not folder.exists()}
        return {key: self._slots.pop(key) for key in tuple(self._slots) if key[1] in removed}

    def _pop_idle(self) -> dict[_Key, _Slot]:
        """Take out what nobody has asked for in a while; the lock is held."""
        since = self._clock() - IDLE
        return {key: self._slots.pop(key) for key, slot in tuple(self._slots.items()) if slot.asked_at < since}


class _RightsChanged(Exception):
    """What may be read is not what it was when a question began."""


class _Wish(NamedTuple):
    """What is asked for: the slot, the state on disk, who works on the run (0: nobody), and how a new result is made ready.

    What `wears` is opened anew after `WORN` questions.
    """

    key: _Key
    stamp: _Stamp
    worker: int = 0
    prepare: Callable[[Any, Any], None] | None = None
    wears: bool = False


class _Slot:
    """Place of one result that may be open, with the lock of whoever uses it."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.is_over = False
        self.asked_at = 0.0
        self._stamp: _Stamp = ()
        self._opened: AbstractContextManager[object] | None = None
        self._value: object = None
        self._looked_at = self._rests_until = 0.0
        self._renewing = False
        self._asked = 0

    def opened(self, wish: _Wish, opener: Callable[[], AbstractContextManager[_T]]) -> _T:
        """The result as it is now, or as it was a moment ago; whoever asks holds the lock.

        A slot is asked for one kind of result only.
        """
        self._asked += 1
        if self._opened is None or (wish.stamp != self._stamp and not self._may_be_old(wish)):
            self._end()
            began = time.monotonic()
            opened = opener()
            self._take(opened, opened.__enter__(), wish, began)
        elif self._is_outdated(wish) and not self._renewing and time.monotonic() > self._rests_until:
            self._renewing = True
            threading.Thread(target=self._renew, args=(wish, opener, self._value), daemon=True).start()
        return cast("_T", self._value)

    def _is_outdated(self, wish: _Wish) -> bool:
        return wish.stamp != self._stamp or (wish.wears and self._asked > WORN)

    def _may_be_old(self, wish: _Wish) -> bool:
        return bool(wish.worker) and time.monotonic() - self._looked_at < OLDEST

    def _renew(self, wish: _Wish, opener: Callable[[], AbstractContextManager[object]], old: object) -> None:
        """Open the result as it is now and put it in the place of the old one; a misfortune is told to who asks next."""
        began = time.monotonic()
        try:
            with ExitStack() as unless_taken:
                opened = opener()
                value = unless_taken.enter_context(opened)
                if wish.prepare:
                    wish.prepare(value, old)
                with self.lock:
                    if not self.is_over:
                        self._end()
                        self._take(opened, value, wish, began)
                        unless_taken.pop_all()
        except Exception:
            self._rests_until = time.monotonic() + REST
        finally:
            self._renewing = False

    def _take(self, opened: AbstractContextManager[object], value: object, wish: _Wish, began: float) -> None:
        now = time.monotonic()
        self._opened, self._value, self._stamp = opened, value, wish.stamp
        self._looked_at, self._rests_until = began, now + REST * (now - began)
        self._asked = 0

    def close(self) -> None:
        """Close it; whoever uses it now does so afterwards, and what is being opened for it is closed again."""
        self.is_over = True
        if self.lock.acquire(blocking=False):
            try:
                self._end()
            finally:
                self.lock.release()

    def _end(self) -> None:
        opened, self._opened, self._value = self._opened, None, None
        if opened is not None:
            opened.__exit__(None, None, None)
            del opened
            _returning.now()


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
