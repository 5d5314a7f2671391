"""XML of any kind: each element is a block with its name and attributes, so that it can be sliced.

One that stands in the middle of a text flows with it, and adds no blank. XML does not say which do: an element flows when its
parent has text of its own, or flows itself, and text stands right before or after it, be it a blank; a line end alone is how a
file is laid out.

What is marked inside a text (`<p><PersonName>Fred Smith</PersonName> lives in <City>Springfield</City>.</p>`) is an annotation
(textbook, figure 4.13) and becomes a field of its name, and an entity `city=Springfield`; so do title, author, date, subject,
description and keywords wherever they stand.
"""

from __future__ import annotations

import re
from array import array
from contextlib import suppress
from html import escape
from typing import Any

from lxml import etree

from trasmallo.clean.flat import tag_class
from trasmallo.clean.formats.html_builder import MAX_MARKUP, HtmlBuilder, TooMuchMarkup, Unreadable, plain

_LARGEST = 15_000_000
"""Characters that are read. Judgement: with its attributes' names the markup must stay below what a page may have."""
_PROLOG = re.compile(r"^(?:\s|<!--.*?-->|<\?.*?\?>)*+(?:<!DOCTYPE[^\[>]*+(?:\[.*?\]\s*)?>)?", re.DOTALL)


_LONGEST = 200
"""Characters of an annotation. Judgement: what is longer is a part of the text, and not a name in it."""
_MOST = 500
"""Annotations of a text that are kept. Judgement."""
_ABOUT = frozenset(("title", "author", "creator", "date", "subject", "description", "keywords"))
"""Elements that say what the document is, and are fields of the same names."""


_PLAIN = tag_class("phrase") | tag_class("structure") | {"hi", "seg", "s", "w", "pc", "br", "lb", "ref", "span"}
"""Names of elements that tell how a text looks or is built, and nothing of what it says."""


_BLOCKS = tag_class("structure")
_PHRASES = tag_class("phrase") | {"hi", "pc", "ref", "seg", "span", "w"}
"""Names that XML takes from HTML and TEI: the first never flow, the others in every text; so in the extension's viewer."""


_OURS = ("element", "attributes")
"""Attributes of an element that hold its name, and the names of the others."""


class _Element:
    """An element that is open: its text as far as it may be an annotation, and what is in it."""

    __slots__ = ("inside", "name", "number", "size", "text")

    def __init__(self, name: str, number: int) -> None:
        self.name = name
        self.number = number
        self.text: list[str] = []
        self.size = 0
        self.inside: list[tuple[str, str]] = []

    def say(self, text: str) -> None:
        """Take a piece of text, its own or that of an element inside."""
        self.size += len(text)
        if self.size <= _LONGEST:
            self.text.append(text)

    @property
    def said(self) -> str:
        """Its text on one line, "" when it is too long."""
        return " ".join("".join(self.text).split()) if self.size <= _LONGEST else ""


class _Markup:
    """The markup in pieces, until it is known which elements flow; raises TooMuchMarkup when it has enough.

    Numbers tell elements, in document order, -1 is none. `is_mixed` says of each whether it has text of its own.
    """

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.is_mixed = bytearray()
        self._room = MAX_MARKUP
        self._starts, self._ends = array("q"), array("q")
        self._above = array("q")
        self._is_beside, self._may_flow = bytearray(), bytearray()
        self._flowing = False  # whether text that flows came after the last tag

    def start(self, above: int, name: str, markup: str) -> int:
        """Open an element of a `name` inside another; its number."""
        self._starts.append(len(self.pieces))
        self._ends.append(-1)
        self._above.append(above)
        self.is_mixed.append(False)
        self._is_beside.append(self._flowing or name in _PHRASES)
        self._may_flow.append(name not in _BLOCKS)
        self._put(markup)
        self._flowing = False
        return len(self._starts) - 1

    def text(self, inside: int, last: int, text: str) -> None:
        """Some text of the element `inside`, which stands after the end of its `last` child, or before any."""
        self._put(plain(text))
        self._flowing |= not text.isspace() or "\n" not in text
        if inside >= 0:
            self.is_mixed[inside] |= not text.isspace()
        if last >= 0:
            self._is_beside[last] |= self._flowing

    def end(self, number: int) -> None:
        """Close an element."""
        self._ends[number] = len(self.pieces)
        self._put("</div>")
        self._flowing = False

    def _put(self, markup: str) -> None:
        self._room -= len(markup)
        if self._room < 0:
            raise TooMuchMarkup
        self.pieces.append(markup)

    def flow(self) -> None:
        """Let elements that stand in the middle of a text break no line."""
        flows = bytearray(len(self._starts))
        for number, above in enumerate(self._above):
            wanted = self._is_beside[number] and self._may_flow[number]
            if wanted and above >= 0 and (self.is_mixed[above] or flows[above]):
                flows[number] = True
                self._rename(self._starts[number], self._ends[number])

    def _rename(self, start: int, end: int) -> None:
        """Make a division a part of its line; the room of some may be over before their ends."""
        pieces, size = self.pieces, len(self.pieces)
        if start < size:
            pieces[start] = pieces[start].replace("<div", "<span", 1)
        if 0 <= end < size:
            pieces[end] = "</span>"


