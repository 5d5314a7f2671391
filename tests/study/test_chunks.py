"""Pieces of texts: cut alone and remembered, they give what the whole text gives."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trasmallo.study.chunks import Chunks, chunks_of
from trasmallo.study.interned_forms import Vocabularies, Vocabulary
from trasmallo.study.patterns import compiled

WORDS = [
    "casa",
    "A.",
    "p.",
    "ej.",
    "S.",
    "EE.",
    "UU.",
    "q.",
    "e.",
    "d.",
    "1",
    "1.",
    "3,5",
    "...",
    "?",
    "¿",
    "(",
    "»",
    "Sr.",
    "http://a.es/x",
    "@a",
    "#b",
    "a@b.es",
    "d’",
    "日本",
    "中a.",
    "10a.",
    "1º",
    "a.C.",
    "_",
]
BLANKS = [" ", " ", " ", "  ", "\n", "\r", "\u00a0", "\u202f", "\u2028", "\u200b"]
TEXTS = st.lists(st.sampled_from([*WORDS, "\U0001f600", "\ud800"]) | st.sampled_from(BLANKS), max_size=12).map("".join)


@given(TEXTS, st.sampled_from(["es", "en", "fr", "und"]))
def test_every_text_is_cut_as_if_it_were_cut_whole(text: str, code: str) -> None:
    assert chunks_of(code).forms(text).spread() == compiled(code).tokens.findall(text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("viene de EE. UU. hoy", ["viene", "de", "EE. UU.", "hoy"]),
        ("viene de EE.\nUU. hoy", ["viene", "de", "EE", ".", "UU", ".", "hoy"]),
        ("q. e. p. d. Ana", ["q. e. p. d.", "Ana"]),
        ("el plan B. Luego", ["el", "plan", "B.", "Luego"]),
        ("el plan B.", ["el", "plan", "B", "."]),
        ("", []),
        (" \n ", []),
    ],
)
def test_blanks_inside_tokens_and_ends_of_texts(text: str, words: list[str]) -> None:
    assert chunks_of("es").forms(text).spread() == words


def test_a_piece_is_cut_once(monkeypatch: pytest.MonkeyPatch) -> None:
    met = Chunks("es")
    asked: list[str] = []
    find = compiled("es").tokens.findall
    monkeypatch.setattr(met, "_find", lambda text: asked.append(text) or find(text))
    for _ in range(2):
        assert met.forms("la casa, la barca y").spread() == ["la", "casa", ",", "la", "barca", "y"]
    assert asked == ["la\ncasa,\nbarca\n", "y", "y"]


def small_vocabularies(most_forms: int) -> Vocabularies:
    return Vocabularies(lambda: Vocabulary(most_forms))


def test_another_vocabulary_means_other_numbers() -> None:
    met = Chunks("es", small_vocabularies(3))
    first = met.forms("la casa es la casa.")
    second = met.forms("una casa.")
    assert second.vocabulary is not first.vocabulary
    assert second.spread() == ["una", "casa", "."]


def test_chunks_are_forgotten_when_there_are_many() -> None:
    met = Chunks("es", small_vocabularies(40))
    first = met.forms(" ".join(f"{one}={other}" for one in "abcdefg" for other in "abcdefg") + " ")
    second = met.forms("una casa ")
    assert second.vocabulary is first.vocabulary, "there are many chunks, but few forms"
    assert second.spread() == ["una", "casa"]
    assert len(met._known) == 2
