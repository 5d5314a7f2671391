"""A concordance: a corpus held open to be asked, by both doors.

Every verb reads the corpus once, some documents at a time. Memory does not grow with the number of hits, except where a sort
needs all of them: then 16 bytes a hit, and at most `MOST_SORTED`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Self, TypeVar

import duckdb
import msgspec
import numpy as np
from numpy.typing import NDArray

from trasmallo.errors import StoreError, UsageError
from trasmallo.project.results.concordance.lines import Hit, Lines, context_of
from trasmallo.project.results.corpora import open_corpus
from trasmallo.project.results.tables import Question, Tables
from trasmallo.project.runs import Run
from trasmallo.study.query.evaluation import Source, search
from trasmallo.study.query.hits import NO_HITS, Hits, Keep
from trasmallo.study.query.machine import labels
from trasmallo.study.query.parsing import is_phrase, parse, phrase
from trasmallo.study.query.syntax import Area, Query
from trasmallo.study.tokenise import columns

MOST_SORTED = 5_000_000

_Answer = TypeVar("_Answer")


class Options(msgspec.Struct, frozen=True):
    """How hits are chosen and shown.

    `where` are conditions on the columns of `pages`, and on `date`; `keep` says which of the hits that begin at the same token
    count; `sample` takes so many of them by chance, always the same with one `seed`; a `limit` of 0 is none.
    """

    where: tuple[str, ...] = ()
    keep: Keep = "all"
    sample: int = 0
    seed: int = 1
    limit: int = 20
    offset: int = 0
    context: str = "8"


class Found(msgspec.Struct, frozen=True):
    """A page of hits. `total` counts all of them exactly, `documents` those that have one; `tokens` is the corpus's size."""

    query: str
    total: int
    documents: int
    tokens: int
    hits: tuple[Hit, ...]


class Concordance:
    """Holds a run's tokens and tables open; use it in a `with` block."""

    def __init__(self, run: Run, language: str) -> None:
        self._run, self._language = run, language
        self._tables = Tables(run)
        self.corpus = open_corpus(run)
        self.source = Source(self.corpus, self._documents_in)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._tables.__exit__(kind, error, trace)

    def read(self, text: str) -> Query:
        """The query in what somebody typed: a word or phrase is cut by the rules of the project's language."""
        return phrase(_words(text, self._language)) if is_phrase(text) else parse(text)

    def find(self, text: str, options: Options | None = None) -> Found:
        """A page of hits, and how many there are of them in all."""
        options = options or Options()
        query = self.read(text)
        chosen = Page(options)
        documents = np.zeros(len(self.corpus.documents), dtype=np.bool_)
        for hits in self.hits(query, options):
            chosen.add(hits)
            documents[self.corpus.documents.holding(hits.first)] = True
        shown = self._guarded(lambda: tuple(self._lines(query, options).lines(chosen.hits())))
        return Found(str(query), chosen.total, int(documents.sum()), len(self.corpus), shown)

    def hits(self, query: Query, options: Options) -> Iterator[Hits]:
        """The hits of a query in order, some at a time."""
        return search(query, self.source, documents=self._documents(options.where), keep=options.keep)

    def _lines(self, query: Query, options: Options) -> Lines:
        return Lines(self.corpus, self._tables, labels(query.pattern), context_of(options.context))

    def _documents(self, where: tuple[str, ...]) -> NDArray[np.bool_] | None:
        """The documents whose pages fulfil conditions, None without any."""
        if not where:
            return None
        question = Question(where=tuple(condition for one in where for condition in _condition(one)), columns=("document",))
        found = self._guarded(lambda: [row[0] for row in self._tables.ask("pages", question)])
        return self.corpus.documents.among(found)

    def _documents_in(self, area: Area) -> NDArray[np.bool_]:
        every = np.ones(len(self.corpus.documents), dtype=np.bool_)
        found = self._documents(tuple(f"{name}{sign}{value}" for name, sign, value in area.conditions))
        return every if found is None else found

    def _guarded(self, read: Callable[[], _Answer]) -> _Answer:
        """What is read from files that somebody may remove meanwhile; the tokens are mapped and stay."""
        try:
            return read()
        except (duckdb.IOException, FileNotFoundError):
            raise StoreError(
                f"{self._run.name} was removed or replaced while it was read", "ask again, or run the project again"
            ) from None


