"""Which nodes, and which parts of texts, a tolerance takes in around the relevant nodes."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import Protocol

import msgspec
import numpy as np

from trasmallo.clean.slicing.criterion import Tree, Word, words_of
from trasmallo.clean.slicing.matching import Folded, Matcher
from trasmallo.clean.slicing.nearness import Units, divide, largest, ranges_within, spread
from trasmallo.clean.slicing.page import Flags, Integers, Page
from trasmallo.clean.slicing.relevance import Relevant
from trasmallo.clean.slicing.states import Parts, cover
from trasmallo.clean.slicing.tolerance import Tolerance, most_levels, raise_nodes


class Meaning(Protocol):
    """What is known of the meaning of words in one language."""

    def weigh(self, word: str) -> int:
        """0 for a word that only holds others together, else 1."""

    def relate(self, words: list[str]) -> dict[str, int]:
        """The words related to the given ones, each with its distance from 1 on."""

    def distance(self, word: str, related: dict[str, int]) -> int:
        """The distance of a word in any of its forms, 0 when it is not related."""


class Extent(msgspec.Struct, frozen=True):
    """What is taken in: whole nodes, and parts of other text nodes. `most` is the tolerance that takes in everything."""

    whole: Flags
    parts: Parts
    most: int


def find_extent(matcher: Matcher, tree: Tree | None, found: Relevant, tolerance: Tolerance, meaning: Meaning | None) -> Extent:
    """What a tolerance takes in; that of a kind other than levels needs a criterion."""
    page = matcher.page
    if tolerance.kind == "levels" or tree is None:
        raised = raise_nodes(page, found.nodes, tolerance.size)
        return Extent(cover(page, raised), {}, most_levels(page, found.nodes))
    units = divide(matcher.texts.text)
    seeds, shown = _seeds(matcher, units, words_of(tree), found.nodes)
    weights = [1] * len(units.start)
    if tolerance.kind == "meaning" and meaning is not None:
        weights = _add_meaning(matcher.texts, units, seeds, words_of(tree), meaning)
    costs = spread(units, seeds, weights)
    ranges = ranges_within(units, costs, tolerance.size)
    return _take(matcher, ranges, cover(page, shown), largest(costs))


def _seeds(matcher: Matcher, units: Units, words: list[Word], nodes: Integers) -> tuple[dict[int, int], Integers]:
    """The words that were found inside the relevant nodes, and the nodes that none was found in: they are taken whole."""
    folded, pieces = matcher.texts, matcher.page.written
    spans = [(int(a), int(b)) for a, b in zip(folded.offset[pieces.first[nodes]], folded.offset[pieces.last[nodes]], strict=True)]
    places = sorted(place for word in words for place in matcher.places(word)) if matcher.reading.where != "attributes" else []
    starts = [start for start, _ in places]
    seeds: dict[int, int] = {}
    whole: list[int] = []
    for node, (low, high) in zip(nodes.tolist(), spans, strict=True):
        inside = places[bisect_left(starts, low) : bisect_left(starts, high)]
        reached = [word for start, end in inside if end <= high for word in _words_between(units, start, end)]
        if not reached:
            whole.append(node)
            reached = list(_words_between(units, low, high))
        seeds.update(dict.fromkeys(reached, 0))
    return seeds, np.array(whole, dtype=np.int64)


def _words_between(units: Units, start: int, end: int) -> range:
    """The words that a stretch of the text touches."""
    return range(bisect_right(units.end, start), bisect_left(units.start, end))


def _add_meaning(folded: Folded, units: Units, seeds: dict[int, int], words: list[Word], meaning: Meaning) -> list[int]:
    """Words of related meaning become seeds at their distance; gives what each word of the text weighs."""
    related = meaning.relate([word.text for word in words])
    known: dict[str, tuple[int, int]] = {}
    weights = []
    for place, (start, end) in enumerate(zip(units.start, units.end, strict=True)):
        word = folded.text[start:end]
        if word not in known:
            known[word] = meaning.weigh(word), meaning.distance(word, related)
        weight, distance = known[word]
        weights.append(weight)
        if distance and weight:
            seeds.setdefault(place, distance)
    return weights


def _take(matcher: Matcher, ranges: list[tuple[int, int]], covered: Flags, most: int) -> Extent:
    """The text nodes that ranges of the folded text reach, and the elements all of whose text is reached."""
    page = matcher.page
    parts: Parts = {}
    full = covered.copy()
    ends = [end for _, end in ranges]
    offset, pieces = matcher.texts.offset, page.written
    # A text of which folding leaves nothing goes with the element around it, as pictures do.
    texts = page.is_text & ~page.is_blank & page.readable & (offset[pieces.last] > offset[pieces.first])
    for node in np.flatnonzero(texts & ~covered).tolist():
        taken = _part_of(matcher.texts, page, node, ranges, ends)
        if taken and not _rest(page.text[node], taken):
            full[node] = True
        elif taken:
            parts[node] = taken
    amount, reached = page.inside(texts), page.inside(texts & full)
    return Extent(_fill(page, full | ((amount > 0) & (reached == amount)), amount), parts, most)


def _part_of(
    folded: Folded, page: Page, node: int, ranges: list[tuple[int, int]], ends: list[int]
) -> list[tuple[int, int]]:
    """The ranges of a text node's own characters that ranges of the folded text reach."""
    piece = int(page.written.first[node])
    low, high = int(folded.offset[piece]), int(folded.offset[piece + 1])
    found = []
    places: list[int] | None = None
    for start, end in ranges[bisect_right(ends, low) :]:
        if start >= high:
            break
        start, end = max(start, low) - low, min(end, high) - low
        if not folded.folding.keeps_places(page.text[node]):
            places = places or folded.folding.places(page.text[node])
            start, end = places[start], places[end]
        found.append((start, end))
    return found


def _rest(text: str, taken: list[tuple[int, int]]) -> str:
    """What is left of a text without the ranges, blanks apart."""
    borders = [0, *(place for pair in taken for place in pair), len(text)]
    return "".join(text[low:high] for low, high in zip(borders[::2], borders[1::2], strict=True)).strip()


def _fill(page: Page, whole: Flags, amount: Integers) -> Flags:
    """Elements without text, such as pictures, go with the element around them."""
    flags = whole.tolist()
    empty = (amount == 0).tolist()
    parent = page.parent
    for node in range(page.scope + 1, page.end[page.scope]):
        if empty[node] and flags[parent[node]]:
            flags[node] = True
    return np.array(flags, dtype=bool)
