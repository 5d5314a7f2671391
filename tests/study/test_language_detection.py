from __future__ import annotations

import pytest

from trasmallo.study.language_detection import detect_language


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("La red se cala al anochecer y se recoge de madrugada, cuando el viento ha calmado.", "es"),
        ("The boats come back at dawn, when the wind has dropped and all of the nets have been hauled in.", "en"),
        ("12 + 3", ""),
        ("Все суда вернулись в порт", "ru"),
        # Without prose, function words tell; where there are none, nobody does.
        ("Las redes de la playa", "es"),
        ("Samsung Galaxy\niPhone 12\nXiaomi Redmi\nHuawei P30", ""),
        ("Inicio\nContacto\nAviso legal\nMapa web\nAyuda", ""),
        ("Lima\nBogotá\nMadrid\nBarcelona\nQuito\nLa Paz", ""),
        ("", ""),
    ],
)
def test_the_language_of_a_text(text: str, language: str) -> None:
    assert detect_language(text) == language


def test_the_beginning_of_a_long_text_tells() -> None:
    spanish = "La red se cala al anochecer y se recoge de madrugada. " * 100
    assert detect_language(spanish + "The boats come back at dawn. " * 1_000) == "es"


def test_links_around_prose_do_not_tell() -> None:
    links = "Samsung Galaxy\niPhone 12\nXiaomi Redmi\nHuawei P30\n" * 20
    assert detect_language(links + "La red se cala al anochecer y se recoge de madrugada, cuando calma.") == "es"


def test_letters_of_other_scripts_are_counted_beside_those_of_ascii() -> None:
    assert detect_language("Все суда вернулись в порт, wind and sea") == "ru"
    assert detect_language("ºª²½ 12") == detect_language("º") == ""
