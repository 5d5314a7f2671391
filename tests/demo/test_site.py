"""The demo site is what its truth says: every link, feed, charset, copy and misfortune."""

from __future__ import annotations

import gzip
import http.client
import io
import os
import re
import signal
import socket
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import combinations
from pathlib import Path
from urllib.parse import quote, unquote, urldefrag, urljoin, urlsplit
from xml.etree import ElementTree

import feedparser
import pytest
from protego import Protego
from selectolax.lexbor import LexborHTMLParser

from trasmallo.demo import site as site_module
from trasmallo.demo.site import Site, Truth
from trasmallo.values.errors import UsageError


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with Site(drip=0) as running:
        yield running


@pytest.fixture(scope="module")
def truth(site: Site) -> Truth:
    return site.truth()


def ask(url: str, method: str = "GET", **headers: str) -> tuple[int, http.client.HTTPMessage, bytes]:
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.netloc, timeout=20)
    try:
        connection.request(method, (parts.path or "/") + (f"?{parts.query}" if parts.query else ""), headers=headers)
        response = connection.getresponse()
        return response.status, response.headers, response.read()
    finally:
        connection.close()


def read(url: str, truth: Truth) -> str:
    return ask(url)[2].decode(truth.charsets[url])


def text_of(html: str) -> str:
    tree = LexborHTMLParser(html)
    for node in tree.css("script, style, nav, aside, .comentarios"):
        node.decompose()
    assert tree.body is not None
    return tree.body.text(separator=" ")


def links_of(url: str, html: str) -> Iterator[tuple[str, str]]:
    tree = LexborHTMLParser(html)
    base = tree.css_first("base[href]")
    start = urljoin(url, base.attributes["href"]) if base else url
    for node in tree.css("a[href]"):
        target = urldefrag(urljoin(start, node.attributes["href"]))[0]
        path = urlsplit(target)
        target = path._replace(path=quote(unquote(path.path))).geturl()
        yield re.sub(r"[?&]utm_.*", "", target), node.attributes.get("rel") or ""


def crawl(site: Site, truth: Truth) -> tuple[set[str], dict[str, int]]:
    """Pages reached by links that may be followed, and the status of everything linked."""
    statuses: dict[str, int] = {}
    reached: set[str] = set()
    queue = list(site.seeds)
    while queue:
        url = queue.pop()
        if url in statuses:
            continue
        statuses[url], headers, body = ask(url)
        follow = url in truth.redirects or (statuses[url] == 200 and url not in truth.forbidden | truth.unfollowed)
        if not follow:
            continue
        if url in truth.redirects:
            queue.append(urljoin(url, headers["Location"]))
        elif headers.get_content_type() == "text/html":
            reached.add(url)
            queue += [target for target, rel in links_of(url, body.decode(truth.charsets[url]))]
        else:
            reached.add(url)
    return reached, statuses


def expected_status(url: str, truth: Truth) -> set[int]:
    kinds = {404: truth.missing, 401: truth.login, 500: truth.broken, 301: truth.redirects}
    found = {status for status, urls in kinds.items() if url in urls}
    return {301, 302} if found == {301} else found or {200}


def test_every_link_answers_as_the_truth_says(site: Site, truth: Truth) -> None:
    reached, statuses = crawl(site, truth)
    assert {url: status for url, status in statuses.items() if status not in expected_status(url, truth)} == {}
    assert reached - truth.feeds == truth.pages - truth.sitemap_only
    linked = truth.missing | truth.login | truth.broken | truth.forbidden | truth.unfollowed | set(truth.redirects)
    assert linked <= set(statuses)


def test_pages_live_on_three_hosts(site: Site, truth: Truth) -> None:
    by_host = Counter(urlsplit(url).netloc for url in truth.pages)
    assert len(by_host) == 3
    assert min(by_host.values()) >= 15
    assert 60 <= len(truth.pages) <= 80
    assert {urlsplit(seed).netloc for seed in site.seeds} == set(by_host)
    assert set(truth.languages.values()) == {"es", "en"}


