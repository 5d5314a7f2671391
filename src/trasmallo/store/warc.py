"""The bytes of WARC 1.1 records (ISO 28500:2017): written from answers, read into `Record`."""

from __future__ import annotations

import hashlib
import re
from datetime import UTC, datetime
from uuid import uuid4

import msgspec

from trasmallo.codings import Bomb, decode
from trasmallo.model import Fetch, Response
from trasmallo.store.members import pack

IDENTICAL = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"
NOT_MODIFIED = "http://netpreserve.org/warc/1.1/revisit/server-not-modified"
CONFORMS_TO = "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/"

_END = b"\r\n\r\n"
_HTTP = "application/http;msgtype="
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

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
_PAIRS = [first + second for first in _LETTERS for second in _LETTERS]
_SHIFTS = range(150, -1, -10)

Pairs = tuple[tuple[str, str], ...]


class Original(msgspec.Struct, frozen=True):
    """What a revisit record refers to: the URL whose answer of that time has the payload."""

    url: str
    at: float


class Record(msgspec.Struct, frozen=True):
    """A record as it is stored.

    `kind` is the WARC type; `fields` are all WARC fields, `headers` those of HTTP. `status` is 0 where the record is no HTTP
    answer. `body` is the payload, still compressed when the server compressed it; a revisit has none and names its `original`.
    Times are exact to the microsecond.
    """

    kind: str
    id: str
    url: str
    at: float
    fields: Pairs
    body: bytes
    status: int = 0
    reason: str = ""
    headers: Pairs = ()
    digest: str = ""
    original: Original | None = None

    def header(self, name: str) -> str:
        """The first value of an HTTP header, "" without one."""
        return first(self.headers, name)

    def content(self, limit: int = 100_000_000) -> bytes | None:
        """The body unpacked; None when that would be more than `limit` bytes."""
        try:
            return decode(self.body, self.header("Content-Encoding"), limit)
        except Bomb:
            return None


def first(pairs: Pairs, name: str) -> str:
    """The first value of a name, in any case of letters; "" without one."""
    name = name.lower()
    return next((value for key, value in pairs if key.lower() == name), "")


def payload_digest(body: bytes | memoryview) -> str:
    """The digest by which WARC files know a payload, "sha1:BASE32"."""
    return _digest_name(hashlib.sha1(body, usedforsecurity=False).digest())


def info_member(name: str, software: str, at: float) -> tuple[bytes, str]:
    """The record that begins a file, and its id."""
    lines = (("software", software), ("format", "WARC File Format 1.1"), ("conformsTo", CONFORMS_TO), ("robots", "obey"))
    record_id = _new_id()
    fields = [*_opening("warcinfo", record_id, at), ("WARC-Filename", name)]
    return _member(fields, _FIELDS, _lines(lines, "utf-8")), record_id


def response_members(response: Response, *, info: str, run: str, digest: str) -> tuple[bytes, bytes]:
    """The record of an answer and that of its request, b"" without one."""
    record_id = _new_id()
    shared = _shared_fields(response, info, run)
    fields = [*_opening("response", record_id, response.at), *shared, ("WARC-Payload-Digest", digest)]
    head = _http_head(response, keep_length=False)
    packed = response.body.startswith(_COMPRESSED) or response.header("Content-Encoding").strip().lower() == "br"
    member = _member(fields, _HTTP + "response", head, response.body, compressed=packed)
    return member, _request_member(response, record_id, shared)


def revisit_members(response: Response, same_as: Fetch, *, info: str, run: str) -> tuple[bytes, bytes]:
    """The record of an answer whose payload is kept already, and that of its request, b"" without one."""
    record_id = _new_id()
    shared = _shared_fields(response, info, run)
    fields = [
        *_opening("revisit", record_id, response.at),
        *shared,
        ("WARC-Profile", NOT_MODIFIED if response.status == 304 else IDENTICAL),
        ("WARC-Refers-To-Target-URI", same_as.url),
        ("WARC-Refers-To-Date", date_of(same_as.at)),
    ]
    if same_as.digest:
        fields.append(("WARC-Payload-Digest", same_as.digest))
    member = _member(fields, _HTTP + "response", _http_head(response, keep_length=True))
    return member, _request_member(response, record_id, shared)


