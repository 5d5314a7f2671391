"""What a worker knows of a host and hands over with its lease: its robots.txt, its troubles, and what it has brought.

Several workers may hold a host one after the other; none asks for the rules again that another has read today, and none begins
anew with a host that asked to be left alone.
"""

from __future__ import annotations

from contextlib import suppress

import msgspec
import xxhash

from trasmallo.crawl.crawl_limits import HostLimits
from trasmallo.crawl.host_rests import HostRests
from trasmallo.values.decodable import UNDECODABLE, decodable
from trasmallo.values.model import Response

_MOST_RULES = 64_000
"""Bytes of a robots.txt that travel. Judgement: nearly all are shorter; a longer one is asked for by each worker."""

_MOST_HOSTS = 20_000  # as many as rules are kept of


class _Rules(msgspec.Struct, frozen=True, array_like=True):
    """The last answer on the way to a host's rules."""

    at: float
    status: int
    content: bytes
    address: str


class _Known(msgspec.Struct, frozen=True, array_like=True):
    rules: _Rules | None = None
    rests: tuple[int, int] = (0, 0)
    use: tuple[int, int] = (0, 0)


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(decodable(_Known)).decode


class HostMemory:
    """What this worker knows of hosts, as bytes for the next one."""

    def __init__(self) -> None:
        self._rules: dict[str, _Rules] = {}
        self._brought: set[str] = set()
        self._handed: dict[str, int] = {}

    def note_rules(self, host: str, answer: Response) -> None:
        """An answer on the way to the rules of a host has come."""
        if len(answer.content) <= _MOST_RULES:
            self._keep(host, _Rules(answer.at, answer.status, answer.content, answer.address))

    def recall_rules(self, host: str) -> Response | None:
        """The answer that another worker saw, once."""
        if host not in self._brought or host not in self._rules:
            return None
        self._brought.discard(host)
        rules = self._rules[host]
        return Response(
            url=host + "/robots.txt",
            at=rules.at,
            status=rules.status,
            reason="",
            headers=(),
            body=rules.content,
            content=rules.content,
            address=rules.address,
        )

    def restore(self, host: str, state: bytes, rests: HostRests, limits: HostLimits) -> None:
        """Take over what another worker knew."""
        with suppress(*UNDECODABLE):  # of another version: then it is learned anew
            known = _decode(state)
            if known.rules is not None:
                self._keep(host, known.rules)
                self._brought.add(host)
            rests.restore(host, *known.rests)
            limits.restore_use(host, *known.use)
            self._handed[host] = xxhash.xxh3_64_intdigest(state)

    def pack(self, host: str, rests: HostRests, limits: HostLimits) -> bytes:
        """What the next worker is to know; b"" when that is what it was told before."""
        known = _Known(self._rules.get(host), rests.standing(host), limits.use(host))
        state = _encode(known)
        digest = xxhash.xxh3_64_intdigest(state)
        if self._handed.get(host) == digest:
            return b""
        if len(self._handed) >= _MOST_HOSTS:
            self._handed.clear()
        self._handed[host] = digest
        return state

    def _keep(self, host: str, rules: _Rules) -> None:
        if len(self._rules) >= _MOST_HOSTS:
            oldest = next(iter(self._rules))
            del self._rules[oldest]
            self._brought.discard(oldest)
        self._rules[host] = rules
