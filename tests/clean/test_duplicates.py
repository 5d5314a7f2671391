from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trasmallo.clean.duplicates import NearCopies, checksum, groups, likeness, pairs, shingles, signature, words_of

WORDS = [
    f"{a}{b}{c}"
    for a in ("ma", "pe", "sol", "tri")
    for b in ("lo", "ra", "vi", "nu", "ce")
    for c in ("", "s", "do", "mos", "ción")
]


def prose(seed: int, length: int = 400) -> list[str]:
    return random.Random(seed).choices(WORDS, k=length)


def edited(words: list[str], share: float, seed: int) -> list[str]:
    """The same text with one stretch replaced."""
    chance = random.Random(seed)
    size = int(len(words) * share)
    start = chance.randrange(len(words) - size)
    return [*words[:start], *chance.choices(WORDS, k=size), *words[start + size :]]


def true_overlap(one: list[str], other: list[str]) -> float:
    first, second = (set(zip(*(words[n:] for n in range(5)), strict=False)) for words in (one, other))
    return len(first & second) / len(first | second)


def test_the_checksum_ignores_layout_case_and_punctuation() -> None:
    assert checksum("Uno, dos:\n TRES") == checksum("uno dos tres")
    assert checksum("uno dos") != checksum("dos uno")


def test_a_signature_is_the_same_everywhere() -> None:
    signed = signature("El trasmallo es una red de tres paños que se cala fija en el fondo.")

    assert len(signed.minima) == 512
    assert (signed.exact.hex()[:16], signed.minima.hex()[:24]) == ("91256a78c24e53ab", "b619cd1c5e4feb8cc4257d8b")


@pytest.mark.parametrize("share", [0.0, 0.05, 0.1, 0.3, 0.6])
def test_likeness_estimates_the_overlap(share: float) -> None:
    texts = [(prose(seed), edited(prose(seed), share, seed)) for seed in range(20)]
    errors = [likeness(signature(" ".join(a)), signature(" ".join(b))) - true_overlap(a, b) for a, b in texts]

    assert abs(sum(errors) / len(errors)) < 0.03
    assert max(map(abs, errors)) < 0.16


def test_near_copies_are_found_and_others_not() -> None:
    originals = [prose(seed) for seed in range(60)]
    copies = [edited(words, 0.08, seed) for seed, words in enumerate(originals)]

    found = pairs(" ".join(words) for words in originals + copies)

    assert [(i, j) for i, j, _ in found] == [(number, number + 60) for number in range(60)]
    assert all(overlap == pytest.approx(true_overlap(originals[i], copies[j - 60])) for i, j, overlap in found)


def test_pairs_of_exact_copies_and_of_texts_without_words() -> None:
    assert pairs(["", "a b", "...", "A  b!", "", "a b"]) == [(1, 3, 1.0), (1, 5, 1.0), (3, 5, 1.0)]


def test_the_threshold_decides() -> None:
    one, other = prose(1), edited(prose(1), 0.2, 1)
    overlap = true_overlap(one, other)

    assert pairs([" ".join(one), " ".join(other)], overlap - 0.01)
    assert not pairs([" ".join(one), " ".join(other)], overlap + 0.01)


def test_copies_are_found_as_texts_come() -> None:
    copies: NearCopies[str] = NearCopies()
    text = " ".join(prose(1))

    assert copies.add("a", text) == []
    assert copies.add("b", " ".join(prose(2))) == []
    assert copies.add("c", text.upper()) == [("a", 1.0)]
    [(like, likeness)] = copies.add("d", " ".join(edited(prose(1), 0.02, 3)))
    assert (like, likeness > 0.8) == ("a", True)
    assert copies.add("e", "?!") == []
    assert len(copies) == 3


def test_many_alike_texts_cost_no_more_than_others() -> None:
    copies: NearCopies[int] = NearCopies()
    words = prose(5, 2000)

    found = [copies.add(number, " ".join([*words, str(number)])) for number in range(200)]

    assert all(len(alike) <= 2 * 64 for alike in found)
    assert all(found[1:])


def test_groups_are_sets_with_their_first() -> None:
    assert groups([(5, 3, 0.9), (1, 3, 0.8), (7, 9, 0.9)]) == [[1, 3, 5], [7, 9]]
    assert groups([]) == []


@given(
    st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20), st.just(1.0)), max_size=30), st.randoms(use_true_random=False)
)
def test_groups_do_not_depend_on_order(found: list[tuple[int, int, float]], chance: random.Random) -> None:
    shuffled = [(b, a, c) for a, b, c in found]
    chance.shuffle(shuffled)

    assert groups(found) == groups(shuffled)


@settings(deadline=None)
@given(st.text(max_size=80))
def test_any_text_is_like_itself(text: str) -> None:
    assert likeness(signature(text), signature(text)) == 1.0
    assert len(shingles(words_of(text))) == (max(1, len(words_of(text)) - 4) if words_of(text) else 0)
