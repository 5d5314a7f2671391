"""The flat form of a page for slicing: `parent`, `tag`, `attrs` and `text` in document order, as the extension makes it too.

Beside it stands what every step asks of a page: where each element ends, which part is read, and its texts in pieces.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from trasmallo.clean.flat import TEXT, FlatPage
from trasmallo.clean.slicing.characters import BREAK, NUL, kind

Integers = NDArray[np.int64]
Flags = NDArray[np.bool_]
Attributes = list[tuple[str, str]]
DRAWINGS = ("svg", "math")
_UNREAD_SCHEME = re.compile(r"(?:blob|data|fb-messenger|javascript|mailto|sms|tel|whatsapp):", re.IGNORECASE | re.ASCII)
_ADDRESS = re.compile("://|%3a%2f%2f", re.IGNORECASE | re.ASCII)
GAP = "#gap"
"""Stands between two parts of a text whose middle is left out."""
NAME, NAMES = "data-element", "data-attributes"
"""Attributes in which the reader of XML keeps the name of an element and, where they need it, those of its attributes."""
_XML_TAGS = ("div", "span")
"""What elements of XML become: divisions, and in the middle of a text parts of its line."""


class PageArrays:
    """A page as parallel lists in document order; node 0 is the root, whose parent is -1.

    `tag` is in lower case, "#text" for a text node, whose characters are in `text` ("" for elements); `attrs` holds pairs of
    name and value, None for a node without any.
    """

    def __init__(self, parent: list[int], tag: list[str], attrs: list[Attributes | None], text: list[str]) -> None:
        self.parent, self.tag, self.attrs, self.text = parent, tag, attrs, text

    def __len__(self) -> int:
        return len(self.tag)

    @cached_property
    def end(self) -> list[int]:
        """The index after the last descendant of each node."""
        ends = list(range(1, len(self) + 1))
        parents = self.parent
        for index in range(len(ends) - 1, 0, -1):
            above = parents[index]
            if ends[index] > ends[above]:
                ends[above] = ends[index]
        return ends

    @cached_property
    def ends(self) -> Integers:
        """The same as an array."""
        return np.array(self.end, dtype=np.int64)

    @cached_property
    def scope(self) -> int:
        """The node inside which everything happens: `body`, the root of a page without one."""
        bodies = (index for index, tag in enumerate(self.tag) if tag in ("body", "frameset") and self.parent[index] == 0)
        return next(bodies, 0)

    @cached_property
    def unread(self) -> list[tuple[int, int]]:
        """Ranges of nodes inside the scope that nobody reads: scripts, styles, what stands inside a frame."""
        silent, hollow = kind("unread"), kind("hollow")
        either = silent | hollow
        found: list[tuple[int, int]] = []
        done = -1
        for index, tag in enumerate(self.tag):
            if tag in either and index >= done and index > self.scope:
                start = index if tag in silent else index + 1
                done = self.end[index]
                if start < done:
                    found.append((start, done))
        stop = self.end[self.scope]
        return [(start, end) for start, end in found if start < stop]

    @cached_property
    def readable(self) -> Flags:
        """Whether each node is in the scope and read."""
        flags = np.zeros(len(self), dtype=bool)
        flags[self.scope : self.end[self.scope]] = True
        for start, end in self.unread:
            flags[start:end] = False
        return flags

    @cached_property
    def above(self) -> Integers:
        """The parents as an array."""
        return np.array(self.parent, dtype=np.int64)

    def tagged(self, name: str) -> Flags:
        """Whether each node has a tag."""
        return np.array([tag == name for tag in self.tag], dtype=bool)

    @cached_property
    def is_text(self) -> Flags:
        """Whether each node is a text node."""
        return self.tagged(TEXT)

    @cached_property
    def has_drawings(self) -> bool:
        """Whether any node is a drawing with elements of its own."""
        return not set(self.tag).isdisjoint(DRAWINGS)

    @cached_property
    def is_blank(self) -> Flags:
        """Whether each node is a text node of white space only."""
        texts = self.text
        nodes = np.flatnonzero(self.is_text)
        flags = np.zeros(len(self), dtype=bool)
        flags[nodes] = [not texts[node] or texts[node].isspace() for node in nodes.tolist()]
        return flags

    @cached_property
    def written(self) -> Pieces:
        """What a reader sees, piece by piece."""
        return _gather_text(self)

    @cached_property
    def attributed(self) -> Pieces:
        """What the attributes say, value by value; the names of XML elements among them."""
        return _gather_attributes(self, named=True)

    @cached_property
    def valued(self) -> Pieces:
        """What the attributes alone say."""
        return _gather_attributes(self, named=False)

    @cached_property
    def named(self) -> Pieces:
        """The names of the elements."""
        return _gather_names(self)

    def inside(self, flags: Flags) -> Integers:
        """How many flagged nodes each node has among itself and its descendants."""
        total = np.concatenate(([0], np.cumsum(flags)))
        counts: Integers = total[self.ends] - total[:-1]
        return counts


class Pieces:
    """A text in pieces; that of node n is `pieces[first[n]:last[n]]`, and its own attributes or name end at `own[n]`."""

    def __init__(self, pieces: list[str], first: Integers, last: Integers, own: Integers) -> None:
        self.pieces, self.first, self.last, self.own = pieces, first, last, own


def from_flat(flat: FlatPage) -> PageArrays:
    """The flat form of a parsed page, with its attributes."""
    attrs: list[Attributes | None] = []
    for index, tag in enumerate(flat.tag):
        found = flat.attributes(index) if tag != TEXT else None
        attrs.append(list(found.items()) if found else None)
    page = PageArrays(flat.parent, flat.tag, attrs, flat.text)
    page.__dict__["end"] = flat.end
    return page


def _gather_text(page: PageArrays) -> Pieces:
    """Text nodes in order, with a break wherever a tag that is no part of a line begins or ends.

    A line begins with its first text that is not blank; a `br` inside a line is a blank.
    """
    items = np.flatnonzero((page.is_text | page.tagged("br")) & page.readable)
    lines = _lines(page)[items]
    solid = (page.is_text & ~page.is_blank)[items]
    opened = np.flatnonzero(np.diff(lines, prepend=-1))
    begun = np.cumsum(solid)
    before = np.zeros(len(items), dtype=np.int64)
    before[opened[1:]] = np.diff(begun[opened - 1][1:], prepend=0)
    kept = begun > np.cumsum(before)
    items, lines = items[kept], lines[kept]
    parted = np.diff(lines, prepend=lines[:1]) > 0
    pieces: list[str] = []
    texts, tags = page.text, page.tag
    for index, apart in zip(items.tolist(), parted.tolist(), strict=True):
        if apart:
            pieces.append(BREAK)
        text = texts[index] if tags[index] == TEXT else " "
        # What would look like a break of ours.
        pieces.append(text if text != BREAK else NUL)
    amount = np.zeros(len(page) + 1, dtype=np.int64)
    amount[items + 1] = 1 + parted
    places = np.cumsum(amount)
    first, last = places[:-1].copy(), places[page.ends]
    first[items] = last[items] - 1
    return Pieces(pieces, first, last, first)


def _lines(page: PageArrays) -> Integers:
    """A number for each node that grows wherever a line may end before it: texts of one line have the same."""
    inline = kind("inline") | {TEXT, "br"}
    breaking = np.array([tag not in inline for tag in page.tag], dtype=bool) & page.readable
    begun = np.cumsum(breaking)
    ended = np.bincount(page.ends[breaking], minlength=len(page) + 1)
    lines: Integers = begun + np.cumsum(ended)[: len(page)]
    return lines


def _told_by(value: str) -> str:
    """What an attribute tells of the page: neither data nor code, nor the page's own address in a button that shares it."""
    if _UNREAD_SCHEME.match(value):
        return ""
    query = value.find("?")
    return value[:query] if query >= 0 and _ADDRESS.search(value, query) else value


