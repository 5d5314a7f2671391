"""Rendering for a crawl: rules, reasons, what is learnt, and a crawl without a browser."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

import pytest

from support.script_web import HOST, SENTENCES, ScriptWeb, answer_with, shell
from trasmallo.config import CrawlConfig
from trasmallo.crawl.browser.launching import CannotStart
from trasmallo.crawl.browser.rendering import Renderer
from trasmallo.crawl.browser.request_gate import BrowserRequest, RequestGate
from trasmallo.crawl.browser.site_labels import SiteLabels
from trasmallo.crawl.browser.tab import Ask, Shown, TabTrouble
from trasmallo.crawl.robots_rules import RobotsRules
from trasmallo.events import Event, Rendered, Warned
from trasmallo.values.model import RenderedPage, Response, Target

SHELL = answer_with(HOST + "/page", shell("const later = true;"))


class Showing:
    """Shows what a test says, after asking for some data."""

    def __init__(self, show: Callable[[], Shown]) -> None:
        self._show = show

    async def show(self, host: str, answer: Response, ask: Ask, decline: Sequence[str] = ()) -> Shown:
        self.declined = tuple(decline)
        await ask(BrowserRequest(url=host + "/data.json"))
        return self._show()

    described = "a browser of a test"

    async def close(self) -> None:
        """Nothing was started."""


def renderer(show: Callable[[], Shown], told: list[Event], **keys: object) -> Renderer:
    web = ScriptWeb()
    gate = RequestGate(web, RobotsRules(web, "trasmallo"))
    return Renderer(CrawlConfig(**keys), browser=Showing(show), gate=gate, labels=SiteLabels(), emit=told.append)  # type: ignore[arg-type]


def render(one: Renderer, answer: Response = SHELL) -> tuple[Response, str]:
    return asyncio.run(one.render(Target(answer.url), answer, one.wants(answer)))


def full() -> Shown:
    return Shown(
        html="<html><body>" + "".join(f"<p>{each}</p>" for each in SENTENCES) + "</body></html>", routes=(HOST + "/r&1",)
    )


def test_a_rendered_page_keeps_what_was_sent_and_where_its_scripts_went() -> None:
    told: list[Event] = []
    page, why = render(renderer(full, told))
    assert isinstance(page, RenderedPage)
    assert (page.source, [each.url for each in page.received]) == (SHELL, [HOST + "/data.json"])
    assert b'<a href="http://app.test/r&amp;1">' in page.content
    assert why == "rendered: the element that its scripts fill is empty"
    (event,) = told
    assert isinstance(event, Rendered)
    assert (event.reason, event.requests, event.trouble) == ("the element that its scripts fill is empty", 1, "")


def test_what_cannot_be_rendered_stays_as_it_was_with_the_cause() -> None:
    def trouble() -> Shown:
        raise TabTrouble("it broke")

    told: list[Event] = []
    page, why = render(renderer(trouble, told))
    assert page is SHELL
    assert why.endswith("empty: it broke")


def test_without_a_browser_the_crawl_is_told_once_and_goes_on() -> None:
    def missing() -> Shown:
        raise CannotStart("no browser: install Chromium")

    told: list[Event] = []
    one = renderer(missing, told)
    for _ in range(3):
        page, why = render(one)
        assert page is SHELL
        assert why == "not rendered, though the element that its scripts fill is empty: no browser: install Chromium"
    warned = [event for event in told if isinstance(event, Warned)]
    assert warned == [Warned(message="pages are read without their scripts: no browser: install Chromium")]
    assert [event.trouble for event in told if isinstance(event, Rendered)] == ["no browser: install Chromium"] * 3


@pytest.mark.parametrize(
    ("keys", "wanted"),
    [
        ({}, True),
        ({"render": "never"}, False),
        ({"render": "always"}, True),
        ({"render_sites": ("app.test never",)}, False),
        ({"render": "never", "render_sites": ("*.test always",)}, True),
    ],
)
def test_rules_win_over_what_a_page_suggests(keys: dict[str, object], wanted: bool) -> None:
    assert renderer(full, [], **keys).wants(SHELL).render is wanted


def test_a_site_where_rendering_brings_nothing_is_rendered_no_more() -> None:
    def same() -> Shown:
        return Shown(html=SHELL.content.decode())

    one = renderer(same, [])
    for _ in range(2):
        render(one)
    assert not one.wants(SHELL).render
    assert "brought nothing" in one.wants(SHELL).reason


def test_a_sitemap_counts() -> None:
    one = renderer(full, [])
    bare = answer_with(HOST + "/bare", f"<p>{' '.join(SENTENCES[:2])}</p><script src=/a.js></script>" + "<p>uno</p>")
    assert not one.wants(bare).render
    one.note_sitemap(HOST, 50)
    assert one.wants(bare).reason == "no links, though the sitemap names 50 addresses"
