"""XML and PDF documents, sliced in the viewer with the panel beside them."""

from __future__ import annotations

import base64
from typing import Any

from selectolax.lexbor import LexborHTMLParser

from browser.conftest import Browser
from support.browsers.loopback_site import Site
from support.small_pdfs import make_pdf
from trasmallo.clean.formats.elements import read_xml
from trasmallo.clean.formats.html_builder import HtmlBuilder

XML = """<?xml version="1.0"?><library><book id="b1" lang="es"><title>El gato negro</title><year>1843</year></book>
<book id="b2" onclick="alert(1)"><title>El perro</title><note>sin nada</note></book></library>"""
CHOOSE = """(name, type, coded) => {
  const octets = Uint8Array.from(atob(coded), letter => letter.charCodeAt(0)), files = new DataTransfer();
  files.items.add(new File([octets], name, {type}));
  const field = document.getElementById("file");
  field.files = files.files;
  field.dispatchEvent(new Event("change", {bubbles: true}));
}"""
FILTER = """async criterion => {
  const {contentWindow, contentDocument} = document.getElementById("panel");
  const field = contentDocument.getElementById("criterion");
  field.value = criterion;
  field.dispatchEvent(new contentWindow.Event("input", {bubbles: true}));
  contentDocument.getElementById("filter").click();
}"""
READY = "() => document.getElementById('panel').contentDocument?.body?.dataset.state === 'ready'"
SEEN = "() => document.getElementById('document').innerText.replace(/\\s+/g, ' ').trim()"


def open_file(browser: Browser, name: str, media: str, content: bytes) -> Any:
    page = browser.extension_page("viewer/viewer.html")
    page.evaluate(CHOOSE, name, media, base64.b64encode(content).decode())
    page.wait(READY)
    return page


LOOK_IN = "place => document.getElementById('panel').contentDocument.querySelector(`[name=where][value=${place}]`).click()"


def wait_seen(page: Any, text: str) -> None:
    page.wait("text => document.getElementById('document').innerText.replace(/\\s+/g, ' ').trim() === text", text)


def test_an_xml_file(extended: Browser) -> None:
    page = open_file(extended, "library.xml", "application/xml", XML.encode())
    whole = page.evaluate("() => document.getElementById('document').outerHTML")
    names = "() => [...document.querySelectorAll('#document *')].flatMap(one => one.getAttributeNames())"
    acting = [name for name in page.evaluate(names) if not name.startswith("data-")]
    assert not acting, "no attribute acts"
    page.evaluate(FILTER, "gato")
    wait_seen(page, "El gato negro")
    page.evaluate("() => document.getElementById('panel').contentDocument.getElementById('restore').click()")
    wait_seen(page, "El gato negro 1843 El perro sin nada")
    assert page.evaluate("() => document.getElementById('document').outerHTML") == whole
    page.evaluate(LOOK_IN, "both")
    page.evaluate(FILTER, "b2")
    wait_seen(page, "El perro sin nada")
    page.evaluate(LOOK_IN, "elements")
    page.evaluate(FILTER, "Year")
    wait_seen(page, "1843")
    page.close()


def test_xml_is_the_division_that_the_command_makes(extended: Browser) -> None:
    xml = "<Mensaje xmlns:q='u' Nombre='Ana' x='2' q:x='3' element='4' style='color: red'><De codigoPostal='3'/></Mensaje>"
    page = open_file(extended, "a.xml", "application/xml", xml.encode())
    plain = """() => [...document.querySelectorAll("#document div")].map(one => one.getAttributeNames()
      .filter(name => !name.startsWith("data-trasmallo")).map(name => `${name}=${one.getAttribute(name)}`))"""
    made = HtmlBuilder()
    read_xml(xml.encode(), made)
    divisions = LexborHTMLParser(made.body()).css("div")
    expected = [[f"{name}={value}" for name, value in one.attributes.items()] for one in divisions]
    assert page.evaluate(plain) == expected
    assert "data-attributes=Nombre x element style" in expected[0]
    page.close()


def test_what_flows_in_a_text_flows_for_both(extended: Browser) -> None:
    xml = (
        "<doc><title>Uno</title><list>\n<item>a</item> <item>b</item></list><p><who><given>Fred</given> <sn>Smith</sn></who>,"
        " que <hi>vive</hi><w>en</w> <at><street>10</street>,\n<city>S</city></at>, no<!-- x --><note/>.</p>"
        "Antes:\n<x>1</x>\n<x>2</x><![CDATA[ y ]]><p>3</p></doc>"
    )
    page = open_file(extended, "a.xml", "application/xml", xml.encode())
    made = HtmlBuilder()
    read_xml(xml.encode(), made)
    expected = [[one.tag, one.attributes["data-element"]] for one in LexborHTMLParser(made.body()).css("[data-element]")]
    names = "() => [...document.querySelectorAll('[data-element]')].map(one => [one.localName, one.dataset.element])"
    assert page.evaluate(names) == expected
    assert [name for tag, name in expected if tag == "span"] == (
        ["who", "given", "sn", "hi", "w", "at", "street", "city", "note", "x", "x"]
    )
    page.evaluate(
        "() => document.getElementById('panel').contentDocument.querySelector('[name=where][value=elements]').click()"
    )
    page.evaluate(FILTER, "given")
    wait_seen(page, "Fred")
    page.close()


def test_a_pdf_file(extended: Browser) -> None:
    pages = [
        [(12, 700, "El gato duerme."), (12, 686, "Duerme siempre."), (12, 600, "El perro ladra.")],
        [(12, 700, "Otro gato.")],
    ]
    page = open_file(extended, "cats.pdf", "application/pdf", make_pdf(pages))
    assert page.evaluate(SEEN) == "El gato duerme. Duerme siempre. El perro ladra. Otro gato."
    assert page.evaluate("() => [...document.querySelectorAll('#document section')].map(one => one.children.length)") == [2, 1]
    page.evaluate(FILTER, "gato")
    wait_seen(page, "El gato duerme. Duerme siempre. Otro gato.")
    page.close()


def test_what_cannot_be_read_is_told(extended: Browser) -> None:
    for content in (b"<a><b></a>", b"%PDF-1.4 and nothing more", b""):
        page = extended.extension_page("viewer/viewer.html")
        page.evaluate(CHOOSE, "broken", "", base64.b64encode(content).decode())
        page.wait("() => document.getElementById('notice-text').textContent.startsWith('This is no XML or PDF')")
        page.close()


def test_an_address_needs_a_permission(extended: Browser, site: Site) -> None:
    url = site.add("/library.xml", XML, Content_Type="application/xml")
    page = extended.extension_page(f"viewer/viewer.html?src={url}")
    page.wait("() => !document.getElementById('permit').hidden")
    if extended.name == "firefox":  # Chromium asks in a window of its own, which no test can answer
        page.evaluate("() => document.getElementById('permit').focus()")
        page.press("Enter")
        page.wait(READY)
        page.evaluate(FILTER, "1843")
        wait_seen(page, "1843")
    page.close()


def test_the_panel_leads_to_the_viewer(extended: Browser, site: Site) -> None:
    page = extended.open(site.add("/shown.xml", XML, Content_Type="application/xml"))
    popup = extended.popup(page)
    popup.wait("() => document.getElementById('notice-act').textContent === 'Open in the viewer'")
    popup.close()
    page.close()
