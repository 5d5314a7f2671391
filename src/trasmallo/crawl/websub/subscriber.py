"""The subscriber: asks hubs for what it is offered, renews in time, and turns what they push into targets.

1. `subscribe` notes the wish to be told of what an answer offers (`offers`); the file remembers it.
2. `tend` asks the hubs of what is due: new wishes, leases that end soon, what is to be ended, and tries that failed.
3. The hub calls at the `Door`, which confirms; from then on it takes pushes there.
4. `take_in` reads a push as the crawl would read the page, and hands on what it leads to, before all that waits.

What was pushed and not yet read is lost when the program dies; the crawl finds it when it next asks for the feed itself.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from typing import Protocol
from urllib.parse import urlencode

import msgspec

from trasmallo.crawl.discover import Decode, discover
from trasmallo.crawl.discover.feeds import read_feed
from trasmallo.crawl.outcomes import location_of
from trasmallo.crawl.websub.door import BODY_LIMIT, LEASE, OVER_FOR, HubDoor, Push
from trasmallo.crawl.websub.subscriptions import Subscription, Subscriptions, SubscriptionState
from trasmallo.events import Emit, Failed, Pushed
from trasmallo.values.content_encodings import Bomb, decode
from trasmallo.values.errors import UsageError
from trasmallo.values.model import Failure, Outcome, Reached, Response, Target
from trasmallo.values.urls import canonical, host_key

PRIORITY = -1
"""Of pushed targets: before what was found by links, as entries of sitemaps."""

_MOST_TRIES = 8  # judgement: requests to a hub before it is given up
_RETRY_AFTER = 60.0  # judgement: seconds before the second request, doubled each time
_LONGEST_RETRY = 6 * 3_600.0  # judgement: seconds between requests at most
_CONFIRM_WITHIN = 86_400.0  # judgement: a day for a hub to confirm
_PATIENCE = 3_600.0
"""Seconds after which a hub that said yes and did not call is asked again."""

_HUB_RESTS = 1.0  # judgement: seconds between requests to a hub
_HUBS_AT_ONCE = 16  # judgement: requests under way
_MOST_REDIRECTS = 3  # judgement: a hub that moved has moved once
_MOST_PUSHES = 1_000  # judgement: pushes that wait to be read
_MOST_WAITING = 64 * 1024 * 1024
"""Pushes that wait to be read, and their bytes."""

_FORM = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "*/*"}
_PASSING = frozenset({408, 425, 429})


class Posting(Protocol):
    """What sends requests: `fetch.Fetcher`, with its guard against private addresses, or the tests' fake web."""

    async def get(
        self, url: str, *, method: str, headers: Mapping[str, str], body: bytes, from_public: bool
    ) -> Response | Failure:
        """One answer or failure, redirects not followed; `from_public` when nothing private may be asked."""


class Settings(msgspec.Struct, frozen=True):
    """`callback` is the public address of the door, without a query; `agent` the product token that pages address.

    At most `most_pushes` of `most_waiting` bytes together wait to be taken in.
    """

    callback: str
    agent: str
    most_pushes: int = _MOST_PUSHES
    most_waiting: int = _MOST_WAITING


Hand = Callable[[Response, Sequence[Target]], Awaitable[int]]
"""Gives what was pushed, as an answer of the topic, and the targets it leads to, to who knows them; how many were new."""


