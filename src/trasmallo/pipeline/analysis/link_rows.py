"""The rows of a document's links: whose site they lead to, and whether they count for anything."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from trasmallo.crawl.discover.links import NOT_FOLLOWED
from trasmallo.crawl.discover.places import MENU
from trasmallo.results.rows import LinkRow
from trasmallo.values.model import Link
from trasmallo.values.urls import host, registered_domain

NOFOLLOW = "nofollow"


def link_rows(document: str, url: str, links: Iterable[Link], *, follow: bool = True) -> list[msgspec.Struct]:
    """A row for each link of the document at `url`; without `follow` the page asked that none of them count."""
    home = registered_domain(host(url))
    return [_row(document, home, link, follow) for link in links]


def _row(document: str, home: str, link: Link, follow: bool) -> LinkRow:
    site = registered_domain(host(link.url))
    aside = _why_aside(link, follow)
    return LinkRow(
        document=document,
        url=link.url,
        anchor=link.anchor,
        rel=" ".join(link.rel),
        site=site,
        own=site == home,
        place=link.place,
        aside=aside,
    )


def _why_aside(link: Link, follow: bool) -> str:
    """Links of comments and trackbacks are not the author's; menus are, so they count (textbook, 4.5.3)."""
    if not follow or not NOT_FOLLOWED.isdisjoint(link.rel):
        return NOFOLLOW
    return link.place if link.place != MENU else ""
