"""The one marked-up form that every format becomes: HTML with headings, emphasis, lists, tables and links."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape
from itertools import groupby
from typing import NamedTuple

from selectolax.lexbor import LexborHTMLParser

from trasmallo.clean.decode import decode
from trasmallo.clean.flat import harmless
from trasmallo.values.model import Field

MAX_MARKUP = 19_900_000
"""Characters of markup; what a document holds beyond them is left out. Text is read of the first `flat.MAX_CHARACTERS`."""

TOO_MUCH = "what follows was too much"
"""How the end of a document is told that was not read."""
_DEEPEST_LIST = 9
"""Levels of lists, as in Word."""
_MOST_FIELDS, _LONGEST_FIELD = 500, 1_000
"""Named parts of a document that are kept, and their characters. Judgement: as those of a page (`dom`)."""
_MOST_LOSSES = 20
"""Losses that are told of a document. Judgement."""
_TAG = re.compile(r"<[^<>]*>")
_READABLE = re.compile(r"\w")
# What XML and HTML cannot hold; lone surrogates have no UTF-8.
_UNSPEAKABLE = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
_ELSEWHERE = re.compile(r"(?:https?|ftp|mailto|tel):", re.IGNORECASE)
_LINKED = re.compile(r"(?:https?|ftp|mailto|tel|doi):", re.IGNORECASE)


class Unreadable(Exception):
    """The document cannot be read; the message says why and ends with the repair, where there is one."""

    def __init__(self, problem: str, repair: str = "") -> None:
        super().__init__(f"{problem}: {repair}" if repair else problem)
        self.repair = repair


class TooMuchMarkup(Exception):
    """The page holds as much markup as it may; what was written stays."""


class TextRun(NamedTuple):
    """Some characters of a paragraph and how they stand there; a line end in `text` is a break that is meant."""

    text: str
    bold: bool = False
    italic: bool = False
    href: str = ""


def plain(text: str) -> str:
    """Any text as characters of HTML."""
    return escape(_UNSPEAKABLE.sub("", text), quote=False)


def inline(runs: Iterable[TextRun]) -> str:
    """Runs as HTML; neighbours that look the same become one."""
    parts = []
    for (bold, italic, href), group in groupby(runs, key=lambda run: run[1:]):
        text = plain("".join(run.text for run in group)).replace("\n", "<br>")
        if text.strip():
            text = f"<i>{text}</i>" if italic else text
            text = f"<b>{text}</b>" if bold else text
            text = f'<a href="{escape(_UNSPEAKABLE.sub("", href))}">{text}</a>' if _LINKED.match(href) else text
        parts.append(text)
    return "".join(parts).strip()


def inner_body(html: str) -> str:
    """The markup in the body of a page, without scripts and without links into the document it is part of."""
    parser = LexborHTMLParser(harmless(html[:MAX_MARKUP]))
    for node in parser.css("script, style, template"):
        node.decompose()
    for node in parser.css("a[href]"):
        if not _ELSEWHERE.match(node.attributes.get("href") or ""):
            del node.attrs["href"]
    return (parser.body.inner_html or "") if parser.body else ""


class HtmlBuilder:
    """Receives a document piece by piece; raises TooMuchMarkup when it has received enough.

    `name` is the document's file name, `depth` how many documents it is inside of, `losses` what could not be read; `whole`
    is set for a page that is HTML already, `fields` are named parts of the document. Blocks that hold no text
    are left out. A list item may follow another at any level; whatever is no item ends the lists.
    """

    def __init__(self, http_charset: str = "", name: str = "", most: int = MAX_MARKUP) -> None:
        self.title = ""
        self.language = ""
        self.name = name
        self.depth = 0
        self.losses: list[str] = []
        self.fields: list[Field] = []
        self.repair = ""
        self.whole: str | None = None
        self.charset = "utf-8"
        self.charset_from = "format"
        self.http_charset = http_charset
        self._parts: list[str] = []
        self._lists: list[str] = []
        self._room = [most]
        self._used = 0

    def inside(self, name: str = "", *, deeper: bool = False) -> HtmlBuilder:
        """An empty page for what stands inside a cell, a part or, `deeper`, a document in this one; it fills the same room."""
        page = HtmlBuilder("" if deeper else self.http_charset, name)
        page.depth = self.depth + deeper
        page.losses = self.losses
        page.fields = self.fields if not deeper else []
        page._room = self._room
        return page

    def lose(self, cause: str, repair: str = "") -> None:
        """Note that something could not be read, and what to do about it; a cause ends with its repair."""
        self.repair = repair
        if cause and len(self.losses) < _MOST_LOSSES:
            self.losses.append(cause)

    def field(self, name: str, text: str) -> None:
        """Note a named part of the document, such as its author; blank ones are none, and there is an end to them."""
        shown = " ".join(_UNSPEAKABLE.sub("", text).split())[:_LONGEST_FIELD]
        if shown and len(self.fields) < _MOST_FIELDS:
            self.fields.append(Field(name, shown))

    @property
    def empty(self) -> bool:
        """Whether nothing readable was written."""
        return not (self.whole or any(_READABLE.search(_TAG.sub("", part)) for part in self._parts))

    def first(self, text: str, most: int) -> str:
        """As many characters of a text; what is left out is noted."""
        if len(text) > most:
            self.lose(TOO_MUCH)
        return text[:most]

    def decode(self, content: bytes) -> str:
        """The characters of a text document; remembers how they were read."""
        decoded = decode(content, self.http_charset)
        self.charset, self.charset_from = decoded.charset, decoded.source
        return decoded.text

    def write(self, html: str) -> None:
        """Markup as it is."""
        self._end_lists()
        self._put(html)

    def block(self, tag: str, html: str) -> None:
        """An element with its markup inside."""
        if html:
            self.write(f"<{tag}>{html}</{tag}>")

    def heading(self, level: int, html: str) -> None:
        """A heading of level 1 and below; HTML knows six."""
        self.block(f"h{min(max(level, 1), 6)}", html)

    def item(self, level: int, ordered: bool, html: str) -> None:
        """An item of a list at a level from 0."""
        if not html:
            return
        tag, depth = ("ol" if ordered else "ul"), min(max(level, 0), _DEEPEST_LIST) + 1
        if len(self._lists) == depth and self._lists[-1] != tag:
            self._end_lists(depth - 1)
        self._end_lists(depth)
        self._put("</li>" if len(self._lists) == depth else "")
        for _ in range(depth - len(self._lists) - 1):
            self._put(f"<{tag}><li>")
            self._lists.append(tag)
        if len(self._lists) < depth:
            self._put(f"<{tag}>")
            self._lists.append(tag)
        self._put(f"<li>{html}")

    def table(self, rows: Iterable[Sequence[str]]) -> None:
        """A table of cells in markup; empty rows are left out."""
        self.write("<table>")
        for row in rows:
            if any(row):
                self.write(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>")
        self.write("</table>")

    def markup(self) -> str:
        """What was written, to be written into another page; a single paragraph comes without its tag, as a cell wants it."""
        self._give_room()
        html = "".join(self._parts)
        if html.startswith("<p>") and html.find("</p>") == len(html) - 4:
            return html[3:-4]
        return html

    def body(self) -> str:
        """What stands in the body, to be written into another page."""
        if self.whole is None:
            self._give_room()
            return "".join(self._parts)
        return inner_body(self.whole)

    def document(self) -> str:
        """The whole page."""
        if self.whole is not None:
            return self.whole
        head = f"<title>{plain(self.title.strip())}</title>" if self.title.strip() else ""
        self._end_lists()
        language = f' lang="{escape(_UNSPEAKABLE.sub("", self.language))}"' if self.language else ""
        return f"<!doctype html><html{language}><head>{head}</head><body>{''.join(self._parts)}</body></html>"

    def _give_room(self) -> None:
        """What goes into another page takes room there."""
        self._end_lists()
        self._room[0] += self._used
        self._used = 0

    def _end_lists(self, depth: int = 0) -> None:
        while len(self._lists) > depth:
            self._parts.append(f"</li></{self._lists.pop()}>")

    def _put(self, html: str) -> None:
        if len(html) > self._room[0]:
            raise TooMuchMarkup
        self._room[0] -= len(html)
        self._used += len(html)
        self._parts.append(html)
