"""A text of a PPT with its emphasis and links (MS-PPT 2.9.44, "StyleTextPropAtom").

The looks of a text stand after it: first those of its paragraphs, which are only passed over, then those of its characters.
"""

from __future__ import annotations

import struct
from bisect import bisect_right
from collections.abc import Iterator
from itertools import pairwise
from operator import itemgetter
from typing import NamedTuple

from trasmallo.clean.formats.html_builder import TextRun, inline

_CODINGS = {1: "latin-1", 2: "utf-16le"}
"""Encodings of texts by the last digit of their record."""
_BOLD, _ITALIC, _ANY_STYLE = 1, 2, 0x3EB7
"""Bits of the styles of characters ([MS-PPT], 2.9)."""
# What follows the mask of a paragraph or of characters, in its order: the bits that bring it, and its bytes.
_OF_PARAGRAPHS = (
    *((0x0F, 2), (0x80, 2), (0x10, 2), (0x40, 2), (0x20, 4), (0x800, 2), (0x1000, 2), (0x2000, 2), (0x4000, 2), (0x100, 2)),
    *((0x400, 2), (0x8000, 2)),
)
_AFTER_TABS = ((0x10000, 2), (0xE0000, 2), (0x200000, 2))
"""Fields of a style of paragraphs: their bit, and their bytes."""
_TABS = 0x100000
"""Bit of tab stops, which have a length of their own."""
# MS-PPT 2.9.13, TextCFException: bits of its mask and the bytes that each brings.
_OF_CHARACTERS = ((0x10000, 2), (0x200000, 2), (0x400000, 2), (0x800000, 2), (0x20000, 2), (0x40000, 4), (0x80000, 2))


class TextLink(NamedTuple):
    """The characters from `begin` to `end` lead somewhere."""

    begin: int
    end: int
    href: str


class SlideText(NamedTuple):
    """The bytes of a text, `width` of them a character; `kind` says what it is on its slide, `style` how it looks."""

    kind: int
    content: bytes
    width: int
    style: bytes = b""
    links: tuple[TextLink, ...] = ()

    def lines(self) -> list[str]:
        """Its paragraphs as HTML."""
        lines: list[list[TextRun]] = [[]]
        for run in self._runs():
            first, *others = run.text.replace("\x0b", "\n").split("\r")
            lines[-1].append(run._replace(text=first))
            lines += ([run._replace(text=other)] for other in others)
        return [inline(line) for line in lines]

    def _runs(self) -> Iterator[TextRun]:
        number = len(self.content) // self.width
        looks = [(0, 0), *_looks(self.style, number)]
        links = [TextLink(0, 0, ""), *sorted(self.links)]
        cuts = {begin for begin, _ in looks} | {place for link in links for place in link[:2]}
        for begin, end in pairwise([*sorted(cut for cut in cuts if cut < number), number]):
            _, style = looks[bisect_right(looks, begin, key=itemgetter(0)) - 1]
            link = links[bisect_right(links, begin, key=itemgetter(0)) - 1]
            text = self.content[begin * self.width : end * self.width].decode(_CODINGS[self.width], "replace")
            yield TextRun(text, bool(style & _BOLD), bool(style & _ITALIC), link.href if begin < link.end else "")


def _looks(content: bytes, number: int) -> Iterator[tuple[int, int]]:
    """(where it begins, bits of bold and italic) of each stretch of characters; a damaged list ends at the damage."""
    try:
        at = _after_paragraphs(content, number)
        begin = 0
        while begin <= number and at + 8 <= len(content):
            count, mask = struct.unpack_from("<II", content, at)
            at += 8
            styled = bool(mask & _ANY_STYLE)
            style = struct.unpack_from("<H", content, at)[0] & mask if styled else 0
            yield begin, style
            begin += max(count, 1)
            at += 2 * styled + _size(mask, _OF_CHARACTERS)
    except struct.error:
        return


def _after_paragraphs(content: bytes, number: int) -> int:
    """Where the looks of characters begin: the text counts one more character, its end."""
    at = told = 0
    while told <= number:
        count, _, mask = struct.unpack_from("<IHI", content, at)
        told += max(count, 1)
        at += 10 + _size(mask, _OF_PARAGRAPHS)
        if mask & _TABS:
            at += 2 + 4 * struct.unpack_from("<H", content, at)[0]
        at += _size(mask, _AFTER_TABS)
    return at


def _size(mask: int, fields: tuple[tuple[int, int], ...]) -> int:
    return sum(size for bits, size in fields if mask & bits)
