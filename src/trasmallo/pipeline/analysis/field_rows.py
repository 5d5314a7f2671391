"""The named parts of a page as rows of their table: what its markup, its head and its address say beside the text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from urllib.parse import unquote

import msgspec

from trasmallo.clean.dates import iso_date
from trasmallo.clean.formats.registry import formats
from trasmallo.results.rows import FieldRow
from trasmallo.values.model import Page
from trasmallo.values.urls import host, host_key

_MOST = 100_000
"""Characters of all parts of a page together."""

_SILENT = frozenset(("generator", "robots", "og:type", "og:locale", "dc.language"))
_DATES = ("article:published_time", "date", "dc.date")
_DATE_IN_PATH = re.compile(r"/((?:19|20)\d{2})[/-](\d{1,2})[/-](\d{1,2})(?:[/.-]|$)")
_WORD = re.compile(r"[^\W_]+")
_PROGRAMS = (".php", ".asp", ".aspx", ".jsp", ".cgi")
_NAMELESS = frozenset(("www", "index"))


def field_rows(document: str, page: Page) -> list[msgspec.Struct]:
    """The parts of a page, each said once, until 100,000 characters are full."""
    parts = dict.fromkeys(((field.name, field.text) for field in page.fields if field.name not in _SILENT), 0)
    parts |= dict.fromkeys([*_comments(page), *_from_address(page.url), *_date(page)], 0)
    size = 0
    rows: list[msgspec.Struct] = []
    for name, text in parts:
        size += len(text)
        if size > _MOST:
            break
        rows.append(FieldRow(document, name, text))
    return rows


def _comments(page: Page) -> Iterator[tuple[str, str]]:
    for block in page.blocks:
        if block.role == "comments":
            yield "comments", page.text[block.start : block.end]


@cache
def _endings() -> re.Pattern[str]:
    """The ends of addresses that say how a page is made or of which format it is."""
    known = (*_PROGRAMS, *(ending for entry in formats() for ending in entry.endings))
    return re.compile(rf"(?:{'|'.join(map(re.escape, known))})$", re.IGNORECASE)


def _from_address(url: str) -> Iterator[tuple[str, str]]:
    """The words of an address, without those that every address has, and how deep it lies."""
    path = unquote(url[len(host_key(url)) :].partition("?")[0])
    names = [label for label in host(url).split(".")[:-1] if not label.isdigit()] if "[" not in host(url) else []
    words = [word for word in [*names, *_WORD.findall(_endings().sub("", path))] if word.lower() not in _NAMELESS]
    yield "address", " ".join(words)
    yield "depth", str(len([part for part in path.split("/") if part]))


def _date(page: Page) -> Iterator[tuple[str, str]]:
    """The day that a page says it is from, or its fields or address say, which a document that is no web page has too."""
    told = {field.name: field.text for field in page.fields if field.name in _DATES}
    days = (iso_date(told[name], page.language)[:10] for name in _DATES if name in told)
    found = page.day or next(filter(None, days), "")
    if not found and (path := _DATE_IN_PATH.search(page.url)):
        found = iso_date("-".join(path.groups()))[:10]
    if found:
        yield "day", found
