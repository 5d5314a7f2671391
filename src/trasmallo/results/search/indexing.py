"""The search index of a run: built once, with anchors, when it is finished; while it goes on, only if somebody searches in it.

Only at the end it is known who links to a document, with which words, and which of its copies are to be folded: the index of a
finished run is built from its tables into `index`. One that adds to the results of another begins with the index of these, and
takes in what differs; after some of that it is built whole again. Who searches a
run that goes on has an index of its parts, `index.live`, in the run's cache (`store.run_cache`), since asking changes nothing
in a project; finished parts are taken in at each question. What a crash kept from being committed is in the parts and is taken
in again; a document is never in it twice. An index of another version, or a damaged one, is built again in the cache, too.
"""

from __future__ import annotations

import math
import shutil
import threading
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice, starmap
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from trasmallo.events import Emit, Indexing, Warned
from trasmallo.results.database.connection import JOINS_AS_WRITTEN
from trasmallo.results.database.tables import Tables
from trasmallo.results.rows import FieldRow, MentionRow, PageRow
from trasmallo.store import digests
from trasmallo.store.index.boosts import Boost, Boosts
from trasmallo.store.index.entries import NAMED, IndexEntry
from trasmallo.store.index.folder import IndexWriter, begin_with, put_in_place, read_stamp, why_unusable
from trasmallo.store.index.joining import join_indexes
from trasmallo.store.index.searcher import Searcher
from trasmallo.store.parts import documents_done, finished_parts, merged_from
from trasmallo.store.run_folders import Run
from trasmallo.values.decodable import decodable
from trasmallo.values.errors import REBUILD, ProjectBusy, StoreDamaged, StoreError, StoreFull, disk_errors
from trasmallo.values.folder_lock import locked
from trasmallo.values.local_addresses import folder_of
from trasmallo.values.messages import Message

FINISHED, LIVE, PARTS = "index", "index.live", "index.parts"
"""What the folders of the two are called in a run's folder and in its cache, and that of parts which become one."""

_AT_ONCE = 500
"""Documents that are indexed between two reports. Judgement: about a second."""

_MOST_ANCHORS = 50
"""Anchors of a document that are indexed. Judgement: what most links say is said by the first of them."""

_INDEXED = ("pages.jsonl", "fields.jsonl", "mentions.jsonl", "texts.jsonl")
"""Files of a part that the index is made of."""

_MOST_ENTITIES = 300
"""Entities of a document that can be searched for by name, the most frequent first. Judgement."""

_PART_OF = {
    "title": "title", "og:title": "title", "dc.title": "title", "heading": "heading", "emphasis": "emphasis",
    "description": "description", "og:description": "description", "dc.description": "description",
    "keywords": "keywords", "article:tag": "keywords", "article:section": "keywords", "dc.subject": "keywords",
    "author": "author", "article:author": "author", "dc.creator": "author", "entry:author": "author",
    "address": "address", "comments": "comments", "to": "to", "cc": "cc", "subject": "title",
}  # fmt: skip
"""The part of an entry that each field of a page belongs to."""

_WITHIN, _ALL = "(document BETWEEN ? AND ?)", ("0", "g")  # documents are hexadecimal numbers

# What links say of a document and how it ranks by them is that of `results.links`: idle anchors, and links that the author does
# not vouch for, say nothing. Copies are folded under their originals.
_OF_OTHERS = f"""
    said AS (
        SELECT document, list(anchor ORDER BY "foreign" DESC, links DESC, anchor)[1:{_MOST_ANCHORS}] AS anchors
        FROM anchors WHERE document <> '' GROUP BY document
    ), ranked AS (SELECT document, pagerank * count(*) OVER () AS standing FROM ranks),
    folded AS (SELECT copy_of, count(*) AS number FROM copies GROUP BY copy_of)"""  # noqa: S608 - all of it is ours
_JOINED = """
    LEFT JOIN said s USING (document) LEFT JOIN folded f ON f.copy_of = p.document
    LEFT JOIN copies c ON c.document = p.document"""
_DOCUMENTS = f"""
    WITH named AS (
        SELECT document, list({{'name': name, 'text': text}}) AS fields FROM fields WHERE {_WITHIN} GROUP BY document
    ), mentioned AS (
        SELECT document, list(kind || '=' || entity ORDER BY times DESC, kind, entity)[1:{_MOST_ENTITIES}] AS entities
        FROM (SELECT document, kind, entity, count(*) AS times FROM mentions WHERE {_WITHIN} GROUP BY ALL) GROUP BY document
    ), {_OF_OTHERS}
    SELECT p.document, p.url, p.host, p.at, p.title, p.language, p.media, t.text, n.fields, s.anchors, f.number, c.document,
           p.seed, e.entities
    FROM (SELECT * FROM texts WHERE {_WITHIN}) t JOIN (SELECT * FROM all_pages WHERE {_WITHIN}) p USING (document)
    LEFT JOIN named n USING (document) LEFT JOIN mentioned e USING (document) {_JOINED}"""  # noqa: S608 - ours
