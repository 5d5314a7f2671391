from __future__ import annotations

from typing import Any

import pytest

import trasmallo
from support.small_pdfs import make_pdf
from trasmallo import slice_page
from trasmallo.clean.slicing.matching import WordComparison
from trasmallo.values.errors import CriterionError, UsageError

HTML = "<html lang=es><ul><li>El Madrid gana<li>El Auxerre pierde<li>El Madrid gana al <a href=auxerre.html>Auxerre</a></ul>"


def test_slice_page_from_the_front_door() -> None:
    page = trasmallo.slice_page(HTML, "madrid AND auxerre", tolerance=0, inverse=False, view="collapse")
    assert page.text == "El Madrid gana al Auxerre"
    assert page.html.startswith("<!DOCTYPE html>\n<html")
    assert (page.count, page.most_tolerance) == (1, 2)
    node = page.nodes[0]
    assert (node.path, node.tag, node.reason, node.text) == (
        "/html/body/ul[1]/li[3]", "li", "children", "El Madrid gana al Auxerre",
    )  # fmt: skip


def test_again_inside_and_undo() -> None:
    page = slice_page(HTML, "madrid")
    inner = page.slice("auxerre", inverse=True, reading=WordComparison("text"))
    assert inner.text == "El Madrid gana\nEl Madrid gana al"
    assert len(inner.history) == 2
    assert inner.undo().text == page.text
    assert page.undo().text == page.text
    assert inner.slice("gana", 1).text == inner.text


@pytest.mark.parametrize(
    "options", [{"view": "none"}, {"where": "head"}, {"main": "first"}, {"tolerance": "far:1"}, {"tolerance": "-1"}]
)
def test_wrong_arguments(options: dict[str, str]) -> None:
    with pytest.raises(UsageError, match=r"choose one of|write a number"):
        slice_page(HTML, "madrid", **options)  # type: ignore[arg-type]


def test_a_broken_criterion_is_refused_before_the_page_is_read() -> None:
    with pytest.raises(CriterionError, match="character 8 of the criterion"):
        slice_page(HTML, "madrid AND")


def test_meaning_needs_a_language_that_is_known() -> None:
    assert slice_page(HTML, "ganar", tolerance="meaning:1").language == "es"
    assert (
        slice_page("<p>El gato y la gata comen", "gata", tolerance="meaning:1", language="es").text == "El gato y la gata comen"
    )
    with pytest.raises(UsageError, match="no meanings for the language 'fr': use near:N, or say the language is en or es"):
        slice_page("<html lang=fr><p>chat", "chat", tolerance="meaning:1")


def test_the_language_is_found_out() -> None:
    text = "El viento ha calmado y las barcas vuelven a puerto cuando anochece sobre la bahía. "
    assert slice_page(f"<p>{text * 3}", "barca", tolerance="meaning:1").language == "es"


def test_rules() -> None:
    page = slice_page(HTML, "madrid", 1, url="https://example.org/x", part=True, view="bare")
    assert page.rule("command") == "trasmallo slice https://example.org/x madrid --tolerance 1 --part --view bare"
    assert "display: none" in page.rule("css")
    assert page.rule("ublock").splitlines()[1].startswith("example.org##:is(p")
    with pytest.raises(UsageError, match="choose one of command, css, ublock"):
        page.rule("awk")
    with pytest.raises(UsageError, match="cannot be written as ublock"):
        page.slice("gana").rule("ublock")
    with pytest.raises(UsageError, match="cannot be written as ublock"):
        slice_page(HTML, "madrid", "near:2").rule("ublock")
    main = slice_page(HTML, "madrid", main="before", where="text", language="es", case=True)
    assert main.rule("command", "a.html") == "trasmallo slice a.html madrid --case --in text --main before --language es"


def test_other_formats_are_sliced_as_pages() -> None:
    xml = b'<?xml version="1.0"?><m><de nombre="Ana"/><texto>Hola Madrid</texto><otro>Roma</otro></m>'
    assert slice_page(xml, "madrid").text == "Hola Madrid"
    pdf = make_pdf([[(12, 700, "Primera pagina de Madrid")], [(12, 700, "Segunda de Roma")]])
    assert "Roma" not in slice_page(pdf, "madrid").text
    assert slice_page(pdf, "madrid").count == 1


