"""Hostile pages of every kind, drawn by a seed: each ends, the pool survives, and nothing on this machine is reached.

`python benchmarks/rendering.py hostile --pages 1000` takes as many as you like.
"""

from __future__ import annotations

import asyncio
import time

from support.hostile_pages import KINDS, canary, hostile_pages
from support.script_web import BEHAVIOURS, HOST, ScriptWeb, needs_browser, quick_pool, shell, show
from trasmallo.crawl.browser.tab import TabTrouble

pytestmark = needs_browser


def test_every_kind_ends_with_a_cause_and_reaches_nothing() -> None:
    async def go(port: int) -> tuple[list[float], ScriptWeb, str]:
        pool, web, took = quick_pool(seconds=2.0), ScriptWeb(), []
        try:
            for page in hostile_pages(len(KINDS), 22, port):
                began = time.perf_counter()
                try:
                    await show(pool, web, page.html)
                except TabTrouble as trouble:
                    assert str(trouble), page.kind
                took.append(time.perf_counter() - began)
            fine, _ = await show(pool, web, shell(BEHAVIOURS["at once"]))
            return took, web, fine.html
        finally:
            await pool.close()

    with canary() as bird:
        took, web, html = asyncio.run(go(bird.port))
    assert max(took) < 30
    assert bird.visitors == []
    assert {url for _, url in web.asked if not url.startswith(HOST) and not url.endswith("/robots.txt")} == set()
    assert {method for method, _ in web.asked} <= {"GET", "OPTIONS"}
    assert "estación" in html


def test_pages_are_the_same_for_a_seed_and_differ_between_seeds() -> None:
    assert list(hostile_pages(40, 1, 9)) == list(hostile_pages(40, 1, 9)) != list(hostile_pages(40, 2, 9))