_BOOSTS = f"""
    WITH {_OF_OTHERS}, deep AS (SELECT document, first(text) AS depth FROM fields WHERE name = 'depth' GROUP BY document),
    told AS (
        SELECT document, list(text ORDER BY name, text) AS entry FROM fields WHERE starts_with(name, 'entry:') GROUP BY document
    )
    SELECT p.document, r.standing, d.depth, hash(s.anchors, coalesce(f.number, 0), c.document IS NOT NULL, e.entry)
    FROM texts t JOIN all_pages p USING (document) LEFT JOIN ranked r USING (document) LEFT JOIN deep d USING (document)
    LEFT JOIN told e USING (document) {_JOINED}"""  # noqa: S608 - all of it is ours

_MOST_REMOVED = 0.05
"""Share of documents that may be removed from an index before it is built whole. Judgement: scores are hardly off by then."""

Row = tuple[Any, ...]


class _TextRow(msgspec.Struct):
    document: str
    text: str


class LiveIndex:
    """Follows the parts of a run that goes on, in a folder of its own. `look` may be called from any thread."""

    def __init__(self, run: Run, folder: Path) -> None:
        self._parts = run.parts
        self._folder = folder
        self._lock = threading.Lock()
        self._writer: IndexWriter | None = None
        self._taken: set[str] | None = None

    def look(self, seconds: float = math.inf) -> int:
        """Take in the parts that are new, the latest first, and commit; returns the number of documents.

        After so many seconds the rest is left for the next look. An index that was removed or damaged is begun again then, and
        one that another program fills is left to it: a run does not end because its documents cannot be searched.
        """
        with self._lock:
            try:
                return self._look(time.monotonic() + seconds)
            except ProjectBusy:
                return 0
            except StoreFull:
                raise
            except StoreError:
                self._begin_again()
                return 0

    def _look(self, until: float) -> int:
        parts = {part.name: part for part in finished_parts(self._parts)}
        if self._known_of(parts) == parts.keys():
            return 0
        writer, number = self._open(), 0
        taken = self._known_of(parts)
        for name in sorted(parts.keys() - taken, reverse=True):
            number += _take(writer, parts[name])
            taken.add(name)
            if time.monotonic() > until:
                break
        writer.commit(taken)
        self._taken = taken
        return number

    def _known_of(self, parts: Mapping[str, Path]) -> set[str]:
        """Those of some parts that were taken in, be it as the parts that were merged into them."""
        known = self._known()
        return {name for name, part in parts.items() if name in known or set(merged_from(part) or [name]) <= known}

    def _begin_again(self) -> None:
        if self._writer is not None:
            self._writer.close()
        shutil.rmtree(self._folder, ignore_errors=True)
        self._writer, self._taken = None, set()

    def close(self) -> None:
        """Let go of the index."""
        with self._lock:
            if self._writer is not None:
                self._writer.close()
                self._writer = None

    def _known(self) -> set[str]:
        """The parts that were taken in, also before this process."""
        if self._taken is None:
            if why_unusable(self._folder):
                shutil.rmtree(self._folder, ignore_errors=True)
            stamp = read_stamp(self._folder)
            self._taken = set(stamp.taken) if stamp else set()
        return self._taken

    def _open(self) -> IndexWriter:
        if self._writer is None:
            try:
                self._writer = IndexWriter(self._folder)
            except StoreDamaged:
                self._begin_again()
                self._writer = IndexWriter(self._folder)
        return self._writer


def _take(writer: IndexWriter, part: Path) -> int:
    """The documents of a part that are not in the index yet; a merged part holds known ones."""
    return writer.add(entry for entry in entries_of_part(part) if not writer.holds(entry.id))


def entries_of_part(part: Path) -> Iterator[IndexEntry]:
    """The documents of a part as the index takes them; who links to them is not known yet. Raises StoreDamaged."""
    digests.require_listed(part)
    for name in _INDEXED:
        digests.verify(part / name)
    pages = {row.document: row for row in _rows(part / "pages.jsonl", PageRow)}
    fields: dict[str, list[tuple[str, str]]] = {}
    for row in _rows(part / "fields.jsonl", FieldRow):
        fields.setdefault(row.document, []).append((row.name, row.text))
    mentioned: dict[str, Counter[str]] = {}
    for row in _rows(part / "mentions.jsonl", MentionRow):
        mentioned.setdefault(row.document, Counter())[f"{row.kind}={row.entity}"] += 1
    for text in _rows(part / "texts.jsonl", _TextRow):
        page = pages[text.document]
        entities = [name for name, _ in mentioned.get(text.document, Counter()).most_common(_MOST_ENTITIES)]
        named = fields.get(text.document, [])
        yield IndexEntry(
            id=page.document, url=page.url, host=page.host, at=page.at or 0.0, title=page.title, language=page.language,
            media=page.media, text=text.text, parts=parts_of(named), day=_day(named, page.at),
            groups=_values(named, "group"), entities=(*_values(named, "entity"), *entities), seed=page.seed,
            docnos=_values(named, "docno"), folder=folder_of(page.url), named=_named(named),
        )  # fmt: skip


