"""Subscriptions that outlive their program."""

from __future__ import annotations

import stat
from pathlib import Path

import msgspec

from trasmallo.crawl.websub.subscriptions import Subscription, Subscriptions, SubscriptionState

HUB = "https://hub.es/"


def added(subscriptions: Subscriptions, topic: str) -> Subscription:
    subscription = subscriptions.add(topic, HUB, 1.0)
    assert subscription is not None
    return subscription


def test_they_are_there_after_a_restart(tmp_path: Path) -> None:
    with Subscriptions(tmp_path / "file") as subscriptions:
        one, two, three = (added(subscriptions, f"http://a.es/{number}") for number in range(3))
        two = msgspec.structs.replace(two, state=SubscriptionState.ACTIVE, until=99.0, cause="ñ")
        subscriptions.put(two)
        subscriptions.remove(three.key)
        subscriptions.remove("never")
    with Subscriptions(tmp_path / "file") as again:
        assert list(again) == [one, two]
        assert again.get(two.key) == again.of_topic(two.topic) == two
        assert again.get(three.key) is again.of_topic(three.topic) is again.get("") is None


def test_keys_and_secrets_are_unique_long_and_for_the_owner_only(tmp_path: Path) -> None:
    path = tmp_path / "file"
    with Subscriptions(path) as subscriptions:
        found = [added(subscriptions, f"http://a.es/{number}") for number in range(50)]
        assert len({one.key for one in found} | {one.secret for one in found}) == 100
        assert all(len(one.key) >= 43 and 64 <= len(one.secret) < 200 for one in found)
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_torn_and_strange_lines_are_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "file"
    with Subscriptions(path) as subscriptions:
        one = added(subscriptions, "http://a.es/")
    path.write_bytes(b'\xff\xfe\n{"key":1}\n[]\n' + path.read_bytes() + b'{"key":"k","topic":"htt')
    with Subscriptions(path) as subscriptions:
        assert list(subscriptions) == [one]
        two = added(subscriptions, "http://b.es/")
    with Subscriptions(path) as subscriptions:
        assert list(subscriptions) == [one, two]


def test_history_is_dropped(tmp_path: Path) -> None:
    path = tmp_path / "file"
    with Subscriptions(path, history=10) as subscriptions:
        one = added(subscriptions, "http://a.es/")
        for number in range(500):
            subscriptions.put(one := msgspec.structs.replace(one, due=float(number)))
        assert path.read_bytes().count(b"\n") <= 13
    with Subscriptions(path) as subscriptions:
        assert list(subscriptions) == [one]


def test_too_many_are_refused_but_those_that_are_over_make_room(tmp_path: Path) -> None:
    with Subscriptions(tmp_path / "file", most=2) as subscriptions:
        one, _two = (added(subscriptions, f"http://a.es/{number}") for number in range(2))
        assert subscriptions.add("http://a.es/3", HUB, 1.0) is None
        subscriptions.put(msgspec.structs.replace(one, state=SubscriptionState.DENIED))
        added(subscriptions, "http://a.es/3")
        assert (len(subscriptions), subscriptions.get(one.key)) == (2, None)
