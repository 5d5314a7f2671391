"""Links between the documents of a run: who links to whom, what anchors say, and how documents rank by it.

Pages are told apart by a 64-bit hash of their address, so that no table of addresses is in Python's memory: DuckDB joins within
its 200 or 800 MB and spills, a page takes about 100 bytes and a link 40 beside it while ranks are made.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from trasmallo.results.links import anchors, farms, ranks

if TYPE_CHECKING:
    from trasmallo.results.tables import Tables
    from trasmallo.store.run_folders import Run

_MAKERS: dict[str, Callable[[Tables, Run], str]] = {"anchors": anchors.make, "ranks": ranks.make, "farms": farms.make}


def make(tables: Tables, run: Run, table: str) -> str:
    """Have a table of links made; the SQL that has its rows."""
    return _MAKERS[table](tables, run)
