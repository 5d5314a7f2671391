from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from support.fake_crawl import ROOT, Crawl, link
from support.fake_web import FakeWeb, run
from trasmallo.config import CrawlConfig
from trasmallo.crawl.frontier import Close, EmbeddedFrontier, Result
from trasmallo.crawl.importance import Importance
from trasmallo.values.model import Outcome, Reached, Target, seed_target


def ranked(importance: Importance, page: Target, *urls: str, stated: dict[str, float] | None = None) -> dict[str, int]:
    found = [Target(url, page.depth + 1, 0, page.url, reached=Reached.LINK) for url in urls]
    return {target.url: target.priority for target in importance.rank(page, None, found, stated or {})}


def test_depth_hints_sitemaps_and_shape_decide(tmp_path: Path) -> None:
    config = CrawlConfig(prefer=("/noticias/*",), avoid=("/foro/",))
    importance = Importance(tmp_path, config)
    names = ["noticias/1", "foro/1", "a", "b", "c?x=1&y=2", "d/e/f/g/h/i/j/" + "k" * 90]
    urls = [f"http://a.test/{name}" for name in names]
    given = ranked(importance, seed_target("http://a.test/"), *urls, stated={urls[2]: 1.0})
    order = sorted(given, key=lambda url: given[url])
    assert order[0] == urls[0]
    assert order[-1] == urls[1]
    assert given[urls[2]] < given[urls[3]] < given[urls[4]]
    assert given[urls[3]] < given[urls[5]]
    assert all(priority >= 1 for priority in given.values()), "start addresses go before"
    deep = ranked(importance, Target("http://a.test/deep", depth=6, priority=700, via="http://a.test/"), "http://a.test/deeper")
    assert deep["http://a.test/deeper"] > given[urls[3]]


def test_what_many_pages_lead_to_rises_and_is_moved(tmp_path: Path) -> None:
    importance = Importance(tmp_path, CrawlConfig())
    star, dull = "http://b.test/star", "http://b.test/dull"
    first = ranked(importance, Target("http://a.test/", depth=2), dull, star)
    for number in range(300):
        page = seed_target(f"http://s{number}.test/")
        last = ranked(importance, page, star, f"http://s{number}.test/own")
    assert last[star] < first[star]
    assert importance.moves()[star] < first[star]
    assert importance.moves() == {}, "told once"


def test_reasons_are_those_of_the_place_that_was_given_whatever_became_of_what_was_learned(tmp_path: Path) -> None:
    config = CrawlConfig(prefer=("/x/",))
    importance = Importance(tmp_path, config)
    ranked(importance, seed_target("http://a.test/"), "http://a.test/x/1", "http://a.test/y")
    importance.save()
    target = Target("http://a.test/x/1", 1, 150, "http://a.test/")
    told = Importance(tmp_path, config).explain(target)
    assert told.score == 0.85
    assert told.parts == {"depth": 0.15, "preferred": 0.5, "links": 0.2}
    assert "pages lead to it" in told.why
    assert "preferred" in told.why
    (tmp_path / "importance").write_bytes(b"{broken")
    assert Importance(tmp_path, config).explain(target) == told


def test_what_was_learned_is_kept(tmp_path: Path) -> None:
    importance, page = Importance(tmp_path, CrawlConfig()), seed_target("http://a.test/")
    ranked(importance, page, "http://a.test/x", "http://b.test/")
    importance.save()
    again = Importance(tmp_path, CrawlConfig())
    second = Target("http://a.test/x", 1, 500)
    assert ranked(again, second, "http://a.test/z") == ranked(importance, second, "http://a.test/z")


def test_start_addresses_say_so(tmp_path: Path) -> None:
    assert "goes first" in Importance(tmp_path, CrawlConfig()).explain(seed_target("http://a.test/")).why


def test_a_crawl_asks_for_what_is_preferred_first_the_same_in_every_run(tmp_path: Path) -> None:
    def order(folder: Path) -> list[str]:
        web = FakeWeb()
        web.page(ROOT, link("/a", "/b?q=1", "/news/1", "/foro/1"))
        for name in ("a", "b?q=1", "news/1", "foro/1"):
            web.page(f"http://a.test/{name}", "text")
        crawl = Crawl(folder, web, lines=1, prefer=("/news/",), avoid=("/foro/",))

        async def go() -> None:
            frontier = EmbeddedFrontier(folder, in_order=True)
            await (await crawl.crawler(frontier, ranker=Importance(folder, crawl.config))).run()
            await frontier.control(Close())

        run(go())
        return crawl.order

    first = order(tmp_path / "1")
    assert [url.removeprefix("http://a.test/") for url in first if url != ROOT] == ["news/1", "a", "b?q=1", "foro/1"]
    assert order(tmp_path / "2") == first


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 5), st.text("abc/?=&", max_size=120)), min_size=1, max_size=30, unique=True))
def test_order_follows_score(drawn: list[tuple[int, str]]) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        importance = Importance(folder, CrawlConfig(prefer=("a",), avoid=("b",)))
        found = [Target(f"http://a.test/{text}", depth, reached=Reached.LINK) for depth, text in drawn]
        given = importance.rank(seed_target("http://a.test/"), None, found, {})

        async def drained() -> list[int]:
            frontier = EmbeddedFrontier(folder / "frontier", in_order=True)
            await frontier.add(given)
            asked = []
            while leases := (await frontier.lease(0.0)).leases:
                asked += [target.priority for target in leases[0].targets]
                results = [Result(target.url, Outcome.FETCHED) for target in leases[0].targets]
                await frontier.finish(leases[0], results, [], 0.0)
            await frontier.control(Close())
            return asked

        asked = run(drained())
        assert asked == sorted(asked)
        assert len(asked) == len({target.url for target in given})


def test_a_page_to_which_a_start_address_redirects_gives_as_much(tmp_path: Path) -> None:
    start = seed_target("http://a.test/")
    led = Target("http://www.a.test/", via="http://a.test/", hops=1, seed=start.seed, reached=Reached.REDIRECT)
    straight = ranked(Importance(tmp_path / "1", CrawlConfig()), start, "http://a.test/x", "http://a.test/y")
    redirected = ranked(Importance(tmp_path / "2", CrawlConfig()), led, "http://www.a.test/x", "http://www.a.test/y")
    assert [*redirected.values()] == [*straight.values()]


def test_a_host_whose_name_begins_as_ours_is_foreign(tmp_path: Path) -> None:
    importance = Importance(tmp_path, CrawlConfig())
    given = ranked(
        importance, seed_target("http://a.test/"), *(f"http://a.test/{n}" for n in range(40)), "http://a.test.evil/x"
    )
    assert given["http://a.test.evil/x"] < given["http://a.test/1"], "it has the half for others alone"
