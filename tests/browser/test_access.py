"""Everybody can use the extension's pages: axe finds nothing, in light and in dark, and the keyboard reaches everything."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from browser.conftest import Browser
from support.browsers.extension_desk import Desk
from support.browsers.loopback_site import Site

AXE = (Path(__file__).resolve().parent / "vendor" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")
_RUN = """
  const found = await window.axe.run(document, {runOnly});
  return found.violations.map(one => [one.id, one.nodes.map(node => node.html + node.failureSummary)]);
}"""
LOOK = f"""async () => {{
  {AXE};
  const runOnly = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];{_RUN}"""
# In the dark only colours change, and axe is there already.
LOOK_AT_COLOURS = f"""async () => {{
  const runOnly = {{type: "rule", values: ["color-contrast", "link-in-text-block"]}};{_RUN}"""
OPEN_ALL = "() => { for (const part of document.querySelectorAll('details')) part.open = true; }"
PAGE = "<html lang='es'><title>p</title><p>El gato duerme.</p><p>El perro <b>no</b>.</p></html>"
Keep = Callable[[bytes, str], None]


def look(page: Any) -> list[object]:
    """What axe complains of, in both colours."""
    page.dark(False)
    found = page.evaluate(LOOK)
    page.dark(True)
    return [*found, *page.evaluate(LOOK_AT_COLOURS)]


def test_the_panel(open_desk: Callable[..., Desk], keep_picture: Keep) -> None:
    desk = open_desk(PAGE)
    desk.panel.resize(400, 1100)
    desk.filter("gato")
    desk.panel.evaluate(OPEN_ALL)
    assert look(desk.panel) == []
    desk.type("gato AND (")
    desk.panel.wait("() => !document.getElementById('criterion-error').hidden")
    assert look(desk.panel) == []
    keep_picture(desk.panel.screenshot(), "panel-dark")


@pytest.mark.parametrize("path", ["options/options.html", "help/help.html", "viewer/viewer.html", "why/why.html?tab=1"])
def test_the_other_pages(extended: Browser, path: str, keep_picture: Keep) -> None:
    page = extended.extension_page(path)
    page.resize(900, 900)
    assert look(page) == []
    keep_picture(page.screenshot(), path.split("/")[0])
    page.close()


def test_the_panel_by_keyboard_alone(open_desk: Callable[..., Desk]) -> None:
    desk = open_desk(PAGE)
    desk.panel.evaluate("() => document.getElementById('criterion').focus()")
    desk.panel.type("gato")
    desk.panel.press("Enter")
    desk.wait_seen("El gato duerme.")
    reached: list[str] = []
    while "restore" not in reached:
        desk.panel.press("Tab")
        reached.append(desk.panel.evaluate("() => { const {id, name} = document.activeElement; return id || name; }"))
        assert len(reached) < 40
    for control in ("filter", "filter-inside", "inverse", "view", "tolerance-kind", "tolerance", "highlight", "next", "undo"):
        assert control in reached
    desk.panel.press("Enter")
    desk.wait_seen("El gato duerme. El perro no.")


def test_the_panel_in_a_narrow_sidebar(open_desk: Callable[..., Desk]) -> None:
    desk = open_desk(PAGE)
    desk.panel.evaluate(OPEN_ALL)
    narrow = """() => { document.body.style.width = "290px";
      const out = element => element.checkVisibility() && element.getBoundingClientRect().right > 306;
      return [...document.querySelectorAll("body *")].filter(out).map(element => element.id || element.tagName); }"""
    assert desk.panel.evaluate(narrow) == []


def test_the_popup_fits_its_window(extended: Browser, site: Site) -> None:
    page = extended.open(site.add("/popup.html", "<!doctype html>" + PAGE))
    popup = extended.popup(page)
    popup.wait("() => document.body?.dataset.state === 'ready'")
    width, height = popup.evaluate("() => [document.documentElement.scrollWidth, document.documentElement.scrollHeight]")
    assert width <= 800, "browsers cut a popup at 800 by 600 pixels"
    assert height <= 600
    popup.close()
    page.close()
