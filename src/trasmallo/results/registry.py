"""Registry of result tables: one `Table` says all that the program knows of one, and everything else is derived from it.

Lists, help, completion, web pages, OpenAPI, docs, exports, views and compiled files read it here. Our own tables are in the
modules of `results.tables`; other packages add theirs with an entry point in the group `trasmallo.tables`, a tuple of `Table`.
What makes a table is named as entry points are ("package.module:function") and imported when the table is asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import get_type_hints

import msgspec

from trasmallo import plugins
from trasmallo.config import Analysed
from trasmallo.results.cells import CellLink, InDocument, Rows
from trasmallo.results.sql import literal
from trasmallo.study.trends import Unit
from trasmallo.values.errors import UsageError
from trasmallo.values.nearest import nearest


class Wording(msgspec.Struct, frozen=True, kw_only=True):
    """What is said in each language of the program."""

    en: str
    es: str


class FromParts(msgspec.Struct, frozen=True):
    """Rows that the analysis writes into parts, a file a table.

    `shown` is the SQL of the table where users see something else than these rows, which are `all_NAME` then.
    """

    shown: str = ""


class FromFile(msgspec.Struct, frozen=True):
    """Rows that a stage writes as JSON lines into the run's folder."""

    file: str


class FromTokens(msgspec.Struct, frozen=True):
    """What `build` (a function of `builders.counts.TokenSource`) makes of the tokens of all documents: columns, or rows.

    `numbered` are columns of texts that are kept in numbers too, for tables that are made of this one: `NAME_numbers` has a
    number in the place of each text, `NAME_COLUMN` the text of each number.
    `beside` is a table that it shares most of the work with, if one process makes both.
    """

    build: str
    numbered: tuple[str, ...] = ()
    beside: str = ""


class FromLinks(msgspec.Struct, frozen=True):
    """What `make` (a function of a `database.connection.Connection` and the run, which returns SQL) makes of the links."""

    make: str


class FromTables(msgspec.Struct, frozen=True):
    """SQL over other tables. Those in `needs` are made first; `before` (a function of the connection) runs once before it."""

    sql: str
    needs: tuple[str, ...] = ()
    before: str = ""


class OnDemand(msgspec.Struct, frozen=True):
    """What `make` (as that of `FromLinks`) makes of other tables when somebody asks; a run that ends does not keep it.

    Those in `needs` are made first. It is for what depends on other runs too, or costs more than most runs are asked for it.
    """

    make: str
    needs: tuple[str, ...] = ()


class Layered(msgspec.Struct, frozen=True):
    """How a table changes with few documents: rows with the same `keys` change together, and `change` tells which do.

    It is a function of a `layers.changes.Changes`, which returns a `layers.changes.TableChange`: the keys that count no more,
    and rows of these keys as they are now; or None where it cannot tell, so that the table is made whole. What it tells must be
    all that differs from such a table. Tables that it comes `after` can be asked as they are now.
    """

    keys: tuple[str, ...]
    change: str
    after: tuple[str, ...] = ()


Making = FromParts | FromFile | FromTokens | FromLinks | FromTables | OnDemand


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """A result table.

    `row` has its columns and their types, `order` is the SQL of its usual order, `group` one of `GROUPS` (others are "others").
    `home_first`: rows in the project's language come before the others, whose column is `language`, unless they are sorted.
    `columns` names columns of its own in the web app; those that tables share are in `web/words` (column.NAME).
    `large`: rows of up to 16 MB, which come unsorted unless a few are asked for. `judged`: words with a column for verdicts.
    `decided`: entities, which people's decisions and annotations change when they are asked for.
    `analyses` are those of [study] that it belongs to: where one is not wished, it is made when it is asked for.
    `added` are columns that runs of earlier versions lack; there they are empty.
    `untold` are columns in whose files 0 stands for what nobody told; in the table they are empty then.
    `brief` are those that a screen shows of many, in this order; without them all but digests.
    `over_time` are columns of words and lemmas, whose trends the app shows, and which of both (`study.trends.Unit`).
    `computed` are columns that follow from others of the same row, as SQL; their files need not have them.
    `layered` is how a run that adds to another makes it of that one's; None where it is made whole.
    `deferred`: it depends on the whole corpus and is made when it is first asked for, where few documents changed.
    `said` are columns whose texts are the program's own, which the app says in the language of its reader: the family of words
    that each belongs to, "" for whole sentences. Conditions are about what is stored.
    `remark` is a function of `database.tables.Tables` that returns what a person should know beside the rows, "" for nothing.
    """

    name: str
    title: Wording
    about: Wording
    group: str
    row: type[msgspec.Struct]
    made: Making
    order: str
    links: Mapping[str, CellLink] = {}
    columns: Mapping[str, Wording] = {}
    large: bool = False
    judged: bool = False
    decided: bool = False
    home_first: bool = False
    analyses: tuple[Analysed, ...] = ()
    added: tuple[str, ...] = ()
    untold: tuple[str, ...] = ()
    brief: tuple[str, ...] = ()
    over_time: Mapping[str, Unit] = {}
    computed: Mapping[str, str] = {}
    layered: Layered | None = None
    deferred: bool = False
    said: Mapping[str, str] = {}
    remark: str = ""

    @property
    def types(self) -> dict[str, str]:
        """Names and SQL types of its columns; what is joined when it is asked for is none of them."""
        return sql_types(self.row)

    @property
    def source(self) -> str:
        """What its rows are called in SQL before anything is joined or left out."""
        return f"all_{self.name}" if isinstance(self.made, FromParts) and self.made.shown else self.name

    def usual_order(self, home: str) -> str:
        """Its usual order as SQL, where `home` is the project's language."""
        return f"language <> {literal(home)}, {self.order}" if self.home_first else self.order

    def on_screen(self, columns: tuple[str, ...]) -> tuple[str, ...]:
        """Of its columns, those that a screen shows first; a document is named by its title."""
        if self.brief:
            return self.brief
        named = any(name in columns for name in _NAMING) or "document" not in columns
        return (*(() if named else ("title",)), *(name for name in leading_first(columns) if name not in _TELLING_APART))

    def link(self, column: str) -> CellLink | None:
        """What is behind a cell of a column."""
        return self.links.get(column) or _EVERYWHERE.get(column)


