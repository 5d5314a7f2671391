"""Every page of the app in real browsers: no script error, no complaint in the console, no two elements of one id."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import quote

import pytest

from browser.conftest import Browser
from support.browsers.app_server import App
from trasmallo.project.project import Project
from trasmallo.results.registry import groups
from trasmallo.store.line_groups import group_names
from trasmallo.web.views import all_pages

MORE = {
    "/p/{project}/search": ("?query=de", "?query=title:"),
    "/p/{project}/concordance": (
        "?query=de&tags=true&context=30&sort=word/1",
        "?query=de&view=breakdown",
        "?query=de&view=collocates",
        "?query=de&view=distribution",
        "?query=%5Blemma",
        "?query=de&in_group=names&sort=word/-1&sort=word/1",
    ),
    "/p/{project}/word": ("?word=hacer", "?word=hizo", "?word=hacer&other=dar", "?word=nosuchword"),
    "/p/{project}/documents/{document}": (
        "?tab=page",
        "?tab=main",
        "?tab=slice&criterion=de",
        "?tab=slice&criterion=xyzzy",
        "?tab=slice&criterion=de+AND+(",
        "?tab=versions",
    ),
    "/p/{project}/tables/{table}": ("?where=words%3E10",),
    "/p/{project}/neologisms": ("?shown=every",),
    "/p/{project}/check": ("?now=true",),
    "/p/{project}/exclude": ("?texts=http",),
}
"""Questions to a page that make it look quite different."""

LOADED = "() => document.readyState === 'complete' && typeof window.htmx === 'object'"
TWICE = """() => { const ids = [...document.querySelectorAll("[id]")].map(element => element.id);
  return ids.filter((id, place) => ids.indexOf(id) !== place); }"""
UNNAMED = """() => [...document.querySelectorAll("[aria-describedby], [aria-labelledby], [aria-controls], label[for]")]
  .flatMap(element => ["aria-describedby", "aria-labelledby", "aria-controls", "for"].flatMap(name =>
    (element.getAttribute(name) ?? "").split(/\\s+/).filter(id => id && !document.getElementById(id))))"""
WORKS = "() => document.querySelector('#palette [aria-selected]') && customElements.get('local-time') !== undefined"


def addresses(app: App, project: str, *, whole: bool) -> Iterator[str]:
    """Every page that is looked at, of a project and outside of it, with names that exist and some questions.

    Of the tables only one, which are all one page, and no page outside of the project, unless the `whole` app is wanted.
    """
    for page in all_pages():
        if page.method != "GET" or not page.template or not (whole or "{project}" in page.path):
            continue
        for name in names(app, project, page.path, whole=whole):
            path = page.path.format(project=project, **name)
            yield path
            if name.get("table", "pages") == "pages":
                yield from (path + more for more in MORE.get(page.path, ()))


def names(app: App, project: str, path: str, *, whole: bool) -> list[dict[str, str]]:
    """What stands in an address besides the project: a table of each group; a list; the first document, where there is one."""
    if "{table}" in path:
        first = [tables[0] for tables in groups().values() if tables]
        return [{"table": table} for table in (first if whole else ("pages",))]
    if "{name}" in path:
        return [{"name": path.name} for path in (app.home / project).glob("own.txt")]
    if "{group}" in path:
        return [{"group": name} for name in group_names(app.home / project)]
    if "{document}" in path:
        opened = Project.open(app.home / project)
        rows = opened.table("pages", where=["drop="], limit=1) if any(opened.runs.glob("*")) else []
        return [{"document": quote(row["document"])} for row in rows]
    return [{}]


@pytest.mark.timeout(400)  # a hundred pages, and the machine may be busy
@pytest.mark.parametrize("project", ["demo", "new", "halted"])
def test_every_page_loads_without_a_complaint(browser: Browser, app: App, project: str) -> None:
    language = {"chromium": "es", "firefox": "en"}[browser.name]
    tab = app.open(browser, f"/?lang={language}")
    tab.listen()
    wrong: dict[str, object] = {}
    for address in addresses(app, project, whole=project == "demo" and browser.name == "chromium"):
        tab.goto(app.origin + address)
        tab.wait(LOADED)
        # What strangers wrote asks for pictures and scripts, which its frame refuses: that is no fault of the page.
        complaints = [told for told in tab.complaints() if "/stored?" not in told]
        found = {"complaints": complaints, "twice": tab.evaluate(TWICE), "nobody": tab.evaluate(UNNAMED)}
        found["works"] = [] if tab.evaluate(WORKS) else ["the script of every page did not run"]
        if any(found.values()):
            wrong[address] = {name: told for name, told in found.items() if told}
    tab.close()
    assert wrong == {}
