"""Entities written into a text: as XML in the manner of textbooks, as TEI, as columns (CoNLL)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape

from lxml import etree

from trasmallo.study.entities.name_lists import GIVEN, fold, names
from trasmallo.study.sentences import cut
from trasmallo.values.errors import DocumentError
from trasmallo.values.model import Entity

_ELEMENTS = {
    "PER": "PersonName", "LOC": "Location", "ORG": "OrganizationName", "MISC": "Name", "DATE": "date", "TIME": "time",
    "QUANTITY": "quantity", "MONEY": "money", "PERCENT": "percent", "ADDRESS": "address", "EMAIL": "email", "PHONE": "phone",
    "ID": "id",
}  # fmt: skip
_TEI = {
    "PER": "persName", "LOC": "placeName", "ORG": "orgName", "MISC": "name", "DATE": "date", "TIME": "time",
    "QUANTITY": "measure", "MONEY": "measure", "PERCENT": "measure", "ADDRESS": "address", "EMAIL": "email",
}  # fmt: skip
_TEI_VALUES = {"DATE": "when", "TIME": "when", "QUANTITY": "quantity", "MONEY": "quantity", "PERCENT": "quantity"}
_SILENT = frozenset(("script", "style", "code", "pre"))
Find = Callable[[str], Sequence[Entity]]
Write = Callable[[Entity], str]


def in_text(text: str, found: Sequence[Entity], write: Write | None = None) -> str:
    """A text, escaped, with an element around each entity."""
    write = write or as_element
    pieces, place = [], 0
    for one in found:
        pieces += [escape(text[place : one.start], quote=False), write(one)]
        place = one.end
    return "".join([*pieces, escape(text[place:], quote=False)])


def as_element(one: Entity) -> str:
    """An entity as an element of its kind; of a person given names and surnames are told apart."""
    name = _ELEMENTS.get(one.kind, one.kind)
    value = f' value="{escape(one.value)}"' if one.value and one.value != one.text else ""
    inside = _person(one.text) if one.kind == "PER" else escape(one.text, quote=False)
    return f"<{name}{value}>{inside}</{name}>"


def as_tei(one: Entity) -> str:
    """An entity as an element of TEI (persName, placeName, orgName, date, measure...)."""
    name = _TEI.get(one.kind, "name")
    told = f' type="{escape(one.kind.lower())}"' if name in ("name", "measure") else ""
    attribute = _TEI_VALUES.get(one.kind, "key")
    # TEI's `when` has dates of W3C alone: no decades, centuries or ranges.
    attribute = f"{attribute}-custom" if attribute == "when" and ("X" in one.value or "/" in one.value) else attribute
    value = f' {attribute}="{escape(one.value)}"' if one.value and one.value != one.text else ""
    return f"<{name}{told}{value}>{escape(one.text, quote=False)}</{name}>"


def _person(text: str) -> str:
    """Given names first: as many words as lists know for such, all but the last of a name of several words."""
    words = text.split()
    given = 0
    while given < len(words) - 1 and GIVEN in names().get(fold(words[given]), ""):
        given += 1
    if not given:
        return escape(text, quote=False)
    first, rest = escape(" ".join(words[:given]), quote=False), escape(" ".join(words[given:]), quote=False)
    return f"<GivenName>{first}</GivenName> <sn>{rest}</sn>"


def in_markup(content: bytes, find: Find, write: Write | None = None) -> str:
    """An XML document whose mark-up is kept, with an element around each entity of its texts.

    Raises DocumentError for what is no sound XML.
    """
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        root = etree.fromstring(content, parser)
    except etree.XMLSyntaxError as error:
        raise DocumentError("no sound XML ({error})", "close every element, or give plain text", error=error) from None
    write = write or as_element
    for element in list(root.iter(etree.Element)):
        tail = element.tail if element is not root else None
        if tail and tail.strip():
            _put(element, in_text(tail, find(tail), write), behind=True)
        if element.text and element.text.strip() and element.tag not in _SILENT:
            _put(element, in_text(element.text, find(element.text), write), behind=False)
    return etree.tostring(root, encoding="unicode")


def _put(element: etree._Element, marked: str, *, behind: bool) -> None:
    """Put what is marked in the place of a text."""
    made = etree.fromstring(f"<x>{marked}</x>".encode())
    if not len(made):
        return
    children = list(made)
    if behind:
        parent = element.getparent()
        assert parent is not None, "a root has no text behind it"
        element.tail = made.text
        place = parent.index(element) + 1
    else:
        parent, element.text, place = element, made.text, 0
    for offset, child in enumerate(children):
        parent.insert(place + offset, child)


def as_columns(text: str, found: Sequence[Entity], language: str) -> str:
    """A word a line with its BIO label, a blank line after each sentence: what `entities train` reads."""
    cutting = cut(text, language)
    tokens, place = cutting.tokens, 0
    lines = []
    for low, high in cutting.sentences:
        for index in range(low, high):
            while place < len(found) and found[place].end <= tokens.starts[index]:
                place += 1
            inside = place < len(found) and found[place].start < tokens.ends[index]
            begins = inside and (index == low or tokens.starts[index - 1] < found[place].start)
            label = f"{'B' if begins else 'I'}-{found[place].kind}" if inside else "O"
            lines.append(f"{tokens.words[index].replace(' ', '_')}\t{label}")
        lines.append("")
    return "\n".join(lines) + "\n"
