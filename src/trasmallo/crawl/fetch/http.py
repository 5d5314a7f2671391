"""Connections that are kept, and the one clock that watches them all.

A request is a future that its connection resolves from callbacks: no task, no stream, no timer of its own. Every quarter of a
second one timer compares the deadlines of all connections (`RequestLimits.tick`); only the rare opening of one has its own.
"""

from __future__ import annotations

import asyncio
import errno
import os
import ssl
from collections.abc import Callable
from typing import cast

from trasmallo.crawl.fetch.http1 import ResponseParser
from trasmallo.crawl.fetch.misfortune import Misfortune
from trasmallo.crawl.fetch.network import has_route
from trasmallo.crawl.fetch.request_limits import RequestLimits
from trasmallo.values.errors import ProjectError
from trasmallo.values.model import Outcome

Progress = Callable[[int, int], None]
"""Called with the bytes of the body so far and the promised ones, 0 when the server promised nothing."""


_OLD_TLS = frozenset(("UNSUPPORTED_PROTOCOL", "TLSV1_ALERT_PROTOCOL_VERSION", "WRONG_SSL_VERSION", "NO_PROTOCOLS_AVAILABLE"))
"""What OpenSSL says when both sides know TLS and no version of it together; Python asks for 1.2 at least."""
_NO_TLS = frozenset(("WRONG_VERSION_NUMBER", "HTTP_REQUEST", "PACKET_LENGTH_TOO_LONG", "RECORD_LAYER_FAILURE"))
"""What it says when the first octets of the answer are no record of TLS."""

_NO_WAY = frozenset((errno.ENETUNREACH, errno.ENETDOWN, errno.EADDRNOTAVAIL))
"""What a machine without a network says of every address; of one only where it lacks a family of addresses."""

_STOPPED = 5.0
"""Seconds. Judgement: a loop that stood still so long was stopped (SIGSTOP, a laptop that slept), not busy."""


class Unanswered(Misfortune):
    """The connection ended before the first byte: on a kept connection the server had only grown tired of waiting."""


def explain(error: BaseException, is_online: Callable[[], bool] = has_route) -> Misfortune:
    """What an error of a socket means for the document; raises what is no document's misfortune.

    `is_online` tells whether this machine has a network, for whose lack no server is to blame.
    """
    if isinstance(error, Misfortune):
        return error
    if isinstance(error, ssl.SSLCertVerificationError):
        return Misfortune(Outcome.TLS, error.verify_message.rstrip("."))
    if isinstance(error, ssl.SSLError):
        return Misfortune(Outcome.TLS, _of_handshake(getattr(error, "reason", None) or "the handshake failed"))
    if not isinstance(error, OSError):
        raise error
    if error.errno in (errno.EMFILE, errno.ENFILE):
        raise ProjectError("too many files and connections are open", "use fewer lines or raise the limit with ulimit -n")
    if isinstance(error, TimeoutError):
        return Misfortune(Outcome.TIMED_OUT, "no connection")
    cause = os.strerror(error.errno).lower() if error.errno else "the connection was closed while opening"
    if error.errno in _NO_WAY and not is_online():
        return Misfortune(Outcome.NO_NETWORK, cause)
    return Misfortune(Outcome.UNREACHABLE, cause)


def _of_handshake(reason: str) -> str:
    """What OpenSSL's name for a failure means, in words."""
    if reason in _OLD_TLS:
        return "the server speaks only versions of TLS that are no longer safe"
    if reason in _NO_TLS:
        return "the server speaks no TLS at this port"
    return reason.lower().replace("_", " ")


