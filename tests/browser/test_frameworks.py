"""Applications of real frameworks in a real browser: the text and links of their server-rendered twins."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from support.framework_web import CannotBuild, FrameworkPage, FrameworkWeb, build, likeness, render
from support.script_web import HOST, needs_browser, quick_pool
from trasmallo.crawl.browser.decision import decide
from trasmallo.crawl.browser.tab import Shown

pytestmark = needs_browser


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[FrameworkPage, Shown]]:
    try:
        web = build(tmp_path_factory.mktemp("frameworks"), offline=True)
    except CannotBuild as cause:
        pytest.skip(f"no frameworks here, get them once with: python benchmarks/frameworks.py ({cause})")
    return asyncio.run(_shown(web, tmp_path_factory.getbasetemp()))


async def _shown(web: FrameworkWeb, _: Path) -> list[tuple[FrameworkPage, Shown]]:
    pool, served = quick_pool(seconds=20.0), web.serve()
    wanted = [page for page in web.pages if page.path.rpartition("/")[2] not in ("2", "3", "4")]
    try:
        return [(page, await render(pool, served, page)) for page in wanted]
    finally:
        await pool.close()


def test_rendered_pages_have_the_text_and_the_links_of_their_twins(shown: list[tuple[FrameworkPage, Shown]]) -> None:
    for page, made in shown:
        like = likeness(made.html, page.twin)
        assert (like.words >= 0.99, like.own_words >= 0.99, like.links) == (True, True, 1.0), (page.path, like, made.cut)
    assert {page.kind for page, _ in shown} == {"react", "vue", "svelte", "solid", "lit"}


def test_routes_that_scripts_take_are_told(shown: list[tuple[FrameworkPage, Shown]]) -> None:
    led = [(HOST + page.leads, made.routes) for page, made in shown if page.leads]
    assert len(led) == 3
    assert all(leads in routes for leads, routes in led), led


def test_shells_are_rendered_and_their_twins_are_not(shown: list[tuple[FrameworkPage, Shown]]) -> None:
    for page, _ in shown:
        assert decide(page.sent.encode()).render, page.path
        whole = page.twin.replace("</body>", f'<script src="/{page.kind}.js"></script></body>')
        if len(page.twin) > 2000:  # an index of links alone has little text, whoever wrote it
            assert not decide(whole.encode()).render, page.path
