"""Entries of feeds as documents: what each is called, whether it is the same as before, and its form in an archive.

An entry is called by its link, so that an article that is published again under another id, or edited, stays one document.
Without a link of its own it is called by its feed and its id. Its form is an Atom entry document (RFC 4287, section 4.1.2;
RFC 5023, section 12), whatever the feed was written in; it names the feed, so that it can be understood alone.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from html import unescape
from urllib.parse import quote
from xml.sax.saxutils import escape, quoteattr

import msgspec
import xxhash

from trasmallo.crawl.discover.feeds import Feed, FeedEntry
from trasmallo.values.urls import LONGEST, resolver

MEDIA = "application/atom+xml;type=entry"
"""The media type of an Atom entry document."""

_TOO_EARLY = 631_152_000.0
"""Seconds since 1970 on 1 January 1990: there was no web before it, so that a date before is a mistake."""

_CLOCK = 86_400.0
"""Seconds that a date may lie after the visit that brought it: a day ends later in the west. What is later is a mistake."""

_LONGEST_ID = 200
"""Characters of an id in an address; of a longer one the digest stands there. Judgement."""

_UNSPEAKABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML cannot hold."""

_TAG = re.compile(r"<[^>]*+>")


class NamedEntry(msgspec.Struct, frozen=True):
    """An entry with the address of its document, and the digest of what it says, whatever its id and dates are."""

    url: str
    digest: str
    entry: FeedEntry
    own_page: bool

    @property
    def text(self) -> str:
        """What it says beside its title, as HTML; "" for nothing."""
        return text_of(self.entry)


def text_of(entry: FeedEntry) -> str:
    """The HTML of an entry, its content or else its description; "" when there is no word in it."""
    html = entry.content if _is_said(entry.content) else entry.summary
    return html if _is_said(html) else ""


def named_entries(feed: Feed, asked: float) -> list[NamedEntry]:
    """The entries of a feed that was asked for at a time, each document once, in the feed's order.

    Of several with one address the one with the latest date counts, else the first. Dates that cannot be are left out.
    """
    chosen: dict[str, NamedEntry] = {}
    for found in _named(feed, [_dated(entry, asked) for entry in feed.entries if _is_something(entry)]):
        known = chosen.get(found.url)
        if known is None or _date(found.entry) > _date(known.entry):
            chosen[found.url] = found
    return list(chosen.values())


def atom_entry(found: NamedEntry, feed: Feed) -> bytes:
    """An entry as a document of its own; the same entry always gives the same bytes."""
    entry = found.entry
    title, language = _line(feed.title), f" xml:lang={_attribute(feed.language)}" if feed.language else ""
    parts = [
        f'<?xml version="1.0" encoding="utf-8"?>\n<entry xmlns="http://www.w3.org/2005/Atom"{language}>',
        f"<id>{_text(entry.id or found.url)}</id>",
        f"<title>{_text(_line(entry.title))}</title>",
        *(f"<{name}>{_moment(at)}</{name}>" for name, at in _dates(entry)),
        *([f"<author><name>{_text(_line(entry.author))}</name></author>"] if entry.author.strip() else []),
        f"<link href={_attribute(found.url)}/>",
        f"<source><id>{_text(feed.url)}</id><title>{_text(title)}</title>",
        f'<link rel="self" href={_attribute(feed.url)}/></source>',
        f'<content type="html">{_text(found.text)}</content>',
        "</entry>\n",
    ]
    return "\n".join(parts).encode("utf-8")


def _named(feed: Feed, entries: Sequence[FeedEntry]) -> Iterator[NamedEntry]:
    resolve = resolver(feed.url)
    links = [(resolve(entry.link) or "") if entry.link else "" for entry in entries]
    shared, repeated = _shared_links(links, entries), _repeated(entry.id for entry in entries)
    for entry, link in zip(entries, links, strict=True):
        digest = _digest(entry)
        own_page = bool(link) and link not in shared and link != feed.url
        name = entry.id if entry.id and entry.id not in repeated else digest
        yield NamedEntry(link if own_page else _fragment(feed.url, name), digest, entry, own_page)


def _shared_links(links: Sequence[str], entries: Sequence[FeedEntry]) -> set[str]:
    """Links of several entries that are not one article published again: those have the same title."""
    titles: dict[str, set[str]] = defaultdict(set)
    for link, entry in zip(links, entries, strict=True):
        titles[link].add(_line(entry.title).casefold())
    return {link for link, said in titles.items() if len(said) > 1}


def _repeated(ids: Iterable[str]) -> set[str]:
    """Ids that tell nothing apart, since several entries have them."""
    seen, repeated = set[str](), set[str]()
    for each in ids:
        (repeated if each in seen else seen).add(each)
    return repeated


def _fragment(feed: str, name: str) -> str:
    written = quote(name, safe="")
    short = written if len(written) <= _LONGEST_ID else xxhash.xxh3_128_hexdigest(name.encode("utf-8", "replace"))
    return f"{feed[: LONGEST - _LONGEST_ID - 1]}#{short}"


def _digest(entry: FeedEntry) -> str:
    said = "\0".join((_line(entry.title), _line(entry.author), text_of(entry)))
    return xxhash.xxh3_128_hexdigest(said.encode("utf-8", "replace"))


def _is_something(entry: FeedEntry) -> bool:
    """Whether an entry has a name or says anything."""
    return bool(entry.id or entry.link or entry.title.strip() or text_of(entry))


def _dated(entry: FeedEntry, asked: float) -> FeedEntry:
    """An entry without dates that cannot be."""
    published, updated = (
        at if at is not None and _TOO_EARLY <= at <= asked + _CLOCK else None for at in (entry.published, entry.updated)
    )
    return msgspec.structs.replace(entry, published=published, updated=updated)


def _date(entry: FeedEntry) -> float:
    return entry.updated or entry.published or 0.0


def _dates(entry: FeedEntry) -> list[tuple[str, float]]:
    return [(name, at) for name, at in (("published", entry.published), ("updated", entry.updated)) if at is not None]


def _moment(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _is_said(html: str) -> bool:
    return any(letter.isalnum() for letter in unescape(_TAG.sub(" ", html)))


def _line(text: str) -> str:
    return " ".join(unescape(_TAG.sub(" ", text)).split())


def _text(text: str) -> str:
    return escape(_UNSPEAKABLE.sub("", text))


def _attribute(text: str) -> str:
    return quoteattr(_UNSPEAKABLE.sub("", text))
