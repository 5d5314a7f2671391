"""What becomes of answers, on a web in memory whose clock jumps."""

from __future__ import annotations

from pathlib import Path

from support.fake_crawl import ROOT, Crawl, link
from support.fake_web import FakeWeb
from trasmallo.events import LineChanged, Refused
from trasmallo.values.model import Fetch, Outcome, Response


def test_what_a_line_does_is_told(tmp_path: Path, web: FakeWeb) -> None:
    web.redirect(ROOT + "b", "/d")
    web.failure(ROOT + "c", Outcome.TIMED_OUT, "no answer")
    web.page(ROOT + "robots.txt", "User-agent: *\nDisallow: /e")
    web.page(ROOT + "d", link("/e"))
    crawl = Crawl(tmp_path, web, lines=1, retries=0, scope="host").go()
    told = [(event.state, event.url.removeprefix(ROOT), event.cause) for event in crawl.heard(LineChanged)]
    assert told[:3] == [("downloading", "robots.txt", ""), ("ready", "", ""), ("waiting", "", "")]
    assert told[-1] == ("ended", "", "")
    assert [row for row in told if row[0] not in ("downloading", "ready", "waiting", "ended")] == [
        ("finished", "", ""),
        ("redirected", "b", ROOT + "d"),
        ("retrieval failed", "c", "no answer"),
        ("finished", "d", ""),
        ("refused", "e", "robots.txt line 2: Disallow: /e"),
    ]
    times = [event.since for event in crawl.heard(LineChanged)]
    assert times == sorted(times)


def test_that_a_host_has_reached_its_limit_is_told_once(tmp_path: Path) -> None:
    web = FakeWeb()
    web.page(ROOT, link(*(f"/{number}" for number in range(50))))
    for number in range(50):
        web.page(f"{ROOT}{number}")
    crawl = Crawl(tmp_path, web, pages_per_host=2).go()
    assert len([fetch for fetch in crawl.kept.values() if fetch.outcome is Outcome.HOST_LIMIT]) == 49
    assert [event.cause for event in crawl.heard(Refused)] == ["2 pages of this host are obtained"]


def test_the_limits_of_bytes_and_time_of_a_host(tmp_path: Path) -> None:
    web = FakeWeb()
    for number in range(200):
        web.page(f"{ROOT}{number or ''}", link(f"/{number + 1}"))
        web.page(f"http://b.test/{number or ''}")
    few = Crawl(tmp_path / "time", web, minutes_per_host=1, delay=1.0).go()
    assert 50 <= len(few.obtained) <= 60
    assert {event.cause for event in few.heard(Refused)} == {"this host has had its 1 minutes"}
    few = Crawl(tmp_path / "bytes", web, megabytes_per_host=1)
    few.size = 250_000
    assert len(few.go().obtained) == 4


def test_what_was_stored_before_a_kill_is_not_asked_for_again(tmp_path: Path, web: FakeWeb) -> None:
    crawl = Crawl(tmp_path, web)
    page = link("/b").encode()
    stored = Response(ROOT, 1.0, 200, "", (("Content-Type", "text/html"),), page, page)
    crawl.recall = lambda url: (stored, Fetch(ROOT, 1.0, Outcome.FETCHED, 200)) if url == ROOT else None
    crawl.go()
    assert crawl.asked(ROOT) == 0
    assert crawl.asked(ROOT + "b") == 1