def metadata_member(url: str, at: float, pairs: Pairs, *, info: str) -> bytes:
    """A record of named values about a URL."""
    fields = [*_opening("metadata", _new_id(), at), ("WARC-Target-URI", url), ("WARC-Warcinfo-ID", info)]
    return _member(fields, _FIELDS, _lines(pairs, "utf-8"))


def date_of(at: float) -> str:
    """A time as WARC 1.1 writes it, to the microsecond."""
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def time_of(date: str) -> float:
    """The time a WARC date names, 0 where it names none."""
    try:
        return max(0.0, datetime.fromisoformat(date.strip()).timestamp())
    except (ValueError, OverflowError):
        return 0.0


def parse_record(data: bytes, *, verify: bool = False) -> Record:
    """The record in the bytes of one member; ValueError says in words what is wrong with it.

    `verify` compares the digests too; the CRC of the gzip member is always checked by who unpacked it.
    """
    head_end = data.find(_END)
    if head_end < 0 or not data.startswith(b"WARC/"):
        raise ValueError("not a WARC record")
    fields = parse_lines(data[data.index(b"\n") + 1 : head_end].decode("utf-8", "replace"))
    named = {name.lower(): value for name, value in reversed(fields)}
    length = length_of(named.get("content-length", ""))
    start = head_end + len(_END)
    if start + length > len(data):
        raise ValueError("shorter than it says")
    record = build_record(fields, named, data, start, start + length)
    if verify:
        _verify(named, memoryview(data)[start : start + length], record)
    return record


def length_of(text: str) -> int:
    """The number a Content-Length states; ValueError where it states none."""
    if not (text.isascii() and text.isdigit() and len(text) < 19):
        raise ValueError("no valid Content-Length")
    return int(text)


def build_record(fields: Pairs, named: dict[str, str], data: bytes, start: int, end: int) -> Record:
    """The record of parsed WARC fields (`named` has them by lower-case name) and its block, `data[start:end]`."""
    kind = named.get("warc-type", "")
    if kind in ("response", "revisit") and named.get("content-type", "").startswith("application/http"):
        status, reason, headers, body = split_http(data, start, end)
    else:
        status, reason, headers, body = 0, "", (), data[start:end]
    original = named.get("warc-refers-to-target-uri", "")
    return Record(
        kind=kind,
        id=named.get("warc-record-id", ""),
        url=named.get("warc-target-uri", "").strip("<>"),
        at=time_of(named.get("warc-date", "")),
        fields=fields,
        body=body,
        status=status,
        reason=reason,
        headers=headers,
        digest=named.get("warc-payload-digest", ""),
        original=Original(original, time_of(named.get("warc-refers-to-date", ""))) if original else None,
    )


def split_http(data: bytes, start: int, end: int) -> tuple[int, str, Pairs, bytes]:
    """Status, reason, headers and body of the HTTP answer in `data[start:end]`.

    Without a status line all is body (HTTP 0.9) and the status is 200; a status that is no number is 0.
    """
    if not data.startswith(b"HTTP/", start):
        return 200, "", (), data[start:end]
    limit = min(end, start + _HEAD_LIMIT)
    head_end, body = _find_blank(data, start, limit)
    line, _, rest = data[start:head_end].decode("latin-1").partition("\n")
    _, _, words = line.rstrip("\r").partition(" ")
    code, _, reason = words.partition(" ")
    status = int(code) if code.isascii() and code.isdigit() and len(code) <= 3 else 0
    return status, reason, parse_lines(rest), data[body:end]


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
    pairs = [line.partition(":") for line in text.split("\n")]
    return tuple([(name.rstrip(), value.strip(" \t\r")) for name, colon, value in pairs if colon])


