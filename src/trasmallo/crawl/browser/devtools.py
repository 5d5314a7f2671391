"""Client of the DevTools protocol over two pipes: no port that anybody else could reach, and no package.

A message is JSON and ends with a zero octet. Commands are answered in any order; events go to whoever listens to their session.
"""

from __future__ import annotations

import asyncio
import itertools
import os
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from trasmallo.values.decodable import UNDECODABLE

Params = Mapping[str, Any]
"""Named values as the protocol defines them for a command or event: a foreign format, so not a struct of ours."""

Listen = Callable[[str, Params], None]

_CHUNK = 1 << 16  # as large as a pipe
_MOST_BYTES = 100_000_000
"""Octets of one message. Judgement: a page's tree in JSON; a browser that says more is no longer believed."""


class BrowserGone(Exception):
    """The browser ended, or says what nobody can read."""


class CommandRefused(Exception):
    """The browser answered a command with an error."""


class DevTools:
    """One browser as its commands and events; `reading` and `writing` are the ends of pipes, which it closes."""

    def __init__(self, reading: int, writing: int) -> None:
        self._reading, self._writing = reading, writing
        self._numbers = itertools.count(1)
        self._waiting: dict[int, asyncio.Future[Params]] = {}
        self._listeners: dict[str, Listen] = {}
        self._pending = bytearray()
        self._outgoing = bytearray()
        self._loop = asyncio.get_running_loop()
        self.gone: asyncio.Future[None] = self._loop.create_future()
        os.set_blocking(reading, False)
        os.set_blocking(writing, False)
        self._loop.add_reader(reading, self._receive)

    async def ask(self, method: str, params: Params | None = None, session: str = "") -> Params:
        """The answer to a command; raises BrowserGone or CommandRefused."""
        number = self.tell(method, params, session)
        answer: asyncio.Future[Params] = self._loop.create_future()
        self._waiting[number] = answer
        try:
            return await answer
        finally:
            self._waiting.pop(number, None)

    def tell(self, method: str, params: Params | None = None, session: str = "") -> int:
        """Send a command whose answer nobody waits for; gives its number."""
        if self.gone.done():
            raise BrowserGone
        number = next(self._numbers)
        message: dict[str, Any] = {"id": number, "method": method, "params": params or {}}
        if session:
            message["sessionId"] = session
        self._outgoing += msgspec.json.encode(message) + b"\0"
        self._send()
        return number

    def listen(self, session: str, hear: Listen) -> None:
        """Have events of a session told ("" for those of the browser itself)."""
        self._listeners[session] = hear

    def forget(self, session: str) -> None:
        """Nobody listens to a session any more."""
        self._listeners.pop(session, None)

    def close(self) -> None:
        """Close the pipes; whoever waits hears that the browser is gone."""
        if not self.gone.done():
            self.gone.set_result(None)
            self._loop.remove_reader(self._reading)
            self._loop.remove_writer(self._writing)
            os.close(self._reading)
            os.close(self._writing)
            for answer in self._waiting.values():
                if not answer.done():
                    answer.set_exception(BrowserGone())

    def _send(self) -> None:
        try:
            while self._outgoing:
                del self._outgoing[: os.write(self._writing, self._outgoing[:_CHUNK])]
            self._loop.remove_writer(self._writing)
        except BlockingIOError:
            self._loop.add_writer(self._writing, self._send)
        except OSError:
            self.close()

    def _receive(self) -> None:
        try:
            octets = os.read(self._reading, _CHUNK)
        except BlockingIOError:
            return
        except OSError:
            octets = b""
        self._pending += octets
        if not octets or len(self._pending) > _MOST_BYTES:
            self.close()
            return
        if b"\0" in octets:
            *messages, rest = self._pending.split(b"\0")
            self._pending = bytearray(rest)
            for message in messages:
                self._hear(bytes(message))

    def _hear(self, octets: bytes) -> None:
        try:
            message = msgspec.json.decode(octets, type=dict[str, Any])
        except UNDECODABLE:
            self.close()
            return
        if "id" not in message:
            if listener := self._listeners.get(message.get("sessionId", "")):
                listener(message.get("method", ""), message.get("params", {}))
        elif (answer := self._waiting.get(message["id"])) and not answer.done():
            if "error" in message:
                answer.set_exception(CommandRefused(str(message["error"].get("message", ""))))
            else:
                answer.set_result(message.get("result", {}))
