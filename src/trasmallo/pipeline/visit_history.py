"""What each visit to each page showed, as the catalog tells it: the evidence that revisits are planned by.

A page has changed when its main text has; where no text was kept, when its bytes have. Memory: about 250 bytes a URL.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple, TypeVar

import msgspec
import xxhash

from trasmallo.crawl.dates import parse_date
from trasmallo.crawl.revisit.visits import Finding, Visit
from trasmallo.results.database.tables import Tables
from trasmallo.store.catalog import Catalog
from trasmallo.store.catalog_rows import RowSummary
from trasmallo.store.families import Family
from trasmallo.store.parts import finished_parts
from trasmallo.store.run_folders import Run
from trasmallo.values.decodable import decodable
from trasmallo.values.model import Outcome

_Row = TypeVar("_Row", bound=msgspec.Struct)
_FAMILY, _COLUMN = "texts", "digest"

_parse_date = lru_cache(maxsize=1 << 16)(parse_date)
"""Every visit to a page that does not change shows the same date again."""


class _Page(msgspec.Struct):
    document: str
    url: str
    at: float | None


class _Text(msgspec.Struct):
    document: str
    text: str


class SeenPage(NamedTuple):
    """The last version of a page, the number of its row, and whether the page was missing since."""

    digest: bytes
    at: float
    row: int
    missing: bool


class MissingAddress(msgspec.Struct, frozen=True, gc=False):
    """An address that was never a page: how often it was asked for in vain, and when the last time."""

    times: int
    at: float


def note_texts(run: Run, catalog: Catalog) -> float:
    """Keep digests of the main texts that a run has read, to hold later visits against; when the first was seen."""
    family, first = catalog.family(_FAMILY), math.inf
    for part in finished_parts(run.parts):
        pages = {page.document: page for page in _lines(part / "pages.jsonl", _Page)}
        texts = ((pages[row.document], row.text) for row in _lines(part / "texts.jsonl", _Text))
        family.put_dated((page.url, _COLUMN, _digest(text), page.at or 0.0) for page, text in texts)
        first = min([first, *(page.at or 0.0 for page in pages.values())])
    return first


def note_texts_of_tables(run: Run, catalog: Catalog) -> None:
    """The same for a finished run, from its tables."""
    family = catalog.family(_FAMILY)
    with Tables(run) as tables:
        rows = tables.stream('SELECT p.url, coalesce(p."at", 0), t.text FROM texts t JOIN all_pages p USING (document)')
        family.put_dated((url, _COLUMN, _digest(text), at) for url, at, text in rows)


class VisitHistory:
    """The rows of a catalog, read once by `visits`; then it knows the newest version of each page, and what was never one.

    It goes on from `seen` and `missing`, what is known by the first `rows` of them.
    """

    def __init__(
        self,
        catalog: Catalog,
        rows: int = 0,
        seen: dict[int, SeenPage] | None = None,
        missing: dict[str, MissingAddress] | None = None,
    ) -> None:
        self.missing = missing if missing is not None else {}
        self.seen = seen if seen is not None else {}
        self.rows = rows
        self._catalog = catalog

    def row(self, url: str) -> int:
        """The number of the row that has the newest stored version of a page, 0 when there is none."""
        known = self.seen.get(_key(url))
        return known.row if known is not None else 0

    def known(self, urls: Iterable[str]) -> frozenset[str]:
        """Those addresses among them that were ever obtained."""
        return frozenset(url for url in urls if _key(url) in self.seen)

    def visits(self) -> Iterator[Visit]:
        """Every visit to every page that was ever obtained, behind the rows that are known, in order of arrival."""
        texts, seen = self._catalog.family(_FAMILY), self.seen
        for number, fetch in self._catalog.summaries(self.rows):
            self.rows = number
            key = _key(fetch.url)
            known = seen.get(key)
            finding = finding_of(fetch, known, texts)
            if known is None and finding is not Finding.NEW:
                self._miss(fetch)
                continue
            if fetch.outcome.obtained:
                row = number if fetch.stored else known.row if known else 0
                seen[key] = SeenPage(fetch.digest, fetch.at, row, missing=False)
                if known is None:
                    self.missing.pop(fetch.url, None)
            elif known is not None and finding is Finding.GONE:
                seen[key] = known._replace(missing=True)
            same = finding is Finding.BACK and known is not None and _is_same(fetch, known, texts)
            yield Visit(fetch.url, fetch.at, finding, _modified(fetch), same)

    def _miss(self, fetch: RowSummary) -> None:
        """An address that was never a page was asked for in vain; what failed otherwise says nothing of it."""
        if fetch.outcome is Outcome.MISSING:
            known = self.missing.get(fetch.url)
            self.missing[fetch.url] = MissingAddress(known.times + 1 if known else 1, fetch.at)


def _key(url: str) -> int:
    """The number of a page's document (`document_id`)."""
    return xxhash.xxh3_64_intdigest(url.encode())


def finding_of(fetch: RowSummary, known: SeenPage | None, texts: Family) -> Finding:
    """What a visit showed of a page that was last seen as `known`, None when it never was."""
    if fetch.outcome is Outcome.MISSING:
        return Finding.GONE
    if not fetch.outcome.obtained:
        return Finding.FAILED
    if known is None:
        return Finding.NEW
    if known.missing:
        return Finding.BACK
    return Finding.UNCHANGED if _is_same(fetch, known, texts) else Finding.CHANGED


def _is_same(fetch: RowSummary, known: SeenPage, texts: Family) -> bool:
    """Whether a page is as it was: its bytes, or its main text."""
    return fetch.digest == known.digest or _same_text(fetch, known, texts)


def _same_text(fetch: RowSummary, known: SeenPage, texts: Family) -> bool:
    before = texts.get(fetch.url, _COLUMN, known.at)
    return before is not None and before == texts.get(fetch.url, _COLUMN, fetch.at)


def _modified(fetch: RowSummary) -> float | None:
    """The server's date of the last change; one that is later than its own answer is wrong."""
    at = _parse_date(fetch.modified) if fetch.modified else None
    return at if at is not None and at <= fetch.at else None


def _digest(text: str) -> bytes:
    return xxhash.xxh3_64_digest(text.encode("utf-8", "surrogatepass"))


def _lines(path: Path, kind: type[_Row]) -> Iterable[_Row]:
    decoder = msgspec.json.Decoder(decodable(kind))
    return map(decoder.decode, path.read_bytes().splitlines() if path.exists() else ())
