"""Feeds: RSS 0.9x, 1.0 and 2.0, Atom and JSON Feed read into one shape, and when to come back for more.

feedparser reads the XML ones, with its sanitising and resolving of embedded addresses off (clean does that better and later);
it drops document types and their entities before parsing. What it leaves out, skipHours and skipDays, is read here.
"""

from __future__ import annotations

import re
from calendar import timegm
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from enum import StrEnum
from html import escape
from io import BytesIO
from itertools import islice, pairwise
from statistics import median
from time import struct_time
from typing import Any

import msgspec

from trasmallo.crawl.dates import parse_date
from trasmallo.crawl.discover.wide_xml import to_utf8
from trasmallo.values.decodable import UNDECODABLE
from trasmallo.values.urls import resolver

SIZE_LIMIT = 10 * 1024 * 1024
"""Bytes of a feed that are read."""

TAG_LIMIT = 50_000
"""Tags of a feed that are read, those in CDATA not counted: feedparser takes 20 to 60 µs for each."""

ENTRY_LIMIT = 10_000
"""Entries of a feed that are kept."""

SHORTEST_WAIT = 900.0
"""Seconds between two visits at least, whatever a feed asks for."""

LONGEST_WAIT = 7 * 86_400.0
"""Seconds between two visits at most."""

USUAL_WAIT = 3_600.0
"""Seconds between two visits of a feed that says nothing and shows no rhythm."""

LONGEST_CACHED = 86_400.0
"""Seconds of a Cache-Control that are waited for at most. Judgement: many servers say a year of all their files."""

_PERIODS = {"hourly": 3_600.0, "daily": 86_400.0, "weekly": 604_800.0, "monthly": 2_592_000.0, "yearly": 31_536_000.0}
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_skip_hours = re.compile(rb"<skipHours\b[^>]*>([^\0]{0,4000}?)</skipHours", re.IGNORECASE).search
_skip_days = re.compile(rb"<skipDays\b[^>]*>([^\0]{0,2000}?)</skipDays", re.IGNORECASE).search
_HOUR = re.compile(rb"<hour\b[^>]*>\s*(\d{1,2})\s*<", re.IGNORECASE)
_DAY = re.compile(rb"<day\b[^>]*>\s*([A-Za-z]+)\s*<", re.IGNORECASE)
_ENTITY = re.compile(rb"<!ENTITY\b[^>]*>", re.IGNORECASE)
_is_harmless = re.compile(rb"<!ENTITY\s+\w+\s+([\"'])(?:&#\w{1,8};|[^&%\"']){0,20}\1\s*>", re.IGNORECASE).fullmatch
_TAG_OR_DATA = re.compile(rb"<(?:!\[CDATA\[.*?(?:\]\]>|\Z))?", re.DOTALL)
_max_age = re.compile(r"(?:^|[\s,])max-age\s*=\s*\"?(\d{1,10})").search
_looks_like_feed = re.compile(rb"<(?:\w+:)?(?:rss|feed|RDF|channel)\b", re.IGNORECASE).search


class Enclosure(msgspec.Struct, frozen=True):
    """A file that goes with an entry; `length` is in bytes, 0 when not said."""

    url: str
    media: str = ""
    length: int = 0


class FeedEntry(msgspec.Struct, frozen=True):
    """An entry as its feed gives it. `link` is not canonical yet; `content` is HTML as sent, never cleaned."""

    id: str = ""
    link: str = ""
    title: str = ""
    published: float | None = None
    updated: float | None = None
    summary: str = ""
    content: str = ""
    enclosures: tuple[Enclosure, ...] = ()
    author: str = ""


class Feed(msgspec.Struct, frozen=True):
    """A feed that was read.

    `version` is feedparser's name for the format ("rss20", "atom10", "json11"). `ttl` and `period` are the seconds between
    changes that the feed speaks of; `skip_hours` are hours of the day (UTC) and `skip_days` days of the week (0 is Monday) when
    nobody should come. `hubs` and `self_url` are for WebSub. `damage` says what was wrong with the file, "" when nothing was.
    """

    url: str
    version: str
    title: str = ""
    link: str = ""
    updated: float | None = None
    entries: tuple[FeedEntry, ...] = ()
    ttl: float | None = None
    period: float | None = None
    skip_hours: frozenset[int] = frozenset()
    skip_days: frozenset[int] = frozenset()
    hubs: tuple[str, ...] = ()
    self_url: str = ""
    damage: str = ""
    language: str = ""

    @property
    def kind(self) -> str:
        """The family of its format: rss, atom or json; "" for one that cannot be told."""
        return next((kind for kind in ("rss", "atom", "json") if self.version.startswith(kind)), "")

    def targets(self) -> tuple[str, ...]:
        """The canonical URLs of the entries' pages, each once."""
        resolve = resolver(self.url)
        found = (resolve(entry.link) for entry in self.entries if entry.link)
        return tuple(dict.fromkeys(url for url in found if url))


