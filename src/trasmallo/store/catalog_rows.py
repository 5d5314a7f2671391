"""The bytes of the catalog: one row packed as short as it can be without being slow, and the keys that sort as we read.

A row is a fixed head, the 20 bytes of a SHA-1 digest when there is one, the URL, and then any number of fields
(tag, length, bytes) for what few rows have. A later version adds fields under new tags; this one skips tags it does not know.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Container
from hashlib import blake2b
from typing import NamedTuple

from trasmallo.values.access import access_of, access_text
from trasmallo.values.errors import REBUILD, StoreDamaged, StoreTooNew, UrlError
from trasmallo.values.model import NO_ORIGIN, Fetch, Locator, Origin, Outcome, Reached

Name = Callable[[int], str]

FORMAT = 1  # version of a row's bytes

# Codes are on disk for ever: a new outcome takes the next number, none is used again.
OUTCOME_CODES = {
    Outcome.FETCHED: 0,
    Outcome.UNCHANGED: 1,
    Outcome.REDIRECTED: 2,
    Outcome.MISSING: 3,
    Outcome.LOGIN: 4,
    Outcome.HTTP_ERROR: 5,
    Outcome.ROBOTS: 6,
    Outcome.OUT_OF_SCOPE: 7,
    Outcome.PRIVATE: 8,
    Outcome.NO_HOST: 9,
    Outcome.UNREACHABLE: 10,
    Outcome.TIMED_OUT: 11,
    Outcome.TLS: 12,
    Outcome.TOO_LARGE: 13,
    Outcome.BROKEN: 14,
    Outcome.NO_NETWORK: 15,
    Outcome.HOST_LIMIT: 16,
    Outcome.BLOCKED: 17,
    Outcome.CHALLENGE: 18,
    Outcome.SOFT_404: 19,
    Outcome.EMPTY: 20,
    Outcome.LEFT_ALONE: 21,
    Outcome.ENTRY: 22,
    Outcome.OFF_TOPIC: 23,
}
REACHED_CODES = {
    Reached.SEED: "0",
    Reached.LINK: "1",
    Reached.REDIRECT: "2",
    Reached.SITEMAP: "3",
    Reached.FEED: "4",
    Reached.ROBOTS: "5",
    Reached.GUESS: "6",
    Reached.PUSH: "7",
    Reached.IMPORT: "8",
    Reached.FORM: "9",
    Reached.FOLDER: "a",
    Reached.INSIDE: "b",
}
_REACHED = {code: reached for reached, code in REACHED_CODES.items()}
_OUTCOMES = {code: outcome for outcome, code in OUTCOME_CODES.items()}


# Plain numbers: an enumeration here would cost more than the rest of packing.
_WIDE_FLAG, _SHA1_FLAG = 1, 2
_DIGEST_TAG, _MEDIA_TAG, _LOCATION_TAG, _CAUSE_TAG, _ORIGIN_TAG, _ETAG_TAG, _MODIFIED_TAG, _ACCESS_TAG = _TAGS = range(1, 9)

# format, outcome, flags, status, media, file, time, size, offset, length, bytes of URL
_NARROW = struct.Struct("<BBBHHHdIIII")
_WIDE = struct.Struct("<BBBQQQdQQQQ")
_NARROW_MEDIA, _WIDE_MEDIA = struct.Struct("<HH"), struct.Struct("<QQ")  # status and media, behind the first three bytes
_FIELD = struct.Struct("<BI")
_FIELD_BYTES = _FIELD.size
_TIME = struct.Struct(">d")
_COMPLEMENT = bytes(reversed(range(256)))

_ITSELF = "="  # the seed of a row that is a seed's own
_SHA1_TEXT = len("sha1:") + 32
_BASE32 = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
_PAIRS = [chr(first) + chr(second) for first in _BASE32 for second in _BASE32]
_SHIFTS = range(150, -1, -10)
# Base32 letters to the digits of int(..., 32); everything else to a byte that int() refuses.
_DIGITS = bytes(b"0123456789abcdefghijklmnopqrstuv"[_BASE32.index(byte)] if byte in _BASE32 else 0 for byte in range(256))


def pack(fetch: Fetch, url: bytes, sha1: bytes, media: int, file: int) -> bytes:
    """The row of a fetch: `url` and `sha1` are its URL and digest in bytes, `media` and `file` numbers of names.

    Without `sha1` the digest is written as text, with media 0 the media type.
    """
    code, flags = OUTCOME_CODES[fetch.outcome], _SHA1_FLAG if sha1 else 0
    offset, length = fetch.locator[1:] if fetch.locator else (0, 0)
    try:
        head = _NARROW.pack(FORMAT, code, flags, fetch.status, media, file, fetch.at, fetch.size, offset, length, len(url))
    except struct.error:
        rest = (fetch.status, media, file, fetch.at, fetch.size, offset, length, len(url))
        head = _WIDE.pack(FORMAT, code, flags | _WIDE_FLAG, *rest)
    row = head + sha1 + url
    told = fetch.origin.reached or fetch.etag or fetch.modified or fetch.location or fetch.cause or fetch.access
    if told or not (sha1 and media):
        row += _fields(fetch, raw_digest=not sha1, raw_media=not media)
    return row


def _fields(fetch: Fetch, *, raw_digest: bool, raw_media: bool) -> bytes:
    texts = (
        (_DIGEST_TAG, fetch.digest if raw_digest else ""),
        (_MEDIA_TAG, fetch.media if raw_media else ""),
        (_LOCATION_TAG, fetch.location),
        (_CAUSE_TAG, fetch.cause),
        (_ORIGIN_TAG, _origin_text(fetch) if fetch.origin.reached else ""),
        (_ETAG_TAG, fetch.etag),
        (_MODIFIED_TAG, fetch.modified),
        (_ACCESS_TAG, access_text(fetch.access)),
    )
    encoded = [(tag, text.encode("utf-8", "surrogatepass")) for tag, text in texts if text]
    return b"".join([_FIELD.pack(tag, len(text)) + text for tag, text in encoded])


class RowSummary(NamedTuple):
    """What tells of a row whether a page changed: all that a plan of visits needs, unpacked in a third of the time.

    `digest` is that of the payload as its row has it, good for comparing only; `stored` says whether the payload is.
    """

    url: str
    at: float
    outcome: Outcome
    digest: bytes
    stored: bool
    modified: str


def unpack(row: bytes, media: Name, file: Name) -> Fetch:
    """The fetch of a row; `media` and `file` turn numbers back into names."""
    try:
        return _unpack(row, media, file)
    except (struct.error, IndexError, ValueError) as error:
        raise _broken(error) from error


def media_in(row: bytes) -> int:
    """The number of a row's media type, 0 for none and for one that the row carries itself."""
    try:
        number: int = (_WIDE_MEDIA if row[2] & _WIDE_FLAG else _NARROW_MEDIA).unpack_from(row, 3)[1]
    except (struct.error, IndexError) as error:
        raise _broken(error) from error
    return number


