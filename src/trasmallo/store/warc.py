"""The bytes of WARC 1.1 records (ISO 28500:2017), read into `WarcRecord`; `warc_members` writes them."""

from __future__ import annotations

import hashlib
import re
from datetime import UTC, datetime
from functools import lru_cache
from typing import NamedTuple

import msgspec

from trasmallo.store.catalog_rows import sha1_text
from trasmallo.values.access import Access, access_of
from trasmallo.values.content_encodings import Bomb, decode
from trasmallo.values.model import NO_ORIGIN, Origin, reached_as

IDENTICAL = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"
NOT_MODIFIED = "http://netpreserve.org/warc/1.1/revisit/server-not-modified"

END = b"\r\n\r\n"
"""What ends a head, and a record."""

CONVERSION = "conversion"
"""Type of the record of a page that a browser made of an answer."""

# No head of an answer is longer; what follows without a blank line before it is body.
_HEAD_LIMIT = 1 << 20
_FOLD = re.compile(r"\r?\n[ \t]+")
# From the letters of base 32 to those by which Python reads a number of that base; "?" for all others.
_DIGITS = b"?" * 50 + b"qrstuv" + b"?" * 9 + b"0123456789abcdefghijklmnop" + b"?" * 165

Pairs = tuple[tuple[str, str], ...]


class Original(msgspec.Struct, frozen=True):
    """What a revisit record refers to: the URL whose answer of that time has the payload."""

    url: str
    at: float


