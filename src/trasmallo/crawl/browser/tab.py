"""One page in a browser: loaded from what the crawler has, run until it is quiet, scrolled, and written down as a tree.

Time is the page's own: while nothing is on the way its clock jumps to the next timer (virtual time), so that data which come
two seconds late cost milliseconds, and a page has five of its seconds whatever the machine does meanwhile.
"""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from importlib.resources import files
from typing import Any, TypeVar

import msgspec

from trasmallo.crawl.browser.devtools import BrowserGone, CommandRefused, DevTools, Params
from trasmallo.crawl.browser.request_gate import BrowserRequest, PageRequests, Refusal
from trasmallo.values.model import Response

PAGE_SECONDS = 5.0
"""Seconds of the page's own time before it counts as shown. Judgement: data that come later nobody waits for."""
STEP_SECONDS = 1.0
"""Seconds of its own time after each scroll. Judgement."""
MOST_STEPS = 12
"""Scrolls or presses on "load more". Judgement: a list of a dozen screens; what follows is mostly reached by links."""
_PAINT_SECONDS = 0.5  # judgement: a picture of one point takes some 20 ms
_SERIALISE_SECONDS = 4.0  # judgement: ten times what a large tree takes
_MOST_CHARACTERS = 10_000_000  # judgement: as the largest page that is kept by default
_MOST_ROUTES = 500  # judgement: an application that walks by itself
_DROPPED = frozenset({"content-encoding", "content-length", "transfer-encoding", "set-cookie", "content-security-policy",
                      "content-security-policy-report-only", "strict-transport-security", "connection", "report-to", "nel",
                      "link", "refresh", "clear-site-data", "alt-svc", "service-worker-allowed"})  # fmt: skip
_SCRIPTS = {
    name: files(__package__).joinpath(f"{name}.js").read_text("utf-8") for name in ("prelude", "serialise", "more", "consent")
}
_CONSENT = files(__package__).joinpath("consent.json").read_text("utf-8")

_Given = TypeVar("_Given")
Ask = Callable[[BrowserRequest], Awaitable[Response | Refusal]]


class TabTrouble(Exception):
    """A page that could not be rendered, with the cause in words; the browser itself may be sound."""


class Shown(msgspec.Struct, frozen=True, kw_only=True):
    """A page after its scripts: its tree as HTML, the addresses its scripts went to, and why it was cut short ("" if not).

    `consent` tells by which rule a wall was declined, "left" of one that could not be, "" where there was none.
    """

    html: str
    routes: tuple[str, ...] = ()
    cut: str = ""
    steps: int = 0
    consent: str = ""