def xml_name(tag: str, pairs: Attributes | None) -> str:
    """The name of an XML element in its own case, "" for an element of HTML: the reader of XML writes nothing but `data-`."""
    if tag not in _XML_TAGS or not pairs or not all(name.startswith("data-") for name, _ in pairs):
        return ""
    return next((value for name, value in pairs if name == NAME), "")


def name_of(page: PageArrays, node: int) -> str:
    """The name of an element: in XML as it is written there, otherwise its tag."""
    return xml_name(page.tag[node], page.attrs[node]) or page.tag[node]


class ToldAttribute(NamedTuple):
    """An attribute that is meant to be read: its name, what it tells, and what of it is looked at."""

    name: str
    value: str
    pieces: tuple[str, ...]


def attributes_told(tag: str, pairs: Attributes, *, named: bool) -> Iterator[ToldAttribute]:
    """The attributes of an element that are meant to be read; `named` has the name of an XML element among them."""
    if xml_name(tag, pairs):
        yield from _xml_attributes(pairs, named)
        return
    unread = kind("unread_attributes")
    for name, value in pairs:
        if name not in unread and not name.startswith("on") and (told := _told_by(value)):
            yield ToldAttribute(name, told, (told,))


def _xml_attributes(pairs: Attributes, named: bool) -> Iterator[ToldAttribute]:
    """The attributes of an XML element, whose names are looked at too, in their own case."""
    written = next((value.split() for name, value in pairs if name == NAMES), [])
    own = [(name, value) for name, value in pairs if name not in (NAME, NAMES)]
    names = written if len(written) == len(own) else [name.removeprefix("data-") for name, _ in own]
    if named:
        yield from (ToldAttribute(NAME, value, (value,)) for name, value in pairs if name == NAME)
    for name, (_, value) in zip(names, own, strict=True):
        told = _told_by(value)
        yield ToldAttribute(name, told, (name, told) if told else (name,))


