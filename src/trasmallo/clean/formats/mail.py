"""E-mail (RFC 5322 and MIME) and mailboxes: who wrote what to whom, the readable body, and what is attached."""

from __future__ import annotations

import re
from collections.abc import Iterator
from email.errors import MessageError
from email.message import EmailMessage, Message
from email.parser import BytesParser
from email.policy import EmailPolicy
from email.utils import parseaddr
from itertools import islice

from trasmallo.clean.formats.archives import write_member
from trasmallo.clean.formats.html_builder import TOO_MUCH, HtmlBuilder, Unreadable, plain
from trasmallo.clean.formats.mail_zones import HEADER, write_letter
from trasmallo.clean.formats.readers import read_as

_SHOWN = ("From", "To", "Cc", "Date")
_FIELDS = {"From": ("author",), "To": ("to",), "Cc": ("to", "cc"), "Date": ("date",), "Subject": ("subject",)}
"""Headers that are fields of the message, which can be searched by their names."""
_ID = re.compile(r"<([^<>\s]+)>")
_THREAD = ("References", "In-Reply-To", "Message-ID")
"""Headers that name the first letter of a discussion, the best first."""
_MOST_PARTS = 500
"""Parts of a message that are looked at. Judgement: more is an attack."""
_MOST_MESSAGES = 10_000
"""Messages of a mailbox that are read. Judgement."""
_LONGEST_HEADER = 5_000
"""Characters of a header that are read: the library's time grows with their square. Judgement: a hundred addresses."""
_BOUNDARY = re.compile(rb"^From [^\r\n]*\d{4}[^\r\n]*\r?\n", re.MULTILINE)
_QUOTED_FROM = re.compile(rb"^>(>*From )", re.MULTILINE)
_LARGEST = 15_000_000  # characters of a body, as of plain text
_FLOWED = re.compile(r"(?<!^--) \r?\n(?![>\s]|-- )", re.MULTILINE)
_FAILURES = (MessageError, LookupError, ValueError, TypeError, AttributeError, RecursionError, AssertionError)


class _ShortHeaders(EmailPolicy):
    """How mail is parsed, with an end to each header, also to those of its parts."""

    def header_source_parse(self, sourcelines: list[str]) -> tuple[str, str]:
        name, value = super().header_source_parse(sourcelines)
        return name, value[:_LONGEST_HEADER]


_POLICY = _ShortHeaders()


def read_mail(content: bytes, page: HtmlBuilder) -> None:
    """Write one message to the page."""
    message = BytesParser(policy=_POLICY).parsebytes(content)
    if not message.keys():
        raise Unreadable("it has no header as mail has")
    page.title = _header(message, "Subject")
    _write(message, page)


def read_mailbox(content: bytes, page: HtmlBuilder) -> None:
    """Write every message of a mailbox to the page, each as a section."""
    heads = list(islice(_BOUNDARY.finditer(content), _MOST_MESSAGES + 1))
    if not heads:
        raise Unreadable("it has no line that begins a message of a mailbox")
    if len(heads) > _MOST_MESSAGES:
        page.lose(TOO_MUCH)
    ends = [*(head.start() for head in heads[1:]), len(content)]
    for head, end in islice(zip(heads, ends, strict=True), _MOST_MESSAGES):
        message = BytesParser(policy=_POLICY).parsebytes(_QUOTED_FROM.sub(rb"\1", content[head.end() : end]))
        page.write("<section>")
        _write(message, page)
        page.write("</section>")


def _header(message: Message, name: str) -> str:
    """A header decoded; one that cannot be is taken as it stands."""
    try:
        return str(message.get(name, ""))
    except _FAILURES:
        return next((str(value) for key, value in message.raw_items() if key.lower() == name.lower()), "")


def _write(message: Message, page: HtmlBuilder) -> None:
    page.heading(1, plain(_header(message, "Subject").strip()))
    rows = [(name, _header(message, name)) for name in _SHOWN]
    page.write(f'<div class="{HEADER}">')
    page.table((f"<b>{name}</b>", plain(text)) for name, text in rows if text)
    page.write("</div>")
    for name, fields in _FIELDS.items():
        for field in fields:
            page.field(field, _header(message, name))
    _write_names(message, page)
    attached = []
    for part in _leaves(message):
        # What calls itself multipart and has no parts is text.
        kind = "text/plain" if part.get_content_maintype() == "multipart" else part.get_content_type()
        if _is_attached(part) or kind not in ("text/plain", "text/html"):
            attached.append(part)
        else:
            _body(part, kind, page)
    for part in attached:
        _attachment(part, page)


def _write_names(message: Message, page: HtmlBuilder) -> None:
    """By what a message is found exactly: its sender's address, its own name, its discussion, its mailing list."""
    page.field("sender", parseaddr(_header(message, "From"))[1].lower())
    named = [found for name in _THREAD for found in _ID.findall(_header(message, name))]
    page.field("message", next(iter(_ID.findall(_header(message, "Message-ID"))), ""))
    page.field("thread", named[0] if named else "")
    page.field("list", next(iter(_ID.findall(_header(message, "List-Id"))), _header(message, "List-Id")).lower())


def _leaves(message: Message) -> Iterator[Message]:
    """The parts that hold something, in order; of alternatives the readable one that is richest."""
    waiting, seen = [message], 0
    while waiting and seen < _MOST_PARTS:
        part = waiting.pop()
        seen += 1
        if part.get_content_type() == "multipart/alternative" and part.is_multipart():
            waiting.append(_richest(_inner(part)))
        elif part.is_multipart():
            waiting += reversed(_inner(part))
        else:
            yield part


def _inner(part: Message) -> list[Message]:
    found = part.get_payload()
    return [each for each in found if isinstance(each, Message)] if isinstance(found, list) else []


def _richest(parts: list[Message]) -> Message:
    """The last alternative is the best one (RFC 2046, 5.1.4), if it is text or holds some."""
    readable = [part for part in parts if part.is_multipart() or part.get_content_type() in ("text/html", "text/plain")]
    return (readable or parts or [EmailMessage()])[-1]


def _is_attached(part: Message) -> bool:
    try:
        return bool(part.get_content_disposition() == "attachment")
    except _FAILURES:
        return False


def _content(part: Message) -> bytes:
    try:
        found = part.get_payload(decode=True)
    except _FAILURES:
        return b""
    return found if isinstance(found, bytes) else b""


def _body(part: Message, kind: str, page: HtmlBuilder) -> None:
    inner = page.inside()
    inner.http_charset = str(part.get_content_charset("") or "")
    if kind == "text/plain":
        write_letter(_unflowed(part, inner.first(inner.decode(_content(part)), _LARGEST)), inner)
    else:
        read_as(kind, _content(part), inner)
    page.write(inner.body())


def _unflowed(part: Message, text: str) -> str:
    """A text whose lines end where they are meant to (RFC 3676): a blank before the end says that the line goes on."""
    try:
        flowed = str(part.get_param("format", "")).lower() == "flowed"
    except _FAILURES:
        flowed = False
    return _FLOWED.sub(" ", text) if flowed else text


def _attachment(part: Message, page: HtmlBuilder) -> None:
    """What hangs on a message; pictures and the like have no text and are passed over in silence."""
    try:
        name = str(part.get_filename() or part.get_content_type())
    except _FAILURES:
        name = "attachment"
    if part.get_content_maintype() not in ("image", "audio", "video") and (content := _content(part)):
        write_member(page, name, content, str(part.get_content_type()))
