"""A file of somebody else read from front to end in bounded memory, unpacked when it is gzip."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

from isal import isal_zlib

from trasmallo.store.gzip_members import GzipError

_CHUNK = 1 << 16  # judgement: bytes a read
_UNPACKED = 1 << 18  # judgement: bytes unpacked at once, whatever the file promises
_GZIP = b"\x1f\x8b"
_LINE_FEED = re.compile(rb"\n")


class BrokenError(Exception):
    """The bytes end or break where they should not; says why in words."""


class MarkedBytes(NamedTuple):
    """Bytes up to a mark: at most the first `limit` of them, how many there were, whether the mark was found."""

    data: bytes
    size: int
    found: bool


class ByteStream:
    """The bytes in order; `position` counts those taken. BrokenError comes only after all sound bytes were given."""

    def __init__(self, file: BinaryIO) -> None:
        start = file.read(len(_GZIP))
        file.seek(0)
        self.packed = start == _GZIP
        self._chunks = _unpack(file) if self.packed else iter(lambda: file.read(_CHUNK), b"")
        self._buffer = b""
        self._at = 0
        self._base = 0

    @property
    def position(self) -> int:
        """How many bytes were taken."""
        return self._base + self._at

    def peek(self) -> bytes:
        """What comes next, b"" only at the end; takes nothing."""
        return self._buffer[self._at :] if self._load() else b""

    def take(self, count: int) -> bytes:
        """The next bytes, fewer only at the end."""
        parts = []
        while count and self._load():
            part = self._buffer[self._at : self._at + count]
            self._at += len(part)
            count -= len(part)
            parts.append(part)
        return b"".join(parts)

    def skip(self, count: int) -> bool:
        """Leave out the next bytes; False when the end came before."""
        while count and self._load():
            step = min(count, len(self._buffer) - self._at)
            self._at += step
            count -= step
        return not count

    def line(self, limit: int) -> bytes:
        """The next line with its line feed, b"" at the end; BrokenError when it is longer than `limit`."""
        passage = self.through(_LINE_FEED, 1, limit)
        if passage.size > limit:
            raise BrokenError("a line without end")
        return passage.data

    def through(self, mark: re.Pattern[bytes], width: int, limit: int) -> MarkedBytes:
        """All up to the end of the next match of a mark at most `width` bytes long."""
        kept = bytearray()
        size = 0
        carried = b""
        found = None
        while not found and self._load():
            window = carried + self._buffer[self._at :] if carried else self._buffer
            found = mark.search(window, 0 if carried else self._at)
            begin = self._at
            self._at = found.end() - len(window) + len(self._buffer) if found else len(self._buffer)
            size += self._at - begin
            kept += self._buffer[begin : min(self._at, begin + limit - len(kept))]
            carried = (carried + self._buffer[begin:])[-(width - 1) :] if width > 1 else b""
        return MarkedBytes(bytes(kept), size, found is not None)

    def _load(self) -> bool:
        """Whether there is something left in the buffer, after filling it when it was empty."""
        while self._at == len(self._buffer):
            chunk = next(self._chunks, None)
            if chunk is None:
                return False
            self._base += self._at
            self._buffer, self._at = chunk, 0
        return True


def _unpack(file: BinaryIO) -> Iterator[bytes]:
    """The content of all gzip members; zeros after the last (tape padding) are no damage."""
    inflater = isal_zlib.decompressobj(31)
    data = file.read(_CHUNK)
    while data:
        try:
            yield inflater.decompress(data, _UNPACKED)
        except GzipError as error:
            raise BrokenError("damaged gzip data") from error
        if inflater.eof:
            data = inflater.unused_data.lstrip(b"\x00") or file.read(_CHUNK).lstrip(b"\x00")
            if not data:
                return
            inflater = isal_zlib.decompressobj(31)
        else:
            data = inflater.unconsumed_tail or file.read(_CHUNK)
    raise BrokenError("the gzip data ends too early")
