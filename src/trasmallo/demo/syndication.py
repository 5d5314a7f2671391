"""The demo site's feeds and sitemaps: RSS 2.0, Atom (RFC 4287), JSON Feed 1.1 and the sitemap protocol 0.9."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import format_datetime
from xml.sax.saxutils import escape

_XML = '<?xml version="1.0" encoding="utf-8"?>\n'
_SITEMAP = "http://www.sitemaps.org/schemas/sitemap/0.9"


@dataclass(frozen=True, slots=True)
class Entry:
    """What a feed says of an article; `day` is YYYY-MM-DD."""

    url: str
    title: str
    summary: str
    author: str
    day: str


@dataclass(frozen=True, slots=True)
class Channel:
    """A feed's head and its entries, newest first."""

    home: str
    address: str
    title: str
    language: str
    entries: Sequence[Entry]


def moment(day: str) -> datetime:
    """The hour at which the demo site published that day's pages."""
    return datetime.fromisoformat(f"{day}T08:00:00").replace(tzinfo=UTC)


def write_rss(channel: Channel) -> str:
    """The channel as RSS 2.0."""
    items = "".join(
        f"<item>{_element('title', entry.title)}{_element('link', entry.url)}{_element('guid', entry.url)}"
        f"{_element('description', entry.summary)}"
        f"{_element('pubDate', format_datetime(moment(entry.day), usegmt=True))}</item>\n"
        for entry in channel.entries
    )
    head = f"{_element('title', channel.title)}{_element('link', channel.home)}{_element('description', channel.title)}"
    return f'{_XML}<rss version="2.0"><channel>{head}{_element("language", channel.language)}\n{items}</channel></rss>\n'


def write_atom(channel: Channel) -> str:
    """The channel as Atom."""
    entries = "".join(
        f'<entry>{_element("id", entry.url)}{_element("title", entry.title)}<link href="{escape(entry.url)}"/>'
        f"{_element('updated', moment(entry.day).isoformat())}<author>{_element('name', entry.author)}</author>"
        f"{_element('summary', entry.summary)}</entry>\n"
        for entry in channel.entries
    )
    newest = _element("updated", moment(channel.entries[0].day).isoformat())
    itself = f'<link rel="self" href="{escape(channel.address)}"/>'
    head = f"{_element('id', channel.home)}{_element('title', channel.title)}{itself}{newest}"
    return f'{_XML}<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="{channel.language}">{head}\n{entries}</feed>\n'


def write_json(channel: Channel) -> str:
    """The channel as JSON Feed."""
    items = [
        {
            "id": entry.url,
            "url": entry.url,
            "title": entry.title,
            "summary": entry.summary,
            "date_published": moment(entry.day).isoformat(),
            "content_text": entry.summary,
        }
        for entry in channel.entries
    ]
    head = {"version": "https://jsonfeed.org/version/1.1", "title": channel.title, "home_page_url": channel.home}
    return json.dumps(head | {"feed_url": channel.address, "items": items}, ensure_ascii=False, indent=1) + "\n"


def write_sitemap(pages: Iterable[tuple[str, str]]) -> str:
    """A sitemap of pairs of address and day."""
    urls = "".join(f"<url>{_element('loc', url)}{_element('lastmod', day)}</url>\n" for url, day in pages)
    return f'{_XML}<urlset xmlns="{_SITEMAP}">\n{urls}</urlset>\n'


def write_sitemap_index(sitemaps: Iterable[str]) -> str:
    """An index of sitemaps."""
    entries = "".join(f"<sitemap>{_element('loc', url)}</sitemap>\n" for url in sitemaps)
    return f'{_XML}<sitemapindex xmlns="{_SITEMAP}">\n{entries}</sitemapindex>\n'


def _element(name: str, text: str) -> str:
    return f"<{name}>{escape(text)}</{name}>"
