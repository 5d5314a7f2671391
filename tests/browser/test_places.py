"""The places where the panel lives: popup, side panel and sidebar are one page; and the options that it starts with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from browser.conftest import Browser
from support.browsers.chromium import Tab
from support.browsers.extension_desk import Desk
from support.browsers.loopback_site import Site
from support.waiting import until

PAGE = "<!doctype html><title>p</title><p>El gato duerme.</p><p>El perro no.</p>"
OPEN_SIDEBAR = """async id => {
  await SidebarController.show(id.replace(/[^a-zA-Z0-9_-]/g, "_") + "-sidebar-action");
  return SidebarController.browser.contentDocument.getElementById("webext-panels-browser")?.currentURI.spec ?? "";
}"""


def test_the_popup_filters(extended: Browser, site: Site) -> None:
    page = extended.open(site.add("/popup-filters.html", PAGE))
    popup = extended.popup(page)
    popup.wait("() => document.body?.dataset.state === 'ready'")
    popup.evaluate(
        """() => { document.getElementById("criterion").value = "gato"; document.getElementById("filter").click(); }"""
    )
    page.wait("() => document.body.innerText.trim() === 'El gato duerme.'")
    popup.close()
    page.close()


def test_the_side_panel_or_sidebar_is_the_same_page(extended: Browser, site: Site) -> None:
    page = extended.open(site.add("/side.html", PAGE))
    popup = extended.popup(page)
    popup.wait("() => document.body?.dataset.state === 'ready'")
    if extended.name == "firefox":
        popup.close()
        until(lambda: extended.in_chrome(OPEN_SIDEBAR, extended.extension).endswith("panel/panel.html?side"), "the sidebar")  # type: ignore[union-attr]
        extended.in_chrome("() => SidebarController.hide()")  # type: ignore[union-attr]
    else:
        popup.evaluate("() => document.getElementById('open-side').click()")
        side = until(lambda: find_page(extended, "panel.html?side"), "the side panel")
        side.wait("() => document.body?.dataset.state === 'ready'")
        assert side.evaluate("() => [document.body.className, document.getElementById('open-side').hidden]") == ["side", True]
        side.close()
    page.close()


def find_page(browser: Any, end: str) -> Tab | None:
    found = [info["targetId"] for info in browser._targets("page") if info["url"].endswith(end)]
    return Tab(browser, found[0]) if found else None


def test_options_are_what_the_panel_starts_with(extended: Browser, open_desk: Callable[..., Desk]) -> None:
    options = extended.extension_page("options/options.html")
    change = """(name, value) => { const field = document.querySelector(`[name=${name}]`); field.value = value;
      field.dispatchEvent(new Event("change", {bubbles: true})); }"""
    options.evaluate(change, "view", "keep")
    options.wait("() => document.getElementById('said').textContent === 'Kept.'")
    options.evaluate(change, "app", "https://example.org/")
    options.wait("() => document.getElementById('said').textContent.startsWith('The address must be on this machine')")
    desk = open_desk(PAGE)
    assert desk.panel.evaluate("() => document.querySelector('[name=view]:checked').value") == "keep"
    options.evaluate(change, "view", "collapse")
    options.wait("() => document.getElementById('said').textContent === 'Kept.'")
    options.close()
