"""XLSX (ECMA-376, SpreadsheetML): a heading and a table a sheet; dates are written as ISO 8601, formulas as their values."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator
from itertools import chain

from trasmallo.clean.formats.html_builder import HtmlBuilder, TextRun, Unreadable, inline, plain
from trasmallo.clean.formats.properties import write_properties
from trasmallo.clean.formats.zip_package import (
    Element,
    ZipPackage,
    attribute,
    child,
    children,
    core_title,
    descendants,
    elements,
    local,
    value,
)

_COLUMN = re.compile(r"([A-Z]{1,3})\d+$")
_DATE_FORMATS = frozenset([*range(14, 23), *range(27, 37), 45, 46, 47, *range(50, 59)])
"""Built-in number formats that are dates (ECMA-376, 18.8.30)."""
_PERCENTS = frozenset([9, 10])
"""Built-in number formats that are percentages."""
_LITERALS = re.compile(r'"[^"]*"|\\.|\[[^\]]*\]|_.')
_LINK = re.compile(rb"<(?:\w+:)?hyperlink\s([^>]*)>")
_LINK_ATTRIBUTE = re.compile(rb"""\b(ref|id)\s*=\s*["']([^"']*)""")
_WIDEST = 1_000
"""Columns that are kept. Judgement."""
_EPOCHS = (datetime.datetime(1899, 12, 30), datetime.datetime(1904, 1, 1))
_LAST_DAY = 2_958_465
"""The last of the year 9999, as Excel counts."""


def read_xlsx(content: bytes, page: HtmlBuilder) -> None:
    """Write all sheets that are not hidden to the page."""
    package = ZipPackage(content, page.lose)
    main = next((target for kind, target in package.relations("").values() if kind == "officeDocument"), "xl/workbook.xml")
    page.title = core_title(package)
    write_properties(package.xml_or_none("docProps/core.xml"), page)
    relations = package.relations(main)
    book = package.xml(main)
    parts = dict(relations.values())
    properties = child(book, "workbookPr")
    epoch = properties is not None and attribute(properties, "date1904") in ("1", "true")
    looks = CellFormats.of(package.xml_or_none(parts.get("styles", "xl/styles.xml")), 1 if epoch else 0)
    shared = [_rich(item) for item in children(package.xml_or_none(parts.get("sharedStrings", "xl/sharedStrings.xml")), "si")]
    sheets = list(children(child(book, "sheets"), "sheet"))
    if not sheets:
        raise Unreadable("the workbook has no sheets")
    for sheet in sheets:
        _, target = relations.get(attribute(sheet, "id"), ("", ""))
        if attribute(sheet, "state", "visible") == "visible":
            _sheet(attribute(sheet, "name"), package, target, shared, looks, page)


class CellFormats:
    """What the formats of cells mean: which are bold, which are dates or percents."""

    def __init__(self, bold: list[bool], formats: list[str], epoch: int) -> None:
        self._bold = bold
        self._formats = formats
        self._epoch = _EPOCHS[epoch]

    @classmethod
    def of(cls, root: Element | None, epoch: int) -> CellFormats:
        """The formats that a part of styles describes; `epoch` is 1 for days counted from 1904."""
        fonts = [
            child(font, "b") is not None and value(font, "b", default="1") != "0"
            for font in children(child(root, "fonts"), "font")
        ]
        codes = {attribute(code, "numFmtId"): attribute(code, "formatCode") for code in descendants(root, "numFmt")}
        bold, formats = [], []
        for look in children(child(root, "cellXfs"), "xf"):
            font, number = attribute(look, "fontId", "0"), attribute(look, "numFmtId", "0")
            bold.append(font.isdigit() and int(font) < len(fonts) and fonts[int(font)])
            formats.append(format_kind(int(number) if number.isdigit() else 0, codes.get(number, "")))
        return cls(bold, formats, epoch)

    def bold(self, look: int) -> bool:
        """Whether a cell of this format is bold."""
        return look < len(self._bold) and self._bold[look]

    def number(self, text: str, look: int) -> str:
        """A number as its format shows it: a date, a percentage or itself."""
        kind = self._formats[look] if look < len(self._formats) else ""
        try:
            number = float(text)
        except ValueError:
            return text
        if kind == "date" and 0 <= number <= _LAST_DAY:
            return date_text(number, self._epoch)
        return f"{shortest(number * 100)}%" if kind == "percent" else shortest(number)


def format_kind(number: int, code: str) -> str:
    """What the format of a number shows: "date", "percent", or "" for the number."""
    if number in _DATE_FORMATS:
        return "date"
    if number in _PERCENTS:
        return "percent"
    bare = _LITERALS.sub("", code).lower()
    if "general" in bare:
        return ""
    return "date" if re.search(r"[ymdhs]", bare) else "percent" if "%" in bare else ""


def date_text(number: float, epoch: datetime.datetime) -> str:
    """Days since the epoch as a date, a time, or both."""
    moment = epoch + datetime.timedelta(seconds=round(number * 86_400))
    if number < 1:
        return moment.time().isoformat()
    return moment.isoformat(" ") if number % 1 else moment.date().isoformat()


def shortest(number: float) -> str:
    """The shortest number that Excel's 15 digits tell apart."""
    return f"{number:.15g}"


def _rich(element: Element) -> str:
    """A shared or inline string as markup; phonetic hints are left out."""
    runs = []
    for part in element:
        if local(part) == "t":
            runs.append(TextRun(part.text or ""))
        elif local(part) == "r":
            text, look = child(part, "t"), child(part, "rPr")
            bold, italic = (child(look, mark) is not None for mark in ("b", "i"))
            runs.append(TextRun("" if text is None else text.text or "", bold, italic))
    return inline(runs)


def _sheet(name: str, package: ZipPackage, part: str, shared: list[str], looks: CellFormats, page: HtmlBuilder) -> None:
    try:
        content = package.read(part)
    except Unreadable as refused:
        page.lose(str(refused), refused.repair)
        return
    links = _links(content, package.relations(part))
    found = (list(_row(row, shared, looks, links)) for row in elements(content, part, "row", page.lose))
    rows = (cells for cells in found if any(cells))
    first = next(rows, None)
    if first is not None:
        page.heading(2, plain(name))
        page.table(chain([first], rows))


def _links(content: bytes, relations: dict[str, tuple[str, str]]) -> dict[str, str]:
    """The links of a sheet by cell; they stand after all rows, which are too many to be read twice."""
    found = {}
    for link in _LINK.finditer(content):
        named = {key.decode(): text.decode("utf-8", "replace") for key, text in _LINK_ATTRIBUTE.findall(link[1])}
        found[named.get("ref", "")] = relations.get(named.get("id", ""), ("", ""))[1]
    return found


def _row(row: Element, shared: list[str], looks: CellFormats, links: dict[str, str]) -> Iterator[str]:
    at = 0
    for cell in children(row, "c"):
        place = attribute(cell, "r")
        found = _COLUMN.match(place)
        column = _number(found[1]) if found else at
        if column >= _WIDEST:
            return
        yield from [""] * (column - at)
        html = _cell(cell, shared, looks)
        if links.get(place):
            html = inline([TextRun(re.sub(r"<[^>]*>", "", html), href=links[place])])
        yield html
        at = max(column, at) + 1


def _number(letters: str) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - 64
    return number - 1


def _cell(cell: Element, shared: list[str], looks: CellFormats) -> str:
    kind, look = attribute(cell, "t", "n"), attribute(cell, "s", "0")
    style = int(look) if look.isdigit() else 0
    if kind == "inlineStr":
        inner = child(cell, "is")
        html = "" if inner is None else _rich(inner)
    else:
        found = child(cell, "v")
        html = _value("" if found is None else found.text or "", kind, style, shared, looks)
    return f"<b>{html}</b>" if html and looks.bold(style) and "<b>" not in html else html


def _value(text: str, kind: str, style: int, shared: list[str], looks: CellFormats) -> str:
    if kind == "s":
        return shared[int(text)] if text.isdigit() and int(text) < len(shared) else ""
    if kind == "b":
        return {"1": "TRUE", "0": "FALSE"}.get(text, plain(text))
    return plain(looks.number(text, style) if kind == "n" and text else text)
