from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.bad_texts import TEXTS
from trasmallo.study.detection import by_block, stretches
from trasmallo.study.language_detection import detect_language as detect

SPANISH = "La red se cala al anochecer y se recoge de madrugada, cuando el viento ha calmado y vuelven los barcos al puerto."
ENGLISH = "The net is cast at dusk and hauled in before dawn, when the wind has dropped and the boats come back to the port."
FRENCH = "Le filet est jeté au crépuscule et relevé à l'aube, quand le vent est tombé et que les bateaux rentrent au port."
CHINESE = "旱灾在中国造成的影响"


def test_short_blocks_follow_those_before_them() -> None:
    blocks = ["Inicio", SPANISH, "Más", ENGLISH, "Home", "1 2 3", FRENCH]
    assert by_block(blocks, detect, "es") == ["es", "es", "es", "en", "en", "", "fr"]


def test_another_script_tells_at_once() -> None:
    assert by_block([SPANISH, CHINESE, "Más sobre redes"], detect, "es")[:2] == ["es", "zh"]


def test_the_whole_tells_when_nobody_knows() -> None:
    assert by_block(["La red se cala al anochecer", "y se recoge de madrugada cuando el viento calma"], detect) == ["es", "es"]
    assert by_block([], detect) == []


@given(st.lists(st.text(max_size=30), max_size=6))
def test_every_block_has_a_language_if_it_has_letters(blocks: list[str]) -> None:
    found = by_block(blocks, detect, "es")
    assert len(found) == len(blocks)
    assert all(bool(code) == any(map(str.isalpha, text)) for code, text in zip(found, blocks, strict=True))


PORTUGUESE = "O velho pescador olhou para o mar e disse que as redes estavam no porto, porque a noite tinha sido longa e fria."
CATALAN = "El vell pescador va mirar la mar i va dir que les xarxes eren al port, perquè la nit havia estat llarga i freda."
BASQUE = "Arrantzale zaharrak itsasora begiratu zuen eta sareak portuan zeudela esan zuen, gaua luzea izan zelako hotzez."
NAMES = "Ana Betancor, Saúl Miramontes, Inés Calatrava, Benito Carranza, Lucía Betancor, Marta Quiroga, Pedro Villalba, Rosa"
RUSSIAN = "Старый рыбак смотрит на море."


def told(*lines: str, document: str = "es") -> list[tuple[str, str]]:
    text = "\n".join(lines)
    found = stretches(text, detect, document)
    assert "".join(text[one.start : one.end] for one in found) == text
    return [(one.language, text[one.start : one.end].rstrip("\n")) for one in found]


def test_a_text_in_one_language_is_one_stretch_and_nobody_is_asked() -> None:
    def refuse(_text: str) -> str:
        raise AssertionError("asked")

    text = f"Inicio\n{SPANISH}\nMás\n{SPANISH}"
    assert stretches(text, refuse, "es-MX") == [("es-MX", 0, len(text))]
    assert stretches("", refuse, "es") == []


def test_foreign_lines_are_stretches_of_their_own() -> None:
    assert told(SPANISH, ENGLISH, "Read more", FRENCH, SPANISH) == [
        ("es", SPANISH),
        ("en", f"{ENGLISH}\nRead more"),
        ("fr", FRENCH),
        ("es", SPANISH),
    ]
    assert [code for code, _ in told(SPANISH, PORTUGUESE, BASQUE)] == ["es", "pt", "eu"]
    assert [code for code, _ in told(PORTUGUESE, SPANISH, document="pt")] == ["pt", "es"]
    assert [code for code, _ in told(CATALAN, SPANISH, document="ca")] == ["ca", "es"]


def test_a_short_line_with_a_function_word_is_in_the_language_of_the_document() -> None:
    assert told(SPANISH, ENGLISH, "Volver a la lonja", "Barcos") == [
        ("es", SPANISH),
        ("en", ENGLISH),
        ("es", "Volver a la lonja\nBarcos"),
    ]


def test_names_and_other_scripts() -> None:
    assert told(SPANISH, NAMES) == [("es", f"{SPANISH}\n{NAMES}")]
    assert told(SPANISH, RUSSIAN, "Más") == [("es", SPANISH), ("ru", RUSSIAN), ("es", "Más")]
    assert told(RUSSIAN, RUSSIAN, document="ru") == [("ru", f"{RUSSIAN}\n{RUSSIAN}")]


@pytest.mark.parametrize("name", TEXTS)
def test_stretches_of_bad_texts_are_the_text(name: str) -> None:
    text = TEXTS[name](3_000)
    assert "".join(text[one.start : one.end] for one in stretches(text, detect, "es")) == text


def test_short_lines_are_told_by_their_function_words() -> None:
    spanish = (
        "La red se cala al anochecer y se recoge de madrugada, cuando el viento ha calmado y vuelven los barcos al puerto."
    )
    english = "The boats come back at dawn, when the wind has dropped and all of the nets have been hauled in by the old men."
    text = "\n".join(
        [spanish, "Read more about the nets", "New York Times", english, "So be it, whatever sea it is", "Otra red más"]
    )
    found = [(text[start:end].split("\n")[0][:8], language) for language, start, end in stretches(text, detect, "es")]
    assert found == [("La red s", "es"), ("Read mor", "en"), ("New York", "es"), ("The boat", "en"), ("Otra red", "es")]
