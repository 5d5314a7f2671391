"""Words as the index keeps them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trasmallo.store.index.words import hidden, shown, terms_of


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("La CANCIÓN, otra", ["la", "cancion", "otra"]),
        ("año ano", [hidden("año"), "ano"]),
        ("Ñandú «ÁRBOL» — “naïve”", [hidden("ñandu"), "arbol", "naive"]),
        ("cancio\u0301n n\u0303u", ["cancion", hidden("ñu")]),
        ("pala\u00adbra", ["palabra"]),
        ("pala\u00adbra 日", ["palabra", "日"]),
        ("日本語 ok", ["日本", "本語", "ok"]),
        ("Łódź Привет", ["lodz", "привет"]),
        ("x" * 100 + " corta", ["corta"]),
        ("", []),
    ],
)
def test_folding(text: str, terms: list[str]) -> None:
    assert terms_of(text) == terms


@given(st.text(alphabet="aáÁñÑnüÜ çÇßœ€“”—\u00ad", max_size=30))
def test_the_quick_way_folds_as_the_slow_one_does(text: str) -> None:
    """A letter of another script sends the same text through tantivy's own folding."""
    assert terms_of(text) == terms_of(text + " Ж")[:-1]


def test_a_term_is_shown_with_its_letter() -> None:
    assert shown(terms_of("España")[0]) == "españa"
