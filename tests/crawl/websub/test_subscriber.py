"""Asking hubs, renewing in time, and what becomes of pushes; on a virtual clock."""

from __future__ import annotations

import asyncio
import gzip
import hmac
from collections.abc import Awaitable, Callable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit

import pytest

from support.fake_web import FakeWeb, run
from trasmallo.crawl.websub.offers import own_offer
from trasmallo.crawl.websub.subscriber import PRIORITY, Settings, Subscriber
from trasmallo.crawl.websub.subscriptions import Subscription, Subscriptions, SubscriptionState
from trasmallo.events import Event, Failed, Pushed
from trasmallo.values.errors import UsageError
from trasmallo.values.model import Failure, Outcome, Reached, Response, Target

TOPIC = "http://a.es/feed"
HUB = "https://hub.es/hub"
CALLBACK = "https://we.es/websub"
DAY = 86_400.0
FEED = """<feed xmlns="http://www.w3.org/2005/Atom"><title>A</title>
<entry><link href="/new"/><title>n</title></entry><entry><link href="http://b.es/x?utm_source=feed"/></entry></feed>"""


class Wired:
    """A subscriber on a web in memory, and a hub whose part the test plays."""

    def __init__(self, folder: Path, most: int = 10, **settings: int) -> None:
        self.web = FakeWeb()
        self.subscriptions = Subscriptions(folder / "file", most)
        self.told: list[Event] = []
        self.handed: list[Target] = []
        self.lease = "86400"
        self.subscriber = Subscriber(
            Settings(CALLBACK, "trasmallo", **settings),
            self.subscriptions,
            self,
            hand=self.hand,
            emit=self.told.append,
            decode=lambda content, _charset: (content.decode("latin-1"), "latin-1"),
            clock=self.web.clock,
        )

    async def get(
        self, url: str, *, method: str, headers: Mapping[str, str], body: bytes, from_public: bool
    ) -> Response | Failure:
        return await self.web.get(url, method=method, headers=headers, body=body, from_public=from_public)

    async def hand(self, _answer: Response, targets: Sequence[Target]) -> int:
        self.handed += targets
        return len(targets)

    def hub_says(self, status: int = 202, *, url: str = HUB, body: bytes = b"") -> None:
        def answer(asked: str, _headers: Mapping[str, str]) -> Response:
            return Response(asked, self.web.clock(), status, "", (), body, body)

        self.web.answer(url, answer)

    def forms(self) -> list[dict[str, str]]:
        return [dict(parse_qsl(visit.body.decode(), strict_parsing=True)) for visit in self.web.visits]

    def confirm(self, mode: str = "subscribe") -> int:
        form = self.forms()[-1]
        query = urlsplit(form["hub.callback"]).query
        added = {"hub.mode": mode, "hub.topic": form["hub.topic"], "hub.challenge": "c", "hub.lease_seconds": self.lease}
        return self.subscriber.door.answer("GET", query + "&" + urlencode(added), (), b"")[0]

    def push(self, subscription: Subscription, body: bytes, media: str = "application/atom+xml", *more: tuple[str, str]) -> int:
        signature = "sha512=" + hmac.new(subscription.secret.encode(), body, "sha512").hexdigest()
        headers = (("content-type", media), ("X-Hub-Signature", signature), *more)
        return self.subscriber.door.answer("POST", f"key={subscription.key}", headers, body)[0]

    def current(self) -> Subscription:
        (found,) = self.subscriptions
        return found


def play(folder: Path, journey: Callable[[Wired], Awaitable[None]], most: int = 10, **settings: int) -> None:
    async def go() -> None:
        wired = Wired(folder, most, **settings)
        wired.hub_says()
        with wired.subscriptions:
            await journey(wired)

    run(go())


def subscribe(wired: Wired, answer: Response) -> Subscription | None:
    offer = own_offer(answer)
    assert offer is not None
    return wired.subscriber.subscribe(offer.topic, offer.hubs[0])


async def tend_to_the_end(wired: Wired) -> list[int]:
    """Tend whenever something is due until nothing is planned any more; the seconds in between."""
    waits: list[int] = []
    while (due := await wired.subscriber.tend()) is not None:
        waits.append(round(due - wired.web.clock()))
        await asyncio.sleep(due - wired.web.clock())
    return waits


