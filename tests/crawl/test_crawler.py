"""The crawler's policy, on a web in memory whose clock jumps: hours of politeness take no time."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from support.fake_crawl import ROOT, Crawl, link
from support.fake_web import EPOCH, FakeWeb, run
from trasmallo.crawl.frontier import Close, EmbeddedFrontier
from trasmallo.events import Failed, Refused
from trasmallo.values.model import Failure, Outcome, Response


def test_every_page_is_asked_for_once(tmp_path: Path, web: FakeWeb) -> None:
    crawl = Crawl(tmp_path, web).go()
    assert crawl.obtained == {ROOT, ROOT + "b", ROOT + "c", ROOT + "d", "http://b.test/"}
    urls = [visit.url for visit in web.visits]
    assert len(urls) == len(set(urls))


def test_hosts_are_asked_side_by_side(tmp_path: Path) -> None:
    web = FakeWeb(latency=10.0)
    seeds = tuple(f"http://h{number}.test/" for number in range(50))
    for seed in seeds:
        web.page(seed)
    Crawl(tmp_path, web, seeds=seeds, lines=50, delay=0.0).go()
    assert max(visit.end for visit in web.visits) - min(visit.start for visit in web.visits) == pytest.approx(20.0, abs=1)


def test_robots_txt_is_obeyed_and_its_line_named(tmp_path: Path, web: FakeWeb) -> None:
    web.page(ROOT + "robots.txt", "User-agent: *\nDisallow: /c\nCrawl-delay: 30", headers={"Content-Type": "text/plain"})
    crawl = Crawl(tmp_path, web, delay=1.0).go()
    assert crawl.asked(ROOT + "c") == 0
    assert crawl.kept[ROOT + "c"].outcome is Outcome.ROBOTS
    assert [event.cause for event in crawl.heard(Refused)] == ["robots.txt line 2: Disallow: /c"]
    visits = [visit for visit in web.visits if visit.url in (ROOT, ROOT + "b")]
    assert visits[1].start - visits[0].end >= 30.0


def test_an_unreachable_robots_txt_closes_the_host(tmp_path: Path, web: FakeWeb) -> None:
    web.page(ROOT + "robots.txt", status=503)
    crawl = Crawl(tmp_path, web, lines=2).go()
    assert crawl.asked(ROOT) == 0
    assert crawl.kept[ROOT].outcome is Outcome.ROBOTS


@pytest.mark.parametrize(
    ("outcome", "asked"),
    [
        (Outcome.PRIVATE, 1),
        (Outcome.TLS, 1),
        (Outcome.NO_HOST, 3),
        (Outcome.UNREACHABLE, 3),
        (Outcome.TIMED_OUT, 3),
    ],
)
def test_a_server_that_cannot_be_had_is_not_called_refused_by_robots(
    tmp_path: Path, web: FakeWeb, outcome: Outcome, asked: int
) -> None:
    web.failure(ROOT + "robots.txt", outcome, "as it is")
    seeds = tuple(f"{ROOT}{number}" for number in range(20))
    crawl = Crawl(tmp_path, web, seeds=seeds, retries=2, retry_after=100.0, delay=1.0).go()
    assert {(fetch.outcome, fetch.cause) for fetch in crawl.kept.values()} == {(outcome, "as it is")}
    assert not crawl.heard(Refused)
    assert [visit.url for visit in web.visits] == [ROOT + "robots.txt"] * asked, "once for all its addresses, and again later"
    assert len(crawl.heard(Failed)) == 20 * asked


def test_pages_of_a_server_that_comes_back_are_obtained(tmp_path: Path, web: FakeWeb) -> None:
    web.answer(
        ROOT + "robots.txt",
        lambda url, _: Failure(url, web.clock(), Outcome.UNREACHABLE, "not yet") if len(web.visits) < 2 else missing(url, web),
    )
    crawl = Crawl(tmp_path, web, retries=2, retry_after=60.0, scope="host").go()
    assert crawl.obtained == {ROOT, ROOT + "b", ROOT + "c", ROOT + "d"}


def missing(url: str, web: FakeWeb) -> Response:
    return Response(url, web.clock(), 404, "", (), b"", b"")


def test_what_a_public_page_leads_to_is_asked_for_as_such_its_robots_txt_too(tmp_path: Path) -> None:
    web = FakeWeb()
    content = b'<a href="http://10.0.0.5/x">x</a><a href="/y">y</a>'
    html = (("Content-Type", "text/html"),)
    web.answer(ROOT, lambda url, _: Response(url, web.clock(), 200, "", html, content, content, address="93.184.216.34"))
    web.page("http://10.0.0.5/x")
    web.page(ROOT + "y")
    Crawl(tmp_path, web).go()
    assert {visit.url: visit.from_public for visit in web.visits} == {
        ROOT + "robots.txt": False,
        ROOT: False,
        ROOT + "y": True,
        "http://10.0.0.5/robots.txt": True,
        "http://10.0.0.5/x": True,
    }


def test_links_that_ask_not_to_be_followed_are_not(tmp_path: Path) -> None:
    web = FakeWeb()
    web.page(
        ROOT, '<a href="/no" rel="nofollow">x</a><a href="/ad" rel="sponsored">x</a><a href="/yes">x</a><a href="/p.png">x</a>'
    )
    web.page(ROOT + "yes", '<meta name="robots" content="nofollow">' + link("/hidden"))
    crawl = Crawl(tmp_path, web).go()
    assert crawl.obtained == {ROOT, ROOT + "yes"}


def test_forms_are_never_sent_by_following_them(tmp_path: Path) -> None:
    web = FakeWeb()
    web.page(
        ROOT,
        '<form action="/logout"><button>x</button></form><form method="get" action="/cart/empty"></form>'
        '<form method="post" action="/buy"><button formaction="/wipe" formmethod="get">x</button></form>'
        '<noscript><form action="/search"></form></noscript>' + link("/yes"),
    )
    web.page(ROOT + "yes")
    Crawl(tmp_path, web, sitemaps=False).go()
    assert [visit.url for visit in web.visits] == [ROOT + "robots.txt", ROOT, ROOT + "yes"]


def test_redirects_are_followed_out_of_the_seeds_places_but_their_links_are_not(tmp_path: Path) -> None:
    web = FakeWeb()
    web.page(ROOT, link("/go", "http://c.test/direct"))
    web.redirect(ROOT + "go", "http://b.test/there")
    web.page("http://b.test/there", link("/further"))
    crawl = Crawl(tmp_path, web, scope="host").go()
    assert crawl.obtained == {ROOT, "http://b.test/there"}


def test_redirects_end(tmp_path: Path) -> None:
    web = FakeWeb()
    web.redirect(ROOT, "/0")
    for number in range(100):
        web.redirect(f"{ROOT}{number}", f"/{number + 1}")
    crawl = Crawl(tmp_path, web, delay=0.0).go()
    assert len(crawl.kept) == 11
    assert [event.cause for event in crawl.heard(Refused)] == ["more than 10 redirects"]


@pytest.mark.parametrize("lines", [1, 7])
@pytest.mark.parametrize("pages", [1, 3])
def test_the_limit_of_pages_is_exact(tmp_path: Path, web: FakeWeb, pages: int, lines: int) -> None:
    assert len(Crawl(tmp_path, web, pages=pages, lines=lines).go().obtained) == pages


def test_the_limit_of_depth(tmp_path: Path, web: FakeWeb) -> None:
    assert Crawl(tmp_path, web, depth=1, scope="host").go().obtained == {ROOT, ROOT + "b", ROOT + "c"}


def test_the_limit_of_pages_of_a_host(tmp_path: Path, web: FakeWeb) -> None:
    crawl = Crawl(tmp_path, web, pages_per_host=2, lines=1).go()
    assert crawl.obtained == {ROOT, ROOT + "b", "http://b.test/"}


def test_which_limit_ended_the_crawl(tmp_path: Path, web: FakeWeb) -> None:
    crawl = Crawl(tmp_path, web, pages=2)

    async def limit() -> str:
        frontier = EmbeddedFrontier(tmp_path / "f")
        crawler = await crawl.crawler(frontier)
        await crawler.run()
        await frontier.control(Close())
        return crawler.limit

    assert run(limit()) == "the limit of 2 pages is reached"


def test_the_limit_of_time(tmp_path: Path) -> None:
    web = FakeWeb()
    for number in range(200):
        web.page(f"{ROOT}{number or ''}", link(f"/{number + 1}"))
    crawl = Crawl(tmp_path, web, minutes=1, delay=1.0).go()
    assert 50 <= len(crawl.obtained) <= 60


def test_sitemaps_and_feeds_lead_to_pages(tmp_path: Path) -> None:
    web = FakeWeb()
    web.page(ROOT + "robots.txt", "Sitemap: http://a.test/map.xml")
    web.page(
        ROOT + "map.xml", "<urlset><url><loc>http://a.test/hidden</loc></url></urlset>", headers={"Content-Type": "text/xml"}
    )
    web.page(ROOT, '<link rel="alternate" type="application/rss+xml" href="/feed">')
    web.page(
        ROOT + "feed",
        "<rss><channel><item><link>http://a.test/news</link></item></channel></rss>",
        headers={"Content-Type": "application/rss+xml"},
    )
    web.page(ROOT + "hidden")
    web.page(ROOT + "news")
    assert Crawl(tmp_path, web, sitemaps=True).go().obtained >= {ROOT + "hidden", ROOT + "news"}
    assert not any(visit.url.endswith("sitemap.xml") for visit in web.visits), "who names sitemaps has no others"


MAP = "<urlset><url><loc>http://a.test/hidden</loc></url></urlset>"
XML = {"Content-Type": "text/xml"}


@pytest.fixture
def unnamed() -> FakeWeb:
    """Two hosts that name no sitemap; each answers some of the usual places in a way of its own."""
    web = FakeWeb()
    web.page(ROOT, link("http://b.test/"))
    web.page(ROOT + "hidden")
    web.page("http://b.test/")
    return web


def test_sitemaps_are_looked_for_where_they_usually_are(tmp_path: Path, unnamed: FakeWeb) -> None:
    unnamed.page(ROOT + "sitemap.xml", "<title>not here</title>")
    unnamed.page(ROOT + "sitemap-index.xml", MAP, headers=XML)
    crawl = Crawl(tmp_path, unnamed, sitemaps=True, lines=1).go()
    assert crawl.obtained == {ROOT, ROOT + "sitemap-index.xml", ROOT + "hidden", "http://b.test/"}
    asked = [visit.url.removeprefix(ROOT) for visit in unnamed.visits if visit.url.startswith(ROOT)]
    assert asked == ["robots.txt", "sitemap.xml", "sitemap_index.xml", "sitemap-index.xml", "", "hidden"]
    assert set(crawl.kept) == crawl.obtained, "a place without a sitemap is no incident"
    assert crawl.heard(Failed) == []
    assert crawl.asked("http://b.test/sitemap.xml") == 0, "hosts that the crawl is not about are spared"


def test_a_usual_place_may_lead_elsewhere_forbid_or_fail(tmp_path: Path, unnamed: FakeWeb) -> None:
    unnamed.page(ROOT + "robots.txt", "User-agent: *\nDisallow: /sitemap_index.xml")
    unnamed.redirect(ROOT + "sitemap.xml", "/404")
    unnamed.page(ROOT + "404")
    unnamed.page(ROOT + "sitemap-index.xml", status=503)
    crawl = Crawl(tmp_path, unnamed, sitemaps=True, retries=1, retry_after=10.0).go()
    assert crawl.asked(ROOT + "sitemap_index.xml") == 0
    assert crawl.asked(ROOT + "sitemap-index.xml") == 2
    assert crawl.kept[ROOT + "sitemap-index.xml"].outcome is Outcome.HTTP_ERROR
    assert ROOT + "404" not in crawl.kept
    assert crawl.obtained == {ROOT, "http://b.test/"}


@pytest.mark.parametrize("options", [{"sitemaps": False}, {"sitemaps": True, "depth": 0}])
def test_usual_places_are_spared_when_their_entries_would_not_be_followed(
    tmp_path: Path, unnamed: FakeWeb, options: dict[str, Any]
) -> None:
    crawl = Crawl(tmp_path, unnamed, **options).go()
    assert crawl.asked(ROOT + "sitemap.xml") == 0


def test_sitemaps_and_feeds_can_be_switched_off(tmp_path: Path) -> None:
    web = FakeWeb()
    web.page(ROOT + "robots.txt", "Sitemap: http://a.test/map.xml")
    web.page(ROOT, '<link rel="alternate" type="application/rss+xml" href="/feed">')
    web.page(
        ROOT + "feed",
        "<rss><channel><item><link>http://a.test/news</link></item></channel></rss>",
        headers={"Content-Type": "application/rss+xml"},
    )
    crawl = Crawl(tmp_path, web, sitemaps=False, feeds=False).go()
    assert crawl.asked(ROOT + "map.xml") == 0
    assert crawl.asked(ROOT + "news") == 0


def test_one_line_gives_the_same_order_whatever_the_speed(tmp_path: Path, web: FakeWeb) -> None:
    orders = []
    for number, latency in enumerate((0.1, 5.0)):
        web.latency = latency
        orders.append(Crawl(tmp_path / str(number), web, lines=1).go().order)
    assert orders[0] == orders[1]


def test_links_of_pages_in_other_encodings(tmp_path: Path) -> None:
    web = FakeWeb()
    web.page(ROOT, '<a href="/año?q=ñ">x</a>'.encode("latin-1"))
    web.page(ROOT + "a%C3%B1o?q=%F1")
    assert ROOT + "a%C3%B1o?q=%F1" in Crawl(tmp_path, web).go().obtained


def test_an_interrupted_crawl_goes_on_and_counts_on(tmp_path: Path, web: FakeWeb) -> None:
    first = Crawl(tmp_path, web, pages=2).go()
    second = Crawl(tmp_path, web, pages=4).go()
    assert (len(first.obtained), len(second.obtained)) == (2, 2)
    assert not first.obtained & second.obtained


def test_stopping_gives_everything_back(tmp_path: Path, web: FakeWeb) -> None:
    web.page(ROOT + "b", latency=1000.0)
    crawl = Crawl(tmp_path, web, delay=0.0)

    async def stop_in_the_middle() -> None:
        frontier = EmbeddedFrontier(tmp_path)
        crawler = await crawl.crawler(frontier)
        asyncio.get_running_loop().call_later(50.0, crawler.stop)
        await crawler.run()
        stats = await frontier.stats()
        await frontier.control(Close())
        assert stats.leased == 0
        assert stats.queued >= 1
        assert not any(visit.url == ROOT + "b" for visit in web.visits)

    run(stop_in_the_middle())


def test_a_crawl_that_is_paused_asks_for_nothing_until_it_goes_on(tmp_path: Path, web: FakeWeb) -> None:
    crawl = Crawl(tmp_path, web)

    async def pause_for_a_while() -> None:
        frontier = EmbeddedFrontier(tmp_path)
        crawler = await crawl.crawler(frontier)
        crawler.pause(paused=True)
        running = asyncio.create_task(crawler.run())
        await asyncio.sleep(100)
        crawler.pause(paused=False)
        await running
        await frontier.control(Close())

    run(pause_for_a_while())
    assert crawl.obtained == {ROOT, ROOT + "b", ROOT + "c", ROOT + "d", "http://b.test/"}
    assert min(visit.start for visit in web.visits) >= EPOCH + 100
