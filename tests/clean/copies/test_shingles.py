from __future__ import annotations

import random
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.made_prose import prose
from trasmallo.clean.copies.shingles import LONGEST, batches, ngrams, remix, words


def hashes(text: str) -> list[int]:
    return words([text]).values.tolist()


def test_layout_case_and_punctuation_do_not_matter() -> None:
    assert hashes("¡Uno, dos:\n TRES_Ñ!") == hashes("uno dos tres ñ")
    assert hashes("uno dos") != hashes("dos uno")


def test_anagrams_and_parts_of_words_differ() -> None:
    assert len(set(hashes("roma amor ramo mora rom a ma ro"))) == 8


def test_words_are_the_same_wherever_they_stand() -> None:
    text = " ".join(prose(1))
    alone = hashes(text)

    assert words(["un principio " * 500, text, "", text]).values.tolist() == hashes("un principio " * 500) + 2 * alone


def test_hashes_are_the_same_on_every_machine() -> None:
    assert [f"{value:016x}" for value in hashes("El trasmallo, señor")] == [
        "47bd59b4573d577d",
        "e4acfa63067fcaa4",
        "126d1ab2cd94f197",
    ]


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("", 0),
        ("¿?...", 0),
        ("a", 1),
        ("x1 y2", 2),
        ("吾輩は猫", 4),
        ("hindi हिन्दी", 2),
        ("ภาษาไทย", 7),
        ("nin\u0303o", 1),
        ("한국어 말", 2),
    ],
)
def test_how_many_words_there_are(text: str, number: int) -> None:
    assert len(hashes(text)) == number


def test_a_lone_surrogate_and_a_rare_character_are_read() -> None:
    assert len(hashes("a \ud800 b")) == 3
    assert hashes("𠀀") != hashes("𠀁")


def test_bounds_tell_which_text_a_word_is_of() -> None:
    hashed = words(["uno dos", "", "tres", "!"])

    assert hashed.bounds.tolist() == [0, 2, 2, 3, 3]
    assert hashed.texts.tolist() == [0, 0, 2]
    assert [len(each) for each in hashed.each()] == [2, 0, 1, 0]


def test_ngrams_stay_within_their_text() -> None:
    texts = ["a b c d e f g", "a b", "", "b c d e f", "x"]
    found = ngrams(words(texts), 5)

    assert found.sizes.tolist() == [3, 1, 0, 1, 1]
    assert found.values[1] == found.values[4]
    assert found.values[3] == ngrams(words(["A, B"]), 5).values[0]


def test_ngrams_of_a_few_words_in_all() -> None:
    assert ngrams(words(["a b", "c"]), 5).sizes.tolist() == [1, 1]
    assert ngrams(words([""]), 5).sizes.tolist() == [0]


@given(st.lists(st.text(alphabet="ab c,\n", max_size=30), max_size=6), st.integers(1, 5))
def test_ngrams_are_equal_where_the_words_are(texts: list[str], length: int) -> None:
    spelled = [re.findall(r"\w+", text) for text in texts]
    expected = [
        tuple(each[start : start + length]) for each in spelled if each for start in range(max(1, len(each) - length + 1))
    ]
    found = ngrams(words(texts), length).values.tolist() if texts else []

    assert len(found) == len(expected)
    assert len(set(zip(found, expected, strict=True))) == len(set(found)) == len(set(expected))


def test_batches_hold_every_text_in_order_and_cut_the_longest() -> None:
    texts = [word * random.Random(3).randrange(1, 40_000) for word in prose(2, 40)]
    found = list(batches([*texts, "y" * (LONGEST + 5)]))

    assert len(found) > 2
    assert [text for batch in found for text in batch] == [*texts, "y" * LONGEST]


def test_bits_of_hashes_are_even() -> None:
    values = words([" ".join(f"palabra{number}" for number in range(20_000))]).values
    for each in (values, remix(values, 3)):
        ones = np.unpackbits(each.view(np.uint8).reshape(-1, 8), axis=1).mean(axis=0)
        assert abs(ones - 0.5).max() < 0.02
    assert len(set(values.tolist())) == 20_000
