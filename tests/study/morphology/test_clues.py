from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from trasmallo.study.morphology import clues

words = st.text(alphabet="aAñ-.1", min_size=1, max_size=6)


def described(*several: str) -> clues.Hashes:
    return clues.hashed([clues.clues(word, word.lower(), False, "NOUN", "fine", word) for word in several])


def test_a_word_has_each_kind_of_clue() -> None:
    found = clues.clues("Casa", "casa", True, "NOUN VERB", "fine", "casa")
    assert len(found) == len(clues.CLUES)
    assert found != clues.clues("casa", "casa", True, "NOUN VERB", "fine", "casa")
    assert found != clues.clues("Casa", "casa", False, "NOUN VERB", "fine", "casa")


def test_a_word_without_clues_has_only_zeros() -> None:
    found = clues.hashed([(), ("a",) * len(clues.CLUES)])
    assert found.shape == (2, len(clues.CLUES))
    assert not found[0].any()
    assert found[1].all()
    assert clues.hashed([]).shape == (0, len(clues.CLUES))


def test_features_of_one_word_tell_kinds_and_places_apart() -> None:
    features = clues.alone(np.full((1, len(clues.CLUES)), 7, np.uint32))
    assert features.shape == (1, clues.BOUNDS[-1])
    assert len(set(features[0].tolist())) == features.shape[1]
    assert len(clues.BOUNDS) == 2 + len(clues.NEAR)


@given(st.lists(words, min_size=5, max_size=9))
def test_a_place_is_scored_alike_alone_and_among_others(several: list[str]) -> None:
    around = clues.shared(described(*several))
    at = np.arange(clues.REACH, len(several) - clues.REACH)
    together = clues.combined(around, at)
    assert together.shape == (len(clues.TEMPLATES), len(at))
    for column, place in enumerate(at):
        window = around[place - clues.REACH : place + clues.REACH + 1]
        assert (clues.combined(window, np.array([clues.REACH]))[:, 0] == together[:, column]).all()


def test_a_broken_character_gives_clues_too() -> None:
    broken, whole = described("\ud800", "casa")
    assert broken.all()
    assert whole.tolist() == described("casa")[0].tolist()
