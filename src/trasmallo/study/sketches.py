"""Word sketches: which words a word governs and is governed by, relation by relation (Kilgarriff and Tugwell, 2001).

Relations are patterns of categories that each language brings (`sketches.toml`): no parser, so they are right more often than
not, and cost little. Matches of one relation are its pairs: a head, a dependent, and for some the word between them, which
divides the relation (*hablar de*, *hablar con*). The strength of a pair is the log-dice of its matches among those of its head
and those of its dependent in the same relation (Rychlý, 2008).

Memory: 16 bytes for each lemma that occurs often enough and each word between, 100 for each of a million tokens, and 8 for each
of the 4 million matches that are sorted together; all matches of a relation are in a file, at 8 bytes each.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from trasmallo.study import languages
from trasmallo.study.association import ContingencyTable
from trasmallo.study.category_patterns import Automaton, Spans, compile_pattern
from trasmallo.study.partition import Partition
from trasmallo.study.sequence_bounds import AT_ONCE, Bounds
from trasmallo.values.arrays import Integers, Mask, Numbers, Whole
from trasmallo.values.decodable import decodable

FILE = "sketches.toml"
_INTRODUCED_OVER = ("DET", "NUM", "ADJ")
"""Categories that may stand between a preposition and the noun that it introduces."""
_FARTHEST = 3
"""How many of them are passed over at most. Judgement: *en todas las grandes ciudades*."""
_SORTED_TOGETHER = 1 << 22
"""Matches that are sorted together in memory. Judgement, as for collocations."""
_LONGEST = 8
"""Tokens of a match at most; the longest pattern of ours has eight."""
_BITS, _MARK_BITS = np.uint64(27), np.uint64(6)
_WORDS, _MARKS = 1 << 27, 1 << 6
"""Lemmas and words between that a match is packed with; those beyond are not told. Languages have fewer prepositions."""


class Relation(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A grammatical relation of a language: its name, the categories of both ends, and what finds it."""

    name: str
    head: str
    dependent: str
    patterns: tuple[str, ...] = ()
    reversed: tuple[str, ...] = ()
    between: str = ""
    not_after: tuple[str, ...] = ()


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    relation: tuple[Relation, ...]


class SketchedTokens(NamedTuple):
    """What relations are looked for in: columns of words (0 is one that is not told) and categories, and their names.

    `words` is how many numbers of words there are, `among` at which tokens a match may begin, None for all.
    """

    word: Numbers
    category: Numbers
    names: Sequence[str]
    bounds: Bounds
    words: int
    among: Numbers | None = None


class RelationPairs(NamedTuple):
    """The pairs of a relation: heads, dependents and the words between (numbers of words; 0 for none), with their counts."""

    relation: Relation
    head: NDArray[np.uint32]
    dependent: NDArray[np.uint32]
    between: NDArray[np.uint32]
    table: ContingencyTable


def relations_of(language: str) -> tuple[Relation, ...]:
    """The relations that a language brings; () for one that has none."""
    return _read(languages.choose(language))


@cache
def _read(code: str) -> tuple[Relation, ...]:
    language = languages.load(code)
    return msgspec.toml.decode(language.content(FILE), type=decodable(_File)).relation if language.has(FILE) else ()


