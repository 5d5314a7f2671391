"""The lists that ship."""

from __future__ import annotations

from trasmallo.study.entities.name_lists import COUNTRY, GIVEN, SURNAME, TOWN, fold, names, nouns


def test_lists_know_common_names() -> None:
    assert GIVEN in names()["ana"]
    assert SURNAME in names()["perez"]
    assert COUNTRY in names()["españa"]
    assert TOWN in names()["soria"]


def test_nouns_tell_what_they_mean_in_the_broad() -> None:
    assert "p" in nouns()["presidente"]
    assert "g" in nouns()["ministerio"]


def test_keys_have_neither_case_nor_accents() -> None:
    assert fold("PÉREZ") == "perez"
    assert fold("España") == "españa"
