"""What belongs to the crawl of all that answers lead to."""

from __future__ import annotations

import pytest

from trasmallo.config import CrawlConfig
from trasmallo.crawl.fetch import Permissions, places
from trasmallo.crawl.link_policy import GUESSED, LinkPolicy
from trasmallo.crawl.robots import Robots
from trasmallo.crawl.scope import Scope
from trasmallo.events import Event, Refused
from trasmallo.values.model import Failure, Fetch, Origin, Outcome, Reached, Response, Target

SEED = "http://a.test/"


class Judge:
    def __init__(self, **settings: object) -> None:
        self.config = CrawlConfig(seeds=(SEED,), **settings)  # type: ignore[arg-type]
        self.scope = Scope(self.config)
        self.events: list[Event] = []
        named = Permissions(places(*self.config.private))
        self.leads = LinkPolicy(self.config, self.scope, "trasmallo", _never, self.events.append, named)

    def links(self, page: str, url: str = SEED, depth: int = 0, address: str = "") -> list[str]:
        return [target.url for target in self.targets(page, url, depth, address)]

    def targets(self, page: str, url: str = SEED, depth: int = 0, address: str = "") -> list[Target]:
        headers, content = (("Content-Type", "text/html"),), page.encode()
        answer = Response(url, 0.0, 200, "OK", headers, content, content, address=address)
        found, written = self.leads.of(Target(url, depth, seed=SEED), answer, Fetch(url, 0.0, Outcome.FETCHED, 200))
        self.leads.settled(written)
        return list(found)

    def redirect(self, location: str, hops: int = 0) -> list[Target]:
        answer = Response(SEED, 0.0, 301, "Moved", (("Location", location),), b"", b"")
        fetch = Fetch(SEED, 0.0, Outcome.REDIRECTED, 301, location=location)
        return list(self.leads.of(Target(SEED, 3, 1, hops=hops, seed=SEED), answer, fetch)[0])


def _never(content: bytes, charset: str) -> tuple[str, str]:
    raise AssertionError("UTF-8 needs no decoding")


PAGE = '<a href="/x">x</a><a href="http://b.test/">b</a>'


def test_links_within_the_border() -> None:
    assert Judge().links(PAGE) == ["http://a.test/x"]
    assert Judge(scope="any").links(PAGE) == ["http://a.test/x", "http://b.test/"]


def test_what_a_page_leads_to_has_its_seed_and_the_way_there() -> None:
    (found,) = Judge().targets(PAGE, SEED + "deep", depth=2)
    assert found.origin == Origin(SEED, Reached.LINK, SEED + "deep", 3)
    sitemap = b'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>http://a.test/s</loc></url></urlset>'
    answer = Response(SEED + "s.xml", 0.0, 200, "OK", (("Content-Type", "text/xml"),), sitemap, sitemap)
    target = Target(SEED + "s.xml", seed=SEED, reached=Reached.ROBOTS)
    (listed,) = Judge().leads.of(target, answer, Fetch(target.url, 0.0, Outcome.FETCHED, 200))[0]
    assert listed.origin == Origin(SEED, Reached.SITEMAP, SEED + "s.xml", 1)


def test_a_link_is_offered_once() -> None:
    judge = Judge(scope="any")
    judge.links(PAGE)
    assert judge.links(PAGE, SEED + "other") == []
    assert judge.links(PAGE, "http://c.test/") == ["http://c.test/x"], "what is written in full is known on all hosts"


def test_links_are_looked_at_again_when_the_border_moves() -> None:
    judge = Judge(scope="any", exclude=("b.test",))
    assert judge.links(PAGE) == ["http://a.test/x"]
    judge.scope.exclude(())
    assert judge.links(PAGE) == ["http://a.test/x", "http://b.test/"]


def test_no_links_beyond_the_depth_and_of_failures() -> None:
    judge = Judge(depth=1)
    assert judge.links(PAGE, depth=1) == []
    assert judge.links(PAGE, depth=0) == ["http://a.test/x"]
    failure = Failure(SEED, 0.0, Outcome.BROKEN, "broken")
    assert judge.leads.of(Target(SEED), failure, Fetch(SEED, 0.0, Outcome.BROKEN)) == ((), ())


def test_redirects_may_leave_the_seeds_hosts_but_not_go_on_for_ever() -> None:
    judge = Judge()
    assert judge.redirect("http://b.test/") == [
        Target("http://b.test/", 3, 1, SEED, 1, from_public=True, seed=SEED, reached=Reached.REDIRECT)
    ]
    assert judge.redirect("http://b.test/", hops=10) == []
    assert judge.events == [Refused(url="http://b.test/", cause="more than 10 redirects")]


def test_redirects_to_what_is_excluded_are_told() -> None:
    judge = Judge(exclude=("secret",))
    assert judge.redirect("http://a.test/secret") == []
    assert judge.events == [Refused(url="http://a.test/secret", cause="excluded by 'secret'")]


@pytest.mark.parametrize(("settings", "number"), [({}, 1), ({"sitemaps": False}, 0), ({"depth": 0}, 0)])
def test_sitemaps_that_robots_names(settings: dict[str, object], number: int) -> None:
    robots = Robots.parse(b"Sitemap: http://a.test/s.xml\nSitemap: http://elsewhere.test/s.xml")
    assert len(Judge(**settings).leads.sitemaps(robots, "http://a.test", SEED)) == number


def test_usual_places_one_after_the_other() -> None:
    judge = Judge()
    robots = Robots.parse(b"User-agent: *\nDisallow: /sitemap.xml$")
    (first,) = judge.leads.sitemaps(robots, "http://a.test", SEED)
    assert first.priority == GUESSED
    assert first.origin == Origin(SEED, Reached.GUESS, "http://a.test/robots.txt", 0)
    assert first.url != "http://a.test/sitemap.xml"
    seen = [first]
    while following := judge.leads.next_guess(robots, seen[-1]):
        seen += following
    assert len({target.url for target in seen}) == len(seen) > 1
    assert judge.leads.sitemaps(robots, "http://b.test", SEED) == [], "only where the seeds are"


INTRANET = '<a href="http://wiki.test/x">x</a><a href="http://b.test/">b</a><a href="http://10.0.0.5/">c</a>'


def test_what_a_public_page_leads_to_is_marked_and_what_is_named_left_for_a_private_one() -> None:
    judge = Judge(scope="any", private=("wiki.test",))
    found = judge.targets(INTRANET, address="93.184.216.34")
    assert [(target.url, target.from_public) for target in found] == [("http://b.test/", True), ("http://10.0.0.5/", True)]
    found = judge.targets(INTRANET, "http://wiki.test/", address="10.0.0.1")
    assert [(target.url, target.from_public) for target in found] == [("http://wiki.test/x", False)], "others are known"


def test_a_private_page_leads_anywhere() -> None:
    found = Judge(scope="any").targets(INTRANET, address="10.0.0.1")
    assert {target.from_public for target in found} == {False}
    assert len(found) == 3


def test_sitemaps_that_a_public_host_names_elsewhere_are_public() -> None:
    robots = Robots.parse(b"Sitemap: /s.xml\nSitemap: http://B.test:80/s.xml\nSitemap: http://wiki.test/s.xml")
    judge = Judge(scope="any", private=("wiki.test",))
    found = judge.leads.sitemaps(robots, "http://a.test", SEED)
    assert [(target.url, target.from_public) for target in found] == [
        ("http://a.test/s.xml", False),
        ("http://b.test/s.xml", True),
    ]
    robots.public = False
    assert [target.from_public for target in judge.leads.sitemaps(robots, "http://a.test", SEED)] == [False] * 3
