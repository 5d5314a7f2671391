"""TRECText and TRECWeb collections: documents between <DOC> and </DOC>, known by their <DOCNO>.

Bytes are kept as they are; nothing here decodes a text. A document that names no web address of its own gets the stable
address `http://trec.invalid/DOCNO` (RFC 2606 promises that the host never exists). A time that is not named is 0.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from urllib.parse import quote

from trasmallo.store.stream import BrokenError, ByteStream
from trasmallo.store.warc import Pairs, first, parse_lines, split_http
from trasmallo.values.model import Failure, Outcome, Response

_OPEN = re.compile(rb"<DOC\s{0,8}>", re.IGNORECASE)
_CLOSE = re.compile(rb"</DOC\s{0,8}>", re.IGNORECASE)
_TAG = 16  # bytes that a tag cut by a chunk may have on either side
_NUMBER = re.compile(rb"<DOCNO>([^<]{1,1000})</DOCNO>", re.IGNORECASE)
_HEADER_OPEN = re.compile(rb"<DOCHDR>", re.IGNORECASE)
_HEADER_CLOSE = re.compile(rb"</DOCHDR>(?:\r?\n)?", re.IGNORECASE)
# The elements that hold text in the collections of the TREC disks; the others (FILEID, DATE, PROFILE...) are about it.
_SECTION = re.compile(rb"<(/?)(TEXT|HEADLINE|TITLE|HEAD|HL|TTL|LEADPARA|LP)\s{0,8}>", re.IGNORECASE)
_MARKUP = re.compile(rb"</?[A-Za-z][^<>]{0,100}>")


def documents(stream: ByteStream, limit: int) -> Iterator[Response | Failure]:
    """Every document; one of more than `limit` bytes, or without a number, is a Failure. BrokenError when the last is torn."""
    while stream.through(_OPEN, _TAG, 0).found:
        start = stream.position
        passage = stream.through(_CLOSE, _TAG, limit)
        if not passage.found:
            raise BrokenError(f"the document at byte {start} has no end")
        yield _document(passage.data, start, too_large=passage.size > limit)


def _document(data: bytes, start: int, *, too_large: bool) -> Response | Failure:
    number = _NUMBER.search(data)
    if not number:
        return Failure(f"http://trec.invalid/?byte={start}", 0.0, Outcome.BROKEN, "a document without <DOCNO>")
    url = "http://trec.invalid/" + quote(number[1].strip(), safe="")
    if too_large:
        return Failure(url, 0.0, Outcome.TOO_LARGE, "larger than the limit for a document")
    inside = _CLOSE.sub(b"", data[number.end() :])
    opened = _HEADER_OPEN.search(inside)
    closed = _HEADER_CLOSE.search(inside, opened.end()) if opened else None
    if opened and closed:
        body = inside[closed.end() :].removesuffix(b"\n").removesuffix(b"\r")
        return _web_page(url, inside[opened.end() : closed.start()].strip(), body)
    return _text(url, inside)


def _web_page(url: str, header: bytes, body: bytes) -> Response:
    """A TRECWeb document: first line "URL [IP date type length]", then the head of the HTTP answer."""
    line, _, head = header.partition(b"\n")
    words = line.decode("latin-1").split()
    address, at = ("", 0.0)
    if len(words) >= 3:
        address, at = words[1], time_of(words[2])
    if words and words[0].lower().startswith(("http://", "https://")):
        url = words[0]
    status, reason, headers, _ = split_http(head, 0, len(head))
    headers = headers or parse_lines(head.decode("latin-1"))
    headers = tuple(("X-Crawler-" + name if name.lower() == "content-encoding" else name, value) for name, value in headers)
    if not first(headers, "Content-Type"):
        headers = (*headers, ("Content-Type", "text/html"))
    return Response(
        url=url, at=at, status=status or 200, reason=reason, headers=headers, body=body, content=body, address=address
    )


def _text(url: str, inside: bytes) -> Response:
    """A TRECText document: what its text elements hold, in order; all of it where there is none."""
    sections = list(_sections(inside))
    body = b"\n\n".join(sections) if sections else inside.strip(b"\r\n")
    media = "text/html" if _MARKUP.search(body) else "text/plain"
    headers: Pairs = (("Content-Type", media),)
    return Response(url=url, at=0.0, status=200, reason="", headers=headers, body=body, content=body)


def _sections(inside: bytes) -> Iterator[bytes]:
    """What the text elements hold, in one pass: a hostile file must not make it look back."""
    name, start = b"", 0
    for tag in _SECTION.finditer(inside):
        if not name and not tag[1]:
            name, start = tag[2].lower(), tag.end()
        elif tag[1] and tag[2].lower() == name:
            yield inside[start : tag.start()].strip(b"\r\n")
            name = b""


def time_of(digits: str) -> float:
    """The time of an ARC date, YYYYMMDDHHMMSS; 0 where it is none."""
    try:
        return max(0.0, datetime.strptime(digits[:14], "%Y%m%d%H%M%S").replace(tzinfo=UTC).timestamp())
    except (ValueError, OverflowError):
        return 0.0
