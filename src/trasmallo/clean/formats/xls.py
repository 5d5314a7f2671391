"""XLS of Excel 97 to 2003 (MS-XLS, BIFF8): a heading and a table a sheet; formulas as their values."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import NamedTuple

from trasmallo.clean.formats.html_builder import HtmlBuilder, Unreadable, plain
from trasmallo.clean.formats.ole import Compound, title_of
from trasmallo.clean.formats.xlsx import CellFormats, format_kind

_EOF, _SHEET, _FILEPASS, _CONTINUE = 0x0A, 0x85, 0x2F, 0x3C
"""Kinds of records of [MS-XLS], 2.3."""
_STRINGS, _FONT, _FORMAT, _XF, _EPOCH = 0xFC, 0x31, 0x41E, 0xE0, 0x22  # MS-XLS 2.3: numbers of records
# MS-XLS 2.3: numbers of records.
_LABEL_SST, _LABEL, _NUMBER, _RK, _MULTIPLE_RK, _FORMULA, _STRING, _BOOLEAN = (
    0xFD,
    0x204,
    0x203,
    0x27E,
    0xBD,
    0x06,
    0x207,
    0x205,
)
_BIFF8 = 0x600
"""Version of Excel 97."""
_WIDEST, _MOST_CELLS = 256, 5_000_000
"""Columns of a sheet of that time; cells that are read, a judgement."""
_ERRORS = {0: "#NULL!", 7: "#DIV/0!", 15: "#VALUE!", 23: "#REF!", 29: "#NAME?", 36: "#NUM!", 42: "#N/A"}


class WorkbookRecord(NamedTuple):
    """A record of the workbook: its kind, its bytes, and where it stands; `parts` are those of its continuations."""

    kind: int
    content: bytes
    at: int
    parts: list[bytes]


def read_xls(content: bytes, page: HtmlBuilder) -> None:
    """Write all sheets that are not hidden to the page."""
    compound = Compound(content)
    page.title = title_of(compound)
    stream = compound.stream("Workbook")
    if len(stream) < 8 or struct.unpack_from("<H", stream, 4)[0] != _BIFF8:
        raise Unreadable("it is no workbook of Excel 97 or later", "save it as XLSX")
    book = _Book()
    for record in _records(stream, 0):
        book.take(record)
    looks = book.looks()
    for name, place in book.sheets:
        rows = _rows(_records(stream, place), book.strings, looks)
        if rows:
            page.heading(2, plain(name))
            page.table(rows)


def _records(stream: bytes, at: int) -> Iterator[WorkbookRecord]:
    """The records from a place to the end of its part."""
    waiting: WorkbookRecord | None = None
    while at + 4 <= len(stream):
        kind, length = struct.unpack_from("<HH", stream, at)
        content = stream[at + 4 : at + 4 + length]
        if kind == _CONTINUE and waiting:
            waiting.parts.append(content)
        else:
            if waiting:
                yield waiting
            waiting = WorkbookRecord(kind, content, at, [content])
        if kind == _EOF:
            break
        at += 4 + length
    if waiting:
        yield waiting


class _Book:
    """What the first part of a workbook says for all sheets."""

    def __init__(self) -> None:
        self.sheets: list[tuple[str, int]] = []
        self.strings: list[str] = []
        self._fonts: list[bool] = []
        self._formats: dict[int, str] = {}
        self._styles: list[tuple[int, int]] = []
        self._epoch = 0

    def take(self, record: WorkbookRecord) -> None:
        content = record.content
        if record.kind == _FILEPASS:
            raise Unreadable("it is encrypted", "save it without a password")
        if record.kind == _STRINGS:
            self.strings = list(_shared(record.parts))
        elif record.kind == _SHEET and len(content) >= 8 and content[4] & 3 == 0 and content[5] == 0:
            self.sheets.append((_short(content[6:]), struct.unpack_from("<I", content)[0]))
        elif record.kind == _FONT and len(content) >= 8:
            self._fonts.append(struct.unpack_from("<H", content, 6)[0] >= 600)
        elif record.kind == _FORMAT and len(content) >= 5:
            self._formats[struct.unpack_from("<H", content)[0]] = _long(content[2:])
        elif record.kind == _XF and len(content) >= 4:
            self._styles.append(struct.unpack_from("<HH", content))
        elif record.kind == _EPOCH:
            self._epoch = int(content[:1] == b"\1")

    def looks(self) -> CellFormats:
        """The formats of cells. Fonts are counted without a fourth one, which does not exist (MS-XLS 2.5.129)."""
        bold = []
        for font, _ in self._styles:
            index = font - (font > 4)
            bold.append(index < len(self._fonts) and self._fonts[index])
        return CellFormats(
            bold, [format_kind(number, self._formats.get(number, "")) for _, number in self._styles], self._epoch
        )


def _short(content: bytes) -> str:
    """A string with a length of one byte."""
    return _characters(content[2:], content[0], content[1] & 1) if len(content) > 2 else ""


def _long(content: bytes) -> str:
    """A string with a length of two bytes."""
    return _characters(content[3:], struct.unpack_from("<H", content)[0], content[2] & 1) if len(content) > 3 else ""


def _characters(content: bytes, count: int, wide: int) -> str:
    return content[: 2 * count].decode("utf-16le", "replace") if wide else content[:count].decode("latin-1")


def _shared(parts: list[bytes]) -> Iterator[str]:
    """The shared strings; a string that goes on in the next part begins there with its width again."""
    reader = _Parts(parts)
    count = int.from_bytes(reader.take(8)[4:], "little")
    for _ in range(count):
        head = reader.take(3)
        if len(head) < 3:
            return
        length, flags = struct.unpack("<HB", head)
        runs = int.from_bytes(reader.take(2), "little") if flags & 8 else 0
        extra = int.from_bytes(reader.take(4), "little") if flags & 4 else 0
        yield reader.text(length, flags & 1)
        reader.take(4 * runs + extra)


class _Parts:
    def __init__(self, parts: list[bytes]) -> None:
        self._parts = parts
        self._part = 0
        self._at = 0

    def take(self, size: int) -> bytes:
        found = b""
        while size > len(found) and self._part < len(self._parts):
            piece = self._parts[self._part][self._at : self._at + size - len(found)]
            found += piece
            self._at += len(piece)
            if len(found) < size:
                self._part, self._at = self._part + 1, 0
        return found

    def text(self, length: int, wide: int) -> str:
        found = ""
        while length > len(found) and self._part < len(self._parts):
            rest = self._parts[self._part][self._at :]
            piece = _characters(rest, length - len(found), wide)
            found += piece
            self._at += len(piece) * (2 if wide else 1)
            if length > len(found):
                self._part, self._at = self._part + 1, 1
                wide = self._parts[self._part][0] & 1 if self._part < len(self._parts) and self._parts[self._part] else 0
        return found


def _rows(records: Iterator[WorkbookRecord], strings: list[str], looks: CellFormats) -> list[list[str]]:
    rows: dict[int, dict[int, str]] = {}
    count, formula = 0, (0, 0, 0)
    for record in records:
        if record.kind == _STRING:
            rows.setdefault(formula[0], {})[formula[1]] = plain(_long(b"".join(record.parts)))
        if record.kind == _FORMULA and len(record.content) >= 6:
            formula = struct.unpack_from("<HHH", record.content)
        for row, column, style, text in _cells(record, strings, looks):
            count += 1
            if column < _WIDEST and text and count < _MOST_CELLS:
                html = plain(text)
                rows.setdefault(row, {})[column] = f"<b>{html}</b>" if looks.bold(style) else html
    return [[cells.get(column, "") for column in range(max(cells) + 1)] for _, cells in sorted(rows.items())]


def _cells(record: WorkbookRecord, strings: list[str], looks: CellFormats) -> Iterator[tuple[int, int, int, str]]:
    content, kind = record.content, record.kind
    if kind not in (_LABEL_SST, _LABEL, _NUMBER, _RK, _MULTIPLE_RK, _FORMULA, _BOOLEAN) or len(content) < 8:
        return
    row, column, style = struct.unpack_from("<HHH", content)
    if kind == _MULTIPLE_RK:
        for number in range((len(content) - 6) // 6):
            style, value = struct.unpack_from("<HI", content, 4 + 6 * number)
            yield row, column + number, style, looks.number(repr(_rk(value)), style)
    else:
        yield row, column, style, _shown(kind, content[6:], style, strings, looks)


def _shown(kind: int, content: bytes, style: int, strings: list[str], looks: CellFormats) -> str:
    if kind == _LABEL_SST and len(content) >= 4:
        index = struct.unpack_from("<I", content)[0]
        return strings[index] if index < len(strings) else ""
    if kind == _LABEL:
        return _long(content)
    if kind == _BOOLEAN:
        return _ERRORS.get(content[0], "") if content[1:2] == b"\1" else str(bool(content[0])).upper()
    if kind == _RK and len(content) >= 4:
        return looks.number(repr(_rk(struct.unpack_from("<I", content)[0])), style)
    if len(content) < 8 or (kind == _FORMULA and content[6:8] == b"\xff\xff"):
        return (
            {1: str(content[2:3] == b"\1").upper(), 2: _ERRORS.get(content[2], "")}.get(content[0], "")
            if len(content) > 2
            else ""
        )
    return looks.number(repr(struct.unpack_from("<d", content)[0]), style)


def _rk(value: int) -> float:
    """A number in 30 bits: an integer or the head of a float, perhaps a hundredfold (MS-XLS 2.5.217)."""
    if value & 2:
        number = float((value >> 2) - (1 << 30) if value & 0x80000000 else value >> 2)
    else:
        number = struct.unpack("<d", bytes(4) + struct.pack("<I", value & 0xFFFFFFFC))[0]
    return number / 100 if value & 1 else number
