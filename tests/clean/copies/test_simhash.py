from __future__ import annotations

import numpy as np
import pytest

from support.made_prose import edited, prose
from trasmallo.clean.copies import simhash
from trasmallo.values.errors import UsageError


@pytest.mark.parametrize("bits", [64, 128, 384])
def test_near_copies_differ_in_few_bits(bits: int) -> None:
    texts = [" ".join(words) for words in (prose(1), edited(prose(1), 0.05, 2), prose(3))]
    signed = simhash.sign(texts, bits)
    near, far = simhash.compare(signed, np.array([0, 0]), np.array([1, 2]))

    assert signed.shape == (3, bits // 64)
    assert near > 0.8
    assert far < 0.5


def test_the_similarity_is_the_cosine_of_the_angle() -> None:
    assert simhash.similarity(np.array([0, 32, 64, 128, 192]), 192).round(3).tolist() == [1.0, 0.866, 0.5, 0.0, 0.0]


@pytest.mark.parametrize("bits", [0, 63, 100, 448])
def test_other_sizes_are_refused(bits: int) -> None:
    with pytest.raises(UsageError, match="multiple of 64 from 64 to 384"):
        simhash.sign(["a"], bits)


def test_all_pairs_over_several_tiles() -> None:
    originals = [prose(seed, 80) for seed in range(1_100)]
    copies = [edited(originals[seed], 0.05, seed) for seed in range(0, 1_100, 100)]
    pairs = simhash.all_pairs(simhash.sign(" ".join(words) for words in originals + copies), 0.75)

    assert pairs.first.tolist() == list(range(0, 1_100, 100))
    assert pairs.second.tolist() == list(range(1_100, 1_111))


def test_same_bits_are_paired_with_their_first_and_nothing_with_nothing() -> None:
    pairs = simhash.all_pairs(simhash.sign(["", "a b c", "A b, c", "?", "a B c"], 64), 0.9)

    assert [column.tolist() for column in pairs] == [[1, 1], [2, 4], [1.0, 1.0]]


def test_a_long_text_is_counted_in_slices() -> None:
    text = " ".join(prose(4, 40_000))

    assert simhash.compare(simhash.sign([text, text + " y más"]), np.array([0]), np.array([1]))[0] > 0.99
