"""The result tables of a run, for who asks: questions, figures, SQL of the program's own, and files.

Answers come from the parts of a run while it grows, from Parquet once it is finished.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from pkgutil import resolve_name
from types import TracebackType
from typing import Literal, Self, TypeVar

import duckdb

from trasmallo.config import StudyConfig
from trasmallo.results import registry
from trasmallo.results.database import entity_names
from trasmallo.results.database.cache import TableCache
from trasmallo.results.database.connection import Connection, Record, Values
from trasmallo.results.database.planner import Planner, Question
from trasmallo.results.database.views import Views
from trasmallo.results.database.writer import TableWriter
from trasmallo.results.registry import FromFile, FromLinks, FromParts, FromTables, FromTokens
from trasmallo.results.sql import quoted
from trasmallo.store.run_folders import Run
from trasmallo.values.errors import StoreError
from trasmallo.values.scratch import new_scratch
from trasmallo.values.spreadsheet_cells import CellForm

_ROWS_AT_ONCE = 1_000
"""Rows of an answer that are fetched together. Judgement: some 100 kB."""

_TRIES = 5  # judgement: parts are merged every few seconds and asked in one
_Answer = TypeVar("_Answer")


class AnsweredRows:
    """Rows of a table; iterate once. `columns` are their names."""

    def __init__(self, names: tuple[str, ...], rows: Iterable[Record]) -> None:
        self.columns = names
        self._rows = rows

    def __iter__(self) -> Iterator[Record]:
        yield from self._rows


class Tables:
    """The tables of a run. Several may be open at once, also while the run goes on.

    `study` says which words, segments and collocations there are as long as the run is not finished; with `anew` also
    afterwards. `frugal` is for who makes whole tables (see `Connection`), `cached` for who asks the same tables again and again
    (see `TableCache`). What is spilled lies in `scratch`, which is removed at the end: nobody may share it.
    """

    def __init__(
        self,
        run: Run,
        study: StudyConfig | None = None,
        *,
        anew: bool = False,
        frugal: bool = False,
        cached: bool = False,
        scratch: Path | None = None,
    ) -> None:
        self._run = run
        made_anew = tuple(registry.made_by(FromTokens)) if anew else ()
        # Who makes the tables of a run works in its folder, who only asks writes nothing there.
        self.scratch = scratch or (run.folder / "spill" if frugal else new_scratch())
        self.connection = Connection(self.scratch, self.refresh, verify=self._verify, frugal=frugal)
        self._views = Views(run, study or StudyConfig(), self.connection, self.scratch, made_anew)
        self._planner = Planner(self._views, made_anew, run.language)
        self._writer = TableWriter(self.connection, self._views, self._planner)
        self._cache = TableCache(self.connection, self._views) if cached else None
        self._asked: set[str] = set()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.connection.close()
        self._views.built.close()
        if self.scratch.parent != self._run.folder:
            shutil.rmtree(self.scratch, ignore_errors=True)

    def ask(self, table: str, question: Question | None = None) -> AnsweredRows:
        """The rows of a table that answer a question; raises UsageError that names the nearest table or column.

        A table of documents can also be asked by the columns of `pages` and by its `date` and `date_origin`, and for them,
        where it has none of that name.
        """
        question = question or Question()
        self._asked.add(table)
        return self._planned(lambda: self._answer(table, question))

    def _answer(self, table: str, question: Question) -> AnsweredRows:
        plan = self._planner.plan(table, question)
        page = self._cache.page(plan, question) if self._cache else None
        if page is not None or not question.limit:
            return AnsweredRows(plan.names, _fetched(page or self.connection.execute(plan.sql, plan.values)))
        # All at once: should the parts be merged meanwhile, or the run end, the whole question is asked again.
        return AnsweredRows(plan.names, self.connection.select(plan.sql, plan.values))

    def about(self, documents: Sequence[str], where: Sequence[str] = (), *, table: str = "pages") -> AnsweredRows:
        """The rows of `pages`, or another table of documents, of those of some documents that meet all conditions."""
        return self._planned(lambda: self._answer_about(table, list(documents), Question(where=tuple(where))))

    def _answer_about(self, table: str, documents: list[str], question: Question) -> AnsweredRows:
        plan = self._planner.plan(table, question)
        sql = f"SELECT * FROM ({plan.sql}) WHERE document IN (SELECT unnest(?))"  # noqa: S608 - names are checked
        return AnsweredRows(plan.names, self.connection.select(sql, [*plan.values, documents]))

    def _planned(self, ask: Callable[[], _Answer]) -> _Answer:
        """Plan and ask; and again where files went meanwhile, since what was planned by them may have no order without."""
        for _ in range(_TRIES):
            seen = self._views.refreshed
            answer = ask()
            if self._views.refreshed == seen:
                return answer
        raise StoreError("the parts of {name} change faster than they are read", "ask again in a moment", name=self._run.name)

    def decided(self, table: str) -> str:
        """Changes when people's decisions on a table's entities do, or its files."""
        return f"{entity_names.stamp(self._run)} {self._views.refreshed} {table}"

    @property
    def home(self) -> str:
        """The language of the project."""
        return self._run.language

    def columns_of(self, table: str) -> tuple[str, ...]:
        """The names of a table's columns."""
        return registry.leading_first(self._views.columns(self._views.asked(registry.find(table))))

    def prepare(self, *tables: str) -> None:
        """Have tables made where they are not yet, before `select` speaks of them."""
        for table in tables:
            self._views.prepare(table)
            if self._cache:
                self._cache.take(self._planner.plan(table, Question(), joined=False))

    def prepare_like(self, other: Tables) -> None:
        """Have all tables made that were asked of another one, so that the next questions are answered at once."""
        self.prepare(*sorted(other._asked))
        self._asked |= other._asked

    def number(self, table: str, where: Sequence[str] = ()) -> int:
        """How many rows a table has, or how many of them meet all conditions."""
        return self._planned(lambda: self._number(table, where))

    def _number(self, table: str, where: Sequence[str]) -> int:
        if self._cache and where:
            found = self._cache.number(self._planner.plan(table, Question(where=tuple(where))))
            if found is not None:
                return found
        return self._single("count(*)", table, where)

    def different(self, table: str, column: str) -> int:
        """How many different values a column has: a word of two languages is one of them."""
        return self._single(f"count(DISTINCT {quoted(column)})", table)

    def total(self, table: str, column: str) -> int:
        """The sum of a column of whole numbers."""
        return self._single(f"sum({quoted(column)})", table)

    def remark(self, table: str) -> str:
        """What a person should know of a table beside its rows, "" for nothing."""
        remark = registry.find(table).remark
        return str(resolve_name(remark)(self)) if remark else ""

    def tally(self, table: str, column: str, where: Sequence[str] = ()) -> dict[str, int]:
        """How often each value of a column of texts occurs."""
        source, conditions, values = self._planner.conditions(table, where)
        sql = f"SELECT {quoted(column)}, count(*) FROM {source}{conditions} GROUP BY ALL ORDER BY ALL"  # noqa: S608
        return dict(self.select(sql, values))

    def select(self, sql: str, values: Values = ()) -> list[Record]:
        """The rows of SQL of the program's own over the tables; what users type only comes as values."""
        return self.connection.select(sql, values)

    def stream(
        self, sql: str, values: Sequence[object] = (), *, needs: Sequence[str] = (), at_once: int = _ROWS_AT_ONCE
    ) -> Iterator[Record]:
        """Rows like those of `select`, so many in memory at once; tables that are made of others must be named in `needs`."""
        for table in needs:
            self._views.prepare(table)
        yield from self.connection.stream(sql, values, at_once)

    def documents(self, column: Literal["signature", "text"]) -> Iterator[tuple[str, str, str]]:
        """(document, url, its signature or text) of every document, for finding copies; short addresses come first."""
        joined = "texts t JOIN all_pages p USING (document)"
        query = f"SELECT t.document, p.url, t.{column} FROM {joined} ORDER BY length(p.url), p.url"  # noqa: S608 - all of it is ours
        yield from self.stream(query)

    def write(
        self,
        table: str,
        path: Path,
        kind: str,
        question: Question | None = None,
        about: Mapping[str, str] | None = None,
        form: CellForm | None = None,
    ) -> int:
        """Write a table, or the answer to a question, as `parquet`, `csv` or `tsv`, streamed and renamed into place.

        `about` goes into the key-value metadata of Parquet, which alone has room for it; `form` is how cells of the others are
        written. Returns the number of rows.
        """
        plan = self._planner.plan(table, question or Question())
        return self._writer.write(plan, path, kind, about or {}, form or CellForm())

    def keep(self, table: str, path: Path, where: Sequence[str]) -> None:
        """Write some rows of a table as Parquet, as the run alone has them."""
        plan = self._planner.plan(table, Question(where=tuple(where)), joined=False)
        self._writer.write(plan, path, "parquet", {}, CellForm())

    def compile(self, table: str) -> None:
        """Keep a table of a finished run as the run alone has it, without verdicts and what other runs say."""
        self._writer.compile(table)

    def copy(self, sql: str, path: Path) -> None:
        """Write the rows of SQL of the program's own as Parquet."""
        self._writer.copy(sql, path)

    def dump(self, sql: str, path: Path) -> None:
        """Write the rows of SQL of the program's own as JSON lines."""
        self._writer.dump(sql, path)

    def sharing_tokens(self) -> AbstractContextManager[None]:
        """Let all tables that are made meanwhile be made of the tokens as they are now, read once."""
        return self._views.built.sharing_tokens()

    def refresh(self) -> None:
        """See what was compiled meanwhile."""
        self._views.refresh()

    def read_compiled(self, table: str) -> None:
        """See one table that was compiled just now."""
        self._views.read_compiled(table)

    def define(self, name: str, sql: str) -> None:
        """Have a view of the program's own SQL, for who makes tables."""
        self._views.define(name, sql)

    def own_rows(self, table: registry.Table) -> str:
        """The rows that the run itself brought to a table of the parts, as SQL."""
        return self._views.own_rows(table)

    def carried_rows(self, table: registry.Table) -> str:
        """The rows of a table as the run before had them, as SQL; none when it is not carried."""
        return self._views.carried_rows(table)

    def _verify(self, sql: str) -> None:
        """Have the views that some SQL names, and their files checked, as soon as there are views."""
        if "_views" in self.__dict__:
            self._views.prepare_sql(sql)

    def _single(self, what: str, table: str, where: Sequence[str] = ()) -> int:
        source, conditions, values = self._planner.conditions(table, where)
        rows = self.connection.select(f"SELECT {what} FROM {source}{conditions}", values)  # noqa: S608
        return int(rows[0][0] or 0) if rows else 0


