from __future__ import annotations

import numpy as np
import pytest

from support.made_prose import edited, prose, true_overlap
from trasmallo.clean.copies.fingerprints import all_pairs, compare, overlap, select, sign


def test_those_that_are_zero_modulo_p_are_kept_once_and_sorted() -> None:
    hashes = np.array([12, 7, 8, 12, 4, 9], dtype=np.uint64)

    assert select(hashes, 4).tolist() == [4, 8, 12]
    assert select(hashes, 100).tolist() == [4]
    assert select(hashes[:0], 4).tolist() == []


@pytest.mark.parametrize(("one", "other", "share"), [([1, 2], [2, 3], 1 / 3), ([], [], 0.0), ([5], [5], 1.0)])
def test_overlap(one: list[int], other: list[int], share: float) -> None:
    assert overlap(np.array(one, dtype=np.uint64), np.array(other, dtype=np.uint64)) == share


def test_with_modulus_one_the_overlap_is_true() -> None:
    one, other = prose(1), edited(prose(1), 0.2, 1)
    signed = sign([" ".join(one), " ".join(other)], 1)

    assert compare(signed, np.array([0]), np.array([1]))[0] == pytest.approx(true_overlap(one, other))


def test_a_share_of_the_ngrams_is_kept() -> None:
    sizes = sign([" ".join(prose(seed, 2_000)) for seed in range(5)], 8).sizes

    assert all(abs(size - 250) < 60 for size in sizes)


def test_all_pairs() -> None:
    originals = [prose(seed) for seed in range(40)]
    texts = originals + [edited(words, 0.1, seed) for seed, words in enumerate(originals)]
    pairs = all_pairs(sign(" ".join(words) for words in texts), 0.5)

    assert (pairs.second - pairs.first).tolist() == [40] * 40
    assert len(all_pairs(sign(["", "?"]), 0.5).first) == 0
    assert len(all_pairs(sign([]), 0.5).first) == 0


def test_short_texts_have_one() -> None:
    pairs = all_pairs(sign(["a b", "c d", "A b"]), 0.5)

    assert [column.tolist() for column in pairs] == [[0], [2], [1.0]]
