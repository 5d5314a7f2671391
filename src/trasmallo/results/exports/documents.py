"""The documents of a run with their tokens, one after the other, for the formats that hold running text.

Memory does not grow with the corpus: some documents at a time, in the order in which their texts are kept, from a run that is
finished or still grows.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from trasmallo.results.concordance.entity_spans import Mention, spans_of_document
from trasmallo.results.database.tables import Tables
from trasmallo.results.rows import PageRow
from trasmallo.store.tokens import SENTENCE, Corpus
from trasmallo.study.query.entity_columns import TokenSpan
from trasmallo.values.decodable import decodable

_LINE_FEED = 10  # U+000A
_AT_ONCE = 200
"""Texts that are in memory together."""


class TokenisedDocument(NamedTuple):
    """A document: its row of `pages`, the types of its tokens, how these stand in the text, and its name in its collection.

    `joined` says of each token that the next one follows without a blank. `sentences` and `paragraphs` are the places where
    they begin, a line of the text being a paragraph; every paragraph begins a sentence. `entities` are names and the like by
    their tokens, in order, none of which reaches over the end of a sentence.
    """

    page: PageRow
    types: NDArray[np.uint32]
    joined: NDArray[np.bool_]
    sentences: list[int]
    paragraphs: frozenset[int]
    docno: str = ""
    entities: tuple[TokenSpan, ...] = ()

    def opened(self, lines: list[bytes], first: bytes, paragraph: bytes, sentence: bytes) -> list[bytes]:
        """The lines of its tokens with what opens the first paragraph, each other one, and each other sentence."""
        for place in self.sentences:
            lines[place] = (sentence if place not in self.paragraphs else paragraph if place else first) + lines[place]
        return lines


def documents(tables: Tables, corpus: Corpus, where: tuple[str, ...] = ()) -> Iterator[TokenisedDocument]:
    """The documents whose row of `pages` fulfils all conditions; copies and pages without a document are left out."""
    texts = tables.stream("SELECT document, text FROM texts", at_once=_AT_ONCE)
    named = bool(tables.select("SELECT 1 FROM fields WHERE name = 'docno' LIMIT 1"))
    while some := list(islice(texts, _AT_ONCE)):
        batch: dict[str, str] = dict(some)
        docnos = _docnos(tables, batch) if named else {}
        mentions = _mentions(tables, batch)
        for page in sorted(_pages(tables, batch, where), key=lambda page: page.document):
            index = _find(corpus, page.document)
            # While a run grows, a document may have reached the tables and not yet the corpus.
            if index is not None:
                document = _tokenised(page, batch[page.document], corpus, index)
                entities = _entities(document, corpus, index, mentions.get(page.document, []))
                yield document._replace(docno=docnos.get(page.document, ""), entities=tuple(entities))


def _pages(tables: Tables, documents: Iterable[str], where: tuple[str, ...]) -> Iterator[PageRow]:
    found = tables.about(list(documents), (*where, "drop="))
    return (msgspec.convert(dict(zip(found.columns, row, strict=True)), decodable(PageRow)) for row in found)


def _docnos(tables: Tables, documents: Iterable[str]) -> dict[str, str]:
    """What their collection calls documents; the first where it has several names."""
    sql = "SELECT document, min(text) FROM fields WHERE name = 'docno' AND document IN (SELECT unnest(?)) GROUP BY document"
    return dict(tables.select(sql, [list(documents)]))


def _mentions(tables: Tables, documents: Iterable[str]) -> dict[str, list[Mention]]:
    """What documents name, as people's decisions have it."""
    found: dict[str, list[Mention]] = {}
    rows = tables.about(list(documents), table="mentions")
    place = {name: rows.columns.index(name) for name in ("document", "start", "end", "kind", "entity")}
    for row in rows:
        document, start, end, kind, entity = (row[at] for at in place.values())
        found.setdefault(str(document), []).append((int(start), int(end), str(kind), str(entity)))
    return found


def _entities(document: TokenisedDocument, corpus: Corpus, index: int, mentions: list[Mention]) -> Iterator[TokenSpan]:
    begin, _ = corpus.documents.range(index)
    for one in spans_of_document(corpus, index, sorted(mentions)):
        first, last = one.first - begin, one.last - begin
        if bisect_right(document.sentences, first) == bisect_right(document.sentences, last - 1):
            yield one._replace(first=first, last=last)


def _find(corpus: Corpus, document: str) -> int | None:
    """The place of a document in the corpus, whose documents are in the order of their ids."""
    places = range(len(corpus.documents))
    found = bisect_left(places, document, key=corpus.documents.id)
    return found if found < len(places) and corpus.documents.id(found) == document else None


def _tokenised(page: PageRow, text: str, corpus: Corpus, index: int) -> TokenisedDocument:
    first, last = corpus.documents.range(index)
    starts, ends = corpus.places(index)
    joined = np.zeros(last - first, dtype=np.bool_)
    joined[:-1] = starts[1:] <= ends[:-1]
    begins = (corpus.flags[first:last] & SENTENCE).astype(np.bool_)
    lines = np.searchsorted(_line_feeds(text), starts)
    paragraphs = np.flatnonzero(np.diff(lines, prepend=-1))
    begins[paragraphs] = True
    joined[np.maximum(paragraphs - 1, 0)[paragraphs > 0]] = False
    return TokenisedDocument(
        page, corpus.types(slice(first, last)), joined, np.flatnonzero(begins).tolist(), frozenset(paragraphs.tolist())
    )


def _line_feeds(text: str) -> NDArray[np.intp]:
    return np.flatnonzero(np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32) == _LINE_FEED)
