"""A filter that few words outside a list pass."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from trasmallo.study.morphology.fingerprints import filter_of, fingerprints, passing

WORDS = st.lists(st.text(min_size=1, max_size=30), max_size=40)


@given(WORDS)
def test_what_a_filter_was_made_for_passes(words: list[str]) -> None:
    prints = fingerprints(words)
    assert passing(filter_of(prints), prints).tolist() == list(range(len(words)))


@given(WORDS, st.integers(0, 39))
def test_a_fingerprint_is_that_of_the_word_alone(words: list[str], place: int) -> None:
    for word in words[place : place + 1]:
        assert fingerprints(words)[place] == fingerprints([word])[0]


def test_few_others_pass() -> None:
    listed, others = fingerprints([f"palabra{number}" for number in range(5000)]), [f"otra{number}" for number in range(5000)]
    assert len(np.unique(listed)) == 5000
    assert len(passing(filter_of(listed), fingerprints(others))) < 5000 / 12
    assert len(passing(filter_of(fingerprints([])), fingerprints(others))) == 0
