"""How many documents a collection has, told by pairs of words (textbook, 4.2.2), without counting them.

Two words are seldom independent over a whole collection, and two things are to blame before any other: a long document has
both of them rather than a short one, and one in their language rather than one in another. So documents are taken apart by
language and by length; among documents that are alike in both, all pairs of words together are
near to independent. This is how Sekar and Deming (1949) count people from two lists that both miss some.
"""

from __future__ import annotations

import random
from bisect import bisect_right
from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple

from trasmallo.store.index.asking import Conjunction, Manner
from trasmallo.store.index.searcher import DocumentWords, Searcher
from trasmallo.study.estimates import size_from_pairs

_WORDS = 2_000  # words whose pairs tell the size; other as many tell that of the demo within 0.5 % (benchmarks/estimates.py, ±)
_LISTED = 20_000  # judgement: words of the index that these are drawn from
_TRIED = 4_000  # judgement: words that are counted to find those of a language, where several are mixed
_MOST_DOCUMENTS = 20_000  # judgement: documents that are looked at, some tenths of a second
_LEAST_SHARE = 0.05  # judgement: of all documents, in a language that makes a group of its own
_MOST_STRATA = 20  # of a group; 1,060 pages in English (WCXB) are told 34 % too few with 1, 7 % with 10, 5 % with 20
_STRATUM = 10  # judgement: documents of a stratum; smaller ones would tell documents apart one by one, which is counting
_SEED = 20261116  # any number; the same question gets the same answer


class CollectionSize(NamedTuple):
    """How many documents there are, as told by so many pairs of words."""

    documents: float
    pairs: int


class _Group(NamedTuple):
    """So many documents in some languages, or in all `others` than these."""

    languages: tuple[str, ...]
    others: bool
    documents: int


def estimate_collection(searcher: Searcher, manner: Manner, seed: int = _SEED) -> CollectionSize:
    """The number of documents that a reader may find; `seed` draws the words.

    Of many documents a share is looked at that is drawn by chance, and stands for all.
    """
    share = min(1.0, _MOST_DOCUMENTS / max(1, searcher.visible(manner)))
    groups = _groups(searcher.languages(manner), searcher.visible(manner))
    found = [_size_of(searcher, manner, group, share, random.Random(seed)) for group in groups]
    return CollectionSize(sum(one.documents for one in found) / share, sum(one.pairs for one in found))


def _groups(numbers: dict[str, int], documents: int) -> list[_Group]:
    """The languages that have enough documents, and all others: with the most frequent language where they are few."""
    fewest = max(_STRATUM, _LEAST_SHARE * documents)
    large = [language for language, number in numbers.items() if number >= fewest]
    rest = documents - sum(numbers[language] for language in large)
    apart = large if rest >= _STRATUM else large[1:]
    others = documents - sum(numbers[language] for language in apart)
    alone = [_Group((language,), others=False, documents=numbers[language]) for language in apart]
    return [_Group(tuple(apart), others=True, documents=others), *alone]


def _size_of(searcher: Searcher, manner: Manner, group: _Group, share: float, chance: random.Random) -> CollectionSize:
    """The documents of a group, told by words that are in it."""
    words = _candidates(searcher, chance)
    among = searcher.among(searcher.terms(words, manner), group.languages, others=group.others)
    wanted = _present(searcher, searcher.sampled(among, share))
    found = searcher.documents_with_any(wanted, 2 * _MOST_DOCUMENTS)
    size = sum(size_from_pairs(*stratum) for stratum in _strata(searcher, wanted, found))
    return CollectionSize(size, len(wanted.queries) * (len(wanted.queries) - 1) // 2)


def _candidates(searcher: Searcher, chance: random.Random) -> list[str]:
    """Words of the index, be they rare or frequent: without the rarest and the most frequent, sizes are told 1 to 9 % lower."""
    words = [word for word, _ in searcher.frequent(most=_LISTED) if word.isalpha()]
    return chance.sample(words, min(len(words), _TRIED))


def _present(searcher: Searcher, wanted: Conjunction) -> Conjunction:
    """The first words of a conjunction that are in some of the documents."""
    there = (word for word in wanted.queries if searcher.number_of(wanted, (word,)))
    return Conjunction({word: wanted.queries[word] for word in islice(there, _WORDS)}, wanted.limits)


def _strata(
    searcher: Searcher, wanted: Conjunction, found: Sequence[DocumentWords]
) -> list[tuple[Sequence[int], Sequence[int]]]:
    """For documents of about the same length: how many have each word, and how many of the words each has."""
    bounds = _bounds([document.length for document in found])
    numbers = [searcher.numbers_by_length(wanted, word, bounds) for word in wanted.queries]
    words: list[list[int]] = [[] for _ in range(len(bounds) + 1)]
    for document in found:
        words[bisect_right(bounds, document.length)].append(document.words)
    return [([of_word[stratum] for of_word in numbers], words[stratum]) for stratum in range(len(words))]


def _bounds(lengths: Sequence[int]) -> list[int]:
    """What cuts documents by their length into strata of about the same size."""
    ordered = sorted(lengths)
    strata = max(1, min(_MOST_STRATA, len(ordered) // _STRATUM))
    return sorted({ordered[number * len(ordered) // strata] for number in range(1, strata)})
