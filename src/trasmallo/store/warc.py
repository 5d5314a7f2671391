"""The bytes of WARC 1.1 records (ISO 28500:2017): written from answers, read into `Record`."""

from __future__ import annotations

import hashlib
import os
import re
from datetime import UTC, datetime
from functools import lru_cache
from typing import NamedTuple

import msgspec

from trasmallo.store.catalog_rows import sha1_text
from trasmallo.store.gzip_members import pack
from trasmallo.values.content_encodings import Bomb, decode
from trasmallo.values.model import NO_ORIGIN, Fetch, Origin, RenderedPage, Response, reached_as

IDENTICAL = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"
NOT_MODIFIED = "http://netpreserve.org/warc/1.1/revisit/server-not-modified"
CONFORMS_TO = "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/"

CONVERSION = "conversion"
"""Type of the record of a page that a browser made of an answer."""

_END = b"\r\n\r\n"
_RENDERED = "text/html; charset=utf-8"
_ANSWER = "application/http;msgtype=response"
_REQUEST = "application/http;msgtype=request"
_FIELDS = "application/warc-fields"
# No head of an answer is longer; what follows without a blank line before it is body.
_HEAD_LIMIT = 1 << 20
_FOLD = re.compile(r"\r?\n[ \t]+")
_BREAKS = re.compile(r"[\r\n]+[ \t]*")
# Bodies that compress no further, by their first bytes, since labels lie: gzip, zip, PNG, JPEG, GIF, zstd, xz, 7z, bzip2, RAR,
# WOFF, Matroska.
_COMPRESSED = (
    b"\x1f\x8b", b"PK\x03\x04", b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"\x28\xb5\x2f\xfd", b"\xfd7zXZ", b"7z\xbc\xaf", b"BZh",
    b"Rar!", b"wOF", b"\x1a\x45\xdf\xa3",
)  # fmt: skip

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


def info_member(name: str, software: str, at: float, about: Pairs = ()) -> tuple[bytes, str]:
    """The record that begins a file, and its id; `about` are more of its named values."""
    lines = (("software", software), ("format", "WARC File Format 1.1"), ("conformsTo", CONFORMS_TO), ("robots", "obey"))
    record_id = new_id()
    fields = _date(at) + _field("WARC-Filename", name)
    return _member(_opening("warcinfo", record_id) + fields, _FIELDS, _lines((*lines, *about), "utf-8")), record_id


def response_members(
    response: Response,
    *,
    info: str,
    run: str,
    digest: str,
    role: str = "",
    origin: Origin = NO_ORIGIN,
    judged: str = "",
    record_id: str = "",
) -> tuple[bytes, bytes]:
    """The record of an answer and that of its request, b"" without one; `role` says what it was asked for as.

    `judged` is what the answer was found to be, where its status does not tell; `record_id` is its own, "" for a new one.
    """
    record_id, shared = (
        record_id or new_id(),
        _shared_fields(response, info, run) + (_field("Trasmallo-Role", role) if role else ""),
    )
    told = _origin_fields(origin) + _judged_field(judged)
    opening = _opening("response", record_id) + shared + told + _field("WARC-Payload-Digest", digest)
    head = _http_head(response, keep_length=False)
    packed = response.body.startswith(_COMPRESSED) or response.header("Content-Encoding").strip().lower() == "br"
    member = _member(opening, _ANSWER, head, response.body, compressed=packed)
    return member, _request_member(response.request, record_id, shared)


def revisit_members(
    response: Response, same_as: Fetch, *, info: str, run: str, origin: Origin = NO_ORIGIN, judged: str = ""
) -> tuple[bytes, bytes]:
    """The record of an answer whose payload is kept already, and that of its request, b"" without one.

    What says "as before" is kept without its request, which is the same for all but the validators of the version it names.
    """
    record_id, shared = new_id(), _shared_fields(response, info, run)
    fields = (
        # Who asks by HEAD gets no payload either: then it is a judgement that says that nothing changed.
        _field("WARC-Profile", IDENTICAL if response.body or (response.status != 304 and not judged) else NOT_MODIFIED)
        + _field("WARC-Refers-To-Target-URI", same_as.url)
        + _field("WARC-Refers-To-Date", date_of(same_as.at))
        + (_field("WARC-Payload-Digest", same_as.digest) if same_as.digest else "")
    )
    opening = _opening("revisit", record_id) + shared + _origin_fields(origin) + _judged_field(judged) + fields
    member = _member(opening, _ANSWER, _http_head(response, keep_length=True))
    return member, b"" if response.status == 304 else _request_member(response.request, record_id, shared)


def conversion_member(
    page: RenderedPage, *, info: str, run: str, digest: str, origin: Origin = NO_ORIGIN, judged: str = "", source: str
) -> bytes:
    """The record of a rendered page: its tree, made of the answer whose record has the id `source`."""
    robots = ", ".join(value for name, value in page.headers if name.lower() == "x-robots-tag")
    told = _origin_fields(origin) + _judged_field(judged) + (_field("Trasmallo-Robots-Tag", robots) if robots else "")
    named = _field("WARC-Refers-To", source) + _field("WARC-Payload-Digest", digest)
    opening = _opening(CONVERSION, new_id()) + _shared_fields(page, info, run) + told + named
    return _member(opening, _RENDERED, b"", page.body)


