from __future__ import annotations

import pytest

from trasmallo.study.morphology.error_costs import error_costs

COSTS = error_costs("es")


@pytest.mark.parametrize(
    ("likely", "unlikely"),
    [
        (("estava", "estaba"), ("estava", "eslava")),
        (("cancion", "canción"), ("cancion", "canciones")),
        (("dió", "dio"), ("dió", "dijo")),
        (("modenro", "moderno"), ("modenro", "modelo")),
        (("alummna", "alumna"), ("alumxna", "alumna")),
        (("haciendop", "haciendo"), ("haciendow", "haciendo")),
        (("zapatp", "zapato"), ("zapatm", "zapato")),
        (("ovispo", "obispo"), ("avispo", "obispo")),
    ],
)
def test_what_people_write_costs_less(likely: tuple[str, str], unlikely: tuple[str, str]) -> None:
    assert COSTS.of(*likely) < COSTS.of(*unlikely)


def test_an_error_in_the_first_letter_is_seen() -> None:
    assert COSTS.of("lasa", "masa") > COSTS.of("cala", "cama")


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("corason", "corazón"),
        ("ecsamen", "examen"),
        ("llendo", "yendo"),
        ("aora", "ahora"),
        ("ciudá", "ciudad"),
        ("cansao", "cansado"),
    ],
)
def test_respellings(word: str, meant: str) -> None:
    assert meant in dict(COSTS.respellings(word))


def test_a_language_without_rules_has_the_keyboard() -> None:
    generic = error_costs("fr")
    assert generic.respellings("maison") == []
    assert generic.of("maiskn", "maison") > generic.of("maisin", "maison")


def test_words_that_were_written_together() -> None:
    assert ("la", "función") in COSTS.splits("lafunción")
    assert ("mecanismo", "de") in COSTS.splits("mecanismode")
    assert COSTS.splits("mar") == []
    assert error_costs("fr").splits("lamaison") == []
