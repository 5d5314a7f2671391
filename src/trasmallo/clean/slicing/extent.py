"""Which nodes, and which parts of texts, a tolerance takes in around the relevant nodes."""

from __future__ import annotations

from typing import Protocol

import msgspec
import numpy as np

from trasmallo.clean.slicing.criterion import Tree, Word, words_of
from trasmallo.clean.slicing.matching import Folded, Matcher
from trasmallo.clean.slicing.nearness import Units, divide, largest, ranges_within, spread
from trasmallo.clean.slicing.page import Flags, Integers, PageArrays
from trasmallo.clean.slicing.relevance import Relevant
from trasmallo.clean.slicing.states import Parts, cover
from trasmallo.clean.slicing.tolerance import Tolerance, raise_nodes


class Meaning(Protocol):
    """What is known of the meaning of words in one language."""

    def weigh(self, word: str) -> int:
        """0 for a word that only holds others together, else 1."""

    def relate(self, words: list[str]) -> dict[str, int]:
        """The words related to the given ones, each with its distance from 1 on."""

    def distance(self, word: str, related: dict[str, int]) -> int:
        """The distance of a word in any of its forms, 0 when it is not related."""


class Extent(msgspec.Struct, frozen=True):
    """What is taken in: whole nodes, and parts of other text nodes. `most` is the tolerance that takes in everything.

    `related` has the words of the text that are taken in for their meaning, each with its distance.
    """

    whole: Flags
    parts: Parts
    most: int
    related: dict[str, int] = {}


def find_extent(matcher: Matcher, tree: Tree | None, found: Relevant, tolerance: Tolerance, meaning: Meaning | None) -> Extent:
    """What a tolerance takes in; that of a kind other than levels needs a criterion."""
    page = matcher.page
    if tolerance.kind == "levels" or tree is None:
        raised, most = raise_nodes(page, found.nodes, tolerance.size)
        whole = cover(page, raised)
        if page.is_text[raised].any():
            whole = _complete(page, page.is_text & ~page.is_blank & page.readable, whole)
        return Extent(whole, {}, most)
    units = divide(matcher.texts.text)
    seeds, shown = _seeds(matcher, units, words_of(tree), found.nodes)
    weights = np.ones(len(units.start), dtype=np.int64)
    related: dict[str, int] = {}
    if tolerance.kind == "meaning" and meaning is not None:
        weights, related = _add_meaning(matcher.texts, units, seeds, words_of(tree), meaning)
    costs = spread(units, seeds, weights)
    taken = _Taken(matcher, *ranges_within(units, costs, tolerance.size))
    near = {word: distance for word, distance in related.items() if distance <= tolerance.size}
    return msgspec.structs.replace(taken.extent(cover(page, shown), largest(costs)), related=near)


def _seeds(matcher: Matcher, units: Units, words: list[Word], nodes: Integers) -> tuple[dict[int, int], Integers]:
    """The words that were found inside the relevant nodes, and the nodes that none was found in: they are taken whole."""
    low, high = matcher.spans(nodes)
    places = sorted(place for word in words for place in matcher.places(word)) if matcher.reading.reads_text else []
    start, end = np.array(places, dtype=np.int64).reshape(-1, 2).T
    # Relevant nodes stand one after the other, so each place has at most one around it.
    owner = np.searchsorted(low, start, side="right") - 1
    inside = (owner >= 0) & (end <= np.append(high, 0)[owner])
    seeds: dict[int, int] = {}
    served = np.zeros(len(nodes), dtype=bool)
    for node, first, last in zip(owner[inside].tolist(), *_words_between(units, start[inside], end[inside]), strict=True):
        served[node] |= first < last
        seeds.update(dict.fromkeys(range(first, last), 0))
    for first, last in zip(*_words_between(units, low[~served], high[~served]), strict=True):
        seeds.update(dict.fromkeys(range(first, last), 0))
    return seeds, nodes[~served]


def _words_between(units: Units, start: Integers, end: Integers) -> tuple[list[int], list[int]]:
    """The first word that each stretch of the text touches, and the one after the last."""
    first, last = np.searchsorted(units.end, start, side="right"), np.searchsorted(units.start, end, side="left")
    return first.tolist(), last.tolist()


