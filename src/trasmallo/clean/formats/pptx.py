"""PPTX (ECMA-376, PresentationML): a section a slide in the order of the show, with tables, diagrams and speaker's notes."""

from __future__ import annotations

from collections.abc import Iterator

from trasmallo.clean.formats.html_builder import HtmlBuilder, TextRun, Unreadable, inline
from trasmallo.clean.formats.properties import write_properties
from trasmallo.clean.formats.zip_package import Element, ZipPackage, attribute, child, children, core_title, descendants, local

_TITLES = ("title", "ctrTitle")
_RUNNING = ("dt", "ftr", "sldNum", "hdr", "sldImg")
_ON = ("1", "true")
# Placeholders whose paragraphs are items unless they say otherwise.
_LISTS = ("body", "obj")

Relations = dict[str, tuple[str, str]]


def read_pptx(content: bytes, page: HtmlBuilder) -> None:
    """Write a presentation to the page."""
    package = ZipPackage(content, page.lose)
    main = next((target for kind, target in package.relations("").values() if kind == "officeDocument"), "ppt/presentation.xml")
    page.title = core_title(package)
    write_properties(package.xml_or_none("docProps/core.xml"), page)
    relations = package.relations(main)
    slides = list(descendants(child(package.xml(main), "sldIdLst"), "sldId"))
    if not slides:
        raise Unreadable("the presentation has no slides")
    for slide in slides:
        # The plain `id` is the slide's number; the one with a namespace names the relation.
        name = next((str(value) for key, value in slide.attrib.items() if str(key).endswith("}id")), "")
        _slide(package, relations.get(name, ("", ""))[1], page)


def _slide(package: ZipPackage, name: str, page: HtmlBuilder) -> None:
    root = package.xml_or_none(name)
    if root is None:
        return
    relations = package.relations(name)
    page.write("<section>")
    reader = _Reader(package, relations, page)
    shapes = list(_shapes(child(root, "cSld", "spTree")))
    for shape in sorted(shapes, key=lambda shape: _placeholder(shape) not in _TITLES):
        reader.shape(shape)
    for kind, target in relations.values():
        if kind == "notesSlide":
            _notes(package, target, page)
    page.write("</section>")


def _notes(package: ZipPackage, name: str, page: HtmlBuilder) -> None:
    inner = page.inside()
    reader = _Reader(package, package.relations(name), inner, lists=())
    for shape in _shapes(child(package.xml_or_none(name), "cSld", "spTree")):
        reader.shape(shape)
    page.block("aside", inner.markup())


def _shapes(tree: Element | None) -> Iterator[Element]:
    """Shapes and frames, also those inside groups; of alternatives the first is taken."""
    for shape in () if tree is None else tree:
        name = local(shape)
        if name in ("sp", "graphicFrame"):
            yield shape
        elif name in ("grpSp", "AlternateContent", "Choice"):
            yield from _shapes(shape)


def _placeholder(shape: Element) -> str:
    """The kind of a shape's placeholder, "" for a shape that is none; "body" when the kind is not said."""
    found = next(descendants(child(shape, "nvSpPr", "nvPr"), "ph"), None)
    return "" if found is None else attribute(found, "type", "body")


class _Reader:
    def __init__(self, package: ZipPackage, relations: Relations, page: HtmlBuilder, lists: tuple[str, ...] = _LISTS) -> None:
        self._package = package
        self._relations = relations
        self._page = page
        self._lists = lists

    def shape(self, shape: Element) -> None:
        """Write one shape."""
        if local(shape) == "graphicFrame":
            self._frame(shape)
            return
        kind = _placeholder(shape)
        if kind in _RUNNING:
            return
        paragraphs = list(children(child(shape, "txBody"), "p"))
        if kind in _TITLES:
            self._page.heading(2, " ".join(filter(None, (inline(self._runs(paragraph)) for paragraph in paragraphs))))
        else:
            for paragraph in paragraphs:
                self._paragraph(paragraph, listed=kind in self._lists)

    def _paragraph(self, paragraph: Element, *, listed: bool) -> None:
        properties = child(paragraph, "pPr")
        level = attribute(properties, "lvl", "0") if properties is not None else "0"
        bullets = {local(part) for part in properties} if properties is not None else set()
        html = inline(self._runs(paragraph))
        if "buNone" not in bullets and (listed or bullets & {"buChar", "buAutoNum", "buBlip"}):
            self._page.item(int(level) if level.isdigit() else 0, "buAutoNum" in bullets, html)
        else:
            self._page.block("p", html)

    def _runs(self, paragraph: Element) -> Iterator[TextRun]:
        for part in paragraph:
            name = local(part)
            if name in ("r", "fld"):
                look = child(part, "rPr")
                text = child(part, "t")
                bold, italic = (look is not None and attribute(look, mark) in _ON for mark in ("b", "i"))
                yield TextRun("" if text is None else text.text or "", bold, italic, self._link(look))
            elif name == "br":
                yield TextRun("\n")

    def _link(self, look: Element | None) -> str:
        link = child(look, "hlinkClick")
        return "" if link is None else self._relations.get(attribute(link, "id"), ("", ""))[1]

    def _frame(self, frame: Element) -> None:
        for table in descendants(frame, "tbl"):
            self._page.table([self._cell(cell) for cell in children(row, "tc")] for row in children(table, "tr"))
        for diagram in descendants(frame, "relIds"):
            _, target = self._relations.get(attribute(diagram, "dm"), ("", ""))
            for point in descendants(self._package.xml_or_none(target), "pt"):
                for paragraph in descendants(point, "p"):
                    self._page.item(0, False, inline(self._runs(paragraph)))

    def _cell(self, cell: Element) -> str:
        return "<br>".join(filter(None, (inline(self._runs(paragraph)) for paragraph in descendants(cell, "p"))))
