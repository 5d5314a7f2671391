from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.made_prose import edited, prose, true_overlap
from trasmallo.clean.copies.minhash import BANDS, MINIMA, SIGNATURE, all_pairs, compare, estimate, keys, sign


def test_a_signature_is_small_and_the_same_on_every_machine() -> None:
    signed = sign(["El trasmallo es una red de tres paños que se cala fija en el fondo."])

    assert SIGNATURE.itemsize == 276
    assert signed["words"].tolist() == [15]
    assert signed.tobytes()[:32].hex() == "8c814c57904482efefd2d00d0d69cd130f000000efa7e01ef731e01e6067827a"


@pytest.mark.parametrize("share", [0.0, 0.05, 0.1, 0.3, 0.6])
@pytest.mark.parametrize("length", [60, 400])
def test_the_estimate_is_near_the_overlap(share: float, length: int) -> None:
    texts = [(prose(seed, length), edited(prose(seed, length), share, seed)) for seed in range(40)]
    signed = sign(" ".join(words) for pair in texts for words in pair)
    found = estimate(signed, np.arange(0, 80, 2), np.arange(1, 80, 2))
    errors = found - [true_overlap(*pair) for pair in texts]

    assert abs(errors.mean()) < 0.03
    assert abs(errors).max() < (0.25 if length < 100 else 0.16)


def test_texts_alone_and_together_are_signed_alike() -> None:
    texts = [" ".join(prose(seed, 30 + 7 * seed)) for seed in range(60)]

    assert sign(texts).tobytes() == b"".join(sign([text]).tobytes() for text in texts)


@given(st.text(max_size=80))
def test_any_text_with_words_is_like_itself(text: str) -> None:
    signed = sign([text, text])

    assert compare(signed[:1], signed[1:]).tolist() == [float(signed["words"][0] > 0)]


def test_one_signature_is_compared_with_many() -> None:
    signed = sign([" ".join(prose(seed)) for seed in (1, 2, 1)])

    assert compare(signed, signed[:1]).round(1).tolist() == [1.0, 0.0, 1.0]


def test_only_the_same_words_are_wholly_alike() -> None:
    text = " ".join(prose(1, 5_000))
    signed = sign([text, text + " y", text.upper()])

    assert 0.99 < compare(signed[:1], signed[1:2])[0] < 1
    assert compare(signed[:1], signed[2:])[0] == 1


def test_bands_have_keys_of_their_own() -> None:
    signed = np.zeros(2, dtype=SIGNATURE)
    found = keys(signed, 0, BANDS)

    assert found.shape == (2, BANDS)
    assert len(set(found[0].tolist())) == BANDS
    assert (found[:, 7] == keys(signed, 7)[:, 0]).all()


def test_all_pairs_of_near_copies_are_found_and_others_not() -> None:
    originals = [prose(seed) for seed in range(60)]
    texts = originals + [edited(words, 0.15, seed) for seed, words in enumerate(originals)]
    pairs = all_pairs(sign(" ".join(words) for words in texts), 0.5)

    assert pairs.first.tolist() == list(range(60))
    assert pairs.second.tolist() == list(range(60, 120))


def test_texts_without_words_are_like_nothing() -> None:
    pairs = all_pairs(sign(["", "?", "a b", "A, b"]), 0.5)

    assert [column.tolist() for column in pairs] == [[2], [3], [1.0]]
    assert len(all_pairs(sign([]), 0.5).first) == 0


def test_chance_makes_no_pairs() -> None:
    signed = np.zeros(20_000, dtype=SIGNATURE)
    chance = np.random.default_rng(5)
    signed["minima"] = chance.integers(0, 1 << 16, (20_000, MINIMA))
    signed["exact"] = chance.integers(0, 1 << 62, (20_000, 2))
    signed["words"] = 9

    assert len(all_pairs(signed, 0.2).first) == 0
