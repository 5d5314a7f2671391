"""The demo site's contents: sources under `pages/` become the answers of three hosts, and the truth about them.

Every file of a host's folder is an answer: `.md` sources (a head of `key: value` lines, a blank line, the text, and after a
line `%%` the readers' comments) become HTML, or PDF when the name says so; other files are served as they are.
In sources an address may begin with a host's name (`palabras:/notas/`); it becomes that host's real origin.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from email.utils import format_datetime
from functools import cache
from html import escape
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import PurePosixPath
from string import Template
from typing import Literal, TypeAlias
from urllib.parse import quote

import msgspec

from trasmallo.demo import markup, pdf
from trasmallo.demo.syndication import (
    Channel,
    Entry,
    moment,
    write_atom,
    write_json,
    write_rss,
    write_sitemap,
    write_sitemap_index,
)
from trasmallo.values.decodable import decodable

Kind: TypeAlias = Literal[
    "page",
    "noindex",
    "sitemap only",
    "unfollowed",
    "forbidden",
    "log-in",
    "error",
    "missing",
    "redirect",
    "feed",
    "sitemap",
    "file",
]

_STATUS: dict[str, int] = {"log-in": 401, "error": 500, "missing": 404}
_FEEDS = {
    "rss": (write_rss, "application/rss+xml; charset=utf-8"),
    "atom": (write_atom, "application/atom+xml; charset=utf-8"),
    "json": (write_json, "application/feed+json"),
}


@dataclass(frozen=True, slots=True)
class Source:
    """A text and what its head says. `declared` names who tells its charset; a text with an author is an article."""

    path: str
    title: str
    text: str
    comments: str = ""
    summary: str = ""
    author: str = ""
    date: str = "2026-05-31"
    language: str = "es"
    kind: Kind = "page"
    charset: str = "utf-8"
    declared: str = "both"
    base: str = ""
    pieces: str = "1"


@dataclass(frozen=True, slots=True)
class Redirect:
    """An address that only points to another one."""

    path: str
    to: str
    status: int = 301


@dataclass(frozen=True, slots=True)
class Host:
    """What `site.toml` says of a host. `tags` are format strings for its HTML, `copies` are second addresses of a page.

    `forbidden` adds to the sources that say so the addresses which robots.txt disallows by pattern.
    """

    name: str
    title: str
    language: str
    feed: str
    feed_path: str
    months: Sequence[str]
    tags: Mapping[str, str]
    sitemaps: Sequence[str] = ()
    missing: Sequence[str] = ()
    forbidden: Sequence[str] = ()
    redirects: Sequence[Redirect] = ()
    copies: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Settings:
    """What `site.toml` says."""

    host: tuple[Host, ...]
    near_copies: tuple[tuple[str, str], ...]
    media: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class DemoResponse:
    """What a host answers to a path. `pieces` > 1: it drips, in so many chunks; `charset` is what the body is written in."""

    kind: Kind
    media: str
    body: bytes
    status: int = 200
    modified: str = ""
    location: str = ""
    language: str = ""
    charset: str = ""
    pieces: int = 1


@dataclass(frozen=True, slots=True)
class Neologism:
    """A word of the site's own: `forms` are those that its texts use, the headword first."""

    word: str
    category: str
    meaning: str
    forms: tuple[str, ...]


@cache
def hosts() -> tuple[Host, ...]:
    """The three hosts, as `site.toml` describes them."""
    return _settings().host


@cache
def neologisms() -> tuple[Neologism, ...]:
    """The invented words, in alphabetical order."""
    tables = tomllib.loads((_folder() / "neologisms.toml").read_text("utf-8"))["neologism"]
    return tuple(Neologism(**(table | {"forms": (table["word"], *table.get("forms", ()))})) for table in tables)


def near_copies() -> tuple[tuple[str, str], ...]:
    """Pairs of addresses (`host:/path`) whose texts differ by a few words."""
    return _settings().near_copies


def build(origins: Mapping[str, str]) -> dict[str, dict[str, DemoResponse]]:
    """The answers of each host by path, percent-encoded; `origins` tells where each host is served (`http://127.0.0.1:8000`)."""
    return {host.name: dict(_Writer(host, origins).answers()) for host in hosts()}


