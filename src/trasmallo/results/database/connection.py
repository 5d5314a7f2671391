"""Connection to DuckDB with bounded memory: it tries again where files moved, and says what went wrong in our words.

Memory is capped at 800 MB, at 200 while the tables of a run are made; what does not fit is spilled into the run's folder.
"""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import duckdb

from trasmallo.results.sql import quoted
from trasmallo.values.arrays import Array
from trasmallo.values.errors import REBUILD, StoreDamaged, StoreError, UsageError, disk_error

_MEMORY, _LITTLE_MEMORY = "800MB", "200MB"
"""Judgement: what a machine of 8 GB spares for answers, and what it spares beside the workers of a run."""

_AGAIN = 5
"""Times that something is done again: files move now and then, and memory is raised once. Judgement."""

_ROWS_AT_ONCE = 1_000
"""Rows that are fetched together. Judgement: some 100 kB."""

_OURS = (duckdb.ParserException, duckdb.BinderException, duckdb.CatalogException, duckdb.OutOfMemoryException)
"""What a file cannot be the cause of; all other errors of DuckDB say that it cannot read one."""

_MOVED = ("No files found", "No such file")
"""What DuckDB says of a file that is no longer there."""

_REFUSALS = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS)
"""Why the disk takes nothing."""

_NAMED = re.compile(r'file \\?"([^"\\]+)')
"""The file that an error of DuckDB names."""

_LONGEST_PROBLEM = 200  # judgement: characters of what DuckDB says
Done = TypeVar("Done")
Record = tuple[Any, ...]
Values = Sequence[object] | Mapping[str, object]
"""What stands for the parameters of SQL, by place or by name."""
"""A row as DuckDB gives it."""