def metadata_member(url: str, at: float, pairs: Pairs, *, info: str) -> bytes:
    """A record of named values about a URL."""
    fields = _date(at) + _field("WARC-Target-URI", url) + _field("WARC-Warcinfo-ID", info)
    return _member(_opening("metadata", new_id()) + fields, _FIELDS, _lines(pairs, "utf-8"))


def date_of(at: float) -> str:
    """A time as WARC 1.1 writes it, to the microsecond."""
    second, micro = divmod(round(at * 1_000_000), 1_000_000)
    return f"{_second_of(second)}.{micro:06}Z"


@lru_cache(maxsize=16)
def _second_of(at: int) -> str:
    """Most records are of the same second as the one before."""
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
    head_end = data.find(_END)
    if head_end < 0 or not data.startswith(b"WARC/"):
        raise ValueError("not a WARC record")
    start = head_end + len(_END)
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
    for blank in (_END, b"\n\n"):
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


def new_id() -> str:
    """A random UUID (RFC 9562, version 4) as a URN; the standard library's takes twice as long."""
    digits = os.urandom(16).hex()
    variant = "89ab"[int(digits[16], 16) & 3]
    return f"<urn:uuid:{digits[:8]}-{digits[8:12]}-4{digits[13:16]}-{variant}{digits[17:20]}-{digits[20:]}>"


def _opening(kind: str, record_id: str) -> str:
    return f"WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Record-ID: {record_id}\r\n"


def _date(at: float) -> str:
    return f"WARC-Date: {date_of(at)}\r\n"


def _field(name: str, value: str) -> str:
    """A line of a record's head; a value that would break out of it is mended."""
    return f"{name}: {value if value.isprintable() else _BREAKS.sub(' ', value)}\r\n"


def _shared_fields(response: Response, info: str, run: str) -> str:
    """What the record of an answer and that of its request both say."""
    address = _field("WARC-IP-Address", response.address) if response.address else ""
    named = _field("WARC-Target-URI", response.url) + _field("WARC-Warcinfo-ID", info)
    return _date(response.at) + named + address + (_field("Trasmallo-Run", run) if run else "")


def _origin_fields(origin: Origin) -> str:
    """What the record of an answer says of the way to its address."""
    if not origin.reached:
        return ""
    named = (("Seed", origin.seed), ("Via", origin.via), ("Depth", "" if origin.depth is None else str(origin.depth)))
    lines = [_field(f"Trasmallo-{name}", value) for name, value in named if value]
    return "".join((_field("Trasmallo-Reached", origin.reached), *lines))


def _judged_field(judged: str) -> str:
    """What the record of an answer says that it was found to be."""
    return _field("Trasmallo-Judged", judged) if judged else ""


def _request_member(request: bytes, answer_id: str, shared: str) -> bytes:
    if not request:
        return b""
    block = request if request.endswith(_END) else request.rstrip(b"\r\n") + _END
    return _member(_opening("request", new_id()) + shared + f"WARC-Concurrent-To: {answer_id}\r\n", _REQUEST, block)


def _member(opening: str, media: str, head: bytes, body: bytes = b"", *, compressed: bool = False) -> bytes:
    """A record of the lines it opens with and its block, of head and body."""
    sha1 = hashlib.sha1(head, usedforsecurity=False)
    sha1.update(body)
    digest, size = sha1_text(sha1.digest()), len(head) + len(body)
    lines = f"{opening}WARC-Block-Digest: {digest}\r\nContent-Type: {media}\r\nContent-Length: {size}\r\n\r\n"
    return pack(b"".join((lines.encode("utf-8", "replace"), head, body, _END)), compressed=compressed)


def _http_head(response: Response, *, keep_length: bool) -> bytes:
    """Status line and headers as they came, except what is no longer true of a body without chunks.

    The names of what a crawler changed are those of Common Crawl.
    """
    lines = _lines(response.headers)
    low = lines.lower()
    if b"transfer-encoding" in low or not (keep_length or b"\ncontent-length: %d\r" % len(response.body) in b"\n" + low):
        lines = _lines(_true_headers(response, keep_length=keep_length))
    reason = _BREAKS.sub(" ", response.reason)
    return f"HTTP/1.1 {response.status:03} {reason}\r\n".encode("latin-1", "replace") + lines + b"\r\n"


def _true_headers(response: Response, *, keep_length: bool) -> list[tuple[str, str]]:
    size = str(len(response.body))
    headers = [
        ("X-Crawler-" + name, value)
        if (key := name.lower()) == "transfer-encoding" or (key == "content-length" and value != size and not keep_length)
        else (name, value)
        for name, value in response.headers
    ]
    if not keep_length and headers != list(response.headers) and not first(tuple(headers), "Content-Length"):
        headers.append(("Content-Length", size))
    return headers


def _lines(pairs: Pairs | list[tuple[str, str]], encoding: str = "latin-1") -> bytes:
    """Head lines; a name or value that would break out of its line is mended."""
    text = "".join([f"{name}: {value}\r\n" for name, value in pairs])
    folded = text.startswith((" ", "\t")) or "\n " in text or "\n\t" in text
    if folded or text.count("\n") != len(pairs) or text.count("\r") != len(pairs):
        mended = [(_BREAKS.sub(" ", name).strip(), _BREAKS.sub(" ", value)) for name, value in pairs]
        text = "".join([f"{name}: {value}\r\n" for name, value in mended])
    return text.encode(encoding, "replace")
