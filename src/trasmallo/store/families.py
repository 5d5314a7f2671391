"""Families of columns beside the catalog's rows: what later stages know about a URL, added without rewriting anything."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from trasmallo.store.catalog_rows import text_key, time_key
from trasmallo.store.key_value_tables import KeyValueTables

TABLE_PREFIX = "family:"
_TIME_BYTES = 8  # a time in a key: microseconds as 64 bits


class Family:
    """Named columns of rows by URL, each with dated values: `anchors` has a column for each page that links to the row's URL.

    A value put without a time is older than all dated ones and is replaced by the next without a time.
    """

    def __init__(self, tables: KeyValueTables, name: str) -> None:
        self._tables = tables
        self._table = TABLE_PREFIX + name

    def put(self, url: str, column: str, value: bytes, at: float | None = None) -> None:
        """Write one value."""
        self.put_many(((url, column, value),), at)

    def put_many(self, cells: Iterable[tuple[str, str, bytes]], at: float | None = None) -> None:
        """Write many values (URL, column, value), all or none."""
        batch, handle, time = self._tables.batch(), self._tables.handle(self._table), _time_key(at)
        for url, column, value in cells:
            batch.put(text_key(url) + text_key(column) + time, value, handle)
        self._tables.write(batch)

    def put_dated(self, cells: Iterable[tuple[str, str, bytes, float]]) -> None:
        """Write many values (URL, column, value, its time), all or none."""
        batch, handle = self._tables.batch(), self._tables.handle(self._table)
        for url, column, value, at in cells:
            batch.put(text_key(url) + text_key(column) + time_key(at), value, handle)
        self._tables.write(batch)

    def get(self, url: str, column: str, at: float | None = None) -> bytes | None:
        """The newest value, or the one that was the newest at a time; None without one."""
        prefix = text_key(url) + text_key(column)
        start = prefix if at is None else prefix + time_key(at)
        entry = self._tables.first(self._table, start, prefix)
        return entry[1] if entry else None

    def row(self, url: str) -> dict[str, bytes]:
        """The newest value of each column of a URL, in the order of the columns."""
        return next((columns for _, columns in self._rows(text_key(url))), {})

    def scan(self, prefix: str = "") -> Iterator[tuple[str, dict[str, bytes]]]:
        """The URLs that begin with a prefix, in the order of their bytes, each with the newest value of each column."""
        return self._rows(prefix.encode())

    def _rows(self, prefix: bytes) -> Iterator[tuple[str, dict[str, bytes]]]:
        current, columns = b"", dict[str, bytes]()
        for key, value in self._tables.scan(self._table, prefix):
            url, _, column = key[: -_TIME_BYTES - 1].partition(b"\0")
            if url != current:
                if columns:
                    yield current.decode(), columns
                current, columns = url, {}
            columns.setdefault(column.decode(), value)
        if columns:
            yield current.decode(), columns


def _time_key(at: float | None) -> bytes:
    return time_key(float("-inf") if at is None else at)
