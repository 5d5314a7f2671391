"""Tables that are asked again and again, as by people who scroll: those of a finished run are held in memory once asked for.

What it takes is bounded: a table is held when its file has at most 48 MB, all of them together 100 MB (about five times that
in memory, within the cap of `tables`); 16 answers are remembered as lists of row numbers. Larger tables are read from disk.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path

from trasmallo.config import StudyConfig
from trasmallo.results.tables import Answer, Plan, Question, Tables
from trasmallo.store.run_folders import Run
from trasmallo.study.verdicts import FILE_NAME

LARGEST = 48 << 20
ALL = 100 << 20
REMEMBERED = 16

_NEAR = 2_000
"""Rows that are sorted out of all others in less time than it takes to sort all."""

_Key = tuple[str, str, str, tuple[str, ...]]


class HeldTables(Tables):
    """Answers like `Tables`, any page of a long table within milliseconds. Not for several threads at once."""

    def __init__(self, run: Run, study: StudyConfig | None = None) -> None:
        self._held: OrderedDict[str, int] = OrderedDict()
        self._orders: OrderedDict[_Key, tuple[str, int]] = OrderedDict()
        self._known: dict[str, tuple[str, ...]] = {}
        self._serial = 0
        self._verdicts_at = 0
        super().__init__(run, study)

    def ask(self, table: str, question: Question | None = None) -> Answer:
        """The rows of a table that answer a question, as `Tables.ask`."""
        question = question or Question()
        plan = self._plan(table, question)
        if not question.limit or not self._hold(table, plan.source) or not (question.where or _is_far(question)):
            return super().ask(table, question)
        name, _ = self._order(table, plan)
        # Row numbers of the list follow each other, so a page of it is found without reading the others.
        sql = f"""SELECT {plan.listed} FROM held."{table}" AS t JOIN (
            SELECT held_row, rowid AS held_nth FROM held."{name}" WHERE rowid >= ? AND rowid < ?
        ) ON t.rowid = held_row ORDER BY held_nth"""  # noqa: S608 - names are checked
        return Answer(plan.names, self._execute(sql, [question.offset, question.offset + question.limit]))

    def number(self, table: str, where: Sequence[str] = ()) -> int:
        """How many rows a table has."""
        if not where:
            return super().number(table)
        plan = self._plan(table, Question(tuple(where)))
        return self._order(table, plan)[1] if self._hold(table, plan.source) else super().number(table, where)

    def prepare(self, *tables: str) -> None:
        """Have tables made where they are not yet, and held, before `select` speaks of them."""
        super().prepare(*tables)
        for table in tables:
            self._hold(table, f'"{table}"')

    def columns_of(self, table: str) -> tuple[str, ...]:
        """The names of a table's columns."""
        return self._columns(self._view_of(table))

    def _make_views(self) -> None:
        super()._make_views()
        self._connection.execute("DROP SCHEMA IF EXISTS held CASCADE; CREATE SCHEMA held")
        for memory in (self._held, self._orders, self._known):
            memory.clear()

    def _view_of(self, table: str, *, joined: bool = True) -> str:
        verdicts = self._run.folder.parents[1] / FILE_NAME
        changed = verdicts.stat().st_mtime_ns if verdicts.exists() else 0
        if changed != self._verdicts_at:
            self._verdicts_at = changed
            self._judged.clear()
        return super()._view_of(table, joined=joined)

    def _columns(self, table: str) -> tuple[str, ...]:
        if table not in self._known or table.removeprefix("judged_") not in self._compiled:
            self._known[table] = super()._columns(table)
        return self._known[table]

    def _hold(self, table: str, source: str) -> bool:
        """Whether a table is in memory, after bringing it there where that is allowed."""
        if table not in self._compiled or source not in (f'"{table}"', f'"judged_{table}"'):
            return False
        whole = source == f'"{table}"'  # a row with its verdict is no row of the file
        if table in self._held:
            self._held.move_to_end(table)
            return whole
        size = _size(self._parquet(table))
        if size > LARGEST:
            return False
        while self._held and sum(self._held.values()) + size > ALL:
            self._let_go(next(iter(self._held)))
        self._execute(f'CREATE TABLE held."{table}" AS SELECT * FROM "{table}"')  # noqa: S608 - names are checked
        self._view(table, f'SELECT * FROM held."{table}"')  # noqa: S608
        self._held[table] = size
        return whole

    def _let_go(self, table: str) -> None:
        self._view(table, self._source(table))
        for key in [key for key in self._orders if key[0] == table]:
            self._forget(key)
        self._execute(f'DROP TABLE held."{table}"')
        del self._held[table]

    def _order(self, table: str, plan: Plan) -> tuple[str, int]:
        """The numbers of the rows that answer a question, in order, as a table of its own; and how many they are."""
        key = (table, plan.conditions, plan.order, tuple(plan.values))
        if key not in self._orders:
            if len(self._orders) >= REMEMBERED:
                self._forget(next(iter(self._orders)))
            self._serial += 1
            name = f"order {self._serial}"
            rows = f'SELECT rowid AS held_row FROM held."{table}"{plan.conditions}{plan.order}'  # noqa: S608 - names are checked
            made = self._execute(f'CREATE TABLE held."{name}" AS {rows}', plan.values).fetchone()
            self._orders[key] = name, int(made[0]) if made else 0
        self._orders.move_to_end(key)
        return self._orders[key]

    def _forget(self, key: _Key) -> None:
        self._execute(f'DROP TABLE held."{self._orders.pop(key)[0]}"')


def _is_far(question: Question) -> bool:
    return bool(question.sort) and question.offset + question.limit > _NEAR


def _size(path: Path) -> int:
    return path.stat().st_size
