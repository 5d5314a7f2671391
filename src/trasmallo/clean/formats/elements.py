"""XML of any kind: each element is a block with its name and attributes, so that it can be sliced."""

from __future__ import annotations

import re
from contextlib import suppress
from html import escape
from typing import Any

from lxml import etree

from trasmallo.clean.formats.html_builder import HtmlBuilder, Unreadable, plain

_LARGEST = 15_000_000
"""Characters that are read. Judgement: with its attributes' names the markup must stay below what a page may have."""
_PROLOG = re.compile(r"^(?:\s|<!--.*?-->|<\?.*?\?>)*+(?:<!DOCTYPE[^\[>]*+(?:\[.*?\]\s*)?>)?", re.DOTALL)


class _Elements:
    """Receives a parser's events."""

    def __init__(self, page: HtmlBuilder) -> None:
        self._page = page
        self.count = 0

    def start(self, name: str, attributes: dict[str, str]) -> None:
        self.count += 1
        pairs = "".join(f' data-{_local(key)}="{escape(value)}"' for key, value in attributes.items())
        self._page.write(f'<div data-element="{escape(name.rpartition("}")[2])}"{pairs}>')

    def data(self, text: str) -> None:
        self._page.write(plain(text))

    def end(self, _name: str) -> None:
        self._page.write("</div>")

    def close(self) -> None:
        """Nothing is left to do."""


def _local(name: str) -> str:
    """A name without its namespace, fit for an attribute of HTML."""
    return re.sub(r"[^\w.-]", "-", name.rpartition("}")[2]).lower()


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
