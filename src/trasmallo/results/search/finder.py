"""Search in a run: who may see what, which language, which index, and what becomes of an index that cannot be used."""

from __future__ import annotations

import math
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache, lru_cache
from pathlib import Path
from typing import TypeVar

import msgspec

from trasmallo.clean.formats.registry import searched_types
from trasmallo.config import StudyConfig
from trasmallo.events import Emit
from trasmallo.results.estimates import Estimate, EstimateOptions, estimate
from trasmallo.results.originals import read_record
from trasmallo.results.run_corpus import known_copies, open_corpus
from trasmallo.results.search.indexing import FINISHED, LIVE, LiveIndex, build_index
from trasmallo.results.search.lemma_search import LemmaSearch
from trasmallo.results.search.pushed_index import PUSHED, begin_empty, follow_pushes, pushed_documents
from trasmallo.store import run_folders
from trasmallo.store.index.asking import Asked, Manner, Mates
from trasmallo.store.index.entries import Stored
from trasmallo.store.index.folder import why_unusable
from trasmallo.store.index.lemma_use import LemmaUse
from trasmallo.store.index.query import Filter, parse
from trasmallo.store.index.searcher import HitRequest, Scored, Searcher
from trasmallo.store.index.snippets import Snippet
from trasmallo.store.index.spelling import Listing
from trasmallo.store.index.words import hidden, shown, terms_of
from trasmallo.store.parts import finished_parts
from trasmallo.store.pushed import early_parts, pushed_parts
from trasmallo.store.run_cache import cache_of, make_cache
from trasmallo.store.run_folders import Run
from trasmallo.values.atomic_files import remove
from trasmallo.values.errors import NoResults, StoreDamaged, StoreError, UsageError
from trasmallo.values.language_tags import primary

Result = TypeVar("Result")

_SECONDS_A_LOOK = 0.5
"""The longest time that a question waits for the index of a run that goes on; the next one adds the rest. Judgement."""

_SECONDS_LATER = 5.0
"""The same where nobody waits for it."""

_SECONDS_BETWEEN_LOOKS = 2.0
"""How old an answer about a run that goes on may be. Judgement: people read for longer."""

_LANGUAGES = 32  # judgement: languages whose stemmers are kept at hand, more than anybody asks in

_SHORTEST_STEM = 3
"""Letters of a stem whose words are looked for. Judgement: shorter ones have too many."""

_LISTED = 500
"""Words of the index that are compared with a stem. Judgement: no stem has as many."""

_MOST_HIDDEN = 20_000
"""Copies that are left out of the answers about a run that goes on. Judgement: a condition of some MB."""


class Hit(msgspec.Struct, frozen=True):
    """A document that was found; `copies` are near copies of it that are not listed, `day` is its date as YYYY-MM-DD."""

    document: str
    url: str
    title: str
    language: str
    media: str
    day: str
    score: float
    copies: int
    snippet: Snippet


class Results(msgspec.Struct, frozen=True):
    """A page of hits, and what is known of all of them.

    `total` counts all hits and `documents` all documents that could be one; `suggestion` is the query with its misspelt words
    corrected, "" when there is nothing to correct; `facets` has the number of hits by value of each name that was asked for.
    Where a query keeps to a language in which no document is, `absent` is that language, and `languages` has how many documents
    are in which.
    """

    query: str
    run: str
    total: int
    documents: int
    offset: int
    hits: tuple[Hit, ...]
    facets: dict[str, dict[str, int]]
    suggestion: str
    absent: str = ""
    languages: dict[str, int] = {}


class Reader(msgspec.Struct, frozen=True):
    """Who asks, and how.

    `groups` are those that the reader is in, None for somebody who may see everything; `all_words` wants every word in each
    hit; `copies` lists near copies too; `language` is that of the words, the project's when empty.
    """

    groups: tuple[str, ...] | None = ()
    all_words: bool = False
    copies: bool = False
    language: str = ""


