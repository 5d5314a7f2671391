"""What a page says about itself: title, author, date, site, language and licence.

Asked in this order, each field by itself: JSON-LD, Open Graph and other meta elements, microdata, Dublin Core (`metadata.json`
has the names), plain HTML. Every value is text of a stranger: white space is collapsed, lengths are limited, dates are checked,
and what is no answer to the question (an address as an author, "admin") is passed over.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from importlib import resources
from urllib.parse import urlsplit

import msgspec

from trasmallo.clean.dates import iso_date
from trasmallo.clean.dom import language_of, title_of
from trasmallo.clean.flat import FlatPage
from trasmallo.clean.linked_data import LinkedData
from trasmallo.values.decodable import decodable

_LONGEST = 500
"""Characters of a value. Judgement, as all of these: room for any honest page."""
_LONGEST_AUTHOR = 120
"""Characters of a name."""
_MOST_AUTHORS = 20
"""Authors of a page."""
_MOST_LINES = 50
"""Blocks in which a byline is looked for."""
# How many nodes further the name of a nested item is looked for.
_NEAR = 100
_ADDRESS = re.compile(r"^(?:https?:)?//|^www\.|@\w+\.\w+$", re.IGNORECASE)
_NOBODY = frozenset(("admin", "administrator", "administrador", "editor", "redacción", "staff", "unknown", "anonymous", "user"))
_BY = re.compile(
    r"^(?:by|por|par|von|di|da|przez|escrito por|written by|texto:?|autora?:|author:|autor:|publicado por)\s+", re.IGNORECASE
)
_BYLINE = re.compile(
    r"(?:^|[\s_-])(?:by-?line|authors?|post-?author|entry-author|autor(?:es|a)?|firma)(?:$|[\s_-])", re.IGNORECASE
)
_DATELINE = re.compile(
    r"(?:^|[\s_-])(?:date|datetime|published|pub-?date|post-?date|entry-date|fecha|timestamp)(?:$|[\s_-])", re.IGNORECASE
)
_DATE_IN_PATH = re.compile(r"/((?:19|20)\d{2})/(\d{1,2})/(\d{1,2})(?:/|$)|/((?:19|20)\d{2}-\d{2}-\d{2})(?:[/.-]|$)")
_LANGUAGE = re.compile(r"^([a-z]{2,3})(?:$|[-_ ,])", re.IGNORECASE)
_SEPARATOR = re.compile(r"\s+[|\-\u2013\u2014\u00b7\u2022\u00bb:]\s+")


class _Names(msgspec.Struct, frozen=True):
    """Under which names each field is found in each kind of statement."""

    linked: dict[str, list[str]]
    meta: dict[str, list[str]]
    items: dict[str, list[str]]
    dublin: dict[str, list[str]]


@cache
def _names() -> _Names:
    return msgspec.json.decode(resources.files(__package__).joinpath("metadata.json").read_bytes(), type=decodable(_Names))


class Metadata(msgspec.Struct, frozen=True):
    """What a page says of itself, "" for what it does not; `date` is ISO 8601, `language` a code; "; " parts authors."""

    title: str = ""
    author: str = ""
    date: str = ""
    site: str = ""
    language: str = ""
    licence: str = ""


def metadata_of(page: FlatPage, url: str = "") -> Metadata:
    """Everything that a page says about itself, and the date in its address when it gives none."""
    if not len(page):
        return Metadata()
    sources = _Sources(page)
    language = language_of(page) or sources.first("language", _language)
    site = sources.first("site", _short)
    return Metadata(
        title=_without_site(sources.first("title", _short), site) or _plain_title(page, site),
        author=sources.authors() or _plain_author(page, sources),
        date=sources.first("date", lambda text: iso_date(text, language)) or _plain_date(page, sources, url, language),
        site=site or sources.linked.named("WebSite") or sources.linked.named("Organization"),
        language=language,
        licence=sources.first("licence", _short) or sources.href("license"),
    )


def day_of(page: FlatPage, url: str = "") -> str:
    """The day that a page states it is from, "" when it states none: for who reads many pages, in a fraction of the time.

    JSON-LD, meta elements, microdata, Dublin Core, the address; and `time` elements where all of them name one day, which lists
    of other pages do not.
    """
    names, stated = _names(), _Stated(page)
    linked = LinkedData(page) if stated.scripts else None
    language = language_of(page)
    told = (text for name in names.linked["date"] for text in (linked.all(name) if linked else ()))
    named = (stated.named.get(name, "") for name in (*names.meta["date"], *names.items["date"], *names.dublin["date"]))
    days = (iso_date(text, language)[:10] for text in (*told, *named) if text)
    return next(filter(None, days), "") or _day_in_path(url) or stated.only_day


class _Stated:
    """Statements of a page about its date, by the names of meta elements and properties; whether it has scripts, too."""

    def __init__(self, page: FlatPage) -> None:
        self.named: dict[str, str] = {}
        self.scripts = "script" in page.tag
        days: set[str] = set()
        for index, tag in enumerate(page.tag):
            if tag in ("meta", "time"):
                attributes = page.attributes(index)
                name = attributes.get("itemprop") or attributes.get("property") or attributes.get("name") or ""
                value = attributes.get("content") or attributes.get("datetime") or ""
                self.named.setdefault(name.strip() if "itemprop" in attributes else name.strip().lower(), value[:_LONGEST])
                days.add(iso_date(value)[:10] if tag == "time" else "")
        known = days - {""}
        self.only_day = known.pop() if len(known) == 1 else ""


def _day_in_path(url: str) -> str:
    found = _DATE_IN_PATH.search(_path(url))
    return iso_date(found[4] or "-".join(found.group(1, 2, 3))) if found else ""


def _short(text: str) -> str:
    return " ".join(text[: 4 * _LONGEST].split())[:_LONGEST]


def _language(text: str) -> str:
    found = _LANGUAGE.match(text.strip())
    return found[1].lower() if found else ""


def _author(text: str) -> str:
    """A name, "" for what is none."""
    name = _BY.sub("", _short(text)).strip(" ,;|·-")
    known = not _ADDRESS.search(name) and name.lower() not in _NOBODY and any(map(str.isalpha, name))
    return name if known and len(name) <= _LONGEST_AUTHOR else ""


class _Sources:
    """The four kinds of statements of a page, gathered in one pass over its elements."""

    def __init__(self, page: FlatPage) -> None:
        self.page = page
        self.linked = LinkedData(page)
        self.meta: dict[str, list[str]] = {}
        self.items: dict[str, list[str]] = {}
        self.rel: dict[str, int] = {}
        self.bylines: list[int] = []
        self.datelines: list[int] = []
        wanted = {name for names in _names().items.values() for name in names}
        for index, tag in enumerate(page.tag):
            if (attributes := page.attributes(index)) or tag == "time":
                self._take(index, tag, attributes, wanted)

    def _take(self, index: int, tag: str, attributes: dict[str, str], wanted: set[str]) -> None:
        if tag == "meta":
            name = attributes.get("property") or attributes.get("name") or attributes.get("http-equiv") or ""
            self.meta.setdefault(name.strip().lower(), []).append(attributes.get("content", ""))
        for name in set(attributes.get("itemprop", "").split()[:5]) & wanted:
            if len(known := self.items.setdefault(name, [])) < _MOST_AUTHORS:
                known.append(self._item(index, attributes))
        for rel in attributes.get("rel", "").lower().split()[:5]:
            self.rel.setdefault(rel, index)
        self._take_lines(index, tag, f"{attributes.get('class', '')[:_LONGEST]} {attributes.get('id', '')[:_LONGEST]}")

    def _take_lines(self, index: int, tag: str, names: str) -> None:
        """Remember what looks like the line of the author or the date."""
        if "comment" in names:
            return
        if len(self.bylines) < _MOST_LINES and _BYLINE.search(names):
            self.bylines.append(index)
        if len(self.datelines) < _MOST_LINES and (tag == "time" or _DATELINE.search(names)):
            self.datelines.append(index)

    def href(self, rel: str) -> str:
        """The target of the first link with this relation."""
        return self.page.attributes(self.rel[rel]).get("href", "").strip()[:_LONGEST] if rel in self.rel else ""

    def _item(self, index: int, attributes: dict[str, str]) -> str:
        """The value of a microdata property, that of a nested item being its name."""
        if "itemscope" in attributes:
            inner = (each for each in range(index + 1, min(self.page.end[index], index + _NEAR)) if self._has(each, "name"))
            index = next(inner, index)
            attributes = self.page.attributes(index)
        told = attributes.get("content") or attributes.get("datetime")
        if not told and self.page.tag[index] in ("a", "link") and "license" in attributes.get("itemprop", ""):
            told = attributes.get("href")
        return told or self.page.inner_text(index)[:_LONGEST]

    def _has(self, index: int, name: str) -> bool:
        return name in self.page.attributes(index).get("itemprop", "").split()

    def first(self, field: str, accept: Callable[[str], str]) -> str:
        """The first answer to a question that `accept` takes."""
        return next(filter(None, (accept(text) for group in self._groups(field) for text in group)), "")

    def _groups(self, field: str) -> Iterator[Iterable[str]]:
        """What each source says, the most trusted first."""
        names = _names()
        yield from map(self.linked.all, names.linked[field])
        yield from (self.meta.get(name, ()) for name in names.meta[field])
        yield from (self.items.get(name, ()) for name in names.items[field])
        yield from (self.meta.get(name, ()) for name in names.dublin[field])

    def authors(self) -> str:
        """The names that the first source with any gives."""
        for group in self._groups("author"):
            if names := list(dict.fromkeys(filter(None, map(_author, group)))):
                return "; ".join(names[:_MOST_AUTHORS])
        return ""


def _plain_title(page: FlatPage, site: str) -> str:
    """The title element, or the only heading of the first level when the title says it with something added."""
    title = _short(title_of(page))
    headings = {_short(page.inner_text(index)) for index, tag in enumerate(page.tag) if tag == "h1"}
    heading = headings.pop() if len(headings) == 1 else ""
    return heading if heading and (heading in title or not title) else _without_site(title, site)


def _without_site(title: str, site: str) -> str:
    """A title without the name of the site before or after it."""
    for match in _SEPARATOR.finditer(title) if site else ():
        before, after = title[: match.start()], title[match.end() :]
        if site.lower() in (before.lower(), after.lower()):
            return after if site.lower() == before.lower() else before
    return title


def _plain_author(page: FlatPage, sources: _Sources) -> str:
    linked = [sources.rel["author"]] if "author" in sources.rel else []
    texts = (page.inner_text(index) for index in (*linked, *sources.bylines))
    plausible = (text for text in texts if len(text) <= _LONGEST_AUTHOR)
    return next(filter(None, map(_author, plausible)), "")


def _plain_date(page: FlatPage, sources: _Sources, url: str, language: str) -> str:
    told = [page.attributes(index).get("datetime", "") for index in sources.datelines if page.tag[index] == "time"]
    shown = (page.inner_text(index)[:_LONGEST] for index in sources.datelines)
    found = next(filter(None, (iso_date(text, language) for text in (*told, *shown))), "")
    return found or _day_in_path(url if _path(url) else sources.href("canonical"))


def _path(url: str) -> str:
    try:
        return urlsplit(url).path
    except ValueError:
        return ""
