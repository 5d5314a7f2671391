"""Log-in in a real browser, whose window is not shown here: its cookies are taken when the probe answers, or when told."""

from __future__ import annotations

import asyncio
from threading import Event

import pytest

from support.private_site import PrivateSite, private_site
from support.script_web import needs_browser
from trasmallo.crawl.browser.launching import WINDOW
from trasmallo.crawl.logins.browser_login import has_display, log_in_by_browser
from trasmallo.crawl.logins.credentials import Cookie
from trasmallo.values.errors import UsageError

UNSEEN = (*WINDOW, "--headless=new", "--disable-gpu", "--no-startup-window")


@needs_browser
def test_the_cookies_of_the_host_are_taken_when_the_probe_holds() -> None:
    async def holds(cookies: tuple[Cookie, ...]) -> bool:
        return any(cookie.name == "sid" for cookie in cookies)

    with private_site(PrivateSite()) as address:
        (found,) = asyncio.run(log_in_by_browser(address + "/enter", "127.0.0.1", holds=holds, flags=UNSEEN))
    assert (found.name, found.value, found.domain, found.secure) == ("sid", "sesion-1", "127.0.0.1", False)
    assert found.expires > 1_700_000_000


@needs_browser
def test_a_user_who_says_done_without_a_log_in_is_told() -> None:
    with private_site(PrivateSite()) as address, pytest.raises(UsageError, match="gave no cookie"):
        asyncio.run(log_in_by_browser(address + "/nothing", "127.0.0.1", done=lambda: None, flags=UNSEEN))


@needs_browser
def test_nobody_waits_for_a_user_who_never_says_a_word() -> None:
    async def holds(cookies: tuple[Cookie, ...]) -> bool:
        return bool(cookies)

    never = Event()

    def silence() -> None:
        never.wait()

    with private_site(PrivateSite()) as address:
        found = asyncio.run(log_in_by_browser(address + "/enter", "127.0.0.1", holds=holds, done=silence, flags=UNSEEN))
    never.set()
    assert found


def test_without_a_sign_of_the_end_nothing_is_opened() -> None:
    with pytest.raises(UsageError, match="name a probe page"):
        asyncio.run(log_in_by_browser("https://a.example/", "a.example"))


def test_a_window_needs_a_display() -> None:
    assert has_display({"DISPLAY": ":0"}, "linux")
    assert has_display({"WAYLAND_DISPLAY": "wayland-0"}, "linux")
    assert has_display({}, "darwin")
    assert not has_display({}, "linux")


def test_a_browser_that_opens_no_window_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setenv("TRASMALLO_BROWSER", "/bin/false")
    with pytest.raises(UsageError, match="no browser opens a window here: install Chromium"):
        asyncio.run(log_in_by_browser("https://a.example/", "a.example", done=lambda: None))
