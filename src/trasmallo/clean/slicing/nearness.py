"""What is near in the text: words, then sentences, then paragraphs around what was found.

Each word gets a cost. From a place that was found, the words of its sentence cost one more the further they are; once the
sentence is complete, each sentence further on costs one more; once the paragraph is complete, each paragraph. What costs no
more than the tolerance is shown (the thesis' tolerance by nearness, and the base of that by meaning).
"""

from __future__ import annotations

import msgspec
import numpy as np
from numpy.typing import NDArray

from trasmallo.clean.slicing.characters import BREAK, IDEOGRAPH, SPACE, WORD, class_of, classes, folding, kind
from trasmallo.clean.slicing.page import Flags, Integers

FAR = 1 << 30
"""Costs more than any tolerance."""

_ENDERS = ".!?…;。！？；"
_FULL_WIDTH = "。！？；"
# Apart by more than any cost, so that a minimum never reaches from one sentence into the next.
_APART = 1 << 33


class Units(msgspec.Struct, frozen=True, kw_only=True):
    """The words of a text, sentence by sentence and paragraph by paragraph.

    Word k is `text[start[k]:end[k]]`; with what stands before it in its sentence and after it, `lead[k]` to `trail[k]`.
    `sentence` and `paragraph` number the sentence of each word and the paragraph of each sentence.
    """

    start: Integers
    end: Integers
    lead: Integers
    trail: Integers
    sentence: Integers
    paragraph: Integers


def _codes(text: str) -> NDArray[np.uint32]:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")


def _classify(codes: NDArray[np.uint32]) -> NDArray[np.uint8]:
    found = classes()[np.minimum(codes, 0xFFFF)]
    for place in np.flatnonzero(codes > 0xFFFF).tolist():
        found[place] = class_of(chr(codes[place]))
    return found


def divide(text: str) -> Units:
    """The units of a folded text, whose paragraphs end at breaks; one without words counts as one word."""
    codes = _codes(text)
    kinds = _classify(codes)
    borders = np.concatenate(([-1], np.flatnonzero(codes == ord(BREAK)), [len(text)]))
    start, end = _find_words(kinds, borders)
    paragraph = np.searchsorted(borders, start, side="right") - 1
    new = np.diff(paragraph, prepend=-1) > 0
    cut = _cuts(text, codes, kinds, start, end)
    ends = np.append(new[1:], True)[: len(start)]
    cut[ends] = borders[paragraph[ends] + 1]
    ended = cut >= 0
    begun = np.append(True, ended[:-1])[: len(start)]
    lead = np.where(begun, np.append(0, cut[:-1])[: len(start)], start)
    lead[new] = borders[paragraph[new]] + 1
    sentence = np.cumsum(begun) - 1
    return Units(
        start=start,
        end=end,
        lead=lead,
        trail=np.where(ended, cut, end),
        sentence=sentence,
        paragraph=(np.cumsum(new) - 1)[begun],
    )


def _find_words(classes: NDArray[np.uint8], borders: Integers) -> tuple[Integers, Integers]:
    letters = classes == WORD
    edges = np.diff(np.concatenate(([False], letters, [False])).astype(np.int8))
    single = np.flatnonzero(classes == IDEOGRAPH)
    start = np.concatenate((np.flatnonzero(edges == 1), single))
    end = np.concatenate((np.flatnonzero(edges == -1), single + 1))
    low, high = borders[:-1] + 1, borders[1:]
    solid = np.concatenate(([0], np.cumsum(classes != SPACE)))
    words = np.concatenate(([0], np.cumsum((edges[:-1] == 1) | (classes == IDEOGRAPH))))
    wordless = (words[high] == words[low]) & (solid[high] > solid[low])
    start, end = np.concatenate((start, low[wordless])), np.concatenate((end, high[wordless]))
    order = np.argsort(start, kind="stable")
    return start[order], end[order]


