"""The door: `duplicates`, and the methods by name."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from support.made_prose import edited, prose, true_overlap
from trasmallo.clean.copies import METHODS, choose, duplicates
from trasmallo.values.errors import UsageError


def test_near_copies_are_found_with_their_true_overlap() -> None:
    originals = [prose(seed) for seed in range(60)]
    copies = [edited(words, 0.08, seed) for seed, words in enumerate(originals)]

    found = duplicates(" ".join(words) for words in originals + copies)

    assert [(i, j) for i, j, _ in found] == [(number, number + 60) for number in range(60)]
    assert all(overlap == pytest.approx(true_overlap(originals[i], copies[j - 60])) for i, j, overlap in found)


@pytest.mark.parametrize("method", METHODS)
def test_every_method_pairs_exact_copies_and_no_texts_without_words(method: str) -> None:
    found = duplicates(["", "a b", "...", "A  b!", "", "a b", "c d"], method=method)

    assert found == [(1, 3, 1.0), (1, 5, 1.0), (3, 5, 1.0)]
    assert duplicates([], method=method) == []


@pytest.mark.parametrize("method", ["minhash", "simhash", "fingerprint"])
def test_copies_of_two_alike_texts_are_all_paired(method: str) -> None:
    one, other = " ".join(prose(1)), " ".join(edited(prose(1), 0.03, 1))

    found = duplicates([one, other, other.upper(), one], method=method)

    assert [(pair.first, pair.second) for pair in found] == [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    assert [pair.similarity == 1.0 for pair in found] == [False, False, True, True, False, False]


def test_a_crowd_of_equal_texts_is_paired_with_its_first() -> None:
    found = duplicates(["a b c"] * 400)

    assert found == [(0, number, 1.0) for number in range(1, 400)]


def test_the_threshold_decides() -> None:
    one, other = prose(1), edited(prose(1), 0.2, 1)
    overlap = true_overlap(one, other)
    texts = [" ".join(one), " ".join(other)]

    assert duplicates(texts, overlap - 0.01)
    assert not duplicates(texts, overlap + 0.01)


@pytest.mark.parametrize("method", METHODS)
def test_chosen_pairs_are_compared(method: str) -> None:
    chosen = choose(method)
    signed = chosen.sign(["a b c", "A, b, c", "otra cosa distinta", ""])

    assert chosen.compare(signed, np.array([0, 0, 3]), np.array([1, 2, 3])).round(6).tolist() in (
        [1.0, 0.0, 0.0],
        [1.0, pytest.approx(0.0, abs=0.35), 0.0],
    )


def test_a_simhash_of_another_size() -> None:
    assert choose("simhash", bits=64).sign(["a"]).shape == (1, 1)
    with pytest.raises(UsageError, match="multiple of 64"):
        choose("simhash", bits=70)


def test_wrong_arguments_are_refused() -> None:
    with pytest.raises(UsageError, match="choose one of minhash, simhash"):
        duplicates(["a"], method="magic")
    for least in (0.0, 1.2, float("nan")):
        with pytest.raises(UsageError, match="give a number above 0"):
            duplicates(["a"], least)


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({"texts": "abc"}, "`texts` is of the type str: give a list of texts"),
        ({"texts": b"abc"}, "`texts` is of the type bytes"),
        ({"texts": 3}, "`texts` is of the type int"),
        ({"texts": ["a", b"b"]}, r"`texts\[1\]` is of the type bytes: give a text"),
        ({"least": "0.5"}, "`least` is of the type str"),
        ({"method": ["exact"]}, "`method` is of the type list"),
    ],
)
def test_what_is_of_a_wrong_type_is_one_clear_error(arguments: dict[str, Any], problem: str) -> None:
    with pytest.raises(UsageError, match=f"^{problem}"):
        duplicates(**{"texts": ["a"], **arguments})