def parts_of(fields: Iterable[tuple[str, str]], anchors: Iterable[str] = ()) -> tuple[tuple[str, str], ...]:
    """What a page says of itself and others of it, a text a part; what is said twice under one name counts once."""
    said: dict[str, dict[str, None]] = {}
    for name, text in fields:
        if name in _PART_OF:
            said.setdefault(_PART_OF[name], {})[text] = None
    said["anchor"] = dict.fromkeys(anchors)
    # The full stop keeps phrases from reaching from one heading into the next.
    return tuple((name, " . ".join(texts)) for name, texts in said.items() if texts)


def boost_of(standing: float, depth: int) -> float:
    """What a document's score is multiplied by: its PageRank, as a multiple of the usual one, and how deep its address lies.

    A hundred times the usual PageRank weighs as much as a fifth more score, five levels of depth a twentieth less. Calibrated
    with `entries.WEIGHTS`: more than this brings much-linked pages before those that were asked for.
    """
    return (1 + 0.03 * math.log2(1 + standing)) * (1 - 0.01 * min(depth, 5))


def build_index(run: Run, tables: Tables, emit: Emit, cause: str = "", home: Path | None = None) -> None:
    """Make the index of a run from its tables, in its folder or another one; half of an index is never seen.

    Where the run adds to results that have an index, only documents that differ are taken in.
    """
    home = home or run.folder
    draft = home / (FINISHED + ".draft")
    with locked(home / (FINISHED + ".lock")):
        if not cause and not why_unusable(home / FINISHED):
            return  # somebody else has just built it
        shutil.rmtree(draft, ignore_errors=True)
        with tables.connection.set_to(**JOINS_AS_WRITTEN):
            boosts = Boosts.of(starmap(_boost, tables.stream(_BOOSTS, needs=("anchors", "ranks"))))
            change, parts = _change(run, boosts), sorted(filter(_is_index, home.glob(f"{PARTS}/*")))
            if change:
                begin_with(run.carried / FINISHED, draft)
            elif parts:
                join_indexes(parts, draft)
            with IndexWriter(draft, whole=True) as writer:
                writer.remove(change.removed if change else ())
                if change or not parts:
                    _add(writer, tables, change.added if change else None, emit, cause)
                writer.seal(boosts, change.all_removed if change else 0)
        put_in_place(draft, home / FINISHED)
        for name in (LIVE, PARTS):
            shutil.rmtree(home / name, ignore_errors=True)


def build_index_part(run: Run, tables: Tables, emit: Emit, number: int, of: int) -> None:
    """Index one of so many shares of a run's documents, for `build_index`; nothing where that adds to an index before.

    The share is that of the documents' numbers, so each document is in one of them, and each is as large as the others.
    """
    if (run.carried / FINISHED).exists():
        return
    place = run.folder / PARTS / f"{number:04d}"
    draft = place.with_suffix(".draft")
    shutil.rmtree(draft, ignore_errors=True)
    first, last = (f"{(number + step) * (1 << 64) // of - step:016x}" for step in (0, 1))
    with tables.connection.set_to(**JOINS_AS_WRITTEN), IndexWriter(draft, whole=True) as writer:
        _add(writer, tables, None, emit, f"part {number + 1} of {of}", (first, last))
        writer.seal()
    with disk_errors(place):
        shutil.rmtree(place, ignore_errors=True)
        draft.rename(place)


def forget_index_parts(run: Run) -> None:
    """Remove parts of an index that a kill left; they may be of other documents."""
    shutil.rmtree(run.folder / PARTS, ignore_errors=True)


def _is_index(folder: Path) -> bool:
    """Whether a part is whole."""
    return folder.suffix != ".draft"


def _add(
    writer: IndexWriter,
    tables: Tables,
    documents: Sequence[str] | None,
    emit: Emit,
    cause: str,
    within: tuple[str, str] = _ALL,
) -> None:
    """Take in some documents, or all of them, of those within a range."""
    total, done = tables.number("texts") if documents is None else len(documents), 0
    chosen = "" if documents is None else " WHERE t.document IN (SELECT unnest(?))"
    values = [*within * 4, *([] if documents is None else [documents])]
    rows = tables.stream(_DOCUMENTS + chosen, values, needs=("anchors",))
    while batch := _next(rows, _AT_ONCE):
        done += writer.add(map(_entry, batch))
        emit(Indexing(done=done, total=total, cause=cause))


