"""How the files are read that tables of the tokens are made as.

Tables with many rows are Parquet in their usual order, the others JSON lines. Tables that others are made of are kept in
numbers, too: `NAME_numbers` has a number instead of each text, `NAME_COLUMN` the text of each number of a column.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from trasmallo.results.registry import FromTokens, Table
from trasmallo.results.sql import from_json_lines, from_parquet, no_rows

_TEXTS = {"number": "INTEGER", "text": "VARCHAR"}


def columns_file(table: str, folder: Path) -> Path:
    """Where a table is that was made as columns."""
    return folder / f"{table}.parquet"


def rows_file(table: str, folder: Path) -> Path:
    """Where a table is that was made as rows, in any order."""
    return folder / f"{table}.jsonl"


def built_rows(table: Table, folder: Path | None) -> str:
    """A table that was made in a folder; it has no rows without one."""
    if folder is None:
        return no_rows(table.types)
    file = columns_file(table.name, folder)
    return from_parquet(file) if file.exists() else from_json_lines([str(rows_file(table.name, folder))], table.types)


def built_numbers(table: Table, folder: Path | None) -> Iterator[tuple[str, str]]:
    """Names and SQL of what a table is in numbers; it has no rows without a folder."""
    texts = numbered(table)
    if not texts:
        return
    numbers = {name: "INTEGER" if kind == "VARCHAR" else kind for name, kind in table.types.items()}
    for name, kinds in {"numbers": numbers, **dict.fromkeys(texts, _TEXTS)}.items():
        view = f"{table.name}_{name}"
        yield view, no_rows(kinds) if folder is None else from_parquet(columns_file(view, folder))


def numbered(table: Table) -> tuple[str, ...]:
    """The columns of texts of a table that is kept in numbers, too; none for others."""
    return table.made.numbered if isinstance(table.made, FromTokens) else ()
