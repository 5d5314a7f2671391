"""Which private addresses may be asked: a private seed's own host and port, and what the key `private` names.

What a public page leads to may never be private, whatever is named: whoever writes that page is not whom the user trusts.
A name that is permitted leads to no link-local, multicast or metadata address: those must be written as addresses.
"""

from __future__ import annotations

from collections.abc import Iterable
from ipaddress import ip_address, ip_network

from trasmallo.crawl.fetch.addresses import embedded, is_for_machines, is_local_name, is_private
from trasmallo.values.private_places import PrivatePlace, place_of, read_place


class Permissions:
    """Places on private networks that may be asked; none at all when it is made of nothing."""

    def __init__(self, places: Iterable[PrivatePlace] = ()) -> None:
        places = list(places)
        self._networks = [ip_network(place.network) for place in places if place.network]
        self._wild = [place for place in places if place.host.startswith("*.")]
        self._exact: dict[str, list[PrivatePlace]] = {}
        for place in places:
            if place.host and not place.host.startswith("*."):
                self._exact.setdefault(place.host, []).append(place)

    def __bool__(self) -> bool:
        return bool(self._exact or self._wild or self._networks)

    def permits(self, host: str, port: int, address: str) -> bool:
        """Whether a host may be asked on a port at a private address."""
        plain = address.partition("%")[0]
        return any(_covers(place, host, plain) for place in self._named(host, port)) or self._has_in_network(plain)

    def names(self, host: str, port: int) -> bool:
        """Whether a host is permitted on a port as far as can be told without asking the DNS."""
        if any(True for _ in self._named(host, port)):
            return True
        return bool(self._networks) and _is_address(host) and self._has_in_network(host)

    def names_some_port(self, host: str) -> bool:
        """Whether a host is permitted on one port or another."""
        return host in self._exact or any(host.endswith(place.host[1:]) for place in self._wild)

    def leads_in(self, url: str) -> bool:
        """Whether a canonical URL is at a place that is named."""
        place = place_of(url)
        return self.names(place.host, place.port)

    def is_public(self, url: str, address: str) -> bool:
        """Whether a page that came from an address is public; behind a proxy, which hides that, its name decides."""
        if _is_address(address.partition("%")[0]):
            return not is_private(address)
        place = place_of(url)
        return not (is_local_name(place.host) or self.names(place.host, place.port))

    def _named(self, host: str, port: int) -> Iterable[PrivatePlace]:
        places = [*self._exact.get(host, ()), *(place for place in self._wild if host.endswith(place.host[1:]))]
        return (place for place in places if place.port in (0, port))

    def _has_in_network(self, address: str) -> bool:
        if not self._networks:
            return False
        plain = ip_address(address)
        inner = embedded(plain)
        return any(plain in network or (inner is not None and inner in network) for network in self._networks)


def places(*texts: str) -> tuple[PrivatePlace, ...]:
    """The places that texts name, as the key `private` has them; those that name none are left out."""
    return tuple(place for text in texts if (place := read_place(text)) is not None)


def _covers(place: PrivatePlace, host: str, address: str) -> bool:
    if place.addresses and address not in place.addresses:
        return False
    return _is_address(host) or not is_for_machines(address)


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True