class Finder:
    """Answers questions about one run, also while it grows: each answer is that of the last commit."""

    def __init__(
        self,
        run: Run,
        study: StudyConfig,
        language: str,
        emit: Emit,
        *,
        is_idle: Callable[[], bool],
        later: bool = False,
        early: Callable[[Run], Mapping[str, Path]] = lambda _run: {},
    ) -> None:
        """`is_idle` says that nobody works on the project, so that all that is missing in the index must be added at once.

        With `later` what is new in a run that goes on is added by a thread, where there is an index to be asked meanwhile.
        `early` has parts of documents that a run which goes on will have when it ends, for who asks about this run.
        """
        self._early = early
        self._later = later
        self._looking = threading.Lock()
        self._run = run
        self._study = study
        self._language = language
        self._emit = emit
        self._is_idle = is_idle
        self._cache = cache_of(run)
        self._searcher: Searcher | None = None
        self._seen: tuple[Path, float] | None = None
        self._distrusted: Path | None = None
        self._next_look = 0.0
        self._pushes: dict[str, Path] = {}
        self._lemmas: LemmaSearch | None = None

    def find(self, query: str, wanted: HitRequest | None = None, reader: Reader | None = None) -> Results:
        """The best hits of a query; raises UsageError in one line where it has no meaning."""
        wanted, reader = wanted or HitRequest(), reader or Reader()
        return self._trying(lambda searcher: self._answer(searcher, query, wanted, reader))

    def every(self, query: str, reader: Reader | None = None, snippet: int = 240) -> Iterator[Hit]:
        """All hits of a query, streamed."""
        searcher = self._trying(lambda found: found)
        asked = self._ask(searcher, query, reader or Reader())
        return (_hit(found) for found in searcher.every(asked, snippet))

    def cached(self, document: str, reader: Reader | None = None) -> Stored:
        """What is stored of a document by its id; raises UsageError when there is none that the reader may see."""
        manner = Manner(groups=(reader or Reader()).groups)
        found = self._trying(lambda searcher: searcher.stored(document, manner))
        if found is None:
            raise UsageError("there is no document {document!r}", "see them with: trasmallo list DIR pages", document=document)
        return found

    def documents(self, reader: Reader | None = None) -> int:
        """How many documents a reader could find."""
        return self._trying(lambda searcher: searcher.visible(self._manner(searcher, reader or Reader())))

    def estimate(self, query: str, reader: Reader | None = None, options: EstimateOptions | None = None) -> Estimate:
        """How many documents have all words of a query, counted and estimated; raises UsageError where that has no meaning."""
        return self._trying(lambda searcher: self._estimate(searcher, query, reader or Reader(), options))

    def searcher(self) -> Searcher:
        """The index as it is now."""
        return self._trying(lambda found: found)

    def _answer(self, searcher: Searcher, query: str, wanted: HitRequest, reader: Reader) -> Results:
        asked = self._ask(searcher, query, reader)
        found = searcher.search(asked, wanted)
        better = searcher.suggest(asked) or self._better_lemmas(searcher, query, reader)
        absent, languages = self._absent(searcher, query, reader) if not found.total else ("", {})
        return Results(
            query=query,
            run=self._run.name,
            total=found.total,
            documents=searcher.visible(self._manner(searcher, reader)),
            offset=wanted.offset,
            hits=tuple(map(_hit, found.hits)),
            facets=found.facets,
            suggestion=_corrected(query, better),
            absent=absent,
            languages=languages,
        )

    def _better_lemmas(self, searcher: Searcher, query: str, reader: Reader) -> dict[str, str]:
        """The lemmas that may have been meant, if they find anything that the reader may see."""
        better = self._with_lemmas(query) if "lemma:" in query.lower() else {}
        if not better or not searcher.search(self._ask(searcher, _corrected(query, better), reader), HitRequest(limit=0)).total:
            return {}
        return better

    def _absent(self, searcher: Searcher, query: str, reader: Reader) -> tuple[str, dict[str, int]]:
        """A language that a query keeps to and no document is in, with the languages there are; "" and none without one."""
        wanted, there = _language_in(query), searcher.languages(self._manner(searcher, reader))
        return (wanted, there) if wanted and wanted not in there else ("", {})

    def _estimate(self, searcher: Searcher, query: str, reader: Reader, options: EstimateOptions | None) -> Estimate:
        manner, mates = self._meant(searcher, query, reader)
        any_of_them = searcher.ask(query, msgspec.structs.replace(manner, all_words=False), mates)
        any_word = searcher.search(any_of_them, HitRequest(limit=0)).total
        return estimate(searcher, searcher.conjunction(query, manner, mates), manner, any_word, options)

    def _ask(self, searcher: Searcher, query: str, reader: Reader) -> Asked:
        return searcher.ask(query, *self._meant(searcher, query, reader))

    def _meant(self, searcher: Searcher, query: str, reader: Reader) -> tuple[Manner, Mates | None]:
        """How a query is taken, and who knows the other forms of its words."""
        from trasmallo.study import languages

        asked_for = _language_in(query)
        if reader.language:
            languages.check_known(reader.language)
        if asked_for and not searcher.has_language(asked_for):
            languages.check_known(asked_for)
        language = reader.language or asked_for or self._language
        manner = msgspec.structs.replace(self._manner(searcher, reader), stop=_stopwords(language), language=primary(language))
        return manner, stem_mates(language)

    def _manner(self, searcher: Searcher, reader: Reader) -> Manner:
        return Manner(
            all_words=reader.all_words,
            groups=reader.groups,
            copies=reader.copies,
            hidden_ids=() if reader.copies or self._knows_copies(searcher.folder) else self._copies(),
            types=searched_types(),
            lemmas=self._lemma_use,
        )

    def _lemma_search(self) -> LemmaSearch:
        """Who knows where lemmas stand in the state that is asked."""
        if self._lemmas is None:
            self._lemmas = LemmaSearch(open_corpus(self._run), pushed_documents(self._pushes))
        return self._lemmas

    def _lemma_use(self, lemma: str, exact: bool) -> LemmaUse:
        return self._lemma_search().use(lemma, exact)

    def _with_lemmas(self, query: str) -> dict[str, str]:
        """The words of a query that are asked for as lemmas and are none, each with its lemma."""
        asked = {text.text for text in parse(query).texts() if text.part == "lemma"}
        unknown = (word for word in asked if not self._lemma_search().use(word).documents)
        return {word: lemma for word in unknown if (lemma := self._lemma_search().lemma_of(word))}

    def _knows_copies(self, index: Path) -> bool:
        return index.name == FINISHED or (index.name == PUSHED and self._is_complete())

    def _copies(self) -> tuple[str, ...]:
        """Copies that are known while a run goes on; the index of a finished run knows them itself."""
        return tuple(known_copies(self._run))[:_MOST_HIDDEN]

    def _trying(self, ask: Callable[[Searcher], Result]) -> Result:
        """Ask the index; one that turns out to be damaged is built again, once, in the run's cache."""
        self._follow()
        try:
            return ask(self._open())
        except StoreDamaged as damage:
            self._check_there()
            self._make_again(damage.problem)
            return ask(self._open())

    def _make_again(self, cause: str) -> None:
        """Have another index in the place of the one that is damaged; the run's own stays as it is, and is not asked again."""
        self._searcher = None
        remove(self._cache / PUSHED)
        if not self._is_complete():
            remove(self._cache / LIVE)
            self._next_look = 0.0
            self._catch_up()
            return
        self._distrusted = self._run.folder / FINISHED
        self._build(cause)

    def _is_complete(self) -> bool:
        """Whether a run has all its documents, so that one index of them is enough."""
        return self._run.finished or (self._run.folder / FINISHED).exists()

    def _follow(self) -> None:
        """Have the index of a run that goes on follow it, and forget the one that is open when a later state is there."""
        self._catch_up()
        stamps = (folder / "stamp.json" for folder in self._places())
        seen = next(((path, path.stat().st_mtime) for path in stamps if path.exists()), None)
        pushes = self._pending_pushes()
        if seen != self._seen or pushes != self._pushes:
            self._searcher, self._lemmas, self._seen, self._pushes = None, None, seen, pushes

    def _pending_pushes(self) -> dict[str, Path]:
        """What hubs pushed and feeds told since, if this run is the collection as it is now."""
        early = dict(self._early(self._run))
        if not self._is_complete():
            return early
        found = {**pushed_parts(self._run.project), **early_parts(self._run.project)}
        current = run_folders.last_completed(self._run.project / "runs") if found else None
        return {**early, **found} if current is not None and current.name == self._run.name else early

    def _places(self) -> Iterator[Path]:
        """Where an index may be, the best first: the run's own, one built in its place, that of a run that goes on."""
        places = (self._run.folder / FINISHED, self._cache / FINISHED, self._cache / LIVE)
        return (place for place in places if place != self._distrusted)

    def _open(self) -> Searcher:
        if self._searcher is None:
            base = self._usable()
            self._searcher = Searcher(follow_pushes(base, make_cache(self._run), self._pushes) if self._pushes else base)
        return self._searcher

    def _usable(self) -> Path:
        """An index that can be used; that of a finished run is built where there is none."""
        self._check_there()
        own = self._run.folder / FINISHED
        cause = why_unusable(own)
        if own != self._distrusted and not cause:
            remove(self._cache / LIVE)
            return own
        if self._is_complete():
            if why_unusable(self._cache / FINISHED):
                self._build(cause or "the index is damaged")
            return self._cache / FINISHED
        if why_unusable(self._cache / LIVE) and self._pushes:
            begin_empty(make_cache(self._run) / LIVE)
        if why_unusable(self._cache / LIVE):
            raise NoResults("{name} has no documents yet", "ask again when some have been read", name=self._run.name)
        return self._cache / LIVE

    def _check_there(self) -> None:
        if not self._run.folder.exists():
            raise StoreError("{folder} was removed", "ask for a run that is still there", folder=self._run.folder)

    def _catch_up(self) -> None:
        """Take in what a run has read and not indexed; one that goes on may merge parts under our eyes, and ends perhaps."""
        if time.monotonic() < self._next_look or self._is_complete() or not finished_parts(self._run.parts):
            return
        self._cache = make_cache(self._run)
        if self._is_idle():
            self._look(math.inf)
        elif not self._later or why_unusable(self._cache / LIVE):
            self._look(_SECONDS_A_LOOK)
        elif not self._looking.locked():
            threading.Thread(target=self._look, args=(_SECONDS_LATER,), daemon=True).start()

    def _look(self, seconds: float) -> None:
        live = LiveIndex(self._run, self._cache / LIVE)
        with self._looking:
            try:
                with suppress(FileNotFoundError):
                    live.look(seconds)
            finally:
                live.close()
                self._next_look = time.monotonic() + _SECONDS_BETWEEN_LOOKS

    def _build(self, cause: str) -> None:
        from trasmallo.results.database.tables import Tables

        self._cache = make_cache(self._run)
        with Tables(self._run, self._study) as tables:
            build_index(self._run, tables, self._emit, cause, self._cache)


