"""Collections of others, read for import: WARC, ARC, TRECText, TRECWeb, texts and mailboxes, packed with gzip or not."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from trasmallo.store import mailbox, text_formats, trec
from trasmallo.store.stream import BrokenError, ByteStream
from trasmallo.store.warc import Original, WarcRecord, length_of, split_http
from trasmallo.values.content_encodings import Bomb, decode
from trasmallo.values.errors import DocumentError, StoreDamaged
from trasmallo.values.model import Failure, Outcome, Response

_LINE = 1 << 16  # judgement: bytes of a line of a header; RFC 9110 asks for 8,000 to be read
_HEAD_LINES = 1000  # judgement: ARC and HTTP heads have some dozen
_TAKEN = frozenset(("response", "resource", "conversion", "revisit"))
_TORN = "the file ends inside a record"
_WEB = ("http://", "https://")
_CHUNK_SIZE = re.compile(rb"([0-9A-Fa-f]{1,8})[ \t]*(?:;[^\r\n]*)?\r?\n")
_DOC = re.compile(rb"\s*(?:<\?xml[^>]*>\s*)?<DOC\s*>", re.IGNORECASE)

# Any XML may have a root called doc; only documents of TREC have a number.
_TREC = re.compile(_DOC.pattern + rb".{0,1000}?<DOCNO>", re.IGNORECASE | re.DOTALL)


class Revisit(msgspec.Struct, frozen=True):
    """An answer kept without its body because `original` has the same; `response.body` is empty."""

    response: Response
    original: Original | None


Found = Response | Revisit | Failure


def read_foreign(path: Path, *, limit: int = 100_000_000) -> Iterator[Found]:
    """Every answer of a web server in the file, whose kind is told by its content.

    A record larger than `limit`, packed or unpacked, is a Failure. What is no page (requests, metadata, DNS) is left out.
    StoreDamaged, which says where, comes after all that lies before the damage; DocumentError when the kind is not known.
    """
    try:
        file = path.open("rb")
    except OSError as error:
        raise DocumentError(
            "cannot read {path}: {reason}", "check the path and its permissions", path=path, reason=error.strerror
        ) from error
    with file:
        stream = ByteStream(file)
        try:
            yield from _reader_for(stream, path)(stream, limit)
        except BrokenError as error:
            packed = "{path} is damaged at byte {offset} of its unpacked content ({error})"
            problem = packed if stream.packed else "{path} is damaged at byte {offset} ({error})"
            repair = "get the file again; all before the damage was read"
            raise StoreDamaged(problem, repair, path=path, offset=stream.position, error=error) from error


def holds_trec(path: Path) -> bool:
    """Whether a file begins as those of a TREC collection do, whatever it is called."""
    try:
        with path.open("rb") as file:
            return _TREC.match(ByteStream(file).peek().removeprefix(b"\xef\xbb\xbf")) is not None
    except (OSError, BrokenError):
        return False


def _reader_for(stream: ByteStream, path: Path) -> Callable[[ByteStream, int], Iterator[Found]]:
    start = stream.peek().removeprefix(b"\xef\xbb\xbf")
    if start.startswith(b"WARC/"):
        return _read_warc
    if start.startswith(b"filedesc:"):
        return _read_arc
    if _DOC.match(start):
        return trec.documents
    if mailbox.begins(start):
        return mailbox.messages
    reader = text_formats.reader_for(start)
    if reader is None:
        kinds = "give WARC, ARC, TRECText, TRECWeb, JSON lines, CoNLL-U, vertical text, TEI, mbox, or the folder that it is in"
        raise DocumentError("{path} is no collection that can be imported", kinds, path=path)
    return reader


def _read_warc(stream: ByteStream, limit: int) -> Iterator[Found]:
    while line := _next_line(stream):
        if not line.startswith(b"WARC/"):
            raise BrokenError("no WARC record begins here")
        head = line + _read_head(stream)
        record = WarcRecord(head, len(head), len(head))
        length = _checked_length(record.field("Content-Length"))
        if record.kind not in _TAKEN or not record.url.lower().startswith(_WEB):
            _skip(stream, length)
        elif length > limit:
            _skip(stream, length)
            yield _too_large(record.url, record.at)
        else:
            yield _convert(WarcRecord(head + _take(stream, length), len(head), len(head) + length), limit)


def _read_arc(stream: ByteStream, limit: int) -> Iterator[Found]:
    """ARC 1.0: "URL IP date type length", then the answer; version 2 has more words before the length."""
    words = 4
    while line := _next_line(stream):
        if not line.endswith(b"\n"):
            raise BrokenError(_TORN)
        parts = line.decode("latin-1").rstrip("\r\n").rsplit(" ", words)
        length = _checked_length(parts[-1])
        if len(parts) <= words:
            raise BrokenError("no ARC record begins here")
        if parts[0].startswith("filedesc:"):
            words = 9 if _take(stream, length).startswith(b"2 ") else 4
        elif not parts[0].lower().startswith(_WEB):
            _skip(stream, length)
        else:
            yield _arc_answer(stream, parts, length, limit)


def _arc_answer(stream: ByteStream, parts: list[str], length: int, limit: int) -> Found:
    url, address, date, media = parts[:4]
    at = trec.time_of(date)
    if length > limit:
        _skip(stream, length)
        return _too_large(url, at)
    status, reason, headers, body = split_http(_take(stream, length), 0, length)
    headers = headers or (("Content-Type", media),)
    return _unpack(
        Response(url=url, at=at, status=status, reason=reason, headers=headers, body=body, content=b"", address=address), limit
    )


def _convert(record: WarcRecord, limit: int) -> Found:
    """The answer in a record."""
    headers, status = record.headers, record.status
    if not status and not (media := record.field("Content-Type")).startswith("application/http"):
        headers, status = (("Content-Type", media),), 200
    stored = Response(
        url=record.url,
        at=record.at,
        status=status,
        reason=record.reason,
        headers=headers,
        body=record.body,
        content=b"",
        address=record.field("WARC-IP-Address"),
        access=record.access,
    )
    found = _unpack(stored, limit)
    return Revisit(found, record.original) if record.kind == "revisit" and isinstance(found, Response) else found


def _unpack(stored: Response, limit: int) -> Response | Failure:
    """An answer without chunks and with its content."""
    if not stored.status:
        return Failure(stored.url, stored.at, Outcome.BROKEN, "no HTTP status in the record")
    body = _unchunk(stored.body) if "chunked" in stored.header("Transfer-Encoding").lower() else stored.body
    try:
        content = decode(body, stored.header("Content-Encoding"), limit)
    except Bomb:
        return Failure(stored.url, stored.at, Outcome.TOO_LARGE, f"unpacks to more than {limit} bytes")
    return msgspec.structs.replace(stored, body=body, content=content)


def _too_large(url: str, at: float) -> Failure:
    return Failure(url, at, Outcome.TOO_LARGE, "larger than the limit for a document")


def _next_line(stream: ByteStream) -> bytes:
    """The next line that is not blank, b"" at the end."""
    line = stream.line(_LINE)
    while line and not line.strip():
        line = stream.line(_LINE)
    return line


def _read_head(stream: ByteStream) -> bytes:
    """The lines up to a blank one, that one included."""
    lines: list[bytes] = []
    for _ in range(_HEAD_LINES):
        line = stream.line(_LINE)
        if not line.endswith(b"\n"):
            raise BrokenError(_TORN)
        lines.append(line)
        if not line.strip():
            return b"".join(lines)
    raise BrokenError("a head without end")


def _checked_length(text: str) -> int:
    try:
        return length_of(text.strip())
    except ValueError as error:
        raise BrokenError("a record without valid length") from error


def _take(stream: ByteStream, length: int) -> bytes:
    block = stream.take(length)
    if len(block) < length:
        raise BrokenError(_TORN)
    return block


def _skip(stream: ByteStream, length: int) -> None:
    if not stream.skip(length):
        raise BrokenError(_TORN)


def _unchunk(body: bytes) -> bytes:
    """The body without chunks (RFC 9112, 7.1); as it is when it has none, since many crawlers store it so."""
    parts = []
    found = _CHUNK_SIZE.match(body)
    if not found:
        return body
    while found and (size := int(found[1], 16)):
        parts.append(body[found.end() : found.end() + size])
        end = found.end() + size
        end += 2 if body[end : end + 2] == b"\r\n" else 1
        found = _CHUNK_SIZE.match(body, end)
    return b"".join(parts)
