"""Tables of finished runs that stay open between requests: opening costs more than most questions.

A finished run does not change, so what was computed of it can be kept too. Memory: DuckDB's cap of 800 MB counts for each that
is open, but an idle one holds some megabytes; four are kept.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from trasmallo.errors import NotFound
from trasmallo.project import runs
from trasmallo.project.project import Project
from trasmallo.project.results.tables import Tables
from trasmallo.project.runs import Run

_OPEN = 4

_Stamp = tuple[Path, int]


class _Kept:
    """Open tables, what was computed of them, and how many use them now."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.made: dict[str, Any] = {}
        self.users = 0


class Shelf:
    """Open tables by run. Any thread may use it."""

    def __init__(self) -> None:
        self._kept: OrderedDict[_Stamp, _Kept] = OrderedDict()
        self._lock = threading.Lock()

    @contextmanager
    def tables(self, project: Project, name: str = "") -> Iterator[Tables]:
        """The tables of a run, the latest unless named; those of a run that goes on are opened anew."""
        run = find_run(project, name)
        if not run.finished:
            with Tables(run, project.config.study) as tables:
                yield tables
            return
        kept = self._take(run, project)
        try:
            yield kept.tables
        finally:
            self._give_back(kept)

    def computed(self, project: Project, what: str, make: Callable[[], Any]) -> Any:
        """A value made of the latest run, made once when the run is finished."""
        run = find_run(project)
        if not run.finished:
            return make()
        kept = self._take(run, project)
        try:
            if what not in kept.made:
                kept.made[what] = make()
            return kept.made[what]
        finally:
            self._give_back(kept)

    def close(self) -> None:
        """Close everything that nobody uses."""
        with self._lock:
            self._drop(0)

    def _take(self, run: Run, project: Project) -> _Kept:
        stamp = run.folder, (run.folder / "run.json").stat().st_mtime_ns
        with self._lock:
            if stamp not in self._kept:
                self._kept[stamp] = _Kept(Tables(run, project.config.study))
            kept = self._kept[stamp]
            self._kept.move_to_end(stamp)
            kept.users += 1
            self._drop(_OPEN)
            return kept

    def _give_back(self, kept: _Kept) -> None:
        with self._lock:
            kept.users -= 1

    def _drop(self, most: int) -> None:
        for stamp in [stamp for stamp, kept in self._kept.items() if not kept.users][: max(0, len(self._kept) - most)]:
            self._kept.pop(stamp).tables.__exit__(None, None, None)


def find_run(project: Project, name: str = "") -> Run:
    """A run of a project, the latest unless named; raises NotFound for another name."""
    if not name:
        return runs.latest(project.runs)
    for run in runs.find(project.runs):
        if run.name == name:
            return run
    raise NotFound(f"there is no run {name[:80]!r}", "choose one of the project's overview")
