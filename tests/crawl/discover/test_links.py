from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.effort import effort
from trasmallo.crawl.discover.links import (
    ANCHOR_LIMIT,
    LINK_LIMIT,
    Known,
    find_followed,
    find_links,
    looks_like_asset,
)
from trasmallo.values.model import Link, PageLinks
from trasmallo.values.safe_html import parse_page

URL = "http://example.org/dir/page.html"


def found(html: str | bytes, url: str = URL) -> list[str]:
    return [link.url for link in find_links(html, url).links]


class TestLinks:
    def test_every_element_that_leads_somewhere(self) -> None:
        html = """
            <link rel="next" href="/next"><a href="a.html">A</a><map><area href="/area" alt="Zone"></map>
            <iframe src="/frame"></iframe>
            <meta http-equiv=Refresh content="5; URL='/later'">
        """
        tags = [(link.tag, link.url) for link in find_links(html, URL).links]
        assert tags == [
            ("link", "http://example.org/next"),
            ("a", "http://example.org/dir/a.html"),
            ("area", "http://example.org/area"),
            ("iframe", "http://example.org/frame"),
            ("meta", "http://example.org/later"),
        ]

    def test_frames(self) -> None:
        html = "<html><frameset><frame src=left.html><frame src=/right.html></frameset></html>"
        assert found(html) == ["http://example.org/dir/left.html", "http://example.org/right.html"]

    @pytest.mark.parametrize(
        "html",
        [
            "<script>var x = '<a href=/no>no</a>'</script>",
            "<!-- <a href=/no>no</a> -->",
            "<template><a href=/no>no</a></template>",
            "<textarea><a href=/no>no</a></textarea>",
            "<style>a[href=x]</style>",
            "<a href='#top'>top</a><a href=''>x</a><a href>x</a><a name=x>x</a>",
            "<a href='mailto:a@example.org'>m</a><a href=' JavaScript:void(0)'>j</a>",
            "<a href='data:text/html,x'>d</a><a href=tel:1>t</a>",
            "<a href='http://[::1'>broken</a><a href='http://a:99999/'>port</a><a href='//'>x</a>",
            "<link rel=stylesheet href=/s.css><link rel='icon shortcut' href=/i.ico><link href=/none>",
            "<link rel=preload href=/p><link rel=dns-prefetch href=//cdn.test>",
            "<form method=dialog action=/x></form><form></form><iframe srcdoc='<a href=/no>'></iframe>",
            "<form action=/cart/empty></form><form method=GET action='/find?x=1'></form><form method=post action=/buy></form>",
            "<form action=/f><button formaction=/logout>x</button></form><noscript><form action=/no></form></noscript>",
            "<meta http-equiv=refresh content=5><meta http-equiv=refresh content='0;url='>",
            "<meta http-equiv=refresh content='x'><meta http-equiv=refresh>",
        ],
    )
    def test_what_is_no_link(self, html: str) -> None:
        assert found(html) == []

    def test_links_readers_without_scripts_see(self) -> None:
        assert found("<noscript><p><a href=/n>x</a></noscript><svg><a href=/s>x</a></svg>") == [
            "http://example.org/n",
            "http://example.org/s",
        ]

    def test_what_noscript_holds_stands_where_noscript_stands(self) -> None:
        html = (
            "<a href=/1>x</a><nav><noscript><base href=/d/><a href=2 rel=nofollow>dos</a></noscript></nav>"
            "<div class=comments><noscript><iframe src=/3></iframe><nav><a href=/4>x</a></nav></noscript></div>"
            "<noscript>&lt;a href=/no></noscript><a href=/5>x</a>"
        )
        assert find_links(html, URL).links == (
            Link("http://example.org/1", "x"),
            Link("http://example.org/d/2", "dos", ("nofollow",), "a", "menu"),
            Link("http://example.org/3", tag="iframe"),
            Link("http://example.org/4", "x", place="menu"),
            Link("http://example.org/5", "x"),
        )

    def test_rel_words(self) -> None:
        links = find_links("<a rel='NoFollow UGC\nsponsored' href=/x>x</a>", URL).links
        assert links == (Link("http://example.org/x", "x", ("nofollow", "ugc", "sponsored"), "a"),)

    def test_one_link_a_url_with_the_first_anchor_there_is(self) -> None:
        html = "<a href=/x><img src=i></a><a href='/x#part'> First </a><a href=/x rel=nofollow>Second</a>"
        assert find_links(html, URL).links == (Link("http://example.org/x", "First"),)


