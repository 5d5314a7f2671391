from __future__ import annotations

import struct

import pytest

from support.office97 import make_ole
from trasmallo.clean.formats.html_builder import Unreadable
from trasmallo.clean.formats.ole import Compound, title_of


def test_streams_by_name() -> None:
    compound = Compound(make_ole({"A": b"a" * 5000, "Bé": b"b"}))

    assert (compound.stream("A")[:5001], compound.stream("Bé")[:2]) == (b"a" * 5000 + b"\0", b"b\0")
    assert "A" in compound
    assert "C" not in compound
    with pytest.raises(Unreadable, match="C is missing"):
        compound.stream("C")


def test_a_small_stream_stands_in_the_mini_stream() -> None:
    content = bytearray(make_ole({"Small": bytes(64) + b"chico".ljust(64, b"\0")}))
    directory = content.index("Root Entry".encode("utf-16le"))
    # The stream's sectors become the mini stream, of which the stream has the second unit; the table is put at the end.
    content += struct.pack("<128I", 0xFFFFFFFE, 0xFFFFFFFE, *[0xFFFFFFFF] * 126)
    last = len(content) // 512 - 2
    struct.pack_into("<I", content, directory + 116, struct.unpack_from("<I", content, directory + 128 + 116)[0])
    struct.pack_into("<II", content, directory + 128 + 116, 1, 5)
    struct.pack_into("<I", content, 60, last)
    fat = content.index(struct.pack("<I", 0xFFFFFFFD)) // 512 * 512
    struct.pack_into("<I", content, fat + 4 * last, 0xFFFFFFFE)

    assert Compound(bytes(content)).stream("Small") == b"chico"


def test_a_chain_that_runs_in_a_circle_ends() -> None:
    content = make_ole({"A": b"a" * 4096})
    chain = struct.pack("<3I", 1, 2, 3)
    circle = content.replace(chain, struct.pack("<3I", 1, 0, 3))

    assert len(Compound(circle).stream("A")) == 1024


@pytest.mark.parametrize("content", [b"\xd0\xcf\x11\xe0", b"\xd0\xcf\x11\xe0" + b"\xff" * 600])
def test_a_damaged_header_is_refused(content: bytes) -> None:
    with pytest.raises(Unreadable, match="header"):
        Compound(content)


def test_the_title_among_the_properties() -> None:
    title = "Título\0".encode("cp1252")
    section = struct.pack("<II", 100, 2) + struct.pack("<IIII", 1, 24, 2, 32)
    section += struct.pack("<II", 2, 1252) + struct.pack("<II", 30, len(title)) + title
    head = b"\xfe\xff\0\0" + bytes(20) + struct.pack("<I", 1) + bytes(16) + struct.pack("<I", 48)

    assert title_of(Compound(make_ole({"\x05SummaryInformation": head + section}))) == "Título"
    assert title_of(Compound(make_ole({"\x05SummaryInformation": head}))) == ""
    assert title_of(Compound(make_ole({"A": b""}))) == ""
