"""The boxes that say how words are compared and what belongs to the main block, and the user's own related words: by click."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from browser.conftest import Browser
from support.browsers.extension_desk import Desk

PAGE = """<html lang="es"><head><title>Gatos</title></head><body><nav><a href="/agenda.pdf">Inicio</a></nav>
<p id="goal">El delantero marcó dos goles.</p><p id="cat">Un gato persa duerme.</p>
<p id="race">Ciertas razas son fáciles.</p><p id="accent">La Canción del año</p></body></html>"""
ARTICLE = """<html lang="es"><body><div id="page"><nav><a href="/">Inicio</a> <a href="/mar">Mar</a></nav>
<h1>Sube la merluza</h1><div id="text"><p>La subasta de la lonja abrió con merluza a doce euros y la sardina bajó de precio
otra vez, según contaron ayer los armadores que esperaban en el muelle desde antes del amanecer.</p>
<p>El trasmallo tiene tres paños; la merluza pasa el primero, empuja el segundo y queda presa en el tercero, de donde la
sacan al día siguiente los marineros que salen de madrugada con el mar en calma.</p></div></div></body></html>"""
TREE = '<criterio valor="gato"><palabra nivel="1" valor="persa"><palabra nivel="2" valor="raza"/></palabra></criterio>'
CHOOSE = """(name, text) => {
  const files = new DataTransfer(), field = document.getElementById("related-file");
  files.items.add(new File([text], name, {type: "application/xml"}));
  field.files = files.files;
  field.dispatchEvent(new Event("change", {bubbles: true}));
}"""
OpenDesk = Callable[..., Desk]


def click(desk: Desk, box: str) -> None:
    desk.panel.evaluate("id => document.getElementById(id).click()", box)


def test_any_form_of_a_word(open_desk: OpenDesk) -> None:
    desk = open_desk(PAGE)
    desk.type("marcar")
    desk.wait_text("count", "Matches: 0")
    click(desk, "forms")
    desk.wait_text("count", "Matches: 1")
    assert desk.press("filter", said=True).startswith("Shown: 1")
    assert desk.seen() == "El delantero marcó dos goles."


@pytest.mark.parametrize(
    ("box", "word", "without", "with_it"), [("case", "canción", 1, 0), ("accents", "cancion", 1, 0), ("part", "canci", 0, 1)]
)
def test_how_words_are_compared(open_desk: OpenDesk, box: str, word: str, without: int, with_it: int) -> None:
    desk = open_desk(PAGE)
    desk.type(word)
    desk.wait_text("count", f"Matches: {without}")
    click(desk, box)
    desk.wait_text("count", f"Matches: {with_it}")


def test_where_words_are_looked_for(open_desk: OpenDesk) -> None:
    desk = open_desk(PAGE)
    desk.type("nav")
    desk.wait_text("count", "Matches: 0")
    desk.choose("where", "elements")
    desk.wait_text("count", "Matches: 1")
    desk.press("filter", said=True)
    assert desk.seen() == "Inicio"
    desk.panel.evaluate("() => document.querySelector('[data-rule=command]').click()")
    desk.panel.wait("() => document.getElementById('rule').value.endsWith('nav --in elements')")
    click(desk, "highlight")
    desk.page.wait("() => document.documentElement.outerHTML.includes('&lt;nav&gt;')")
    desk.press("restore", said=True)
    desk.choose("where", "attributes")
    assert desk.filter("pdf").startswith("Shown: 1")


def test_the_headline_belongs_to_the_main_block_by_choice(open_desk: OpenDesk) -> None:
    desk = open_desk(ARTICLE)
    desk.set("method", "cnr")
    desk.press("main-block")
    desk.page.wait("() => document.body.innerText.includes('Sube la merluza') && !document.body.innerText.includes('Inicio')")
    click(desk, "headline")
    desk.press("main-block")
    desk.page.wait("() => document.body.innerText.includes('subasta') && !document.body.innerText.includes('Sube la merluza')")


@pytest.fixture
def kept_tree(extended: Browser) -> Iterator[None]:
    """The tree of the thesis, chosen in the options; forgotten at the end."""
    options = extended.extension_page("options/options.html")
    options.evaluate(CHOOSE, "wrong.xml", '<criterio valor="gato"><palabra nivel="x" valor="raza"/></criterio>')
    options.wait("() => document.getElementById('related-kept').textContent.includes('level “x”: write a number from 1 on')")
    options.evaluate(CHOOSE, "tree.xml", TREE)
    options.wait("() => document.getElementById('related-kept').textContent === 'Kept: tree.xml, with words for gato.'")
    options.close()
    yield
    options = extended.extension_page("options/options.html")
    options.wait("() => !document.getElementById('related-forget').hidden")
    options.evaluate("() => document.getElementById('related-forget').click()")
    options.wait("() => document.getElementById('related-kept').textContent.startsWith('None is kept')")
    options.close()


@pytest.mark.usefixtures("kept_tree")
def test_the_user_s_own_related_words(open_desk: OpenDesk) -> None:
    desk = open_desk(PAGE)
    desk.filter("gato")
    desk.set("tolerance-kind", "meaning")
    desk.wait_text("related-words", "Related words: tree.xml")
    desk.wait_text("tolerance-value", "0 of 4")
    desk.set("tolerance", 1, "input")
    desk.wait_text("tolerance-value", "1 of 4")
    desk.page.wait("() => document.body.innerText.includes('persa') && !document.body.innerText.includes('razas')")
    desk.set("tolerance", 2, "input")
    desk.page.wait("() => document.body.innerText.includes('razas')")
    desk.panel.evaluate("() => document.querySelector('[data-rule=command]').click()")
    desk.panel.wait("() => document.getElementById('rule').value.includes('--related tree.xml')")
