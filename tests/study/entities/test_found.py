"""Entities of texts: names, values, layers, odd input."""

from __future__ import annotations

import pytest

from trasmallo import entities
from trasmallo.study.entities.found import KINDS, nameless_in
from trasmallo.values.errors import UsageError

TEXT = "Ana Pérez vive en Soria desde el 3 de mayo de 2020 y pagó 3,5 millones de euros."


def told(text: str | list[str], language: str = "es") -> list[tuple[str, str, str]]:
    return [(one.text, one.kind, one.value) for one in entities(text, language)]


def test_names_and_values_are_found() -> None:
    assert told(TEXT) == [
        ("Ana Pérez", "PER", ""),
        ("Soria", "LOC", ""),
        ("3 de mayo de 2020", "DATE", "2020-05-03"),
        ("3,5 millones de euros", "MONEY", "3500000 EUR"),
    ]


def test_places_are_those_of_the_text() -> None:
    found = entities(TEXT)
    assert [TEXT[one.start : one.end] for one in found] == [one.text for one in found]
    assert {one.kind for one in found} <= set(KINDS)
    assert {one.source for one in found} == {"model", "rule"}
    assert all(0 < one.score <= 1 for one in found)


def test_a_list_of_words_counts_words() -> None:
    found = entities(["Ana", "Pérez", "vive", "en", "Soria", "desde", "1998"])
    assert [(one.text, one.start, one.end) for one in found] == [("Ana Pérez", 0, 2), ("Soria", 4, 5), ("1998", 6, 7)]


@pytest.mark.parametrize("write", [str.upper, str.lower])
def test_case_does_not_hide_names(write: type) -> None:
    assert told(write("Ana Pérez vive en Soria."))[:2] == [(write("Ana Pérez"), "PER", ""), (write("Soria"), "LOC", "")]


def test_bush_is_a_person_only_as_a_name() -> None:
    """The textbook's example: the same word as a name and as a plant."""
    assert ("Bush", "PER", "") in told("President Bush met John Smith in Boston.", "en")
    assert told("The bird sat in a bush near the house.", "en") == []


def test_one_name_has_one_kind_where_it_is_unsure() -> None:
    found = entities("Ana Pérez llegó. Habló Ana Pérez. Dijo que Ana Pérez venía.")
    assert {one.kind for one in found} == {"PER"}


@pytest.mark.parametrize("text", ["", "   ", [], "...", "\n\n", "12345678901234567890"])
def test_nothing_named_is_nothing_found(text: str | list[str]) -> None:
    assert entities(text) == []


def test_a_text_of_names_only_and_one_without_sentences_end() -> None:
    assert len(entities("Ana Pérez, Juan Gómez, Luis Gil. " * 30)) >= 60
    assert entities("palabra " * 20_000) == []
    assert len(entities("Madrid y Ana Pérez " * 5_000)) > 5_000


def test_what_is_no_text_is_refused() -> None:
    with pytest.raises(UsageError):
        entities(3)  # type: ignore[arg-type]
    with pytest.raises(UsageError):
        entities("Ana", "klingon")


def test_a_word_that_opens_a_sentence_and_is_written_small_elsewhere_is_no_name() -> None:
    text = "Algoritmear cansa mucho. Aprendió a algoritmear en Soria. Blanca vio una casa blanca."
    assert [one.text for one in entities(text) if one.kind != "DATE"] == ["Soria", "Blanca"]


def test_a_language_without_a_model_of_names_is_told() -> None:
    with pytest.warns(UserWarning, match="no names are looked for in French"):
        assert [one.kind for one in entities("Ana: ana@example.org", "fr")] == ["EMAIL"]
    assert nameless_in("es") == nameless_in("en") == nameless_in("und") == ""
