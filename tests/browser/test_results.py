"""Results in real browsers: long tables, new words by keys, search, from a concordance to its document, files."""

from __future__ import annotations

import shutil
from collections.abc import Callable

import pytest

from browser.conftest import Browser
from support.browsers.app_server import LONG, App
from support.waiting import until
from trasmallo.project.project import Project

Keep = Callable[[bytes, str], None]

TABLE = "/p/long/tables/words_by_page?lang=en"
SCROLL = "share => { const box = document.querySelector('[data-rows]'); box.scrollTop = share * box.scrollHeight; }"
SEEN = """() => { const box = document.querySelector('[data-rows]')?.getBoundingClientRect();
  if (!box) return null;
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
    tab.evaluate("() => document.querySelector('thead th:nth-child(2) a').click()")
    tab.wait("() => new URL(location.href).searchParams.get('sort') === '-count' && !!document.querySelector('tbody.gap')")
    tab.wait("() => document.readyState === 'complete'")
    assert set(tab.evaluate(CELLS, 1)) == {"97"}
    tab.press("/")
    tab.wait("() => document.activeElement.name === 'value'")
    tab.evaluate("() => { document.getElementById('by').value = 'word'; }")
    tab.type("palabra00096")
    tab.press("Enter")
    tab.wait("() => document.querySelector('.chip')?.textContent.includes('word~palabra00096')")
    assert tab.evaluate(CELLS, 0) == ["palabra00096"] * 40
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


LAYOUT = """() => { const box = document.querySelector('.lines').closest('.scroll').getBoundingClientRect();
  const rows = [...document.querySelectorAll('#rows tr:not(.blank)')], height = row => row.getBoundingClientRect().height;
  const hits = rows.map(row => row.querySelector('.hit').getBoundingClientRect());
  return {
    lines: Math.max(...rows.map(height)) < 1.3 * Math.min(...rows.map(height)) ? 1 : 2,
    columns: new Set(hits.map(place => Math.round(place.left))).size,
    cut: [...document.querySelectorAll('.lines .left, .lines .right')]
      .filter(cell => cell.scrollWidth > cell.clientWidth + 1).length,
    seen: hits.every(place => place.left > box.left && place.right < box.right),
  }; }"""


@pytest.mark.parametrize("asked", ["", "&context=30", "&tags=true", "&tags=true&context=30"])
def test_lines_stand_under_each_other(browser: Browser, app: App, asked: str) -> None:
    tab = app.open(browser, f"/p/demo/concordance?query=casa{asked}")
    for width in (1280, 600):
        tab.resize(width, 900)
        tab.goto(f"{app.origin}/p/demo/concordance?query=casa{asked}")
        assert tab.evaluate(LAYOUT) == {"lines": 1, "columns": 1, "cut": 0, "seen": True}, width
    tab.resize(1280, 900)
    tab.close()


LINES_SEEN = """() => { const box = document.querySelector('.edges .scroll').getBoundingClientRect();
  const seen = [...document.querySelectorAll('#rows tr')].filter(row => {
    const place = row.getBoundingClientRect(); return place.bottom > box.top + 4 && place.top < box.bottom - 20; });
  return seen.length && !seen.some(row => row.classList.contains('blank'))
    ? seen.map(row => Number(row.getAttribute('aria-rowindex')) - 1) : null; }"""


def test_a_hundred_thousand_lines_scroll_at_once(browser: Browser, app: App, keep_picture: Keep) -> None:
    tab = app.open(browser, "/p/long/concordance?query=%5B%5D&sort=word/hit&lang=en")
    tab.resize(1280, 900)
    tab.wait("() => !!document.querySelector('tbody.gap')")
    assert tab.wait(LINES_SEEN)[0] == 1
    total = tab.evaluate("() => Number(document.querySelector('[data-rows]').dataset.rows)")
    assert total > 100_000
    tab.evaluate("() => { document.querySelectorAll('[name=lines]')[1].click(); }")
    tab.evaluate(SCROLL, 0.5)
    middle = tab.wait(f"() => {{ const seen = ({LINES_SEEN})(); return seen && seen[0] > 1000 && seen; }}")
    assert abs(middle[0] - total / 2) < 200
    assert middle == list(range(middle[0], middle[0] + len(middle)))
    assert tab.evaluate("() => document.querySelectorAll('#rows tr').length") < 200
    assert tab.evaluate(LAYOUT) == {"lines": 1, "columns": 1, "cut": 0, "seen": True}
    keep_picture(tab.screenshot(), "lines-middle")
    tab.evaluate("() => { document.querySelector('[data-tick-all]').click(); }")
    ticked = tab.evaluate("() => document.querySelectorAll('[name=lines]:checked').length")
    told = tab.evaluate("() => document.querySelector('[data-ticked]').textContent")
    assert told == f"{ticked + 1} ticked", "the one that was scrolled away, too"
    tab.evaluate("() => document.querySelector('[data-rows]').focus()")
    tab.press("End")
    assert tab.wait(f"() => {{ const seen = ({LINES_SEEN})(); return seen && seen.at(-1) === {total} && seen; }}")
    tab.close()


BUILT = """() => { document.querySelector("[data-builder]").open = true;
  const add = document.querySelector("[data-add]"); add.click(); add.click();
  const [first, second] = document.querySelectorAll(".builder .part"), set = (part, name, value) => {
    const field = part.querySelector(`[data-${name}]`); field.value = value;
    field.dispatchEvent(new Event("input", {bubbles: true})); };
  set(first, "value", "ha\\"cer"); set(first, "value", "hacer");
  set(second, "attribute", "pos"); set(second, "value", "NOUN"); set(second, "gap", "2");
  return document.querySelector("[name=query]").value; }"""


def test_a_query_is_built_by_clicks(browser: Browser, app: App) -> None:
    tab = app.open(browser, "/p/demo/concordance?lang=en")
    tab.wait("() => document.readyState === 'complete'")
    assert tab.evaluate(BUILT) == '[lemma=="hacer"] []{0,2} [pos=="NOUN"] within s'
    tab.evaluate("() => document.querySelector('form.kwic button.main').click()")
    tab.wait("() => document.querySelectorAll('.lines tbody tr').length > 0 && document.readyState === 'complete'")
    typed = """value => { document.querySelector('[data-add]').click();
      const field = document.querySelector('.builder .part [data-value]'); field.value = value;
      field.dispatchEvent(new Event('input', {bubbles: true})); return document.querySelector('[name=query]').value; }"""
    assert tab.evaluate(typed, 'a"b.') == '[lemma=="a\\"b."]', "what is typed is text"
    tab.close()


def test_lines_are_ticked_and_put_into_a_group(browser: Browser, app: App) -> None:
    name = f"ticked {browser.name}"
    tab = app.open(browser, "/p/demo/concordance?query=de&lang=en")
    tab.wait("() => document.readyState === 'complete'")
    tab.evaluate("""() => { const ticks = document.querySelectorAll('[name=lines]'); ticks[1].click();
      ticks[4].dispatchEvent(new MouseEvent('click', {shiftKey: true, bubbles: true})); }""")
    assert tab.evaluate("() => document.querySelectorAll('[name=lines]:checked').length") == 4
    tab.evaluate("name => { document.querySelector('[name=group]').value = name; }", name)
    tab.evaluate("() => document.querySelector('[value=into]').click()")
    tab.wait(
        "name => [...document.querySelectorAll('.lines .group')].filter(one => one.textContent === name).length === 4", name
    )
    found = Project.open(app.home / "demo").line_group(name)
    assert [one.line.hit.lower() for one in found] == ["de"] * 4
    tab.evaluate("() => document.querySelector('.keys a').click()")
    tab.wait("() => !!document.querySelector('.keys [aria-current]') && !!document.querySelector('.lines .key-1')")
    tab.close()


def test_a_query_is_saved_and_asked_again(browser: Browser, app: App) -> None:
    name = f"sea {browser.name}"
    tab = app.open(browser, "/p/demo/concordance?query=mar&sort=word/1&lang=en")
    tab.wait("() => document.readyState === 'complete'")
    lines = tab.evaluate("() => document.querySelector('.lines tbody').textContent")
    tab.evaluate("name => { document.getElementById('query-name').value = name; }", name)
    tab.evaluate("() => document.querySelector('.keep button').click()")
    tab.wait("() => location.pathname.endsWith('/queries') && document.readyState === 'complete'")
    tab.evaluate("name => [...document.querySelectorAll('th a')].find(one => one.textContent === name).click()", name)
    tab.wait("() => !!document.querySelector('.lines tbody') && document.readyState === 'complete'")
    assert tab.evaluate("() => document.querySelector('.lines tbody').textContent") == lines
    tab.goto(f"{app.origin}/p/demo/queries")
    tab.evaluate("() => { window.confirm = () => true; }")
    assert "mar" in tab.evaluate("() => document.querySelector('main').textContent"), "it is in the history, too"
    tab.close()


def test_a_job_is_followed_to_its_answer(browser: Browser, app: App) -> None:
    tab = app.open(browser, "/p/demo/jobs?lang=en")
    project = Project.open(app.home / "demo")
    number = project.start_job("laws", language="es")
    tab.goto(f"{app.origin}/p/demo/jobs")
    row = f"[...document.querySelectorAll('#jobs tr')].find(one => one.cells[0].textContent === '{number}')"
    tab.wait(f"() => ({row})?.textContent.includes('finished')")
    tab.evaluate(f"() => ({row}).querySelector('th a').click()")
    tab.wait("() => location.pathname === '/p/demo/laws' && document.readyState === 'complete'")
    assert tab.evaluate("() => document.querySelectorAll('.picture img').length") == 3
    tab.close()


CHOSEN = "() => document.querySelector('[name=view]:checked').value"


def test_back_restores_what_was_seen(browser: Browser, app: App) -> None:
    tab = app.open(browser, "/p/demo/concordance?query=casa&context=5")
    tab.wait("() => document.readyState === 'complete'")
    tab.evaluate("() => document.querySelector('[value=collocates]').click()")
    tab.wait("() => !!document.querySelector('.counts') && document.readyState === 'complete'")
    tab.evaluate("() => history.back()")
    tab.wait("() => !!document.querySelector('.lines') && document.readyState === 'complete'")
    tab.wait(f"() => ({CHOSEN})() === 'lines'")
    assert (
        tab.evaluate("() => [...document.querySelector('[data-again]').elements].filter(field => field.disabled).length") == 0
    )
    assert tab.evaluate("() => document.getElementById('context').value") == "5"
    tab.close()


def test_back_returns_to_the_rows_that_were_seen(browser: Browser, app: App) -> None:
    tab = app.open(browser, TABLE)
    tab.resize(1280, 900)
    tab.wait("() => !!document.querySelector('tbody.gap')")
    tab.evaluate(SCROLL, 0.5)
    middle = tab.wait(f"() => {{ const seen = ({SEEN})(); return seen && seen[0] > 1000 && seen; }}")
    tab.wait("() => Number(new URL(location.href).searchParams.get('offset')) > 50000")
    tab.evaluate("() => { location.href = document.querySelector('.menu a').href; }")
    tab.wait("() => location.pathname === '/p/long' && document.readyState === 'complete'")
    tab.evaluate("() => history.back()")
    tab.wait("() => location.pathname.includes('tables') && !!document.querySelector('tbody.gap')")
    again = tab.wait(
        f"() => {{ const seen = location.pathname.includes('tables') && ({SEEN})(); return seen?.[0] > 1000 && seen; }}"
    )
    assert abs(again[0] - middle[0]) <= 2
    tab.close()


def test_back_returns_to_the_candidate_that_was_looked_at(browser: Browser, app: App) -> None:
    tab = app.open(browser, "/p/demo/neologisms?lang=en")
    tab.resize(1280, 700)
    tab.wait("() => document.readyState === 'complete'")
    for _ in range(40):
        tab.press("j")
    word = tab.evaluate(CURRENT)
    tab.wait("word => new URL(location.href).searchParams.get('word') === word", word)
    tab.evaluate("() => document.querySelector('.contexts a').click()")
    tab.wait("() => location.pathname.includes('/documents/') && document.readyState === 'complete'")
    assert tab.evaluate("""() => { const place = document.querySelector('mark').getBoundingClientRect();
      return place.top > 40 && place.bottom < innerHeight; }"""), "the place is in sight"
    tab.evaluate("() => history.back()")
    tab.wait(f"word => location.pathname.endsWith('/neologisms') && ({CURRENT})() === word", word)
    tab.wait("""() => { const row = document.querySelector('tr[aria-current]'), place = row.getBoundingClientRect();
      const box = row.closest('.scroll').getBoundingClientRect();
      return place.top > box.top && place.bottom <= box.bottom; }""")
    assert tab.evaluate("() => document.getElementById('card').dataset.word") == word
    tab.close()
