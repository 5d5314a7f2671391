"""Whether this machine has a network at all: without one, no server is to blame that cannot be had."""

from __future__ import annotations

import socket

WITNESS = "a.root-servers.net"
"""A name that the DNS has as long as there is one; asked for only when another was not found, to tell whose fault it is."""

_ROOTS = ((socket.AF_INET, "198.41.0.4"), (socket.AF_INET6, "2001:503:ba3e::2:30"))
"""Addresses of the witness, public for as long as there are such."""

_NEVER_PUBLIC = (".invalid", ".test", ".example", ".localhost", ".local", ".internal", ".home.arpa", ".onion")
"""Names that the public DNS never has (RFC 6761, 6762, 7686, 8375), so that only this network can know them."""


def may_be_public(host: str) -> bool:
    """Whether the public DNS could know a name."""
    name = "." + host.rstrip(".").lower()
    return name.count(".") > 1 and not name.endswith(_NEVER_PUBLIC)


def has_route() -> bool:
    """Whether there is a way out of this machine, as its routes say; nothing is sent."""
    return any(_has_way(family, address) for family, address in _ROOTS)


def _has_way(family: socket.AddressFamily, address: str) -> bool:
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((address, 53))
    except OSError:
        return False
    return True
