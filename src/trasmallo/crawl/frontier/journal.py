"""An append-only log of checksummed frames that survives the death of its writer.

A file is a stamp (kind and version) and then frames: length, xxh3-64 of the payload, crc32 of those two, payload. A payload is
a zstd-compressed list of records. Records are collected in memory and written as one frame by one `write()`, so what is on disk
after a kill is a prefix of the frames and at most one torn frame, which is cut when the file is opened again. A frame that is
broken before the end of the file is damage, never a torn tail: that is reported, not repaired in silence.
"""

from __future__ import annotations

import os
import struct
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

import msgspec
import xxhash
import zstandard

from trasmallo.values.errors import REBUILD, StoreDamaged, StoreTooNew, disk_error, disk_errors

VERSION = 2  # of the journal's layout
STAMP = struct.Struct("<8sII")
FRAME = struct.Struct("<IQI")
_FRAME_HEAD = struct.Struct("<IQ")
_WRITE_BYTES = 256 * 1024  # judgement: bytes gathered before a write
_WRITE_SECONDS = 0.25  # what a kill may cost, as docs/design.md promises


def stamp(kind: bytes) -> bytes:
    """The first 16 bytes of a file: what it is, and the version that wrote it."""
    return STAMP.pack(kind, VERSION, 0)


def check_stamp(head: bytes, kind: bytes, path: Path) -> None:
    """Refuse a file of another kind or version."""
    if len(head) < STAMP.size:
        raise StoreDamaged("{path} ends at byte {count}, inside its head", REBUILD, path=path, count=len(head))
    found, version, _ = STAMP.unpack(head[: STAMP.size])
    if found.rstrip(b"\0") != kind:
        raise StoreDamaged("{path} is no frontier file of kind {kind} (byte 0)", REBUILD, path=path, kind=kind.decode())
    if version < VERSION:
        raise StoreDamaged(
            "{path} was written by an earlier version of trasmallo that kept its queue otherwise", REBUILD, path=path
        )
    if version > VERSION:
        raise StoreTooNew(
            "{path} was written by a later version of trasmallo", "install that version, or start again with --new", path=path
        )


def frame(payload: bytes) -> bytes:
    """A payload with its length and checksums in front."""
    head = _FRAME_HEAD.pack(len(payload), xxhash.xxh3_64_intdigest(payload))
    return head + zlib.crc32(head).to_bytes(4, "little") + payload


def sync_file(path: Path) -> None:
    """Make a finished file durable."""
    with disk_errors(path):
        handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def read_frames(path: Path, kind: bytes) -> Iterator[tuple[int, bytes]]:
    """Each whole frame's end offset and payload; stops before a torn tail, raises `StoreDamaged` for a break before it."""
    size = path.stat().st_size
    with path.open("rb") as file:
        if size < STAMP.size:
            return
        check_stamp(file.read(STAMP.size), kind, path)
        offset = STAMP.size
        while offset < size:
            payload = _read_frame(file, offset, size, path)
            if payload is None:
                return
            offset += FRAME.size + len(payload)
            yield offset, payload


def _read_frame(file: BinaryIO, offset: int, size: int, path: Path) -> bytes | None:
    """The payload at an offset; None when the file was torn there."""
    head = file.read(FRAME.size)
    if len(head) < FRAME.size:
        return None
    length, digest, check = FRAME.unpack(head)
    if zlib.crc32(head[: _FRAME_HEAD.size]) != check:
        # A power cut may leave a tail of zeros; anything else was written and then broken.
        if not head.strip(b"\0") and not file.read().strip(b"\0"):
            return None
        raise StoreDamaged("{path} is damaged at byte {offset}", REBUILD, path=path, offset=offset)
    if offset + FRAME.size + length > size:
        return None
    payload = file.read(length)
    if xxhash.xxh3_64_intdigest(payload) == digest:
        return payload
    if offset + FRAME.size + length == size:
        return None
    raise StoreDamaged("{path} is damaged at byte {offset}", REBUILD, path=path, offset=offset)