def offering(url: str = TOPIC, own: str = TOPIC, hub: str = HUB) -> Response:
    return Response(url, 1.0, 200, "OK", (("Link", f"<{hub}>; rel=hub, <{own}>; rel=self"),), b"", b"")


def test_a_request_says_all_that_a_hub_needs(tmp_path: Path) -> None:
    async def journey(wired: Wired) -> None:
        asked = subscribe(wired, offering())
        assert asked is not None
        assert await wired.subscriber.tend() is not None
        (visit,), (form,) = wired.web.visits, wired.forms()
        assert (visit.url, visit.method) == (HUB, "POST")
        assert visit.headers["Content-Type"] == "application/x-www-form-urlencoded"
        assert form == {
            "hub.mode": "subscribe",
            "hub.topic": TOPIC,
            "hub.callback": f"{CALLBACK}?key={asked.key}",
            "hub.secret": asked.secret,
            "hub.lease_seconds": "864000",
        }
        assert wired.confirm() == 200
        assert wired.current().state is SubscriptionState.ACTIVE
        assert subscribe(wired, offering()) == wired.current(), "it is asked for once"
        await wired.subscriber.tend()
        assert len(wired.web.visits) == 1

    play(tmp_path, journey)


def test_a_lease_is_renewed_before_it_ends(tmp_path: Path) -> None:
    async def journey(wired: Wired) -> None:
        wired.subscriber.subscribe(TOPIC, HUB)
        await wired.subscriber.tend()
        wired.confirm()
        until = wired.current().until
        running = asyncio.create_task(wired.subscriber.run())
        await asyncio.sleep(0.81 * DAY)
        assert [form["hub.mode"] for form in wired.forms()] == ["subscribe"] * 2
        assert wired.web.clock() < until
        assert wired.confirm() == 200
        assert wired.current().until > until
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)

    play(tmp_path, journey)


def test_a_renewal_goes_on_after_a_restart(tmp_path: Path) -> None:
    async def first(wired: Wired) -> None:
        wired.subscriber.subscribe(TOPIC, HUB)
        await wired.subscriber.tend()
        wired.confirm()

    async def second(wired: Wired) -> None:
        assert wired.current().state is SubscriptionState.ACTIVE
        assert wired.push(wired.current(), b"<feed/>") == 202
        await asyncio.sleep(DAY)
        await wired.subscriber.tend()
        assert [form["hub.mode"] for form in wired.forms()] == ["subscribe"]

    play(tmp_path, first)
    play(tmp_path, second)


def test_the_end_is_asked_for_and_what_never_began_is_forgotten(tmp_path: Path) -> None:
    async def journey(wired: Wired) -> None:
        subscriber = wired.subscriber
        assert not subscriber.unsubscribe(TOPIC)
        subscriber.subscribe(TOPIC, HUB)
        assert subscriber.unsubscribe(TOPIC)
        assert len(wired.subscriptions) == 0
        subscriber.subscribe(TOPIC, HUB)
        await subscriber.tend()
        wired.confirm()
        assert subscriber.unsubscribe(TOPIC)
        await asyncio.sleep(1)
        await subscriber.tend()
        assert wired.forms()[-1].keys() == {"hub.mode", "hub.topic", "hub.callback"}
        assert wired.confirm("subscribe") == 404
        assert wired.confirm("unsubscribe") == 200
        assert len(wired.subscriptions) == 0

    play(tmp_path, journey)


def test_a_hub_that_fails_is_asked_later_and_less_and_less_often(tmp_path: Path) -> None:
    async def journey(wired: Wired) -> None:
        wired.hub_says(503)
        wired.subscriber.subscribe(TOPIC, HUB)
        waits = await tend_to_the_end(wired)
        assert waits == [60, 120, 240, 480, 960, 1920, 3840, 7680]
        assert len(wired.web.visits) == 8
        found = wired.current()
        assert (found.state, found.cause) == (SubscriptionState.FAILED, "status 503")
        assert isinstance(wired.told[-1], Failed)
        assert wired.subscriber.subscribe(TOPIC, HUB) == found, "not again at once"
        await asyncio.sleep(8 * DAY)
        again = wired.subscriber.subscribe(TOPIC, HUB)
        assert again is not None
        assert (again.state, again.key == found.key) == (SubscriptionState.ASKED, False)

    play(tmp_path, journey)


