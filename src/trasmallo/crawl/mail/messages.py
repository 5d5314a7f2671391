"""Messages inside mailboxes: where each begins in an mbox, and the name that one has wherever it lies.

An mbox is a file of messages, each behind a line that begins with "From " and holds a year, after a blank line; ">From " inside
a message loses its mark (mboxrd). Where a message says its `Content-Length` and a new one begins right there, that is believed
(mboxcl). Nothing here decodes a message.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from hashlib import sha1
from typing import NamedTuple

_BEGIN = re.compile(rb"(?:\A|(?<=\n\n)|(?<=\n\r\n))From [^\r\n]*\d{4}[^\r\n]*\r?\n")
_QUOTED = re.compile(rb"^>(>*From )", re.MULTILINE)
_FIRST = re.compile(rb"From [^\r\n]*\d{4}[^\r\n]*\r?\n[\w-]+:")
_HEAD = 1 << 16  # judgement: bytes of a message in which its header ends
_MESSAGE_ID = re.compile(rb"^message-id:[ \t]*(?:\r?\n[ \t]+)?<?([^\r\n>]+)", re.IGNORECASE | re.MULTILINE)
_LENGTH = re.compile(rb"^content-length:[ \t]*(\d{1,12})", re.IGNORECASE | re.MULTILINE)
_LONGEST_NAME = 500  # judgement: characters of a Message-ID; RFC 5322 lines have 998


class MessagePlace(NamedTuple):
    """A message in an mbox, without its "From " line: the first octet, and how many."""

    offset: int
    length: int


def is_mbox(start: bytes) -> bool:
    """Whether these are the first octets of an mbox."""
    return _FIRST.match(start) is not None


def find_messages(content: bytes) -> Iterator[MessagePlace]:
    """Where the messages of an mbox are."""
    found, at = list(_BEGIN.finditer(content)), 0
    for index, head in enumerate(found):
        if head.start() < at:
            continue  # within a message that says how long it is
        after = found[index + 1].start() if index + 1 < len(found) else len(content)
        at = _told_end(content, head.end()) or after
        yield MessagePlace(head.end(), at - head.end())


def _told_end(content: bytes, start: int) -> int:
    """Where a message ends by its Content-Length; 0 where it tells none, or no message begins there."""
    head = header_of(content[start : start + _HEAD])
    told = _LENGTH.search(head)
    if told is None:
        return 0
    blank = 2 if content[start + len(head) : start + len(head) + 2] == b"\n\n" else 4
    end = start + len(head) + blank + int(told[1])
    rest = content[end : end + 3].lstrip(b"\r\n")
    skipped = end + len(content[end : end + 3]) - len(rest)
    return skipped if end <= len(content) and (skipped >= len(content) or content.startswith(b"From ", skipped)) else 0


def message_in(content: bytes, place: MessagePlace) -> bytes:
    """The octets of a message of an mbox, as they were before it was put there."""
    found = content[place.offset : place.offset + place.length]
    return _QUOTED.sub(rb"\1", found).removesuffix(b"\n")


def header_of(content: bytes) -> bytes:
    """The header of a message."""
    ends = [end for end in (content.find(b"\n\n"), content.find(b"\r\n\r\n")) if end >= 0]
    return content[: min(ends)] if ends else content[:_HEAD]


def name_of(content: bytes) -> str:
    """What a message is called wherever it lies: its Message-ID, else a digest of it."""
    found = _MESSAGE_ID.search(header_of(content[:_HEAD]))
    name = found[1].decode("utf-8", "surrogateescape").strip() if found else ""
    if not name or len(name) > _LONGEST_NAME or any(letter.isspace() or not letter.isprintable() for letter in name):
        return sha1(content, usedforsecurity=False).hexdigest()
    return name
