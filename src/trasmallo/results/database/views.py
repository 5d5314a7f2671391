"""Views of a run's tables in DuckDB: over its parts while it grows, over Parquet once it is finished."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path
from pkgutil import resolve_name

import duckdb

from trasmallo.config import StudyConfig
from trasmallo.results import registry
from trasmallo.results.builders.files import built_numbers, built_rows
from trasmallo.results.database import entity_names, neologisms
from trasmallo.results.database.built_tables import BuiltTables
from trasmallo.results.database.connection import Connection
from trasmallo.results.database.deferred import is_lazy, kept_file, read_studied
from trasmallo.results.registry import FromFile, FromLinks, FromParts, FromTables, FromTokens, OnDemand, Table
from trasmallo.results.sql import from_json_lines, from_parquet, literal, no_rows, quoted, with_added
from trasmallo.store import digests
from trasmallo.store.carried import GONE
from trasmallo.store.layers import TableFiles, find_table, whole_file
from trasmallo.store.parts import finished_parts
from trasmallo.store.result_soundness import edition_of, require_results
from trasmallo.store.run_folders import Run
from trasmallo.study import verdicts
from trasmallo.values.atomic_files import drafted
from trasmallo.values.errors import StoreError
from trasmallo.values.model import Drop

_LONGEST, _LONGEST_OF_LARGE = 1 << 20, 16 << 20
"""Bytes of a JSON line. DuckDB reserves several times as much, so only tables with long texts get more than 1 MB."""


_TRIES = 5  # judgement: parts are merged every few seconds, and a run ends once

_DOCUMENT = {"document": "VARCHAR"}
_OUTDATED = "outdated_documents"
"""The view of documents that are carried and count no more."""

_JUDGED = "judged_"
"""What the names of views with verdicts begin with."""


_NAME = re.compile(r"\w+")
_TEXT = re.compile(r"'(?:[^']|'')*'")
_FILE = re.compile(r"'((?:[^']|'')+\.(?:parquet|jsonl))'")


class Views:
    """The views of a run: the name of each table can be used in SQL.

    `anew` are tables that are made of the tokens again, also when the run is finished; what is made lies in `scratch`.
    """

    def __init__(self, run: Run, study: StudyConfig, connection: Connection, scratch: Path, anew: tuple[str, ...] = ()) -> None:
        self.compiled: set[str] = set()
        self.refreshed = 0
        self.built = BuiltTables(run, study, scratch)
        self._study = study
        self._settings: StudyConfig | None = None
        self._run = run
        self._connection = connection
        self._anew = anew
        self._views: dict[str, str] = {}
        self._waiting: set[str] = set()
        self._made: dict[str, str] = {}
        self._columns: dict[str, tuple[str, ...]] = {}
        self._prepared: set[str] = set()
        self._needed: set[str] = set()
        self._given_up: set[str] = set()
        self._cached: dict[str, str] = {}
        self._verdicts: tuple[int, ...] | None = None
        self._decisions: tuple[int, ...] | None = None
        self._parts: list[Path] = []
        self._files: dict[str, TableFiles] = {}
        self.refresh()

    def refresh(self) -> None:
        """See what was compiled or merged meanwhile; `refreshed` counts how often."""
        for _ in range(_TRIES):
            with suppress(duckdb.IOException):  # a part was merged, or the run ended, between two looks
                before = edition_of(self._run)
                self._look()
                if edition_of(self._run) == before:
                    self._replace_given_up()
                    return
        raise StoreError("the parts of {name} change faster than they are read", "ask again in a moment", name=self._run.name)

    def _look(self) -> None:
        self.refreshed += 1
        self._columns.clear()
        self._cached.clear()
        neologisms.make_empty(self._connection)
        entity_names.make_empty(self._connection)
        everything = registry.all_tables()
        require_results(self._run)
        self._parts = finished_parts(self._run.shown_parts)
        for part in (*self._parts, self._run.carried):
            digests.require_listed(part)
        found = {name: find_table(self._run.folder, name) for name in everything if name not in self._anew}
        self._files = {name: files for name, files in found.items() if files}
        self._given_up |= self.compiled - self._files.keys()
        self.compiled = set(self._files)
        for name in self._given_up & registry.made_by(FromTables).keys():
            self._views.pop(name, None)
            self._waiting.discard(name)
        self._settings = read_studied(self._run) if self._run.reread().finished and not self._anew else None
        self.built.study = self._settings or self._study
        self.define(_OUTDATED, self._outdated())
        self.define("frequent", self._json("frequent.jsonl", {"word": "VARCHAR"}))
        for table in everything.values():
            if not isinstance(table.made, FromTables):
                self._define_source(table)
        # What follows from others waits until it is asked for: to say what it is made of takes DuckDB milliseconds.
        for name in self.compiled & registry.made_by(FromTables).keys():
            self.define(name, self._compiled_rows(name))
        for table in everything.values():
            if table.source != table.name:
                self._define_shown(table)

    def _replace_given_up(self) -> None:
        """Make those tables anew that somebody asked for and whose files went: whoever is asking now was told of the files."""
        given_up, self._given_up = self._given_up & self._needed - self.compiled, set()
        for name in sorted(given_up):
            self.prepare(name)

    def define(self, name: str, sql: str) -> None:
        """Have a view of this SQL when somebody asks for it: each takes DuckDB a millisecond, and there are many."""
        if self._views.get(name) != sql:
            self._views[name] = sql
            self._waiting.add(name)

    def prepare_sql(self, sql: str) -> None:
        """Have the views that some SQL names; StoreDamaged when a file that it reads through them is not what was written."""
        for path in self._files_of(sql):
            digests.verify(path)
        self._create(sql)

    def _create(self, sql: str, seen: set[str] | None = None) -> None:
        """Create the views that some SQL reads, itself or through others, and that wait, each after those it is made of."""
        seen = set() if seen is None else seen
        for name in self._views.keys() & set(_NAME.findall(_TEXT.sub("", sql))) - seen:
            seen.add(name)
            self._create(self._views[name], seen)
            if name in self._waiting:
                self._connection.define(f"CREATE OR REPLACE VIEW {quoted(name)} AS {self._views[name]}")
                self._waiting.discard(name)

    def _files_of(self, sql: str) -> set[Path]:
        """The files behind the views that are named in some SQL; a name that stands there for something else costs a look."""
        found: set[Path] = set()
        waiting, known = [sql], set[str]()
        while waiting:
            text = waiting.pop()
            found.update(Path(name.replace("''", "'")) for name in _FILE.findall(text))
            named = self._views.keys() & set(_NAME.findall(text)) - known
            known |= named
            waiting += (self._views[name] for name in named)
        return found

    def prepare(self, name: str) -> None:
        """Have a table made of the tokens, links or tables that are there, once as long as this is open."""
        table = registry.all_tables().get(name)
        self._needed.add(name)
        if table is None or name in self.compiled or name in self._cached:
            return
        if self._settings is not None and (table.deferred or self._leaves_to_who_asks(table)):
            self._take_deferred(table)
        else:
            self._build(table)

    def _leaves_to_who_asks(self, table: Table) -> bool:
        return isinstance(table.made, FromTokens | FromTables | FromLinks) and is_lazy(self._run)

    def _build(self, table: Table) -> None:
        name = table.name
        if isinstance(table.made, FromTables):
            self._derive(table, table.made)
        elif isinstance(table.made, FromLinks | OnDemand) and name not in self._made:
            self._make(table, table.made)
        elif isinstance(table.made, FromTokens) and self.built.folder(name) is None:
            self.built.build(table)
            self._define_source(table)

    def _take_deferred(self, table: Table) -> None:
        """Read a table from the cache of whoever asks, after making it where it is not there."""
        path = kept_file(self._run, table)
        if not path.exists():
            self._build(table)
            path = kept_file(self._run, table, make=True)
            # Where nothing can be written it is read from where it was built, which is as right.
            with suppress(OSError, StoreError), drafted(path, contested=True) as draft:
                self._keep(table, draft)
        if path.exists():
            self._files[table.name] = TableFiles(path)
            self.compiled.add(table.name)
            self.define(table.name, self._compiled_rows(table.name))

    def _keep(self, table: Table, path: Path) -> None:
        """Write a table in its usual order."""
        rows = f"SELECT * FROM {quoted(table.name)} ORDER BY {table.usual_order(self._run.language)}"  # noqa: S608 - ours
        with self._connection.alone():
            self._connection.execute(f"COPY ({rows}) TO {literal(str(path))} (FORMAT parquet, COMPRESSION zstd)")

    def _make(self, table: Table, made: FromLinks | OnDemand) -> None:
        for needed in made.needs if isinstance(made, OnDemand) else ():
            self.prepare(needed)
        self._made[table.name] = resolve_name(made.make)(self._connection, self._run)
        self._define_source(table)

    def asked(self, table: Table, *, joined: bool = True) -> str:
        """The view behind a table that was asked for, with verdicts joined; these are read again when their file changed."""
        self.prepare(table.name)
        if table.decided and joined:
            return self._decided(table)
        if not (table.judged and joined):
            return table.name
        stamp, view = verdicts.stamp(self._run.project), _JUDGED + table.name
        if stamp != self._verdicts:
            neologisms.take_verdicts(self._connection, self._run)
            self._verdicts = stamp
        if view not in self._views:
            self._take_dates(table.name)
            self.define(view, neologisms.judged(table.name, self._run))
        return view

    def _decided(self, table: Table) -> str:
        """The view of a table of entities as people want it; a file alone where they said nothing and it says all."""
        stamp, view = entity_names.stamp(self._run), _JUDGED + table.name
        if stamp != self._decisions:
            entity_names.take_decisions(self._connection, self._run)
            self._decisions = stamp
        if table.name == "entities" and not entity_names.has_decisions(self._connection):
            return table.name
        self.prepare("variants")
        self.define(view, entity_names.decided(table.name))
        return view

    def _take_dates(self, name: str) -> None:
        """Have what `neologisms` is joined with: when its words were seen."""
        if name == "neologisms":
            self.prepare("dates")
            neologisms.take_dates(self._connection)

    def columns(self, view: str) -> tuple[str, ...]:
        """The names of the columns of a view; those of files that no longer change are remembered."""
        if view not in self._columns or view.removeprefix(_JUDGED) not in self.compiled:
            self._columns[view] = tuple(row[0] for row in self._connection.select(f"DESCRIBE {quoted(view)}"))
        return self._columns[view]

    def parquet(self, name: str) -> Path:
        """Where a table of a finished run is that is written whole."""
        return whole_file(self._run.folder, name)

    def in_order(self, name: str) -> bool:
        """Whether the rows of a table come in its usual order, because its one file has it."""
        return name in self._files and not self._files[name].layered

    def size(self, name: str) -> int | None:
        """Bytes of the files that a table is read from or made of, as far as it was made; None where they are not known."""
        table = registry.all_tables()[name]
        if name in self.compiled:
            return sum(map(_size_of, self._files[name].all))
        match table.made:
            case FromParts():
                carried = find_table(self._run.carried, name)
                return sum(map(_size_of, (*self._part_files(table), *(carried.all if carried else ()))))
            case FromTokens():
                file = self.built.file(name)
                return file.stat().st_size if file else None
            case FromTables(needs=needs) if needs:
                sizes = [self.size(needed) for needed in needs]
                return None if None in sizes else sum(filter(None, sizes))
        return None

    def read_cached(self, name: str, rows: str) -> None:
        """Read a table from memory from now on, until the views are refreshed."""
        self._cached[name] = self._views[name]
        self.define(name, rows)

    def read_uncached(self, name: str) -> None:
        """Read a table again from where it was read before it was in memory, unless the views were refreshed meanwhile."""
        if name in self._cached:
            self.define(name, self._cached.pop(name))

    def read_compiled(self, name: str) -> None:
        """Read a table from its files from now on."""
        found = find_table(self._run.folder, name)
        assert found is not None, "it was compiled just now"
        self.compiled.add(name)
        self._files[name] = found
        self.define(name, self._compiled_rows(name))

    def _derive(self, table: Table, made: FromTables) -> None:
        for needed in made.needs:
            self._need(registry.all_tables()[needed], made.sql)
        self._connection.again(lambda: self.define(table.name, made.sql))
        if made.before and table.name not in self._prepared:
            self._prepared.add(table.name)
            resolve_name(made.before)(self._connection)

    def _need(self, table: Table, sql: str) -> None:
        """Have a table made that the SQL of another names, and in numbers where it names these: they are not kept in files."""
        by_number = isinstance(table.made, FromTokens) and f"{table.name}_numbers" in sql
        if by_number and self.built.folder(table.name) is None:
            self.built.build(table)
            self._define_source(table)
        self.prepare(table.name)

    def _define_source(self, table: Table) -> None:
        self.define(table.source, self._source(table))
        if isinstance(table.made, FromTokens):
            for name, sql in built_numbers(table, self.built.folder(table.name)):
                self.define(name, sql)

    def _define_shown(self, table: Table) -> None:
        assert isinstance(table.made, FromParts)
        self.define(table.name, self._compiled_rows(table.name) if table.name in self.compiled else table.made.shown)

    def _source(self, table: Table) -> str:
        rows = self._rows(table)
        incomplete = isinstance(table.made, FromParts | FromTokens) and table.name not in self.compiled
        return _with_added(table, rows) if incomplete else rows

    def _rows(self, table: Table) -> str:
        if table.name in self.compiled:
            return self._compiled_rows(table.name)
        match table.made:
            case FromFile(file=file):
                return self._json(file, table.types)
            case FromLinks() | OnDemand():
                return self._made.get(table.name) or from_json_lines([], table.types)
            case FromTokens():
                return built_rows(table, self.built.folder(table.name))
        own, carried = self._part_rows(table), find_table(self._run.carried, table.name)
        return f"({own}) UNION ALL BY NAME ({_carried_rows(table, carried)})" if carried else own

    def _part_rows(self, table: Table) -> str:
        listed = [str(path) for path in self._part_files(table)]
        return self._present(from_json_lines(listed, table.types, _LONGEST_OF_LARGE if table.large else _LONGEST))

    def own_rows(self, table: Table) -> str:
        """The rows that the run itself brought to a table of the parts, as SQL."""
        return _with_added(table, self._part_rows(table))

    def carried_rows(self, table: Table) -> str:
        """The rows of a table as the run before had them, as SQL; none when it is not carried."""
        found = find_table(self._run.carried, table.name)
        return _with_added(table, _layers(table, found)) if found else no_rows(table.types)

    def _present(self, rows: str) -> str:
        """Rows without those of pages that are gone; a page may have been read before that was known."""
        if not _size_of(self._run.folder / GONE):
            return rows
        return f"SELECT * FROM ({rows}) ANTI JOIN ({self._json(GONE, _DOCUMENT)}) USING (document)"  # noqa: S608 - ours

    def _outdated(self) -> str:
        """Documents of what the run carries that count no more (`store.carried`)."""
        pages = registry.all_tables()["pages"]
        own = from_json_lines([str(path) for path in self._part_files(pages)], pages.types)
        gone = self._json(GONE, _DOCUMENT)
        return f"SELECT document FROM ({own}) UNION SELECT document FROM ({gone})"  # noqa: S608 - all of it is ours

    def _part_files(self, table: Table) -> list[Path]:
        files = [part / f"{table.name}.jsonl" for part in self._parts]
        return [path for path in files if path.exists()]

    def _json(self, name: str, kinds: dict[str, str]) -> str:
        path = self._run.folder / name
        return from_json_lines([str(path)] if path.exists() else [], kinds)

    def _compiled_rows(self, name: str) -> str:
        table = registry.all_tables()[name]
        return _with_added(table, _layers(table, self._files[name]))


def _size_of(path: Path) -> int:
    """Bytes of a file, 0 when it is not there or no longer."""
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


def _layers(table: Table, files: TableFiles) -> str:
    """The rows of a table in its files."""
    if files.own is None:
        return from_parquet(files.base)
    assert table.layered, "others are written whole"
    keys = ", ".join(map(quoted, table.layered.keys))
    kept = f"SELECT * FROM ({from_parquet(files.base)}) ANTI JOIN ({from_parquet(files.superseded)}) USING ({keys})"  # noqa: S608
    return f"({kept}) UNION ALL BY NAME ({from_parquet(files.own)})"


def _carried_rows(table: Table, files: TableFiles) -> str:
    """The rows of a table that a run carries and that still count; which pages are copies is found out anew."""
    told = f"SELECT * FROM ({_layers(table, files)}) ANTI JOIN {_OUTDATED} USING (document)"  # noqa: S608 - all of it is ours
    if "drop" not in table.types:
        return told
    copy = literal(Drop.COPY)
    cleared = ", ".join(f"CASE WHEN drop = {copy} THEN '' ELSE {name} END AS {name}" for name in ("drop", "cause"))
    return f"SELECT * REPLACE ({cleared}) FROM ({told})"  # noqa: S608 - all of it is ours


def _with_added(table: Table, rows: str) -> str:
    """The rows of a table as files have them, with columns that earlier versions lack, and nothing where nobody told."""
    whole = with_added(rows, {name: table.types[name] for name in table.added}) if table.added else rows
    replaced = {name: f"nullif({quoted(name)}, 0)" for name in table.untold} | dict(table.computed)
    told = ", ".join(f"{sql} AS {quoted(name)}" for name, sql in replaced.items())
    return f"SELECT * REPLACE ({told}) FROM ({whole})" if told else whole  # noqa: S608 - the names are ours
