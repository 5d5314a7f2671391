from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from trasmallo.study.morphology import tagger_features

words = st.text(alphabet="aAñ-.1", min_size=1, max_size=6)


def described(*several: str) -> tagger_features.Hashes:
    return tagger_features.hashed([tagger_features.clues(word, word.lower(), False, "NOUN", "fine", word) for word in several])


def test_a_word_has_each_kind_of_clue() -> None:
    found = tagger_features.clues("Casa", "casa", True, "NOUN VERB", "fine", "casa")
    assert len(found) == len(tagger_features.CLUES)
    assert found != tagger_features.clues("casa", "casa", True, "NOUN VERB", "fine", "casa")
    assert found != tagger_features.clues("Casa", "casa", False, "NOUN VERB", "fine", "casa")


def test_a_word_without_clues_has_only_zeros() -> None:
    found = tagger_features.hashed([(), ("a",) * len(tagger_features.CLUES)])
    assert found.shape == (2, len(tagger_features.CLUES))
    assert not found[0].any()
    assert found[1].all()
    assert tagger_features.hashed([]).shape == (0, len(tagger_features.CLUES))


def test_features_of_one_word_tell_kinds_and_places_apart() -> None:
    features = tagger_features.alone(np.full((1, len(tagger_features.CLUES)), 7, np.uint32))
    assert features.shape == (1, tagger_features.BOUNDS[-1])
    assert len(set(features[0].tolist())) == features.shape[1]
    assert len(tagger_features.BOUNDS) == 2 + len(tagger_features.NEAR)


@given(st.lists(words, min_size=5, max_size=9))
def test_a_place_is_scored_alike_alone_and_among_others(several: list[str]) -> None:
    around = tagger_features.shared(described(*several))
    at = np.arange(tagger_features.REACH, len(several) - tagger_features.REACH)
    together = tagger_features.combined(around, at)
    assert together.shape == (len(tagger_features.TEMPLATES), len(at))
    for column, place in enumerate(at):
        window = around[place - tagger_features.REACH : place + tagger_features.REACH + 1]
        assert (tagger_features.combined(window, np.array([tagger_features.REACH]))[:, 0] == together[:, column]).all()


def test_a_broken_character_gives_clues_too() -> None:
    broken, whole = described("\ud800", "casa")
    assert broken.all()
    assert whole.tolist() == described("casa")[0].tolist()
