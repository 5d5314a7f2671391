"""Sums of capacity: what a crawl and a corpus of so many pages take, from what one page takes.

The sums of the crawl are the textbook's (Croft, Metzler, Strohman, 3.2.2 and 3.2.7). At 100 pages a second, none
of them within 30 s of another one of the same host, 3,000 hosts must have pages that wait; a line of 1 MB a second brings 50
pages of 20 kB a second, over 5 connections where a request takes 100 ms and over 30 where it takes 600.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated

import msgspec
from msgspec import Meta

from trasmallo.values.decodable import decodable
from trasmallo.values.errors import UsageError
from trasmallo.values.nearest import nearest

SIZES = (10_000_000, 1_000_000_000, 10_000_000_000)
"""Pages that sums are made for unless others are named."""

_A_DAY = 86_400  # seconds
_ADDRESS = 18
"""Bytes of memory for a known address: the most that `trasmallo.crawl.frontier.seen` takes."""

_Figure = Annotated[float, Meta(ge=0, le=1e15)]
_Some = Annotated[float, Meta(gt=0, le=1e15)]


class CapacityFigures(msgspec.Struct, frozen=True, kw_only=True):
    """What sums of capacity are made of: the textbook's example, one page on disk and in CPU time, and a machine.

    Bytes of a page and its milliseconds were measured by `lab capacity` on 1,000 pages of the test web, of 33 kB each; those of
    the download by `benchmarks/crawl.py` on 20,002 of them. Measure your own: pages differ.
    """

    rate: _Some = 100
    """Pages a second."""
    window: _Figure = 30
    """Seconds between two requests to a host."""
    line: _Some = 1_000_000
    """Bytes a second that come over the line."""
    page: _Some = 20_000
    """Bytes of a page as it comes over the line."""
    near: _Figure = 100
    """Milliseconds of a request to hosts that are near."""
    far: _Figure = 600
    """Milliseconds of a request to hosts that are far."""
    archive: _Figure = 14_600
    """Bytes of a page in the archive."""
    catalog: _Figure = 200
    """Bytes of its rows in the catalog."""
    tokens: _Figure = 29_000
    """Bytes of its tokens."""
    tables: _Figure = 38_000
    """Bytes of its rows in tables."""
    index: _Figure = 19_000
    """Bytes of it in the search index."""
    addresses: _Figure = 3
    """Addresses that are known, a page that is stored."""
    download: _Figure = 0.9
    """CPU milliseconds of its download."""
    clean: _Figure = 10
    """CPU milliseconds of reading it."""
    study: _Figure = 66
    """CPU milliseconds of studying its text, of its tables and its index."""
    days: _Some = 30
    """Days in which all pages are to be brought and studied."""
    disk: _Some = 16e12
    """Bytes of a disk."""
    copies: Annotated[float, Meta(ge=1, le=100)] = 1
    """Copies of everything that are kept."""
    hour_price: _Figure = 0
    """Price of a core for an hour; 0 where money is not asked for."""
    terabyte_price: _Figure = 0
    """Price of a terabyte for a month; 0 where money is not asked for."""


class CapacitySum(msgspec.Struct, frozen=True, kw_only=True):
    """One sum: so much of something for so many pages, 0 for the textbook's examples, and how it is made."""

    pages: int
    what: str
    amount: float
    unit: str
    made: str


def set_figures(figures: CapacityFigures, given: Mapping[str, str | float]) -> CapacityFigures:
    """The same figures with some that are given by their names; raises UsageError that names what does not fit."""
    for name in given:
        if name not in CapacityFigures.__struct_fields__:
            meant = nearest(name, CapacityFigures.__struct_fields__)
            raise UsageError("there is no figure `{name}`", "did you mean `{meant}`?", name=name, meant=meant)
    values = msgspec.to_builtins(figures) | dict(given)
    try:
        return msgspec.convert(values, decodable(CapacityFigures), strict=False)
    except msgspec.ValidationError as error:
        raise UsageError("a figure does not fit ({what})", "give a number, such as rate=100", what=str(error)) from None


def read_figures(texts: Sequence[str]) -> dict[str, str]:
    """Figures as they are typed, NAME=VALUE each."""
    given = {}
    for text in texts:
        name, sign, value = text.partition("=")
        if not sign or not name.strip() or not value.strip():
            raise UsageError("{text!r} is no figure", "write it as NAME=VALUE, such as rate=100", text=text[:60])
        given[name.strip()] = value.strip()
    return given


