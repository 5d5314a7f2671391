"""The subscriptions of a crawl, kept in a file that survives the death of its writer.

The file holds a JSON object for each change of a subscription, the last one counts, and a JSON string for one that is gone.
It is written anew when it is opened and when most of it is history. Only its owner may read it: secrets are in it.
One program at a time uses it.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

import msgspec

from trasmallo.values.atomic_files import drafted
from trasmallo.values.decodable import UNDECODABLE, decodable
from trasmallo.values.errors import disk_errors

FILE = "subscriptions.jsonl"
"""What the file of a project is called."""

MOST_SUBSCRIPTIONS = 10_000
"""About 1 kB of memory each."""

_HISTORY = 1_000
"""Lines that may be history beside as many as there are subscriptions."""


class SubscriptionState(StrEnum):
    """Where a subscription stands. Those that are over are kept for a while, so that nobody asks again at once."""

    ASKED = "asked for"
    ACTIVE = "active"
    ENDING = "being ended"
    DENIED = "denied"
    FAILED = "failed"

    @property
    def over(self) -> bool:
        """Whether nothing is expected of it any more."""
        return self in (SubscriptionState.DENIED, SubscriptionState.FAILED)


class Subscription(msgspec.Struct, frozen=True, omit_defaults=True):
    """A topic at a hub. `key` is what makes its callback unguessable, `secret` what pushes are signed with.

    `due` is when the hub is to be asked next, or after an end the first time it may be asked again; `until` is the end of the
    lease; until `confirm_until` the hub may ask whether we meant it; `tries` counts askings since the hub last did.
    """

    key: str
    topic: str
    hub: str
    secret: str
    state: SubscriptionState = SubscriptionState.ASKED
    due: float = 0.0
    until: float = 0.0
    confirm_until: float = 0.0
    tries: int = 0
    cause: str = ""


class Subscriptions:
    """All of them, by key and by topic: `with Subscriptions(path) as subscriptions`."""

    def __init__(self, path: Path, most: int = MOST_SUBSCRIPTIONS, *, history: int = _HISTORY) -> None:
        self._history = history
        self._path = path
        self._most = most
        self._by_key: dict[str, Subscription] = {}
        self._by_topic: dict[str, str] = {}
        self._encode = msgspec.json.Encoder().encode
        self._lines = 0
        self._read()
        self._file: BinaryIO = self._rewritten()

    def __enter__(self) -> Subscriptions:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._file.close()

    def __len__(self) -> int:
        return len(self._by_key)

    def __iter__(self) -> Iterator[Subscription]:
        return iter(list(self._by_key.values()))

    def get(self, key: str) -> Subscription | None:
        """The subscription with a key."""
        return self._by_key.get(key)

    def of_topic(self, topic: str) -> Subscription | None:
        """The subscription to a topic."""
        return self._by_key.get(self._by_topic.get(topic, ""))

    def add(self, topic: str, hub: str, due: float) -> Subscription | None:
        """A new subscription, with a key and a secret nobody can guess; None when there are too many that live."""
        if len(self._by_key) >= self._most and not self._drop_one():
            return None
        subscription = Subscription(secrets.token_urlsafe(32), topic, hub, secrets.token_hex(32), due=due)
        self.put(subscription)
        return subscription

    def put(self, subscription: Subscription) -> None:
        """Keep the new state of a subscription; afterwards it survives the death of the program."""
        self._learn(subscription)
        self._append(self._encode(subscription))

    def remove(self, key: str) -> None:
        """Forget a subscription."""
        if key in self._by_key:
            self._forget(key)
            self._append(self._encode(key))

    def _drop_one(self) -> bool:
        """Make room by forgetting the first that is over."""
        key = next((one.key for one in self._by_key.values() if one.state.over), None)
        if key is not None:
            self.remove(key)
        return key is not None

    def _learn(self, subscription: Subscription) -> None:
        self._by_key[subscription.key] = subscription
        self._by_topic[subscription.topic] = subscription.key

    def _forget(self, key: str) -> None:
        subscription = self._by_key.pop(key, None)
        if subscription is not None:
            self._by_topic.pop(subscription.topic, None)

    def _append(self, line: bytes) -> None:
        with disk_errors(self._path):
            self._file.write(line + b"\n")
        self._lines += 1
        if self._lines > 2 * len(self._by_key) + self._history:
            self._file.close()
            self._file = self._rewritten()

    def _read(self) -> None:
        for subscription in read_subscriptions(self._path):
            self._learn(subscription)

    def _rewritten(self) -> BinaryIO:
        """The file without its history, open for more."""
        with drafted(self._path) as draft:
            file = os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND, 0o600), "wb", buffering=0)
            file.write(b"".join(self._encode(one) + b"\n" for one in self._by_key.values()))
            os.fsync(file.fileno())
        self._lines = len(self._by_key)
        return file


def read_subscriptions(path: Path) -> list[Subscription]:
    """The subscriptions in a file, also while their owner writes it; a torn line is passed over."""
    if not path.exists():
        return []
    decode, found = msgspec.json.Decoder(decodable(Subscription | str)).decode, dict[str, Subscription]()
    with disk_errors(path), path.open("rb") as file:
        for line in file:
            with suppress(*UNDECODABLE):
                change = decode(line)
                if isinstance(change, str):
                    found.pop(change, None)
                else:
                    found[change.key] = change
    return list(found.values())
