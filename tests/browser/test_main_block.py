"""Main block, next block, menus and the pictures of why."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from browser.conftest import Browser
from support.browsers.extension_desk import Desk

PAGE = """<html lang="es"><title>Puerto</title><body>
<nav><a href="/">Inicio</a> <a href="/lonja">Lonja</a> <a href="/mar">Mar</a></nav>
<article id="first"><p>La subasta de la lonja abrió con merluza a doce euros y la sardina bajó otra vez de precio.</p>
<p>El trasmallo tiene tres paños; la merluza pasa el primero, empuja el segundo y queda presa en el tercero.</p></article>
<footer class="footer">
<p>Las obras del muelle seguirán hasta mayo según dijo ayer el ayuntamiento.</p></footer></body></html>"""


def open_blocks(open_desk: Callable[..., Desk], method: str) -> Desk:
    desk = open_desk(PAGE)
    desk.set("method", method)
    return desk


def test_blocks_one_after_the_other(open_desk: Callable[..., Desk]) -> None:
    desk = open_blocks(open_desk, "best")
    desk.press("main-block")
    desk.page.wait("() => !document.body.innerText.includes('muelle') && document.body.innerText.includes('tercero')")
    desk.panel.wait("() => !document.getElementById('next-block').disabled")
    desk.press("next-block")
    desk.page.wait("() => !document.body.innerText.includes('tercero')")
    desk.press("menus")
    desk.wait_seen("Inicio Lonja Mar")
    desk.press("main-block")
    desk.page.wait("() => document.body.innerText.includes('tercero')")
    desk.press("restore", said=True)
    assert desk.untouched() is True


def test_the_main_block_and_a_criterion_in_both_orders(open_desk: Callable[..., Desk]) -> None:
    desk = open_blocks(open_desk, "cnr")
    desk.press("main-block")
    desk.panel.wait("() => !document.getElementById('filter-inside').disabled")
    desk.filter("merluza trasmallo", button="filter-inside")
    desk.wait_seen("El trasmallo tiene tres paños; la merluza pasa el primero, empuja el segundo y queda presa en el tercero.")
    desk.press("restore", said=True)
    desk.filter("muelle")
    desk.press("main-block")
    desk.panel.wait(
        "() => document.querySelectorAll('#steps li').length === 2 || document.getElementById('said').textContent !== ''"
    )


def test_why_is_drawn(open_desk: Callable[..., Desk], extended: Browser, keep_picture: Callable[[bytes, str], None]) -> None:
    desk = open_blocks(open_desk, "cnr")
    why = extended.extension_page(f"why/why.html?tab={desk.number}")
    why.resize(900, 1000)
    why.wait("() => !document.getElementById('pictures').hidden")
    rows: Any = why.evaluate("() => [...document.querySelectorAll('#rows tr')].map(row => row.textContent)")
    assert any("article" in row for row in rows)
    assert why.evaluate("() => document.querySelectorAll('svg[role=img]').length") == 5
    assert why.evaluate("() => document.querySelectorAll('#tree rect').length") > 2
    keep_picture(why.screenshot(), "why")
    why.close()
