"""Decompress what servers compressed (RFC 9110, section 8.4), with a limit on what comes out.

Servers lie about it, so this does as browsers do:

- a coding nobody knows, or more than four of them, leaves the content as it was sent;
- what is labelled as compressed and is not is the content itself;
- a stream that ends too early or breaks in the middle gives what could be decompressed before;
- what follows the end of the stream is ignored, except that gzip members in a row are one stream.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import brotli
import zstandard
from isal import isal_zlib

_PIECE = 65_536
_MOST_CODINGS = 4
# Each member costs a copy of at most one piece, so a body of a million empty ones must not be followed to its end.
_MOST_MEMBERS = 1_000
# RFC 9659: a decoder of web content need not remember more.
_ZSTD_WINDOW = 8 * 1024 * 1024
_GZIP, _ZLIB, _RAW = 31, 15, -15
# Its stub takes the class for an instance.
_ISAL_ERROR = cast(type[Exception], isal_zlib.error)


class Bomb(Exception):  # noqa: N818 - says what the body is
    """More came out than the limit allows."""


class _Undecodable(Exception):  # noqa: N818 - only between functions of this module
    """Not a single byte could be decompressed: the label is wrong."""


def decode(body: bytes, label: str, limit: int) -> bytes:
    """The content of a body whose Content-Encoding is `label`; raises `Bomb` when it is longer than `limit` bytes.

    Holds the compressed and the decompressed form of one coding at a time, and 8 MB at most of window.
    """
    names = [name for name in (part.strip().lower() for part in label.split(",")) if name not in ("", "identity")]
    if len(names) > _MOST_CODINGS or any(name not in _DECODERS for name in names):
        return body
    content = body
    for name in reversed(names):
        if not content:
            break
        try:
            content = _DECODERS[name](content, limit)
        except _Undecodable:
            return body
        if len(content) > limit:
            raise Bomb
    return content


def _gunzip(body: bytes, limit: int) -> bytes:
    content = _inflate(body, limit, _GZIP)
    if content is None:
        raise _Undecodable
    return content


def _undeflate(body: bytes, limit: int) -> bytes:
    """What "deflate" means depends on the server: zlib's format, as the RFC says, or the bare stream."""
    content = _inflate(body, limit, _ZLIB)
    if content is None:
        content = _inflate(body, limit, _RAW)
    if content is None:
        raise _Undecodable
    return content


def _inflate(body: bytes, limit: int, bits: int) -> bytes | None:
    """At most limit + 1 bytes of the decompressed body; None when it breaks before the first one."""
    out: list[bytes] = []
    size, members, position = 0, 1, 0
    stream = isal_zlib.decompressobj(bits)
    piece = body[:_PIECE]
    while size <= limit:
        try:
            got = stream.decompress(piece, limit + 1 - size)
        except _ISAL_ERROR:
            return b"".join(out) if size or members > 1 else None
        out.append(got)
        size += len(got)
        if stream.eof:
            rest = stream.unused_data
            if bits != _GZIP or members == _MOST_MEMBERS:
                break
            members += 1
            stream = isal_zlib.decompressobj(bits)
        else:
            rest = stream.unconsumed_tail
        if not rest:
            position += _PIECE
            rest = body[position : position + _PIECE]
            if not rest:
                break
        piece = rest
    return out[0] if len(out) == 1 else b"".join(out)


def _unbrotli(body: bytes, limit: int) -> bytes:
    stream = brotli.Decompressor()
    out = bytearray()
    view = memoryview(body)
    position = 0
    try:
        while not stream.is_finished() and len(out) <= limit:
            piece: Any = b""
            if stream.can_accept_more_data():
                piece = view[position : position + _PIECE]
                position += _PIECE
                if not piece:
                    break
            out += stream.process(piece, output_buffer_limit=_PIECE)
    except brotli.error:
        if not out:
            raise _Undecodable from None
    return bytes(out)


def _unzstd(body: bytes, limit: int) -> bytes:
    out = bytearray()
    with zstandard.ZstdDecompressor(max_window_size=_ZSTD_WINDOW).stream_reader(body, read_across_frames=True) as stream:
        try:
            while len(out) <= limit and (piece := stream.read(_PIECE)):
                out += piece
        except zstandard.ZstdError:
            if not out:
                raise _Undecodable from None
    return bytes(out)


_DECODERS: dict[str, Callable[[bytes, int], bytes]] = {
    "gzip": _gunzip,
    "x-gzip": _gunzip,
    "deflate": _undeflate,
    "br": _unbrotli,
    "zstd": _unzstd,
}
