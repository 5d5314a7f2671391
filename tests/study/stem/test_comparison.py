from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trasmallo.study.stem import choose, suffix_s
from trasmallo.study.stem.comparison import Conflation, StemmedWord, side_by_side, strength, vocabulary


def test_the_vocabulary_has_words_only_and_the_frequent_ones_first() -> None:
    found = vocabulary("The dog saw 3 dogs, the DOG barked at https://example.org/", "en")
    assert list(found.items()) == [("dog", 2), ("the", 2), ("at", 1), ("barked", 1), ("dogs", 1), ("saw", 1)]


def test_side_by_side() -> None:
    rows = side_by_side({"studies": 2, "is": 1}, choose(["s", "porter", "krovetz"]))
    assert rows == [
        StemmedWord("studies", 2, {"s": "studie", "porter": "studi", "krovetz": "study"}),
        StemmedWord("is", 1, {"s": "i", "porter": "i", "krovetz": "be"}),
    ]


def test_the_strength_of_a_stemmer() -> None:
    found = strength("s", suffix_s, ["dog", "dogs", "cat", "cats", "sheep"])
    assert (found.words, found.stems, found.changed) == (5, 3, 2)
    assert found.class_size == pytest.approx(5 / 3)
    assert found.compression == pytest.approx(2 / 5)
    assert found.removed == pytest.approx(2 / 5)
    assert found.examples == (Conflation("cat", ("cat", "cats")), Conflation("dog", ("dog", "dogs")))


def test_an_empty_text_has_no_strength() -> None:
    found = strength("s", suffix_s, [])
    assert (found.words, found.stems, found.class_size, found.compression, found.removed, found.examples) == (0, 0, 0, 0, 0, ())


@given(st.lists(st.text(alphabet="abs", max_size=4)))
def test_the_measures_agree_with_each_other(words: list[str]) -> None:
    found = strength("s", suffix_s, words)
    assert found.stems <= found.words == len(set(words))
    assert found.compression == pytest.approx(1 - 1 / found.class_size if found.words else 0)
    assert found.changed >= found.words - found.stems
