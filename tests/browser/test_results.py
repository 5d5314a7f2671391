"""Results in real browsers: long tables, new words by keys, search, from a concordance to its document, files."""

from __future__ import annotations

import shutil
from collections.abc import Callable

from browser.conftest import Browser
from support.browsers.app_server import LONG, App
from support.waiting import until
from trasmallo.project.project import Project

Keep = Callable[[bytes, str], None]

TABLE = "/p/long/tables/words_by_page?lang=en"
SCROLL = "share => { const box = document.querySelector('[data-rows]'); box.scrollTop = share * box.scrollHeight; }"
SEEN = """() => { const box = document.querySelector('[data-rows]').getBoundingClientRect();
  const seen = [...document.querySelectorAll('#rows tr')].filter(row => {
    const place = row.getBoundingClientRect(); return place.bottom > box.top + 40 && place.top < box.bottom - 20; });
  return seen.some(row => row.classList.contains('blank')) ? null
    : seen.map(row => Number(row.getAttribute('aria-rowindex')) - 1); }"""
CELLS = "column => [...document.querySelectorAll('#rows tr')].map(row => row.cells[column].textContent)"
CURRENT = "() => document.querySelector('tr[aria-current]')?.dataset.word"
TABS = """() => [...document.querySelectorAll("[data-tab=''], [data-tab=accepted], [data-tab=typo], #rows")]
  .map(place => Number(place.textContent.replace(/\\D/g, "")))"""
"""How many rows there are, and how many words are open, accepted and typos."""
VERDICT = "word => document.querySelector(`tr[data-word='${word}']`)?.dataset.verdict"


def test_a_long_table_scrolls_at_once(browser: Browser, app: App, keep_picture: Keep) -> None:
    tab = app.open(browser, TABLE)
    tab.resize(1280, 900)
    tab.wait("() => !!document.querySelector('tbody.gap')")
    assert tab.wait(SEEN)[0] == 1
    tab.evaluate(SCROLL, 0.5)
    middle = tab.wait(f"() => {{ const seen = ({SEEN})(); return seen && seen[0] > 1000 && seen; }}")
    assert abs(middle[0] - LONG / 2) < 200
    assert middle == list(range(middle[0], middle[0] + len(middle)))
    assert tab.evaluate("() => document.querySelectorAll('#rows tr').length") < 200
    tab.wait("() => Number(new URL(location.href).searchParams.get('offset')) > 50000")
    keep_picture(tab.screenshot(), "table-middle")
    shared = tab.evaluate("() => location.href")
    tab.evaluate("() => document.querySelector('[data-rows]').focus()")
    tab.press("End")
    assert tab.wait(f"() => {{ const seen = ({SEEN})(); return seen && seen.at(-1) === {LONG} && seen; }}")
    tab.press("Home")
    tab.wait(f"() => ({SEEN})()?.[0] === 1")
    tab.goto(shared)
    again = tab.wait(f"() => {{ const seen = ({SEEN})(); return seen && seen[0] > 1000 && seen; }}")
    assert abs(again[0] - middle[0]) <= 2
    tab.close()


def test_a_long_table_is_sorted_and_filtered_on_the_server(browser: Browser, app: App) -> None:
    tab = app.open(browser, TABLE)
    tab.evaluate("() => document.querySelector('thead th:nth-child(3) a').click()")
    tab.wait("() => new URL(location.href).searchParams.get('sort') === '-count' && !!document.querySelector('tbody.gap')")
    tab.wait("() => document.readyState === 'complete'")
    assert set(tab.evaluate(CELLS, 2)) == {"97"}
    tab.press("/")
    tab.wait("() => document.activeElement.name === 'value'")
    tab.evaluate("() => { document.getElementById('by').value = 'word'; }")
    tab.type("palabra00096")
    tab.press("Enter")
    tab.wait("() => document.querySelector('.chip')?.textContent.includes('word~palabra00096')")
    assert tab.evaluate(CELLS, 1) == ["palabra00096"] * 40
    exported = tab.evaluate("async () => (await fetch(document.querySelector('a[download]').href)).text()")
    assert len(exported.splitlines()) == 42
    assert exported.startswith("# trasmallo list ")
    tab.evaluate("() => document.querySelector('.chip a').click()")
    tab.wait("() => !document.querySelector('.chip')")
    tab.close()


