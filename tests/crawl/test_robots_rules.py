"""The rules of hosts: when they are asked for, and what they are when they cannot be had."""

from __future__ import annotations

import pytest

from support.fake_web import FakeWeb, run
from trasmallo.crawl.robots_rules import RobotsRules
from trasmallo.values.model import Outcome, Response

HOST = "http://a.test"


def ask(web: FakeWeb, *, then: float = 0.0) -> tuple[bool, bool, int]:
    """Whether /x is allowed, whether the rules are still known some seconds later, how many answers were watched."""
    watched: list[tuple[str, Response]] = []

    async def go() -> tuple[bool, bool, int]:
        rules = RobotsRules(web, "trasmallo", web.clock, lambda host, answer: watched.append((host, answer)))
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
    assert ask(web, then=601) == (False, False, 0)


def test_redirects_are_followed_but_not_for_ever() -> None:
    web = FakeWeb()
    web.redirect(HOST + "/robots.txt", "http://b.test/rules")
    web.page("http://b.test/rules", "User-agent: *\nDisallow: /")
    assert ask(web) == (False, True, 2)
    web.redirect("http://b.test/rules", HOST + "/robots.txt")
    assert ask(web) == (True, True, 6)


def test_a_host_never_asked_is_unknown() -> None:
    rules = RobotsRules(FakeWeb(), "trasmallo", lambda: 0.0)
    assert rules.known(HOST, 0.0) is None


def recalled(age: float, status: int) -> tuple[bool, int]:
    """Whether /x is allowed, and how often a host was asked whose robots.txt some seconds ago was said to close it."""
    web = FakeWeb()
    web.page(HOST + "/robots.txt", "User-agent: *\nAllow: /")
    body = b"User-agent: *\nDisallow: /"

    async def go() -> tuple[bool, int]:
        seen = {HOST: Response(HOST + "/robots.txt", web.clock() - age, status, "", (), body, body)}
        rules = RobotsRules(web, "trasmallo", web.clock, recall=seen.get)
        robots = await rules.ask(HOST)
        if not web.visits:
            assert rules.known(HOST, web.clock() + 25 * 3600 - age) is None, "a day after it was asked for"
        return robots.allows(HOST + "/x", "trasmallo"), len(web.visits)

    return run(go())


def test_rules_that_an_earlier_session_saw_today_are_not_asked_for_again() -> None:
    assert recalled(3600, 200) == (False, 0)
    assert recalled(3600, 404) == (True, 0)


@pytest.mark.parametrize(("age", "status"), [(25 * 3600, 200), (60, 500), (60, 429), (60, 302)])
def test_rules_that_are_old_or_no_rules_are_asked_for(age: float, status: int) -> None:
    assert recalled(age, status) == (True, 1)


@pytest.mark.parametrize("outcome", [Outcome.PRIVATE, Outcome.NO_HOST, Outcome.UNREACHABLE, Outcome.TIMED_OUT, Outcome.TLS])
def test_a_server_that_cannot_be_had_says_why(outcome: Outcome) -> None:
    web = FakeWeb()
    web.failure(HOST + "/robots.txt", outcome, "so it is")

    async def go() -> None:
        rules = RobotsRules(web, "trasmallo", web.clock, retry_after=60.0)
        failure = (await rules.ask(HOST)).failure
        assert failure is not None
        assert (failure.outcome, failure.cause) == (outcome, "so it is")
        assert rules.known(HOST, web.clock() + 59) is not None
        assert rules.known(HOST, web.clock() + 61) is None, "its pages are tried again then"

    run(go())


def test_a_file_that_cannot_be_read_is_the_hosts_own_refusal() -> None:
    web = FakeWeb()
    web.failure(HOST + "/robots.txt", Outcome.BROKEN, "no header")

    async def go() -> None:
        robots = await RobotsRules(web, "trasmallo", web.clock).ask(HOST)
        assert robots.failure is None
        assert robots.verdict(HOST + "/x", "trasmallo").cause == "robots.txt could not be reached: no header"

    run(go())


def test_a_file_that_lies_behind_a_redirect_says_where() -> None:
    web = FakeWeb()
    web.redirect(HOST + "/robots.txt", "http://b.test/rules")
    web.failure("http://b.test/rules", Outcome.PRIVATE, "b.test is at the private address 10.0.0.1")

    async def go() -> None:
        failure = (await RobotsRules(web, "trasmallo", web.clock).ask(HOST)).failure
        assert failure is not None
        assert failure.cause == "robots.txt leads to b.test: b.test is at the private address 10.0.0.1"

    run(go())


@pytest.mark.parametrize(
    ("address", "marked"), [("93.184.216.34", [False, True]), ("10.0.0.1", [False, False]), ("", [False, True])]
)
def test_where_a_public_robots_txt_leads_nothing_private_is_asked(address: str, marked: list[bool]) -> None:
    web = FakeWeb()
    there = (("Location", "http://b.test/rules"),)
    web.answer(HOST + "/robots.txt", lambda url, _: Response(url, web.clock(), 301, "", there, b"", b"", address=address))
    web.page("http://b.test/rules")

    async def go() -> None:
        robots = await RobotsRules(web, "trasmallo", web.clock).ask(HOST)
        assert not robots.public, "the fake web is at 192.0.2.1"

    run(go())
    assert [visit.from_public for visit in web.visits] == marked


def test_that_a_public_page_was_refused_a_private_host_is_forgotten() -> None:
    web = FakeWeb()
    web.failure(HOST + "/robots.txt", Outcome.PRIVATE, "private")

    async def go() -> None:
        rules = RobotsRules(web, "trasmallo", web.clock)
        assert (await rules.ask(HOST, from_public=True)).failure is not None
        assert rules.known(HOST, web.clock()) is None, "a private page may ask it"
        await rules.ask(HOST)
        assert rules.known(HOST, web.clock()) is not None

    run(go())


def test_rules_are_kept_by_the_crawls_own_clock() -> None:
    web = FakeWeb()
    web.page(HOST + "/robots.txt", "User-agent: *\nDisallow: /x")

    async def go() -> None:
        ahead = RobotsRules(web, "trasmallo", lambda: web.clock() + 10 * 86_400)
        await ahead.ask(HOST)
        assert ahead.known(HOST, web.clock() + 10 * 86_400 + 3_600) is not None, "or it would be asked for ever again"

    run(go())
