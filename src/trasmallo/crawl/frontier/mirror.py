"""Mirror of a frontier that nobody works on: opened there, no byte of the frontier itself changes."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from trasmallo.values.errors import StoreDamaged, disk_errors

_UNCHANGED = ("backlog-", "seen")
"""How names of files begin that nobody changes who opens a frontier as it was left; they may have many gigabytes."""


@contextmanager
def mirrored(folder: Path) -> Iterator[Path]:
    """A folder that opens as a frontier's own does, as long as the block lasts; what is damaged is told of the frontier's."""
    with tempfile.TemporaryDirectory(prefix="trasmallo-queue-") as name:
        with disk_errors(folder):
            for path in folder.iterdir():
                _show(path, Path(name) / path.name)
        try:
            yield Path(name)
        except StoreDamaged as damage:
            raise _told_of(folder, damage, name) from damage


def _show(path: Path, place: Path) -> None:
    if path.name.startswith(_UNCHANGED):
        place.symlink_to(path.resolve())
    elif path.is_file():
        shutil.copyfile(path, place)


def _told_of(folder: Path, damage: StoreDamaged, mirror: str) -> StoreDamaged:
    problem, repair = damage.said
    told = {name: str(value).replace(mirror, str(folder)) for name, value in {**problem.arguments, **repair.arguments}.items()}
    return StoreDamaged(problem.code, repair.code, **told)
