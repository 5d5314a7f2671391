"""Files in archives of 7z: their list, and the octets of each.

The format keeps its list at the end, mostly packed itself, and its files in folders, each packed as one stream by a chain of
coders (`seven_zip_coders`). Every number is hostile: none is believed that the octets at hand could not hold, and nothing is
unpacked beyond what somebody wants. The library on PyPI would bring eight packages for coders that archives of documents do
not use.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from itertools import accumulate
from typing import NamedTuple

from trasmallo.crawl.files.seven_zip_coders import SEVERAL_INPUTS, Coder, Folder, SevenZipError, unpack

SIGNATURE = b"7z\xbc\xaf\x27\x1c"
_START = struct.Struct("<6xBBLQQL")
"""Version, checksum of what follows, then place, size and checksum of the list of files."""

_END, _HEADER, _PROPERTIES, _MORE_STREAMS, _STREAMS, _FILES, _PACKED, _FOLDERS, _SUBSTREAMS = range(9)
_SIZE, _CHECKSUM, _FOLDER, _UNPACKED_SIZES, _COUNTS, _EMPTY, _EMPTY_FILE, _ANTI, _NAMES = range(9, 18)
_PACKED_HEADER = 23
"""What the parts of a list are called in its octets, by the format."""

_LONGEST_HEADER = 50_000_000
"""Octets of a list of files. Judgement: names of half a million files."""
_MOST_CODERS = 32
"""Coders of one folder, as the format's own program allows."""


class Entry(NamedTuple):
    """A file: its name, and where it is in the unpacked octets of its folder; None for what has no octets."""

    name: str
    folder: int | None = None
    start: int = 0
    size: int = 0
    checksum: int | None = None


class SevenZip:
    """An archive in memory, of each folder `most` octets unpacked; raises SevenZipError for a list that cannot be read."""

    def __init__(self, content: bytes, most: int) -> None:
        self.most = most
        self.unpacked = 0
        self._content = content
        self._folders, self.entries = _list_of(content)
        self._kept: tuple[int, bytes | SevenZipError] = (-1, b"")

    def read(self, entry: Entry) -> bytes:
        """The octets of a file; raises SevenZipError when it cannot be had."""
        if entry.folder is None:
            return b""
        if entry.start + entry.size > self.most:
            raise SevenZipError(f"more than {self.most:,} bytes have to be unpacked for it")
        content = self._folder(entry.folder)[entry.start : entry.start + entry.size]
        if len(content) < entry.size or entry.checksum not in (None, zlib.crc32(content)):
            raise SevenZipError("its octets are not those that were packed")
        return content

    def _folder(self, number: int) -> bytes:
        """What a folder unpacks to, or why not. The last one is kept: files are mostly asked for one after the other."""
        if self._kept[0] != number:
            self._kept = -1, b""  # before the next one takes as much
            self._kept = number, self._unpack(self._folders[number])
        content = self._kept[1]
        if isinstance(content, SevenZipError):
            raise content
        return content

    def _unpack(self, folder: Folder) -> bytes | SevenZipError:
        most = min(folder.size, self.most)
        self.unpacked += most  # the work of one that turns out to be damaged counts, too
        try:
            return unpack(self._content, folder, most)
        except SevenZipError as error:
            return error


class _List(NamedTuple):
    """What an archive tells of itself."""

    folders: list[Folder]
    entries: list[Entry]


class _Stream(NamedTuple):
    """A file of a folder: its size and, where it is told, its checksum."""

    size: int
    checksum: int | None


class _Streams(NamedTuple):
    """The folders, and the files of each in order."""

    folders: list[Folder]
    files: list[list[_Stream]]


