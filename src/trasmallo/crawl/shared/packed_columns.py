"""Columns as PostgreSQL reads them in binary: a batch of a thousand targets has some of seven thousand values.

The client's own way to write lists looks at each value by itself: 10 µs for a target with all its columns where this takes 3,
and the server reads numbers that are numbers faster than their digits.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import psycopg


class Packed:
    """A column, packed."""

    def __init__(self, data: bytes) -> None:
        self.data = data


class Int8s(Packed):
    """Numbers of 64 bits."""


class Int4s(Packed):
    """Numbers of 32 bits."""


class Floats(Packed):
    """Numbers of eight bytes with a point."""


class Texts(Packed):
    """Texts, or None."""


class Bytes(Packed):
    """Bytes, or None."""


class _Kind(NamedTuple):
    """The numbers of an array's type and of its elements' type in PostgreSQL's catalog, and what packs the elements."""

    array: int
    element: int
    pack: Callable[[Sequence[Any]], bytes]


def _fixed(code: str, size: int) -> Callable[[Sequence[Any]], bytes]:
    def pack(values: Sequence[Any]) -> bytes:
        flat = [size] * (2 * len(values))
        flat[1::2] = values
        return struct.pack("!" + f"i{code}" * len(values), *flat)

    return pack


def _varying(values: Sequence[bytes | None]) -> bytes:
    parts: list[bytes] = []
    for value in values:
        parts += (b"\xff\xff\xff\xff",) if value is None else (len(value).to_bytes(4, "big"), value)
    return b"".join(parts)


def _texts(values: Sequence[str | None]) -> bytes:
    return _varying([None if value is None else value.encode() for value in values])


_KINDS: dict[type[Packed], _Kind] = {
    Int8s: _Kind(1016, 20, _fixed("q", 8)),
    Int4s: _Kind(1007, 23, _fixed("i", 4)),
    Floats: _Kind(1022, 701, _fixed("d", 8)),
    Texts: _Kind(1009, 25, _texts),
    Bytes: _Kind(1001, 17, _varying),
}
_COLUMNS: dict[str, type[Packed]] = {
    **dict.fromkeys(("hosts", "digests", "seqs", "numbers", "gone", "tokens", "ids"), Int8s),
    **dict.fromkeys(("priorities", "depths", "attempts", "others"), Int4s),
    **dict.fromkeys(("seconds", "ats", "rest"), Floats),
    **dict.fromkeys(("urls", "names", "outcomes", "last"), Texts),
    **dict.fromkeys(("abouts", "rows", "state"), Bytes),
}


def packed(values: Mapping[str, Any]) -> dict[str, Any]:
    """The values of a statement, with its columns packed by their names; what is no list stays as it is."""
    return {name: _pack(_COLUMNS[name], value) if isinstance(value, list) else value for name, value in values.items()}


def _pack(kind: type[Packed], values: list[Any]) -> Packed:
    _, element, pack = _KINDS[kind]
    if not values:
        return kind(struct.pack("!iii", 0, 0, element))
    # One dimension, with a place for None, from 1 on.
    return kind(struct.pack("!iiiii", 1, 1, element, len(values), 1) + pack(values))


def register_packed(connection: psycopg.AsyncConnection[Any]) -> None:
    """Have a connection take packed columns."""
    from psycopg.adapt import Dumper
    from psycopg.pq import Format

    for kind, (array, _, _) in _KINDS.items():
        fields = {"oid": array, "format": Format.BINARY, "dump": lambda _self, column: column.data}
        connection.adapters.register_dumper(kind, type(f"{kind.__name__}Dumper", (Dumper,), fields))
