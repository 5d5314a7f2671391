"""WARC files of a shared crawl in a bucket: each worker sends what it appended before it commits the rows that need it.

A worker writes its file on its own disk and sends it in pieces, `pieces/PREFIX/FILE/START`, one or more for each commit. The
first machine puts them together in the project's archive. When a worker has ended, each of its files becomes one object,
`archive/FILE`, in place of its pieces. Pieces that no commit counts are those of a worker that died, and are removed.
"""

from __future__ import annotations

import os
import secrets
import threading
from collections.abc import Callable
from itertools import groupby
from pathlib import Path

from trasmallo.crawl.shared.blobs import Blob, Blobs
from trasmallo.store.archive import Archive
from trasmallo.values.errors import StoreDamaged, disk_errors

_LARGEST_PIECE = 1 << 25
"""Bytes of one request. Judgement: what a second brings at 250 Mbit/s, and little beside the memory of a worker."""


class SharedBucket:
    """The storage of one worker, or of the first machine; see `Storage`."""

    def __init__(self, blobs: Blobs) -> None:
        self._blobs = blobs
        self._sent: dict[str, int] = {}
        self._sending = threading.Lock()

    def check(self) -> None:
        """See that objects can be written and removed; raises StoreError."""
        name = f"archive/.trial-{secrets.token_hex(8)}"
        self._blobs.put(name, b"trasmallo")
        self._blobs.delete([name])

    def place(self, state: Path) -> Path:
        """A folder of the worker's own."""
        return state / "archive"

    def saving(self, archive: Archive) -> Callable[[], None]:
        """What sends all that was appended until now."""
        (name, size), folder = archive.end, archive.folder
        return lambda: self._send(folder, name, size)

    def _send(self, folder: Path, newest: str, size: int) -> None:
        with self._sending:
            for path in sorted(folder.glob("*.warc.gz")):
                if path.name == newest:
                    self._send_file(path, size)
                elif path.name < newest:
                    self._send_file(path, path.stat().st_size)
                    path.unlink()  # nobody appends to it any more, and a worker's disk is small

    def _send_file(self, path: Path, size: int) -> None:
        start = self._sent.get(path.name, 0)
        with path.open("rb") as file:
            while start < size:
                data = os.pread(file.fileno(), min(_LARGEST_PIECE, size - start), start)
                self._blobs.put(f"{_folder(path.name)}/{start:015}", data)
                start += len(data)
                self._sent[path.name] = start

    def show(self, archive: Path, name: str, size: int) -> None:
        """Have so many bytes of a file in the project's archive, on its disk."""
        place = archive / name
        with disk_errors(place), place.open("ab") as file:
            have = file.tell()
            if have >= size:
                return
            for start, blob in self._pieces(name, have):
                if have >= size:
                    break
                if start > have:
                    break
                file.write(self._blobs.get_range(blob.name, have - start, blob.size - (have - start)))
                have = start + blob.size
            file.flush()
            os.fsync(file.fileno())
        if have < size:
            raise StoreDamaged(
                "the storage lacks bytes of {file} from {at} on",
                "put them back, or start another run with: trasmallo run DIR --new",
                file=name,
                at=have,
            )

    def _pieces(self, name: str, start: int) -> list[tuple[int, Blob]]:
        """Where pieces begin, from the one on that has a byte; the whole file where it was put together before."""
        folder = _folder(name)
        found = self._blobs.list(folder, f"{folder}/{start - 1:015}") if start else self._blobs.list(folder)
        if not found or _start(found[0]) > start:  # a kill may have left half of a piece
            found = [blob for blob in self._blobs.list(folder) if _start(blob) + blob.size > start]
        whole = [] if found else [blob for blob in self._blobs.list("archive") if blob.name == f"archive/{name}"]
        return [(_start(blob), blob) for blob in found] or [(0, blob) for blob in whole]

    def cut(self, worker: int, file: str, size: int) -> None:
        """Remove the pieces of a worker that is gone which no commit counts."""
        torn = [
            blob.name
            for blob in self._blobs.list(_worker_folder(worker))
            if not file or (name := _name(blob)) > file or (name == file and _start(blob) >= size)
        ]
        self._blobs.delete(torn)

    def complete(self, archive: Path, worker: int, file: str, size: int) -> None:
        """Have the files of a worker that has ended as whole objects."""
        self.cut(worker, file, size)
        for name, group in groupby(self._blobs.list(_worker_folder(worker)), _name):
            pieces = list(group)
            self.show(archive, name, _start(pieces[-1]) + pieces[-1].size)
            self._blobs.commit(f"archive/{name}", archive / name, [blob.name for blob in pieces])


def _worker_folder(worker: int) -> str:
    return f"pieces/trasmallo-{worker:x}"


def _folder(name: str) -> str:
    """Where the pieces of a file are; its name is PREFIX-STAMP-SERIAL."""
    return f"pieces/{name.rsplit('-', 2)[0]}/{name}"


def _name(blob: Blob) -> str:
    return blob.name.split("/")[-2]


def _start(blob: Blob) -> int:
    return int(blob.name.rpartition("/")[2])