class TestAnchors:
    @pytest.mark.parametrize(
        ("html", "anchor"),
        [
            ("<a href=/x>  one\n <b>two</b>\tthree </a>", "one two three"),
            ("<a href=/x><img alt=' Una  foto '><img alt=otra></a>", "Una foto otra"),
            ("<a href=/x><img></a>", ""),
            ("<a href=/x>text<img alt=picture></a>", "text"),
            ("<area href=/x alt='Zone 1'>", "Zone 1"),
            ("<a href=/x>a<script>f({})</script>b<style>p{}</style></a>", "ab"),
            ("<a href=/x>{curly}</a>", "{curly}"),
            ("<a href=/x>&lt;ñ&gt;</a>", "<ñ>"),
            ("<a href=/x><img data-src=1><noscript><img alt='Una &amp; foto'></noscript></a>", "Una & foto"),
            ("<a href=/x>uno <noscript>&amp; <b>dos</b></noscript></a>", "uno & dos"),
        ],
    )
    def test_text(self, html: str, anchor: str) -> None:
        assert find_links(html, URL).links[0].anchor == anchor

    def test_long_ones_are_cut(self) -> None:
        anchor = find_links(f"<a href=/x>{'palabra ' * 1000}</a>", URL).links[0].anchor
        assert ANCHOR_LIMIT - 10 < len(anchor) <= ANCHOR_LIMIT

    def test_anchors_inside_anchors_cost_no_more_than_the_budget(self) -> None:
        html = "<object><a href=/%d>some text of it " * 1_400
        page = "".join(html.replace("%d", str(n)) for n in range(3))[:100_000]
        assert len(find_links(page, URL).links) == 3
        assert effort(lambda: find_links(page, URL), 4) < 4


class TestHead:
    @pytest.mark.parametrize(
        ("base", "expected"),
        [
            ("<base href='/other/'>", "http://example.org/other/x"),
            ("<base target=x><base href='http://cdn.test/a/b'><base href='/no/'>", "http://cdn.test/a/x"),
            ("<base href='javascript:x'>", "http://example.org/dir/x"),
            ("<base href=''>", "http://example.org/dir/x"),
        ],
    )
    def test_base(self, base: str, expected: str) -> None:
        assert found(f"{base}<a href=x>x</a>") == [expected]
        assert found(f"<a href=x>x</a>{base}") == [expected]

    def test_what_the_page_asks_of_robots(self) -> None:
        html = "<meta name=Robots content=noindex><meta name=trasmallo content=nofollow><meta name=googlebot content=none>"
        page = find_links(html, URL, agent="Trasmallo")
        assert page.directives == (("robots", "noindex"), ("trasmallo", "nofollow"))

    @pytest.mark.parametrize(
        "content", ["0;url=/x", "0; URL = '/x'", '3.5 , url="/x" junk', "0 /x", "0;/x", " 10 ; url=/x ", "0;url='/x"]
    )
    def test_refresh(self, content: str) -> None:
        escaped = content.replace('"', "&quot;")
        assert found(f'<meta http-equiv="refresh" content="{escaped}">') == ["http://example.org/x"]


class TestEncoding:
    def test_queries_keep_the_encoding_of_the_page(self) -> None:
        html = "<a href='/año?q=año&r=€#ñ'>x</a>"
        assert found(html) == ["http://example.org/a%C3%B1o?q=a%C3%B1o&r=%E2%82%AC"]
        page = find_links(html, URL, encoding="iso-8859-1")
        assert page.links[0].url == "http://example.org/a%C3%B1o?q=a%F1o&r=%80"

    def test_letters_the_encoding_lacks(self) -> None:
        assert find_links("<a href='?q=ж'>x</a>", URL, encoding="windows-1252").links[0].url.endswith("?q=%26%231078%3B")

    @pytest.mark.parametrize("encoding", ["utf-8", "utf-16le", "no-such-encoding", "ascii", ""])
    def test_others_are_utf_8(self, encoding: str) -> None:
        assert find_links("<a href='?q=ñ'>x</a>", URL, encoding=encoding).links[0].url.endswith("?q=%C3%B1")

    def test_bytes_and_trees_are_taken_too(self) -> None:
        html = "<a href='/ñ'>ñandú</a>"
        assert find_links(html, URL) == find_links(html.encode(), URL) == find_links(parse_page(html, scripting=True), URL)


