"""Targets as the tables of a shared crawl hold them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec
import xxhash

from trasmallo.values.decodable import decodable
from trasmallo.values.model import Reached, Target
from trasmallo.values.urls import host_hash, host_key

_HALF = 1 << 63  # by definition: the sign of 64 bits
_encode = msgspec.msgpack.Encoder().encode
_decode_targets = msgspec.msgpack.Decoder(decodable(list[Target])).decode
_decode = msgspec.msgpack.Decoder(decodable(tuple[str, int, bool, str, Reached])).decode


class Entry(NamedTuple):
    """A target in the queue: its key there, and how often it was asked for before."""

    priority: int
    depth: int
    seq: int
    attempts: int
    target: Target


class Share(NamedTuple):
    """The part of all hosts that a server has: those whose hash leaves `number` when divided by the servers there are."""

    number: int = 0
    of: int = 1

    def server_of(self, url: str) -> int:
        """The number of the server that has the host of a URL."""
        return host_number(host_key(url)) % self.of

    def parted(self, targets: Sequence[Target]) -> dict[int, list[Target]]:
        """Targets by the servers that have their hosts."""
        if self.of == 1:
            return {self.number: list(targets)} if targets else {}
        found: dict[int, list[Target]] = {}
        for target in targets:
            found.setdefault(self.server_of(target.url), []).append(target)
        return found


ALL = Share()


class TargetColumns(NamedTuple):
    """Targets as columns, in their order, each URL once."""

    hosts: list[int]
    names: list[str]
    digests: list[int]
    priorities: list[int]
    depths: list[int]
    urls: list[str]
    abouts: list[bytes]


def signed(number: int) -> int:
    """64 bits as PostgreSQL's bigint has them."""
    return number - (number & _HALF) * 2


def host_number(name: str) -> int:
    """The key of a host."""
    return signed(host_hash(name))


def digest_of(url: str) -> int:
    """The key of a URL in the seen set: exact up to collisions of 64 bits, as in the embedded frontier."""
    return signed(xxhash.xxh3_64_intdigest(url.encode()))


def pack_targets(targets: Sequence[Target]) -> bytes:
    """Targets as one value."""
    return _encode(targets)


def unpack_targets(packed: bytes) -> list[Target]:
    """The targets of one value."""
    return _decode_targets(packed)


def about(target: Target) -> bytes:
    """What is kept of a target beside its URL, depth and priority."""
    return _encode((target.via, target.hops, target.from_public, target.seed, target.reached))


def target_of(url: str, depth: int, priority: int, packed: bytes) -> Target:
    """The target that was put into columns."""
    via, hops, from_public, seed, reached = _decode(packed)
    return Target(url, depth, priority, via, hops, from_public, seed, reached)


def columns_of(targets: Sequence[Target]) -> TargetColumns:
    """Targets as columns, the first of each URL."""
    first: dict[str, Target] = {}
    for target in targets:
        first.setdefault(target.url, target)
    chosen = list(first.values())
    names = [host_key(target.url) for target in chosen]
    return TargetColumns(
        hosts=[host_number(name) for name in names],
        names=names,
        digests=[digest_of(target.url) for target in chosen],
        priorities=[target.priority for target in chosen],
        depths=[target.depth for target in chosen],
        urls=[target.url for target in chosen],
        abouts=[about(target) for target in chosen],
    )


def without(columns: TargetColumns, known: set[int]) -> TargetColumns:
    """The columns without the digests that are known."""
    if not known:
        return columns
    left = [number for number, digest in enumerate(columns.digests) if digest not in known]
    return TargetColumns(*([column[number] for number in left] for column in columns))  # type: ignore[arg-type]
