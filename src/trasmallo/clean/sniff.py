"""What a document is: by its first bytes and the names inside it, then by what the server says, then by its name's ending."""

from __future__ import annotations

import codecs
import re

from trasmallo.clean.decode import charset_name

_HEAD = 1024
_MARKUP = re.compile(rb"<(?:!doctype\s+html|html|head|body|title|meta|script|table|div|h1|p|a|br)[\s/>]", re.IGNORECASE)
_PAGE = re.compile(
    rb"^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html)[\s>]",
    re.IGNORECASE | re.DOTALL,
)
_CONTROLS = re.compile(rb"[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]")
_NOT_ASCII = re.compile(rb"[\x80-\xff]")
# A text may have one control character, and one more in each so many bytes; of random bytes one in ten is one.
_STRAY = 100
_UNTOLD = ("", "application/octet-stream", "unknown/unknown", "application/unknown", "binary/octet-stream", "*/*")
_MAGIC = (
    (b"PK\x03\x04", "application/zip"),
    (b"PK\x05\x06", "application/zip"),
    (b"\x1f\x8b", "application/gzip"),
    (b"\x89PNG", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF8", "image/gif"),
    (b"RIFF", "application/x-riff"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "application/x-ole-storage"),
    (b"{\\rtf", "application/rtf"),
    (b"\x7fELF", "application/x-elf"),
    (b"OggS", "application/ogg"),
    (b"ID3", "audio/mpeg"),
    (b"wOF", "font/woff"),
)
_OFFICE = "application/vnd.openxmlformats-officedocument."
# Names of members stand uncompressed in a zip, before each and in its directory: a file cut short still tells.
_ZIP_MEMBERS = (
    (b"word/document", f"{_OFFICE}wordprocessingml.document"),
    (b"ppt/presentation.xml", f"{_OFFICE}presentationml.presentation"),
    (b"xl/workbook.xml", f"{_OFFICE}spreadsheetml.sheet"),
    (b"META-INF/container.xml", "application/epub+zip"),
)
_MIMETYPE = re.compile(rb"PK\x03\x04.{26}mimetype(application/[\w.+-]+?)(?=PK|-template|-master|$)", re.DOTALL)
# The same for the streams of the older Office files, in UTF-16.
_OLE_STREAMS = (
    ("EncryptedPackage", "application/x-ole-encrypted"),
    ("WordDocument", "application/msword"),
    ("PowerPoint Document", "application/vnd.ms-powerpoint"),
    ("Workbook", "application/vnd.ms-excel"),
)
_FLAT_ODF = re.compile(rb"<office:document[\s][^>]*office:mimetype=[\"'](application/vnd\.oasis\.opendocument\.[a-z]+)")
_MAILBOX = re.compile(rb"From [^\r\n]*\d{4}[^\r\n]*\r?\n[\w-]+:")
_MAIL = re.compile(
    rb"(?:(?:[A-Za-z][\w-]*: ?[^\r\n]*\r?\n(?:[ \t][^\r\n]*\r?\n)*)+?)?(?:From|Received|Message-ID|MIME-Version|Return-Path): ",
    re.IGNORECASE,
)
_MAIL_NEEDS = re.compile(rb"^(?:From|Subject|Date|To):", re.IGNORECASE | re.MULTILINE)
# What an ending adds where bytes and server leave it open; text is text, so only these can tell more of it.
_ENDINGS = {
    ".md": "text/markdown",
    ".markdown": "text/markdown",
    ".csv": "text/csv",
    ".tsv": "text/tab-separated-values",
    ".tab": "text/tab-separated-values",
    ".eml": "message/rfc822",
    ".mbox": "application/mbox",
    ".xml": "application/xml",
    ".txt": "text/plain",
}
# Servers call tables and texts so by the program that shall open them.
_TEXT_UNDER_BINARY_NAMES = {"application/vnd.ms-excel": "text/csv", "application/msword": "text/plain"}
_OTHER_NAMES = {
    "text/rtf": "application/rtf",
    "application/x-gzip": "application/gzip",
    "application/x-zip-compressed": "application/zip",
    "text/x-markdown": "text/markdown",
    "application/csv": "text/csv",
}


def media_of(content: bytes, media: str = "", http_charset: str = "", *, name: str = "") -> str:
    """The media type of a document; what the server says and the ending of its `name` count where its bytes leave it open."""
    media = media.split(";")[0].strip().lower()
    media = _OTHER_NAMES.get(media, media)
    # UTF-16 of markup is its ASCII with NULs between.
    head = content[:_HEAD].replace(b"\0", b"") if content.startswith((b"\xff\xfe", b"\xfe\xff")) else content[:_HEAD]
    if b"%PDF-" in head:
        return "application/pdf"
    known = next((known for magic, known in _MAGIC if content.startswith(magic)), "")
    if known:
        return _inside(content, known)
    if _PAGE.match(head):
        return "application/xhtml+xml" if media == "application/xhtml+xml" else "text/html"
    if not _is_text(head, http_charset):
        return media if media not in _UNTOLD and not _is_markup(media) and media != "text/plain" else "application/octet-stream"
    if flat := _FLAT_ODF.search(head):
        return flat[1].decode()
    return _text_kind(head, media, name)


def _inside(content: bytes, known: str) -> str:
    """What a container is, by the names in it."""
    if known == "application/x-ole-storage":
        return next((media for stream, media in _OLE_STREAMS if stream.encode("utf-16le") in content), known)
    if known != "application/zip":
        return known
    if told := _MIMETYPE.match(content[:200]):
        return told[1].decode()
    return next((media for member, media in _ZIP_MEMBERS if member in content), known)


def _text_kind(head: bytes, media: str, name: str) -> str:
    ending = name[name.rfind(".") :].lower() if "." in name else ""
    if media in (*_UNTOLD, "text/plain") and ending in _ENDINGS:
        return _ENDINGS[ending]
    if media not in _UNTOLD:
        return _TEXT_UNDER_BINARY_NAMES.get(media, media)
    if head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<?xml"):
        return "application/xml"
    if _MAILBOX.match(head):
        return "application/mbox"
    if _MAIL.match(head) and _MAIL_NEEDS.search(head):
        return "message/rfc822"
    return "text/html" if _MARKUP.search(head) else "text/plain"


def _is_text(head: bytes, http_charset: str) -> bool:
    if head.startswith((b"\xff\xfe", b"\xfe\xff")) or charset_name(http_charset).startswith("utf-16"):
        return True
    controls = len(_CONTROLS.findall(head))
    return not controls or bool(_MARKUP.search(head)) or (controls <= 1 + len(head) // _STRAY and _is_written(head))


def _is_written(head: bytes) -> bool:
    """Whether the bytes beside a stray control character are those of a text: ASCII for the most part, or UTF-8."""
    if 4 * len(_NOT_ASCII.findall(head)) < len(head):
        return True
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head)
    except UnicodeDecodeError:
        return False
    return True


def _is_markup(media: str) -> bool:
    return media in ("text/html", "text/xml", "application/xml") or media.endswith("+xml")
