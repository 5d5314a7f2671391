"""JSON files of ours with a digest of themselves: a flipped byte that still is JSON is noticed, too."""

from __future__ import annotations

from typing import TypeVar

import msgspec
import xxhash

from trasmallo.values.decodable import decodable

_KEY = "digest"

Value = TypeVar("Value", bound=msgspec.Struct)


def encode_sealed(value: msgspec.Struct) -> bytes:
    """A struct as JSON that begins with the digest of the rest."""
    members = msgspec.to_builtins(value)
    return msgspec.json.encode({_KEY: _digest(members), **members})


def decode_sealed(content: bytes, kind: type[Value]) -> Value:
    """The struct in such a file, also in one that was written before there were digests; raises msgspec.DecodeError."""
    try:
        members = msgspec.json.decode(content, type=dict[str, object])
    except (UnicodeDecodeError, RecursionError) as error:
        raise msgspec.DecodeError(str(error)) from error
    stated = members.pop(_KEY, None)
    if stated is not None and stated != _digest(members):
        raise msgspec.DecodeError("its digest differs")
    return msgspec.convert(members, decodable(kind), str_keys=True)


def _digest(members: dict[str, object]) -> str:
    return xxhash.xxh3_64_hexdigest(msgspec.json.encode(members))
