"""A concordance: a corpus held open to be asked, by both doors.

Every verb reads the corpus once, some documents at a time. Memory does not grow with the number of hits, except where a sort
needs all of them: then 16 bytes a hit, and at most `MOST_SORTED`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import islice
from types import TracebackType
from typing import NamedTuple, Protocol, Self, TypeVar

import duckdb
import msgspec
import numpy as np
from numpy.typing import NDArray

from trasmallo.results.builders.key_columns import made_once
from trasmallo.results.concordance.counts import (
    MEASURES,
    Breakdown,
    Collocate,
    Collocates,
    CollocateWindow,
    Distribution,
    HitCounts,
    Part,
    Period,
    function_words,
    part_sql,
)
from trasmallo.results.concordance.entity_spans import entity_columns
from trasmallo.results.concordance.lines import Hit, Lines, context_of, line_html
from trasmallo.results.concordance.marked_lines import Marked, marked_hits
from trasmallo.results.concordance.points import Points, points_of
from trasmallo.results.database.document_dates import between, within
from trasmallo.results.database.planner import Question
from trasmallo.results.database.tables import Tables
from trasmallo.results.run_corpus import open_corpus
from trasmallo.store.line_groups import group_names, groups_stamp, read_group
from trasmallo.store.run_folders import Run
from trasmallo.study.query.evaluation import QueriedCorpus, search
from trasmallo.study.query.hits import NO_HITS, Keep, QueryHits
from trasmallo.study.query.parsing import is_phrase, parse, phrase, unquoted
from trasmallo.study.query.syntax import Area, Query, asks_entities
from trasmallo.study.query.token_automaton import labels
from trasmallo.study.tokenise import columns
from trasmallo.values.errors import StoreDamaged, StoreError, UsageError
from trasmallo.values.messages import Message

MOST_SORTED = 5_000_000  # judgement: 80 MB, at 16 bytes a hit
BY_DATE = "date"
"""What hits are sorted by for the dates of their documents."""

_UNDATED = 100_000_000  # later than any day as the number YYYYMMDD
MOST_HELD = 100_000
"""Hits that are returned at once; `lines` gives them one by one."""

MOST_KEPT = 1_000_000
"""Hits of the last question that are kept in their order, for who scrolls through them. Judgement: 16 MB and labels."""

_Answer = TypeVar("_Answer")


class _Counting(Protocol):
    """Something that takes hits as they come by."""

    def add(self, hits: QueryHits) -> None:
        """The next hits."""


_Taker = TypeVar("_Taker", bound=_Counting)


class Options(msgspec.Struct, frozen=True):
    """How hits are chosen and shown.

    `where` are conditions on the columns of `pages`, and on `date` (see `dates`); `since` and `until` are a year, month or day
    that documents are not before and not after. `keep` says which of the hits that begin at the same token count; `sample`
    takes so many of them by chance, always the same with one `seed`; a `limit` of 0 is none. They come in the order of the
    corpus, or by `sort`: date (those without one last), left, right, hit, or `points` such as "lemma/-1,word/1". Of a document
    come `per_document` at most; of line groups only those of `in_group`, and none of `not_in`.
    """

    where: tuple[str, ...] = ()
    keep: Keep = "all"
    sample: int = 0
    seed: int = 1
    limit: int = 20
    offset: int = 0
    context: str = "8"
    sort: str = ""
    reverse: bool = False
    since: str = ""
    until: str = ""
    per_document: int = 0
    in_group: str = ""
    not_in: tuple[str, ...] = ()

    @property
    def conditions(self) -> tuple[str, ...]:
        """All conditions on documents."""
        return (*self.where, *between("date", self.since, self.until))


class ConcordancePage(msgspec.Struct, frozen=True):
    """A page of hits. `total` counts all of them exactly, `documents` those that have one; `tokens` is the corpus's size."""

    query: str
    total: int
    documents: int
    tokens: int
    hits: tuple[Hit, ...]

    def _repr_html_(self) -> str:
        """The lines as a notebook shows them, the hits below each other."""
        rows = "".join(map(line_html, self.hits))
        told = f"{len(self.hits):,} of {self.total:,} hits in {self.documents:,} documents"
        return f"<table><tbody>{rows}</tbody></table><p>{told}</p>"


