"""TRECText and TRECWeb collections: documents between <DOC> and </DOC>, known by their <DOCNO>.

Bytes are kept as they are; nothing here decodes a text. A document that names no web address of its own gets the stable
address `http://trec.invalid/DOCNO` (RFC 2606 promises that the host never exists). A time that is not named is 0.

What a document says of itself beside its text is kept in headers: `X-Source-Id` (its DOCNO, and the ids it had before),
`X-Source-Title` (its headline) and `X-Source-Date` (its date as it is written).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from urllib.parse import quote

from trasmallo.store.stream import BrokenError, ByteStream
from trasmallo.store.warc import Pairs, first, parse_lines, split_http
from trasmallo.values.model import Failure, Outcome, Response

SOURCE_ID, SOURCE_TITLE, SOURCE_DATE = "X-Source-Id", "X-Source-Title", "X-Source-Date"
"""Headers in which an imported document says what its collection knew of it."""

_HEAD = 20_000  # judgement: bytes of a document in which it says what it is
_HEADLINE = 1_000  # judgement: characters of a headline
_OPEN = re.compile(rb"<DOC\s{0,8}>", re.IGNORECASE)
_CLOSE = re.compile(rb"</DOC\s{0,8}>", re.IGNORECASE)
_TAG = 16  # bytes that a tag cut by a chunk may have on either side
_NUMBER = re.compile(rb"<DOCNO>([^<]{1,1000})</DOCNO>", re.IGNORECASE)
_HEADER_OPEN = re.compile(rb"<DOCHDR>", re.IGNORECASE)
_HEADER_CLOSE = re.compile(rb"</DOCHDR>(?:\r?\n)?", re.IGNORECASE)
# The elements that hold text in the collections of the TREC disks; the others (FILEID, DATE, PROFILE...) are about it.
_SECTION = re.compile(rb"<(/?)(TEXT|HEADLINE|TITLE|HEAD|HL|TTL|LEADPARA|LP)\s{0,8}>", re.IGNORECASE)
_IDS = re.compile(rb"<(DOCOLDNO|DOCID|FILEID)>([^<]{1,1000})</\1>", re.IGNORECASE)
_HEADLINES = ("head", "headline", "title", "hl", "ttl")
_DATE = re.compile(rb"<(DATE_TIME|DATE1|DATE|PUBDATE|DD)>\s{0,20}(?:<P>)?([^<]{1,200})", re.IGNORECASE)
# Six digits are year, month and day of the last century, as the Financial Times has them.
_SHORT_DATE = re.compile(r"(\d\d)(\d\d)(\d\d)")
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
    told = _ids(number[1], inside)
    if opened and closed:
        body = inside[closed.end() :].removesuffix(b"\n").removesuffix(b"\r")
        return _web_page(url, inside[opened.end() : closed.start()].strip(), body, told)
    return _text(url, inside, told)


def _ids(number: bytes, inside: bytes) -> Pairs:
    """The names of a document as headers, its number first."""
    found = dict.fromkeys([_shown(number), *(_shown(match[2]) for match in _IDS.finditer(inside[:_HEAD]))])
    return tuple((SOURCE_ID, text) for text in found if text)


def _shown(raw: bytes) -> str:
    """Some bytes on one line, as they are kept in a header."""
    return b" ".join(raw.split()).decode("latin-1")


def _web_page(url: str, header: bytes, body: bytes, told: Pairs) -> Response:
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
    headers = (*(pair for pair in headers if not pair[0].lower().startswith("x-source-")), *told)
    return Response(
        url=url, at=at, status=status or 200, reason=reason, headers=headers, body=body, content=body, address=address
    )


def _text(url: str, inside: bytes, told: Pairs) -> Response:
    """A TRECText document: what its text elements hold, in order; all of it where there is none."""
    sections = list(_sections(inside))
    body = b"\n\n".join(text for _, text in sections) if sections else inside.strip(b"\r\n")
    media = "text/html" if _MARKUP.search(body) else "text/plain"
    headers: Pairs = (("Content-Type", media), *told)
    headline = next((_shown(_MARKUP.sub(b" ", text)) for name, text in sections if name in _HEADLINES), "")
    headers += ((SOURCE_TITLE, headline[:_HEADLINE]),) if headline else ()
    dated = _DATE.search(inside[:_HEAD])
    headers += ((SOURCE_DATE, _full_date(_shown(dated[2]))),) if dated else ()
    return Response(url=url, at=0.0, status=200, reason="", headers=headers, body=body, content=body)


def _full_date(text: str) -> str:
    short = _SHORT_DATE.fullmatch(text)
    return f"19{short[1]}-{short[2]}-{short[3]}" if short else text


def _sections(inside: bytes) -> Iterator[tuple[str, bytes]]:
    """Names of the text elements and what they hold, in one pass: a hostile file must not make it look back."""
    name, start = b"", 0
    for tag in _SECTION.finditer(inside):
        if not name and not tag[1]:
            name, start = tag[2].lower(), tag.end()
        elif tag[1] and tag[2].lower() == name:
            yield name.decode(), inside[start : tag.start()].strip(b"\r\n")
            name = b""


def time_of(digits: str) -> float:
    """The time of an ARC date, YYYYMMDDHHMMSS; 0 where it is none."""
    try:
        return max(0.0, datetime.strptime(digits[:14], "%Y%m%d%H%M%S").replace(tzinfo=UTC).timestamp())
    except (ValueError, OverflowError):
        return 0.0