def test_a_hub_that_says_yes_and_never_calls_is_given_up(tmp_path: Path) -> None:
    async def journey(wired: Wired) -> None:
        wired.subscriber.subscribe(TOPIC, HUB)
        await tend_to_the_end(wired)
        assert len(wired.web.visits) == 8
        assert wired.current().cause == "the hub said yes and never called"

    play(tmp_path, journey)


def test_a_refusal_ends_it_and_its_words_are_kept(tmp_path: Path) -> None:
    async def journey(wired: Wired) -> None:
        wired.hub_says(403, body=b"not\x1b you\n<b>" + b"x" * 900)
        wired.subscriber.subscribe(TOPIC, HUB)
        assert await wired.subscriber.tend() is None
        found = wired.current()
        assert (found.state, found.cause[:24]) == (SubscriptionState.FAILED, "status 403: not you <b>x")
        assert len(found.cause) < 220

    play(tmp_path, journey)


def test_private_hubs_are_not_asked_twice(tmp_path: Path) -> None:
    async def journey(wired: Wired) -> None:
        wired.web.failure("http://10.0.0.1/", Outcome.PRIVATE, "a private address")
        wired.subscriber.subscribe(TOPIC, "http://10.0.0.1/")
        assert await wired.subscriber.tend() is None
        assert (wired.current().state, wired.current().cause) == (SubscriptionState.FAILED, "a private address")

    play(tmp_path, journey)


def test_a_living_lease_is_not_given_up_for_a_refused_renewal(tmp_path: Path) -> None:
    async def journey(wired: Wired) -> None:
        wired.subscriber.subscribe(TOPIC, HUB)
        await wired.subscriber.tend()
        wired.confirm()
        wired.hub_says(404)
        await asyncio.sleep(0.8 * DAY)
        await wired.subscriber.tend()
        assert wired.current().state is SubscriptionState.ACTIVE
        await tend_to_the_end(wired)
        assert wired.current().state is SubscriptionState.FAILED
        assert wired.web.clock() >= wired.current().until

    play(tmp_path, journey)


def test_an_end_that_the_hub_refuses_is_an_end(tmp_path: Path) -> None:
    async def journey(wired: Wired) -> None:
        wired.subscriber.subscribe(TOPIC, HUB)
        await wired.subscriber.tend()
        wired.confirm()
        wired.hub_says(404)
        wired.subscriber.unsubscribe(TOPIC)
        await asyncio.sleep(1)
        assert await wired.subscriber.tend() is None
        assert len(wired.subscriptions) == 0

    play(tmp_path, journey)


def test_a_hub_may_name_another_but_not_for_ever(tmp_path: Path) -> None:
    async def journey(wired: Wired) -> None:
        wired.web.redirect(HUB, "/other", status=308)
        wired.hub_says(url="https://hub.es/other")
        wired.subscriber.subscribe(TOPIC, HUB)
        await wired.subscriber.tend()
        assert (len(wired.web.visits), wired.current().hub) == (2, "https://hub.es/other")
        wired.web.redirect("https://hub.es/other", "/other", status=307)
        await asyncio.sleep(2 * 3600)
        await wired.subscriber.tend()
        assert len(wired.web.visits) == 5
        assert "redirects" in wired.current().cause

    play(tmp_path, journey)


def test_a_hub_is_asked_one_thing_at_a_time_and_rests(tmp_path: Path) -> None:
    async def journey(wired: Wired) -> None:
        for number in range(5):
            wired.subscriber.subscribe(f"{TOPIC}{number}", HUB)
        running = asyncio.create_task(wired.subscriber.run())
        await asyncio.sleep(20)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        starts = [visit.start for visit in wired.web.visits]
        assert len(starts) == 5
        assert all(later - earlier >= 1 for earlier, later in pairwise(starts))
        assert wired.web.most_open == {"https://hub.es": 1}

    play(tmp_path, journey)


