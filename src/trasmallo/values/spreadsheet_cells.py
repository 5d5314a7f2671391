"""Cells of CSV and TSV that spreadsheets would take for formulas, and the apostrophe that keeps them texts.

What strangers wrote may begin with `=`, `+`, `-`, `@`, a tab or a carriage return; spreadsheets then compute it, which can send
the sheet's content away (OWASP, "CSV Injection"). An apostrophe in front is the known way to say that it is a text. A text that
has such apostrophes already gets one more, so that `restored` gives back what there was. Numbers are no texts and stay.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence

import msgspec

FORMULA = r"^'*[=+\-@\t\r]"
"""What such a text is like, as an expression that Python and DuckDB read alike."""

REMARK = "cells that begin with = + - @, a tab or a carriage return have an apostrophe in front; --raw leaves them as they are"

_is_formula = re.compile(FORMULA).match


class CellForm(msgspec.Struct, frozen=True):
    """How rows are written: with `tabs` instead of commas, `raw` without apostrophes, behind a byte order mark (`bom`)."""

    tabs: bool = False
    raw: bool = False
    bom: bool = False

    @property
    def options(self) -> tuple[str, ...]:
        """What is typed for it on the command line, besides the format."""
        return ("--raw",) * self.raw + ("--bom",) * self.bom


def neutral(text: str) -> str:
    """A text that no spreadsheet takes for a formula."""
    return f"'{text}" if _is_formula(text) else text


def restored(text: str) -> str:
    """What a text was before `neutral`."""
    return text[1:] if text.startswith("'") and _is_formula(text) else text


class SeparatedLines:
    """Rows as comma- or tab-separated lines with a header; iterate once. `changed` counts the cells with an apostrophe more."""

    def __init__(self, columns: Sequence[str], rows: Iterable[Sequence[object]], form: CellForm) -> None:
        self.changed = 0
        self._columns = columns
        self._rows = rows
        self._form = form

    def __iter__(self) -> Iterator[str]:
        text = io.StringIO()
        # With this end of lines a carriage return within a cell is quoted, too; what is written ends in a line feed alone.
        writer = csv.writer(text, dialect="excel-tab" if self._form.tabs else "excel", lineterminator="\r\n")
        writer.writerow(self._columns)
        yield "\ufeff" * self._form.bom + text.getvalue()[:-2] + "\n"
        for row in self._rows:
            text.seek(0)
            text.truncate()
            writer.writerow(row if self._form.raw else self._safe(row))
            yield text.getvalue()[:-2] + "\n"

    def _safe(self, row: Sequence[object]) -> list[object]:
        cells = [neutral(value) if isinstance(value, str) else value for value in row]
        self.changed += sum(cell is not value for cell, value in zip(cells, row, strict=True))
        return cells
