"""Learning names and patterns of a kind from some of its names (seeds), with the evidence for each.

What stands beside the seeds is looked for in the whole corpus: the lemmas before, behind, and on both sides. Each such
neighbourhood is a pattern, which may stand beside other names too; a pattern is trusted by how many of the names that it stands
beside are seeds (Riloff, 1996), a name by the patterns that it was met in. Nothing is taken over: a person accepts or rejects.

Names have the shape of the seeds: where these are mostly written large, runs of words with a capital letter; else single words
of the categories that seeds have.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial

import msgspec
import numpy as np

from trasmallo.study.entities.name_lists import fold
from trasmallo.study.query.columns import CorpusColumns
from trasmallo.study.query.syntax import quoted
from trasmallo.values.arrays import Integers, Mask, Whole

MOST_SPANS = 3_000_000
"""Places of names that are looked at, from the beginning of the corpus. Judgement: some 300 MB."""
_AT_ONCE = 1 << 20  # judgement: tokens whose arrays take some 30 MB
_FEWEST_SEEDS = 2
"""Different seeds that a pattern stands beside. Judgement: one alone proves nothing."""
_MOST_PATTERNS = 200  # judgement: more than anybody reads
_LONGEST_RUN = 6  # judgement: words of a name
_BITS = 30  # lemmas are fewer than 2 ** 30, so two and the side fit into 63 bits
_NONE = (1 << _BITS) - 1
"""The number of the lemma beyond a sentence."""
_BEFORE, _TWO_BEFORE, _BEHIND, _AROUND = range(4)
_SIDES = (_BEFORE, _TWO_BEFORE, _BEHIND, _AROUND)
_NOUNS = ("NOUN", "PROPN")
"""Rare nouns are taken for names at times."""
_AROUND_EXAMPLE = 6  # judgement: tokens on both sides of an example


class LearntPattern(msgspec.Struct, frozen=True):
    """What stands beside names of the kind, as queries; it stands beside `seeds` of them and beside `others`."""

    before: str
    after: str
    seeds: int
    others: int
    score: float


class LearntName(msgspec.Struct, frozen=True):
    """A name that stands where seeds do: how often, how sure, the patterns it was met in, and an example."""

    name: str
    count: int
    score: float
    patterns: tuple[str, ...]
    example: str


class SeedLearning(msgspec.Struct, frozen=True):
    """What was learnt: how often seeds were met, patterns and names, the surest first, and the query that names answer to."""

    met: int
    shape: str
    patterns: tuple[LearntPattern, ...]
    names: tuple[LearntName, ...]


class _Spans(msgspec.Struct, frozen=True):
    """Places where a name of the shape stands, the numbers of their names, and their neighbourhoods by side."""

    first: Whole
    last: Whole
    owner: Whole
    near: tuple[Whole, ...]


def learn(columns: CorpusColumns, seeds: Collection[str], *, known: Collection[str] = (), limit: int = 100) -> SeedLearning:
    """What the neighbourhoods of seeds tell; names in `known` are not offered again. Case and accents do not count."""
    wanted, past = {fold(one) for one in seeds}, {fold(one) for one in known}
    large = sum(one[:1].isupper() for one in seeds) * 2 > len(seeds)
    categories = () if large else _categories(columns, wanted)
    names, spans = _spans(columns, categories, large=large)
    keys = [fold(name) for name in names]
    is_seed = np.array([key in wanted for key in keys], np.bool_)
    met = int(is_seed[spans.owner].sum()) if len(names) else 0
    patterns = _patterns(spans, is_seed)
    shape = '[word="\\p{Lu}.*"]+' if large else f"[pos={quoted('|'.join(categories), literal=False)}]"
    return SeedLearning(
        met=met,
        shape=shape,
        patterns=tuple(_told(columns, one) for one in patterns),
        names=tuple(_names(columns, names, spans, patterns, partial(_is_new, keys, wanted | past), limit)),
    )


def _is_new(keys: Sequence[str], past: Collection[str], number: int) -> bool:
    return keys[number] not in past


def _categories(columns: CorpusColumns, wanted: Collection[str]) -> tuple[str, ...]:
    """The categories that single words among the seeds have in the corpus; of nouns both common and proper ones."""
    words, types = columns.strings("word"), columns.type_of("word")
    numbers = np.array([number for number in range(len(words)) if fold(words[number]) in wanted], np.uint32)
    found = np.unique(columns.type_of("category")[np.isin(types, numbers)]).tolist()
    names = {columns.strings("category")[number] for number in found}
    return tuple(sorted(names | (set(_NOUNS) if names.intersection(_NOUNS) else set())))


def _spans(columns: CorpusColumns, categories: Sequence[str], *, large: bool) -> tuple[list[str], _Spans]:
    """The distinct names of the shape, and where each stands with what is beside it."""
    fits, lemma_of = _fitting(columns, categories, large=large), columns.type_of("lemma")
    starts = np.append(columns.sentences, len(columns))
    pieces: list[_Spans] = []
    numbers: dict[tuple[int, ...], int] = {}
    for low, high in _ranges(columns):
        types = columns.types(slice(low, high))
        first, last = _runs(fits[types], starts, low, large=large)
        owner = [numbers.setdefault(tuple(columns_key), len(numbers)) for columns_key in _keys(types, first - low, last - low)]
        near = _near(lemma_of[types].astype(np.int64), first - low, last - low, _edges(starts, low, high))
        pieces.append(_Spans(first, last, np.array(owner, np.int64), near))
        columns.release()
        if sum(len(one.first) for one in pieces) > MOST_SPANS:
            break
    return _named(columns, numbers, _joined(pieces))


def _keys(types: Integers, first: Whole, last: Whole) -> Iterator[list[int]]:
    listed = types.tolist()
    return (listed[low:high] for low, high in zip(first.tolist(), last.tolist(), strict=True))


def _joined(pieces: Sequence[_Spans]) -> _Spans:
    def joined(arrays: list[Whole]) -> Whole:
        return np.concatenate(arrays) if arrays else np.zeros(0, np.int64)

    near = tuple(joined([one.near[side] for one in pieces]) for side in _SIDES)
    return _Spans(
        joined([one.first for one in pieces]), joined([one.last for one in pieces]), joined([one.owner for one in pieces]), near
    )


def _named(columns: CorpusColumns, numbers: dict[tuple[int, ...], int], spans: _Spans) -> tuple[list[str], _Spans]:
    """The same with one number for all types that are written the same."""
    words, word_of = columns.strings("word"), columns.type_of("word")
    written: dict[str, int] = {}
    same = [written.setdefault(" ".join(words[int(word_of[one])] for one in key), len(written)) for key in numbers]
    owner = np.array(same, np.int64)[spans.owner] if same else spans.owner
    return list(written), msgspec.structs.replace(spans, owner=owner)


def _ranges(columns: CorpusColumns) -> Iterator[tuple[int, int]]:
    """Ranges of whole documents of some tokens."""
    bounds = columns.documents.bounds.tolist()
    low = 0
    for place, end in enumerate(bounds):
        if end - low >= _AT_ONCE or place == len(bounds) - 1:
            if end > low:
                yield low, end
            low = end


def _fitting(columns: CorpusColumns, categories: Sequence[str], *, large: bool) -> Mask:
    """For each type whether a name of the shape may have it."""
    words = columns.strings("word")
    capital = (lambda word: word[:1].isupper()) if large else str.isalpha
    good = np.array([capital(words[number]) for number in range(len(words))], np.bool_)[columns.type_of("word")]
    if large:
        return good
    names = columns.strings("category")
    chosen = np.array([names[number] in categories for number in range(len(names))], np.bool_)
    return np.asarray(good & chosen[columns.type_of("category")])


def _runs(fits: Mask, starts: Whole, low: int, *, large: bool) -> tuple[Whole, Whole]:
    """Where names begin and end, as places of the corpus: single tokens, or runs inside a sentence that are not too long."""
    at = np.flatnonzero(fits) + low
    if not large:
        return at, at + 1
    if not len(at):
        return at, at
    begins = np.ones(len(at), np.bool_)
    begins[1:] = (np.diff(at) > 1) | np.isin(at[1:], starts)
    first = at[begins]
    last = at[np.append(np.flatnonzero(begins)[1:] - 1, len(at) - 1)] + 1
    short = last - first <= _LONGEST_RUN
    return first[short], last[short]


def _edges(starts: Whole, low: int, high: int) -> Mask:
    """For each token of a range and the one behind it whether a sentence begins there."""
    edge = np.zeros(high - low + 3, np.bool_)
    inside = starts[np.searchsorted(starts, low) : np.searchsorted(starts, high, side="right")]
    edge[inside - low] = True
    edge[[0, high - low]] = True
    return edge


def _near(lemmas: Whole, first: Whole, last: Whole, edge: Mask) -> tuple[Whole, ...]:
    """The neighbourhoods of names by side: -1 where a sentence ends before them."""
    padded = np.concatenate([lemmas, np.full(2, _NONE, np.int64)])
    before = np.where(edge[first], _NONE, padded[first - 1])
    second = np.where(edge[first] | edge[first - 1], _NONE, padded[first - 2])
    behind = np.where(edge[last], _NONE, padded[np.minimum(last, len(lemmas))])
    pairs = ((_NONE, before), (second, before), (behind, _NONE), (before, behind))
    found = []
    for side, (one, other) in zip(_SIDES, pairs, strict=True):
        key = (np.int64(side) << (2 * _BITS)) | (np.asarray(one, np.int64) << _BITS) | np.asarray(other, np.int64)
        asked = {_BEFORE: before != _NONE, _TWO_BEFORE: second != _NONE, _BEHIND: behind != _NONE}.get(
            side, (before != _NONE) & (behind != _NONE)
        )
        found.append(np.where(asked, key, -1))
    return tuple(found)


class _Pattern(msgspec.Struct, frozen=True):
    key: int
    side: int
    seeds: int
    others: int
    score: float


def _patterns(spans: _Spans, is_seed: Mask) -> list[_Pattern]:
    """The neighbourhoods of several seeds, the surest first."""
    found = []
    for side in _SIDES if len(is_seed) else ():
        there = spans.near[side] >= 0
        pairs = np.unique(np.stack([spans.near[side][there], spans.owner[there]]), axis=1)
        keys, begins, sizes = np.unique(pairs[0], return_index=True, return_counts=True)
        seeds = np.add.reduceat(is_seed[pairs[1]].astype(np.int64), begins) if len(begins) else np.zeros(0, np.int64)
        for place in np.flatnonzero(seeds >= _FEWEST_SEEDS).tolist():
            mine, all_names = int(seeds[place]), int(sizes[place])
            found.append(_Pattern(int(keys[place]), side, mine, all_names - mine, round(mine / (all_names + 1), 3)))
    found.sort(key=lambda one: (-one.score * np.log2(one.seeds + 1), one.key))
    return found[:_MOST_PATTERNS]


def _queries(columns: CorpusColumns, one: _Pattern) -> tuple[str, str]:
    lemmas = columns.strings("lemma")

    def query(number: int) -> str:
        return f"[lemma=={quoted(lemmas[number], literal=True)}]"

    left, right = (one.key >> _BITS) & _NONE, one.key & _NONE
    if one.side == _BEFORE:
        return query(right), ""
    if one.side == _TWO_BEFORE:
        return f"{query(left)} {query(right)}", ""
    return ("", query(left)) if one.side == _BEHIND else (query(left), query(right))


def _told(columns: CorpusColumns, one: _Pattern) -> LearntPattern:
    before, after = _queries(columns, one)
    return LearntPattern(before, after, one.seeds, one.others, one.score)


def _names(
    columns: CorpusColumns,
    names: Sequence[str],
    spans: _Spans,
    patterns: Sequence[_Pattern],
    is_new: Callable[[int], bool],
    limit: int,
) -> list[LearntName]:
    """The names that patterns stand beside, the surest first: each place by its best pattern, different ones together."""
    best = np.full(len(spans.first), -1, np.int64)
    for place in range(len(patterns) - 1, -1, -1):
        best[spans.near[patterns[place].side] == patterns[place].key] = place
    evidence: dict[int, dict[int, int]] = {}
    for span in np.flatnonzero(best >= 0).tolist():
        evidence.setdefault(int(spans.owner[span]), {}).setdefault(int(best[span]), span)
    counts = np.bincount(spans.owner, minlength=len(names))
    found = []
    for number, met in evidence.items():
        if is_new(number):
            doubt = float(np.prod([1 - patterns[place].score for place in met]))
            found.append((round(1 - doubt, 3), int(counts[number]), names[number], met))
    found.sort(key=lambda one: (-one[0], -one[1], one[2]))
    return [
        LearntName(
            name, count, score, tuple(_shown(columns, patterns[place]) for place in sorted(met)), _example(columns, spans, met)
        )
        for score, count, name, met in found[:limit]
    ]


def _shown(columns: CorpusColumns, one: _Pattern) -> str:
    before, after = _queries(columns, one)
    return f"{before} ... {after}".strip()


def _example(columns: CorpusColumns, spans: _Spans, met: dict[int, int]) -> str:
    span = met[min(met)]
    words, word_of = columns.strings("word"), columns.type_of("word")
    low, high = int(spans.first[span]) - _AROUND_EXAMPLE, int(spans.last[span]) + _AROUND_EXAMPLE
    bounds = columns.documents.bounds
    place = int(np.searchsorted(bounds, int(spans.first[span]), side="right"))
    low, high = max(low, int(bounds[place - 1])), min(high, int(bounds[place]))
    return " ".join(words[int(word_of[one])] for one in columns.types(slice(low, high)).tolist())
