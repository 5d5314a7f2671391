"""Writer of tables: as Parquet, CSV or TSV, and the Parquet files of a finished run."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import nullcontext
from pathlib import Path

from trasmallo.results.database.connection import Connection, as_disk_errors
from trasmallo.results.database.planner import Plan, Planner, Question
from trasmallo.results.database.views import Views
from trasmallo.results.dates import ISO, TIMES
from trasmallo.results.sql import literal, quoted
from trasmallo.values.atomic_files import drafted, remove
from trasmallo.values.errors import disk_errors
from trasmallo.values.spreadsheet_cells import FORMULA, CellForm

_FORMATS = {
    "parquet": "FORMAT parquet, COMPRESSION zstd",
    "csv": "FORMAT csv, HEADER",
    "tsv": "FORMAT csv, HEADER, DELIMITER '\t'",
}
_SMALL_GROUPS = ", ROW_GROUP_SIZE_BYTES '32MB'"
"""A group of rows in Parquet is gathered in memory; the usual 122,880 texts do not fit into 200 MB."""


class TableWriter:
    """Streams tables into files, which are renamed into place."""

    def __init__(self, connection: Connection, views: Views, planner: Planner) -> None:
        self._connection = connection
        self._views = views
        self._planner = planner

    def write(self, plan: Plan, path: Path, kind: str, about: Mapping[str, str], form: CellForm) -> int:
        """Write an answer as `parquet`, `csv` or `tsv`; `about` is metadata, for which Parquet alone has room.

        `form` is how cells of the others are written. Returns the number of rows.
        """
        options, large = _FORMATS[kind], plan.table.large
        if kind == "parquet":
            options += _SMALL_GROUPS if large else ""
            pairs = ", ".join(f"{name}: {literal(text)}" for name, text in about.items())
            options += f", KV_METADATA {{{pairs}}}" if pairs else ""
        # Rows that come in the order of their files wait in memory for each other; long ones need not.
        in_any_order = self._connection.set_to(preserve_insertion_order="false") if large else nullcontext()
        with drafted(path) as draft, in_any_order:
            remove(draft)
            return self._copy(plan.sql if kind == "parquet" else self._cells(plan, form), draft, options, plan.values)

    def _cells(self, plan: Plan, form: CellForm) -> str:
        """The rows of a plan as cells; the byte order mark is the first letter of the header."""
        described = self._connection.select(f"DESCRIBE {plan.sql}", plan.values)
        marks = ["\ufeff" * form.bom] + [""] * len(described)
        listed = [
            f"{_cell(name, kind, form)} AS {quoted(mark + name)}"
            for mark, (name, kind, *_) in zip(marks, described, strict=False)
        ]
        return f"SELECT {', '.join(listed)} FROM ({plan.sql})"  # noqa: S608 - names are checked

    def compile(self, table: str) -> None:
        """Keep a table of a finished run as the run alone has it, without verdicts and what other runs say."""
        plan = self._planner.plan(table, Question(), joined=False)
        built, kept = self._views.built.file(table), self._views.parquet(table)
        if built is None:
            self.write(plan, kept, "parquet", {}, CellForm())
            return
        with drafted(kept) as draft:
            built.replace(draft)
        self._views.read_compiled(table)

    def copy(self, sql: str, path: Path) -> None:
        """Write the rows of SQL of the program's own as Parquet."""
        with disk_errors(path):
            self._copy(sql, path, _FORMATS["parquet"] + _SMALL_GROUPS, ())

    def dump(self, sql: str, path: Path) -> None:
        """Write the rows of SQL of the program's own as JSON lines."""
        with disk_errors(path):
            self._copy(sql, path, "FORMAT json", ())

    def _copy(self, sql: str, path: Path, options: str, values: list[str] | tuple[()]) -> int:
        with as_disk_errors():
            row = self._connection.execute(f"COPY ({sql}) TO {literal(str(path))} ({options})", values).fetchone()
        return int(row[0]) if row else 0


def _cell(name: str, kind: str, form: CellForm) -> str:
    """A column as it is written: moments in ISO 8601; texts that spreadsheets take for formulas get an apostrophe."""
    column = quoted(name)
    if name in TIMES and kind == "DOUBLE":
        moment = f"make_timestamp(CAST(floor({column}) * 1000000 AS BIGINT))"
        return f"CASE WHEN {column} > 0 THEN strftime({moment}, {literal(ISO)}) ELSE '' END"
    if form.raw or kind != "VARCHAR":
        return column
    apostrophe = literal("'")
    return f"CASE WHEN regexp_matches({column}, {literal(FORMULA)}) THEN {apostrophe} || {column} ELSE {column} END"
