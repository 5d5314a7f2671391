"""Tables of rows that are told when somebody asks, from the catalog or the archive, and not from files of a run."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from trasmallo.results.database.connection import Connection
from trasmallo.results.registry import sql_types
from trasmallo.results.sql import quoted


def table_of(connection: Connection, name: str, kind: type[msgspec.Struct], rows: Sequence[msgspec.Struct]) -> str:
    """Have rows of a kind as a table under a name of ours, in the place of what it was; returns the SQL that reads it."""
    types = sql_types(kind)
    listed = ", ".join(f"{quoted(column)} {its}" for column, its in types.items())
    connection.execute(f"CREATE OR REPLACE TABLE {name} ({listed})")
    if rows:
        connection.insert(name, [[getattr(row, column) for row in rows] for column in types])
    return f"SELECT * FROM {name}"  # noqa: S608 - the name is ours
