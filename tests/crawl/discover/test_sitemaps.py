from __future__ import annotations

import gzip
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trasmallo.crawl.discover import sitemaps
from trasmallo.crawl.discover.sitemaps import SitemapEntry, SitemapLimits, SitemapReader, read_sitemap, write_sitemap

URL = "http://example.org/sitemap.xml"
NS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'


def urlset(*entries: str) -> bytes:
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset {NS}>{"".join(entries)}</urlset>'.encode()


def pages(body: bytes) -> list[str]:
    return [entry.url for entry in read_sitemap(body, URL).entries]


class TestReading:
    def test_a_whole_entry(self) -> None:
        body = urlset(
            "<url><!-- c --><loc> http://example.org/a?x=1&amp;y=2\n</loc><lastmod>2024-01-02</lastmod>"
            "<changefreq>Daily</changefreq><priority>0.8</priority>"
            "<image:image xmlns:image='http://i'><image:loc>http://example.org/i.png</image:loc></image:image>"
            "<xhtml:link xmlns:xhtml='http://x' rel='alternate' hreflang='es' href='/es/a'/></url>"
        )
        sitemap = read_sitemap(body, URL)
        entry = SitemapEntry(
            "http://example.org/a?x=1&y=2", 1_704_153_600.0, "daily", 0.8, (("es", "http://example.org/es/a"),)
        )
        assert sitemap == sitemaps.Sitemap((entry,))

    def test_nonsense_in_fields_is_left_out(self) -> None:
        body = urlset(
            "<url><loc>/a</loc><lastmod>never</lastmod><changefreq>often</changefreq><priority>7</priority></url>",
            "<url><loc></loc></url><url><loc>mailto:x</loc></url><url/><url><priority>x</priority><loc>/b</loc></url>",
        )
        assert read_sitemap(body, URL).entries == (SitemapEntry("http://example.org/a"), SitemapEntry("http://example.org/b"))

    def test_an_index(self) -> None:
        body = b"<sitemapindex><sitemap><loc>/s1.xml</loc></sitemap><sitemap><loc>http://b.test/s2.xml.gz</loc></sitemap></sitemapindex>"
        assert read_sitemap(body, URL).children == ("http://example.org/s1.xml", "http://b.test/s2.xml.gz")
        assert read_sitemap(body, URL).entries == ()

    def test_prefixes_and_namespaces_do_not_matter(self) -> None:
        body = b"<s:urlset xmlns:s='urn:any'><s:url><s:loc>http://example.org/a</s:loc></s:url></s:urlset>"
        assert pages(body) == pages(b"<urlset><url><loc>/a</loc></url></urlset>") == ["http://example.org/a"]

    def test_plain_text(self) -> None:
        body = b"\xef\xbb\xbfhttp://example.org/1\r\nhttp://example.org/\xc3\xb1\n\n# no\n  HTTPS://b.test/3 \nfoo"
        assert pages(body) == ["http://example.org/1", "http://example.org/%C3%B1", "https://b.test/3"]

    def test_rss(self) -> None:
        body = b"""<rss><channel><link>http://example.org/</link><image><url>http://example.org/i.png</url></image><item><title>t</title>
            <link>http://example.org/1</link><pubDate>Tue, 02 Jan 2024 00:00:00 GMT</pubDate></item></channel></rss>"""
        assert read_sitemap(body, URL).entries == (SitemapEntry("http://example.org/1", 1_704_153_600.0),)

    def test_atom(self) -> None:
        body = b"""<feed xmlns="http://www.w3.org/2005/Atom"><link href="http://example.org/"/><entry>
            <link rel="self" href="/no"/><link href="/1"/><updated>2024-01-02T00:00:00Z</updated></entry></feed>"""
        assert read_sitemap(body, URL).entries == (SitemapEntry("http://example.org/1", 1_704_153_600.0),)

    def test_other_encodings(self) -> None:
        text = "<?xml version='1.0' encoding='{}'?><urlset><url><loc>http://example.org/ñ</loc></url></urlset>"
        for encoding in ("utf-16", "iso-8859-1"):
            assert pages(text.format(encoding).encode(encoding)) == ["http://example.org/%C3%B1"]

    def test_gzip_in_one_or_more_members(self) -> None:
        body = urlset(*(f"<url><loc>/{number}</loc></url>" for number in range(5_000)))
        packed = gzip.compress(body[:1_000]) + gzip.compress(body[1_000:])
        assert pages(packed) == pages(body)
        assert len(pages(body)) == 5_000


