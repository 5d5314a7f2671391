"""Rows as files that people take away: CSV, TSV and JSON lines, streamed."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence

import msgspec

KINDS = {"csv": "text/csv", "tsv": "text/tab-separated-values", "jsonl": "application/x-ndjson"}
"""The kinds of files and their media types."""

_PIECE = 65_536
"""Bytes of a piece of a file at least. Judgement: as much as a socket takes at once."""


def rows_as_file(kind: str, columns: Sequence[str], rows: Iterable[Sequence[object]], origin: str) -> Iterator[bytes]:
    """The file in pieces; its first line says where it comes from, except in JSON lines, which have no comments."""
    if kind == "jsonl":
        yield b""
        encoder = msgspec.json.Encoder()
        yield from _batched(encoder.encode(dict(zip(columns, row, strict=True))) + b"\n" for row in rows)
        return
    yield f"# {origin}\n".encode()
    yield from _batched(separated(columns, rows, tabs=kind == "tsv"))


def separated(columns: Sequence[str], rows: Iterable[Sequence[object]], *, tabs: bool) -> Iterator[bytes]:
    """Comma- or tab-separated values with a header, a line at a time."""
    text = io.StringIO()
    writer = csv.writer(text, dialect="excel-tab" if tabs else "excel", lineterminator="\n")
    writer.writerow(columns)
    for row in rows:
        writer.writerow(row)
        yield text.getvalue().encode("utf-8", "replace")
        text.seek(0)
        text.truncate()
    yield text.getvalue().encode()


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
