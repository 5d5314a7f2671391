"""Results in formats that others read; each function is an entry point of `trasmallo.exporters`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from trasmallo.errors import disk_errors
from trasmallo.events import Warned
from trasmallo.model import Locator, Response
from trasmallo.project import runs
from trasmallo.project.project import SOFTWARE
from trasmallo.project.results.tables import Question
from trasmallo.store.archive import Archive, Reader
from trasmallo.store.catalog import Catalog
from trasmallo.store.warc import Record, first

if TYPE_CHECKING:
    from trasmallo.project.project import Project

_NOT_MODIFIED = 304


def write_csv(project: Project, path: Path, table: str) -> int:
    """A table as comma-separated values with a header."""
    return _write_table(project, path, table, "csv")


def write_parquet(project: Project, path: Path, table: str) -> int:
    """A table as Parquet, compressed with zstd."""
    return _write_table(project, path, table, "parquet")


def write_jsonl(project: Project, path: Path, table: str) -> int:
    """A table as a JSON object a line."""
    encoder = msgspec.json.Encoder()
    number = 0
    draft = path.with_name(path.name + ".new")
    with project.tables() as tables, disk_errors(path):
        answer = tables.ask(table, Question())
        with draft.open("wb") as file:
            for row in answer:
                file.write(encoder.encode(dict(zip(answer.columns, row, strict=True))) + b"\n")
                number += 1
        draft.replace(path)
    return number


def write_warc(project: Project, path: Path, table: str) -> int:  # noqa: ARG001 - the signature of an exporter
    """The latest run's records in WARC files under a folder, as they were stored; returns the number of answers.

    An answer that was stored as a revisit of an earlier payload is written whole, so that the files stand for themselves.
    The whole archive is read for it; what is damaged is told and left out.
    """
    run = runs.latest(project.runs).name
    with (
        Catalog(project.store / "catalog", read_only=True) as catalog,
        Reader(project.store / "archive") as reader,
        Archive(path, software=SOFTWARE) as out,
    ):
        found = reader.records(on_damage=lambda damage: project.bus.emit(Warned(message=str(damage))))
        ours = ((locator, record) for locator, record in found if first(record.fields, "Trasmallo-Run") == run)
        return sum(_copy_record(locator, record, reader, catalog, out) for locator, record in ours)


def _copy_record(locator: Locator, record: Record, reader: Reader, catalog: Catalog, out: Archive) -> bool:
    """Take a record over; whether it is an answer."""
    known = catalog.with_digest(record.digest) if record.kind == "revisit" else None
    if known is None or known.locator is None or record.status == _NOT_MODIFIED:
        if known is not None and known.locator is not None:
            out.copy(reader, known.locator)
        out.copy(reader, locator)
    else:
        original = reader.read(known.locator)
        address, run = first(record.fields, "WARC-IP-Address"), first(record.fields, "Trasmallo-Run")
        whole = Response(
            record.url, record.at, record.status, record.reason, record.headers, original.body, b"", address=address
        )
        out.append(whole, run=run, digest=record.digest)
    return record.kind in ("response", "revisit")


def _write_table(project: Project, path: Path, table: str, kind: str) -> int:
    with project.tables() as tables:
        tables.write(table, path, kind)
        return int(tables.number(table))
