"""Columns arrive as they were packed, with None where it may stand."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from support.shared_tables import with_tables
from trasmallo.crawl.shared.database import Database
from trasmallo.crawl.shared.packed_columns import packed


@pytest.mark.parametrize(
    ("name", "kind", "values"),
    [
        ("hosts", "bigint", [0, -1, 2**63 - 1, -(2**63)]),
        ("depths", "int", [0, -5, 2**31 - 1]),
        ("rest", "float8", [0.0, -1.5, 1e300]),
        ("last", "text", ["", None, 'á "quoted", {braced} \\ NULL']),
        ("state", "bytea", [b"", None, b"\x00\xff"]),
        ("urls", "text", []),
    ],
)
def test_a_column_arrives_as_it_was(database: str, name: str, kind: str, values: list[Any]) -> None:
    async def work(opened: Database) -> Any:
        async def ask(connection: Any) -> Any:
            statement = f"select array_agg(v order by n) from unnest(%({name})s::{kind}[]) with ordinality t(v, n)"
            return (await (await connection.execute(statement, packed({name: values}))).fetchone())[0]

        return await opened.run(ask)

    assert (asyncio.run(with_tables(database, work)) or []) == values


def test_what_is_no_list_stays_as_it_is() -> None:
    assert packed({"seconds": 2.0, "worker": 7}) == {"seconds": 2.0, "worker": 7}
