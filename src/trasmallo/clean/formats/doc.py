"""DOC of Word 97 to 2003 (MS-DOC): text by its pieces, with headings, emphasis, list items, tables, notes and links.

Paragraph and character properties stand in pages of 512 bytes, by the place of the text in the file.
"""

from __future__ import annotations

import re
import struct
from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from trasmallo.clean.formats.doc_styles import Properties, character_styles, modifiers
from trasmallo.clean.formats.html_builder import HtmlBuilder, TextRun, Unreadable, inline
from trasmallo.clean.formats.ole import Compound, title_of

_MAGIC = 0xA5EC
"""Numbers of [MS-DOC]: signature of a Word file."""
_ENCRYPTED, _OTHER_TABLE = 0x0100, 0x0200
"""Flags of the file's head."""
# Places of (offset, length) pairs in the header: styles, properties of characters and paragraphs, and the pieces of the text.
_STYLES, _CHARACTERS, _PARAGRAPHS, _PIECES = 0xA2, 0xFA, 0x102, 0x1A2
_COMPRESSED = 1 << 30
"""Flag of a piece whose characters have one byte."""
_MOST_CHARACTERS = 20_000_000
"""Characters that are read; markup ends there."""
_IN_TABLE, _ROW_END, _LIST, _LEVEL, _OUTLINE, _STYLE = 0x2416, 0x2417, 0x460B, 0x260A, 0x2640, 0x4600
"""Modifiers of paragraphs ([MS-DOC], 2.6.2)."""
_BOLD, _ITALIC, _DELETED, _HIDDEN, _CHARACTER_STYLE = 0x0835, 0x0836, 0x0800, 0x083C, 0x4A30
"""Modifiers of characters ([MS-DOC], 2.6.1)."""
_AS_STYLE, _NOT_AS_STYLE = 128, 129
"""Operands that stand for the style's own value and its opposite."""
_LINK = re.compile(r'\s*HYPERLINK\s+"([^"]+)"')
_BEGIN, _SEPARATOR, _END = "\x13", "\x14", "\x15"
_BREAKS = {"\x0b": "\n", "\x0c": "\n", "\x1e": "‑", "\x1f": "\u00ad", "\t": "\t", "\xa0": "\xa0"}


class CharacterRun(NamedTuple):
    """Characters that stand together in the file: where, and how many bytes each has."""

    text: str
    place: int
    width: int


def read_doc(content: bytes, page: HtmlBuilder) -> None:
    """Write a Word document to the page."""
    compound = Compound(content)
    main = compound.stream("WordDocument")
    if len(main) < _PIECES + 8 or struct.unpack_from("<H", main)[0] != _MAGIC:
        raise Unreadable("it is no document of Word 97 or later", "save it as DOCX")
    flags = struct.unpack_from("<H", main, 10)[0]
    if flags & _ENCRYPTED:
        raise Unreadable("it is encrypted", "save it without a password")
    table = compound.stream("1Table" if flags & _OTHER_TABLE else "0Table")
    page.title = title_of(compound)
    try:
        pieces = _pieces(main, table)
        looks = PropertyRanges(main, table)
    except struct.error:
        raise Unreadable("its tables are damaged") from None
    _Reader(page, looks, _extents(main)).read(pieces)


def _extents(main: bytes) -> tuple[int, int, int]:
    """How many characters the text, its footnotes and its running headers have; what follows are comments and endnotes."""
    text, notes, headers = struct.unpack_from("<iii", main, 0x4C)
    return text, notes, headers


def _part(main: bytes, table: bytes, place: int) -> bytes:
    start, length = struct.unpack_from("<II", main, place)
    return table[start : start + length]