def _fetched(cursor: duckdb.DuckDBPyConnection) -> Iterator[Record]:
    while rows := cursor.fetchmany(_ROWS_AT_ONCE):
        yield from rows


def compile_tables(
    run: Run, study: StudyConfig | None = None, there: Collection[str] = (), tell: Callable[[str], None] = lambda _table: None
) -> None:
    """Turn the parts of a finished run into Parquet files, one a table, readable by anybody; those that are `there` stay.

    `tell` is called with each table before it is made. Several processes do the same faster: see `results.table_tasks`.
    """
    of_tokens, of_parts, of_tables = plan_tables(study or StudyConfig(), there)
    with Tables(run, study, frugal=True) as tables:
        with tables.sharing_tokens() if of_tokens else nullcontext():
            for name in of_tokens:
                tell(name)
                tables.compile(name)
        for names in (of_parts, of_tables):
            tables.refresh()
            for name in names:
                tell(name)
                tables.compile(name)


def plan_tables(study: StudyConfig, there: Collection[str] = ()) -> tuple[list[str], list[str], list[str]]:
    """The tables that are made when a run ends, but for those that are `there`: of the tokens, of the parts, of other tables.

    Tables of analyses that are not wished are left to who asks for them.

    Those of the tokens come first: what they need in memory is let go before DuckDB needs some. Tables that follow from others
    come last and are made of their Parquet, which is read several times as fast as the parts.
    """
    of_tokens, of_tables, of_links = (
        [name for name, table in registry.made_by(kind).items() if set(table.analyses) <= set(study.analyses)]
        for kind in (FromTokens, FromTables, FromLinks)
    )
    others = {*registry.made_by(FromParts, FromFile), *of_links}
    of_parts = [name for name in registry.all_tables() if name in others]
    left = ([name for name in names if name not in there] for names in (of_tokens, of_parts, of_tables))
    of_tokens, of_parts, of_tables = left
    return of_tokens, of_parts, of_tables
