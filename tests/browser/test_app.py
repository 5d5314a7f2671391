"""The web app in real browsers: from a new project to its results, by everybody, on a phone's width and by keyboard."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from browser.conftest import Browser
from browser.test_access import look
from browser.test_project import SEND
from support.browsers.app_server import App
from support.browsers.extension_desk import Desk
from support.command_line import PROGRAM
from support.waiting import until
from trasmallo.demo.site import Site
from trasmallo.project import inbox
from trasmallo.project.lock import holder
from trasmallo.project.project import Project
from trasmallo.store import run_folders

Keep = Callable[[bytes, str], None]

PAGES = (
    "/",
    "/new",
    "/help",
    "/timetable",
    "/nowhere",
    "/p/demo",
    "/p/demo/live",
    "/p/demo/age?budget=10",
    "/p/demo/history",
    "/p/demo/settings",
    "/p/demo/lists",
    "/p/demo/incidents",
    "/p/demo/pending",
    "/p/demo/tables/words",
    "/p/demo/tables/pages?where=words%3E10",
    "/p/demo/tables/words?where=count%3E100000",
    "/p/demo/search",
    "/p/demo/search?query=de",
    "/p/demo/concordance",
    "/p/demo/concordance?query=de&where=language%3Des&sort=word/1&tags=true",
    "/p/demo/concordance?query=de&view=collocates",
    "/p/demo/concordance?query=de&view=distribution",
    "/p/demo/concordance?query=%5Blemma",
    "/p/demo/word",
    "/p/demo/word?word=hacer",
    "/p/demo/word?word=hizo",
    "/p/demo/word?word=hacer&other=dar",
    "/p/demo/queries",
    "/p/demo/jobs",
    "/p/demo/groups",
    "/p/demo/groups/names",
    "/p/demo/concordance?query=de&in_group=names&not_in=names",
    "/p/demo/report",
    "/p/demo/neologisms",
    "/p/demo/collocations",
    "/p/demo/profiles",
    "/p/demo/laws",
    "/p/demo/links",
    "/p/demo/compare",
)
FILL = """values => { for (const [id, value] of Object.entries(values)) {
  const field = document.getElementById(id);
  field.value = value;
  field.dispatchEvent(new Event("input", {bubbles: true}));
  field.dispatchEvent(new Event("change", {bubbles: true}));
} }"""
READY = "() => document.readyState === 'complete' && typeof window.htmx === 'object'"
TEXT = "selector => document.querySelector(selector)?.textContent ?? ''"
SEES = "(selector, text) => (document.querySelector(selector)?.textContent ?? '').includes(text)"
CLICK = "selector => document.querySelector(selector).click()"
COUNT = "name => Number(document.querySelector(`[data-count=${name}]`)?.textContent.replace(/\\D/g, '') ?? 0)"
TOO_WIDE = """() => [...document.querySelectorAll("body *")].filter(element => element.checkVisibility() &&
  element.getBoundingClientRect().right > innerWidth + 1 && !element.closest(".scroll, .menu, textarea"))
  .map(element => element.outerHTML.slice(0, 80))"""

SIDEWAYS = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.fixture
def web() -> Iterator[Site]:
    """What the new project crawls."""
    with Site() as site:
        yield site


def test_from_a_new_project_to_its_results(browser: Browser, app: App, web: Site, keep_picture: Keep) -> None:
    name = f"diario-{browser.name}"
    tab = app.open(browser, "/new?lang=en")
    tab.evaluate(FILL, {"name": name, "addresses": "\n".join(web.seeds)})
    tab.evaluate(CLICK, "main form button.main")
    tab.wait(SEES, ".said", "The project is made.")
    tab.wait(READY)

    tab.evaluate(FILL, {"crawl.delay": "-1"})
    tab.wait(SEES, "#beside .wrong", "must be")
    tab.evaluate(FILL, {"crawl.delay": "0.3", "crawl.lines": "3"})
    tab.wait("() => document.getElementById('file').value.includes('lines = 3')")
    tab.evaluate(CLICK, ".savebar button.main")
    tab.wait(SEES, ".said", "Saved.")
    assert Project.open(app.home / name).config.crawl.lines == 3

    tab.goto(f"{app.origin}/p/{name}/live")
    tab.evaluate(CLICK, "[data-when=run] button")
    tab.wait(SEES, "#state", "running")
    tab.wait(READY)
    tab.wait(f"() => ({COUNT})('obtained') > 2")
    tab.wait("() => document.querySelectorAll('#lines tr').length === 3")
    tab.wait(SEES, "#hosts", "rests (delay of 0.3 s)")
    other = browser.open(f"{app.origin}/p/{name}/live")
    other.wait(f"() => ({COUNT})('obtained') > 2")
    told = "() => [...document.querySelectorAll('.u-legend')].map(legend => legend.innerText).join()"
    assert "--" not in tab.evaluate(told), "without a pointer, the last values"
    keep_picture(tab.screenshot(), "app-live")

    tab.evaluate(FILL, {"texts": "http"})
    tab.wait(SEES, "#removes", "It would remove")
    tab.evaluate(CLICK, "[data-when=pause] button")
    other.wait(SEES, "#state", "paused")
    tab.wait("() => !document.querySelector('[data-when=resume]').hidden")
    tab.evaluate(CLICK, "[data-when=resume] button")
    other.wait(SEES, "#state", "running")
    other.evaluate(CLICK, "[data-when=stop] button")
    tab.wait(SEES, "#state", "stopped")
    until(lambda: not holder(app.home / name), "the run to end", 90)
    other.close()

    tab.goto(f"{app.origin}/p/{name}/tables/words?where=count%3E%3D2&sort=-documents")
    rows = tab.evaluate("() => document.querySelectorAll('#rows tr').length")
    assert rows > 5
    exported = tab.evaluate("async () => (await fetch(document.querySelector('a[download]').href)).text()")
    assert len(exported.splitlines()) >= rows + 1
    tab.close()


@pytest.mark.timeout(400)  # axe looks at every page, and the machine may be busy
def test_everybody_can_use_every_page(browser: Browser, app: App, keep_picture: Keep) -> None:
    if browser.name != "chromium":
        pytest.skip("axe says the same of the same page, whoever shows it")
    tab = app.open(browser, "/?lang=es")
    tab.resize(1280, 900)
    document = Project.open(app.home / "demo").table("pages", where=["drop="], sort="-words", limit=1)[0]["document"]
    sides = [f"/p/demo/documents/{document}?tab={side}" for side in ("words", "page", "slice", "versions")]
    for page in [*PAGES, *sides]:
        tab.goto(app.origin + page)
        tab.evaluate("() => { for (const part of document.querySelectorAll('details')) part.open = true; }")
        assert look(tab) == [], page
        tab.dark(False)
        keep_picture(tab.screenshot(), f"app-{page.strip('/').partition('?')[0].replace('/', '-') or 'projects'}")
    tab.close()


def test_nothing_is_asked_for_elsewhere_and_nothing_is_refused(browser: Browser, app: App) -> None:
    tab = app.open(browser, "/")
    tab.listen()
    for page in PAGES:
        tab.goto(app.origin + page)
        refused = [told for told in tab.complaints() if "Security" in told or "Refused" in told]
        assert refused == [], page
        asked = tab.evaluate("() => performance.getEntriesByType('resource').map(entry => entry.name)")
        assert all(name.startswith(app.origin) for name in asked), asked
        tab.wait(READY)
    tab.close()


def test_a_phone_s_width(browser: Browser, app: App) -> None:
    tab = app.open(browser, "/")
    for width in (500,) if browser.name == "firefox" else (320, 760):  # a window of Firefox is never narrower
        tab.resize(width, 800)
        for page in PAGES:
            tab.goto(app.origin + page)
            assert tab.evaluate(TOO_WIDE) == [], (page, width)
            assert tab.evaluate(SIDEWAYS) <= 0, (page, width)
    tab.resize(1280, 900)
    tab.close()


def test_a_project_on_the_timetable(browser: Browser, app: App, keep_picture: Keep) -> None:
    tab = app.open(browser, "/timetable?lang=en")
    tab.wait(READY)
    assert tab.evaluate("() => document.getElementById('date').checkVisibility()") is False
    tab.evaluate(CLICK, "#kind-every")
    assert tab.evaluate("() => ['date', 'time', 'number'].map(id => document.getElementById(id).checkVisibility())") == [
        False, False, True,
    ]  # fmt: skip
    tab.evaluate(CLICK, "#kind-days")
    tab.evaluate(FILL, {"project": "demo", "time": "04:30", "zone": "Asia/Tokyo"})
    tab.evaluate(CLICK, "#form button.main")
    tab.wait(SEES, "#entries", "daily at 04:30")
    tab.wait(READY)
    shown, due = tab.evaluate(
        "() => { const e = document.querySelector('#entries local-time'); return [e.textContent, e.dataset.at]; }"
    )
    assert shown == tab.evaluate("at => new Date(at * 1000).toLocaleString('sv').slice(0, 16)", due), "in the reader's zone"
    assert look(tab) == []
    keep_picture(tab.screenshot(), "app-timetable-entry")
    other = browser.open(f"{app.origin}/timetable?lang=en")
    tab.evaluate(CLICK, "#entries form[action$=change] button")
    tab.wait(SEES, ".said", "Switched off")
    other.wait(SEES, "#entries .off", "off")
    other.close()
    tab.evaluate(CLICK, "#entries form[action$=remove] button")
    tab.wait(SEES, ".said", "Off the timetable")
    tab.evaluate(CLICK, ".said form button")
    tab.wait(SEES, "#entries .off", "daily at 04:30")
    tab.evaluate(CLICK, "#entries form[action$=remove] button")
    tab.wait(SEES, ".empty", "No project is on the timetable.")
    tab.close()


def test_times_are_those_of_the_reader(browser: Browser, app: App) -> None:
    if browser.name != "chromium":
        pytest.skip("only Chromium can be moved to another zone")
    began = run_folders.latest(app.home / "demo" / "runs").manifest.began
    tab = app.open(browser, "/p/demo")
    tab.command("Emulation.setTimezoneOverride", timezoneId="Asia/Tokyo")
    for page in ("/p/demo", "/", "/p/demo/incidents"):
        tab.goto(app.origin + page)
        tab.wait("() => document.querySelector('local-time')?.title === 'Asia/Tokyo'")
    tab.goto(app.origin + "/p/demo")
    tab.wait("() => document.querySelector('local-time')?.title === 'Asia/Tokyo'")
    there = datetime.fromtimestamp(began, ZoneInfo("Asia/Tokyo"))
    assert tab.evaluate("() => document.querySelector('local-time').textContent") == f"{there:%Y-%m-%d %H:%M}"
    tab.close()


def test_the_palette_by_keyboard(browser: Browser, app: App) -> None:
    tab = app.open(browser, "/p/demo?lang=en")
    tab.wait(READY)
    tab.evaluate("() => document.dispatchEvent(new KeyboardEvent('keydown', {key: 'k', ctrlKey: true, bubbles: true}))")
    tab.wait("() => document.getElementById('palette').open")
    tab.type("incid")
    tab.press("Enter")
    tab.wait("() => location.pathname === '/p/demo/incidents'")
    tab.close()


def test_a_lost_app_is_told(browser: Browser, app: App, tmp_path: Path) -> None:
    env = os.environ | {"XDG_DATA_HOME": str(tmp_path)}
    command = [*PROGRAM, "serve", str(app.home), "--port", "0", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=env) as process:
        assert process.stdout is not None
        told = json.loads(process.stdout.readline())
        tab = browser.open(told["address"].replace("/?", "/p/demo/live?lang=en&"))
        tab.wait(SEES, "#state", "finished")
        process.kill()
        process.wait()
        tab.wait(SEES, "#note", "The connection to the app is lost")
        assert "finished" in tab.evaluate(TEXT, "#state"), "what was shown stays"
    tab.close()


def test_the_extension_sends_a_page_to_the_app(open_desk: Callable[..., Desk], app: App) -> None:
    desk = open_desk("<p>gato</p>")
    before = inbox.count(app.home / "demo")
    assert desk.panel.evaluate(SEND, {"app": app.origin, "token": app.token, "project": "demo"}) == "send_done"
    assert inbox.count(app.home / "demo") == before + 1
    assert desk.panel.evaluate(SEND, {"app": app.origin, "token": "wrong", "project": "demo"}) == "send_refused"
    assert desk.panel.evaluate(SEND, {"app": app.origin, "token": app.token, "project": "nobody"}) == "send_wrong"