def _pieces(main: bytes, table: bytes) -> list[CharacterRun]:
    """The text in its order (MS-DOC 2.4.1, "Retrieving Text")."""
    content = _part(main, table, _PIECES)
    at = 0
    while content[at : at + 1] == b"\x01":
        at += 3 + struct.unpack_from("<H", content, at + 1)[0]
    if content[at : at + 1] != b"\x02":
        raise Unreadable("the table of its text is damaged")
    length = min(struct.unpack_from("<I", content, at + 1)[0], len(content) - at - 5)
    count = (length - 4) // 12
    ends = struct.unpack_from(f"<{count + 1}I", content, at + 5)
    found, room = [], _MOST_CHARACTERS
    for number in range(count):
        place = struct.unpack_from("<I", content, at + 5 + 4 * (count + 1) + 8 * number + 2)[0]
        size = min(max(ends[number + 1] - ends[number], 0), room)
        room -= size
        if place & _COMPRESSED:
            place = (place & ~_COMPRESSED) // 2
            found.append(CharacterRun(main[place : place + size].decode("cp1252", "replace"), place, 1))
        else:
            text = main[place : place + 2 * size].decode("utf-16le", "replace")
            found.append(CharacterRun(text, place, 2))
    return found


class PropertyRanges:
    """The properties of paragraphs and characters by their place in the file."""

    def __init__(self, main: bytes, table: bytes) -> None:
        self._main = main
        self._paragraphs = self._pages(_part(main, table, _PARAGRAPHS))
        self._characters = self._pages(_part(main, table, _CHARACTERS))
        self._styles = character_styles(_part(main, table, _STYLES))
        self._known: dict[tuple[int, bool], tuple[list[int], list[Properties]]] = {}
        # The next letter is mostly of the same run.
        self._last: dict[bool, tuple[int, int, Properties]] = {True: (0, 0, {}), False: (0, 0, {})}

    @staticmethod
    def _pages(content: bytes) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Where each page's text begins, with the end of the last, and the numbers of the pages."""
        count = max((len(content) - 4) // 8, 0)
        if not count:
            return (), ()
        return struct.unpack_from(f"<{count + 1}I", content), struct.unpack_from(f"<{count}I", content, 4 * (count + 1))

    def paragraph(self, place: int) -> Properties:
        """What holds for the paragraph whose text stands at a place."""
        return self._at(place, self._paragraphs, paragraphs=True)

    def character(self, place: int) -> Properties:
        """What holds for the character at a place."""
        return self._at(place, self._characters, paragraphs=False)

    def switched_on(self, look: Properties, what: int) -> bool:
        """Whether a switch such as bold is on, by the character's own properties or those of its style."""
        by_style = bool(self._styles.get(look.get(_CHARACTER_STYLE, 0), {}).get(what, 0))
        own = look.get(what, _AS_STYLE)
        return by_style != (own == _NOT_AS_STYLE) if own >= _AS_STYLE else bool(own)

    def _at(self, place: int, pages: tuple[tuple[int, ...], tuple[int, ...]], *, paragraphs: bool) -> Properties:
        low, high, last = self._last[paragraphs]
        if low <= place < high:
            return last
        index = bisect_right(pages[0], place) - 1
        if not 0 <= index < len(pages[1]):
            return {}
        number = pages[1][index] & 0x3FFFFF
        key = (number, paragraphs)
        if key not in self._known:
            self._known[key] = self._page(self._main[number * 512 : number * 512 + 512], paragraphs=paragraphs)
        starts, found = self._known[key]
        at = bisect_right(starts, place) - 1
        if not 0 <= at < len(found):
            return {}
        self._last[paragraphs] = (starts[at], starts[at + 1], found[at])
        return found[at]

    def _page(self, content: bytes, *, paragraphs: bool) -> tuple[list[int], list[Properties]]:
        """A page of runs: their places, then where in the page the properties of each stand, in units of two bytes."""
        count = content[511] if len(content) == 512 else 512
        step = 13 if paragraphs else 1
        if 4 * (count + 1) + step * count > 511:
            return [], []
        starts = list(struct.unpack_from(f"<{count + 1}I", content))
        found = []
        for number in range(count):
            at = 2 * content[4 * (count + 1) + step * number]
            found.append(_paragraph(content, at) if paragraphs else _character(content, at))
        return starts, found


def _paragraph(content: bytes, at: int) -> Properties:
    """The style of a paragraph and what it changes; a length of 0 means that the next byte has it."""
    if not at or at >= len(content) - 2:
        return {}
    start, length = (at + 1, 2 * content[at] - 1) if content[at] else (at + 2, 2 * content[at + 1])
    body = content[start : start + length]
    return {_STYLE: int.from_bytes(body[:2], "little")} | modifiers(body[2:])


def _character(content: bytes, at: int) -> Properties:
    return modifiers(content[at + 1 : at + 1 + content[at]]) if at else {}


class _Reader:
    def __init__(self, page: HtmlBuilder, looks: PropertyRanges, extents: tuple[int, int, int]) -> None:
        self._page = page
        self._looks = looks
        self._text_end, notes, headers = extents[0], extents[1], extents[2]
        self._headers = range(self._text_end + notes, self._text_end + notes + headers)
        self._runs: list[TextRun] = []
        self._cell: list[str] = []
        self._row: list[str] = []
        self._in_table = False
        self._fields: list[list[str]] = []

    def read(self, pieces: list[CharacterRun]) -> None:
        for number, (letter, place) in enumerate(_characters(pieces)):
            if number in self._headers:
                continue
            if letter in "\r\x07":
                self._end_paragraph(letter, place, note=number >= self._text_end)
            else:
                self._letter(letter, place)
        self._end_paragraph("\r", 0, note=False)
        self._end_table()

    def _letter(self, letter: str, place: int) -> None:
        look = self._looks.character(place)
        if letter == _BEGIN:
            self._fields.append(["", ""])
        elif letter == _SEPARATOR and self._fields:
            found = _LINK.match(self._fields[-1][0])
            self._fields[-1] = ["shown", found[1] if found else ""]
        elif letter == _END and self._fields:
            self._fields.pop()
        elif self._fields and self._fields[-1][0] != "shown":
            self._fields[-1][0] += letter
        elif not (look.get(_DELETED) or look.get(_HIDDEN)):
            text = _BREAKS.get(letter, letter if letter >= " " else "")
            href = next((field[1] for field in reversed(self._fields) if field[1]), "")
            self._runs.append(TextRun(text, self._looks.switched_on(look, _BOLD), self._looks.switched_on(look, _ITALIC), href))

    def _end_paragraph(self, letter: str, place: int, *, note: bool) -> None:
        look = self._looks.paragraph(place) if place else {}
        runs, self._runs = self._runs, []
        if look.get(_IN_TABLE) or letter == "\x07":
            self._tabulate(letter, inline(runs), row_ends=bool(look.get(_ROW_END)))
            return
        self._end_table()
        level = _level(look)
        if note:
            self._page.block("aside", inline(runs))
        elif level:
            self._page.heading(level, inline(run._replace(bold=False) for run in runs))
        elif look.get(_LIST):
            self._page.item(look.get(_LEVEL, 0), False, inline(runs))
        else:
            self._page.block("p", inline(runs))

    def _tabulate(self, letter: str, html: str, *, row_ends: bool) -> None:
        if not self._in_table:
            self._page.write("<table>")
            self._in_table = True
        if row_ends:
            row, self._row = self._row, []
            self._page.write("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" if any(row) else "")
            return
        self._cell += [html] if html else []
        if letter == "\x07":
            self._row.append("<br>".join(self._cell))
            self._cell = []

    def _end_table(self) -> None:
        if self._in_table:
            self._tabulate("\x07", "", row_ends=True)
            self._page.write("</table>")
            self._in_table = False


def _characters(pieces: list[CharacterRun]) -> Iterator[tuple[str, int]]:
    for piece in pieces:
        for number, letter in enumerate(piece.text):
            yield letter, piece.place + number * piece.width


def _level(look: Properties) -> int:
    """The level of a heading: styles 1 to 9 are Word's headings, and a paragraph may have an outline level of its own."""
    if 1 <= look.get(_STYLE, 0) <= 9:
        return look[_STYLE]
    return look[_OUTLINE] + 1 if look.get(_OUTLINE, 9) < 9 else 0
