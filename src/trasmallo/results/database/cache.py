"""Cache of tables that are asked again and again, as by people who scroll: in memory once asked for.

Those of a run that goes on stay as they were when they were first asked for, until the views are refreshed.

What it takes is bounded: a table is cached when its file, or those it is made of, have at most 48 MB, all of them together
100 MB (about five times that in memory, within the cap of `connection`); 16 answers are remembered as lists of row numbers.
Larger tables are read from disk.
"""

from __future__ import annotations

from collections import OrderedDict

import duckdb

from trasmallo.results.database.connection import Connection
from trasmallo.results.database.planner import Plan, Question
from trasmallo.results.database.views import Views
from trasmallo.results.sql import quoted

LARGEST = 48 << 20  # judgement: bytes of a file
ALL = 100 << 20  # judgement: bytes of all files together
REMEMBERED = 16
"""Judgement: what keeps all of it within the 800 MB of the connection, at about five times the size of the files."""

_NEAR = 2_000
"""Rows that are sorted out of all others in less time than it takes to sort all. Judgement: DuckDB's top-n is for such few."""

_Key = tuple[str, str, str, tuple[str, ...]]


class TableCache:
    """Finds any page of a long table within milliseconds. Not for several threads at once."""

    def __init__(self, connection: Connection, views: Views) -> None:
        self._connection = connection
        self._views = views
        self._sizes: OrderedDict[str, int] = OrderedDict()
        self._orders: OrderedDict[_Key, tuple[str, int]] = OrderedDict()
        self._serial = 0
        self._of_views = 0

    def page(self, plan: Plan, question: Question) -> duckdb.DuckDBPyConnection | None:
        """The rows of a page of an answer; None where the table itself gives them as fast, or is not cached."""
        if not question.limit or not self.take(plan) or not (question.where or _is_far(question)):
            return None
        name, _ = self._order(plan)
        # Row numbers of the list follow each other, so a page of it is found without reading the others.
        sql = f"""SELECT {plan.listed} FROM cached.{quoted(plan.table.name)} AS t JOIN (
            SELECT cached_row, rowid AS cached_nth FROM cached."{name}" WHERE rowid >= ? AND rowid < ?
        ) ON t.rowid = cached_row ORDER BY cached_nth"""  # noqa: S608 - names are checked
        return self._connection.execute(sql, [question.offset, question.offset + question.limit])

    def number(self, plan: Plan) -> int | None:
        """How many rows meet the conditions of a plan; None when the table is not cached."""
        return self._order(plan)[1] if self.take(plan) else None

    def take(self, plan: Plan) -> bool:
        """Bring a table into memory where that is allowed; whether the rows of a plan are those that are there."""
        self._follow_views()
        whole = plan.source == quoted(plan.table.name)  # a row with its verdict is no row of the file
        return self._hold(plan.table.name) and whole if whole or plan.source.startswith('"') else False

    def _follow_views(self) -> None:
        if self._of_views != self._views.refreshed:
            for table in self._sizes:  # one that came while files moved is read from memory though views were refreshed
                self._views.read_uncached(table)
            self._connection.define("DROP SCHEMA IF EXISTS cached CASCADE; CREATE SCHEMA cached")
            self._sizes.clear()
            self._orders.clear()
            self._of_views = self._views.refreshed

    def _hold(self, table: str) -> bool:
        """Whether a table is in memory, after bringing it there where that is allowed."""
        if table in self._sizes:
            self._sizes.move_to_end(table)
            return True
        size = self._views.size(table)
        if size is None or size > LARGEST:
            return False
        while self._sizes and sum(self._sizes.values()) + size > ALL:
            self._drop(next(iter(self._sizes)))
        self._connection.execute(f"CREATE TABLE cached.{quoted(table)} AS SELECT * FROM {quoted(table)}")  # noqa: S608
        self._views.read_cached(table, f"SELECT * FROM cached.{quoted(table)}")  # noqa: S608 - names are checked
        self._sizes[table] = size
        return True

    def _drop(self, table: str) -> None:
        self._views.read_uncached(table)
        for key in [key for key in self._orders if key[0] == table]:
            self._forget(key)
        self._connection.execute(f"DROP TABLE cached.{quoted(table)}")
        del self._sizes[table]

    def _order(self, plan: Plan) -> tuple[str, int]:
        """The numbers of the rows that answer a question, in order, as a table of its own; and how many they are."""
        key = (plan.table.name, plan.conditions, plan.order, tuple(plan.values))
        if key not in self._orders:
            if len(self._orders) >= REMEMBERED:
                self._forget(next(iter(self._orders)))
            self._serial += 1
            name, table = f"order {self._serial}", quoted(plan.table.name)
            rows = f"SELECT rowid AS cached_row FROM cached.{table}{plan.conditions}{plan.order}"  # noqa: S608 - names are checked
            made = self._connection.execute(f'CREATE TABLE cached."{name}" AS {rows}', plan.values).fetchone()
            self._orders[key] = name, int(made[0]) if made else 0
        self._orders.move_to_end(key)
        return self._orders[key]

    def _forget(self, key: _Key) -> None:
        self._connection.execute(f'DROP TABLE cached."{self._orders.pop(key)[0]}"')


def _is_far(question: Question) -> bool:
    return bool(question.sort) and question.offset + question.limit > _NEAR
