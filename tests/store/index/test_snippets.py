"""Quotations with the found words marked."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trasmallo.store.index.snippets import find_terms, quote
from trasmallo.store.index.words import hidden, terms_of

LONG = "Nada que ver aquí. " * 60


def marked(text: str, *terms: str, size: int = 60) -> list[str]:
    return [piece.text for piece in quote(text, terms, size).pieces if piece.hit]


def test_the_words_are_marked_as_the_text_writes_them() -> None:
    text = "La Canción y las CANCIONES del año."
    assert marked(text, "cancion", "canciones", hidden("año")) == ["Canción", "CANCIONES", "año"]
    assert marked(text, "ano", "cancio") == []


@pytest.mark.parametrize(
    ("text", "term", "written"),
    [("в Москве", "москве", "Москве"), ("Łódź", "lodz", "Łódź"), ("東京都へ", "東京", "東京"), ("Straße", "strasse", None)],
)
def test_other_scripts(text: str, term: str, written: str | None) -> None:
    assert marked(text, term) == ([written] if written else [])


def test_the_stretch_with_most_different_words_is_chosen() -> None:
    text = LONG + "vela vela vela. " + LONG + "Una vela con viento del norte. " + LONG
    found = quote(text, ["vela", "viento"])
    assert "vela con viento" in found.text
    assert found.text == text[found.start : found.end]


def test_without_a_word_the_beginning_is_shown() -> None:
    assert quote(LONG, ["vela"], 40).text.startswith("Nada que ver")
    assert quote("", ["vela"]).pieces == ()


@given(st.text(alphabet="ab ñé.\n“😀", max_size=300), st.lists(st.sampled_from(["a", "ab", "e", "ba"]), max_size=3))
def test_a_snippet_is_the_text_itself(text: str, terms: list[str]) -> None:
    found = quote(text, terms, 50)
    assert found.text == text[found.start : found.end]
    for piece in found.pieces:
        if piece.hit:
            assert terms_of(piece.text)[0] in terms


def test_a_huge_text_costs_little() -> None:
    assert len(find_terms("a " * 1_000_000, ["a"])) <= 1_000