class Journal:
    """The log a frontier appends its records to. `size` is the file's length in bytes, `pending` what waits to be written.

    `append` writes when 256 kB or 0.25 s have been collected.
    """

    KIND = b"journal"

    def __init__(self, path: Path, clock: Callable[[], float] = time.monotonic) -> None:
        self.path = path
        self.pending = 0
        self._records: list[bytes] = []
        self._clock = clock
        self._since = 0.0
        self._syncing: threading.Thread | None = None
        self._refusal: OSError | None = None
        self._compressor = zstandard.ZstdCompressor(level=-1)
        with disk_errors(path):
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644)
            self.size = os.fstat(self._file).st_size
            if self.size < STAMP.size:
                self._cut(0)
                self._write(stamp(self.KIND))

    @classmethod
    def recover(
        cls, path: Path, apply: Callable[[bytes], None], clock: Callable[[], float] = time.monotonic, *, size: int = -1
    ) -> Journal:
        """Open a journal, hand every record to `apply` in order, and cut a torn tail.

        One that was closed has a known size, and no torn tail.
        """
        end = STAMP.size
        decompressor = zstandard.ZstdDecompressor()
        decoder = msgspec.msgpack.Decoder(list[bytes])
        if path.exists():
            for after, payload in read_frames(path, cls.KIND):
                for record in decoder.decode(decompressor.decompress(payload)):
                    apply(record)
                end = after
        if size >= 0 and end != size:
            raise StoreDamaged("{path} is whole up to byte {end} instead of {size}", REBUILD, path=path, end=end, size=size)
        journal = cls(path, clock)
        if journal.size > end:
            with disk_errors(path):
                journal._cut(end)
        return journal

    def append(self, record: bytes) -> bool:
        """Take a record; True when this call wrote what had been collected."""
        now = self._clock()
        if not self._records:
            self._since = now
        self._records.append(record)
        self.pending += len(record)
        if self.pending < _WRITE_BYTES and now - self._since < _WRITE_SECONDS:
            return False
        self.write()
        return True

    def write(self) -> None:
        """Hand what was collected to the operating system as one frame: from here on a killed process loses none of it."""
        if not self._records:
            return
        payload = self._compressor.compress(msgspec.msgpack.encode(self._records))
        with disk_errors(self.path):
            self._write(frame(payload))
        self._records.clear()
        self.pending = 0

    def sync(self) -> None:
        """Write, and ask the disk in a thread to keep it; what it refused the last time is raised now.

        The caller does not wait for the disk, which takes some 30 ms: a power cut may cost what came since the sync before.
        """
        self.write()
        if self._refusal is not None:
            refusal, self._refusal = self._refusal, None
            raise disk_error(refusal, self.path) from refusal
        if self._syncing is None or not self._syncing.is_alive():
            self._syncing = threading.Thread(target=self._keep, args=(os.dup(self._file),), daemon=True)
            self._syncing.start()

    def close(self) -> None:
        """Write, wait for the disk and give the file back; what cannot be written raises, the file is closed all the same."""
        if self._file < 0:
            return
        try:
            self.write()
            with disk_errors(self.path):
                os.fdatasync(self._file)
        finally:
            self.abandon()

    def abandon(self) -> None:
        """Close without writing what is pending."""
        if self._syncing is not None:
            self._syncing.join()
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def _keep(self, handle: int) -> None:
        try:
            os.fdatasync(handle)
        except OSError as error:
            self._refusal = error
        finally:
            os.close(handle)

    def _write(self, data: bytes) -> None:
        """All of it or none: half a frame before a later one would be damage."""
        rest = memoryview(data)
        try:
            while rest:
                rest = rest[os.write(self._file, rest) :]
        except OSError:
            self._cut(self.size)
            raise
        self.size += len(data)

    def _cut(self, size: int) -> None:
        os.ftruncate(self._file, size)
        self.size = size
