"""Rows of links."""

from __future__ import annotations

import pytest

from trasmallo.crawl.discover.links import find_links
from trasmallo.pipeline.analysis.link_rows import link_rows
from trasmallo.values.model import Document, PageLinks

PAGE = Document("id", "http://www.mar.co.uk/a", 1.0, "", "es", "")


def rows(links: PageLinks, *, follow: bool = True) -> list[tuple[str, bool, str, str]]:
    return [(row.site, row.own, row.place, row.aside) for row in link_rows(PAGE.id, PAGE.url, links.links, follow=follow)]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("html", "row"),
    [
        ("<a href=/x>x</a>", ("mar.co.uk", True, "", "")),
        ("<a href=http://blog.mar.co.uk/>x</a>", ("mar.co.uk", True, "", "")),
        ("<a href=http://rio.co.uk/>x</a>", ("rio.co.uk", False, "", "")),
        ("<nav><a href=/x>x</a></nav>", ("mar.co.uk", True, "menu", "")),
        ("<a rel='external NOFOLLOW' href=/x>x</a>", ("mar.co.uk", True, "", "nofollow")),
        ("<a rel=ugc href=/x>x</a>", ("mar.co.uk", True, "", "nofollow")),
        ("<div class=comments><a href=/x>x</a></div>", ("mar.co.uk", True, "comments", "comments")),
        ("<div class=trackback><a href=/x>x</a></div>", ("mar.co.uk", True, "trackback", "trackback")),
        ("<link rel=canonical href=/x>", ("mar.co.uk", True, "unseen", "unseen")),
    ],
)
def test_where_a_link_leads_and_whether_it_counts(html: str, row: tuple[str, bool, str, str]) -> None:
    assert rows(find_links(html, PAGE.url)) == [row]


def test_a_page_can_ask_that_none_of_its_links_counts() -> None:
    assert rows(find_links("<a href=/x>x</a>", PAGE.url), follow=False) == [("mar.co.uk", True, "", "nofollow")]
