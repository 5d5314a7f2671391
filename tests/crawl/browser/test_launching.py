"""The user's browser: found, or missed in one line."""

from __future__ import annotations

import asyncio

import pytest

from support.script_web import needs_browser
from support.waiting import until
from trasmallo.crawl.browser.launching import CannotStart, find_browser, launch, memory_of


def test_the_one_that_the_user_names_is_taken() -> None:
    assert find_browser({"TRASMALLO_BROWSER": "/bin/true"}) == "/bin/true"


def test_without_a_browser_the_package_is_named() -> None:
    with pytest.raises(CannotStart, match=r"install Chromium \(Debian: apt install chromium"):
        asyncio.run(launch(""))


@needs_browser
def test_it_starts_answers_and_leaves_nothing_behind() -> None:
    async def go() -> int:
        launched = await launch(find_browser())
        assert "Chrom" in (await launched.tools.ask("Browser.getVersion"))["product"]
        assert 0 < memory_of(launched.pid) < 1_000_000_000
        await launched.end()
        return launched.pid

    pid = asyncio.run(go())
    assert until(lambda: memory_of(pid) == 0, "the end of all its processes")
