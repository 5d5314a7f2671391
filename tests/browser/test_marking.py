"""Names marked in a document with the mouse and with keys, in real browsers; learnt names judged; entities merged."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from browser.conftest import Browser
from support.browsers.app_server import App
from support.entity_project import TEXTS, document_of, make_entity_project
from support.waiting import until
from trasmallo.project.project import Project

BOX = """text => { const box = document.getElementById('marked'), walker = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const place = node.data.indexOf(text);
    if (place < 0) continue;
    const range = document.createRange();
    range.setStart(node, place); range.setEnd(node, place + text.length);
    const rect = range.getBoundingClientRect();
    return [rect.left, rect.right, rect.top + rect.height / 2];
  } }"""
MARKS = "() => document.getElementById('spans').value.trim().split('\\n').filter(Boolean)"
CURRENT = "() => document.querySelector('#marked mark[aria-current]')?.textContent"
DOUBTS = "() => [...document.querySelectorAll('#marked mark[data-doubt]')].map(mark => mark.textContent)"


@pytest.fixture
def project(app: App, browser: Browser, tmp_path: Path) -> Iterator[Project]:
    made = make_entity_project(tmp_path)
    target = app.home / f"names-{browser.name}-{tmp_path.name}"
    made.folder.rename(target)
    yield Project.open(target)


def test_names_are_marked_with_the_mouse_and_with_keys(browser: Browser, app: App, project: Project) -> None:
    document = document_of(project, "b.txt")
    tab = app.open(browser, f"/p/{project.folder.name}/marking/{document}?lang=en")
    tab.resize(1280, 900)
    tab.wait("() => document.querySelectorAll('#marked mark').length > 1")
    doubts = tab.evaluate(DOUBTS)
    assert "Juan Gómez" in doubts
    left, right, line = tab.evaluate(BOX, "vecinos")
    tab.drag((left + 1, line), (right - 1, line))
    assert tab.evaluate("() => getSelection().toString().trim()") == "vecinos"
    tab.press("m")
    start = TEXTS["b.txt"].index("vecinos")
    assert tab.evaluate(MARKS) == [f"{start} {start + 7} MISC"]
    left, right, line = tab.evaluate(BOX, "Juan Gómez")
    tab.drag(((left + right) / 2, line), ((left + right) / 2, line))
    assert tab.evaluate(CURRENT) == "Juan Gómez"
    tab.press("p")
    assert tab.evaluate(MARKS) == ["14 24 PER", f"{start} {start + 7} MISC"]
    left, right, line = tab.evaluate(BOX, "vecinos")
    tab.drag(((left + right) / 2, line), ((left + right) / 2, line))
    tab.press("x")
    assert tab.evaluate(MARKS) == ["14 24 PER"]
    tab.close()


def test_doubts_are_accepted_in_their_order_and_saved(browser: Browser, app: App, project: Project) -> None:
    document = document_of(project, "b.txt")
    scores = {str(row["text"]): float(str(row["score"])) for row in project.table("mentions", where=[f"document={document}"])}
    tab = app.open(browser, f"/p/{project.folder.name}/marking/{document}?lang=en")
    tab.wait("() => document.querySelectorAll('#marked mark').length > 1")
    tab.press("n")
    first = tab.evaluate(CURRENT)
    assert scores[first] == min(scores.values())
    tab.press("a")
    assert tab.evaluate(CURRENT) != first
    tab.press("x")
    assert len(tab.evaluate(MARKS)) == 1
    tab.evaluate("() => { document.querySelector('[name=complete]').click(); document.querySelector('button.main').click(); }")
    until(lambda: len(project.annotations()) == 1, "the marks to be saved")
    (kept,) = project.annotations()
    assert kept.complete and [TEXTS["b.txt"][one.start : one.end] for one in kept.spans] == [first]
    tab.wait("() => location.pathname.endsWith('/marking') && document.readyState === 'complete'")
    told = tab.evaluate("async () => (await fetch(document.querySelector('a[download]').href)).text()")
    assert document in told and '"complete":true' in told
    tab.close()


def test_learnt_names_are_accepted(browser: Browser, app: App, project: Project) -> None:
    tab = app.open(browser, f"/p/{project.folder.name}/kinds?lang=en")
    tab.evaluate("() => document.getElementById('learn').focus()")
    tab.type("DRUG")
    tab.evaluate("() => document.querySelector('form[data-learn] button').click()")
    tab.wait("() => new URL(location.href).searchParams.get('learn') === 'DRUG' && document.readyState === 'complete'")
    assert "Known names were met" in tab.evaluate("() => document.querySelector('main').textContent")
    tab.close()
