"""Planner of questions: what users ask of a table becomes SQL in which every name is checked and every value is apart."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import msgspec

from trasmallo.results import registry
from trasmallo.results.database.document_dates import DATED
from trasmallo.results.database.views import Views
from trasmallo.results.registry import Table, check, leading_first
from trasmallo.results.sql import literal, quoted
from trasmallo.values.errors import UsageError

_OPERATORS = {"=": "=", "!=": "<>", ">": ">", "<": "<", ">=": ">=", "<=": "<=", "~": "contains"}
_CONDITION = re.compile(r"([\w]+)\s*(!=|>=|<=|=|>|<|~)\s*(.*)", re.DOTALL)


class Question(msgspec.Struct, frozen=True):
    """What is asked of a table: conditions ("words>100"), a column to sort by ("-words" downwards), a limit (0 is none)."""

    where: tuple[str, ...] = ()
    sort: str = ""
    limit: int = 0
    offset: int = 0
    columns: tuple[str, ...] = ()


class Plan(NamedTuple):
    """A question as parts of SQL; names in it are checked, what users typed is in `values`."""

    table: Table
    names: tuple[str, ...]
    source: str
    conditions: str
    order: str
    values: list[str]
    page: str = ""

    @property
    def listed(self) -> str:
        """The columns."""
        return ", ".join(map(quoted, self.names))

    @property
    def sql(self) -> str:
        """The whole question."""
        return f"SELECT {self.listed} FROM {self.source}{self.conditions}{self.order}{self.page}"  # noqa: S608 - names are checked


class Planner:
    """Plans questions over the views of a run. `anew` are the only tables that may be asked, when there are some."""

    def __init__(self, views: Views, anew: tuple[str, ...] = (), home: str = "") -> None:
        """`home` is the language of the project."""
        self._views = views
        self._anew = anew
        self._home = home

    def plan(self, name: str, question: Question, *, joined: bool = True) -> Plan:
        """The SQL of a question; raises UsageError that names the nearest table or column.

        A table of documents can also be asked by the columns of `pages` and by its `date` and `date_origin`, and for them,
        where it has none of that name; the `title` of a page without one is its address there.
        """
        table = registry.find(name)
        if self._anew and name not in self._anew:
            raise UsageError(
                "no key changes {name} when it is asked for", "ask so for one of {anew}", name=name, anew=", ".join(self._anew)
            )
        named = {*question.columns, question.sort.removeprefix("-"), *_named(question.where)}
        source, own, known = self.source(table, named, joined=joined)
        names = question.columns or leading_first(own)
        for column in names:
            check(column, known, "there is no column {name!r}")
        conditions, values = conditions_of(question.where, known)
        page = f" LIMIT {int(question.limit)}" if question.limit else ""
        # DuckDB 2.0 keeps some 60 bytes a row of each answer with an OFFSET, be it 0, as long as it is open.
        page += f" OFFSET {int(question.offset)}" if question.limit and question.offset else ""
        return Plan(
            table=table,
            names=tuple(names),
            source=source,
            conditions=conditions,
            order=self._order(table, question, source, known),
            values=values,
            page=page,
        )

    def source(self, table: Table, named: set[str], *, joined: bool = True) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
        """A table as SQL, its columns, and these with those of `pages` and `dates` that are named and not its own."""
        view = self._views.asked(table, joined=joined)
        own = self._views.columns(view)
        more = {name: home for name, home in _of_documents().items() if name in named and name not in own}
        if not more or "document" not in own:
            return quoted(view), own, own
        for home in set(more.values()):
            self._views.prepare(home)
        listed = ", ".join(_joined(name, home) for name, home in more.items())
        joins = " ".join(f"JOIN {home} USING (document)" for home in dict.fromkeys(more.values()))
        return f"(SELECT t.*, {listed} FROM {quoted(view)} t {joins})", own, (*own, *more)  # noqa: S608 - names are checked

    def conditions(self, name: str, where: Sequence[str]) -> tuple[str, str, list[str]]:
        """A table as SQL, conditions on its rows, and their values."""
        source, _, known = self.source(registry.find(name), _named(where))
        return (source, *conditions_of(where, known))

    def _order(self, table: Table, question: Question, source: str, known: tuple[str, ...]) -> str:
        if question.sort:
            name = question.sort.removeprefix("-")
            check(name, known, "there is no column {name!r}")
            return f" ORDER BY {quoted(name)} {'DESC' if question.sort.startswith('-') else 'ASC'}, {_ordered(table, known)}"
        kept_in_order = self._views.in_order(table.name) and not table.large and source == quoted(table.name)
        as_it_comes = table.large and not question.limit
        if kept_in_order or as_it_comes:
            return ""
        at_home = f"language <> {literal(self._home)}, " if table.home_first and "language" in known else ""
        return f" ORDER BY {at_home}{_ordered(table, known)}"


@cache
def _of_documents() -> dict[str, str]:
    """Columns that every table of documents can be asked by, and the tables they are in."""
    return dict.fromkeys(registry.find("pages").types, "pages") | dict.fromkeys(DATED, "dates")


def _joined(name: str, home: str) -> str:
    """A column of another table as SQL; what names a row to its reader is never empty."""
    if name == "title":
        return f"coalesce(nullif({home}.title, ''), {home}.url) AS title"
    return f"{home}.{quoted(name)}"


def _ordered(table: Table, known: tuple[str, ...]) -> str:
    """The usual order of a table; runs of earlier versions tell no languages."""
    return table.order if "language" in known else table.order.removesuffix(", language")


def conditions_of(where: Sequence[str], known: tuple[str, ...]) -> tuple[str, list[str]]:
    """Conditions as SQL and their values; raises UsageError for what is none."""
    pieces, values = [], []
    for text in where:
        found = _CONDITION.fullmatch(text)
        if not found:
            raise UsageError("{text!r} is no condition", "write it as column=value, column>number or column~part", text=text)
        name, operator, value = found.groups()
        check(name, known, "there is no column {name!r}")
        values.append(value)
        column = quoted(name)
        pieces.append(
            f"contains(lower({column}::VARCHAR), lower(?))" if operator == "~" else f"{column} {_OPERATORS[operator]} ?"
        )
    return (" WHERE " + " AND ".join(pieces) if pieces else ""), values


def _named(where: Sequence[str]) -> set[str]:
    """The columns that conditions speak of."""
    return {found[1] for text in where if (found := _CONDITION.fullmatch(text))}
