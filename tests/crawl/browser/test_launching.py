"""The user's browser: found, or missed in one line."""

from __future__ import annotations

import asyncio
import os

import pytest

from support.script_web import needs_browser
from support.waiting import until
from trasmallo.crawl.browser.launching import CannotStart, Guard, find_browser, launch, memory_of


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


@needs_browser
def test_it_is_nobody_and_in_its_sandbox_where_we_are_root() -> None:
    async def go() -> tuple[Guard, set[int]]:
        launched = await launch(find_browser())
        try:
            return launched.guard, {os.stat(f"/proc/{launched.pid}").st_uid}  # noqa: PTH116 - quick, and no file
        finally:
            await launched.end()

    guard, users = asyncio.run(go())
    assert users == {guard.user or os.geteuid()}
    assert os.geteuid() not in users or os.geteuid() != 0 or not guard.sandbox


@needs_browser
def test_what_does_not_work_is_tried_otherwise_and_said() -> None:
    async def go() -> str:
        ways = (Guard(user=0, sandbox=True), Guard(user=0, sandbox=False)) if os.geteuid() == 0 else (Guard(0, sandbox=True),)
        launched = await launch(find_browser(), ways)
        await launched.end()
        return str(launched.guard)

    assert asyncio.run(go()) == ("without its sandbox" if os.geteuid() == 0 else "in its sandbox")
