"""PDF: lines in reading order with the size of their type, as PDFium finds them; `layout` makes paragraphs of them."""

from __future__ import annotations

import re
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING

from trasmallo.clean.formats.grids import TextLine
from trasmallo.clean.formats.html_builder import HtmlBuilder, Unreadable, plain
from trasmallo.clean.formats.print_layout import BOLD, lay_out
from trasmallo.clean.formats.properties import write_pdf_properties

if TYPE_CHECKING:
    import pypdfium2

MAX_PAGES = 2_000
"""Pages that are read. Judgement: a long book."""
MAX_TEXT = 20_000_000
"""Characters that are read; markup ends there."""
# A gap so many times as wide as the type is high parts a line.
_WIDE = 0.9
_BOLD_WORDS = re.compile(rf"(?<!\S){BOLD}\S+(?: {BOLD}\S+)*")
_BOLD_WEIGHT = 600
"""Weight of a bold type, semi-bold included (OpenType, usWeightClass)."""
_BOLD_NAMES = re.compile(rb"bold|black|heavy|demi", re.IGNORECASE)
_WORDS = re.compile(r"\S+")
# PDFium joins the line that follows a hyphen, even one in another column.
_LINES = re.compile("[^\n\x02\ufffe]*[\n\x02\ufffe]|[^\n\x02\ufffe]+")


def read_pdf(content: bytes, page: HtmlBuilder) -> None:
    """Write a PDF to the page."""
    about: dict[str, str] = {}
    title, pages = read_lines(content, about=about)
    page.title = title
    write_pdf_properties(about, page)
    for tag, group in groupby(lay_out(pages), key=itemgetter(0)):
        texts = [text for _, text in group]
        if tag == "tr":
            page.table([_emphasised(cell) for cell in text.split("\t")] for text in texts)
        for text in texts if tag != "tr" else ():
            _write(page, tag, text)


def _write(page: HtmlBuilder, tag: str, text: str) -> None:
    if tag == "p":
        page.block(tag, _emphasised(text))
    elif tag == "li":
        page.item(0, False, _emphasised(text))
    else:
        page.block(tag, plain(text.replace(BOLD, "")))


def _emphasised(text: str) -> str:
    """Text as HTML: neighbouring words that were marked as bold become one element."""
    return _BOLD_WORDS.sub(lambda words: f"<b>{words[0].replace(BOLD, '')}</b>", plain(text)).replace(BOLD, "")


def read_lines(
    content: bytes, *, max_pages: int = MAX_PAGES, max_text: int = MAX_TEXT, about: dict[str, str] | None = None
) -> tuple[str, list[list[TextLine]]]:
    """The title ("" without one) and the lines of each page; stops at so many pages or characters.

    `about` is given what else the file says of itself.
    """
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(content)
    except pypdfium2.PdfiumError as error:
        locked = "assword" in str(error) or "ecurity" in str(error)
        if locked:
            raise Unreadable("the PDF is encrypted", "save it without a password") from error
        raise Unreadable("the PDF is damaged") from error
    try:
        pages = _pages(document, max_pages, max_text)
        told = {name: str(value) for name, value in document.get_metadata_dict().items()}
        title = told.get("Title", "").strip("\0 \r\n\t")
        if about is not None:
            about.update(told)
    except pypdfium2.PdfiumError as error:
        raise Unreadable(f"the PDF cannot be read ({error})") from error
    finally:
        document.close()
    if pages and not any(pages):
        raise Unreadable("the PDF shows pictures without text", "recognise its text first, for example with ocrmypdf")
    return title, pages


def _pages(document: pypdfium2.PdfDocument, max_pages: int, max_text: int) -> list[list[TextLine]]:
    pages: list[list[TextLine]] = []
    characters = 0
    for number in range(min(len(document), max_pages)):
        lines = _lines(document, number)
        pages.append(lines)
        characters += sum(len(line.text) for line in lines)
        if characters > max_text:
            break
    return pages


def _lines(document: pypdfium2.PdfDocument, number: int) -> list[TextLine]:
    """The lines of a page in reading order; a page that is damaged has none."""
    import pypdfium2

    try:
        page = document[number]
    except pypdfium2.PdfiumError:
        return []
    try:
        text_page = page.get_textpage()
    except pypdfium2.PdfiumError:
        page.close()
        return []
    try:
        return _measured(text_page)
    finally:
        text_page.close()
        page.close()


def _measured(text_page: pypdfium2.PdfTextPage) -> list[TextLine]:
    import pypdfium2.raw as pdfium

    lines = []
    at, last = 0, text_page.count_chars() - 1
    for text in _LINES.findall(text_page.get_text_range().replace(BOLD, "\ufffd")):
        shown = text.strip()
        if shown:
            first = min(at + len(text) - len(text.lstrip()), last)
            _left, bottom, _right, top = text_page.get_charbox(first, loose=True)
            size = pdfium.FPDFText_GetFontSize(text_page.raw, first)
            # Some writers scale the type by a matrix and call its size 1.
            size = round(max(size, top - bottom), 1)
            parts = _parts(text_page, shown, first, last, _WIDE * size)
            lines.append(TextLine(" ".join(part[2] for part in parts), size, bottom, parts))
        at += len(text)
    return lines


def _parts(
    text_page: pypdfium2.PdfTextPage, text: str, first: int, last: int, wide: float
) -> tuple[tuple[float, float, str], ...]:
    """The pieces of a line between wide gaps, which only stand where spaces are; bold words are marked."""
    parts: list[tuple[float, float, str]] = []
    words: list[str] = []
    left = right = text_page.get_charbox(first)[0]
    for word in _WORDS.finditer(text):
        start, end = min(first + word.start(), last), min(first + word.end() - 1, last)
        next_left = text_page.get_charbox(start)[0]
        if words and next_left - right > wide:
            parts.append((left, right, " ".join(words)))
            words, left = [], next_left
        right = text_page.get_charbox(end)[2]
        words.append(BOLD + word[0] if _is_bold(text_page, start) else word[0])
    return (*parts, (left, right, " ".join(words)))


def _is_bold(text_page: pypdfium2.PdfTextPage, index: int) -> bool:
    """Whether a character is of a heavy font; few writers tell the weight, most have it in the name."""
    import ctypes

    import pypdfium2.raw as pdfium

    if pdfium.FPDFText_GetFontWeight(text_page.raw, index) >= _BOLD_WEIGHT:
        return True
    name = ctypes.create_string_buffer(128)
    pdfium.FPDFText_GetFontInfo(text_page.raw, index, name, 128, None)
    return bool(_BOLD_NAMES.search(name.value))
