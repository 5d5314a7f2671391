"""What is known of feeds and of their entries, as families of the catalog: a dated value a visit, and one a version.

All of it can be made again from the stored feeds. A value is small (some 300 bytes), and found by the address of the feed or of
the entry's document, so that a visit costs what it brings and not what is known.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

import msgspec

from trasmallo.store.catalog import Catalog
from trasmallo.values.decodable import decodable

_FEEDS, _VISIT, _CLAIMS = "feeds", "visit", "claims"
_ENTRIES, _ENTRY = "entries", "entry"


class FeedState(msgspec.Struct, frozen=True, kw_only=True):
    """A feed after a visit: when it was asked for, when it is next and why, and what it has brought so far.

    `entries` are those of the last visit and `new` those of them that no visit had brought before; `visits` and `found` count
    all visits and all entries, `first` the entries of the first visit. `hub` and `topic` are what WebSub offers, or "".
    `run` is the run that made the visit.
    """

    title: str = ""
    kind: str = ""
    entries: int = 0
    new: int = 0
    visits: int = 0
    found: int = 0
    first: int = 0
    asked: float = 0.0
    due: float = 0.0
    reason: str = ""
    hub: str = ""
    topic: str = ""
    run: str = ""

    @property
    def new_per_visit(self) -> float | None:
        """New entries a visit after the first, which brings what was there before; None until there was a second."""
        return (self.found - self.first) / (self.visits - 1) if self.visits > 1 else None


class FeedClaims(msgspec.Struct, frozen=True, kw_only=True):
    """What a version of a feed says of pages and of itself, so that one that did not change need not be read again.

    `digest` is that of the version. It is to be asked for `wait` seconds after a visit, for a `reason`, outside hours and days
    (UTC, Monday is 0) that it excludes. `dates` are addresses of its entries' pages and when each was written or changed.
    """

    digest: str
    wait: float
    reason: str
    skip_hours: tuple[int, ...] = ()
    skip_days: tuple[int, ...] = ()
    dates: tuple[tuple[str, float], ...] = ()


class EntryState(msgspec.Struct, frozen=True, kw_only=True):
    """An entry as a feed last told it; `at` is when, `digest` and `size` are those of what it says.

    `page` is the address of the page it leads to, where that was obtained; "" as long as it was not. `run` is the run that was
    told so.
    """

    feed: str
    id: str = ""
    title: str = ""
    author: str = ""
    published: float | None = None
    updated: float | None = None
    digest: str = ""
    size: int = 0
    at: float = 0.0
    own_page: bool = True
    page: str = ""
    run: str = ""


class FeedStates:
    """The states in a catalog, which must be open for writing to put some."""

    def __init__(self, catalog: Catalog) -> None:
        self._feeds, self._entries = catalog.family(_FEEDS), catalog.family(_ENTRIES)
        self._encode = msgspec.json.Encoder().encode
        self._feed = msgspec.json.Decoder(decodable(FeedState)).decode
        self._entry = msgspec.json.Decoder(decodable(EntryState)).decode
        self._claims = msgspec.json.Decoder(decodable(FeedClaims)).decode

    def feed(self, url: str, until: float = math.inf) -> FeedState | None:
        """A feed after its last visit up to a time, None before the first."""
        value = self._feeds.get(url, _VISIT, None if until == math.inf else until)
        return self._feed(value) if value is not None else None

    def put_feed(self, url: str, state: FeedState) -> None:
        """Keep what a visit showed."""
        self._feeds.put(url, _VISIT, self._encode(state), state.asked)

    def claims(self, url: str, digest: str) -> FeedClaims | None:
        """What a feed says whose newest version has a digest, None when that one was not read."""
        value = self._feeds.get(url, _CLAIMS)
        claims = self._claims(value) if value is not None else None
        return claims if claims is not None and claims.digest == digest else None

    def put_claims(self, url: str, claims: FeedClaims) -> None:
        """Keep what the newest version of a feed says, in the place of what an older one said."""
        self._feeds.put(url, _CLAIMS, self._encode(claims))

    def feeds(self, until: float = math.inf) -> Iterator[tuple[str, FeedState]]:
        """All feeds that were visited up to a time, by address."""
        for url, _ in self._feeds.scan():
            state = self.feed(url, until)
            if state is not None:
                yield url, state

    def entry(self, url: str, until: float = math.inf) -> EntryState | None:
        """The entry whose document has an address, as it was at a time; None when there was none."""
        value = self._entries.get(url, _ENTRY, None if until == math.inf else until)
        return self._entry(value) if value is not None else None

    def put_entries(self, entries: Iterable[tuple[str, EntryState]]) -> None:
        """Keep entries, all or none."""
        self._entries.put_dated((url, _ENTRY, self._encode(state), state.at) for url, state in entries)

    def entries(self, until: float = math.inf) -> Iterator[tuple[str, EntryState]]:
        """All entries that were known at a time, in the order of their addresses."""
        for url, columns in self._entries.scan():
            newest = self._entry(columns[_ENTRY])
            state = newest if newest.at <= until else self.entry(url, until)
            if state is not None:
                yield url, state
