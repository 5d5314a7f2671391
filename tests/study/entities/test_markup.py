"""Entities in mark-up."""

from __future__ import annotations

import pytest
from lxml import etree

from trasmallo import entities
from trasmallo.study.entities.markup import as_columns, as_element, as_tei, in_markup, in_text
from trasmallo.values.errors import DocumentError

TEXT = "Ana Pérez vive en Soria, cobra <20 euros>."


def test_a_text_is_marked_as_the_textbook_does() -> None:
    assert in_text(TEXT, entities(TEXT), as_element) == (
        "<PersonName><GivenName>Ana</GivenName> <sn>Pérez</sn></PersonName> vive en <Location>Soria</Location>, cobra &lt;"
        '<money value="20 EUR">20 euros</money>&gt;.'
    )


def test_a_text_is_marked_as_tei_does() -> None:
    found = in_text(TEXT, entities(TEXT), as_tei)
    assert found.startswith("<persName>Ana Pérez</persName> vive en <placeName>Soria</placeName>, cobra &lt;")
    assert '<measure type="money" quantity="20 EUR">20 euros</measure>' in found


def test_other_markup_is_kept_and_no_text_is_lost() -> None:
    content = "<doc><p n='1'>Ana Pérez <b>vive</b> en Soria.</p><!-- nota --><p>Nada</p></doc>".encode()
    found = etree.fromstring(in_markup(content, entities))
    assert "".join(found.itertext("*")) == "Ana Pérez vive en Soria.Nada"
    assert found.xpath("string(p[@n='1']/PersonName)") == "Ana Pérez"
    assert found.xpath("string(//Location)") == "Soria"
    assert found.xpath("string(//b)") == "vive"


def test_what_is_no_xml_is_refused() -> None:
    with pytest.raises(DocumentError, match="no sound XML"):
        in_markup(b"<p>Ana", entities)


def test_columns_come_back_as_they_went() -> None:
    columns = as_columns(TEXT, entities(TEXT), "es")
    assert columns.splitlines()[:3] == ["Ana\tB-PER", "Pérez\tI-PER", "vive\tO"]
    assert "20\tB-MONEY\neuros\tI-MONEY" in columns
