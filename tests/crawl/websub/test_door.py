"""The door at which hubs and strangers call."""

from __future__ import annotations

import hmac
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trasmallo.crawl.websub.door import BODY_LIMIT, LEASE, LONGEST_LEASE, SHORTEST_LEASE, HubDoor, Push, is_signed
from trasmallo.crawl.websub.subscriptions import Subscription, Subscriptions, SubscriptionState
from trasmallo.events import Event, Refused, Warned

TOPIC = "http://a.es/feed"
NOW = 1_000_000.0
DAY = 86_400.0


class Called:
    """A door with one subscription that was just asked for, and what came through it."""

    def __init__(self, folder: Path) -> None:
        self.now = NOW
        self.room = True
        self.pushes: list[Push] = []
        self.told: list[Event] = []
        self.subscriptions = Subscriptions(folder / "file")
        asked = self.subscriptions.add(TOPIC, "https://hub.es/", NOW)
        assert asked is not None
        self.key, self.secret = asked.key, asked.secret
        self.change(confirm_until=NOW + DAY, tries=1)
        self.door = HubDoor(self.subscriptions, self.take, self.told.append, lambda: self.now)

    def take(self, push: Push) -> bool:
        if self.room:
            self.pushes.append(push)
        return self.room

    def change(self, **changes: object) -> None:
        self.subscriptions.put(msgspec.structs.replace(self.now_subscription(), **changes))

    def now_subscription(self) -> Subscription:
        found = self.subscriptions.get(self.key)
        assert found is not None
        return found

    def get(self, mode: str = "subscribe", **fields: str) -> tuple[int, bytes]:
        given = {"hub.topic": TOPIC, "hub.challenge": "Abc-1", "hub.lease_seconds": "3600"}
        given |= {f"hub.{name}": value for name, value in fields.items()}
        return self.door.answer("GET", urlencode({"key": self.key, "hub.mode": mode} | given), (), b"")

    def post(self, body: bytes, method: str = "sha256", *, secret: str = "", signature: str = "") -> int:
        signed = hmac.new((secret or self.secret).encode(), body, method).hexdigest()
        headers = [("Content-Type", "application/atom+xml"), ("X-Hub-Signature", signature or f"{method}={signed}")]
        return self.door.answer("POST", f"key={self.key}", headers, body)[0]


@pytest.fixture
def called(tmp_path: Path) -> Iterator[Called]:
    called = Called(tmp_path)
    with called.subscriptions:
        yield called


def test_what_was_asked_for_is_confirmed(called: Called) -> None:
    assert called.get() == (200, b"Abc-1")
    found = called.now_subscription()
    assert (found.state, found.until, found.due, found.tries) == (SubscriptionState.ACTIVE, NOW + 3600, NOW + 2880, 0)


@pytest.mark.parametrize(
    "fields", [{"topic": TOPIC + "/"}, {"topic": ""}, {"mode": "unsubscribe"}, {"mode": "publish"}, {"mode": ""}]
)
def test_what_was_not_asked_for_is_not_found(called: Called, fields: dict[str, str]) -> None:
    before = called.now_subscription()
    assert called.get(**fields) == (404, b"")
    assert called.now_subscription() == before


def test_a_hub_may_ask_again_soon_and_nobody_later(called: Called) -> None:
    called.get()
    called.now += 60
    assert called.get()[0] == 200
    called.now += 3600
    assert called.get()[0] == 404, "replayed"
    called.change(state=SubscriptionState.FAILED, confirm_until=NOW + DAY)
    assert called.get()[0] == 404


def test_a_hub_that_calls_too_late_is_not_confirmed(called: Called) -> None:
    called.now += 2 * DAY
    assert called.get()[0] == 404


@pytest.mark.parametrize("challenge", ["", "<script>", "a b", "ñ", "x" * 1025, "a\r\nb"])
def test_a_challenge_that_is_none_is_not_echoed(called: Called, challenge: str) -> None:
    status, body = called.get(challenge=challenge)
    assert (status, challenge.encode() in body and challenge != "") == (400, False)
    assert called.now_subscription().state is SubscriptionState.ASKED


@pytest.mark.parametrize(
    ("said", "lease"),
    [
        ("86400", DAY),
        ("0", SHORTEST_LEASE),
        ("5", SHORTEST_LEASE),
        ("999999999999", LONGEST_LEASE),
        *((odd, LEASE) for odd in ("", "-1", "1e9", "9" * 5000, "٣", "NaN", " 60")),
    ],
)
def test_leases_are_kept_within_reason(called: Called, said: str, lease: float) -> None:
    assert called.get(lease_seconds=said)[0] == 200
    assert called.now_subscription().until == NOW + lease