def read_feed(body: bytes, url: str, content_type: str = "") -> Feed | None:
    """Read the feed that was found at `url`, None when it is none; any bytes will do."""
    body = to_utf8(body[:SIZE_LIMIT])
    start = body.removeprefix(b"\xef\xbb\xbf").lstrip()
    if start[:1] == b"{":
        return _read_json(start, url)
    # feedparser makes an empty feed of anything and takes its time over it.
    if not _looks_like_feed(body[:65_536]):
        return None
    return _read_xml(_defused(body), url, content_type)


class WaitReason(StrEnum):
    """What decides when a feed is asked for again."""

    TTL = "ttl"
    PERIOD = "update period"
    RHYTHM = "rhythm of its entries"
    USUAL = "usual wait"
    CACHED = "Cache-Control"


class FeedPace(msgspec.Struct, frozen=True):
    """How long to wait between two visits to a feed, in seconds, what decides so, and the hours and days that it excludes."""

    wait: float
    reason: WaitReason
    skip_hours: frozenset[int] = frozenset()
    skip_days: frozenset[int] = frozenset()


class NextVisit(msgspec.Struct, frozen=True):
    """When to ask for a feed again, in seconds since 1970, and why then; `skipped` when its excluded hours or days moved it."""

    at: float
    reason: WaitReason
    skipped: bool = False


def next_visit(feed: Feed, asked: float, max_age: float = 0.0) -> NextVisit:
    """When to ask for a feed again that was asked for at a time, and whose answer may be kept for `max_age` seconds."""
    return visit_after(pace_of(feed, asked, max_age), asked)


def pace_of(feed: Feed, asked: float, max_age: float = 0.0) -> FeedPace:
    """The pace of a feed that was asked for at a time: as it asks for, else by its rhythm; not below `max_age` in seconds."""
    wait, reason = _wait(feed, asked)
    cached = min(max_age, LONGEST_CACHED)
    wait, reason = (cached, WaitReason.CACHED) if cached > wait else (wait, reason)
    return FeedPace(min(max(wait, SHORTEST_WAIT), LONGEST_WAIT), reason, feed.skip_hours, feed.skip_days)


def visit_after(pace: FeedPace, asked: float) -> NextVisit:
    """When to ask for a feed of a pace again that was asked for at a time: never in hours and days that it excludes."""
    wished = at = asked + pace.wait
    for _ in range(7 * 24):
        moment = datetime.fromtimestamp(at, UTC)
        if moment.hour not in pace.skip_hours and moment.weekday() not in pace.skip_days:
            break
        at = (at // 3_600 + 1) * 3_600
    return NextVisit(at, pace.reason, at > wished)


def max_age_of(headers: Iterable[tuple[str, str]]) -> float:
    """Seconds for which the Cache-Control of an answer says that it stays as it is, 0 without one."""
    said = ",".join(value for name, value in headers if name.lower() == "cache-control").lower()
    if "no-cache" in said or "no-store" in said:
        return 0.0
    found = _max_age(said)
    return float(found[1]) if found else 0.0


def _wait(feed: Feed, now: float) -> tuple[float, WaitReason]:
    if feed.ttl:
        return feed.ttl, WaitReason.TTL
    if feed.period:
        return feed.period, WaitReason.PERIOD
    rhythm = _rhythm(feed, now)
    return (rhythm, WaitReason.RHYTHM) if rhythm else (USUAL_WAIT, WaitReason.USUAL)


def _rhythm(feed: Feed, now: float) -> float | None:
    """Half the usual gap between the feed's last entries, so that few are late; None with fewer than three dates.

    Dates that are still to come say nothing: a clock or a template got them wrong.
    """
    dates = (entry.published or entry.updated or 0.0 for entry in feed.entries[:30])
    known = sorted((date for date in dates if 0 < date <= now), reverse=True)
    if len(known) < 3:
        return None
    return median(later - earlier for later, earlier in pairwise(known)) / 2


def _defused(body: bytes) -> bytes:
    """The body without entities that could grow and without tags beyond the limit."""
    if b"<!ENTITY" in body:
        body = _ENTITY.sub(lambda found: found[0] if _is_harmless(found[0]) else b"", body)
    if body.count(b"<") <= TAG_LIMIT:
        return body
    last = next(islice(_TAG_OR_DATA.finditer(body), TAG_LIMIT, None), None)
    return body[: last.start()] if last else body


def _read_xml(body: bytes, url: str, content_type: str) -> Feed | None:
    import feedparser  # brings an HTTP client and two parsers with it

    headers = {"content-location": url, "content-type": content_type or "application/xml"}
    try:
        parsed = feedparser.parse(BytesIO(body), response_headers=headers, sanitize_html=False, resolve_relative_uris=False)
    except Exception as error:
        return Feed(url, "", damage=f"{type(error).__name__}: {error}"[:200])
    about = parsed.feed
    if not parsed.version and not parsed.entries and not about:
        return None
    return Feed(
        url=url,
        version=parsed.version or "",
        title=about.get("title", ""),
        link=about.get("link", ""),
        updated=_seconds(about, "updated") or _seconds(about, "published"),
        entries=tuple(map(_xml_entry, parsed.entries[:ENTRY_LIMIT])),
        ttl=_minutes(about.get("ttl", "")),
        period=_period(about),
        skip_hours=frozenset(int(hour) % 24 for hour in _inside(_skip_hours(body), _HOUR)),
        skip_days=_days(word.decode().lower() for word in _inside(_skip_days(body), _DAY)),
        hubs=tuple(dict.fromkeys(_related(about, "hub"))),
        self_url=next(_related(about, "self"), ""),
        damage=str(parsed.get("bozo_exception", ""))[:200] if parsed.bozo else "",
        language=about.get("language", ""),
    )


def _xml_entry(entry: Mapping[str, Any]) -> FeedEntry:
    content = entry.get("content") or ()
    return FeedEntry(
        id=entry.get("id", ""),
        link=entry.get("link", ""),
        title=entry.get("title", ""),
        published=_seconds(entry, "published"),
        updated=_seconds(entry, "updated"),
        summary=entry.get("summary", ""),
        content=next((part.get("value", "") for part in content if part.get("value")), ""),
        enclosures=tuple(
            Enclosure(each.get("href", ""), each.get("type", ""), _count(each.get("length")))
            for each in entry.get("enclosures", ())[:100]
        ),
        author=entry.get("author", ""),
    )


def _seconds(holder: Mapping[str, Any], name: str) -> float | None:
    # feedparser would answer for a missing update with the date of publication, and warn.
    parts = dict.get(holder, name + "_parsed") if isinstance(holder, dict) else None
    try:
        return float(timegm(parts)) if isinstance(parts, struct_time) else None
    except (ValueError, OverflowError):
        return None


def _minutes(text: object) -> float | None:
    return _count(text) * 60.0 or None


def _count(text: object) -> int:
    """A natural number written as text, 0 when it is none; nobody means one of more than twelve digits."""
    digits = str(text).strip()
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) <= 12 else 0


