"""OpenDocument (OASIS ODF 1.3): texts, sheets and presentations, packed or flat; tracked deletions are left out."""

from __future__ import annotations

from collections.abc import Iterator

from trasmallo.clean.formats.html_builder import HtmlBuilder, TextRun, Unreadable, inline
from trasmallo.clean.formats.properties import write_properties
from trasmallo.clean.formats.zip_package import Element, ZipPackage, attribute, child, children, descendants, local, parse_xml

_LONGEST_CHAIN = 12
"""Styles that one may be based on, one on the other. Judgement: more is a circle."""
_MOST_REPEATED = 1_000
"""Times that a cell or row is repeated. Judgement: sheets fill a million rows with nothing."""
_BOLD = frozenset(["bold", "600", "700", "800", "900"])
_CONTAINERS = frozenset(
    [
        "section", "index-body", "table-of-content", "alphabetical-index", "illustration-index", "bibliography", "user-index",
        "index-title", "text-box", "g", "custom-shape", "rect", "ellipse", "line", "path", "polygon", "object", "frame",
        "list-header", "numbered-paragraph", "shapes",
    ]
)  # fmt: skip
_PASSED_OVER = frozenset(["tracked-changes", "sequence-decls", "forms", "title", "desc", "annotation-end", "bookmark"])


class _Looks:
    """Bold and italic of the styles, and which list styles count."""

    def __init__(self, *roots: Element | None) -> None:
        self._styles: dict[tuple[str, str], Element] = {}
        self._ordered: set[str] = set()
        for root in roots:
            for style in descendants(root, "style"):
                self._styles[attribute(style, "family"), attribute(style, "name")] = style
            for style in descendants(root, "list-style"):
                if child(style, "list-level-style-number") is not None:
                    self._ordered.add(attribute(style, "name"))
        self._known: dict[tuple[str, str, str], str] = {}

    def says(self, family: str, name: str, what: str) -> str:
        """A text property of a style, "" when neither it nor its ancestors say."""
        key = (family, name, what)
        if key not in self._known:
            self._known[key] = self._find(family, name, what)
        return self._known[key]

    def _find(self, family: str, name: str, what: str) -> str:
        for _ in range(_LONGEST_CHAIN):
            style = self._styles.get((family, name))
            if style is None:
                break
            for properties in children(style, "text-properties"):
                if found := attribute(properties, what):
                    return found
            name = attribute(style, "parent-style-name")
        return ""

    def ordered(self, name: str) -> bool:
        return name in self._ordered


def read_odf(content: bytes, page: HtmlBuilder) -> None:
    """Write a text, a sheet or a presentation to the page."""
    if content.startswith(b"PK"):
        package = ZipPackage(content, page.lose)
        if next(descendants(package.xml_or_none("META-INF/manifest.xml"), "encryption-data"), None) is not None:
            raise Unreadable("it is encrypted", "save it without a password")
        root, styles, meta = package.xml("content.xml"), package.xml_or_none("styles.xml"), package.xml_or_none("meta.xml")
    else:
        root = styles = meta = parse_xml(content, lose=page.lose)
    page.title = next((element.text or "" for element in descendants(child(meta, "meta"), "title")), "")
    write_properties(child(meta, "meta"), page)
    body = child(root, "body")
    if body is None:
        raise Unreadable("the document has no body")
    reader = _Reader(page, _Looks(styles, root))
    for kind in body:
        reader.blocks(kind)
    for note in reader.notes:
        inner = page.inside()
        _Reader(inner, reader.looks).blocks(note)
        page.block("aside", inner.markup())