def _add_meaning(
    folded: Folded, units: Units, seeds: dict[int, int], words: list[Word], meaning: Meaning
) -> tuple[Integers, dict[str, int]]:
    """Words of related meaning become seeds at their distance; gives what each word of the text weighs, and these words."""
    related = meaning.relate([word.text for word in words])
    text = folded.text
    known: dict[str, tuple[int, int]] = {}
    met: dict[str, int] = {}
    weights = []
    for place, (start, end) in enumerate(zip(units.start.tolist(), units.end.tolist(), strict=True)):
        word = text[start:end]
        told = known.get(word)
        if told is None:
            told = known[word] = meaning.weigh(word), meaning.distance(word, related)
        weight, distance = told
        weights.append(weight)
        if distance and weight and place not in seeds:
            seeds[place] = met[word] = distance
    return np.array(weights, dtype=np.int64), met


class _Taken:
    """Ranges of the folded text, told of the nodes they reach."""

    def __init__(self, matcher: Matcher, starts: Integers, ends: Integers) -> None:
        self.page, self.folded = matcher.page, matcher.texts
        self.starts, self.ends = starts, ends

    def extent(self, covered: Flags, most: int) -> Extent:
        """The text nodes that are reached, and the elements all of whose text is."""
        page = self.page
        low = self.folded.offset[page.written.first]
        high = self.folded.offset[page.written.last]
        texts = page.is_text & ~page.is_blank & page.readable
        # A text of which folding leaves nothing but blanks goes with the element around it, as pictures do.
        texts[texts] = [self._is_solid(a, b) for a, b in zip(low[texts].tolist(), high[texts].tolist(), strict=True)]
        nodes = np.flatnonzero(texts & ~covered)
        place = np.searchsorted(self.ends, low[nodes], side="right")
        start = np.append(self.starts, len(self.folded.text) + 1)[place]
        end = np.append(self.ends, 0)[place]
        full = covered.copy()
        full[nodes[(start <= low[nodes]) & (end >= high[nodes])]] = True
        parts: Parts = {}
        for node, first in zip(nodes.tolist(), place.tolist(), strict=True):
            if not full[node] and _begins(self.starts, first, int(high[node])):
                taken = self._part_of(node, first, int(low[node]), int(high[node]))
                if _rest(page.text[node], taken):
                    parts[node] = taken
                else:
                    full[node] = True
        return Extent(_complete(page, texts, full), parts, most)

    def _is_solid(self, low: int, high: int) -> bool:
        part = self.folded.text[low:high]
        return bool(part) and not part.isspace()

    def _part_of(self, node: int, first: int, low: int, high: int) -> list[tuple[int, int]]:
        """The ranges of a text node's own characters, from the range `first` on."""
        text, folding = self.page.text[node], self.folded.folding
        places = None if folding.keeps_places(text) else folding.places(text)
        found = []
        while _begins(self.starts, first, high):
            start, end = max(int(self.starts[first]), low) - low, min(int(self.ends[first]), high) - low
            found.append((start, end) if places is None else (places[start] if start else 0, places[end]))
            first += 1
        return found


def _begins(starts: Integers, number: int, high: int) -> bool:
    """Whether there is a range of that number that begins before a place."""
    return number < len(starts) and starts[number] < high


def _rest(text: str, taken: list[tuple[int, int]]) -> str:
    """What is left of a text without the ranges, blanks apart."""
    borders = [0, *(place for pair in taken for place in pair), len(text)]
    return "".join(text[low:high] for low, high in zip(borders[::2], borders[1::2], strict=True)).strip()


def _complete(page: PageArrays, texts: Flags, full: Flags) -> Flags:
    """The same nodes and the elements all of whose texts are among them; pictures and the like go with what is around them."""
    amount, reached = page.inside(texts), page.inside(texts & full)
    flags = (full | ((amount > 0) & (reached == amount))).tolist()
    parent, scope, end = page.parent, page.scope, page.end[page.scope]
    for node in np.flatnonzero(amount == 0).tolist():
        if scope < node < end and flags[parent[node]]:
            flags[node] = True
    return np.array(flags, dtype=bool)
