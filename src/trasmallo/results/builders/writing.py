"""Writer of tables that were built of the tokens of all documents: the files in a folder that `files` reads."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from itertools import islice
from pathlib import Path

import msgspec
import numpy as np

from trasmallo.results.builders.counts import BuiltColumns, TokenSource
from trasmallo.results.builders.files import columns_file, numbered, rows_file
from trasmallo.results.registry import Table
from trasmallo.store.parquet import ParquetWriter, Texts

_AT_ONCE = 1_000
"""Rows that are encoded together. Judgement: some 100 kB."""


def write_built(
    table: Table, built: BuiltColumns | Iterator[msgspec.Struct], source: TokenSource, folder: Path, at_once: int = _AT_ONCE
) -> None:
    """Write the files of a table whose builder gave columns, or rows, of which so many are encoded together."""
    if not isinstance(built, BuiltColumns):
        with rows_file(table.name, folder).open("wb") as file:
            file.writelines(_encoded(built, source, at_once))
        return
    sizes = dict.fromkeys(numbered(table), 0)
    _write(built, table.name, folder, sizes)
    for name, size in sizes.items():
        kind = built.columns[name]
        assert not isinstance(kind, type), "the column has texts"
        _write_texts(columns_file(f"{table.name}_{name}", folder), kind, size)


def write_columns(built: BuiltColumns, path: Path) -> None:
    """Write a table whose builder gave columns to a file that is read soon and removed again."""
    with ParquetWriter(path, built.columns, small=False) as writer:
        for batch in built.batches:
            writer.append(batch)


def _encoded(rows: Iterator[msgspec.Struct], source: TokenSource, at_once: int) -> Iterator[bytes]:
    """Rows as JSON lines, some at a time."""
    encoder = msgspec.json.Encoder()
    while some := list(islice(rows, at_once)):
        yield encoder.encode_lines(some)
        source.corpus.release()


def _write(built: BuiltColumns, table: str, folder: Path, sizes: dict[str, int]) -> None:
    """Write the rows, and once more as numbers where `sizes` names columns; these become one more than the greatest number."""
    with ExitStack() as files:
        writers = [files.enter_context(ParquetWriter(columns_file(table, folder), built.columns))]
        if sizes:
            numbers = {name: kind if isinstance(kind, type) else np.int32 for name, kind in built.columns.items()}
            writers.append(files.enter_context(ParquetWriter(columns_file(f"{table}_numbers", folder), numbers, small=False)))
        for batch in built.batches:
            for writer in writers:
                writer.append(batch)
            for name, values in zip(built.columns, batch, strict=True):
                if name in sizes:
                    sizes[name] = max(sizes[name], int(values.max()) + 1 if len(values) else 0)


def _write_texts(path: Path, texts: Texts, size: int) -> None:
    with ParquetWriter(path, {"number": np.int32, "text": texts}, small=False) as writer:
        writer.append([np.arange(size), np.arange(size)])
