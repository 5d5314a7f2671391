"""Words in their parts."""

from __future__ import annotations

import pytest

from trasmallo.study import compounds
from trasmallo.study.compounds import Frequencies, needs_frequencies, splitter
from trasmallo.study.readings import readings, readings_in_context

COUNTS = {"hafen": 900.0, "mauer": 700.0, "meister": 800.0}


def test_german_compounds_are_split_by_frequencies() -> None:
    split = splitter("de-AT", COUNTS)
    assert split("Hafenmauer") == ("hafen", "mauer")
    assert split("HAFENMEISTER") == ("hafen", "meister")
    assert split("Hafen") == split("Brücke") == split("") == ()


def test_arabic_affixes_are_taken_off() -> None:
    assert splitter("ar", {})("والكتاب") == ("و", "ال", "كتاب")
    assert splitter("ar", {})("بيت") == ()


def test_other_languages_have_no_parts() -> None:
    assert splitter("es", COUNTS)("hafenmauer") == ()
    assert [code for code in ("de", "DE_at", "ar", "es", "") if needs_frequencies(code)] == ["de", "DE_at"]


def test_a_list_comes_first_then_the_text_then_the_dictionary(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compounds, "lemmas_of", lambda _code: {"turm": "turm"}.get)
    found = Frequencies("de", {"hafen": 9.0}, "Die Hafenmauer. Hafen Mauer, Mauer")
    assert {word: found.get(word, 0) for word in ("hafen", "mauer", "turm", "fehlt")} == {
        "hafen": 9.0,
        "mauer": 2,
        "turm": 10.0,
        "fehlt": 0,
    }
    assert set(found) == {"die", "hafen", "mauer", "hafenmauer"}
    assert len(found) == 4


def test_readings_have_their_parts() -> None:
    split = splitter("de", COUNTS)
    for tokens in (readings("Die Hafenmauer.", "de", split), readings_in_context("Die Hafenmauer.", "de", split=split)):
        assert [token.parts for token in tokens] == [(), ("hafen", "mauer"), ()]
    assert [token.parts for token in readings("والكتاب", "ar")] == [("و", "ال", "كتاب")]