def test_a_wish_is_seen_to_while_running(tmp_path: Path) -> None:
    async def journey(wired: Wired) -> None:
        running = asyncio.create_task(wired.subscriber.run())
        await asyncio.sleep(5)
        wired.subscriber.subscribe(TOPIC, HUB)
        await asyncio.sleep(5)
        assert len(wired.web.visits) == 1
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)

    play(tmp_path, journey)


def test_too_many_wishes_are_not_noted(tmp_path: Path) -> None:
    async def journey(wired: Wired) -> None:
        found = [wired.subscriber.subscribe(f"{TOPIC}{number}", HUB) for number in range(4)]
        assert [one is not None for one in found] == [True, True, True, False]

    play(tmp_path, journey, most=3)


async def active(wired: Wired) -> Subscription:
    wired.subscriber.subscribe(TOPIC, HUB)
    await wired.subscriber.tend()
    wired.confirm()
    return wired.current()


def test_what_is_pushed_leads_to_targets_that_go_first(tmp_path: Path) -> None:
    async def journey(wired: Wired) -> None:
        subscription = await active(wired)
        assert wired.push(subscription, FEED.encode()) == 202
        assert wired.handed == [], "reading is not the door's work"
        assert await wired.subscriber.take_in() == 2
        own, other = (
            Target("http://a.es/new", 1, PRIORITY, TOPIC, reached=Reached.PUSH),
            Target("http://b.es/x", 1, PRIORITY, TOPIC, from_public=True, reached=Reached.PUSH),
        )
        assert wired.handed == [own, other], "a feed speaks for its own host; elsewhere nothing private is asked"
        assert wired.told[-1] == Pushed(url=TOPIC, entries=2, new=2)
        assert await wired.subscriber.take_in() == 0

    play(tmp_path, journey)


def test_pages_and_compressed_feeds_are_read_and_nonsense_leads_nowhere(tmp_path: Path) -> None:
    async def journey(wired: Wired) -> None:
        subscription = await active(wired)
        wired.push(subscription, b"<a href='/one'>1</a>", "text/html")
        wired.push(subscription, gzip.compress(FEED.encode()), "application/atom+xml", ("Content-Encoding", "gzip"))
        bomb = gzip.compress(b"\0" * 20_000_000)
        wired.push(subscription, bomb, "application/atom+xml", ("Content-Encoding", "gzip"))
        wired.push(subscription, b"\0\xff" * 100, "application/octet-stream")
        assert [await wired.subscriber.take_in() for _ in range(4)] == [1, 2, 0, 0]

    play(tmp_path, journey)


def test_pushes_that_nobody_reads_are_bounded(tmp_path: Path) -> None:
    async def journey(wired: Wired) -> None:
        subscription = await active(wired)
        assert [wired.push(subscription, b"%d" % size * 600) for size in (1, 2)] == [202, 503]
        assert await wired.subscriber.take_in() == 0
        assert [wired.push(subscription, b"%d" % size) for size in range(4)] == [202, 202, 202, 503]

    play(tmp_path, journey, most_waiting=1000, most_pushes=3)


def test_a_callback_with_a_query_is_refused(tmp_path: Path) -> None:
    with Subscriptions(tmp_path / "file") as subscriptions, pytest.raises(UsageError, match="without one"):
        Subscriber(
            Settings(CALLBACK + "?a=b", "x"), subscriptions, FakeWeb(), hand=len, emit=print, decode=lambda _c, _s: ("", "")
        )


def test_callbacks_survive_a_query_of_hubs(tmp_path: Path) -> None:
    async def journey(wired: Wired) -> None:
        asked = wired.subscriber.subscribe("http://a.es/f?a=1&b=ñ", HUB)
        await wired.subscriber.tend()
        assert asked is not None
        assert parse_qs(wired.web.visits[0].body.decode())["hub.topic"] == ["http://a.es/f?a=1&b=ñ"]
        assert wired.confirm() == 200

    play(tmp_path, journey)
