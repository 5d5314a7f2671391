from __future__ import annotations

from importlib import resources

import pytest

from support.slicing_vectors import LEXICON
from trasmallo.clean.slicing.meaning import FARTHEST, Lexicon, languages, load


def test_a_small_lexicon() -> None:
    lexicon = Lexicon(LEXICON)
    assert lexicon.relate(["gato"]) == {"gato": 1, "felino": 2, "animal": 3, "perro": 4}
    assert lexicon.relate(["GATOS"]) == lexicon.relate(["gato"])
    assert lexicon.relate(["nada"]) == {}
    assert lexicon.distance("perros", lexicon.relate(["gato"])) == 4
    assert lexicon.distance("raza", lexicon.relate(["gato"])) == 0
    assert [lexicon.weigh(word) for word in ("El", "gato")] == [0, 1]


@pytest.mark.parametrize(
    ("language", "word", "other", "distance"),
    [
        ("es", "gato", "felinos", 2),
        ("es", "barco", "nave", 1),
        ("es", "madrid", "capital", 2),
        ("en", "boat", "vessels", 2),
        ("en", "car", "automobile", 1),
        ("en", "dog", "xylophone", 0),
    ],
)
def test_words_of_real_languages(language: str, word: str, other: str, distance: int) -> None:
    lexicon = load(language)
    assert lexicon is not None
    assert lexicon.language == language
    assert lexicon.distance(other, lexicon.relate([word])) == distance


@pytest.mark.parametrize(("word", "form"), [("obedecieron", "obedecer"), ("luces", "luz"), ("entrenando", "entrenar")])
def test_forms_of_spanish_words(word: str, form: str) -> None:
    lexicon = load("es")
    assert lexicon is not None
    assert form in lexicon.forms(word)
    assert lexicon.weigh("los") == 0


def test_irregular_english_forms_mean_what_their_words_do() -> None:
    lexicon = load("en")
    assert lexicon is not None
    assert lexicon.relate(["mice"])["mouse"] == 1


def test_languages_without_meanings() -> None:
    assert languages() == ["en", "es"]
    assert load("fr") is None
    assert load("../es") is None


def test_the_files_are_small_and_come_with_their_licence() -> None:
    folder = resources.files("trasmallo.clean.slicing").joinpath("meanings")
    assert all(len(folder.joinpath(f"{language}.gz").read_bytes()) < 1_500_000 for language in languages())
    assert "Princeton University" in folder.joinpath("LICENCE.txt").read_text("utf-8")


def test_relations_reach_no_farther_than_said() -> None:
    lexicon = load("en")
    assert lexicon is not None
    assert max(lexicon.relate(["cat"]).values()) == FARTHEST
