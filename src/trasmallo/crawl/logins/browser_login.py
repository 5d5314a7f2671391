"""Log-in in the user's own browser: a window opens at the site, the user logs in, and the cookies of that host are taken.

Whatever the site asks of a person there, a second factor or a captcha, the person answers. The window has a profile of its own,
which goes with it; nothing of the user's other windows is seen.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from threading import Thread

from trasmallo.crawl.browser.devtools import BrowserGone, CommandRefused, DevTools, Params
from trasmallo.crawl.browser.launching import WINDOW, CannotStart, find_browser, launch
from trasmallo.crawl.logins.credentials import MOST_COOKIES, Cookie, covers
from trasmallo.values.errors import UsageError

Holds = Callable[[tuple[Cookie, ...]], Awaitable[bool]]
"""Whether cookies are those of who is logged in, by the probe that the user named."""

_LOOK_SECONDS = 2.0  # judgement: between two looks whether the log-in is done
_MOST_SECONDS = 900.0  # judgement: longer than a letter with a code takes


async def log_in_by_browser(
    page: str, host: str, *, holds: Holds | None = None, done: Callable[[], None] | None = None, flags: Sequence[str] = WINDOW
) -> tuple[Cookie, ...]:
    """The cookies for a host after its user has logged in at a page; raises UsageError with what to do.

    It ends when the probe `holds`, or when `done` returns, which waits for the user's word.
    """
    if holds is None and done is None:
        raise UsageError("nobody says when the log-in is done", "name a probe page, and a text that it shows then")
    try:
        launched = await launch(_with_window(find_browser()), flags=flags)
    except CannotStart:
        how = "install Chromium and look whether it opens by hand, or give the cookies of another browser with --cookies"
        raise UsageError("no browser opens a window here", how) from None
    try:
        await launched.tools.ask("Target.createTarget", {"url": page})
        found = await _wait(launched.tools, host, holds, done)
    except (BrowserGone, CommandRefused):
        raise UsageError("the browser was closed before the log-in was done", "try again") from None
    finally:
        await launched.end()
    if not found:
        raise UsageError("{host} gave no cookie", "log in before you say that it is done", host=host)
    return found[:MOST_COOKIES]


async def _wait(tools: DevTools, host: str, holds: Holds | None, done: Callable[[], None] | None) -> tuple[Cookie, ...]:
    said = _told(done) if done else None
    seen: tuple[Cookie, ...] = ()
    try:
        async with asyncio.timeout(_MOST_SECONDS):
            while True:
                found = await _cookies(tools, host)
                if said is not None and said.done():
                    return found
                if holds is not None and found != seen and await holds(found):
                    return found
                seen = found
                await asyncio.wait({tools.gone, *({said} if said else ())}, timeout=_LOOK_SECONDS,
                                   return_when=asyncio.FIRST_COMPLETED)  # fmt: skip
    except TimeoutError:
        raise UsageError("nobody logged in within {minutes} minutes", "try again", minutes=int(_MOST_SECONDS // 60)) from None


def _told(done: Callable[[], None]) -> asyncio.Future[None]:
    """Done when the user has said so; by a thread that nobody waits for, since the user may never say it."""
    loop = asyncio.get_running_loop()
    said: asyncio.Future[None] = loop.create_future()

    def note() -> None:
        if not said.done():
            said.set_result(None)

    def wait() -> None:
        done()
        with suppress(RuntimeError):  # the loop has ended by then
            loop.call_soon_threadsafe(note)

    Thread(target=wait, daemon=True).start()
    return said


async def _cookies(tools: DevTools, host: str) -> tuple[Cookie, ...]:
    answer = await tools.ask("Storage.getCookies")
    return tuple(_cookie(each) for each in answer.get("cookies", ()) if covers(str(each["domain"]), host))


def _cookie(found: Params) -> Cookie:
    expires = float(found.get("expires", 0) or 0)
    return Cookie(
        name=str(found["name"]),
        value=str(found["value"]),
        domain=str(found["domain"]),
        path=str(found.get("path", "/")),
        secure=bool(found.get("secure")),
        expires=max(0.0, expires),
    )


def _with_window(program: str) -> str:
    """The browser to open; the headless shell has no windows, but the whole one beside it may be there."""
    return find_browser({}, without="chromium-headless-shell") or program


def has_display(environment: Mapping[str, str], platform: str) -> bool:
    """Whether a window can be shown."""
    return platform in ("darwin", "win32") or bool(environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY"))
