"""Types whose description is whole before anybody decodes by it.

msgspec describes a struct to itself when it is first decoded, and hands out a description that is still being written: two
threads that meet there end the process (a read of address 0 in 0.22). So the description is asked for under one lock here.
"""

from __future__ import annotations

import threading
from typing import Any, TypeVar, overload

import msgspec

UNDECODABLE = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
"""What decoding octets may raise: msgspec tells of those that are no UTF-8, and of values in values in values, by errors that
are none of its own."""

_T = TypeVar("_T")
_lock = threading.RLock()
_described: set[object] = set()


@overload
def decodable(kind: type[_T]) -> type[_T]: ...
@overload
def decodable(kind: object) -> Any: ...
def decodable(kind: object) -> object:
    """The same type, safe to decode by from now on in any thread."""
    if kind not in _described:
        with _lock:
            msgspec.msgpack.Decoder(kind)
            _described.add(kind)
    return kind
