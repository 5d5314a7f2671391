"""Tables as CSV, TSV and JSON lines, with `OUT.meta.json` beside each, and as Parquet, which says the same in its metadata."""

from __future__ import annotations

from pathlib import Path

import msgspec

from trasmallo.results.dates import with_dates
from trasmallo.results.exports.header import PAGES, ExportRequest, Header, counted, write_beside
from trasmallo.results.exports.source import ExportSource
from trasmallo.values.atomic_files import drafted
from trasmallo.values.spreadsheet_cells import REMARK, CellForm


def write_csv(source: ExportSource, path: Path, wanted: ExportRequest) -> int:
    """A table as comma-separated values (RFC 4180) with the names of its columns in the first line."""
    return _write_copied(source, path, wanted, "csv")


def write_tsv(source: ExportSource, path: Path, wanted: ExportRequest) -> int:
    """A table as tab-separated values; a value with a tab, a quote or a line break stands in quotes, as in CSV."""
    return _write_copied(source, path, wanted, "tsv")


def write_parquet(source: ExportSource, path: Path, wanted: ExportRequest) -> int:
    """A table as Parquet, compressed with zstd."""
    wanted.without_cells("Parquet")
    return _write_copied(source, path, wanted, "parquet")


def write_jsonl(source: ExportSource, path: Path, wanted: ExportRequest) -> int:
    """A table as a JSON object a line."""
    wanted.without_cells("JSON")
    encode = msgspec.json.Encoder().encode
    header, number = Header.of(source, wanted), 0
    with source.tables() as tables, drafted(path) as draft:
        answer = tables.ask(wanted.table or PAGES, wanted.question)
        total = tables.number(wanted.table or PAGES, wanted.where)
        with draft.open("wb") as file:
            for row in with_dates(answer.columns, counted(answer, total, source.emit)):
                file.write(encode(dict(zip(answer.columns, row, strict=True))) + b"\n")
                number += 1
    write_beside(path, header, "jsonl", number)
    return number


def _write_copied(source: ExportSource, path: Path, wanted: ExportRequest, kind: str) -> int:
    header = Header.of(source, wanted)
    form = CellForm(tabs=kind == "tsv", raw=wanted.raw, bom=wanted.bom)
    with source.tables() as tables:
        number: int = tables.write(wanted.table or PAGES, path, kind, wanted.question, header.pairs, form)
    if kind != "parquet":
        write_beside(path, header, kind, number, "" if wanted.raw else REMARK)
    return number
