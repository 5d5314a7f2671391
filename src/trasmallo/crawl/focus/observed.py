"""The pages and links that a focus learns from, as columns: a window over the crawl, so that memory is bounded.

Arithmetic: a page takes up to 400 words of 10 bytes and some 3 kB as it was noted, a link 24 bytes and 6 for each of its words:
3,000 pages with 45 links each are 40 MB (`benchmarks/focus.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec
import numpy as np

from trasmallo.crawl.focus.notes import PageNote
from trasmallo.values.arrays import Array
from trasmallo.values.decodable import decodable

MOST_PAGES = 3_000
"""Pages in the window. Judgement: what more of them would teach is little, and each is looked at at every refit."""

MOST_WINDOW_LINKS = 150_000
"""Links in the window: pages may have hundreds. Judgement: some 35 MB."""


class Columns(NamedTuple):
    """What was observed. Word columns say to which page or link each word belongs; links have the numbers of two pages."""

    page_words: Array
    page_values: Array
    page_of: Array
    lead_words: Array
    lead_of: Array
    title_words: Array
    title_of: Array
    sources: Array
    targets: Array
    places: Array
    digits: Array
    anchor_words: Array
    anchor_of: Array
    context_words: Array
    context_of: Array
    pages: int
    fetched: Array
    """For each target its page, -1 for one that was not fetched."""


class ObservedPage(NamedTuple):
    """A page of the window; what was noted of it is kept as bytes, in a tenth of the memory."""

    url: str
    title: str
    example: bool
    packed: bytes

    @property
    def note(self) -> PageNote:
        """What was noted."""
        return _decode(self.packed)


class _Grown:
    """A column that grows at its end."""

    def __init__(self, kind: str) -> None:
        self._data = np.zeros(1024, kind)
        self._used = 0

    def extend(self, values: Sequence[float] | Array) -> None:
        end = self._used + len(values)
        if end > len(self._data):
            self._data = np.concatenate([self._data, np.zeros(max(end, len(self._data)), self._data.dtype)])
        self._data[self._used : end] = values
        self._used = end

    @property
    def array(self) -> Array:
        return self._data[: self._used]


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(decodable(PageNote)).decode
_TEXTS = ("page", "lead", "title", "anchor", "context")
_WORD_KINDS = {f"{kind}_words": "u2" for kind in _TEXTS}
_OWNER_KINDS = {f"{kind}_of": "i4" for kind in _TEXTS}
_KINDS = {**_WORD_KINDS, **_OWNER_KINDS, "page_values": "f4", "sources": "i4", "targets": "i4", "places": "f4", "digits": "f4"}


class Observed:
    """Window of pages. Those that are examples, or in `held`, stay when old ones are forgotten."""

    def __init__(self, most_pages: int = MOST_PAGES, most_links: int = MOST_WINDOW_LINKS) -> None:
        self._most_pages, self._most_links = most_pages, most_links
        self.held: frozenset[str] = frozenset()
        self._clear()

    def _clear(self) -> None:
        self.pages: list[ObservedPage] = []
        self.urls: list[str] = []
        """The addresses of targets, by number."""
        self.numbers: dict[str, int] = {}
        self._page_of_url: dict[str, int] = {}
        self._grown = {name: _Grown(kind) for name, kind in _KINDS.items()}
        self._fetched: list[int] = []
        self._in_scope: list[bool] = []

    def add(self, page: PageNote) -> None:
        """Note one more page; the same page a second time counts once."""
        if page.url in self._page_of_url:
            return
        if len(self.pages) >= self._most_pages or len(self._grown["sources"].array) > self._most_links:
            self._forget()
        self._append(page)

    @property
    def most_held(self) -> int:
        """How many pages may stay when old ones are forgotten."""
        return self._most_pages // 4

    def columns(self) -> Columns:
        """The window now."""
        arrays = {name: grown.array for name, grown in self._grown.items()}
        return Columns(**arrays, pages=len(self.pages), fetched=np.array(self._fetched, np.int32))

    def is_in_scope(self, url: str) -> bool:
        """Whether a page of the window led to an address that the crawl may ask for."""
        number = self.numbers.get(url)
        return number is not None and self._in_scope[number]

    def waiting(self, count: int) -> Array:
        """The numbers of those of the first targets that the crawl may ask for, and that no page of the window is."""
        return np.flatnonzero(np.array(self._in_scope[:count], bool) & (np.array(self._fetched[:count], np.int32) < 0))

    def page_number(self, url: str) -> int | None:
        """The number of a page in the window."""
        return self._page_of_url.get(url)

    def links_to(self, url: str) -> Array:
        """The numbers of the links that lead to an address."""
        target = self.numbers.get(url, -1)
        return np.flatnonzero(self._grown["targets"].array == target)

    def anchor(self, link: int) -> str:
        """The anchor of a link."""
        source = int(self._grown["sources"].array[link])
        first = int(np.searchsorted(self._grown["sources"].array, source))
        return self.pages[source].note.links[link - first].anchor

    def links_of(self, page: int) -> list[str]:
        """The addresses that a page leads to."""
        sources = self._grown["sources"].array
        first, last = np.searchsorted(sources, [page, page + 1]).tolist()
        return [self.urls[target] for target in self._grown["targets"].array[first:last].tolist()]

    def _append(self, page: PageNote) -> None:
        number, grown = len(self.pages), self._grown
        self.pages.append(ObservedPage(page.url, page.title, page.example, _encode(page)))
        self._page_of_url[page.url] = number
        self._fetched[self._target(page.url)] = number
        grown["page_words"].extend(page.words)
        grown["page_values"].extend(np.log1p(page.counts))
        grown["page_of"].extend([number] * len(page.words))
        self._append_words("lead", number, [page.lead])
        self._append_words("title", number, [page.title_words])
        first, length = len(grown["sources"].array), max(len(page.links), 1)
        grown["sources"].extend([number] * len(page.links))
        grown["targets"].extend([self._target(link.url) for link in page.links])
        grown["places"].extend([place / length for place in range(len(page.links))])
        grown["digits"].extend([link.digit for link in page.links])
        for link in page.links:
            if link.followed:
                self._in_scope[self.numbers[link.url]] = True
        self._append_words("anchor", first, [link.anchor_words for link in page.links])
        self._append_words("context", first, [link.context_words for link in page.links])

    def _append_words(self, kind: str, first: int, lists: Iterable[list[int]]) -> None:
        words, of = [], []
        for owner, numbers in enumerate(lists, first):
            words += numbers
            of += [owner] * len(numbers)
        self._grown[f"{kind}_words"].extend(words)
        self._grown[f"{kind}_of"].extend(of)

    def _target(self, url: str) -> int:
        number = self.numbers.get(url)
        if number is None:
            number = self.numbers[url] = len(self.urls)
            self.urls.append(url)
            self._fetched.append(-1)
            self._in_scope.append(False)
        return number

    def _forget(self) -> None:
        """Keep the newer half, the examples and what the user marked, of these too no more than half a window."""
        pages = self.pages
        new = pages[len(pages) // 2 :]
        kept = [page for page in pages[: len(pages) // 2] if page.example or page.url in self.held]
        self._clear()
        for page in [*kept[-self.most_held :], *new]:
            self._append(page.note)