def test_a_denial_ends_it_with_its_reason(called: Called) -> None:
    called.get()
    assert called.get("denied", reason="no\x1b[31m more\n" + "x" * 500)[0] == 200
    found = called.now_subscription()
    assert (found.state, found.cause[:12], len(found.cause)) == (SubscriptionState.DENIED, "no[31m morex", 198)
    assert isinstance(called.told[-1], Warned)
    assert called.post(b"x") == 410
    assert called.get()[0] == 404
    assert called.get("denied", topic="http://b.es/")[0] == 404


def test_the_end_is_confirmed_once(called: Called) -> None:
    called.get()
    called.change(state=SubscriptionState.ENDING, confirm_until=NOW + DAY)
    assert called.get()[0] == 404
    assert called.get("unsubscribe") == (200, b"Abc-1")
    assert called.get("unsubscribe")[0] == 404
    assert called.post(b"x") == 410
    assert len(called.subscriptions) == 0


def test_a_denial_of_an_end_is_an_end(called: Called) -> None:
    called.change(state=SubscriptionState.ENDING)
    assert called.get("denied") == (200, b"")
    assert len(called.subscriptions) == 0


@pytest.mark.parametrize("method", ["sha1", "sha256", "sha384", "sha512"])
def test_signed_pushes_are_taken(called: Called, method: str) -> None:
    called.get()
    assert called.post(b"<feed/>", method) == 202
    assert called.pushes == [Push(TOPIC, NOW, "application/atom+xml", "", b"<feed/>")]


@pytest.mark.parametrize(
    "signature",
    ["sha256=", "sha256=00", "md5=" + "0" * 32, "=", "sha256", "sha256=" + "0" * 64, "sha256=é", "sha1=" + "f" * 100_000],
)
def test_wrong_signatures_hear_the_same_and_are_ignored(called: Called, signature: str) -> None:
    called.get()
    assert called.post(b"<feed/>", signature=signature) == 202
    assert called.post(b"<feed/>", secret="guessed") == 202
    assert called.door.answer("POST", f"key={called.key}", (), b"<feed/>")[0] == 202
    assert called.pushes == []
    assert all(isinstance(event, Refused) for event in called.told)


def test_a_replayed_push_is_ignored_and_another_is_not(called: Called) -> None:
    called.door = HubDoor(called.subscriptions, called.take, called.told.append, lambda: called.now, remembered=2)
    called.get()
    assert [called.post(body) for body in (b"1", b"1", b"2", b"3", b"1")] == [202] * 5
    assert [push.body for push in called.pushes] == [b"1", b"2", b"3", b"1"], "only so many are remembered"


def test_a_push_that_finds_no_room_may_come_again(called: Called) -> None:
    called.get()
    called.room = False
    assert called.post(b"1") == 503
    called.room = True
    assert called.post(b"1") == 202
    assert len(called.pushes) == 1


def test_what_is_not_active_takes_nothing(called: Called) -> None:
    assert called.post(b"1") == 410
    assert called.pushes == []


def test_strangers_and_giants_are_turned_away(called: Called) -> None:
    called.get()
    answer = called.door.answer
    assert answer("GET", "hub.mode=subscribe&hub.challenge=a&key=guess", (), b"")[0] == 404
    assert answer("GET", "", (), b"")[0] == 404
    assert answer("POST", "key=guess", (), b"x")[0] == 410
    assert answer("PUT", f"key={called.key}", (), b"")[0] == 405
    assert answer("GET", f"key={called.key}&" + "a=1&" * 1000, (), b"")[0] == 400
    assert answer("GET", f"key={called.key}&a=" + "x" * 20_000, (), b"")[0] == 414
    assert called.post(b"x" * (BODY_LIMIT + 1)) == 413
    assert called.pushes == []


def test_the_first_key_counts(called: Called) -> None:
    """Hubs append to the callback's query, so what a stranger adds comes behind."""
    assert called.door.answer("POST", f"key={called.key}&key=other", (), b"")[0] == 410
    called.get()
    assert called.door.answer("POST", f"key={called.key}&key=other", (), b"")[0] == 202


@given(st.binary(max_size=50), st.text(max_size=80))
def test_no_signature_is_guessed_and_none_breaks_the_door(body: bytes, signature: str) -> None:
    assert not is_signed(body, "secret", signature)
    right = hmac.new(b"secret", body, "sha256")
    assert is_signed(body, "secret", " SHA256=" + right.hexdigest().upper() + " ")
