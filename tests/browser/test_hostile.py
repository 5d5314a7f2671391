"""Pages that fight, hide or break: nothing typed is lost, restoring is exact, and what cannot be reached is said."""

from __future__ import annotations

from collections.abc import Callable

from browser.conftest import Browser
from support.browsers.extension_desk import Desk
from support.browsers.loopback_site import Site

OpenDesk = Callable[..., Desk]


def restore(desk: Desk) -> None:
    desk.press("restore", said=True)
    assert desk.untouched() is True


def test_important_declarations_do_not_win(open_desk: OpenDesk) -> None:
    desk = open_desk("""<style>#loud#loud#loud { display: block !important; visibility: visible !important }</style>
      <p>gato</p><p id="loud" style="display: block !important; visibility: visible !important">perro</p>""")
    desk.filter("gato")
    assert desk.seen() == "gato"
    desk.choose("view", "keep")
    desk.wait_seen("gato")
    restore(desk)


def test_a_strict_content_policy(open_desk: OpenDesk) -> None:
    desk = open_desk(
        "<p>gato</p><p>perro</p>", Content_Security_Policy="default-src 'none'; require-trusted-types-for 'script'"
    )
    desk.filter("gato")
    assert desk.seen() == "gato"
    restore(desk)


def test_shadow_trees_even_closed_ones(open_desk: OpenDesk) -> None:
    desk = open_desk("""<my-card></my-card><div id="closed"></div><p>perro</p><script>
      document.querySelector("my-card").attachShadow({mode: "open"}).innerHTML = "<p>gato abierto</p><p>perro</p>";
      window.closed_ = document.getElementById("closed").attachShadow({mode: "closed"});
      window.closed_.innerHTML = "<p>gato cerrado</p><p>perro cerrado</p>";
    </script>""")
    before = desk.page.evaluate("() => [document.querySelector('my-card').shadowRoot.innerHTML, window.closed_.innerHTML]")
    desk.filter("gato")
    hidden = "() => [...window.closed_.children].map(child => child.checkVisibility())"
    assert desk.page.evaluate(hidden) == [True, False]
    desk.wait_text("count", "Matches: 2")
    restore(desk)
    assert (
        desk.page.evaluate("() => [document.querySelector('my-card').shadowRoot.innerHTML, window.closed_.innerHTML]") == before
    )


def test_frames_of_the_same_site_and_of_others(open_desk: OpenDesk, site: Site) -> None:
    site.add("/inner.html", "<!doctype html><p>gato de dentro</p><p>perro de dentro</p>")
    desk = open_desk(f"""<p>perro</p><iframe id="same" src="/inner.html"></iframe>
      <iframe id="written" srcdoc="<p>gato escrito</p>"></iframe>
      <iframe id="other" src="{site.other("/inner.html")}"></iframe>""")
    desk.page.wait("() => document.getElementById('same').contentDocument?.querySelector('p') !== null")
    desk.filter("gato")
    desk.wait_text("count", "Matches: 2")
    assert desk.text("notice-text") == "Frames of other sites that are not looked into: 1"
    inner = "() => document.getElementById('same').contentDocument.body.innerText.trim()"
    assert desk.page.evaluate(inner) == "gato de dentro"
    shown = "() => [...document.querySelectorAll('iframe')].map(frame => frame.checkVisibility())"
    assert desk.page.evaluate(shown) == [True, True, False]
    restore(desk)
    assert desk.page.evaluate(inner) == "gato de dentro\n\nperro de dentro"


def test_forms_half_filled_keep_what_was_typed(open_desk: OpenDesk) -> None:
    desk = open_desk("""<p>perro</p><form><p>gato <input id="name"><select id="kind"><option>a<option>b</select>
      <input id="box" type="checkbox"><textarea id="long">x</textarea></p></form>""")
    values = """() => { const [name, kind, long, box] = ["name", "kind", "long", "box"].map(id => document.getElementById(id));
      return [name.value, kind.value, long.value, box.checked]; }"""
    desk.page.evaluate("""() => { document.getElementById("name").value = "Ana"; document.getElementById("kind").value = "b";
      document.getElementById("box").checked = true; document.getElementById("long").value = "largo"; }""")
    for view in ("collapse", "keep", "bare"):
        desk.choose("view", view)
        desk.filter("gato")
    desk.page.wait("() => document.querySelector('trasmallo-bare') !== null")
    desk.page.evaluate("""() => { const copy = document.querySelector("trasmallo-bare input"); copy.value += " María";
      copy.dispatchEvent(new Event("input", {bubbles: true})); }""")
    restore(desk)
    assert desk.page.evaluate(values) == ["Ana María", "b", "largo", True], "what was typed into a copy counts too"


