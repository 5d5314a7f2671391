"""Files of a table in a folder of results: one, or layers where a run adds to another.

    NAME.parquet               the whole table; or, of a run that changed few documents of the one before:
    NAME.base.parquet          the table as it was last written whole, linked and not copied
    NAME.superseded.parquet    keys whose rows in it count no more
    NAME.own.parquet           rows of these keys as they are now, and of new ones

Layers never change: each run writes its own small files, and what is superseded or its own before is taken over into them, so
there are never more than these three. `digests.json` of the folder names them with their digests, as all of its files.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from trasmallo.values.atomic_files import remove


class TableFiles(NamedTuple):
    """Where a table is. `base` is the whole one, if it has no other layers; these come in pairs."""

    base: Path
    superseded: Path | None = None
    own: Path | None = None

    @property
    def layered(self) -> bool:
        """Whether it has layers."""
        return self.own is not None

    @property
    def all(self) -> list[Path]:
        """All of its files."""
        return [path for path in self if path is not None]


def whole_file(folder: Path, table: str) -> Path:
    """Where a table is that was written whole."""
    return folder / f"{table}.parquet"


def layer_files(folder: Path, table: str) -> TableFiles:
    """Where a table with layers is."""
    return TableFiles(*(folder / f"{table}.{layer}.parquet" for layer in ("base", "superseded", "own")))


def find_table(folder: Path, table: str) -> TableFiles | None:
    """The files of a table in a folder, None when it is not there."""
    whole, layers = whole_file(folder, table), layer_files(folder, table)
    if whole.exists():
        return TableFiles(whole)
    # Its own rows are put in place last.
    return layers if layers.own is not None and layers.own.exists() else None


def names_of(table: str) -> list[str]:
    """All names that files of a table may have."""
    nowhere = Path()
    return [path.name for path in (whole_file(nowhere, table), *layer_files(nowhere, table).all)]


def link_table(folder: Path, target: Path, table: str) -> None:
    """Let another folder have a table as it is in this one."""
    found = find_table(folder, table)
    for path in found.all if found else ():
        link(path, target / path.name)


def link(path: Path, target: Path) -> None:
    """Let a file have another name, whatever stood there before."""
    remove(target)
    os.link(path, target)
