"""A small web in memory, for the tests of the crawl."""

from __future__ import annotations

import pytest

from support.fake_crawl import ROOT, link
from support.fake_web import FakeWeb


@pytest.fixture
def web() -> FakeWeb:
    web = FakeWeb()
    web.page(ROOT, link("/b", "/c", "http://b.test/"))
    web.page(ROOT + "b", link("/c", "/#top", "b"))
    web.page(ROOT + "c", link("/d"))
    web.page(ROOT + "d")
    web.page("http://b.test/", link("http://a.test/b"))
    return web
