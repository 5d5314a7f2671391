"""The main content of a page as safe HTML: structure, emphasis and links are kept, everything else goes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from html import escape
from typing import NamedTuple

from trasmallo.clean.flat import TEXT, FlatPage, tag_class
from trasmallo.clean.layout import Layout

_SPACE = re.compile(r"\s+")
_LARGEST_SPAN = 1_000
"""Largest colspan, as browsers have it (WHATWG HTML)."""
_DEEPEST = 60
"""Elements inside elements that are written. Judgement."""

Resolve = Callable[[str], str | None]


class TextNode(NamedTuple):
    """A text node of the content: its block, the structural elements around it, the inline ones, and its characters.

    `text` is one line end where the page breaks a line.
    """

    block: int
    structure: list[int]
    inline: list[int]
    text: str


def pieces(page: FlatPage, layout: Layout, main: list[bool]) -> Iterator[TextNode]:
    """Every text node of the main blocks, in order."""
    silent, ancestry = tag_class("silent"), _Ancestry(page)
    for number, chosen in enumerate(main):
        index = layout.first[number]
        while chosen and index <= layout.last[number]:
            tag = page.tag[index]
            if tag in silent or index in layout.hidden:
                index = page.end[index]
                continue
            if tag in (TEXT, "br"):
                structure, inline = ancestry.of(page.parent[index])
                yield TextNode(number, structure, inline, page.text[index] if tag == TEXT else "\n")
            index += 1


class _Ancestry:
    """The structural and the inline elements around each element, outermost first; those too deep to read are left out."""

    def __init__(self, page: FlatPage) -> None:
        self._page = page
        self._known: dict[int, tuple[list[int], list[int]]] = {-1: ([], [])}

    def of(self, index: int) -> tuple[list[int], list[int]]:
        """Both kinds of elements, `index` itself among them."""
        chain = []
        while index not in self._known:
            chain.append(index)
            index = self._page.parent[index]
        structure, inline = self._known[index]
        for index in reversed(chain):
            tag = self._page.tag[index]
            if tag in tag_class("structure") and len(structure) < _DEEPEST:
                structure = [*structure, index]
            elif tag in tag_class("phrase") and len(inline) < _DEEPEST:
                inline = [*inline, index]
            self._known[index] = structure, inline
        return structure, inline


def cells_of(page: FlatPage, row: int) -> Iterator[int]:
    """The cells of a row, empty ones too."""
    child = row + 1
    while child < page.end[row]:
        if page.tag[child] in ("td", "th"):
            yield child
        child = page.end[child]


def span_of(page: FlatPage, cell: int, name: str) -> int:
    """Over how many columns or rows a cell reaches, as its attribute says."""
    value = page.attributes(cell).get(name, "").strip()
    return min(max(int(value), 1), _LARGEST_SPAN) if value.isascii() and value.isdigit() and len(value) < 7 else 1


Tag = tuple[int, str]


def to_html(page: FlatPage, layout: Layout, main: list[bool], resolve: Resolve) -> str:
    """The main content with nothing in it that runs, loads or styles; `resolve` makes links absolute (None drops one)."""
    writer = _Writer(page, resolve)
    for piece in pieces(page, layout, main):
        tags = [page.tag[index] for index in piece.structure]
        wanted = [*zip(piece.structure, tags, strict=True)]
        if not tags or tags[-1] not in tag_class("holder"):
            # A negative key, since the paragraph stands for a block and not for an element.
            wanted.append((-1 - piece.block, "p"))
        writer.open(wanted + [(index, page.tag[index]) for index in piece.inline])
        preformatted = "pre" in tags
        writer.out.append("<br>" if piece.text == "\n" and not preformatted else _characters(piece.text, preformatted))
    writer.open([])
    return "".join(writer.out)


class _Writer:
    """Opens and closes tags; rows get all their cells, so that columns stay columns when some are empty or left out."""

    def __init__(self, page: FlatPage, resolve: Resolve) -> None:
        self.page, self.resolve = page, resolve
        self.out: list[str] = []
        self._opened: list[Tag] = []
        self._cells: dict[int, Iterator[int]] = {}

    def open(self, wanted: list[Tag]) -> None:
        """Close what is open but not wanted, and open what is wanted but not open."""
        same = _common(self._opened, wanted)
        for index, tag in reversed(self._opened[same:]):
            if tag == "tr":
                self._fill(index, -1)
            self.out.append(f"</{tag}>")
        for index, tag in wanted[same:]:
            if tag in ("td", "th"):
                self._fill(self.page.parent[index], index)
            self.out.append(self._start(index, tag))
        self._opened = wanted

    def _fill(self, row: int, until: int) -> None:
        """Write the cells of a row that have nothing in them, up to one of its cells or to its end."""
        if row not in self._cells:
            self._cells[row] = cells_of(self.page, row)
        for cell in self._cells[row]:
            if cell == until:
                return
            self.out.append(f"{self._start(cell, self.page.tag[cell])}</{self.page.tag[cell]}>")

    def _start(self, index: int, tag: str) -> str:
        if tag == "a":
            target = self.resolve(self.page.attributes(index).get("href", ""))
            return f'<a href="{escape(target)}">' if target else "<a>"
        if tag in ("td", "th"):
            spans = ((name, span_of(self.page, index, name)) for name in ("colspan", "rowspan"))
            return f"<{tag}" + "".join(f' {name}="{span}"' for name, span in spans if span > 1) + ">"
        return f"<{tag}>"


def _common(one: list[Tag], other: list[Tag]) -> int:
    return next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _characters(text: str, preformatted: bool) -> str:
    return escape(text if preformatted else _SPACE.sub(" ", text), quote=False)
