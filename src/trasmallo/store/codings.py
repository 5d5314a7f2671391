"""Content codings undone (RFC 9110, 8.4), with a cap: a compressed body is hostile until it is unpacked."""

from __future__ import annotations

import brotli
import msgspec
import zstandard
from isal import isal_zlib

from trasmallo.store.members import GzipError

# Servers that compress twice exist, more is an attack.
_LAYERS = 3
_GZIP = b"\x1f\x8b"
_WINDOW = 1 << 27


class Content(msgspec.Struct, frozen=True):
    """A body unpacked. `problem` is "" or says why `data` is only part of it or still packed; empty when `too_large`."""

    data: bytes
    problem: str = ""
    too_large: bool = False


class _BombError(Exception):
    """It unpacks to more than the limit."""


def decode(body: bytes, codings: str, limit: int) -> Content:
    """The body without its codings, a Content-Encoding's value; more than `limit` bytes are refused as a problem."""
    names = [name.strip().lower() for name in codings.split(",")]
    names = [name for name in names if body and name not in ("", "identity", "none")]
    if len(names) > _LAYERS:
        return Content(body, "too many content codings")
    content = Content(body)
    try:
        for name in reversed(names):
            content = _undo(content, name, limit)
    except _BombError:
        return Content(b"", f"unpacks to more than {limit} bytes", too_large=True)
    return content


def _undo(content: Content, name: str, limit: int) -> Content:
    if name not in _CODECS:
        return Content(content.data, f"unknown content coding {name[:40]}")
    try:
        data, whole = _CODECS[name](content.data, limit)
    except (GzipError, brotli.error, zstandard.ZstdError):
        return Content(content.data, f"not {name} although the server says so")
    if len(data) > limit:
        raise _BombError
    return Content(data, content.problem if whole else f"{name} ends too early")


def _ungzip(body: bytes, limit: int) -> tuple[bytes, bool]:
    if not body.startswith(_GZIP):
        raise GzipError
    parts: list[bytes] = []
    rest = body
    while rest.startswith(_GZIP) or not parts:
        inflater = isal_zlib.decompressobj(31)
        parts.append(inflater.decompress(rest, limit + 1))
        limit -= len(parts[-1])
        if not inflater.eof or limit < 0:
            return b"".join(parts), False
        rest = inflater.unused_data
    return b"".join(parts), True


def _undeflate(body: bytes, limit: int) -> tuple[bytes, bool]:
    """Both readings of "deflate" are on the web: with a zlib header (RFC 9110) and without."""
    try:
        inflater = isal_zlib.decompressobj(15)
        return inflater.decompress(body, limit + 1), inflater.eof
    except GzipError:
        inflater = isal_zlib.decompressobj(-15)
        return inflater.decompress(body, limit + 1), inflater.eof


def _unbrotli(body: bytes, limit: int) -> tuple[bytes, bool]:
    decoder = brotli.Decompressor()
    data = decoder.process(body, output_buffer_limit=limit + 1)
    return data, decoder.is_finished()


def _unzstd(body: bytes, limit: int) -> tuple[bytes, bool]:
    decoder = zstandard.ZstdDecompressor(max_window_size=_WINDOW)
    with decoder.stream_reader(body, read_across_frames=True) as reader:
        data = reader.read(limit + 1)
    return data, bool(data) or zstandard.frame_content_size(body) <= 0


_CODECS = {
    "gzip": _ungzip,
    "x-gzip": _ungzip,
    "deflate": _undeflate,
    "br": _unbrotli,
    "zstd": _unzstd,
}