def read_stored(store: Path, url: str) -> bytes:
    """The content of the page at an address, from the archive; raises UsageError when it is not there."""
    from trasmallo.store.archive import ArchiveReader
    from trasmallo.store.catalog import Catalog

    with Catalog(store / "catalog", read_only=True) as catalog, ArchiveReader(store / "archive") as archive:
        fetch = catalog.stored(url)
        content = read_record(archive, fetch).content() if fetch and fetch.locator else None
    if content is None:
        raise UsageError("the page {url} is not in the archive", "crawl it again", url=url)
    return content


@lru_cache(_LANGUAGES)
def stem_mates(language: str) -> Mates | None:
    """Finds the words of the index that have the stem of a word in a language; None for a language without a stemmer.

    The same one each time: an index remembers what it has found by whom it asked.
    """
    from trasmallo.study import languages
    from trasmallo.study.stem import snowball_of

    known, stemmer = languages.find(language), snowball_of(language)
    if known is None or stemmer is None:
        return None
    accented = known.description.accented

    def stem_of(term: str) -> str:
        word = shown(term)
        for plain, marked in accented:
            if word.endswith(plain):
                word = word[: -len(plain)] + marked
        return stemmer(word)

    return _mates(stem_of)


def _mates(stem_of: Callable[[str], str]) -> Mates:
    def mates(term: str, listing: Listing) -> Sequence[str]:
        stem = stem_of(term)
        beginning = "".join(terms_of(stem)) or hidden(stem)
        if len(beginning) < _SHORTEST_STEM or not term.isalpha():
            return ()
        return [other for other, _ in listing(beginning, _LISTED) if other != term and stem_of(other) == stem]

    return mates


