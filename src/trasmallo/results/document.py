"""One document of a run, seen from all sides: what was stored, what is known of it, its text, its words.

Memory: the document itself, at most 100 MB as stored and 2.5 million characters of text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec

from trasmallo.crawl.outcomes import charset_in
from trasmallo.results.database.planner import Question
from trasmallo.results.database.tables import Tables
from trasmallo.results.examples import find_words
from trasmallo.results.originals import is_original, read_record
from trasmallo.results.run_corpus import open_corpus
from trasmallo.store.archive import ArchiveReader
from trasmallo.store.catalog import Catalog
from trasmallo.store.run_folders import Run
from trasmallo.store.tokens import Corpus
from trasmallo.values.errors import DocumentError, NotFound
from trasmallo.values.model import Analysis, Fetch, Locator, RawDocument

WORDS = 2_000
"""Words of a text that are shown at once."""

_FRAMES_AFTER = 86_400.0
"""Seconds within which the pages of a document's frames are asked for after it. Judgement: a crawl goes on for hours."""
_ID = re.compile(r"[0-9a-f]{16}")
_MOST_READINGS = 12  # judgement: no word has more that a reader would look at


class Card(msgspec.Struct, frozen=True):
    """What is known of a document: its row of `pages`, its measures, copies of it, and pages that link to it."""

    page: dict[str, Any]
    measures: dict[str, Any]
    copies: tuple[str, ...]
    linked_from: int
    links: int


class DocumentWord(msgspec.Struct, frozen=True):
    """A word of a text, as it stands there, with the blanks before it; `readings` are all it could have."""

    before: str
    text: str
    start: int
    end: int
    lemma: str
    category: str
    tag: str
    readings: tuple[Analysis, ...]


class Passage(msgspec.Struct, frozen=True):
    """Some words of a text: the first is the number `begin` of `total`."""

    words: tuple[DocumentWord, ...]
    begin: int
    total: int