class _IndexChange(msgspec.Struct, frozen=True):
    """The documents that an index has lost and got; `all_removed` since it was built whole."""

    removed: list[str]
    added: list[str]
    all_removed: int


def _change(run: Run, boosts: Boosts) -> _IndexChange | None:
    """How the documents of a run differ from those of the index it carries; None where that cannot be used, or for long enough.

    A document differs when it was read in this run, when others say something else of it, or when it is gone.
    """
    before = run.carried / FINISHED
    stamp = read_stamp(before)
    if stamp is None or not stamp.whole or why_unusable(before):
        return None
    known = Boosts.read(before)
    own = np.array([int(document, 16) for document in documents_done(run.parts)], dtype=np.uint64)
    added = np.union1d(np.intersect1d(own, boosts.documents), boosts.told_anew(known))
    removed = np.union1d(np.intersect1d(added, known.documents), np.setdiff1d(known.documents, boosts.documents))
    all_removed = stamp.removed + len(removed)
    if all_removed > _MOST_REMOVED * max(len(boosts), 1):
        return None
    return _IndexChange(
        [f"{number:016x}" for number in removed.tolist()], [f"{number:016x}" for number in added.tolist()], all_removed
    )


def index_gap(folder: Path, tables: Tables) -> Message | None:
    """How an index differs from the documents of the tables, in one sentence; None when each is in it once, and no other.

    Looks every document up by its id, which takes some 3 µs each.
    """
    searcher, total, missing, first = Searcher(folder), 0, 0, ""
    for document, url in tables.stream("SELECT document, url FROM texts JOIN all_pages USING (document) ORDER BY url"):
        total += 1
        if not searcher.holds(document):
            missing, first = missing + 1, first or url
    if missing:
        return Message(
            "the search index lacks {missing:,} of {total:,} documents, such as {first}",
            missing=missing,
            total=total,
            first=first,
        )
    if searcher.documents != total:
        held = searcher.documents
        return Message("the search index holds {held:,} documents and the tables {total:,}", held=held, total=total)
    return None


def tell_index_gap(run: Run, tables: Tables, emit: Emit) -> None:
    """Warn in one line where the index of a finished run is not that of its tables."""
    gap = index_gap(run.folder / FINISHED, tables)
    if gap is not None:
        emit(Warned(message=f"{gap}; {REBUILD}"))


def forget_index(run: Run) -> None:
    """Remove what was made of results that are made again."""
    for name in (FINISHED, LIVE, PARTS, FINISHED + ".draft"):
        shutil.rmtree(run.folder / name, ignore_errors=True)


def _next(rows: Iterator[Row], number: int) -> list[Row]:
    return list(islice(rows, number))


def _entry(row: Row) -> IndexEntry:
    document, url, host, at, title, language, media, text, fields, anchors, copies, copy, seed, entities = row
    named = [(field["name"], field["text"]) for field in fields or ()]
    return IndexEntry(
        id=document, url=url, host=host, at=at or 0.0, title=title, language=language, media=media, text=text,
        parts=parts_of(named, filter(None, anchors or ())), day=_day(named, at), copies=copies or 0, is_copy=copy is not None,
        groups=_values(named, "group"), entities=(*_values(named, "entity"), *(entities or ())), seed=seed,
        docnos=_values(named, "docno"), folder=folder_of(url), named=_named(named),
    )  # fmt: skip


def _boost(document: str, standing: float | None, depth: str | None, said: int) -> Boost:
    return Boost(int(document, 16), boost_of(standing or 0.0, int(depth or 0)), said)


def _values(fields: Sequence[tuple[str, str]], name: str) -> tuple[str, ...]:
    return tuple(text for known, text in fields if known == name)


def _named(fields: Sequence[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    return tuple((name, text) for name, text in fields if name in NAMED)


def _day(fields: Sequence[tuple[str, str]], at: float | None) -> int:
    """The day that a page is from, else the day it was obtained, as the number YYYYMMDD; 0 where nobody tells either."""
    obtained = time.strftime("%Y-%m-%d", time.gmtime(at)) if at else ""
    told = next((text for name, text in fields if name == "day"), "") or obtained
    with suppress(ValueError):
        return int(told.replace("-", ""))
    return 0


def _rows(path: Path, kind: type[Any]) -> Iterator[Any]:
    decoder = msgspec.json.Decoder(decodable(kind))
    yield from map(decoder.decode, path.read_bytes().splitlines() if path.exists() else ())
