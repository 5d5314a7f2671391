"""PPT of PowerPoint 97 to 2003 (MS-PPT): a section a slide, with its title, its texts and its notes."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import NamedTuple

from trasmallo.clean.formats.marked import Marked, Refused, plain
from trasmallo.clean.formats.ole import Compound, title_of

_SLIDE, _NOTES, _PERSIST, _LIST = 1006, 1008, 1011, 4080
_HEADER, _CHARACTERS, _BYTES = 3999, 4000, 4008
_USER_EDIT, _DIRECTORY = 4085, 6002
_TITLES, _LISTS, _NOTE = (0, 6), (1, 5, 7, 8), 2
_DEEPEST = 32
_MOST_EDITS = 1_000
_MOST_RECORDS = 2_000_000
_ENCRYPTED = 0xF3D1C4DF


class Record(NamedTuple):
    """A record: its instance, its type, where its content begins and ends, and whether it holds records."""

    instance: int
    kind: int
    start: int
    end: int
    container: bool


def read_ppt(content: bytes, page: Marked) -> None:
    """Write a presentation to the page."""
    compound = Compound(content)
    _refuse_encrypted(compound)
    page.title = title_of(compound)
    _Reader(compound.stream("PowerPoint Document"), page).read(_current_edit(compound))


def _refuse_encrypted(compound: Compound) -> None:
    if "EncryptedSummary" in compound or _token(compound) == _ENCRYPTED:
        raise Refused("it is encrypted", "save it without a password")


def _token(compound: Compound) -> int:
    user = compound.stream("Current User") if "Current User" in compound else b""
    return struct.unpack_from("<I", user, 12)[0] if len(user) >= 20 else 0


def _current_edit(compound: Compound) -> int:
    user = compound.stream("Current User") if "Current User" in compound else b""
    return struct.unpack_from("<I", user, 16)[0] if len(user) >= 20 else 0


class _Reader:
    def __init__(self, content: bytes, page: Marked) -> None:
        self._content = content
        self._page = page
        self._left = _MOST_RECORDS

    def read(self, edit: int) -> None:
        """Slides in their order with the texts of their outline and then of their drawings; without an order, as they come."""
        places = self._places(edit)
        records = list(self._walk(0, len(self._content), 2))
        lists = [record for record in records if record.kind == _LIST and record.instance == 0]
        slides = [slide for record in lists for slide in self._outline(record)]
        for number, texts in slides:
            self._slide(texts, self._record(places.get(number, -1)))
        for record in records:
            if record.kind == _SLIDE and not slides:
                self._slide([], record)
            elif record.kind == _NOTES and (not places or record.start - 8 in places.values()):
                self._notes(record)

    def _record(self, at: int) -> Record | None:
        if not 0 <= at <= len(self._content) - 8:
            return None
        head, kind, length = struct.unpack_from("<HHI", self._content, at)
        return Record(head >> 4, kind, at + 8, min(at + 8 + length, len(self._content)), head & 15 == 15)

    def _walk(self, start: int, end: int, deepest: int = _DEEPEST) -> Iterator[Record]:
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

    def _directory(self, record: Record | None, places: dict[int, int]) -> None:
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

    def _outline(self, record: Record) -> list[tuple[int, list[tuple[int, str]]]]:
        """The slides of the outline: the number of each and its texts as (kind, text)."""
        slides: list[tuple[int, list[tuple[int, str]]]] = []
        kind = -1
        for inner in self._walk(record.start, record.end, 1):
            if inner.kind == _PERSIST and inner.end - inner.start >= 4:
                slides.append((struct.unpack_from("<I", self._content, inner.start)[0], []))
            elif inner.kind == _HEADER:
                kind = self._number(inner)
            elif slides and inner.kind in (_CHARACTERS, _BYTES):
                slides[-1][1].append((kind, self._text(inner)))
        return slides

    def _texts(self, record: Record) -> list[tuple[int, str]]:
        """The texts of a slide's drawing."""
        found, kind = [], -1
        for inner in self._walk(record.start, record.end):
            if inner.kind == _HEADER:
                kind = self._number(inner)
            elif inner.kind in (_CHARACTERS, _BYTES):
                found.append((kind, self._text(inner)))
        return found

    def _number(self, record: Record) -> int:
        return int.from_bytes(self._content[record.start : min(record.start + 4, record.end)], "little")

    def _text(self, record: Record) -> str:
        content = self._content[record.start : record.end]
        return content.decode("latin-1" if record.kind == _BYTES else "utf-16le", "replace")

    def _slide(self, outline: list[tuple[int, str]], drawn: Record | None) -> None:
        texts = outline + (self._texts(drawn) if drawn and drawn.kind == _SLIDE else [])
        self._page.write("<section>")
        for kind, text in sorted(texts, key=lambda text: text[0] not in _TITLES):
            lines = [plain(line.replace("\x0b", " ").strip()) for line in text.split("\r")]
            if kind in _TITLES:
                self._page.heading(2, " ".join(filter(None, lines)))
            else:
                for line in lines:
                    self._line(line, listed=kind in _LISTS)
        self._page.write("</section>")

    def _line(self, line: str, *, listed: bool) -> None:
        if listed:
            self._page.item(0, False, line)
        else:
            self._page.block("p", line)

    def _notes(self, record: Record) -> None:
        texts = [text for kind, text in self._texts(record) if kind == _NOTE]
        self._page.block("aside", "<br>".join(plain(line) for text in texts for line in text.split("\r") if line.strip()))
