"""Looking into the queue of a crawl: which addresses wait, and how many of them some exclusions would drop."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from trasmallo.config import CrawlConfig
from trasmallo.crawl.frontier import Frontier
from trasmallo.crawl.scope import Scope
from trasmallo.values.model import Target

_MOST_READ = 500_000
"""Addresses that are looked at, 2 µs each: longer would keep a crawl that runs from its work."""

_MOST_OF_HOST = 10_000


class Wanted(msgspec.Struct, frozen=True):
    """What is looked for: addresses that contain a text, of a host alone, or those that exclusions would drop."""

    text: str = ""
    host: str = ""
    exclude: tuple[str, ...] = ()
    limit: int = 200


class Waiting(msgspec.Struct, frozen=True):
    """An address that waits, how far it is from a seed, and the page on which it was found."""

    url: str
    depth: int = 0
    via: str = ""


class Seen(msgspec.Struct, frozen=True):
    """What was found: the first addresses, how many match, of how many that were read, and whether those were all."""

    found: tuple[Waiting, ...] = ()
    matching: int = 0
    read: int = 0
    complete: bool = True

    def __add__(self, other: Seen) -> Seen:
        """What two shares of a queue hold."""
        found = (*self.found, *other.found)
        return Seen(found, self.matching + other.matching, self.read + other.read, self.complete and other.complete)


class _Enough(Exception):
    """More was read than a person wants to wait for."""


def search(frontier: Frontier, wanted: Wanted) -> Seen:
    """Look through a queue: of one host in its order, or of all in none."""
    found: list[Waiting] = []
    counts = [0, 0]
    belongs = _matcher(wanted)

    def look(url: str, target: Target | None = None) -> bool:
        if counts[1] >= _MOST_READ:
            raise _Enough
        counts[1] += 1
        if belongs(url):
            counts[0] += 1
            if len(found) < wanted.limit:
                found.append(Waiting(url, target.depth, target.via) if target else Waiting(url))
        return False

    complete = True
    try:
        if wanted.host:
            queue = frontier.pending(wanted.host, _MOST_OF_HOST)
            complete = len(queue) < _MOST_OF_HOST
            for target in queue:
                look(target.url, target)
        else:
            frontier.discard(look, count_only=True)
    except _Enough:
        complete = False
    return Seen(tuple(found), counts[0], counts[1], complete)


def _matcher(wanted: Wanted) -> Callable[[str], bool]:
    text = wanted.text.lower()
    scope = Scope(CrawlConfig(scope="any", exclude=wanted.exclude)) if wanted.exclude else None
    return lambda url: text in url.lower() and (scope is None or bool(scope.refuses(url)))
