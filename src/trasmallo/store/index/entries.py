"""What a document brings to the index, and where each of its parts goes.

BM25F is had by its definition (Robertson, Zaragoza and Taylor 2004): the frequencies of a word in the fields of a document are
added, each times the weight of its field, before they saturate. So the field `words` holds the text once and every other part
as often as its weight says; a query asks that one field, which is as quick as asking the text alone. Each part is indexed by
itself too, for who asks for it by name.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import msgspec

from trasmallo.store.index.words import ANALYSER, SEPARATOR, prepare
from trasmallo.values.decodable import decodable

if TYPE_CHECKING:
    import tantivy

VERSION = 6
"""Layout of the index; one of another version is built again."""

WEIGHTS = {"title": 8, "heading": 1, "emphasis": 1, "description": 1, "keywords": 1, "author": 1, "address": 1, "anchor": 3}
"""How often a word of each part counts, against once in the text; chosen by known-item search, see benchmarks/search.py."""

APART = ("comments", "to", "cc")
"""Parts that are found by their name only."""

PUBLIC = "*"
"""The group that everybody is in."""

_LONGEST_PART = 20_000
"""Characters of a part (all headings together, say) that are indexed."""

NAMED = ("owner", "sender", "list", "thread", "message")
"""Fields of files and letters that are found exactly as they are written."""

EXACT = ("id", "site", "host", "language", "type", "year", "entity", "groups", "seed", "docno", "folder", "place", *NAMED)
_FAST = ("host", "language", "type", "year", "entity", "place", "owner", "sender", "list")
"""Those by which hits are counted."""


class IndexEntry(msgspec.Struct, frozen=True):
    """A document to index.

    `parts` are (name, text) pairs with the names of WEIGHTS and APART; `day` is its date as the number YYYYMMDD, 0 without
    one; `copies` are its near copies, and `is_copy` says that it is one itself;
    `groups` may see it, everybody when there are none; `seed` is the start address that led to it, "" where nobody told;
    `docnos` are the names that a collection knows it by; `folder` is that of a file, "" for none, and `named` are (name, value)
    pairs with names of NAMED.
    """

    id: str
    url: str
    host: str
    at: float
    title: str
    language: str
    media: str
    text: str
    parts: tuple[tuple[str, str], ...] = ()
    day: int = 0
    copies: int = 0
    is_copy: bool = False
    groups: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    seed: str = ""
    docnos: tuple[str, ...] = ()
    folder: str = ""
    named: tuple[tuple[str, str], ...] = ()


class Stored(msgspec.Struct, frozen=True, array_like=True):
    """What the index gives back of a document."""

    id: str
    url: str
    at: float
    title: str
    language: str
    media: str
    day: int
    copies: int
    text: str


_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(decodable(Stored))


@cache
def schema() -> tantivy.Schema:
    """The fields of the index."""
    import tantivy

    builder = tantivy.SchemaBuilder()
    for name in EXACT:
        builder.add_text_field(name, fast=name in _FAST, tokenizer_name="raw", index_option="basic")
    for name in ("words", *WEIGHTS, *APART):
        builder.add_text_field(name, tokenizer_name=ANALYSER, index_option="position")
    builder.add_integer_field("day", fast=True)
    builder.add_unsigned_field("chance", fast=True)
    builder.add_unsigned_field("length", fast=True)
    builder.add_boolean_field("copy", indexed=True)
    builder.add_unsigned_field("number", fast=True)
    builder.add_bytes_field("stored", stored=True)
    return builder.build()


def to_document(entry: IndexEntry) -> tantivy.Document:
    """An entry as tantivy takes it."""
    import tantivy

    document = tantivy.Document()
    words = [prepare(entry.text)]
    for name, text in entry.parts:
        part = prepare(text[:_LONGEST_PART])
        document.add_text(name, part)
        words += [part] * WEIGHTS.get(name, 0)
    document.add_text("words", SEPARATOR.join(words))
    document.add_unsigned("length", len(words[0]))
    for name, value in _exact(entry):
        document.add_text(name, value)
    document.add_integer("day", entry.day)
    document.add_unsigned("chance", int(entry.id[:8], 16))
    document.add_boolean("copy", entry.is_copy)
    document.add_unsigned("number", int(entry.id, 16))
    document.add_bytes("stored", _encoder.encode(_stored(entry)))
    return document


def from_document(document: tantivy.Document) -> Stored:
    """What was stored of a document."""
    return _decoder.decode(bytes(document["stored"][0]))


def _exact(entry: IndexEntry) -> list[tuple[str, str]]:
    names = [("id", entry.id), ("host", entry.host), ("language", entry.language), ("type", entry.media)]
    labels = entry.host.split(".")
    names += [("site", ".".join(labels[start:])) for start in range(max(1, len(labels) - 1))]
    names += [("year", str(entry.day // 10_000))] if entry.day else []
    names += [("seed", entry.seed)] if entry.seed else []
    names += [("entity", entity) for entity in entry.entities]
    names += [("docno", docno) for docno in entry.docnos]
    names += [("place", entry.folder), *(("folder", above) for above in _folders(entry.folder))] if entry.folder else []
    names += entry.named
    names += [("groups", group) for group in entry.groups or (PUBLIC,)]
    return names


def _folders(folder: str) -> list[str]:
    """A folder and all above it."""
    steps = folder.split("/")
    return ["/".join(steps[: end + 1]) or "/" for end in range(len(steps))]


def _stored(entry: IndexEntry) -> Stored:
    return Stored(
        id=entry.id,
        url=entry.url,
        at=entry.at,
        title=entry.title,
        language=entry.language,
        media=entry.media,
        day=entry.day,
        copies=entry.copies,
        text=entry.text,
    )