def test_unfollowed_page_is_linked_with_nofollow_only(site: Site, truth: Truth) -> None:
    rels = {
        rel
        for url in truth.pages
        if ask(url, "HEAD")[1].get_content_type() == "text/html"
        for target, rel in links_of(url, read(url, truth))
        if target in truth.unfollowed
    }
    assert rels == {"nofollow"}


def test_robots_forbid_what_the_truth_says(site: Site, truth: Truth) -> None:
    robots = {origin: Protego.parse(ask(f"{origin}/robots.txt")[2].decode()) for origin in site.hosts.values()}

    def allowed(url: str) -> bool:
        origin = "http://" + urlsplit(url).netloc
        return bool(robots[origin].can_fetch(url, "trasmallo"))

    assert all(allowed(url) for url in truth.pages)
    assert not any(allowed(url) for url in truth.forbidden)
    assert not allowed(truth.trap + "2041/12/")
    assert robots[site.hosts["palabras"]].crawl_delay("trasmallo") == pytest.approx(0.05)
    assert {url for rules in robots.values() for url in rules.sitemaps} <= truth.sitemaps


def test_sitemaps_list_pages(site: Site, truth: Truth) -> None:
    name = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
    listed: set[str] = set()
    for url in truth.sitemaps:
        tree = ElementTree.fromstring(ask(url)[2])
        listed |= {loc.text or "" for loc in tree.iter(f"{name}loc")}
    assert truth.sitemap_only <= listed
    assert listed <= truth.pages | truth.sitemaps
    assert not listed & truth.noindex


def test_feeds_parse_and_point_to_pages(site: Site, truth: Truth) -> None:
    versions = set()
    for url in truth.feeds - {site.hosts["museo"] + "/feed.json"}:
        feed = feedparser.parse(io.BytesIO(ask(url)[2]))
        assert not feed.bozo
        assert len(feed.entries) == 10
        assert {entry.link for entry in feed.entries} <= truth.pages
        assert all(entry.summary and entry.title for entry in feed.entries)
        versions.add(feed.version)
    assert versions == {"rss20", "atom10"}


def test_pdf_holds_two_pages_of_accented_text(truth: Truth, read_pdf: Callable[[bytes], list[str]]) -> None:
    first, second = read_pdf(ask(truth.pdf)[2])
    assert "Catálogo breve" in first
    assert "Águeda Peñalba" in first
    assert "decírselo" in second
    assert "Ningún farólogo" in second


def test_charsets_are_told_in_different_ways(truth: Truth) -> None:
    (latin,) = [url for url, charset in truth.charsets.items() if charset == "iso-8859-1"]
    (windows,) = [url for url, charset in truth.charsets.items() if charset == "windows-1252"]
    _, headers, body = ask(latin)
    assert headers.get_content_charset() is None
    assert b'charset="iso-8859-1"' in body[:1024]
    assert "señor que vendía castañas" in body.decode("iso-8859-1")
    _, headers, body = ask(windows)
    assert headers.get_content_charset() == "windows-1252"
    assert b"charset" not in body[:1024]
    assert "“Señora Llobet" in body.decode("windows-1252")
    for body in (ask(latin)[2], ask(windows)[2]):
        with pytest.raises(UnicodeDecodeError):
            body.decode("utf-8")


@pytest.fixture(scope="module")
def words(truth: Truth) -> dict[str, list[str]]:
    """The words of each page but the PDF, exact copies left out."""
    urls = truth.pages - {truth.pdf} - {copy for _, copy in truth.exact_copies}
    return {url: re.findall(r"\w+", text_of(read(url, truth)).lower()) for url in sorted(urls)}


def test_each_neologism_occurs_on_several_pages(truth: Truth, words: dict[str, list[str]]) -> None:
    counts = [Counter(page) for page in words.values()]
    assert len(truth.neologisms) >= 25
    for neologism in truth.neologisms:
        assert sum(count[neologism.word] > 0 for count in counts) >= 2, neologism.word
        assert sum(count[form] for count in counts for form in neologism.forms) >= 5, neologism.word
        assert all(any(count[form] for count in counts) for form in neologism.forms), neologism.forms


