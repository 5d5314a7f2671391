"""How the folders of an archive of 7z are unpacked: each is one stream, packed by a chain of coders.

What the standard library unpacks is read: LZMA, LZMA2, deflate, bzip2, copies, and the filters for programs and differences.
"""

from __future__ import annotations

import bz2
import lzma
import struct
import zlib
from collections.abc import Callable
from typing import NamedTuple

_CHUNK = 1 << 16
"""Octets of a part of LZMA2 that is not packed: the most that its format allows."""

_LZMA, _LZMA2, _BZIP2, _DEFLATE, _COPY = b"\x03\x01\x01", b"\x21", b"\x04\x02\x02", b"\x04\x01\x08", b"\x00"
_ENCRYPTED = b"\x06\xf1\x07\x01"

SEVERAL_INPUTS = b"\x03\x03\x01\x1b"
"""The filter for programs that cuts them in four: other coders of several inputs are not made."""
_DELTA = b"\x03"
_FILTERS = {
    b"\x03\x03\x01\x03": lzma.FILTER_X86,
    b"\x03\x03\x02\x05": lzma.FILTER_POWERPC,
    b"\x03\x03\x04\x01": lzma.FILTER_IA64,
    b"\x03\x03\x05\x01": lzma.FILTER_ARM,
    b"\x03\x03\x07\x01": lzma.FILTER_ARMTHUMB,
    b"\x03\x03\x08\x05": lzma.FILTER_SPARC,
}
"""Filters for programs: addresses of jumps were made absolute."""

_AFTERWARDS = {*_FILTERS, _DELTA, _COPY, SEVERAL_INPUTS}
"""Coders that may follow another: they give as much as they take, so that what somebody wants bounds every step."""

Filter = dict[str, int]


class SevenZipError(Exception):
    """An archive, or a file in it, cannot be read; the text says why."""


class Coder(NamedTuple):
    """One step of packing, and how it was set."""

    method: bytes
    properties: bytes


class Folder(NamedTuple):
    """A stream of files that were packed together: where it is, how it is unpacked, last coder first, and to what size."""

    place: int
    packed: int
    coders: list[Coder]
    size: int


def unpack(content: bytes, folder: Folder, most: int) -> bytes:
    """The first octets of a folder."""
    octets = content[folder.place : folder.place + folder.packed]
    if not most:
        return b""
    if any(coder.method == _ENCRYPTED for coder in folder.coders):
        raise SevenZipError("it is encrypted")
    if any(coder.method not in _AFTERWARDS for coder in folder.coders[1:]):
        raise SevenZipError("it is packed several times over")
    for coder in folder.coders:
        octets = _decoded(coder, octets, most)
    return octets


def _decoded(coder: Coder, octets: bytes, most: int) -> bytes:
    if coder.method == _COPY:
        return octets[:most]
    try:
        return _step(coder)(octets, most)
    except (lzma.LZMAError, zlib.error, OSError, EOFError, ValueError) as error:
        raise SevenZipError(f"it is damaged ({error})") from None


def _step(coder: Coder) -> Callable[[bytes, int], bytes]:
    """What undoes a coder."""
    method, told = coder
    if method in _FILTERS or method == _DELTA:
        return lambda octets, most: _raw(_as_lzma2(octets), most, [_filter(coder), _lzma2(most)])
    if method == _LZMA2:
        return lambda octets, most: _raw(octets, most, [_lzma2(_lzma2_window(told, most))])
    if method == _LZMA:
        return lambda octets, most: _raw(octets, most, [_lzma(told, most)])
    if method == _DEFLATE:
        return lambda octets, most: zlib.decompressobj(-zlib.MAX_WBITS).decompress(octets, most)
    if method == _BZIP2:
        return lambda octets, most: bz2.BZ2Decompressor().decompress(octets, most)
    raise SevenZipError(f"it is packed by a method that is not read ({method.hex()})")


def _raw(octets: bytes, most: int, filters: list[Filter]) -> bytes:
    """Octets without any head of their own, unpacked."""
    return lzma.LZMADecompressor(lzma.FORMAT_RAW, filters=filters).decompress(octets, most)


def _window(said: int, most: int) -> int:
    """The memory that an unpacker takes: no more than its result, whatever the archive says."""
    return max(4_096, min(said, most))


def _lzma(told: bytes, most: int) -> Filter:
    if len(told) != 5:
        raise SevenZipError("it is damaged (the settings of its coder)")
    rest, lc = divmod(told[0], 9)
    pb, lp = divmod(rest, 5)
    window = _window(int.from_bytes(told[1:], "little"), most)
    return {"id": lzma.FILTER_LZMA1, "dict_size": window, "lc": lc, "lp": lp, "pb": pb}


def _lzma2(window: int) -> Filter:
    return {"id": lzma.FILTER_LZMA2, "dict_size": max(4_096, window)}


def _lzma2_window(told: bytes, most: int) -> int:
    bits = told[0] if len(told) == 1 else 0
    return _window((2 | bits & 1) << (bits // 2 + 11) if bits < 40 else most, most)


def _filter(coder: Coder) -> Filter:
    if coder.method == _DELTA:
        return {"id": lzma.FILTER_DELTA, "dist": (coder.properties or b"\0")[0] + 1}
    return {"id": _FILTERS[coder.method]}


def _as_lzma2(octets: bytes) -> bytes:
    """Octets in the shape of LZMA2 that is not packed: its library undoes filters in no other company."""
    parts = (octets[start : start + _CHUNK] for start in range(0, len(octets), _CHUNK))
    framed = (bytes([2 if number else 1]) + struct.pack(">H", len(part) - 1) + part for number, part in enumerate(parts))
    return b"".join(framed) + b"\0"