class Page:
    """Takes the hits that are shown out of all hits as they come by, and counts them."""

    def __init__(self, options: Options) -> None:
        self.total = 0
        self._options = options
        self._kept = [NO_HITS]
        self._chance = np.random.default_rng(options.seed)
        self._keys = [np.zeros(0)]

    def add(self, hits: Hits) -> None:
        """The next hits."""
        begin, self.total = self.total, self.total + len(hits)
        if self._options.sample:
            self._draw(hits)
            return
        offset, limit = self._options.offset, self._options.limit
        end = offset + limit if limit else self.total
        if begin < end and self.total > offset:
            self._kept.append(hits.only(slice(max(offset - begin, 0), max(end - begin, 0))))

    def hits(self) -> Hits:
        """Those that are shown."""
        found = joined(self._kept)
        if self._options.sample:
            limit = self._options.limit or len(found)
            found = found.only(np.argsort(found.first, kind="stable"))
            found = found.only(slice(self._options.offset, self._options.offset + limit))
        return found

    def _draw(self, hits: Hits) -> None:
        """Every hit draws a number; the smallest win."""
        self._kept = [joined([*self._kept, hits])]
        keys = np.concatenate((*self._keys, self._chance.random(len(hits))))
        if len(keys) > self._options.sample:
            best = np.sort(np.argpartition(keys, self._options.sample)[: self._options.sample])
            self._kept, keys = [self._kept[0].only(best)], keys[best]
        self._keys = [keys]


def joined(pieces: list[Hits]) -> Hits:
    """Hits one after the other; those without any say nothing of labels."""
    full = [piece for piece in pieces if len(piece)] or [NO_HITS]
    return Hits(*(np.concatenate(columns, axis=-1) for columns in zip(*full, strict=True)))


def _words(text: str, language: str) -> list[str]:
    """The words of a phrase; one with a star is kept together."""
    found: list[str] = []
    for piece in text.split():
        found += [piece] if "*" in piece and piece.replace("*", "").isalnum() else columns(piece, language).words
    return found


_DAY = re.compile(r"date\s*(>=|<=|=|>|<)\s*([0-9]{4}(?:-[0-9]{2}(?:-[0-9]{2})?)?)")


def _condition(text: str) -> tuple[str, ...]:
    """A condition on pages; `site` is their host, and `date` stands for a time in seconds."""
    text = re.sub(r"^\s*site(?=\s*[=!~])", "host", text)
    if not re.match(r"\s*date\b", text):
        return (text,)
    found = _DAY.fullmatch(text.strip())
    if not found:
        raise UsageError(f"{text!r} is no condition on a date", "write it like date>=2026-05, or date=2026-05-31")
    begin, end = _span(found[2])
    within = {"=": (f"at>={begin}", f"at<{end}"), ">=": (f"at>={begin}",), ">": (f"at>={end}",), "<": (f"at<{begin}",)}
    return (within | {"<=": (f"at<{end}",)})[found[1]]


def _span(text: str) -> tuple[float, float]:
    """The seconds at which a day, month or year begins and ends."""
    from datetime import UTC, datetime, timedelta

    try:
        year, month, day = (*map(int, text.split("-")), 0, 0)[:3]
        begin = datetime(year, month or 1, day or 1, tzinfo=UTC)
        end = begin + timedelta(days=1 if day else 32 if month else 367)
        end = end if day else end.replace(day=1) if month else end.replace(month=1, day=1)
    except ValueError:
        raise UsageError(f"{text!r} is no date", "write it like 2026, 2026-05 or 2026-05-31") from None
    return begin.timestamp(), end.timestamp()
