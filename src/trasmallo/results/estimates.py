"""What the textbook's estimates say of a query or of a whole run, beside the numbers that the index counts."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import combinations
from statistics import median

import msgspec

from trasmallo.store.index.query import parse
from trasmallo.store.index.searcher import Searcher
from trasmallo.store.index.words import shown, terms_of
from trasmallo.study.estimates import by_cooccurrence, by_independence, by_share, collection_size, relative_error
from trasmallo.values.errors import UsageError

SHARE = 0.2
"""The share of the rarest word's documents that C/s looks at."""

_MOST_WORDS = 6  # judgement: queries are short
_PAIRS = 200  # with as many, benchmarks/estimates.py finds the size of a collection 12 % off
_SEED = 20261116  # any number; the same question gets the same answer
_FEWEST_TOGETHER = 5  # judgement: fewer words make no pairs by chance


class Estimate(msgspec.Struct, frozen=True):
    """How many documents have all words of a query: counted, and estimated in three ways, `share` being C/s."""

    words: tuple[str, ...]
    counted: int
    independence: float
    cooccurrence: float
    share: float
    documents: int
    collection: float


class EstimateReport(msgspec.Struct, frozen=True):
    """The median error of each way over many queries of three words, in parts of the truth, and the collection's size."""

    queries: int
    independence: float
    cooccurrence: float
    share: float
    documents: int
    collection: float
    collection_error: float


def estimate(searcher: Searcher, query: str) -> Estimate:
    """The estimates for the plain words of a query; raises UsageError when it has less than two or too many."""
    words = list(dict.fromkeys(term for text in parse(query).texts() for term in terms_of(text.text)))
    if not 1 < len(words) <= _MOST_WORDS:
        problem = "the query has {count} different words"
        raise UsageError(problem, "estimates are for 2 to {most_words} words", count=len(words), most_words=_MOST_WORDS)
    told, counted = tuple(map(shown, words)), searcher.number_with(words)
    alone, together, share = estimate_words(searcher, words)
    return Estimate(
        words=told,
        counted=counted,
        independence=alone,
        cooccurrence=together,
        share=share,
        documents=searcher.documents,
        collection=estimate_collection(searcher),
    )


def estimate_collection(searcher: Searcher) -> float:
    """The number of documents, from pairs of words of middling frequency that chance put together."""
    words = _middling(searcher, 0.02, 0.3)
    chance = random.Random(_SEED)
    pairs = [chance.sample(words, 2) for _ in range(_PAIRS)] if len(words) > 1 else []
    counted = [(searcher.number_with([a]), searcher.number_with([b]), searcher.number_with([a, b])) for a, b in pairs]
    return collection_size(counted)


def report(searcher: Searcher, queries: int = 200, fewest: int = 50) -> EstimateReport:
    """The error of the estimates on a run: queries of three words of middling frequency, with enough results."""
    asked = _queries(searcher, queries, fewest)
    if not asked:
        raise UsageError(
            "the run is too small to judge estimates by", "have some hundred documents, and words in {fewest}", fewest=fewest
        )
    found = [(estimate_words(searcher, words), searcher.number_with(words)) for words in asked]
    errors = [[relative_error(value, truth) for value in values] for values, truth in found]
    size = estimate_collection(searcher)
    alone, together, share = (median(column) for column in zip(*errors, strict=True))
    documents = searcher.documents
    return EstimateReport(
        queries=len(asked),
        independence=alone,
        cooccurrence=together,
        share=share,
        documents=documents,
        collection=size,
        collection_error=relative_error(size, documents),
    )


def estimate_words(searcher: Searcher, words: Sequence[str]) -> tuple[float, float, float]:
    """The three estimates for some words."""
    frequencies = {word: searcher.number_with([word]) for word in words}
    together = {frozenset(pair): searcher.number_with(pair) for pair in combinations(words, 2)}
    independent = by_independence(list(frequencies.values()), searcher.documents)
    return (
        independent,
        by_cooccurrence(frequencies, together, searcher.documents),
        by_share(*searcher.number_within(words, SHARE)),
    )


def _middling(searcher: Searcher, least: float, most: float) -> list[str]:
    """Words that are in more than one share of the documents and less than another."""
    number = searcher.documents
    frequent = searcher.frequent(most=2_000)
    return [word for word, count in frequent if least * number <= count <= most * number and word.isalpha() and len(word) > 2]


def _queries(searcher: Searcher, number: int, fewest: int) -> list[list[str]]:
    """Words that are together in at least `fewest` documents."""
    words = _middling(searcher, 0.03, 0.5)
    chance = random.Random(_SEED)
    found: list[list[str]] = []
    for _ in range(20 * number) if len(words) > _FEWEST_TOGETHER else ():
        three = chance.sample(words, 3)
        if searcher.number_with(three) >= fewest:
            found.append(three)
        if len(found) == number:
            break
    return found
