"""Feeds and sitemaps say the same in every format, whatever characters their texts hold."""

from __future__ import annotations

import io
import json
from xml.etree import ElementTree

import feedparser
import pytest

from trasmallo.demo import syndication
from trasmallo.demo.syndication import Channel, Entry

ENTRY = Entry("http://h.test/a?b=1&c=2", "Ñu & <b>", "«resumen»", "Ana", "2026-05-01")
CHANNEL = Channel("http://h.test/", "http://h.test/feed", "Título", "es", [ENTRY])


@pytest.mark.parametrize(("write", "version"), [(syndication.write_rss, "rss20"), (syndication.write_atom, "atom10")])
def test_xml_feeds(write, version: str) -> None:  # type: ignore[no-untyped-def]
    feed = feedparser.parse(io.BytesIO(write(CHANNEL).encode()), sanitize_html=False)
    assert (feed.bozo, feed.version, feed.feed.title) == (False, version, "Título")
    (entry,) = feed.entries
    assert (entry.link, entry.summary) == (ENTRY.url, "«resumen»")
    assert entry.title.startswith("Ñu &")
    assert (entry.get("published_parsed") or entry.updated_parsed)[:4] == (2026, 5, 1, 8)


def test_json_feed() -> None:
    feed = json.loads(syndication.write_json(CHANNEL))
    assert feed["version"].endswith("/1.1")
    assert feed["items"][0]["url"] == ENTRY.url
    assert feed["items"][0]["date_published"] == syndication.moment("2026-05-01").isoformat()


def test_sitemaps() -> None:
    tree = ElementTree.fromstring(syndication.write_sitemap([(ENTRY.url, ENTRY.day)]))
    assert [element.text for element in tree.iter() if element.text and element.text.strip()] == [ENTRY.url, ENTRY.day]
    index = ElementTree.fromstring(syndication.write_sitemap_index(["http://h.test/s.xml"]))
    assert index.tag.endswith("sitemapindex")
    assert index[0][0].text == "http://h.test/s.xml"