class _Cursor:
    """The octets of a list, read one part after the other; raises ValueError or IndexError behind their end."""

    def __init__(self, octets: bytes) -> None:
        self._octets, self._place = octets, 0

    def octet(self) -> int:
        self._place += 1
        return self._octets[self._place - 1]

    def take(self, number: int) -> bytes:
        """The next octets, all of them."""
        if number > len(self._octets) - self._place:
            raise ValueError("the list ends early")
        self._place += number
        return self._octets[self._place - number : self._place]

    def number(self) -> int:
        """A number of one to nine octets: ones at the start of the first say how many follow."""
        first, more = self.octet(), 0
        while more < 8 and first & 0x80 >> more:
            more += 1
        high = first & (0x7F >> more)
        return int.from_bytes(self.take(more), "little") | high << 8 * more

    def count(self) -> int:
        """A number of things that this list tells of: there cannot be more than it has octets."""
        if (number := self.number()) > len(self._octets):
            raise ValueError("the list promises more than it holds")
        return number

    def bits(self, number: int) -> list[bool]:
        """So many bits, the highest of an octet first."""
        octets = self.take(-(-number // 8))
        return [bool(octets[index // 8] & 0x80 >> index % 8) for index in range(number)]

    def checksums(self, number: int) -> list[int | None]:
        """For each of so many streams the checksum, None where there is none."""
        told = [True] * number if self.octet() else self.bits(number)
        return [int.from_bytes(self.take(4), "little") if one else None for one in told]

    def name(self) -> str:
        """A name in UTF-16 up to its end; half a surrogate stands as a sign of what is no text."""
        end = self._place
        while self._octets[end : end + 2] != b"\0\0":
            if (end := end + 2) >= len(self._octets):
                raise ValueError("the list ends early")
        return self.take(end + 2 - self._place)[:-2].decode("utf-16-le", "replace")

    def expect(self, kind: int) -> None:
        """The next octet, which can only be this."""
        if self.octet() != kind:
            raise ValueError("the list is in another order")


def _list_of(content: bytes) -> _List:
    try:
        return _read_list(content)
    except (IndexError, ValueError, struct.error):
        raise SevenZipError("its list of files cannot be read") from None


def _read_list(content: bytes) -> _List:
    _, _, _, place, size, checksum = _START.unpack_from(content)
    if not size:
        return _List([], [])
    header = content[_START.size + place :][:size]
    if len(header) != size or zlib.crc32(header) != checksum:
        raise SevenZipError("its list of files is cut off or damaged")
    cursor = _Cursor(header)
    kind = cursor.octet()
    if kind == _PACKED_HEADER:
        cursor = _Cursor(_unpacked_header(content, _read_streams(cursor)))
        kind = cursor.octet()
    if kind != _HEADER:
        raise SevenZipError("its list of files cannot be read")
    return _read_header(cursor)


def _unpacked_header(content: bytes, streams: _Streams) -> bytes:
    """A list that was packed itself."""
    folder, stream = streams.folders[0], streams.files[0][0]
    if stream.size > _LONGEST_HEADER:
        raise SevenZipError("its list of files is too long")
    header = unpack(content, folder, stream.size)
    if len(header) != stream.size or stream.checksum not in (None, zlib.crc32(header)):
        raise SevenZipError("its list of files is damaged")
    return header


def _read_header(cursor: _Cursor) -> _List:
    streams, entries = _Streams([], []), list[Entry]()
    while (kind := cursor.number()) != _END:
        if kind == _PROPERTIES:
            _skip_properties(cursor)
        elif kind == _MORE_STREAMS:
            _read_streams(cursor)
        elif kind == _STREAMS:
            streams = _read_streams(cursor)
        elif kind == _FILES:
            entries = _read_entries(cursor, streams)
        else:
            raise ValueError("the list has unknown parts")
    return _List(streams.folders, entries)


def _skip_properties(cursor: _Cursor) -> None:
    while cursor.number() != _END:
        cursor.take(cursor.number())


def _read_streams(cursor: _Cursor) -> _Streams:
    """Where streams are, how they are unpacked, and which files are in them."""
    place, sizes, folders = 0, list[int](), list[_FolderHead]()
    files: list[list[_Stream]] | None = None
    while (kind := cursor.number()) != _END:
        if kind == _PACKED:
            place, sizes = _read_packed(cursor)
        elif kind == _FOLDERS:
            folders = _read_folders(cursor)
        elif kind == _SUBSTREAMS:
            files = _read_substreams(cursor, folders)
        else:
            raise ValueError("the list has unknown parts")
    if files is None:
        files = [[_Stream(head.size, head.checksum)] for head in folders]
    return _Streams(list(_placed(folders, place, sizes)), files)


def _read_packed(cursor: _Cursor) -> tuple[int, list[int]]:
    """Where the first packed stream begins, and the size of each."""
    place, number, sizes = cursor.number(), cursor.count(), list[int]()
    while (kind := cursor.number()) != _END:
        if kind == _SIZE:
            sizes = [cursor.number() for _ in range(number)]
        elif kind == _CHECKSUM:
            cursor.checksums(number)
        else:
            raise ValueError("the list has unknown parts")
    return place, sizes


class _FolderHead(NamedTuple):
    """A folder before it is known where its packed streams are."""

    coders: list[Coder]
    streams: int
    last: int
    """Which of its coders, in the order of the list, gives what was packed."""
    size: int = 0
    checksum: int | None = None


def _placed(folders: list[_FolderHead], place: int, sizes: list[int]) -> Iterator[Folder]:
    starts, first = list(accumulate(sizes, initial=_START.size + place)), 0
    for head in folders:
        yield Folder(starts[first], sizes[first] if head.streams else 0, head.coders, head.size)
        first += head.streams


def _read_folders(cursor: _Cursor) -> list[_FolderHead]:
    cursor.expect(_FOLDER)
    number = cursor.count()
    cursor.expect(0)
    heads = [_read_folder(cursor) for _ in range(number)]
    cursor.expect(_UNPACKED_SIZES)
    sized = [head._replace(size=[cursor.number() for _ in head.coders][head.last]) for head in heads]
    if (kind := cursor.octet()) == _CHECKSUM:
        sized = [head._replace(checksum=one) for head, one in zip(sized, cursor.checksums(number), strict=True)]
        kind = cursor.octet()
    if kind != _END:
        raise ValueError("the list is in another order")
    return sized


def _read_folder(cursor: _Cursor) -> _FolderHead:
    """The coders of a folder in the order in which they unpack."""
    number = cursor.count()
    if not 0 < number <= _MOST_CODERS:
        raise ValueError("a folder with too many coders")
    read = [_read_coder(cursor) for _ in range(number)]
    outside = sum(inputs for _, inputs in read)
    pairs = {out: into for into, out in [(cursor.number(), cursor.number()) for _ in range(number - 1)]}
    streams = outside - len(pairs)
    first = [cursor.number() for _ in range(streams)] if streams > 1 else sorted(set(range(number)) - set(pairs.values()))
    order = _chain(first[0], pairs, number) if outside == number else range(number)
    coders = [read[index][0] for index in order]
    if outside != number:
        coders = [Coder(SEVERAL_INPUTS, b"")] * number
    last = next(index for index in range(number) if index not in pairs)
    return _FolderHead(coders, streams, last)


def _chain(first: int, pairs: dict[int, int], number: int) -> list[int]:
    """Coders in a row, each unpacking what the one before gives."""
    order = [first]
    while order[-1] in pairs and len(order) <= number:
        order.append(pairs[order[-1]])
    if len(order) != number:
        raise ValueError("coders in a circle")
    return order


def _read_coder(cursor: _Cursor) -> tuple[Coder, int]:
    """A coder and the number of its inputs; none has more than one output."""
    head = cursor.octet()
    method, inputs = cursor.take(head & 0x0F), 1
    if head & 0x10:
        inputs = cursor.count()
        cursor.expect(1)
    return Coder(method, cursor.take(cursor.number()) if head & 0x20 else b""), inputs


def _read_substreams(cursor: _Cursor, folders: list[_FolderHead]) -> list[list[_Stream]]:
    """The files of each folder."""
    counts, sizes = [1] * len(folders), list[list[int]]()
    kind = cursor.number()
    if kind == _COUNTS:
        counts = [cursor.count() for _ in folders]
        kind = cursor.number()
    for head, count in zip(folders, counts, strict=True):
        told = [cursor.number() for _ in range(count - 1)] if kind == _SIZE else []
        sizes.append([*told, head.size - sum(told)] if count else [])
        if len(sizes[-1]) != count or min(sizes[-1], default=0) < 0:
            raise ValueError("files that are larger than their folder")
    if kind == _SIZE:
        kind = cursor.number()
    checksums = _file_checksums(cursor, kind, folders, counts)
    return [[_Stream(size, next(checksums)) for size in one] for one in sizes]


def _file_checksums(cursor: _Cursor, kind: int, folders: list[_FolderHead], counts: list[int]) -> Iterator[int | None]:
    """The checksum of each file: that of its folder where it is alone there."""
    alone = [count == 1 and head.checksum is not None for head, count in zip(folders, counts, strict=True)]
    told: list[int | None] = []
    while kind != _END:
        if kind != _CHECKSUM:
            raise ValueError("the list has unknown parts")
        told = cursor.checksums(sum(count for count, one in zip(counts, alone, strict=True) if not one))
        kind = cursor.number()
    rest = iter(told)
    every = [
        [head.checksum] if one else [next(rest, None) for _ in range(count)]
        for head, count, one in zip(folders, counts, alone, strict=True)
    ]
    return (checksum for one in every for checksum in one)


def _read_entries(cursor: _Cursor, streams: _Streams) -> list[Entry]:
    """The files that the list names; folders and files that an archive deletes are none."""
    number = cursor.count()
    names, empty, told = [""] * number, [False] * number, dict[int, _Cursor]()
    while (kind := cursor.number()) != _END:
        told[kind] = _Cursor(cursor.take(cursor.number()))
    if _NAMES in told:
        told[_NAMES].expect(0)
        names = [told[_NAMES].name() for _ in range(number)]
    if _EMPTY in told:
        empty = told[_EMPTY].bits(number)
    files = _empty_files(told, sum(empty))
    places = _places(streams)
    found = list[Entry]()
    for name, is_empty in zip(names, empty, strict=True):
        if not is_empty:
            found.append(next(places)._replace(name=name))
        elif next(files):
            found.append(Entry(name))
    return found


def _empty_files(told: dict[int, _Cursor], number: int) -> Iterator[bool]:
    """Of all that has no octets whether it is a file, and not one that is to be deleted."""
    files = told[_EMPTY_FILE].bits(number) if _EMPTY_FILE in told else [False] * number
    deleted = told[_ANTI].bits(number) if _ANTI in told else [False] * number
    return (file and not gone for file, gone in zip(files, deleted, strict=True))


def _places(streams: _Streams) -> Iterator[Entry]:
    """Where each file with octets is."""
    for number, files in enumerate(streams.files):
        start = 0
        for stream in files:
            yield Entry("", number, start, stream.size, stream.checksum)
            start += stream.size
    raise ValueError("the list names more files than there are")