def test_what_the_page_itself_hides_is_not_shown_nor_a_blank_page(open_desk: OpenDesk) -> None:
    desk = open_desk("""<style>nav { display: none }</style><nav><ul><li>gato</li></ul><p>lince</p></nav>
      <ul><li>perro</li><li>otro gato</li></ul>""")
    assert desk.filter("lince").startswith("What matches is in parts that the page itself hides")
    assert desk.untouched() is True
    desk.filter("gato")
    assert desk.seen() == "otro gato"
    desk.choose("view", "bare")
    desk.page.wait("() => document.querySelector('trasmallo-bare') !== null")
    assert desk.page.evaluate("() => document.querySelector('trasmallo-bare').innerHTML") == "<ul><li>otro gato</li></ul>"
    restore(desk)


def test_a_page_that_adds_content_is_filtered_again(open_desk: OpenDesk) -> None:
    desk = open_desk("<p>gato</p><p>perro</p><div id='end'></div>")
    desk.filter("gato")
    desk.page.evaluate(
        "() => document.getElementById('end').insertAdjacentHTML('beforebegin', '<p>otro gato</p><p>otro perro</p>')"
    )
    desk.wait_seen("gato otro gato")
    desk.press("restore", said=True)
    assert desk.seen() == "gato perro otro gato otro perro"


def test_a_page_that_takes_our_marks_away_loses(open_desk: OpenDesk) -> None:
    desk = open_desk("""<p>gato</p><p>perro</p><script>new MutationObserver(records => { for (const record of records)
      if (record.target.hasAttribute("data-trasmallo")) record.target.removeAttribute("data-trasmallo");
      }).observe(document, {subtree: true, attributes: true})</script>""")
    desk.filter("gato")
    desk.page.wait("() => !document.querySelector('[data-trasmallo]') && document.body.innerText.trim() === 'gato'")
    restore(desk)
    desk.wait_seen("gato perro")


def test_where_even_that_would_be_too_much_it_is_told(open_desk: OpenDesk) -> None:
    desk = open_desk("""<p>gato</p><div><p>perro</p><i>gato</i></div><script>
      for (let k = 0; k < 600; k++) document.body.append(document.querySelector("div").cloneNode(true));
      new MutationObserver(records => { for (const record of records) record.target.removeAttribute("data-trasmallo");
      }).observe(document, {subtree: true, attributes: true})</script>""")
    desk.filter("gato")
    desk.panel.wait("async () => (await window.trasmallo.link.ask({ask: 'hello'})).now.givenUp")
    assert desk.text("notice-text").startswith("This page keeps undoing the filter")
    restore(desk)


def test_right_to_left_and_other_scripts(open_desk: OpenDesk) -> None:
    desk = open_desk("<body dir='rtl'><p>القط نائم</p><p>الكلب هنا</p><p>חתול ישן</p><p>猫在睡觉</p></body>")
    desk.filter("القط")
    assert desk.seen() == "القط نائم"
    desk.filter("חתול")
    assert desk.seen() == "חתול ישן"
    restore(desk)


def test_drawings(open_desk: OpenDesk) -> None:
    desk = open_desk("""<svg viewBox="0 0 100 100" width="200"><title>mapa</title><linearGradient id="g"/>
      <g><text y="20">gato</text></g><g id="dog"><text y="50">perro</text>
      <foreignObject y="60" width="90" height="30"><p>perro</p></foreignObject></g></svg><p>perro</p>""")
    desk.filter("gato")
    display = "() => [...document.querySelectorAll('g')].map(group => getComputedStyle(group).display)"
    assert desk.page.evaluate(display) == ["inline", "none"]
    restore(desk)


def test_deep_nesting_does_not_overflow(open_desk: OpenDesk) -> None:
    desk = open_desk("""<div id="deep"></div><p>perro</p><script>let place = document.getElementById("deep");
      for (let k = 0; k < 400; k++) { const inner = document.createElement("div"); place.append(inner); place = inner; }
      place.textContent = "gato"</script>""")
    desk.filter("gato")
    assert desk.page.evaluate("() => document.querySelector('p').checkVisibility()") is False
    restore(desk)


def test_the_browser_s_own_pages_are_told(extended: Browser) -> None:
    page = extended.open("chrome://version/" if extended.name == "chromium" else "about:license")
    popup = extended.popup(page)
    popup.wait("() => document.body?.dataset.state === 'refused'")
    popup.wait("() => document.getElementById('notice-text').textContent.startsWith('This is a page of the browser itself')")
    popup.close()
    page.close()
