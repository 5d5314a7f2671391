from __future__ import annotations

import pytest

from trasmallo.clean.flat import flatten
from trasmallo.clean.formats.elements import read_xml
from trasmallo.clean.formats.html_builder import HtmlBuilder, Unreadable
from trasmallo.clean.layout import lay_out


def html_of(content: bytes) -> str:
    page = HtmlBuilder()
    read_xml(content, page)
    return page.body()


def test_elements_are_blocks_with_their_names_and_attributes() -> None:
    html = html_of(b"<?xml version='1.0'?><a:x xmlns:a='u' n='1&quot;'><y>uno</y> dos <!-- c --><![CDATA[<z>]]></a:x>")

    assert html == '<div data-element="x" data-n="1&quot;"><span data-element="y">uno</span> dos &lt;z&gt;</div>'


def test_names_keep_their_case() -> None:
    assert html_of(b"<Mensaje><p:DeQuien xmlns:p='u'/></Mensaje>") == (
        '<div data-element="Mensaje"><div data-element="DeQuien"></div></div>'
    )


def test_names_of_attributes_keep_their_case_in_a_list() -> None:
    assert html_of(b"<a Nombre='1' x='2' xmlns:q='u' q:x='3' element='4'/>") == (
        '<div data-element="a" data-nombre="1" data-x="2" data-element-="4" data-attributes="Nombre x element"></div>'
    )


def test_an_entity_bomb_stays_small() -> None:
    rows = "".join(f"<!ENTITY e{n} '{f'&e{n - 1};' * 10}'>" for n in range(1, 10))

    assert len(html_of(f"<!DOCTYPE a [<!ENTITY e0 'xxxxxxxxxx'>{rows}]><a>&e9;</a>".encode())) < 10_000


@pytest.mark.parametrize("before", [b"", b"<?xml version='1.0'?>", b"<?xml version='1.0'?><!-- > --><?x y?>\n"])
def test_an_external_entity_is_not_read(before: bytes) -> None:
    html = html_of(before + b"<!DOCTYPE a [<!ENTITY f SYSTEM 'file:///etc/passwd'>]><a>x&f;y</a>")

    assert html == '<div data-element="a">xy</div>'


def test_what_stands_before_the_damage_is_kept() -> None:
    assert "uno" in html_of(b"<a><b>uno</b><c")


def test_two_hundred_thousand_levels() -> None:
    assert "hondo" in html_of(b"<r><t>hondo</t>" + b"<a>" * 200_000)


def test_no_xml_is_refused() -> None:
    with pytest.raises(Unreadable, match="no XML"):
        html_of(b"plain words")


def lines_of(content: bytes) -> list[str]:
    return lay_out(flatten(html_of(content))).text.split("\n")


FIGURE = b"""<doc><title>Un coleccionista</title><list><item>uno</item><item>dos</item></list>
<p><PersonName><GivenName>Fred</GivenName> <Sn>Smith</Sn></PersonName>, que vive en <address><Street>10 Water Street</Street>,
<City>Springfield</City></address>, colecciona <b>peces</b>.</p></doc>"""


def fields_of(content: bytes) -> list[tuple[str, str]]:
    page = HtmlBuilder()
    read_xml(content, page)
    return [(field.name, field.text) for field in page.fields]


def test_what_is_marked_inside_a_text_is_a_field() -> None:
    """The textbook's figure 4.13; a list has no text of its own, and bold print says nothing."""
    assert fields_of(FIGURE) == [
        ("title", "Un coleccionista"),
        ("street", "10 Water Street"),
        ("entity", "street=10 Water Street"),
        ("city", "Springfield"),
        ("entity", "city=Springfield"),
        ("personname", "Fred Smith"),
        ("entity", "personname=Fred Smith"),
        ("givenname", "Fred"),
        ("entity", "givenname=Fred"),
        ("sn", "Smith"),
        ("entity", "sn=Smith"),
        ("address", "10 Water Street, Springfield"),
        ("entity", "address=10 Water Street, Springfield"),
    ]


def test_a_hostile_text_has_an_end_of_fields() -> None:
    found = fields_of(b"<a>x" + b"<n>y</n>" * 5_000 + b"<m>" + b"z" * 5_000 + b"</m></a>")
    assert len(found) <= 500
    assert all(len(text) <= 1_000 for _, text in found)


def test_an_element_in_the_middle_of_a_text_flows_with_it() -> None:
    """Its own parts do, too; the elements of a list break lines, and so does what HTML knows as a paragraph."""
    assert lines_of(FIGURE) == [
        "Un coleccionista",
        "uno",
        "dos",
        "Fred Smith, que vive en 10 Water Street, Springfield, colecciona peces.",
    ]


@pytest.mark.parametrize(
    ("content", "lines"),
    [
        ("<a>Un <b>texto</b><c>largo</c>, <d><e>con</e> <f>partes</f></d>.</a>", ["Un textolargo, con partes."]),
        ("<a>Antes:\n<x>uno</x>\n<x>dos</x>\n<x>tres</x>\n</a>", ["Antes: uno", "dos", "tres"]),
        ("<a>Antes <list><item>uno</item><item>dos</item></list></a>", ["Antes", "uno", "dos"]),
        ("<a>Antes <p>uno</p> y <p>dos</p></a>", ["Antes", "uno", "y", "dos"]),
        ("<a><b>Ana</b> <c>Sol</c></a>", ["Ana", "Sol"]),
        ("<a>El <!-- x --><b>mar</b><!-- y -->, no</a>", ["El mar, no"]),
    ],
)
def test_what_flows(content: str, lines: list[str]) -> None:
    assert lines_of(content.encode()) == lines
