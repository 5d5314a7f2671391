"""TEI P5, read for import: paragraphs become lines, of their words and signs where they have them, else of their characters."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lxml import etree

from trasmallo.store.stream import BrokenError, ByteStream
from trasmallo.store.texts import Gathered, time_of
from trasmallo.values.model import Failure, Response

_PARAGRAPHS = frozenset(("p", "head", "l", "ab"))
_TOKENS = frozenset(("w", "pc"))
_LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"
_ID = "{http://www.w3.org/XML/1998/namespace}id"
_CHUNK = 1 << 16  # judgement: bytes a read


def read_tei(stream: ByteStream, limit: int) -> Iterator[Response | Failure]:  # noqa: ARG001 - the signature of a reader
    """A document for each <TEI>; entities are not resolved and nothing is fetched."""
    parser = etree.XMLPullParser(("start", "end"), resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    reader = _Reader()
    try:
        while chunk := stream.take(_CHUNK):
            parser.feed(chunk)
            for event, element in parser.read_events():
                yield from reader.take(event, element)
        parser.close()
    except etree.XMLSyntaxError as error:
        raise BrokenError(f"no valid XML: {error.msg}") from error


class _Reader:
    """Follows the elements; what was read is let go."""

    def __init__(self) -> None:
        self._document: Gathered | None = None
        self._number = 0
        self._in_text = 0
        self._inside = 0

    def take(self, event: str, element: Any) -> Iterator[Response]:
        """The next event; gives a document at its end."""
        name = element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""
        if event == "start":
            self._begin(name, element)
        elif self._document is not None:
            yield from self._end(name, element, self._document)

    def _begin(self, name: str, element: Any) -> None:
        if name == "TEI":
            self._number += 1
            self._document = Gathered(element.get(_ID) or str(self._number))
            self._document.language = element.get(_LANGUAGE) or ""
        self._in_text += name == "text"
        self._inside += self._in_text > 0 and name in _PARAGRAPHS

    def _end(self, name: str, element: Any, document: Gathered) -> Iterator[Response]:
        if self._in_text and name in _PARAGRAPHS:
            self._inside -= 1
            if not self._inside:
                document.add(_line_of(element), "\n")
                element.clear()
                yield from document.split()
        elif not self._in_text:
            _describe(document, name, element)
        self._in_text -= name == "text"
        if name == "TEI":
            self._document = None
            yield from document.finish()
            element.clear()
            # What stands before the root, such as a processing instruction, has no parent.
            parent = element.getparent()
            while parent is not None and element.getprevious() is not None:
                del parent[0]


def _describe(document: Gathered, name: str, element: Any) -> None:
    """What the header says; the first title is that of the document."""
    if name == "title":
        document.title = document.title or " ".join("".join(element.itertext()).split())
    elif name == "idno" and (element.text or "").startswith(("http://", "https://")):
        document.url = document.url or element.text.strip()
    elif name == "date":
        document.at = document.at or time_of(element.get("when") or "")
    elif name == "language":
        document.language = document.language or element.get("ident") or ""


def _line_of(element: Any) -> str:
    """The text of a paragraph in one line."""
    tokens = [found for found in element.iter() if isinstance(found.tag, str) and found.tag.rpartition("}")[2] in _TOKENS]
    if not tokens:
        return " ".join("".join(element.itertext()).split())
    pieces = ("".join(token.itertext()) + ("" if token.get("join") in ("right", "both") else " ") for token in tokens)
    return "".join(pieces).strip()
