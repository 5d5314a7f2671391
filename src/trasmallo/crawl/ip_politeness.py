"""Politeness by IP address: many hosts may be one machine, and requests to it are spread, whatever the names."""

from __future__ import annotations

_MOST_HOSTS = 100_000
"""Hosts whose address is remembered, about 250 bytes each; beyond that all are forgotten and learned again."""


class IpPoliteness:
    """When each machine may be asked again, by the address that its hosts answered from."""

    def __init__(self, rest: float) -> None:
        self._rest = rest
        self._address_of: dict[str, str] = {}
        self._free_at: dict[str, float] = {}

    def free_at(self, host: str) -> float:
        """When the machine of a host may be asked, 0 for at once."""
        return self._free_at.get(self._address_of.get(host, ""), 0.0)

    def ask(self, host: str, now: float) -> None:
        """A request goes out to a host."""
        if self._rest and (address := self._address_of.get(host)):
            self._free_at[address] = now + self._rest

    def learn(self, host: str, address: str, now: float) -> None:
        """An answer came from an address, "" when a proxy hides it."""
        if not self._rest or not address:
            return
        if len(self._address_of) >= _MOST_HOSTS:
            self._address_of.clear()
            self._free_at.clear()
        self._address_of[host] = address
        self._free_at[address] = now + self._rest
