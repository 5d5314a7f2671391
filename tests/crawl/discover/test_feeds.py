from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.effort import effort
from trasmallo.crawl.discover import feeds
from trasmallo.crawl.discover.feeds import (
    LONGEST_CACHED,
    LONGEST_WAIT,
    SHORTEST_WAIT,
    USUAL_WAIT,
    Enclosure,
    Feed,
    FeedEntry,
    NextVisit,
    WaitReason,
    max_age_of,
    next_visit,
    read_feed,
)

URL = "http://example.org/feed.xml"
AT = 1_704_153_600.0  # 2024-01-02, a Tuesday

RSS = b"""<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:content="http://purl.org/rss/1.0/modules/content/"
  xmlns:sy="http://purl.org/rss/1.0/modules/syndication/"><channel>
<title>Noticias</title><link>http://example.org/</link><ttl>90</ttl>
<sy:updatePeriod>daily</sy:updatePeriod><sy:updateFrequency>4</sy:updateFrequency>
<skipHours><hour>0</hour><hour> 24 </hour><hour>3</hour></skipHours><skipDays><day>Sunday</day><day>Noday</day></skipDays>
<atom:link rel="hub" href="http://hub.test/"/><atom:link rel="self" href="http://example.org/feed.xml"/>
<item><guid isPermaLink="false">1</guid><title>Uno &amp; dos</title><link>http://example.org/1?utm_source=rss</link>
<pubDate>Tue, 02 Jan 2024 00:00:00 GMT</pubDate><description>Breve</description>
<content:encoded><![CDATA[<p onclick="x()">Texto <img src="/i.png"></p>]]></content:encoded>
<enclosure url="http://example.org/1.mp3" type="audio/mpeg" length="1234"/></item>
<item><title>Tres</title><link>/3</link></item>
</channel></rss>"""

ATOM = b"""<feed xmlns="http://www.w3.org/2005/Atom"><title>Blog</title><link href="http://example.org/"/>
<updated>2024-01-02T00:00:00Z</updated><entry><id>urn:1</id><title type="html">A &lt;b&gt;b&lt;/b&gt;</title><link href="http://example.org/1"/>
<published>2024-01-01T00:00:00Z</published><updated>2024-01-02T00:00:00Z</updated>
<content type="html">&lt;p&gt;x&lt;/p&gt;</content></entry></feed>"""

RDF = b"""<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
  xmlns:dc="http://purl.org/dc/elements/1.1/"><channel rdf:about="x"><title>Uno punto cero</title><link>http://example.org/</link></channel>
<item rdf:about="http://example.org/1"><title>t</title><link>http://example.org/1</link><dc:date>2024-01-02</dc:date></item></rdf:RDF>"""

JSON = {
    "version": "https://jsonfeed.org/version/1.1",
    "title": "J",
    "home_page_url": "http://example.org/",
    "feed_url": "http://example.org/feed.json",
    "hubs": [{"type": "WebSub", "url": "http://hub.test/"}],
    "items": [
        {
            "id": 7,
            "url": "/7",
            "title": "Siete",
            "content_html": "<p>7</p>",
            "summary": "s",
            "date_published": "2024-01-02T00:00:00Z",
        },
        {
            "external_url": "http://b.test/",
            "attachments": [{"url": "/a.mp3", "mime_type": "audio/mpeg", "size_in_bytes": 9}],
        },
        "nonsense",
    ],
}

SCALARS = st.none() | st.booleans() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
HOURS = st.frozensets(st.integers(0, 23))


def read(body: bytes) -> Feed:
    feed = read_feed(body, URL)
    assert feed is not None
    return feed


