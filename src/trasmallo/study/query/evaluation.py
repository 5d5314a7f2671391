"""Finds the hits of a query: from its rarest token outwards, some documents at a time, in the order of the corpus.

A hit is any range of tokens of one document that the sequence describes; two hits may overlap, none is told twice.
Memory: 5 bytes for each type and condition, and some 100 bytes for each hit of the documents that are looked at together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from trasmallo.study.query.automaton_walk import MOST_ROWS, Crowded, Ends, Walker, WalkRange
from trasmallo.study.query.columns import CorpusColumns
from trasmallo.study.query.conditions import Conditions, Wanted
from trasmallo.study.query.hits import NO_HITS, NO_LABELS, Keep, QueryHits, around, inside, kept, ordered
from trasmallo.study.query.query_errors import QueryError
from trasmallo.study.query.syntax import (
    ATTRIBUTES,
    Agreement,
    Area,
    Condition,
    Either,
    One,
    Pattern,
    PatternSequence,
    Query,
    Repeat,
    Restriction,
)
from trasmallo.study.query.token_automaton import TokenAutomaton, elements, labels, mirrored
from trasmallo.study.query.work_limit import WorkLimit, steps
from trasmallo.study.sequence_bounds import AT_ONCE
from trasmallo.values.arrays import Integers, Mask, Whole

DENSE = 1 / 6
"""Share of the tokens above which looking at every token is faster than reading their places from lists and sorting these."""
DENSE_CATEGORY = 1 / 64
"""The same of categories, whose places are not kept in lists but looked for. Judgement."""
_MOST_LISTED = 8_000_000
"""Places that are read from lists at most: 64 MB. Judgement."""
_TOGETHER = 1 << 20
"""Places from which sequences are walked at once: some 8 MB a column. Judgement."""
_MOST_INNER = 5_000_000
"""Hits of an inner part that are kept at most: 80 MB. Judgement."""
_SENTENCE = 1
"""The flag of a token that begins a sentence."""

_Integer = TypeVar("_Integer", bound=np.integer)
Chosen = Callable[[Area], Mask]
"""Which documents an area of the query means."""


class QueriedCorpus:
    """A corpus that is asked several things; `chosen` says which documents the conditions of an area mean."""

    def __init__(
        self, columns: CorpusColumns, chosen: Chosen | None = None, *, most_ways: int = MOST_ROWS, most_steps: int = 0
    ) -> None:
        """A question takes at most `most_steps`, what the size of the corpus allows when 0; see `work_limit`."""
        self.columns = columns
        self.most_ways = most_ways
        self.most_steps = most_steps
        self.conditions = Conditions(columns)
        self.chosen = chosen

    def limit(self) -> WorkLimit:
        """What one question may take."""
        return WorkLimit(self.most_steps) if self.most_steps else WorkLimit.of_corpus(len(self.columns))


def search(
    query: Query,
    source: QueriedCorpus,
    *,
    documents: Mask | None = None,
    keep: Keep = "all",
    work: WorkLimit | None = None,
) -> Iterator[QueryHits]:
    """The hits of a query in the documents that a mask leaves, in order, some at a time; `work` is what it may still take."""
    found = _Search(query, source, documents, work or source.limit())
    plain = keep == "all" and (found.fixed or not found.names)
    try:
        for hits in found.batches():
            some = hits if plain else kept(hits, keep)
            if len(some):
                yield some
    finally:
        source.columns.release()


class _Anchor(NamedTuple):
    """The token of the sequence that is looked for first, with what stands before and after; None: any first token."""

    wanted: Wanted
    before: tuple[Pattern, ...]
    token: One | None
    after: tuple[Pattern, ...]


class _Ways(NamedTuple):
    """How it goes on from the token that was looked for first, which is None when it is any first one."""

    token: One | None
    before: TokenAutomaton
    after: TokenAutomaton
    walker: Walker


class _Search:
    """One query on one corpus."""

    def __init__(self, query: Query, source: QueriedCorpus, documents: Mask | None, work: WorkLimit) -> None:
        self._query, self._source, self._work = query, source, work
        self._columns = source.columns
        self._bounds = source.columns.documents.bounds
        self._parts = elements(query.pattern)
        self.names = labels(query.pattern)
        self.fixed = all(isinstance(part, One) for part in self._parts)
        self._known: dict[Condition, Wanted] = {}
        self._stay = any(_is_in_sentence(one) for one in query.restrictions)
        self._documents = self._allowed(documents)
        self._check_labels()

    def batches(self) -> Iterator[QueryHits]:
        """Hits in order, also those of one range with several choices of labelled tokens that agree."""
        filters = self._filters()
        for hits in self._fixed() if self.fixed else self._general():
            for held in (*self._agreements(), *filters):
                hits = hits.only(held(hits))
            yield hits

    # What is looked for.

    def _wanted(self, condition: Condition) -> Wanted:
        if condition not in self._known:
            self._known[condition] = self._source.conditions.wanted(condition)
        return self._known[condition]

    def _check_labels(self) -> None:
        for agreement in self._query.agreements:
            for label in (agreement.first, agreement.second):
                if label not in self.names:
                    there = "there are {names}" if self.names else 'write one like 1:[pos="NOUN"]'
                    raise QueryError("no token has the label {label!r}", there, label=label, names=", ".join(self.names))

    def _allowed(self, documents: Mask | None) -> Mask | None:
        for one in self._query.restrictions:
            if isinstance(one.target, Area) and one.target.structure == "doc":
                if one.kind != "within" or self._source.chosen is None:
                    raise QueryError("documents can only be what hits are within", 'write within <doc language="es"/>')
                mask = self._source.chosen(one.target)
                mask = ~mask if one.negated else mask
                documents = mask if documents is None else documents & mask
        return documents

    # Where to begin.

    def _anchor(self) -> _Anchor:
        """The rarest token that every hit has, or all tokens that a hit can begin with."""
        machine = self._machine(self._parts)
        first = _Anchor(self._wanted(_either(machine)), (), None, tuple(self._parts))
        found = [first, *self._anchors()]
        return min(found, key=lambda anchor: (anchor.wanted.frequency, anchor.token is None))

    def _anchors(self) -> Iterator[_Anchor]:
        for place, part in enumerate(self._parts):
            before, after = tuple(self._parts[:place]), tuple(self._parts[place + 1 :])
            if isinstance(part, One):
                yield _Anchor(self._wanted(part.condition), before, part, after)
            elif isinstance(part, Repeat) and part.least and isinstance(part.part, One):
                rest = (Repeat(part.part, part.least - 1, part.most - 1),) if part.most > 1 else ()
                yield _Anchor(self._wanted(part.part.condition), before, part.part, (*rest, *after))

    def _machine(self, parts: list[Pattern] | tuple[Pattern, ...]) -> TokenAutomaton:
        machine = _automaton(PatternSequence(tuple(parts)))
        for move in (move for moves in machine.moves for move in moves):
            self._wanted(move.condition)
        return machine

    def _is_listed(self, wanted: Wanted) -> bool:
        """Whether lists of positions are the faster way to tokens; a category has many of them."""
        share = DENSE if wanted.categories is None else DENSE_CATEGORY
        return wanted.frequency <= min(share * len(self._columns), _MOST_LISTED)

    def _seeds(self, wanted: Wanted, most: int) -> Iterator[Whole]:
        """The tokens that fulfil a condition, in order, those of some documents at a time."""
        positions = None
        if self._is_listed(wanted):
            positions = self._columns.positions(wanted.types)
        if positions is None:
            for low, high in self._stretches(min(most, AT_ONCE)):
                yield self._chosen(np.flatnonzero(wanted.holds(slice(low, high))) + low)
            return
        positions.sort()
        places = self._chosen(positions)
        ends = np.searchsorted(places, self._bounds[1:].astype(places.dtype))  # of two types all would be copied
        cuts = [0, *np.unique(ends[np.searchsorted(ends, np.arange(most, len(places), most))]).tolist(), len(places)]
        yield from (places[low:high].astype(np.int64) for low, high in pairwise(cuts) if high > low)

    def _stretches(self, tokens: int) -> Iterator[tuple[int, int]]:
        """Ranges of whole documents, about so many tokens each, without those where none is allowed."""
        size = len(self._columns)
        cuts = np.unique(self._bounds[np.searchsorted(self._bounds, np.arange(0, size, tokens))])
        for low, high in pairwise([*cuts.tolist(), size] if size else []):
            if low < high and self._any_allowed(low, high):
                yield low, high

    def _any_allowed(self, low: int, high: int) -> bool:
        if self._documents is None:
            return True
        first, last = np.searchsorted(self._bounds, [low, high])
        return bool(self._documents[first:last].any())

    def _document(self, tokens: Integers) -> Whole:
        return np.searchsorted(self._bounds, tokens, side="right") - 1

    def _chosen(self, tokens: NDArray[_Integer]) -> NDArray[_Integer]:
        """Those of some tokens that are in allowed documents."""
        return tokens if self._documents is None else tokens[self._documents[self._document(tokens)]]

    # Sequences of single tokens.

    def _fixed(self) -> Iterator[QueryHits]:
        wanted = [self._wanted(part.condition) for part in self._parts if isinstance(part, One)]
        rarest = min(range(len(wanted)), key=lambda place: wanted[place].frequency)
        if not self._is_listed(wanted[rarest]) and any(one.categories is not None for one in wanted):
            found = self._by_categories(wanted)
        else:
            seeds = self._seeds(wanted[rarest], _TOGETHER)
            found = (self._verified(some - rarest if rarest else some, wanted, rarest) for some in seeds)
        for first in found:
            yield QueryHits(first, np.broadcast_to(np.int64(len(wanted)), first.shape), self._marked(first))

    def _marked(self, first: Whole) -> Whole:
        """The labelled tokens of hits that are single tokens in a row; of several with one label the last one counts."""
        place = {part.label: place for place, part in enumerate(self._parts) if isinstance(part, One)}
        return np.stack([first + place[name] for name in self.names]) if self.names else NO_LABELS

    def _by_categories(self, wanted: list[Wanted]) -> Iterator[Whole]:
        """Where categories stand side by side, and then the rest of the conditions."""
        for low, high in self._stretches(AT_ONCE):
            held = self._unbroken(low, high, wanted)
            first = self._chosen(np.flatnonzero(held) + low)
            for place, one in enumerate(wanted):
                if one.categories is None and not one.every:
                    first = first[one.holds(first + place)]
            yield first

    def _unbroken(self, low: int, high: int, wanted: list[Wanted]) -> Mask:
        """For the tokens of a range whether the categories fit from there on, in one document or, if asked, in one sentence."""
        places = [place for place, one in enumerate(wanted) if one.categories is not None]
        size = high - low
        held = wanted[places[0]].holds(slice(min(low + places[0], high), high))
        held = np.concatenate((held, np.zeros(size - len(held), dtype=np.bool_))) if len(held) < size else held
        for place in places[1:]:
            held[: max(size - place, 0)] &= wanted[place].holds(slice(min(low + place, high), high))
        inner = self._bounds[np.searchsorted(self._bounds, low, side="right") : np.searchsorted(self._bounds, high) + 1]
        inside = (self._columns.flags[low:high] & _SENTENCE) == 0 if self._stay else None
        for reach in range(1, len(wanted)):
            before = inner - low - reach
            held[before[before >= 0]] = False
            if inside is not None:
                held[: max(size - reach, 0)] &= inside[reach:]
        return held

    def _verified(self, first: Whole, wanted: list[Wanted], known: int) -> Whole:
        """Those of some places at which all conditions hold; that of the token `known` does."""
        if len(wanted) > 1:
            document = self._document(first + known)
            first = first[(first >= self._bounds[document]) & (first + len(wanted) <= self._bounds[document + 1])]
        for place in sorted(range(len(wanted)), key=lambda place: wanted[place].frequency):
            if place != known and not wanted[place].every:
                first = first[wanted[place].holds(first + place)]
        if self._stay:
            for place in range(1, len(wanted)):
                first = first[(self._columns.flags[first + place] & _SENTENCE) == 0]
        return first

    # All other sequences.

    def _general(self) -> Iterator[QueryHits]:
        if any(not needed.wanted.frequency for needed in self._anchors()):
            return
        anchor = self._anchor()
        ways = _Ways(
            anchor.token,
            self._machine([mirrored(part) for part in anchor.before[::-1]]),
            self._machine(anchor.after),
            Walker(
                self._columns, self._known, self.names, stay=self._stay, most=self._source.most_ways, spend=self._work.spend
            ),
        )
        most = max(_TOGETHER // (ways.before.longest + ways.after.longest + 1), 1)
        for seeds in self._seeds(anchor.wanted, most):
            yield from self._followed(seeds, ways)

    def _followed(self, seeds: Whole, ways: _Ways) -> Iterator[QueryHits]:
        """The hits around some tokens; where that are too many at once, of half of the documents first."""
        document = self._document(seeds)
        try:
            yield self._around(seeds, document, ways)
        except Crowded:
            middle = int(np.searchsorted(document, document[len(document) // 2]))
            middle = middle or int(np.searchsorted(document, document[0], side="right"))
            if middle == len(seeds):
                raise
            yield from self._followed(seeds[:middle], ways)
            yield from self._followed(seeds[middle:], ways)

    def _around(self, seeds: Whole, document: Whole, ways: _Ways) -> QueryHits:
        low, high = self._bounds[document], self._bounds[document + 1]
        there = ways.token is not None
        ahead = ways.walker.walk(ways.after, WalkRange(seeds + there, low, high), back=False, free=not there)
        behind = ways.walker.walk(ways.before, WalkRange(seeds - 1, low, high), back=True)
        own = self.names.index(ways.token.label) if ways.token is not None and ways.token.label else None
        hits = _joined(seeds, behind, ahead, there=there, own=own)
        self._work.spend(steps(len(hits), len(self.names)))
        return ordered(hits.only(hits.length > 0))

    # What hits must fulfil besides.

    def _agreements(self) -> Iterator[Callable[[QueryHits], Mask]]:
        return (lambda hits, one=one: self._agree(one, hits) for one in self._query.agreements)  # type: ignore[misc]

    def _agree(self, agreement: Agreement, hits: QueryHits) -> Mask:
        """Whether the labelled tokens have the same value; where one of them is not there, nothing is fulfilled."""
        tokens = [hits.labels[self.names.index(label)] for label in (agreement.first, agreement.second)]
        there = (tokens[0] >= 0) & (tokens[1] >= 0)
        one, other = (ATTRIBUTES[name] for name in agreement.attributes)
        first, second = (
            self._columns.type_of(attribute)[self._columns.types(some[there])]
            for attribute, some in zip((one, other), tokens, strict=True)
        )
        same = first == (second if one == other else self._translated(second, other, one))
        there[there] = ~same if agreement.negated else same
        return np.asarray(there)

    def _translated(self, numbers: Integers, attribute: str, into: str) -> Whole:
        """Numbers of strings of an attribute as those that another has for the same strings, -1 for none."""
        distinct, places = np.unique(numbers, return_inverse=True)
        texts, known = self._columns.strings(attribute), self._columns.strings(into)
        found = [known.find(texts[number]) for number in distinct.tolist()]
        return np.array([-1 if number is None else number for number in found], dtype=np.int64)[places]

    def _filters(self) -> list[Callable[[QueryHits], Mask]]:
        """What remains of the restrictions once sentences and documents have been obeyed on the way."""
        found = []
        for one in self._query.restrictions:
            if isinstance(one.target, Area) and (one.target.structure == "doc" or _is_in_sentence(one)):
                continue
            others = self._sentences if isinstance(one.target, Area) else self._inner(one.target)
            found.append(_placed(one, others))
        return found

    @cached_property
    def _sentences(self) -> QueryHits:
        begins = self._columns.sentences
        return QueryHits(begins, np.diff(begins, append=len(self._columns)), NO_LABELS)

    def _inner(self, query: Query) -> QueryHits:
        """All hits of a query inside the query."""
        found, number = [NO_HITS], 0
        for hits in search(query, self._source, documents=self._documents, work=self._work):
            found.append(hits)
            number += len(hits)
            if number > _MOST_INNER:
                raise QueryError(
                    "the part behind within or containing has more than {most_inner:,} hits",
                    "make that part rarer",
                    most_inner=_MOST_INNER,
                )
        first, length = (np.concatenate([getattr(hits, name) for hits in found]) for name in ("first", "length"))
        return QueryHits(first, length, NO_LABELS)


@lru_cache(maxsize=512)
def _automaton(pattern: PatternSequence) -> TokenAutomaton:
    """The automaton of a sequence, which never changes: patterns of entities are asked of every document."""
    return TokenAutomaton(pattern)


def _is_in_sentence(one: Restriction) -> bool:
    return one.kind == "within" and not one.negated and one.target == Area("s")


def _placed(one: Restriction, others: QueryHits) -> Callable[[QueryHits], Mask]:
    compare = inside if one.kind == "within" else around
    return lambda hits: compare(hits, others) != one.negated


def _either(machine: TokenAutomaton) -> Condition:
    """What the first token of a hit can be."""
    return Either(tuple(dict.fromkeys(move.condition for move in machine.moves[0])))


def _joined(seeds: Whole, behind: Ends, ahead: Ends, *, there: bool, own: int | None) -> QueryHits:
    """Every way back from a seed with every way on; `there` counts the seed itself, which may have a label of its `own`."""
    ways_on = np.bincount(ahead.place, minlength=len(seeds))
    times = ways_on[behind.place]
    if (number := int(times.sum())) > _MOST_INNER:
        raise Crowded
    back = np.repeat(np.arange(len(times)), times)
    serial = np.arange(number) - np.repeat(np.cumsum(times) - times, times)
    place = behind.place[back]
    on = np.argsort(ahead.place, kind="stable")[(np.cumsum(ways_on) - ways_on)[place] + serial]
    marked = NO_LABELS
    if len(behind.labels):
        marked = behind.labels[:, back]
        if own is not None:
            marked[own] = seeds[place]
        # Of several tokens with one label the last one counts.
        marked = np.where(ahead.labels[:, on] < 0, marked, ahead.labels[:, on])
    return QueryHits(seeds[place] - behind.taken[back], behind.taken[back] + there + ahead.taken[on], marked)
