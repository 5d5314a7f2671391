"""The bytes of WARC 1.1 records (ISO 28500:2017) as they are written: one gzip member a record."""

from __future__ import annotations

import hashlib
import os
import re

from trasmallo.store.catalog_rows import sha1_text
from trasmallo.store.gzip_members import pack
from trasmallo.store.warc import CONVERSION, END, IDENTICAL, NOT_MODIFIED, Pairs, date_of, first
from trasmallo.values.access import access_text
from trasmallo.values.model import NO_ORIGIN, Fetch, Origin, RenderedPage, Response

CONFORMS_TO = "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/"
_RENDERED = "text/html; charset=utf-8"
_ANSWER = "application/http;msgtype=response"
_REQUEST = "application/http;msgtype=request"
_FIELDS = "application/warc-fields"
_BREAKS = re.compile(r"[\r\n]+[ \t]*")
# Bodies that compress no further, by their first bytes, since labels lie: gzip, zip, PNG, JPEG, GIF, zstd, xz, 7z, bzip2, RAR,
# WOFF, Matroska.
_COMPRESSED = (
    b"\x1f\x8b", b"PK\x03\x04", b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"\x28\xb5\x2f\xfd", b"\xfd7zXZ", b"7z\xbc\xaf", b"BZh",
    b"Rar!", b"wOF", b"\x1a\x45\xdf\xa3",
)  # fmt: skip


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
    record_id, shared = new_id(), _shared_pairs(response, info, run)
    told = (
        *shared,
        *_origin_pairs(origin),
        ("Trasmallo-Judged", judged),
        # Who asks by HEAD gets no payload either: then it is a judgement that says that nothing changed.
        ("WARC-Profile", IDENTICAL if response.body or (response.status != 304 and not judged) else NOT_MODIFIED),
        ("WARC-Refers-To-Target-URI", same_as.url),
        ("WARC-Refers-To-Date", date_of(same_as.at)),
        ("WARC-Payload-Digest", same_as.digest),
    )
    opening = _opening("revisit", record_id) + _named_fields(told)
    member = _member(opening, _ANSWER, _http_head(response, keep_length=True))
    return member, b"" if response.status == 304 else _request_member(response.request, record_id, _named_fields(shared))


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


def _named_fields(pairs: Pairs) -> str:
    """Lines of a record's head for values that are not empty, as `_field` writes each; looked at together, in less time."""
    if not "".join([value for _, value in pairs]).isprintable():
        return "".join([_field(name, value) for name, value in pairs if value])
    return "".join([f"{name}: {value}\r\n" for name, value in pairs if value])


def _shared_fields(response: Response, info: str, run: str) -> str:
    """What the record of an answer and that of its request both say."""
    return _named_fields(_shared_pairs(response, info, run))


def _shared_pairs(response: Response, info: str, run: str) -> Pairs:
    """The same as names and values."""
    return (
        ("WARC-Date", date_of(response.at)),
        ("WARC-Target-URI", response.url),
        ("WARC-Warcinfo-ID", info),
        ("WARC-IP-Address", response.address),
        ("Trasmallo-Access", access_text(response.access)),
        ("Trasmallo-Run", run),
    )


def _origin_fields(origin: Origin) -> str:
    """What the record of an answer says of the way to its address."""
    return _named_fields(_origin_pairs(origin))


def _origin_pairs(origin: Origin) -> Pairs:
    """The same as names and values."""
    if not origin.reached:
        return ()
    return (
        ("Trasmallo-Reached", origin.reached),
        ("Trasmallo-Seed", origin.seed),
        ("Trasmallo-Via", origin.via),
        ("Trasmallo-Depth", "" if origin.depth is None else str(origin.depth)),
    )


def _judged_field(judged: str) -> str:
    """What the record of an answer says that it was found to be."""
    return _field("Trasmallo-Judged", judged) if judged else ""


def _request_member(request: bytes, answer_id: str, shared: str) -> bytes:
    if not request:
        return b""
    block = request if request.endswith(END) else request.rstrip(b"\r\n") + END
    return _member(_opening("request", new_id()) + shared + f"WARC-Concurrent-To: {answer_id}\r\n", _REQUEST, block)


def _member(opening: str, media: str, head: bytes, body: bytes = b"", *, compressed: bool = False) -> bytes:
    """A record of the lines it opens with and its block, of head and body."""
    sha1 = hashlib.sha1(head, usedforsecurity=False)
    sha1.update(body)
    digest, size = sha1_text(sha1.digest()), len(head) + len(body)
    lines = f"{opening}WARC-Block-Digest: {digest}\r\nContent-Type: {media}\r\nContent-Length: {size}\r\n\r\n"
    return pack(b"".join((lines.encode("utf-8", "replace"), head, body, END)), compressed=compressed)


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
