"""TEI of others, read for import."""

from __future__ import annotations

import io
from typing import Any

import msgspec
import pytest

from trasmallo.store.stream import BrokenError, ByteStream
from trasmallo.store.tei import read_tei
from trasmallo.values.model import PreparedText

TEI = """<TEI xmlns="http://www.tei-c.org/ns/1.0" xml:id="libro" xml:lang="es"><teiHeader><fileDesc>
<titleStmt><title>El <hi>libro</hi></title></titleStmt><publicationStmt><p>Nadie.</p></publicationStmt>
<sourceDesc><bibl><title>Otro</title><idno>http://a.es/libro</idno><date when="2020-01-02"/></bibl></sourceDesc>
</fileDesc></teiHeader><text><front><head>Título</head></front><body><div><p>Uno <hi>dos</hi>
tres.</p><p><s><w>Dijo</w><pc join="right">¿</pc><w join="right">qué</w><pc>?</pc></s></p>
<l>Verso</l></div></body></text></TEI>"""


def read(data: str) -> list[Any]:
    return list(read_tei(ByteStream(io.BytesIO(data.encode())), 1 << 20))


def test_words_signs_and_running_text() -> None:
    (found,) = read(TEI)
    text = msgspec.json.decode(found.content, type=PreparedText)
    assert text == PreparedText("Título\nUno dos tres.\nDijo ¿qué?\nVerso", "El libro", "es")
    assert found.url == "http://a.es/libro"
    assert found.at == 1_577_923_200.0


def test_what_is_broken_or_hostile() -> None:
    with pytest.raises(BrokenError, match="no valid XML"):
        read(TEI[:-20])
    bomb = '<!DOCTYPE TEI [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;"><!ENTITY x SYSTEM "file:///etc/passwd">]>'
    found = read(bomb + "<TEI><text><body><p>antes &b; &x; después</p></body></text></TEI>")
    text = msgspec.json.decode(found[0].content, type=PreparedText).text
    assert "aaaa" not in text
    assert "root" not in text
    assert text.startswith("antes")
