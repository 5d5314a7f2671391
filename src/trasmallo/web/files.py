"""Rows as files that people take away: CSV, TSV and JSON lines, streamed."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime

import msgspec

from trasmallo.project.project import Project
from trasmallo.project.scopes import scope_text
from trasmallo.results.dates import with_dates
from trasmallo.values.software import SOFTWARE
from trasmallo.values.spreadsheet_cells import REMARK, CellForm, SeparatedLines

KINDS = {"csv": "text/csv", "tsv": "text/tab-separated-values", "jsonl": "application/x-ndjson"}
"""The kinds of files and their media types."""

_PIECE = 65_536
"""Bytes of a piece of a file at least. Judgement: as much as a socket takes at once."""


class FileKind(msgspec.Struct, frozen=True):
    """What file is wanted: csv, tsv or jsonl; `raw` and `bom` are those of `CellForm`, for the first two."""

    kind: str
    raw: bool = False
    bom: bool = False

    @property
    def form(self) -> CellForm:
        """How its cells are written."""
        return CellForm(tabs=self.kind == "tsv", raw=self.raw, bom=self.bom)

    @property
    def options(self) -> tuple[str, ...]:
        """What is typed for it on the command line."""
        return ("--format", self.kind, *(self.form.options if self.kind != "jsonl" else ()))


def origin_of(project: Project, command: str, run: str = "") -> str:
    """Where rows come from: the command that prints them in the scope that is asked about, run, program and time."""
    scope = scope_text(project.scope)
    scoped = f"{command} --scope {shlex.quote(scope)}" if scope else command
    now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return f"{scoped} | run {project.run_named(run).name}, {SOFTWARE}, {now}"


def rows_as_file(kind: FileKind, columns: Sequence[str], rows: Iterable[Sequence[object]], origin: str) -> Iterator[bytes]:
    """The file in pieces; its first line says where it comes from, except in JSON lines, which have no comments."""
    rows = with_dates(columns, rows)
    if kind.kind == "jsonl":
        yield b""
        encoder = msgspec.json.Encoder()
        yield from _batched(encoder.encode(dict(zip(columns, row, strict=True))) + b"\n" for row in rows)
        return
    yield ("\ufeff" * kind.bom + f"# {origin}" + ("" if kind.raw else f" ({REMARK})") + "\n").encode("utf-8", "replace")
    form = msgspec.structs.replace(kind.form, bom=False)
    yield from _batched(line.encode("utf-8", "replace") for line in SeparatedLines(columns, rows, form))


def _batched(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Pieces of at least 64 kB."""
    held: list[bytes] = []
    size = 0
    for piece in pieces:
        held.append(piece)
        size += len(piece)
        if size >= _PIECE:
            yield b"".join(held)
            held, size = [], 0
    yield b"".join(held)
