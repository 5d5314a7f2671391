"""Places on private networks that somebody named: a host, a port of one, the hosts of a domain, or a network."""

from __future__ import annotations

import re
from ipaddress import ip_network

import msgspec

from trasmallo.values.errors import UrlError
from trasmallo.values.urls import canonical, host_key

_HOST_AND_PORT = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[^][:/?#@\s*\\]+)(?::([0-9]{1,5}))?").fullmatch


class PrivatePlace(msgspec.Struct, frozen=True):
    """A host ("intranet.example", "*.intranet.example", "::1") on a port, 0 for any, or a network ("10.0.0.0/8").

    With `addresses` the host may be asked at these alone.
    """

    host: str = ""
    port: int = 0
    network: str = ""
    addresses: tuple[str, ...] = ()


def read_place(text: str) -> PrivatePlace | None:
    """The place that a text names ("host", "host:port", "*.domain", "10.0.0.0/8", "[::1]:8080"); None when it names none."""
    if "/" in text:
        return _read_network(text)
    wild = text.startswith("*.")
    name = text.removeprefix("*.")
    if not wild and name.count(":") > 1 and not name.startswith("["):
        name = f"[{name}]"
    found = _split(name)
    if found is None or (wild and (found[0].startswith("[") or found[0].rpartition(".")[2].isdigit())):
        return None
    host, port = found
    return PrivatePlace(host=("*." if wild else "") + host.strip("[]"), port=port)


def place_of(url: str) -> PrivatePlace:
    """The host and port of a canonical URL."""
    scheme, _, name = host_key(url).partition("://")
    host, colon, port = name.rpartition(":")
    if colon and port.isdigit():
        return PrivatePlace(host=host.strip("[]"), port=int(port))
    return PrivatePlace(host=name.strip("[]"), port=443 if scheme == "https" else 80)


def _read_network(text: str) -> PrivatePlace | None:
    try:
        network = ip_network(text, strict=False)
    except ValueError:
        return None
    # All addresses there are is no place, and was hardly meant.
    return PrivatePlace(network=str(network)) if network.prefixlen else None


def _split(name: str) -> tuple[str, int] | None:
    """Host in brackets and port, 0 without one; the host as URLs have it, so that no spelling differs."""
    found = _HOST_AND_PORT(name)
    if found is None or (found[2] and not 0 < int(found[2]) < 65_536):
        return None
    try:
        key = host_key(canonical(f"http://{found[1]}/"))
    except UrlError:
        return None
    return key.removeprefix("http://"), int(found[2] or 0)