class Connection:
    """Runs SQL over the files of a run.

    `memory` is the most it may take. `frugal`, for who makes whole tables: one thread in `little_memory`, where two may wait
    for ever (DuckDB 2.0).
    `on_moved_files` is called when a file of a view is no longer there, before the same is tried again; `verify` with all SQL
    before it is run, so that no damaged file is read.
    """

    def __init__(
        self,
        spill: Path,
        on_moved_files: Callable[[], None],
        *,
        verify: Callable[[str], None] = lambda _sql: None,
        frugal: bool = False,
        memory: str = _MEMORY,
        little_memory: str = _LITTLE_MEMORY,
    ) -> None:
        limit, threads = (little_memory, 1) if frugal else (memory, 2)
        self._connection = duckdb.connect(config={"memory_limit": limit, "threads": threads, "temp_directory": str(spill)})
        self._threads = threads
        self._memory = memory
        self._on_moved_files = on_moved_files
        self._verify = verify
        self._frugal = frugal

    def close(self) -> None:
        """Let go of memory and files."""
        self._connection.close()

    def execute(self, sql: str, values: Sequence[object] = ()) -> duckdb.DuckDBPyConnection:
        """The cursor of an answer; raises UsageError or StoreError in words of ours. Rows are read when they are fetched."""
        return self._asked(lambda: self._verified_cursor(sql, values))

    def _asked(self, ask: Callable[[], Done]) -> Done:
        try:
            return self.again(ask)
        except duckdb.ConversionException:
            raise UsageError("a condition compares a number with a text", "write it like words>100") from None
        except duckdb.OutOfMemoryException:
            raise StoreError(
                "the answer does not fit in {memory} of memory",
                "ask for fewer columns, or for rows --where",
                memory=self._memory,
            ) from None
        except duckdb.Error as error:
            raise _damaged(error) from error

    def _verified_cursor(self, sql: str, values: Values) -> duckdb.DuckDBPyConnection:
        self._verify(sql)
        return self._connection.cursor().execute(sql, values)

    def define(self, sql: str) -> None:
        """Run a statement once, as views and settings need it; a file that is not there is DuckDB's own error."""
        try:
            self._connection.execute(sql)
        except duckdb.Error as error:
            if isinstance(error, duckdb.IOException) and _has_moved(error):
                raise
            raise _damaged(error) from error

    def insert(self, table: str, columns: Sequence[Sequence[object]]) -> None:
        """Add rows to a table, given as columns."""
        if columns and columns[0]:
            listed = ", ".join("unnest(?)" for _ in columns)
            self._connection.execute(f"INSERT INTO {table} SELECT {listed}", list(columns))

    def again(self, work: Callable[[], Done]) -> Done:
        """Do something, and again where a part was merged or became Parquet just now, or little memory was not enough."""
        for _ in range(_AGAIN):
            try:
                return work()
            except duckdb.IOException as error:
                if not _has_moved(error):
                    raise _damaged(error) from error
                self._on_moved_files()
            except duckdb.OutOfMemoryException:
                if not self._frugal:
                    raise
                self.define(f"SET memory_limit = '{self._memory}'")
                self._frugal = False
        return work()

    def select(self, sql: str, values: Values = ()) -> list[Record]:
        """The rows of SQL of the program's own; what users type only comes as values, by place or by name."""
        return self._asked(lambda: self._verified_cursor(sql, values).fetchall())

    def stream(self, sql: str, values: Sequence[object] = (), at_once: int = _ROWS_AT_ONCE) -> Iterator[Record]:
        """Rows like those of `select`, so many in memory at once."""
        cursor = self.execute(sql, values)
        while rows := cursor.fetchmany(at_once):
            yield from rows

    def arrays(self, sql: str, values: Sequence[object] = ()) -> dict[str, Array]:
        """The columns of SQL of the program's own, for arithmetic."""
        found: dict[str, Array] = self._asked(lambda: self._verified_cursor(sql, values).fetchnumpy())
        return found

    def keep(self, name: str, columns: Mapping[str, Array]) -> None:
        """A table of arrays under a name that no other table has, as long as this is open."""
        cursor = self._connection.cursor()
        cursor.register("given", columns)
        cursor.execute(f"CREATE OR REPLACE TABLE {quoted(name)} AS SELECT * FROM given")  # noqa: S608 - the name is ours

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Have one thread work as long as the block lasts: sums of fractions are the same to the last bit then."""
        self.define("SET threads = 1")
        try:
            yield
        finally:
            self.define(f"SET threads = {self._threads}")

    @contextmanager
    def set_to(self, **settings: str) -> Iterator[None]:
        """Have settings of DuckDB so as long as the block lasts."""
        for name, value in settings.items():
            self.define(f"SET {name} = '{value}'")
        try:
            yield
        finally:
            for name in settings:
                self.define(f"RESET {name}")


def _refusal(error: duckdb.Error) -> int:
    """Which error of the system is behind one of DuckDB, which tells of it in the words of the system; 0 for none."""
    return next((code for code in errno.errorcode if os.strerror(code) in str(error)), 0)


def _has_moved(error: duckdb.Error) -> bool:
    return any(words in str(error) for words in _MOVED)


def _damaged(error: duckdb.Error) -> Exception:
    """What DuckDB cannot read: a file of an earlier version that has no digest, or one that is cut; or cannot write."""
    if isinstance(error, _OURS):
        return error
    if (refused := _refusal(error)) in _REFUSALS:
        named = _NAMED.search(str(error))
        return disk_error(OSError(refused, os.strerror(refused)), Path(named[1] if named else "."))
    problem = " ".join(str(error).split())[:_LONGEST_PROBLEM]
    return StoreDamaged("a result file cannot be read ({problem})", REBUILD, problem=problem)


JOINS_AS_WRITTEN = {"disabled_optimizers": "join_order,build_side_probe_side"}
"""Settings with which what comes first in a join streams through it, and DuckDB holds only the others in memory."""


@contextmanager
def as_disk_errors() -> Iterator[None]:
    """What the disk refuses DuckDB, as Python would tell it; its message ends with the system's words."""
    try:
        yield
    except duckdb.IOException as error:
        raise OSError(_refusal(error) or errno.EIO, str(error).splitlines()[0]) from error