class Tab:
    """A tab of a browser's context that shows one page. `ask` brings what the page asks for.

    `decline` has selectors of the project for what declines a wall that asks for consent.
    """

    def __init__(self, tools: DevTools, session: str, answer: Response, ask: Ask, decline: Sequence[str] = ()) -> None:
        self._decline, self._consent = list(decline), ""
        self._tools, self._session, self._answer, self._ask = tools, session, answer, ask
        self._address = ""
        self._routes: dict[str, None] = {}
        self._served = False
        self._expired, self._navigated = asyncio.Event(), asyncio.Event()
        self._failed: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._tasks: set[asyncio.Task[None]] = set()
        self._cut = ""

    async def show(self, agent: str, seconds: float) -> Shown:
        """The page as its scripts have made it after at most so many seconds; raises TabTrouble or BrowserGone."""
        self._tools.listen(self._session, self._hear)
        try:
            steps = 0
            try:
                async with asyncio.timeout(seconds):
                    await self._prepare(agent)
                    await self._unless_failed(self._load())
                    await self._unless_failed(self._answer_wall())
                    steps = await self._unless_failed(self._go_on())
            except TimeoutError:
                self._cut = f"cut short after {seconds:g} s"
                self._tools.tell("Runtime.terminateExecution", session=self._session)
            html = await self._unless_failed(self._serialise())
            return Shown(html=html, routes=tuple(self._routes), cut=self._cut, steps=steps, consent=self._consent)
        finally:
            self._tools.forget(self._session)
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _prepare(self, agent: str) -> None:
        commands: list[tuple[str, dict[str, Any]]] = [
            ("Page.enable", {}),
            ("Inspector.enable", {}),
            ("Network.setBypassServiceWorker", {"bypass": True}),
            ("Fetch.enable", {"patterns": [{"urlPattern": "*"}]}),
            ("Emulation.setUserAgentOverride", {"userAgent": agent}),
            ("Page.addScriptToEvaluateOnNewDocument", {"source": _SCRIPTS["prelude"]}),
            ("Emulation.setVirtualTimePolicy", {"policy": "pause"}),
        ]
        asked = (self._tools.ask(name, params, self._session) for name, params in commands)
        answers = await asyncio.gather(*asked, return_exceptions=True)
        for answer in answers:
            if isinstance(answer, BaseException) and not isinstance(answer, CommandRefused):
                raise answer

    async def _load(self) -> None:
        # Not awaited: it answers when the page's head has come, and a page may keep it from that.
        self._tools.tell("Page.navigate", {"url": self._answer.url}, self._session)
        await self._navigated.wait()
        await self._pass(PAGE_SECONDS)

    async def _pass(self, seconds: float) -> None:
        """Let some of the page's own time pass; it stands still while something is on the way."""
        self._expired.clear()
        policy = {
            "policy": "pauseIfNetworkFetchesPending",
            "budget": seconds * 1000,
            "maxVirtualTimeTaskStarvationCount": 10_000,
        }
        await self._tools.ask("Emulation.setVirtualTimePolicy", policy, self._session)
        await self._expired.wait()

    async def _go_on(self) -> int:
        """Scroll and press until nothing more comes; how many steps it took."""
        before = ""
        for step in range(MOST_STEPS):
            now = await self._evaluate(f"({_SCRIPTS['more']})()")
            if now == before:
                return step
            before = now
            if now.endswith("scrolls"):
                await self._paint()
            await self._pass(STEP_SECONDS)
        return MOST_STEPS

    async def _answer_wall(self) -> None:
        """Decline what asks for consent, once; what that brings has its time, also where the page loads itself anew for it."""
        own = msgspec.json.encode(self._decline).decode()
        self._consent = await self._evaluate(f"({_SCRIPTS['consent']})({_CONSENT}, {own})")
        if self._consent not in ("", "left"):
            self._served = False
            await self._pass(STEP_SECONDS)

    async def _paint(self) -> None:
        """Have the page painted, as far as it comes to that in a moment: what watches what is in sight hears of it then."""
        small = {"format": "jpeg", "quality": 1, "clip": {"x": 0, "y": 0, "width": 1, "height": 1, "scale": 1}}
        with suppress(TimeoutError, CommandRefused):
            async with asyncio.timeout(_PAINT_SECONDS):
                await self._tools.ask("Page.captureScreenshot", small, self._session)

    async def _serialise(self) -> str:
        try:
            async with asyncio.timeout(_SERIALISE_SECONDS):
                return await self._evaluate(f"({_SCRIPTS['serialise']})({_MOST_CHARACTERS})")
        except TimeoutError:
            raise TabTrouble("its scripts leave no time to look at it") from None

    async def _evaluate(self, expression: str) -> str:
        """What an expression gives in a world of its own, where the page's scripts have changed nothing."""
        tree = await self._tools.ask("Page.getFrameTree", session=self._session)
        world = {"frameId": tree["frameTree"]["frame"]["id"], "worldName": "trasmallo"}
        context = await self._tools.ask("Page.createIsolatedWorld", world, self._session)
        question = {"expression": expression, "contextId": context["executionContextId"], "returnByValue": True}
        answer = await self._tools.ask("Runtime.evaluate", question, self._session)
        value = answer.get("result", {}).get("value")
        if not isinstance(value, str):
            raise TabTrouble("its tree could not be read")
        return value

    async def _unless_failed(self, work: Awaitable[_Given]) -> _Given:
        """What some work gives, unless the page dies meanwhile."""
        task = asyncio.ensure_future(work)
        try:
            either: set[asyncio.Future[Any]] = {task, self._failed}
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
            if not task.done():
                raise TabTrouble(self._failed.result())
            return task.result()
        except CommandRefused as refused:
            raise TabTrouble(f"the browser refuses: {refused}") from None
        finally:
            task.cancel()
            with suppress(asyncio.CancelledError, TabTrouble, CommandRefused, BrowserGone, TimeoutError):
                await task

    def _hear(self, event: str, params: Params) -> None:
        if event == "Fetch.requestPaused":
            task = asyncio.ensure_future(self._answer_request(params))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        elif event == "Page.frameNavigated":
            if "parentId" not in params["frame"] and params["frame"]["url"].startswith("http"):
                self._navigated.set()
        elif event in ("Page.navigatedWithinDocument", "Page.windowOpen"):
            self._note(str(params.get("url", "")))
        elif event == "Emulation.virtualTimeBudgetExpired":
            self._expired.set()
        elif event == "Page.javascriptDialogOpening":
            self._tools.tell("Page.handleJavaScriptDialog", {"accept": False}, self._session)
        elif event == "Inspector.targetCrashed" and not self._failed.done():
            self._failed.set_result("its scripts needed too much memory, or broke the browser's process")
        elif event == "Inspector.detached" and not self._failed.done():
            self._failed.set_result(f"the tab was closed: {params.get('reason', '')}")

    def _note(self, url: str) -> None:
        if url.startswith(("http://", "https://")) and len(self._routes) < _MOST_ROUTES:
            self._routes.setdefault(url)

    async def _answer_request(self, params: Params) -> None:
        number, request, kind = params["requestId"], params["request"], params.get("resourceType", "Other")
        try:
            if kind == "Document":
                self._answer_document(number, request)
            elif kind == "Stylesheet":
                # Code that waits for its style must not fail for want of it; nobody looks at colours.
                self._fulfil(number, 200, [("Content-Type", "text/css"), ("Access-Control-Allow-Origin", "*")], b"")
            else:
                wanted = BrowserRequest(
                    url=request["url"], method=request["method"], kind=kind, headers=request.get("headers", {})
                )
                answer = await self._ask(wanted)
                if isinstance(answer, Refusal):
                    self._refuse(number)
                else:
                    self._fulfil(number, answer.status, answer.headers, answer.content)
        except (BrowserGone, CommandRefused):
            return

    def _answer_document(self, number: str, request: Params) -> None:
        """The page itself, once; wherever its scripts or frames lead is noted, not followed."""
        address = str(request["url"]).partition("#")[0]
        if self._served or request["method"] != "GET" or self._address not in ("", address):
            self._note(str(request["url"]) if request["method"] == "GET" else "")
            self._refuse(number, "Aborted")
            return
        self._served, self._address = True, address
        self._fulfil(number, 200, self._answer.headers, self._answer.content)

    def _fulfil(self, number: str, status: int, headers: Any, content: bytes) -> None:
        kept = [{"name": name, "value": value} for name, value in headers if name.lower() not in _DROPPED]
        body = base64.b64encode(content).decode("ascii")
        told = {"requestId": number, "responseCode": max(status, 200), "responseHeaders": kept, "body": body}
        self._tools.tell("Fetch.fulfillRequest", told, self._session)

    def _refuse(self, number: str, reason: str = "BlockedByClient") -> None:
        self._tools.tell("Fetch.failRequest", {"requestId": number, "errorReason": reason}, self._session)


def page_requests(*, public: bool, host: str = "") -> PageRequests:
    """What a new page of a host has asked for: nothing."""
    return PageRequests(public=public, host=host, received=[], refused={})
