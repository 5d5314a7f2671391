"""Rendering for a crawl: what the project wishes, what a page's HTML suggests, what its site has taught; then the browser.

1. `render` and `render_sites` say never or always; with auto the page decides (`decision`), then its site (`labels`).
2. The page is loaded from the answer that is there; all else it asks for goes through the `gate`.
3. What came is compared with the page as it was sent: that is what labels learn from.
4. The tree becomes the answer; what was sent and what its scripts received are kept beside it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from html import escape
from pathlib import Path
from typing import Protocol

from trasmallo.config import CrawlConfig
from trasmallo.crawl.browser.decision import ENOUGH_WORDS, Decision, decide, word_count
from trasmallo.crawl.browser.launching import CannotStart
from trasmallo.crawl.browser.pool import BrowserPool
from trasmallo.crawl.browser.request_gate import BrowserRequest, PageRequests, Refusal, RequestGate
from trasmallo.crawl.browser.site_labels import SiteLabels
from trasmallo.crawl.browser.tab import Ask, Shown, TabTrouble, page_requests
from trasmallo.crawl.fetch import Fetcher, is_private
from trasmallo.crawl.fetching import Fetching
from trasmallo.crawl.outcomes import media_of
from trasmallo.crawl.robots_rules import RobotsRules
from trasmallo.events import Emit, Rendered, Warned
from trasmallo.values.model import RenderedPage, Response, Target
from trasmallo.values.site_rules import SiteRules
from trasmallo.values.urls import host_key

_PAGES = frozenset({"text/html", "application/xhtml+xml"})
_FEWEST_GAINED = 20
"""Words more by which rendering has paid. Judgement: a sentence; a greeting or a date is less."""
_WALL = "a wall asks for consent and offers no known way to decline"
_MOST_SITEMAPS = 10_000  # judgement: hosts whose sitemaps are counted


class Shows(Protocol):
    """What shows pages: the pool of a browser, or the tests' own."""

    async def show(self, host: str, answer: Response, ask: Ask, decline: Sequence[str] = ()) -> Shown:
        """A page after its scripts; raises TabTrouble or CannotStart."""

    @property
    def described(self) -> str:
        """Which browser it is."""

    async def close(self) -> None:
        """End what was started."""


