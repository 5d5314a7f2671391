from __future__ import annotations

import pytest

from support.effort import effort
from trasmallo.clean.formats.html_builder import HtmlBuilder
from trasmallo.clean.formats.web import read_html, read_xhtml


def test_html_stays_as_it_is() -> None:
    page = HtmlBuilder()
    read_html("<p>ñ".encode("latin-1"), page)

    assert page.document() == page.whole == "<p>ñ"


@pytest.mark.parametrize(
    ("source", "opened"),
    [
        ("<script src='a'/>", "<script src='a'></script>"),
        ("<br/>", "<br/>"),
        ('<p title="/>"/>', '<p title="/>"></p>'),
        ("<a href=x/y>", "<a href=x/y>"),
    ],
)
def test_xhtml_may_close_any_element_at_once(source: str, opened: str) -> None:
    page = HtmlBuilder()
    read_xhtml(source.encode(), page)

    assert page.whole == opened


@pytest.mark.parametrize("unit", ["<a ", "<a '", '<a b="', "<a/", "<a b='\""])
def test_tags_that_are_never_closed_are_looked_at_once(unit: str) -> None:
    page = HtmlBuilder()

    assert effort(lambda: read_xhtml(unit.encode() * 100_000, page), 2) < 2
