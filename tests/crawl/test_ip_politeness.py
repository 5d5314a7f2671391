"""IpPoliteness with many hosts."""

from __future__ import annotations

from trasmallo.crawl.ip_politeness import IpPoliteness


def test_hosts_of_one_address_wait_for_each_other() -> None:
    machines = IpPoliteness(2.0)
    machines.learn("http://a.test", "192.0.2.1", 10.0)
    machines.learn("http://b.test", "192.0.2.1", 11.0)
    machines.learn("http://c.test", "192.0.2.2", 11.0)
    assert machines.free_at("http://a.test") == machines.free_at("http://b.test") == 13.0
    machines.ask("http://a.test", 20.0)
    assert machines.free_at("http://b.test") == 22.0
    assert machines.free_at("http://c.test") == 13.0


def test_unknown_hosts_do_not_wait() -> None:
    machines = IpPoliteness(2.0)
    machines.ask("http://a.test", 1.0)
    machines.learn("http://b.test", "", 1.0)
    assert machines.free_at("http://a.test") == machines.free_at("http://b.test") == 0.0


def test_without_a_rest_nothing_is_remembered() -> None:
    machines = IpPoliteness(0.0)
    machines.learn("http://a.test", "192.0.2.1", 10.0)
    assert machines.free_at("http://a.test") == 0.0
