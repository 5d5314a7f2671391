"""Pages as PDF."""

from __future__ import annotations

import asyncio

import pytest

from support.script_web import needs_browser
from trasmallo.crawl.browser.printing import print_page
from trasmallo.values.errors import UsageError

PAGE = "<!doctype html><meta charset=utf-8><title>Informe</title><h1>Año</h1>" + "<p>línea</p>" * 300


@needs_browser
def test_a_page_is_printed_on_several_sheets() -> None:
    found = print_page(PAGE)
    assert found.startswith(b"%PDF-")
    assert found.count(b"/Type /Page\n") > 3


@needs_browser
def test_it_is_printed_beside_a_loop_that_runs() -> None:
    async def ask() -> bytes:
        return print_page("<p>one")

    assert asyncio.run(ask()).startswith(b"%PDF-")


def test_without_a_browser_is_told_what_to_do() -> None:
    with pytest.raises(UsageError, match="install Chromium"):
        print_page(PAGE, "/nowhere/chromium")
