"""What a document is: by its first bytes and the names inside it, then by what the server says, then by its name's ending."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from trasmallo.clean.charsets import decode_leniently
from trasmallo.clean.formats.registry import formats
from trasmallo.clean.wide import wide_charset

_HEAD = 1024
"""Bytes by which a text is known, as in browsers (WHATWG MIME Sniffing has 1,445)."""
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
_NOT_READ = (
    (b"\x89PNG", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF8", "image/gif"),
    (b"RIFF", "application/x-riff"),
    (b"\x7fELF", "application/x-elf"),
    (b"OggS", "application/ogg"),
    (b"ID3", "audio/mpeg"),
    (b"wOF", "font/woff"),
)
"""How files begin that hold no text, so that they are called by their name."""
_ZIP = "application/zip"
_OLE = "application/x-ole-storage"
_OLE_BEGINS = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_OLE_ENCRYPTED = ("EncryptedPackage", "application/x-ole-encrypted")
_MIMETYPE = re.compile(rb"PK\x03\x04.{26}mimetype(application/[\w.+-]+?)(?=PK|-template|-master|$)", re.DOTALL)
_FLAT_ODF = re.compile(rb"<office:document[\s][^>]*office:mimetype=[\"'](application/vnd\.oasis\.opendocument\.[a-z]+)")


class _Signs(NamedTuple):
    """What the registry says of formats, by what is asked; each sign has the media type that it shows."""

    near_start: list[tuple[bytes, str]]
    begins: list[tuple[bytes, str]]
    members: list[tuple[bytes, str]]
    streams: list[tuple[bytes, str]]
    recognise: list[tuple[Callable[[bytes], object], str]]
    endings: dict[str, str]
    aliases: dict[str, str]
    misnomers: dict[str, str]


@cache
def _signs() -> _Signs:
    known = formats()
    streams = [_OLE_ENCRYPTED, *((name, entry.media) for entry in known for name in entry.streams)]
    return _Signs(
        near_start=[(sign, entry.media) for entry in known for sign in entry.near_start],
        begins=[*((sign, entry.media) for entry in known for sign in entry.begins), (_OLE_BEGINS, _OLE), *_NOT_READ],
        # Names stand uncompressed in a zip, before each member and in its directory: a file cut short still tells.
        members=[(sign, entry.media) for entry in known for sign in entry.members],
        # The same for the streams of the older Office files, in UTF-16.
        streams=[(name.encode("utf-16le"), media) for name, media in streams],
        recognise=[(entry.recognise, entry.media) for entry in known if entry.recognise],
        endings={ending: entry.media for entry in known if entry.by_name for ending in entry.endings},
        aliases={alias: entry.media for entry in known for alias in entry.aliases},
        misnomers={name: entry.media for entry in known for name in entry.misnomers},
    )


def media_of(content: bytes, media: str = "", http_charset: str = "", *, name: str = "") -> str:
    """The media type of a document; what the server says and the ending of its `name` count where its bytes leave it open."""
    signs = _signs()
    media = media.split(";")[0].strip().lower()
    media = signs.aliases.get(media, media)
    head, is_wide = _head(content, http_charset)
    known = next((known for sign, known in signs.near_start if sign in head), "")
    known = known or next((known for sign, known in signs.begins if content.startswith(sign)), "")
    if known:
        return _inside(content, known)
    if _PAGE.match(head):
        return "application/xhtml+xml" if media == "application/xhtml+xml" else "text/html"
    if not is_wide and not _is_text(head):
        return media if media not in _UNTOLD and not _is_markup(media) and media != "text/plain" else "application/octet-stream"
    if flat := _FLAT_ODF.search(head):
        return flat[1].decode()
    return _text_kind(head, media, name)


def _inside(content: bytes, known: str) -> str:
    """What a container is, by the names in it."""
    if known not in (_OLE, _ZIP):
        return known
    if known == _ZIP and (told := _MIMETYPE.match(content[:200])):
        return told[1].decode()
    signs = _signs().streams if known == _OLE else _signs().members
    return next((media for sign, media in signs if sign in content), known)


def _text_kind(head: bytes, media: str, name: str) -> str:
    signs = _signs()
    ending = name[name.rfind(".") :].lower() if "." in name else ""
    if media in (*_UNTOLD, "text/plain") and ending in signs.endings:
        return signs.endings[ending]
    if media not in _UNTOLD:
        return signs.misnomers.get(media, media)
    shown = next((shown for recognise, shown in signs.recognise if recognise(head)), "")
    return shown or ("text/html" if _MARKUP.search(head) else "text/plain")


def _head(content: bytes, http_charset: str) -> tuple[bytes, bool]:
    """The first bytes, or in an encoding in which ASCII is not ASCII the first characters in UTF-8; and whether it is one."""
    charset, _, mark = wide_charset(content[: 4 * _HEAD], http_charset)
    if not charset:
        return content[:_HEAD], False
    return decode_leniently(content[mark : 4 * _HEAD], charset)[:_HEAD].encode("utf-8", "replace"), True


def _is_text(head: bytes) -> bool:
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
