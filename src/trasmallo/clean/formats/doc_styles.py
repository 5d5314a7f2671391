"""The character styles of a DOC (MS-DOC 2.9.271, "STSH"): what each changes, those it is based on included."""

from __future__ import annotations

import struct
from typing import NamedTuple

Properties = dict[int, int]
"""Values of property modifiers by their numbers."""

_CHARACTER = 2
"""Kind of a style of characters."""
_MOST_BASES = 16
"""Styles that one may be based on, one on the other. Judgement: more is a circle."""
_SIZES = {0: 1, 1: 1, 2: 2, 3: 4, 4: 2, 5: 2, 7: 3}
"""Bytes of a modifier's operand, by the bits of its kind ([MS-DOC], 2.2.5.1)."""


class _Style(NamedTuple):
    base: int
    own: Properties


def character_styles(content: bytes) -> dict[int, Properties]:
    """What the character styles of a style sheet change, by their numbers; a damaged sheet has none beyond the damage."""
    sheet = _read_sheet(content)
    return {number: _inherited(sheet, number) for number in sheet}


def modifiers(content: bytes) -> Properties:
    """Single property modifiers: a number that says what and how long, then the value."""
    found: Properties = {}
    at = 0
    while at + 2 <= len(content):
        what = int.from_bytes(content[at : at + 2], "little")
        at += 2
        if what >> 13 == 6:
            long = what == 0xD608
            size = int.from_bytes(content[at : at + (2 if long else 1)], "little") + 1
        else:
            size = _SIZES[what >> 13]
            found[what] = int.from_bytes(content[at : at + size], "little")
        at += size
    return found


def _read_sheet(content: bytes) -> dict[int, _Style]:
    found: dict[int, _Style] = {}
    try:
        head, count, fixed = struct.unpack_from("<HHH", content)
        at = 2 + head
        for number in range(count):
            size = struct.unpack_from("<H", content, at)[0]
            style = _read_style(content[at + 2 : at + 2 + size], fixed)
            if style is not None:
                found[number] = style
            at += 2 + size
    except struct.error:
        pass
    return found


def _read_style(content: bytes, fixed: int) -> _Style | None:
    """A style of characters, None for another: its fixed part, its name, then one list of modifiers."""
    if not content or struct.unpack_from("<H", content, 2)[0] & 15 != _CHARACTER:
        return None
    base = struct.unpack_from("<H", content, 2)[0] >> 4
    name = struct.unpack_from("<H", content, fixed)[0]
    at = fixed + 2 * (name + 2)
    size = struct.unpack_from("<H", content, at)[0]
    return _Style(base, modifiers(content[at + 2 : at + 2 + size]))


def _inherited(sheet: dict[int, _Style], number: int) -> Properties:
    found: Properties = {}
    for _ in range(_MOST_BASES):
        style = sheet.get(number)
        if style is None:
            break
        found = style.own | found
        number = style.base
    return found
