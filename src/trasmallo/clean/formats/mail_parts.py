"""What hangs on a message: each attachment with its octets, and the message without them.

A message of a mailbox is a document, and so is everything attached to it: what is inside twice would be counted twice.
"""

from __future__ import annotations

from collections.abc import Iterator
from email import policy
from email.errors import MessageError
from email.message import Message
from email.parser import BytesParser
from itertools import islice

import msgspec

from trasmallo.clean.formats.sniff import media_of

MOST_PARTS = 500
"""Parts of a message that are looked at. Judgement: more is an attack."""
MORE_PARTS = f"the message has more than {MOST_PARTS:,} parts, of which the first are read"
"""What is said of those that are not looked at."""

_TEXTS = ("text/plain", "text/html")
_SILENT = ("image", "audio", "video")
_FAILURES = (MessageError, LookupError, ValueError, TypeError, AttributeError, RecursionError, AssertionError)


class Attachment(msgspec.Struct, frozen=True):
    """Something attached to a message: its `part` counted in the order of the message, its name, type and octets."""

    part: str
    name: str
    media: str
    content: bytes


def list_attachments(content: bytes) -> list[Attachment]:
    """What is attached to a message and may hold text: letters inside it too, no pictures, sound or film."""
    try:
        found = [_attachment(number, part) for number, part in _attached(_parse(content))]
    except _FAILURES:
        return []
    return [attachment for attachment in found if attachment.content]


def has_more_parts(content: bytes) -> bool:
    """Whether a message has more parts than are looked at."""
    if content.count(b"\n--") < MOST_PARTS:  # each part begins with a line of its boundary
        return False
    try:
        return any(True for _ in islice(_parts(_parse(content)), MOST_PARTS, None))
    except _FAILURES:
        return True


def without_attachments(content: bytes) -> bytes:
    """A message whose attachments are empty; as it came when it has none, or cannot be taken apart."""
    try:
        message = _parse(content)
        parts = [part for _, part in _attached(message)]
        for part in parts:
            _empty(part)
        return message.as_bytes(policy=policy.compat32) if parts else content
    except _FAILURES:
        return content


def _parse(content: bytes) -> Message:
    return BytesParser(policy=policy.compat32).parsebytes(content)


def _empty(part: Message) -> None:
    del part["Content-Transfer-Encoding"]
    part.set_type("application/octet-stream")
    part.set_payload("")


def _attached(message: Message) -> Iterator[tuple[int, Message]]:
    """The attached parts with their numbers."""
    parts = enumerate(islice(_parts(message), MOST_PARTS), 1)
    return ((number, part) for number, part in parts if number > 1 and _is_attached(part))


def _parts(message: Message) -> Iterator[Message]:
    """A message and its parts in their order; what is inside a message that is attached belongs to that."""
    waiting = [message]
    while waiting:
        part = waiting.pop()
        yield part
        inner = part.get_payload()
        if part.is_multipart() and isinstance(inner, list) and (part is message or not _is_attached(part)):
            waiting += reversed([each for each in inner if isinstance(each, Message)])


def _is_attached(part: Message) -> bool:
    if part.get_content_maintype() in _SILENT:
        return False
    if part.get_content_type() == "message/rfc822" or part.get_content_disposition() == "attachment":
        return True
    return not part.is_multipart() and part.get_content_maintype() != "multipart" and part.get_content_type() not in _TEXTS


def _attachment(number: int, part: Message) -> Attachment:
    inner = part.get_payload()
    if part.get_content_type() == "message/rfc822" and isinstance(inner, list) and inner and isinstance(inner[0], Message):
        name, content = str(part.get_filename() or ""), inner[0].as_bytes(policy=policy.compat32)
        return Attachment(part=str(number), name=name or "message.eml", media="message/rfc822", content=content)
    found = part.get_payload(decode=True)
    content = found if isinstance(found, bytes) else b""
    name = str(part.get_filename() or "")
    charset = str(part.get_content_charset("") or "")
    media = media_of(content, str(part.get_content_type()), charset, name=name)
    return Attachment(part=str(number), name=name, media=media, content=content)
