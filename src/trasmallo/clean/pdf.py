"""PDF to paragraphs: lines are joined where they stand close, larger type makes a heading."""

from __future__ import annotations

import itertools
import statistics
from typing import Any, NamedTuple

# Lines so much farther apart than usual part paragraphs; a heading's type is so much larger than the usual.
_FARTHER = 1.25
_LARGER = 1.15
_LONGEST_HEADING = 200
# PDFium puts one of these for a hyphen that breaks a word at a line's end, and often joins the lines itself.
_SOFT_HYPHENS = "\x02\ufffe\u00ad"
_WITHOUT_HYPHENS = dict.fromkeys(map(ord, _SOFT_HYPHENS))


class PdfRefused(Exception):
    """The file cannot be read; the message says why."""


class Line(NamedTuple):
    """A line of text with the size of its type and how high it stands, in points from the page's lower edge."""

    text: str
    size: float
    height: float


def read_pdf(content: bytes, *, max_pages: int, max_text: int) -> tuple[str, list[tuple[str, str]]]:
    """The title ("" without one) and the paragraphs as (tag, text); stops at so many pages or characters."""
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(content)
    except pypdfium2.PdfiumError as error:
        cause = "it is encrypted" if "assword" in str(error) or "ecurity" in str(error) else "it is damaged"
        raise PdfRefused(f"the PDF cannot be opened: {cause}") from error
    try:
        pages = _pages(document, max_pages, max_text)
        title = str(document.get_metadata_dict().get("Title", "")).strip("\0 \r\n\t")
    except pypdfium2.PdfiumError as error:
        raise PdfRefused(f"the PDF cannot be read: {error}") from error
    finally:
        document.close()
    return title, [paragraph for page in pages for paragraph in paragraphs(page, *_sizes(pages))]


def _pages(document: Any, max_pages: int, max_text: int) -> list[list[Line]]:
    pages: list[list[Line]] = []
    characters = 0
    for number in range(min(len(document), max_pages)):
        lines = _lines(document, number)
        pages.append(lines)
        characters += sum(len(line.text) for line in lines)
        if characters > max_text:
            break
    return pages


def _lines(document: Any, number: int) -> list[Line]:
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


def _measured(text_page: Any) -> list[Line]:
    import pypdfium2.raw as pdfium

    lines = []
    at = 0
    for text in text_page.get_text_range().split("\n"):
        shown = text.strip()
        if shown:
            first = at + len(text) - len(text.lstrip())
            _left, bottom, _right, top = text_page.get_charbox(min(first, text_page.count_chars() - 1), loose=True)
            size = pdfium.FPDFText_GetFontSize(text_page.raw, first)
            # Some writers scale the type by a matrix and call its size 1.
            lines.append(Line(shown, round(max(size, top - bottom), 1), bottom))
        at += len(text) + 1
    return lines


def _sizes(pages: list[list[Line]]) -> tuple[float, list[float]]:
    """The usual size of the type, weighed by characters, and the larger sizes of headings, largest first."""
    sizes = [line.size for page in pages for line in page for _ in range(1 + len(line.text) // 20)]
    usual = statistics.median(sizes) if sizes else 0.0
    return usual, sorted({size for size in sizes if size > _LARGER * usual}, reverse=True)


def paragraphs(lines: list[Line], usual: float, headings: list[float]) -> list[tuple[str, str]]:
    """Join the lines of a page: a gap or another size of type starts a paragraph."""
    found: list[tuple[str, str]] = []
    alike = [(above, below) for above, below in itertools.pairwise(lines) if above.size == below.size]
    steps = [above.height - below.height for above, below in alike if above.height > below.height]
    step = statistics.median_low(steps) if steps else 0.0
    last: Line | None = None
    for line in lines:
        tag = _tag(line, usual, headings)
        if last is not None and found[-1][0] == tag and not _parted(last, line, step):
            found[-1] = (tag, _join(found[-1][1], line.text))
        else:
            found.append((tag, line.text))
        last = line
    return [(tag, text.translate(_WITHOUT_HYPHENS)) for tag, text in found]


def _tag(line: Line, usual: float, headings: list[float]) -> str:
    if line.size <= _LARGER * usual or len(line.text) > _LONGEST_HEADING:
        return "p"
    return f"h{min(headings.index(line.size) + 1, 3)}"


def _parted(last: Line, line: Line, step: float) -> bool:
    """Whether a line starts a paragraph; one that stands higher is in the next column and goes on an open sentence."""
    if line.height > last.height:
        return last.text.endswith((".", ":", "!", "?"))
    return last.height - line.height > _FARTHER * step


def _join(text: str, line: str) -> str:
    """Two lines as one; a word cut by a hyphen is made whole."""
    if text[-1] in _SOFT_HYPHENS:
        return text + line
    if text.endswith("-") and text[-2:-1].isalpha() and line[:1].islower():
        return text[:-1] + line
    return f"{text} {line}"