class Renderer:
    """Renders pages of a crawl where that pays. After a browser that does not start it leaves all pages as they are."""

    def __init__(
        self,
        config: CrawlConfig,
        *,
        browser: BrowserPool | Shows,
        gate: RequestGate,
        labels: SiteLabels,
        emit: Emit,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._rules = SiteRules(config.render, config.render_sites)
        self._browser, self._gate, self._labels = browser, gate, labels
        self._emit, self._clock = emit, clock
        self._promised: dict[str, int] = {}
        self._missing = ""

    def note_sitemap(self, host: str, addresses: int) -> None:
        """So many addresses of a host stand in its sitemaps."""
        if len(self._promised) < _MOST_SITEMAPS or host in self._promised:
            self._promised[host] = self._promised.get(host, 0) + addresses

    def wants(self, answer: Response) -> Decision:
        """Whether a page is to be rendered, and why."""
        host = host_key(answer.url)
        wish = self._rules.wish(answer.url)
        if wish == "never" or media_of(answer) not in _PAGES or not answer.content or not 200 <= answer.status < 300:
            return Decision(render=False, reason="the project says never" if wish == "never" else "no page")
        if "#" in answer.url:
            return Decision(render=True, reason="a page behind #")
        if wish == "always":
            return Decision(render=True, reason="the project says always")
        decision = decide(answer.content, self._promised.get(host, 0))
        return self._labels.weigh(host, decision, partial(word_count, answer.content))

    async def render(self, target: Target, answer: Response, decision: Decision) -> tuple[Response, str]:
        """A page after its scripts, or as it was sent, and what was done and why."""
        if self._missing:
            self._tell(answer.url, decision, page_requests(public=True), self._clock(), trouble=self._missing)
            return answer, f"not rendered, though {decision.reason}: {self._missing}"
        return await self._render(target, answer, decision)

    async def close(self) -> None:
        """End the browser, and write down what was learnt."""
        self._labels.save()
        await self._browser.close()

    async def _render(self, target: Target, answer: Response, decision: Decision) -> tuple[Response, str]:
        began, host = self._clock(), host_key(answer.url)
        public = target.from_public or not (answer.address and is_private(answer.address))
        page = page_requests(public=public, host=host)

        async def ask(request: BrowserRequest) -> Response | Refusal:
            return await self._gate.answer(request, page)

        try:
            shown = await self._browser.show(host, answer, ask, self._rules.decline(answer.url))
        except CannotStart as cause:
            self._missing = str(cause)
            self._tell(answer.url, decision, page, began, trouble=self._missing)
            self._emit(Warned(message=f"pages are read without their scripts: {cause}"))
            return answer, f"not rendered, though {decision.reason}: {cause}"
        except TabTrouble as trouble:
            self._tell(answer.url, decision, page, began, trouble=str(trouble))
            return answer, f"not rendered, though {decision.reason}: {trouble}"
        rendered = _rendered(answer, shown, page)
        walled = shown.consent == "left" and word_count(rendered.content) < ENOUGH_WORDS
        self._tell(answer.url, decision, page, began, cut=shown.cut, trouble=_WALL if walled else "")
        if not shown.cut and 200 <= answer.status < 300:
            self._labels.learn(host, pays=_gained(answer.content, rendered.content))
        declined = f"consent declined by {shown.consent}" if shown.consent not in ("", "left") else ""
        return rendered, "; ".join(filter(None, (f"rendered: {decision.reason}", shown.cut, declined, _WALL if walled else "")))

    def _tell(
        self, url: str, decision: Decision, page: PageRequests, began: float, *, trouble: str = "", cut: str = ""
    ) -> None:
        refused = tuple(f"{cause} ({number})" for cause, number in sorted(page.refused.items()))
        self._emit(
            Rendered(
                url=url,
                reason=decision.reason,
                trouble=trouble or cut,
                seconds=round(self._clock() - began, 3),
                requests=page.asked,
                size=page.octets,
                refused=refused,
                browser=self._browser.described,
            )
        )


def _rendered(answer: Response, shown: Shown, page: PageRequests) -> RenderedPage:
    """The tree as an answer; addresses that its scripts went to stand unseen at its end, so that they stay with it."""
    routes = "".join(f'<a href="{escape(route)}"></a>' for route in shown.routes)
    html = shown.html + (f'<nav hidden data-trasmallo="routes">{routes}</nav>' if routes else "")
    content = html.encode("utf-8", "replace")
    return RenderedPage(
        url=answer.url,
        at=answer.at,
        status=answer.status,
        reason=answer.reason,
        headers=(("Content-Type", "text/html; charset=utf-8"), *_directives(answer)),
        body=content,
        content=content,
        request=b"",
        address=answer.address,
        source=answer,
        received=tuple(page.received),
    )


def _directives(answer: Response) -> tuple[tuple[str, str], ...]:
    return tuple((name, value) for name, value in answer.headers if name.lower() == "x-robots-tag")


def _gained(before: bytes, after: bytes) -> bool:
    old = word_count(before)
    return word_count(after) - old >= max(_FEWEST_GAINED, old // 5)


def open_renderer(
    config: CrawlConfig, fetcher: Fetcher, session: Fetching, robots: RobotsRules, labels: Path | None, emit: Emit
) -> Renderer:
    """The renderer of a crawl, whose browser is started when a page first needs it.

    What a page asks of its own host goes through the `session`, with the user's log-in; all else is asked as by a stranger.
    """
    gate, pool = RequestGate(fetcher, robots, own=session), BrowserPool(fetcher.agent)
    return Renderer(config, browser=pool, gate=gate, labels=SiteLabels(labels), emit=emit)