class _Reader:
    def __init__(self, page: HtmlBuilder, looks: _Looks) -> None:
        self._page = page
        self.looks = looks
        self.notes: list[Element] = []

    def blocks(self, container: Element) -> None:
        for element in container:
            self._block(element, local(element))

    def _block(self, element: Element, name: str) -> None:
        if name == "h":
            level = attribute(element, "outline-level", "1")
            self._page.heading(int(level) if level.isdigit() else 1, self._inline(element, heading=True))
        elif name == "p":
            self._paragraph(element)
        elif name == "list":
            self._list(element, 0, attribute(element, "style-name"))
        elif name == "table":
            self._table(element)
        elif name == "page":
            self._slide(element)
        elif name == "notes":
            self._part("aside", element)
        elif name == "frame" and attribute(element, "class") == "title":
            self._title(element)
        elif name in _CONTAINERS:
            self.blocks(element)

    def _paragraph(self, element: Element) -> None:
        style = attribute(element, "style-name")
        html = self._inline(element, heading=style == "Title")
        self._page.block("h1" if style == "Title" else "p", html)
        for box in _boxes(element):
            self.blocks(box)

    def _slide(self, element: Element) -> None:
        """A slide; its title comes first wherever it was drawn."""
        self._page.write("<section>")
        frames = sorted(element, key=lambda frame: attribute(frame, "class") not in ("title", "subtitle"))
        for frame in frames:
            self._block(frame, local(frame))
        self._page.write("</section>")

    def _title(self, frame: Element) -> None:
        lines = [self._inline(line, heading=True) for line in descendants(frame, "p", "h")]
        self._page.heading(2, " ".join(filter(None, lines)))

    def _part(self, tag: str, element: Element) -> None:
        inner = self._page.inside()
        reader = _Reader(inner, self.looks)
        reader.blocks(element)
        self.notes += reader.notes
        self._page.block(tag, inner.markup())

    def _list(self, element: Element, level: int, style: str) -> None:
        ordered = self.looks.ordered(style)
        for item in children(element, "list-item", "list-header"):
            lines: list[str] = []
            for part in item:
                if local(part) in ("p", "h"):
                    lines.append(self._inline(part))
                elif local(part) == "list":
                    self._page.item(level, ordered, "<br>".join(filter(None, lines)))
                    lines = []
                    self._list(part, level + 1, attribute(part, "style-name") or style)
            self._page.item(level, ordered, "<br>".join(filter(None, lines)))

    def _table(self, table: Element) -> None:
        """A table of a text or a sheet; a sheet's name is its heading."""
        sheet = _parent_name(table) == "spreadsheet"
        rows = [(row, cells) for row, cells in self._rows(table) if any(html for html, _ in cells)]
        if not rows:
            return
        if sheet:
            self._page.heading(2, inline([TextRun(attribute(table, "name"))]))
        self._page.write("<table>")
        for row, cells in rows:
            tag = "th" if _parent_name(row) == "table-header-rows" else "td"
            self._page.write("<tr>" + "".join(f"<{tag}{span}>{html}</{tag}>" for html, span in cells) + "</tr>")
        self._page.write("</table>")

    def _rows(self, table: Element) -> Iterator[tuple[Element, list[tuple[str, str]]]]:
        for part in table:
            if local(part) in ("table-header-rows", "table-row-group", "table-rows"):
                yield from self._rows(part)
            elif local(part) == "table-row":
                cells = self._cells(part)
                for _ in range(_repeated(part, "number-rows-repeated") if any(html for html, _ in cells) else 1):
                    yield part, cells

    def _cells(self, row: Element) -> list[tuple[str, str]]:
        found: list[tuple[str, str]] = []
        for cell in children(row, "table-cell"):
            inner = self._page.inside()
            reader = _Reader(inner, self.looks)
            bold = self.looks.says("table-cell", attribute(cell, "style-name"), "font-weight") in _BOLD
            reader.blocks(cell)
            self.notes += reader.notes
            html = inner.markup()
            span = attribute(cell, "number-columns-spanned")
            wide = f' colspan="{span}"' if span.isdigit() and 1 < int(span) < 100 else ""
            html = f"<b>{html}</b>" if bold and html and "<" not in html else html
            found += [(html, wide)] * _repeated(cell, "number-columns-repeated")
        while found and not found[-1][0]:
            found.pop()
        return found

    def _inline(self, element: Element, *, heading: bool = False) -> str:
        style = "" if heading else attribute(element, "style-name")
        bold = self.looks.says("paragraph", style, "font-weight") in _BOLD
        italic = self.looks.says("paragraph", style, "font-style") in ("italic", "oblique")
        return inline(self._runs(element, TextRun("", bold, italic)))

    def _runs(self, element: Element, look: TextRun) -> Iterator[TextRun]:
        """The text of an element and of what stands in it; white space collapses as ODF says."""
        if element.text:
            yield look._replace(text=_collapsed(element.text))
        for part in element:
            yield from self._part_runs(part, local(part), look)
            if part.tail:
                yield look._replace(text=_collapsed(part.tail))

    def _part_runs(self, part: Element, name: str, look: TextRun) -> Iterator[TextRun]:
        if name == "span":
            yield from self._runs(part, self._look(attribute(part, "style-name"), look))
        elif name == "a":
            yield from self._runs(part, look._replace(href=attribute(part, "href")))
        elif name == "s":
            yield look._replace(text=" " * _repeated(part, "c"))
        elif name in ("tab", "line-break"):
            yield look._replace(text="\t" if name == "tab" else "\n")
        elif name in ("note", "annotation"):
            body = child(part, "note-body") if name == "note" else part
            self.notes += [] if body is None else [body]
        elif name and name not in _PASSED_OVER and name not in _CONTAINERS:
            yield from self._runs(part, look)

    def _look(self, style: str, look: TextRun) -> TextRun:
        weight, slant = self.looks.says("text", style, "font-weight"), self.looks.says("text", style, "font-style")
        bold = weight in _BOLD if weight else look.bold
        return look._replace(bold=bold, italic=slant in ("italic", "oblique") if slant else look.italic)


def _collapsed(text: str) -> str:
    """Runs of white space are one space (ODF 1.3, 6.1.2)."""
    if not text.strip():
        return " "
    return (" " if text[0].isspace() else "") + " ".join(text.split()) + (" " if text[-1].isspace() else "")


def _repeated(element: Element, name: str) -> int:
    count = attribute(element, name, "1")
    return min(int(count), _MOST_REPEATED) if count.isdigit() else 1


def _boxes(paragraph: Element) -> Iterator[Element]:
    """Text boxes that hang on a paragraph, the outer ones."""
    for part in paragraph:
        if local(part) == "text-box":
            yield part
        elif local(part) in ("frame", "g", "a", "span"):
            yield from _boxes(part)
        elif local(part) in ("custom-shape", "rect", "ellipse"):
            yield part


def _parent_name(element: Element) -> str:
    parent = element.getparent()
    return "" if parent is None else local(parent)
