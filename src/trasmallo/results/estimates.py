"""What the textbook's estimates say of a query or of a whole run, beside the numbers that the index counts."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import combinations
from statistics import median

import msgspec

from trasmallo.results.collection_size import CollectionSize, estimate_collection
from trasmallo.store.index.asking import Conjunction, Manner
from trasmallo.store.index.searcher import Searcher
from trasmallo.study.estimates import (
    by_cooccurrence,
    by_independence,
    by_share,
    relative_error,
    size_from_pair,
)
from trasmallo.values.errors import UsageError

SHARE = 0.2
"""The share of the rarest word's documents that C/s looks at unless another is asked for."""

_MOST_WORDS = 6  # judgement: queries are short
_SEED = 20261116  # any number; the same question gets the same answer
_FEWEST_TOGETHER = 5  # judgement: fewer words make no pairs by chance


class EstimateOptions(msgspec.Struct, frozen=True):
    """The `share` s of the rarest word's documents that C/s looks at, and the two words that tell the collection's size.

    Without a `pair` all pairs of many words do.
    """

    share: float = SHARE
    pair: tuple[str, ...] = ()


class Estimate(msgspec.Struct, frozen=True, kw_only=True):
    """How many documents have all words of a query: `counted`, as `find` does with `all_words`, and estimated in three ways.

    `any_word` is what `find` counts without it. `share` is C/s with the share `s` that was looked at in the end. `documents`
    are all that can be found, `collection` is what `pairs` of words say of their number; `pair` is the one that was chosen.
    """

    words: tuple[str, ...]
    counted: int
    any_word: int
    independence: float
    cooccurrence: float
    share: float
    s: float
    documents: int
    collection: float
    pairs: int
    pair: tuple[str, ...] = ()


class EstimateReport(msgspec.Struct, frozen=True):
    """The median error of each way over many queries of three words, in parts of the truth, and the collection's size."""

    queries: int
    independence: float
    cooccurrence: float
    share: float
    documents: int
    collection: float
    collection_error: float


def estimate(
    searcher: Searcher, wanted: Conjunction, manner: Manner, any_word: int, options: EstimateOptions | None = None
) -> Estimate:
    """The estimates for the parts of a query; raises UsageError when it has none or too many."""
    options = options or EstimateOptions()
    _check(wanted, options)
    documents = searcher.visible(manner)
    found, looked_at = searcher.number_within(wanted, options.share)
    alone, together = _from_frequencies(searcher, wanted, documents)
    collection, pairs = _collection_of(searcher, manner, options.pair)
    return Estimate(
        words=tuple(wanted.queries),
        counted=searcher.number_of(wanted),
        any_word=any_word,
        independence=alone,
        cooccurrence=together,
        share=by_share(found, looked_at),
        s=looked_at,
        documents=documents,
        collection=collection,
        pairs=pairs,
        pair=options.pair,
    )


def report(searcher: Searcher, queries: int = 200, fewest: int = 50) -> EstimateReport:
    """The error of the estimates on a run: queries of three words of middling frequency, with enough results."""
    manner = Manner(groups=None, copies=True)
    asked = _queries(searcher, manner, queries, fewest)
    if not asked:
        raise UsageError(
            "the run is too small to judge estimates by", "have some hundred documents, and words in {fewest}", fewest=fewest
        )
    documents = searcher.visible(manner)
    found = [(estimate_parts(searcher, wanted, documents), searcher.number_of(wanted)) for wanted in asked]
    errors = [[relative_error(value, truth) for value in values] for values, truth in found]
    size, _ = estimate_collection(searcher, manner)
    alone, together, share = (median(column) for column in zip(*errors, strict=True))
    return EstimateReport(
        queries=len(asked),
        independence=alone,
        cooccurrence=together,
        share=share,
        documents=documents,
        collection=size,
        collection_error=relative_error(size, documents),
    )


def estimate_parts(searcher: Searcher, wanted: Conjunction, documents: int) -> tuple[float, float, float]:
    """The three estimates for the parts of a query, among so many documents."""
    return (*_from_frequencies(searcher, wanted, documents), by_share(*searcher.number_within(wanted, SHARE)))


def _check(wanted: Conjunction, options: EstimateOptions) -> None:
    if not 0 < len(wanted.queries) <= _MOST_WORDS:
        problem = "the query has {count} different words that say something"
        how = "estimates are for 1 to {most_words} words"
        raise UsageError(problem, how, count=len(wanted.queries), most_words=_MOST_WORDS)
    if not 0 < options.share <= 1:
        raise UsageError("no share is {share}", "write a number between 0 and 1, such as 0.2", share=options.share)


def _from_frequencies(searcher: Searcher, wanted: Conjunction, documents: int) -> tuple[float, float]:
    """What independence and co-occurrence say."""
    frequencies = {name: searcher.number_of(wanted, (name,)) for name in wanted.queries}
    together = {frozenset(pair): searcher.number_of(wanted, pair) for pair in combinations(wanted.queries, 2)}
    independent = by_independence(list(frequencies.values()), documents)
    return independent, by_cooccurrence(frequencies, together, documents)


def _collection_of(searcher: Searcher, manner: Manner, pair: Sequence[str]) -> CollectionSize:
    if not pair:
        return estimate_collection(searcher, manner)
    wanted = searcher.terms(pair, manner)
    if len(wanted.queries) != 2:
        raise UsageError("a pair has two different words", "write them apart, such as mar viento")
    first, second = (searcher.number_of(wanted, (word,)) for word in wanted.queries)
    return CollectionSize(size_from_pair(first, second, searcher.number_of(wanted)), 1)


def _middling(searcher: Searcher, least: float, most: float) -> list[str]:
    """Words that are in more than one share of the documents and less than another."""
    number = searcher.documents
    frequent = searcher.frequent(most=2_000)
    return [word for word, count in frequent if least * number <= count <= most * number and word.isalpha() and len(word) > 2]


def _queries(searcher: Searcher, manner: Manner, number: int, fewest: int) -> list[Conjunction]:
    """Words that are together in at least `fewest` documents."""
    words = _middling(searcher, 0.03, 0.5)
    chance = random.Random(_SEED)
    found: list[Conjunction] = []
    for _ in range(20 * number) if len(words) > _FEWEST_TOGETHER else ():
        three = searcher.terms(chance.sample(words, 3), manner)
        if searcher.number_of(three) >= fewest:
            found.append(three)
        if len(found) == number:
            break
    return found
