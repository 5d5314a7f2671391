"""What is wanted of an export, and what the export says of itself."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

import msgspec

from trasmallo.events import Emit, Exporting
from trasmallo.results.database.planner import Question
from trasmallo.results.exports.source import ExportSource
from trasmallo.values.atomic_files import drafted
from trasmallo.values.errors import UsageError
from trasmallo.values.software import SOFTWARE
from trasmallo.values.spreadsheet_cells import CellForm

PAGES = "pages"
_TOLD_EVERY = 256  # judgement: rows between two reports, which cost little then

Item = TypeVar("Item")


class ExportRequest(msgspec.Struct, frozen=True):
    """What to write: a table ("" where the format chooses), conditions, columns and an order as in `tables.Question`.

    `raw` and `bom` say how cells of CSV and TSV are written; see `spreadsheet_cells`.
    """

    table: str = ""
    where: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    sort: str = ""
    raw: bool = False
    bom: bool = False

    @property
    def question(self) -> Question:
        """The same as a question to a table."""
        return Question(where=self.where, sort=self.sort, columns=self.columns)

    @property
    def options(self) -> str:
        """As it is typed on the command line, "" when everything is wanted."""
        words = ["--table", self.table] if self.table else []
        words += [word for condition in self.where for word in ("--where", condition)]
        words += ["--columns", ",".join(self.columns)] if self.columns else []
        words += ["--sort", self.sort] if self.sort else []
        words += CellForm(raw=self.raw, bom=self.bom).options
        return shlex.join(words)

    def only_conditions(self, kind: str) -> None:
        """Refuse what a format of whole documents has no use for."""
        if self.table or self.columns or self.sort:
            raise UsageError(
                "{kind} holds whole documents", "leave out --table, --columns and --sort; --where may stay", kind=kind
            )
        self.without_cells(kind)

    def without_cells(self, kind: str) -> None:
        """Refuse what only CSV and TSV have a use for."""
        if self.raw or self.bom:
            raise UsageError("{kind} is not made for spreadsheets", "leave out --raw and --bom", kind=kind)


class Header(msgspec.Struct, frozen=True):
    """Where an export comes from: the corpus and its run, what was asked for, the program, the time (ISO 8601, UTC)."""

    corpus: str
    run: str
    query: str
    software: str
    date: str

    @classmethod
    def of(cls, source: ExportSource, wanted: ExportRequest) -> Header:
        """The header of an export that is made now."""
        date = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        return cls(source.name, source.run.name, wanted.options, SOFTWARE, date)

    @property
    def pairs(self) -> dict[str, str]:
        """Names and values, in order."""
        return {name: getattr(self, name) for name in self.__struct_fields__}


def counted(rows: Iterable[Item], total: int, emit: Emit) -> Iterator[Item]:
    """The same rows, while it is told how many were taken."""
    for done, row in enumerate(rows):
        if not done % _TOLD_EVERY:
            emit(Exporting(done=done, total=total))
        yield row
    emit(Exporting(done=total, total=total))


def write_beside(path: Path, header: Header, kind: str, rows: int, cells: str = "") -> None:
    """Write `OUT.meta.json`, for formats in which a comment would be taken for a row; `cells` says what was done to them."""
    told = header.pairs | {"format": kind, "rows": rows} | ({"cells": cells} if cells else {})
    with drafted(path.with_name(path.name + ".meta.json")) as draft:
        draft.write_bytes(msgspec.json.format(msgspec.json.encode(told)) + b"\n")