class Subscriber:
    """Works in one event loop: mount `door.answer` in a server there, and keep `run` running."""

    def __init__(
        self,
        settings: Settings,
        subscriptions: Subscriptions,
        fetcher: Posting,
        *,
        hand: Hand,
        emit: Emit,
        decode: Decode,
        clock: Callable[[], float] = time.time,
    ) -> None:
        if "?" in settings.callback or "#" in settings.callback:
            raise UsageError(
                "the callback {callback} has a query", "give the address of the door without one", callback=settings.callback
            )
        self.door = HubDoor(subscriptions, self._take, emit, clock)
        self._callback = canonical(settings.callback)
        self._agent = settings.agent
        self._most_pushes, self._most_waiting = settings.most_pushes, settings.most_waiting
        self._subscriptions = subscriptions
        self._fetcher = fetcher
        self._hand = hand
        self._emit = emit
        self._decode = decode
        self._clock = clock
        self._free_at: dict[str, float] = {}
        self._waiting: deque[Push] = deque()
        self._held = 0
        self._wished = asyncio.Event()
        self._pushed = asyncio.Event()

    def subscribe(self, topic: str, hub: str) -> Subscription | None:
        """Note the wish to be told of a topic; what is asked for already, or was denied lately, stays as it is."""
        now, known = self._clock(), self._subscriptions.of_topic(topic)
        if known is not None:
            if not known.state.over or now < known.due:
                return known
            self._subscriptions.remove(known.key)
        self._wished.set()
        return self._subscriptions.add(topic, hub, now)

    def unsubscribe(self, topic: str) -> bool:
        """Note the wish to hear no more of a topic; False when there is no subscription to it."""
        known = self._subscriptions.of_topic(topic)
        if known is None:
            return False
        if known.state is SubscriptionState.ACTIVE:
            self._put(known, state=SubscriptionState.ENDING, due=self._clock(), tries=0)
            self._wished.set()
        elif known.state is not SubscriptionState.ENDING:
            self._subscriptions.remove(known.key)
        return True

    async def run(self) -> None:
        """Tend the subscriptions and take in pushes until cancelled."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._keep_tending())
            group.create_task(self._keep_reading())

    async def tend(self) -> float | None:
        """Ask the hubs of what is due, one request a hub at a time; when to come back, None when nothing is planned."""
        while batch := self._due():
            await asyncio.gather(*(self._ask(subscription) for subscription in batch))
        planned = [self._when(one) for one in self._subscriptions if not one.state.over]
        return min(planned, default=None)

    async def take_in(self) -> int:
        """Read the oldest push that waits and hand on what it leads to; how many targets that were."""
        if not self._waiting:
            return 0
        push = self._waiting.popleft()
        self._held -= len(push.body)
        # Reading may take seconds, and the server answers in this thread.
        answer, urls = await asyncio.to_thread(self._read, push)
        home = host_key(push.topic)
        found = [Target(url, 1, PRIORITY, push.topic, from_public=host_key(url) != home, reached=Reached.PUSH) for url in urls]
        new = await self._hand(answer, found)
        self._emit(Pushed(url=push.topic, entries=len(urls), new=new))
        return len(urls)

    async def _keep_tending(self) -> None:
        while True:
            due = await self.tend()
            self._wished.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(None if due is None else max(0.0, due - self._clock())):
                    await self._wished.wait()

    async def _keep_reading(self) -> None:
        while True:
            self._pushed.clear()
            if not self._waiting:
                await self._pushed.wait()
            await self.take_in()

    def _due(self) -> list[Subscription]:
        """Of each hub that is free the first subscription that is due."""
        now = self._clock()
        first: dict[str, Subscription] = {}
        for one in self._subscriptions:
            if not one.state.over and self._when(one) <= now:
                first.setdefault(host_key(one.hub), one)
        return list(first.values())[:_HUBS_AT_ONCE]

    def _when(self, subscription: Subscription) -> float:
        return max(subscription.due, self._free_at.get(host_key(subscription.hub), 0.0))

    async def _ask(self, subscription: Subscription) -> None:
        """Ask the hub; it may call at the door before it answers here, so what to expect is written down first."""
        now, tries = self._clock(), subscription.tries + 1
        later = now + min(_PATIENCE * 2 ** (tries - 1), _CONFIRM_WITHIN)
        asked = self._put(subscription, tries=tries, confirm_until=now + _CONFIRM_WITHIN, due=later)
        if now >= subscription.until and (tries > _MOST_TRIES or subscription.state is SubscriptionState.ENDING):
            self._give_up(asked, subscription.cause or "the hub said yes and never called")
            return
        hub, answer = await self._post(asked)
        self._rest(subscription.hub, hub)
        current = self._subscriptions.get(subscription.key)
        if current is None or current.tries == 0 or current.state.over:
            return  # ended, confirmed or denied meanwhile
        if isinstance(answer, Response) and 200 <= answer.status < 300:
            self._put(current, hub=hub, cause="")
        else:
            self._miss(current, answer)

    def _rest(self, *hubs: str) -> None:
        now = self._clock()
        self._free_at = {hub: free for hub, free in self._free_at.items() if free > now}
        self._free_at.update((host_key(hub), now + _HUB_RESTS) for hub in hubs)

    async def _post(self, subscription: Subscription) -> tuple[str, Response | Failure]:
        """Send the request of section 5.1; a hub may name another one in its place."""
        body, hub = self._form(subscription), subscription.hub
        for _ in range(_MOST_REDIRECTS):
            # A page may name any hub, and a hub any other: on a private network only its own host is believed.
            stranger = host_key(canonical(hub)) != host_key(subscription.topic)
            answer = await self._fetcher.get(canonical(hub), method="POST", headers=_FORM, body=body, from_public=stranger)
            if isinstance(answer, Failure) or answer.status not in (307, 308) or not (other := location_of(answer)):
                return hub, answer
            hub = other
        return hub, Failure(hub, self._clock(), Outcome.BROKEN, f"more than {_MOST_REDIRECTS} redirects")

    def _form(self, subscription: Subscription) -> bytes:
        ends = subscription.state is SubscriptionState.ENDING
        fields = {
            "hub.mode": "unsubscribe" if ends else "subscribe",
            "hub.topic": subscription.topic,
            "hub.callback": f"{self._callback}?key={subscription.key}",
        }
        if not ends:
            # Over plain HTTP the secret may be overheard; without one, anybody who learns the callback could push.
            fields |= {"hub.secret": subscription.secret, "hub.lease_seconds": str(int(LEASE))}
        return urlencode(fields).encode()

    def _miss(self, subscription: Subscription, answer: Response | Failure) -> None:
        """The hub did not take the request: try again later, unless it never will."""
        if isinstance(answer, Failure):
            cause, final = answer.cause, answer.outcome is Outcome.PRIVATE
        else:
            cause = f"status {answer.status}: {_first_words(answer.content)}".rstrip(": ")
            final = 400 <= answer.status < 500 and answer.status not in _PASSING
        if final and (subscription.state is SubscriptionState.ENDING or self._clock() >= subscription.until):
            self._give_up(subscription, cause)
            return
        wait = min(_RETRY_AFTER * 2 ** (subscription.tries - 1), _LONGEST_RETRY)
        self._put(subscription, due=self._clock() + wait, cause=cause)

    def _give_up(self, subscription: Subscription, cause: str) -> None:
        self._emit(Failed(url=subscription.hub, outcome="no subscription", cause=f"{subscription.topic}: {cause}"))
        if subscription.state is SubscriptionState.ENDING:
            self._subscriptions.remove(subscription.key)
        else:
            self._put(subscription, state=SubscriptionState.FAILED, cause=cause, due=self._clock() + OVER_FOR)

    def _put(self, subscription: Subscription, **changes: object) -> Subscription:
        changed = msgspec.structs.replace(subscription, **changes)
        self._subscriptions.put(changed)
        return changed

    def _take(self, push: Push) -> bool:
        if len(self._waiting) >= self._most_pushes or self._held + len(push.body) > self._most_waiting:
            return False
        self._waiting.append(push)
        self._held += len(push.body)
        self._pushed.set()
        return True

    def _read(self, push: Push) -> tuple[Response, Sequence[str]]:
        """What was pushed, unpacked, and what it leads to; what cannot be unpacked is empty."""
        try:
            content = decode(push.body, push.coding, BODY_LIMIT)
        except Bomb:
            content = b""
        headers = (("Content-Type", push.media),)
        answer = Response(url=push.topic, at=push.at, status=200, reason="OK", headers=headers, body=content, content=content)
        feed = read_feed(content, push.topic, push.media)
        return answer, feed.targets() if feed is not None else discover(answer, self._agent, self._decode).urls


def _first_words(content: bytes) -> str:
    """What a hub says about a refusal, for a person to read."""
    text = content[:400].decode("utf-8", "replace")
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())[:200]
