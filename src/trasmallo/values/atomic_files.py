"""Files that are there whole or not at all."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from trasmallo.values.errors import disk_errors


@contextmanager
def drafted(path: Path) -> Iterator[Path]:
    """A place beside `path` to write a file or a folder to: renamed to it at the end, removed when that is not reached.

    A kill leaves the draft, `path` with ".new", which the next try writes over.
    """
    draft = path.with_name(path.name + ".new")
    with disk_errors(path):
        try:
            yield draft
            draft.replace(path)
        except BaseException:
            remove(draft)
            raise


def write_whole(path: Path, content: bytes) -> None:
    """Write a file that is there whole or not at all; who reads it meanwhile sees the one before."""
    with drafted(path) as draft:
        draft.write_bytes(content)


def remove(path: Path) -> None:
    """Remove a file or a folder with all that is in it; nothing there is nothing to do."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)
