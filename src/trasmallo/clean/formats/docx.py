"""DOCX (ECMA-376, WordprocessingML): headings by style or outline level, lists by numbering, tables, notes and comments.

Running headers and footers are left out, deleted text too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from trasmallo.clean.formats.html_builder import HtmlBuilder, TextRun, Unreadable, inline
from trasmallo.clean.formats.properties import write_properties
from trasmallo.clean.formats.zip_package import (
    Element,
    ZipPackage,
    attribute,
    child,
    children,
    core_title,
    descendants,
    local,
    value,
)

_HEADING = re.compile(r"heading (\d)$", re.IGNORECASE)
_LINK = re.compile(r'\s*HYPERLINK\s+"([^"]+)"')
_OFF = frozenset(["0", "false", "off", "none"])
_LONGEST_CHAIN = 12
"""Styles that one may be based on, one on the other. Judgement: more is a circle."""
# Elements that only wrap others.
_WRAPPERS = frozenset(["ins", "moveTo", "smartTag", "fldSimple", "sdt", "sdtContent", "customXml", "dir", "bdo"])
_CHARACTERS = {"tab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "‑", "softHyphen": "\u00ad"}
_NOTES = (("footnotes", "footnote"), ("endnotes", "endnote"), ("comments", "comment"))


def read_docx(content: bytes, page: HtmlBuilder) -> None:
    """Write a DOCX to the page."""
    package = ZipPackage(content, page.lose)
    main = next((target for kind, target in package.relations("").values() if kind == "officeDocument"), "word/document.xml")
    page.title = core_title(package)
    write_properties(package.xml_or_none("docProps/core.xml"), page)
    body = child(package.xml(main), "body")
    if body is None:
        raise Unreadable("the document has no body")
    relations = package.relations(main)
    parts = dict(relations.values())
    styles = Styles(package.xml_or_none(parts.get("styles", "word/styles.xml")))
    lists = Numbering(package.xml_or_none(parts.get("numbering", "word/numbering.xml")))
    _Reader(page, styles, lists, relations).blocks(body)
    for kind, element in _NOTES:
        target = parts.get(kind, f"word/{kind}.xml")
        for note in children(package.xml_or_none(target), element):
            if attribute(note, "type") not in ("separator", "continuationSeparator", "continuationNotice"):
                inner = page.inside()
                _Reader(inner, styles, lists, package.relations(target)).blocks(note)
                page.block("aside", inner.markup())


class Styles:
    """What the styles say of headings and emphasis, through the styles they are based on."""

    def __init__(self, root: Element | None) -> None:
        self._styles = {attribute(style, "styleId"): style for style in children(root, "style")}
        self._levels: dict[str, int] = {}
        self._marks: dict[tuple[str, str], bool | None] = {}

    def _chain(self, name: str) -> Iterator[Element]:
        for _ in range(_LONGEST_CHAIN):
            style = self._styles.get(name)
            if style is None:
                return
            yield style
            name = value(style, "basedOn")

    def level(self, name: str) -> int:
        """The level of a paragraph style's headings, 0 for text."""
        if name not in self._levels:
            self._levels[name] = next((level for style in self._chain(name) if (level := _own_level(style))), 0)
        return self._levels[name]

    def mark(self, name: str, mark: str) -> bool | None:
        """Whether a style turns "b" or "i" on; None when it does not say."""
        key = (name, mark)
        if key not in self._marks:
            found = (toggle(child(style, "rPr"), mark) for style in self._chain(name))
            self._marks[key] = next((on for on in found if on is not None), None)
        return self._marks[key]

    def numbering(self, name: str) -> Element | None:
        """The list that a paragraph style belongs to."""
        found = (child(style, "pPr", "numPr") for style in self._chain(name))
        return next((numbering for numbering in found if numbering is not None), None)


def _own_level(style: Element) -> int:
    named = _HEADING.match(value(style, "name"))
    if named:
        return int(named[1])
    if value(style, "name").lower() == "title":
        return 1
    outline = value(style, "pPr", "outlineLvl", default="9")
    return int(outline) + 1 if outline.isdigit() and int(outline) < 9 else 0


def toggle(properties: Element | None, name: str) -> bool | None:
    """An on-off property such as `<w:b/>`; None when it is not there."""
    found = child(properties, name)
    return None if found is None else attribute(found, "val", "1").lower() not in _OFF


class Numbering:
    """Which lists count and which have bullets."""

    def __init__(self, root: Element | None) -> None:
        abstract = {attribute(element, "abstractNumId"): element for element in children(root, "abstractNum")}
        self._lists = {
            attribute(number, "numId"): abstract.get(value(number, "abstractNumId")) for number in children(root, "num")
        }

    def ordered(self, number: str, level: str) -> bool:
        """Whether the items of a list's level are counted."""
        for found in children(self._lists.get(number), "lvl"):
            if attribute(found, "ilvl") == level:
                return value(found, "numFmt") not in ("bullet", "none", "")
        return False


