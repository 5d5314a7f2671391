from __future__ import annotations

from pathlib import Path

from support.fake_crawl import ROOT, Crawl, link
from support.fake_web import FakeWeb, run
from trasmallo.crawl.frontier import Close, EmbeddedFrontier, Result
from trasmallo.crawl.importance import Importance
from trasmallo.crawl.link_log import LinkLog, LinksRecord
from trasmallo.values.model import Outcome, seed_target


def noted(name: str) -> LinksRecord:
    return LinksRecord(url=f"http://a.test/{name}", priority=0, depth=1, found=[f"http://a.test/{name}/x"])


def test_what_the_frontier_will_lend_again_is_cut_off(tmp_path: Path) -> None:
    log = LinkLog(tmp_path)
    for name in "abxd":
        log.append(noted(name))

    async def read() -> list[str]:
        frontier = EmbeddedFrontier(tmp_path / "frontier", in_order=True)
        await frontier.add([seed_target(f"http://a.test/{name}") for name in "abcd"])
        (lease,) = (await frontier.lease(0.0)).leases
        await frontier.finish(lease, [Result(lease.targets[0].url, Outcome.FETCHED)], [], 0.0)
        records = await LinkLog(tmp_path).read_up_to(frontier)
        await frontier.control(Close())
        return [record.url[-1] for record in records]

    assert run(read()) == ["a"], "of x, to which b led, the frontier knows nothing any more"
    assert list(LinkLog(tmp_path).read()) == [noted("a")]


def web() -> FakeWeb:
    """Every page leads to some later ones and to a few that all lead to."""
    made = FakeWeb()
    names = [f"d{number % 3}/p{number}" for number in range(60)]
    made.page(ROOT, link(*(f"/{name}" for name in names[:5])))
    for number, name in enumerate(names):
        later = [f"/{names[(number * step + 7) % 60]}" for step in (2, 3, 5)]
        made.page(f"http://a.test/{name}", link(*later, "../star", f"http://b{number % 4}.test/"))
    for name in ("star", "d0/star"):
        made.page(f"http://a.test/{name}", link("/d0/p1", "http://b1.test/x"))
    for number in range(4):
        made.page(f"http://b{number}.test/", link("http://a.test/d0/p59", "/y"))
    return made


def order_in_spite_of_stops(folder: Path, *, pages: int) -> list[str]:
    """The order of a crawl that ends after so many pages without saving anything, and goes on in another process's place."""
    crawl = Crawl(folder, web(), lines=1)

    async def sitting(most: int | None) -> None:
        frontier = EmbeddedFrontier(folder, in_order=True)
        crawler = await crawl.crawler(frontier, ranker=Importance(folder, crawl.config))
        await crawler.link_policy.resume(LinkLog(folder), frontier)
        crawler.most_pages = most
        await crawler.run()
        await frontier.control(Close())

    for most in [*range(pages, 60, pages), None]:
        run(sitting(most))
    return crawl.order


def test_links_count_as_they_did_whenever_a_crawl_was_stopped(tmp_path: Path) -> None:
    undisturbed = order_in_spite_of_stops(tmp_path / "1", pages=60)
    assert len(undisturbed) > 50
    assert order_in_spite_of_stops(tmp_path / "2", pages=7) == undisturbed