class Concordance:
    """Holds a run's tokens and tables open; use it in a `with` block."""

    def __init__(self, run: Run, language: str) -> None:
        self._run, self._language = run, language
        # The tables come later and know all documents of the corpus, and perhaps more.
        self.corpus = open_corpus(run)
        self._tables = Tables(run)
        self.source = QueriedCorpus(self.corpus, self._documents_in)
        self._marked: tuple[object, Marked] = (None, Marked({}))
        self._last_asked: tuple[object, ...] = ()
        self._last_found: _Found | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._tables.__exit__(kind, error, trace)

    def read(self, text: str) -> Query:
        """The query in what somebody typed: a word or phrase, in quotation marks or not, is cut by the project's language."""
        return read_query(text, self._language)

    def find(self, text: str, options: Options | None = None) -> ConcordancePage:
        """A page of hits, and how many there are of them in all."""
        options = options or Options()
        query = self.read(text)
        asked = (str(query), msgspec.structs.replace(options, limit=0, offset=0, context=""), groups_stamp(self._run.project))
        if asked != self._last_asked or not options.limit:
            self._last_asked, self._last_found = asked, None
        found = self._last_found or self._found(query, options)
        shown = self._guarded(lambda: tuple(self._lines(query, options).lines(found.page(options))))
        return ConcordancePage(str(query), found.total, found.documents, len(self.corpus), shown)

    def _found(self, query: Query, options: Options) -> _Found:
        """The hits of a page, counted; all of them in their order are kept for the next page where they are not too many."""
        every = HitsKept(MOST_KEPT)
        page = self._page(query, options, MOST_HELD)
        documents = np.zeros(len(self.corpus.documents), dtype=np.bool_)
        for hits in self.hits(query, options):
            page.add(hits)
            every.add(hits)
            documents |= np.diff(np.searchsorted(hits.first, self.corpus.documents.bounds)) > 0
        total, number = page.total, int(documents.sum())
        if every.hits is None:
            return _Found(total, number, options.offset, page.hits())
        whole = self._page(query, msgspec.structs.replace(options, limit=0, offset=0), MOST_SORTED)
        whole.add(every.hits)
        self._last_found = _Found(total, number, 0, whole.hits())
        return self._last_found

    def lines_at(self, text: str, places: Collection[tuple[str, int, int]], options: Options | None = None) -> Iterator[Hit]:
        """Those of the hits that stand at some places: documents, and where they begin and end in the text."""
        options = msgspec.structs.replace(options or Options(), sort="", sample=0)
        query, wanted = self.read(text), frozenset(places)
        lines = self._lines(query, options)
        among = self.corpus.documents.among([document for document, _, _ in wanted])
        for hits in self.hits(query, options):
            some = hits.only(among[self.corpus.documents.holding(hits.first)])
            yield from (hit for hit in self._each(lines.lines(some)) if (hit.document, hit.start, hit.end) in wanted)

    def lines(self, text: str, options: Options | None = None) -> Iterator[Hit]:
        """The hits one by one, however many there are; without a sort or a sample they come while they are found."""
        options = options or Options()
        query = self.read(text)
        lines = self._lines(query, options)
        if options.sort or options.sample:
            page = self._page(query, options, MOST_SORTED)
            for hits in self.hits(query, options):
                page.add(hits)
            yield from self._each(lines.lines(page.hits()))
            return
        last = options.offset + options.limit if options.limit else None
        yield from islice(self._each(self._streamed(query, options, lines)), options.offset, last)

    def _streamed(self, query: Query, options: Options, lines: Lines) -> Iterator[Hit]:
        for hits in self.hits(query, options):
            yield from lines.lines(hits)

    def breakdown(self, text: str, points: str, options: Options | None = None) -> HitCounts:
        """How often each value stands at some points of the hits, from frequent to rare; see `points`."""
        query = self.read(text)
        names = labels(query.pattern)
        chosen = points_of(points, names)
        rows = tuple(self._fed(Breakdown(self.corpus, names, chosen), query, options).rows())
        return HitCounts(str(query), tuple(map(str, chosen)), rows)

    def collocates(
        self, text: str, attribute: str = "lemma", window: CollocateWindow | None = None, options: Options | None = None
    ) -> list[Collocate]:
        """What stands near the hits, from strong to weak."""
        (point, *_) = points_of(attribute, ())
        window = window or CollocateWindow()
        if window.measure not in MEASURES:
            raise UsageError(
                "there is no measure {measure!r}",
                "choose one of {measures}",
                measure=window.measure,
                measures=", ".join(MEASURES),
            )
        found = list(self._fed(Collocates(self.corpus, point.column, window), self.read(text), options).rows())
        return self.content_words(found, attribute) if window.content else found

    def content_words(self, near: Sequence[Collocate], attribute: str = "lemma") -> list[Collocate]:
        """Those of some collocates that are no function words of the run's languages; of categories none is."""
        (point, *_) = points_of(attribute, ())
        if point.column not in ("word", "lemma"):
            return list(near)
        made = made_once(
            self.corpus, f"function {point.column}s of {self._language}", lambda: self._function_words(point.column)
        )
        return [one for one in near if one.value not in made]

    def _function_words(self, column: str) -> frozenset[str]:
        from trasmallo.study.stop_lists import standard_of

        counts = {language: len(some) for language, some in self.corpus.documents.languages().items()}
        found = function_words(self.corpus, column, standard_of(self._language, counts).words)
        return frozenset(self.corpus.strings(column).texts(np.flatnonzero(found).tolist()))

    def distribution(self, text: str, by: Period = "site", options: Options | None = None) -> list[Part]:
        """How hits are spread over documents, sites, languages or periods of time."""
        options = options or Options()
        spread = Distribution(self.corpus, self._documents(options.conditions))
        self._tables.prepare("dates")
        sql = f"SELECT document, {part_sql(by)} FROM all_pages LEFT JOIN dates USING (document)"  # noqa: S608 - as part_sql says
        parts: dict[str, str] = self._guarded(lambda: dict(self._tables.select(sql)))
        return list(self._fed(spread, self.read(text), options).rows(parts, every=by != "document"))

    def hits(self, query: Query, options: Options) -> Iterator[QueryHits]:
        """The hits of a query in order, some at a time."""
        source = self._with_entities() if asks_entities(query) else self.source
        found = search(query, source, documents=self._documents(options.conditions), keep=options.keep)
        if options.in_group or options.not_in:
            found = self._of_groups(found, options)
        return self._of_each_document(found, options) if options.per_document else found

    def _of_groups(self, found: Iterator[QueryHits], options: Options) -> Iterator[QueryHits]:
        """The hits of a group, without those of others; raises NotFound for a group that there is not."""
        known = group_names(self._run.project)
        for name in filter(None, (options.in_group, *options.not_in)):
            if name not in known:
                read_group(self._run.project, name)
        marked = self.marked()
        for hits in found:
            chosen = marked.among(hits, options.in_group) if options.in_group else np.ones(len(hits), dtype=np.bool_)
            for name in options.not_in:
                chosen &= ~marked.among(hits, name)
            yield hits.only(chosen)

    def _of_each_document(self, found: Iterator[QueryHits], options: Options) -> Iterator[QueryHits]:
        """So many hits of each document, drawn by chance as the seed says; others belong to the same documents every time."""
        for hits in found:
            yield hits.only(some_of_each(self.corpus.documents.holding(hits.first), options.per_document, options.seed))

    def marked(self) -> Marked:
        """The hits that somebody put into line groups, as they are now."""
        project = self._run.project
        stamp = groups_stamp(project)
        if self._marked[0] != stamp:
            groups = {name: read_group(project, name) for name in group_names(project)}
            self._marked = (stamp, self._guarded(lambda: marked_hits(self.corpus, self._tables, groups)))
        return self._marked[1]

    def _with_entities(self) -> QueriedCorpus:
        """The corpus whose tokens know their entities: made when somebody asks for them first."""
        return QueriedCorpus(self._guarded(lambda: entity_columns(self.corpus, self._tables)), self._documents_in)

    def _fed(self, taker: _Taker, query: Query, options: Options | None) -> _Taker:
        """Something that counts, after all hits came by; or those of the sample, when one is asked for."""
        options = options or Options()
        if options.sample:
            page = self._page(query, msgspec.structs.replace(options, limit=0, offset=0, sort=""), MOST_SORTED)
            for hits in self.hits(query, options):
                page.add(hits)
            taker.add(page.hits())
            return taker
        for hits in self.hits(query, options):
            taker.add(hits)
        return taker

    def _page(self, query: Query, options: Options, most: int) -> HitPage:
        names = labels(query.pattern)
        if options.sort == BY_DATE:
            return HitPage(options, lambda hits: self._by_date(hits, reverse=options.reverse), most)
        points = points_of(options.sort, names) if options.sort else ()
        found = Points(self.corpus, names)
        return HitPage(options, lambda hits: found.order(points, hits, reverse=options.reverse), most)

    def _by_date(self, hits: QueryHits, *, reverse: bool) -> NDArray[np.intp]:
        """The order of hits by the dates of their documents; those without one come last, either way."""
        self._tables.prepare("dates")
        found = self._guarded(lambda: self._tables.select("SELECT document, date FROM dates WHERE date <> ''"))
        days = {document: int(day.replace("-", "")) for document, day in found}
        distinct, places = np.unique(self.corpus.documents.holding(hits.first), return_inverse=True)
        told = [days.get(self.corpus.documents.id(number), 0) for number in distinct.tolist()]
        keys = np.array([(-day if reverse else day) if day else _UNDATED for day in told], dtype=np.int64)
        return np.argsort(keys[places], kind="stable")

    def _each(self, lines: Iterator[Hit]) -> Iterator[Hit]:
        while (hit := self._guarded(lambda: next(lines, None))) is not None:
            yield hit

    def _lines(self, query: Query, options: Options) -> Lines:
        return Lines(self.corpus, self._tables, labels(query.pattern), context_of(options.context), self.marked())

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
            found = read()
            if self._run.folder.exists():
                return found
        except (duckdb.IOException, FileNotFoundError):
            pass
        except StoreDamaged:
            if self._run.folder.exists():
                raise
        raise StoreError(
            "{name} was removed or replaced while it was read", "ask again, or run the project again", name=self._run.name
        )


