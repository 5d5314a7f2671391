"""What a user does with the extension on an ordinary page, in both browsers, by the panel's own controls."""

from __future__ import annotations

from collections.abc import Callable

from browser.conftest import Browser
from support.browsers.extension_desk import Desk
from support.browsers.loopback_site import Site

PAGE = """<html lang="es"><head><title>Deportes</title></head><body>
<nav><a href="/">Inicio</a> <a href="/agenda.pdf">Agenda</a></nav>
<main>Portada <h1>Noticias de Madrid</h1>
<p id="match">El Madrid ganó <b>2-1</b> en Auxerre ante treinta mil personas.</p>
<p id="rest">El tiempo en Sevilla.</p>
<ul id="list"><li>Agenda</li><li id="phone">Teléfonos de Madrid</li></ul>
</main></body></html>"""
WHOLE = (
    "Inicio Agenda Portada Noticias de Madrid El Madrid ganó 2-1 en Auxerre ante treinta mil personas. El tiempo en Sevilla."
)
WHOLE += " Agenda Teléfonos de Madrid"
MATCH = "El Madrid ganó 2-1 en Auxerre ante treinta mil personas."
OpenDesk = Callable[..., Desk]


def test_the_count_follows_the_typing(open_desk: OpenDesk) -> None:
    desk = open_desk(PAGE)
    desk.type("madrid")
    desk.wait_text("count", "Matches: 3")
    desk.type("madrid auxerre")
    desk.wait_text("count", "Matches: 1")
    assert desk.untouched() is True, "nothing is done to the page while typing"


def test_filter_and_restore(open_desk: OpenDesk) -> None:
    desk = open_desk(PAGE)
    said = desk.filter("madrid auxerre")
    assert said.startswith("Shown: 1")
    assert desk.seen() == MATCH
    assert desk.press("restore", said=True) == "The page is as it was."
    assert desk.seen() == WHOLE
    assert desk.untouched() is True


def test_enter_filters_and_the_error_is_marked_in_place(open_desk: OpenDesk) -> None:
    desk = open_desk(PAGE)
    desk.type("madrid AND (auxerre")
    desk.wait_text("criterion-error", "This parenthesis is not closed: add ).")
    marked = "() => [...document.getElementById('criterion-marks').childNodes].map(piece => piece.textContent)"
    assert desk.panel.evaluate(marked) == ["madrid AND ", "("]
    desk.type("sevilla")
    desk.panel.press("Enter")
    desk.wait_seen("El tiempo en Sevilla.")
    assert desk.panel.evaluate("() => document.getElementById('criterion-error').hidden")


def test_what_would_be_blank_leaves_the_page(open_desk: OpenDesk) -> None:
    desk = open_desk(PAGE)
    assert desk.filter("submarino").startswith("Nothing on this page matches.")
    assert desk.untouched() is True
    desk.filter("madrid")
    before = desk.seen()
    assert desk.filter("submarino").startswith("Nothing")
    assert desk.seen() == before, "the filter that was there stays"


def test_views_change_without_loading(open_desk: OpenDesk) -> None:
    desk = open_desk(PAGE)
    height = "() => document.getElementById('phone').getBoundingClientRect().top"
    whole = desk.page.evaluate(height)
    desk.choose("view", "keep")
    desk.filter("teléfonos")
    desk.wait_seen("Teléfonos de Madrid")
    assert desk.page.evaluate(height) == whole, "the structure keeps its space"
    desk.choose("view", "collapse")
    desk.page.wait("whole => document.getElementById('phone').getBoundingClientRect().top < whole", whole)
    assert desk.seen() == "Teléfonos de Madrid"
    desk.choose("view", "bare")
    desk.page.wait("() => document.querySelector('trasmallo-bare') !== null")
    assert desk.seen() == "Teléfonos de Madrid"
    bare = "() => document.querySelector('trasmallo-bare').innerHTML"
    assert desk.page.evaluate(bare) == '<ul id="list"><li id="phone">Teléfonos de Madrid</li></ul>', "an orphan gets its parent"
    desk.press("restore", said=True)
    assert desk.untouched() is True