def origin_in(row: bytes) -> Origin:
    """The origin that a row tells."""
    try:
        head = _head_of(row)
        start = head.size + 20 if row[2] & _SHA1_FLAG else head.size
        end = start + head.unpack_from(row)[-1]
        told = _split_fields(row, end, (_ORIGIN_TAG,))
        return _parse_origin(told[_ORIGIN_TAG], row[start:end]) if told else NO_ORIGIN
    except (struct.error, IndexError, ValueError) as error:
        raise _broken(error) from error


def summarise(row: bytes) -> RowSummary:
    """What a row says of changes."""
    try:
        return _summarise(row)
    except (struct.error, IndexError, ValueError) as error:
        raise _broken(error) from error


def _broken(error: Exception) -> StoreDamaged:
    return StoreDamaged("a row of the catalog ends or breaks where it should not ({error})", REBUILD, error=error)


def _head_of(row: bytes) -> struct.Struct:
    if row[0] > FORMAT or row[1] not in _OUTCOMES:
        raise StoreTooNew("the catalog has rows of a later version of trasmallo", "use that version, or a later one")
    return _WIDE if row[2] & _WIDE_FLAG else _NARROW


def _summarise(row: bytes) -> RowSummary:
    head = _head_of(row)
    _, code, flags, _, _, file, at, _, _, _, url_length = head.unpack_from(row)
    start = head.size + 20 if flags & _SHA1_FLAG else head.size
    end = start + url_length
    digest, modified, place, size = row[head.size : start], "", end, len(row)
    while place != size:  # as `_split_fields`, whose generator would take half of the time
        tag, length = _FIELD.unpack_from(row, place)
        place += _FIELD.size + length
        if place > size:
            raise IndexError(f"{place - size} bytes are missing")
        if tag == _MODIFIED_TAG:
            modified = row[place - length : place].decode("utf-8", "surrogatepass")
        elif tag == _DIGEST_TAG and not digest:
            digest = row[place - length : place]
    return RowSummary(row[start:end].decode(), at, _OUTCOMES[code], digest, bool(file), modified)


