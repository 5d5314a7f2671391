"""Mailboxes in the mbox format: a message becomes a page of its own, `http://mail.invalid/MESSAGE-ID`.

A line that begins with "From " and holds a year begins a message, if the line before it is blank; ">From " inside a message
loses its mark, as the readers of mail have it. Nothing here decodes a message: it is stored as it came.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from email.utils import parsedate_to_datetime
from hashlib import sha1
from urllib.parse import quote

from trasmallo.store.stream import ByteStream
from trasmallo.values.model import Failure, Outcome, Response

_BEGIN = re.compile(rb"From [^\r\n]*\d{4}[^\r\n]*\r?\n")
_FIRST = re.compile(rb"From [^\r\n]*\d{4}[^\r\n]*\r?\n[\w-]+:")
_QUOTED = re.compile(rb">+From ")
_LONGEST_LINE = 1 << 24  # judgement: bytes; attachments without line ends exist
_HEAD = 1 << 16  # judgement: bytes of a message in which its header ends
_FIELD = re.compile(rb"^(message-id|date):[ \t]*([^\r\n]*)", re.IGNORECASE | re.MULTILINE)


def begins(start: bytes) -> bool:
    """Whether these are the first bytes of a mailbox."""
    return _FIRST.match(start) is not None


def messages(stream: ByteStream, limit: int) -> Iterator[Response | Failure]:
    """Every message; one of more than `limit` bytes is a Failure."""
    kept, size, blank, number = bytearray(), 0, True, 0
    while line := stream.line(_LONGEST_LINE):
        if blank and _BEGIN.fullmatch(line):
            if number:
                yield _message(bytes(kept), number, too_large=size > limit)
            kept, size, number = bytearray(), 0, number + 1
        else:
            line = line[1:] if _QUOTED.match(line) else line
            size += len(line)
            if size <= limit:
                kept += line
        blank = not line.strip()
    if number:
        yield _message(bytes(kept), number, too_large=size > limit)


def _message(content: bytes, number: int, *, too_large: bool) -> Response | Failure:
    head = content[:_HEAD].partition(b"\n\n")[0].partition(b"\r\n\r\n")[0]
    fields = {name.lower(): value.decode("latin-1").strip() for name, value in _FIELD.findall(head)}
    name = fields.get(b"message-id", "").strip("<>") or sha1(content, usedforsecurity=False).hexdigest()
    url = "http://mail.invalid/" + quote(name, safe="@")
    at = _time(fields.get(b"date", ""))
    if too_large:
        return Failure(url, at, Outcome.TOO_LARGE, f"message {number} is larger than the limit for a document")
    body = content.removesuffix(b"\n")
    return Response(
        url=url, at=at, status=200, reason="", headers=(("Content-Type", "message/rfc822"),), body=body, content=body
    )


def _time(date: str) -> float:
    try:
        return max(0.0, parsedate_to_datetime(date).timestamp())
    except (ValueError, TypeError, OverflowError, IndexError):
        return 0.0
