"""A file of named arrays: written once, checksummed, and mapped into memory when it is read.

    magic | arrays, each at a multiple of 64 bytes | directory in msgpack | its place, length and checksum | magic

The directory comes last, so that arrays whose length is known can grow side by side while a corpus streams through.
"""

from __future__ import annotations

import mmap
import os
import struct
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import msgspec
import numpy as np
import xxhash

from trasmallo.values.arrays import Array
from trasmallo.values.decodable import decodable
from trasmallo.values.errors import REBUILD, StoreDamaged, StoreTooNew

_MAGIC = b"trasmtok"
VERSION = 1  # version of the file's layout
_ALIGNED = 64  # bytes of a cache line, and more than numpy needs
_TRAILER = struct.Struct("<QQQ8s")


class ArraySection(msgspec.Struct, frozen=True):
    """One array: its numpy type, the byte it begins at, its length in elements, and xxh3 of its bytes."""

    dtype: str
    offset: int
    count: int
    checksum: int


class Directory(msgspec.Struct, frozen=True):
    """What a file holds; a reader passes over sections that it does not know."""

    version: int
    languages: tuple[str, ...]
    sections: dict[str, ArraySection]


class _Open(msgspec.Struct):
    """An array that grows."""

    dtype: np.dtype[Any]
    offset: int
    count: int
    written: int
    checksum: xxhash.xxh3_64


class Writer:
    """Writes such a file. It counts once `finish` was called; without that, what is there is refused by a reader."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = path.open("wb", buffering=0)
        self._file.write(_MAGIC)
        self._map: mmap.mmap | bytes | None = None
        self._end = len(_MAGIC)
        self._sections: dict[str, _Open] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._file.close()

    def add(self, name: str, values: Array) -> None:
        """Write a whole array."""
        self.reserve(name, values.dtype, len(values))
        self.append(name, values)

    def reserve(self, name: str, dtype: np.dtype[Any] | type[np.generic], count: int) -> None:
        """Make room for an array of `count` elements, to be appended to in pieces."""
        kind = np.dtype(dtype).newbyteorder("<")
        offset = -(-self._end // _ALIGNED) * _ALIGNED
        self._sections[name] = _Open(kind, offset, count, 0, xxhash.xxh3_64())
        self._end = offset + count * kind.itemsize

    def append(self, name: str, values: Array) -> None:
        """The next elements of an array."""
        section = self._sections[name]
        piece = np.ascontiguousarray(values, dtype=section.dtype).view(np.uint8).data
        section.checksum.update(piece)
        self._write(piece, section.offset + section.written * section.dtype.itemsize)
        section.written += len(values)

    def __contains__(self, name: str) -> bool:
        return name in self._sections

    def array(self, name: str) -> Array:
        """An array that is filled, to be read again; those after the last one that was written then are not there."""
        section = self._sections[name]
        assert section.written == section.count, "the array is filled"
        if not section.count:
            return np.zeros(0, dtype=section.dtype)
        if self._map is None:
            self._map = _mapped(self._path)
        return np.frombuffer(self._map, section.dtype, section.count, section.offset)

    def release(self) -> None:
        """Let go of the pages that were read."""
        _release(self._map)

    def finish(self, languages: tuple[str, ...]) -> None:
        """Write the directory: now the file is whole."""
        assert all(section.written == section.count for section in self._sections.values()), "every array is filled"
        sections = {
            name: ArraySection(section.dtype.str, section.offset, section.count, section.checksum.intdigest())
            for name, section in self._sections.items()
        }
        body = msgspec.msgpack.encode(Directory(VERSION, languages, sections))
        self._write(body + _TRAILER.pack(self._end, len(body), xxhash.xxh3_64_intdigest(body), _MAGIC), self._end)

    def _write(self, piece: bytes | memoryview, offset: int) -> None:
        """The disk may take less than it is given."""
        rest = memoryview(piece)
        while len(rest):
            done = os.pwrite(self._file.fileno(), rest, offset)
            rest, offset = rest[done:], offset + done


class Sections:
    """The arrays of a file, mapped: they live as long as somebody holds one of them, also when the file is removed."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._map = _mapped(path)
        self._directory = self._read_directory()

    @property
    def languages(self) -> tuple[str, ...]:
        """Codes of languages, which the documents name by their numbers."""
        return self._directory.languages

    def __contains__(self, name: str) -> bool:
        return name in self._directory.sections

    def array(self, name: str) -> Array:
        """An array, which cannot be written to."""
        section = self._directory.sections.get(name)
        if section is None:
            raise self._damaged("{path} has no {name}", name=name)
        return np.frombuffer(self._map, section.dtype, section.count, section.offset)

    def release(self) -> None:
        """Let go of the pages that were read: they stay in the system's cache, but count no more as memory of this process."""
        _release(self._map)

    def verify(self, names: Iterable[str] | None = None) -> None:
        """Read these arrays, or all, and raise StoreDamaged where one is not what was written."""
        for name in self._directory.sections if names is None else names:
            if xxhash.xxh3_64_intdigest(self.array(name).view(np.uint8).data) != self._directory.sections[name].checksum:
                raise self._damaged("{path} has damaged bytes in {name}", name=name)

    def _read_directory(self) -> Directory:
        view = memoryview(self._map)
        if len(view) < len(_MAGIC) + _TRAILER.size or view[: len(_MAGIC)] != _MAGIC:
            raise self._damaged("{path} is no file of tokens")
        begin, length, checksum, magic = _TRAILER.unpack(view[-_TRAILER.size :])
        if magic != _MAGIC or begin + length + _TRAILER.size != len(view):
            raise self._damaged("{path} ends where it should not")
        body = view[begin : begin + length]
        if xxhash.xxh3_64_intdigest(body) != checksum:
            raise self._damaged("{path} has a damaged directory")
        if msgspec.msgpack.decode(body, type=decodable(_Versioned)).version > VERSION:
            raise StoreTooNew(
                "{path} was written by a later version of trasmallo", "use that version, or a newer one", path=self._path
            )
        return msgspec.msgpack.decode(body, type=decodable(Directory))

    def _damaged(self, problem: str, **arguments: str) -> StoreDamaged:
        return StoreDamaged(problem, REBUILD, path=self._path, **arguments)


class _Versioned(msgspec.Struct):
    version: int


def mapped_bytes() -> int:
    """The memory of this process that files are mapped into, as far as it was read; 0 where the system does not tell."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[2]) * mmap.PAGESIZE
    except OSError:
        return 0


def _release(mapped: mmap.mmap | bytes | None) -> None:
    if isinstance(mapped, mmap.mmap):
        mapped.madvise(mmap.MADV_DONTNEED)


def _mapped(path: Path) -> mmap.mmap | bytes:
    """A file's bytes; an empty file cannot be mapped."""
    with path.open("rb") as file:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if os.fstat(file.fileno()).st_size else b""