def _verify(named: dict[str, str], block: memoryview, record: Record) -> None:
    """Compare the digest of the block, which covers the payload; that of the payload only where the block has none."""
    whole = named.get("warc-block-digest", "")
    if whole.startswith("sha1:"):
        if payload_digest(block) != whole:
            raise ValueError("block digest differs")
    elif record.kind == "response" and record.digest.startswith("sha1:") and payload_digest(record.body) != record.digest:
        raise ValueError("payload digest differs")


def _new_id() -> str:
    return f"<urn:uuid:{uuid4()}>"


def _digest_name(digest: bytes) -> str:
    """Base 32 of 160 bits; the standard library's takes three times as long, and every record needs it."""
    bits = int.from_bytes(digest, "big")
    return "sha1:" + "".join([_PAIRS[bits >> shift & 1023] for shift in _SHIFTS])


def _opening(kind: str, record_id: str, at: float) -> list[tuple[str, str]]:
    return [("WARC-Type", kind), ("WARC-Record-ID", record_id), ("WARC-Date", date_of(at))]


def _shared_fields(response: Response, info: str, run: str) -> list[tuple[str, str]]:
    fields = [("WARC-Target-URI", response.url), ("WARC-Warcinfo-ID", info)]
    if response.address:
        fields.append(("WARC-IP-Address", response.address))
    if run:
        fields.append(("Trasmallo-Run", run))
    return fields


def _request_member(response: Response, answer_id: str, shared: list[tuple[str, str]]) -> bytes:
    if not response.request:
        return b""
    block = response.request if response.request.endswith(_END) else response.request.rstrip(b"\r\n") + _END
    fields = [*_opening("request", _new_id(), response.at), *shared, ("WARC-Concurrent-To", answer_id)]
    return _member(fields, _HTTP + "request", block)


def _member(fields: list[tuple[str, str]], media: str, head: bytes, body: bytes = b"", *, compressed: bool = False) -> bytes:
    sha1 = hashlib.sha1(head, usedforsecurity=False)
    sha1.update(body)
    lines = (
        *fields,
        ("WARC-Block-Digest", _digest_name(sha1.digest())),
        ("Content-Type", media),
        ("Content-Length", str(len(head) + len(body))),
    )
    return pack(b"WARC/1.1\r\n" + _lines(lines, "utf-8") + b"\r\n" + head, body + _END, compressed=compressed)


def _http_head(response: Response, *, keep_length: bool) -> bytes:
    """Status line and headers as they came, except what is no longer true of a body without chunks.

    The names of what a crawler changed are those of Common Crawl.
    """
    size = str(len(response.body))

    def is_untrue(key: str, value: str) -> bool:
        return key == "transfer-encoding" or (key == "content-length" and value != size and not keep_length)

    headers = [("X-Crawler-" + name if is_untrue(name.lower(), value) else name, value) for name, value in response.headers]
    if not keep_length and tuple(headers) != response.headers and not first(tuple(headers), "Content-Length"):
        headers.append(("Content-Length", size))
    reason = _BREAKS.sub(" ", response.reason)
    status = f"HTTP/1.1 {response.status:03} {reason}\r\n".encode("latin-1", "replace")
    return status + _lines(headers) + b"\r\n"


def _lines(pairs: Pairs | list[tuple[str, str]], encoding: str = "latin-1") -> bytes:
    """Head lines; a name or value that would break out of its line is mended."""
    text = "".join([f"{name}: {value}\r\n" for name, value in pairs])
    folded = text.startswith((" ", "\t")) or "\n " in text or "\n\t" in text
    if folded or text.count("\n") != len(pairs) or text.count("\r") != len(pairs):
        mended = [(_BREAKS.sub(" ", name).strip(), _BREAKS.sub(" ", value)) for name, value in pairs]
        text = "".join([f"{name}: {value}\r\n" for name, value in mended])
    return text.encode(encoding, "replace")
