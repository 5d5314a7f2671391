"""Files inside archives, one level deep: what a zip, tar or 7z holds, and the octets of one of them.

Names lie and sizes too: what unpacks to more than is allowed is refused while it is unpacked, links and devices of a tar are
passed over, and an archive with more members than anybody looks through, or more octets, ends with a cause. Of several files
with one name the last one counts, as for the programs that unpack.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import struct
import tarfile
import threading
import zipfile
import zlib
from collections.abc import Callable, Iterator
from typing import BinaryIO, NamedTuple, cast

from trasmallo.crawl.files.seven_zip import SIGNATURE, Entry, SevenZip
from trasmallo.crawl.files.seven_zip_coders import SevenZipError
from trasmallo.values.errors import DocumentError

MOST_MEMBERS = 10_000
"""Files of one archive. Judgement: more is a disk image, which somebody should unpack."""

MOST_UNPACKED = 200_000_000
"""Octets of one archive, unpacked. Judgement: twenty times the default of page_megabytes; text shrinks to a fifth."""

_PACKED = (zipfile.BadZipFile, tarfile.TarError, SevenZipError, zlib.error, lzma.LZMAError, struct.error)
_BROKEN = (*_PACKED, EOFError, OSError, NotImplementedError, RuntimeError, ValueError, IndexError)
"""What the libraries raise for damaged archives."""
_COMPRESSED = ((b"\x1f\x8b", gzip.open), (b"BZh", bz2.open), (b"\xfd7zXZ\0", lzma.open))
"""What compressed files begin with, and what reads them."""
_TOO_MUCH = f"what comes behind {MOST_UNPACKED:,} bytes unpacked is not read"


class Member(NamedTuple):
    """A file in an archive: its name there, and its octets; None for one that cannot be had, with the `cause`."""

    name: str
    content: bytes | None
    cause: str = ""


def is_archive(media: str, content: bytes) -> bool:
    """Whether a file holds others: a zip that is no document of its own, a 7z, or a tar, compressed or not."""
    return media == "application/zip" or content.startswith(SIGNATURE) or is_tar(content)


def is_tar(content: bytes) -> bool:
    """Whether these are the octets of a tar, by its first header."""
    head = content[:512]
    if content.startswith(tuple(start for start, _ in _COMPRESSED)):
        head = _first_block(content)
    return len(head) == 512 and head[257:262] == b"ustar"


def _first_block(content: bytes) -> bytes:
    try:
        return _unpacked(content).read(512)
    except _BROKEN:
        return b""


def read_members(content: bytes, largest: int, most: int = MOST_UNPACKED) -> Iterator[Member]:
    """Every file of an archive, each of at most `largest` octets; raises DocumentError when it cannot be opened at all.

    What comes when `most` octets were unpacked is not looked at any more.
    """
    try:
        yield from _members_of(content)(content, largest, most)
    except _BROKEN as error:
        raise _damaged(error) from None


def _members_of(content: bytes) -> Callable[[bytes, int, int], Iterator[Member]]:
    if content.startswith(SIGNATURE):
        return _seven_zip_members
    return _zip_members if content[:2] == b"PK" else _tar_members


def _damaged(error: Exception) -> DocumentError:
    problem = "the archive is damaged ({error})"
    if isinstance(error, SevenZipError):
        problem = "the archive cannot be opened: {error}"
    return DocumentError(problem, "unpack it with the program that made it", error=str(error)[:120])


def _zip_members(content: bytes, largest: int, most: int) -> Iterator[Member]:
    with zipfile.ZipFile(io.BytesIO(content)) as packed:
        listed = [info for info in packed.NameToInfo.values() if not info.filename.endswith("/")]
        for info in listed[:MOST_MEMBERS]:
            if most < 0:
                yield Member("", None, _TOO_MUCH)
                return
            member = _zip_member(packed, info, largest)
            most -= largest if member.content is None else len(member.content)
            yield member
        if len(listed) > MOST_MEMBERS:
            yield Member("", None, f"it has {len(listed):,} files, of which {MOST_MEMBERS:,} are read")


def _zip_member(packed: zipfile.ZipFile, info: zipfile.ZipInfo, largest: int) -> Member:
    try:
        with packed.open(info) as file:
            return _bounded(info.filename, file.read(largest + 1), largest)
    except RuntimeError:
        return Member(info.filename, None, "it is encrypted")
    except _BROKEN as error:
        return Member(info.filename, None, f"it cannot be unpacked ({error})")


def _tar_members(content: bytes, largest: int, most: int) -> Iterator[Member]:
    with _open_tar(content, most) as packed:
        try:
            for number, info in enumerate(packed):
                if number == MOST_MEMBERS:
                    yield Member("", None, f"it has more than {MOST_MEMBERS:,} files")
                    return
                if not info.isdir():
                    yield _tar_member(packed, info, largest)
        except _TooMuch:
            yield Member("", None, _TOO_MUCH)


def _tar_member(packed: tarfile.TarFile, info: tarfile.TarInfo, largest: int) -> Member:
    if not info.isfile():
        return Member(info.name, None, "a link or device in the archive")
    file = packed.extractfile(info)
    return _bounded(info.name, file.read(largest + 1) if file else b"", largest)


def _seven_zip_members(content: bytes, largest: int, most: int) -> Iterator[Member]:
    packed = SevenZip(content, most)
    for entry in packed.entries[:MOST_MEMBERS]:
        if packed.unpacked > most:
            yield Member("", None, _TOO_MUCH)
            return
        yield _seven_zip_member(packed, entry, largest)
    if len(packed.entries) > MOST_MEMBERS:
        yield Member("", None, f"it has {len(packed.entries):,} files, of which {MOST_MEMBERS:,} are read")


def _seven_zip_member(packed: SevenZip, entry: Entry, largest: int) -> Member:
    if entry.size > largest:
        return Member(entry.name, None, f"more than {largest:,} bytes unpacked")
    try:
        return Member(entry.name, packed.read(entry))
    except SevenZipError as error:
        return Member(entry.name, None, str(error))


def _bounded(name: str, content: bytes, largest: int) -> Member:
    if len(content) > largest:
        return Member(name, None, f"more than {largest:,} bytes unpacked")
    return Member(name, content)


def _unpacked(content: bytes) -> BinaryIO:
    """The octets of a tar, unpacked while they are read."""
    stream = io.BytesIO(content)
    opener = next((opener for start, opener in _COMPRESSED if content.startswith(start)), None)
    return cast("BinaryIO", opener(stream)) if opener else stream


def _open_tar(content: bytes, most: int) -> tarfile.TarFile:
    return tarfile.open(fileobj=cast("BinaryIO", _Bounded(_unpacked(content), most)), mode="r:")


class _TooMuch(Exception):
    """An archive unpacks to more than is wanted."""


class _Bounded:
    """A stream that is read up to an octet and no further, wherever who reads it wants to go."""

    def __init__(self, stream: BinaryIO, most: int) -> None:
        self._stream, self._most = stream, most

    def tell(self) -> int:
        return self._stream.tell()

    def seek(self, place: int, whence: int = io.SEEK_SET) -> int:
        if place > self._most:
            raise _TooMuch
        return self._stream.seek(place, whence)

    def read(self, size: int = -1) -> bytes:
        if not 0 <= size <= self._most - self._stream.tell():
            raise _TooMuch
        return self._stream.read(size)


class OpenedArchive:
    """An archive of which several files are asked for, one after the other: it is listed once. Threads wait for each other."""

    def __init__(self, content: bytes) -> None:
        self._lock = threading.Lock()
        try:
            self._member = _opened(content)
        except _BROKEN as error:
            raise _damaged(error) from None

    def read(self, name: str, largest: int) -> bytes:
        """One file; raises DocumentError when it is not there, or cannot be had."""
        with self._lock:
            try:
                member = self._member(name, largest)
            except KeyError:
                raise DocumentError(
                    "the archive has no {name!r} any more", "the next pass looks again", name=name[:200]
                ) from None
            except (_TooMuch, *_BROKEN) as error:
                raise _damaged(error) from None
        if member.content is None:
            raise DocumentError("{name}: {cause}", "unpack the archive", name=name, cause=member.cause)
        return member.content


def _opened(content: bytes) -> Callable[[str, int], Member]:
    """What gives a file of at most so many octets by its name; it raises KeyError for one that is not there."""
    if content.startswith(SIGNATURE):
        packed = SevenZip(content, MOST_UNPACKED)
        entries = {entry.name: entry for entry in packed.entries[:MOST_MEMBERS]}
        return lambda name, largest: _seven_zip_member(packed, entries[name], largest)
    if content[:2] == b"PK":
        zipped = zipfile.ZipFile(io.BytesIO(content))
        return lambda name, largest: _zip_member(zipped, zipped.getinfo(name), largest)
    tarred = _open_tar(content, MOST_UNPACKED)
    listed = _listed(tarred)
    return lambda name, largest: _tar_member(tarred, listed[name], largest)


def _listed(packed: tarfile.TarFile) -> dict[str, tarfile.TarInfo]:
    """The first files of a tar by their names, as many as are looked at."""
    found = dict[str, tarfile.TarInfo]()
    try:
        for number, info in enumerate(packed):
            if number == MOST_MEMBERS:
                break
            found[info.name] = info
    except _TooMuch:
        pass
    return found
