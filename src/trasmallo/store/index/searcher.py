"""Answers questions from an index: ranked hits with snippets, totals, facets, corrections and counts.

The score is BM25F over all parts of a document (`entries.WEIGHTS`). The best fifty are put in order anew by their scores times
the `boosts` of their documents; those behind them stay as they are, so that pages do not overlap. What it takes is bounded:
a page has at most 1,000 hits and ends within the first 100,000; all hits are given in slices of about 5,000.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache, partial
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from trasmallo.store.index.asking import Asked, Asker, Conjunction, Dictionary, Manner, Mates
from trasmallo.store.index.boosts import Boosts
from trasmallo.store.index.entries import Stored, from_document, schema
from trasmallo.store.index.folder import explained, open_index
from trasmallo.store.index.query import parse
from trasmallo.store.index.snippets import Snippet, find_terms, quote
from trasmallo.store.index.spelling import Listing, near_terms
from trasmallo.store.index.words import terms_of
from trasmallo.values.errors import UsageError
from trasmallo.values.scratch import mirrored

if TYPE_CHECKING:
    import tantivy

Place = tuple[Any, "tantivy.DocAddress"]
"""A score and where the document is."""

FACETS = {"site": "host", "language": "language", "type": "type", "date": "year", "entity": "entity"}
FACETS |= {"folder": "place", "owner": "owner", "from": "sender", "list": "list"}
"""What hits can be counted by, and the field of the index that has it."""

MOST_HITS = 1_000  # judgement: hits of one page; `every` gives all of them
_REORDERED = 50  # judgement: the first hits, which are looked at once more by how near their words stand
_DEEPEST = 100_000  # judgement: tantivy sorts as many hits for the last page
_SLICE = 5_000  # judgement: hits in memory at once when all are streamed
_CHANCES = 1 << 32  # numbers that documents are drawn from, 32 bits
_MOST_VALUES = 20  # judgement: values of a facet that a page has room for
_RARE = 2  # judgement: a word in more documents than this is no slip
_MUCH_MORE = 100  # judgement: how many times more frequent a correction must be
_LONG_WORD = 5  # judgement: letters from which two slips are looked for
_PROCESSED = 20_000  # judgement: documents that C/s looks at, some milliseconds


class HitRequest(msgspec.Struct, frozen=True):
    """What is wanted of the hits: how many from which on, which facets, and how long a snippet (0 is none)."""

    limit: int = 10
    offset: int = 0
    facets: tuple[str, ...] = ()
    snippet: int = 240


class Scored(msgspec.Struct, frozen=True):
    """A document that was found."""

    score: float
    document: Stored
    snippet: Snippet


class FoundHits(msgspec.Struct, frozen=True):
    """An answer: a page of hits, how many there are, and how many of each value of the facets that were asked for."""

    total: int
    hits: tuple[Scored, ...]
    facets: dict[str, dict[str, int]]


class RankedHits(NamedTuple):
    """The places of hits, and how many hits there are."""

    total: int
    places: list[Place]


class DocumentWords(NamedTuple):
    """How many of some words a document has, and the characters of its text, as prepared for the index."""

    words: int
    length: int


class Searcher:
    """One state of an index, the last commit when it was opened. Not for several threads at once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        # tantivy makes a lock file where it reads.
        with explained(folder), mirrored(folder, without=(".lock",)) as place:
            index = open_index(folder, place)
            index.reload()
            self._searcher = index.searcher()
        self._boosts = Boosts.read(folder)
        # What is remembered does not know of this object: threads and files of an index that is not asked any more end at
        # once, not when the collector of cycles comes round.
        self._dictionary = cache(partial(Dictionary, self._searcher))
        self._mates = lru_cache(maxsize=4_096)(_listed_mates)
        self._visible = lru_cache(maxsize=16)(partial(_count_visible, self._searcher, self._dictionary))

    @property
    def documents(self) -> int:
        """How many documents it knows, copies too."""
        return self._searcher.num_docs

    def holds(self, document: str) -> bool:
        """Whether a document is in it, by its id."""
        with explained(self.folder):
            return self._count(self._term("id", document)) > 0

    def visible(self, manner: Manner) -> int:
        """How many documents a reader may find: without copies, unless they are wanted."""
        with explained(self.folder):
            return self._visible(manner.groups, manner.copies, manner.hidden_ids)

    def ask(self, query: str, manner: Manner | None = None, mates: Mates | None = None) -> Asked:
        """The meaning of a query in this index; raises UsageError where it has none."""
        question = parse(query)
        with explained(self.folder):
            return self._asker(manner, mates).ask(question)

    def conjunction(self, query: str, manner: Manner | None = None, mates: Mates | None = None) -> Conjunction:
        """The parts of a query, of which a document must have all; raises UsageError where it has no meaning."""
        question = parse(query)
        with explained(self.folder):
            return self._asker(msgspec.structs.replace(manner or Manner(), all_words=True), mates).conjunction(question)

    def terms(self, words: Sequence[str], manner: Manner | None = None) -> Conjunction:
        """Words that are meant exactly, of which a document must have all."""
        limits = self._asker(manner, None).limits()
        return Conjunction({word: self._all_of([word]) for word in words}, limits)

    def _asker(self, manner: Manner | None, mates: Mates | None) -> Asker:
        known = (lambda term, listing: self._mates(mates, term, listing)) if mates else _no_mates
        return Asker(self._searcher, self._dictionary, known, manner or Manner())

    def search(self, asked: Asked, wanted: HitRequest | None = None) -> FoundHits:
        """A page of the best hits."""
        wanted = wanted or HitRequest()
        _check(wanted)
        with explained(self.folder):
            found = self.rank(asked, wanted.limit, wanted.offset)
            hits = [self._scored(score, place, asked, wanted) for score, place in found.places]
            return FoundHits(found.total, tuple(hits), self._facets(asked.query, wanted.facets))

    def rank(self, asked: Asked, limit: int, offset: int = 0) -> RankedHits:
        """The places of the best hits in their order, and how many hits there are; nothing of the documents is read."""
        if offset >= _REORDERED:
            found = self._searcher.search(asked.query, max(limit, 1), offset=offset)
            return RankedHits(_number(found), found.hits[:limit])
        found = self._searcher.search(asked.query, max(_REORDERED, offset + limit))
        best = self._boosted(found.hits[:_REORDERED]) + found.hits[_REORDERED:]
        return RankedHits(_number(found), best[offset : offset + limit])

    def _boosted(self, hits: list[Place]) -> list[Place]:
        """The best hits with their scores times the boosts of their documents, in the order of these; equals by document."""
        numbers = [int(number or 0) for number in self._searcher.fast_field_values("number", [place for _, place in hits])]
        boosts = self._boosts.values(numbers)
        scores = [score * boost for (score, _), boost in zip(hits, boosts, strict=True)]
        order = sorted(range(len(hits)), key=lambda at: (-scores[at], numbers[at]))
        return [(scores[at], hits[at][1]) for at in order]

    def every(self, asked: Asked, snippet: int = 240) -> Iterator[Scored]:
        """All hits, the best first when they fit in memory; a great many come slice by slice, the best of each first."""
        with explained(self.folder):
            total = self._count(asked.query)
            slices = -(-total // _SLICE)
            wanted = HitRequest(snippet=snippet)
            for number in range(slices):
                low, high = number * _CHANCES // slices, (number + 1) * _CHANCES // slices
                query = asked.query if slices == 1 else self._between(asked.query, low, high)
                found = self._searcher.search(query, 2 * _SLICE)
                for score, place in self._boosted(found.hits):
                    yield self._scored(score, place, asked, wanted)

    def stored(self, document: str, manner: Manner | None = None) -> Stored | None:
        """What is stored of a document, None when there is no such one or the reader may not see it."""
        with explained(self.folder):
            asker = Asker(
                self._searcher,
                self._dictionary,
                _no_mates,
                msgspec.structs.replace(manner or Manner(), copies=True, hidden_ids=()),
            )
            query = asker.only(self._term("id", document))
            found = self._searcher.search(query, 1, count=False).hits
            return from_document(self._searcher.doc(found[0][1])) if found else None

    def suggest(self, asked: Asked) -> dict[str, str]:
        """Words of a question that are (nearly) in no document, nor is another form, each with what it may have meant."""
        with explained(self.folder):
            better = {word: self._better(word, asked) for word in dict.fromkeys(asked.words)}
        return {word: meant for word, meant in better.items() if meant}

    def number_with(self, words: Sequence[str], limits: tantivy.Query | None = None) -> int:
        """In how many documents all of these words are."""
        with explained(self.folder):
            return self._count(self._all_of(words, limits))

    def number_of(self, wanted: Conjunction, names: Sequence[str] = ()) -> int:
        """In how many documents all of these parts of a conjunction are; all there are when none is named."""
        with explained(self.folder):
            return self._count(self._all_parts(wanted, names or tuple(wanted.queries)))

    def number_within(self, wanted: Conjunction, share: float) -> tuple[int, float]:
        """The textbook's C and s: of a share of the documents with the rarest part, how many have all of them.

        Documents are taken in an order that has nothing to do with what they say. At most 20,000 are looked at, so the
        share that is given back may be smaller.
        """
        import tantivy

        names = tuple(wanted.queries)
        with explained(self.folder):
            numbers = {name: self._count(self._all_parts(wanted, (name,))) for name in names}
            rarest = min(names, key=numbers.__getitem__)
            looked_at = min(max(1, round(numbers[rarest] * share)), _PROCESSED)
            order = self._searcher.search(
                self._all_parts(wanted, (rarest,)), looked_at, order_by_field="chance", order=tantivy.Order.Asc, count=False
            )
            if not order.hits:
                return 0, 1.0
            last = int(order.hits[-1][0])
            return self._count(self._between(self._all_parts(wanted, names), 0, last + 1)), len(order.hits) / numbers[rarest]

    def sampled(self, wanted: Conjunction, share: float) -> Conjunction:
        """The same among a share of all documents that has nothing to do with what they say."""
        import tantivy

        if share >= 1:
            return wanted
        everybody = tantivy.Query.all_query() if wanted.limits is None else wanted.limits
        return msgspec.structs.replace(wanted, limits=self._between(everybody, 0, round(share * _CHANCES)))

    def among(self, wanted: Conjunction, languages: Sequence[str], *, others: bool = False) -> Conjunction:
        """The same among documents in some languages, or in all `others` than these."""
        import tantivy

        occur, make = tantivy.Occur, tantivy.Query
        inside = make.boolean_query([(occur.Should, self._term("language", language)) for language in languages])
        everybody = make.all_query() if wanted.limits is None else wanted.limits
        limits = make.boolean_query([(occur.Must, everybody), (occur.MustNot if others else occur.Must, inside)])
        return msgspec.structs.replace(wanted, limits=limits)

    def documents_with_any(self, wanted: Conjunction, most: int) -> list[DocumentWords]:
        """What is known of at most `most` documents that have any part of a conjunction."""
        import tantivy

        occur, make = tantivy.Occur, tantivy.Query
        any_of = [(occur.Should, make.const_score_query(query, 1.0)) for query in wanted.queries.values()]
        limits = [(occur.Must, make.const_score_query(wanted.limits, 0.0))] if wanted.limits is not None else []
        if not any_of:
            return []
        with explained(self.folder):
            query = make.boolean_query([(occur.Must, make.boolean_query(any_of)), *limits])
            hits = self._searcher.search(query, most, count=False).hits
            sizes = self._searcher.fast_field_values("length", [place for _, place in hits])
        return [DocumentWords(round(score), int(size or 0)) for (score, _), size in zip(hits, sizes, strict=True)]

    def numbers_by_length(self, wanted: Conjunction, name: str, bounds: Sequence[int]) -> list[int]:
        """In how many documents a part of a conjunction is, by their `length`: below the first bound and so on."""
        edges = [None, *bounds, None]
        ranges = [_length_range(low, high) for low, high in pairwise(edges)]
        asked = {"by": {"range": {"field": "length", "ranges": ranges}}}
        with explained(self.folder):
            found = self._searcher.aggregate(self._all_parts(wanted, (name,)), asked)
        return [each["doc_count"] for each in found["by"]["buckets"]]

    def has_language(self, language: str) -> bool:
        """Whether a document is in a language."""
        with explained(self.folder):
            return bool(self._dictionary("language").count(language))

    def languages(self, manner: Manner) -> dict[str, int]:
        """How many documents that a reader may find are in each language, the most frequent first."""
        with explained(self.folder):
            everything = Asker(self._searcher, self._dictionary, _no_mates, manner).everything()
            return self._facets(everything, ("language",))["language"]

    def frequent(self, beginning: str = "", most: int = 1_000) -> list[tuple[str, int]]:
        """The terms that are in most documents, and in how many."""
        with explained(self.folder):
            return self._dictionary("words").listing(beginning, most)

    def _scored(self, score: float, place: tantivy.DocAddress, asked: Asked, wanted: HitRequest) -> Scored:
        document = from_document(self._searcher.doc(place))
        if not wanted.snippet:
            return Scored(score, document, Snippet(0, 0, ()))
        terms, places = asked.terms_in(document.language), asked.places_in(document.id)
        return Scored(score, document, quote(document.text, terms, wanted.snippet, places))

    def _count(self, query: tantivy.Query) -> int:
        return _number(self._searcher.search(query, 1, count=True))

    def _term(self, part: str, term: str) -> tantivy.Query:
        import tantivy

        return tantivy.Query.term_query(schema(), part, term, "basic")

    def _all_of(self, words: Sequence[str], limits: tantivy.Query | None = None) -> tantivy.Query:
        import tantivy

        terms = [self._term("words", term) for word in words for term in terms_of(word)] or [tantivy.Query.empty_query()]
        queries = [*terms, *([limits] if limits is not None else [])]
        return tantivy.Query.boolean_query([(tantivy.Occur.Must, query) for query in queries])

    def _all_parts(self, wanted: Conjunction, names: Sequence[str]) -> tantivy.Query:
        import tantivy

        queries = [wanted.queries[name] for name in names] or [tantivy.Query.empty_query()]
        queries += [wanted.limits] if wanted.limits is not None else []
        return tantivy.Query.boolean_query([(tantivy.Occur.Must, query) for query in queries])

    def _has_any(self, terms: Sequence[str], limits: tantivy.Query | None) -> bool:
        """Whether a document that may be seen has one of these terms."""
        return any(self._count(self._all_of([term], limits)) for term in terms)

    def _between(self, query: tantivy.Query, low: int, high: int) -> tantivy.Query:
        """A query among the documents whose chance is in a range; the score stays what it is."""
        import tantivy

        kind = tantivy.FieldType.Unsigned
        inside = tantivy.Query.range_query(schema(), "chance", kind, low, high, include_upper=False)
        must = tantivy.Occur.Must
        return tantivy.Query.boolean_query([(must, query), (must, tantivy.Query.const_score_query(inside, 0.0))])

    def _facets(self, query: tantivy.Query, names: Sequence[str]) -> dict[str, dict[str, int]]:
        if not names:
            return {}
        asked = {name: {"terms": {"field": FACETS[name], "size": _MOST_VALUES}} for name in names}
        found = self._searcher.aggregate(query, asked)
        return {name: {value["key"]: value["doc_count"] for value in found[name]["buckets"]} for name in names}

    def _better(self, word: str, asked: Asked) -> str:
        terms = terms_of(word)
        if len(terms) != 1 or not terms[0].isalpha():
            return ""
        term, words = terms[0], self._dictionary("words")
        known = self.number_with([word], asked.limits)
        if known > _RARE or self._has_any(asked.mates.get(term, ()), asked.limits):
            return ""
        near = near_terms(term, 2 if len(term) >= _LONG_WORD and not known else 1, words.count, words.listing)
        for other, _, number in near[:5]:
            is_form = other in asked.terms or other.startswith(term) or term.startswith(other)
            if number >= max(1, _MUCH_MORE * known) and not (known and is_form) and (told := self._as_written(other, asked)):
                return told
        return ""

    def _as_written(self, term: str, asked: Asked) -> str:
        """A term as a document that may be seen writes it, "" when there is none."""
        import tantivy

        queries = [self._term("words", term), *([asked.limits] if asked.limits is not None else [])]
        query = tantivy.Query.boolean_query([(tantivy.Occur.Must, each) for each in queries])
        for _, place in self._searcher.search(query, 1, count=False).hits:
            document = from_document(self._searcher.doc(place))
            for text in (document.text, document.title):
                for start, end, _ in find_terms(text, [term]):
                    return text[start:end].lower()
        return ""


def _check(wanted: HitRequest) -> None:
    if not 0 <= wanted.limit <= MOST_HITS:
        raise UsageError(
            "a page of {limit:,} hits is too large",
            "ask for at most {most_hits:,}, or for all of them",
            limit=wanted.limit,
            most_hits=MOST_HITS,
        )
    if not 0 <= wanted.offset <= _DEEPEST - wanted.limit:
        raise UsageError(
            "nobody reads hit {offset:,}",
            "pages end at {deepest:,}; ask for all hits instead",
            offset=wanted.offset,
            deepest=_DEEPEST,
        )
    if strange := [name for name in wanted.facets if name not in FACETS]:
        raise UsageError(
            "hits cannot be counted by {strange!r}", "choose among {facets}", strange=strange[0], facets=", ".join(FACETS)
        )


def _length_range(low: int | None, high: int | None) -> dict[str, int]:
    """A range of documents by their length, the upper bound not in it; None is no bound."""
    return {name: bound for name, bound in (("from", low), ("to", high)) if bound is not None}


def _number(found: tantivy.SearchResult) -> int:
    """How many documents a search found, which the stubs of tantivy do not tell."""
    number: int = found.count  # type: ignore[attr-defined]
    return number


def _count_visible(
    searcher: tantivy.Searcher,
    dictionary: Callable[[str], Dictionary],
    groups: tuple[str, ...] | None,
    copies: bool,
    hidden_ids: tuple[str, ...],
) -> int:
    manner = Manner(groups=groups, copies=copies, hidden_ids=hidden_ids)
    return _number(searcher.search(Asker(searcher, dictionary, _no_mates, manner).everything(), 1, count=True))


def _no_mates(term: str, listing: Listing) -> Sequence[str]:  # noqa: ARG001 - the signature of Mates
    return ()


def _listed_mates(mates: Mates, term: str, listing: Listing) -> tuple[str, ...]:
    return tuple(mates(term, listing))
