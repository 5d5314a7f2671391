"""Phrases: what a pattern of categories finds, counted by its words or lemmas; and the patterns that each language brings."""

from __future__ import annotations

from functools import cache
from importlib import resources

import msgspec
import numpy as np

from trasmallo.study import languages
from trasmallo.study.bounds import Bounds, Numbers, Whole
from trasmallo.study.category_patterns import Spans
from trasmallo.study.grouping import group
from trasmallo.study.segments import Segments


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
    path = resources.files(languages.__name__).joinpath(code, "phrases.toml")
    return msgspec.toml.decode(path.read_text(encoding="utf-8"), type=Patterns)


def count_phrases(column: Numbers, spans: Spans, bounds: Bounds, least: int = 1) -> list[Segments]:
    """The distinct phrases at these spans, for each length that occurs, from frequent to rare.

    `column` numbers what they are counted by. The spans must be in order. Memory: some 40 bytes a token of the spans.
    """
    lengths = np.unique(spans.length).tolist()
    return [_of_length(column, spans.first[spans.length == length], length, bounds, least) for length in lengths]


def _of_length(column: Numbers, first: Whole, length: int, bounds: Bounds, least: int) -> Segments:
    groups = group([column[first + place] for place in range(length)]).at_least(least)
    documents = groups.distinct(np.searchsorted(bounds.documents, first, side="right"))
    where = first[groups.first]
    order = np.lexsort((where, -groups.counts))
    return Segments(length, where[order], groups.counts[order], documents[order])
