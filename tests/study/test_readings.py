from __future__ import annotations

from trasmallo.study.readings import readings, readings_in_context

TEXT = "La casa, dándoselo."


def test_every_token_with_all_its_readings() -> None:
    found = list(readings(TEXT, "es"))
    assert [TEXT[one.start : one.end] for one in found] == [one.word for one in found] == ["La", "casa", ",", "dándoselo", "."]
    assert [one.lemma for one in found[1].analyses] == ["casa", "casar"]
    assert [one.kind for one in found][2:4] == ["punctuation", "alphabetic"]


def test_every_token_with_its_one_reading() -> None:
    found = list(readings_in_context(TEXT, "es"))
    assert all(len(one.analyses) == 1 for one in found)
    casa, dandoselo = found[1].analyses[0], found[3].analyses[0]
    assert (casa.lemma, casa.category, casa.by, casa.tag) == ("casa", "NOUN", "lexicon", "NCFS000")
    assert (dandoselo.clitics, dandoselo.by) == (("se", "lo"), "rule")


def test_a_reading_that_no_analysis_has() -> None:
    (found,) = readings_in_context("Trasmallio", "es")
    assert (found.analyses[0].category, found.analyses[0].by) == ("PROPN", "guess")