class WarcRecord:
    """A record as it is stored: a frozen value, whose heads are parsed when they are asked for.

    It is made of `data`, whose bytes before `start` are the WARC head and those from there to `end` the block.
    """

    __slots__ = ("_data", "_end", "_fields", "_headers", "_parts", "_start")

    def __init__(self, data: bytes, start: int, end: int) -> None:
        self._data = data
        self._start = start
        self._end = end
        self._fields: Pairs | None = None
        self._headers: Pairs | None = None
        self._parts: _HttpParts | None = None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, WarcRecord):
            return NotImplemented
        return (self._start, self._data[: self._end]) == (other._start, other._data[: other._end])

    def __hash__(self) -> int:
        return hash((self._start, self._data[: self._end]))

    def __repr__(self) -> str:
        return f"Record({self.kind!r}, {self.url!r}, {self.at!r})"

    @property
    def kind(self) -> str:
        """The WARC type."""
        return self._value(b"\nWARC-Type: ")

    @property
    def id(self) -> str:
        """The URN of the record, between angle brackets."""
        return self._value(b"\nWARC-Record-ID: ")

    @property
    def url(self) -> str:
        """What the record is about, "" for the file's own."""
        return self._value(b"\nWARC-Target-URI: ").strip("<>")

    @property
    def at(self) -> float:
        """When it was written, exact to the microsecond; 0 where it does not say."""
        return time_of(self._value(b"\nWARC-Date: "))

    @property
    def digest(self) -> str:
        """That of the payload as the record says it, "" where it says none."""
        return self._value(b"\nWARC-Payload-Digest: ")

    @property
    def run(self) -> str:
        """The run that asked, "" for records of others."""
        return self._value(b"\nTrasmallo-Run: ")

    @property
    def role(self) -> str:
        """What it was asked for as, where the address does not tell: a "page", or the "rules" of a host."""
        return self._value(b"\nTrasmallo-Role: ")

    @property
    def origin(self) -> Origin:
        """Where the address comes from, as the record says it."""
        reached = self._value(b"\nTrasmallo-Reached: ")
        if not reached:
            return NO_ORIGIN
        depth = self._value(b"\nTrasmallo-Depth: ")
        seed, via = self._value(b"\nTrasmallo-Seed: "), self._value(b"\nTrasmallo-Via: ")
        return Origin(seed, reached_as(reached), via, int(depth) if depth.isdecimal() else None)

    @property
    def judged(self) -> str:
        """What the answer was found to be, where its status does not tell: an outcome and its cause, "" else."""
        return self._value(b"\nTrasmallo-Judged: ")

    @property
    def access(self) -> Access | None:
        """Who may read it as the record says it, None when everybody may."""
        return access_of(self._value(b"\nTrasmallo-Access: "))

    @property
    def original(self) -> Original | None:
        """Whose payload a revisit has; None for all others."""
        url = self._value(b"\nWARC-Refers-To-Target-URI: ")
        return Original(url, time_of(self._value(b"\nWARC-Refers-To-Date: "))) if url else None

    @property
    def fields(self) -> Pairs:
        """All WARC fields."""
        if self._fields is None:
            lines = self._data[self._data.find(b"\n") + 1 : self._start]
            self._fields = parse_lines(lines.decode("utf-8", "replace"))
        return self._fields

    @property
    def status(self) -> int:
        """That of the HTTP answer, 0 where the record is none."""
        return self._http().status

    @property
    def reason(self) -> str:
        """The words behind the status."""
        return self._http().reason

    @property
    def headers(self) -> Pairs:
        """Those of HTTP, () where the record is no answer; of a rendered page what still holds of it."""
        if self._headers is None and self.kind == CONVERSION:
            robots = self._value(b"\nTrasmallo-Robots-Tag: ")
            media = ("Content-Type", self._value(b"\nContent-Type: "))
            self._headers = (media, ("X-Robots-Tag", robots)) if robots else (media,)
        if self._headers is None:
            parts = self._http()
            self._headers = parse_lines(self._data[parts.lines : parts.lines_end].decode("latin-1"))
        return self._headers

    @property
    def body(self) -> bytes:
        """The payload, still compressed when the server compressed it, b"" for a revisit; copied each time it is asked for."""
        return self._data[self._http().body : self._end]

    def field(self, name: str) -> str:
        """The first value of a WARC field, "" without one."""
        return self._value(b"\n%b: " % name.encode())

    def header(self, name: str) -> str:
        """The first value of an HTTP header, "" without one."""
        return first(self.headers, name)

    def content(self, limit: int = 100_000_000) -> bytes | None:
        """The body unpacked; None when that would be more than `limit` bytes."""
        try:
            return decode(self.body, self.header("Content-Encoding"), limit)
        except Bomb:
            return None

    def verify(self) -> None:
        """Compare the digests of block and payload with those the record states; ValueError names the one that differs."""
        block = memoryview(self._data)[self._start : self._end]
        if not _is_digest_of(block, self._value(b"\nWARC-Block-Digest: ")):
            raise ValueError("block digest differs")
        if self.kind in ("response", CONVERSION) and not _is_digest_of(block[self._http().body - self._start :], self.digest):
            raise ValueError("payload digest differs")

    def _value(self, key: bytes) -> str:
        """The value of the field whose line begins with `key`, line break, colon and space included."""
        value = _find_value(self._data, key, self._start)
        return first(self.fields, key[1:-2].decode()) if value is None else value

    def _http(self) -> _HttpParts:
        if self._parts is None:
            is_answer = self.kind in ("response", "revisit") and self._value(b"\nContent-Type: ").startswith("application/http")
            status = 200 if self.kind == CONVERSION else 0
            self._parts = _find_parts(self._data, self._start, self._end) if is_answer else _no_head(status, self._start)
        return self._parts


class _HttpParts(NamedTuple):
    """An HTTP answer within a record: where its header lines begin and end, and where its body begins."""

    status: int
    reason: str
    lines: int
    lines_end: int
    body: int


def first(pairs: Pairs, name: str) -> str:
    """The first value of a name, in any case of letters; "" without one."""
    name = name.lower()
    for key, value in pairs:
        if key.lower() == name:
            return value
    return ""


def payload_digest(body: bytes | memoryview) -> str:
    """The digest by which WARC files know a payload, "sha1:BASE32"."""
    return sha1_text(hashlib.sha1(body, usedforsecurity=False).digest())


def date_of(at: float) -> str:
    """A time as WARC 1.1 writes it, to the microsecond."""
    second, micro = divmod(round(at * 1_000_000), 1_000_000)
    return f"{_second_of(second)}.{micro:06}Z"


@lru_cache(maxsize=4096)
def _second_of(at: int) -> str:
    """Most records are of the same second as the one before; those that a revisit refers to, of an hour of the first crawl."""
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%dT%H:%M:%S")