def test_no_other_pages_look_like_copies(truth: Truth, words: dict[str, list[str]]) -> None:
    grams = {url: {tuple(page[place : place + 5]) for place in range(len(page) - 4)} for url, page in words.items()}
    alike = {
        frozenset((first, second))
        for first, second in combinations(grams, 2)
        if len(grams[first] & grams[second]) > 0.5 * len(grams[first] | grams[second])
    }
    assert alike == {frozenset(pair) for pair in truth.near_copies}


def test_texts_of_near_copies_share_most_five_grams(truth: Truth, words: dict[str, list[str]]) -> None:
    for pair in truth.near_copies:
        grams = []
        for page in (words[url] for url in pair):
            start, end = page.index("hay"), max(place for place, word in enumerate(page) if word == "arriba")
            grams.append({tuple(page[place : place + 5]) for place in range(start, end - 4)})
        first, second = grams
        assert first != second
        assert len(first & second) / len(first | second) > 0.7
        assert len({urlsplit(url).netloc for url in pair}) == 2


def test_exact_copies_are_the_same_bytes(truth: Truth) -> None:
    assert len(truth.exact_copies) == 2
    for first, second in truth.exact_copies:
        assert ask(first)[2] == ask(second)[2]


def test_redirects_cross_hosts_and_chain(site: Site, truth: Truth) -> None:
    assert any(urlsplit(old).netloc != urlsplit(new).netloc for old, new in truth.redirects.items())
    chained = [old for old, new in truth.redirects.items() if new in truth.redirects]
    assert chained == [site.hosts["palabras"] + "/glosario"]
    for target in truth.redirects.values():
        assert target in truth.pages or target in truth.redirects


def test_login_is_asked_for(truth: Truth) -> None:
    for url in truth.login:
        status, headers, _ = ask(url)
        assert (status, headers["WWW-Authenticate"].split()[0]) == (401, "Basic")


def test_noindex_page_says_so(truth: Truth) -> None:
    for url in truth.noindex:
        assert '<meta name="robots" content="noindex">' in read(url, truth)


def test_unchanged_pages_answer_304(site: Site) -> None:
    url = site.seeds[0]
    _, headers, _ = ask(url)
    assert ask(url, **{"If-None-Match": headers["ETag"]})[::2] == (304, b"")
    assert ask(url, **{"If-None-Match": f'"other", W/{headers["ETag"]}'})[0] == 304
    assert ask(url, **{"If-Modified-Since": headers["Last-Modified"]})[::2] == (304, b"")


@pytest.mark.parametrize(
    "headers",
    [
        {"If-None-Match": '"other"'},
        {"If-Modified-Since": "Thu, 01 Jan 1998 00:00:00 GMT"},
        {"If-Modified-Since": "yesterday"},
        {"If-None-Match": '"other"', "If-Modified-Since": "Fri, 01 Jan 2100 00:00:00 GMT"},
    ],
)
def test_changed_pages_come_whole(site: Site, headers: dict[str, str]) -> None:
    status, _, body = ask(site.seeds[1], **headers)
    assert status == 200
    assert body.endswith(b"</html>\n")


def test_gzip_is_sent_when_accepted(site: Site, truth: Truth) -> None:
    plain, zipped = ask(site.seeds[2]), ask(site.seeds[2], **{"Accept-Encoding": "gzip, br"})
    assert plain[1]["Content-Encoding"] is None
    assert zipped[1]["Content-Encoding"] == "gzip"
    assert gzip.decompress(zipped[2]) == plain[2]
    assert plain[1]["ETag"] != zipped[1]["ETag"]
    assert ask(truth.pdf, **{"Accept-Encoding": "gzip"})[1]["Content-Encoding"] is None


def test_files_have_their_media_types(site: Site) -> None:
    media = {urlsplit(url).path: ask(url, "HEAD")[1].get_content_type() for url in site.truth().files}
    assert media["/img/faro.png"] == "image/png"
    assert media["/img/faro.svg"] == "image/svg+xml"
    assert media["/robots.txt"] == "text/plain"


def exchange(url: str, requests: bytes) -> bytes:
    parts = urlsplit(url)
    with socket.create_connection((parts.hostname, parts.port or 80), timeout=20) as connection:
        connection.sendall(requests)
        return b"".join(iter(lambda: connection.recv(65536), b""))


