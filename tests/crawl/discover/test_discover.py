"""What bodies lead to, by what they are."""

from __future__ import annotations

import gzip

import pytest

from trasmallo.crawl.discover.discover import discover, kind_of
from trasmallo.crawl.discover.links import Known
from trasmallo.values.model import Response

PAGE = b'<a href="/b">b</a>'
SITEMAP = b'<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>http://a.test/s</loc></url></urlset>'
FEED = b"<rss version='2.0'><channel><item><link>http://a.test/f</link></item></channel></rss>"


def answer(media: str, content: bytes) -> Response:
    return Response("http://a.test/x", 0.0, 200, "OK", (("Content-Type", media),), content, content)


@pytest.mark.parametrize(
    ("media", "content", "kind"),
    [
        ("text/html", SITEMAP, "page"),
        ("", PAGE, "page"),
        ("application/xml", SITEMAP, "sitemap"),
        ("application/x-gzip", gzip.compress(SITEMAP), "sitemap"),
        ("text/xml", FEED, "feed"),
        ("text/xml", FEED.decode().encode("utf-16"), "feed"),
        ("text/xml", SITEMAP.decode().encode("utf-16"), "sitemap"),
        ("application/rss+xml", FEED, "feed"),
        ("application/feed+json", b'{"version": "https://jsonfeed.org/version/1"}', "feed"),
        ("application/xml", b"<book><title>x</title></book>", "other"),
        ("image/png", FEED, "other"),
        ("application/pdf", b"%PDF-1.4 <rss>", "other"),
    ],
)
def test_what_a_body_is(media: str, content: bytes, kind: str) -> None:
    assert kind_of(media, content) == kind


@pytest.mark.parametrize(
    ("media", "content", "urls"),
    [
        ("text/html; charset=utf-8", PAGE, ("http://a.test/b",)),
        ("text/xml", SITEMAP, ("http://a.test/s",)),
        ("text/xml", FEED, ("http://a.test/f",)),
        ("text/xml", FEED.decode().encode("utf-16"), ("http://a.test/f",)),
        ("text/xml", SITEMAP.decode().encode("utf-16"), ("http://a.test/s",)),
        ("application/pdf", b"%PDF", ()),
    ],
)
def test_where_it_leads(media: str, content: bytes, urls: tuple[str, ...]) -> None:
    assert discover(answer(media, content), "trasmallo", _never).urls == urls


def test_the_header_may_ask_not_to_follow() -> None:
    asking = Response("http://a.test/x", 0.0, 200, "OK", (("X-Robots-Tag", "nofollow"),), PAGE, PAGE)
    other = Response("http://a.test/x", 0.0, 200, "OK", (("X-Robots-Tag", "otherbot: nofollow"),), PAGE, PAGE)
    assert discover(asking, "trasmallo", _never).urls == ()
    assert discover(other, "trasmallo", _never).urls == ("http://a.test/b",)


def test_pages_that_are_not_utf8_are_decoded() -> None:
    content = '<a href="/ñ">x</a>'.encode("latin-1")
    found = discover(
        answer("text/html; charset=latin1", content), "trasmallo", lambda body, charset: (body.decode(charset), "windows-1252")
    )
    assert found.urls == ("http://a.test/%C3%B1",)


@pytest.mark.parametrize("codec", ["utf-16", "iso2022_jp"])
def test_encodings_whose_markup_is_not_ascii(codec: str) -> None:
    content = '<title>日本</title><a href="/b">b</a>'.encode(codec)
    found = discover(
        answer(f"text/html; charset={codec}", content), "trasmallo", lambda body, charset: (body.decode(charset), charset)
    )
    assert found.urls == ("http://a.test/b",)


def test_known_links_are_left_out() -> None:
    page = answer("text/html", '<p>ñ<a href="/b">b</a><a href="http://c.test/">c</a>'.encode("latin-1"))
    first = discover(page, "trasmallo", _never)
    assert (first.urls, first.written) == (("http://a.test/b", "http://c.test/"), ("/b", "http://c.test/"))
    again = discover(page, "trasmallo", _never, Known({"/b"}, {"http://c.test/"}))
    assert (again.urls, again.written) == ((), ())


def test_links_that_are_not_followed_are_not_to_be_remembered() -> None:
    asking = Response("http://a.test/x", 0.0, 200, "OK", (("X-Robots-Tag", "nofollow"),), PAGE, PAGE)
    assert discover(asking, "trasmallo", _never).written == ()


def _never(content: bytes, charset: str) -> tuple[str, str]:
    raise AssertionError("UTF-8 needs no decoding")
