"""Rules over the names of a model, each with a case that it must leave alone."""

from __future__ import annotations

import pytest

from trasmallo.study.entities.name_rules import amended
from trasmallo.study.entities.sequence_tagger import LabelledName


def changed(text: str, kinds: dict[str, str], language: str = "es") -> list[tuple[str, str]]:
    """The names of a sentence after the rules, where a model found single words of these kinds."""
    words = text.split()
    found = [LabelledName(place, place + 1, kinds[word], 0.9) for place, word in enumerate(words) if word in kinds]
    return [(" ".join(words[one.start : one.end]), one.kind) for one in amended(words, found, language)]


@pytest.mark.parametrize(
    ("text", "kinds", "names"),
    [
        ("Actualmente vive en Soria", {"Actualmente": "PER", "Soria": "LOC"}, [("Soria", "LOC")]),
        ("Algoritmear cansa a Ana", {"Algoritmear": "PER", "Ana": "PER"}, [("Ana", "PER")]),
        ("« Lávese bien », dijo", {"Lávese": "PER"}, []),
        ("Gaspar canta", {"Gaspar": "PER"}, [("Gaspar", "PER")]),
        ("dice Guglear otra vez", {"Guglear": "MISC"}, [("Guglear", "MISC")]),
        ("cruza el río Ebro", {"Ebro": "PER"}, [("río Ebro", "LOC")]),
        ("vive en la calle de Alcalá", {"Alcalá": "LOC"}, [("calle de Alcalá", "LOC")]),
        ("la península de la Magdalena", {"Magdalena": "LOC"}, [("península de la Magdalena", "LOC")]),
        ("jugó con la selección de fútbol de Chile", {"Chile": "LOC"}, [("selección de fútbol de Chile", "ORG")]),
        (
            "la Selección femenina de balonmano de los Países",
            {"Selección": "ORG", "Países": "LOC"},
            [("Selección femenina de balonmano de los Países", "ORG")],
        ),
        ("ganó en Barcelona 92 .", {"Barcelona": "MISC"}, [("Barcelona 92", "MISC")]),
        ("vive en Santander", {"Santander": "PER"}, [("Santander", "LOC")]),
        ('vio " Drumline " ayer', {"Drumline": "PER"}, [("Drumline", "MISC")]),
        ('la película " Drumline "', {"Drumline": "PER"}, [("Drumline", "MISC")]),
    ],
)
def test_what_a_model_overlooks(text: str, kinds: dict[str, str], names: list[tuple[str, str]]) -> None:
    assert changed(text, kinds) == names


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("Clemente vive", {"Clemente": "PER"}),
        ("la ciudad de Soria", {"Soria": "LOC"}),
        ("los vecinos de Soria", {"Soria": "LOC"}),
        ("Renfe 300 trenes", {"Renfe": "ORG"}),
        ("Soria 2000 .", {"Soria": "LOC"}),
        ("Menorca 69 ( 40-30 )", {"Menorca": "ORG"}),
        ("habla Santander", {"Santander": "PER"}),
        ("cree en Zyxwv", {"Zyxwv": "PER"}),
        ('el ministro " Zapata "', {"Zapata": "PER"}),
        ('el diario " Público "', {"Público": "ORG"}),
        ('Guzmán " Chapo " huyó', {"Chapo": "PER"}),
    ],
)
def test_what_stays(text: str, kinds: dict[str, str]) -> None:
    assert changed(text, kinds) == [(next(iter(kinds)), next(iter(kinds.values())))]


def test_initials_alone_are_a_person() -> None:
    words = ["P.", "B.", "H.", "quedó", "libre"]
    assert amended(words, [LabelledName(0, 3, "MISC", 0.5)], "es") == [LabelledName(0, 3, "PER", 0.5)]
    assert amended(words, [LabelledName(0, 1, "MISC", 0.5)], "es") == [LabelledName(0, 1, "MISC", 0.5)]


def test_other_languages_have_no_such_words() -> None:
    assert changed('she saw " Drumline " again', {"Drumline": "PER"}, "en") == [("Drumline", "PER")]


def test_nothing_is_nothing() -> None:
    assert amended([], [], "es") == []
