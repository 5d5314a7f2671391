"""Answer of `Project.table`: rows as dictionaries, and the same for the libraries that users compute with."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from trasmallo.values.errors import UsageError

if TYPE_CHECKING:
    import pandas
    import pyarrow

Cell = str | int | float | bool | None
Row = dict[str, Cell]


_SHOWN = 50
"""Rows that a notebook shows of a table. Judgement: a screen or two."""


class TableRows(list[Row]):
    """Rows of a result table, each a dictionary; `columns` are its names, also when there are no rows."""

    def __init__(self, columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> None:
        self.columns = tuple(columns)
        super().__init__(dict(zip(self.columns, row, strict=True)) for row in rows)

    def _repr_html_(self) -> str:
        """The first rows as a notebook shows them; texts come from strangers, and none of it is markup."""
        head = "".join(f"<th>{html.escape(name)}</th>" for name in self.columns)
        body = "".join(f"<tr>{''.join(map(_cell, row.values()))}</tr>" for row in self[:_SHOWN])
        told = f"<p>{min(len(self), _SHOWN):,} of {len(self):,} rows</p>"
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{told}"

    def arrow(self) -> pyarrow.Table:
        """The rows as a table of Arrow; raises UsageError where pyarrow is not installed."""
        try:
            import pyarrow
        except ImportError:
            raise UsageError("pyarrow is not installed", "install it with: pip install pyarrow") from None
        return pyarrow.table({name: [row[name] for row in self] for name in self.columns})

    def df(self) -> pandas.DataFrame:
        """The rows as a data frame of pandas; raises UsageError where pandas is not installed."""
        try:
            import pandas
        except ImportError:
            raise UsageError("pandas is not installed", "install it with: pip install pandas") from None
        return pandas.DataFrame(list(self), columns=list(self.columns))


def _cell(value: Cell) -> str:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return f'<td style="text-align: right">{value:,}</td>' if isinstance(value, int) else f"<td>{value:,.4g}</td>"
    return f"<td>{html.escape('' if value is None else str(value))}</td>"