class TestReading:
    def test_rss(self) -> None:
        feed = read(RSS)
        assert (feed.version, feed.title, feed.link, feed.damage) == ("rss20", "Noticias", "http://example.org/", "")
        assert (feed.ttl, feed.period) == (5_400.0, 21_600.0)
        assert (feed.skip_hours, feed.skip_days) == ({0, 3}, {6})
        assert (feed.hubs, feed.self_url) == (("http://hub.test/",), URL)
        assert feed.entries[0] == FeedEntry(
            id="1",
            link="http://example.org/1?utm_source=rss",
            title="Uno & dos",
            published=AT,
            summary="Breve",
            content='<p onclick="x()">Texto <img src="/i.png"></p>',
            enclosures=(Enclosure("http://example.org/1.mp3", "audio/mpeg", 1234),),
        )
        assert feed.targets() == ("http://example.org/1", "http://example.org/3")

    def test_atom(self) -> None:
        feed = read(ATOM)
        entry = feed.entries[0]
        assert (feed.version, feed.title, feed.link, feed.updated) == ("atom10", "Blog", "http://example.org/", AT)
        assert (entry.id, entry.title, entry.content) == ("urn:1", "A <b>b</b>", "<p>x</p>")
        assert (entry.published, entry.updated) == (AT - 86_400, AT)

    def test_rss_1(self) -> None:
        feed = read(RDF)
        assert (feed.version, feed.title, len(feed.entries)) == ("rss10", "Uno punto cero", 1)
        assert feed.entries[0].updated == AT

    def test_json(self) -> None:
        feed = read(json.dumps(JSON).encode())
        assert (feed.version, feed.title, feed.link, feed.self_url) == (
            "json11",
            "J",
            "http://example.org/",
            "http://example.org/feed.json",
        )
        assert feed.hubs == ("http://hub.test/",)
        assert feed.entries[0] == FeedEntry("7", "/7", "Siete", AT, None, "s", "<p>7</p>")
        assert feed.entries[1].enclosures == (Enclosure("/a.mp3", "audio/mpeg", 9),)
        assert feed.targets() == ("http://example.org/7", "http://b.test/")

    @pytest.mark.parametrize("encoding", ["utf-16", "iso-8859-1", "windows-1252"])
    def test_other_encodings(self, encoding: str) -> None:
        text = f"<?xml version='1.0' encoding='{encoding}'?><rss version='2.0'><channel><title>Año</title></channel></rss>"
        assert read(text.encode(encoding)).title == "Año"

    def test_broken_ones_give_what_they_hold(self) -> None:
        feed = read(
            b"<rss version='2.0'><channel><title>A & B</title><item><title>x</title><link>http://example.org/1</link><item>"
        )
        assert feed.targets() == ("http://example.org/1",)
        assert feed.damage

    @pytest.mark.parametrize(
        "body",
        [b"", b"<html><body>x</body></html>", b"{}", b'{"version": 3}', b"{", b"plain", b"[" * 9_000, b'{"a":' * 100_000],
    )
    def test_no_feed(self, body: bytes) -> None:
        assert read_feed(body, URL) is None


class TestHostile:
    def test_entities_do_not_grow(self) -> None:
        levels = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 12))
        bomb = (
            f'<!DOCTYPE r [<!ENTITY e0 "aaaaaaaaaa">{levels}]><rss version="2.0"><channel><title>t&e11;</title></channel></rss>'
        )
        big = (
            '<!DOCTYPE r [<!ENTITY e "'
            + "a" * 50_000
            + '">]><rss version="2.0"><channel><title>'
            + "&e;" * 20_000
            + "</title></channel></rss>"
        )
        assert len(read(bomb.encode()).title) < 100
        assert len(read(big.encode()).title) < 100_000
        assert effort(lambda: read(bomb.encode()), 3) < 3
        assert effort(lambda: read(big.encode()), 3) < 3

    def test_short_entities_are_kept(self) -> None:
        body = b'<!DOCTYPE r [\n<!ENTITY ene "&#241;">\n]><rss version="2.0"><channel><title>Espa&ene;a</title></channel></rss>'
        assert read(body).title == "España"

    def test_no_file_is_read(self) -> None:
        body = b'<!DOCTYPE r [<!ENTITY e SYSTEM "file:///etc/hostname">]><rss><channel><title>t&e;</title></channel></rss>'
        assert read(body).title in ("t", "t&e;", "t&e")

    def test_tags_beyond_the_limit_are_not_read(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(feeds, "TAG_LIMIT", 1_000)
        filled = b"<item><description><![CDATA[" + b"<p>x</p>" * 1_000 + b"]]></description></item>"
        assert len(read(b"<rss version='2.0'><channel>" + filled * 10 + b"</channel></rss>").entries) == 10
        many = b"<rss version='2.0'><channel>" + b"<item></item>" * 1_000_000
        assert len(read(many).entries) == 499
        assert effort(lambda: read(many), 5) < 5

    @settings(max_examples=40, deadline=None)  # the first one imports feedparser
    @given(st.binary(max_size=200))
    def test_any_bytes(self, noise: bytes) -> None:
        read_feed(noise, URL)
        for start in (b"<rss version='2.0'><channel>", b"<feed><entry><updated>", b"{"):
            feed = read_feed(start + noise, URL)
            assert feed is None or isinstance(feed.targets(), tuple)

    @settings(max_examples=40, deadline=None)  # the first one imports feedparser
    @given(st.recursive(SCALARS, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)))
    def test_any_json(self, value: object) -> None:
        for field in ("title", "items", "hubs", "feed_url"):
            body = json.dumps({"version": "https://jsonfeed.org/version/1", field: value})
            assert isinstance(read(body.encode()).targets(), tuple)


