"""Links that the frontier was offered already, as the pages of a host write them.

Three of four links of a page stand on an earlier page of its host. Who remembers them need not resolve, judge and offer them
again; forgetting them costs time only, so hosts that were not in turn for long are forgotten.
"""

from __future__ import annotations

from collections import OrderedDict

_MOST_LINKS = 200_000
_MOST_OF_A_HOST = 20_000


class Offered:
    """What is remembered: at most `most` links of all hosts beside those of the leases on the way, about 130 bytes each."""

    def __init__(self, most: int = _MOST_LINKS) -> None:
        self._most = most
        self._hosts: OrderedDict[str, set[str]] = OrderedDict()
        self._counted: dict[str, int] = {}
        self._total = 0

    def of(self, host: str) -> set[str]:
        """The links of a host, to be looked up and added to; what is added counts from the host's next turn on."""
        known = self._hosts.setdefault(host, set())
        self._hosts.move_to_end(host)
        if len(known) > _MOST_OF_A_HOST:
            known.clear()
        self._total += len(known) - self._counted.get(host, 0)
        self._counted[host] = len(known)
        while self._total > self._most and len(self._hosts) > 1:
            self._total -= self._counted.pop(self._hosts.popitem(last=False)[0])
        return known

    def forget(self) -> None:
        """Remember nothing: what was refused may be wanted now."""
        for known in self._hosts.values():
            known.clear()
