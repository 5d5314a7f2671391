"""The door at which hubs call: it confirms what we asked for, takes what is pushed, and believes nothing else.

Any server can mount it: `answer` gets the request and gives status and body, which must be sent with `HEADERS` (WebSub, section
8.2: the challenge comes from a stranger). It does no more than look, so it answers at once.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from urllib.parse import parse_qsl

import msgspec

from trasmallo.crawl.discover.feeds import SIZE_LIMIT
from trasmallo.crawl.websub.subscriptions import Subscription, Subscriptions, SubscriptionState
from trasmallo.events import Emit, Refused, Warned

BODY_LIMIT = SIZE_LIMIT
"""Bytes of a request that a server should read before it says 413; no feed is read beyond."""

HEADERS = (("Content-Type", "application/octet-stream"), ("X-Content-Type-Options", "nosniff"))

LEASE = 10 * 86_400.0
"""Seconds that we ask for, and that count when a hub says no sensible number."""

SHORTEST_LEASE = 600.0
"""A hub that says less would have us ask without end."""

LONGEST_LEASE = 90 * 86_400.0  # judgement: seconds; a hub that grants more is asked again after 90 days
OVER_FOR = 7 * 86_400.0
"""Seconds after a denial before the topic may be asked for again."""

_RENEW_AFTER = 0.8
"""Of the lease; the rest is for hubs that are out of order."""

_CONFIRM_AGAIN = 600.0
"""Seconds in which a hub that did not hear our answer may ask once more."""

_LONGEST_QUERY = 16_384  # judgement: characters; a topic and a challenge take far less
_REMEMBERED = 10_000  # judgement: pushes known, so that none is taken twice
_METHODS = {"sha1": hashlib.sha1, "sha256": hashlib.sha256, "sha384": hashlib.sha384, "sha512": hashlib.sha512}
_is_challenge = re.compile(r"[+\-./0-9=A-Z_a-z]{1,1024}").fullmatch
_NOTHING = b""

Answer = tuple[int, bytes]


class Push(msgspec.Struct, frozen=True):
    """What a hub brought, signed as agreed; the headers are not signed, so they say only how to read the body."""

    topic: str
    at: float
    media: str
    coding: str
    body: bytes


class HubDoor:
    """Answers hubs. `take` is given each push and says False when there is no room for it now."""

    def __init__(
        self,
        subscriptions: Subscriptions,
        take: Callable[[Push], bool],
        emit: Emit,
        clock: Callable[[], float],
        *,
        remembered: int = _REMEMBERED,
    ) -> None:
        self._remembered = remembered
        self._subscriptions = subscriptions
        self._take = take
        self._emit = emit
        self._clock = clock
        self._taken: OrderedDict[bytes, None] = OrderedDict()

    def answer(self, method: str, query: str, headers: Iterable[tuple[str, str]], body: bytes) -> Answer:
        """Status and body for a request; call it in the thread of the loop that `Subscriber.run` is in."""
        try:
            fields = dict(reversed(parse_qsl(query[: _LONGEST_QUERY + 1], keep_blank_values=True, max_num_fields=50)))
        except ValueError:
            return 400, b"too many parameters"
        if len(query) > _LONGEST_QUERY:
            return 414, b"the query is too long"
        subscription = self._subscriptions.get(fields.get("key", ""))
        if method == "GET":
            return self._confirm(subscription, fields) if subscription else (404, _NOTHING)
        if method == "POST":
            known = subscription is not None and subscription.state in (SubscriptionState.ACTIVE, SubscriptionState.ENDING)
            return self._receive(subscription, headers, body) if subscription and known else (410, _NOTHING)
        return 405, _NOTHING

    def _confirm(self, subscription: Subscription, fields: Mapping[str, str]) -> Answer:
        """Sections 5.2 and 5.3: yes to what we asked for lately, no to all else."""
        if fields.get("hub.topic") != subscription.topic:
            return 404, _NOTHING
        mode, challenge = fields.get("hub.mode", ""), fields.get("hub.challenge", "")
        if mode == "denied":
            return self._deny(subscription, fields.get("hub.reason", ""))
        wanted = "unsubscribe" if subscription.state is SubscriptionState.ENDING else "subscribe"
        if mode != wanted or subscription.state.over or self._clock() > subscription.confirm_until:
            return 404, _NOTHING
        if not _is_challenge(challenge):
            return 400, b"a challenge has letters, digits and +-./=_"
        if mode == "unsubscribe":
            self._subscriptions.remove(subscription.key)
        else:
            self._activate(subscription, _seconds(fields.get("hub.lease_seconds", "")))
        return 200, challenge.encode()

    def _activate(self, subscription: Subscription, lease: float) -> None:
        now = self._clock()
        changes = {"due": now + _RENEW_AFTER * lease, "until": now + lease, "tries": 0, "cause": ""}
        confirm_until = min(subscription.confirm_until, now + _CONFIRM_AGAIN)
        self._put(subscription, state=SubscriptionState.ACTIVE, confirm_until=confirm_until, **changes)

    def _deny(self, subscription: Subscription, reason: str) -> Answer:
        if subscription.state is SubscriptionState.ENDING:
            self._subscriptions.remove(subscription.key)
            return 200, _NOTHING
        cause = "".join(letter for letter in reason[:200] if letter.isprintable()) or "the hub gives no reason"
        self._put(subscription, state=SubscriptionState.DENIED, cause=cause, due=self._clock() + OVER_FOR)
        self._emit(Warned(message=f"the hub {subscription.hub} denies {subscription.topic}: {cause}"))
        return 200, _NOTHING

    def _put(self, subscription: Subscription, **changes: object) -> None:
        self._subscriptions.put(msgspec.structs.replace(subscription, **changes))

    def _receive(self, subscription: Subscription, headers: Iterable[tuple[str, str]], body: bytes) -> Answer:
        """Section 7: who signs wrongly hears the same as who signs well, and is not listened to."""
        if len(body) > BODY_LIMIT:
            return 413, _NOTHING
        named = {name.lower(): value for name, value in headers}
        if not is_signed(body, subscription.secret, named.get("x-hub-signature", "")):
            self._emit(Refused(url=subscription.topic, cause="a push without the agreed signature"))
            return 202, _NOTHING
        mark = hashlib.blake2b(body, digest_size=16, key=subscription.secret[:64].encode()).digest()
        if mark in self._taken:
            return 202, _NOTHING
        push = Push(subscription.topic, self._clock(), named.get("content-type", ""), named.get("content-encoding", ""), body)
        if not self._take(push):
            return 503, b"come back later"
        self._taken[mark] = None
        if len(self._taken) > self._remembered:
            self._taken.popitem(last=False)
        return 202, _NOTHING


def is_signed(body: bytes, secret: str, signature: str) -> bool:
    """Whether a signature ("sha256=HEX") is the one of a body; takes as long when it is nearly right."""
    name, _, digits = signature.strip().partition("=")
    method = _METHODS.get(name.lower())
    if method is None or not digits.isascii():
        return False
    expected = hmac.new(secret.encode(), body, method).hexdigest()
    return hmac.compare_digest(expected, digits.strip().lower())


def _seconds(text: str) -> float:
    """The lease that a hub grants, kept within reason."""
    number = int(text) if text.isascii() and text.isdigit() and len(text) <= 12 else LEASE
    return min(max(float(number), SHORTEST_LEASE), LONGEST_LEASE)
