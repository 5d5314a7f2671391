from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from support.office97 import make_ole, make_ppt
from trasmallo.clean.formats.html_builder import HtmlBuilder, Unreadable
from trasmallo.clean.formats.ppt import read_ppt

SECOND = (
    "<section><h2>Redes</h2><ul><li>primero</li><li>segundo</li></ul><p>El trasmallo en negrita con enlace</p>"
    "<p>celda otra fila última</p></section>"
)


def test_slides_in_the_order_of_the_show_without_stale_ones() -> None:
    page = HtmlBuilder()
    read_ppt(make_ppt(), page)

    assert page.body() == f"<section><h2>Fin</h2></section>{SECOND}<aside>nota</aside>"


def test_without_a_directory_all_texts_are_still_found() -> None:
    page = HtmlBuilder()
    read_ppt(make_ppt().replace((4085).to_bytes(2, "little"), b"\1\1"), page)

    assert "Redes" in page.body()
    assert "nota" in page.body()


def test_encrypted_files_are_refused() -> None:
    with pytest.raises(Unreadable, match="encrypted: save it without a password"):
        read_ppt(make_ppt(token=0xF3D1C4DF), HtmlBuilder())


def test_a_file_without_slides_is_empty() -> None:
    page = HtmlBuilder()
    read_ppt(make_ole({"PowerPoint Document": b"\x0f\0\xe8\x03\xff\xff\xff\x7f"}), page)

    assert page.empty


def test_what_an_office_program_writes() -> None:
    page = HtmlBuilder()
    read_ppt(gzip.decompress((Path(__file__).parent / "office" / "redes.ppt.gz").read_bytes()), page)

    assert page.body() == (
        "<section><h2>Las redes</h2><p>tres paños</p>"
        '<p>poco <b>peso</b> y <a href="https://example.org/redes">otro sitio</a></p></section>'
        "<section><h2>Paños</h2><table><tr><td>paño</td><td>malla</td></tr><tr><td>interior</td><td>estrecha</td></tr></table>"
        "</section><aside>hablar despacio</aside>"
    )
