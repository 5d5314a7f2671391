from __future__ import annotations

import struct

from hypothesis import given
from hypothesis import strategies as st

from trasmallo.clean.formats.ppt_text import SlideText, TextLink


def styled(*runs: tuple[int, int], paragraph: bytes = struct.pack("<I", 0)) -> bytes:
    """Looks of a text: one paragraph, then (characters, bits of style)."""
    number = sum(count for count, _ in runs)
    characters = b"".join(struct.pack("<IIH", count, 3, bits) for count, bits in runs)
    return struct.pack("<IH", number, 0) + paragraph + characters


def wide(text: str, style: bytes = b"", *links: TextLink) -> SlideText:
    return SlideText(1, text.encode("utf-16le"), 2, style, links)


def test_bold_and_italic_stretches() -> None:
    assert wide("poco peso y más", styled((5, 0), (4, 1), (3, 0), (4, 2))).lines() == ["poco <b>peso</b> y <i>más</i>"]


def test_a_text_of_bytes_counts_bytes() -> None:
    assert SlideText(1, "añil peso".encode("latin-1"), 1, styled((5, 0), (5, 1))).lines() == ["añil <b>peso</b>"]


def test_paragraphs_become_lines_and_line_ends_breaks() -> None:
    assert wide("uno\rdos\x0btres").lines() == ["uno", "dos<br>tres"]


def test_looks_of_paragraphs_are_passed_over_with_their_tabs() -> None:
    tabbed = struct.pack("<I", 0x100000 | 0x800 | 0x0F) + struct.pack("<HHH", 1, 2, 2) + bytes(8)
    assert wide("red", styled((4, 1), paragraph=tabbed)).lines() == ["<b>red</b>"]


def test_links_cover_their_characters() -> None:
    link = TextLink(4, 8, "https://example.org/")
    assert wide("ver aquí mismo", b"", link).lines() == ['ver <a href="https://example.org/">aquí</a> mismo']


@given(st.text(max_size=40), st.binary(max_size=60))
def test_damaged_looks_lose_no_character(text: str, style: bytes) -> None:
    shown = text.replace("\r", "").replace("\x0b", "")
    content = shown.encode("utf-16le", "surrogatepass")
    plain = SlideText(1, content, 2).lines()
    looked = SlideText(1, content, 2, style).lines()
    bare = "".join(looked).replace("<b>", "").replace("</b>", "").replace("<i>", "").replace("</i>", "")
    if shown.isascii():
        assert bare == "".join(plain)
