from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trasmallo.study.factorising import factorise
from trasmallo.study.measures.richness import Richness, mattr, mtld, richness, said_before, yule
from trasmallo.values.arrays import Whole

TEXT = "el mar y el puerto y el faro de la isla y la red de la pesca del mar y del puerto de la isla"
words = st.lists(st.sampled_from("abcdefgh"), max_size=200)


def rich(text: Sequence[str]) -> Richness:
    words = factorise(text).rows
    return richness(words, said_before(words))


def before(text: Sequence[str]) -> Whole:
    return said_before(factorise(text).rows)


def test_where_words_were_said_before() -> None:
    assert before("abacab").tolist() == [-1, -1, 0, -1, 2, 1]
    assert before("").tolist() == []


def test_measures_of_a_text() -> None:
    """25 words, 11 different; figures as another program gives them (lexicalrichness 0.5)."""
    found = rich(TEXT.split())
    assert (found.words, found.types, found.hapax) == (25, 11, 3)
    assert (found.type_token_ratio, found.guiraud) == (pytest.approx(0.44), pytest.approx(2.2))
    assert (found.herdan, found.yule) == (pytest.approx(0.7449480512), pytest.approx(704.0))
    assert (found.hapax_ratio, found.mtld) == (pytest.approx(3 / 11), pytest.approx(11.46523178807947))
    assert (found.mattr, mattr(before(TEXT.split()), 10)) == (pytest.approx(0.44), pytest.approx(0.74375))


def test_yules_k_by_hand() -> None:
    assert yule(np.array([2, 1, 1])) == pytest.approx(10_000 * (6 - 4) / 16)


def test_texts_of_no_word_and_of_one() -> None:
    assert rich([]) == Richness(words=0, types=0, hapax=0)
    assert rich(["a"]) == Richness(
        words=1, types=1, hapax=1, type_token_ratio=1.0, guiraud=1.0, herdan=1.0, yule=0.0, hapax_ratio=1.0, mattr=1.0
    )


def test_no_word_said_twice_has_no_mtld() -> None:
    assert mtld(before("abcdefgh")) is None
    assert mtld(before("aa")) == pytest.approx(2.0)


def slow_mattr(text: list[str], window: int) -> float:
    size = min(window, len(text))
    ratios = [len(set(text[at : at + size])) / size for at in range(len(text) - size + 1)]
    return sum(ratios) / len(ratios)


@given(words.filter(bool), st.integers(1, 60))
def test_the_moving_average_is_the_mean_of_all_windows(text: list[str], window: int) -> None:
    assert mattr(before(text), window) == pytest.approx(slow_mattr(text, window))


@given(words)
def test_measures_keep_to_their_range(text: list[str]) -> None:
    found = rich(text)
    assert 0 <= found.type_token_ratio <= 1
    assert 0 <= found.herdan <= 1
    assert 0 <= found.yule <= 10_000
    assert found.type_token_ratio <= found.mattr + 1e-9 or len(text) <= 50
    assert found.mtld is None or found.mtld > 0
    assert mtld(before(text)) == pytest.approx(mtld(before(text[::-1])))


def slow_factors(text: list[str]) -> float:
    factors, number, seen = 0, 0, set[str]()
    for word in text:
        number += 1
        fallen = word in seen and len(seen) <= 0.72 * number
        seen.add(word)
        if fallen:
            factors, number, seen = factors + 1, 0, set()
    return factors + (1 - len(seen) / number) / 0.28 if number else float(factors)


@given(st.lists(st.integers(0, 400).map(str), max_size=900))
def test_mtld_is_the_mean_length_of_stretches(text: list[str]) -> None:
    ways = [slow_factors(text), slow_factors(text[::-1])]
    assert mtld(before(text)) == (pytest.approx(sum(len(text) / way for way in ways) / 2) if all(ways) else None)