def _gather_attributes(page: PageArrays, *, named: bool) -> Pieces:
    """The values of each element's attributes that are meant to be read, each with a break after it."""
    unread = kind("unread_attributes")
    reads: dict[str, bool] = {}
    pieces: list[str] = []
    counts = [0] * (len(page) + 1)
    readable = page.readable.tolist()
    for index, pairs in enumerate(page.attrs):
        if not pairs or not readable[index]:
            continue
        before = len(pieces)
        if xml_name(page.tag[index], pairs):
            found = (piece for told in _xml_attributes(pairs, named) for piece in told.pieces)
            pieces += (part for piece in found for part in _ended(piece))
            pairs = []
        for name, value in pairs:
            wanted = reads.get(name)
            if wanted is None:
                wanted = reads[name] = name not in unread and not name.startswith("on")
            if wanted and value and (told := _told_by(value) if ":" in value or "?" in value else value):
                pieces += _ended(told)
        counts[index + 1] = len(pieces) - before
    return _own_pieces(page, pieces, counts)


def _gather_names(page: PageArrays) -> Pieces:
    """The name of each element that is read, with a break after it."""
    pieces: list[str] = []
    counts = [0] * (len(page) + 1)
    for index in np.flatnonzero(page.readable).tolist():
        if page.tag[index] not in (TEXT, GAP):
            pieces += _ended(name_of(page, index))
            counts[index + 1] = 2
    return _own_pieces(page, pieces, counts)


def _ended(piece: str) -> tuple[str, str]:
    """A piece with a break after it; one that would look like a break of ours is none."""
    return piece if piece != BREAK else NUL, BREAK


def _own_pieces(page: PageArrays, pieces: list[str], counts: list[int]) -> Pieces:
    """Pieces of which each node has some of its own: so many as stand behind its place in `counts`."""
    places = np.cumsum(np.array(counts, dtype=np.int64))
    return Pieces(pieces, places[:-1], places[page.ends], places[1:])
