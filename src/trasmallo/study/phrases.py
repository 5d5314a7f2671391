"""Phrases: what a pattern of categories finds, counted by its words or lemmas; and the patterns that each language brings."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from trasmallo.study import languages
from trasmallo.study.category_patterns import Spans
from trasmallo.study.grouping import group
from trasmallo.study.partition import Partition
from trasmallo.study.segments import Segments
from trasmallo.study.sequence_bounds import Bounds
from trasmallo.values.arrays import Numbers, Whole
from trasmallo.values.decodable import decodable

_SORTED_TOGETHER = 1 << 22
"""Tokens of the corpus whose phrases are sorted together; a part of them are in phrases."""

_FACTOR = np.uint64(0x9E3779B97F4A7C15)
"""2**64 divided by the golden ratio, as in Fibonacci hashing (Knuth, 6.4)."""


class Patterns(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The keys of a language's `phrases.toml`: patterns of noun phrases, of regimes by category, of collocations by name."""

    noun_phrase: str
    regimes: dict[str, str]
    collocations: dict[str, str]


def patterns_of(language: str) -> Patterns:
    """The patterns that serve a language tag."""
    return _read(languages.choose(language))


@cache
def _read(code: str) -> Patterns:
    return msgspec.toml.decode(languages.load(code).content("phrases.toml"), type=decodable(Patterns))


def count_phrases(
    column: Numbers,
    spans: Iterable[Spans],
    bounds: Bounds,
    least: int = 1,
    scratch: Path | None = None,
    *,
    together: int = _SORTED_TOGETHER,
) -> list[Segments]:
    """The distinct phrases at these spans, for each length that occurs, from frequent to rare.

    `column` numbers what they are counted by. The spans must be in order. `scratch` is the folder for what does not fit in
    memory, None for the system's; `together` rows are sorted in memory.
    """
    parts = len(column) // together + 1
    rows: dict[int, Partition] = {}
    for some in spans:
        for length in np.unique(some.length).tolist():
            first = some.first[some.length == length]
            found = np.stack([first, *(column[first + place] for place in range(length))], axis=1).astype(np.uint64)
            rows.setdefault(length, Partition(parts, scratch, length + 1)).put(found, _hashed(found[:, 1:]) % np.uint64(parts))
    return [_of_length(rows[length], length, bounds, least) for length in sorted(rows)]


def _hashed(rows: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """A number for each row, the same for equal ones."""
    hashed = rows[:, 0]
    for place in range(1, rows.shape[1]):
        hashed = hashed * _FACTOR + rows[:, place]
    return hashed


def _of_length(rows: Partition, length: int, bounds: Bounds, least: int) -> Segments:
    found = [_counted(rows.take(part).numbers, bounds, least) for part in range(rows.parts)]
    where, counts, documents = np.concatenate(found, axis=1)
    order = np.lexsort((where, -counts))
    return Segments(length, where[order], counts[order], documents[order])


def _counted(rows: NDArray[np.uint64], bounds: Bounds, least: int) -> Whole:
    """Where the phrases that occur often enough are first, how often, and in how many documents."""
    first = rows[:, 0].astype(np.int64)
    groups = group(list(rows[:, 1:].T)).at_least(least)
    return np.stack([first[groups.first], groups.counts, groups.distinct(bounds.documents_of(first))])
