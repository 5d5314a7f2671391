"""Where the WARC files of a shared crawl are: a folder that all machines see or a bucket, each worker writing files of its own.

Every commit says how many bytes of a worker's file count. What lies behind them was torn by a death, and is cut when the worker
is known to be gone: it can commit no more, so nothing will ever lead there.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from trasmallo.crawl.shared.blobs import SCHEME, Bucket
from trasmallo.pipeline.bucket_storage import SharedBucket
from trasmallo.store.archive import Archive
from trasmallo.values.errors import ConfigError, StoreFull, disk_errors


class Storage(Protocol):
    """A place for the WARC files of all workers, as a worker and the first machine use it, from any thread."""

    def check(self) -> None:
        """See that it can be written; raises StoreError with the repair."""

    def place(self, state: Path) -> Path:
        """The folder in which a worker writes, which has a folder for itself."""

    def saving(self, archive: Archive) -> Callable[[], None]:
        """What has all that was appended until now safe when it returns, as a call for another thread."""

    def show(self, archive: Path, name: str, size: int) -> None:
        """Have a file among those of the project's archive, with so many bytes at least."""

    def cut(self, worker: int, file: str, size: int) -> None:
        """Remove what no commit of a worker counts: the last one counted so much of a file."""

    def complete(self, archive: Path, worker: int, file: str, size: int) -> None:
        """Bring the files of a worker that has ended into their last form."""


class SharedFolder:
    """A folder that all machines see."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "archive"

    def check(self) -> None:
        """See that a file can be written."""
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=self._folder) as trial:
                trial.write(b"trasmallo")
        except OSError as error:
            raise StoreFull(
                "the storage {folder} refuses to be written ({reason})",
                "see that it is mounted on this machine, that this user may write there, and that it is not full",
                folder=self._folder,
                reason=error.strerror or "error",
            ) from None

    def place(self, _state: Path) -> Path:
        """The folder itself."""
        return self._folder

    def saving(self, archive: Archive) -> Callable[[], None]:
        """What syncs the file."""
        return archive.syncing()

    def show(self, archive: Path, name: str, _size: int) -> None:
        """Have a second name for a file, or a link to it."""
        place = archive / name
        if place.exists() or place.is_symlink():
            return
        with disk_errors(place):
            try:
                os.link(self._folder / name, place)
            except OSError:
                with suppress(FileExistsError):
                    place.symlink_to(self._folder / name)

    def cut(self, worker: int, file: str, size: int) -> None:
        """Cut the file where the last commit ends; files without anything that counts are removed."""
        for path in self._folder.glob(f"trasmallo-{worker:x}-*"):
            with disk_errors(path):
                if not file or path.name > file:
                    path.unlink(missing_ok=True)
                elif path.name == file and path.stat().st_size > size:
                    os.truncate(path, size)

    def complete(self, archive: Path, worker: int, file: str, size: int) -> None:
        """Nothing is left to do: a file is in its last form from the beginning."""


def open_storage(storage: str) -> Storage:
    """The storage that a project names, which can be written; raises ConfigError, and StoreError when it refuses."""
    if storage.startswith(f"{SCHEME}://"):
        found: Storage = SharedBucket(Bucket(storage))
    elif storage and "://" not in storage and Path(storage).is_absolute():
        found = SharedFolder(Path(storage))
    else:
        raise ConfigError(
            "`cluster.storage` is {storage!r}, which is no place that all machines see",
            "write the whole path of a shared folder, such as /mnt/corpus, or a bucket, such as s3://bucket/prefix",
            storage=storage[:200],
        )
    found.check()
    return found
