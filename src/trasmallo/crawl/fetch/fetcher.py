"""Ask for one URL and bring a value, whatever the server does.

    fetcher = Fetcher("examplebot/1.0 (+https://example.org/bot)")
    answer = await fetcher.get("https://example.org/")

Redirects are answers, cookies are not kept, and only public addresses are asked unless told otherwise (`permissions`).
Behind a proxy, the proxy asks the DNS: hosts that are private by their name alone are still refused.
"""

from __future__ import annotations

import asyncio
import re
import ssl
import time
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from types import MappingProxyType

import msgspec

from trasmallo.crawl.fetch.addresses import Addresses, Permits, Resolver, is_local_name, is_private
from trasmallo.crawl.fetch.attempts import first_open
from trasmallo.crawl.fetch.http import Connection, Pool, Progress, Unanswered, explain
from trasmallo.crawl.fetch.http1 import ResponseParser
from trasmallo.crawl.fetch.misfortune import Misfortune
from trasmallo.crawl.fetch.permissions import Permissions
from trasmallo.crawl.fetch.proxies import Proxies, Proxy
from trasmallo.crawl.fetch.request_limits import RequestLimits
from trasmallo.values.content_encodings import Bomb, decode
from trasmallo.values.errors import ConfigError
from trasmallo.values.model import Failure, Outcome, Response
from trasmallo.values.private_places import PrivatePlace

__all__ = ["Fetcher", "RequestLimits"]

_NO_HEADERS: Mapping[str, str] = MappingProxyType({})
_ORIGIN = re.compile(r"(https?)://(?:[^@/?#]*@)?(\[[0-9a-f:.]+\]|[^\[\]:@/?#]+)(?::([0-9]{1,10}))?").fullmatch
_VISIBLE = re.compile(r"[!-~]+").fullmatch
_TOKEN = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+").fullmatch
_FIELD_VALUE = re.compile(r"[\t -~\x80-\xff]*").fullmatch
_REPEATABLE = frozenset(("GET", "HEAD", "OPTIONS"))
_ACCEPT = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
_CODINGS = "gzip, deflate, br, zstd"
_MOST_ATTEMPTS = 4
"""Addresses of one host that are tried. Judgement: two of each family."""


_WITNESS_SECONDS = 3.0
"""Seconds for a name that always exists, when another took too long. Judgement: name servers have it, and answer at once."""


class _Origin(msgspec.Struct, frozen=True):
    """Scheme, host and port of a URL; `netloc` as the Host header has it, `host` without brackets."""

    scheme: str
    host: str
    port: int
    netloc: str


class _Request(msgspec.Struct, frozen=True):
    """One request, ready to be sent: `head` as it is recorded, `sent` with its body and what only the proxy may see.

    `from_public` when a public page led to it, so that nothing private may be asked.
    """

    origin: _Origin
    method: str
    head: bytes
    sent: bytes
    proxy: Proxy | None
    until: float
    from_public: bool


@lru_cache(maxsize=4096)
def _read_origin(text: str) -> _Origin:
    found = _ORIGIN(text)
    if found is None or not _VISIBLE(text):
        raise Misfortune(Outcome.NO_HOST, "not the address of a web page")
    scheme, host, digits = found[1], found[2], found[3]
    port = int(digits) if digits else 443 if scheme == "https" else 80
    if not 0 < port < 65_536:
        raise Misfortune(Outcome.UNREACHABLE, f"port {port} does not exist")
    return _Origin(scheme, host.strip("[]").lower(), port, f"{host}:{digits}" if digits else host)


def _split(url: str) -> tuple[_Origin, str]:
    """Origin and request target of a canonical URL."""
    end = url.find("/", 8)
    if end < 0:
        end = min((at for at in (url.find("?", 8), url.find("#", 8)) if at >= 0), default=len(url))
    target = url[end:].partition("#")[0]
    if not target.startswith("/"):
        target = "/" + target
    if not _VISIBLE(target):
        raise Misfortune(Outcome.NO_HOST, "characters that no address may have")
    return _read_origin(url[:end]), target


def _write_fields(fields: Mapping[str, str]) -> str:
    if not all(map(_is_token, fields)) or not _FIELD_VALUE("".join(fields.values())):
        raise Misfortune(Outcome.BROKEN, "characters in the request's headers that no header may have")
    return "".join([f"{name}: {value}\r\n" for name, value in fields.items()])


@lru_cache(maxsize=64)
def _is_token(name: str) -> bool:
    """Whether a header may have a name: the same few are sent with every request."""
    return _TOKEN(name) is not None


@lru_cache(maxsize=64)
def _lower(names: tuple[str, ...]) -> frozenset[str]:
    """Names of headers in lower case: the same few are sent with every request."""
    return frozenset(name.lower() for name in names)


def _shown(host: str) -> str:
    """A host within a cause; what nobody would take for one (localhost, fd00::1) is quoted."""
    return host if "." in host and ":" not in host else f"'{host}'"


def _permit(_address: str) -> bool:
    """The user's own proxy may be anywhere."""
    return True


