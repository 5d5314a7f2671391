"""Tables of a finished run made by several processes at the same time: what may be made when, and by whom.

1. Tables of the tokens, each by whoever is free or has most of it; those of words together come first, since they take longest.
2. Tables of the parts; those of the links by one process, which looks at the links once.
3. When all of these are there: tables of tables, and the search index. What is made of a table in numbers is made by the
   process that has the numbers, if it still lives; another one would make these again.

The files are the same, octet for octet, as those that one process makes (`database.tables.compile_tables`).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Self

import msgspec

from trasmallo.config import StudyConfig
from trasmallo.events import Emit
from trasmallo.results import registry
from trasmallo.results.builders.files import numbered
from trasmallo.results.database.tables import Tables, plan_tables
from trasmallo.results.registry import FromLinks, FromTables, FromTokens
from trasmallo.results.search.indexing import build_index, build_index_part, tell_index_gap
from trasmallo.store.run_folders import Run
from trasmallo.values.errors import disk_errors

INDEX = "search index"
"""The task that is no table."""

_LAST_GROUP = "together"


class TableTask(msgspec.Struct, frozen=True, kw_only=True):
    """A table to be made, or the index: `after` all of these, and by the process that made one `beside` it."""

    name: str
    after: frozenset[str] = frozenset()
    beside: str = ""


def plan_tasks(study: StudyConfig, index_parts: int = 1) -> list[TableTask]:
    """What is to be made when a run ends, in the order in which it is best begun; the index by so many parts at once."""
    of_tokens, of_parts, of_tables = plan_tables(study)
    known = registry.all_tables()
    of_tokens.sort(key=lambda name: known[name].group != _LAST_GROUP)
    of_links = [name for name in of_parts if isinstance(known[name].made, FromLinks)]
    beside = dict.fromkeys(of_links[1:], of_links[0]) if of_links else {}
    beside |= {name: table.made.beside for name, table in known.items() if isinstance(table.made, FromTokens)}
    first = [TableTask(name=name, beside=beside.get(name, "")) for name in (*of_tokens, *of_parts)]
    everything = frozenset(task.name for task in first)
    last = [TableTask(name=name, after=everything, beside=_numbers_of(name)) for name in of_tables]
    return first + (_index_tasks(everything, index_parts) if "search" in study.analyses else []) + last


def _index_tasks(after: frozenset[str], parts: int) -> list[TableTask]:
    """The index, and the parts of it if there are several, which are joined at the end."""
    several = [TableTask(name=_part_name(number, parts), after=after) for number in range(parts if parts > 1 else 0)]
    return [*several, TableTask(name=INDEX, after=after.union(task.name for task in several))]


def _part_name(number: int, of: int) -> str:
    return f"{INDEX} {number + 1}/{of}"


def _part_of(name: str) -> tuple[int, int] | None:
    """Which part of the index a task makes, and of how many; None when it makes something else."""
    if not name.startswith(INDEX + " "):
        return None
    number, of = map(int, name.removeprefix(INDEX + " ").split("/"))
    return number - 1, of


def next_task(waiting: Collection[TableTask], made: Collection[str], begun: Mapping[str, int], maker: int) -> TableTask | None:
    """What a maker does next: what nobody else can do as well, else the first it may; None while it has to wait.

    `made` are names of what is there, `begun` says who took on what.
    """
    ready = [task for task in waiting if task.after <= set(made) and begun.get(task.beside, maker) == maker]
    return next((task for task in ready if task.beside in begun), next(iter(ready), None))


def _numbers_of(name: str) -> str:
    """The first table in numbers that a table is made of, "" for none."""
    table = registry.all_tables()[name]
    needs = table.made.needs if isinstance(table.made, FromTables) else ()
    return next((needed for needed in needs if numbered(registry.all_tables()[needed])), "")


class TableMaker:
    """Makes tasks of a run, one after the other, in one process; several of them may work on one run, each in its `scratch`."""

    def __init__(self, run: Run, study: StudyConfig, scratch: Path, emit: Emit) -> None:
        self._run = run
        self._emit = emit
        with disk_errors(scratch):
            scratch.mkdir(parents=True, exist_ok=True)
        self._tables = Tables(run, study, frugal=True, scratch=scratch)
        self._tokens = ExitStack()
        self._last: frozenset[str] = frozenset()
        self._sharing = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._tokens.close()
        self._tables.__exit__(kind, error, trace)

    def make(self, task: TableTask) -> None:
        """Make a table, or the index."""
        self._share_tokens(task.name)
        if task.after != self._last:
            self._tables.refresh()
            self._last = task.after
        if part := _part_of(task.name):
            build_index_part(self._run, self._tables, self._emit, *part)
        elif task.name == INDEX:
            build_index(self._run, self._tables, self._emit, "the run is finished")
            tell_index_gap(self._run, self._tables, self._emit)
        else:
            self._tables.compile(task.name)

    def _share_tokens(self, name: str) -> None:
        """Read the tokens once for all tables of them that come one after the other, and let them go before another."""
        table = registry.all_tables().get(name)
        if table is None or not isinstance(table.made, FromTokens):
            self._tokens.close()
            self._sharing = False
        elif not self._sharing:
            self._tokens.enter_context(self._tables.sharing_tokens())
            self._sharing = True
