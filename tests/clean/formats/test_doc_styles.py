from __future__ import annotations

import struct

from trasmallo.clean.formats.doc_styles import character_styles, modifiers

BOLD, ITALIC = 0x0835, 0x0836
NONE = 0xFFF


def style(name: str, changes: bytes, base: int = NONE, kind: int = 2) -> bytes:
    fixed = struct.pack("<HHHHH", 0, base << 4 | kind, 1, 0, 0)
    named = struct.pack("<H", len(name)) + name.encode("utf-16le") + b"\0\0"
    content = fixed + named + struct.pack("<H", len(changes)) + changes
    return struct.pack("<H", len(content)) + content


def sheet(*styles: bytes) -> bytes:
    return struct.pack("<HHH", 4, len(styles), 10) + b"".join(styles)


def test_a_style_has_what_it_is_based_on() -> None:
    bold, not_bold_italic = b"\x35\x08\x01", b"\x35\x08\x00\x36\x08\x01"
    found = character_styles(sheet(style("Normal", b"", kind=1), style("Fuerte", bold), style("Más", not_bold_italic, base=1)))

    assert found == {1: {BOLD: 1}, 2: {BOLD: 0, ITALIC: 1}}


def test_styles_based_on_each_other_come_to_an_end() -> None:
    found = character_styles(sheet(style("a", b"\x35\x08\x01", base=1), style("b", b"\x36\x08\x01", base=0)))

    assert found[0] == found[1] == {BOLD: 1, ITALIC: 1}


def test_a_sheet_that_is_cut_has_what_stands_before_the_cut() -> None:
    whole = sheet(style("Fuerte", b"\x35\x08\x01"), style("Otro", b"\x36\x08\x01"))

    assert character_styles(whole[:-10]) == {0: {BOLD: 1}}
    assert character_styles(b"") == {}


def test_modifiers_of_any_length_are_passed_over() -> None:
    assert modifiers(b"\x08\xd6\x02\x00\xff\x35\x08\x01") == {BOLD: 1}