def find_pairs(
    tokens: SketchedTokens, relation: Relation, least: int, scratch: Path | None = None, *, together: int = _SORTED_TOGETHER
) -> RelationPairs:
    """The pairs of a relation that occur often enough, in the order of their numbers."""
    matches = Partition(len(tokens.word) // together | 1, scratch)
    marks = _joining(tokens, relation)
    totals = _Totals(tokens.words, len(marks))
    for head, dependent, mark in _matches(tokens, relation, marks):
        totals.add(head, dependent, mark)
        packed = (head << _BITS | dependent) << _MARK_BITS | mark
        matches.put(packed, packed % np.uint64(matches.parts))
    found = [_counted(matches.take(part).numbers, least) for part in range(matches.parts)]
    packed, joint = (np.concatenate(some) for some in zip(*found, strict=True))
    order = np.argsort(packed)
    return _pairs(relation, packed[order], joint[order], totals, marks)


class _Totals:
    """Matches of each word as a head and as a dependent, by the word between."""

    def __init__(self, words: int, marks: int) -> None:
        self._heads, self._dependents = np.zeros((2, words, marks), dtype=np.int64)
        self.matches = 0

    def add(self, head: Integers, dependent: Integers, mark: Integers) -> None:
        """Count some matches."""
        self.matches += len(head)
        np.add.at(self._heads, (head, mark), 1)
        np.add.at(self._dependents, (dependent, mark), 1)

    def of(self, head: Integers, dependent: Integers, mark: Integers) -> tuple[Whole, Whole]:
        """The matches of these heads and of these dependents with these marks."""
        return self._heads[head, mark], self._dependents[dependent, mark]


def _joining(tokens: SketchedTokens, relation: Relation) -> NDArray[np.uint32]:
    """The most frequent words of the category that joins a relation; the first is none."""
    counts = np.zeros(tokens.words, dtype=np.int64)
    if relation.between in tokens.names:
        wanted = list(tokens.names).index(relation.between)
        for begin in range(0, len(tokens.word), AT_ONCE):
            here = slice(begin, begin + AT_ONCE)
            counts += np.bincount(tokens.word[here][tokens.category[here] == wanted], minlength=tokens.words)
    counts[0] = 0
    order = np.lexsort((np.arange(len(counts)), -counts))[: _MARKS - 1]
    return np.concatenate(([0], order[counts[order] > 0])).astype(np.uint32)


def _counted(packed: NDArray[np.uint64], least: int) -> tuple[NDArray[np.uint64], Whole]:
    """The pairs of two known words that occur often enough, and how often."""
    distinct, counts = np.unique(packed, return_counts=True)
    head, dependent, _ = _unpacked(distinct)
    kept = (counts >= least) & (head > 0) & (dependent > 0)
    return distinct[kept], counts[kept].astype(np.int64)


def _unpacked(packed: NDArray[np.uint64]) -> tuple[NDArray[np.uint64], NDArray[np.uint64], NDArray[np.uint64]]:
    words = packed >> _MARK_BITS
    return words >> _BITS, words & np.uint64(_WORDS - 1), packed & np.uint64(_MARKS - 1)


def _pairs(
    relation: Relation, packed: NDArray[np.uint64], joint: Whole, totals: _Totals, marks: NDArray[np.uint32]
) -> RelationPairs:
    head, dependent, mark = (column.astype(np.int64) for column in _unpacked(packed))
    table = ContingencyTable(joint, *totals.of(head, dependent, mark), max(totals.matches, 1))
    return RelationPairs(relation, head.astype(np.uint32), dependent.astype(np.uint32), marks[mark], table)


def _matches(
    tokens: SketchedTokens, relation: Relation, marks: NDArray[np.uint32]
) -> Iterator[tuple[NDArray[np.uint64], NDArray[np.uint64], NDArray[np.uint64]]]:
    """Heads, dependents and marks of the words between of the matches, some at a time."""
    order = np.argsort(marks)
    for pattern, last_governs in [*((one, False) for one in relation.patterns), *((one, True) for one in relation.reversed)]:
        for spans in _spans(tokens, relation, compile_pattern(pattern, tokens.names)):
            first, last = _words(tokens, spans.first), _words(tokens, spans.first + spans.length - 1)
            between = _between(tokens, relation, spans)
            place = np.minimum(np.searchsorted(marks, between, sorter=order), len(marks) - 1)
            mark = order[place].astype(np.uint64)
            known = marks[mark] == between
            first, last, mark = first[known], last[known], mark[known]
            yield (last, first, mark) if last_governs else (first, last, mark)


def _words(tokens: SketchedTokens, places: Whole) -> NDArray[np.uint64]:
    numbers = tokens.word[places].astype(np.uint64)
    numbers[numbers >= _WORDS] = 0
    return numbers


def _spans(tokens: SketchedTokens, relation: Relation, automaton: Automaton) -> Iterator[Spans]:
    """The longest match that begins at each place, where no other word introduces it."""
    for spans in automaton.find(tokens.category, tokens.bounds, longest=_LONGEST, keep="each", among=tokens.among):
        if relation.not_after and len(spans.first):
            free = ~_introduced(tokens, spans.first, relation.not_after)
            yield Spans(spans.first[free], spans.length[free])
        else:
            yield spans


def _introduced(tokens: SketchedTokens, first: Whole, by: Sequence[str]) -> Mask:
    """Whether a word of such a category introduces each place, over determiners and the like, in its sentence."""
    numbers = {name: number for number, name in enumerate(tokens.names)}
    passed = [numbers[name] for name in _INTRODUCED_OVER if name in numbers]
    wanted = [numbers[name] for name in by if name in numbers]
    low = int(first[0]) - _FARTHEST - 1
    joined = tokens.bounds.joined(max(low, 0), int(first[-1]) + 1)
    at, going = first.copy(), np.ones(len(first), dtype=np.bool_)
    found = np.zeros(len(first), dtype=np.bool_)
    for _ in range(_FARTHEST + 1):
        going &= joined[at - max(low, 0)] & (at > 0)
        at[going] -= 1
        category = tokens.category[at]
        found |= going & np.isin(category, wanted)
        going &= np.isin(category, passed)
    return found


def _between(tokens: SketchedTokens, relation: Relation, spans: Spans) -> NDArray[np.uint64]:
    """The last word of the category that joins each match; 0 where there is none."""
    found = np.zeros(len(spans.first), dtype=np.uint64)
    if relation.between not in tokens.names:
        return found
    wanted = list(tokens.names).index(relation.between)
    for place in range(1, _LONGEST - 1):
        inside = np.flatnonzero(spans.length > place + 1)
        at = spans.first[inside] + place
        joins = tokens.category[at] == wanted
        found[inside[joins]] = _words(tokens, at[joins])
    return found
