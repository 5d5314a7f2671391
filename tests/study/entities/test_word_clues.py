"""Clues round a word: what follows, what is before, how it is spelt."""

from __future__ import annotations

from trasmallo.study.entities.word_clues import clues

SENTENCE = ["el", "portavoz", "de", "la", "Junta", "Electoral", "lo", "negó", "ayer"]


def test_a_capital_has_clues_on_both_sides() -> None:
    found = list(clues(SENTENCE))[4]
    assert found == ("A>A lo", "pjun", "xnta", "bde la", "lll Aa Aa", "<portavoz", "rnegó", "nElectoral")


def test_a_small_word_has_only_what_follows() -> None:
    assert list(clues(SENTENCE))[3] == ("a>A A",)
    assert all(len(found) == 1 for word, found in zip(SENTENCE, clues(SENTENCE), strict=True) if word.islower())


def test_edges_are_told() -> None:
    assert list(clues(["Soria"])) == [("A>s <>", "psor", "xria", "b<> <>", "ls Aa s", "<<>", "r<>")]
    assert list(clues([])) == []