def _unpack(row: bytes, media_name: Name, file_name: Name) -> Fetch:
    head = _head_of(row)
    _, code, flags, status, media, file, at, size, offset, length, url_length = head.unpack_from(row)
    start = head.size + 20 if flags & _SHA1_FLAG else head.size
    end = start + url_length
    texts = _split_fields(row, end) if end != len(row) else {}
    return Fetch(
        url=row[start:end].decode(),
        at=at,
        outcome=_OUTCOMES[code],
        status=status,
        media=media_name(media) if media else texts.get(_MEDIA_TAG, ""),
        digest=sha1_text(row[head.size : start]) if flags & _SHA1_FLAG else texts.get(_DIGEST_TAG, ""),
        size=size,
        locator=Locator(file_name(file), offset, length) if file else None,
        location=texts.get(_LOCATION_TAG, ""),
        cause=texts.get(_CAUSE_TAG, ""),
        origin=_parse_origin(texts[_ORIGIN_TAG], row[start:end]) if _ORIGIN_TAG in texts else NO_ORIGIN,
        etag=texts.get(_ETAG_TAG, ""),
        modified=texts.get(_MODIFIED_TAG, ""),
        access=access_of(texts.get(_ACCESS_TAG, "")),
    )


def _origin_text(fetch: Fetch) -> str:
    """An origin as a row has it; a seed is not written twice."""
    origin = fetch.origin
    depth = "" if origin.depth is None else str(origin.depth)
    seed = _ITSELF if origin.seed and origin.seed == fetch.url else origin.seed
    return "\t".join((REACHED_CODES[origin.reached], depth, seed, origin.via))


def _parse_origin(text: str, url: bytes) -> Origin:
    code, depth, seed, via = text.split("\t")
    reached = _REACHED.get(code, Reached.UNKNOWN)
    return Origin(url.decode() if seed == _ITSELF else seed, reached, via, int(depth) if depth else None)


def _split_fields(row: bytes, start: int, wanted: Container[int] = _TAGS) -> dict[int, str]:
    fields: dict[int, str] = {}
    size = len(row)
    while start != size:
        tag, length = _FIELD.unpack_from(row, start)
        start += _FIELD_BYTES + length
        if start > size:
            raise IndexError(f"{start - size} bytes are missing")
        if tag in wanted:
            fields[tag] = row[start - length : start].decode("utf-8", "surrogatepass")
    return fields


def sha1_bytes(digest: str) -> bytes:
    """The 20 bytes of a digest written "sha1:BASE32", b"" for a digest of another form."""
    if len(digest) != _SHA1_TEXT or not digest.startswith("sha1:"):
        return b""
    try:
        return int(digest[5:].encode().translate(_DIGITS), 32).to_bytes(20, "big")
    except ValueError:  # UnicodeEncodeError too
        return b""


def sha1_text(digest: bytes) -> str:
    """The digest as WARC writes it, in base 32; the standard library's takes three times as long, and every row needs it."""
    bits = int.from_bytes(digest, "big")
    return "sha1:" + "".join([_PAIRS[bits >> shift & 1023] for shift in _SHIFTS])


def digest_key(digest: str, sha1: bytes) -> bytes:
    """Eight bytes to look a digest up by (`sha1` are its bytes, if any); who finds a row compares the whole digest."""
    return sha1[:8] or hash_key(digest.encode("utf-8", "surrogatepass"))


def hash_key(text: bytes) -> bytes:
    """Eight bytes that no site can make equal for two texts on purpose."""
    return blake2b(text, digest_size=8).digest()


def time_key(at: float) -> bytes:
    """Eight bytes that sort the newest time first."""
    # The bits of numbers below zero sort backwards already; adding 0.0 makes -0.0 and 0.0 one instant.
    return _TIME.pack(-(at + 0.0)).translate(_COMPLEMENT) if at >= 0 else _TIME.pack(at)


def text_bytes(text: str) -> bytes:
    """The bytes of a URL or a column, which hold no zero byte."""
    try:
        content = text.encode()
    except UnicodeEncodeError as error:
        raise UrlError(
            "{text!a} is no text that can be stored", "write the URL in its canonical form", text=text[:80]
        ) from error
    if "\0" in text:
        raise UrlError("{text!a} has a zero character", "write it as %00", text=text[:80])
    return content


def text_key(text: str) -> bytes:
    """The bytes of a URL or a column, ended by a zero byte so that no key is the beginning of another."""
    return text_bytes(text) + b"\0"