def locate(address: str, origins: Mapping[str, str]) -> str:
    """An address with its host's name resolved to the real origin; any other address stays as it is."""
    name, colon, path = address.partition(":")
    return origins[name] + path if colon and name in origins else address


def calendar(year: int, month: int, origins: Mapping[str, str]) -> DemoResponse:
    """A month of the endless calendar of the museum, which robots.txt tells robots to leave alone."""
    host = next(host for host in hosts() if host.name == "museo")
    after, before = (year + month // 12, month % 12 + 1), (year - (month == 1), (month - 2) % 12 + 1)
    text = Template((_folder() / "calendar.txt").read_text("utf-8")).substitute(
        month=host.months[month - 1], year=year, after="{:04}/{:02}".format(*after), before="{:04}/{:02}".format(*before)
    )
    title = f"Agenda de {host.months[month - 1]} de {year}"
    return _Writer(host, origins).page(Source(f"/agenda/{year:04}/{month:02}/", title, text, kind="forbidden"))


@dataclass(frozen=True, slots=True)
class _Writer:
    """Writes everything that a host answers."""

    host: Host
    origins: Mapping[str, str]

    def answers(self) -> Iterator[tuple[str, DemoResponse]]:
        pages = {quote(source.path): self.page(source) for source in _sources(self.host.name)}
        yield from pages.items()
        yield from ((copy, pages[original]) for copy, original in self.host.copies.items())
        yield from self._files()
        yield from ((redirect.path, self._redirect(redirect)) for redirect in self.host.redirects)
        yield self.host.feed_path, self._feed()
        yield from self._sitemaps()

    def page(self, source: Source) -> DemoResponse:
        if source.path.endswith(".pdf"):
            media, body = "application/pdf", pdf.write(source.title, source.language, markup.parse(source.text))
        else:
            named = f"; charset={source.charset}" if source.declared != "meta" else ""
            media, body = f"text/html{named}", self._html(source).encode(source.charset)
        return DemoResponse(
            kind=source.kind,
            media=media,
            body=body,
            status=_STATUS.get(source.kind, 200),
            modified=format_datetime(moment(source.date), usegmt=True),
            language=source.language,
            charset=source.charset,
            pieces=int(source.pieces),
        )

    def _html(self, source: Source) -> str:
        shape = markup.Shape(self.host.tags, lambda address: locate(address, self.origins), self._listing)
        return _template(self.host.name).substitute(
            head=self._head(source),
            title=escape(source.title),
            summary=escape(source.summary),
            author=escape(source.author),
            language=source.language,
            canonical=self.origins[self.host.name] + quote(source.path),
            day=source.date,
            date=self._date(source.date),
            data=self._data(source),
            body=markup.render(source.text, shape),
            comments=self._comments(source),
            related=self._related(source),
            **self.origins,
        )

    def _head(self, source: Source) -> str:
        lines = []
        if source.declared != "header":
            lines.append(self.host.tags["charset"].format(source.charset))
        if source.kind == "noindex":
            lines.append('<meta name="robots" content="noindex">')
        if source.base:
            lines.append(f'<base href="{source.base}">')
        return "\n".join(lines)

    def _date(self, day: str) -> str:
        year, month, number = day.split("-")
        return f"{int(number)} de {self.host.months[int(month) - 1]} de {year}"

    def _data(self, source: Source) -> str:
        data = {
            "@context": "https://schema.org",
            "@type": "NewsArticle" if source.author else "WebPage",
            "headline": source.title,
            "datePublished": source.date,
            "author": {"@type": "Person", "name": source.author or self.host.title},
        }
        return json.dumps(data, ensure_ascii=False).replace("</", "<\\/")

    def _comments(self, source: Source) -> str:
        comments = (block.text.partition(": ") for block in markup.parse(source.comments))
        inner = "\n".join(self.host.tags["comment"].format(escape(name), escape(text)) for name, _, text in comments)
        return self.host.tags["comments"].format(inner) if inner else ""

    def _listing(self, wanted: str) -> str:
        prefix, _, count = wanted.partition(" ")
        found = [source for source in _articles(self.host.name) if source.path.startswith(prefix)]
        found = found[: int(count) if count else None]
        return self.host.tags["teasers"].format("\n".join(self._teaser(source, "teaser") for source in found))

    def _related(self, source: Source) -> str:
        """The four articles that follow this one, round the list; listings and papers without author have none."""
        articles = _articles(self.host.name)
        if source not in articles:
            return ""
        place = articles.index(source)
        around = [articles[(place + step) % len(articles)] for step in range(1, 5)]
        return self.host.tags["teasers"].format("\n".join(self._teaser(source, "mention") for source in around))

    def _teaser(self, source: Source, tag: str) -> str:
        texts = (source.title, source.summary, self._date(source.date), source.author)
        return self.host.tags[tag].format(quote(source.path), *map(escape, texts))

    def _files(self) -> Iterator[tuple[str, DemoResponse]]:
        for path, file in _walk(_folder() / self.host.name):
            suffix = PurePosixPath(path).suffix
            if suffix == ".md" or path == "/template.html":
                continue
            body = file.read_bytes()
            if path == "/robots.txt":
                body = Template(body.decode()).substitute(self.origins).encode()
            kind: Kind = "page" if suffix == ".txt" and path != "/robots.txt" else "file"
            yield path, DemoResponse(kind, _settings().media[suffix], body, modified=_NEWEST, language=self.host.language)

    def _redirect(self, redirect: Redirect) -> DemoResponse:
        location = locate(redirect.to, self.origins)
        body = f'<!DOCTYPE html>\n<title>Se ha mudado</title>\n<p>Vive ahora en <a href="{location}">{location}</a>.</p>\n'
        return DemoResponse("redirect", "text/html; charset=utf-8", body.encode(), redirect.status, location=location)

    def _feed(self) -> DemoResponse:
        home = self.origins[self.host.name]
        entries = [
            Entry(home + quote(source.path), source.title, source.summary, source.author, source.date)
            for source in _articles(self.host.name)[:10]
        ]
        write, media = _FEEDS[self.host.feed]
        channel = Channel(f"{home}/", home + self.host.feed_path, self.host.title, self.host.language, entries)
        return DemoResponse("feed", media, write(channel).encode(), modified=_NEWEST)

    def _sitemaps(self) -> Iterator[tuple[str, DemoResponse]]:
        """The last address holds the pages; one before it, if any, is the index that names it."""
        home = self.origins[self.host.name]
        pages = [(home + quote(s.path), s.date) for s in _sources(self.host.name) if s.kind in ("page", "sitemap only")]
        for path in self.host.sitemaps:
            last = path == self.host.sitemaps[-1]
            body = write_sitemap(pages) if last else write_sitemap_index([home + self.host.sitemaps[-1]])
            yield path, DemoResponse("sitemap", "application/xml", body.encode(), modified=_NEWEST)


_NEWEST = format_datetime(moment("2026-05-31"), usegmt=True)


def _folder() -> Traversable:
    return resources.files("trasmallo.demo") / "pages"


@cache
def _settings() -> _Settings:
    return msgspec.toml.decode((_folder() / "site.toml").read_bytes(), type=decodable(_Settings))


@cache
def _template(host: str) -> Template:
    return Template((_folder() / host / "template.html").read_text("utf-8"))


@cache
def _sources(host: str) -> tuple[Source, ...]:
    files = _walk(_folder() / host)
    return tuple(_read_source(path, file) for path, file in files if path.endswith(".md"))


@cache
def _articles(host: str) -> tuple[Source, ...]:
    """The articles that readers may find, newest first."""
    found = [source for source in _sources(host) if source.author and source.kind == "page"]
    return tuple(sorted(found, key=lambda source: (source.date, source.path), reverse=True))


def _walk(folder: Traversable, above: str = "/") -> Iterator[tuple[str, Traversable]]:
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir():
            yield from _walk(entry, f"{above}{entry.name}/")
        else:
            yield above + entry.name, entry


def _read_source(path: str, file: Traversable) -> Source:
    head, _, rest = file.read_text("utf-8").partition("\n\n")
    text, _, comments = rest.partition("\n%%\n")
    name = path.removesuffix(".md")
    served = name.removesuffix("index") if name.endswith("/index") else name if name.endswith(".pdf") else f"{name}.html"
    fields = {"path": served, "text": text, "comments": comments}
    return msgspec.convert(fields | dict(line.split(": ", 1) for line in head.splitlines()), decodable(Source))
