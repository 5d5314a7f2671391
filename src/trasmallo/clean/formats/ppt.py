"""PPT of PowerPoint 97 to 2003 (MS-PPT): a section a slide, with its title, its texts, its tables and its notes."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import NamedTuple

from trasmallo.clean.formats.html_builder import HtmlBuilder, Unreadable
from trasmallo.clean.formats.ole import Compound, title_of
from trasmallo.clean.formats.ppt_text import SlideText, TextLink

_SLIDE, _NOTES, _PERSIST, _LIST = 1006, 1008, 1011, 4080
"""Kinds of records of [MS-PPT], 2.13.24, and of drawings, [MS-ODRAW]."""
_HEADER, _CHARACTERS, _STYLE, _BYTES = 3999, 4000, 4001, 4008  # MS-PPT 2.13.24: types of records
_WORDS, _ADDRESS, _LINKED, _LINK, _CLICK = 4026, 4051, 4055, 4063, 4083  # MS-PPT 2.13.24: types of records
_GROUP, _SHAPE, _PLACE, _MORE_PROPERTIES = 0xF003, 0xF004, 0xF00F, 0xF122  # MS-ODRAW 2.2: types of records
_IS_TABLE = 0x039F  # MS-ODRAW 2.3: the property that makes a group a table
_USER_EDIT, _DIRECTORY = 4085, 6002  # MS-PPT 2.13.24: types of records
_TITLES, _LISTS, _NOTE = (0, 6), (1, 5, 7, 8), 2
"""Kinds of texts: titles, lists, notes."""
_DEEPEST = 32
"""Records inside records. Judgement: more is an attack."""
_MOST_EDITS = 1_000
"""Times a file was saved that are followed. Judgement: more is a circle."""
_MOST_RECORDS = 2_000_000
"""Records that are read. Judgement."""
_ENCRYPTED = 0xF3D1C4DF
"""Signature of an encrypted file ([MS-PPT], 2.3.2)."""


Rows = list[list[str]]
"""The cells of a table, a list a row."""


class PowerPointRecord(NamedTuple):
    """A record: its instance, its type, where its content begins and ends, and whether it holds records."""

    instance: int
    kind: int
    start: int
    end: int
    container: bool


def read_ppt(content: bytes, page: HtmlBuilder) -> None:
    """Write a presentation to the page."""
    compound = Compound(content)
    _refuse_encrypted(compound)
    page.title = title_of(compound)
    _Reader(compound.stream("PowerPoint Document"), page).read(_current_edit(compound))


def _refuse_encrypted(compound: Compound) -> None:
    if "EncryptedSummary" in compound or _token(compound) == _ENCRYPTED:
        raise Unreadable("it is encrypted", "save it without a password")


def _token(compound: Compound) -> int:
    user = compound.stream("Current User") if "Current User" in compound else b""
    return struct.unpack_from("<I", user, 12)[0] if len(user) >= 20 else 0


def _current_edit(compound: Compound) -> int:
    user = compound.stream("Current User") if "Current User" in compound else b""
    return struct.unpack_from("<I", user, 16)[0] if len(user) >= 20 else 0


class _Reader:
    def __init__(self, content: bytes, page: HtmlBuilder) -> None:
        self._content = content
        self._page = page
        self._left = _MOST_RECORDS
        self._addresses: dict[int, str] = {}

    def read(self, edit: int) -> None:
        """Slides in their order with the texts of their outline and then of their drawings; without an order, as they come."""
        places = self._places(edit)
        records = list(self._walk(0, len(self._content), 2))
        self._addresses = self._find_addresses(list(self._walk(0, len(self._content), 4)))
        lists = [record for record in records if record.kind == _LIST and record.instance == 0]
        slides = [slide for record in lists for slide in self._outline(record)]
        for number, texts in slides:
            self._slide(texts, self._record(places.get(number, -1)))
        for record in records:
            if record.kind == _SLIDE and not slides:
                self._slide([], record)
            elif record.kind == _NOTES and (not places or record.start - 8 in places.values()):
                self._notes(record)

    def _record(self, at: int) -> PowerPointRecord | None:
        if not 0 <= at <= len(self._content) - 8:
            return None
        head, kind, length = struct.unpack_from("<HHI", self._content, at)
        return PowerPointRecord(head >> 4, kind, at + 8, min(at + 8 + length, len(self._content)), head & 15 == 15)

    def _walk(self, start: int, end: int, deepest: int = _DEEPEST) -> Iterator[PowerPointRecord]:
        """The records between two places, those inside a container after it."""
        ends = [end]
        while ends and self._left > 0:
            record = self._record(start) if start + 8 <= ends[-1] else None
            if record is None:
                start = ends.pop()
                continue
            self._left -= 1
            record = record._replace(end=min(record.end, ends[-1]))
            yield record
            if record.container and len(ends) < deepest:
                ends.append(record.end)
                start = record.start
            else:
                start = record.end

    def _places(self, edit: int) -> dict[int, int]:
        """Where each numbered object stands; later edits come first and win."""
        places: dict[int, int] = {}
        for _ in range(_MOST_EDITS):
            record = self._record(edit) if edit else None
            if record is None or record.kind != _USER_EDIT or record.end - record.start < 16:
                break
            edit, directory = struct.unpack_from("<II", self._content, record.start + 8)
            self._directory(self._record(directory), places)
        return places

    def _directory(self, record: PowerPointRecord | None, places: dict[int, int]) -> None:
        if record is None or record.kind != _DIRECTORY:
            return
        numbers = struct.unpack(
            f"<{(record.end - record.start) // 4}I",
            self._content[record.start : record.start + (record.end - record.start) // 4 * 4],
        )
        at = 0
        while at < len(numbers):
            first, count = numbers[at] & 0xFFFFF, numbers[at] >> 20
            for step, place in enumerate(numbers[at + 1 : at + 1 + count]):
                places.setdefault(first + step, place)
            at += 1 + count

    def _outline(self, record: PowerPointRecord) -> list[tuple[int, list[SlideText]]]:
        """The slides of the outline: the number of each and its texts."""
        slides: list[tuple[int, list[SlideText]]] = []
        persists = [inner for inner in self._walk(record.start, record.end, 1) if inner.kind == _PERSIST]
        ends = [*(inner.start - 8 for inner in persists[1:]), record.end]
        for inner, end in zip(persists, ends, strict=False):  # without any there is one end too many
            if inner.end - inner.start >= 4:
                slides.append((self._number(inner), self._texts(inner.end, end)))
        return slides

    def _texts(self, start: int, end: int) -> list[SlideText]:
        """The texts between two places with what is told of each after it."""
        found: list[SlideText] = []
        kind, link = -1, 0
        for inner in self._walk(start, end):
            if inner.kind == _HEADER:
                kind = self._number(inner)
            elif inner.kind in (_CHARACTERS, _BYTES):
                found.append(SlideText(kind, self._content[inner.start : inner.end], 2 if inner.kind == _CHARACTERS else 1))
            elif found and inner.kind == _STYLE:
                found[-1] = found[-1]._replace(style=self._content[inner.start : inner.end])
            elif inner.kind == _CLICK:
                link = self._number(inner, 4)
            elif found and inner.kind == _LINK and link in self._addresses:
                span = TextLink(self._number(inner), self._number(inner, 4), self._addresses[link])
                found[-1] = found[-1]._replace(links=(*found[-1].links, span))
        return found

    def _find_addresses(self, records: list[PowerPointRecord]) -> dict[int, str]:
        """Where the links of the show lead, by their numbers: of the words of one, the last are its address."""
        found: dict[int, str] = {}
        number = 0
        for record in records:
            for inner in self._walk(record.start, record.end) if record.kind == _LINKED else ():
                if inner.kind == _ADDRESS:
                    number = self._number(inner)
                elif inner.kind == _WORDS and inner.instance == 1:
                    found[number] = self._content[inner.start : inner.end].decode("utf-16le", "replace")
        return found

    def _drawn(self, slide: PowerPointRecord) -> tuple[list[SlideText], list[Rows]]:
        """The texts of a slide's drawing, and its tables, which are groups of shapes."""
        texts, tables, begin = [], [], slide.start
        for group in self._walk(slide.start, slide.end):
            if group.kind == _GROUP and group.start >= begin and self._is_table(group):
                texts += self._texts(begin, group.start - 8)
                tables.append(self._rows(group))
                begin = group.end
        return texts + self._texts(begin, slide.end), tables

    def _is_table(self, group: PowerPointRecord) -> bool:
        """Whether the first shape of a group, which stands for the group, says so."""
        first = next((inner for inner in self._walk(group.start, group.end, 1) if inner.kind == _SHAPE), None)
        for inner in self._walk(first.start, first.end, 1) if first else ():
            if inner.kind == _MORE_PROPERTIES:
                count = min(inner.instance, (inner.end - inner.start) // 6)
                pairs = struct.iter_unpack("<HI", self._content[inner.start : inner.start + 6 * count])
                return any(what & 0x3FFF == _IS_TABLE and value & 1 for what, value in pairs)
        return False

    def _rows(self, group: PowerPointRecord) -> Rows:
        """The cells of a table, by how far down and then how far right they begin; lines between them have no text."""
        rows: dict[int, dict[int, str]] = {}
        for shape in self._walk(group.start, group.end, 1):
            place = next((inner for inner in self._walk(shape.start, shape.end, 1) if inner.kind == _PLACE), None)
            texts = self._texts(shape.start, shape.end)
            if texts and place and place.end - place.start >= 8:
                left, top = struct.unpack_from("<ii", self._content, place.start)
                rows.setdefault(top, {})[left] = "<br>".join(line for text in texts for line in text.lines() if line)
        lefts = sorted({left for row in rows.values() for left in row})
        return [[row.get(left, "") for left in lefts] for _, row in sorted(rows.items())]

    def _number(self, record: PowerPointRecord, offset: int = 0) -> int:
        return int.from_bytes(self._content[record.start + offset : min(record.start + offset + 4, record.end)], "little")

    def _slide(self, outline: list[SlideText], drawn: PowerPointRecord | None) -> None:
        texts, tables = self._drawn(drawn) if drawn and drawn.kind == _SLIDE else ([], [])
        self._page.write("<section>")
        for text in sorted(outline + texts, key=_no_title):
            self._write(text)
        for table in tables:
            self._page.table(table)
        self._page.write("</section>")

    def _write(self, text: SlideText) -> None:
        lines = list(filter(None, text.lines()))
        if text.kind in _TITLES:
            self._page.heading(2, " ".join(lines))
            return
        for line in lines:
            if text.kind in _LISTS:
                self._page.item(0, False, line)
            else:
                self._page.block("p", line)

    def _notes(self, record: PowerPointRecord) -> None:
        texts = [text for text in self._texts(record.start, record.end) if text.kind == _NOTE]
        self._page.block("aside", "<br>".join(line for text in texts for line in text.lines() if line))


def _no_title(text: SlideText) -> bool:
    return text.kind not in _TITLES