class TestNextVisit:
    @pytest.mark.parametrize(
        ("feed", "wait"),
        [
            (Feed(URL, ""), USUAL_WAIT),
            (Feed(URL, "", ttl=5_400.0), 5_400.0),
            (Feed(URL, "", ttl=1.0), SHORTEST_WAIT),
            (Feed(URL, "", ttl=1e12), LONGEST_WAIT),
            (Feed(URL, "", period=7_200.0), 7_200.0),
            (Feed(URL, "", entries=tuple(FeedEntry(published=AT - hours * 3_600) for hours in (0, 6, 12, 100))), 10_800.0),
        ],
    )
    def test_waits(self, feed: Feed, wait: float) -> None:
        assert next_visit(feed, AT).at == AT + wait

    def test_dates_to_come_say_nothing_of_the_rhythm(self) -> None:
        dates = (AT + 9e6, AT + 1e6, AT - 3_600, AT - 7_200, AT - 10_800)
        feed = Feed(URL, "", entries=tuple(FeedEntry(published=at) for at in dates))
        assert next_visit(feed, AT) == NextVisit(AT + 1_800, WaitReason.RHYTHM)

    def test_cache_control(self) -> None:
        assert next_visit(Feed(URL, "", ttl=3_600.0), AT, 7_200.0) == NextVisit(AT + 7_200, WaitReason.CACHED)
        assert next_visit(Feed(URL, "", ttl=3_600.0), AT, 60.0) == NextVisit(AT + 3_600, WaitReason.TTL)
        assert next_visit(Feed(URL, ""), AT, 31_536_000.0).at == AT + LONGEST_CACHED
        assert max_age_of([("Cache-Control", "public, max-age=600")]) == 600
        assert max_age_of([("cache-control", "no-cache, max-age=600")]) == 0
        assert max_age_of([("Cache-Control", "s-maxage=9, max-age=oops"), ("Age", "5")]) == 0

    def test_excluded_hours_and_days(self) -> None:
        feed = Feed(URL, "", ttl=3_600.0, skip_hours=frozenset({1, 2, 3}))
        assert datetime.fromtimestamp(next_visit(feed, AT).at, UTC).hour == 4
        feed = Feed(URL, "", ttl=3_600.0, skip_days=frozenset({1, 2}))
        assert next_visit(feed, AT).at == AT + 2 * 86_400

    def test_a_feed_that_excludes_everything(self) -> None:
        assert next_visit(Feed(URL, "", skip_hours=frozenset(range(24))), AT).at <= AT + LONGEST_WAIT + USUAL_WAIT

    @given(st.floats(0, 4e9), HOURS, st.frozensets(st.integers(0, 6)), st.floats(0, 1e9) | st.none())
    def test_always_later(self, now: float, hours: frozenset[int], days: frozenset[int], ttl: float | None) -> None:
        feed = Feed(URL, "", ttl=ttl, skip_hours=hours, skip_days=days)
        assert now + SHORTEST_WAIT - 1 <= next_visit(feed, now).at <= now + 2 * LONGEST_WAIT + 3_600


def test_authors_kind_and_language() -> None:
    feed = read_feed(
        b'<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="es"><title>T</title><entry><id>1</id>'
        b"<author><name>Ana</name></author></entry></feed>",
        URL,
    )
    assert feed is not None
    assert (feed.kind, feed.language, feed.entries[0].author) == ("atom", "es", "Ana")
    feed = read_feed(
        b'{"version": "https://jsonfeed.org/version/1.1", "language": "es", "items": [{"id": "1", '
        b'"authors": [{"name": "Luis"}], "content_text": "a < b\\nc"}]}',
        URL,
    )
    assert feed is not None
    assert (feed.kind, feed.language, feed.entries[0].author) == ("json", "es", "Luis")
    assert feed.entries[0].content == "<p>a &lt; b</p><p>c</p>"