class _Reader:
    """Writes the blocks of one part to a page."""

    def __init__(self, page: HtmlBuilder, styles: Styles, lists: Numbering, relations: dict[str, tuple[str, str]]) -> None:
        self._page = page
        self._styles = styles
        self._lists = lists
        self._relations = relations
        # A field such as a link spans runs: its instruction comes first, then what is shown.
        self._fields: list[str] = []
        self._instructing = False

    def blocks(self, container: Element) -> None:
        for element in container:
            name = local(element)
            if name == "p":
                self._paragraph(element)
            elif name == "tbl":
                self._table(element)
            elif name in _WRAPPERS:
                self.blocks(element)

    def _paragraph(self, paragraph: Element) -> None:
        properties = child(paragraph, "pPr")
        style = value(properties, "pStyle")
        level = self._level(properties, style)
        html = inline(self._runs(paragraph, "" if level else style, ""))
        numbering = child(properties, "numPr")
        numbering = self._styles.numbering(style) if numbering is None else numbering
        if level:
            self._page.heading(level, html)
        elif value(numbering, "numId", default="0") not in ("0", ""):
            depth = value(numbering, "ilvl", default="0")
            ordered = self._lists.ordered(value(numbering, "numId"), depth)
            self._page.item(int(depth) if depth.isdigit() else 0, ordered, html)
        else:
            self._page.block("p", html)
        for box in _outermost(paragraph, "txbxContent"):
            self.blocks(box)

    def _level(self, properties: Element | None, style: str) -> int:
        outline = value(properties, "outlineLvl")
        if outline.isdigit():
            return int(outline) + 1 if int(outline) < 9 else 0
        return self._styles.level(style)

    def _runs(self, element: Element, style: str, href: str) -> Iterator[TextRun]:
        for part in element:
            name = local(part)
            if name == "r":
                yield from self._run(part, style, href)
            elif name == "hyperlink":
                _, target = self._relations.get(attribute(part, "id"), ("", ""))
                yield from self._runs(part, style, target)
            elif name in _WRAPPERS:
                yield from self._runs(part, style, href)
            elif name in ("oMath", "oMathPara"):
                yield TextRun("".join(text.text or "" for text in descendants(part, "t")))

    def _run(self, run: Element, style: str, href: str) -> Iterator[TextRun]:
        properties = child(run, "rPr")
        if toggle(properties, "vanish"):
            return
        bold, italic = (self._marked(properties, style, mark) for mark in ("b", "i"))
        for part in run:
            text = self._text(part, local(part))
            if text:
                yield TextRun(text, bold, italic, href or next((field for field in reversed(self._fields) if field), ""))

    def _text(self, part: Element, name: str) -> str:
        if name == "t":
            return "" if self._instructing else part.text or ""
        if name == "fldChar":
            self._field(attribute(part, "fldCharType"))
        elif name == "instrText" and self._fields:
            found = _LINK.match(part.text or "")
            self._fields[-1] = found[1] if found else self._fields[-1]
        elif name == "sym":
            return _symbol(attribute(part, "char"))
        return _CHARACTERS.get(name, "")

    def _field(self, kind: str) -> None:
        if kind == "begin":
            self._fields.append("")
        elif kind == "end" and self._fields:
            self._fields.pop()
        self._instructing = kind == "begin"

    def _marked(self, properties: Element | None, style: str, mark: str) -> bool:
        """A run's own word counts first, then its style's, then its paragraph's."""
        own = toggle(properties, mark)
        if own is None:
            own = self._styles.mark(value(properties, "rStyle"), mark)
        return bool(self._styles.mark(style, mark) if own is None else own)

    def _table(self, table: Element) -> None:
        self._page.write("<table>")
        for row in _wrapped(table, "tr"):
            cells = [self._cell(cell) for cell in _wrapped(row, "tc")]
            if any(html for html, _ in cells):
                self._page.write("<tr>" + "".join(f"<td{span}>{html}</td>" for html, span in cells) + "</tr>")
        self._page.write("</table>")

    def _cell(self, cell: Element) -> tuple[str, str]:
        inner = self._page.inside()
        _Reader(inner, self._styles, self._lists, self._relations).blocks(cell)
        span = value(cell, "tcPr", "gridSpan")
        return inner.markup(), f' colspan="{span}"' if span.isdigit() and 1 < int(span) < 100 else ""


def _symbol(code: str) -> str:
    """A character of a symbol font; those of private use mean nothing elsewhere."""
    try:
        number = int(code, 16)
    except ValueError:
        return ""
    return "•" if 0xF000 <= number <= 0xF8FF else chr(number) if 32 <= number < 0xD800 else ""


def _wrapped(element: Element, name: str) -> Iterator[Element]:
    """Children of a name, also inside the elements that only wrap."""
    for part in element:
        if local(part) == name:
            yield part
        elif local(part) in _WRAPPERS:
            yield from _wrapped(part, name)


def _outermost(element: Element, name: str) -> Iterator[Element]:
    """Descendants of a name that are in no other one; of alternatives for old readers, the first is taken."""
    for part in element:
        if local(part) == name:
            yield part
        elif local(part) != "Fallback":
            yield from _outermost(part, name)
