"""Every kind of address that a page of the app links to, followed as a reader would: by language, colour and width."""

from __future__ import annotations

import pytest

from browser.conftest import Browser
from browser.test_access import look as axe
from browser.test_app import TOO_WIDE
from browser.test_pages import LOADED, TWICE, UNNAMED, WORKS
from support.browsers.app_crawl import crawl, shape
from support.browsers.app_server import App

DESKTOP, PHONE = (1280, 900), (390, 800)
OPEN_ALL = "() => { for (const part of document.querySelectorAll('details')) part.open = true; }"
LANGUAGE = "() => document.documentElement.lang"


@pytest.mark.timeout(900)  # some two hundred pages with axe, and the machine may be busy
@pytest.mark.parametrize(("language", "size"), [("es", DESKTOP), ("en", PHONE)])
def test_every_link_leads_to_a_sound_page(browser: Browser, app: App, language: str, size: tuple[int, int]) -> None:
    if browser.name != "chromium":
        pytest.skip("axe says the same of the same page, and every page is loaded in Firefox by another test")
    tab = app.open(browser, f"/?lang={language}")
    tab.resize(*size)
    tab.listen()

    def look(address: str) -> object:
        tab.wait(LOADED)
        found = {
            "complaints": [one for one in tab.complaints() if "/stored?" not in one],
            "twice": tab.evaluate(TWICE),
            "nobody": tab.evaluate(UNNAMED),
            "script": [] if tab.evaluate(WORKS) else ["it did not run"],
            "language": [] if "lang=" in address or tab.evaluate(LANGUAGE) == language else ["another one"],
        }
        tab.evaluate(OPEN_ALL)
        found["wide"] = tab.evaluate(TOO_WIDE) if size == PHONE else []
        found["axe"] = axe(tab)
        tab.dark(False)
        return {name: what for name, what in found.items() if what}

    seen = list(crawl(tab, app.origin, "/", look))
    tab.resize(*DESKTOP)
    tab.close()
    assert len(seen) > 60
    assert {one.address: one.status for one in seen if one.status >= 400} == {}
    assert {shape(one.address): (one.address, one.wrong) for one in seen if one.wrong} == {}
