"""Documents that are a zip of XML files: opened member by member, each within limits, whatever the directory promises."""

from __future__ import annotations

import io
import posixpath
import zipfile
import zlib
from collections.abc import Callable, Iterator
from urllib.parse import unquote

from lxml import etree

from trasmallo.clean.formats.html_builder import Unreadable

MAX_MEMBER = 100_000_000
"""Bytes of a member, unpacked: as large as a file may be."""
MAX_TOTAL = 300_000_000
"""Bytes of all members that are read. Judgement: a document needs a few, a bomb any number."""
MAX_MEMBERS = 10_000
"""Members that are known. Judgement."""

Element = etree._Element
"""An element of an XML document."""

Lose = Callable[[str], None]

_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, ValueError, OSError, IndexError)
_ENCRYPTED = 0x1
"""Bit of a member's flags."""


class ZipPackage:
    """The members of a zip by name; reading one that is missing, damaged or encrypted raises Unreadable.

    `lose` is told what could not be read of a document that could.
    """

    def __init__(self, content: bytes, lose: Lose = lambda _cause: None) -> None:
        self._lose = lose
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(content))
        except _BROKEN as error:
            raise Unreadable(f"the zip inside is damaged ({error})") from None
        named = (info.filename for info in self._zip.infolist()[:MAX_MEMBERS])
        self.names = [name for name in named if name and not name.endswith("/")]
        self._known = {name.lower(): name for name in reversed(self.names)}
        self._left = MAX_TOTAL

    def __contains__(self, name: str) -> bool:
        return name.lower() in self._known

    def read(self, name: str) -> bytes:
        """A member's bytes; raises Unreadable when it has more than a document may have."""
        if name not in self:
            raise Unreadable(f"its part {name} is missing")
        info = self._zip.getinfo(self._known[name.lower()])
        if info.flag_bits & _ENCRYPTED:
            raise Unreadable("it is encrypted", "save it without a password")
        try:
            with self._zip.open(info) as file:
                content = file.read(min(MAX_MEMBER, self._left) + 1)
        except (*_BROKEN, RuntimeError) as error:
            raise Unreadable(f"its part {name} is damaged ({error})") from None
        if len(content) > min(MAX_MEMBER, self._left):
            raise Unreadable(f"its part {name} unpacks to more than {min(MAX_MEMBER, self._left) // 1_000_000} MB")
        self._left -= len(content)
        return content

    def xml(self, name: str) -> Element:
        """The root element of a member."""
        return parse_xml(self.read(name), name, self._lose)

    def xml_or_none(self, name: str) -> Element | None:
        """The root element of a member that a document may lack; one that is damaged is told and missed."""
        try:
            return self.xml(name) if name in self else None
        except Unreadable as refused:
            self._lose(str(refused))
            return None

    def relations(self, name: str) -> dict[str, tuple[str, str]]:
        """What an Office part refers to: id to (last word of the kind, address), internal addresses from the root."""
        folder, _, file = name.rpartition("/")
        root = self.xml_or_none(f"{folder}/_rels/{file}.rels" if folder else f"_rels/{file}.rels")
        found = {}
        for element in children(root, "Relationship"):
            target = element.get("Target", "")
            if element.get("TargetMode") != "External":
                target = posixpath.normpath(posixpath.join("/" + folder, unquote(target))).lstrip("/")
            found[element.get("Id", "")] = (element.get("Type", "").rpartition("/")[2], target)
        return found


def parse_xml(content: bytes, name: str = "XML", lose: Lose = lambda _cause: None) -> Element:
    """The root of an XML document, as much of it as is sound; entities are not known, nothing outside is read."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, recover=True, huge_tree=False, remove_pis=True)
    try:
        root = etree.fromstring(content, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise Unreadable(f"its part {name} is no XML ({error})") from None
    if root is None:
        raise Unreadable(f"its part {name} is no XML")
    _tell_damage(parser.error_log, name, lose)
    return root


def elements(content: bytes, name: str, tag: str, lose: Lose) -> Iterator[Element]:
    """The elements of a name in an XML document, one at a time: the tree of all may take more memory than there is."""
    found = etree.iterparse(
        io.BytesIO(content), tag=f"{{*}}{tag}", resolve_entities=False, no_network=True, recover=True, huge_tree=False
    )
    try:
        for _, element in found:
            yield element
            element.clear()
            while element.getprevious() is not None:
                del element.getparent()[0]
    except (etree.XMLSyntaxError, ValueError) as error:
        lose(f"its part {name} is damaged ({error})")
    else:
        _tell_damage(found.error_log, name, lose)


def _tell_damage(log: etree._ListErrorLog, name: str, lose: Lose) -> None:
    """What the parser jumped over; an undeclared namespace costs no text."""
    fatal = (error for error in log if error.level_name == "FATAL" and not error.type_name.startswith("NS_"))
    if first := next(fatal, None):
        lose(f"its part {name} is damaged ({first.message.strip()})")


def local(element: Element) -> str:
    """An element's name without its namespace; "" for a comment."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def attribute(element: Element, name: str, default: str = "") -> str:
    """An attribute by its name without namespace."""
    plainly = element.get(name)
    if plainly is not None:
        return str(plainly)
    return next((str(value) for key, value in element.attrib.items() if str(key).rpartition("}")[2] == name), default)


def children(element: Element | None, *names: str) -> Iterator[Element]:
    """The children of these names; of None, none."""
    return (child for child in (() if element is None else element) if local(child) in names)


def child(element: Element | None, *path: str) -> Element | None:
    """The first child of a name, its first child of the next name, and so on; None where one is missing."""
    for name in path:
        element = next(children(element, name), None)
    return element


def value(element: Element | None, *path: str, default: str = "") -> str:
    """The `val` of a descendant by its path, as Office writes most properties."""
    found = child(element, *path)
    return default if found is None else attribute(found, "val", default)


def descendants(element: Element | None, *names: str) -> Iterator[Element]:
    """All elements of these names below an element, in order."""
    return (found for found in (() if element is None else element.iter()) if local(found) in names)


def core_title(package: ZipPackage) -> str:
    """The title that an Office document's properties give."""
    return next((element.text or "" for element in descendants(package.xml_or_none("docProps/core.xml"), "title")), "")