def test_what_cannot_be_read_says_why() -> None:
    page = slice_page(b"\x89PNG\r\n\x1a\n" + bytes(50), "x")
    assert page.drop is not None
    assert page.count == 0


def test_hostile_pages_are_bounded() -> None:
    deep = slice_page("<div>" * 200_000 + "x", "x", tolerance=1)
    assert deep.count == 1
    assert len(deep.nodes[0].path) < 1_500
    wide = slice_page("<p>x <b>y</b>" * 20_000, "x AND NOT z OR y", tolerance="near:3", view="bare", mark=True)
    assert wide.count == 20_000
    assert slice_page("x " * 100_000, '"x x"').count == 1


def test_an_empty_page() -> None:
    page = slice_page("", "x")
    assert (page.text, page.count, page.nodes) == ("", 0, [])
    assert slice_page("", "x", inverse=True).html.endswith("</html>\n")


def test_nothing_found_is_no_error() -> None:
    assert slice_page(HTML, "xenón").text == ""


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({"html": 3}, "`html` is of the type int: give the page as a text or as bytes"),
        ({"criterion": b"madrid"}, "`criterion` is of the type bytes: give a text"),
        ({"tolerance": None}, "`tolerance` is of the type NoneType"),
        ({"view": 3}, "unknown view 3"),
        ({"url": 3}, "`url` is of the type int"),
        ({"language": None}, "`language` is of the type NoneType"),
    ],
)
def test_what_is_of_a_wrong_type_is_one_clear_error(arguments: dict[str, Any], problem: str) -> None:
    with pytest.raises(UsageError, match=f"^{problem}"):
        slice_page(**{"html": HTML, "criterion": "madrid", **arguments})


def test_forms_of_words_by_a_sign_or_by_a_switch() -> None:
    html = "<html lang=es><p>El equipo marcó<p>quiere marcarlo<p>el marco"
    assert slice_page(html, "marcar~").text == "El equipo marcó\nquiere marcarlo\nel marco"
    assert slice_page(html, "marcar", forms=True).text == slice_page(html, "marcar~").text
    assert slice_page(html, "marcar").text == ""
    assert slice_page(html, "marcar~", accents=True, case=True).text.startswith("El equipo marcó")
    assert slice_page("<html lang=en><p>The mice ran", "mouse~ run~").text == "The mice ran"


def test_forms_of_a_language_that_nobody_says() -> None:
    assert slice_page("<p>marcó", "marcar~").text == "marcó"
    with pytest.raises(UsageError, match="no forms of words for the language 'fr'.*say the language is en or es"):
        slice_page("<html lang=fr><p>marqua", "marquer~")
    assert slice_page("<html lang=fr><p>marcó", "marcar~", language="es-MX").text == "marcó"


def test_rules_know_forms() -> None:
    page = slice_page("<html lang=es><p>El niño marcó", "marcar", forms=True)
    assert page.rule("command", "a.html") == "trasmallo slice a.html marcar --forms"
    assert "r[cç][oòóôõöø])(?!" in page.rule("ublock", "https://e.es/")
    assert slice_page(HTML, "-madrid auxerre").rule("command", "a.html") == "trasmallo slice a.html ' -madrid auxerre'"


def test_a_match_in_an_attribute_shows_what_matched() -> None:
    html = "<p><a href=agenda.pdf>Citas</a></p><p><img alt='la agenda' src=x.png> y <b>más</b></p>"
    link, picture = slice_page(html, "agenda").nodes
    assert [(a.tag, a.name, a.value) for a in link.attributes] == [("a", "href", "agenda.pdf")]
    assert [(a.tag, a.name, a.value) for a in picture.attributes] == [("img", "alt", "la agenda")]
    assert slice_page(html, "citas").nodes[0].attributes == ()
    shown = slice_page(html, "agenda", mark=True).html
    assert 'data-matched="href=&quot;agenda.pdf&quot;"' in shown
    assert "data-matched" not in slice_page(html, "agenda").html


def test_words_of_related_meaning_are_told_with_their_way() -> None:
    found = slice_page("<p>El felino duerme.</p><p>Nada.</p>", "gato", tolerance="meaning:2", language="es")
    (word,) = found.related
    assert (found.count, word.word, word.distance, word.way) == (0, "felino", 2, ("gato", "felino"))
    assert slice_page("<p>El felino", "gato", tolerance="meaning:1", language="es").related == []