class Connection(asyncio.Protocol):
    """One connection to a server or proxy; it carries one request at a time and belongs to a `Pool` all its life."""

    __slots__ = (
        "_answer",
        "_first_at",
        "_pool",
        "_progress",
        "_sent_at",
        "_transport",
        "_until",
        "_waiter",
        "address",
        "heard_at",
        "key",
    )

    def __init__(self, pool: Pool, key: str, address: str) -> None:
        self._pool = pool
        self._transport: asyncio.Transport | None = None
        self._answer: ResponseParser | None = None
        self._waiter: asyncio.Future[None] | None = None
        self._progress: Progress | None = None
        self._sent_at = self._first_at = self._until = self.heard_at = 0.0
        self.key = key
        self.address = address

    @property
    def transport(self) -> asyncio.Transport | None:
        """The open transport, None when there is none any more."""
        return self._transport

    @transport.setter
    def transport(self, transport: asyncio.Transport) -> None:
        """Go on over another transport: TLS inside a tunnel."""
        self._transport = transport

    async def ask(self, request: bytes, answer: ResponseParser, until: float, progress: Progress | None = None) -> None:
        """Send a request and wait until `answer` is whole; raises `Misfortune`. `until` is the loop's time that ends it all."""
        if self._transport is None:
            raise Unanswered(Outcome.BROKEN, "the connection was closed")
        loop = self._pool.loop
        self._answer = answer
        self._progress = progress
        self._sent_at = self.heard_at = loop.time()
        self._until = until
        self._waiter = waiter = loop.create_future()
        self._transport.write(request)
        try:
            await waiter
        except BaseException:
            self._answer = None
            self.drop()
            raise

    def drop(self) -> None:
        """Close at once, without waiting for the other side."""
        if self._transport is not None:
            self._transport.abort()

    def forgive(self, seconds: float) -> None:
        """Let time not count in which this process did not live."""
        self._sent_at += seconds
        self._first_at += seconds
        self._until += seconds
        self.heard_at += seconds

    def look(self, now: float) -> None:
        """End the request if one of its deadlines has passed; close an idle connection that nobody wanted."""
        answer, limits = self._answer, self._pool.limits
        if answer is None:
            if now - self.heard_at > limits.keep_idle and self._pool.is_idle(self):
                self.drop()
            return
        if now > self._until:
            self._fail(Misfortune(Outcome.TIMED_OUT, f"not finished within {limits.total:g} s"))
        elif not answer.received:
            if now - self._sent_at > limits.first_byte:
                self._fail(Misfortune(Outcome.TIMED_OUT, f"no answer within {limits.first_byte:g} s"))
        elif now - self.heard_at > limits.idle:
            self._fail(Misfortune(Outcome.TIMED_OUT, f"silent for {limits.idle:g} s within the answer"))
        elif now - self._first_at > limits.grace and answer.received < limits.slowest * (now - self._first_at):
            self._fail(Misfortune(Outcome.TIMED_OUT, f"slower than {limits.slowest:g} bytes a second"))

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Called by asyncio."""
        # uvloop's transports are not asyncio's, only alike.
        self._transport = cast(asyncio.Transport, transport)
        self._pool.add(self)

    def data_received(self, data: bytes) -> None:
        """Called by asyncio."""
        answer = self._answer
        if answer is None:
            self.drop()  # nobody asked
            return
        self.heard_at = self._pool.loop.time()
        if not answer.received:
            self._first_at = self.heard_at
        try:
            whole = answer.feed(data)
        except Misfortune as misfortune:
            self._fail(misfortune)
            return
        if self._progress is not None and answer.status >= 200:
            self._progress(answer.loaded, answer.expected)
        if whole:
            self._succeed()

    def connection_lost(self, error: Exception | None) -> None:
        """Called by asyncio, once, whoever closed."""
        self._transport = None
        self._pool.remove(self)
        answer = self._answer
        if answer is None:
            return
        try:
            self._judge_end(answer, error)
        except Exception as problem:
            self._fail(problem)
        else:
            self._succeed()

    def _judge_end(self, answer: ResponseParser, error: Exception | None) -> None:
        if isinstance(error, ssl.SSLError) or (error is not None and not isinstance(error, OSError)):
            raise explain(error)
        if not answer.received:
            raise Unanswered(Outcome.BROKEN, "the connection was closed without an answer")
        if error is not None:
            raise Misfortune(Outcome.BROKEN, f"the connection broke after {answer.received} bytes")
        answer.end()

    def _succeed(self) -> None:
        self._answer = self._progress = None
        assert self._waiter is not None
        if not self._waiter.done():
            self._waiter.set_result(None)

    def _fail(self, problem: Exception) -> None:
        self._answer = self._progress = None
        assert self._waiter is not None
        if not self._waiter.done():
            self._waiter.set_exception(problem)
        self.drop()


class Pool:
    """All connections of a fetcher, idle ones by host key: at most `limits.most_idle`, those that waited longest go first."""

    def __init__(self, limits: RequestLimits) -> None:
        self.limits = limits
        self._all: set[Connection] = set()
        self._idle: dict[str, list[Connection]] = {}
        self._idle_count = 0
        self._timer: asyncio.TimerHandle | None = None
        self._due = 0.0
        self._late = False
        self._emptied: asyncio.Future[None] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    @property
    def loop(self) -> asyncio.AbstractEventLoop:
        """The loop of the first request; a pool lives in one."""
        if self._loop is None:
            self._loop = asyncio.get_running_loop()
        return self._loop

    async def open(self, key: str, address: str, port: int, tls: ssl.SSLContext | None, name: str) -> Connection:
        """Connect to an address, with TLS for `name` when a context is given; raises OSError."""
        connection = Connection(self, key, address)
        try:
            await self.loop.create_connection(lambda: connection, address, port, ssl=tls, server_hostname=name if tls else None)
        except BaseException:
            connection.drop()
            raise
        return connection

    async def secure(self, connection: Connection, tls: ssl.SSLContext, name: str) -> None:
        """Start TLS for `name` inside an open connection; raises OSError."""
        inner = connection.transport
        if inner is None:
            raise ConnectionResetError
        outer = await self.loop.start_tls(inner, connection, tls, server_hostname=name)
        if outer is None:
            raise ConnectionResetError
        connection.transport = outer

    def take(self, key: str) -> Connection | None:
        """An idle connection for a host key, the one used last, or None."""
        waiting = self._idle.get(key)
        if waiting is None:
            return None
        connection = waiting.pop()
        self._idle_count -= 1
        if not waiting:
            del self._idle[key]
        return connection

    def give(self, connection: Connection) -> None:
        """Keep a connection whose answer is whole for the next request."""
        if connection.transport is None:
            return
        if self._idle_count >= self.limits.most_idle:
            oldest = self._idle[next(iter(self._idle))][0]
            self._forget(oldest)
            oldest.drop()
        self._idle.setdefault(connection.key, []).append(connection)
        self._idle_count += 1

    def is_idle(self, connection: Connection) -> bool:
        """Whether nobody uses a connection."""
        return connection in self._idle.get(connection.key, ())

    def add(self, connection: Connection) -> None:
        """Watch a connection until `remove`."""
        self._all.add(connection)
        if self._timer is None:
            self._start_timer()

    def remove(self, connection: Connection) -> None:
        """A connection is closed."""
        self._forget(connection)
        self._all.discard(connection)
        if not self._all and self._emptied is not None and not self._emptied.done():
            self._emptied.set_result(None)

    async def close(self) -> None:
        """Close every connection and wait until the sockets are; requests still open end as broken."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._all:
            self._emptied = self.loop.create_future()
            for connection in list(self._all):
                connection.drop()
            await asyncio.wait((self._emptied,), timeout=1.0)

    def _forget(self, connection: Connection) -> None:
        waiting = self._idle.get(connection.key, [])
        if connection in waiting:
            waiting.remove(connection)
            self._idle_count -= 1
            if not waiting:
                del self._idle[connection.key]

    def _look(self) -> None:
        now = self.loop.time()
        # A loop that was busy elsewhere has not yet read what came in time; once it has, the next look is fair.
        self._late = not self._late and now - self._due > self.limits.tick
        if now - self._due > _STOPPED:
            for connection in self._all:
                connection.forgive(now - self._due)
        if not self._late:
            for connection in list(self._all):
                connection.look(now)
        self._timer = None
        if self._all:
            self._start_timer()

    def _start_timer(self) -> None:
        self._due = self.loop.time() + self.limits.tick
        self._timer = self.loop.call_at(self._due, self._look)