def read_query(text: str, language: str) -> Query:
    """The query in what somebody typed; a word or phrase is cut as its language does. Raises QueryError."""
    text = unquoted(text)
    return phrase(_words(text, language)) if is_phrase(text) else parse(text)


class HitsKept:
    """Keeps all hits as they come by, None from so many on."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._pieces: list[QueryHits] = [NO_HITS]
        self._number = 0

    def add(self, hits: QueryHits) -> None:
        """The next hits."""
        self._number += len(hits)
        if self._number > self._most:
            self._pieces = []
        elif self._pieces:
            self._pieces.append(hits)

    @property
    def hits(self) -> QueryHits | None:
        """All of them."""
        return joined(self._pieces) if self._pieces else None


class _Found(NamedTuple):
    """Hits of a question in their order, from the `begin`-th on; how many there are in all, and documents that have one."""

    total: int
    documents: int
    begin: int
    hits: QueryHits

    def page(self, options: Options) -> QueryHits:
        """Those that are shown."""
        low = options.offset - self.begin
        return self.hits.only(slice(low, low + options.limit if options.limit else None))


class HitPage:
    """Takes the hits that are shown out of all hits as they come by, and counts them."""

    def __init__(self, options: Options, order: Callable[[QueryHits], NDArray[np.intp]], most: int) -> None:
        self.total = 0
        self._options = options
        self._order = order
        self._most = most
        self._kept = [NO_HITS]
        self._held = 0
        self._chance = np.random.default_rng(options.seed)
        self._keys = [np.zeros(0)]

    def add(self, hits: QueryHits) -> None:
        """The next hits."""
        begin, self.total = self.total, self.total + len(hits)
        if self._options.sample:
            self._draw(hits)
            return
        offset, limit = (0, 0) if self._options.sort else (self._options.offset, self._options.limit)
        end = offset + limit if limit else self.total
        if begin < end and self.total > offset:
            self._kept.append(hits.only(slice(max(offset - begin, 0), max(end - begin, 0))))
            self._held += len(self._kept[-1])
            self._check()

    def hits(self) -> QueryHits:
        """Those that are shown."""
        found = joined(self._kept)
        if self._options.sort:
            found = found.only(self._order(found))
        if self._options.sort or self._options.sample:
            limit = self._options.limit or len(found)
            found = found.only(slice(self._options.offset, self._options.offset + limit))
        return found

    def _check(self) -> None:
        most = MOST_SORTED if self._options.sort else self._most
        if self._held > most:
            what = Message("be sorted") if self._options.sort else Message("be held at once")
            raise UsageError(
                "more than {most:,} hits cannot {what}",
                "take a --sample or a --limit, or all of them with --format jsonl",
                most=most,
                what=what,
            )

    def _draw(self, hits: QueryHits) -> None:
        """Every hit draws a number; the smallest win."""
        self._kept = [joined([*self._kept, hits])]
        keys = np.concatenate((*self._keys, self._chance.random(len(hits))))
        if len(keys) > self._options.sample:
            best = np.sort(np.argpartition(keys, self._options.sample)[: self._options.sample])
            self._kept, keys = [self._kept[0].only(best)], keys[best]
        self._keys = [keys]


def some_of_each(documents: NDArray[np.int64], most: int, seed: int) -> NDArray[np.bool_]:
    """Which hits are kept when so many of each document are drawn; `documents` holds the document of each, in order."""
    begins = np.flatnonzero(np.diff(documents, prepend=-1))
    sizes = np.diff(np.append(begins, len(documents)))
    kept = np.repeat(sizes <= most, sizes)
    for begin, size in zip(begins[sizes > most].tolist(), sizes[sizes > most].tolist(), strict=True):
        chance = np.random.default_rng((seed, int(documents[begin])))
        kept[begin + chance.choice(size, most, replace=False)] = True
    return kept


def joined(pieces: list[QueryHits]) -> QueryHits:
    """Hits one after the other; those without any say nothing of labels."""
    full = [piece for piece in pieces if len(piece)] or [NO_HITS]
    return QueryHits(*(np.concatenate(columns, axis=-1) for columns in zip(*full, strict=True)))


def _words(text: str, language: str) -> list[str]:
    """The words of a phrase; one with a star is kept together."""
    found: list[str] = []
    for piece in text.split():
        found += [piece] if "*" in piece and piece.replace("*", "").isalnum() else columns(piece, language).words
    return found


_DAY = re.compile(r"date\s*(>=|<=|=|>|<)\s*([^\s<>=]+)")


def _condition(text: str) -> tuple[str, ...]:
    """A condition on pages; `site` is their host, and a `date` may be a year or month."""
    text = re.sub(r"^\s*site(?=\s*[=!~])", "host", text)
    if not re.match(r"\s*date\s*[=<>]", text):
        return (text,)
    found = _DAY.fullmatch(text.strip())
    if not found:
        raise UsageError("{text!r} is no condition on a date", "write it like date>=2026-05, or date=2026-05-31", text=text)
    return within("date", found[1], found[2])
