"""Targets that are lent: which lease holds which, and how many leases each host has."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence

from trasmallo.crawl.frontier.interface import Lease, LeaseLost, Result
from trasmallo.crawl.frontier.queues import Taken


class LentTargets:
    """The open leases by their tokens, each with the number of its host and what it was lent."""

    def __init__(self) -> None:
        self._leases: dict[int, tuple[int, list[Taken]]] = {}
        self._hosts: Counter[int] = Counter()
        self._tokens = itertools.count(1)

    def __len__(self) -> int:
        return len(self._leases)

    def __contains__(self, token: int) -> bool:
        return token in self._leases

    def __iter__(self) -> Iterator[tuple[int, list[Taken]]]:
        return iter(self._leases.values())

    @property
    def hosts(self) -> list[int]:
        """The numbers of hosts that have a lease, each once."""
        return list(self._hosts)

    def add(self, host: int, items: list[Taken]) -> int:
        """The token of a new lease."""
        token = next(self._tokens)
        self._leases[token] = host, items
        self._hosts[host] += 1
        return token

    def of_host(self, host: int) -> int:
        """How many leases a host has."""
        return self._hosts[host]

    def match(self, lease: Lease, results: Sequence[Result]) -> tuple[int, list[Taken], list[Taken]]:
        """The lease's host, the items of the results in their order, and the items without a result.

        Raises LeaseLost when it has ended, ValueError for results of other URLs.
        """
        host, items = self._leases.get(lease.token, (-1, []))
        rest = {item[1].url: item for item in items}
        asked = [rest.pop(result.url) for result in results if result.url in rest]
        if host < 0:
            raise LeaseLost(f"lease {lease.token} of {lease.host} has ended")
        if len(asked) < len(results):
            raise ValueError(f"lease {lease.token} of {lease.host} does not hold these URLs")
        return host, asked, list(rest.values())

    def end(self, token: int) -> None:
        """Forget a lease."""
        host, _ = self._leases.pop(token)
        self._hosts[host] -= 1
        if not self._hosts[host]:
            del self._hosts[host]
