"""Hits as they are shown: tokens with their surroundings, and the document they stand in."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
import numpy as np

from trasmallo.results.concordance.marked_lines import Marked
from trasmallo.results.database.tables import Tables
from trasmallo.store.tokens import SENTENCE, Corpus
from trasmallo.study.query.hits import QueryHits
from trasmallo.values.errors import UsageError

_AT_ONCE = 1_000  # judgement: hits that are written together, some MB
_MOST_CONTEXT = 10_000  # judgement: tokens or letters on a side; a page has some thousand
_MOST_KEPT = 50_000  # judgement: types whose texts are kept, some 10 MB


_PAGES = """
    SELECT p.document, p.url, title, host, "at", coalesce(date, ''), coalesce(date_origin, '')
    FROM all_pages p LEFT JOIN dates d USING (document) WHERE p.document IN (SELECT unnest(?))"""


class ConcordanceWord(msgspec.Struct, frozen=True):
    """A token as it is shown; `space` says that something stands between it and the one before."""

    word: str
    lemma: str
    pos: str
    tag: str = ""
    space: bool = True


class Hit(msgspec.Struct, frozen=True):
    """A hit with its surroundings.

    `position` counts tokens of its document, `start` and `end` characters of that document's text; `labels` are positions, too.
    `at` is when the document was obtained, `date` and `date_origin` when it is from and who says so (see `dates`). `groups` are
    the line groups that somebody put it into.
    """

    document: str
    url: str
    title: str
    site: str
    at: float | None
    position: int
    start: int
    end: int
    left: tuple[ConcordanceWord, ...]
    hit: tuple[ConcordanceWord, ...]
    right: tuple[ConcordanceWord, ...]
    labels: dict[str, int] = {}
    date: str = ""
    date_origin: str = ""
    groups: tuple[str, ...] = ()


class Context(msgspec.Struct, frozen=True):
    """How much is shown on either side: so many tokens or characters, or the rest of the sentence."""

    size: int = 8
    unit: str = "tokens"


def context_of(text: str) -> Context:
    """What `8`, `40c` and `s` mean."""
    if text == "s":
        return Context(0, "sentence")
    found = re.fullmatch(r"([0-9]{1,6})(c?)", text)
    if not found or int(found[1]) > _MOST_CONTEXT:
        raise UsageError(
            "{text!r} is no size of a context", "give a number of tokens like 8, of characters like 40c, or s", text=text
        )
    return Context(int(found[1]), "characters" if found[2] else "tokens")


def written(words: Sequence[ConcordanceWord]) -> str:
    """Tokens as they stand in the text, but with one blank at most between two."""
    return "".join(" " * one.space + one.word for one in words).strip()


LINE_COLUMNS = ("url", "title", "document", "position", "start", "end", "left", "hit", "right", "date", "date_origin", "groups")
"""What a file of lines tells of each."""


def line_row(hit: Hit) -> tuple[str | int, ...]:
    """A hit as a row of `LINE_COLUMNS`."""
    place = (hit.position, hit.start, hit.end)
    return (hit.url, hit.title, hit.document, *place, *sides_of(hit), hit.date, hit.date_origin, " | ".join(hit.groups))


def sides_of(hit: Hit) -> tuple[str, str, str]:
    """What stands before a hit, the hit, and what stands after it."""
    return written(hit.left), written(hit.hit), written(hit.right)


def line_html(hit: Hit) -> str:
    """A hit as a row of a table in a notebook."""
    left, middle, right, title = map(html.escape, (*sides_of(hit), hit.title or hit.url))
    sides = (("right", left), ("center", f"<b>{middle}</b>"), ("left", right))
    cells = "".join(f'<td style="text-align: {side}; white-space: nowrap">{text}</td>' for side, text in sides)
    return f"<tr>{cells}<td>{title}</td></tr>"


class Lines:
    """Makes lines of hits."""

    def __init__(
        self, corpus: Corpus, tables: Tables, names: Sequence[str], context: Context, marked: Marked | None = None
    ) -> None:
        self._corpus, self._tables = corpus, tables
        self._names, self._context = names, context
        self._marked = marked or Marked({})
        self._written = Written(corpus)

    def lines(self, hits: QueryHits) -> Iterator[Hit]:
        """The hits one after the other; what is needed of their documents is read for a thousand hits at a time."""
        for begin in range(0, len(hits), _AT_ONCE):
            some = hits.only(slice(begin, begin + _AT_ONCE))
            documents = self._corpus.documents.holding(some.first).tolist()
            pages = self._pages({self._corpus.documents.id(number) for number in documents})
            seen: dict[int, _Document] = {}
            for place, number in enumerate(documents):
                if number not in seen:
                    seen = {number: _Document(self._corpus, number, self._written)}
                yield self._line(seen[number], pages, some, place)

    def _line(self, document: _Document, pages: dict[str, tuple[Any, ...]], hits: QueryHits, place: int) -> Hit:
        first = int(hits.first[place]) - document.low
        last = first + int(hits.length[place])
        low, high = document.surroundings(first, last, self._context)
        words = document.words(low, high)
        marked = {name: int(row[place]) - document.low for name, row in zip(self._names, hits.labels, strict=True)}
        url, title, site, at, date, origin = pages[document.id]
        return Hit(
            document.id,
            url,
            title,
            site,
            at,
            position=first,
            start=int(document.starts[first]),
            end=int(document.ends[last - 1]),
            left=words[: first - low],
            hit=words[first - low : last - low],
            right=words[last - low :],
            labels={name: token for name, token in marked.items() if token >= 0},
            date=date,
            date_origin=origin,
            groups=self._marked.names(int(hits.first[place]), last - first),
        )

    def _pages(self, ids: set[str]) -> dict[str, tuple[Any, ...]]:
        self._tables.prepare("dates")
        found = {row[0]: row[1:] for row in self._tables.select(_PAGES, [sorted(ids)])}
        if len(found) < len(ids):
            raise FileNotFoundError("pages that have tokens are not in the tables")
        return found


class _Document:
    """One document of a corpus; places count its tokens."""

    def __init__(self, corpus: Corpus, number: int, strings: Written) -> None:
        self._corpus = corpus
        self._written = strings
        self.id = corpus.documents.id(number)
        self.low, self.high = corpus.documents.range(number)
        self.starts, self.ends = corpus.places(number)

    def surroundings(self, first: int, last: int, context: Context) -> tuple[int, int]:
        """The first token that is shown, and the one past the last."""
        size = self.high - self.low
        if context.unit == "tokens":
            return max(first - context.size, 0), min(last + context.size, size)
        if context.unit == "characters":
            low = int(np.searchsorted(self.ends[:first], self.starts[first] - context.size, side="right"))
            high = int(np.searchsorted(self.starts, self.ends[last - 1] + context.size))
            return min(low, first), max(min(high, size), last)
        begins = np.flatnonzero(self._corpus.flags[self.low : self.high] & SENTENCE)
        before, after = begins[begins <= first], begins[begins >= last]
        return int(before[-1]) if len(before) else 0, int(after[0]) if len(after) else size

    def words(self, first: int, last: int) -> tuple[ConcordanceWord, ...]:
        """The tokens of a range."""
        types = self._corpus.types(slice(self.low + first, self.low + last)).tolist()
        before = self.ends[max(first - 1, 0) : last - 1]
        gaps = np.ones(last - first, dtype=np.bool_)
        gaps[len(gaps) - len(before) :] = self.starts[last - len(before) : last] > before
        return tuple(ConcordanceWord(*self._written[kind], space) for kind, space in zip(types, gaps.tolist(), strict=True))


class Written(dict[int, tuple[str, str, str, str]]):
    """Word, lemma, category and tag of types; those that were asked for are kept, as far as there is room."""

    def __init__(self, corpus: Corpus) -> None:
        super().__init__()
        self._columns = [(corpus.strings(name), corpus.type_of(name)) for name in ("word", "lemma", "category", "tag")]

    def __missing__(self, kind: int) -> tuple[str, str, str, str]:
        if len(self) >= _MOST_KEPT:
            self.clear()
        word, lemma, category, tag = (strings[int(of_type[kind])] for strings, of_type in self._columns)
        found = self[kind] = (word, lemma, category, tag)
        return found
