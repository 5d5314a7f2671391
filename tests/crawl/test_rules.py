"""The rules of hosts: when they are asked for, and what they are when they cannot be had."""

from __future__ import annotations

from fakeweb import FakeWeb, run
from trasmallo.crawl.rules import Rules
from trasmallo.model import Outcome, Response

HOST = "http://a.test"


def ask(web: FakeWeb, *, then: float = 0.0) -> tuple[bool, bool, int]:
    """Whether /x is allowed, whether the rules are still known some seconds later, how many answers were watched."""
    watched: list[Response] = []

    async def go() -> tuple[bool, bool, int]:
        rules = Rules(web, "trasmallo", web.clock, watched.append)
        robots = await rules.ask(HOST)
        return robots.allows(HOST + "/x", "trasmallo"), rules.known(HOST, web.clock() + then) is not None, len(watched)

    return run(go())


def test_rules_are_kept_for_a_day() -> None:
    web = FakeWeb()
    web.page(HOST + "/robots.txt", "User-agent: *\nDisallow: /x")
    assert ask(web, then=23 * 3600) == (False, True, 1)
    assert ask(web, then=25 * 3600) == (False, False, 1)


def test_without_a_file_everything_is_allowed() -> None:
    web = FakeWeb()
    web.page(HOST + "/")
    assert ask(web, then=3600) == (True, True, 1)


def test_a_failing_server_closes_the_host_for_a_while() -> None:
    web = FakeWeb()
    web.page(HOST + "/robots.txt", status=500)
    assert ask(web, then=60) == (False, True, 1)
    assert ask(web, then=3600) == (False, False, 1)
    web.failure(HOST + "/robots.txt", Outcome.UNREACHABLE)
    assert ask(web, then=60) == (False, True, 0)


def test_redirects_are_followed_but_not_for_ever() -> None:
    web = FakeWeb()
    web.redirect(HOST + "/robots.txt", "http://b.test/rules")
    web.page("http://b.test/rules", "User-agent: *\nDisallow: /")
    assert ask(web) == (False, True, 2)
    web.redirect("http://b.test/rules", HOST + "/robots.txt")
    assert ask(web) == (True, True, 6)


def test_a_host_never_asked_is_unknown() -> None:
    rules = Rules(FakeWeb(), "trasmallo", lambda: 0.0, lambda _answer: None)
    assert rules.known(HOST, 0.0) is None
