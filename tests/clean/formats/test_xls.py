from __future__ import annotations

import struct

import pytest

from support.office97 import make_ole, make_xls
from trasmallo.clean.formats.html_builder import HtmlBuilder, Unreadable
from trasmallo.clean.formats.xls import read_xls


def html_of(content: bytes) -> str:
    page = HtmlBuilder()
    read_xls(content, page)
    return page.body()


def record(kind: int, layout: str, *values: float | bytes) -> bytes:
    content = struct.pack(layout, *values)
    return struct.pack("<HH", kind, len(content)) + content


def test_shared_strings_and_bold() -> None:
    assert html_of(make_xls()) == (
        "<h2>Redes</h2><table><tr><td>El trasmallo</td><td>enlace</td></tr><tr><td><b>negrita</b></td></tr>"
        "<tr><td>primero</td><td>segundo</td></tr><tr><td>celda</td><td>otra</td></tr><tr><td>fila</td><td>última</td></tr></table>"
    )


@pytest.mark.parametrize(
    ("cell", "shown"),
    [
        (record(0x203, "<HHHd", 9, 0, 0, 1.5), "1.5"),
        (record(0x203, "<HHHd", 9, 0, 2, 43832.0), "2020-01-02"),
        (record(0x27E, "<HHHI", 9, 0, 0, 7 << 2 | 2), "7"),
        (record(0x27E, "<HHHI", 9, 0, 0, 0xFFFFFFFC | 2), "-1"),
        (record(0x27E, "<HHHI", 9, 0, 0, 125 << 2 | 3), "1.25"),
        (record(0x27E, "<HHHI", 9, 0, 0, 0x3FF00000), "1"),
        (record(0xBD, "<HHHIHIH", 9, 0, 0, 1 << 2 | 2, 0, 2 << 2 | 2, 1), "1</td><td>2"),
        (record(0x205, "<HHHBB", 9, 0, 0, 1, 0), "TRUE"),
        (record(0x205, "<HHHBB", 9, 0, 0, 42, 1), "#N/A"),
        (record(0x06, "<HHHd8x", 9, 0, 0, 2.5), "2.5"),
        (record(0x06, "<HHHB5xH8x", 9, 0, 0, 0, 0xFFFF) + record(0x207, "<HB5s", 5, 0, b"texto"), "texto"),
        (record(0x06, "<HHHBxB3xH8x", 9, 0, 0, 1, 1, 0xFFFF), "TRUE"),
        (record(0x204, "<HHHHB3s", 9, 0, 0, 3, 0, b"abc"), "abc"),
    ],
)
def test_cells(cell: bytes, shown: str) -> None:
    assert html_of(make_xls(cells=cell)).endswith(f"<tr><td>{shown}</td></tr></table>")


def test_encrypted_and_older_books_are_refused() -> None:
    with pytest.raises(Unreadable, match="encrypted: save it without a password"):
        html_of(make_xls(extra=record(0x2F, "<H", 0)))
    with pytest.raises(Unreadable, match="Excel 97 or later: save it as XLSX"):
        html_of(make_ole({"Workbook": record(0x809, "<HH", 0x500, 5)}))
