"""Cache of links that the frontier was offered already, as pages write them.

Three of four links of a page stand on an earlier page of its host, and most others on pages of other hosts. Who remembers them
need not resolve, judge and offer them again; forgetting them costs time only, so that little is remembered.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable

from trasmallo.crawl.discover import Known

_MOST_LINKS = 200_000
"""At 130 bytes each about 25 MB."""

_MOST_OF_A_HOST = 20_000
"""Judgement: a tenth of all, so that no host drives out the others."""


class LinkCache:
    """Cache of at most `most` links of the hosts that were in turn last, and as many written in full on any host.

    A link takes about 130 bytes. Those of a host may be remembered as soon as they are found, because a host is lent once at a
    time; those that other hosts rely on only when they are safe in the frontier (`settled`).
    """

    def __init__(self, most: int = _MOST_LINKS) -> None:
        self._most = most
        self._hosts: OrderedDict[str, set[str]] = OrderedDict()
        self._counted: dict[str, int] = {}
        self._total = 0
        self._anywhere: set[str] = set()

    def of(self, host: str) -> Known:
        """What is known on the pages of a host."""
        return Known(self._of(host), self._anywhere)

    def found(self, host: str, written: Iterable[str]) -> None:
        """Remember links for the pages of their host."""
        self._of(host).update(written)

    def settled(self, written: Iterable[str]) -> None:
        """Remember links for all pages: what they lead to is in the frontier for good."""
        if len(self._anywhere) >= self._most:
            self._anywhere.clear()
        self._anywhere.update([link for link in written if link[0] != "/"])

    def forget(self) -> None:
        """Remember nothing: what was refused may be wanted now."""
        for links in (*self._hosts.values(), self._anywhere):
            links.clear()

    def _of(self, host: str) -> set[str]:
        known = self._hosts.setdefault(host, set())
        self._hosts.move_to_end(host)
        if len(known) > _MOST_OF_A_HOST:
            known.clear()
        self._total += len(known) - self._counted.get(host, 0)
        self._counted[host] = len(known)
        while self._total > self._most and len(self._hosts) > 1:
            self._total -= self._counted.pop(self._hosts.popitem(last=False)[0])
        return known