def sum_up(figures: CapacityFigures, sizes: Sequence[int] = SIZES) -> list[CapacitySum]:
    """The textbook's sums with these figures, then those for each number of pages."""
    rows = list(_textbook(figures))
    for pages in sizes:
        rows += [*_crawl(figures, pages), *_disks(figures, pages), *_computing(figures, pages), *_money(figures, pages)]
    return rows


def _row(pages: int, what: str, amount: float, unit: str, made: str) -> CapacitySum:
    return CapacitySum(pages=pages, what=what, amount=amount, unit=unit, made=made)


def _whole(amount: float) -> float:
    """So many things at least; what only rounding added is no thing of its own."""
    return math.ceil(amount * (1 - 1e-9))


def _textbook(it: CapacityFigures) -> Iterator[CapacitySum]:
    """Hosts of a polite crawl, and connections of a line, near and far."""
    yield _row(0, "hosts", _whole(it.rate * it.window), "hosts", f"{it.rate:,g}/s × {it.window:,g} s")
    rate = it.line / it.page
    yield _row(0, "rate of the line", rate, "pages/s", f"{it.line:,g} B/s ÷ {it.page:,g} B")
    yield from _connections(0, rate, it)
    yield _row(0, "hosts of the line", _whole(rate * it.window), "hosts", f"{rate:,g}/s × {it.window:,g} s")


def _connections(pages: int, rate: float, it: CapacityFigures) -> Iterator[CapacitySum]:
    for what, request in (("connections, near", it.near), ("connections, far", it.far)):
        yield _row(pages, what, _whole(rate * request / 1000), "connections", f"{rate:,g}/s × {request:,g} ms")


def _crawl(it: CapacityFigures, pages: int) -> Iterator[CapacitySum]:
    """What it takes to bring so many pages in time."""
    rate = pages / it.days / _A_DAY
    yield _row(pages, "time at the rate", pages / it.rate / _A_DAY, "days", f"{pages:,} ÷ {it.rate:,g}/s")
    yield _row(pages, "rate", rate, "pages/s", f"{pages:,} ÷ {it.days:,g} d")
    yield _row(pages, "line", rate * it.page / 1e6, "MB/s", f"{rate:,g}/s × {it.page:,g} B")
    yield _row(pages, "hosts", _whole(rate * it.window), "hosts", f"{rate:,g}/s × {it.window:,g} s")
    yield from _connections(pages, rate, it)
    known = it.addresses * _ADDRESS
    yield _row(pages, "memory of addresses", pages * known / 1e9, "GB", f"{pages:,} × {it.addresses:,g} × {_ADDRESS} B")


def _disks(it: CapacityFigures, pages: int) -> Iterator[CapacitySum]:
    for what in ("archive", "catalog", "tokens", "tables", "index"):
        one = getattr(it, what)
        yield _row(pages, what, pages * one / 1e12, "TB", f"{pages:,} × {one:,g} B")
    all_bytes = _bytes(it, pages)
    yield _row(pages, "all on disk", all_bytes / 1e12, "TB", f"{pages:,} × {all_bytes / max(pages, 1):,g} B")
    yield _row(pages, "disks", _whole(all_bytes / it.disk), "disks", f"{all_bytes / 1e12:,g} TB ÷ {it.disk / 1e12:,g} TB")


def _bytes(it: CapacityFigures, pages: int) -> float:
    return pages * it.copies * (it.archive + it.catalog + it.tokens + it.tables + it.index)


def _computing(it: CapacityFigures, pages: int) -> Iterator[CapacitySum]:
    for what in ("download", "clean", "study"):
        one = getattr(it, what)
        yield _row(pages, what, pages * one / 3.6e6, "core hours", f"{pages:,} × {one:,g} ms")
    hours = _hours(it, pages)
    yield _row(pages, "all CPU", hours, "core hours", f"{pages:,} × {it.download + it.clean + it.study:,g} ms")
    yield _row(pages, "cores", _whole(hours / 24 / it.days), "cores", f"{hours:,g} h ÷ {it.days:,g} d")


def _hours(it: CapacityFigures, pages: int) -> float:
    return pages * (it.download + it.clean + it.study) / 3.6e6


def _money(it: CapacityFigures, pages: int) -> Iterator[CapacitySum]:
    """Prices, where they are told."""
    hours, terabytes = _hours(it, pages), _bytes(it, pages) / 1e12
    if it.hour_price:
        yield _row(pages, "price of cores", hours * it.hour_price, "", f"{hours:,g} h × {it.hour_price:g}")
    if it.terabyte_price:
        price = terabytes * it.terabyte_price
        yield _row(pages, "price of disks, a month", price, "", f"{terabytes:,g} TB × {it.terabyte_price:g}")