class TestDamage:
    def test_what_comes_before_the_end_is_kept(self) -> None:
        body = urlset(*(f"<url><loc>/page-{number:05}</loc></url>" for number in range(9_000)))
        cut = body.index(b"05") + 200_000
        for damaged in (body[:cut], gzip.compress(body[:cut])):
            sitemap = read_sitemap(damaged, URL)
            assert 4_000 < len(sitemap.entries) < 9_000
            assert all(len(entry.url) == len("http://example.org/page-00000") for entry in sitemap.entries)
            assert sitemap.damage == "ends before its end"

    def test_a_torn_archive_gives_what_it_holds(self) -> None:
        packed = gzip.compress(urlset(*(f"<url><loc>/{number * 7919 % 100_003}</loc></url>" for number in range(50_000))))
        for torn in (packed[: len(packed) // 2], packed[: len(packed) // 2] + bytes(1_000)):
            assert len(pages(torn)) > 10_000

    def test_errors_in_the_middle_are_stepped_over(self) -> None:
        body = urlset("<url><loc>/a</loc></url>", "<url><loc>/b?x=1&y=2</loc></url>", "<url><loc>/c</loc></url>")
        assert pages(body) == ["http://example.org/a", "http://example.org/b?x=1&y=2", "http://example.org/c"]

    @pytest.mark.parametrize("loc", ["/b?x=1&amp;amp;y=2", "<![CDATA[/b?x=1&y=2]]>", "<![CDATA[/b?x=1&amp;y=2]]>"])
    def test_ampersands_escaped_too_often_or_not_at_all(self, loc: str) -> None:
        assert pages(urlset(f"<url><loc>{loc}</loc></url>")) == ["http://example.org/b?x=1&y=2"]

    def test_references_torn_between_pieces(self) -> None:
        one = "<url><loc>/b?x=1&amp;y=2&z=3&#38;</loc></url>"
        body = urlset("<url><loc>/</loc></url>", *[one] * 9_000)
        assert set(pages(body)) == {"http://example.org/", "http://example.org/b?x=1&y=2&z=3&"}
        assert len(pages(body)) == 9_001

    @pytest.mark.parametrize("body", [b"<!doctype html><html><body>Not found", b"<x/>", b"<urls><page/></urls>"])
    def test_no_sitemap(self, body: bytes) -> None:
        assert read_sitemap(body, URL).damage == "no sitemap"

    def test_entities_are_not_expanded(self) -> None:
        levels = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 12))
        bomb = (
            f'<!DOCTYPE u [<!ENTITY e0 "aaaaaaaaaa">{levels}]><urlset><url><loc>http://example.org/&e11;</loc></url></urlset>'
        )
        assert pages(bomb.encode()) == ["http://example.org/&e11;"]

    def test_no_file_is_read(self, tmp_path: Path) -> None:
        secret = tmp_path / "secret"
        secret.write_text("secret")
        body = f'<!DOCTYPE u [<!ENTITY e SYSTEM "{secret.as_uri()}">]><urlset><url><loc>http://example.org/&e;</loc></url></urlset>'
        assert pages(body.encode()) == ["http://example.org/&e;"]

    def test_limits(self) -> None:
        body = urlset(*(f"<url><loc>/{number}</loc></url>" for number in range(100)))
        few = read_sitemap(body, URL, SitemapLimits(urls=10))
        assert (len(few.entries), few.damage) == (10, "more than 10 URLs")
        bomb = gzip.compress(urlset(*["<url><loc>/x</loc></url>"] * 100_000))
        assert read_sitemap(bomb, URL, SitemapLimits(size=500_000)).damage == "more than 500000 bytes"

    @pytest.mark.parametrize(
        "body",
        [
            b"<urlset>" + b"<x/>" * 600_000,
            b"<urlset><a>" + b"<x/>" * 600_000,
            b"<urlset><url>" + b"<x/>" * 600_000,
            b"<urlset>" + b"<url><loc>http://example.org/x</loc></url>" * 20_000,
        ],
    )
    def test_memory_stays_flat(self, body: bytes) -> None:
        # The tree is libxml2's and not counted here, but each element that lives has a proxy or text that is.
        reader = SitemapReader(body, URL, SitemapLimits())
        tracemalloc.start()
        count = sum(1 for _ in reader)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert count in (0, 20_000)
        assert peak < 2_000_000

    @settings(deadline=None)  # the first one imports lxml
    @given(st.binary(max_size=300))
    def test_any_bytes(self, body: bytes) -> None:
        for start in (b"", b"<urlset><url><loc>", b"\x1f\x8b\x08", b"http://a.b/"):
            assert all(entry.url.startswith("http") for entry in read_sitemap(start + body, URL).entries)


class TestWriting:
    @pytest.mark.parametrize("compress", [False, True])
    def test_comes_back_as_it_went(self, tmp_path: Path, compress: bool) -> None:
        entries = (
            SitemapEntry("http://example.org/a?x=1&y='<>\"2", 1_704_153_600.0, "daily", 0.5),
            SitemapEntry("http://example.org/b", 1e300),
        )
        paths = write_sitemap([*entries, "http://example.org/c"], tmp_path / "new", "http://example.org", compress)
        assert [path.name for path in paths] == ["sitemap.xml.gz" if compress else "sitemap.xml"]
        found = read_sitemap(paths[0].read_bytes(), URL)
        assert [entry.url for entry in found.entries] == [
            "http://example.org/a?x=1&y=%27%3C%3E%222",
            "http://example.org/b",
            "http://example.org/c",
        ]
        assert found.entries[0].lastmod == 1_704_153_600.0
        assert found.damage == ""
        assert [path.name for path in (tmp_path / "new").iterdir()] == [paths[0].name]

    def test_many_urls_make_an_index(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sitemaps, "FILE_URLS", 500)
        urls = [f"http://example.org/{number}" for number in range(501)]
        index, *parts = write_sitemap(urls, tmp_path, "http://example.org/maps")
        assert read_sitemap(index.read_bytes(), URL).children == (
            "http://example.org/maps/sitemap-0001.xml",
            "http://example.org/maps/sitemap-0002.xml",
        )
        assert [len(read_sitemap(part.read_bytes(), URL).entries) for part in parts] == [500, 1]

    def test_large_files_are_split(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sitemaps, "FILE_SIZE", 11_000)
        paths = write_sitemap(
            (f"http://example.org/{'x' * 1_000}/{number}" for number in range(30)), tmp_path, "http://example.org/"
        )
        assert len(paths) == 5
        assert all(path.stat().st_size <= 11_000 for path in paths)
        assert sum(len(read_sitemap(path.read_bytes(), URL).entries) for path in paths) == 30

    def test_nothing_is_a_valid_sitemap_too(self, tmp_path: Path) -> None:
        assert read_sitemap(write_sitemap([], tmp_path, "http://example.org/")[0].read_bytes(), URL) == sitemaps.Sitemap()