class Fetcher:
    """Fetches over kept connections, in one event loop; close it at the end.

    `agent` is the User-Agent as sent. `private` names the places on private or loopback addresses that may be asked
    (`permissions`). `resolver` replaces the system's DNS, `clock` gives the time that answers are stamped with.
    """

    def __init__(
        self,
        agent: str,
        *,
        limits: RequestLimits = RequestLimits(),  # noqa: B008 - frozen
        private: Iterable[PrivatePlace] = (),
        verify: bool = True,
        resolver: Resolver | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        if not agent or not _FIELD_VALUE(agent):
            raise ConfigError(
                "the agent has characters that a header cannot carry", "write `agent` in plain letters on one line"
            )
        self._defaults = {"User-Agent": agent, "Accept": _ACCEPT, "Accept-Encoding": _CODINGS}
        self._usual_fields = _write_fields(self._defaults)
        self._names = frozenset(name.lower() for name in self._defaults)
        self.agent = agent
        self._limits = limits
        self._permissions = Permissions(private)
        self._addresses = Addresses(resolver)
        self._proxies = Proxies()
        self._pool = Pool(limits)
        self._verify = verify
        self._tls: ssl.SSLContext | None = None
        self._clock = clock

    async def get(
        self,
        url: str,
        *,
        method: str = "GET",
        headers: Mapping[str, str] = _NO_HEADERS,
        body: bytes = b"",
        progress: Progress | None = None,
        from_public: bool = False,
    ) -> Response | Failure:
        """Ask for one URL, once; a redirect is an answer like any other.

        `headers` are added to ours or replace them; `body` is what a POST sends. `progress` is called while the body comes with
        the bytes so far and the promised ones (0 when unknown). With `from_public`, because a public page leads there, nothing
        private is asked. The answer's `address` is "" when a proxy was asked.
        """
        at = self._clock()
        try:
            request = self._prepare(url, method, headers, body, from_public=from_public)
            connection, answer, at = await self._send(request, progress)
            received = answer.body
            content = decode(received, answer.coding, self._limits.body_bytes) if answer.coding else received
        except Misfortune as misfortune:
            return Failure(url, at, misfortune.outcome, misfortune.cause)
        except Bomb:
            return Failure(url, at, Outcome.TOO_LARGE, f"more than {self._limits.body_bytes} bytes when decompressed")
        address = "" if request.proxy else connection.address
        return Response(
            url=url,
            at=at,
            status=answer.status,
            reason=answer.reason,
            headers=answer.headers,
            body=received,
            content=content,
            request=request.head,
            address=address,
        )

    async def close(self) -> None:
        """Close all connections; requests that are still open end as broken."""
        await self._pool.close()
        await self._addresses.close()

    def _prepare(self, url: str, method: str, headers: Mapping[str, str], body: bytes, *, from_public: bool) -> _Request:
        origin, target = _split(url)
        proxy = self._proxies.find(origin.scheme, origin.host)
        secret = b""
        if proxy is not None:
            self._judge_by_name(origin, from_public=from_public)
            if origin.scheme == "http":
                target = f"http://{origin.netloc}{target}"
                secret = proxy.credentials
        if body:
            headers = {**headers, "Content-Length": str(len(body))}
        head = self._write_head(method, target, origin.netloc, headers)
        until = self._pool.loop.time() + self._limits.total
        sent = head[:-2] + secret + b"\r\n" if secret else head
        return _Request(
            origin=origin,
            method=method,
            head=head,
            sent=sent + body if body else sent,
            proxy=proxy,
            until=until,
            from_public=from_public,
        )

    def _judge_by_name(self, origin: _Origin, *, from_public: bool) -> None:
        """Refuse what is private by its name alone: a proxy asks the DNS itself, and connects to whatever it hears."""
        named = self._permissions.names(origin.host, origin.port)
        if (named and from_public) or (not named and is_local_name(origin.host)):
            raise self._refusal(origin, "", from_public=from_public)

    def _refusal(self, origin: _Origin, address: str, *, from_public: bool) -> Misfortune:
        """Why a private address is not asked; `address` is "" when only the name is known."""
        host, shown, place = origin.host, _shown(origin.host), _shown(address or origin.host)
        if from_public and self._permissions.names(host, origin.port):
            return Misfortune(Outcome.PRIVATE, f"a public page leads to the private address {place}")
        if self._permissions.names_some_port(host) and not self._permissions.names(host, origin.port):
            return Misfortune(Outcome.PRIVATE, f"port {origin.port} of the private address {shown} is not named in `private`")
        if address in ("", host):
            return Misfortune(Outcome.PRIVATE, f"{shown} is a private address")
        return Misfortune(Outcome.PRIVATE, f"{shown} is at the private address {place}")

    def _write_head(self, method: str, target: str, netloc: str, headers: Mapping[str, str]) -> bytes:
        """The request's head; nothing in it can end a line before its time."""
        if not _TOKEN(method):
            raise Misfortune(Outcome.BROKEN, "the request's method is none")
        fields = self._usual_fields
        if headers:
            named = _lower(tuple(headers))
            if named.isdisjoint(self._names):
                fields += _write_fields(headers)
            else:
                others = {name: value for name, value in self._defaults.items() if name.lower() not in named}
                fields = _write_fields(others | dict(headers))
        return f"{method} {target} HTTP/1.1\r\nHost: {netloc}\r\n{fields}\r\n".encode("latin-1")

    async def _send(self, request: _Request, progress: Progress | None) -> tuple[Connection, ResponseParser, float]:
        origin = request.origin
        key = f"{origin.scheme}://{origin.netloc}"
        connection = self._pool.take(key)
        if connection is not None:
            if request.from_public and request.proxy is None and is_private(connection.address):
                self._pool.give(connection)
                raise self._refusal(origin, connection.address, from_public=True)
            try:
                return await self._exchange(connection, request, progress)
            except Unanswered:
                if request.method not in _REPEATABLE:
                    raise
        connection = await self._connect(key, request)
        return await self._exchange(connection, request, progress)

    async def _exchange(
        self, connection: Connection, request: _Request, progress: Progress | None
    ) -> tuple[Connection, ResponseParser, float]:
        answer = ResponseParser(self._limits, bodiless=request.method == "HEAD")
        at = self._clock()
        await connection.ask(request.sent, answer, request.until, progress)
        if answer.reusable:
            self._pool.give(connection)
        else:
            connection.drop()
        return connection, answer, at

    async def _connect(self, key: str, request: _Request) -> Connection:
        """Open a connection to the host, or through its proxy; the whole has `limits.connect` seconds."""
        try:
            async with asyncio.timeout(self._limits.connect):
                if request.proxy is None:
                    return await self._connect_directly(key, request)
                return await self._connect_through(key, request.origin, request.proxy, request.until)
        except OSError as error:
            misfortune = explain(error)
        raise await self._timed_out(request) if misfortune.outcome is Outcome.TIMED_OUT else misfortune

    async def _timed_out(self, request: _Request) -> Misfortune:
        """Why a connection was not open in time: who looks up names may answer nobody, which is no server's fault."""
        host, seconds = request.origin.host, f"within {self._limits.connect:g} s"
        if request.proxy is not None or not self._addresses.awaits(host):
            return Misfortune(Outcome.TIMED_OUT, f"no connection {seconds}")
        outcome = Outcome.TIMED_OUT if await self._addresses.finds_others(host, _WITNESS_SECONDS) else Outcome.NO_NETWORK
        return Misfortune(outcome, f"the address of {host} was not found {seconds}")

    async def _connect_directly(self, key: str, request: _Request) -> Connection:
        origin, from_public = request.origin, request.from_public
        tls = self._context() if origin.scheme == "https" else None

        def permits(address: str) -> bool:
            return not from_public and self._permissions.permits(origin.host, origin.port, address)

        connection = await self._try_addresses(permits, key, origin.host, origin.port, tls)
        if connection is None:
            addresses = await self._addresses.find_all(origin.host)
            raise self._refusal(origin, addresses[0], from_public=from_public)
        return connection

    async def _connect_through(self, key: str, origin: _Origin, proxy: Proxy, until: float) -> Connection:
        connection = await self._try_addresses(_permit, key, proxy.host, proxy.port, None)
        assert connection is not None
        if origin.scheme == "http":
            return connection
        try:
            await self._tunnel(connection, origin, proxy, until)
        except BaseException:
            connection.drop()
            raise
        return connection

    async def _tunnel(self, connection: Connection, origin: _Origin, proxy: Proxy, until: float) -> None:
        """Ask the proxy for a way to the host (RFC 9110, section 9.3.6), then speak TLS with the host itself."""
        place = f"[{origin.host}]:{origin.port}" if ":" in origin.host else f"{origin.host}:{origin.port}"
        head = f"CONNECT {place} HTTP/1.1\r\nHost: {place}\r\n".encode("latin-1") + proxy.credentials + b"\r\n"
        answer = ResponseParser(self._limits, bodiless=True)
        await connection.ask(head, answer, until)
        if not 200 <= answer.status < 300:
            raise Misfortune(Outcome.UNREACHABLE, f"the proxy says {answer.status} {answer.reason}".rstrip())
        await self._pool.secure(connection, self._context(), origin.host.rstrip("."))

    async def _try_addresses(
        self, permits: Permits, key: str, host: str, port: int, tls: ssl.SSLContext | None
    ) -> Connection | None:
        """A connection to the first address that takes one; None when the host has none that may be asked."""
        found = (await self._addresses.find(host, permits))[:_MOST_ATTEMPTS]
        if not found:
            return None
        connection = await first_open(found, lambda address: self._pool.open(key, address, port, tls, host.rstrip(".")))
        self._addresses.prefer(host, connection.address)
        return connection

    def _context(self) -> ssl.SSLContext:
        """Made at the first need: reading the certificates of the system takes 20 ms."""
        if self._tls is None:
            self._tls = ssl.create_default_context()
            self._tls.minimum_version = ssl.TLSVersion.TLSv1_2  # RFC 8996: the older ones are not safe; a system may allow them
            self._tls.set_alpn_protocols(["http/1.1"])
            if not self._verify:
                self._tls.check_hostname = False
                self._tls.verify_mode = ssl.CERT_NONE
        return self._tls
