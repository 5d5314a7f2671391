"""Prepositional regimes: which prepositions a verb, noun or adjective governs, how often, and where it can be seen.

Which tokens may stand between the two is a pattern for each category, in `phrases.toml` of the language's folder.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from trasmallo.study.association import Measures
from trasmallo.study.category_patterns import compile_pattern
from trasmallo.study.collocations import pairs_of_spans
from trasmallo.study.sequence_bounds import AT_ONCE, Bounds
from trasmallo.values.arrays import Numbers, Whole


class Regimes(NamedTuple):
    """Governors of one category with their prepositions, by number, from the most frequent pair on.

    `share` is the part of all the governor's occurrences in this category that have this preposition; `measures` compare with
    all governors of the category that have any. `examples` are places of governors, -1 where there are no more.
    """

    category: str
    governor: NDArray[np.uint32]
    preposition: NDArray[np.uint32]
    counts: Whole
    share: NDArray[np.float64]
    measures: Measures
    examples: Whole


class Tagged(NamedTuple):
    """What regimes are found in: lemmas and categories of the tokens, the names of the categories, and the bounds.

    `among` says which tokens are looked at, None for all.
    """

    lemma: Numbers
    category: Numbers
    categories: Sequence[str]
    bounds: Bounds
    among: Numbers | None = None


def find_regimes(
    corpus: Tagged, patterns: Mapping[str, str], least: int = 3, examples: int = 3, scratch: Path | None = None
) -> Iterator[Regimes]:
    """The regimes of each category in `patterns`, whose pattern begins with it and ends with the preposition's.

    `scratch` is the folder for what does not fit in memory, None for the system's.
    """
    for category, pattern in patterns.items():
        yield _regimes_of(corpus, category, pattern, least, examples, scratch)


def _regimes_of(corpus: Tagged, category: str, pattern: str, least: int, examples: int, scratch: Path | None) -> Regimes:
    spans = compile_pattern(pattern, corpus.categories).find(corpus.category, corpus.bounds, among=corpus.among)
    pairs, places = pairs_of_spans(corpus.lemma, spans, least, examples, scratch)
    order = np.lexsort((pairs.collocate, pairs.node, -pairs.table.joint))
    occurrences = _occurrences(corpus, category, int(pairs.node.max(initial=0)) + 1)
    return Regimes(
        category=category,
        governor=pairs.node[order],
        preposition=pairs.collocate[order],
        counts=pairs.table.joint[order],
        share=pairs.table.joint[order] / np.maximum(occurrences[pairs.node[order]], 1),
        measures=Measures._make(values[order] for values in pairs.measures()),
        examples=places[order],
    )


def _occurrences(corpus: Tagged, category: str, size: int) -> Whole:
    """How often each lemma occurs in a category."""
    counts = np.zeros(size, dtype=np.int64)
    if category not in corpus.categories:
        return counts
    sought = corpus.categories.index(category)
    for begin in range(0, len(corpus.category), AT_ONCE):
        where = np.flatnonzero(corpus.category[begin : begin + AT_ONCE] == sought) + begin
        if corpus.among is not None:
            where = where[corpus.among[where].astype(np.bool_)]
        # Who governs nothing is not asked for.
        counts += np.bincount(corpus.lemma[where], minlength=size)[:size]
    return counts
