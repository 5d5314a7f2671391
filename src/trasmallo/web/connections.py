"""Connections of the app: who has not shown the token holds none for long, and gives way to who has.

A connection is a stranger's until a request on it brings the token. A stranger's ends after some seconds, whatever it sends or
reads, so that half-sent requests and slow readers hold nothing; when there are too many of one client or of all, the oldest go
at once. A connection that is known ends when an unfinished request says nothing for a while; between requests uvicorn's own
time-out counts. So nobody without the token can keep the app from whoever has it. What is no request is refused without a word
in the log, which strangers would fill.
"""

from __future__ import annotations

import asyncio
import logging
from itertools import chain
from typing import Any

import msgspec
from starlette.requests import HTTPConnection
from uvicorn.protocols.http.h11_impl import H11Protocol

from trasmallo.web.guard import AppDoor

_SETTLING = 0.05
"""Seconds after which strangers are counted: a request that came with its connection has been read by then. Judgement."""

_log = logging.getLogger("uvicorn.error.connections")
# uvicorn warns of each request that it cannot read. It sets the levels of its loggers anew, and leaves their filters.
_log.addFilter(lambda record: record.levelno >= logging.ERROR)


class ConnectionLimits(msgspec.Struct, frozen=True):
    """What connections may take: seconds of a stranger's, seconds of silence within a request, strangers of a client and all.

    Judgement: an honest request without the token takes milliseconds; 400 leave room for files among the usual 1,024.
    """

    stranger_seconds: float = 10.0
    silent_seconds: float = 30.0
    strangers_of_client: int = 200
    strangers: int = 400


class Strangers:
    """The open connections that have not shown the token, oldest first; one for all connections of an app."""

    def __init__(self, door: AppDoor, limits: ConnectionLimits | None = None) -> None:
        self.door = door
        self.limits = limits or ConnectionLimits()
        self._open: dict[GuardedConnection, None] = {}

    def __len__(self) -> int:
        return len(self._open)

    def add(self, connection: GuardedConnection) -> None:
        """Another one; the oldest may have to go."""
        self._open[connection] = None
        if len(self._open) > self.limits.strangers_of_client:
            connection.loop.call_later(_SETTLING, self.thin)

    def discard(self, connection: GuardedConnection) -> None:
        """One of them has shown the token, or has gone."""
        self._open.pop(connection, None)

    def thin(self) -> None:
        """Close the oldest beyond the limits."""
        of_client: dict[str, list[GuardedConnection]] = {}
        for connection in self._open:
            of_client.setdefault(connection.client[0] if connection.client else "", []).append(connection)
        for connection in list(chain(*(many[: -self.limits.strangers_of_client] for many in of_client.values()))):
            connection.end()
        for connection in list(self._open)[: -self.limits.strangers]:
            connection.end()


class GuardedConnection(H11Protocol):
    """One connection; uvicorn makes it with its own arguments, `strangers` are those of the app."""

    def __init__(self, *given: Any, strangers: Strangers, **named: Any) -> None:
        super().__init__(*given, **named)
        self.logger = _log
        self._strangers = strangers
        self._is_known = False
        self._timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin as a stranger."""
        super().connection_made(transport)
        self._end_after(self._strangers.limits.stranger_seconds)
        self._strangers.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """Let go."""
        self._stop_timer()
        self._strangers.discard(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take in a piece of a request, and see who sends it."""
        super().data_received(data)
        if not self._is_known and self.scope is not None and self._strangers.door.knows(HTTPConnection(dict(self.scope))):
            self._is_known = True
            self._strangers.discard(self)
        if self._is_known:
            self._stop_timer()
            if self._is_half_said():
                self._end_after(self._strangers.limits.silent_seconds)

    def _is_half_said(self) -> bool:
        """Whether a request has begun that is not all there: of the last whole one the answer has not ended yet."""
        return self.cycle is None or self.cycle.response_complete or self.cycle.more_body

    def end(self) -> None:
        """Close at once; what was not sent is lost."""
        self._strangers.discard(self)
        self.transport.abort()

    def _end_after(self, seconds: float) -> None:
        self._timer = self.loop.call_later(seconds, self.end)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
