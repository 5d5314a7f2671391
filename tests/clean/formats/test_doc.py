from __future__ import annotations

from pathlib import Path

import pytest

from support.office97 import WRITTEN, make_doc, make_ole
from trasmallo.clean.formats.doc import read_doc
from trasmallo.clean.formats.html_builder import HtmlBuilder, Unreadable


def test_headings_emphasis_links_items_and_tables() -> None:
    page = HtmlBuilder()
    read_doc(make_doc(), page)

    assert page.body() == (
        '<h1>Redes</h1><p>El trasmallo en <b>negrita</b> con <a href="https://example.org/a">enlace</a>.</p>'
        "<ul><li>primero</li><li>segundo</li></ul>"
        "<table><tr><td>celda</td><td>otra</td></tr><tr><td>fila</td><td>última</td></tr></table><p>Fin.</p>"
    )


@pytest.mark.parametrize(
    ("content", "cause"),
    [
        (make_doc(flags=0x1300), "encrypted: save it without a password"),
        (make_doc(flags=0x1000), "0Table is missing"),
        (make_ole({"WordDocument": b"\xdc\xa5"}), "Word 97 or later: save it as DOCX"),
        (make_doc().replace(b"\xec\xa5\xc1", b"\xec\xa6\xc1"), "Word 97 or later: save it as DOCX"),
    ],
    ids=["encrypted", "without table", "old", "unknown"],
)
def test_what_is_refused_says_why(content: bytes, cause: str) -> None:
    with pytest.raises(Unreadable, match=cause):
        read_doc(content, HtmlBuilder())


def test_what_an_office_program_writes() -> None:
    page = HtmlBuilder()
    read_doc((Path(__file__).parent / "office" / "redes.doc").read_bytes(), page)

    assert (page.title, page.body()) == ("Las redes", WRITTEN)
