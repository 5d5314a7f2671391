from __future__ import annotations

import pytest

from oldoffice import make_ole, make_ppt
from trasmallo.clean.formats.marked import Marked, Refused
from trasmallo.clean.formats.ppt import read_ppt

SECOND = (
    "<section><h2>Redes</h2><ul><li>primero</li><li>segundo</li></ul><p>El trasmallo en negrita con enlace</p>"
    "<p>celda otra fila última</p></section>"
)


def test_slides_in_the_order_of_the_show_without_stale_ones() -> None:
    page = Marked()
    read_ppt(make_ppt(), page)

    assert page.body() == f"<section><h2>Fin</h2></section>{SECOND}<aside>nota</aside>"


def test_without_a_directory_all_texts_are_still_found() -> None:
    page = Marked()
    read_ppt(make_ppt().replace((4085).to_bytes(2, "little"), b"\1\1"), page)

    assert "Redes" in page.body()
    assert "nota" in page.body()


def test_encrypted_files_are_refused() -> None:
    with pytest.raises(Refused, match="encrypted: save it without a password"):
        read_ppt(make_ppt(token=0xF3D1C4DF), Marked())


def test_a_file_without_slides_is_empty() -> None:
    page = Marked()
    read_ppt(make_ole({"PowerPoint Document": b"\x0f\0\xe8\x03\xff\xff\xff\x7f"}), page)

    assert page.empty
