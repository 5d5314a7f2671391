"""Links that need no second look."""

from __future__ import annotations

from trasmallo.crawl.link_cache import LinkCache


def test_each_host_has_its_own() -> None:
    offered = LinkCache()
    offered.found("http://a.test", ["/x"])
    assert "/x" in offered.of("http://a.test").here
    assert "/x" not in offered.of("http://b.test").here


def test_what_is_written_in_full_is_known_everywhere_once_it_is_safe() -> None:
    offered = LinkCache()
    offered.settled(["http://c.test/", "/x"])
    assert "http://c.test/" in offered.of("http://b.test").anywhere
    assert "/x" not in offered.of("http://b.test").anywhere


def test_hosts_that_were_not_in_turn_for_long_are_forgotten() -> None:
    offered = LinkCache(most=10)
    for host in "abc":
        offered.found(host, [f"/{number}" for number in range(4)])
        offered.of(host)
    assert ["/0" in offered.of(host).here for host in "cba"] == [True, True, False]


def test_one_host_alone_and_all_together_are_bounded() -> None:
    offered = LinkCache(most=10)
    offered.found("a", map(str, range(20_001)))
    assert "1" not in offered.of("a").here
    offered.settled(f"http://a.test/{number}" for number in range(10))
    offered.settled(["http://b.test/"])
    assert "http://a.test/1" not in offered.of("a").anywhere
    assert "http://b.test/" in offered.of("a").anywhere


def test_forgetting() -> None:
    offered = LinkCache()
    offered.found("a", ["/x"])
    offered.settled(["http://c.test/"])
    offered.forget()
    assert "/x" not in offered.of("a").here
    assert "http://c.test/" not in offered.of("a").anywhere
