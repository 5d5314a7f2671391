"""Texts that were cleaned before."""

from __future__ import annotations

import msgspec

from trasmallo.clean.read import read
from trasmallo.values.model import PREPARED, Drop, PreparedText


def test_all_of_it_is_main_content_as_it_stands() -> None:
    text = "Menú | Inicio | Contacto\nUn párrafo <b>con</b> signos & más.\n# no es un título"
    content = msgspec.json.encode(PreparedText(text, "Tí<tulo", "es"))
    page = read(content, url="http://text.invalid/1", media=PREPARED)
    assert (page.main_text, page.title, page.language, page.drop) == (text, "Tí<tulo", "es", None)


def test_what_is_none() -> None:
    page = read(b'{"title": "x"}', url="http://text.invalid/1", media=PREPARED)
    assert page.drop in (Drop.BROKEN, Drop.EMPTY)
