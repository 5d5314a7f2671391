"""Which reader reads which media type, and what became of a document."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module

import msgspec

from trasmallo.clean.formats.html_builder import HtmlBuilder, TooMuchMarkup, Unreadable
from trasmallo.values.model import PREPARED, Drop

_MAX_CAUSE = 300
_OFFICE = "application/vnd.openxmlformats-officedocument."
_ODF = "application/vnd.oasis.opendocument."

READERS = {
    "text/html": "web:read_html",
    "application/xhtml+xml": "web:read_xhtml",
    "text/plain": "plain_text:read_plain",
    "text/markdown": "plain_text:read_markdown",
    "text/x-markdown": "plain_text:read_markdown",
    "text/csv": "plain_text:read_separated",
    "text/tab-separated-values": "plain_text:read_separated",
    "text/xml": "elements:read_xml",
    "application/xml": "elements:read_xml",
    "application/pdf": "pdf:read_pdf",
    f"{_OFFICE}wordprocessingml.document": "docx:read_docx",
    f"{_OFFICE}presentationml.presentation": "pptx:read_pptx",
    f"{_OFFICE}spreadsheetml.sheet": "xlsx:read_xlsx",
    f"{_ODF}text": "odf:read_odf",
    f"{_ODF}spreadsheet": "odf:read_odf",
    f"{_ODF}presentation": "odf:read_odf",
    "application/epub+zip": "epub:read_epub",
    "application/rtf": "rtf:read_rtf",
    "application/msword": "doc:read_doc",
    "application/vnd.ms-powerpoint": "ppt:read_ppt",
    "application/vnd.ms-excel": "xls:read_xls",
    "message/rfc822": "mail:read_mail",
    "application/mbox": "mail:read_mailbox",
    "application/gzip": "archives:read_gzip",
    "application/zip": "archives:read_zip",
    PREPARED: "prepared:read_prepared",
}
"""Media type to module of this package and function; what is not here is not read."""

LIGHT = frozenset(["text/html", "application/xhtml+xml", "text/plain", PREPARED])
"""Read in the program's own process: nothing in them can hurt it."""

_MAY_HOLD_PAGES = frozenset(["application/zip", "text/plain"])

Reader = Callable[[bytes, HtmlBuilder], None]


class Converted(msgspec.Struct, frozen=True):
    """A document as HTML, and how its characters were read.

    With a `drop` there is no HTML and `cause` says why, ending with the `repair` where there is one; without a drop `cause`
    says what was lost, "" for nothing.
    `bare` says that the document is all content: what is no web page has no menus around it. `is_page` says that it came as
    a web page.
    """

    html: str
    charset: str = ""
    charset_from: str = ""
    drop: Drop | None = None
    cause: str = ""
    repair: str = ""
    bare: bool = False
    is_page: bool = False


@cache
def _reader(place: str) -> Reader:
    module, _, function = place.partition(":")
    reader: Reader = getattr(import_module(f"{__package__}.{module}"), function)
    return reader


def place_of(media: str) -> str:
    """Where the reader of a media type is, "" when there is none."""
    return READERS.get(media) or (READERS["application/xml"] if media.endswith("+xml") else "")


def read_as(media: str, content: bytes, page: HtmlBuilder) -> None:
    """Write a document to a page; raises Unreadable when it cannot be read."""
    place = place_of(media)
    if not place:
        raise Unreadable(f"{media} is not read")
    _reader(place)(content, page)


def render(media: str, content: bytes, http_charset: str = "", name: str = "") -> Converted:
    """A document of a media type that is read, as HTML; whatever goes wrong comes back as a value.

    Only MemoryError is raised, since who asks knows how much there was.
    """
    page = HtmlBuilder(http_charset, name)
    try:
        read_as(media, content, page)
    except TooMuchMarkup:
        page.lose("what follows was too much")
    except Unreadable as refused:
        page.lose(str(refused), refused.repair)
    except MemoryError:
        raise
    except RecursionError:
        page.lose("it is nested too deep")
    except Exception as error:  # A document may do anything to a parser.
        page.lose(f"{type(error).__name__}: {error}")
    return _outcome(page, content, media)


def _outcome(page: HtmlBuilder, content: bytes, media: str) -> Converted:
    cause = "; ".join(page.losses)[:_MAX_CAUSE]
    if media in LIGHT or not page.empty:
        bare = page.whole is None and media not in _MAY_HOLD_PAGES and not media.endswith("xml")
        is_page = page.whole is not None
        return Converted(page.document(), page.charset, page.charset_from, cause=cause, bare=bare, is_page=is_page)
    if cause:
        return Converted("", page.charset, page.charset_from, Drop.BROKEN, cause, page.repair)
    shown = f"nothing to read in {len(content)} bytes of {media}" if content else "the file is empty"
    return Converted("", page.charset, page.charset_from, Drop.EMPTY, shown)
