"""Links that need no second look."""

from __future__ import annotations

from trasmallo.crawl.offered import Offered


def test_each_host_has_its_own() -> None:
    offered = Offered()
    offered.of("http://a.test").add("/x")
    assert "/x" in offered.of("http://a.test")
    assert "/x" not in offered.of("http://b.test")


def test_hosts_that_were_not_in_turn_for_long_are_forgotten() -> None:
    offered = Offered(most=10)
    for host in "abc":
        offered.of(host).update(f"/{number}" for number in range(4))
        offered.of(host)
    assert [len(offered.of(host)) for host in "cba"] == [4, 4, 0]


def test_one_host_alone_is_bounded() -> None:
    offered = Offered(most=10)
    known = offered.of("a")
    known.update(map(str, range(20_001)))
    assert offered.of("a") == set()


def test_forgetting_reaches_those_at_work() -> None:
    offered = Offered()
    known = offered.of("a")
    known.add("/x")
    offered.forget()
    assert known == set()
    assert offered.of("a") is known