def _period(about: Mapping[str, Any]) -> float | None:
    period = _PERIODS.get(str(about.get("sy_updateperiod", "")).strip().lower())
    times = _count(about.get("sy_updatefrequency")) or 1
    return period / times if period else None


def _inside(found: re.Match[bytes] | None, part: re.Pattern[bytes]) -> list[bytes]:
    return part.findall(found[1]) if found else []


def _days(names: Iterator[str]) -> frozenset[int]:
    return frozenset(_DAYS.index(name) for name in names if name in _DAYS)


def _related(about: Mapping[str, Any], rel: str) -> Iterator[str]:
    return (link["href"] for link in about.get("links", ()) if link.get("rel") == rel and link.get("href"))


def _read_json(body: bytes, url: str) -> Feed | None:
    """JSON Feed 1 and 1.1; whatever has the wrong type counts as missing."""
    try:
        data = msgspec.json.decode(body)
    except UNDECODABLE:
        return None
    version = _text(data, "version")
    if "jsonfeed.org/version/" not in version:
        return None
    hubs = (_text(hub, "url") for hub in _list(data, "hubs"))
    return Feed(
        url=url,
        version="json" + version.rpartition("/")[2].replace(".", "")[:8],
        title=_text(data, "title"),
        link=_text(data, "home_page_url"),
        entries=tuple(map(_json_entry, _list(data, "items")[:ENTRY_LIMIT])),
        hubs=tuple(dict.fromkeys(hub for hub in hubs if hub)),
        self_url=_text(data, "feed_url"),
        language=_text(data, "language"),
    )


def _json_entry(item: object) -> FeedEntry:
    attachments = _list(item, "attachments")[:100]
    return FeedEntry(
        id=_text(item, "id"),
        link=_text(item, "url") or _text(item, "external_url"),
        title=_text(item, "title"),
        published=parse_date(_text(item, "date_published")),
        updated=parse_date(_text(item, "date_modified")),
        summary=_text(item, "summary"),
        content=_text(item, "content_html") or _as_html(_text(item, "content_text")),
        enclosures=tuple(map(_json_enclosure, attachments)),
        author=_json_author(item),
    )


def _json_author(item: object) -> str:
    """The first author's name; version 1 has a single `author`."""
    single = item.get("author") if isinstance(item, dict) else None
    return next(filter(None, (_text(each, "name") for each in (*_list(item, "authors"), single))), "")


def _as_html(text: str) -> str:
    return "".join(f"<p>{escape(line)}</p>" for line in text.split("\n") if line.strip())


def _json_enclosure(each: object) -> Enclosure:
    return Enclosure(_text(each, "url"), _text(each, "mime_type"), _count(_text(each, "size_in_bytes")))


def _text(holder: object, name: str) -> str:
    value = holder.get(name) if isinstance(holder, dict) else None
    if isinstance(value, bool):
        return ""
    return value if isinstance(value, str) else str(value) if isinstance(value, int | float) else ""


def _list(holder: object, name: str) -> list[object]:
    value = holder.get(name) if isinstance(holder, dict) else None
    return value if isinstance(value, list) else []
