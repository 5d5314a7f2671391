"""The result tables of a run, asked with DuckDB: from its parts while it grows, from Parquet once it is finished.

Memory is capped at 800 MB, at 200 while the tables of a run are made; what does not fit is spilled into the run's folder.
"""

from __future__ import annotations

import errno
import os
import re
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Self, TypeVar

import duckdb
import msgspec

from trasmallo.config import StudyConfig
from trasmallo.results import neologisms
from trasmallo.results.builders.files import columns_file, made_numbers, made_rows
from trasmallo.results.registry import DERIVED, MADE_OF, ORDER, SHOWN
from trasmallo.results.rows import COMPUTED, LINKED, TABLES, columns
from trasmallo.results.sql import from_json_lines, from_parquet, literal, quoted
from trasmallo.store.parts import finished_parts
from trasmallo.store.run_folders import Run
from trasmallo.study import verdicts
from trasmallo.study.word_lists import resolve_lists
from trasmallo.values.atomic_files import drafted, remove
from trasmallo.values.errors import StoreError, UsageError, disk_errors
from trasmallo.values.nearest import nearest

if TYPE_CHECKING:
    from trasmallo.results.builders.counts import Source

_OPERATORS = {"=": "=", "!=": "<>", ">": ">", "<": "<", ">=": ">=", "<=": "<=", "~": "contains"}
_CONDITION = re.compile(r"([\w]+)\s*(!=|>=|<=|=|>|<|~)\s*(.*)", re.DOTALL)
_MEMORY, _LITTLE_MEMORY = "800MB", "200MB"
_LONGEST_ROW = {"texts": 16 << 20}
"""Bytes of a JSON line where it may be long; DuckDB reserves several times as much, so other tables keep to 1 MB."""

_UNSORTED = ("texts",)
"""Tables that come as they are unless a few rows are asked for: DuckDB cannot sort a gigabyte of texts in its memory."""
_COPIED = {
    "parquet": "FORMAT parquet, COMPRESSION zstd",
    "csv": "FORMAT csv, HEADER",
    "tsv": "FORMAT csv, HEADER, DELIMITER '\t'",
}
_SMALL_GROUPS = ", ROW_GROUP_SIZE_BYTES '32MB'"
"""A group of rows in Parquet is gathered in memory; the usual 122,880 texts do not fit."""


class CopyRow(msgspec.Struct, frozen=True):
    """A document left out because `copy_of` says the same; `original` is that one's URL."""

    document: str
    url: str
    copy_of: str
    original: str
    similarity: float


class Question(msgspec.Struct, frozen=True):
    """What is asked of a table: conditions ("words>100"), a column to sort by ("-words" downwards), a limit (0 is none)."""

    where: tuple[str, ...] = ()
    sort: str = ""
    limit: int = 0
    offset: int = 0
    columns: tuple[str, ...] = ()


Done = TypeVar("Done")

Asked = tuple[tuple[str, ...], str, list[str]]
"""The columns of an answer, the SQL that gives it, and its values."""


class Answer:
    """Rows of a table; iterate once. `columns` are their names."""

    def __init__(self, names: tuple[str, ...], cursor: duckdb.DuckDBPyConnection) -> None:
        self.columns = names
        self._cursor = cursor

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        while rows := self._cursor.fetchmany(1_000):
            yield from rows


class Plan(NamedTuple):
    """A question as parts of SQL; names in it are checked, what users typed is in `values`."""

    names: tuple[str, ...]
    source: str
    conditions: str
    order: str
    values: list[str]

    @property
    def listed(self) -> str:
        """The columns."""
        return ", ".join(map(quoted, self.names))


