"""Results in formats that others read; each function is an entry point of `trasmallo.exporters`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from trasmallo.errors import disk_errors
from trasmallo.project.project import SOFTWARE
from trasmallo.project.tables import Question
from trasmallo.store.archive import Archive, Reader
from trasmallo.store.catalog import Catalog

if TYPE_CHECKING:
    from trasmallo.project.project import Project


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
    with project.tables() as tables, disk_errors(path), _draft(path).open("wb") as file:
        answer = tables.ask(table, Question())
        for row in answer:
            file.write(encoder.encode(dict(zip(answer.columns, row, strict=True))) + b"\n")
            number += 1
    _draft(path).replace(path)
    return number


def write_warc(project: Project, path: Path, table: str) -> int:  # noqa: ARG001 - the signature of an exporter
    """The latest run's records in WARC files under a folder, as they were stored."""
    from trasmallo.project import runs

    run = runs.latest(project.runs)
    number = 0
    with (
        Catalog(project.store / "catalog", read_only=True) as catalog,
        Reader(project.store / "archive") as reader,
        Archive(path, software=SOFTWARE) as out,
    ):
        for fetch in catalog.of_run(run.name):
            if fetch.locator is not None:
                out.copy(reader, fetch.locator)
                number += 1
    return number


def _write_table(project: Project, path: Path, table: str, kind: str) -> int:
    with project.tables() as tables:
        tables.write(table, path, kind)
        return int(tables.number(table))


def _draft(path: Path) -> Path:
    return path.with_name(path.name + ".new")
