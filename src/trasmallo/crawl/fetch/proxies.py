"""Proxies as the environment names them: HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY, in capitals or not."""

from __future__ import annotations

import base64
from urllib.parse import unquote, urlsplit

import msgspec

from trasmallo.crawl.fetch.addresses import is_loopback
from trasmallo.values.errors import ConfigError


class Proxy(msgspec.Struct, frozen=True):
    """Where a proxy listens; `credentials` is the header line that names us to it, or empty."""

    host: str
    port: int
    credentials: bytes = b""


def read_proxy(name: str, value: str) -> Proxy:
    """The proxy that an environment variable names; raises ConfigError when it is none of ours."""
    parts = urlsplit(value if "://" in value else f"http://{value}")
    try:
        port = parts.port or 80
    except ValueError:
        port = 0
    if parts.scheme != "http" or not parts.hostname or not port:
        # Without the value: it may hold a password.
        raise ConfigError(
            "{name} names no proxy that trasmallo can use", "write it as http://host:port, or unset it", name=name
        )
    if parts.username is None:
        return Proxy(parts.hostname, port)
    pair = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
    return Proxy(parts.hostname, port, b"Proxy-Authorization: Basic " + base64.b64encode(pair.encode()) + b"\r\n")


class Proxies:
    """Which proxy to take for which host. This machine itself is never asked through a proxy, as in browsers."""

    def __init__(self) -> None:
        # Imported here because it is slow to import and few who import this module fetch.
        from urllib.request import getproxies, proxy_bypass

        named = getproxies()
        self._bypass = proxy_bypass
        self._proxies: dict[str, Proxy] = {}
        for scheme in ("http", "https"):
            source = scheme if scheme in named else "all"
            if source in named:
                self._proxies[scheme] = read_proxy(f"{source.upper()}_PROXY", named[source])

    def find(self, scheme: str, host: str) -> Proxy | None:
        """The proxy for a host, None to connect directly."""
        proxy = self._proxies.get(scheme)
        if proxy is None or is_loopback(host) or self._bypass(host):
            return None
        return proxy