class Tables:
    """A connection to the tables of a run. Several may be open at once, also while the run goes on.

    `study` says which words, segments and collocations there are as long as the run is not finished; with `anew` also
    afterwards. `frugal`, for who makes whole tables: one thread in little memory, where two may wait for ever (DuckDB 2.0).
    """

    def __init__(self, run: Run, study: StudyConfig | None = None, *, anew: bool = False, frugal: bool = False) -> None:
        self._run = run
        self._study = study or StudyConfig()
        self._anew = COMPUTED.keys() if anew else frozenset[str]()
        self._made: dict[str, tempfile.TemporaryDirectory[str]] = {}
        self._views: dict[str, str] = {}
        self._linked: dict[str, str] = {}
        self._judged: dict[str, tuple[int, ...]] = {}
        self._tokens: Source | None = None
        self._referred, self._frugal = False, frugal
        memory, threads, spill = *((_LITTLE_MEMORY, 1) if frugal else (_MEMORY, 2)), str(run.folder / "spill")
        self._connection = duckdb.connect(config={"memory_limit": memory, "threads": threads, "temp_directory": spill})
        self._make_views()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._connection.close()
        for folder in self._made.values():
            folder.cleanup()

    def ask(self, table: str, question: Question | None = None) -> Answer:
        """The rows of a table that answer a question; raises UsageError that names the nearest table or column.

        A table of documents can also be asked by the columns of `pages`, and for them, where it has none of that name.
        """
        names, sql, values = self._asked(table, question or Question())
        return Answer(names, self._execute(sql, values))

    def about(self, documents: Sequence[str], where: Sequence[str] = ()) -> Answer:
        """The rows of `pages` of those of some documents that meet all conditions."""
        names, sql, values = self._asked("pages", Question(where=tuple(where)))
        sql = f"SELECT * FROM ({sql}) WHERE document IN (SELECT unnest(?))"  # noqa: S608 - names are checked
        return Answer(names, self._execute(sql, [*values, list(documents)]))

    def _asked(self, table: str, question: Question, *, joined: bool = True) -> Asked:
        """The columns, the SQL and the values of a question."""
        plan = self._plan(table, question, joined=joined)
        sql = f"SELECT {plan.listed} FROM {plan.source}{plan.conditions}{plan.order}"  # noqa: S608 - names are checked
        if question.limit:
            sql += f" LIMIT {int(question.limit)} OFFSET {int(question.offset)}"
        return plan.names, sql, plan.values

    def _plan(self, table: str, question: Question, *, joined: bool = True) -> Plan:
        _check(table, SHOWN, "there is no table {name!r}")
        if self._anew and table not in self._anew:
            raise UsageError(
                "no key changes {table} when it is asked for",
                "ask so for one of {anew}",
                table=table,
                anew=", ".join(self._anew),
            )
        view = self._view_of(table, joined=joined)
        own = self._columns(view)
        named = {*question.columns, question.sort.removeprefix("-"), *_named(question.where)}
        source, known = self._extended(view, own, named)
        names = question.columns or own
        for name in names:
            _check(name, known, "there is no column {name!r}")
        conditions, values = _conditions(question.where, known)
        order = _order(table, question, known)
        kept = table in self._compiled and table not in _UNSORTED and source == quoted(table)
        if kept and not question.sort:
            order = ""  # it is kept in its usual order
        return Plan(tuple(names), source, conditions, order, values)

    def _extended(self, table: str, own: tuple[str, ...], named: set[str]) -> tuple[str, tuple[str, ...]]:
        """A table as SQL and its columns, with those of `pages` that are named and not its own."""
        more = tuple(name for name in columns("pages") if name in named and name not in own) if "document" in own else ()
        if not more:
            return quoted(table), own
        listed = ", ".join(f"p.{quoted(name)}" for name in more)
        return f"(SELECT t.*, {listed} FROM {quoted(table)} t JOIN pages p USING (document))", own + more  # noqa: S608

    def prepare(self, *tables: str) -> None:
        """Have tables made where they are not yet, before `select` speaks of them."""
        for table in tables:
            self._make(table)

    def number(self, table: str, where: Sequence[str] = ()) -> int:
        """How many rows a table has."""
        return self._single("count(*)", table, where)

    def total(self, table: str, column: str) -> int:
        """The sum of a column of whole numbers."""
        return self._single(f"sum({quoted(column)})", table)

    def remark(self, table: str) -> str:
        """What a person should know of a table beside its rows, "" for nothing."""
        if table != "neologisms" or not self.number(table):
            return ""
        told = "reference" in self._columns(table) and self.number(table, ("reference>=0",))
        return "" if told else neologisms.NO_REFERENCE

    def tally(self, table: str, column: str, where: Sequence[str] = ()) -> dict[str, int]:
        """How often each value of a column of texts occurs."""
        view = self._view_of(table)
        conditions, values = _conditions(where, self._columns(view))
        sql = f"SELECT {quoted(column)}, count(*) FROM {quoted(view)}{conditions} GROUP BY ALL ORDER BY ALL"  # noqa: S608
        return dict(self._execute(sql, values).fetchall())

    def select(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """The rows of a question of the hall's own over the tables; what users type only comes as values."""
        return self._execute(sql, values).fetchall()

    def stream(
        self, sql: str, values: Sequence[Any] = (), *, needs: Sequence[str] = (), at_once: int = 1_000
    ) -> Iterator[tuple[Any, ...]]:
        """Rows like those of `select`, so many in memory at once; tables that are made of others must be named in `needs`."""
        for table in needs:
            self._make(table)
        cursor = self._execute(sql, values)
        while rows := cursor.fetchmany(at_once):
            yield from rows

    def arrays(self, sql: str, values: Sequence[Any] = ()) -> dict[str, Any]:
        """The columns of a question of the hall's own, for arithmetic."""
        return self._execute(sql, values).fetchnumpy()

    def keep(self, name: str, columns: dict[str, Any]) -> None:
        """A table of arrays under a name that no other table has, as long as this is open."""
        cursor = self._connection.cursor()
        cursor.register("given", columns)
        cursor.execute(f"CREATE OR REPLACE TABLE {quoted(name)} AS SELECT * FROM given")  # noqa: S608 - the name is ours

    def _single(self, what: str, table: str, where: Sequence[str] = ()) -> int:
        view = self._view_of(table)
        source, known = self._extended(view, self._columns(view), _named(where))
        conditions, values = _conditions(where, known)
        row = self._execute(f"SELECT {what} FROM {source}{conditions}", values).fetchone()  # noqa: S608
        return int(row[0] or 0) if row else 0

    def _execute(self, sql: str, values: Sequence[Any] = ()) -> duckdb.DuckDBPyConnection:
        try:
            return self._again(lambda: self._connection.cursor().execute(sql, values))
        except duckdb.ConversionException:
            raise UsageError("a condition compares a number with a text", "write it like words>100") from None
        except duckdb.OutOfMemoryException:
            raise StoreError(
                "the answer does not fit in {memory} of memory", "ask for fewer columns, or for rows --where", memory=_MEMORY
            ) from None

    def _again(self, work: Callable[[], Done]) -> Done:
        """Do something, and again where a part was merged or became Parquet just now, or little memory was not enough."""
        for _ in range(2):
            try:
                return work()
            except duckdb.IOException:
                self._make_views()
            except duckdb.OutOfMemoryException:
                if not self._frugal:
                    raise
                self._connection.execute(f"SET memory_limit = '{_MEMORY}'")
                self._frugal = False
        return work()

    def write(
        self, table: str, path: Path, kind: str, question: Question | None = None, about: Mapping[str, str] | None = None
    ) -> int:
        """Write a table, or the answer to a question, as `parquet`, `csv` or `tsv`, streamed and renamed into place.

        `about` goes into the key-value metadata of Parquet, which alone has room for it. Returns the number of rows.
        """
        return self._write(self._asked(table, question or Question()), path, kind, table, about or {})

    def compile(self, table: str) -> None:
        """Keep a table of a finished run as the run alone has it, without verdicts and what other runs say."""
        asked = self._asked(table, Question(), joined=False)
        folder = self._folder_of(table)
        if folder is None or not columns_file(table, folder).exists():
            self._write(asked, self._parquet(table), "parquet", table, {})
            return
        with drafted(self._parquet(table)) as draft:
            columns_file(table, folder).replace(draft)
        self._compiled.add(table)
        self._view(table, self._source(table))

    def _write(self, asked: Asked, path: Path, kind: str, table: str, about: Mapping[str, str]) -> int:
        _, query, values = asked
        options = _COPIED[kind]
        if kind == "parquet":
            options += _SMALL_GROUPS if table in _UNSORTED else ""
            pairs = ", ".join(f"{name}: {literal(text)}" for name, text in about.items())
            options += f", KV_METADATA {{{pairs}}}" if pairs else ""
        with drafted(path) as draft, self._in_any_order(table in _UNSORTED):
            remove(draft)
            with as_disk_errors():
                row = self._execute(f"COPY ({query}) TO {literal(str(draft))} ({options})", values).fetchone()
        return int(row[0]) if row else 0

    @contextmanager
    def _in_any_order(self, allowed: bool) -> Iterator[None]:
        """Rows that come in the order of their files wait in memory for each other; long ones need not."""
        if allowed:
            self._connection.execute("SET preserve_insertion_order = false")
        try:
            yield
        finally:
            self._connection.execute("RESET preserve_insertion_order")

    def documents(self, column: Literal["signature", "text"]) -> Iterator[tuple[str, str, str]]:
        """(document, url, its signature or text) of every document, for finding copies; short addresses come first."""
        joined = "texts t JOIN all_pages p USING (document)"
        query = f"SELECT t.document, p.url, t.{column} FROM {joined} ORDER BY length(p.url), p.url"  # noqa: S608 - all of it is ours
        yield from self.stream(query)

    def dump(self, sql: str, path: Path) -> None:
        """Write the rows of a question of the hall's own as JSON lines."""
        with disk_errors(path), as_disk_errors():
            self._execute(f"COPY ({sql}) TO {literal(str(path))} (FORMAT json)")

    def refresh(self) -> None:
        """See what was compiled meanwhile."""
        self._make_views()

    def _make_views(self) -> None:
        neologisms.make_empty(self._connection)
        self._compiled = {table for table in [*TABLES, *SHOWN] if table not in self._anew and self._parquet(table).exists()}
        for table in [*TABLES, *LINKED]:
            self._view("all_pages" if table == "pages" else table, self._source(table))
        for table in COMPUTED:
            self._view_made(table)
        kinds = dict.fromkeys(CopyRow.__struct_fields__, "VARCHAR") | {"similarity": "DOUBLE"}
        self._view("copies", self._json("copies.jsonl", kinds))
        self._view("frequent", self._json("frequent.jsonl", {"word": "VARCHAR"}))
        # Others that follow from these wait until they are asked for: to say what they are made of takes DuckDB milliseconds.
        for table in self._compiled & DERIVED.keys() | {"pages"}:
            self._view_derived(table)

    def _view(self, name: str, sql: str) -> None:
        if self._views.get(name) != sql:
            self._connection.execute(f"CREATE OR REPLACE VIEW {quoted(name)} AS {sql}")
            self._views[name] = sql

    def _source(self, table: str) -> str:
        if table in self._compiled:
            return from_parquet(self._parquet(table))
        if table in LINKED:
            return self._linked.get(table) or from_json_lines([], columns(table))
        if table in COMPUTED:
            return made_rows(table, self._folder_of(table))
        files = [str(part / f"{table}.jsonl") for part in finished_parts(self._run.parts) if (part / f"{table}.jsonl").exists()]
        return from_json_lines(files, columns(table), _LONGEST_ROW.get(table, 1 << 20))

    def _make(self, table: str) -> None:
        """Have a table made of the tokens, links or words that are there, once as long as this is open."""
        if table in self._compiled:
            return
        if table in DERIVED:
            self._again(lambda: self._view_derived(table))
        if table == "neologisms" and not self._referred:
            self._referred = True
            neologisms.take_reference(self._connection)
        if table in LINKED and table not in self._linked:
            from trasmallo.results.links import make

            self._linked[table] = make(self, self._run, table)
            self._view(table, self._source(table))
        table = MADE_OF.get(table, table)
        if table in COMPUTED and table not in self._made:
            self._compute(table)

    def _compute(self, table: str) -> None:
        from trasmallo.results.builders.writing import make

        source, scratch = self._tokens or self._open_tokens(), self._run.folder / "spill"
        with disk_errors(scratch):
            scratch.mkdir(exist_ok=True)
            folder = tempfile.TemporaryDirectory(dir=scratch)
            try:
                make(table, source, Path(folder.name))
            except BaseException:
                folder.cleanup()
                raise
        self._made[table] = folder
        self._view_made(table)

    def _open_tokens(self) -> Source:
        from trasmallo.results.builders.counts import Source
        from trasmallo.results.run_corpus import open_corpus

        said = "SELECT document, language FROM all_pages"
        study = resolve_lists(self._study, self._run.folder.parents[1])
        return Source(open_corpus(self._run), study, lambda: dict(self.select(said)), self._run.folder / "spill")

    @contextmanager
    def sharing_tokens(self) -> Iterator[None]:
        """Let all tables that are made meanwhile be made of the tokens as they are now, read once."""
        self._tokens = self._open_tokens()
        try:
            yield
        finally:
            self._tokens = None

    def _view_derived(self, table: str) -> None:
        self._view(table, from_parquet(self._parquet(table)) if table in self._compiled else DERIVED[table])

    def _view_made(self, table: str) -> None:
        self._view(table, self._source(table))
        for name, sql in made_numbers(table, self._folder_of(table)):
            self._view(name, sql)

    def _view_of(self, table: str, *, joined: bool = True) -> str:
        """The view behind a table that was asked for; verdicts are read again when their file has changed."""
        self._make(table)
        if table not in neologisms.JUDGED or not joined:
            return table
        view, stamp = f"judged_{table}", verdicts.stamp(self._run.folder.parents[1])
        if stamp != self._judged.get("verdicts"):
            neologisms.take_verdicts(self._connection, self._run)
            self._judged["verdicts"] = stamp
        if view not in self._judged:
            self._view(view, neologisms.judged(table, self._run))
            self._judged[view] = stamp
        return view

    def _folder_of(self, table: str) -> Path | None:
        return Path(self._made[table].name) if table in self._made else None

    def _json(self, name: str, kinds: dict[str, str]) -> str:
        path = self._run.folder / name
        return from_json_lines([str(path)] if path.exists() else [], kinds)

    def _columns(self, table: str) -> tuple[str, ...]:
        return tuple(row[0] for row in self._execute(f"DESCRIBE {quoted(table)}").fetchall())

    def _parquet(self, table: str) -> Path:
        return self._run.folder / f"{table}.parquet"


def compile_tables(run: Run, study: StudyConfig | None = None) -> None:
    """Turn the parts of a finished run into Parquet files, one a table, readable by anybody.

    Those of the tokens come first: what they need in memory is let go before DuckDB needs some. Tables that follow from others
    come last and are made of their Parquet, which is read several times as fast as the parts.
    """
    with Tables(run, study, frugal=True) as tables:
        with tables.sharing_tokens():
            for table in COMPUTED:
                tables.compile(table)
        own = [table for table in SHOWN if table == "pages" or table not in (*DERIVED, *COMPUTED)]
        for tables_together in (own, [table for table in SHOWN if table not in (*own, *COMPUTED)]):
            tables.refresh()
            for table in tables_together:
                tables.compile(table)


@contextmanager
def as_disk_errors() -> Iterator[None]:
    """What the disk refuses DuckDB, as Python would tell it; its message ends with the system's words."""
    try:
        yield
    except duckdb.IOException as error:
        refusals = (code for code in errno.errorcode if os.strerror(code) in str(error))
        raise OSError(next(refusals, errno.EIO), str(error).splitlines()[0]) from error


def _conditions(where: Sequence[str], known: Sequence[str]) -> tuple[str, list[str]]:
    pieces, values = [], []
    for text in where:
        found = _CONDITION.fullmatch(text)
        if not found:
            raise UsageError("{text!r} is no condition", "write it as column=value, column>number or column~part", text=text)
        name, operator, value = found.groups()
        _check(name, known, "there is no column {name!r}")
        values.append(value)
        column = quoted(name)
        pieces.append(
            f"contains(lower({column}::VARCHAR), lower(?))" if operator == "~" else f"{column} {_OPERATORS[operator]} ?"
        )
    return (" WHERE " + " AND ".join(pieces) if pieces else ""), values


def _named(where: Sequence[str]) -> set[str]:
    """The columns that conditions speak of."""
    return {found[1] for text in where if (found := _CONDITION.fullmatch(text))}


def _order(table: str, question: Question, known: Sequence[str]) -> str:
    if not question.sort:
        return "" if table in _UNSORTED and not question.limit else f" ORDER BY {ORDER[table]}"
    name = question.sort.removeprefix("-")
    _check(name, known, "there is no column {name!r}")
    return f" ORDER BY {quoted(name)} {'DESC' if question.sort.startswith('-') else 'ASC'}, {ORDER[table]}"


def _check(name: str, known: Sequence[str] | dict[str, str], problem: str) -> None:
    if name not in known:
        repair = "did you mean {meant!r}? There are {known}"
        raise UsageError(problem, repair, name=name, meant=nearest(name, known), known=", ".join(known))
