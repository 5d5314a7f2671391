"""Pushes of hubs: read at once for who searches, and taken into the collection by a run of their own.

A push is a visit that the hub made for us: it is stored as an answer of the feed's address, and its entries become documents as
those of any visit (`feed_entries`). Until a run has done so, what is new in it is kept beside the collection (`store.pushed`).
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import msgspec

from trasmallo.clean.read import read
from trasmallo.config import Config
from trasmallo.crawl.discover.feed_entries import MEDIA, NamedEntry, atom_entry, named_entries
from trasmallo.crawl.discover.feeds import Feed, read_feed
from trasmallo.crawl.outcomes import media_of
from trasmallo.crawl.scope import Scope
from trasmallo.pipeline.analysis.document import page_row
from trasmallo.pipeline.analysis.field_rows import field_rows
from trasmallo.pipeline.feed_entries import is_told, page_of
from trasmallo.pipeline.keeper import Keeper
from trasmallo.results.rows import TextRow
from trasmallo.store.catalog import Catalog
from trasmallo.store.feed_states import FeedStates
from trasmallo.store.foreign import read_foreign
from trasmallo.store.pushed import files_of, keep_push, pushes
from trasmallo.study.language_detection import detect_language
from trasmallo.values.model import Fetch, Origin, Outcome, Page, Reached, Response, Target
from trasmallo.values.urls import canonical

_MOST_AT_ONCE = 200
"""Entries of a push that are read at once; others wait for the run. Judgement: some seconds, and hubs push what is new."""

_SAMPLE = b"<rss version='2.0'><channel><item><description>El puerto abre hoy a las ocho.</description></item></channel></rss>"
_LONGEST = 1_000_000
"""Characters of an entry that are read at once. Judgement: a book; the run reads it whole."""


def receive_push(folder: Path, config: Config, answer: Response) -> int:
    """Keep what a hub pushed to the project in `folder`; how many entries of it are new.

    What is no feed, or says nothing new, is left out.
    """
    answer = msgspec.structs.replace(answer, url=canonical(answer.url))
    feed = read_feed(answer.content, answer.url, answer.header("content-type"))
    if feed is None:
        return 0
    with Catalog(folder / "store" / "catalog", read_only=True) as catalog:
        told = _told(feed, answer, catalog)
    if told:
        keep_push(folder, answer, _rows(told, feed, answer, config, Reached.PUSH))
    return len(told)


def rows_of_feed(feed: Feed, answer: Response, config: Config, catalog: Catalog) -> dict[str, list[msgspec.Struct]]:
    """The rows that search needs of what is new in a feed that was obtained, and has no page of its own."""
    return _rows(_told(feed, answer, catalog), feed, answer, config, Reached.FEED)


def _rows(
    told: Mapping[NamedEntry, str], feed: Feed, answer: Response, config: Config, reached: Reached
) -> dict[str, list[msgspec.Struct]]:
    refuses, origin = Scope(config.crawl).drops, Origin(reached=reached, via=answer.url)
    found = [entry for entry, page in told.items() if entry.text and not page and not refuses(entry.url)]
    pages = [(entry, page) for entry in found[:_MOST_AT_ONCE] if (page := _read(entry, feed, config))]
    return _tables([(_fetch(entry, answer, origin), page) for entry, page in pages], config.language)


def prepare_reading(config: Config) -> None:
    """Load what reading a push needs, which takes seconds, before the first one comes."""
    feed = read_feed(_SAMPLE, "http://localhost/feed")
    assert feed is not None
    for entry in named_entries(feed, 0.0):
        _read(entry, feed, config)


def _told(feed: Feed, answer: Response, catalog: Catalog) -> dict[NamedEntry, str]:
    """The entries of a feed that tell something new, each with the address of its page where that was obtained."""
    states, named = FeedStates(catalog), named_entries(feed, answer.at)
    told = [entry for entry in named if is_told(entry, states.entry(entry.url), answer.url)]
    return {entry: page_of(entry.url, catalog) if entry.own_page else "" for entry in told}


def _fetch(entry: NamedEntry, answer: Response, origin: Origin) -> Fetch:
    return Fetch(entry.url, answer.at, Outcome.ENTRY, media=MEDIA.partition(";")[0], size=len(entry.text), origin=origin)


def _read(entry: NamedEntry, feed: Feed, config: Config) -> Page | None:
    """The page of an entry; None for one that cannot be read, or is in no language that is wanted."""
    short = msgspec.structs.replace(entry, entry=msgspec.structs.replace(entry.entry, content=entry.text[:_LONGEST]))
    content, media, clean = atom_entry(short, feed), MEDIA.partition(";")[0], config.clean
    page = read(content, url=entry.url, media=media, method=clean.method, favour=clean.favour, detect=detect_language)
    if page.drop is not None or (clean.languages and page.language not in clean.languages):
        return None
    return page


def _tables(found: list[tuple[Fetch, Page]], language: str) -> dict[str, list[msgspec.Struct]]:
    """The rows of entries that search needs; the others are made by the run."""
    rows = [(page_row(fetch, page), page) for fetch, page in found]
    return {
        "pages": [msgspec.structs.replace(row, language=row.language or language) for row, _ in rows],
        "texts": [TextRow(row.document, page.main_text[:_LONGEST], "") for row, page in rows],
        "fields": [field for row, page in rows for field in field_rows(row.document, page)],
    }


def take_pushes(folder: Path, keeper: Keeper) -> list[Path]:
    """Store every push that waits as a visit to its feed; their folders, which may be removed when the run has ended."""
    found = pushes(folder)
    for file in (file for push in found for file in files_of(push)):
        for answer in read_foreign(file):
            if isinstance(answer, Response) and media_of(answer):
                keeper.keep(Target(canonical(answer.url), reached=Reached.PUSH), answer, Outcome.FETCHED, "")
    return found
