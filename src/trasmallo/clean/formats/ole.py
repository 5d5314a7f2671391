"""OLE compound files (MS-CFB), which hold the documents of older Office programs as named streams."""

from __future__ import annotations

import struct

from trasmallo.clean.formats.html_builder import Unreadable

_END = 0xFFFFFFFA
"""Sector numbers from here on mean an end or nothing."""
_ENTRY = 128
"""Bytes of an entry of the directory ([MS-CFB], 2.6.1)."""
_STREAM, _ROOT = 2, 5
"""Kinds of entries."""
_MOST_ENTRIES = 10_000
"""Entries of a directory that are read. Judgement: more is an attack."""


class Compound:
    """The streams of a compound file by name; chains that break or run in circles end where they do."""

    def __init__(self, content: bytes) -> None:
        self._content = content
        try:
            shift, mini_shift = struct.unpack_from("<HH", content, 30)
            self._directory, _, self._cutoff, self._mini_fat, _, difat, _ = struct.unpack_from("<7I", content, 48)
        except struct.error:
            raise Unreadable("the file is cut off in its header") from None
        if shift not in (9, 12) or mini_shift != 6:
            raise Unreadable("its header is damaged")
        self._size = 1 << shift
        self._fat = self._read_fat(difat)
        self._entries = self._read_directory()
        root = next((entry for entry in self._entries.values() if entry[0] == _ROOT), (_ROOT, _END, 0))
        self._mini = self._chain(root[1])
        self._minis = self._numbers(self._chain(self._mini_fat))

    def __contains__(self, name: str) -> bool:
        return name in self._entries

    def stream(self, name: str) -> bytes:
        """The bytes of a stream; raises Unreadable when it is missing."""
        if name not in self._entries:
            raise Unreadable(f"its stream {name} is missing")
        _, start, size = self._entries[name]
        return (self._mini_chain(start) if size < self._cutoff else self._chain(start))[:size]

    def _sector(self, number: int) -> bytes:
        at = (number + 1) * self._size
        return self._content[at : at + self._size]

    def _read_fat(self, difat: int) -> list[int]:
        places = list(struct.unpack("<109I", self._content[76:512].ljust(436, b"\xff")))
        seen = set()
        while difat < _END and difat not in seen:
            seen.add(difat)
            *more, difat = self._numbers(self._sector(difat)) or [_END]
            places += more
        last = len(self._content) // self._size
        tables = dict.fromkeys(place for place in places if place <= last)
        return [number for place in tables for number in self._numbers(self._sector(place))]

    @staticmethod
    def _numbers(content: bytes) -> list[int]:
        return list(struct.unpack(f"<{len(content) // 4}I", content[: len(content) // 4 * 4]))

    def _chain(self, number: int) -> bytes:
        found, seen = [], set()
        while number < len(self._fat) and number not in seen:
            seen.add(number)
            found.append(self._sector(number))
            number = self._fat[number]
        return b"".join(found)

    def _mini_chain(self, number: int) -> bytes:
        found, seen = [], set()
        while number < len(self._minis) and number not in seen:
            seen.add(number)
            found.append(self._mini[number * 64 : number * 64 + 64])
            number = self._minis[number]
        return b"".join(found)

    def _read_directory(self) -> dict[str, tuple[int, int, int]]:
        """Name to kind, first sector and size. Storages are looked through flat: the streams we want stand at the top."""
        entries: dict[str, tuple[int, int, int]] = {}
        content = self._chain(self._directory)
        for at in range(0, min(len(content), _MOST_ENTRIES * _ENTRY) - _ENTRY + 1, _ENTRY):
            length, kind = struct.unpack_from("<HB", content, at + 64)
            if kind in (_STREAM, _ROOT) and 2 <= length <= 64:
                name = content[at : at + length - 2].decode("utf-16le", "replace")
                start, size = struct.unpack_from("<II", content, at + 116)
                entries.setdefault(name, (kind, start, size))
        return entries


def title_of(compound: Compound) -> str:
    """The title among the properties of a document (MS-OLEPS), "" without one."""
    try:
        content = compound.stream("\x05SummaryInformation")
        section = struct.unpack_from("<I", content, 44)[0]
        count = min(struct.unpack_from("<I", content, section + 4)[0], 100)
        properties = dict(struct.unpack_from("<II", content, section + 8 + 8 * number) for number in range(count))
        page = struct.unpack_from("<H", content, section + properties[1] + 4)[0] if 1 in properties else 1252
        at = section + properties[2]
        kind, length = struct.unpack_from("<II", content, at)
        if kind != 30:
            return ""
        codec = "utf-8" if page == 65001 else f"cp{page}"
        return content[at + 8 : at + 8 + min(length, 1000)].split(b"\0")[0].decode(codec, "replace")
    except (Unreadable, struct.error, KeyError, LookupError):
        return ""
