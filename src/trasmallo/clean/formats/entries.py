"""Our own formats: an entry each. Their readers are imported when they are first used, since many load a lot."""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module

from trasmallo.clean.formats.html_builder import HtmlBuilder
from trasmallo.clean.formats.registry import Format, Reader
from trasmallo.values.model import PREPARED

_OFFICE = "application/vnd.openxmlformats-officedocument."
_ODF = "application/vnd.oasis.opendocument."
_MAILBOX = re.compile(rb"From [^\r\n]*\d{4}[^\r\n]*\r?\n[\w-]+:")
_MAIL = re.compile(
    rb"(?:(?:[A-Za-z][\w-]*: ?[^\r\n]*\r?\n(?:[ \t][^\r\n]*\r?\n)*)+?)?(?:From|Received|Message-ID|MIME-Version|Return-Path): ",
    re.IGNORECASE,
)
_MAIL_NEEDS = re.compile(rb"^(?:From|Subject|Date|To):", re.IGNORECASE | re.MULTILINE)
_XML_DECLARATION = re.compile(rb"[\xef\xbb\xbf \t\r\n]*<\?xml")


def _lazily(module: str, function: str) -> Reader:
    """A reader of this package that is imported when it is first asked."""

    @cache
    def reader() -> Reader:
        found: Reader = getattr(import_module(f"{__package__}.{module}"), function)
        return found

    def read(content: bytes, page: HtmlBuilder) -> None:
        reader()(content, page)

    return read


def _is_mail(head: bytes) -> bool:
    return bool(_MAIL.match(head) and _MAIL_NEEDS.search(head))


HTML = Format(
    name="html",
    title="HTML",
    media="text/html",
    reader=_lazily("web", "read_html"),
    endings=(".html", ".htm"),
    light=True,
    holds_pages=True,
)
XHTML = Format(
    name="xhtml",
    title="XHTML",
    media="application/xhtml+xml",
    reader=_lazily("web", "read_xhtml"),
    endings=(".xhtml", ".xht"),
    light=True,
    holds_pages=True,
    family="html",
)
TEXT = Format(
    name="text",
    title="plain text",
    media="text/plain",
    reader=_lazily("plain_text", "read_plain"),
    misnomers=("application/msword",),
    endings=(".txt",),
    by_name=True,
    light=True,
    holds_pages=True,
)
MARKDOWN = Format(
    name="markdown",
    title="Markdown",
    media="text/markdown",
    reader=_lazily("plain_text", "read_markdown"),
    aliases=("text/x-markdown",),
    endings=(".md", ".markdown"),
    by_name=True,
)
CSV = Format(
    name="csv",
    title="CSV",
    media="text/csv",
    reader=_lazily("plain_text", "read_separated"),
    aliases=("application/csv",),
    misnomers=("application/vnd.ms-excel",),
    endings=(".csv",),
    by_name=True,
)
TSV = Format(
    name="tsv",
    title="TSV",
    media="text/tab-separated-values",
    reader=_lazily("plain_text", "read_separated"),
    endings=(".tsv", ".tab"),
    by_name=True,
)
XML = Format(
    name="xml",
    title="XML of any kind",
    media="application/xml",
    reader=_lazily("elements", "read_xml"),
    aliases=("text/xml",),
    endings=(".xml",),
    recognise=_XML_DECLARATION.match,
    by_name=True,
    holds_pages=True,
)
ATOM = Format(
    name="entry",
    title="entries of feeds (Atom)",
    media="application/atom+xml",
    reader=_lazily("atom_entry", "read_entry"),
    endings=(".atom",),
    by_name=True,
)
PDF = Format(
    name="pdf",
    title="PDF",
    media="application/pdf",
    reader=_lazily("pdf", "read_pdf"),
    endings=(".pdf",),
    near_start=(b"%PDF-",),
)
DOCX = Format(
    name="docx",
    title="DOCX",
    media=f"{_OFFICE}wordprocessingml.document",
    reader=_lazily("docx", "read_docx"),
    endings=(".docx",),
    members=(b"word/document",),
    family="doc",
)
PPTX = Format(
    name="pptx",
    title="PPTX",
    media=f"{_OFFICE}presentationml.presentation",
    reader=_lazily("pptx", "read_pptx"),
    endings=(".pptx",),
    members=(b"ppt/presentation.xml",),
    family="ppt",
)
XLSX = Format(
    name="xlsx",
    title="XLSX",
    media=f"{_OFFICE}spreadsheetml.sheet",
    reader=_lazily("xlsx", "read_xlsx"),
    endings=(".xlsx",),
    members=(b"xl/workbook.xml",),
    family="xls",
)
ODT = Format(
    name="odt", title="ODT, flat ODT", media=f"{_ODF}text", reader=_lazily("odf", "read_odf"), endings=(".odt", ".fodt")
)
ODS = Format(
    name="ods", title="ODS, flat ODS", media=f"{_ODF}spreadsheet", reader=_lazily("odf", "read_odf"), endings=(".ods", ".fods")
)
ODP = Format(
    name="odp", title="ODP, flat ODP", media=f"{_ODF}presentation", reader=_lazily("odf", "read_odf"), endings=(".odp", ".fodp")
)
EPUB = Format(
    name="epub",
    title="EPUB 2 and 3",
    media="application/epub+zip",
    reader=_lazily("epub", "read_epub"),
    endings=(".epub",),
    members=(b"META-INF/container.xml",),
)
RTF = Format(
    name="rtf",
    title="RTF",
    media="application/rtf",
    reader=_lazily("rtf", "read_rtf"),
    aliases=("text/rtf",),
    endings=(".rtf",),
    begins=(b"{\\rtf",),
)
DOC = Format(
    name="doc",
    title="DOC (Word 97 to 2003)",
    media="application/msword",
    reader=_lazily("doc", "read_doc"),
    endings=(".doc",),
    streams=("WordDocument",),
)
PPT = Format(
    name="ppt",
    title="PPT (97 to 2003)",
    media="application/vnd.ms-powerpoint",
    reader=_lazily("ppt", "read_ppt"),
    endings=(".ppt",),
    streams=("PowerPoint Document",),
)
XLS = Format(
    name="xls",
    title="XLS (97 to 2003)",
    media="application/vnd.ms-excel",
    reader=_lazily("xls", "read_xls"),
    endings=(".xls",),
    streams=("Workbook",),
)
MAILBOX = Format(
    name="mbox",
    title="mailboxes",
    media="application/mbox",
    reader=_lazily("mail", "read_mailbox"),
    endings=(".mbox",),
    recognise=_MAILBOX.match,
    by_name=True,
)
MAIL = Format(
    name="mail",
    title="e-mail",
    media="message/rfc822",
    reader=_lazily("mail", "read_mail"),
    endings=(".eml",),
    recognise=_is_mail,
    by_name=True,
)
GZIP = Format(
    name="gzip",
    title="gz",
    media="application/gzip",
    reader=_lazily("archives", "read_gzip"),
    aliases=("application/x-gzip",),
    endings=(".gz",),
    begins=(b"\x1f\x8b",),
)
ZIP = Format(
    name="zip",
    title="zip",
    media="application/zip",
    reader=_lazily("archives", "read_zip"),
    aliases=("application/x-zip-compressed",),
    endings=(".zip",),
    begins=(b"PK\x03\x04", b"PK\x05\x06"),
    holds_pages=True,
)
PREPARED_TEXT = Format(
    name="prepared",
    title="texts that were imported",
    media=PREPARED,
    reader=_lazily("prepared", "read_prepared"),
    light=True,
)
