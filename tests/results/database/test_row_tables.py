"""Tables of rows that are told when somebody asks."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from support.runs import make_run
from trasmallo.results.database.row_tables import table_of
from trasmallo.results.database.tables import Tables


class Boat(msgspec.Struct):
    """A row."""

    name: str
    metres: float | None


@pytest.mark.parametrize("boats", [[], [Boat("Ana", 7.5), Boat("O'Hara", None)]])
def test_rows_are_read_back_and_replaced(tmp_path: Path, boats: list[Boat]) -> None:
    with Tables(make_run(tmp_path)) as tables:
        table_of(tables.connection, "boats", Boat, [Boat("Old", 1.0)])
        sql = table_of(tables.connection, "boats", Boat, boats)
        assert tables.select(f"{sql} ORDER BY name") == [(boat.name, boat.metres) for boat in boats]
