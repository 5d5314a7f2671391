"""Pages of our own as PDF, printed by the user's own Chromium: it shows what it is handed and asks nobody for anything."""

from __future__ import annotations

import asyncio
import base64
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from trasmallo.crawl.browser.devtools import BrowserGone, CommandRefused, DevTools
from trasmallo.crawl.browser.launching import CannotStart, find_browser, launch
from trasmallo.values.errors import UsageError

_SECONDS = 120.0
"""The longest time for a page. Judgement: 10,000 lines of a concordance take some ten seconds."""

_PAPER = {"paperWidth": 8.27, "paperHeight": 11.69}  # A4 in inches, as the protocol takes them
_HOW = "install Chromium (Debian: apt install chromium), or open the page of HTML in a browser and print it there"


def print_page(html: str, program: str = "") -> bytes:
    """A page that needs nothing else as PDF, printed by `program` or a browser that is found; raises UsageError without one."""
    try:
        with ThreadPoolExecutor(1) as thread:  # a notebook has a loop of its own in ours
            return thread.submit(lambda: asyncio.run(_print(html, program or find_browser()))).result()
    except CannotStart:
        raise UsageError("there is no browser that prints PDF", _HOW) from None
    except (BrowserGone, CommandRefused, TimeoutError):
        raise UsageError("the browser did not print the page", "ask for less, or open the page of HTML and print it") from None


async def _print(html: str, program: str) -> bytes:
    launched = await launch(program)
    try:
        async with asyncio.timeout(_SECONDS):
            return await _printed(launched.tools, html)
    finally:
        await launched.end()


async def _printed(tools: DevTools, html: str) -> bytes:
    target = (await tools.ask("Target.createTarget", {"url": "about:blank"}))["targetId"]
    session = str((await tools.ask("Target.attachToTarget", {"targetId": target, "flatten": True}))["sessionId"])
    await tools.ask("Emulation.setScriptExecutionDisabled", {"value": True}, session)
    frame = (await tools.ask("Page.getFrameTree", {}, session))["frameTree"]["frame"]["id"]
    await tools.ask("Page.setDocumentContent", {"frameId": frame, "html": html}, session)
    options: dict[str, Any] = {**_PAPER, "printBackground": True}
    return base64.b64decode((await tools.ask("Page.printToPDF", options, session))["data"])
