"""Where the WARC files of a shared crawl are: a folder that all machines see, each worker writing files of its own.

Every commit says how many bytes of a worker's file count. What lies behind them was torn by a death, and is cut when the worker
is known to be gone: it can commit no more, so nothing will ever lead there.
"""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path

from trasmallo.values.errors import ConfigError, StoreFull, disk_errors


def check_storage(storage: str) -> str:
    """A place that all machines may see; raises ConfigError."""
    if not storage or "://" in storage or not Path(storage).is_absolute():
        raise ConfigError(
            "`cluster.storage` is {storage!r}, which is no folder that all machines see",
            "write the whole path of a shared folder, such as /mnt/corpus",
            storage=storage[:200],
        )
    return storage


def archive_folder(storage: str) -> Path:
    """The folder of the WARC files, which can be written; raises StoreFull when it cannot."""
    folder = Path(storage) / "archive"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as trial:
            trial.write(b"trasmallo")
    except OSError as error:
        raise StoreFull(
            "the storage {folder} refuses to be written ({reason})",
            "see that it is mounted on this machine, that this user may write there, and that it is not full",
            folder=folder,
            reason=error.strerror or "error",
        ) from None
    return folder


def show_file(shared: Path, archive: Path, name: str) -> None:
    """Have a file of the shared folder among those of the project's archive: as a second name for it, or as a link."""
    place = archive / name
    if not name or place.exists() or place.is_symlink():
        return
    with disk_errors(place):
        try:
            os.link(shared / name, place)
        except OSError:
            with suppress(FileExistsError):
                place.symlink_to(shared / name)


def cut(shared: Path, worker: int, file: str, size: int) -> None:
    """Cut what no commit counts from the files of a worker that is gone; files without anything that counts are removed."""
    for path in shared.glob(f"trasmallo-{worker:x}-*"):
        with disk_errors(path):
            if not file or path.name > file:
                path.unlink(missing_ok=True)
            elif path.name == file and path.stat().st_size > size:
                os.truncate(path, size)