@cache
def _stopwords(language: str) -> frozenset[str]:
    from trasmallo.study.stop_lists import standard

    return frozenset(term for word in standard(language).words for term in terms_of(word))


def _language_in(query: str) -> str:
    """The language that a query keeps to."""
    filters = (clause.what for clause in parse(query).clauses if clause.sign != "-")
    return next((what.value for what in filters if isinstance(what, Filter) and what.name == "language"), "")


def _corrected(query: str, better: dict[str, str]) -> str:
    """A query with other words in the place of some, "" when there are none."""
    if not better:
        return ""
    words = "|".join(map(re.escape, sorted(better, key=len, reverse=True)))
    return re.sub(rf"(?<!\w)(?:{words})(?!\w)", lambda found: better[found[0]], query)


def obtained_on(at: float) -> str:
    """The day on which a page was obtained, "" where nobody told."""
    return time.strftime("%Y-%m-%d", time.gmtime(at)) if at > 0 else ""


def _hit(found: Scored) -> Hit:
    document, day = found.document, str(found.document.day)
    return Hit(
        document=document.id,
        url=document.url,
        title=document.title,
        language=document.language,
        media=document.media,
        day=f"{day[:4]}-{day[4:6]}-{day[6:]}" if document.day else obtained_on(document.at),
        score=round(found.score, 4),
        copies=document.copies,
        snippet=found.snippet,
    )
