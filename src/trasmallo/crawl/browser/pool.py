"""Pool of one browser's tabs: started at the first need, kept within its memory and time, started anew after some pages.

A host has a context of its own, so that nothing one site leaves behind is seen by another. When the browser dies, or must be
killed for what a page does, the other pages in it are tried once more.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import msgspec

from trasmallo.crawl.browser.devtools import BrowserGone, CommandRefused, DevTools
from trasmallo.crawl.browser.launching import CannotStart, Guard, Launched, find_browser, launch, memory_of
from trasmallo.crawl.browser.request_gate import RequestGate
from trasmallo.crawl.browser.tab import Ask, Shown, Tab, TabTrouble
from trasmallo.values.model import Response

__all__ = ["BrowserPool", "CannotStart", "PoolLimits", "RequestGate", "TabTrouble"]

_CLOSE_SECONDS = 2.0  # judgement: a tab that takes longer holds the browser
_WATCH_SECONDS = 0.25  # judgement: a script fills some 100 MB meanwhile


class PoolLimits(msgspec.Struct, frozen=True, kw_only=True):
    """What the browser of a crawl may take; judgement where nothing else is said.

    A headless shell with small pages takes some 200 MB, a whole Chromium 270 (`benchmarks/rendering.py`). `megabytes` is where
    it is killed; with more than `grown_megabytes`, or after so many `pages`, it is started anew when nobody is in it.
    """

    tabs: int = 2
    seconds: float = 15.0
    megabytes: int = 900
    grown_megabytes: int = 600
    pages: int = 200
    contexts: int = 8


_USUAL = PoolLimits()


class BrowserPool:
    """The browser of one crawl. `agent` is the User-Agent that pages are told, `program` the browser ("" to look for one)."""

    def __init__(self, agent: str, limits: PoolLimits = _USUAL, program: str = "") -> None:
        self._agent, self._limits = agent, limits
        self._program = program or find_browser()
        self._launched: Launched | None = None
        self._guards: tuple[Guard, ...] = ()
        self._contexts: OrderedDict[str, str] = OrderedDict()
        self._starting = asyncio.Lock()
        self._free = asyncio.Semaphore(limits.tabs)
        self._open = self._served = self.launches = self.largest = 0
        self._blame = ""
        self._watching: asyncio.Task[None] | None = None

    async def show(self, host: str, answer: Response, ask: Ask, decline: Sequence[str] = ()) -> Shown:
        """A page after its scripts; raises TabTrouble with a cause, or CannotStart when there is no browser.

        What is at `decline`, a list of selectors, is pressed where the page asks for consent.
        """
        async with self._free:
            for attempt in (1, 2):
                try:
                    return await self._show(host, answer, ask, decline)
                except (BrowserGone, CommandRefused):
                    await self._end()
                    if self._blame or attempt == 2:
                        raise TabTrouble(self._blame or "the browser died of it") from None
        raise AssertionError("two attempts end one way or the other")

    @property
    def described(self) -> str:
        """Which browser it is, and how far it is kept from the machine; "" before it was started."""
        return f"{Path(self._program).name}, {self._guards[0]}" if self._guards else ""

    async def close(self) -> None:
        """End the browser."""
        await self._end()

    async def _show(self, host: str, answer: Response, ask: Ask, decline: Sequence[str]) -> Shown:
        tools = await self._ready()
        self._open += 1
        target = ""
        try:
            context = await self._context(tools, host)
            created = await tools.ask("Target.createTarget", {"url": "about:blank", "browserContextId": context})
            target = created["targetId"]
            attached = await tools.ask("Target.attachToTarget", {"targetId": target, "flatten": True})
            async with asyncio.timeout(self._limits.seconds + 10):
                tab = Tab(tools, attached["sessionId"], answer, ask, decline)
                return await tab.show(self._agent, self._limits.seconds)
        except TimeoutError:
            raise TabTrouble("it did not end in time") from None
        finally:
            self._open -= 1
            self._served += 1
            if target:
                await self._close_tab(tools, target)

    async def _close_tab(self, tools: DevTools, target: str) -> None:
        """Close a tab; a browser that cannot is killed."""
        try:
            async with asyncio.timeout(_CLOSE_SECONDS):
                await tools.ask("Target.closeTarget", {"targetId": target})
        except (TimeoutError, BrowserGone, CommandRefused):
            await self._end()

    async def _ready(self) -> DevTools:
        """The browser, started if there is none, anew if it has grown or served enough and nobody is in it."""
        async with self._starting:
            worn = self._served >= self._limits.pages or self.largest > self._limits.grown_megabytes * 1_000_000
            if self._launched is not None and (self._launched.tools.gone.done() or (worn and not self._open)):
                await self._end()
            if self._launched is None:
                self._launched = await launch(self._program, self._guards)
                self._guards = (self._launched.guard,)  # what works is not looked for again
                self.launches += 1
                self._served, self._blame, self.largest = 0, "", 0
                self._watching = asyncio.create_task(self._watch(self._launched))
            return self._launched.tools

    async def _context(self, tools: DevTools, host: str) -> str:
        if host in self._contexts:
            self._contexts.move_to_end(host)
            return self._contexts[host]
        made = str((await tools.ask("Target.createBrowserContext", {"disposeOnDetach": True}))["browserContextId"])
        await tools.ask("Browser.setDownloadBehavior", {"behavior": "deny", "browserContextId": made})
        self._contexts[host] = made
        if len(self._contexts) > self._limits.contexts and self._open <= 1:
            _, oldest = self._contexts.popitem(last=False)
            tools.tell("Target.disposeBrowserContext", {"browserContextId": oldest})
        return made

    async def _watch(self, launched: Launched) -> None:
        """Kill a browser that takes too much memory."""
        while not launched.tools.gone.done():
            began = time.monotonic()
            octets = await asyncio.to_thread(memory_of, launched.pid)
            self.largest = max(self.largest, octets)
            if octets > self._limits.megabytes * 1_000_000:
                self._blame = f"the browser needed more than {self._limits.megabytes} MB"
                launched.tools.close()
                return
            await asyncio.sleep(max(_WATCH_SECONDS, 5 * (time.monotonic() - began)))

    async def _end(self) -> None:
        launched, self._launched = self._launched, None
        self._contexts.clear()
        if self._watching is not None:
            self._watching.cancel()
            with suppress(asyncio.CancelledError):
                await self._watching
            self._watching = None
        if launched is not None:
            await launched.end()
