"""Registry of what is fuzzed: an entry a reader of foreign input. Every format that is registered has one by itself."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

import msgspec

from fuzz.local_targets import local_targets
from fuzz.target import Target, lines, split
from support.sample_documents import GOOD, PAGE
from trasmallo import config, config_text
from trasmallo.clean.charsets import codecs_by_name
from trasmallo.clean.decode import decode
from trasmallo.clean.formats.html_builder import HtmlBuilder, TooMuchMarkup, Unreadable
from trasmallo.clean.formats.registry import Format, formats
from trasmallo.clean.formats.sniff import media_of
from trasmallo.clean.read import extract, read
from trasmallo.clean.slicing.sliced import slice_page
from trasmallo.crawl.discover.feeds import next_visit, read_feed
from trasmallo.crawl.discover.links import find_followed, find_links
from trasmallo.crawl.discover.sitemaps import read_sitemap
from trasmallo.crawl.judgement import judge
from trasmallo.crawl.judgement.soft_404 import probe_of, read_probe
from trasmallo.crawl.judgement.suspicion import Suspicion
from trasmallo.crawl.robots import Robots, page_directives
from trasmallo.store.foreign import read_foreign
from trasmallo.store.index.entries import IndexEntry
from trasmallo.store.index.folder import IndexWriter
from trasmallo.store.index.searcher import HitRequest, Searcher
from trasmallo.store.tokens import Corpus, merge
from trasmallo.study.query.evaluation import QueriedCorpus, search
from trasmallo.study.query.parsing import parse as parse_query
from trasmallo.values import content_encodings, urls
from trasmallo.values.errors import TrasmalloError
from trasmallo.values.model import Drop, Response

HERE = Path(__file__).resolve().parent
URL = "http://example.org/a/b.html?c=d"
NOW = 1_800_000_000.0
_RAISED = re.compile(r"\w+(?:Error|Exception): ")


def targets() -> dict[str, Target]:
    """Every target by its name, with the seeds that are kept in the folder `seeds`."""
    made = [*_TARGETS, *local_targets(), *(_format_target(entry) for entry in formats())]
    return {one.name: msgspec.structs.replace(one, seeds=(*one.seeds, *kept("seeds", one.name))) for one in made}


def kept(folder: str, name: str) -> list[bytes]:
    """The inputs that a folder keeps for a target."""
    return [path.read_bytes() for path in sorted((HERE / folder / name).glob("*.bin"))]


class Raised(Exception):
    """A cause that was an exception: the reader caught it, but did not foresee it."""


def _format_target(entry: Format) -> Target:
    endings = [ending.lstrip(".") for ending in entry.endings]
    seeds = [good for ending, good in GOOD.items() if ending.rpartition(".")[2] in endings]
    # A recursion limit and too much markup are told as losses by whoever calls a reader.
    expected = (Unreadable, TooMuchMarkup, RecursionError)
    run = partial(_read_format, entry.media, entry.reader)
    return Target(f"format-{entry.name}", run, seeds or list(GOOD.values()), _MARKUP_WORDS, expected)


def _read_format(media: str, reader: Callable[[bytes, HtmlBuilder], None], content: bytes) -> None:
    page = HtmlBuilder(name="a")
    media_of(content, media)
    reader(content, page)
    extract(page.document(), url=URL).text  # noqa: B018 - it is made when it is asked for


def _robots(content: bytes) -> None:
    robots = Robots.parse(content, "trasmallo")
    text = content.decode("latin-1")
    for path in ("/", "/a/b?c=d", text[:300], text[-300:]):
        robots.verdict(f"http://example.org{path}", "trasmallo")
    robots.delay("trasmallo")
    page_directives([("robots", text)], [text[:1_000]], "trasmallo", NOW)


def _feed(content: bytes) -> None:
    for media in ("application/rss+xml; charset=utf-8", "application/feed+json"):
        if feed := read_feed(content, URL, media):
            next_visit(feed, NOW)
            list(feed.targets())


def _collection(content: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a"
        path.write_bytes(content)
        for _ in read_foreign(path, limit=1_000_000):
            pass


def _page(content: bytes) -> None:
    page = read(content, url=URL, media="text/html", find_links=find_links)
    if page.drop is Drop.BROKEN and _RAISED.match(page.cause):
        raise Raised(page.cause)
    found = extract(content, url=URL, media="text/html")
    made = (found.markdown, found.html, found.title, found.blocks, found.fields, found.metadata)
    assert None not in (*made, found.ranked_blocks(3), found.menus(3))


_WALLS = (
    b"<title>Log in</title><h1>Log in</h1><form><input type=password></form>",
    b"<title>Just a moment...</title><script>window._cf_chl_opt={}</script><div class=g-recaptcha>are you a robot</div>",
)


def _judgement(content: bytes) -> None:
    """Judge a page as an answer, as an error, and against what its own host says of addresses that do not exist."""
    for status in (200, 403):
        answer = Response(URL, NOW, status, "", (("Content-Type", "text/html"),), content, content)
        outcome, cause = judge(answer, read_probe(probe_of(URL), answer))
        assert outcome.obtained == (not cause)
        Suspicion().rises(answer, outcome)


def _charset(content: bytes) -> None:
    labels = sorted(codecs_by_name())
    label = labels[content[0] % len(labels)] if content else ""
    for http in ("", label):
        decode(content[1:], http).text.encode("utf-8", "surrogatepass")
        media_of(content[1:], "text/html", http)


def _url(content: bytes) -> None:
    text = content.decode("utf-8", "replace")
    base, _, href = text.partition("\n")
    if (found := urls.resolve(base, href)) is not None:
        assert urls.canonical(found) == found
        urls.registered_domain(urls.host(found))
        urls.host_key(found)
    urls.canonical(text)


def _criterion(content: bytes) -> None:
    text = content.decode("utf-8", "replace")
    criterion, _, tolerance = text.partition("\n")
    for inverse in (False, True):
        assert slice_page(PAGE, criterion, tolerance or 0, inverse, language="es").html is not None


def _slicing(content: bytes) -> None:
    for criterion, tolerance in (("trasmallo AND NOT red*", 1), ('"una fila" OR enlace', "near:3")):
        assert slice_page(content, criterion, tolerance, media="text/html", mark=True, main="after").html is not None


def _project(content: bytes) -> None:
    found = config.parse(content.decode("utf-8", "replace"))
    assert config.parse(config_text.render(found)) == found


def _coded(content: bytes) -> None:
    for label in ("gzip", "deflate", "br", "zstd", "gzip, br"):
        content_encodings.decode(content, label, 10_000_000)


@cache
def _corpus() -> QueriedCorpus:
    """Two hundred tokens of a few words."""
    from support.naive_queries import Token, document_tokens
    from support.token_documents import write_documents

    tags = {"la": "DET", "red": "NOUN", "rota": "ADJ", "pesca": "VERB", "mar": "NOUN"}
    document = [Token(word, word, pos, "Number=Sing", number % 5 == 0) for number, (word, pos) in enumerate(tags.items())] * 10
    with tempfile.TemporaryDirectory() as folder:
        path = write_documents(Path(folder) / "part", [document_tokens(number, document) for number in range(4)])
        merge([path], Path(folder) / "tokens", positions=True)
        return QueriedCorpus(Corpus.open(Path(folder) / "tokens"))


def _corpus_query(content: bytes) -> None:
    for _ in search(parse_query(content.decode("utf-8", "replace")), _corpus()):
        pass


@cache
def _index() -> Searcher:
    """Three documents of a few words; the folder goes with the process."""
    folder = Path(tempfile.mkdtemp(prefix="fuzz-index-")) / "index"
    texts = {"vela": "La vela se iza con buen viento.", "red": "Una red rota no pesca.", "mar": "El mar, la mar."}
    numbered = enumerate(texts.items(), 1)
    entries = [
        IndexEntry(f"{number:016x}", f"http://{name}.es/", f"{name}.es", 0.0, "", "es", "text/html", text)
        for number, (name, text) in numbered
    ]
    with IndexWriter(folder) as writer:
        writer.add(entries)
        writer.seal()
    return Searcher(folder)


def _search_query(content: bytes) -> None:
    asked = _index().ask(content.decode("utf-8", "replace"))
    _index().search(asked, HitRequest(facets=("host", "language")))
    _index().suggest(asked)


_MARKUP_WORDS = split(
    "<div> </div> <p> <b> </b> <a <table> <tr> <td> </table> <script> </script> <svg> <title> <!-- --> <![CDATA[ ]]> "
    "<template> <select> <plaintext> <frameset> <math> <noscript> <body <html <?xml <!DOCTYPE <!ENTITY &amp; &# "
    "<meta charset=utf-16> hidden colspan=9999999 <style> <base href=//[> <form> <li> <dl> <ruby> href= src= content= name= "
    "<textarea> <iframe>"
)
_FEEDS = lines(
    "<?xml version='1.0'?><rss version='2.0'><channel><title>a</title><ttl>60</ttl><skipHours><hour>3</hour></skipHours><item>"
    "<title>b</title><link>/c</link><pubDate>Mon, 06 Jan 2020 10:00:00 GMT</pubDate><enclosure url='d' length='9' type='e'/>"
    "</item></channel></rss>",
    "<feed xmlns='http://www.w3.org/2005/Atom'><title>a</title><link rel='next' href='?p=2'/><entry><id>b</id><link href='/c'/>"
    "<updated>2020-01-06T10:00:00Z</updated></entry></feed>",
    '{"version": "https://jsonfeed.org/version/1.1", "title": "a", "next_url": "/2", "items": [{"id": 1, "url": "/c", '
    '"date_published": "2020-01-06T10:00:00Z", "attachments": [{"url": "d", "size_in_bytes": 9}]}]}',
    "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns='http://purl.org/rss/1.0/'><item rdf:about='/c'>"
    "<link>/c</link></item></rdf:RDF>",
)
_WARC = (
    b"WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:0f0a>\r\nWARC-Date: 2020-01-06T10:00:00Z\r\n"
    b"WARC-Target-URI: http://example.org/\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: 107\r\n\r\n"
    b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\nContent-Length: 12\r\n\r\n"
    b"c\r\n<p>hola</p>!\r\n0\r\n\r\n\r\n\r\n"
)
_COLLECTIONS = (
    _WARC * 2,
    b"filedesc://a.arc 0.0.0.0 20200106100000 text/plain 76\n1 0 x\nURL IP-address Archive-date Content-type Archive-length\n\n"
    b"http://example.org/ 1.2.3.4 20200106100000 text/html 40\nHTTP/1.1 200 OK\r\nA: b\r\n\r\n<p>hola</p>\n\n",
    b"<DOC>\n<DOCNO>a-1</DOCNO>\n<DOCHDR>\nhttp://example.org/\nHTTP/1.1 200 OK\n</DOCHDR>\n<p>hola</p>\n</DOC>\n",
    b"<DOC>\n<DOCNO> a-1 </DOCNO>\n<TEXT>\nhola\n</TEXT>\n</DOC>\n",
    b'{"url": "http://example.org/", "text": "hola", "title": "a", "date": "2020-01-06"}\n' * 3,
    b"# newdoc id = a\n# text = hola\n1\thola\thola\tINTJ\t_\t_\t0\troot\t_\t_\n\n",
    b'<doc id="a" url="http://example.org/">\n<s>\nhola\tINTJ\thola\n</s>\n</doc>\n',
    b"<?xml version='1.0'?><TEI xmlns='http://www.tei-c.org/ns/1.0'><teiHeader><title>a</title></teiHeader><text><body><p>hola"
    b"</p></body></text></TEI>",
    GOOD["mbox"],
)

_TARGETS = (
    Target(
        "robots",
        _robots,
        lines(
            "User-agent: *\nDisallow: /a*b$\nAllow: /\nCrawl-delay: 2.5\nSitemap: http://example.org/s.xml\n",
            "user-agent: trasmallo\nuser-agent: b\ndisallow: /%7Ea?b=\nnoindex, unavailable_after: 25 Jun 2010 15:00:00 PST\n",
        ),
        split("User-agent: Disallow: Allow: Crawl-delay: Sitemap: * $ %2F # trasmallo none unavailable_after:"),
    ),
    Target(
        "sitemap",
        lambda content: read_sitemap(content, URL),
        lines(
            "<?xml version='1.0'?><urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>http://example.org/a</loc>"
            "<lastmod>2020-01-06</lastmod><priority>0.5</priority><changefreq>daily</changefreq></url></urlset>",
            "<sitemapindex><sitemap><loc>/b.xml</loc></sitemap></sitemapindex>",
            "http://example.org/a\nhttp://example.org/b\n",
        ),
        split("<url> <loc> </loc> <lastmod> <priority> <xhtml:link <image:loc> <!DOCTYPE <!ENTITY ]]> <![CDATA[ &a;"),
    ),
    Target("feed", _feed, _FEEDS, split("<item> <link> <pubDate> <ttl> <entry> <hour> <!ENTITY <![CDATA[ href= null [] {}")),
    Target("collection", _collection, _COLLECTIONS, split("WARC/1.0 Content-Length: -1 chunked <DOC> </DOC> HTTP/1.1 gzip")),
    Target("page", _page, [GOOD["html"], GOOD["xhtml"]], _MARKUP_WORDS),
    Target("links", lambda content: find_followed(content, URL), [GOOD["html"]], _MARKUP_WORDS),
    Target("judgement", _judgement, [GOOD["html"], *_WALLS], [*_MARKUP_WORDS, *split("password captcha <title> <h1>")]),
    Target("slicing", _slicing, [GOOD["html"]], _MARKUP_WORDS),
    Target(
        "criterion",
        _criterion,
        lines('madrid AND NOT (auxerre OR "liga de campeones")\n1', "red* NEAR/3 pesca, mar\nnear:2", "a OR b\nmeaning:3"),
        split('AND OR NOT NEAR ( ) " * , near: meaning: ~ - + near/ /'),
    ),
    Target(
        "corpus-query",
        _corpus_query,
        lines(
            '[lemma="red"] []{0,3} [pos="NOUN"]',
            '1:[pos="DET"] 2:[word="r.*"%cd] within s & 1.tag = 2.tag',
            '([word="la"] | [lemma!="mar" & pos="N.*"])+ containing [pos="ADJ"]',
            "la red",
            '<s> []{1,4} </s> !within [word="x"]',
        ),
        split('[ ] ( ) { } {0,} {99,} | & ! = != ~ " .* (?:a+)+ \\ word= lemma= pos= within containing <s> 1: %c * + ?'),
    ),
    Target(
        "search-query",
        _search_query,
        lines('vela AND (mar OR "red rota") -motor', "title:vela site:red.es type:pdf date:2020..2021", 've* "la red"~3'),
        split('AND OR NOT ( ) " * ~ : .. site: type: date: lang: title: entity: - + ^ ? [ ] { } \\ /'),
    ),
    Target(
        "project",
        _project,
        [
            config_text.render(config.Config()).encode(),
            b'[crawl]\nseeds = ["http://example.org/"]\nscope = "host"\nlines = 4\n',
        ],
        split("[crawl] [clean] [study] [store] [web] = true inf nan [[ ]] ''' \"\"\" 1979-05-27 0x a.b = {}"),
    ),
    Target(
        "charset",
        _charset,
        [
            bytes([number]) + "<p>El niño comió aquí. 人人生而自由 Все люди".encode(codec, "xmlcharrefreplace")
            for number, codec in enumerate(sorted(set(codecs_by_name().values())))
        ],
        [b"\x1b$B", b"\x1b$)C", b"~{", b"<meta charset=", b"<?xml encoding='", *(name.encode() for name in codecs_by_name())],
    ),
    Target(
        "url",
        _url,
        lines("http://user@Example.org:80/a/../b?utm_source=x&c=d#e\n../f", "https://xn--a.es/\n//[::1]/%zz", "http://1.2.3/\nñ?ñ"),
        split("http: // /../ %2e%2e [::1] :99999 @ # ? \\ xn-- javascript: data: ftp:// .. ;a=b 0x7f.1"),
    ),
    Target("content-encoding", _coded, [GOOD["html.gz"], b"\x1b\x03\0\xf8\xff"], (), (TrasmalloError, content_encodings.Bomb)),
)  # fmt: skip