def _cuts(text: str, codes: NDArray[np.uint32], classes: NDArray[np.uint8], start: Integers, end: Integers) -> Integers:
    """Where a sentence ends between each word and the next, -1 where it goes on."""
    after = np.append(start[1:], len(codes))[: len(start)]
    enders = np.flatnonzero(np.isin(codes, _codes(_ENDERS)))
    blanks = np.flatnonzero(classes == SPACE)
    ender = _next(enders, end, len(codes))
    found = ender < after
    wide = found & np.isin(codes[np.minimum(ender, len(codes) - 1)] if len(codes) else ender, _codes(_FULL_WIDTH))
    blank = _next(blanks, ender + 1, len(codes))
    cut = np.where(wide, ender + 1, np.where(found & (blank < after), blank, -1))
    for word in np.flatnonzero((cut >= 0) & ~wide & (ender == end)).tolist():
        if text[ender[word]] == "." and _is_short(text[start[word] : end[word]]):
            cut[word] = -1
    return cut


def _next(places: Integers, wanted: Integers, none: int) -> Integers:
    """The first of some places that is not before each wanted one."""
    found: Integers = np.append(places, none)[np.searchsorted(places, wanted)]
    return found


def _is_short(word: str) -> bool:
    """Whether a full stop after a word rather shortens it: an initial, or an abbreviation."""
    if len(word) == 1:
        return not (word.isascii() and word.isdigit())
    return folding(case=True, accents=True).fold(word) in kind("abbreviations")


def spread(units: Units, seeds: dict[int, int], weights: Integers) -> Integers:
    """The cost of each word; `seeds` are what the words that were found cost, `weights` what a step to each word does."""
    if not len(units.start):
        return units.start
    costs = np.full(len(units.start), FAR, dtype=np.int64)
    costs[list(seeds)] = list(seeds.values())
    words = _reach(costs, weights, units.sentence)
    complete = _complete_sentences(units, costs, weights)
    steps = np.ones(len(complete), dtype=np.int64)
    sentences = _reach(complete, steps, units.paragraph)
    whole = _fold_up(complete + _farther_end(steps, units.paragraph), units.paragraph)
    paragraphs = _reach(whole, np.ones_like(whole), np.zeros_like(whole))
    least = np.minimum(sentences, paragraphs[units.paragraph])
    return np.minimum(np.minimum(words, least[units.sentence]), FAR)


def _reach(costs: Integers, weights: Integers, group: Integers) -> Integers:
    """The least cost of coming to each place from any place of its group; a step costs the weight of the place it leads to."""
    total = np.cumsum(weights)
    apart = group * _APART
    forward = np.minimum.accumulate(costs - total - apart) + total + apart
    before = total - weights
    backward = np.minimum.accumulate((costs + before + apart)[::-1])[::-1] - before - apart
    least: Integers = np.minimum(forward, backward)
    return least


def _farther_end(weights: Integers, group: Integers) -> Integers:
    """From each place the way to the farther end of its group."""
    total = np.cumsum(weights)
    first = np.searchsorted(group, group, side="left")
    last = np.searchsorted(group, group, side="right") - 1
    left = (total - weights) - (total - weights)[first]
    farther: Integers = np.maximum(left, total[last] - total)
    return farther


def _complete_sentences(units: Units, costs: Integers, weights: Integers) -> Integers:
    """When each sentence is complete by what was found in itself."""
    return _fold_up(costs + _farther_end(weights, units.sentence), units.sentence)


def _fold_up(costs: Integers, group: Integers) -> Integers:
    """The least cost of each group."""
    found: Integers = np.minimum.reduceat(costs, np.flatnonzero(np.diff(group, prepend=-1)))
    return np.minimum(found, FAR)


def ranges_within(units: Units, costs: Integers, most: int) -> tuple[Integers, Integers]:
    """The parts of the text that cost no more than `most`, in order: where each begins and ends."""
    near: Flags = costs <= most
    paragraph = units.paragraph[units.sentence] if len(units.start) else units.start
    new = np.diff(paragraph, prepend=-1) > 0
    opens = near & (new | ~np.append(False, near[:-1])[: len(near)])
    closes = near & np.append(new[1:] | ~near[1:], True)[: len(near)]
    return units.lead[opens], units.trail[closes]


def largest(costs: Integers) -> int:
    """The cost of the word that is shown last; 0 without words."""
    return int(costs[costs < FAR].max(initial=0))
