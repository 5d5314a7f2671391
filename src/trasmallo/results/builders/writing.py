"""Makes the tables of the tokens of all documents as the files in a folder that `views` reads."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import numpy as np

from trasmallo.results.builders.counts import Made, Source
from trasmallo.results.builders.files import NUMBERED, columns_file, rows_file
from trasmallo.results.builders.sequences import COLUMNS, write_rows
from trasmallo.store.parquet import ParquetWriter, Texts


def make(table: str, source: Source, folder: Path) -> None:
    """Write the files of a table."""
    if table not in COLUMNS:
        with rows_file(table, folder).open("wb") as file:
            file.writelines(write_rows(table, source))
        return
    made, sizes = COLUMNS[table](source), dict.fromkeys(NUMBERED.get(table, ()), 0)
    _write(made, table, folder, sizes)
    for name, size in sizes.items():
        kind = made.columns[name]
        assert not isinstance(kind, type), "the column has texts"
        _write_texts(columns_file(f"{table}_{name}", folder), kind, size)


def _write(made: Made, table: str, folder: Path, sizes: dict[str, int]) -> None:
    """Write the rows, and once more as numbers where `sizes` names columns; these become one more than the greatest number."""
    with ExitStack() as files:
        writers = [files.enter_context(ParquetWriter(columns_file(table, folder), made.columns))]
        if sizes:
            numbers = {name: kind if isinstance(kind, type) else np.int32 for name, kind in made.columns.items()}
            writers.append(files.enter_context(ParquetWriter(columns_file(f"{table}_numbers", folder), numbers, small=False)))
        for batch in made.batches:
            for writer in writers:
                writer.append(batch)
            for name, values in zip(made.columns, batch, strict=True):
                if name in sizes:
                    sizes[name] = max(sizes[name], int(values.max()) + 1 if len(values) else 0)


def _write_texts(path: Path, texts: Texts, size: int) -> None:
    with ParquetWriter(path, {"number": np.int32, "text": texts}, small=False) as writer:
        writer.append([np.arange(size), np.arange(size)])
