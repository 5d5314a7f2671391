"""XML of any kind: each element is a block with its name and attributes, so that it can be sliced.

What is marked inside a text (`<p><PersonName>Fred Smith</PersonName> lives in <City>Springfield</City>.</p>`) is an annotation
(textbook, figure 4.13) and becomes a field of its name, and an entity `city=Springfield`; so do title, author, date, subject,
description and keywords wherever they stand.
"""

from __future__ import annotations

import re
from contextlib import suppress
from html import escape
from typing import Any

from lxml import etree

from trasmallo.clean.flat import tag_class
from trasmallo.clean.formats.html_builder import HtmlBuilder, Unreadable, plain

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


_OURS = ("element", "attributes")
"""Attributes of an element that hold its name, and the names of the others."""


class _Element:
    """An element that is open: its text as far as it may be an annotation, whether it has text of its own, what is in it."""

    __slots__ = ("inside", "is_mixed", "name", "size", "text")

    def __init__(self, name: str) -> None:
        self.name = name
        self.text: list[str] = []
        self.size = 0
        self.is_mixed = False
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


class _Elements:
    """Receives a parser's events."""

    def __init__(self, page: HtmlBuilder) -> None:
        self._page = page
        self._open: list[_Element] = []
        self.count = 0

    def start(self, name: str, attributes: dict[str, str]) -> None:
        self.count += 1
        self._open.append(_Element(_local(name)))
        self._page.write(f'<div data-element="{escape(name.rpartition("}")[2])}"{_written(attributes)}>')

    def data(self, text: str) -> None:
        self._page.write(plain(text))
        if self._open:
            self._open[-1].say(text)
            self._open[-1].is_mixed |= not text.isspace()

    def end(self, _name: str) -> None:
        self._page.write("</div>")
        if self._open:
            self._close(self._open.pop())

    def _close(self, element: _Element) -> None:
        """Of an element with text of its own all inside are annotations; others may be inside of one that has some."""
        if element.name in _ABOUT:
            self._page.field(element.name, element.said)
        if element.is_mixed and element.inside:
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
    source = _PROLOG.sub("", page.decode(content)[:_LARGEST], 1).encode("utf-8", "replace")
    target: Any = _Elements(page)
    parser = etree.XMLParser(
        target=target, encoding="utf-8", recover=True, resolve_entities=False, no_network=True, huge_tree=False
    )
    with suppress(etree.XMLSyntaxError):  # What stands before the damage is kept.
        etree.fromstring(source, parser)
    if not target.count:
        raise Unreadable("it is no XML")