def test_tolerance_previews_up_to_the_whole_page(open_desk: OpenDesk) -> None:
    desk = open_desk(PAGE)
    desk.filter("auxerre")
    assert desk.seen() == MATCH
    assert desk.text("tolerance-value") == "0 of 2"
    desk.set("tolerance", 1, "input")
    desk.wait_seen(WHOLE.removeprefix("Inicio Agenda "))
    desk.set("tolerance", 2, "input")
    desk.wait_seen(WHOLE)
    desk.set("tolerance", 0, "input")
    desk.wait_seen(MATCH)
    desk.set("tolerance", 2, "input")
    desk.wait_seen(WHOLE)
    desk.press("undo")
    desk.wait_seen(MATCH)
    desk.press("undo")
    desk.wait_seen(WHOLE)
    assert desk.untouched() is True, "the slider's steps are one way back, then the filter"


def test_tolerance_by_nearness_and_meaning(open_desk: OpenDesk) -> None:
    desk = open_desk(PAGE)
    desk.filter("auxerre")
    desk.set("tolerance-kind", "near")
    desk.wait_seen("Auxerre")
    desk.set("tolerance", 1, "input")
    desk.wait_seen("en Auxerre ante")
    desk.choose("view", "bare")
    desk.page.wait("() => document.querySelector('trasmallo-bare') !== null")
    desk.choose("view", "collapse")
    desk.set("tolerance-kind", "meaning")
    desk.page.wait("() => document.body.innerText.includes('Auxerre')")
    assert "no data" not in desk.text("said"), "Spanish has data"
    desk.press("restore", said=True)
    assert desk.untouched() is True


def test_a_language_without_data_is_told(open_desk: OpenDesk) -> None:
    desk = open_desk(PAGE.replace('lang="es"', 'lang="pl"'))
    desk.filter("auxerre")
    desk.set("tolerance-kind", "meaning")
    desk.panel.wait(
        "() => document.getElementById('said').textContent.includes('no data about meaning for this language (pl)')"
    )


def test_inverse_hides_what_matches(open_desk: OpenDesk) -> None:
    desk = open_desk(PAGE)
    desk.panel.evaluate("() => document.getElementById('inverse').click()")
    desk.filter("madrid")
    assert desk.seen() == "Inicio Agenda Portada El tiempo en Sevilla. Agenda"
    assert desk.text("said").startswith("Hidden: ")
    desk.panel.evaluate("() => document.getElementById('inverse').click()")
    desk.page.wait("() => document.body.innerText.includes('Noticias de Madrid')")
    desk.panel.wait("() => document.getElementById('said').textContent.startsWith('Shown: ')")


def test_what_is_kept_first_comes_into_the_window(open_desk: OpenDesk) -> None:
    lines = "".join(f"<p>línea {number}</p>" for number in range(300))
    desk = open_desk(f"<title>larga</title>{lines}<p id=wanted>El río Sella</p>{lines}")
    desk.choose("view", "keep")
    desk.filter("sella")
    place = "() => document.getElementById('wanted').getBoundingClientRect().top"
    assert 0 < desk.page.evaluate(place) < desk.page.evaluate("() => innerHeight")


def test_the_bare_view_of_an_inverse_filter(open_desk: OpenDesk) -> None:
    desk = open_desk(PAGE)
    desk.choose("view", "bare")
    desk.panel.evaluate("() => document.getElementById('inverse').click()")
    desk.filter("madrid")
    assert desk.seen() == "Inicio Agenda Portada El tiempo en Sevilla. Agenda"
    desk.press("restore", said=True)
    assert desk.untouched() is True


def test_the_rule_can_be_taken_away(open_desk: OpenDesk) -> None:
    desk = open_desk(PAGE)
    desk.filter("madrid auxerre")
    rule = "format => document.querySelector(`[data-rule=${format}]`).click()"
    starts = {
        "command": "trasmallo slice http://127.0.0.1",
        "css": "body :not(:is(html > body > main",
        "ublock": "! trasmallo: madrid auxerre",
    }
    for form, start in starts.items():
        desk.panel.evaluate(rule, form)
        desk.panel.wait("start => document.getElementById('rule').value.startsWith(start)", start)
    desk.filter("noticias", button="filter-inside")
    assert desk.text("said").startswith("Nothing")
    desk.filter("madrid", button="filter-inside")
    desk.panel.evaluate(rule, "ublock")
    desk.panel.wait("() => document.getElementById('said').textContent.startsWith('This filter cannot be said')")


