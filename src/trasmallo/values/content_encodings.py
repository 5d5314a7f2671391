"""Decompress what servers compressed (RFC 9110, section 8.4), with a limit on what comes out.

Servers lie about it, so this does as browsers do:

- a coding nobody knows, or more than four of them, leaves the content as it was sent;
- what is labelled as compressed and is not is the content itself;
- a stream that ends too early or breaks in the middle gives what could be decompressed before;
- what follows the end of the stream is ignored, except that gzip members in a row are one stream.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

import brotli
import zstandard
from isal import isal_zlib

# A decoder takes the body, the limit, and how many bytes to take at a time.
_Decoder = Callable[[bytes, int, int], bytes]

_PIECE, _SMALL_PIECE = 65_536, 256  # judgement: bytes taken at a time, fewer near the limit
_MOST_CODINGS = 4  # judgement: honest servers use one
# Each member costs a copy of at most one piece, so a body of a million empty ones must not be followed to its end.
_MOST_MEMBERS = 1_000
# RFC 9659: a decoder of web content need not remember more.
_ZSTD_WINDOW = 8 * 1024 * 1024
_GZIP, _ZLIB, _RAW = 31, 15, -15  # zlib's window bits for each wrapper
# Its stub takes the class for an instance.
_ISAL_ERROR = cast(type[Exception], isal_zlib.error)


class Bomb(Exception):
    """More came out than the limit allows."""


class _Damaged(Exception):
    """The stream breaks; `content` is what came out before."""

    def __init__(self, content: bytes) -> None:
        super().__init__()
        self.content = content


def decode(body: bytes, label: str, limit: int) -> bytes:
    """The content of a body whose Content-Encoding is `label`; raises `Bomb` when it is longer than `limit` bytes.

    Holds the compressed and the decompressed form of one coding at a time, and 8 MB at most of window.
    """
    content = _decode_all(body, label, limit)
    if len(content) > limit:
        raise Bomb
    return content


def _decode_all(body: bytes, label: str, limit: int) -> bytes:
    """What comes out of all codings, or the body as it is where one is unknown or wrong."""
    names = [name for name in (part.strip().lower() for part in label.split(",")) if name not in ("", "identity")]
    if len(names) > _MOST_CODINGS or any(name not in _DECODERS for name in names):
        return body
    content = body
    for name in reversed(names):
        if not content:
            break
        decoded = _decode_one(_DECODERS[name], content, limit)
        if decoded is None:
            return body
        if len(decoded) > limit:
            raise Bomb
        content = decoded
    return content


def _decode_one(decoder: _Decoder, body: bytes, limit: int) -> bytes | None:
    """At most limit + 1 bytes of the content; None when not one byte can be decompressed, because the label is wrong."""
    try:
        return decoder(body, limit, _PIECE)
    except _Damaged:
        pass
    # The libraries keep to themselves what a piece gave before it broke: small pieces lose little.
    try:
        return decoder(body, limit, _SMALL_PIECE)
    except _Damaged as damaged:
        return damaged.content or None


def _gunzip(body: bytes, limit: int, size: int) -> bytes:
    return _inflate(body, limit, size, _GZIP)


def _undeflate(body: bytes, limit: int, size: int) -> bytes:
    """What "deflate" means depends on the server: zlib's format, as the RFC says, or the bare stream."""
    try:
        return _inflate(body, limit, size, _ZLIB)
    except _Damaged as damaged:
        if damaged.content:
            raise
    return _inflate(body, limit, size, _RAW)


def _inflate(body: bytes, limit: int, size: int, bits: int) -> bytes:
    stream = isal_zlib.decompressobj(bits)
    out = bytearray()
    members, position = 1, size
    piece = body[:size]
    while piece and len(out) <= limit:
        try:
            out += stream.decompress(piece, limit + 1 - len(out))
        except _ISAL_ERROR:
            if members > 1:
                break
            raise _Damaged(bytes(out)) from None
        if not stream.eof:
            piece = stream.unconsumed_tail
        elif bits == _GZIP and members < _MOST_MEMBERS and (position < len(body) or stream.unused_data):
            piece = stream.unused_data
            members += 1
            stream = isal_zlib.decompressobj(bits)
        else:
            break
        if not piece:
            piece = body[position : position + size]
            position += size
    return bytes(out)


def _unbrotli(body: bytes, limit: int, size: int) -> bytes:
    stream = brotli.Decompressor()
    out = bytearray()
    position = 0
    try:
        while not stream.is_finished() and len(out) <= limit:
            piece = b""
            if stream.can_accept_more_data():
                piece = body[position : position + size]
                position += size
            got = stream.process(piece, output_buffer_limit=_PIECE)
            out += got
            if not got and not piece:
                break
    except brotli.error:
        raise _Damaged(bytes(out)) from None
    return bytes(out)


def _unzstd(body: bytes, limit: int, size: int) -> bytes:
    out = bytearray()
    with zstandard.ZstdDecompressor(max_window_size=_ZSTD_WINDOW).stream_reader(body, read_across_frames=True) as stream:
        try:
            while len(out) <= limit and (piece := stream.read(size)):
                out += piece
        except zstandard.ZstdError:
            raise _Damaged(bytes(out)) from None
    return bytes(out)


_DECODERS: dict[str, _Decoder] = {
    "gzip": _gunzip,
    "x-gzip": _gunzip,
    "deflate": _undeflate,
    "br": _unbrotli,
    "zstd": _unzstd,
}