class TestLimits:
    def test_more_links_than_are_kept(self) -> None:
        html = "".join(f"<a href='/p/{number}'>t</a>" for number in range(100_000))
        page = find_links(html, URL)
        assert len(page.links) == LINK_LIMIT
        assert effort(lambda: find_links(html, URL), 8) < 8

    @given(st.binary(max_size=300))
    def test_any_bytes(self, content: bytes) -> None:
        assert isinstance(find_links(content, URL), PageLinks)

    @given(st.text("<>/='\" #?&;:ahrefscibmotlnkp\x00\ud800ñ", max_size=80))
    def test_any_tag_soup(self, text: str) -> None:
        for html in (text, f"<a href='{text}'>{text}</a>", f'<meta http-equiv=refresh content="0;{text}">'):
            page = find_links(html, URL, encoding="iso-8859-1")
            assert all(link.url.startswith("http") for link in page.links)


@pytest.mark.parametrize(
    ("url", "asset"),
    [
        ("http://a.b/x.PNG", True),
        ("http://a.b/x.css?v=1.html", True),
        ("http://a.b/x.tar.gz", True),
        ("http://a.b/x.html", False),
        ("http://a.b/x.pdf", False),
        ("http://a.b/x.docx?f=a.png", False),
        ("http://a.b/png", False),
        ("http://example.zip/", False),
        ("http://a.b/v1.zip/index", False),
    ],
)
def test_assets_by_ending(url: str, asset: bool) -> None:
    assert looks_like_asset(url) is asset


class TestFollowed:
    PAGE = (
        '<base href="/d/"><a href=x>x</a><a href="x">again</a><a href=/n rel="nofollow">n</a><area href=m>'
        '<link rel=next href=l><iframe src=f></iframe><a href="#top">t</a><a href="mailto:a@b">m</a>'
        '<meta name=robots content=noindex><a href="y?q=ñ">y</a>'
    )

    def test_the_same_links_without_those_that_ask_for_it(self) -> None:
        every = find_links(self.PAGE, "http://a.test/")
        followed = find_followed(self.PAGE, "http://a.test/")
        assert set(followed.urls) == {link.url for link in every.links if link.rel != ("nofollow",)}
        assert followed.directives == every.directives
        assert not followed.is_ascii

    def test_no_style_sheets_and_pictures(self) -> None:
        page = '<a href="/a.png">p</a><a href="/b.html">b</a><area href="/c.css">'
        assert find_followed(page, "http://a.test/").urls == ("http://a.test/b.html",)

    def test_what_is_known_is_not_given_again(self) -> None:
        page = '<a href="/a">a</a><a href="b">b</a><a href="http://c.test/">c</a><a href="mailto:d@e.test">d</a>'
        first = find_followed(page, "http://a.test/x/")
        assert first.urls == ("http://a.test/a", "http://a.test/x/b", "http://c.test/")
        assert first.written == ("/a", "http://c.test/", "mailto:d@e.test")
        again = find_followed(page, "http://a.test/y/", known=Known(set(first.written[:1]), set(first.written[1:])))
        assert again.urls == ("http://a.test/y/b",)
        assert again.written == ()

    def test_a_base_makes_links_mean_something_else(self) -> None:
        page = '<base href="http://b.test/"><a href="/a">a</a>'
        found = find_followed(page, "http://a.test/", known=Known({"/a"}, {"/a"}))
        assert (found.urls, found.written) == (("http://b.test/a",), ())

    def test_queries_keep_the_encoding(self) -> None:
        found = find_followed(self.PAGE, "http://a.test/", encoding="windows-1252").urls
        assert "http://a.test/d/y?q=%F1" in found

    @given(st.text())
    def test_any_text(self, text: str) -> None:
        followed = set(find_followed(text, "http://a.test/").urls)
        assert followed <= {link.url for link in find_links(text, "http://a.test/").links}
