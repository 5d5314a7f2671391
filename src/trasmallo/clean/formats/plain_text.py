"""Texts without markup, or with the kind that people type: plain text, Markdown, separated values."""

from __future__ import annotations

import csv
import io
import re
from html import escape

from trasmallo.clean.formats.html_builder import HtmlBuilder, plain

_LARGEST = 15_000_000
"""Characters that are read. Judgement: as markup they must stay below what a page may have."""
_PARAGRAPHS = re.compile(r"\n[^\S\n]*\n\s*")
_SEPARATORS = ",;\t|"
_SAMPLE = 10_000
"""Characters by which the separator is found. Judgement."""
_WIDEST = 2_000
"""Columns of a table that are kept. Judgement."""
_FRONT_MATTER = re.compile(r"\A---\n(.*?)\n(?:---|\.\.\.)\n", re.DOTALL)
_FRONT_TITLE = re.compile(r"^title:[ \t]*[\"']?(.*?)[\"']?[ \t]*$", re.MULTILINE)


def _lines(content: bytes, page: HtmlBuilder) -> str:
    return page.first(page.decode(content), _LARGEST).replace("\r\n", "\n").replace("\r", "\n")


def read_plain(content: bytes, page: HtmlBuilder) -> None:
    """Paragraphs are parted by empty lines; other line ends are where an editor wrapped."""
    for text in _PARAGRAPHS.split(_lines(content, page)):
        if text.strip():
            page.block("p", escape(text, quote=False))


def read_markdown(content: bytes, page: HtmlBuilder) -> None:
    """CommonMark with tables; a block of properties before the text gives the title."""
    from markdown_it import MarkdownIt

    text = _lines(content, page)
    if front := _FRONT_MATTER.match(text):
        titled = _FRONT_TITLE.search(front[1])
        page.title = titled[1] if titled else ""
        text = text[front.end() :]
    page.write(MarkdownIt("commonmark").enable(["table", "strikethrough"]).render(text))


def read_separated(content: bytes, page: HtmlBuilder) -> None:
    """A table; the separator is the one that parts the first lines most evenly."""
    text = _lines(content, page).replace("\0", "")
    csv.field_size_limit(_LARGEST)
    rows = csv.reader(io.StringIO(text), delimiter=separator_of(text[:_SAMPLE].split("\n")), strict=False)
    page.table([plain(cell.strip()) for cell in row[:_WIDEST]] for row in rows)


def separator_of(lines: list[str]) -> str:
    """The separator of some lines; a comma when none of them tells."""

    def evenness(separator: str) -> tuple[float, int]:
        counts = [line.count(separator) for line in lines if line.strip()]
        usual = max(set(counts), key=counts.count, default=0)
        return (counts.count(usual) / len(counts) if usual else 0.0), usual

    return max(_SEPARATORS, key=evenness)