class DocumentRoom:
    """Shows documents of a run; `readings` is the project's key of that name.

    The catalog and the archive are opened for each question, so that nothing is held.
    """

    def __init__(self, run: Run, tables: Tables, store: Path, readings: Sequence[str] = ()) -> None:
        self._run = run
        self._tables = tables
        self._store = store
        self._choices = readings

    def card(self, document: str) -> Card:
        """What the tables say of a document; raises NotFound."""
        rows = self._rows("pages", document) if _ID.fullmatch(document) else []
        if not rows:
            problem = "there is no document {document!r} in {name}"
            raise NotFound(problem, "choose one of the table of pages", document=document[:40], name=self._run.name)
        count = "SELECT count(DISTINCT document) FROM links WHERE url = ?"
        copies = self._tables.select("SELECT url FROM copies WHERE copy_of = ? ORDER BY url LIMIT 100", [document])
        measures = self._rows("measures", document)
        return Card(
            rows[0],
            measures[0] if measures else {},
            tuple(url for (url,) in copies),
            self._tables.select(count, [rows[0]["url"]])[0][0],
            self._tables.number("links", (f"document={document}",)),
        )

    def text(self, document: str) -> str:
        """The main text of a document, "" when it gave none."""
        found = self._tables.select("SELECT text FROM texts WHERE document = ?", [document])
        return str(found[0][0]) if found else ""

    def words(self, document: str, language: str) -> tuple[str, ...]:
        """Some frequent words of a document that say what it is about."""
        return find_words(self._tables, document, language)

    def passage(self, document: str, begin: int = 0, at: int = -1) -> Passage:
        """Words of a document from a number on, or those around the character `at`; copies have none of their own."""
        corpus = open_corpus(self._run)
        index = corpus.documents.find(document)
        if index is None:
            return Passage((), 0, 0)
        first, last = corpus.documents.range(index)
        starts, ends = corpus.places(index)
        if at >= 0:
            begin = max(0, int(starts.searchsorted(at, side="right")) - 1) // WORDS * WORDS
        begin = min(max(0, begin), max(0, last - first - 1))
        chosen = slice(begin, min(begin + WORDS, last - first))
        places = zip(starts[chosen].tolist(), ends[chosen].tolist(), strict=True)
        readings = _readings(corpus, slice(first + chosen.start, first + chosen.stop))
        previous = int(ends[begin - 1]) if begin else 0
        analyse = self._analyse(corpus.documents.language(index))
        words = _words(self.text(document), places, previous, readings, analyse)
        return Passage(tuple(words), begin, last - first)

    def _analyse(self, language: str) -> Callable[[str], list[Analysis]]:
        from trasmallo.study.morphology import words_of
        from trasmallo.study.morphology.reading_options import ReadingOptions, with_options

        return with_options(words_of(language).analyse, language, ReadingOptions.chosen(self._choices))

    def stored(self, document: str, at: float = 0.0) -> RawDocument:
        """The answer as it was stored, unpacked; `at` is the time of a version, by default that of this run."""
        with closing(ArchiveReader(self._store / "archive")) as reader:
            return read_stored(reader, self._place(document, at)[0])

    def stored_page(self, url: str, document: str) -> RawDocument | None:
        """Another page as it was stored when a document was, None when it was not."""
        with Catalog(self._store / "catalog", read_only=True) as catalog:
            fetch = catalog.at(url, (self.card(document).page["at"] or 0.0) + _FRAMES_AFTER) or catalog.latest(url)
        if fetch is None or fetch.locator is None:
            return None
        with closing(ArchiveReader(self._store / "archive")) as reader:
            record = read_record(reader, fetch)
        content = record.content()
        return None if content is None else RawDocument(content, url, fetch.media, charset_in(record.header("Content-Type")))

    def record(self, document: str, at: float = 0.0) -> bytes:
        """The record of the WARC file that holds the answer, compressed: a WARC file of one record."""
        fetch, place = self._place(document, at)
        if is_original(place):
            problem = "{url} is not in the archive, since it stays where it is"
            raise NotFound(problem, "keep copies with `copy = true` in [store]", url=fetch.url[:200])
        with closing(ArchiveReader(self._store / "archive")) as reader:
            record = reader.read(place)
            if record.url != fetch.url and record.access is not None:
                # What is in that record beside the payload is not for everybody.
                raise NotFound("the answer of {url} lies with another one", "look at the stored page", url=fetch.url[:200])
            return reader.raw(place)

    def _place(self, document: str, at: float) -> tuple[Fetch, Locator]:
        page = self.card(document).page
        with Catalog(self._store / "catalog", read_only=True) as catalog:
            fetch = catalog.at(page["url"], at or page["at"] or 0.0)
        if fetch is None or fetch.locator is None:
            raise NotFound("nothing is stored for {url}", "choose another version", url=page["url"][:200])
        return fetch, fetch.locator

    def _rows(self, table: str, document: str) -> list[dict[str, Any]]:
        answer = self._tables.ask(table, Question(where=(f"document={document}",), limit=1))
        return [dict(zip(answer.columns, row, strict=True)) for row in answer]


def _readings(corpus: Corpus, chosen: slice) -> Iterator[tuple[str, str, str]]:
    """Lemma, category and tag of some tokens."""
    columns = (corpus.lemmas, corpus.lemma), (corpus.categories, corpus.category), (corpus.tags, corpus.tag)
    return zip(*(lexicon.texts(column[chosen].tolist()) for lexicon, column in columns), strict=True)


def _words(
    text: str,
    places: Iterable[tuple[int, int]],
    previous: int,
    readings: Iterable[tuple[str, str, str]],
    analyse: Callable[[str], list[Analysis]],
) -> Iterator[DocumentWord]:
    for (start, end), (lemma, category, tag) in zip(places, readings, strict=True):
        before, shown = text[previous:start], text[start:end]
        found = tuple(analyse(shown)[:_MOST_READINGS])
        yield DocumentWord(
            before=before, text=shown, start=start, end=end, lemma=lemma, category=category, tag=tag, readings=found
        )
        previous = end


def read_stored(archive: ArchiveReader, fetch: Fetch) -> RawDocument:
    """The answer that a fetch stored, unpacked; raises DocumentError for one that is too large."""
    assert fetch.locator is not None, "who asks has looked"
    record = read_record(archive, fetch)
    content = record.content()
    if content is None:
        raise DocumentError("the stored answer unpacks to more than 100 MB", "save its record and open it elsewhere")
    return RawDocument(content, fetch.url, fetch.media, charset_in(record.header("Content-Type")))