def test_slow_page_drips_in_chunks(truth: Truth) -> None:
    request = f"GET {urlsplit(truth.slow).path} HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"
    head, _, rest = exchange(truth.slow, request.encode()).partition(b"\r\n\r\n")
    assert b"Transfer-Encoding: chunked" in head
    sizes = []
    while rest:
        size, _, rest = rest.partition(b"\r\n")
        sizes.append(int(size, 16))
        rest = rest[sizes[-1] + 2 :]
    assert len(sizes) == 7
    assert sizes[-1] == 0
    assert min(sizes[:-1]) > 0


def test_connections_are_kept(site: Site) -> None:
    request = b"HEAD / HTTP/1.1\r\nHost: h\r\n\r\nHEAD /nada HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"
    answers = exchange(site.seeds[0], request)
    assert re.findall(rb"HTTP/1.1 (\d+)", answers) == [b"200", b"404"]


def test_requests_are_counted() -> None:
    with Site(drip=0) as site:
        ask(site.seeds[0] + "?utm_source=x", **{"User-Agent": "probe/1"})
        ask(site.hosts["museo"] + "/nada", **{"User-Agent": "probe/2"})
        noted = [(request.host, request.path, request.status, request.user_agent) for request in site.requests]
    assert noted == [("faro", "/?utm_source=x", 200, "probe/1"), ("museo", "/nada", 404, "probe/2")]


def test_calendar_never_ends(truth: Truth) -> None:
    status, _, body = ask(truth.trap + "2027/12/")
    assert status == 200
    assert b'"/agenda/2028/01/"' in body
    assert b'"/agenda/2027/11/"' in body
    assert ask(truth.trap + "2027/13/")[0] == 404


def fixed_port() -> int:
    """A port that is free on the three addresses."""
    while True:
        with Site(drip=0) as site:
            port = urlsplit(site.seeds[0]).port or 0
        try:
            with Site(port, drip=0):
                return port
        except UsageError:
            continue


def test_two_runs_on_a_port_give_the_same_bytes() -> None:
    port = fixed_port()
    runs = []
    for _ in range(2):
        with Site(port, drip=0) as site:
            urls = sorted(site.truth().pages | site.truth().feeds | site.truth().sitemaps)
            runs.append([(url, ask(url)[2]) for url in urls])
    assert runs[0] == runs[1]
    assert {urlsplit(url).port for url, _ in runs[0]} == {port}


def test_taken_port_is_refused_in_one_line(site: Site) -> None:
    port = urlsplit(site.seeds[0]).port or 0
    with pytest.raises(UsageError, match=rf"cannot use port {port}: choose another one"):
        Site(port)


def test_hosts_share_one_address_where_loopback_has_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(site_module, "_ADDRESSES", ("127.0.0.1", "203.0.113.1", "203.0.113.2"))
    with Site(drip=0) as site:
        assert {urlsplit(seed).hostname for seed in site.seeds} == {"127.0.0.1"}
        assert [ask(seed)[0] for seed in site.seeds] == [200, 200, 200]


def test_closing_hangs_up_open_connections() -> None:
    site = Site(drip=0)
    connection = http.client.HTTPConnection(urlsplit(site.seeds[0]).netloc, timeout=20)
    connection.request("GET", "/")
    connection.getresponse().read()
    site.close()
    site.close()
    with pytest.raises(ConnectionError):
        ask(site.seeds[0])
    connection.close()


def test_main_serves_until_interrupted() -> None:
    environment = os.environ | {"PYTHONPATH": str(Path(site_module.__file__).parents[2])}
    command = [sys.executable, "-m", "trasmallo.demo.site"]
    # Where the tests run in the background, Ctrl-C is ignored, and children inherit that.
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment, preexec_fn=_hear_ctrl_c) as program:
        assert program.stdout is not None
        seeds = [program.stdout.readline().strip() for _ in range(3)]
        assert [ask(seed)[0] for seed in seeds] == [200, 200, 200]
        program.send_signal(signal.SIGINT)
        assert program.wait(20) == 0


def _hear_ctrl_c() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)