def time_of(date: str) -> float:
    """The time a WARC date names, 0 where it names none."""
    try:
        return max(0.0, datetime.fromisoformat(date.strip()).timestamp())
    except (ValueError, OverflowError):
        return 0.0


def parse_record(data: bytes, *, verify: bool = False) -> WarcRecord:
    """The record in the bytes of one member; ValueError says in words what is wrong with it.

    `verify` compares the digests too; the CRC of the gzip member is always checked by who unpacked it.
    """
    head_end = data.find(END)
    if head_end < 0 or not data.startswith(b"WARC/"):
        raise ValueError("not a WARC record")
    start = head_end + len(END)
    length = length_of(
        _find_value(data, b"\nContent-Length: ", start) or WarcRecord(data, start, start).field("Content-Length")
    )
    if start + length > len(data):
        raise ValueError("shorter than it says")
    record = WarcRecord(data, start, start + length)
    if verify:
        record.verify()
    return record


def length_of(text: str) -> int:
    """The number a Content-Length states; ValueError where it states none."""
    if not (text.isascii() and text.isdigit() and len(text) < 19):
        raise ValueError("no valid Content-Length")
    return int(text)


def split_http(data: bytes, start: int, end: int) -> tuple[int, str, Pairs, bytes]:
    """Status, reason, headers and body of the HTTP answer in `data[start:end]`.

    Without a status line all is body (HTTP 0.9) and the status is 200; a status that is no number is 0.
    """
    parts = _find_parts(data, start, end)
    headers = parse_lines(data[parts.lines : parts.lines_end].decode("latin-1"))
    return parts.status, parts.reason, headers, data[parts.body : end]


def _find_parts(data: bytes, start: int, end: int) -> _HttpParts:
    if not data.startswith(b"HTTP/", start):
        return _no_head(200, start)
    head_end, body = _find_blank(data, start, min(end, start + _HEAD_LIMIT))
    line_end = data.find(b"\n", start, head_end)
    line_end = head_end if line_end < 0 else line_end
    _, _, words = data[start:line_end].decode("latin-1").rstrip("\r").partition(" ")
    code, _, reason = words.partition(" ")
    status = int(code) if code.isascii() and code.isdigit() and len(code) <= 3 else 0
    return _HttpParts(status, reason, min(line_end + 1, head_end), head_end, body)


def _no_head(status: int, start: int) -> _HttpParts:
    return _HttpParts(status, "", start, start, start)


def _find_blank(data: bytes, start: int, limit: int) -> tuple[int, int]:
    """Where a head ends and where its body begins."""
    for blank in (END, b"\n\n"):
        found = data.find(blank, start, limit)
        if found >= 0:
            return found, found + len(blank)
    return limit, limit


def parse_lines(text: str) -> Pairs:
    """The "name: value" lines of a head; a line that begins with white space goes on with the one before."""
    if "\n " in text or "\n\t" in text:
        text = _FOLD.sub(" ", text)
    pairs = [line.split(":", 1) for line in text.split("\n") if ":" in line]
    return tuple([(name.rstrip(), value.strip(" \t\r")) for name, value in pairs])


def _find_value(data: bytes, key: bytes, limit: int) -> str | None:
    """The value of the head line that begins with `key`; None where only parsing all lines can tell.

    That is where the name is spelt otherwise, or the value goes on in the next line.
    """
    at = data.find(key, 0, limit)
    if at < 0:
        return None
    start = at + len(key)
    end = data.find(b"\n", start, limit)
    if end < 0 or data[end + 1 : end + 2] in (b" ", b"\t"):
        return None
    return data[start:end].decode("utf-8", "replace").strip(" \t\r")


def _is_digest_of(data: memoryview, stated: str) -> bool:
    """Whether a stated digest is right; one of another algorithm is not looked at."""
    if not stated.startswith("sha1:"):
        return True
    digits = stated[5:].encode("ascii", "replace").translate(_DIGITS)
    digest = hashlib.sha1(data, usedforsecurity=False).digest()
    return len(digits) == 32 and b"?" not in digits and int(digits, 32) == int.from_bytes(digest, "big")