class _Elements:
    """Receives a parser's events."""

    def __init__(self, page: HtmlBuilder) -> None:
        self._page = page
        self._open: list[_Element] = []
        self._last = -1  # the element whose end was the last tag
        self.markup = _Markup()
        self.count = 0

    def start(self, name: str, attributes: dict[str, str]) -> None:
        above = self._open[-1].number if self._open else -1
        markup = f'<div data-element="{escape(name.rpartition("}")[2])}"{_written(attributes)}>'
        self._open.append(_Element(_local(name), self.markup.start(above, _local(name), markup)))
        self._last = -1
        self.count += 1

    def data(self, text: str) -> None:
        self.markup.text(self._open[-1].number if self._open else -1, self._last, text)
        if self._open:
            self._open[-1].say(text)

    def end(self, _name: str) -> None:
        if self._open:
            element = self._open.pop()
            self.markup.end(element.number)
            self._last = element.number
            self._close(element)

    def _close(self, element: _Element) -> None:
        """Of an element with text of its own all inside are annotations; others may be inside of one that has some."""
        if element.name in _ABOUT:
            self._page.field(element.name, element.said)
        if element.inside and self.markup.is_mixed[element.number]:
            for name, text in element.inside:
                self._page.field(name, text)
                self._page.field("entity", f"{name}={text}")
            element.inside = []
        if not self._open:
            return
        above = self._open[-1]
        above.say("".join(element.text) if element.size <= _LONGEST else " " * (_LONGEST + 1))
        if element.said and element.name not in _PLAIN | _ABOUT:
            above.inside.append((element.name, element.said))
        above.inside = (above.inside + element.inside)[:_MOST]

    def close(self) -> None:
        """Nothing is left to do."""


def _written(attributes: dict[str, str]) -> str:
    """Attributes as HTML has them; their names in a list where HTML, which knows no case, would lose them."""
    pairs: dict[str, str] = {}
    names = []
    for key, value in attributes.items():
        name = _fit(key)
        local = f"{name.lower()}-" if name.lower() in _OURS else name.lower()
        if local not in pairs:
            pairs[local] = value
            names.append(name)
    found = "".join(f' data-{name}="{escape(value)}"' for name, value in pairs.items())
    return found if names == list(pairs) else f'{found} data-attributes="{" ".join(names)}"'


def _fit(name: str) -> str:
    """A name without its namespace, fit for an attribute of HTML."""
    return re.sub(r"[^\w.-]", "-", name.rpartition("}")[2])


def _local(name: str) -> str:
    """The same in small letters."""
    return _fit(name).lower()


def read_xml(content: bytes, page: HtmlBuilder) -> None:
    """Write the elements of an XML document to the page."""
    # Without its document type no entity is known: a bomb stays what it is, and no file is named.
    source = _PROLOG.sub("", page.first(page.decode(content), _LARGEST), 1).encode("utf-8", "replace")
    target: Any = _Elements(page)
    parser = etree.XMLParser(
        target=target, encoding="utf-8", recover=True, resolve_entities=False, no_network=True, huge_tree=False
    )
    try:
        with suppress(etree.XMLSyntaxError):  # What stands before the damage is kept.
            etree.fromstring(source, parser)
    finally:  # So is what stands before the end of the room.
        target.markup.flow()
        for piece in target.markup.pieces:
            page.write(piece)
    if not target.count:
        raise Unreadable("it is no XML")
