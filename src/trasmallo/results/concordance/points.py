"""Tokens in and around a hit, by which hits are sorted and counted: `word/-1`, `lemma/0`, `pos/hit`, `lemma/@2`."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from trasmallo.store.tokens import Corpus
from trasmallo.study.query.hits import QueryHits
from trasmallo.study.query.syntax import OF_TOKENS
from trasmallo.values.arrays import Whole
from trasmallo.values.errors import UsageError

WHOLE = "hit"
_POINT = re.compile(r"(\w+)(?:/(-?[0-9]{1,3}|hit|@\w+))?")
_SIDES = {"left": (-1, -2, -3), "right": (1, 2, 3)}
_MOST = 6  # judgement: tokens that a sort or count names; more leave no two hits alike
_SORTED_TOKENS = 3  # judgement: tokens of a hit that decide its place
_HOW = "write it like word/-1 (before the hit), lemma/1 (after it), pos/0 (its first token), word/hit or lemma/@1 (a label)"


class Point(msgspec.Struct, frozen=True):
    """An attribute of a token: `place` counts from the hit on, to the left below 0; or it is the whole hit, or a label."""

    attribute: str
    place: str = WHOLE

    def __str__(self) -> str:
        return f"{self.attribute}/{self.place}"

    @property
    def column(self) -> str:
        """Where the attribute stands."""
        return OF_TOKENS[self.attribute]


def points_of(text: str, names: Sequence[str]) -> tuple[Point, ...]:
    """The points in a list such as `word/-1,lemma/1`; `left`, `right` and `hit` stand for three words each."""
    found = [point for piece in text.split(",") for point in _points(piece.strip(), names)]
    if len(found) > _MOST:
        raise UsageError("{text!r} names more than {most} tokens", "leave some out", text=text, most=_MOST)
    return tuple(found)


def _points(text: str, names: Sequence[str]) -> list[Point]:
    if text in _SIDES:
        return [Point("word", str(place)) for place in _SIDES[text]]
    if text == WHOLE:
        return [Point("word")]
    found = _POINT.fullmatch(text)
    if not found or found[1] not in OF_TOKENS:
        raise UsageError("{text!r} names no token", _HOW, text=text)
    place = found[2] or WHOLE
    if place.startswith("@") and place[1:] not in names:
        raise UsageError("the query has no label {place!r}", _HOW, place=place[1:])
    return [Point(found[1], place)]


class Points:
    """Finds the tokens at points of hits."""

    def __init__(self, corpus: Corpus, names: Sequence[str]) -> None:
        self._corpus, self._names = corpus, names

    def numbers(self, point: Point, hits: QueryHits, most: int | None = None) -> list[Whole]:
        """The numbers of the strings at a point, for the whole hit a column a token, at most `most`; -1 where there is none."""
        if point.place != WHOLE:
            return [self._numbers(point, self._tokens(point.place, hits))]
        longest = int(hits.length.max(initial=0)) if most is None else most
        columns = (np.where(hits.length > place, hits.first + place, -1) for place in range(longest))
        return [self._numbers(point, tokens) for tokens in columns]

    def _tokens(self, place: str, hits: QueryHits) -> Whole:
        if place.startswith("@"):
            return np.asarray(hits.labels[list(self._names).index(place[1:])])
        away = int(place)
        tokens = hits.first + away if away <= 0 else hits.first + hits.length - 1 + away
        bounds = self._corpus.documents.bounds
        document = self._corpus.documents.holding(hits.first)
        return np.where((tokens >= bounds[document]) & (tokens < bounds[document + 1]), tokens, -1)

    def _numbers(self, point: Point, tokens: Whole) -> Whole:
        found = np.full(len(tokens), -1, dtype=np.int64)
        there = tokens >= 0
        found[there] = self._corpus.type_of(point.column)[self._corpus.types(tokens[there])]
        return found

    def order(self, points: Sequence[Point], hits: QueryHits, *, reverse: bool = False) -> NDArray[np.intp]:
        """The order of hits by the strings at some points, as a dictionary has them; those without a token come first."""
        keys = [self._ranks(point, numbers) for point in points for numbers in self.numbers(point, hits, _SORTED_TOKENS)]
        order = np.lexsort(keys[::-1])
        return order[::-1] if reverse else order

    def _ranks(self, point: Point, numbers: Whole) -> Whole:
        distinct, places = np.unique(numbers, return_inverse=True)
        strings = self._corpus.strings(point.column)
        keys: list[Any] = [collated(strings[number]) if number >= 0 else ("", "") for number in distinct.tolist()]
        ranks = np.empty(len(keys), dtype=np.int64)
        ranks[sorted(range(len(keys)), key=keys.__getitem__)] = np.arange(len(keys))
        return ranks[places]


def collated(text: str) -> tuple[str, str]:
    """What a word is sorted by: its letters without case and accents, then as it stands; ñ comes after n."""
    bare = unicodedata.normalize("NFD", text.casefold().replace("ñ", "n\uffff"))
    return "".join(letter for letter in bare if not unicodedata.combining(letter)), text