GROUPS = {
    "pages": Wording(en="Of pages", es="De las páginas"),
    "links": Wording(en="Of links", es="De los enlaces"),
    "words": Wording(en="Of words", es="De las palabras"),
    "lemmas": Wording(en="Of lemmas and categories", es="De lemas y categorías"),
    "together": Wording(en="Of words together", es="De palabras juntas"),
    "others": Wording(en="Others", es="Otras"),
}
"""Groups of tables, as menus and lists offer them, in order."""

_NAMING = ("title", "url")
_TELLING_APART = frozenset({"document", "digest", "signature"})
"""Columns of digests, which say nothing to people."""

_EVERYWHERE: dict[str, CellLink] = {"document": InDocument(), "host": Rows("pages", ("host=$host",))}
_SQL: dict[object, str] = {str: "VARCHAR", int: "BIGINT", float: "DOUBLE", bool: "BOOLEAN"}
_SQL |= {int | None: "BIGINT", float | None: "DOUBLE"}


@cache
def all_tables() -> Mapping[str, Table]:
    """Every table by its name, group by group; of two with one name the first counts, and ours come first."""
    found: dict[str, Table] = {}
    for some in plugins.load_all("trasmallo.tables").values():
        for table in some:
            found.setdefault(table.name, table)
    order = list(GROUPS)
    return {table.name: table for table in sorted(found.values(), key=lambda table: order.index(_group(table)))}


def find(name: str) -> Table:
    """The table of a name; raises UsageError that names the nearest."""
    check(name, all_tables(), "there is no table {name!r}")
    return all_tables()[name]


def leading_first(columns: tuple[str, ...]) -> tuple[str, ...]:
    """Columns as people and programs read them: what names a row first (title, address), what only tells it apart last."""
    first = tuple(name for name in _NAMING if name in columns)
    last = tuple(name for name in columns if name in _TELLING_APART)
    return (*first, *(name for name in columns if name not in _NAMING and name not in _TELLING_APART), *last)


def made_by(*kinds: type[Making]) -> dict[str, Table]:
    """The tables that are made in one of these ways."""
    return {name: table for name, table in all_tables().items() if isinstance(table.made, kinds)}


def groups() -> dict[str, tuple[str, ...]]:
    """The names of the tables of each group."""
    return {group: tuple(name for name, table in all_tables().items() if _group(table) == group) for group in GROUPS}


@cache
def sql_types(row: type[msgspec.Struct]) -> dict[str, str]:
    """Names and SQL types of the fields of a row."""
    return {name: _SQL[kind] for name, kind in get_type_hints(row).items()}


def check(name: str, known: Mapping[str, object] | tuple[str, ...], problem: str) -> None:
    """Raise UsageError with this problem, which names the nearest, when a name is not known."""
    if name not in known:
        repair = "did you mean {meant!r}? There are {known}"
        raise UsageError(problem, repair, name=name, meant=nearest(name, known), known=", ".join(known))


def _group(table: Table) -> str:
    return table.group if table.group in GROUPS else "others"
