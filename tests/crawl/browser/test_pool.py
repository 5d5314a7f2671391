# ruff: noqa: E501 - scripts of pages are one line each
"""The browser that renders pages: the text of a page's twin, and no harm from hostile ones."""

from __future__ import annotations

import asyncio
import re

import pytest

from support.script_web import (
    BEHAVIOURS,
    ENDLESS_LIST,
    FRAMES,
    HOST,
    HOSTILE,
    SENTENCES,
    TWIN,
    WATCHED_LIST,
    ScriptWeb,
    needs_browser,
    quick_pool,
    shell,
    show,
)
from trasmallo.crawl.browser.launching import CannotStart
from trasmallo.crawl.browser.pool import BrowserPool
from trasmallo.crawl.browser.tab import TabTrouble

pytestmark = needs_browser


def words(html: str) -> list[str]:
    return re.sub(r"<title>.*?</title>|<[^>]*>", " ", html).split()


def links(html: str) -> list[str]:
    return re.findall(r'<a href="([^"]*)"', html)


def test_each_behaviour_of_scripts_gives_the_text_and_links_of_its_twin() -> None:
    async def go() -> None:
        pool, web = quick_pool(), ScriptWeb()
        try:
            for name, script in BEHAVIOURS.items():
                shown, _ = await show(pool, web, shell(script))
                assert (words(shown.html), links(shown.html), shown.cut) == (words(TWIN), links(TWIN), ""), name
            shown, _ = await show(pool, web, shell(ENDLESS_LIST))
            assert all(sentence in shown.html for sentence in SENTENCES)
            framed, _ = await show(pool, web, shell(FRAMES))
            assert words(framed.html) == words("<p>escrito en un marco</p><p>dado en un marco</p>")
            assert framed.routes == (HOST + "/other",)
            watched, _ = await show(pool, web, shell(WATCHED_LIST))
            assert all(sentence in watched.html for sentence in SENTENCES)
            routed, page = await show(
                pool, web, shell("history.pushState({}, '', '/route/1'); fetch('/secret/x'); new Image().src = '/i.png'")
            )
            assert routed.routes == (HOST + "/route/1",)
            assert page.refused["refused by robots.txt"] == 1
            assert {url for _, url in web.asked} == {
                HOST + path for path in ("/start.js", "/more.js", "/data.json", "/robots.txt")
            }
            assert pool.launches == 1
        finally:
            await pool.close()

    asyncio.run(go())


def test_no_hostile_page_reaches_anything_or_ends_the_pool() -> None:
    """The kinds that need no limit to end; `benchmarks/rendering.py hostile` has all of them."""

    async def go() -> None:
        pool, web = quick_pool(), ScriptWeb()
        try:
            for name in (
                "dialogs",
                "a private address",
                "a download",
                "popups",
                "a service worker",
                "sockets",
                "local files",
                "a post",
            ):
                shown, _ = await show(pool, web, shell(HOSTILE[name]))
                assert 'id="root"' in shown.html, name
            with_loop, _ = await show(pool, web, shell("document.body.append('before'); " + HOSTILE["an endless loop"]))
            assert "cut short" in with_loop.cut
            assert {method for method, _ in web.asked} == {"GET"}
            outside = {url for _, url in web.asked if not url.startswith(HOST)}
            assert outside <= {"http://127.0.0.1:7470/robots.txt", "http://169.254.169.254/robots.txt"}
            fine, _ = await show(pool, web, shell(BEHAVIOURS["at once"]))
            assert words(fine.html) == words(TWIN)
        finally:
            await pool.close()

    asyncio.run(go())


def test_a_page_that_wants_all_memory_is_ended_with_its_cause() -> None:
    async def go() -> None:
        pool, web = quick_pool(seconds=20.0), ScriptWeb()
        try:
            with pytest.raises(TabTrouble, match="memory|MB|died"):
                await show(pool, web, shell(HOSTILE["buffers without end"]))
            fine, _ = await show(pool, web, shell(BEHAVIOURS["at once"]))
            assert words(fine.html) == words(TWIN)
        finally:
            await pool.close()

    asyncio.run(go())


def test_a_browser_that_does_not_start_is_told_in_one_line() -> None:
    async def go() -> None:
        pool = BrowserPool("trasmallo/test", program="/bin/false")
        with pytest.raises(CannotStart, match="does not start"):
            await show(pool, ScriptWeb(), shell(""))
        await pool.close()

    asyncio.run(go())


WALL = """
const root = document.getElementById('root'); const box = document.createElement('div'); box.id = 'cookie-box';
const say = (text, act, id) => { const b = document.createElement('button'); b.textContent = text; b.id = id || ''; b.onclick = act; box.append(b); };
const open = (text) => () => { box.remove(); root.textContent = text; };
"""
WALLS = {
    "by words": (WALL + "box.append('Usamos cookies. '); say('Aceptar todo', open('aceptado')); say('Rechazar todo', open('rechazado')); document.body.append(box);", (), "rechazado", "its own words"),
    "by a known rule": (WALL + "box.id = 'onetrust-banner-sdk'; box.append('Cookies'); say('Accept All', open('aceptado')); say('No', open('rechazado'), 'onetrust-reject-all-handler'); document.body.append(box);", (), "rechazado", "OneTrust"),
    "by the project's rule": (WALL + "box.append('Cookies'); say('Aceptar todo', open('aceptado')); say('Ahora no', open('rechazado'), 'no'); document.body.append(box);", ("#no",), "rechazado", "a rule of the project"),
    "never by consent": (WALL + "box.append('Cookies'); say('Aceptar todo', open('aceptado')); say('Ajustes', open('otra')); document.body.append(box);", (), "", "left"),
    "not though the project's rule names consent": (WALL + "box.append('Cookies'); say('Accept all', open('aceptado'), 'yes'); document.body.append(box);", ("#yes",), "", "left"),
    "loaded anew": (WALL + "if (document.cookie.includes('no=1')) root.textContent = 'rechazado'; else { box.append('Cookies'); say('Reject all', () => { document.cookie = 'no=1'; location.reload(); }); document.body.append(box); }", (), "rechazado", "its own words"),
    "in a shadow tree": (WALL + "const host = document.createElement('div'); host.id = 'usercentrics-root'; document.body.append(host); host.attachShadow({mode: 'open'}).append(box); box.append('Cookies'); say('Deny', open('rechazado')); box.querySelector('button').dataset.testid = 'uc-deny-all-button';", (), "rechazado", "Usercentrics"),
    "no wall": ("document.getElementById('root').innerHTML = '<p>Rechazar todo es un título</p><button>Rechazar todo</button>';", (), "Rechazar", ""),
}  # fmt: skip


def test_a_wall_for_consent_is_dismissed_only_by_declining() -> None:
    async def go() -> None:
        pool, web = quick_pool(), ScriptWeb()
        try:
            for number, (name, (script, decline, text, consent)) in enumerate(WALLS.items()):
                shown, _ = await show(pool, web, shell(script), f"{HOST}/{number}", decline)
                assert (shown.consent, text in shown.html, ">aceptado" in shown.html) == (consent, True, False), name
        finally:
            await pool.close()

    asyncio.run(go())