def test_new_words_by_keys(browser: Browser, app: App, keep_picture: Keep) -> None:
    name = f"mine-{browser.name}"
    shutil.copytree(app.home / "demo", app.home / name)
    tab = app.open(browser, f"/p/{name}/neologisms?lang=en")
    tab.resize(1280, 900)
    tab.wait("() => document.readyState === 'complete'")
    first, (rows, waiting, accepted, typos) = tab.evaluate(CURRENT), tab.evaluate(TABS)
    tab.press("a")
    tab.wait(f"word => ({VERDICT})(word) === 'accepted'", first)
    assert tab.evaluate(TABS) == [rows - 1, waiting - 1, accepted + 1, typos]
    second = tab.wait(f"word => {{ const now = ({CURRENT})(); return now !== word && now; }}", first)
    tab.wait("word => document.getElementById('card').dataset.word === word", second)
    tab.press("x")
    tab.press("j")
    third = tab.evaluate(CURRENT)
    tab.press("x")
    tab.press("t")
    tab.wait(f"words => words.every(word => ({VERDICT})(word) === 'typo')", [second, third])
    project = Project.open(app.home / name)
    told = {first: "accepted", second: "typo", third: "typo"}
    until(lambda: {one.word: one.verdict for one in project.verdicts()} == told, "the verdicts")
    keep_picture(tab.screenshot(), "new-words")
    assert tab.evaluate(TABS) == [rows - 3, waiting - 3, accepted + 1, typos + 2]
    tab.press("u")
    tab.press("u")
    until(lambda: project.verdicts() == [], "the verdicts to be taken back")
    assert tab.evaluate(VERDICT, first) == ""
    assert tab.evaluate(TABS) == [rows, waiting, accepted, typos]
    tab.close()


def test_from_a_search_to_the_document(browser: Browser, app: App) -> None:
    tab = app.open(browser, "/p/demo/search?lang=en")
    tab.press("/")
    tab.type("casa")
    tab.press("Enter")
    tab.wait("() => document.querySelectorAll('.hits li').length > 0")
    tab.evaluate("() => document.querySelector('.facets a').click()")
    tab.wait("() => new URL(location.href).searchParams.get('query').includes(':')")
    tab.wait("() => document.querySelectorAll('.hits li').length > 0")
    tab.evaluate("() => document.querySelector('.hits h2 a').click()")
    tab.wait("() => location.pathname.startsWith('/p/demo/documents/') && !!document.querySelector('mark')")
    tab.close()


def test_from_a_concordance_to_the_document(browser: Browser, app: App) -> None:
    tab = app.open(browser, "/p/demo/concordance?query=casa&lang=en")
    tab.evaluate("() => { document.querySelector('details.options').open = true; }")
    tab.evaluate(
        "() => { document.querySelector('[name=sort]').value = 'word/1'; document.querySelector('.options button').click(); }"
    )
    tab.wait("() => document.querySelectorAll('.chain li').length === 2 && document.readyState === 'complete'")
    assert "where=" not in tab.evaluate("() => location.search"), "empty fields stay out of the address"
    tab.evaluate("() => document.querySelector('[value=collocates]').click()")
    tab.wait("() => !!document.querySelector('.counts')")
    tab.evaluate("() => document.querySelector('.counts td a').click()")
    tab.wait("() => document.querySelectorAll('.lines tbody tr').length > 0")
    tab.evaluate("() => document.querySelector('.lines a.hit').click()")
    tab.wait("() => /at=\\d+-\\d+/.test(location.search) && !!document.querySelector('mark')")
    tab.close()


def test_a_graph_is_followed(browser: Browser, app: App, keep_picture: Keep) -> None:
    tab = app.open(browser, "/p/demo/collocations?least=2&lang=en")
    tab.resize(1280, 900)
    word = tab.evaluate("() => document.querySelector('.graph a text').textContent")
    keep_picture(tab.screenshot(), "collocations")
    tab.evaluate("() => location.assign(document.querySelector('.graph a').href.baseVal)")
    tab.wait(
        "word => new URL(location.href).searchParams.get('word') === word && !!document.querySelector('.graph .centre')", word
    )
    tab.goto(f"{app.origin}/p/demo/laws")
    tab.wait("() => [...document.querySelectorAll('.picture img')].slice(0, 1).every(image => image.naturalWidth > 0)")
    tab.close()