def test_filters_stack_and_come_back(open_desk: OpenDesk) -> None:
    desk = open_desk(PAGE)
    desk.filter("madrid")
    desk.filter("auxerre", button="filter-inside")
    assert desk.seen() == MATCH
    listed = "() => [...document.querySelectorAll('#steps code')].map(step => step.textContent)"
    assert desk.panel.evaluate(listed) == ["madrid", "auxerre"]
    desk.press("undo")
    desk.page.wait("() => document.body.innerText.includes('Noticias')")
    desk.press("redo")
    desk.wait_seen(MATCH)
    desk.panel.evaluate("() => document.querySelector('#steps button').click()")
    desk.page.wait("() => document.body.innerText.includes('Noticias')")
    assert desk.panel.evaluate(listed) == ["madrid"]
    desk.press("restore", said=True)
    assert desk.untouched() is True


def test_attributes_are_looked_into(open_desk: OpenDesk) -> None:
    desk = open_desk(PAGE)
    desk.type("pdf AND agenda")
    desk.panel.wait("() => document.getElementById('count').textContent === 'Matches: 0'")
    desk.choose("where", "both")
    desk.filter("pdf AND agenda")
    assert desk.seen() == "Agenda"


def test_highlights_with_next_and_previous(open_desk: OpenDesk) -> None:
    desk = open_desk(PAGE)
    before = desk.page.screenshot()
    desk.type("madrid")
    desk.press("next")
    desk.wait_text("mark-place", "1 / 3")
    assert desk.seen() == WHOLE, "nothing is hidden to highlight"
    marked = "name => [...(CSS.highlights.get(name) ?? [])].map(range => range.toString())"
    assert desk.page.evaluate(marked, "trasmallo-now") == ["Madrid"]
    assert desk.page.evaluate(marked, "trasmallo") == ["Madrid"] * 2
    assert desk.page.screenshot() != before, "they are painted"
    desk.press("previous")
    desk.wait_text("mark-place", "3 / 3")
    desk.press("next")
    desk.wait_text("mark-place", "1 / 3")
    assert desk.untouched() is True, "words are highlighted without touching the tree"
    desk.press("restore", said=True)
    desk.wait_text("mark-place", "")
    assert desk.page.screenshot() == before


def test_continuous_filtering_of_a_site(permitting: Browser, site: Site) -> None:
    url = site.add("/always.html", "<!doctype html>" + PAGE)
    with Desk(permitting, url) as desk:
        desk.filter("auxerre")
        # Only what the user's own hand does may ask for a permission.
        desk.panel.evaluate("() => { document.getElementById('always').open = true; }")
        desk.panel.evaluate("() => document.querySelector('[name=always]').focus()")
        desk.panel.press("ArrowRight")
        desk.wait_text("said", "From now on pages are filtered as they load.")
        desk.page.goto(url)
        desk.wait_seen(MATCH)
        desk.choose("always", "off")
        desk.panel.wait("() => document.getElementById('said').textContent.startsWith('Pages are no longer')")
        desk.page.goto(url)
        assert desk.seen() == WHOLE


def test_forms_of_a_word_are_found_by_what_is_typed_as_the_command_finds_them(open_desk: OpenDesk) -> None:
    desk = open_desk(
        '<html lang="es"><body><p>El perro marcó un gol.</p><p>Nada que ver.</p><p>Marcarán dos.</p></body></html>'
    )
    assert desk.filter("marcar").startswith("Nothing on this page matches.")
    assert desk.filter("marcar~").startswith("Shown: 2")
    assert desk.seen() == "El perro marcó un gol. Marcarán dos."
    assert desk.filter("marcar~ -dos").startswith("Shown: 1"), "and what shall not be there is said by a hyphen"
    assert desk.seen() == "El perro marcó un gol."


def test_a_page_within_the_page_is_looked_into(open_desk: OpenDesk) -> None:
    inner = "&lt;p&gt;Dentro duermen los murciélagos.&lt;/p&gt;"
    desk = open_desk(f'<html lang="es"><body><p>Fuera no hay nada.</p><iframe srcdoc="{inner}"></iframe></body></html>')
    assert desk.filter("murciélagos").startswith("Shown: 1")
    inside = "() => document.querySelector('iframe').contentDocument.body.innerText.trim()"
    assert desk.page.evaluate(inside) == "Dentro duermen los murciélagos."
    assert "Fuera" not in desk.seen()
