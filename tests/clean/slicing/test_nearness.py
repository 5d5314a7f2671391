from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trasmallo.clean.slicing.nearness import FAR, divide, largest, ranges_within, spread


def sentences(text: str) -> list[list[str]]:
    """Paragraphs of sentences, each with what stands around its words."""
    units = divide(text)
    found: list[list[str]] = []
    for number, paragraph in enumerate(units.paragraph):
        words = np.flatnonzero(units.sentence == number)
        if paragraph == len(found):
            found.append([])
        found[-1].append(text[units.lead[words[0]] : units.trail[words[-1]]])
    return found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("uno dos. tres", [["uno dos.", " tres"]]),
        ("¿uno? ¡dos! tres… cuatro; cinco", [["¿uno?", " ¡dos!", " tres…", " cuatro;", " cinco"]]),
        ("el sr. lopez y j. r. ruiz. fin", [["el sr. lopez y j. r. ruiz.", " fin"]]),
        ("año 5. luego 3.14 y www.x.es", [["año 5.", " luego 3.14 y www.x.es"]]),
        ("uno.» dos", [["uno.»", " dos"]]),
        ("日本。東京", [["日本。", "東京"]]),
        ("uno\0dos. tres\0 \0—\0", [["uno"], ["dos.", " tres"], ["—"]]),
        ("", []),
    ],
)
def test_sentences_and_paragraphs(text: str, expected: list[list[str]]) -> None:
    assert sentences(text) == expected


def costs_of(text: str, word: str, weights: dict[str, int] | None = None) -> list[int]:
    units = divide(text)
    words = [text[a:b] for a, b in zip(units.start, units.end, strict=True)]
    steps = np.array([(weights or {}).get(each, 1) for each in words], dtype=np.int64)
    return spread(units, {place: 0 for place, each in enumerate(words) if each == word}, steps).tolist()


def test_words_then_sentences_then_paragraphs() -> None:
    text = "aa bb X cc. dd ff. gg\0hh ii. jj\0kk"
    # The sentence is complete at 2, the paragraph two sentences later.
    assert costs_of(text, "X") == [2, 1, 0, 1, 3, 3, 4, 5, 5, 5, 6]


def test_the_nearest_place_counts() -> None:
    assert costs_of("X a b c X", "X") == [0, 1, 2, 1, 0]


def test_words_that_weigh_nothing_cost_nothing() -> None:
    assert costs_of("la X de la casa", "X", {"la": 0, "de": 0}) == [0, 0, 0, 0, 1]


def test_without_a_place_all_is_far() -> None:
    assert costs_of("a b", "X") == [FAR, FAR]
    assert largest(np.array([FAR])) == 0
    assert costs_of("", "X") == []


def test_ranges_end_with_paragraphs_and_bring_punctuation() -> None:
    text = "«aa», X; bb. cc\0dd"
    units = divide(text)
    costs = np.array([1, 0, 1, 2, 3])
    parts = [[text[a:b] for a, b in zip(*ranges_within(units, costs, most), strict=True)] for most in range(4)]
    assert parts == [["X;"], ["«aa», X; bb."], ["«aa», X; bb. cc"], ["«aa», X; bb. cc", "dd"]]


def slow_costs(text: str, seeds: dict[int, int], weights: list[int]) -> list[int]:
    """The definition, seed by seed."""
    units = divide(text)
    sentence, paragraph = units.sentence.tolist(), units.paragraph.tolist()
    found = [FAR] * len(sentence)

    def way(a: int, b: int) -> int:
        return sum(weights[b:a]) if b < a else sum(weights[a + 1 : b + 1])

    for seed, base in seeds.items():
        own = sentence[seed]
        mates = [word for word, number in enumerate(sentence) if number == own]
        complete = base + max(way(seed, mates[0]), way(seed, mates[-1]))
        near = [number for number, place in enumerate(paragraph) if place == paragraph[own]]
        whole = complete + max(own - near[0], near[-1] - own)
        for word, number in enumerate(sentence):
            if number == own:
                cost = base + way(seed, word)
            elif paragraph[number] == paragraph[own]:
                cost = complete + abs(number - own)
            else:
                cost = whole + abs(paragraph[number] - paragraph[own])
            found[word] = min(found[word], cost)
    return found


@given(st.text(st.sampled_from("ab日 . \0"), max_size=40), st.data())
def test_costs_are_those_of_the_definition(text: str, data: st.DataObject) -> None:
    size = len(divide(text).start)
    weights = data.draw(st.lists(st.integers(0, 1), min_size=size, max_size=size))
    seeds = data.draw(st.dictionaries(st.integers(0, size - 1), st.integers(0, 4), max_size=4)) if size else {}
    assert spread(divide(text), seeds, np.array(weights, dtype=np.int64)).tolist() == slow_costs(text, seeds, weights)
