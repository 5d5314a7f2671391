from __future__ import annotations

import sys

import pytest

from support.small_lexicon import small
from trasmallo.study.morphology.analyser import analyser
from trasmallo.study.morphology.generic import Generic, lemmas_of
from trasmallo.values.model import Analysis


def generic(**lemmas: str) -> Generic:
    return Generic(analyser("und"), lemmas.get)


def test_known_words_have_a_lemma_and_no_category() -> None:
    assert generic(chats="chat").analyse("chats") == [Analysis("chat", "X", by="lexicon")]


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("chats", ("chats", "X", "guess")),
        ("Paris", ("Paris", "PROPN", "guess")),
        ("12", ("12", "NUM", "rule")),
        (",", (",", "PUNCT", "rule")),
    ],
)
def test_unknown_words_by_shape(word: str, expected: tuple[str, str, str]) -> None:
    (found,) = generic().analyse(word)
    assert (found.lemma, found.category, found.by) == expected


def test_a_guess_is_the_word_itself() -> None:
    assert generic().guess("chats", "NOUN") == Analysis("chats", "NOUN", by="guess")
    assert Generic(small(), lambda _: None).guess("chats") == Analysis("chats", "X", by="guess")


def test_without_simplemma_nothing_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "simplemma", None)
    assert lemmas_of("fr")("chats") is None


def test_with_simplemma_lemmas_are_known() -> None:
    pytest.importorskip("simplemma")
    assert lemmas_of("fr-CA")("Chats") == "chat"
    assert lemmas_of("fr")("qwxz") is None
    assert lemmas_of("qq")("chats") is None


def test_half_a_pair_is_no_word() -> None:
    pytest.importorskip("simplemma")
    assert lemmas_of("fr")("a\ud800b") is None
    assert lemmas_of("fr")("chats") == "chat"
