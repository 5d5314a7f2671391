"""The neighbours of words, against spelling them out one by one."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from trasmallo.study.morphology.fingerprints import fingerprints
from trasmallo.study.morphology.letter_model import ALPHABET, AnyLetter, Letters
from trasmallo.study.morphology.single_edits import Edits, accent_edits, letter_edits

WORDS = st.lists(st.text("aáeinñsx-ço", min_size=1, max_size=24), min_size=1, max_size=6, unique=True)
FEW = ["casa", "cansa", "nieve", "nació"]


def spelt(words: list[str], several: list[Edits]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {word: [] for word in words}
    for some in several:
        for word, form in some.spell(words, np.arange(len(some.prints)), ()):
            found[word].append(form)
    return found


def edits(word: str) -> Iterator[str]:
    halves = [(word[:place], word[place:]) for place in range(len(word) + 1)]
    yield from (left + right[1] + right[0] + right[2:] for left, right in halves if len(right) > 1)
    yield from (left + right[1:] for left, right in halves if right)
    yield from (left + letter + right[1:] for left, right in halves[:-1] for letter in ALPHABET)
    yield from (left + letter + right for left, right in halves for letter in ALPHABET)


@given(WORDS)
def test_every_edit_in_order(words: list[str]) -> None:
    assert spelt(words, list(letter_edits(words, AnyLetter()))) == {word: list(edits(word)) for word in words}


@given(WORDS)
def test_fingerprints_are_those_of_the_neighbours(words: list[str]) -> None:
    for some in (accent_edits(words), *letter_edits(words, Letters(FEW))):
        forms = [form for _, form in some.spell(words, np.arange(len(some.prints)), ())]
        filled = [place for place, form in enumerate(forms) if form]
        assert some.prints[filled].tolist() == fingerprints([forms[place] for place in filled]).tolist()


def test_accents_stand_on_one_vowel() -> None:
    assert spelt(["cansó", "xx"], [accent_edits(["cansó", "xx"])]) == {"cansó": ["cánso", "cansó"], "xx": []}


def test_letters_are_those_that_fit() -> None:
    _, _, changed, added = letter_edits(["caxa"], Letters(FEW))
    assert spelt(["caxa"], [changed]) == {"caxa": ["casa"]}
    assert spelt(["caxa"], [added]) == {"caxa": []}


def test_settled_words_are_not_spelt() -> None:
    some = accent_edits(["casa", "cosa"])
    assert list(some.spell(["casa", "cosa"], np.arange(len(some.prints)), {"casa"})) == [("cosa", "cósa"), ("cosa", "cosá")]
