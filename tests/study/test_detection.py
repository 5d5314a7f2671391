from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from trasmallo.clean.read import detect_language as detect
from trasmallo.study.detection import by_block

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
