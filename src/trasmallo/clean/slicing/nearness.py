"""What is near in the text: words, then sentences, then paragraphs around what was found.

Each word gets a cost. From a place that was found, the words of its sentence cost one more the further they are; once the
sentence is complete, each sentence further on costs one more; once the paragraph is complete, each paragraph. What costs no
more than the tolerance is shown (the thesis' tolerance by nearness, and the base of that by meaning).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache

import msgspec

from trasmallo.clean.slicing.characters import BREAK, folding, kind, pattern

FAR = 1 << 30
"""Costs more than any tolerance."""

_ENDERS = re.compile("[.!?…;。！？；]")
_FULL_WIDTH = frozenset("。！？；")


class Units(msgspec.Struct, frozen=True):
    """The words of a text, sentence by sentence and paragraph by paragraph.

    Word k is `text[start[k]:end[k]]`; with what stands before it in its sentence and after it, `lead[k]` to `trail[k]`.
    `sentences` and `paragraphs` say where each begins, as numbers of words and of sentences, and end with the totals.
    """

    start: list[int]
    end: list[int]
    lead: list[int]
    trail: list[int]
    sentences: list[int]
    paragraphs: list[int]


@cache
def _words() -> re.Pattern[str]:
    return re.compile(f"[{pattern('word')}]+|[{pattern('ideograph')}]")


@cache
def _blank() -> re.Pattern[str]:
    return re.compile(f"[{pattern('space')}]")


def divide(text: str) -> Units:
    """The units of a folded text, whose paragraphs end at breaks; one without words counts as one word."""
    units = Units([], [], [], [], [], [])
    place = 0
    for paragraph in text.split(BREAK):
        found = [match.span() for match in _words().finditer(paragraph)]
        if not found and paragraph and not paragraph.isspace():
            found = [(0, len(paragraph))]
        if found:
            _add_paragraph(units, paragraph, place, found)
        place += len(paragraph) + 1
    units.paragraphs.append(len(units.sentences))
    units.sentences.append(len(units.start))
    return units


def _add_paragraph(units: Units, paragraph: str, place: int, found: list[tuple[int, int]]) -> None:
    units.paragraphs.append(len(units.sentences))
    units.sentences.append(len(units.start))
    lead = 0
    for number, (start, end) in enumerate(found):
        after = found[number + 1][0] if number + 1 < len(found) else len(paragraph)
        cut = _end_of_sentence(paragraph, start, end, after) if number + 1 < len(found) else len(paragraph)
        units.start.append(place + start)
        units.end.append(place + end)
        units.lead.append(place + (start if lead < 0 else lead))
        units.trail.append(place + (end if cut < 0 else cut))
        lead = cut
        if cut >= 0 and number + 1 < len(found):
            units.sentences.append(len(units.start))


def _end_of_sentence(text: str, start: int, end: int, after: int) -> int:
    """Where the sentence of a word ends before the next word, -1 when it goes on."""
    match = _ENDERS.search(text, end, after)
    if match is None:
        return -1
    if match[0] in _FULL_WIDTH:
        return match.end()
    blank = _blank().search(text, match.end(), after)
    if blank is None or (match[0] == "." and match.start() == end and _is_short(text[start:end])):
        return -1
    return blank.start()


def _is_short(word: str) -> bool:
    """Whether a full stop after a word rather shortens it: an initial, or an abbreviation."""
    if len(word) == 1:
        return not (word.isascii() and word.isdigit())
    return folding(case=True, accents=True).fold(word) in kind("abbreviations")


def spread(units: Units, seeds: dict[int, int], weights: Sequence[int]) -> list[int]:
    """The cost of each word; `seeds` are the words that were found and what each costs, `weights` what a step over a word does."""
    words = _along_words(units, seeds, weights)
    complete = _complete_sentences(units, seeds, weights)
    sentences = [FAR] * len(complete)
    whole = [FAR] * (len(units.paragraphs) - 1)
    for number in range(len(whole)):
        first, last = units.paragraphs[number], units.paragraphs[number + 1] - 1
        sentences[first : last + 1] = _sweep(complete[first : last + 1])
        costs = (complete[s] + max(s - first, last - s) for s in range(first, last + 1))
        whole[number] = min(min(costs), FAR)
    return _least(units, words, sentences, _sweep(whole))


def _along_words(units: Units, seeds: dict[int, int], weights: Sequence[int]) -> list[int]:
    costs = [FAR] * len(units.start)
    for first, end in zip(units.sentences, units.sentences[1:], strict=False):
        for order in (range(first, end), range(end - 1, first - 1, -1)):
            cost = FAR
            for word in order:
                cost = min(cost + weights[word], seeds.get(word, FAR))
                costs[word] = min(costs[word], cost)
    return costs


def _complete_sentences(units: Units, seeds: dict[int, int], weights: Sequence[int]) -> list[int]:
    """When each sentence is complete by what was found in itself."""
    total = [0]
    for weight in weights:
        total.append(total[-1] + weight)
    complete = [FAR] * (len(units.sentences) - 1)
    sentence = 0
    for word in sorted(seeds):
        while units.sentences[sentence + 1] <= word:
            sentence += 1
        left = total[word] - total[units.sentences[sentence]]
        right = total[units.sentences[sentence + 1]] - total[word + 1]
        complete[sentence] = min(complete[sentence], seeds[word] + max(left, right))
    return complete


def _sweep(costs: list[int]) -> list[int]:
    """The least cost of coming to each place from any other, one step at a time."""
    found = list(costs)
    for order in (range(1, len(found)), range(len(found) - 2, -1, -1)):
        step = 1 if order.step > 0 else -1
        for place in order:
            found[place] = min(found[place], found[place - step] + 1)
    return [min(cost, FAR) for cost in found]


def _least(units: Units, words: list[int], sentences: list[int], paragraphs: list[int]) -> list[int]:
    found = words
    for number, whole in enumerate(paragraphs):
        for sentence in range(units.paragraphs[number], units.paragraphs[number + 1]):
            least = min(whole, sentences[sentence])
            for word in range(units.sentences[sentence], units.sentences[sentence + 1]):
                found[word] = min(found[word], least)
    return found


def ranges_within(units: Units, costs: Sequence[int], most: int) -> list[tuple[int, int]]:
    """The parts of the text that cost no more than `most`, in order."""
    found: list[tuple[int, int]] = []
    paragraph_starts = {units.sentences[sentence] for sentence in units.paragraphs}
    open_from = -1
    for word in range(len(costs)):
        if open_from >= 0 and (costs[word] > most or word in paragraph_starts):
            found.append((open_from, units.trail[word - 1]))
            open_from = -1
        if costs[word] <= most and open_from < 0:
            open_from = units.lead[word]
    if open_from >= 0:
        found.append((open_from, units.trail[len(costs) - 1]))
    return found


def largest(costs: Iterable[int]) -> int:
    """The cost of the word that is shown last; 0 without words."""
    return max((cost for cost in costs if cost < FAR), default=0)
